#include "evaluation/split_values.h"

#include <cmath>
#include <limits>

#include "support/random_streams.h"

namespace vtemper {

DataPair split_values(const Data& data, double share, uint64_t seed) {
  const Dense& dense = data.dense();
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const size_t size = static_cast<size_t>(dense.rows * dense.columns);
  const auto observed = std::make_shared<std::vector<double>>(size, missing);
  const auto heldout = std::make_shared<std::vector<double>>(size, missing);
  Spare spare;
  for (int64_t row = 0; row < dense.rows; ++row) {
    const DenseRow values = dense.row(row, spare);
    int64_t left = 0;
    for (int64_t column = 0; column < dense.columns; ++column) left += std::isnan(values[column]) ? 0 : 1;
    auto wanted = static_cast<uint64_t>(std::llround(share * static_cast<double>(left)));
    RandomStream random(seed, Purpose::split_counts, 0, static_cast<uint64_t>(data.first_row + row));
    for (int64_t column = 0; column < dense.columns; ++column) {
      const double value = values[column];
      if (std::isnan(value)) continue;
      const bool taken = random.below(static_cast<uint64_t>(left)) < wanted;
      --left;
      wanted -= taken ? 1 : 0;
      (taken ? *heldout : *observed)[static_cast<size_t>(row * dense.columns + column)] = value;
    }
  }
  const auto part = [&](const std::shared_ptr<std::vector<double>>& values) {
    Dense rows;
    rows.rows = dense.rows;
    rows.columns = dense.columns;
    rows.values = {values->data(), VTEMPER_DOUBLE};
    rows.row_stride = dense.columns;
    rows.column_stride = 1;
    rows.owner = values;
    auto result = std::make_shared<Data>(rows);
    result->names = data.names;
    result->weights = data.weights;
    return result;
  };
  return {part(observed), part(heldout)};
}

}  // namespace vtemper
