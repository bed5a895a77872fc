/* vtemper report: a fit on one page. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "output_file.h"
#include "report_page.h"

static const Flag flags[] = {
    {"output", 'o', "FILE.html", "where the page goes; usually MODEL.html"},
    {"data", 0, "CORPUS", "documents that the coherence of the topics is measured on"},
    {"trace", 0, "FILE.csv", "the course of the fit, instead of the one that the model holds"},
    {"words", 0, "N", "words of a topic; usually 10"},
    {"quiet", 'q', NULL, "no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const char* last_part(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int run(const Arguments* arguments) {
  const char* const model_path = arguments->operands[0];
  const char *given = argument(arguments, "output"), *data_path = argument(arguments, "data");
  const char* trace_path = argument(arguments, "trace");
  const bool quiet = argument(arguments, "quiet") != NULL;
  char* path = given ? text_of("%s", given) : text_of("%s.html", model_path);
  Report report = {.words = argument_integer(arguments, "words", 1, 100, 10), .title = last_part(model_path)};
  output_check(path, false);
  vtemper_model* model = model_read(model_path);
  report.model = model;
  if (trace_path) {
    if (access(trace_path, R_OK) != 0) fail("%s cannot be read: %s", trace_path, strerror(errno));
    trace_read(&report.trace, trace_path, INT64_MAX);
  } else {
    fit_notes_trace(model, &report.trace);
  }
  vtemper_data* data = NULL;
  if (data_path) {
    double unknown_tokens;
    data = corpus_for_model(corpus_read(data_path, NULL, NULL), model, &unknown_tokens);
    if (!quiet) report_unknown_tokens(data_path, unknown_tokens, data);
    report.data = data;
    report.data_title = last_part(data_path);
  }
  OutputFile output;
  output_open(&output, path);
  report_page_write(output.stream, &report);
  output_close(&output);
  if (!quiet) fprintf(stderr, "the report is in %s\n", path);
  trace_free(&report.trace);
  vtemper_data_destroy(data);
  vtemper_model_destroy(model);
  free(path);
  return EXIT_DONE;
}

const Command report_command = {
    .name = "report",
    .usage = "MODEL [-o FILE.html] [--data CORPUS] [--trace FILE.csv] [--words N]",
    .sentence = "writes a page about a fitted model",
    .notes =
        "One HTML file that needs nothing else: how the model was fitted, the curves of its fit, sizes of the\n"
        "topics, a map of them (near topics have like words), and the words of each. The curves are those\n"
        "that vtemper fit has kept in the model.",
    .least_operands = 1,
    .most_operands = 1,
    .flags = flags,
    .run = run,
};
