#include "text_facts.h"

#include <cstdio>
#include <string>

#include "failure.h"
#include "outside_text.h"
#include "text_recipe.h"

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
    check(vtemper_data_row_text(data, field, 0, &first));
    check(vtemper_data_row_text(data, field, rows - 1, &last));
    outside_printf(stdout, "%-9s of each row, from \"%.60s\" to \"%.60s\"\n", field, first, last);
  }
}

void text_facts_print_model(const vtemper_model* model) {
  const char* note;
  check(vtemper_model_note(model, recipe_note, &note));
  print_recipe(note, "the model");
}
