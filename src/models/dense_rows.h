#pragma once
// Rows of dense data as arrays of float or double.

#include <cmath>

#include "data/data.h"
#include "support/interruption.h"
#include "support/prefetch.h"

namespace vtemper {

/// Reads the row's values [columns] into `out`.
template <class Real>
void read_dense_row(const Dense& dense, int64_t row, Real* out) {
  Spare spare;
  with_numbers(dense.values, [&](const auto* values) {
    const auto* from = dense.typed_row(values, row, spare);
    if (dense.column_stride == 1) {
      for (int64_t j = 0; j < dense.columns; ++j) out[j] = static_cast<Real>(from[j]);
    } else {
      for (int64_t j = 0; j < dense.columns; ++j) out[j] = static_cast<Real>(from[j * dense.column_stride]);
    }
  });
}

/// Prefetches the values of a row.
inline void prefetch_dense_row(const Dense& dense, int64_t row) {
  with_numbers(dense.values, [&](const auto* values) {
    const int64_t bytes = dense.columns * static_cast<int64_t>(sizeof *values);
    if (dense.column_stride == 1) prefetch(values + row * dense.row_stride, bytes);
  });
}

/// Calls visit(row, weight, column, value) for all observed values of rows with a weight.
template <class Visit>
void for_each_value(const Data& data, const Visit& visit) {
  const Dense& dense = data.dense();
  Spare spare;
  for (int64_t row = 0; row < data.rows(); ++row) {
    require_not_interrupted();
    const double weight = data.weight(row);
    if (weight == 0) continue;
    const DenseRow values = dense.row(row, spare);
    for (int64_t column = 0; column < data.columns(); ++column) {
      const double value = values[column];
      if (!std::isnan(value)) visit(row, weight, static_cast<size_t>(column), value);
    }
  }
}

/// Share of the row's values that are observed.
inline double observed_share(const Dense& dense, int64_t row) {
  Spare spare;
  const DenseRow values = dense.row(row, spare);
  double observed = 0;
  for (int64_t j = 0; j < dense.columns; ++j) observed += std::isnan(values[j]) ? 0 : 1;
  return observed / static_cast<double>(dense.columns);
}

/// Error(DATA) for data without rows or columns.
inline void require_not_empty(const Data& data) {
  if (data.columns() < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no columns, so there is nothing to model");
  if (data.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no rows, so there is nothing to learn from");
}

/// Maximum total weight of rows that can be counted.
constexpr double largest_weight = 1e150;

/// Weight of all rows. Error(DATA) for data without rows or columns, and if the weights add up to 0 or to more than
/// can be counted.
inline double weight_to_fit(const Data& data) {
  require_not_empty(data);
  const double weight = data_weight(data);
  if (weight > 0 && weight <= largest_weight) return weight;
  if (weight > largest_weight) {
    throw Error(VTEMPER_ERROR_DATA,
                message("the weights of the rows add up to ", weight, "; the maximum is ", largest_weight));
  }
  throw Error(VTEMPER_ERROR_DATA, "all rows have the weight 0, so there is nothing to fit");
}

/// What can be done about a value outside [0, 1].
inline const char* cure_of_share(double value) {
  return value > 1 ? "; divide shades of grey by the largest, give answers 1 and 2 as 0 and 1" : "";
}

/// Error(DATA): a value that is missing or outside [0, 1]. `instead` continues the message with an alternative that
/// accepts it.
[[noreturn]] inline void refuse_share(double value, int64_t row, int64_t column, const char* kind,
                                      const char* instead = "") {
  const std::string is = std::isnan(value) ? "missing (NaN)" : message(value);
  throw Error(VTEMPER_ERROR_DATA,
              message("row ", row, ", column ", column, " is ", is, "; ", kind, " accepts 0, 1 and numbers between",
                      std::isnan(value) ? "" : instead, cure_of_share(value)));
}

/// Error(DATA) for the first value of a row that is missing or outside [0, 1].
template <class Real>
void require_shares(const Real* x, int64_t row, int64_t columns, const char* kind, const char* instead = "") {
  // Branch-free, so the compiler can vectorise it.
  int beyond = 0;
  for (int64_t j = 0; j < columns; ++j) beyond |= static_cast<int>(!(x[j] >= 0)) | static_cast<int>(!(x[j] <= 1));
  for (int64_t j = 0; beyond != 0 && j < columns; ++j) {
    if (x[j] >= 0 && x[j] <= 1) continue;
    refuse_share(static_cast<double>(x[j]), row, j, kind, instead);
  }
}

/// Error(UNSUPPORTED) for data of another form, Error(DATA) for the first value that is neither missing nor in [0,
/// 1].
inline void require_shares_or_missing(const Data& data, const char* kind) {
  const Dense& dense =
      require_form<Dense>(data, kind, " models dense rows of zeros and ones; the data are ", data.form_name());
  Spare spare;
  with_numbers(dense.values, [&](const auto* values) {
    for (int64_t row = 0; row < dense.rows; ++row) {
      const auto* of_row = dense.typed_row(values, row, spare);
      for (int64_t column = 0; column < dense.columns; ++column) {
        const auto value = of_row[column * dense.column_stride];
        if (!(value < 0 || value > 1)) continue;
        throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column, " is ", static_cast<double>(value),
                                                "; ", kind, " accepts 0, 1, numbers between and missing values",
                                                cure_of_share(static_cast<double>(value))));
      }
    }
  });
}

/// Error(DATA) for the first value of a row that is missing or not finite.
template <class Real>
void require_finite(const Real* x, int64_t row, int64_t columns, const char* kind) {
  for (int64_t j = 0; j < columns; ++j) {
    if (std::isfinite(x[j])) continue;
    throw Error(VTEMPER_ERROR_DATA,
                message("row ", row, ", column ", j, " is ", x[j], "; ", kind, " accepts finite numbers only"));
  }
}

}  // namespace vtemper
