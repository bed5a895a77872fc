#include "data/names.h"

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

ColumnOfName checked_names(const Names& names, vtemper_status status, const std::string& what) {
  ColumnOfName columns;
  columns.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const auto column = static_cast<int64_t>(i);
    if (name.empty()) throw Error(status, message(what, "[", column, "] is empty"));
    if (!is_valid_utf8(name)) throw Error(status, message(what, "[", column, "] is not valid UTF-8"));
    if (name.find('\0') != name.npos) throw Error(status, message(what, "[", column, "] has a zero byte"));
    const auto [earlier, is_new] = columns.emplace(name, static_cast<int32_t>(i));
    if (!is_new) {
      throw Error(status, message(what, "[", column, "] is '", name, "', which ", what, "[",
                                  static_cast<int64_t>(earlier->second), "] is already"));
    }
  }
  return columns;
}

void check_name_count(const Data& data, int64_t count) {
  if (count == data.columns()) return;
  throw Error(VTEMPER_ERROR_ARGUMENT, message(there_are(count, "name"), " for ", counted(data.columns(), "column")));
}

void data_set_names(Data& data, Names names) {
  check_name_count(data, static_cast<int64_t>(names.size()));
  checked_names(names, VTEMPER_ERROR_DATA, "names");
  data.names = std::make_shared<const Names>(std::move(names));
}

}  // namespace vtemper
