#pragma once
// The vector kernels of factorial mixtures, in double: blocks of Bernoulli activations.

#include <cstdint>

#include "kernels/table.h"

namespace vtemper::kernels {

/// Rows per block of activations.
constexpr int64_t activation_rows = 64;

/// Bernoulli activations of a block of rows in a linear-Gaussian model (models/factorial_mixture/README.md section
/// 1):
///   logit nu_kn = s_n (offset_k + projection_kn - sum_{j != k} gram_kj nu_jn).
/// All array rows are 64-byte aligned.
struct Activations {
  const double* gram;         ///< [K x padded K] symmetric with zero diagonal
  const double* offsets;      ///< [K]
  const double* projections;  ///< [K x activation_rows]
  const double* inverse;      ///< [activation_rows] s_n
  int64_t components;         ///< K
  double tolerance;           ///< a row has converged when no activation changed by more than this in a sweep
  double* activations;        ///< [K x activation_rows] nu, updated in place
  double* moving;             ///< [activation_rows] 1; 0 for a converged row, which is no longer updated
};

struct FactorialMixtureKernels {
  static constexpr const char* model = "factorial_mixture";

  /// One update of every component in turn, for all rows still moving; returns whether any row is.
  bool (*sweep_activations)(const Activations& block);
  /// likelihoods_n = sum_k nu_kn (offset_k + projection_kn - sum_{j != k} gram_kj nu_jn / 2), entropies_n that of
  /// the activations; both [activation_rows].
  void (*activation_terms)(const Activations& block, double* likelihoods, double* entropies);
};

}  // namespace vtemper::kernels
