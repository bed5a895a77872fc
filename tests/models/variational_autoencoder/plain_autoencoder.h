#pragma once
// A slow plain variational autoencoder for one row at a time, in double, and tiny problems for it.

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "models/variational_autoencoder/work.h"
#include "support/check.h"
#include "support/cmocka.h"
#include "support/option_texts.h"

namespace plain {

using Vector = std::vector<double>;
constexpr double two_pi = 6.283185307179586;

struct Autoencoder {
  int64_t columns = 0, latent = 0;
  std::vector<int64_t> hidden;
  bool gaussian = false;
  Vector mean, deviation;  ///< of the columns, gaussian only
  Vector parameters;       ///< decoder, noise, encoder

  struct Layer {
    size_t in, units, begin;
  };
  std::vector<Layer> layers(const std::vector<int64_t>& sizes, size_t begin) const {
    std::vector<Layer> all;
    for (size_t l = 0; l + 1 < sizes.size(); ++l) {
      all.push_back({static_cast<size_t>(sizes[l]), static_cast<size_t>(sizes[l + 1]), begin});
      begin += all.back().in * all.back().units + all.back().units;
    }
    return all;
  }
  std::vector<Layer> decoder() const {
    std::vector<int64_t> sizes = {latent};
    sizes.insert(sizes.end(), hidden.rbegin(), hidden.rend());
    sizes.push_back(columns);
    return layers(sizes, 0);
  }
  size_t noise() const {
    const Layer last = decoder().back();
    return last.begin + (last.in + 1) * last.units;
  }
  size_t encoder_begin() const { return noise() + (gaussian ? static_cast<size_t>(columns) : 0); }
  std::vector<Layer> encoder() const {
    std::vector<int64_t> sizes = {columns};
    sizes.insert(sizes.end(), hidden.begin(), hidden.end());
    sizes.push_back(2 * latent);
    return layers(sizes, encoder_begin());
  }
  double weight(const Layer& layer, size_t i, size_t j) const {
    return parameters[layer.begin + i * layer.units + j];
  }
  Vector through(const std::vector<Layer>& network, Vector input) const {
    for (const Layer& layer : network) {
      Vector output(layer.units);
      for (size_t j = 0; j < layer.units; ++j) {
        output[j] = parameters[layer.begin + layer.in * layer.units + j];
        for (size_t i = 0; i < layer.in; ++i) output[j] += input[i] * weight(layer, i, j);
        if (layer.begin != network.back().begin) output[j] = std::max(0.0, output[j]);
      }
      input = output;
    }
    return input;
  }
  Vector standardised(Vector x) const {
    for (size_t j = 0; gaussian && j < x.size(); ++j) x[j] = (x[j] - mean[j]) / deviation[j];
    return x;
  }
  struct Posterior {
    Vector mu, sigma;
  };
  Posterior posterior(const Vector& x) const {
    const Vector out = through(encoder(), standardised(x));
    Posterior q;
    for (size_t j = 0; j < static_cast<size_t>(latent); ++j) {
      const double s = out[static_cast<size_t>(latent) + j];
      q.mu.push_back(out[j]);
      q.sigma.push_back(1e-6 + std::max(s, 0.0) + std::log1p(std::exp(-std::abs(s))));
    }
    return q;
  }
  double variance(size_t j) const { return 1e-4 + std::exp(parameters[noise() + j]); }
  double log_likelihood(const Vector& x, const Vector& z) const {
    const Vector out = through(decoder(), z);
    double sum = 0;
    for (size_t j = 0; j < out.size(); ++j) {
      if (gaussian) {
        const double spread = variance(j) * deviation[j] * deviation[j];
        const double error = x[j] - mean[j] - deviation[j] * out[j];
        sum -= 0.5 * (std::log(two_pi * spread) + error * error / spread);
      } else {
        sum += x[j] * out[j] - std::max(out[j], 0.0) - std::log1p(std::exp(-std::abs(out[j])));
      }
    }
    return sum;
  }
  /// The objective of a row with the given noise of each sample; log q and the entropy are multiplied by
  /// `temperature`.
  double objective(const Vector& x, const std::vector<Vector>& noise, double temperature, bool analytic) const {
    const Posterior q = posterior(x);
    double sum = 0;
    for (const Vector& eps : noise) {
      Vector z = q.mu;
      double log_prior = 0, log_q = 0;
      for (size_t j = 0; j < z.size(); ++j) {
        z[j] += q.sigma[j] * eps[j];
        log_prior -=
            0.5 * (std::log(two_pi) + (analytic ? q.mu[j] * q.mu[j] + q.sigma[j] * q.sigma[j] : z[j] * z[j]));
        log_q -= 0.5 * (std::log(two_pi) + (analytic ? 1 : eps[j] * eps[j])) + std::log(q.sigma[j]);
      }
      sum += log_likelihood(x, z) + log_prior - temperature * log_q;
    }
    return sum / static_cast<double>(noise.size());
  }
};

}  // namespace plain

namespace fixtures {

using plain::Autoencoder;
using plain::Vector;
using namespace vtemper;

inline RandomStream numbers(uint64_t seed) {
  return RandomStream(seed, Purpose::profile, 0, 0);
}

inline DataPointer rows_of(const Vector& values, int64_t columns) {
  Dense dense;
  dense.columns = columns;
  dense.rows = static_cast<int64_t>(values.size()) / columns;
  dense.values = typed_array(values.data());
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

/// Rows of 0 and 1, or of any numbers.
inline DataPointer random_rows(int64_t rows, int64_t columns, bool gaussian) {
  RandomStream random = numbers(3);
  Vector values;
  for (int64_t i = 0; i < rows * columns; ++i) {
    const double column = static_cast<double>(i % columns);
    values.push_back(gaussian ? 10 * column + (1 + column) * random.normal() : random.uniform() < 0.4 ? 1 : 0);
  }
  return rows_of(values, columns);
}

inline Vector row_of(const Data& data, int64_t row) {
  Vector out;
  for (int64_t j = 0; j < data.columns(); ++j) out.push_back(data.dense().at(row, j));
  return out;
}

inline OptionValues values_of(const OptionTable& table, const Texts& texts, const char* subject) {
  Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  return OptionValues(table, options, subject);
}

/// Initialised, with biases and noise that are not all the same.
inline std::unique_ptr<GradientModel> autoencoder(Texts texts, const Data& data) {
  texts.emplace("precision", "double");
  const ModelKind& kind = variational_autoencoder_kind;
  std::unique_ptr<Model> model = kind.create(values_of(kind.options(), texts, kind.name));
  model->initialize(data, 5);
  std::unique_ptr<GradientModel> out(static_cast<GradientModel*>(model.release()));
  const bool small = texts.count("precision") > 0 && texts.at("precision") == "double";
  RandomStream random = numbers(8);
  for (int64_t i = 0; small && i < out->values().length; ++i) {
    out->values().set(i, out->values().at(i) + 0.1 * random.normal());
  }
  return out;
}

inline Vector numbers_of(const RealArray& array) {
  Vector out;
  for (int64_t i = 0; i < array.length; ++i) out.push_back(array.at(i));
  return out;
}

inline Vector parameter(const Model& model, const char* name) {
  for (const Quantity& quantity : model.parameters()) {
    if (std::string(quantity.name) != name) continue;
    Vector out(static_cast<size_t>(quantity.size()));
    model.read_parameter(name, {out.data(), quantity.shape.size() == 2 ? quantity.shape[1] : 1, 1});
    return out;
  }
  return {};
}

inline Autoencoder plain_of(GradientModel& model, std::vector<int64_t> hidden, bool gaussian) {
  Autoencoder out;
  out.columns = model.columns();
  out.latent = model.latent_units();
  out.hidden = std::move(hidden);
  out.gaussian = gaussian;
  out.mean = parameter(model, "data.mean");
  out.deviation = parameter(model, "data.deviation");
  out.parameters = numbers_of(model.values());
  assert_int_equal(out.encoder_begin(), model.shared_posterior()->posterior_begin());
  return out;
}

/// The noise of row i of the last batch.
inline std::vector<Vector> noise_of(const GradientFit& work, int64_t row) {
  const auto& all = static_cast<const AutoencoderWork<double>&>(work);
  std::vector<Vector> out;
  const int64_t latent = static_cast<int64_t>(all.noise.size()) / all.count();
  for (int64_t s = 0; s < all.samples; ++s) {
    const double* from = all.noise.data() + (row * all.samples + s) * latent;
    out.emplace_back(from, from + latent);
  }
  return out;
}

inline Vector differences(Autoencoder model, const std::function<double(const Autoencoder&)>& function) {
  constexpr double step = 1e-5;
  Vector out;
  for (double& value : model.parameters) {
    const double centre = value;
    value = centre + step;
    const double above = function(model);
    value = centre - step;
    out.push_back((above - function(model)) / (2 * step));
    value = centre;
  }
  return out;
}

}  // namespace fixtures
