#pragma once
// The posterior of a Gaussian mixture's components: q(mu, Lambda), with
//   normal_wishart: mu | Lambda ~ N(m, (b Lambda)^-1), Lambda ~ Wishart(nu, W);
//   independent:    mu ~ N(m, P^-1),                   Lambda ~ Wishart(nu, W).
// W^-1 is stored; factors and expectations are derived from it.

#include "kernels/dispatch.h"
#include "linalg/definite.h"
#include "models/gaussian_mixture/prior.h"
#include "support/large_array.h"
#include "support/random_streams.h"

namespace vtemper {

/// The parameters of one component, outside Components.
struct Component {
  double mean_scale = 1;         ///< b; normal_wishart
  double dof = 1;                ///< nu
  Array<double> mean;            ///< m [D]
  Array<double> mean_precision;  ///< P [D x D]; independent
  Array<double> inverse_scale;   ///< W^-1 [D x D]
};

class Components {
 public:
  /// Polls require_not_interrupted.
  Components(int64_t count, int64_t columns, bool independent);

  int64_t count() const { return count_; }
  int64_t columns() const { return columns_; }
  bool independent() const { return independent_; }
  /// Length of a row: the values of a data row, a one, and zeros (kernels::padding).
  int64_t stride() const { return stride_; }

  Component component() const;  ///< a component with arrays of matching size
  void read(int64_t k, Component& out) const;
  // Each sets some of the parameters and updates what depends on them. Returns false if a matrix is not positive
  // definite even after correction for rounding; the component is then invalid.
  [[nodiscard]] bool write(int64_t k, const Component& in);
  /// Sets m and, for independent components, P.
  [[nodiscard]] bool write_mean(int64_t k, const Component& in);
  /// Sets everything else, after write_mean.
  [[nodiscard]] bool write_precision(int64_t k, const Component& in);

  double mean_scale(int64_t k) const { return mean_scale_[index(k)]; }
  double dof(int64_t k) const { return dof_[index(k)]; }
  const double* mean(int64_t k) const { return mean_.data() + k * stride_; }  ///< [stride], padded with zeros
  const double* mean_precision(int64_t k) const { return mean_precision_.data() + k * matrix_; }
  const double* mean_covariance(int64_t k) const { return mean_covariance_.data() + k * matrix_; }  ///< P^-1
  const double* inverse_scale(int64_t k) const { return inverse_scale_.data() + k * matrix_; }
  const double* scale(int64_t k) const { return scale_.data() + k * matrix_; }                ///< W
  const double* packed_factor(int64_t k) const { return packed_.data() + k * packed_size_; }  ///< A, A'A = W
  double log_inverse_scale(int64_t k) const { return log_inverse_scale_[index(k)]; }          ///< log |W^-1|
  double log_mean_precision(int64_t k) const { return log_mean_precision_[index(k)]; }        ///< log |P|
  double expected_log_determinant(int64_t k) const { return log_determinant_[index(k)]; }     ///< E log |Lambda_k|
  /// E (x - mu)' Lambda (x - mu) at x = m: D / b, or nu tr(W P^-1).
  double spread(int64_t k) const { return spread_[index(k)]; }
  /// E log p(x | z = k) = expected_constant(k) - nu/2 (x - m)' W (x - m).
  double expected_constant(int64_t k) const;

 private:
  int64_t count_, columns_, stride_, matrix_, packed_size_;
  bool independent_;
  Array<double> mean_scale_, dof_;                                                   ///< [K]
  Array<double> mean_;                                                               ///< [K x stride]
  LargeArray<double> mean_precision_, mean_covariance_, inverse_scale_, scale_;      ///< [K x D x D]
  LargeArray<double> packed_;                                                        ///< [K x packed size]
  Array<double> log_inverse_scale_, log_mean_precision_, log_determinant_, spread_;  ///< [K]
  Array<double> factor_, factor_inverse_;                                            ///< [D x D] workspace
  Array<double> arguments_;                                                          ///< [D] workspace
  linalg::DefiniteWork work_;

  static size_t index(int64_t k) { return static_cast<size_t>(k); }
  bool factorize(double* matrix);
};

/// Workspace of the updates.
struct ComponentWork {
  explicit ComponentWork(int64_t columns);
  linalg::DefiniteWork definite;
  Array<double> factor;             ///< [D x D]
  Array<double> shift, difference;  ///< [D]
};

// Convex combinations (1 - share) a + share b of natural parameters, into `a`.
/// The natural parameters b, b m, nu and W^-1 + b m m'.
void blend_normal_wishart(Component& a, const Component& b, double share, ComponentWork& work);
/// P and P m. False if the result is not positive definite.
[[nodiscard]] bool blend_normal(Component& a, const Component& b, double share, ComponentWork& work);
/// nu and W^-1.
void blend_wishart(Component& a, const Component& b, double share);

/// A random component with the weight of `size` rows: mean ~ N(mean, covariance) of the data, E Lambda the inverse of
/// that covariance.
void draw(const MixturePrior& prior, const Moments& moments, const Array<double>& covariance_factor,
          const Array<double>& covariance_inverse, double size, RandomStream& stream, Component& out);

}  // namespace vtemper
