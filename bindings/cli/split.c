/* vtemper split: divides the rows of data into two files. */

#include <inttypes.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "library_file.h"
#include "output_file.h"
#include "transpose.h"

static const Flag flags[] = {
    {"format", 0, "NAME", "of the data: sequences, word_sequences, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"share", 0, "SHARE", "share of the rows that go to OUT2; default 0.1"},
    {"seed", 0, "N", "seed of the choice of these rows; default 1"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

/* Exits if the rows are so few that none would be in the file. */
static void require_rows(const vtemper_data* part, const char* output, const vtemper_data* data, const char* path,
                         double share) {
  if (corpus_rows(part) > 0) return;
  const int64_t rows = corpus_rows(data);
  fail("%s has %" PRId64 " row%s, of which none is left for %s with --share %g", path, rows, rows == 1 ? "" : "s",
       output, share);
}

static int run(const Arguments* arguments) {
  const double share = argument_real(arguments, "share", 0, 1, 0.1);
  const int64_t seed = argument_integer(arguments, "seed", 0, INT64_MAX, 1);
  if (share == 0 || share == 1) fail_usage("--share must lie between 0 and 1");
  output_check(arguments->operands[1], true);
  output_check(arguments->operands[2], true);
  const char* path = arguments->operands[0];
  vtemper_data* data = read_as_asked(arguments, path, NULL);
  vtemper_data *first, *second;
  check(vtemper_data_split(data, share, (uint64_t)seed, &first, &second));
  require_rows(first, arguments->operands[1], data, path, share);
  require_rows(second, arguments->operands[2], data, path, share);
  save_data_file(first, arguments->operands[1]);
  save_data_file(second, arguments->operands[2]);
  vtemper_data_destroy(second);
  vtemper_data_destroy(first);
  vtemper_data_destroy(data);
  return EXIT_DONE;
}

const Command split_command = {
    .name = "split",
    .usage = "DATA OUT1 OUT2 [--share SHARE] [--seed N] [--format NAME]",
    .description = "divides the rows of data between two files",
    .notes =
        "OUT1 and OUT2 are mapped corpora that keep the order of the rows and the names; each gets at least one\n"
        "row, or the data are refused.",
    .min_operands = 3,
    .max_operands = 3,
    .output_operands = 2,
    .flags = flags,
    .run = run,
};
