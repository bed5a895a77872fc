// Moves of a Gaussian mixture (README.md section 7): two components become the one with the mean and covariance of
// both, and another is cut in two through its mean. A Normal with covariance S that is cut across a direction u, of
// length 1 in its own metric (u = S^(1/2) e with |e| = 1), has halves with the means m +- h u and covariance S - h^2
// u u', where h = sqrt(2 / pi) is the mean of the positive half of a standard Normal. The direction is that of the
// largest variance, or drawn at random.

#include <cmath>
#include <limits>

#include "linalg/eigenvectors.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "models/mergers.h"

namespace vtemper {

namespace {

using linalg::Matrix;
using linalg::square_of;
using linalg::Vector;
using linalg::vector_of;

constexpr double pi = 3.14159265358979323846;

struct Normal {
  Vector mean;
  Matrix covariance;
};

/// The Normal at the expectations of the mean and the precision.
Normal normal_of(const Components& components, int64_t k) {
  const int64_t n = components.columns();
  return {vector_of(components.mean(k), n), square_of(components.inverse_scale(k), n) / components.dof(k)};
}

/// The Normal with the mean and covariance of both, of which the first has this share.
Normal mixed(const Normal& a, const Normal& b, double share) {
  const Vector apart = a.mean - b.mean;
  Normal both = {share * a.mean + (1 - share) * b.mean, share * a.covariance + (1 - share) * b.covariance};
  both.covariance.noalias() += (share * (1 - share)) * apart * apart.transpose();
  return both;
}

/// Component k as if `rows` rows from this Normal were its own. False if that is not positive definite.
bool set_component(const Normal& normal, double rows, const MixturePrior& prior, int64_t k, Components& components) {
  const int64_t n = components.columns();
  Component component = components.component();
  component.mean_scale = prior.mean_scale + rows;
  component.dof = prior.dof + rows;
  vector_of(component.mean.data(), n) = normal.mean;
  square_of(component.inverse_scale.data(), n) = component.dof * normal.covariance;
  if (components.independent()) {
    component.mean_scale = 1;
    if (!linalg::is_definite(normal.covariance.data(), n)) return false;
    const Array<double> precision = linalg::inverse_of(normal.covariance.data(), n);
    square_of(component.mean_precision.data(), n) =
        square_of(prior.mean_precision.data(), n) + rows * square_of(precision.data(), n);
  }
  return components.write(k, component);
}

/// Half the distance of the halves' means. Empty if the covariance is not positive definite.
Vector half_distance(Matrix covariance, const Move& move) {
  const int64_t n = covariance.rows();
  const double h = std::sqrt(2 / pi);
  if (move.variant == 0) {
    linalg::Eigenvectors axes(n);
    linalg::decompose(covariance.data(), n, axes);
    const double variance = axes.eigenvalues()[n - 1];
    if (!(variance > 0)) return {};
    return h * std::sqrt(variance) * axes.eigenvectors().col(n - 1);
  }
  linalg::DefiniteWork work(n);
  if (!linalg::cholesky(covariance.data(), n, work)) return {};
  Vector direction(n);
  RandomStream random = random_of(move);
  for (double& element : direction) element = random.normal();
  direction.normalize();
  const Vector turned = covariance.triangularView<linalg::eigen::Lower>() * direction;
  return h * turned;
}

}  // namespace

/// (n_ab log |S_ab| - n_a log |S_a| - n_b log |S_b|) / 2 for components of n_a and n_b rows with covariances S.
DenseMixture::MergingCost GaussianMixture::merging_cost() const {
  const Components& components = *components_;
  const int64_t n = components.columns();
  const auto log_determinant = [&components, n](int64_t k) {
    return components.log_inverse_scale(k) - static_cast<double>(n) * std::log(components.dof(k));
  };
  return [this, &components, n, log_determinant, work = linalg::DefiniteWork(n)](int64_t a, int64_t b) mutable {
    const double of_a = weights_.concentration[static_cast<size_t>(a)];
    const double of_b = weights_.concentration[static_cast<size_t>(b)];
    Matrix both = mixed(normal_of(components, a), normal_of(components, b), of_a / (of_a + of_b)).covariance;
    if (!linalg::cholesky(both.data(), n, work)) return std::numeric_limits<double>::infinity();
    return 0.5 * ((of_a + of_b) * linalg::log_determinant(both.data(), n) - of_a * log_determinant(a) -
                  of_b * log_determinant(b));
  };
}

/// Changes nothing if a covariance would not be positive definite. Every other round begins from the prior of the
/// options: one that was learned from components of one shape holds components of another shape back.
void GaussianMixture::apply_move(const Move& move) {
  const MovedRows rows = moved_rows(move);
  Components next = *components_;
  const MixturePrior prior = move.round % 2 == 0 ? prior_ : start_prior_;
  const double of_slot = weights_.concentration[static_cast<size_t>(move.slot)];
  const double of_into = weights_.concentration[static_cast<size_t>(move.into)];
  const Normal both = mixed(normal_of(next, move.slot), normal_of(next, move.into), of_slot / (of_slot + of_into));
  if (!set_component(both, rows.both, prior, move.into, next)) return;
  Normal half = normal_of(next, move.from);
  const Vector apart = half_distance(half.covariance, move);
  if (apart.size() == 0) return;
  half.covariance.noalias() -= apart * apart.transpose();
  half.mean += apart;
  if (!set_component(half, rows.half, prior, move.from, next)) return;
  half.mean -= 2 * apart;
  if (!set_component(half, rows.half, prior, move.slot, next)) return;
  prior_ = prior;
  std::swap(*components_, next);
  move_weights(move, rows);
}

void GaussianMixture::copy_globals(const Model& copy) {
  const auto& other = static_cast<const GaussianMixture&>(copy);
  weights_ = other.weights_;
  prior_ = other.prior_;
  *components_ = *other.components_;
}

void GaussianMixture::swap_globals(Model& copy) noexcept {
  auto& other = static_cast<GaussianMixture&>(copy);
  std::swap(weights_, other.weights_);
  std::swap(prior_, other.prior_);
  std::swap(*components_, *other.components_);
}

}  // namespace vtemper
