#include "data/data_builder.h"

#include <algorithm>

#include "data/names.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void DataBuilder::set_names(Names names, const std::string& source) {
  try {
    checked_names(names, VTEMPER_ERROR_DATA, "names");
  } catch (const Error& error) {
    const bool is_text =
        std::all_of(names.begin(), names.end(), [](const auto& name) { return is_valid_utf8(name); });
    throw Error(error.status(), message(source, ": the columns are named by the first line: ", error.what(),
                                        is_text ? "" : "; convert the file to UTF-8, for instance by iconv"));
  }
  names_ = std::move(names);
}

DataPointer DataBuilder::finish() {
  const auto finished = [&](auto& rows) -> DataPointer {
    using Rows = std::decay_t<decltype(rows)>;
    if constexpr (std::is_same_v<Rows, DataPointer>) {
      return std::move(rows);
    } else if constexpr (std::is_same_v<Rows, CountsBuilder> || std::is_same_v<Rows, SequencesBuilder>) {
      return std::make_shared<Data>(rows.finish(columns_));
    } else {
      return std::make_shared<Data>(rows.finish(row_count_));
    }
  };
  DataPointer data = std::visit(finished, rows_);
  if (!names_.empty()) data->names = std::make_shared<const Names>(std::move(names_));
  if (row_names_) data->row_texts[row_names_->field()] = row_names_->finish();
  for (auto& [name, text] : notes_) data->notes[name] = std::move(text);
  return data;
}

}  // namespace vtemper
