#pragma once
// Steps and moments of Dirichlet and Beta distributions, parameter by parameter.

#include "models/conjugate_model.h"

namespace vtemper {

/// The global step of Dirichlet parameters:
///   lambdahat = (1 - r) (prior at its power + scale * count) + r * draw,
///   lambda <- (1 - rho) lambda + rho lambdahat.
class DirichletStep {
 public:
  explicit DirichletStep(const GlobalStep& step) : step_(step) {}
  /// The parameter after the step. Counts that rounding made negative are 0.
  double next(double before, double prior, double count, double drawn) {
    const double share = step_.perturbation.share;
    double target = step_.prior.concentration(prior) + std::max(step_.scale * count, 0.0);
    if (share > 0) target = (1 - share) * target + share * drawn;
    const double after = step_.rho >= 1 ? target : before + step_.rho * (target - before);
    moved_ += std::abs(after - before);
    mass_ += before;
    largest_ = std::max(largest_, target);
    return after;
  }
  /// Relative change of all parameters so far.
  double change() const { return moved_ / mass_; }
  /// Whether no lambdahat was larger than `most`.
  bool is_below(double most) const { return largest_ <= most && std::isfinite(moved_); }

 private:
  const GlobalStep& step_;
  double moved_ = 0, mass_ = 0, largest_ = 0;
};

/// out = log Gamma(a + s) - log Gamma(a), which is log E theta^s without the corresponding term of the parameters'
/// sum. `out` may be `a`. Allocates nothing.
void log_moments(const double* a, int64_t count, double s, double* out);

// Of prior and posterior parameters of more than this, the logarithms of the Gamma functions are so large that their
// differences would be rounding; the gaps below are accurate.
constexpr double large_parameter = 1e5;

/// log Gamma(x) - log Gamma(x + d) + d psi(x + d), which is not negative: the part of one parameter x, and of its
/// posterior x + d, in the divergence of the posterior from the prior.
double log_gamma_gap(double x, double d);
/// psi(x + d) - psi(x).
double digamma_gap(double x, double d);

/// log B(a, b).
double log_beta(double a, double b);
/// sum_i log E [theta_i^s + (1 - theta_i)^s] of theta_i ~ Beta(ones_i, zeros_i). Allocates nothing.
double log_binary_moments(const double* ones, const double* zeros, int64_t count, double s);

}  // namespace vtemper
