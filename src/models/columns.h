#pragma once
// Checks that data for an initialised model have the model's columns.

#include "models/model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// Error(DATA) for data with another number of columns, or other column names.
inline void require_columns(const Data& data, int64_t columns, const std::shared_ptr<const Names>& names) {
  if (data.columns() != columns) {
    throw Error(VTEMPER_ERROR_DATA,
                message("the data have ", counted(data.columns(), "column"), ", the model ", columns));
  }
  if (data.is<Dense>()) return check_names(names, data.names, "order the columns of the data as in the model");
  check_names(names, data.names);
}

}  // namespace vtemper
