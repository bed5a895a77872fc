/* vtemper fit: fits a model to data. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "component_table.h"
#include "continued_model.h"
#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "fit_setup.h"
#include "library_file.h"
#include "library_options.h"
#include "model_data.h"
#include "oddities.h"
#include "output_file.h"
#include "outside_text.h"
#include "ranks.h"
#include "run.h"
#include "text_corpus.h"
#include "text_options.h"
#include "topic_faults.h"

enum { SCORES = 20 };
static const double default_seconds_between_checkpoints = 300;

static const Flag flags[] = {
    {"output", 'o', "MODEL", "the fitted model (required)"},
    {"model", 0, "KIND", "what to fit: a kind of vtemper describe; default lda"},
    {"test", 0, "DATA2", "held-out data, scored about 20 times during the fit and at the end"},
    {"trace", 0, "FILE.csv", "the course of the fit, one row per report"},
    {"format", 0, "NAME", "of the data: sequences, word_sequences, ...; most are recognised"},
    {"transpose", 0, NULL, "exchanges rows and columns of the data, such as genes x cells, words x documents"},
    {"vocabulary", 0, "FILE", "names of the columns, one per line; also .gz"},
    {"checkpoint", 0, "FILE", "file for --resume; written during the fit and at the end"},
    {"checkpoint-every", 0, "SECONDS", "time between checkpoints; default 300"},
    {"resume", 0, "FILE", "continues from a checkpoint, with its model and its options"},
    {"more-passes", 0, "N", "with --resume: number of passes beyond the end of the run"},
    {"continue", 0, "MODEL", "continues from a saved model at T = 1, with more passes or more data"},
    {"quiet", 'q', NULL, "no progress and no messages"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {text_place_flags, text_word_flags, text_vocabulary_flags, NULL};
static const char* const subjects[] = {"model", "optimizer", NULL};

/* A saved model brings its kind and options. */
static void check_continue(const Arguments* arguments) {
  if (argument(arguments, "resume"))
    fail_usage("--continue continues from a model, --resume from a checkpoint; give only one");
  if (argument(arguments, "model")) fail_usage("--continue uses the model as it is, so leave --model out");
  const char* of_words = argument_of_table(arguments, text_word_flags);
  if (of_words) fail_usage("--continue makes words by the model's recipe, so leave --%s out", of_words);
  vtemper_option info = {.struct_size = sizeof info};
  for (int i = 0; i < arguments->named_option_count; ++i) {
    const char* name = arguments->named_options[i].name;
    if (!find_option("optimizer", name, &info)) {
      fail_usage("--continue uses the model as it is, so leave --%s out", name);
    }
  }
}

/* With several ranks, only the first one writes, so only it needs the folders. */
static void check_outputs(const Arguments* arguments) {
  if (!is_first_rank()) return;
  const char* const output = argument(arguments, "output");
  const char* const checkpoint = argument(arguments, "checkpoint");
  if (argument(arguments, "continue"))
    output_check(output, true); /* may be the model to continue, which has been read by then */
  output_input(argument(arguments, "continue"));
  if (checkpoint) output_check(checkpoint, true); /* may be the file of --resume, which has been read by then */
  output_input(argument(arguments, "resume"));
  if (!argument(arguments, "continue")) output_check(output, true);
  if (argument(arguments, "trace")) output_check(argument(arguments, "trace"), false);
}

/* Errors in the arguments are reported before the data are read. */
static void check_arguments(const Arguments* arguments) {
  text_options_check(arguments);
  if (rank_count() > 1 && argument(arguments, "text")) {
    fail_usage("raw text is not divided over ranks: convert it by vtemper convert --text, and fit the corpus");
  }
  argument_required(arguments, "output");
  check_outputs(arguments);
  if (argument(arguments, "checkpoint-every") && !argument(arguments, "checkpoint")) {
    fail_usage("--checkpoint-every needs --checkpoint FILE");
  }
  if (argument(arguments, "more-passes") && !argument(arguments, "resume"))
    fail_usage("--more-passes needs --resume FILE");
  if (argument(arguments, "continue")) check_continue(arguments);
  if (argument(arguments, "resume")) {
    if (argument(arguments, "model"))
      fail_usage("--resume takes the model from the checkpoint, so leave --model out");
    if (arguments->named_option_count > 0) {
      const char* name = arguments->named_options[0].name;
      const bool is_length = strcmp(name, "max_passes") == 0 || strcmp(name, "max_iterations") == 0;
      fail_usage("--resume takes the options from the checkpoint, so leave --%s out%s", name,
                 is_length ? "; --more-passes N extends the run" : "");
    }
  }
}

/* The held-out rows under the model's columns; with several ranks, this rank's part of them. */
static HeldOut read_heldout(const char* path, const Arguments* arguments, const vtemper_model* model) {
  if (rank_count() > 1) return heldout_split(model_data_divide(arguments, path, model));
  return heldout_split(model_data_read(arguments, path, model, arguments->operands[0], false));
}

/* The rows of earlier sessions: from their file if there is one, otherwise from the checkpoint. */
static void resume_trace(Trace* trace, const vtemper_optimizer* optimizer, const char* path) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  if (path) trace_read(trace, path, report.iteration);
  if (trace->count == 0) trace_from_optimizer(trace, optimizer);
  /* The last row of an interrupted session would not exist in an uninterrupted run. */
  if (report.finished) return;
  const int64_t report_every = integer_in_use(optimizer, "report_every");
  int64_t kept = 0;
  for (int64_t i = 0; i < trace->count; ++i) {
    if (trace->rows[i].iteration % report_every == 0) trace->rows[kept++] = trace->rows[i];
  }
  trace->count = kept;
}

/* A run that has ended takes no further steps by itself. */
static void tell_ended(const vtemper_optimizer* optimizer, const RunSettings* settings, const char* path) {
  vtemper_report report = {.struct_size = sizeof report};
  check(vtemper_optimizer_report(optimizer, &report));
  if (!report.finished || settings->more_passes > 0 || settings->quiet) return;
  outside_printf(stderr, "the run of %s has ended; --more-passes N extends it\n", path);
}

/* The scores of several starts. */
static void print_restarts(const vtemper_model* model) {
  const char* scores;
  check(vtemper_model_note(model, "fit.restarts", &scores));
  if (*scores) outside_printf(stderr, "restarts: %s\n", scores);
}

/* What the arguments alone say about the run. */
static RunSettings settings_of(const Arguments* arguments) {
  return (RunSettings){
      .quiet = argument(arguments, "quiet") != NULL,
      .scores = SCORES,
      .trace_path = argument(arguments, "trace"),
      .checkpoint = argument(arguments, "checkpoint"),
      .checkpoint_seconds = argument_real(arguments, "checkpoint-every", 0, 1e9, default_seconds_between_checkpoints),
      .more_passes = argument_real(arguments, "more-passes", 1e-6, 1e9, 0),
  };
}

/* With several ranks, the first one writes the files; all of them fit and score. If the topics are divided over the
 * ranks, all take part in writing them. */
static void leave_to_first_rank(RunSettings* settings) {
  if (is_first_rank()) return;
  settings->trace_path = NULL;
  if (!settings->divided) settings->checkpoint = NULL;
}

/* Whether each of several ranks holds only a share of the model. */
static bool is_divided(const vtemper_optimizer* optimizer) {
  vtemper_options* used;
  check(vtemper_optimizer_used_options(optimizer, &used));
  const bool divided = rank_count() > 1 && strcmp(option_in_use(used, "exchange"), "sharded") == 0;
  vtemper_options_destroy(used);
  return divided;
}

static void print_faults(const vtemper_model* model) {
  TopicFaults faults = topic_faults_find(model);
  topic_faults_print(stderr, &faults);
  topic_faults_free(&faults);
  component_faults_print(stderr, model);
}

static int run(const Arguments* arguments) {
  check_arguments(arguments);
  RunSettings settings = settings_of(arguments);
  const char* output = argument(arguments, "output");
  const char* resume = argument(arguments, "resume");

  const bool continues = argument(arguments, "continue") != NULL;
  vtemper_model* model = NULL;
  vtemper_data* data = NULL;
  if (continues) {
    model = model_to_continue(arguments, &data);
  } else {
    if (!resume) model = model_to_fit(arguments); /* wrong options end here, before data is read */
    if (resume) data_needed_by_checkpoint(arguments);
    data = data_to_fit(arguments);
  }
  vtemper_optimizer* optimizer;
  if (resume) {
    check(vtemper_optimizer_load(resume, data, &optimizer));
    check(vtemper_optimizer_model(optimizer, &model));
    refuse_lost_vocabulary(arguments, model, resume);
  } else {
    optimizer = optimizer_to_fit(arguments, model, data);
  }
  text_recipe_keep(model, data);

  settings.divided = is_divided(optimizer);
  leave_to_first_rank(&settings);
  char* method = method_in_use(optimizer);
  settings.title = method;
  HeldOut heldout = {NULL, NULL};
  const char* test = argument(arguments, "test");
  if (test) {
    heldout = read_heldout(test, arguments, model);
    settings.heldout = &heldout;
  }
  Trace trace = {NULL, 0};
  if (resume) resume_trace(&trace, optimizer, settings.trace_path);

  if (resume) tell_ended(optimizer, &settings, resume);
  if (!settings.quiet) {
    report_oddities(arguments->operands[0], data);
    if (strcmp(vtemper_model_kind(model), "gaussian_mixture") == 0) {
      report_crowded_columns(arguments->operands[0], data);
    }
  }

  const int status = run_to_end(optimizer, &settings, &trace);
  if (continues) fit_notes_before(model);
  fit_notes_write(model, optimizer, data, &trace);
  if (is_first_rank() || settings.divided) save_model_file(model, output);
  if (!settings.quiet) {
    const int interrupted = status == EXIT_INTERRUPTED;
    outside_printf(stderr, "%s is in %s", interrupted ? "interrupted; the model so far" : "the model", output);
    if (interrupted && settings.checkpoint) outside_printf(stderr, "; to continue: --resume %s", settings.checkpoint);
    fputc('\n', stderr);
    print_restarts(model);
    if (!settings.divided) print_faults(model);
  }
  if (status == EXIT_FAILED) tell_run_failure();
  trace_free(&trace);
  free(method);
  heldout_free(&heldout);
  vtemper_model_destroy(model);
  vtemper_optimizer_destroy(optimizer);
  vtemper_data_destroy(data);
  return status;
}

const Command fit_command = {
    .name = "fit",
    .usage =
        "DATA -o MODEL [--model KIND] [--method NAME] [--topics N] [--time SECONDS] [--NAME VALUE ...] [--test "
        "DATA2]",
    .description = "fits a model to data",
    .notes =
        "Every option of the model and of the optimizer is a --NAME VALUE; vtemper describe lda and\n"
        "vtemper describe optimizer list them. Dashes and underscores are the same.\n\n"
        "--time 60 plans the fit, by the speed of the machine, so that after 60 seconds it is at temperature 1 and\n"
        "has settled; the progress shows the plan: passes, temperature, time left. --deadline only ends a fit, at\n"
        "whatever temperature. Fits that end above temperature 1 or have not converged say so, and so does vtemper "
        "info.\n\n"
        "--test scores as vtemper evaluate does, networks with 100 samples of each row.\n\n"
        "DATA is a file of counts: UCI docword, LDA-C, SVMlight, Matrix Market (each also .gz), or what\n"
        "vtemper convert writes; for models of dense rows CSV, NumPy's .npy or IDX (each also .gz).\n"
        "With --text, DATA (and DATA2) is raw text, as for vtemper convert.\n"
        "--continue MODEL continues from a saved model with DATA: its rows, further ones, or both; new words get\n"
        "columns of their own. For topics, every row that the model was fitted to and every row of DATA then count\n"
        "the same (method svi, 1 pass by default); the other kinds are fitted to DATA alone from there (method vi).\n"
        "With --text, DATA is read by the model's recipe.\n"
        "A fit that will need a minute or more, or 1 GB of memory or more, says so at its beginning.\n"
        "Ctrl-C ends the fit at the next step, saves model and checkpoint and exits 130; a second Ctrl-C ends at "
        "once.\n\n"
        "  vtemper fit train.ldac.gz -o model.vtemper --vocabulary words.txt --topics 100 --test test.ldac.gz",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .subjects = subjects,
    .divides = true,
    .run = run,
};
