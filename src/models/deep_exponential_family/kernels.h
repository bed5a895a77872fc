#pragma once
// The vector kernels of deep exponential families: softplus, and the likelihood of counts under sampled rates.

#include <cstdint>

#include "kernels/table.h"

namespace vtemper::kernels {

/// The words of a row of counts under several samples of their rates.
template <class Real>
struct PoissonRates {
  Real* rates;         ///< [words x samples] positive normal numbers; out: factor counts_w / rates_ws
  const Real* counts;  ///< [words]
  Real factor;
  int64_t words, samples;
  Real* log_likelihoods;  ///< [samples] out: sum_w counts_w log rates_ws
};

template <class Real>
struct FamilyTable {
  /// value_i = softplus(x_i) to nearly full precision, slope_i = sig(x_i).
  void (*softplus)(const Real* x, Real* value, Real* slope, int64_t n);
  void (*poisson_ratios)(const PoissonRates<Real>& rates);
};

struct FamilyKernels {
  static constexpr const char* model = "deep_exponential_family";
  FamilyTable<float> single_precision;
  FamilyTable<double> double_precision;
};

}  // namespace vtemper::kernels
