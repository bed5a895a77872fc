#include "models/lda/document_in_log_space.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "support/interruption.h"

namespace vtemper {

void DocumentInLogSpace::solve(int64_t iterations, double tolerance) {
  const auto& table = kernels::instruction_set().double_precision;
  const size_t k_count = static_cast<size_t>(topics);
  responsibility.assign(static_cast<size_t>(words) * k_count, 0.0);
  std::vector<double> log_theta(k_count);
  std::vector<double> next(k_count);

  // phi of the current gamma; fills `next` with alpha + s sum_w n_w phi_w.
  const auto assign_words = [&] {
    double total = 0;
    for (const double value : gamma) total += value;
    table.digamma(gamma.data(), log_theta.data(), topics);
    table.digamma(&total, &total, 1);
    for (double& value : log_theta) value -= total;
    next = alpha;
    expected_log_likelihood = 0;
    bound_of_words = 0;
    for (int64_t w = 0; w < words; ++w) {
      const double* expectation = expectations.data() + w * topics;
      double* phi = responsibility.data() + w * topics;
      const double count = counts[static_cast<size_t>(w)];
      double largest = -INFINITY;
      for (size_t k = 0; k < k_count; ++k) {
        phi[k] = inverse_temperature * (log_theta[k] + expectation[k]);
        largest = std::max(largest, phi[k]);
      }
      double sum = 0;
      for (size_t k = 0; k < k_count; ++k) sum += std::exp(phi[k] - largest);
      const double log_sum = largest + std::log(sum);
      bound_of_words += count * log_sum;
      for (size_t k = 0; k < k_count; ++k) {
        phi[k] = std::exp(phi[k] - log_sum);
        next[k] += inverse_temperature * count * phi[k];
        if (phi[k] > 0) expected_log_likelihood += count * phi[k] * (log_theta[k] + expectation[k]);
      }
    }
  };

  for (int64_t iteration = 0; iteration < iterations; ++iteration) {
    require_not_interrupted();
    assign_words();
    double change = 0;
    for (size_t k = 0; k < k_count; ++k) change += std::abs(next[k] - gamma[k]);
    gamma = next;
    if (change < tolerance * static_cast<double>(topics)) break;
  }
  assign_words();
}

}  // namespace vtemper
