#include "text_facts.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <tuple>

#include "failure.h"
#include "outside_text.h"
#include "text_recipe.h"
#include "topic_statistics.h"

namespace {

void print_recipe(const char* note, const char* owner) {
  if (*note == '\0') return;
  const TextRecipe recipe = recipe_parse(note, owner);
  size_t pairs = 0;
  for (const PhraseRound& round : recipe.phrases) pairs += round.size();
  const std::string phrases = pairs > 0 ? ", " + std::to_string(pairs) + " pairs joined to phrases" : "";
  outside_printf(stdout, "recipe    language %s, %zu stop words%s%s\n",
                 recipe.language.empty() ? "none" : recipe.language.c_str(), recipe.stop_words.size(),
                 recipe.stems ? ", stems" : "", phrases.c_str());
}

bool is_earlier(const Date& a, const Date& b) {
  return std::tie(a.year, a.month, a.day) < std::tie(b.year, b.month, b.day);
}

/// The earliest and the latest date, wherever they stand. False if no text is a date.
bool print_dates(const vtemper_data* data, int64_t rows) {
  std::string first_text, last_text;
  Date first{}, last{};
  int64_t dated = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const char* text;
    Date date;
    check(vtemper_data_row_text(data, "date", row, &text));
    if (!parse_date(text, date)) continue;
    if (dated == 0 || is_earlier(date, first)) {
      first = date;
      first_text = text;
    }
    if (dated == 0 || is_earlier(last, date)) {
      last = date;
      last_text = text;
    }
    ++dated;
  }
  if (dated == 0) return false;
  const std::string without =
      rows > dated ? ", no date in " + std::to_string(rows - dated) + (rows - dated > 1 ? " rows" : " row") : "";
  outside_printf(stdout, "%-9s of each row, from \"%.60s\" to \"%.60s\"%s\n", "date", first_text.c_str(),
                 last_text.c_str(), without.c_str());
  return true;
}

}  // namespace

void text_facts_print_data(const vtemper_data* data) {
  const char* note;
  check(vtemper_data_note(data, recipe_note, &note));
  print_recipe(note, "the data");
  int32_t fields;
  int64_t rows;
  check(vtemper_data_row_field_count(data, &fields));
  check(vtemper_data_rows(data, &rows));
  for (int32_t i = 0; i < fields && rows > 0; ++i) {
    const char *field, *first, *last;
    check(vtemper_data_row_field_name(data, i, &field));
    if (std::strcmp(field, "date") == 0 && print_dates(data, rows)) continue;
    check(vtemper_data_row_text(data, field, 0, &first));
    check(vtemper_data_row_text(data, field, rows - 1, &last));
    outside_printf(stdout, "%-9s of each row, the first \"%.60s\", the last \"%.60s\"\n", field, first, last);
  }
}

void text_facts_print_model(const vtemper_model* model) {
  const char* note;
  check(vtemper_model_note(model, recipe_note, &note));
  print_recipe(note, "the model");
}
