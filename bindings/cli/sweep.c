/* vtemper sweep: the same fit for several numbers of topics. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "library_file.h"
#include "library_options.h"
#include "numbers.h"
#include "orientation.h"
#include "output_file.h"
#include "run.h"
#include "sweep_table.h"
#include "text_corpus.h"
#include "transpose.h"

static const Flag flags[] = {
    {"topics", 0, "N,N,...", "numbers of topics to fit (required)"},
    {"seeds", 0, "N", "fits of each number, with seeds --seed, --seed + 1, ...; default 1"},
    {"test", 0, "DATA2", "held-out data; without it rows of DATA are held out"},
    {"test-share", 0, "SHARE", "share of the rows that are held out; default 0.1"},
    {"format", 0, "NAME", "of the data: docword, ldac, svmlight, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"vocabulary", 0, "FILE", "names of the columns, one per line; also .gz"},
    {"csv", 0, "FILE", "also writes the table there, as CSV, or as TSV or JSON if the name ends with .tsv or .json"},
    {"svg", 0, "FILE.svg", "draws held-out score, coherence and time against the number of topics"},
    {"save-models", 0, "FOLDER", "keeps the models there, as topics-N-seed-S.model"},
    {"quiet", 'q', NULL, "no progress and no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {table_flags, NULL};
static const char* const subjects[] = {DEFAULT_KIND, "optimizer", NULL};

enum { MOST_NUMBERS = 1000 };

/* Shared by all fits. */
typedef struct Sweep {
  const Arguments* arguments;
  int64_t numbers[MOST_NUMBERS]; /**< numbers of topics */
  int count;
  int64_t seeds;
  uint64_t first_seed;
  vtemper_data* train;
  HeldOut heldout;
} Sweep;

/* Each number is fitted once, however often it is given. */
static void add_number(Sweep* sweep, int64_t number) {
  for (int i = 0; i < sweep->count; ++i) {
    if (sweep->numbers[i] == number) return;
  }
  if (sweep->count == MOST_NUMBERS) fail_usage("--topics holds more than %d numbers", MOST_NUMBERS);
  sweep->numbers[sweep->count++] = number;
}

static void read_numbers(Sweep* sweep) {
  const char* text = argument_required(sweep->arguments, "topics");
  char* copy = text_of("%s", text);
  for (char* next = copy; next;) {
    char* comma = strchr(next, ',');
    if (comma) *comma = '\0';
    int64_t number;
    if (!parse_integer(next, &number) || number < 1 || number > 1000000) {
      fail_usage("--topics must be whole numbers from 1 to 1000000, separated by commas, not \"%s\"", text);
    }
    add_number(sweep, number);
    next = comma ? comma + 1 : NULL;
  }
  free(copy);
}

/* Sets an integer option of the library. */
static void set_integer(vtemper_options* options, const char* name, uint64_t value) {
  char text[NUMBER_LENGTH];
  snprintf(text, sizeof text, "%" PRIu64, value);
  check(vtemper_options_set(options, name, text));
}

static vtemper_model* create_model(const Sweep* sweep, int64_t topics) {
  vtemper_options* options = options_of_subject(sweep->arguments, DEFAULT_KIND);
  set_integer(options, "topics", (uint64_t)topics);
  vtemper_model* model;
  check(vtemper_model_create(DEFAULT_KIND, options, &model));
  vtemper_options_destroy(options);
  return model;
}

static vtemper_optimizer* create_optimizer(const Sweep* sweep, vtemper_model* model, uint64_t seed) {
  vtemper_options* options = options_of_subject(sweep->arguments, "optimizer");
  set_integer(options, "seed", seed);
  double bytes;
  check(vtemper_model_fit_memory(model, sweep->train, options, &bytes));
  if (!argument(sweep->arguments, "quiet")) announce_memory(bytes, model, sweep->train);
  vtemper_optimizer* optimizer;
  check(vtemper_optimizer_create(model, sweep->train, options, &optimizer));
  vtemper_options_destroy(options);
  return optimizer;
}

/* The rows to fit and the held-out rows. */
static void prepare_data(Sweep* sweep) {
  const Arguments* arguments = sweep->arguments;
  const char* test_path = argument(arguments, "test");
  const double share = argument_real(arguments, "test-share", 0.0001, 0.9, 0.1);
  if (test_path && argument(arguments, "test-share")) fail_usage("--test-share has no effect with --test");
  corpus_needed_by(DEFAULT_KIND, argument(arguments, "quiet") != NULL);
  vtemper_data* data = read_as_asked(arguments, arguments->operands[0], argument(arguments, "vocabulary"));
  vtemper_data* test;
  if (test_path) {
    /* A model initialised with the data has its columns. */
    vtemper_model* reference = create_model(sweep, 1);
    check(vtemper_model_initialize(reference, data, 0));
    double unknown_tokens;
    test = read_as_asked(arguments, test_path, NULL);
    require_orientation(arguments, test, test_path, reference, false);
    test = corpus_for_model(test, reference, &unknown_tokens);
    if (!argument(arguments, "quiet")) report_unknown_tokens(test_path, unknown_tokens, test);
    vtemper_model_destroy(reference);
    sweep->train = data;
  } else {
    check(vtemper_data_split(data, share, sweep->first_seed, &sweep->train, &test));
    vtemper_data_destroy(data);
  }
  if (corpus_rows(test) == 0) fail("no rows are held out: there are too few; see --test-share");
  sweep->heldout = heldout_split(test);
}

/* NULL if models are not saved. */
static char* path_of_model(const Sweep* sweep, int64_t topics, uint64_t seed) {
  const char* folder = argument(sweep->arguments, "save-models");
  return folder ? text_of("%s/topics-%" PRId64 "-seed-%" PRIu64 ".model", folder, topics, seed) : NULL;
}

static void save_model(const Sweep* sweep, vtemper_model* model, int64_t topics, uint64_t seed) {
  char* path = path_of_model(sweep, topics, seed);
  if (!path) return;
  text_recipe_keep(model, sweep->train);
  save_model_file(model, path);
  free(path);
}

/* NaN where the documents leave it undefined: they have a single word, or no two words of a topic occur in them. */
static double coherence_of(const Sweep* sweep, const vtemper_model* model) {
  double coherence = NAN;
  const vtemper_status status = vtemper_model_evaluate(model, sweep->train, NULL, "coherence_npmi", NULL, &coherence);
  if (status != VTEMPER_ERROR_DATA) check(status);
  return coherence;
}

/* One fit and its measures. Returns the exit status of the run. */
static int fit(const Sweep* sweep, int64_t topics, uint64_t seed, double* values) {
  vtemper_model* model = create_model(sweep, topics);
  vtemper_optimizer* optimizer = create_optimizer(sweep, model, seed);
  char* title = text_of("%" PRId64 " topics, seed %" PRIu64, topics, seed);
  const RunSettings settings = {
      .title = title,
      .quiet = argument(sweep->arguments, "quiet") != NULL,
      .heldout = &sweep->heldout,
      .scores = 1,
  };
  Trace trace = {NULL, 0};
  const int status = run_to_end(optimizer, &settings, &trace);
  if (status == EXIT_DONE) {
    vtemper_report report = {.struct_size = sizeof report};
    check(vtemper_optimizer_report(optimizer, &report));
    values[SWEEP_PREDICTIVE] = trace_last_score(&trace);
    values[SWEEP_SECONDS] = report.seconds;
    values[SWEEP_COHERENCE] = coherence_of(sweep, model);
    check(vtemper_model_evaluate(model, NULL, NULL, "topic_diversity", NULL, &values[SWEEP_DIVERSITY]));
    fit_notes_write(model, optimizer, sweep->train, &trace);
    save_model(sweep, model, topics, seed);
  }
  trace_free(&trace);
  free(title);
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  return status;
}

static void write_files(const Sweep* sweep, const SweepRow* rows, int count) {
  const char *csv = argument(sweep->arguments, "csv"), *svg = argument(sweep->arguments, "svg");
  const TableFormat format = table_format(sweep->arguments, csv);
  if (csv) sweep_write_table(csv, format == TABLE_NONE ? TABLE_CSV : format, rows, count);
  if (!svg) return;
  char train[NUMBER_LENGTH], test[NUMBER_LENGTH];
  char* subtitle = text_of("%s documents, %s held out; %" PRId64 " fit%s of each%s",
                           format_count(train, corpus_rows(sweep->train)),
                           format_count(test, corpus_rows(sweep->heldout.observed)), sweep->seeds,
                           sweep->seeds > 1 ? "s" : "", sweep->seeds > 1 ? ", bars: standard deviation" : "");
  sweep_write_picture(svg, subtitle, rows, count);
  free(subtitle);
}

/* Detects all errors in the arguments before the first fit. */
static void check_arguments(Sweep* sweep) {
  read_numbers(sweep);
  const Arguments* arguments = sweep->arguments;
  const char* const written[] = {argument(arguments, "csv"), argument(arguments, "svg")};
  for (int i = 0; i < 2; ++i) {
    if (written[i]) output_check(written[i], false);
  }
  table_format(arguments, NULL); /* rejects unknown formats */
  const char* seed = named_option(arguments, "seed");
  int64_t first_seed = 1;
  if (seed && (!parse_integer(seed, &first_seed) || first_seed < 0)) {
    fail_usage("--seed must be a whole number from 0, not \"%s\"", seed);
  }
  sweep->first_seed = (uint64_t)first_seed;
  sweep->seeds = argument_integer(arguments, "seeds", 1, 100000, 1);
  for (int i = 0; i < sweep->count; ++i) vtemper_model_destroy(create_model(sweep, sweep->numbers[i]));
  const char* folder = argument(arguments, "save-models");
  if (folder && !*folder) fail("a folder cannot be created: its path is empty");
  if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fail("folder %s cannot be created: %s", folder, strerror(errno));
  }
  for (int i = 0; i < sweep->count && folder; ++i) {
    for (int64_t j = 0; j < sweep->seeds; ++j) {
      output_check(path_of_model(sweep, sweep->numbers[i], sweep->first_seed + (uint64_t)j), true);
    }
  }
}

static int run(const Arguments* arguments) {
  Sweep sweep = {.arguments = arguments};
  check_arguments(&sweep);
  prepare_data(&sweep);
  SweepRow* rows = allocate((size_t)sweep.count, sizeof *rows);
  double* values = allocate((size_t)sweep.seeds * SWEEP_MEASURES, sizeof *values);
  int done = 0, status = EXIT_DONE;
  /* A table for scripts is written as a whole at the end. */
  TableFormat printed = argument(arguments, "csv") ? TABLE_NONE : table_format(arguments, NULL);
  if (printed == TABLE_NONE && argument(arguments, "header")) printed = TABLE_CSV;
  if (printed == TABLE_NONE) sweep_print_head(stdout);
  fflush(stdout);
  while (done < sweep.count && status == EXIT_DONE) {
    for (int64_t i = 0; i < sweep.seeds && status == EXIT_DONE; ++i) {
      status = fit(&sweep, sweep.numbers[done], sweep.first_seed + (uint64_t)i, values + i * SWEEP_MEASURES);
    }
    if (status != EXIT_DONE) break;
    rows[done] = sweep_row(sweep.numbers[done], values, sweep.seeds);
    if (printed == TABLE_NONE) sweep_print_row(stdout, &rows[done]);
    ++done;
    fflush(stdout);
    write_files(&sweep, rows, done);
  }
  if (printed != TABLE_NONE) {
    sweep_write_table(NULL, printed, rows, done);
  } else if (done > 1) {
    sweep_print_best(stdout, rows, done);
  }
  if (status == EXIT_INTERRUPTED)
    fprintf(stderr, "interrupted after %d of %d numbers of topics\n", done, sweep.count);
  free(values);
  free(rows);
  heldout_free(&sweep.heldout);
  vtemper_data_destroy(sweep.train);
  return status;
}

const Command sweep_command = {
    .name = "sweep",
    .usage = "DATA --topics N,N,... [--seeds N] [--test DATA2] [--csv FILE] [--svg FILE] [--NAME VALUE ...]",
    .description = "fits several numbers of topics and compares them",
    .notes =
        "The table: held-out score (mean log probability of a held-out word by document completion, nats),\n"
        "NPMI coherence of the topics' ten most probable words in the fitted rows, diversity (share of distinct\n"
        "words among them) and seconds of a fit; with --seeds their mean +- standard deviation. Documents of a "
        "single\n"
        "word have no coherence. The rows\n"
        "held out are drawn by --seed (default 1), the same for all fits, and scored as vtemper evaluate does.\n"
        "Every option of the model and of the optimizer is a --NAME VALUE, as for vtemper fit. The files are\n"
        "rewritten after each number of topics. Ctrl-C ends the sweep and exits 130.\n\n"
        "  vtemper sweep all.corpus --topics 25,50,100 --seeds 3 --csv sweep.csv --svg sweep.svg",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .subjects = subjects,
    .run = run,
};
