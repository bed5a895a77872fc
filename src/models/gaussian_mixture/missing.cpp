#include "models/gaussian_mixture/missing.h"

#include <initializer_list>

#include "models/gaussian_mixture/triangular.h"

namespace vtemper {

void MissingPart::reserve(int64_t columns) {
  const size_t n = static_cast<size_t>(columns);
  places_.resize(n);
  solution_.resize(n);
  for (Array<double>* matrix : {&factor_, &columns_of_inverse_, &covariance_}) matrix->resize(n * n);
}

void MissingPart::choose(const double* scale, int64_t columns, const uint8_t* is_missing) {
  scale_ = scale;
  columns_ = columns;
  missing_ = 0;
  for (int64_t j = 0; j < columns; ++j) {
    if (is_missing[j]) places_[static_cast<size_t>(missing_++)] = static_cast<int32_t>(j);
  }
  observed_ = 0;
  for (int64_t j = 0; j < columns; ++j) {
    if (!is_missing[j]) places_[static_cast<size_t>(missing_ + observed_++)] = static_cast<int32_t>(j);
  }
  for (int64_t i = 0; i < missing_; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      factor_[static_cast<size_t>(i * missing_ + j)] =
          scale[places_[static_cast<size_t>(i)] * columns + places_[static_cast<size_t>(j)]];
    }
  }
  cholesky(factor_.data(), missing_);  // a principal part of a positive definite matrix
  log_determinant_ = vtemper::log_determinant(factor_.data(), missing_);
}

void MissingPart::complete(double* difference) {
  for (int64_t i = 0; i < missing_; ++i) {
    const double* row = scale_ + places_[static_cast<size_t>(i)] * columns_;
    double sum = 0;
    for (int64_t j = 0; j < observed_; ++j) {
      const int32_t place = places_[static_cast<size_t>(missing_ + j)];
      sum += row[place] * difference[place];
    }
    solution_[static_cast<size_t>(i)] = -sum;
  }
  solve(factor_.data(), missing_, solution_.data());
  for (int64_t i = 0; i < missing_; ++i) {
    difference[places_[static_cast<size_t>(i)]] = solution_[static_cast<size_t>(i)];
  }
}

void MissingPart::add_covariance(double times, double* out, int64_t stride) {
  invert_factor(factor_.data(), missing_, columns_of_inverse_.data());
  inverse_from_columns(columns_of_inverse_.data(), missing_, covariance_.data());
  for (int64_t i = 0; i < missing_; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      // places_ ascend, so this is the lower triangle
      out[places_[static_cast<size_t>(i)] * stride + places_[static_cast<size_t>(j)]] +=
          times * covariance_[static_cast<size_t>(i * missing_ + j)];
    }
  }
}

}  // namespace vtemper
