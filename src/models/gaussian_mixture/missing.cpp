#include "models/gaussian_mixture/missing.h"

namespace vtemper {

namespace {

/// Positions within a vector, as an Eigen index list.
struct Places {
  const int32_t* first;
  int64_t count;
  int64_t size() const { return count; }
  int64_t operator[](int64_t i) const { return first[i]; }
};

}  // namespace

void MissingPart::reserve(int64_t columns) {
  const size_t n = static_cast<size_t>(columns);
  places_.resize(n);
  for (Array<double>* vector : {&observed_part_, &solution_}) vector->resize(n);
  for (Array<double>* matrix : {&factor_, &inverse_, &covariance_}) matrix->resize(n * n);
  work_.reserve(columns);
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
  const Places missing = {places_.data(), missing_};
  linalg::square_of(factor_.data(), missing_) = linalg::square_of(scale, columns)(missing, missing);
  linalg::cholesky(factor_.data(), missing_, work_);  // a principal submatrix of a positive definite matrix
  log_determinant_ = linalg::log_determinant(factor_.data(), missing_);
}

/// d_m = -W_mm^-1 W_mo d_o.
void MissingPart::complete(double* difference) {
  const Places missing = {places_.data(), missing_}, observed = {places_.data() + missing_, observed_};
  const linalg::ConstMatrixMap scale = linalg::square_of(scale_, columns_);
  linalg::VectorMap d = linalg::vector_of(difference, columns_);
  linalg::VectorMap d_o = linalg::vector_of(observed_part_.data(), observed_);
  linalg::VectorMap d_m = linalg::vector_of(solution_.data(), missing_);
  d_o = d(observed);
  for (int64_t i = 0; i < missing_; ++i) d_m[i] = -scale.row(missing[i])(observed).dot(d_o.transpose());
  linalg::solve(factor_.data(), missing_, d_m.data());
  d(missing) = d_m;
}

void MissingPart::add_covariance(double times, double* out, int64_t stride) {
  linalg::invert_factor(factor_.data(), missing_, inverse_.data(), work_);
  linalg::square_factor(inverse_.data(), missing_, covariance_.data());
  const linalg::MatrixMap covariance = linalg::square_of(covariance_.data(), missing_);
  // places_ ascend, so the lower triangle stays the lower triangle.
  for (int64_t i = 0; i < missing_; ++i) {
    const Places before = {places_.data(), i + 1};
    linalg::vector_of(out + places_[static_cast<size_t>(i)] * stride, columns_)(before) +=
        times * covariance.row(i).head(i + 1).transpose();
  }
}

}  // namespace vtemper
