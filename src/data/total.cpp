#include <cmath>

#include "data/data.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

double total_of(const Counts& counts, bool) {
  double total = 0;
  for (int64_t row = 0; row < counts.rows; ++row) {
    counts.visit_row(row, [&](int32_t, double count) { total += count; });
  }
  return total;
}

double total_of(const Dense& dense, bool is_file) {
  double total = 0;
  Spare spare;
  for (int64_t row = 0; row < dense.rows; ++row) {
    const DenseRow values = dense.row(row, spare);
    for (int64_t column = 0; column < dense.columns; ++column) {
      const double value = values[column];
      if (std::isinf(value)) {  // refused on input
        throw Error(is_file ? VTEMPER_ERROR_FORMAT : VTEMPER_ERROR_DATA,
                    message("row ", row, ", column ", column, " is infinite: the ",
                            is_file ? "mapped file is damaged" : "borrowed array was changed"));
      }
      if (!std::isnan(value)) total += value;
    }
  }
  return total;
}

double total_of(const Sequences& sequences, bool) {
  return static_cast<double>(sequences.entries);
}

}  // namespace

double data_total(const Data& data) {
  return std::visit([&](const auto& rows) { return total_of(rows, data.file != nullptr); }, data.observations);
}

double data_weight(const Data& data) {
  double weight = 0;
  for (int64_t row = 0; row < data.rows(); ++row) weight += data.weight(row);
  return weight;
}

}  // namespace vtemper
