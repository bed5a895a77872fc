#include "models/gaussian_mixture/components.h"

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/triangular.h"

namespace vtemper {

namespace {

constexpr double log_two_pi = 1.8378770664093454836;

}  // namespace

Components::Components(int64_t count, int64_t columns, bool independent)
    : count_(count),
      columns_(columns),
      stride_(kernels::padded(columns + 1)),
      matrix_(columns * columns),
      packed_size_(kernels::packed_factor_size(columns)),
      independent_(independent) {
  for (Array<double>* values : {&concentration_, &mean_scale_, &dof_, &log_inverse_scale_, &log_mean_precision_,
                                &log_weight_, &log_determinant_, &spread_}) {
    values->resize(index(count));
  }
  mean_.resize(index(count * stride_));
  for (Array<double>* matrices : {&inverse_scale_, &scale_}) matrices->resize(index(count * matrix_));
  if (independent) {
    for (Array<double>* matrices : {&mean_precision_, &mean_covariance_}) matrices->resize(index(count * matrix_));
  }
  packed_.resize(index(count * packed_size_));
  factor_.resize(index(matrix_));
  inverse_columns_.resize(index(matrix_));
  arguments_.resize(index(columns));
}

Component Components::component() const {
  Component component;
  component.mean.resize(index(columns_));
  component.inverse_scale.resize(index(matrix_));
  if (independent_) component.mean_precision.resize(index(matrix_));
  return component;
}

void Components::read(int64_t k, Component& out) const {
  out.concentration = concentration(k);
  out.mean_scale = mean_scale(k);
  out.dof = dof(k);
  std::copy_n(mean(k), columns_, out.mean.data());
  std::copy_n(inverse_scale(k), matrix_, out.inverse_scale.data());
  if (independent_) std::copy_n(mean_precision(k), matrix_, out.mean_precision.data());
}

/// factor_ becomes the Cholesky factor. A sum of positive definite matrices that rounding has left indefinite gets
/// the least addition to its diagonal that mends it.
void Components::factorize(const double* matrix) {
  std::copy_n(matrix, matrix_, factor_.data());
  for (double addition = 1e-15; !cholesky(factor_.data(), columns_); addition *= 10) {
    std::copy_n(matrix, matrix_, factor_.data());
    for (int64_t i = 0; i < columns_; ++i) factor_[index(i * columns_ + i)] *= 1 + addition;
  }
}

void Components::write(int64_t k, const Component& in) {
  const double columns = static_cast<double>(columns_);
  concentration(k) = in.concentration;
  mean_scale_[index(k)] = in.mean_scale;
  dof_[index(k)] = in.dof;
  std::copy_n(in.mean.data(), columns_, mean_.data() + k * stride_);
  std::copy_n(in.inverse_scale.data(), matrix_, inverse_scale_.data() + k * matrix_);
  factorize(in.inverse_scale.data());
  log_inverse_scale_[index(k)] = vtemper::log_determinant(factor_.data(), columns_);
  invert_factor(factor_.data(), columns_, inverse_columns_.data());
  inverse_from_columns(inverse_columns_.data(), columns_, scale_.data() + k * matrix_);
  pack_factor(inverse_columns_.data(), columns_, packed_.data() + k * packed_size_);

  // E log |Lambda| = sum_d psi((nu + 1 - d) / 2) + D log 2 - log |W^-1|
  for (int64_t d = 0; d < columns_; ++d) arguments_[index(d)] = 0.5 * (in.dof - static_cast<double>(d));
  const auto& kernels = kernels::instruction_set().double_precision;
  kernels.digamma(arguments_.data(), arguments_.data(), columns_);
  log_determinant_[index(k)] =
      kernels.sum(arguments_.data(), columns_) + columns * std::log(2.0) - log_inverse_scale(k);
  if (!independent_) {
    spread_[index(k)] = columns / in.mean_scale;
    return;
  }
  std::copy_n(in.mean_precision.data(), matrix_, mean_precision_.data() + k * matrix_);
  factorize(in.mean_precision.data());
  log_mean_precision_[index(k)] = vtemper::log_determinant(factor_.data(), columns_);
  invert_factor(factor_.data(), columns_, inverse_columns_.data());
  inverse_from_columns(inverse_columns_.data(), columns_, mean_covariance_.data() + k * matrix_);
  spread_[index(k)] = in.dof * kernels.dot(scale(k), mean_covariance(k), matrix_);
}

void Components::refresh_weights() {
  const auto& kernels = kernels::instruction_set().double_precision;
  total_concentration_ = kernels.sum(concentration_.data(), count_);
  double normalizer = 0;
  kernels.digamma(&total_concentration_, &normalizer, 1);
  kernels.digamma(concentration_.data(), log_weight_.data(), count_);
  for (int64_t k = 0; k < count_; ++k) log_weight_[index(k)] -= normalizer;
}

double Components::expected_constant(int64_t k) const {
  return expected_log_weight(k) +
         0.5 * (expected_log_determinant(k) - static_cast<double>(columns_) * log_two_pi - spread(k));
}

void blend_wishart(Component& a, const Component& b, double share) {
  a.dof = (1 - share) * a.dof + share * b.dof;
  for (size_t i = 0; i < a.inverse_scale.size(); ++i) {
    a.inverse_scale[i] = (1 - share) * a.inverse_scale[i] + share * b.inverse_scale[i];
  }
}

void blend_normal_wishart(Component& a, const Component& b, double share, double* work) {
  blend_wishart(a, b, share);
  // (1 - r) a m_a m_a' + r b m_b m_b' - c m m' = (1 - r) a r b / c (m_b - m_a)(m_b - m_a)', c = (1 - r) a + r b
  const size_t columns = a.mean.size();
  const double scale = (1 - share) * a.mean_scale + share * b.mean_scale;
  const double pull = share * b.mean_scale / scale;
  const double scatter = (1 - share) * a.mean_scale * pull;
  double* const difference = work;
  for (size_t i = 0; i < columns; ++i) difference[i] = b.mean[i] - a.mean[i];
  for (size_t i = 0; i < columns; ++i) {
    for (size_t j = 0; j < columns; ++j) a.inverse_scale[i * columns + j] += scatter * difference[i] * difference[j];
    a.mean[i] += pull * difference[i];
  }
  a.mean_scale = scale;
}

void blend_normal(Component& a, const Component& b, double share, double* work) {
  const size_t columns = a.mean.size();
  double* const difference = work;
  double* const shift = work + columns;
  double* const factor = work + 2 * columns;
  for (size_t i = 0; i < columns; ++i) difference[i] = b.mean[i] - a.mean[i];
  // P m relative to the mean of `a` is share P_b difference.
  for (size_t i = 0; i < columns; ++i) {
    shift[i] = 0;
    for (size_t j = 0; j < columns; ++j) shift[i] += share * b.mean_precision[i * columns + j] * difference[j];
  }
  for (size_t i = 0; i < columns * columns; ++i) {
    a.mean_precision[i] = (1 - share) * a.mean_precision[i] + share * b.mean_precision[i];
  }
  std::copy_n(a.mean_precision.data(), columns * columns, factor);
  cholesky(factor, static_cast<int64_t>(columns));
  solve(factor, static_cast<int64_t>(columns), shift);
  for (size_t i = 0; i < columns; ++i) a.mean[i] += shift[i];
}

void draw(const MixturePrior& prior, const Moments& moments, const std::vector<double>& covariance_factor,
          const std::vector<double>& covariance_inverse, double size, int64_t k, RandomStream& stream,
          Component& out) {
  // Precision of a drawn mean of `independent`, in units of the inverse covariance (mixtures of Gultekin 2014).
  constexpr double mean_precision = 10;
  const size_t columns = moments.mean.size();
  out.concentration = prior.concentration[static_cast<size_t>(k)] + size;
  out.mean_scale = prior.mean_scale + size;
  out.dof = prior.dof + size;
  for (size_t i = 0; i < columns; ++i) out.mean[i] = moments.mean[i];
  for (size_t j = 0; j < columns; ++j) {
    const double normal = stream.normal();
    for (size_t i = j; i < columns; ++i) out.mean[i] += covariance_factor[i * columns + j] * normal;
  }
  for (size_t i = 0; i < columns * columns; ++i) out.inverse_scale[i] = out.dof * moments.covariance[i];
  for (size_t i = 0; i < out.mean_precision.size(); ++i) {
    out.mean_precision[i] = mean_precision * covariance_inverse[i];
  }
}

}  // namespace vtemper
