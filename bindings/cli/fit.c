/* vtemper fit: fits a model to data. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "component_table.h"
#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "library_options.h"
#include "nearest.h"
#include "output_file.h"
#include "run.h"
#include "topic_faults.h"

enum { SCORES = 20, CURVE_POINTS = 100, FEW_STEPS = 4 * CURVE_POINTS };
static const double usual_seconds_between_checkpoints = 300;

static const Flag flags[] = {
    {"output", 'o', "MODEL", "the fitted model (required)"},
    {"model", 0, "KIND", "what to fit: a kind of vtemper describe; usually lda"},
    {"test", 0, "DATA2", "held-out data, scored about 20 times along the way and at the end"},
    {"trace", 0, "FILE.csv", "the course of the fit, one row a report"},
    {"format", 0, "NAME", "of the data: sequences, labelled_sequences, ...; usually recognised"},
    {"vocabulary", 0, "FILE", "names of the columns, one a line"},
    {"checkpoint", 0, "FILE", "what --resume goes on from; written along the way and at the end"},
    {"checkpoint-every", 0, "SECONDS", "time between checkpoints; usually 300"},
    {"resume", 0, "FILE", "goes on from a checkpoint, with its model and its options"},
    {"quiet", 'q', NULL, "no progress and no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const char* const subjects[] = {"model", "optimizer", NULL};

static void check_kind(const char* kind) {
  if (is_kind(kind)) return;
  Nearest nearest = nearest_to(kind);
  consider_kinds(&nearest);
  if (nearest.best) fail_usage("there is no model \"%s\"; did you mean %s?", kind, nearest.best);
  fail_usage("there is no model \"%s\"; see vtemper describe", kind);
}

/* Everything that can be wrong is found before the data is read. */
static void check_arguments(const Arguments* arguments) {
  const char* const written[] = {argument_required(arguments, "output"), argument(arguments, "checkpoint")};
  for (int i = 0; i < 2; ++i) {
    if (written[i]) output_check(written[i], true);
  }
  if (argument(arguments, "trace")) output_check(argument(arguments, "trace"), false);
  if (argument(arguments, "checkpoint-every") && !written[1]) {
    fail_usage("--checkpoint-every needs --checkpoint FILE");
  }
  if (argument(arguments, "resume")) {
    if (argument(arguments, "model"))
      fail_usage("--resume takes the model from the checkpoint, so leave --model out");
    if (arguments->named_option_count > 0) {
      fail_usage("--resume takes the options from the checkpoint, so leave --%s out",
                 arguments->named_options[0].name);
    }
  }
}

static vtemper_model* create_model(const Arguments* arguments) {
  const char* kind = argument(arguments, "model");
  if (!kind) kind = DEFAULT_KIND;
  vtemper_options* options = options_of_subject(arguments, kind);
  vtemper_model* model;
  check(vtemper_model_create(kind, options, &model));
  vtemper_options_destroy(options);
  return model;
}

static vtemper_optimizer* create_optimizer(const Arguments* arguments, vtemper_model* model,
                                           const vtemper_data* data) {
  vtemper_options* options = options_of_subject(arguments, "optimizer");
  vtemper_optimizer* optimizer;
  check(vtemper_optimizer_create(model, data, options, &optimizer));
  double steps;
  check(vtemper_optimizer_get(optimizer, "steps_total", &steps, 1));
  if (steps > 0 && steps < FEW_STEPS && !named_option(arguments, "report_every")) {
    /* Else the curve of a short run would be a few points. */
    vtemper_optimizer_destroy(optimizer);
    check(vtemper_options_set_integer(options, "report_every",
                                      steps > CURVE_POINTS ? (int64_t)steps / CURVE_POINTS : 1));
    check(vtemper_optimizer_create(model, data, options, &optimizer));
  }
  vtemper_options_destroy(options);
  return optimizer;
}

/* The held-out rows under the model's columns, halved by the seed of the fit. */
static HeldOut read_heldout(const char* path, const Arguments* arguments, const vtemper_model* model,
                            const vtemper_optimizer* optimizer) {
  double unknown_tokens;
  vtemper_data* test =
      corpus_for_model(corpus_read(path, argument(arguments, "format"), NULL), model, &unknown_tokens);
  if (!argument(arguments, "quiet")) report_unknown_tokens(path, unknown_tokens, test);
  const char* seed;
  check(vtemper_optimizer_option(optimizer, "seed", &seed));
  const HeldOut heldout = heldout_split(test, strtoull(seed, NULL, 10));
  vtemper_data_destroy(test);
  return heldout;
}

/* The rows of the earlier sessions: from their file where there is one, or from the checkpoint. */
static void resume_trace(Trace* trace, const vtemper_optimizer* optimizer, const char* path) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  if (path) trace_read(trace, path, report.iteration);
  if (trace->count == 0) trace_from_optimizer(trace, optimizer);
}

static int run(const Arguments* arguments) {
  const char* kind = argument(arguments, "model");
  if (kind) check_kind(kind);
  check_arguments(arguments);
  const char* output = argument(arguments, "output");
  const char* resume = argument(arguments, "resume");

  vtemper_model* model = resume ? NULL : create_model(arguments); /* wrong options end here, before data is read */
  vtemper_data* data =
      corpus_read(arguments->operands[0], argument(arguments, "format"), argument(arguments, "vocabulary"));
  vtemper_optimizer* optimizer;
  if (resume) {
    check(vtemper_optimizer_load(resume, data, &optimizer));
    check(vtemper_optimizer_model(optimizer, &model));
  } else {
    optimizer = create_optimizer(arguments, model, data);
  }

  RunSettings settings = {
      .quiet = argument(arguments, "quiet") != NULL,
      .scores = SCORES,
      .trace_path = argument(arguments, "trace"),
      .checkpoint = argument(arguments, "checkpoint"),
      .checkpoint_seconds = argument_real(arguments, "checkpoint-every", 0, 1e9, usual_seconds_between_checkpoints),
  };
  check(vtemper_optimizer_option(optimizer, "method", &settings.title));
  HeldOut heldout = {NULL, NULL};
  const char* test = argument(arguments, "test");
  if (test) {
    heldout = read_heldout(test, arguments, model, optimizer);
    settings.heldout = &heldout;
  }
  Trace trace = {NULL, 0};
  if (resume) resume_trace(&trace, optimizer, settings.trace_path);

  const int status = run_to_end(optimizer, &settings, &trace);
  fit_notes_write(model, optimizer, data, &trace);
  check(vtemper_model_save(model, output));
  if (!settings.quiet) {
    const int interrupted = status == EXIT_INTERRUPTED;
    fprintf(stderr, "%s is in %s", interrupted ? "interrupted; the model so far" : "the model", output);
    if (interrupted && settings.checkpoint) fprintf(stderr, "; to go on: --resume %s", settings.checkpoint);
    fputc('\n', stderr);
    TopicFaults faults = topic_faults_find(model);
    topic_faults_print(stderr, &faults);
    topic_faults_free(&faults);
    component_faults_print(stderr, model);
  }
  trace_free(&trace);
  heldout_free(&heldout);
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return status;
}

const Command fit_command = {
    .name = "fit",
    .usage = "DATA -o MODEL [--model KIND] [--method NAME] [--topics N] [--NAME VALUE ...] [--test DATA2]",
    .sentence = "fits a model to data",
    .notes =
        "Every option of the model and of the optimizer is a --NAME VALUE; vtemper describe lda and\n"
        "vtemper describe optimizer list them. Dashes and underscores are the same.\n\n"
        "DATA is a file of counts: UCI docword, LDA-C, SVMlight, Matrix Market (each also .gz), or what\n"
        "vtemper convert writes; for models of dense rows CSV, NumPy's .npy or IDX (each also .gz).\n"
        "What will take more than a minute or 1 GB is told in advance.\n"
        "Ctrl-C ends the fit at the next step, saves model and checkpoint and exits 130; a second Ctrl-C ends at "
        "once.\n\n"
        "  vtemper fit train.ldac.gz -o model.vtemper --vocabulary words.txt --topics 100 --test test.ldac.gz",
    .least_operands = 1,
    .most_operands = 1,
    .flags = flags,
    .subjects = subjects,
    .run = run,
};
