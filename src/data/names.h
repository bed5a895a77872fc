#pragma once
// Validation of column names.

#include <string>
#include <unordered_map>

#include "data/data.h"

namespace vtemper {

using ColumnOfName = std::unordered_map<std::string_view, int32_t>;

/// The column of each name; the views point into `names`. Error(status) for a name that is empty, a duplicate, not
/// valid UTF-8 or has a zero byte. `what` begins the message, such as "names".
ColumnOfName checked_names(const Names& names, vtemper_status status, const std::string& what);

}  // namespace vtemper
