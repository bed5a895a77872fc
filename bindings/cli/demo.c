/* vtemper demo: the main use case on real text. The same corpus is fitted by plain stochastic variational inference
 * and by the library's default method, with equal passes; topics and held-out curves are shown and written to a
 * folder. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "corpus.h"
#include "curve_picture.h"
#include "debian_index.h"
#include "failure.h"
#include "library_file.h"
#include "library_options.h"
#include "numbers.h"
#include "output_file.h"
#include "outside_text.h"
#include "run.h"
#include "synthetic.h"
#include "text_corpus.h"
#include "topic_table.h"

/* Everything that may be written. */
static const char* const file_names[] = {"documents.txt", "train.corpus", "test.corpus",    "svi.model",
                                         "svi.trace.csv", "auto.model",   "auto.trace.csv", "topics.txt",
                                         "heldout.txt",   "heldout.svg"};
enum { FILES = sizeof file_names / sizeof file_names[0] };

enum { SCORES = 24, FITS = 2, WORDS_SHOWN = 9, TOPICS_SHOWN = 25, TABLE_ROWS = 12 };

static const double test_share = 0.1;
/* Small, because annealing benefits from many steps while the temperature falls. */
static const int64_t batch_size = 100;
static const SyntheticSizes synthetic_sizes = {.topics = 20, .words = 2000, .documents = 8000, .tokens = 50};
static const char* const colours[FITS] = {"#6b7785", "#d1432f"};

static const Flag flags[] = {
    {"output", 'o', "FOLDER", "where everything is written; default vtemper-demo"},
    {"text", 0, "FILE", "your own text, one document a line, instead of the Debian index"},
    {"lists", 0, "FOLDER", "where apt keeps the index; default /var/lib/apt/lists"},
    {"topics", 0, "N", "number of topics; default 100, or those of the synthetic corpus"},
    {"passes", 0, "N", "passes over the corpus for each method; default 6"},
    {"seed", 0, "N", "seed of everything; default 1"},
    {"synthetic", 0, NULL, "uses the synthetic corpus even where there is real text"},
    {"quiet", 'q', NULL, "no progress"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

/* One of the two fits. */
typedef struct DemoFit {
  const char* method;
  vtemper_model* model;
  Trace trace;
} DemoFit;

/* Settings and results of the demonstration. */
typedef struct Demo {
  const Arguments* arguments;
  const char* folder;
  uint64_t seed;
  int64_t topics;
  double passes;
  const char* corpus_title; /**< for the picture */
  vtemper_data* train;
  HeldOut heldout;
  DemoFit fits[FITS];
} Demo;

/* Path of a file in the folder; the caller frees it. */
static char* path_in(const Demo* demo, const char* name) {
  return text_of("%s/%s", demo->folder, name);
}

static vtemper_data* read_text(Demo* demo, const char* path, const char* title) {
  demo->corpus_title = title;
  const TextRequest request = {
      .path = path,
      .language = "en",
      .lines = true,
      .min_documents = 8,
      .max_share = 0.1,
      .max_vocabulary = 8000,
      .quiet = true,
  };
  return text_corpus_learn(&request);
}

static vtemper_data* find_corpus(Demo* demo) {
  const char* text = argument(demo->arguments, "text");
  const char* lists = argument(demo->arguments, "lists");
  if (text) {
    vtemper_data* corpus = read_text(demo, text, "your documents");
    outside_printf(stdout, "Corpus: the documents of %s.\n", text);
    return corpus;
  }
  if (!lists) lists = "/var/lib/apt/lists";
  char* documents = path_in(demo, "documents.txt");
  vtemper_data* corpus = NULL;
  const int64_t count = argument(demo->arguments, "synthetic") ? 0 : debian_descriptions(lists, documents);
  if (count > 0) {
    char number[NUMBER_LENGTH];
    printf("Corpus: the %s package descriptions of this machine's Debian index (documents.txt).\n",
           format_count(number, count));
    corpus = read_text(demo, documents, "Debian package descriptions");
  } else {
    if (!argument(demo->arguments, "synthetic")) {
      outside_printf(stdout,
                     "There is no English Debian index in %s, so there is no real text (tests/demo.sh fetches it).\n",
                     lists);
    }
    printf("Corpus: synthetic, drawn from a known model; c1 c2 c3 are the most probable words of its topic c.\n");
    demo->corpus_title = "synthetic corpus";
    demo->topics = synthetic_sizes.topics;
    corpus = synthetic_corpus(&synthetic_sizes, demo->seed);
  }
  free(documents);
  return corpus;
}

static void write_data(const Demo* demo, const vtemper_data* data, const char* name) {
  char* path = path_in(demo, name);
  save_data_file(data, path);
  free(path);
}

/* Splits the corpus and saves both parts, so that every number can be reproduced with the other commands. */
static void prepare_data(Demo* demo) {
  vtemper_data *corpus = find_corpus(demo), *test;
  check(vtemper_data_split(corpus, test_share, demo->seed, &demo->train, &test));
  char documents[NUMBER_LENGTH], words[NUMBER_LENGTH], tokens[NUMBER_LENGTH], held_out[NUMBER_LENGTH];
  printf("%s documents, %s words, %s tokens; %s documents are held out.\n\n",
         format_count(documents, corpus_rows(corpus)), format_count(words, corpus_columns(corpus)),
         format_count(tokens, (int64_t)corpus_total(corpus)), format_count(held_out, corpus_rows(test)));
  fflush(stdout);
  write_data(demo, demo->train, "train.corpus");
  write_data(demo, test, "test.corpus");
  demo->heldout = heldout_split(test);
  vtemper_data_destroy(corpus);
}

/* Fits with one method; returns the exit status of the run. */
static int fit(Demo* demo, DemoFit* own) {
  vtemper_options *model_options, *options;
  check(vtemper_options_create(&model_options));
  check(vtemper_options_set_integer(model_options, "topics", demo->topics));
  check(vtemper_options_create(&options));
  check(vtemper_options_set_text(options, "method", own->method));
  check(vtemper_options_set_integer(options, "seed", (int64_t)demo->seed));
  check(vtemper_options_set_integer(options, "batch_size", batch_size));
  check(vtemper_options_set_real(options, "max_passes", demo->passes));
  check(vtemper_options_set_integer(options, "report_every", 5));
  vtemper_optimizer* optimizer;
  check(vtemper_model_create("lda", model_options, &own->model));
  check(vtemper_optimizer_create(own->model, demo->train, options, &optimizer));

  char *trace_name = text_of("%s.trace.csv", own->method), *model_name = text_of("%s.model", own->method);
  char *trace_path = path_in(demo, trace_name), *model_path = path_in(demo, model_name);
  const RunSettings settings = {
      .title = own->method,
      .quiet = argument(demo->arguments, "quiet") != NULL,
      .heldout = &demo->heldout,
      .scores = SCORES,
      .trace_path = trace_path,
  };
  const int status = run_to_end(optimizer, &settings, &own->trace);
  text_recipe_keep(own->model, demo->train);
  save_model_file(own->model, model_path);
  if (status == EXIT_FAILED) tell_run_failure();
  free(model_path);
  free(trace_path);
  free(model_name);
  free(trace_name);
  vtemper_optimizer_destroy(optimizer);
  vtemper_options_destroy(options);
  vtemper_options_destroy(model_options);
  return status;
}

/* Prints to the terminal or to a file. */
typedef void (*Printer)(FILE* stream, const Demo* demo);

static void print_and_write(const Demo* demo, Printer printer, const char* name) {
  char* path = path_in(demo, name);
  OutputFile output;
  output_open(&output, path);
  printer(output.stream, demo);
  output_close(&output);
  free(path);
}

static void print_all_topics(FILE* stream, const Demo* demo) {
  topic_table_print(stream, demo->fits[FITS - 1].model, "probability", WORDS_SHOWN, 0);
}

/* Rows of a trace with a score; both fits have them at the same steps. */
static int64_t scored_rows(const Trace* trace, const TraceRow** rows) {
  int64_t count = 0;
  for (int64_t i = 0; i < trace->count; ++i) {
    if (!isnan(trace->rows[i].predictive)) rows[count++] = &trace->rows[i];
  }
  return count;
}

static void print_scores(FILE* stream, const Demo* demo) {
  const TraceRow** rows[FITS];
  int64_t counts[FITS];
  for (int i = 0; i < FITS; ++i) {
    rows[i] = allocate((size_t)demo->fits[i].trace.count, sizeof *rows[i]);
    counts[i] = scored_rows(&demo->fits[i].trace, rows[i]);
  }
  const int64_t count = counts[0] < counts[1] ? counts[0] : counts[1];
  fprintf(stream, "Held-out log probability of a word, nats (higher is better)\n");
  fprintf(stream, "passes  %10s  %12s  %10s  temperature\n", demo->fits[0].method, demo->fits[1].method, "gain");
  const int64_t step = (count + TABLE_ROWS - 1) / TABLE_ROWS > 0 ? (count + TABLE_ROWS - 1) / TABLE_ROWS : 1;
  for (int64_t i = (count - 1) % step; i < count; i += step) {
    const TraceRow *plain = rows[0][i], *tempered = rows[1][i];
    fprintf(stream, "%6.2f  %10.4f  %12.4f  %+10.4f  %11.2f\n", tempered->passes, plain->predictive,
            tempered->predictive, tempered->predictive - plain->predictive, tempered->temperature);
  }
  if (count > 0) {
    const double plain = rows[0][count - 1]->predictive, tempered = rows[1][count - 1]->predictive;
    fprintf(stream, "perplexity at the end: %s %.0f, %s %.0f\n", demo->fits[0].method, exp(-plain),
            demo->fits[1].method, exp(-tempered));
  }
  for (int i = 0; i < FITS; ++i) free(rows[i]);
}

static void draw_picture(const Demo* demo) {
  Curve curves[FITS];
  double* numbers[FITS];
  for (int i = 0; i < FITS; ++i) {
    const Trace* trace = &demo->fits[i].trace;
    const TraceRow** rows = allocate((size_t)trace->count, sizeof *rows);
    const int64_t count = scored_rows(trace, rows);
    numbers[i] = allocate(2 * (size_t)count, sizeof *numbers[i]);
    for (int64_t j = 0; j < count; ++j) {
      numbers[i][j] = rows[j]->passes;
      numbers[i][count + j] = rows[j]->predictive;
    }
    curves[i] = (Curve){demo->fits[i].method, colours[i], numbers[i], numbers[i] + count, count};
    free(rows);
  }
  char* title = text_of("Held-out fit of %s", demo->corpus_title);
  char rows[NUMBER_LENGTH], test_rows[NUMBER_LENGTH];
  char* subtitle = text_of("LDA, %" PRId64 " topics, %s documents; half of the words of %s others predicted",
                           demo->topics, format_count(rows, corpus_rows(demo->train)),
                           format_count(test_rows, corpus_rows(demo->heldout.observed)));
  const PictureText text = {title, subtitle, "passes over the corpus", "log probability of a held-out word (nats)"};
  char* path = path_in(demo, "heldout.svg");
  curve_picture(path, &text, curves, FITS);
  free(path);
  free(subtitle);
  free(title);
  for (int i = 0; i < FITS; ++i) free(numbers[i]);
}

static void report(const Demo* demo) {
  print_and_write(demo, print_all_topics, "topics.txt");
  print_and_write(demo, print_scores, "heldout.txt");
  draw_picture(demo);
  const char* method = demo->fits[FITS - 1].method;
  printf("\nThe %d largest of %" PRId64 " topics found by %s\n",
         demo->topics < TOPICS_SHOWN ? (int)demo->topics : TOPICS_SHOWN, demo->topics, method);
  topic_table_print(stdout, demo->fits[FITS - 1].model, "probability", WORDS_SHOWN, TOPICS_SHOWN);
  printf("\n");
  print_scores(stdout, demo);
  outside_printf(
      stdout,
      "\nIn %s: heldout.svg (the picture), heldout.txt, topics.txt (all topics), train.corpus, test.corpus,\n"
      "and each method's model and trace. Continue with, for example:\n"
      "  vtemper topics %s/%s.model --rank relevance\n"
      "  vtemper evaluate %s/%s.model %s/test.corpus\n",
      demo->folder, demo->folder, method, demo->folder, method, demo->folder);
}

static const char* default_method(void) {
  vtemper_option option;
  if (!find_option("optimizer", "method", &option)) fail("the library has no option method");
  return option.default_text;
}

/* The text comes from one place. */
static void check_source(const Arguments* arguments) {
  static const char* const sources[] = {"text", "lists", "synthetic"};
  int count = 0;
  for (int i = 0; i < 3; ++i) count += argument(arguments, sources[i]) != NULL;
  if (count > 1) fail_usage("--text, --lists and --synthetic cannot be combined");
}

static int run(const Arguments* arguments) {
  check_source(arguments);
  const char* folder = argument(arguments, "output");
  Demo demo = {
      .arguments = arguments,
      .folder = folder ? folder : "vtemper-demo",
      .seed = (uint64_t)argument_integer(arguments, "seed", 0, INT64_MAX, 1),
      .topics = 100,
      .passes = argument_real(arguments, "passes", 0.01, 1e6, 6),
      .fits = {{.method = "svi"}, {.method = default_method()}},
  };
  const int64_t topics = argument_integer(arguments, "topics", 1, 1000000, 0);
  if (mkdir(demo.folder, 0777) != 0 && errno != EEXIST) {
    fail("folder %s cannot be created: %s", demo.folder, strerror(errno));
  }
  output_input(argument(arguments, "text"));
  char* paths[FILES];
  for (int i = 0; i < FILES; ++i) {
    paths[i] = path_in(&demo, file_names[i]);
    output_check(paths[i], true);
  }
  prepare_data(&demo);
  if (topics > 0) demo.topics = topics;
  int status = EXIT_DONE;
  for (int i = 0; i < FITS && status == EXIT_DONE; ++i) status = fit(&demo, &demo.fits[i]);
  if (status == EXIT_DONE) report(&demo);
  for (int i = 0; i < FITS; ++i) {
    vtemper_model_destroy(demo.fits[i].model);
    trace_free(&demo.fits[i].trace);
  }
  heldout_free(&demo.heldout);
  vtemper_data_destroy(demo.train);
  for (int i = 0; i < FILES; ++i) free(paths[i]);
  return status;
}

const Command demo_command = {
    .name = "demo",
    .usage = "[--output FOLDER] [--text FILE] [--topics N] [--passes N] [--seed N]",
    .description = "fits real text by two methods; shows topics and held-out curves",
    .notes =
        "The text is the English package descriptions of this machine's Debian index, where apt has them\n"
        "(sh tests/demo.sh fetches them without touching the machine's own lists), or a synthetic corpus\n"
        "drawn from a known model. One document in ten is held out.",
    .min_operands = 0,
    .max_operands = 0,
    .flags = flags,
    .run = run,
};
