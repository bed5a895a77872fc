// The global step of a Gaussian mixture: coordinate ascent component by component (mixtures.md, section 2), with
// everything about the component's mean c of before. s' is the power of the prior; N, F, G are scaled statistics.

#include <algorithm>
#include <cmath>

#include "models/gaussian_mixture/triangular.h"
#include "models/gaussian_mixture/work.h"

namespace vtemper {

namespace {

/// Rows that a component must hold to count as used.
constexpr double least_rows = 0.5;
/// Items of the streams of drawn components; rows have those below.
constexpr uint64_t component_stream = uint64_t{1} << 43;

/// What a component has learned from the rows, about its mean.
struct View {
  const double* sums;  ///< [stride x stride]
  int64_t columns, stride;
  double rows() const { return sums[columns * stride + columns]; }                                            ///< N
  double first(int64_t i) const { return sums[columns * stride + i]; }                                        ///< F
  double second(int64_t i, int64_t j) const { return i >= j ? sums[i * stride + j] : sums[j * stride + i]; }  ///< G
};

/// How far the component went: its mean in units of its spread, its spread, its rows.
double change_of(const Component& before, const Component& after, const double* scale_before) {
  const size_t n = before.mean.size();
  double length = 0;
  double trace = 0;  // of W^-1_before W_after^-1 relative to n, by the diagonals
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      length += (after.mean[i] - before.mean[i]) * scale_before[i * n + j] * (after.mean[j] - before.mean[j]);
    }
    const double spread =
        (after.inverse_scale[i * n + i] / after.dof) / (before.inverse_scale[i * n + i] / before.dof);
    trace += std::abs(std::log(spread));
  }
  const double columns = static_cast<double>(n);
  return std::sqrt(std::max(before.dof * length, 0.0) / columns) + trace / columns;
}

}  // namespace

/// Fills first, prior_shift and scatter of the work space; returns N. Stochastic annealing of statistics takes the
/// share r of those of `size` rows around a random mean.
double GaussianMixture::gather_statistics(int64_t k, double size, const GlobalStep& step, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t columns = components.columns();
  const View view = {work.statistics.data() + k * components.stride() * components.stride(), columns,
                     components.stride()};
  const double share = step.perturbation.share;
  double keep = step.scale;
  double drawn = 0;
  if (share > 0) {
    RandomStream stream(step.perturbation.seed, Purpose::perturb, step.perturbation.iteration,
                        component_stream + static_cast<uint64_t>(k));
    draw(prior_, moments_, covariance_factor_, covariance_inverse_, size, k, stream, work.fresh);
    if (!step.perturbation.natural) {
      keep *= 1 - share;
      drawn = share * size;
    }
  }
  const size_t n = static_cast<size_t>(columns);
  const double* centre = components.mean(k);
  for (size_t i = 0; i < n; ++i) {
    work.first[i] = keep * view.first(static_cast<int64_t>(i));
    work.shift[i] = drawn > 0 ? work.fresh.mean[i] - centre[i] : 0;
    if (drawn > 0) work.first[i] += drawn * work.shift[i];
    work.prior_shift[i] = prior_.mean[i] - centre[i];
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double& value = work.scatter[i * n + j];
      value = step.prior.inverse * prior_.inverse_scale[i * n + j] +
              keep * view.second(static_cast<int64_t>(i), static_cast<int64_t>(j));
      if (drawn > 0) value += drawn * (moments_.covariance[i * n + j] + work.shift[i] * work.shift[j]);
    }
  }
  return keep * view.rows() + drawn;
}

/// b = s' b0 + N,  b (m - c) = s' b0 (m0 - c) + F,  nu = D + s' (nu0 - D) + N,
/// W^-1 = s' W0^-1 + G + s' b0 (m0 - c)(m0 - c)' - b (m - c)(m - c)'.
void GaussianMixture::update_normal_wishart(int64_t k, double rows, const GlobalStep& step, MixtureWork& work) const {
  const size_t n = work.shift.size();
  const double columns = static_cast<double>(n);
  const double power = step.prior.inverse;
  const double prior_scale = power * prior_.mean_scale;
  Component& next = work.update;
  next.mean_scale = prior_scale + rows;
  next.dof = (power == 1 ? prior_.dof : columns + power * (prior_.dof - columns)) + rows;
  for (size_t i = 0; i < n; ++i) {
    work.shift[i] = (prior_scale * work.prior_shift[i] + work.first[i]) / next.mean_scale;
    next.mean[i] = components_->mean(k)[i] + work.shift[i];
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      next.inverse_scale[i * n + j] = work.scatter[i * n + j] +
                                      prior_scale * work.prior_shift[i] * work.prior_shift[j] -
                                      next.mean_scale * work.shift[i] * work.shift[j];
    }
  }
  if (step.perturbation.share > 0 && step.perturbation.natural) {
    blend_normal_wishart(next, work.fresh, step.perturbation.share, work.matrix_work.data());
  }
  if (step.rho < 1) {
    components_->read(k, work.fresh);
    blend_normal_wishart(work.fresh, next, step.rho, work.matrix_work.data());
    std::swap(next, work.fresh);
  }
}

/// P = s' P0 + N nu W,  P (m - c) = s' P0 (m0 - c) + nu W F;  then with the new m and P
/// nu = D + 1 + s' (nu0 - D - 1) + N,
/// W^-1 = s' W0^-1 + G - F (m - c)' - (m - c) F' + N (m - c)(m - c)' + N P^-1.
void GaussianMixture::update_independent(int64_t k, double rows, const GlobalStep& step, MixtureWork& work) const {
  const size_t n = work.shift.size();
  const int64_t columns = static_cast<int64_t>(n);
  const double power = step.prior.inverse;
  const double dof = components_->dof(k);
  const double* scale = components_->scale(k);
  const double* centre = components_->mean(k);
  const bool natural = step.perturbation.share > 0 && step.perturbation.natural;
  Component& next = work.update;
  for (size_t i = 0; i < n; ++i) {
    work.shift[i] = 0;
    for (size_t j = 0; j < n; ++j) {
      const double of_prior = power * prior_.mean_precision[i * n + j];
      const double of_rows = dof * scale[i * n + j];
      next.mean_precision[i * n + j] = of_prior + rows * of_rows;
      work.shift[i] += of_prior * work.prior_shift[j] + of_rows * work.first[j];
    }
  }
  double* const factor = work.matrix_work.data();
  std::copy_n(next.mean_precision.data(), n * n, factor);
  cholesky(factor, columns);  // a sum of positive definite matrices
  solve(factor, columns, work.shift.data());
  for (size_t i = 0; i < n; ++i) next.mean[i] = centre[i] + work.shift[i];
  if (natural) blend_normal(next, work.fresh, step.perturbation.share, work.matrix_work.data());
  if (step.rho < 1) {
    components_->read(k, work.before);
    blend_normal(work.before, next, step.rho, work.matrix_work.data());
    std::copy_n(work.before.mean.data(), n, next.mean.data());
    std::copy_n(work.before.mean_precision.data(), n * n, next.mean_precision.data());
  }

  for (size_t i = 0; i < n; ++i) work.shift[i] = next.mean[i] - centre[i];
  std::copy_n(next.mean_precision.data(), n * n, factor);
  cholesky(factor, columns);
  invert_factor(factor, columns, work.inverse_columns.data());
  inverse_from_columns(work.inverse_columns.data(), columns, factor);
  next.dof =
      (power == 1 ? prior_.dof : 1 + static_cast<double>(n) + power * (prior_.dof - 1 - static_cast<double>(n))) +
      rows;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      next.inverse_scale[i * n + j] = work.scatter[i * n + j] - work.first[i] * work.shift[j] -
                                      work.shift[i] * work.first[j] +
                                      rows * (work.shift[i] * work.shift[j] + factor[i * n + j]);
    }
  }
  if (natural) blend_wishart(next, work.fresh, step.perturbation.share);
  if (step.rho < 1) {
    blend_wishart(work.before, next, step.rho);
    next.dof = work.before.dof;
    std::copy_n(work.before.inverse_scale.data(), n * n, next.inverse_scale.data());
  }
}

GlobalChange GaussianMixture::global_step(LocalWork& local_work, const GlobalStep& step) {
  auto& work = static_cast<MixtureWork&>(local_work);
  Components& components = *components_;
  const int64_t count = components.count();
  // Sizes of what is drawn: all rows times Dir(1, ..., 1).
  double total = 0;
  if (step.perturbation.share > 0) {
    RandomStream stream(step.perturbation.seed, Purpose::perturb, step.perturbation.iteration,
                        component_stream + static_cast<uint64_t>(count));
    for (double& size : work.sizes) total += size = stream.gamma(1);
  }
  GlobalChange change;
  double concentration = 0;
  for (int64_t k = 0; k < count; ++k) {
    const double size = total > 0 ? step.perturbation.rows * work.sizes[static_cast<size_t>(k)] / total : 0;
    const double rows = gather_statistics(k, size, step, work);
    const double before = components.concentration(k);
    double after = step.prior.concentration(prior_.concentration[static_cast<size_t>(k)]) + rows;
    if (step.perturbation.share > 0 && step.perturbation.natural) {
      after = (1 - step.perturbation.share) * after + step.perturbation.share * work.fresh.concentration;
    }
    after = (1 - step.rho) * before + step.rho * after;
    if (components.independent()) {
      update_independent(k, rows, step, work);
    } else {
      update_normal_wishart(k, rows, step, work);
    }
    work.update.concentration = after;
    components.read(k, work.before);
    change.relative += after * change_of(work.before, work.update, components.scale(k)) + std::abs(after - before);
    change.unused_components += rows < least_rows ? 1 : 0;
    concentration += after;
    components.write(k, work.update);
  }
  components.refresh_weights();
  change.relative /= concentration;
  return change;
}

bool GaussianMixture::is_used(int64_t k) const {
  return components_->concentration(k) - prior_.concentration[static_cast<size_t>(k)] >= least_rows;
}

/// The first component whose expected Normal is that of `k`, by a symmetrised KL divergence below a tenth of a nat;
/// -1 where there is none before it. Those without rows all equal the prior and repeat nothing.
int64_t GaussianMixture::duplicate_of(int64_t k) const {
  constexpr double least_divergence = 0.1;
  const Components& components = *components_;
  const int64_t columns = components.columns();
  const auto dot = kernels::instruction_set().double_precision.dot;
  // (m_a - m_b)' E Lambda_a (m_a - m_b)
  const auto distance = [&](int64_t a, int64_t b) {
    double sum = 0;
    for (int64_t i = 0; i < columns; ++i) {
      double product = 0;
      for (int64_t j = 0; j < columns; ++j) {
        product += components.scale(a)[i * columns + j] * (components.mean(a)[j] - components.mean(b)[j]);
      }
      sum += product * (components.mean(a)[i] - components.mean(b)[i]);
    }
    return components.dof(a) * sum;
  };
  // tr(E Lambda_a (E Lambda_b)^-1) - D
  const auto spread = [&](int64_t a, int64_t b) {
    return components.dof(a) / components.dof(b) *
               dot(components.scale(a), components.inverse_scale(b), columns * columns) -
           static_cast<double>(columns);
  };
  if (!is_used(k)) return -1;
  for (int64_t a = 0; a < k; ++a) {
    if (!is_used(a) || distance(a, k) >= 2 * least_divergence) continue;
    if (0.5 * (distance(a, k) + distance(k, a) + spread(a, k) + spread(k, a)) < least_divergence) return a;
  }
  return -1;
}

int64_t GaussianMixture::duplicate_components(LocalWork&) const {
  int64_t duplicates = 0;
  for (int64_t k = 1; k < components_->count(); ++k) duplicates += duplicate_of(k) >= 0 ? 1 : 0;
  return duplicates;
}

}  // namespace vtemper
