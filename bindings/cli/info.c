/* vtemper info: contents of a model or data file. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "component_table.h"
#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "info_table.h"
#include "library_options.h"
#include "numbers.h"
#include "output_file.h"
#include "outside_text.h"
#include "parameter.h"
#include "plain_message.h"
#include "states.h"
#include "table_file.h"
#include "text_facts.h"
#include "topic_faults.h"

enum { NAMES_SHOWN = 8 };

static const Flag flags[] = {
    {"verify", 0, NULL, "also verifies the checksum of a mapped corpus"},
    {"format", 0, "NAME", "of the data: sequences, word_sequences, ...; most are recognised"},
    {"picture", 0, "FILE.svg", "draws the components of a mixture, as images or as profiles of the columns"},
    {"shape", 0, "ROWSxCOLUMNS", "of the images; square by default where the columns allow it"},
    {"output", 'o', "FILE", "ends with .csv, .tsv or .json: a table of section, name and value"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const Flag* const shared_flags[] = {table_flags, NULL};

typedef const char* (*NameOf)(const void* object, int64_t column);

static const char* name_in_model(const void* model, int64_t column) {
  const char* name;
  check(vtemper_model_name(model, column, &name));
  return name;
}

static const char* name_in_data(const void* data, int64_t column) {
  const char* name;
  check(vtemper_data_name(data, column, &name));
  return name;
}

static void print_names(const void* object, int64_t columns, NameOf name_of) {
  if (columns == 0 || *name_of(object, 0) == '\0') {
    printf("names     none\n");
    return;
  }
  printf("names    ");
  for (int64_t j = 0; j < columns && j < NAMES_SHOWN; ++j) {
    putchar(' ');
    print_outside_text(stdout, name_of(object, j));
  }
  printf(columns > NAMES_SHOWN ? " ...\n" : "\n");
}

static void print_number(const char* label, int64_t value, const char* unit) {
  char text[NUMBER_LENGTH];
  printf("%-9s %s%s\n", label, format_count(text, value), unit);
}

/* How the model was fitted, and unused or duplicate topics. */
static void print_fit(const vtemper_model* model) {
  FitFact facts[FIT_FACTS];
  const int count = fit_notes_facts(model, facts);
  if (count > 0) printf("\nfit\n");
  for (int i = 0; i < count; ++i) {
    printf("  %-18s ", facts[i].label);
    print_outside_text(stdout, facts[i].value);
    putchar('\n');
  }
  TopicFaults faults = topic_faults_find(model);
  if (faults.topics > 0) {
    printf("\ntopics\n");
    if (faults.unused + faults.duplicates == 0) printf("all in use, no duplicates\n");
    topic_faults_print(stdout, &faults);
  }
  topic_faults_free(&faults);
}

/* What the columns of data are. */
static const char* column_unit(vtemper_data_form form, int64_t columns) {
  if (form == VTEMPER_DENSE) return "";
  if (columns == 1) return form == VTEMPER_COUNTS ? " word" : " symbol";
  return form == VTEMPER_COUNTS ? " words" : " symbols";
}

static const char* row_unit(vtemper_data_form form, int64_t rows) {
  if (form == VTEMPER_DENSE) return "";
  if (rows == 1) return form == VTEMPER_COUNTS ? " document" : " sequence";
  return form == VTEMPER_COUNTS ? " documents" : " sequences";
}

static const char* entry_unit(vtemper_data_form form, int64_t entries) {
  const int one = entries == 1;
  if (form == VTEMPER_COUNTS) return one ? " distinct word of a document" : " distinct words of documents";
  if (form == VTEMPER_SEQUENCES) return one ? " symbol" : " symbols";
  return one ? " value" : " values";
}

static void print_model(const vtemper_model* model) {
  const char* kind = vtemper_model_kind(model);
  const int64_t columns = model_columns(model);
  printf("kind      %s model\n", kind);
  vtemper_data_form form;
  check(vtemper_model_kind_form(kind, &form));
  print_number("columns", columns, column_unit(form, columns));
  print_names(model, columns, name_in_model);
  text_facts_print_model(model);
  printf("\noptions\n");
  vtemper_option option = {.struct_size = sizeof option};
  vtemper_options* used;
  int32_t count;
  check(vtemper_option_count(kind, &count));
  check(vtemper_model_used_options(model, &used));
  int widest = 22;
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_option_info(kind, i, &option));
    if ((int)strlen(option.name) > widest) widest = (int)strlen(option.name);
  }
  for (int32_t i = 0; i < count; ++i) {
    const char* text;
    check(vtemper_option_info(kind, i, &option));
    check(vtemper_model_option(model, option.name, &text));
    const char* value = option_in_use(used, option.name);
    outside_printf(stdout, "  %-*s %.60s%s%s\n", widest, option.name, value, strlen(value) > 60 ? "..." : "",
                   strcmp(text, value) != 0 ? " (auto)" : "");
  }
  vtemper_options_destroy(used);
  printf("\nparameters\n");
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  check(vtemper_model_parameter_count(model, &count));
  widest = 20;
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &quantity));
    if ((int)strlen(quantity.name) > widest) widest = (int)strlen(quantity.name);
  }
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &quantity));
    char shape[SHAPE_LENGTH];
    printf("  %-*s %-14s %s\n", widest, quantity.name, format_shape(shape, &quantity, " x "), quantity.description);
  }
  states_print(stdout, model);
  print_fit(model);
  component_table_print(model);
}

static void print_data(const vtemper_data* data) {
  vtemper_data_form form;
  int64_t entries;
  char text[NUMBER_LENGTH];
  check(vtemper_data_form_of(data, &form));
  check(vtemper_data_entries(data, &entries));
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  const int counts = form == VTEMPER_COUNTS, sequences = form == VTEMPER_SEQUENCES;
  printf("kind      %s\n", counts      ? "counts of words in documents"
                           : sequences ? "sequences of symbols"
                                       : "dense rows");
  print_number("rows", rows, row_unit(form, rows));
  print_number("columns", columns, column_unit(form, columns));
  print_number("entries", entries, entry_unit(form, entries));
  if (form == VTEMPER_COUNTS) {
    const double total = corpus_total(data);
    if (total == floor(total) && total < 1e15) {
      print_number("tokens", (int64_t)total, "");
    } else {
      printf("tokens    %s\n", format_real(text, total));
    }
    if (rows > 0) printf("length    %.1f tokens per document on average\n", total / (double)rows);
  }
  print_names(data, columns, name_in_data);
  text_facts_print_data(data);
}

/* Models, checkpoints and mapped corpora begin with the header length and a brace. They are regular files; what is
 * read from a pipe to find that out would be missing later. */
static int has_container_layout(const char* path) {
  struct stat status;
  require_path(path);
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return 0;
  FILE* stream = fopen(path, "rb");
  if (!stream) fail("%s cannot be opened: %s", path, strerror(errno));
  char start[9];
  errno = 0;
  const int found = fread(start, 1, sizeof start, stream) == sizeof start && start[8] == '{';
  if (ferror(stream)) fail("%s cannot be read: %s", path, strerror(errno));
  fclose(stream);
  return found;
}

static int run(const Arguments* arguments) {
  const char *path = arguments->operands[0], *picture = argument(arguments, "picture");
  const char* output = argument(arguments, "output");
  TableFormat format = table_format(arguments, output);
  if (format == TABLE_NONE && output) {
    fail_usage("the name of the output must end with .csv, .tsv or .json, not \"%s\"", output);
  }
  if (format == TABLE_NONE && argument(arguments, "header")) format = TABLE_CSV;
  if (output) output_check(output, false);
  if (picture) output_check(picture, false);
  if (argument(arguments, "shape") && !picture) fail_usage("--shape needs --picture FILE.svg");
  vtemper_model* model = NULL;
  vtemper_data* data = NULL;
  const int container = has_container_layout(path);
  if (!container && argument(arguments, "verify")) {
    fail("%s has no checksum; --verify is for files that vtemper convert writes", path);
  }
  if (container && vtemper_model_load(path, &model) == VTEMPER_OK) {
    const char* of_data = argument(arguments, "verify") ? "verify" : argument(arguments, "format") ? "format" : NULL;
    if (of_data) fail("%s is a model; --%s is for data", path, of_data);
    if (picture)
      component_picture(model, picture, argument(arguments, "shape")); /* validates before anything is printed */
    if (format == TABLE_NONE) {
      print_model(model);
    } else {
      info_table_model(model, format, output);
    }
    vtemper_model_destroy(model);
    return EXIT_DONE;
  }
  char* as_model = text_of("%s", vtemper_last_error());
  const vtemper_status status = vtemper_data_read(path, argument(arguments, "format"), &data);
  /* A damaged file is reported as damaged, whatever its kind. */
  const bool of_another_kind = strstr(as_model, "its format is \"vtemper.corpus\"") != NULL;
  if (status == VTEMPER_ERROR_FORMAT && container && !of_another_kind) fail("%s", plain_message(as_model));
  free(as_model);
  check(status);
  if (argument(arguments, "verify")) check(vtemper_data_verify(data));
  if (picture) fail("%s is data; --picture draws the components of a model", path);
  if (format == TABLE_NONE) {
    print_data(data);
  } else {
    info_table_data(data, format, output);
  }
  vtemper_data_destroy(data);
  return EXIT_DONE;
}

const Command info_command = {
    .name = "info",
    .usage = "MODEL|DATA [--verify] [--picture FILE.svg [--shape ROWSxCOLUMNS]] [--as FORMAT]",
    .description = "shows what is in a model or data file",
    .notes = "",
    .min_operands = 1,
    .max_operands = 1,
    .flags = flags,
    .shared_flags = shared_flags,
    .run = run,
};
