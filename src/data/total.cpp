#include <cmath>

#include "data/data.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

double total_of(const Counts& counts) {
  double total = 0;
  for (int64_t row = 0; row < counts.rows; ++row) {
    counts.visit_row(row, [&](int32_t, double count) { total += count; });
  }
  return total;
}

double total_of(const Dense& dense) {
  double total = 0;
  Spare spare;
  for (int64_t row = 0; row < dense.rows; ++row) {
    const DenseRow values = dense.row(row, spare);
    for (int64_t column = 0; column < dense.columns; ++column) {
      const double value = values[column];
      if (std::isinf(value)) {  // impossible for data in memory
        throw Error(VTEMPER_ERROR_FORMAT,
                    message("row ", row, ", column ", column, " is infinite: the mapped file is damaged"));
      }
      if (!std::isnan(value)) total += value;
    }
  }
  return total;
}

double total_of(const Sequences& sequences) {
  return static_cast<double>(sequences.entries);
}

}  // namespace

double data_total(const Data& data) {
  return std::visit([](const auto& rows) { return total_of(rows); }, data.observations);
}

double data_weight(const Data& data) {
  double weight = 0;
  for (int64_t row = 0; row < data.rows(); ++row) weight += data.weight(row);
  return weight;
}

}  // namespace vtemper
