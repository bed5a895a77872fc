// Scores and posteriors of rows.

#include <algorithm>
#include <cmath>

#include "models/importance_sum.h"
#include "models/normal_draws.h"
#include "models/variation.h"
#include "models/variational_autoencoder/work.h"
#include "support/error.h"
#include "support/random_streams.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Rows encoded together, samples scored by a thread at a time, and such tasks per parallel loop; results do not
/// depend on them.
constexpr int64_t rows_at_once = 240;
constexpr int64_t samples_at_once = 96;
constexpr int64_t tasks_at_once = 64;

/// "dead_units.encoder.0", ...: the share of a hidden layer's units that are inactive.
std::string dead_measure(const char* network, size_t layer) {
  return message("dead_units.", network, ".", static_cast<int64_t>(layer));
}

template <class Real>
double count_off(const Real* units, int64_t count) {
  return static_cast<double>(std::count_if(units, units + count, [](Real unit) { return !(unit > 0); }));
}

template <class Real>
double log_sigmas(const Encoding<Real>& encoding, int64_t row, int64_t latent) {
  return kernels::table<Real>().sum(encoding.log_sigma.data() + row * latent, latent);
}

/// log p(z) - log q(z | x) of one sample of the row.
template <class Real>
double log_ratio(const Encoding<Real>& encoding, int64_t row, double noise_square, const Real* z) {
  const auto& table = kernels::table<Real>();
  const int64_t latent = encoding.latent;
  return 0.5 * noise_square + log_sigmas(encoding, row, latent) - 0.5 * table.dot(z, z, latent);
}

/// Its expectation under q, in closed form.
template <class Real>
double expected_log_ratio(const Encoding<Real>& encoding, int64_t row, double, const Real*) {
  const auto& table = kernels::table<Real>();
  const int64_t latent = encoding.latent;
  const Real* mu = encoding.layers.back().data() + 2 * row * latent;
  const Real* sigma = encoding.sigma.data() + row * latent;
  return 0.5 * static_cast<double>(latent) + log_sigmas(encoding, row, latent) -
         0.5 * (table.dot(mu, mu, latent) + table.dot(sigma, sigma, latent));
}

}  // namespace

/// Encodes the rows in blocks and calls visit(block) on the calling thread.
template <class Real>
template <class Visit>
void VariationalAutoencoder<Real>::for_each_block(const Data& data, int threads, const Visit& visit) const {
  check(data);
  Block block;
  block.first_number = data.first_row;
  for (; block.first < data.rows(); block.first += rows_at_once) {
    block.count = std::min(rows_at_once, data.rows() - block.first);
    block.x.resize(static_cast<size_t>(block.count * columns_));
    block.encoding.shape(encoder_, block.count);
    const Batch batch = {&data, nullptr, block.first, block.count};
    parallel_for(threads, product_tasks(block.count), [&](int64_t task, int) {
      const int64_t first = task * product_rows;
      const int64_t end = std::min(block.count, first + product_rows);
      read_rows(batch, first, end, block.x.data());
      encode(flat(), block.x.data(), first, end, block.encoding);
    });
    visit(block);
  }
}

/// out[n - begin] = log p(x | z) + ratio(row, |eps|^2, z) for the samples begin <= n < end with z = mu + sigma eps.
template <class Real>
template <class Ratio>
void VariationalAutoencoder<Real>::score_samples(const Samples& samples, int64_t begin, int64_t end,
                                                 const Ratio& ratio, double* out, ScoreScratch& scratch) const {
  const auto& table = kernels::table<Real>();
  const int64_t latent = settings_.latent;
  const Block& block = samples.block;
  scratch.z.resize(static_cast<size_t>(samples_at_once * latent));
  scratch.errors.resize(static_cast<size_t>(columns_));
  scratch.outputs.resize(decoder_.size());
  Real* outputs[max_hidden_layers + 1];
  for (size_t l = 0; l < decoder_.size(); ++l) {
    scratch.outputs[l].resize(static_cast<size_t>(samples_at_once * decoder_[l].units));
    outputs[l] = scratch.outputs[l].data();
  }
  for (int64_t n = begin; n < end; ++n) {
    const int64_t i = n / samples.of_row;
    const Real* mu = block.encoding.layers.back().data() + 2 * i * latent;
    const Real* sigma = block.encoding.sigma.data() + i * latent;
    Real* z = scratch.z.data() + (n - begin) * latent;
    RandomStream random(samples.seed, Purpose::evaluate, static_cast<uint64_t>(n % samples.of_row),
                        static_cast<uint64_t>(block.first_number + block.first + i));
    draw_normals(random, latent, z);
    const double noise_square = table.dot(z, z, latent);
    for (int64_t j = 0; j < latent; ++j) z[j] = mu[j] + sigma[j] * z[j];
    out[n - begin] = ratio(block.encoding, i, noise_square, z);
  }
  decode(scratch.z.data(), end - begin, outputs);
  for (int64_t n = begin; n < end; ++n) {
    out[n - begin] += score_row(block.x.data() + n / samples.of_row * columns_, Real(1), samples.noise,
                                outputs[decoder_.size() - 1] + (n - begin) * columns_, scratch.errors.data());
  }
}

/// out [rows]: row_score(scores of the row's samples).
template <class Real>
template <class Ratio, class RowScore>
void VariationalAutoencoder<Real>::score_by_samples(const Data& data, const OptionValues& evaluate, int64_t samples,
                                                    const Ratio& ratio, const RowScore& row_score,
                                                    double* out) const {
  const auto seed = static_cast<uint64_t>(evaluate.integer("seed"));
  const int threads = usable_threads(evaluate.integer("threads"));
  GaussianNoise<Real> gaussian;
  prepare_noise(gaussian);
  std::vector<ScoreScratch> scratches(static_cast<size_t>(threads));
  std::vector<double> scores(static_cast<size_t>(tasks_at_once * samples_at_once));
  for_each_block(data, threads, [&](const Block& block) {
    const int64_t count = block.count * samples;
    ImportanceSum row;
    for (int64_t begin = 0; begin < count; begin += tasks_at_once * samples_at_once) {
      const int64_t end = std::min(count, begin + tasks_at_once * samples_at_once);
      const int64_t tasks = (end - begin + samples_at_once - 1) / samples_at_once;
      parallel_for(threads, tasks, [&](int64_t task, int thread) {
        const int64_t from = begin + task * samples_at_once;
        score_samples({block, samples, seed, gaussian}, from, std::min(end, from + samples_at_once), ratio,
                      scores.data() + (from - begin), scratches[static_cast<size_t>(thread)]);
      });
      for (int64_t n = begin; n < end; ++n) {
        row.add(scores[static_cast<size_t>(n - begin)]);
        if ((n + 1) % samples != 0) continue;
        out[block.first + n / samples] = row_score(row);
        row = {};
      }
    }
  });
}

/// log_marginal by importance sampling (Burda 2016).
template <class Real>
void VariationalAutoencoder<Real>::measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                                                double* out) const {
  if (name == "log_marginal") {
    return score_by_samples(
        data, evaluate, samples_of(evaluate, likelihood_samples), log_ratio<Real>,
        [](const ImportanceSum& row) { return row.log_mean(); }, out);
  }
  const auto ratio = settings_.analytic ? expected_log_ratio<Real> : log_ratio<Real>;
  score_by_samples(
      data, evaluate, samples_of(evaluate, bound_samples), ratio, [](const ImportanceSum& row) { return row.mean(); },
      out);
}

/// Number of latent variables whose posterior mean varies over the rows.
template <class Real>
double VariationalAutoencoder<Real>::active_units(const Data& data, int threads) const {
  std::vector<Variation> means(static_cast<size_t>(settings_.latent));
  for_each_block(data, threads, [&](const Block& block) {
    for (int64_t i = 0; i < block.count; ++i) {
      const Real* mu = block.encoding.layers.back().data() + 2 * i * settings_.latent;
      for (size_t j = 0; j < means.size(); ++j) {
        means[j].add(static_cast<double>(mu[j]), data.weight(block.first + i));
      }
    }
  });
  return static_cast<double>(
      std::count_if(means.begin(), means.end(), [](const Variation& mean) { return mean.active(); }));
}

/// Share of inactive rectified units over rows and units: of one hidden layer, or of the whole encoder. The decoder
/// is evaluated at the posterior means.
template <class Real>
double VariationalAutoencoder<Real>::dead_units(std::string_view name, const Data& data, int threads) const {
  std::vector<Array<Real>> outputs(decoder_.size());
  std::vector<Real*> pointers(decoder_.size());
  Array<Real> means;
  double off = 0;
  double units = 0;
  for_each_block(data, threads, [&](const Block& block) {
    const auto look = [&](const Array<Real>& layer, int64_t width) {
      off += count_off(layer.data(), block.count * width);
      units += static_cast<double>(block.count * width);
    };
    for (size_t l = 0; l + 1 < encoder_.size(); ++l) {
      if (name == "dead_units" || name == dead_measure("encoder", l))
        look(block.encoding.layers[l], encoder_[l].units);
    }
    means.resize(static_cast<size_t>(block.count * settings_.latent));
    for (int64_t i = 0; i < block.count; ++i) {
      std::copy_n(block.encoding.layers.back().data() + 2 * i * settings_.latent, settings_.latent,
                  means.data() + i * settings_.latent);
    }
    for (size_t l = 0; l + 1 < decoder_.size(); ++l) {
      if (name != dead_measure("decoder", l)) continue;
      for (size_t k = 0; k < decoder_.size(); ++k) {
        outputs[k].resize(static_cast<size_t>(block.count * decoder_[k].units));
        pointers[k] = outputs[k].data();
      }
      decode(means.data(), block.count, pointers.data());
      look(outputs[l], decoder_[l].units);
    }
  });
  return units > 0 ? off / units : 0;
}

template <class Real>
std::vector<std::string> VariationalAutoencoder<Real>::measures() const {
  std::vector<std::string> names = {"log_marginal", "active_units", "dead_units"};
  for (size_t l = 0; l < settings_.hidden.size(); ++l) names.push_back(dead_measure("encoder", l));
  for (size_t l = 0; l < settings_.hidden.size(); ++l) names.push_back(dead_measure("decoder", l));
  return names;
}

template <class Real>
double VariationalAutoencoder<Real>::measure(std::string_view name, const Data& data,
                                             const OptionValues& evaluate) const {
  const int threads = usable_threads(evaluate.integer("threads"));
  return name == "active_units" ? active_units(data, threads) : dead_units(name, data, threads);
}

template <class Real>
void VariationalAutoencoder<Real>::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                                              double* tokens) const {
  std::fill_n(tokens, rows.observed.rows(), 1.0);
  measure_rows("log_marginal", rows.observed, evaluate, scores);
}

template <class Real>
std::vector<Quantity> VariationalAutoencoder<Real>::local_quantities(const Data& data) const {
  return {{"latent_mean", {data.rows(), settings_.latent}, false, "Posterior means of the latent variables."},
          {"latent_deviation",
           {data.rows(), settings_.latent},
           false,
           "Posterior standard deviations of the latent variables."},
          {"reconstruction",
           {data.rows(), columns_},
           false,
           "Means of the columns given the posterior means of the latent variables."}};
}

template <class Real>
void VariationalAutoencoder<Real>::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                                         const Sink& sink) const {
  const auto& table = kernels::table<Real>();
  const int64_t latent = settings_.latent;
  std::vector<Array<Real>> outputs(decoder_.size());
  std::vector<Real*> pointers(decoder_.size());
  for (size_t l = 0; l < decoder_.size(); ++l) {
    outputs[l].resize(static_cast<size_t>(decoder_[l].units));
    pointers[l] = outputs[l].data();
  }
  for_each_block(data, usable_threads(evaluate.integer("threads")), [&](const Block& block) {
    for (int64_t i = 0; i < block.count; ++i) {
      const int64_t row = block.first + i;
      const Real* mu = block.encoding.layers.back().data() + 2 * i * latent;
      const Real* sigma = block.encoding.sigma.data() + i * latent;
      if (quantity != "reconstruction") {
        const Real* from = quantity == "latent_mean" ? mu : sigma;
        for (int64_t j = 0; j < latent; ++j) sink(row, j) = static_cast<double>(from[j]);
        continue;
      }
      decode(mu, 1, pointers.data());
      Real* x = pointers.back();
      if (!settings_.gaussian) table.bernoulli_row({x, columns_, x, nullptr});
      for (int64_t j = 0; j < columns_; ++j) {
        const double value = static_cast<double>(x[j]);
        const auto column = static_cast<size_t>(j);
        sink(row, j) = settings_.gaussian ? mean_[column] + deviation_[column] * value : value;
      }
    }
  });
}

}  // namespace vtemper

#include "models/variational_autoencoder/instances.inc"
