#include "models/gaussian_mixture/components.h"

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/gaussian_mixture/kernels.h"
#include "models/gaussian_mixture/packed_factor.h"

namespace vtemper {

namespace {

/// Relative additions to the diagonal of a matrix that rounding has made indefinite. A matrix that needs more is
/// indefinite for another reason.
constexpr double min_addition = 1e-15;
constexpr double largest_addition = 1e-6;

using linalg::matrix_of;
using linalg::square_of;
using linalg::vector_of;

int64_t length_of(const Array<double>& values) {
  return static_cast<int64_t>(values.size());
}

}  // namespace

Components::Components(int64_t count, int64_t columns, bool independent)
    : count_(count),
      columns_(columns),
      stride_(kernels::padded(columns + 1)),
      matrix_(columns * columns),
      packed_size_(kernels::packed_factor_size(columns)),
      independent_(independent) {
  for (Array<double>* values :
       {&mean_scale_, &dof_, &log_inverse_scale_, &log_mean_precision_, &log_determinant_, &spread_}) {
    values->resize(index(count));
  }
  mean_.resize(index(count * stride_));
  for (LargeArray<double>* matrices : {&inverse_scale_, &scale_}) matrices->resize(index(count * matrix_));
  if (independent) {
    for (LargeArray<double>* matrices : {&mean_precision_, &mean_covariance_}) {
      matrices->resize(index(count * matrix_));
    }
  }
  packed_.resize(index(count * packed_size_));
  factor_.resize(index(matrix_));
  factor_inverse_.resize(index(matrix_));
  arguments_.resize(index(columns));
  work_.reserve(columns);
}

Component Components::component() const {
  Component component;
  component.mean.resize(index(columns_));
  component.inverse_scale.resize(index(matrix_));
  if (independent_) component.mean_precision.resize(index(matrix_));
  return component;
}

void Components::read(int64_t k, Component& out) const {
  out.mean_scale = mean_scale(k);
  out.dof = dof(k);
  std::copy_n(mean(k), columns_, out.mean.data());
  std::copy_n(inverse_scale(k), matrix_, out.inverse_scale.data());
  if (independent_) std::copy_n(mean_precision(k), matrix_, out.mean_precision.data());
}

/// Computes the Cholesky factor in factor_. A sum of positive definite matrices that rounding has made indefinite
/// gets the smallest sufficient addition to its diagonal.
bool Components::factorize(double* matrix) {
  linalg::MatrixMap a = square_of(matrix, columns_);
  for (double addition = 0; addition <= largest_addition; addition = std::max(10 * addition, min_addition)) {
    linalg::MatrixMap trial = square_of(factor_.data(), columns_);
    trial = a;
    trial.diagonal() *= 1 + addition;
    if (!linalg::cholesky(factor_.data(), columns_, work_)) continue;
    a.diagonal() *= 1 + addition;
    return true;
  }
  return false;
}

bool Components::write(int64_t k, const Component& in) {
  return write_mean(k, in) && write_precision(k, in);
}

bool Components::write_mean(int64_t k, const Component& in) {
  std::copy_n(in.mean.data(), columns_, mean_.data() + k * stride_);
  if (!vector_of(in.mean.data(), columns_).allFinite()) return false;
  if (!independent_) return true;
  double* precision = mean_precision_.data() + k * matrix_;
  std::copy_n(in.mean_precision.data(), matrix_, precision);
  if (!factorize(precision)) return false;
  log_mean_precision_[index(k)] = linalg::log_determinant(factor_.data(), columns_);
  linalg::invert_factor(factor_.data(), columns_, factor_inverse_.data(), work_);
  linalg::square_factor(factor_inverse_.data(), columns_, mean_covariance_.data() + k * matrix_);
  return true;
}

bool Components::write_precision(int64_t k, const Component& in) {
  const double columns = static_cast<double>(columns_);
  mean_scale_[index(k)] = in.mean_scale;
  dof_[index(k)] = in.dof;
  const bool in_domain =
      in.mean_scale > 0 && std::isfinite(in.mean_scale) && in.dof > columns - 1 && std::isfinite(in.dof);
  double* inverse_scale = inverse_scale_.data() + k * matrix_;
  std::copy_n(in.inverse_scale.data(), matrix_, inverse_scale);
  if (!in_domain || !factorize(inverse_scale)) return false;
  log_inverse_scale_[index(k)] = linalg::log_determinant(factor_.data(), columns_);
  linalg::invert_factor(factor_.data(), columns_, factor_inverse_.data(), work_);
  linalg::square_factor(factor_inverse_.data(), columns_, scale_.data() + k * matrix_);
  pack_factor(factor_inverse_.data(), columns_, packed_.data() + k * packed_size_);

  // E log |Lambda| = sum_d psi((nu + 1 - d) / 2) + D log 2 - log |W^-1|
  for (int64_t d = 0; d < columns_; ++d) arguments_[index(d)] = 0.5 * (in.dof - static_cast<double>(d));
  const auto& kernels = kernels::instruction_set().double_precision;
  kernels.digamma(arguments_.data(), arguments_.data(), columns_);
  log_determinant_[index(k)] =
      kernels.sum(arguments_.data(), columns_) + columns * std::log(2.0) - log_inverse_scale(k);
  spread_[index(k)] =
      independent_ ? in.dof * kernels.dot(scale(k), mean_covariance(k), matrix_) : columns / in.mean_scale;
  return square_of(scale(k), columns_).allFinite() && std::isfinite(spread(k));
}

double Components::expected_constant(int64_t k) const {
  return 0.5 * (expected_log_determinant(k) - static_cast<double>(columns_) * log_two_pi - spread(k));
}

ComponentWork::ComponentWork(int64_t columns)
    : definite(columns),
      factor(static_cast<size_t>(columns * columns)),
      shift(static_cast<size_t>(columns)),
      difference(static_cast<size_t>(columns)) {}

void blend_wishart(Component& a, const Component& b, double share) {
  linalg::VectorMap of_a = vector_of(a.inverse_scale.data(), length_of(a.inverse_scale));
  a.dof = (1 - share) * a.dof + share * b.dof;
  of_a = (1 - share) * of_a + share * vector_of(b.inverse_scale.data(), length_of(b.inverse_scale));
}

/// (1 - r) a m_a m_a' + r b m_b m_b' - c m m' = (1 - r) a r b / c (m_b - m_a)(m_b - m_a)', c = (1 - r) a + r b.
void blend_normal_wishart(Component& a, const Component& b, double share, ComponentWork& work) {
  blend_wishart(a, b, share);
  const int64_t n = length_of(a.mean);
  linalg::VectorMap mean = vector_of(a.mean.data(), n), difference = vector_of(work.difference.data(), n);
  linalg::MatrixMap inverse_scale = square_of(a.inverse_scale.data(), n);
  const double scale = (1 - share) * a.mean_scale + share * b.mean_scale;
  const double pull = share * b.mean_scale / scale;
  difference = vector_of(b.mean.data(), n) - mean;
  inverse_scale.noalias() += ((1 - share) * a.mean_scale * pull) * difference * difference.transpose();
  mean += pull * difference;
  a.mean_scale = scale;
}

/// P m relative to the mean of `a` is share P_b (m_b - m_a).
bool blend_normal(Component& a, const Component& b, double share, ComponentWork& work) {
  const int64_t n = length_of(a.mean);
  linalg::VectorMap mean = vector_of(a.mean.data(), n), shift = vector_of(work.shift.data(), n);
  linalg::VectorMap difference = vector_of(work.difference.data(), n);
  linalg::MatrixMap precision = square_of(a.mean_precision.data(), n);
  const linalg::ConstMatrixMap of_b = square_of(b.mean_precision.data(), n);
  difference = vector_of(b.mean.data(), n) - mean;
  shift.noalias() = share * of_b * difference;
  precision = (1 - share) * precision + share * of_b;
  square_of(work.factor.data(), n) = precision;
  if (!linalg::cholesky(work.factor.data(), n, work.definite)) return false;
  linalg::solve(work.factor.data(), n, shift.data());
  mean += shift;
  return true;
}

void draw(const MixturePrior& prior, const Moments& moments, const Array<double>& covariance_factor,
          const Array<double>& covariance_inverse, double size, RandomStream& stream, Component& out) {
  // Precision of a drawn mean of `independent`, in units of the inverse covariance (mixtures of Gultekin 2015).
  constexpr double mean_precision = 10;
  const int64_t columns = static_cast<int64_t>(moments.mean.size());
  out.mean_scale = prior.mean_scale + size;
  out.dof = prior.dof + size;
  linalg::VectorMap mean = vector_of(out.mean.data(), columns);
  mean = vector_of(moments.mean.data(), columns);
  const linalg::ConstMatrixMap factor = square_of(covariance_factor.data(), columns);
  for (int64_t j = 0; j < columns; ++j) mean.tail(columns - j) += stream.normal() * factor.col(j).tail(columns - j);
  const int64_t size_of_matrix = columns * columns;
  vector_of(out.inverse_scale.data(), size_of_matrix) =
      out.dof * vector_of(moments.covariance.data(), size_of_matrix);
  if (out.mean_precision.empty()) return;
  vector_of(out.mean_precision.data(), size_of_matrix) =
      mean_precision * vector_of(covariance_inverse.data(), size_of_matrix);
}

}  // namespace vtemper
