#include "models/conjugate_model.h"

#include <algorithm>

namespace vtemper {

double RowTemperature::log_evidence(double expected_log_likelihood, double tokens) const {
  double largest = -std::numeric_limits<double>::infinity();
  for (size_t m = 0; m < inverse.size(); ++m) {
    largest = std::max(largest, inverse[m] * expected_log_likelihood - tokens * log_normalizer[m]);
  }
  double total = 0;
  for (size_t m = 0; m < inverse.size(); ++m) {
    total += std::exp(inverse[m] * expected_log_likelihood - tokens * log_normalizer[m] - largest);
  }
  return largest + std::log(total / static_cast<double>(inverse.size()));
}

double RowTemperature::expected_inverse(double expected_log_likelihood, double tokens) const {
  const double evidence = log_evidence(expected_log_likelihood, tokens);
  double mean = 0;
  for (size_t m = 0; m < inverse.size(); ++m) {
    mean += inverse[m] * std::exp(inverse[m] * expected_log_likelihood - tokens * log_normalizer[m] - evidence);
  }
  return std::max(mean / static_cast<double>(inverse.size()), floor);
}

void LocalSums::write(double* out) const {
  const double all[length] = {count, rows, empty_rows, tokens, expected_log_likelihood, bound, inverse_temperature};
  std::copy_n(all, length, out);
}

LocalSums LocalSums::read(const double* in) {
  return {in[0], in[1], in[2], in[3], in[4], in[5], in[6]};
}

}  // namespace vtemper
