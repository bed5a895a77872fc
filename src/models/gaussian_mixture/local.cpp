// The local step of a Gaussian mixture, in chunks of rows: read and score them (scores.cpp), solve for
// responsibilities (and temperatures per row), accumulate their statistics (statistics.cpp).

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/gaussian_mixture/work.h"
#include "models/log_sum.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// A row's temperature has converged when 1/T changes by less.
constexpr double settled_inverse_temperature = 1e-3;

}  // namespace

std::unique_ptr<MixtureWork> GaussianMixture::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<MixtureWork>(*components_);
  if (data != nullptr) work->reserve(*components_, rows, 1);
  return work;
}

MemoryNeed GaussianMixture::memory(const Data& data, int64_t rows, bool) const {
  // Also valid before the model is initialised.
  const double size = static_cast<double>(settings_.components);
  const double stride = static_cast<double>(kernels::padded(data.columns() + 1));
  const double matrix = static_cast<double>(data.columns()) * static_cast<double>(data.columns());
  const double places = static_cast<double>(tiles_of(std::min(rows, chunk_rows)) * kernels::tile_rows);
  const double matrices = settings_.independent ? 4.5 : 2.5;  // W^-1, W, half a factor; P, P^-1
  const double matrices_of_work = settings_.learning != PriorLearning::none ? 16 : 10;
  const double updated = size * (matrices * matrix + stride);  // a second set of components
  constexpr double numbers_of_row = 8;
  MemoryNeed need;
  need.parameters = sizeof(double) * size * (matrices * matrix + stride);
  const double of_thread = stride * static_cast<double>(statistics_rows + 2 * kernels::tile_rows);
  need.work = sizeof(double) *
              (size * stride * stride + updated + matrices_of_work * matrix +
               places * (stride + static_cast<double>(data.columns()) + 2.5 * size + numbers_of_row) + of_thread);
  return need;
}

void GaussianMixture::solve_chunk(const Batch& chunk, const LocalTemperature& temperature,
                                  const LocalSettings& settings, MixtureWork& work) const {
  take_expectations(work);
  score_chunk(chunk, temperature.per_row || work.every_score ? 0 : temperature.inverse, settings.threads, work);
  parallel_for(settings.threads, tiles_of(work.count),
               [&](int64_t index, int) { work.solve_tile(index, temperature); });
  if (!work.missing_rows.empty()) solve_missing(temperature, work);

  work.settle_empty_rows(0, work.count, weights_);
  parallel_for(settings.threads, tiles_of(work.count),
               [&](int64_t index, int) { work.perturb_tile(index, settings.perturbation); });
}

/// Rows with M missing values: phi_k prop. exp(s e_k + h_k) with h_k = log of the integral over the missing values at
/// s = 1 (missing.h), F = log sum_k exp(s e_k + h_k) - M/2 log s, L = sum_k phi_k e_k - M / (2 s).
void GaussianMixture::solve_missing(const LocalTemperature& temperature, MixtureWork& work) const {
  const Components& components = *components_;
  const int64_t count = components.count();
  for (size_t i = 0; i < work.missing_rows.size(); ++i) {
    const int64_t t = work.missing_rows[i];
    const double missing = work.missing_values[static_cast<size_t>(t)];
    const double* log_determinants = work.log_determinants.data() + i * static_cast<size_t>(count);
    const auto log_weight = [&](int64_t k, double power) {
      return power * work.scores[MixtureWork::place(count, k, t)] +
             0.5 * (missing * (log_two_pi - std::log(components.dof(k))) - log_determinants[k]);
    };
    double power = temperature.per_row ? temperature.per_row->start : temperature.inverse;
    double likelihood = 0, log_sum = 0;
    const auto solve = [&] {
      LogSum sum;
      for (int64_t k = 0; k < count; ++k) sum.add(log_weight(k, power));
      log_sum = sum.value();
      likelihood = -missing / (2 * power);
      for (int64_t k = 0; k < count; ++k) {
        const size_t place = MixtureWork::place(count, k, t);
        work.responsibilities[place] = std::exp(log_weight(k, power) - log_sum);
        likelihood += work.responsibilities[place] * work.scores[place];
      }
    };
    for (int round = 0; temperature.per_row && round < temperature.per_row->rounds; ++round) {
      solve();
      const double before = power;
      power = temperature.per_row->expected_inverse(likelihood, 1);
      if (std::abs(power - before) < settled_inverse_temperature) break;
    }
    solve();
    double bound = log_sum - missing / 2 * std::log(power);
    if (temperature.per_row) bound += temperature.per_row->log_evidence(likelihood, 1) - power * likelihood;
    work.powers[static_cast<size_t>(t)] = power;
    work.means[static_cast<size_t>(t)] = likelihood;
    work.bounds[static_cast<size_t>(t)] = bound;
  }
}

void GaussianMixture::take_expectations(MixtureWork& work) const {
  for (size_t k = 0; k < work.constants.size(); ++k) {
    const auto component = static_cast<int64_t>(k);
    work.constants[k] = weights_.expected_logs[k] + components_->expected_constant(component);
    work.factors[k] = -0.5 * components_->dof(component);
  }
}

}  // namespace vtemper
