#pragma once
// Scalar constants and functions, each defined once. If a kernel computes the function for arrays, the scalar version
// calls that kernel, so it gives the same bits.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"

namespace vtemper {

constexpr double log_pi = 1.1447298858494001741;
constexpr double log_two_pi = 1.8378770664093454836;

template <class Real>
Real log_gamma(const kernels::Table<Real>& table, Real x) {
  table.log_gamma(&x, &x, 1);
  return x;
}
inline double log_gamma(double x) {
  return log_gamma(kernels::instruction_set().double_precision, x);
}

template <class Real>
Real digamma(const kernels::Table<Real>& table, Real x) {
  table.digamma(&x, &x, 1);
  return x;
}
inline double digamma(double x) {
  return digamma(kernels::instruction_set().double_precision, x);
}

/// 1 / (1 + exp(-x)) without overflow.
template <class Real>
Real sigmoid(Real x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

/// log(1 + exp(x)) without overflow.
template <class Real>
Real softplus(Real x) {
  return std::max(x, Real(0)) + std::log1p(std::exp(-std::abs(x)));
}

/// Inverse of softplus, for y > 0.
inline double inverse_softplus(double y) {
  return y + std::log(-std::expm1(-y));
}

/// log(p / (1 - p)).
inline double logit(double p) {
  return std::log(p) - std::log1p(-p);
}

}  // namespace vtemper
