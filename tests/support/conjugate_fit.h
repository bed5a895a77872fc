#pragma once
// Fits of conjugate models in tests.

#include <memory>
#include <vector>

#include "models/conjugate_model.h"

namespace vtemper::test {

/// A fit of the model that holds the statistics of another fit.
inline std::unique_ptr<ConjugateFit> fit_with(const ConjugateFit& statistics, ConjugateModel& model) {
  std::vector<double> all(static_cast<size_t>(statistics.statistics_length()));
  statistics.write_statistics(all.data());
  std::unique_ptr<ConjugateFit> fit = model.begin_fit(nullptr, 1);
  fit->read_statistics(all.data());
  return fit;
}

}  // namespace vtemper::test
