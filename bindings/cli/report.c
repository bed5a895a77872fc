/* vtemper report: a fit as a single page. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "fit_setup.h"
#include "library_file.h"
#include "library_options.h"
#include "model_data.h"
#include "numbers.h"
#include "output_file.h"
#include "outside_text.h"
#include "report_page.h"
#include "run.h"
#include "text_corpus.h"
#include "text_options.h"

static const Flag flags[] = {
    {"output", 'o', "FILE.html", "where the page goes; default MODEL.html"},
    {"save", 0, "MODEL", "with TEXT --text: keeps the fitted model there"},
    {"model", 0, "KIND", "with TEXT --text: what to fit; default lda"},
    {"data", 0, "DATA", "rows that the page shows and coherence is measured on; raw text with --text"},
    {"format", 0, "NAME", "of --data: sequences, word_sequences, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of --data, such as genes x cells, words x documents"},
    {"image", 0, "HEIGHTxWIDTH", "columns are the pixels of images of this size: 28x28"},
    {"trace", 0, "FILE.csv", "the course of the fit, instead of the one that the model holds"},
    {"words", 0, "N", "words per topic; default 10"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

/* Bytes of a document's text that the page may show. */
enum { TEXT_SHOWN = 2000 };

static const char* last_part(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const Flag* const shared_flags[] = {text_place_flags, text_word_flags, text_vocabulary_flags, NULL};
static const char* const subjects[] = {"model", "optimizer", NULL};

/* Inputs of the page. */
typedef struct Source {
  vtemper_model* model;
  vtemper_data* data; /**< data for the coherence, or NULL */
  Trace trace;
  int status; /**< exit status of the fit, if there was one */
} Source;

/* Fits a model to the text operand. */
static Source fit_text(const Arguments* arguments) {
  static const char* const model_options[] = {"trace", "image"};
  for (int i = 0; i < 2; ++i) {
    if (argument(arguments, model_options[i])) fail_usage("--%s cannot be combined with --text", model_options[i]);
  }
  Source source = {.model = model_to_fit(arguments)};
  TextRequest request = text_request(arguments, arguments->operands[0]);
  request.keep_texts = true;
  request.text_length = TEXT_SHOWN;
  source.data = text_corpus_learn(&request);
  vtemper_optimizer* optimizer = optimizer_to_fit(arguments, source.model, source.data);
  RunSettings settings = {.quiet = argument(arguments, "quiet") != NULL};
  char* method = method_in_use(optimizer);
  settings.title = method;
  source.status = run_to_end(optimizer, &settings, &source.trace);
  fit_notes_write(source.model, optimizer, source.data, &source.trace);
  text_recipe_keep(source.model, source.data);
  vtemper_optimizer_destroy(optimizer);
  free(method);
  return source;
}

/* The image size given by --image. */
static void read_image(const Arguments* arguments, const vtemper_model* model, Report* report) {
  const char* text = argument(arguments, "image");
  const int64_t columns = model_columns(model);
  if (!text) return;
  char end;
  if (sscanf(text, "%" SCNd64 "x%" SCNd64 "%c", &report->image_height, &report->image_width, &end) != 2 ||
      report->image_height < 1 || report->image_width < 1 || report->image_height > columns ||
      report->image_width != columns / report->image_height ||
      report->image_height * report->image_width != columns) {
    fail_usage("--image is %s; it must be HEIGHTxWIDTH of %" PRId64 " %s in all", text, columns,
               plural(columns == 1, "column", "columns"));
  }
}

/* Exits at options of a fit, of which there is none. */
static void refuse_fit_options(const Arguments* arguments) {
  static const char* const own[] = {"save", "model"};
  const char* given = arguments->named_option_count > 0 ? arguments->named_options[0].name : NULL;
  for (int i = 0; i < 2; ++i) {
    if (!given && argument(arguments, own[i])) given = own[i];
  }
  if (given && argument(arguments, "text"))
    fail_usage("--%s cannot be combined with --data: nothing is fitted", given);
  if (given) {
    fail_usage(
        "--%s needs --text, from which report fits topics; other data are fitted first: vtemper fit DATA -o MODEL, "
        "then vtemper report MODEL --data DATA",
        given);
  }
  const Flag* const tables[] = {text_word_flags, text_vocabulary_flags};
  for (int i = 0; i < 2; ++i) {
    given = argument_of_table(arguments, tables[i]);
    if (given) fail_usage("--%s cannot be combined with --data: the model has its words", given);
  }
}

static Source read_model(const Arguments* arguments, Report* report) {
  const char *data_path = argument(arguments, "data"), *trace_path = argument(arguments, "trace");
  const char* const reading = argument(arguments, "format") ? "format" : "transpose";
  if (argument(arguments, reading) && !data_path) fail_usage("--%s needs --data", reading);
  refuse_fit_options(arguments);
  struct stat operand;
  if (data_path && stat(arguments->operands[0], &operand) == 0 && S_ISDIR(operand.st_mode)) {
    fail_usage("%s is a folder, not a model; --data cannot be combined with --text that is to be fitted",
               arguments->operands[0]);
  }
  Source source = {.model = model_read(arguments->operands[0]), .status = EXIT_DONE};
  read_image(arguments, source.model, report);
  if (trace_path) {
    if (access(trace_path, R_OK) != 0) fail("%s cannot be read: %s", trace_path, strerror(errno));
    trace_read(&source.trace, trace_path, INT64_MAX);
  } else {
    fit_notes_trace(source.model, &source.trace);
  }
  if (data_path) {
    source.data = model_data_read(arguments, data_path, source.model, arguments->operands[0], true);
  }
  return source;
}

static int run(const Arguments* arguments) {
  text_options_check(arguments);
  const char* const operand = arguments->operands[0];
  const char *given = argument(arguments, "output"), *data_path = argument(arguments, "data");
  const bool is_text = argument(arguments, "text") && !data_path, quiet = argument(arguments, "quiet") != NULL;
  const char* saved = argument(arguments, "save");
  if (is_text && !given) fail_usage("option --output is missing; with --text it is needed");
  char* path = given ? text_of("%s", given) : text_of("%s.html", operand);
  Report report = {.words = argument_integer(arguments, "words", 1, 100, 10), .title = last_part(operand)};
  output_input(argument(arguments, "trace"));
  output_check(path, false);
  if (saved) output_check(saved, true);
  Source source = is_text ? fit_text(arguments) : read_model(arguments, &report);
  report.model = source.model;
  if (saved) save_model_file(source.model, saved);
  report.data = source.data;
  report.trace = source.trace;
  report.data_title = last_part(data_path ? data_path : operand);
  OutputFile output;
  output_open(&output, path);
  report_page_write(output.stream, &report);
  output_close(&output);
  if (!quiet) outside_printf(stderr, "the report is in %s\n", path);
  trace_free(&source.trace);
  vtemper_data_destroy(source.data);
  vtemper_model_destroy(source.model);
  free(path);
  return source.status;
}

const Command report_command = {
    .name = "report",
    .usage = "MODEL [-o FILE.html] [--data DATA] [--image HEIGHTxWIDTH] | TEXT --text -o FILE.html [--topics N]",
    .description = "writes a page about a fitted model",
    .notes =
        "One HTML file that needs nothing else. For topics: a table of their words, a search for words, topics and\n"
        "documents, sizes, a map (topics with similar words are close together), and with --data or --text the\n"
        "documents, the topics that occur together and, where documents have dates, the topics over time. For other\n"
        "kinds: their components, states or weights, as images with --image, and with --data their rows: among the\n"
        "components, or beside their reconstructions. The curves of the fit are those that vtemper fit stored in "
        "the\n"
        "model. If there are more than 20,000 rows, 20,000 evenly spaced ones are used.\n"
        "--data TEXT --text reads raw text by the model's recipe. With TEXT --text a model is fitted first; every\n"
        "option of vtemper fit is a --NAME VALUE:\n\n"
        "  vtemper report --text letters -o letters.html --topics 50",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .subjects = subjects,
    .run = run,
};
