#include "data/data.h"

namespace vtemper {

double data_total(const Data& data) {
  data.require_whole();
  double total = 0;
  if (data.counts) {
    for (int64_t row = 0; row < data.rows(); ++row) {
      data.counts->visit_row(row, [&](int32_t, double count) { total += count; });
    }
    return total;
  }
  if (data.sequences) return static_cast<double>(data.sequences->entries);
  for (int64_t row = 0; row < data.rows(); ++row) {
    for (int64_t column = 0; column < data.columns(); ++column) {
      const double value = data.dense->at(row, column);
      if (!std::isnan(value)) total += value;
    }
  }
  return total;
}

double data_weight(const Data& data) {
  double weight = 0;
  for (int64_t row = 0; row < data.rows(); ++row) weight += data.weight(row);
  return weight;
}

}  // namespace vtemper
