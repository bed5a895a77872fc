#include "models/sigmoid_belief_network/sigmoid_belief_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/scalar_functions.h"
#include "models/columns.h"
#include "models/dense_rows.h"
#include "models/initial_weights.h"
#include "models/sigmoid_belief_network/work.h"
#include "storage/real_element.h"
#include "support/error.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Limit on the number of parameters that a file can request.
constexpr int64_t max_parameters = int64_t{1} << 40;
constexpr int64_t max_default_units = 200;

/// "model.weights.0", ...: the names have static lifetime.
struct LayerNames {
  std::array<std::string, max_layers> model_weights, model_bias, posterior_weights, posterior_bias;
  LayerNames() {
    for (size_t l = 0; l < max_layers; ++l) {
      const std::string number = number_text(static_cast<int64_t>(l));
      model_weights[l] = "model.weights." + number;
      model_bias[l] = "model.bias." + number;
      posterior_weights[l] = "posterior.weights." + number;
      posterior_bias[l] = "posterior.bias." + number;
    }
  }
};

const Dense& require_dense(const Data& data) {
  return require_form<Dense>(data, "sigmoid_belief_network models dense binary rows; the data are ",
                             data.form_name());
}

const LayerNames& layer_names() {
  static const LayerNames names;
  return names;
}

}  // namespace

template <class Real>
SigmoidBeliefNetwork<Real>::SigmoidBeliefNetwork(BeliefNetworkSettings settings, OptionValues options)
    : GradientModel(sigmoid_belief_network_kind, std::move(options)), settings_(std::move(settings)) {
  for (const int64_t units : settings_.layers) units_ += units;
}

template <class Real>
std::unique_ptr<Model> SigmoidBeliefNetwork<Real>::copy() const {
  return std::make_unique<SigmoidBeliefNetwork<Real>>(*this);
}

/// The default layers.
template <class Real>
void SigmoidBeliefNetwork<Real>::choose_layers(int64_t columns) {
  units_ = std::min(columns, max_default_units);
  settings_.layers = {units_};
  options_.use("layers", static_cast<double>(units_));
}

/// Divides the flat array of parameters for rows of `columns` values; returns its length.
template <class Real>
int64_t SigmoidBeliefNetwork<Real>::lay_out(int64_t columns) {
  model_.clear();
  posterior_.clear();
  int64_t next = 0;
  const auto layer = [&next](int64_t in, int64_t units) {
    const LayerPlace place = place_layer(in, units, next);
    next = place.end();
    return place;
  };
  int64_t below = columns;
  for (const int64_t units : settings_.layers) {
    model_.push_back(layer(units, below));
    below = units;
  }
  prior_ = next;
  next += settings_.layers.back();
  posterior_begin_ = next;
  below = columns;
  for (const int64_t units : settings_.layers) {
    posterior_.push_back(layer(below, units));
    below = units;
  }
  return next;
}

template <class Real>
void SigmoidBeliefNetwork<Real>::place(int64_t columns) {
  values_.resize(sizeof(Real) == sizeof(float), lay_out(columns));
}

template <class Real>
void SigmoidBeliefNetwork<Real>::initialize(const Data& data, uint64_t seed) {
  const Dense& dense = require_dense(data);
  const int64_t columns = data.columns();
  if (columns < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no columns, so there is nothing to model");
  if (data.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no rows, so there is nothing to start from");
  std::vector<double> mean(static_cast<size_t>(columns));
  double weight = 0;
  Spare spare;
  for (int64_t row = 0; row < data.rows(); ++row) {
    const double of_row = data.weight(row);
    const DenseRow values = dense.row(row, spare);
    weight += of_row;
    for (int64_t column = 0; column < columns; ++column) {
      const double value = values[column];
      if (!(value >= 0 && value <= 1)) refuse_share(value, row, column, kind().name);
      mean[static_cast<size_t>(column)] += of_row * value;
    }
  }
  SigmoidBeliefNetwork fresh(settings_, options_);
  if (options_.is_auto("layers")) fresh.choose_layers(columns);
  fresh.place(columns);
  for (const double sum : mean) fresh.mean_.push_back(static_cast<Real>(weight > 0 ? sum / weight : 0));
  Real* values = fresh.values_.template of<Real>();
  uint64_t item = 0;
  const auto glorot = [&](const LayerPlace& layer) {
    RandomStream random(seed, Purpose::initialize, 0, item++);
    draw_weights(InitialWeights::glorot, layer.in, layer.units, random, values + layer.weights);
  };
  for (const LayerPlace& layer : fresh.model_) {
    if (settings_.constant_start) {
      std::fill_n(values + layer.weights, layer.in * layer.units, static_cast<Real>(settings_.constant_weight));
    } else {
      glorot(layer);
    }
  }
  for (const LayerPlace& layer : fresh.posterior_) glorot(layer);
  const double p = settings_.prior_probability;
  std::fill_n(values + fresh.prior_, fresh.settings_.layers.back(), static_cast<Real>(logit(p)));
  fresh.columns_ = columns;
  fresh.names_ = data.names;
  *this = std::move(fresh);
}

template <class Real>
void SigmoidBeliefNetwork<Real>::check(const Data& data) const {
  require_initialized();
  require_dense(data);
  require_columns(data, columns_, names_);
}

template <class Real>
int64_t SigmoidBeliefNetwork<Real>::statistic_length(Statistic statistic) const {
  if (statistic == Statistic::none) return 0;
  return statistic == Statistic::mean_variance ? 2 * units_ : units_;
}

template <class Real>
GradientDefaults SigmoidBeliefNetwork<Real>::gradient_defaults() const {
  GradientDefaults defaults;
  defaults.batch_size = 20;
  defaults.passes = 40;
  defaults.min_steps = 20000;
  defaults.overfits = true;
  return defaults;
}

template <class Real>
void SigmoidBeliefNetwork<Real>::check_method(const RequiredGradientFeatures& required) const {
  if (required.statistic == Statistic::orthogonal) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        "proximity orthogonal is for inference networks with deterministic layers; sigmoid_belief_network has "
        "none: its statistics are entropy, kl and mean_variance");
  }
}

template <class Real>
GradientMemory SigmoidBeliefNetwork<Real>::memory(const Data& data, int64_t rows) const {
  SigmoidBeliefNetwork planned(settings_, options_);
  if (options_.is_auto("layers")) planned.choose_layers(data.columns());
  const double parameters = static_cast<double>(planned.lay_out(data.columns()));
  double of_sample = 0;
  double widest = 0;  // for the second half of a layer's sums
  for (const LayerPlace& layer : planned.posterior_) {
    of_sample += static_cast<double>(6 * layer.units + layer.in);
    widest = std::max(widest, static_cast<double>(std::max(layer.in, layer.units)));
  }
  of_sample += widest;
  const double samples = static_cast<double>(rows) * static_cast<double>(settings_.samples);
  return {parameters, sizeof(Real), 2 * parameters + samples * of_sample};
}

template <class Real>
std::vector<typename SigmoidBeliefNetwork<Real>::Named> SigmoidBeliefNetwork<Real>::named() const {
  const LayerNames& names = layer_names();
  std::vector<Named> all;
  for (size_t l = 0; l < model_.size(); ++l) {
    const LayerPlace& m = model_[l];
    all.push_back({{names.model_weights[l].c_str(),
                    {m.in, m.units},
                    true,
                    "Weights from a layer's units to the layer below, the bottom layer's to the columns."},
                   m.weights});
    all.push_back(
        {{names.model_bias[l].c_str(), {m.units}, true, "Logits of the layer below where all units are off."},
         m.bias});
  }
  const int64_t top = posterior_.empty() ? 0 : posterior_.back().units;  // no layers before the data are known
  all.push_back({{"prior.logits", {top}, true, "Logits of the top layer's units."}, prior_});
  for (size_t l = 0; l < posterior_.size(); ++l) {
    const LayerPlace& q = posterior_[l];
    all.push_back({{names.posterior_weights[l].c_str(),
                    {q.in, q.units},
                    true,
                    "Weights of the inference network to a layer, from the layer below, the bottom layer's from the "
                    "centred columns."},
                   q.weights});
    all.push_back(
        {{names.posterior_bias[l].c_str(), {q.units}, true, "Biases of the inference network to a layer."}, q.bias});
  }
  all.push_back(
      {{"data.mean", {columns_}, false, "Mean of the columns, which the inference network subtracts."}, -1});
  return all;
}

template <class Real>
typename SigmoidBeliefNetwork<Real>::Named SigmoidBeliefNetwork<Real>::find(std::string_view name) const {
  require_initialized();
  for (const Named& one : named()) {
    if (name == one.quantity.name) return one;
  }
  throw Error(VTEMPER_ERROR_INTERNAL, message("there is no parameter ", name));
}

template <class Real>
std::vector<Quantity> SigmoidBeliefNetwork<Real>::parameters() const {
  std::vector<Quantity> list;
  for (const Named& one : named()) list.push_back(one.quantity);
  return list;
}

template <class Real>
void SigmoidBeliefNetwork<Real>::read_parameter(std::string_view name, const Sink& sink) const {
  const Named one = find(name);
  const Real* from = one.begin < 0 ? mean_.data() : values() + one.begin;
  const bool matrix = one.quantity.shape.size() == 2;
  const int64_t columns = matrix ? one.quantity.shape[1] : 1;
  for (int64_t i = 0; i < one.quantity.shape[0]; ++i) {
    for (int64_t j = 0; j < columns; ++j) sink(i, j) = static_cast<double>(from[i * columns + j]);
  }
}

template <class Real>
void SigmoidBeliefNetwork<Real>::write_parameter(std::string_view name, const double* in) {
  constexpr double largest = 1e30;
  const Named one = find(name);
  for (int64_t i = 0; i < one.quantity.size(); ++i) {
    if (!(std::abs(in[i]) <= largest)) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("element ", i, " of ", name, " is ", in[i], "; it must lie within ", largest, " of 0"));
    }
  }
  Real* to = values_.template of<Real>() + one.begin;
  for (int64_t i = 0; i < one.quantity.size(); ++i) to[i] = static_cast<Real>(in[i]);
}

template <class Real>
void SigmoidBeliefNetwork<Real>::save(ContainerWriter& writer) const {
  require_initialized();
  values_.save("parameters", writer);
  writer.tensor("data_mean", real_element<Real>, {columns_}, mean_.data());
  save_columns(writer);
}

template <class Real>
void SigmoidBeliefNetwork<Real>::load(const ContainerReader& reader) {
  const Element element = real_element<Real>;
  const int64_t columns = stored_columns(reader);
  const Tensor& stored = reader.tensor("parameters", element, 1);
  const Tensor& mean = reader.tensor("data_mean", element, 1);
  SigmoidBeliefNetwork fresh(settings_, options_);
  if (settings_.layers.empty()) fresh.choose_layers(columns);
  // The layers' size is checked before memory is allocated: a file must contain all parameters.
  double expected = static_cast<double>(fresh.settings_.layers.back());
  double below = static_cast<double>(columns);
  for (const int64_t units : fresh.settings_.layers) {
    expected += 2 * below * static_cast<double>(units) + below + static_cast<double>(units);
    below = static_cast<double>(units);
  }
  if (expected > static_cast<double>(max_parameters) || static_cast<double>(stored.count()) != expected ||
      mean.count() != columns) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds layers whose size does not match its options"));
  }
  const Real* all = static_cast<const Real*>(stored.data);
  if (!std::all_of(all, all + stored.count(), [](Real value) { return std::isfinite(value); })) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds parameters that are not finite"));
  }
  fresh.place(columns);
  fresh.values_.load("parameters", reader);
  const Real* of_columns = static_cast<const Real*>(mean.data);
  fresh.mean_.assign(of_columns, of_columns + columns);
  for (const Real value : fresh.mean_) {
    if (!(value >= 0 && value <= 1)) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  message(reader.name(), " holds a mean of the data that is not between 0 and 1"));
    }
  }
  fresh.names_ = load_names(reader, columns);
  fresh.columns_ = columns;
  *this = std::move(fresh);
}

}  // namespace vtemper

#include "models/sigmoid_belief_network/instances.inc"
