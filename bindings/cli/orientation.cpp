#include "orientation.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>

#include "corpus.h"
#include "data_lists.h"
#include "failure.h"
#include "outside_text.h"
#include "ranks.h"
#include "row_labels.h"

namespace {

std::unordered_set<std::string_view> names_of_model(const vtemper_model* model) {
  std::unordered_set<std::string_view> names;
  for (int64_t column = 0; column < model_columns(model); ++column) {
    const char* name;
    check(vtemper_model_name(model, column, &name));
    if (*name != '\0') names.insert(name);
  }
  return names;
}

bool any_is_among(const char** texts, int64_t count, const std::unordered_set<std::string_view>& names) {
  bool found = false;
  for (int64_t i = 0; !found && i < count; ++i) found = names.count(texts[i]) > 0;
  free(texts);
  return found;
}

/// Whether rows of the data bear names of the model's columns, and no column does.
bool names_are_of_rows(const vtemper_data* data, const vtemper_model* model) {
  if (!row_labels(data).has_names || !data_has_names(data)) return false;
  const auto names = names_of_model(model);
  return !any_is_among(column_names(data), corpus_columns(data), names) &&
         any_is_among(row_texts(data, "name"), corpus_rows(data), names);
}

std::string counted(int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string sizes_of_file(const vtemper_data* data, const char* path, bool turned) {
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data);
  return std::string(path) + " has " + counted(turned ? columns : rows, "row") + " and " +
         counted(turned ? rows : columns, "column");
}

const char* advice_for(const Arguments* arguments, const char* path, bool turned) {
  const char* const test = argument(arguments, "test");
  if (test != nullptr && std::strcmp(test, path) == 0) {
    return "convert it by vtemper convert --transpose, since the option holds for both files";
  }
  return turned ? "leave --transpose out" : "give --transpose";
}

}  // namespace

void require_orientation(const Arguments* arguments, const vtemper_data* data, const char* path,
                         const vtemper_model* model, bool may_grow) {
  vtemper_data_form form;
  check(vtemper_data_form_of(data, &form));
  if (form == VTEMPER_SEQUENCES || rank_count() > 1) return;
  require_same_numbering(data, model);  // which may be why the sizes differ
  const bool turned = argument(arguments, "transpose") != nullptr;
  const char* const advice = advice_for(arguments, path, turned);
  if (names_are_of_rows(data, model)) {
    fail("%s: the columns of the model are among its %s, not among its %s: %s", path, turned ? "columns" : "rows",
         turned ? "rows" : "columns", advice);
  }
  const int64_t rows = corpus_rows(data), columns = corpus_columns(data), wanted = model_columns(model);
  if (rows != wanted || columns == wanted) return;
  const bool named = data_has_names(data) && !names_of_model(model).empty();
  if (form == VTEMPER_DENSE || (columns > wanted && !named && !may_grow)) {
    fail("%s, the model %s: %s", sizes_of_file(data, path, turned).c_str(), counted(wanted, "column").c_str(),
         advice);
  }
  if (named || argument(arguments, "quiet") != nullptr) return;  // words are compared by their names
  outside_printf(stderr, "%s, the model %s: if these are its %s, %s\n", sizes_of_file(data, path, turned).c_str(),
                 counted(wanted, "column").c_str(), turned ? "columns" : "rows", advice);
}
