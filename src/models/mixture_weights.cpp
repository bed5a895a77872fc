#include "models/mixture_weights.h"

#include <algorithm>

#include "kernels/dispatch.h"

namespace vtemper {

MixtureWeights::MixtureWeights(const std::vector<double>& prior_of_weights)
    : prior(prior_of_weights.size()), concentration(prior.size()), expected_logs(prior.size()) {
  std::copy(prior_of_weights.begin(), prior_of_weights.end(), prior.begin());
}

void MixtureWeights::refresh() {
  total = kernels::instruction_set().double_precision.sum(concentration.data(),
                                                          static_cast<int64_t>(concentration.size()));
  take_logs(false, expected_logs);
}

void MixtureWeights::take_logs(bool of_means, Array<double>& out) const {
  const auto& table = kernels::instruction_set().double_precision;
  const auto logarithm = of_means ? table.logarithm : table.digamma;
  double of_total = 0;
  logarithm(&total, &of_total, 1);
  out.resize(concentration.size());
  logarithm(concentration.data(), out.data(), static_cast<int64_t>(out.size()));
  for (double& log : out) log -= of_total;
}

}  // namespace vtemper
