// The gradient of a step: for each row that of its posterior; then, for each word, that of its weights,
//   d / dW_kv = slope_kv sum_d weight_d (1/S) sum_s z_dsk (x_dv / rate_dsv - 1).

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/dispatch.h"
#include "models/deep_exponential_family/kernels.h"
#include "models/deep_exponential_family/poisson.h"
#include "models/deep_exponential_family/work.h"
#include "models/variation.h"
#include "support/error.h"
#include "support/prefetch.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
std::unique_ptr<GradientFit> DeepExponentialFamily<Real>::begin_fit(const Data* data, int64_t rows) const {
  require_initialized();
  constexpr bool single = sizeof(Real) == sizeof(float);
  const int64_t latent = settings_.latent;
  auto work = std::make_unique<Work>(*this);
  work->gradient_.resize(single, values_.length());
  work->word_end.resize(static_cast<size_t>(columns_ + 1));
  work->drawn_sum.resize(static_cast<size_t>(latent));
  if (data == nullptr) return work;
  work->row_values_.resize(single, data->rows() * latent);
  std::fill_n(work->row_values_.template of<Real>(), data->rows() * latent, static_cast<Real>(start_eta));
  work->batch_rows.reserve(static_cast<size_t>(rows));
  // Number of entries in the largest possible batch.
  std::vector<int64_t> lengths(static_cast<size_t>(data->rows()));
  for (int64_t row = 0; row < data->rows(); ++row) lengths[static_cast<size_t>(row)] = data->counts().row_length(row);
  const auto longest = lengths.begin() + std::min(rows, data->rows());
  std::partial_sort(lengths.begin(), longest, lengths.end(), std::greater<>());
  size_t entries = 0;
  for (auto length = lengths.begin(); length != longest; ++length) entries += static_cast<size_t>(*length);
  work->columns.reserve(entries);
  work->counts.reserve(entries);
  work->entry_of_word.reserve(entries);
  work->word_gradients.reserve(entries * static_cast<size_t>(latent));
  return work;
}

template <class Real>
void ExponentialFamilyWork<Real>::load(const ContainerReader& reader) {
  row_values_.load("optimizer.rows", reader);
  const Real* values = row_values_.template of<Real>();
  if (!std::all_of(values, values + row_values_.length(), [](Real value) { return std::isfinite(value); })) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds posteriors of rows that are not finite"));
  }
}

template <class Real>
GradientSums DeepExponentialFamily<Real>::forward(const Batch& batch, const GradientSettings& settings,
                                                  Work& work) const {
  const int64_t latent = settings_.latent;
  work.row_gradient_.resize(sizeof(Real) == sizeof(float), batch.count * latent);
  work.means.resize(static_cast<size_t>(batch.count * latent));
  work.drawn.resize(static_cast<size_t>(batch.count * latent));
  work.scratch.resize(static_cast<size_t>(settings.threads));
  for (auto& scratch : work.scratch) scratch.shape(latent, settings_.samples);
  read_rows(batch, settings.threads, work);
  link(settings.threads, work.links);
  parallel_for(settings.threads, batch.count,
               [&](int64_t i, int thread) { solve_row(batch, i, settings, thread, work); });
  GradientSums sums;
  for (const auto& row : work.batch_rows) {
    sums.add_row(row.weight, row.sums.elbo, row.sums.objective, row.sums.expected_log_likelihood);
    sums.pull += row.sums.pull;
  }
  if (settings.report) {
    sums.active_units =
        sums.rows * count_active_units(
                        batch.count, latent,
                        [&](int64_t i, int64_t k) { return work.means[static_cast<size_t>(i * latent + k)]; },
                        [&](int64_t i) { return work.batch_rows[static_cast<size_t>(i)].weight; });
  }
  return sums;
}

/// Indexes the batch: the words of all rows, and the entries of each word in row order.
template <class Real>
void DeepExponentialFamily<Real>::read_rows(const Batch& batch, int threads, Work& work) const {
  const Counts& counts = batch.data->counts();
  work.batch_rows.resize(static_cast<size_t>(batch.count));
  int64_t entries = 0;
  for (int64_t i = 0; i < batch.count; ++i) {
    auto& row = work.batch_rows[static_cast<size_t>(i)];
    row = {entries, counts.row_length(batch.row(i)), batch.data->weight(batch.row(i)), {}};
    entries += row.words;
  }
  work.columns.resize(static_cast<size_t>(entries));
  work.counts.resize(static_cast<size_t>(entries));
  work.entry_of_word.resize(static_cast<size_t>(entries));
  work.word_gradients.resize(static_cast<size_t>(entries * settings_.latent));
  parallel_for(threads, batch.count, [&](int64_t i, int) {
    auto& row = work.batch_rows[static_cast<size_t>(i)];
    row.words =
        counts.read_row(batch.row(i), row.words, work.columns.data() + row.begin, work.counts.data() + row.begin);
  });
  work.word_end.fill(0);
  for (const auto& row : work.batch_rows) {
    for (int64_t e = row.begin; e < row.begin + row.words; ++e) {
      ++work.word_end[static_cast<size_t>(work.columns[static_cast<size_t>(e)]) + 1];
    }
  }
  for (size_t v = 1; v < work.word_end.size(); ++v) work.word_end[v] += work.word_end[v - 1];
  // word_end[v] moves from the beginning to the end of the entries of v.
  for (const auto& row : work.batch_rows) {
    for (int64_t e = row.begin; e < row.begin + row.words; ++e) {
      const auto v = static_cast<size_t>(work.columns[static_cast<size_t>(e)]);
      work.entry_of_word[static_cast<size_t>(work.word_end[v]++)] = static_cast<int32_t>(e);
    }
  }
}

/// Samples, scores and gradients of row i of the batch.
template <class Real>
void DeepExponentialFamily<Real>::solve_row(const Batch& batch, int64_t i, const GradientSettings& settings,
                                            int thread, Work& work) const {
  auto& scratch = work.scratch[static_cast<size_t>(thread)];
  auto& row = work.batch_rows[static_cast<size_t>(i)];
  const int64_t latent = settings_.latent, samples = settings_.samples;
  const FamilyDocument<Real> document = {work.columns.data() + row.begin, work.counts.data() + row.begin, row.words,
                                         1};
  const uint64_t place = batch.place(i);
  if (settings.fed) {
    const auto steps = static_cast<uint64_t>(settings_.local_iterations);
    fit_row(work.links, document, settings.temperature, settings_.local_iterations,
            {settings.seed, Purpose::fed_rows, settings.iteration * steps, place}, scratch);
  } else {
    take_posterior(work.row_values_.template of<Real>() + batch.row(i) * latent, scratch);
  }
  RandomStream random(settings.seed, Purpose::sample, settings.iteration, place);
  draw(random, samples, scratch);
  const auto factor = static_cast<Real>(row.weight / static_cast<double>(samples));
  score(work.links, document, factor, work.word_gradients.data() + row.begin * latent, scratch);
  Real* gradient = work.row_gradient_.template of<Real>() + i * latent;
  ascend(settings.temperature, gradient, scratch);

  for (int64_t s = 0; s < samples; ++s) {
    double log_prior = 0, log_q = 0;
    for (int64_t k = 0; k < latent; ++k) {
      log_prior += scratch.log_prior[static_cast<size_t>(k * samples + s)];
      log_q += scratch.log_q[static_cast<size_t>(k * samples + s)];
    }
    const double log_likelihood = scratch.log_likelihood[static_cast<size_t>(s)];
    row.sums.expected_log_likelihood += log_likelihood;
    row.sums.elbo += log_likelihood + log_prior - log_q;
    row.sums.objective += log_likelihood + log_prior - settings.temperature * log_q;
  }
  for (double* sum : {&row.sums.expected_log_likelihood, &row.sums.elbo, &row.sums.objective}) {
    *sum /= static_cast<double>(samples);
  }
  for (int64_t k = 0; k < latent; ++k) {
    const Real* z = scratch.z.data() + k * samples;
    Real sum = 0;
    for (int64_t s = 0; s < samples; ++s) sum += z[s];
    work.drawn[static_cast<size_t>(i * latent + k)] = factor * sum;
    work.means[static_cast<size_t>(i * latent + k)] = static_cast<double>(scratch.rate[static_cast<size_t>(k)]);
    row.sums.pull += std::abs(static_cast<double>(gradient[k]));
  }
}

/// With f' the derivative with respect to the rate:
///   mean_variance  lambda, twice: mean and variance of a Poisson variable     f' = 1
///   kl             lambda log(lambda / r0) - lambda + r0                      f' = log(lambda / r0)
///   entropy        that of the Poisson distribution (poisson.h)
template <class Real>
void DeepExponentialFamily<Real>::row_statistics(Statistic statistic, const RealArray& parameters, double* statistics,
                                                 double* slopes) const {
  const auto& table = kernels::table<Real>(kernels::model_kernels<kernels::FamilyKernels>());
  const int64_t latent = settings_.latent;
  const auto* eta = static_cast<const Real*>(parameters.data);
  constexpr int64_t at_once = 32;
  Real rates[at_once], links[at_once];
  for (int64_t first = 0; first < latent; first += at_once) {
    const int64_t count = std::min(at_once, latent - first);
    table.softplus(eta + first, rates, links, count);
    for (int64_t j = 0; j < count; ++j) {
      const int64_t k = first + j;
      const double rate = static_cast<double>(std::max(rates[j], static_cast<Real>(min_rate)));
      const double link = static_cast<double>(links[j]);
      if (statistic == Statistic::mean_variance) {
        statistics[k] = statistics[latent + k] = rate;
        slopes[k] = slopes[latent + k] = link;
      } else if (statistic == Statistic::kl) {
        const double log_ratio = std::log(rate / settings_.prior_rate);
        statistics[k] = rate * log_ratio - rate + settings_.prior_rate;
        slopes[k] = log_ratio * link;
      } else {
        const PoissonEntropy entropy = poisson_entropy(rate);
        statistics[k] = entropy.value;
        slopes[k] = entropy.slope * link;
      }
    }
  }
}

/// The gradient of all weights, in parallel over words.
template <class Real>
void DeepExponentialFamily<Real>::collect(int threads, Work& work) const {
  const int64_t latent = settings_.latent;
  Real* gradient = work.gradient_.template of<Real>();
  work.drawn_sum.fill(0);
  for (size_t i = 0; i < work.batch_rows.size(); ++i) {
    const Real* drawn = work.drawn.data() + static_cast<int64_t>(i) * latent;
    for (int64_t k = 0; k < latent; ++k) work.drawn_sum[static_cast<size_t>(k)] += drawn[k];
  }
  const Real* drawn_sum = work.drawn_sum.data();
  constexpr int64_t ahead = 4;  // entries of a word lie far apart in memory
  const auto entries = static_cast<int64_t>(work.entry_of_word.size());
  const auto gradient_of = [&](int64_t e) {
    return work.word_gradients.data() + work.entry_of_word[static_cast<size_t>(e)] * latent;
  };
  parallel_for(threads, (columns_ + words_at_once - 1) / words_at_once, [&](int64_t block, int) {
    const int64_t end = std::min(columns_, (block + 1) * words_at_once);
    for (int64_t v = block * words_at_once; v < end; ++v) {
      Real* out = gradient + v * latent;
      for (int64_t k = 0; k < latent; ++k) out[k] = -drawn_sum[k];
      const int64_t last = work.word_end[static_cast<size_t>(v)];
      for (int64_t e = v == 0 ? 0 : work.word_end[static_cast<size_t>(v - 1)]; e < last; ++e) {
        if (e + ahead < entries) prefetch(gradient_of(e + ahead), latent * static_cast<int64_t>(sizeof(Real)));
        const Real* of_entry = gradient_of(e);
        for (int64_t k = 0; k < latent; ++k) out[k] += of_entry[k];
      }
      const Real* slope = work.links.slope.data() + v * latent;
      for (int64_t k = 0; k < latent; ++k) out[k] *= slope[k];
    }
  });
}

template struct ExponentialFamilyWork<float>;
template struct ExponentialFamilyWork<double>;

}  // namespace vtemper

#include "models/deep_exponential_family/instances.inc"
