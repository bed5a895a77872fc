#pragma once
// A slow plain sigmoid belief network for one row at a time, in double: probabilities, and the estimators of
// models/sigmoid_belief_network/README.md section 1.

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "models/sigmoid_belief_network/work.h"
#include "support/check.h"
#include "support/cmocka.h"
#include "support/option_texts.h"
#include "support/random.h"

namespace plain_network {

using Vector = std::vector<double>;
using States = std::vector<Vector>;  ///< h_0, ..., h_{L-1}

inline double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}
inline double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// Parameters in the order in which the model names them.
struct Network {
  std::vector<int64_t> layers;
  int64_t columns;
  Vector mean;        ///< xbar
  Vector parameters;  ///< model's layers, prior, posterior's layers

  struct Place {
    size_t in, units, weights, bias;
  };
  Place model(size_t l) const {
    size_t next = 0;
    for (size_t i = 0;; ++i) {
      const size_t units = i == 0 ? static_cast<size_t>(columns) : static_cast<size_t>(layers[i - 1]);
      const size_t in = static_cast<size_t>(layers[i]);
      if (i == l) return {in, units, next, next + in * units};
      next += in * units + units;
    }
  }
  size_t prior() const {
    const Place last = model(layers.size() - 1);
    return last.bias + last.units;
  }
  size_t posterior_begin() const { return prior() + static_cast<size_t>(layers.back()); }
  Place posterior(size_t l) const {
    size_t next = posterior_begin();
    for (size_t i = 0;; ++i) {
      const size_t in = i == 0 ? static_cast<size_t>(columns) : static_cast<size_t>(layers[i - 1]);
      const size_t units = static_cast<size_t>(layers[i]);
      if (i == l) return {in, units, next, next + in * units};
      next += in * units + units;
    }
  }
  Vector logits(const Place& place, const Vector& input) const {
    Vector out(place.units);
    for (size_t j = 0; j < place.units; ++j) {
      out[j] = parameters[place.bias + j];
      for (size_t i = 0; i < place.in; ++i) out[j] += input[i] * parameters[place.weights + i * place.units + j];
    }
    return out;
  }
  Vector centred(const Vector& x) const {
    Vector out = x;
    for (size_t i = 0; i < x.size(); ++i) out[i] -= mean[i];
    return out;
  }
  Vector posterior_logits(size_t l, const Vector& x, const States& h) const {
    return logits(posterior(l), l == 0 ? centred(x) : h[l - 1]);
  }
  /// Logits of h_l under the model, given the layer above.
  Vector model_logits(size_t l, const States& h) const {
    if (l + 1 < layers.size()) return logits(model(l + 1), h[l + 1]);
    return Vector(parameters.begin() + static_cast<std::ptrdiff_t>(prior()),
                  parameters.begin() + static_cast<std::ptrdiff_t>(posterior_begin()));
  }
  static double log_bernoulli(const Vector& y, const Vector& eta) {
    double sum = 0;
    for (size_t j = 0; j < y.size(); ++j) sum += y[j] * eta[j] - softplus(eta[j]);
    return sum;
  }
  double log_p(const Vector& x, const States& h) const {
    double sum = log_bernoulli(x, logits(model(0), h[0]));
    for (size_t l = 0; l < layers.size(); ++l) sum += log_bernoulli(h[l], model_logits(l, h));
    return sum;
  }
  double log_q(const Vector& x, const States& h) const {
    double sum = 0;
    for (size_t l = 0; l < layers.size(); ++l) sum += log_bernoulli(h[l], posterior_logits(l, x, h));
    return sum;
  }
  std::vector<States> all_states() const {
    size_t units = 0;
    for (const int64_t of_layer : layers) units += static_cast<size_t>(of_layer);
    std::vector<States> all;
    for (size_t code = 0; code < size_t{1} << units; ++code) {
      States h;
      size_t bit = 0;
      for (const int64_t of_layer : layers) {
        Vector state;
        for (int64_t j = 0; j < of_layer; ++j) state.push_back(code >> bit++ & 1 ? 1 : 0);
        h.push_back(state);
      }
      all.push_back(h);
    }
    return all;
  }

  /// out += scale * gradient of log p (model) or log q (posterior) of these states.
  void add_layer(const Place& place, const Vector& input, const Vector& target, const Vector& eta, double scale,
                 Vector& out) const {
    for (size_t j = 0; j < place.units; ++j) {
      const double delta = scale * (target[j] - sigmoid(eta[j]));
      out[place.bias + j] += delta;
      for (size_t i = 0; i < place.in; ++i) out[place.weights + i * place.units + j] += delta * input[i];
    }
  }
  void add_log_p(const Vector& x, const States& h, double scale, Vector& out) const {
    for (size_t l = 0; l < layers.size(); ++l) {
      const Vector& target = l == 0 ? x : h[l - 1];
      add_layer(model(l), h[l], target, logits(model(l), h[l]), scale, out);
    }
    for (size_t j = 0; j < h.back().size(); ++j) {
      out[prior() + j] += scale * (h.back()[j] - sigmoid(parameters[prior() + j]));
    }
  }
  void add_log_q(const Vector& x, const States& h, double scale, Vector& out) const {
    for (size_t l = 0; l < layers.size(); ++l) {
      add_layer(posterior(l), l == 0 ? centred(x) : h[l - 1], h[l], posterior_logits(l, x, h), scale, out);
    }
  }

  /// The estimator of a row's gradient from its samples.
  struct Objective {
    double temperature = 1;
    bool multi_sample = false;
    bool keep_log_q = false;
  };
  Vector estimate(const Vector& x, const std::vector<States>& samples, const Objective& objective) const {
    Vector out(parameters.size());
    const size_t count = samples.size();
    Vector l;
    for (const States& h : samples) l.push_back(log_p(x, h) - objective.temperature * log_q(x, h));
    for (size_t s = 0; s < count; ++s) {
      double others = 0;
      for (size_t r = 0; r < count; ++r) others += r == s ? 0 : l[r] / static_cast<double>(count - 1);
      if (objective.multi_sample) {
        Vector without = l;
        without[s] = others;
        const double weight = std::exp(l[s] - log_sum(l));
        add_log_q(x, samples[s], log_sum(l) - log_sum(without) - objective.temperature * weight, out);
        add_log_p(x, samples[s], weight, out);
      } else {
        const double share = 1 / static_cast<double>(count);
        add_log_q(x, samples[s], share * (l[s] - others - (objective.keep_log_q ? objective.temperature : 0)), out);
        add_log_p(x, samples[s], share, out);
      }
    }
    return out;
  }
  static double log_sum(const Vector& l) {
    double sum = 0;
    const double largest = *std::max_element(l.begin(), l.end());
    for (const double value : l) sum += std::exp(value - largest);
    return largest + std::log(sum);
  }
};

}  // namespace plain_network

namespace network_fixtures {

using namespace vtemper;
using plain_network::Network;
using plain_network::States;
using plain_network::Vector;
using vtemper::test::Random;

inline DataPointer binary_rows(int64_t rows, int64_t columns, uint64_t seed = 1) {
  Random random(seed);
  Vector values(static_cast<size_t>(rows * columns));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      values[static_cast<size_t>(i * columns + j)] = random.uniform() < ((i + j) % 3 == 0 ? 0.8 : 0.2) ? 1 : 0;
    }
  }
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

/// A network in double, initialised, its parameters drawn at random within (-1, 1).
inline std::shared_ptr<GradientModel> network_of(Texts texts, const Data& data) {
  texts.emplace("precision", "double");
  const ModelKind& kind = sigmoid_belief_network_kind;
  std::shared_ptr<Model> model = kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
  model->initialize(data, 3);
  auto network = std::dynamic_pointer_cast<GradientModel>(model);
  Random random(9);
  const RealArray values = network->values();
  for (int64_t i = 0; i < values.length; ++i) values.set(i, 2 * random.uniform() - 1);
  return network;
}

inline Network plain_of(GradientModel& model, const std::vector<int64_t>& layers) {
  Network network;
  network.layers = layers;
  network.columns = model.columns();
  network.mean.resize(static_cast<size_t>(network.columns));
  model.read_parameter("data.mean", {network.mean.data(), 1, 1});
  for (const Quantity& quantity : model.parameters()) {
    if (!quantity.settable) continue;
    Vector values(static_cast<size_t>(quantity.size()));
    model.read_parameter(quantity.name, {values.data(), quantity.shape.size() > 1 ? quantity.shape[1] : 1, 1});
    network.parameters.insert(network.parameters.end(), values.begin(), values.end());
  }
  return network;
}

inline Vector row_of(const Data& data, int64_t row) {
  Vector x;
  for (int64_t j = 0; j < data.columns(); ++j) x.push_back(data.dense().at(row, j));
  return x;
}

/// The samples of row i of the batch in the work space.
inline std::vector<States> samples_of(const BeliefNetworkWork<double>& work, const std::vector<int64_t>& layers,
                                      int64_t i) {
  std::vector<States> samples;
  for (int64_t s = 0; s < work.samples; ++s) {
    States h;
    for (size_t l = 0; l < layers.size(); ++l) {
      const double* state = work.layers[l].states.data() + (s * work.rows + i) * layers[l];
      h.emplace_back(state, state + layers[l]);
    }
    samples.push_back(h);
  }
  return samples;
}

inline Vector copy_of(const RealArray& array) {
  Vector out;
  for (int64_t i = 0; i < array.length; ++i) out.push_back(array.at(i));
  return out;
}

/// Compares vectors; the tolerance is relative to the largest element of `expected`, or to one if that is larger.
inline void check_close(const char* what, const Vector& got, const Vector& expected, double tolerance) {
  fixtures::check_close(what, got, expected, tolerance, 1);
}

}  // namespace network_fixtures
