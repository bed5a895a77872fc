// The gradient of a step (README.md section 1). For each sample z = mu + sigma eps, with g = grad_z log p(x | z):
//   analytic   E log p(x | z) - sum_j (mu^2 + sigma^2 + log 2 pi) / 2 + T sum_j (log sigma + log(2 pi e) / 2)
//              d mu = mean_s g - mu,           d sigma = mean_s g eps - sigma + T / sigma
//   sampled    mean_s [log p(x | z) + log p(z) - T log q(z | x)]
//              d mu = mean_s (g - z),          d sigma = mean_s (g - z) eps + T / sigma
// Residuals pass through rectified units only where their input is positive.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/normal_draws.h"
#include "models/variation.h"
#include "models/variational_autoencoder/work.h"
#include "support/random_streams.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr int64_t rows_propagated = 4 * kernels::padding;  ///< rows per block

}  // namespace

template <class Real>
std::unique_ptr<GradientFit> VariationalAutoencoder<Real>::begin_fit(const Data*, int64_t rows) const {
  require_initialized();
  auto work = std::make_unique<Work>(*this);
  work->gradient_.resize(sizeof(Real) == sizeof(float), values_.length());
  shape(rows, *work);
  return work;
}

/// Allocates for batches of `rows` rows.
template <class Real>
void VariationalAutoencoder<Real>::shape(int64_t rows, Work& work) const {
  work.rows = rows;
  work.samples = settings_.samples;
  const auto size = [](int64_t a, int64_t b) { return static_cast<size_t>(a * b); };
  const int64_t count = work.count();
  work.x.resize(size(rows, columns_));
  work.weight.resize(static_cast<size_t>(rows));
  work.encoding.shape(encoder_, rows);
  work.encoder_deltas.resize(encoder_.size());
  for (size_t l = 0; l < encoder_.size(); ++l) work.encoder_deltas[l].resize(size(rows, encoder_[l].units));
  for (Array<Real>* array : {&work.noise, &work.z, &work.z_deltas}) array->resize(size(count, settings_.latent));
  work.decoder.resize(decoder_.size());
  work.decoder_deltas.resize(decoder_.size() - 1);
  for (size_t l = 0; l < decoder_.size(); ++l) {
    work.decoder[l].resize(size(count, decoder_[l].units));
    if (l + 1 < decoder_.size()) work.decoder_deltas[l].resize(size(count, decoder_[l].units));
  }
  for (Array<double>* array : {&work.log_likelihood, &work.log_prior, &work.entropy}) {
    array->resize(static_cast<size_t>(rows));
  }
  if (settings_.gaussian) work.errors.resize(size(count, columns_));
  work.layers.reserve(decoder_.size() + encoder_.size());
}

/// Scratch memory of propagate for the largest layer.
template <class Real>
int64_t VariationalAutoencoder<Real>::scratch_length() const {
  int64_t widest = 0;
  for (const std::vector<LayerPlace>* layers : {&decoder_, &encoder_}) {
    for (const LayerPlace& layer : *layers) widest = std::max(widest, layer.in + layer.units);
  }
  return widest * rows_propagated;
}

template <class Real>
void VariationalAutoencoder<Real>::draw(const Batch& batch, const GradientSettings& settings, int64_t first,
                                        int64_t end, Work& work) const {
  const int64_t latent = settings_.latent;
  for (int64_t i = first; i < end; ++i) {
    const Real* mu = work.encoding.layers.back().data() + 2 * i * latent;
    const Real* sigma = work.encoding.sigma.data() + i * latent;
    const uint64_t first_sample = batch.place(i) * static_cast<uint64_t>(work.samples);
    for (int64_t n = i * work.samples; n < (i + 1) * work.samples; ++n) {
      const uint64_t sample = first_sample + static_cast<uint64_t>(n - i * work.samples);
      RandomStream random(settings.seed, Purpose::sample, settings.iteration, sample);
      Real* noise = work.noise.data() + n * latent;
      Real* z = work.z.data() + n * latent;
      draw_normals(random, latent, noise);
      for (int64_t j = 0; j < latent; ++j) z[j] = mu[j] + sigma[j] * noise[j];
    }
  }
}

/// out [rows x in] = deltas W' where the layer's inputs are positive, 0 elsewhere; `inputs` NULL: everywhere. The
/// deltas are transposed instead of the weights, because they are smaller and in cache: out' = W deltas'.
template <class Real>
void VariationalAutoencoder<Real>::propagate(const LayerPlace& layer, const Real* deltas, int64_t rows,
                                             const Real* inputs, Real* scratch, Real* out) const {
  for (int64_t first = 0; first < rows; first += rows_propagated) {
    const int64_t count = std::min(rows_propagated, rows - first);
    const int64_t columns = kernels::padded(count);
    Real* product = scratch + layer.units * columns;
    transpose_matrix(deltas + first * layer.units, count, layer.units, layer.units, scratch, columns);
    set_product(by_rows(flat() + layer.weights, layer.units), scratch, product, layer.in, layer.units, columns);
    transpose_matrix(product, layer.in, count, columns, out + first * layer.in, layer.in);
  }
  if (inputs == nullptr) return;
  for (int64_t i = 0; i < rows * layer.in; ++i) out[i] = inputs[i] > 0 ? out[i] : 0;
}

/// log p(x | z) of the rows' samples, and its gradient with respect to z.
template <class Real>
void VariationalAutoencoder<Real>::decode_and_score(int64_t first, int64_t end, Real* scratch, Work& work) const {
  const int64_t samples = work.samples;
  const int64_t from = first * samples;
  const int64_t count = (end - first) * samples;
  const size_t last = decoder_.size() - 1;
  Real* outputs[max_hidden_layers + 1];
  for (size_t l = 0; l <= last; ++l) outputs[l] = work.decoder[l].data() + from * decoder_[l].units;
  decode(work.z.data() + from * settings_.latent, count, outputs);
  for (int64_t i = first; i < end; ++i) {
    const Real factor = work.weight[static_cast<size_t>(i)] / static_cast<Real>(samples);
    double sum = 0;
    for (int64_t n = i * samples; n < (i + 1) * samples; ++n) {
      sum += score_row(work.x.data() + i * columns_, factor, work.gaussian, work.decoder[last].data() + n * columns_,
                       settings_.gaussian ? work.errors.data() + n * columns_ : nullptr);
    }
    work.log_likelihood[static_cast<size_t>(i)] = sum / static_cast<double>(samples);
  }
  const Real* deltas = outputs[last];
  for (size_t l = last; l > 0; --l) {
    Real* below = work.decoder_deltas[l - 1].data() + from * decoder_[l].in;
    propagate(decoder_[l], deltas, count, outputs[l - 1], scratch, below);
    deltas = below;
  }
  propagate(decoder_[0], deltas, count, nullptr, scratch, work.z_deltas.data() + from * settings_.latent);
}

/// Backpropagates from (mu | s) through the encoder's layers.
template <class Real>
void VariationalAutoencoder<Real>::propagate_to_encoder(int64_t first, int64_t end, Real* scratch, Work& work) const {
  for (size_t l = encoder_.size() - 1; l > 0; --l) {
    const LayerPlace& layer = encoder_[l];
    propagate(layer, work.encoder_deltas[l].data() + first * layer.units, end - first,
              work.encoding.layers[l - 1].data() + first * layer.in, scratch,
              work.encoder_deltas[l - 1].data() + first * layer.in);
  }
}

/// Gradient of the objective with respect to mu and s, and each row's terms of the objective.
template <class Real>
void VariationalAutoencoder<Real>::pull_posterior(const GradientSettings& settings, int64_t first, int64_t end,
                                                  Work& work) const {
  const auto& table = kernels::table<Real>();
  const int64_t latent = settings_.latent;
  const auto temperature = static_cast<Real>(settings.temperature);
  const double constant = 0.5 * log_two_pi * static_cast<double>(latent);
  const double share = 1 / static_cast<double>(work.samples);
  for (int64_t i = first; i < end; ++i) {
    const auto row = static_cast<size_t>(i);
    const Real* mu = work.encoding.layers.back().data() + 2 * i * latent;
    const Real* sigma = work.encoding.sigma.data() + i * latent;
    const Real* slope = work.encoding.slope.data() + i * latent;
    const Real weight = work.weight[row];
    const Real factor = weight / static_cast<Real>(work.samples);
    Real* to_mu = work.encoder_deltas.back().data() + 2 * i * latent;
    Real* to_s = to_mu + latent;
    std::fill_n(to_mu, 2 * latent, Real(0));
    double prior_square = 0;
    double noise_square = 0;
    for (int64_t n = i * work.samples; n < (i + 1) * work.samples; ++n) {
      const Real* noise = work.noise.data() + n * latent;
      const Real* z = work.z.data() + n * latent;
      Real* deltas = work.z_deltas.data() + n * latent;
      if (!settings_.analytic) {
        for (int64_t j = 0; j < latent; ++j) deltas[j] -= factor * z[j];
        prior_square += table.dot(z, z, latent);
        noise_square += table.dot(noise, noise, latent);
      }
      for (int64_t j = 0; j < latent; ++j) {
        to_mu[j] += deltas[j];
        to_s[j] += deltas[j] * noise[j];
      }
    }
    for (int64_t j = 0; j < latent; ++j) {
      Real to_sigma = to_s[j] + weight * temperature / sigma[j];
      if (settings_.analytic) {
        to_mu[j] -= weight * mu[j];
        to_sigma -= weight * sigma[j];
      }
      to_s[j] = to_sigma * slope[j];
    }
    const double log_sigma = table.sum(work.encoding.log_sigma.data() + i * latent, latent);
    if (settings_.analytic) {
      prior_square = table.dot(mu, mu, latent) + table.dot(sigma, sigma, latent);
      noise_square = static_cast<double>(latent);
    } else {
      prior_square *= share;
      noise_square *= share;
    }
    work.log_prior[row] = -0.5 * prior_square - constant;
    work.entropy[row] = 0.5 * noise_square + log_sigma + constant;
  }
}

template <class Real>
GradientSums VariationalAutoencoder<Real>::add_up(const GradientSettings& settings, const Work& work) const {
  GradientSums sums;
  for (size_t i = 0; i < static_cast<size_t>(work.rows); ++i) {
    const double joint = work.log_likelihood[i] + work.log_prior[i];
    sums.add_row(static_cast<double>(work.weight[i]), joint + work.entropy[i],
                 joint + settings.temperature * work.entropy[i], work.log_likelihood[i]);
  }
  if (!settings.report) return sums;
  for (const Real delta : work.encoder_deltas.back()) sums.pull += std::abs(static_cast<double>(delta));
  const int64_t latent = settings_.latent;
  const Real* mu = work.encoding.layers.back().data();
  sums.active_units =
      sums.rows * count_active_units(
                      work.rows, latent,
                      [&](int64_t i, int64_t j) { return static_cast<double>(mu[2 * i * latent + j]); },
                      [&](int64_t i) { return static_cast<double>(work.weight[static_cast<size_t>(i)]); });
  return sums;
}

/// The gradient of all parameters from the layers' deltas.
template <class Real>
void VariationalAutoencoder<Real>::collect(int threads, Work& work) const {
  Real* gradient = work.gradient_.template of<Real>();
  const size_t last = decoder_.size() - 1;
  work.layers.clear();
  for (size_t l = 0; l <= last; ++l) {
    work.layers.push_back({decoder_[l], l == 0 ? work.z.data() : work.decoder[l - 1].data(),
                           l == last ? work.decoder[l].data() : work.decoder_deltas[l].data(), work.count()});
  }
  for (size_t l = 0; l < encoder_.size(); ++l) {
    work.layers.push_back({encoder_[l], l == 0 ? work.x.data() : work.encoding.layers[l - 1].data(),
                           work.encoder_deltas[l].data(), work.rows});
  }
  work.gradient_squares_ =
      collect_gradients(work.layers.data(), static_cast<int64_t>(work.layers.size()), threads, gradient);
  if (!settings_.gaussian) return;
  // d/dr of -e^2 v / 2 - log(v) / 2 with e = (x - mean) / v and v = min_noise + exp(r).
  parallel_for(threads, product_tasks(columns_), [&](int64_t task, int) {
    const int64_t end = std::min(columns_, (task + 1) * product_rows);
    for (int64_t j = task * product_rows; j < end; ++j) {
      const double variance = noise_variance(j);
      double sum = 0;
      for (int64_t n = 0; n < work.count(); ++n) {
        const double factor = static_cast<double>(work.weight[static_cast<size_t>(n / work.samples)]) /
                              static_cast<double>(work.samples);
        const double error = static_cast<double>(work.errors[static_cast<size_t>(n * columns_ + j)]);
        sum += factor * (error * error - 1 / variance);
      }
      gradient[noise_ + j] = static_cast<Real>(0.5 * sum * (variance - min_noise));
    }
  });
  const Real* noise = gradient + noise_;
  work.gradient_squares_ += static_cast<double>(kernels::table<Real>().dot(noise, noise, columns_));
}

template <class Real>
GradientSums VariationalAutoencoder<Real>::forward(const Batch& batch, const GradientSettings& settings,
                                                   Work& work) const {
  const int threads = settings.threads;
  const bool orthogonal = settings.statistic == Statistic::orthogonal;
  shape(batch.count, work);
  prepare_noise(work.gaussian);
  // Forces on the latent variables change what is backpropagated through the encoder.
  const bool waits = settings.constrained && !orthogonal;
  const int64_t scratch_size = scratch_length();
  work.scratch.resize(static_cast<size_t>(threads * scratch_size));
  const auto scratch_of = [&](int64_t thread) { return work.scratch.data() + thread * scratch_size; };
  share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t) {
    read_rows(batch, first, end, work.x.data());
    for (int64_t i = first; i < end; ++i) {
      work.weight[static_cast<size_t>(i)] = static_cast<Real>(batch.data->weight(batch.row(i)));
    }
  });
  work.layer_sums.start(encoder_[0], flat(), work.x.data(), work.rows, threads, work.encoding.layers[0].data());
  share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t thread) {
    work.layer_sums.finish(first, end);
    encode_further(flat(), first, end, work.encoding);
    draw(batch, settings, first, end, work);
    decode_and_score(first, end, scratch_of(thread), work);
    pull_posterior(settings, first, end, work);
    if (!waits) propagate_to_encoder(first, end, scratch_of(thread), work);
  });
  const bool refers = settings.reference != nullptr;
  if (orthogonal) {
    if (settings_.by_rows) transpose_encoder(flat(), threads, work.transposed);
    measure_weights(flat(), work.transposed, work.products, threads, work.statistics_);
    if (refers) measure_weights_reference(work);
  } else if (settings.statistic != Statistic::none) {
    measure_latent(settings.statistic, work.encoding, work, work.statistics_);
    if (refers) measure_latent_reference(work);
  }
  return add_up(settings, work);
}

template <class Real>
void VariationalAutoencoder<Real>::backward(const double* forces, Work& work, GradientSums& sums) const {
  const int threads = work.settings.threads;
  const bool orthogonal = work.settings.statistic == Statistic::orthogonal;
  if (forces != nullptr && !orthogonal) {
    pull_latent(forces, work, sums);
    share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t thread) {
      propagate_to_encoder(first, end, work.scratch.data() + thread * scratch_length(), work);
    });
  }
  collect(threads, work);
  if (forces == nullptr || !orthogonal) return;
  pull_weights(forces, work, sums);
  work.gradient_squares_ = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace vtemper

#include "models/variational_autoencoder/instances.inc"
