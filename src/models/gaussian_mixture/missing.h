#pragma once
// Rows with missing values: given component k, the missing values are integrated out under
//   q(x_m | z = k) prop. exp{ s E log p(x_o, x_m | z = k) } = N(m_m - W_mm^-1 W_mo (x_o - m_o), (s nu W_mm)^-1),
// whose integral is exp{ s E log p(x_o, mean of x_m | k) } (2 pi / s)^(M/2) |nu W_mm|^(-1/2).

#include <cstdint>

#include "linalg/definite.h"
#include "support/array.h"

namespace vtemper {

/// The part of one component's Normal that is missing in rows of one pattern.
class MissingPart {
 public:
  /// Reserves workspace for up to `columns` columns.
  void reserve(int64_t columns);
  /// `scale`: W [D x D]; `is_missing` [D].
  void choose(const double* scale, int64_t columns, const uint8_t* is_missing);

  int64_t count() const { return missing_; }                   ///< M
  double log_determinant() const { return log_determinant_; }  ///< log |W_mm|
  /// difference = x - m [D]: replaces missing elements by their conditional means.
  void complete(double* difference);
  /// Adds `times` W_mm^-1 to the lower triangle of out [stride x stride].
  void add_covariance(double times, double* out, int64_t stride);

 private:
  int64_t columns_ = 0, missing_ = 0, observed_ = 0;
  double log_determinant_ = 0;
  const double* scale_ = nullptr;
  Array<int32_t> places_;                        ///< [D] missing columns, then observed ones
  Array<double> factor_, inverse_, covariance_;  ///< [M x M] L of W_mm = L L', L^-1, W_mm^-1
  Array<double> observed_part_, solution_;       ///< [D - M], [M]
  linalg::DefiniteWork work_;
};

}  // namespace vtemper
