// The global step of a Gaussian mixture: coordinate ascent component by component (README.md section 2), with
// everything centred at the component's previous mean c. s' is the power of the prior; N, F, G are scaled statistics,
// f = F / N, and a prefix d means "minus c". Covariances are sums of positive definite terms:
//   S = s' W0^-1 + G - N f f'
// is the scatter about the rows' mean c + f, so a mean far from the rows costs no precision in the next step. Updated
// components are computed separately and replace the previous ones once all of them are in their domain.

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/work.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {

namespace {

using linalg::square_of;
using linalg::vector_of;

/// Relative change of the component: its mean in units of its spread, its spread, its number of rows.
double change_of(const Component& before, const Component& after, const double* scale_before, double* work) {
  const int64_t n = static_cast<int64_t>(before.mean.size());
  linalg::VectorMap moved = vector_of(work, n);
  moved = vector_of(after.mean.data(), n) - vector_of(before.mean.data(), n);
  double length = 0;
  for (int64_t i = 0; i < n; ++i) length += moved[i] * square_of(scale_before, n).row(i).dot(moved);
  // trace of W^-1_before W_after^-1 relative to n, approximated by the diagonals
  const double trace = ((square_of(after.inverse_scale.data(), n).diagonal().array() / after.dof) /
                        (square_of(before.inverse_scale.data(), n).diagonal().array() / before.dof))
                           .log()
                           .abs()
                           .sum();
  const double columns = static_cast<double>(n);
  return std::sqrt(std::max(before.dof * length, 0.0) / columns) + trace / columns;
}

}  // namespace

/// Computes dm0 (prior_shift), F (first), f (rows_shift) and S (scatter) in the workspace; returns N. Stochastic
/// annealing of statistics blends in, with share r, those of `size` rows around a random mean.
double GaussianMixture::gather_statistics(int64_t k, double size, const GlobalStep& step, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t n = components.columns();
  const linalg::MatrixMap sums = linalg::matrix_of(
      work.statistics.data() + k * components.stride() * components.stride(), n + 1, n + 1, components.stride());
  const double share = step.perturbation.share;
  double keep = step.scale;
  double drawn = 0;
  if (share > 0) {
    RandomStream stream(step.perturbation.seed, Purpose::perturb, step.perturbation.iteration,
                        component_stream + static_cast<uint64_t>(k));
    draw(prior_, moments_, covariance_factor_, covariance_inverse_, size, stream, work.fresh);
    if (!step.perturbation.natural) {
      keep *= 1 - share;
      drawn = share * size;
    }
  }
  const linalg::ConstVectorMap c = vector_of(components.mean(k), n);
  linalg::VectorMap F = vector_of(work.first.data(), n), f = vector_of(work.rows_shift.data(), n);
  linalg::MatrixMap S = square_of(work.scatter.data(), n);
  vector_of(work.prior_shift.data(), n) = vector_of(prior_.mean.data(), n) - c;
  const double N = keep * sums(n, n) + drawn;
  F = keep * sums.row(n).head(n).transpose();
  S = step.prior.inverse * square_of(prior_.inverse_scale.data(), n) + keep * sums.topLeftCorner(n, n);
  if (drawn > 0) {
    linalg::VectorMap difference = vector_of(work.update_work.difference.data(), n);
    difference = vector_of(work.fresh.mean.data(), n) - c;
    F += drawn * difference;
    S += drawn * square_of(moments_.covariance.data(), n);
    S.noalias() += drawn * difference * difference.transpose();
  }
  f.setZero();
  if (N > 0) f = F / N;
  S.noalias() -= N * f * f.transpose();
  S.triangularView<linalg::eigen::StrictlyUpper>() = S.transpose();
  return N;
}

/// b = s' b0 + N,  b dm = s' b0 dm0 + F,  nu = D + s' (nu0 - D) + N,
/// W^-1 = S + s' b0 N / b (dm0 - f)(dm0 - f)'.
bool GaussianMixture::update_normal_wishart(int64_t k, double N, const GlobalStep& step, MixtureWork& work) const {
  const int64_t n = components_->columns();
  const double columns = static_cast<double>(n);
  const double power = step.prior.inverse;
  const double prior_scale = power * prior_.mean_scale;
  const linalg::VectorMap F = vector_of(work.first.data(), n), f = vector_of(work.rows_shift.data(), n);
  const linalg::VectorMap dm0 = vector_of(work.prior_shift.data(), n);
  linalg::VectorMap difference = vector_of(work.update_work.difference.data(), n);
  Component& next = work.update;
  const double b = next.mean_scale = prior_scale + N;
  next.dof = (power == 1 ? prior_.dof : columns + power * (prior_.dof - columns)) + N;
  vector_of(next.mean.data(), n) = vector_of(components_->mean(k), n) + (prior_scale * dm0 + F) / b;
  linalg::MatrixMap inverse_scale = square_of(next.inverse_scale.data(), n);
  inverse_scale = square_of(work.scatter.data(), n);
  difference = dm0 - f;
  inverse_scale.noalias() += (prior_scale * N / b) * difference * difference.transpose();
  if (step.perturbation.share > 0 && step.perturbation.natural) {
    blend_normal_wishart(next, work.fresh, step.perturbation.share, work.update_work);
  }
  if (step.rho < 1) {
    components_->read(k, work.fresh);
    blend_normal_wishart(work.fresh, next, step.rho, work.update_work);
    std::swap(next, work.fresh);
  }
  return work.next->write_mean(k, next);
}

/// P = s' P0 + N nu W,  P dm = s' P0 dm0 + nu W F;  then with the new m and P
/// nu = D + 1 + s' (nu0 - D - 1) + N,
/// W^-1 = S + N (dm - f)(dm - f)' + N P^-1.
bool GaussianMixture::update_independent(int64_t k, double N, const GlobalStep& step, MixtureWork& work) const {
  const int64_t n = components_->columns();
  const double columns = static_cast<double>(n);
  const double power = step.prior.inverse;
  const double nu = components_->dof(k);
  const bool natural = step.perturbation.share > 0 && step.perturbation.natural;
  const linalg::ConstMatrixMap P0 = square_of(prior_.mean_precision.data(), n),
                               W = square_of(components_->scale(k), n);
  const linalg::ConstVectorMap c = vector_of(components_->mean(k), n);
  const linalg::VectorMap F = vector_of(work.first.data(), n), f = vector_of(work.rows_shift.data(), n);
  const linalg::VectorMap dm0 = vector_of(work.prior_shift.data(), n);
  linalg::VectorMap dm = vector_of(work.update_work.shift.data(), n);
  linalg::VectorMap difference = vector_of(work.update_work.difference.data(), n);
  Component& next = work.update;
  linalg::MatrixMap P = square_of(next.mean_precision.data(), n);
  P = power * P0 + (N * nu) * W;
  dm.noalias() = power * P0 * dm0;
  dm.noalias() += nu * W * F;
  square_of(work.update_work.factor.data(), n) = P;
  if (!linalg::cholesky(work.update_work.factor.data(), n, work.update_work.definite)) return false;
  linalg::solve(work.update_work.factor.data(), n, dm.data());
  vector_of(next.mean.data(), n) = c + dm;
  if (natural && !blend_normal(next, work.fresh, step.perturbation.share, work.update_work)) return false;
  if (step.rho < 1) {
    components_->read(k, work.before);
    if (!blend_normal(work.before, next, step.rho, work.update_work)) return false;
    std::swap(work.before.mean, next.mean);
    std::swap(work.before.mean_precision, next.mean_precision);
  }
  if (!work.next->write_mean(k, next)) return false;

  next.dof = (power == 1 ? prior_.dof : 1 + columns + power * (prior_.dof - 1 - columns)) + N;
  difference = vector_of(next.mean.data(), n) - c - f;
  linalg::MatrixMap inverse_scale = square_of(next.inverse_scale.data(), n);
  inverse_scale = square_of(work.scatter.data(), n) + N * square_of(work.next->mean_covariance(k), n);
  inverse_scale.noalias() += N * difference * difference.transpose();
  if (natural) blend_wishart(next, work.fresh, step.perturbation.share);
  if (step.rho < 1) {
    blend_wishart(work.before, next, step.rho);
    next.dof = work.before.dof;
    std::swap(work.before.inverse_scale, next.inverse_scale);
  }
  return true;
}

void GaussianMixture::prepare_components(MixtureWork& work, const GlobalStep& step) const {
  const Components& components = *components_;
  const int64_t count = components.count();
  if (!work.next) work.next.emplace(count, components.columns(), components.independent());
  work.next_weights = weights_;
  // Sizes of the random components: all rows times Dir(1, ..., 1).
  double total = 0;
  if (step.perturbation.share > 0) {
    RandomStream stream(step.perturbation.seed, Purpose::perturb, step.perturbation.iteration,
                        component_stream + static_cast<uint64_t>(count));
    for (double& size : work.sizes) total += size = stream.gamma(1);
  }
  GlobalChange change;
  double concentration = 0;
  for (int64_t k = 0; k < count; ++k) {
    require_not_interrupted();
    const double size = total > 0 ? step.perturbation.rows * work.sizes[static_cast<size_t>(k)] / total : 0;
    const double rows = gather_statistics(k, size, step, work);
    const double prior = weights_.prior[static_cast<size_t>(k)];
    const double before = weights_.concentration[static_cast<size_t>(k)];
    double after = step.prior.concentration(prior) + rows;
    if (step.perturbation.share > 0 && step.perturbation.natural) {
      after = (1 - step.perturbation.share) * after + step.perturbation.share * (prior + size);
    }
    after = (1 - step.rho) * before + step.rho * after;
    work.update.mean_scale = 1;
    const bool updated = components.independent() ? update_independent(k, rows, step, work)
                                                  : update_normal_wishart(k, rows, step, work);
    work.next_weights.concentration[static_cast<size_t>(k)] = after;
    if (!updated || !work.next->write_precision(k, work.update)) {
      throw Error(VTEMPER_ERROR_NUMERIC,
                  message("step ", step.iteration, " would take component ", k,
                          " out of its domain: with means, values or weights of rows this far apart its covariance "
                          "is not positive definite in double precision"));
    }
    components.read(k, work.before);
    change.relative +=
        after * change_of(work.before, work.update, components.scale(k), work.update_work.shift.data()) +
        std::abs(after - before);
    change.unused_components += rows < min_rows_of_component ? 1 : 0;
    concentration += after;
  }
  work.next_weights.refresh();
  if (!std::isfinite(work.next_weights.total)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                message("step ", step.iteration, " would give the components more rows than a double can count"));
  }
  change.relative /= concentration;
  work.change = change;
}

void GaussianMixture::prepare_step(MixtureWork& work, const GlobalStep& step) const {
  prepare_components(work, step);
  const PriorLearning learned = learning();
  if (learned == PriorLearning::none) return;
  const double columns = static_cast<double>(components_->columns()), dof = start_prior_.dof;
  work.prior.prior = prior_;
  if (learned == PriorLearning::strength) {
    constexpr double least = 1.0 / 3, most = 16;  // rows per column that the prior is worth
    const PriorLimits limits = {std::min((1 + least) * columns + 1, dof), std::max((1 + most) * columns + 1, dof),
                                &start_prior_};
    learn_strength(*work.next, limits, work.prior, work.prior.prior);
    return;
  }
  const PriorLimits limits = {std::min(columns, dof), std::max(columns, dof) + moments_.weight, &start_prior_};
  learn_prior(*work.next, limits, work.prior, work.prior.prior);
}

GlobalChange GaussianMixture::global_step(MixtureWork& work, const GlobalStep&) noexcept {
  std::swap(weights_, work.next_weights);
  std::swap(*components_, *work.next);
  if (learning() != PriorLearning::none) std::swap(prior_, work.prior.prior);
  return work.change;
}

/// Whether a symmetrised KL divergence of the expected Normals is below a tenth of a nat.
bool GaussianMixture::are_alike(int64_t a, int64_t b) const {
  constexpr double min_divergence = 0.1;
  const Components& components = *components_;
  const int64_t columns = components.columns();
  const auto dot = kernels::instruction_set().double_precision.dot;
  // (m_i - m_j)' E Lambda_i (m_i - m_j)
  const auto distance = [&](int64_t i, int64_t j) {
    return components.dof(i) * linalg::squared_distance(square_of(components.scale(i), columns),
                                                        vector_of(components.mean(i), columns),
                                                        vector_of(components.mean(j), columns));
  };
  // tr(E Lambda_i (E Lambda_j)^-1) - D
  const auto spread = [&](int64_t i, int64_t j) {
    return components.dof(i) / components.dof(j) *
               dot(components.scale(i), components.inverse_scale(j), columns * columns) -
           static_cast<double>(columns);
  };
  if (distance(a, b) >= 2 * min_divergence) return false;
  return 0.5 * (distance(a, b) + distance(b, a) + spread(a, b) + spread(b, a)) < min_divergence;
}

}  // namespace vtemper
