#include "info_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "corpus.h"
#include "failure.h"
#include "fit_notes.h"
#include "library_options.h"
#include "numbers.h"
#include "parameter.h"

static TableFile open_table(TableFormat format, const char* path) {
  TableFile table = table_start(format);
  table_column(&table, "section");
  table_column(&table, "name");
  table_column(&table, "value");
  table_open(&table, path);
  return table;
}

static void add(TableFile* table, const char* section, const char* name, const char* value) {
  table_text(table, section);
  table_text(table, name);
  table_text(table, value);
}

static void add_count(TableFile* table, const char* section, const char* name, int64_t value) {
  char text[NUMBER_LENGTH];
  snprintf(text, sizeof text, "%" PRId64, value);
  add(table, section, name, text);
}

void info_table_model(const vtemper_model* model, TableFormat format, const char* path) {
  const char* kind = vtemper_model_kind(model);
  TableFile table = open_table(format, path);
  add(&table, "model", "kind", kind);
  add_count(&table, "model", "columns", model_columns(model));
  vtemper_option option = {.struct_size = sizeof option};
  vtemper_options* used;
  int32_t count;
  check(vtemper_option_count(kind, &count));
  check(vtemper_model_used_options(model, &used));
  for (int32_t i = 0; i < count; ++i) {
    const char* text;
    check(vtemper_option_info(kind, i, &option));
    check(vtemper_model_option(model, option.name, &text));
    add(&table, "option", option.name, text);
    if (strcmp(text, "auto") == 0) add(&table, "used_option", option.name, option_in_use(used, option.name));
  }
  vtemper_options_destroy(used);
  vtemper_quantity quantity = {.struct_size = sizeof quantity};
  check(vtemper_model_parameter_count(model, &count));
  for (int32_t i = 0; i < count; ++i) {
    check(vtemper_model_parameter_info(model, i, &quantity));
    char shape[SHAPE_LENGTH];
    add(&table, "parameter", quantity.name, format_shape(shape, &quantity, "x"));
  }
  FitFact facts[FIT_FACTS];
  const int known = fit_notes_facts(model, facts);
  for (int i = 0; i < known; ++i) add(&table, "fit", facts[i].label, facts[i].value);
  table_close(&table);
}

void info_table_data(const vtemper_data* data, TableFormat format, const char* path) {
  vtemper_data_form form;
  int64_t entries;
  char total[NUMBER_LENGTH];
  check(vtemper_data_form_of(data, &form));
  check(vtemper_data_entries(data, &entries));
  TableFile table = open_table(format, path);
  add(&table, "data", "kind", form == VTEMPER_COUNTS ? "counts" : form == VTEMPER_SEQUENCES ? "sequences" : "dense");
  add_count(&table, "data", "rows", corpus_rows(data));
  add_count(&table, "data", "columns", corpus_columns(data));
  add_count(&table, "data", "entries", entries);
  if (form == VTEMPER_COUNTS) add(&table, "data", "tokens", format_real(total, corpus_total(data)));
  table_close(&table);
}
