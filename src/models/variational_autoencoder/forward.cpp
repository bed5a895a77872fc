// Forward pass: rows through the encoder, latent variables through the decoder.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/dense_rows.h"
#include "models/variational_autoencoder/work.h"

namespace vtemper {

namespace {

template <class Real>
void rectify(Real* units, int64_t count) {
  for (int64_t i = 0; i < count; ++i) units[i] = units[i] > 0 ? units[i] : 0;
}

}  // namespace

template <class Real>
void Encoding<Real>::shape(const std::vector<LayerPlace>& encoder, int64_t rows) {
  latent = encoder.back().units / 2;
  layers.resize(encoder.size());
  for (size_t l = 0; l < encoder.size(); ++l) layers[l].resize(static_cast<size_t>(rows * encoder[l].units));
  for (Array<Real>* array : {&sigma, &log_sigma, &slope}) array->resize(layers.back().size() / 2);
}

template <class Real>
void VariationalAutoencoder<Real>::read_rows(const Batch& batch, int64_t first, int64_t end, Real* x) const {
  const Dense& dense = batch.data->dense();
  Spare spare;
  for (int64_t i = first; i < end; ++i) {
    const int64_t row = batch.row(i);
    Real* out = x + i * columns_;
    if (i + 1 < end) prefetch_dense_row(dense, batch.row(i + 1));
    if (!settings_.gaussian) {
      read_dense_row(dense, row, out);
      require_shares(out, row, columns_, kind().name, any_numbers);
      continue;
    }
    const DenseRow values = dense.row(row, spare);
    for (int64_t j = 0; j < columns_; ++j) {
      const auto column = static_cast<size_t>(j);
      out[j] = static_cast<Real>((values[j] - mean_[column]) / deviation_[column]);
    }
    require_finite(out, row, columns_, kind().name);
  }
}

template <class Real>
void VariationalAutoencoder<Real>::encode(const Real* values, const Real* x, int64_t first, int64_t end,
                                          Encoding<Real>& out) const {
  const LayerPlace& layer = encoder_[0];
  linear_layer(layer, values, x + first * columns_, end - first, out.layers[0].data() + first * layer.units);
  encode_further(values, first, end, out);
}

template <class Real>
void VariationalAutoencoder<Real>::encode_further(const Real* values, int64_t first, int64_t end,
                                                  Encoding<Real>& out) const {
  const auto& table = kernels::table<Real>();
  for (size_t l = 1; l < encoder_.size(); ++l) {
    const LayerPlace& layer = encoder_[l];
    Real* below = out.layers[l - 1].data() + first * layer.in;
    rectify(below, (end - first) * layer.in);
    linear_layer(layer, values, below, end - first, out.layers[l].data() + first * layer.units);
  }
  const int64_t latent = settings_.latent;
  for (int64_t i = first; i < end; ++i) {
    const Real* s = out.layers.back().data() + (2 * i + 1) * latent;
    Real* sigma = out.sigma.data() + i * latent;
    Real* slope = out.slope.data() + i * latent;
    // softplus(s) is the kernel's entropy plus s sig(s).
    table.bernoulli_row({s, latent, slope, sigma});
    for (int64_t j = 0; j < latent; ++j) sigma[j] = static_cast<Real>(min_sigma) + (sigma[j] + s[j] * slope[j]);
    table.logarithm(sigma, out.log_sigma.data() + i * latent, latent);
  }
}

template <class Real>
void VariationalAutoencoder<Real>::decode(const Real* z, int64_t count, Real* const* outputs) const {
  const Real* input = z;
  for (size_t l = 0; l < decoder_.size(); ++l) {
    const LayerPlace& layer = decoder_[l];
    linear_layer(layer, flat(), input, count, outputs[l]);
    if (l + 1 < decoder_.size()) rectify(outputs[l], count * layer.units);
    input = outputs[l];
  }
}

template <class Real>
void VariationalAutoencoder<Real>::prepare_noise(GaussianNoise<Real>& noise) const {
  if (!settings_.gaussian) return;
  noise.inverse.resize(static_cast<size_t>(columns_));
  double logarithms = 0;
  for (int64_t j = 0; j < columns_; ++j) {
    const double variance = noise_variance(j);
    noise.inverse[static_cast<size_t>(j)] = static_cast<Real>(1 / variance);
    logarithms += 0.5 * std::log(variance) + std::log(deviation_[static_cast<size_t>(j)]);
  }
  noise.constant = -0.5 * log_two_pi * static_cast<double>(columns_) - logarithms;
}

template <class Real>
double VariationalAutoencoder<Real>::score_row(const Real* x, Real factor, const GaussianNoise<Real>& noise,
                                               Real* output, Real* errors) const {
  const auto& table = kernels::table<Real>();
  if (!settings_.gaussian) return table.bernoulli_deltas(x, factor, output, columns_);
  const Real* inverse = noise.inverse.data();
  for (int64_t j = 0; j < columns_; ++j) {
    errors[j] = x[j] - output[j];
    output[j] = errors[j] * inverse[j];
  }
  const double square = table.dot(errors, output, columns_);
  for (int64_t j = 0; j < columns_; ++j) {
    errors[j] = output[j];
    output[j] *= factor;
  }
  return noise.constant - 0.5 * square;
}

template struct Encoding<float>;
template struct Encoding<double>;

}  // namespace vtemper

#include "models/variational_autoencoder/instances.inc"
