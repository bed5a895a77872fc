#include "models/gaussian_mixture/learned_prior.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"

namespace vtemper {

namespace {

using linalg::square_of;
using linalg::vector_of;

/// M = sum_k E Lambda_k = sum_k nu_k W_k.
void sum_precisions(const Components& components, double* sum) {
  const int64_t size = components.columns() * components.columns();
  linalg::VectorMap M = vector_of(sum, size);
  M.setZero();
  for (int64_t k = 0; k < components.count(); ++k) M += components.dof(k) * vector_of(components.scale(k), size);
}

/// The root of the bound's slope in nu0 (times 2 / K),
///   log |V(nu0)| - D log 2 - sum_d psi((nu0 + 1 - d) / 2) + mean E log |Lambda_k|,
/// which decreases in nu0, or the limit nearest to the root; by bisection of log(nu0 - D + 1).
template <class LogDeterminant>
double best_dof(const Components& components, const PriorLimits& limits, PriorWork& work,
                const LogDeterminant& log_determinant) {
  const int64_t n = components.columns();
  const double columns = static_cast<double>(n);
  const auto& kernels = kernels::instruction_set().double_precision;
  double expected = 0;
  for (int64_t k = 0; k < components.count(); ++k) expected += components.expected_log_determinant(k);
  expected /= static_cast<double>(components.count());
  const auto slope = [&](double dof) {
    for (int64_t d = 0; d < n; ++d) {
      work.arguments[static_cast<size_t>(d)] = 0.5 * (dof - static_cast<double>(d));
    }
    kernels.digamma(work.arguments.data(), work.arguments.data(), n);
    return log_determinant(dof) - columns * std::log(2.0) - kernels.sum(work.arguments.data(), n) + expected;
  };
  if (!(slope(limits.min_dof) > 0)) return limits.min_dof;
  if (!(slope(limits.largest_dof) < 0)) return limits.largest_dof;
  double low = std::log(limits.min_dof - columns + 1), high = std::log(limits.largest_dof - columns + 1);
  constexpr int halvings = 50;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(columns - 1 + std::exp(middle)) > 0 ? low : high) = middle;
  }
  return std::clamp(columns - 1 + std::exp(0.5 * (low + high)), limits.min_dof, limits.largest_dof);
}

/// Sets V to work.trial, log |V| (from the factor, as when a file is read) and nu0. Changes nothing if V is not
/// positive definite.
void take(PriorWork& work, double dof, int64_t n, MixturePrior& prior) {
  square_of(work.factor.data(), n) = square_of(work.trial.data(), n);
  if (!linalg::cholesky(work.factor.data(), n, work.definite)) return;
  square_of(prior.inverse_scale.data(), n) = square_of(work.trial.data(), n);
  prior.dof = dof;
  prior.log_inverse_scale = linalg::log_determinant(work.factor.data(), n);
}

/// Sets V = K nu0 M^-1 if that is above the limit; otherwise returns false. work.factor: the Cholesky factor of M;
/// work.inverse: M^-1.
bool learn_free(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior) {
  const int64_t n = components.columns();
  const double columns = static_cast<double>(n), count = static_cast<double>(components.count());
  const double of_sum = linalg::log_determinant(work.factor.data(), n);
  const auto log_determinant = [&](double dof) { return columns * std::log(count * dof) - of_sum; };
  const double dof = best_dof(components, limits, work, log_determinant);
  square_of(work.trial.data(), n) = count * dof * square_of(work.inverse.data(), n) -
                                    PriorLimits::min_inverse_scale * square_of(limits.start->inverse_scale.data(), n);
  if (!linalg::cholesky(work.trial.data(), n, work.definite)) return false;
  square_of(work.trial.data(), n) = count * dof * square_of(work.inverse.data(), n);
  take(work, dof, n, prior);
  return true;
}

/// As above, subject to V >= eps V0: with V0 = L L' and L' M L = U diag(mu) U',
///   V = L U diag(max(eps, K nu0 / mu)) (L U)'.
void learn_limited(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior) {
  const int64_t n = components.columns();
  const double count = static_cast<double>(components.count());
  linalg::MatrixMap L = square_of(work.factor.data(), n), axes = square_of(work.trial.data(), n);
  linalg::MatrixMap whitened = square_of(work.precision.data(), n), V = square_of(work.inverse.data(), n);
  L = square_of(limits.start->inverse_scale.data(), n);
  if (!linalg::cholesky(work.factor.data(), n, work.definite)) return;
  L.triangularView<linalg::eigen::StrictlyUpper>().setZero();
  axes.noalias() = square_of(work.precision.data(), n) * L;
  whitened.noalias() = L.transpose() * axes;
  whitened.triangularView<linalg::eigen::StrictlyUpper>() = whitened.transpose();
  linalg::decompose(work.precision.data(), n, *work.solver);
  const auto values = work.solver->eigenvalues().array();
  if (!values.allFinite() || !work.solver->eigenvectors().allFinite()) return;
  const auto limited = [&](double dof) {
    return (count * dof / values.max(1e-300)).max(PriorLimits::min_inverse_scale);
  };
  const double dof = best_dof(components, limits, work,
                              [&](double x) { return limits.start->log_inverse_scale + limited(x).log().sum(); });
  axes.noalias() = L * work.solver->eigenvectors();
  linalg::MatrixMap scaled = whitened;  // no longer needed
  scaled = axes * limited(dof).matrix().asDiagonal();
  V.noalias() = scaled * axes.transpose();
  axes = V;
  axes.triangularView<linalg::eigen::StrictlyUpper>() = V.transpose();
  take(work, dof, n, prior);
}

/// Sets m0, and b0 or the scale of P0 from the ratio of D K to sum_k E (mu_k - m0)' A (mu_k - m0). normal_wishart: A
/// is Lambda_k and the ratio is b0; independent: A is P0, which is multiplied by the ratio. work.factor: the Cholesky
/// factor of M.
void learn_means(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior) {
  const int64_t n = components.columns(), count = components.count();
  const double columns = static_cast<double>(n);
  const bool independent = components.independent();
  linalg::VectorMap shift = vector_of(work.shift.data(), n), m0 = vector_of(prior.mean.data(), n);
  linalg::VectorMap difference = vector_of(work.arguments.data(), n);
  const auto dot = kernels::instruction_set().double_precision.dot;
  shift.setZero();
  for (int64_t k = 0; k < count; ++k) {
    difference = vector_of(components.mean(k), n) - m0;
    if (independent) {
      shift += difference;
    } else {
      shift.noalias() += components.dof(k) * (square_of(components.scale(k), n) * difference);
    }
  }
  if (independent) {
    shift /= static_cast<double>(count);
  } else {
    linalg::solve(work.factor.data(), n, work.shift.data());
  }
  shift += m0;
  if (!shift.allFinite()) return;
  double spread = 0;
  for (int64_t k = 0; k < count; ++k) {
    const double* metric = independent ? prior.mean_precision.data() : components.scale(k);
    const double length = linalg::squared_distance(square_of(metric, n), vector_of(components.mean(k), n),
                                                   linalg::ConstVectorMap(work.shift.data(), n));
    spread += independent ? length + dot(metric, components.mean_covariance(k), n * n)
                          : components.dof(k) * length + columns / components.mean_scale(k);
  }
  const double best = columns * static_cast<double>(count) / spread * (independent ? prior.mean_scale : 1);
  if (!std::isfinite(best)) return;
  m0 = shift;
  const double next = std::clamp(best, PriorLimits::min_mean_scale, PriorLimits::largest_mean_scale);
  set_mean_scale(prior, *limits.start, next);
}

}  // namespace

void PriorWork::reserve(int64_t columns) {
  const size_t n = static_cast<size_t>(columns);
  if (shift.size() != n) solver.emplace(columns);
  for (Array<double>* matrix : {&precision, &factor, &inverse, &trial}) matrix->resize(n * n);
  for (Array<double>* vector : {&shift, &arguments}) vector->resize(n);
  definite.reserve(columns);
}

void learn_prior(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior) {
  const int64_t n = components.columns();
  work.reserve(n);
  sum_precisions(components, work.precision.data());
  work.factor = work.precision;
  if (!linalg::cholesky(work.factor.data(), n, work.definite)) return;
  learn_means(components, limits, work, prior);
  linalg::invert_factor(work.factor.data(), n, work.trial.data(), work.definite);
  linalg::square_factor(work.trial.data(), n, work.inverse.data());
  if (!square_of(work.inverse.data(), n).allFinite()) return;
  if (!learn_free(components, limits, work, prior)) learn_limited(components, limits, work, prior);
}

void learn_strength(const Components& components, const PriorLimits& limits, PriorWork& work, MixturePrior& prior) {
  const int64_t n = components.columns();
  const double columns = static_cast<double>(n);
  const MixturePrior& start = *limits.start;
  work.reserve(n);
  sum_precisions(components, work.precision.data());
  const double worth = start.dof - columns - 1;  // V at the start over C
  const auto multiple = [&](double dof) { return (dof - columns - 1) / worth; };
  const auto dot = kernels::instruction_set().double_precision.dot;
  const double trace = dot(start.inverse_scale.data(), work.precision.data(), n * n) /
                       (worth * static_cast<double>(components.count()));
  // log |V| and the slope of nu0 log |V| - tr(V M) / K other than that
  const auto log_determinant = [&](double dof) {
    return start.log_inverse_scale + columns * (std::log(multiple(dof)) + dof / (dof - columns - 1)) - trace;
  };
  const double dof = best_dof(components, limits, work, log_determinant);
  square_of(work.trial.data(), n) = multiple(dof) * square_of(start.inverse_scale.data(), n);
  take(work, dof, n, prior);
}

}  // namespace vtemper
