// The local step, the global step, the parameters' terms of the objective, the normaliser (README.md sections 1 to
// 4). Scores are matrix products of rows and the components' log odds.

#include <algorithm>
#include <cmath>

#include "linalg/products.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/dirichlet.h"
#include "models/log_sum.h"
#include "support/random_streams.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr int64_t tile_rows = kernels::tile_rows;
/// Columns per block of statistics accumulated by a thread.
constexpr int64_t column_block = 64;
/// Two components are duplicates if their probabilities differ by less on average.
constexpr double duplicate_distance = 1e-2;

}  // namespace

std::unique_ptr<BernoulliWork> BernoulliMixture::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<BernoulliWork>();
  work->marks_missing = true;
  work->statistics.resize(static_cast<size_t>(statistics_length()));
  work->of_strength.reserve(static_cast<size_t>(columns_));
  if (data != nullptr) work->reserve(count(), columns_, rows);
  return work;
}

MemoryNeed BernoulliMixture::memory(const Data& data, int64_t rows, bool) const {
  const double size = static_cast<double>(weights_.prior.size());
  const double columns = static_cast<double>(data.columns());
  const double places = static_cast<double>(tiles_of(std::min(rows, chunk_rows)) * tile_rows);
  constexpr double arrays_of_components = 5;                   // of BernoulliPosterior
  constexpr double arrays_of_work = 2 + arrays_of_components;  // statistics, and the prepared step
  constexpr double arrays_of_rows = 4;                         // values and marks of missing ones, also in tiles
  MemoryNeed need;
  need.parameters = sizeof(double) * arrays_of_components * size * columns;
  need.work = sizeof(double) * (arrays_of_work * size * columns + places * (arrays_of_rows * columns + 2 * size));
  return need;
}

void BernoulliMixture::solve_chunk(const Batch& chunk, const LocalTemperature& temperature,
                                   const LocalSettings& settings, BernoulliWork& work) const {
  work.reserve(count(), columns_, chunk.count);
  work.begin(chunk);
  parallel_for(settings.threads, tiles_of(chunk.count), [&](int64_t tile, int) {
    const int64_t first = tile * tile_rows, last = std::min(first + tile_rows, chunk.count);
    double* scores = work.scores.data() + first * count();
    const auto add_scores = [&](const Array<double>& coefficients, const Array<double>& tiles) {
      linalg::add_product({coefficients.data(), columns_, 1, tiles.data() + first * columns_, tile_rows, scores,
                           tile_rows, count(), columns_, tile_rows});
    };
    work.read_tile(tile);
    for (int64_t k = 0; k < count(); ++k) {
      std::fill_n(scores + k * tile_rows, tile_rows, posterior_.constants[static_cast<size_t>(k)]);
    }
    add_scores(posterior_.odds, work.tiles_values);
    if (work.misses(tile)) add_scores(posterior_.omissions, work.tiles_missing);
    for (size_t t = static_cast<size_t>(first); t < static_cast<size_t>(last); ++t) {
      work.tokens[t] -= work.missing_values[t] / static_cast<double>(columns_);
    }
    work.solve_tile(tile, temperature);
    work.settle_empty_rows(first, last, weights_);
    work.perturb_tile(tile, settings.perturbation);
  });
}

/// Adds up the rows of each component and then, by blocks of columns, their ones and missing values.
void BernoulliMixture::collect(int threads, BernoulliWork& work) const {
  double* ones = work.statistics.data() + count();
  double* missing = ones + count() * columns_;
  work.weigh(work.statistics.data());
  parallel_for(threads, (columns_ + column_block - 1) / column_block, [&](int64_t block, int) {
    const int64_t first = block * column_block, width = std::min(column_block, columns_ - first);
    for (int64_t tile = 0; tile < tiles_of(work.count); ++tile) {
      const double* shares = work.responsibilities.data() + tile * tile_rows * count();
      const auto add = [&](const Array<double>& values, int64_t stride, double* sums) {
        linalg::add_product({shares, tile_rows, 1, values.data() + tile * tile_rows * stride + first, stride,
                             sums + first, columns_, count(), tile_rows, width});
      };
      add(work.rows, work.stride, ones);
      if (work.misses(tile)) add(work.missing, columns_, missing);
    }
  });
}

std::vector<Quantity> BernoulliMixture::statistics() const {
  return {{"rows", {count()}, false, "Expected rows of each component."},
          {"ones", {count(), columns_}, false, "Expected ones of each component in each column."},
          {"missing", {count(), columns_}, false, "Expected missing values of each component in each column."}};
}

/// Log densities are the bounds of rows under the means of the parameters: pi and theta are independent and the
/// probability of one row is linear in each.
void BernoulliMixture::infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const {
  if (quantity != "log_density") return DenseMixtureOf::infer_rows(data, quantity, threads, sink);
  BernoulliMixture of_means = *this;
  of_means.posterior_.take_logs(weights_, true);
  of_means.DenseMixtureOf::infer_rows(data, quantity, threads, sink);
}

/// Missing values become sum_k phi_k E theta_kd (README.md section 4).
void BernoulliMixture::complete_chunk(int64_t first, int threads, const BernoulliWork& work, const Sink& sink) const {
  work.write_completed(first, threads, sink, [this](int64_t k, int64_t d) { return mean(k, d); });
}

void BernoulliPosterior::take_logs(const MixtureWeights& weights, bool of_means) {
  const auto& table = kernels::instruction_set().double_precision;
  const auto logarithm = of_means ? table.logarithm : table.digamma;
  odds = ones;
  omissions = zeros;
  totals.resize(ones.size());
  for (size_t i = 0; i < ones.size(); ++i) totals[i] = ones[i] + zeros[i];
  for (Array<double>* array : {&odds, &omissions, &totals}) {
    logarithm(array->data(), array->data(), static_cast<int64_t>(array->size()));
  }
  weights.take_logs(of_means, constants);
  const size_t columns = ones.size() / constants.size();
  for (size_t k = 0, i = 0; k < constants.size(); ++k) {
    for (size_t d = 0; d < columns; ++d, ++i) {
      odds[i] -= omissions[i];
      omissions[i] = totals[i] - omissions[i];
      constants[k] -= omissions[i];
    }
  }
}

/// Stochastic annealing draws components with equal shares of the rows and theta_kd uniform on (1/4, 3/4).
void BernoulliMixture::prepare_components(BernoulliWork& work, const GlobalStep& step) const {
  const Perturbation& perturbation = step.perturbation;
  const double drawn_rows = perturbation.rows / static_cast<double>(count());
  work.next_weights = weights_;
  work.next.ones = posterior_.ones;
  work.next.zeros = posterior_.zeros;
  work.change = {};
  DirichletStep of_parameters(step);
  work.next_strength = prior_.strength;
  const size_t components = weights_.prior.size(), columns = prior_.ones.size();
  const double* ones = work.statistics.data() + components;
  const double* missing = ones + components * columns;
  for (size_t k = 0; k < components; ++k) {
    const double rows = work.statistics[k], prior = weights_.prior[k];
    RandomStream random(perturbation.seed, Purpose::perturb, perturbation.iteration, component_stream + k);
    work.change.unused_components += step.scale * rows < min_rows_of_component ? 1 : 0;
    double& weight = work.next_weights.concentration[k];
    weight = of_parameters.next(weight, prior, rows, prior + drawn_rows);
    for (size_t d = 0, i = k * columns; d < columns; ++d, ++i) {
      const double theta = perturbation.share > 0 ? 0.25 + 0.5 * random.uniform() : 0;
      const double one = prior_.strength * prior_.ones[d], zero = prior_.strength * prior_.zeros[d];
      const double of_zeros = rows - ones[i] - missing[i];
      work.next.ones[i] = of_parameters.next(posterior_.ones[i], one, ones[i], one + drawn_rows * theta);
      work.next.zeros[i] = of_parameters.next(posterior_.zeros[i], zero, of_zeros, zero + drawn_rows * (1 - theta));
    }
  }
  if (!of_parameters.is_below(largest_weight)) refuse_step(step.iteration, "the expected numbers of rows");
  work.change.relative = of_parameters.change();
  work.next_weights.refresh();
  work.next.take_logs(work.next_weights, false);
}

/// Only a step that is neither hot nor perturbed learns the prior: components that heat has made nearly equal call
/// for a strong prior, which would keep them equal. So would one that outweighs the rows of the average component.
void BernoulliMixture::prepare_step(BernoulliWork& work, const GlobalStep& step) const {
  prepare_components(work, step);
  constexpr double rounding = 1e-12;  // temperatures of rows are averaged
  const bool is_cold = step.inverse_temperature >= 1 - rounding && step.prior.inverse == 1;
  if (!options_.boolean("learn_priors") || !is_cold || step.perturbation.share > 0) return;
  double rows = 0;
  for (int64_t k = 0; k < count(); ++k) rows += step.scale * work.statistics[static_cast<size_t>(k)];
  const double largest = std::max(rows / static_cast<double>(count()), prior_.strength);
  work.next_strength = best_strength(prior_, work.next, largest, work.of_strength);
}

GlobalChange BernoulliMixture::global_step(BernoulliWork& work, const GlobalStep&) noexcept {
  prior_.strength = work.next_strength;
  std::swap(weights_, work.next_weights);
  std::swap(posterior_, work.next);
  return work.change;
}

/// For a Beta with parameters l, prior a and expected logarithms E, with a' the prior at its power s:
///   log B(l) - s log B(a) + sum (a' - l) E.
/// Where these terms would cancel: the divergence from the prior at its power, and log B(a') - s log B(a), which is 0
/// at s = 1.
double BernoulliMixture::global_bound(const PriorPower& power) const {
  const BernoulliPosterior& q = posterior_;
  double bound = weights_.bound(power);
  for (size_t d = 0; d < prior_.ones.size(); ++d) {
    const double prior_one = prior_.strength * prior_.ones[d], prior_zero = prior_.strength * prior_.zeros[d];
    const double one = power.concentration(prior_one), zero = power.concentration(prior_zero);
    const double of_prior = power.inverse * log_beta(prior_one, prior_zero);
    for (size_t i = d; i < q.ones.size(); i += prior_.ones.size()) {
      if (std::min(one + zero, q.ones[i] + q.zeros[i]) > large_parameter) {
        const double ones = q.ones[i] - one, zeros = q.zeros[i] - zero;
        bound += log_gamma_gap(one + zero, ones + zeros) - log_gamma_gap(one, ones) - log_gamma_gap(zero, zeros);
        if (power.inverse != 1) bound += log_beta(one, zero) - of_prior;
        continue;
      }
      bound -= of_prior;
      bound += log_beta(q.ones[i], q.zeros[i]) + (one - q.ones[i]) * (q.odds[i] - q.omissions[i]) -
               (zero - q.zeros[i]) * q.omissions[i];
    }
  }
  return bound;
}

/// N log c_s,  c_s = sum_k pi_k^s prod_d (theta_kd^s + (1 - theta_kd)^s): `upper` takes posterior expectations of the
/// powers, `plug_in` exp(s E log) of each.
double BernoulliMixture::log_normalizer(const Normalizer& normalizer, double s, double, double tokens) const {
  const bool plug_in = normalizer.estimate == "plug_in";
  if (s == 1 && !plug_in) return 0;
  const BernoulliPosterior& q = posterior_;
  LogSum sum;
  for (size_t k = 0, columns = prior_.ones.size(); k < q.constants.size(); ++k) {
    const size_t first = k * columns;
    double term = weights_.log_moment(k, s, plug_in);
    if (!plug_in) term += log_binary_moments(&q.ones[first], &q.zeros[first], columns_, s);
    for (size_t i = first; plug_in && i < first + columns; ++i) {
      term += log_sum(s * (q.odds[i] - q.omissions[i]), -s * q.omissions[i]);
    }
    sum.add(term);
  }
  return tokens * sum.value();
}

bool BernoulliMixture::are_alike(int64_t a, int64_t b) const {
  double distance = 0;
  for (int64_t d = 0; d < columns_; ++d) distance += std::abs(mean(a, d) - mean(b, d));
  return distance < duplicate_distance * static_cast<double>(columns_);
}

}  // namespace vtemper
