/* vtemper infer: what a model says about given rows. */

#include <inttypes.h>
#include <stdlib.h>

#include "array_file.h"
#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "library_options.h"
#include "numbers.h"

/* Rows at a time: bounds the memory, whatever the size of the data. */
enum { ROWS_AT_ONCE = 10000 };

static const Flag flags[] = {
    {"quantity", 0, "NAME", "proportions (usual) or gamma"},
    {"output", 'o', "FILE", "ends with .csv or .npy; without it CSV on stdout"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const char* const subjects[] = {"evaluate", NULL};

static int64_t components(const vtemper_model* model) {
  const char* text;
  int64_t count;
  check(vtemper_model_option(model, "topics", &text));
  if (!parse_integer(text, &count)) fail("the model's number of topics cannot be read from \"%s\"", text);
  return count;
}

static int run(const Arguments* arguments) {
  const char* quantity = argument(arguments, "quantity");
  const char* path = argument(arguments, "output");
  array_check(path);
  vtemper_model* model = model_read(arguments->operands[0]);
  double unknown_tokens;
  vtemper_data* data = corpus_for_model(corpus_read(arguments->operands[1], NULL, NULL), model, &unknown_tokens);
  if (!argument(arguments, "quiet")) report_unknown_tokens(arguments->operands[1], unknown_tokens, data);
  vtemper_options* options = options_of_subject(arguments, "evaluate");

  const int64_t rows = corpus_rows(data), columns = components(model);
  const int64_t room = rows < ROWS_AT_ONCE ? rows : ROWS_AT_ONCE;
  double* values = allocate((size_t)room * (size_t)columns, sizeof *values);
  int64_t* selection = allocate((size_t)room, sizeof *selection);
  ArrayFile file;
  array_open(&file, path, 2, (int64_t[]){rows, columns});
  for (int64_t first = 0; first < rows; first += room) {
    const int64_t count = rows - first < room ? rows - first : room;
    for (int64_t i = 0; i < count; ++i) selection[i] = first + i;
    vtemper_data* part;
    check(vtemper_data_select(data, selection, count, &part));
    check_words(
        vtemper_model_infer(model, part, quantity ? quantity : "proportions", options, values, count * columns));
    vtemper_data_destroy(part);
    array_write(&file, values, count);
  }
  array_close(&file);
  free(selection);
  free(values);
  vtemper_options_destroy(options);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  return EXIT_DONE;
}

const Command infer_command = {
    .name = "infer",
    .usage = "MODEL DATA [--quantity NAME] [-o FILE.csv|FILE.npy] [--NAME VALUE ...]",
    .sentence = "writes what a model infers about each row",
    .notes =
        "One row for each row of DATA, one column for each topic; CSV has no header.\n"
        "proportions are the expected shares of the topics, gamma their Dirichlet parameters.\n"
        "More options: vtemper describe evaluate.",
    .least_operands = 2,
    .most_operands = 2,
    .flags = flags,
    .subjects = subjects,
    .run = run,
};
