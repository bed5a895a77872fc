#pragma once
// The weights of a mixture's components: pi ~ Dir(prior), q(pi) = Dir(concentration).

#include <vector>

#include "models/conjugate_model.h"

namespace vtemper {

/// Components with fewer rows are unused.
constexpr double min_rows_of_component = 0.5;

struct MixtureWeights {
  Array<double> prior;          ///< [K] a
  Array<double> concentration;  ///< [K] alpha
  Array<double> expected_logs;  ///< [K] E log pi_k
  double total = 0;             ///< sum of the concentration

  MixtureWeights() = default;
  explicit MixtureWeights(const std::vector<double>& prior_of_weights);
  /// Updates the total and the expected logarithms after the concentration changed. Allocates nothing.
  void refresh();
  /// out = E log pi_k, or with `of_means` log E pi_k.
  void take_logs(bool of_means, Array<double>& out) const;
  /// s' E log p(pi) - E log q(pi), with the prior to the power s'.
  double bound(const PriorPower& power) const;
  /// log E pi_k^s, or with `plug_in` s E log pi_k.
  double log_moment(size_t k, double s, bool plug_in) const;

  double mean(int64_t k) const { return concentration[static_cast<size_t>(k)] / total; }
  /// Weight of the rows in the component.
  double rows(int64_t k) const { return concentration[static_cast<size_t>(k)] - prior[static_cast<size_t>(k)]; }
  double bound_of_large(const PriorPower& power) const;
  bool is_used(int64_t k) const { return rows(k) >= min_rows_of_component; }
};

}  // namespace vtemper
