#include "inference/row_temperatures.h"

#include <algorithm>

namespace vtemper {

bool RowTemperatures::restore(const ContainerReader& reader, int64_t rows) {
  std::vector<double> inverse(static_cast<size_t>(rows));
  if (reader.has_tensor(tensor)) inverse = reader.doubles(tensor);
  const auto usable = [](double s) { return s >= 0 && s <= 1; };
  if (inverse.size() != static_cast<size_t>(rows) || !std::all_of(inverse.begin(), inverse.end(), usable))
    return false;
  inverse_ = std::move(inverse);
  return true;
}

}  // namespace vtemper
