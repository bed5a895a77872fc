#include "models/variational_autoencoder/variational_autoencoder.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/columns.h"
#include "models/dense_rows.h"
#include "models/variational_autoencoder/work.h"
#include "storage/real_element.h"

namespace vtemper {

namespace {

/// Limit on the number of parameters that a file can request.
constexpr double max_parameters = 1e12;
/// Sums of squares of larger values could overflow.
constexpr double largest_value = 1e100;
constexpr int64_t max_default_latent = 100;

/// "encoder.weights.0", ...: the names have static lifetime.
struct LayerNames {
  std::array<std::string, max_hidden_layers + 1> encoder_weights, encoder_bias, decoder_weights, decoder_bias;
  LayerNames() {
    for (size_t l = 0; l < encoder_weights.size(); ++l) {
      const std::string number = number_text(static_cast<int64_t>(l));
      encoder_weights[l] = "encoder.weights." + number;
      encoder_bias[l] = "encoder.bias." + number;
      decoder_weights[l] = "decoder.weights." + number;
      decoder_bias[l] = "decoder.bias." + number;
    }
  }
};

const LayerNames& layer_names() {
  static const LayerNames names;
  return names;
}

/// Weighted means and standard deviations of the columns; 1 for constant columns.
void standardise(const Data& data, std::vector<double>& mean, std::vector<double>& deviation) {
  const auto columns = static_cast<size_t>(data.columns());
  std::vector<double> x(columns);
  mean.assign(columns, 0);
  deviation.assign(columns, 0);
  double rows = 0;
  for (int64_t row = 0; row < data.rows(); ++row) {
    read_dense_row(data.dense(), row, x.data());
    require_finite(x.data(), row, data.columns(), variational_autoencoder_kind.name);
    const double weight = data.weight(row);
    if (!(weight > 0)) continue;
    rows += weight;
    for (size_t j = 0; j < columns; ++j) {
      if (std::abs(x[j]) > largest_value) {
        throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", static_cast<int64_t>(j), " is ", x[j],
                                                "; variational_autoencoder accepts values up to ", largest_value));
      }
      // Welford's update.
      const double from_mean = x[j] - mean[j];
      mean[j] += weight / rows * from_mean;
      deviation[j] += weight * from_mean * (x[j] - mean[j]);
    }
  }
  for (double& square : deviation) {
    const double root = rows > 0 ? std::sqrt(square / rows) : 0;
    square = root > 0 ? root : 1;
  }
}

}  // namespace

template <class Real>
void VariationalAutoencoder<Real>::require_dense(const Data& data) const {
  require_form<Dense>(data, "variational_autoencoder models dense rows; the data are ", data.form_name());
}

/// The default number of latent variables: many more than columns score worse on held-out rows (README.md section 5).
template <class Real>
void VariationalAutoencoder<Real>::choose_latent(int64_t columns) {
  settings_.latent = std::min(columns, max_default_latent);
  options_.use("latent", static_cast<double>(settings_.latent));
}

/// Divides the flat array of parameters for rows of `columns` values; returns its length.
template <class Real>
int64_t VariationalAutoencoder<Real>::lay_out(int64_t columns) {
  decoder_.clear();
  encoder_.clear();
  const std::vector<int64_t>& hidden = settings_.hidden;
  int64_t next = 0;
  const auto add = [&next](std::vector<LayerPlace>& layers, int64_t in, int64_t units) {
    layers.push_back(place_layer(in, units, next));
    next = layers.back().end();
    return units;
  };
  int64_t in = settings_.latent;
  for (auto units = hidden.rbegin(); units != hidden.rend(); ++units) in = add(decoder_, in, *units);
  add(decoder_, in, columns);
  noise_ = next;
  if (settings_.gaussian) next += columns;
  in = columns;
  for (const int64_t units : hidden) in = add(encoder_, in, units);
  add(encoder_, in, 2 * settings_.latent);
  return next;
}

template <class Real>
void VariationalAutoencoder<Real>::place(int64_t columns) {
  values_.resize(sizeof(Real) == sizeof(float), lay_out(columns));
}

template <class Real>
void VariationalAutoencoder<Real>::initialize(const Data& data, uint64_t seed) {
  require_dense(data);
  const int64_t columns = data.columns();
  if (columns < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no columns, so there is nothing to model");
  if (data.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no rows, so there is nothing to start from");
  VariationalAutoencoder fresh(settings_, options_);
  if (settings_.gaussian) {
    standardise(data, fresh.mean_, fresh.deviation_);
  } else {
    std::vector<double> x(static_cast<size_t>(columns));
    for (int64_t row = 0; row < data.rows(); ++row) {
      read_dense_row(data.dense(), row, x.data());
      require_shares(x.data(), row, columns, kind().name, any_numbers);
    }
  }
  if (options_.is_auto("latent")) fresh.choose_latent(columns);
  fresh.place(columns);
  Real* values = fresh.values_.template of<Real>();
  uint64_t item = 0;
  const auto start = [&](InitialWeights weights, const LayerPlace& layer) {
    RandomStream random(seed, Purpose::initialize, 0, item++);
    draw_weights(weights, layer.in, layer.units, random, values + layer.weights);
  };
  for (const LayerPlace& layer : fresh.decoder_) start(settings_.decoder, layer);
  for (const LayerPlace& layer : fresh.encoder_) {
    start(settings_.encoder, layer);
    if (&layer == &fresh.encoder_.back()) break;
    std::fill_n(values + layer.bias, layer.units, static_cast<Real>(settings_.encoder_bias));
  }
  fresh.columns_ = columns;
  fresh.names_ = data.names;
  *this = std::move(fresh);
}

template <class Real>
void VariationalAutoencoder<Real>::check(const Data& data) const {
  require_initialized();
  require_dense(data);
  require_columns(data, columns_, names_);
}

template <class Real>
int64_t VariationalAutoencoder<Real>::statistic_length(Statistic statistic) const {
  switch (statistic) {
    case Statistic::none:
      return 0;
    case Statistic::mean_variance:
      return 2 * settings_.latent;
    case Statistic::orthogonal: {
      int64_t length = 0;
      for (const LayerPlace& layer : encoder_) {
        const int64_t side = settings_.by_rows ? layer.in : layer.units;
        length += side * (side + 1) / 2;
      }
      return length;
    }
    default:
      return settings_.latent;
  }
}

template <class Real>
GradientDefaults VariationalAutoencoder<Real>::gradient_defaults() const {
  GradientDefaults defaults;
  defaults.batch_size = 128;
  defaults.min_steps = 8000;
  defaults.overfits = true;
  if (settings_.gaussian) {  // the variances of the noise shrink
    defaults.max_passes = 250;
    defaults.unlimited_steps = 1500;
    defaults.stops_early = true;
  }
  return defaults;
}

template <class Real>
GradientMemory VariationalAutoencoder<Real>::memory(const Data& data, int64_t rows) const {
  VariationalAutoencoder planned(settings_, options_);
  if (options_.is_auto("latent")) planned.choose_latent(data.columns());
  const double parameters = static_cast<double>(planned.lay_out(data.columns()));
  double of_row = static_cast<double>(2 * data.columns() + planned.encoder_[0].units);
  for (const LayerPlace& layer : planned.encoder_) of_row += 2 * static_cast<double>(layer.units);
  double of_sample = 3 * static_cast<double>(planned.settings_.latent);
  for (const LayerPlace& layer : planned.decoder_) of_sample += 2 * static_cast<double>(layer.units);
  const double samples = static_cast<double>(settings_.samples);
  return {parameters, sizeof(Real), 3 * parameters + static_cast<double>(rows) * (of_row + samples * of_sample)};
}

template <class Real>
std::vector<typename VariationalAutoencoder<Real>::Named> VariationalAutoencoder<Real>::named() const {
  const LayerNames& names = layer_names();
  std::vector<Named> all;
  for (size_t l = 0; l < decoder_.size(); ++l) {
    const LayerPlace& layer = decoder_[l];
    all.push_back({{names.decoder_weights[l].c_str(),
                    {layer.in, layer.units},
                    true,
                    "Weights of the decoder's layer, the first from the latent variables, the last to the columns."},
                   flat() + layer.weights});
    all.push_back({{names.decoder_bias[l].c_str(), {layer.units}, true, "Biases of the decoder's layer."},
                   flat() + layer.bias});
  }
  if (settings_.gaussian) {
    all.push_back({{"noise.log_variance",
                    {columns_},
                    true,
                    "Logarithm of (variance of the noise in standardised columns - 0.0001)."},
                   flat() + noise_});
    all.push_back({{"noise.variance",
                    {columns_},
                    false,
                    "Variance of a column given the latent variables (the data's unit squared)."},
                   nullptr});
  }
  for (size_t l = 0; l < encoder_.size(); ++l) {
    const LayerPlace& layer = encoder_[l];
    all.push_back({{names.encoder_weights[l].c_str(),
                    {layer.in, layer.units},
                    true,
                    "Weights of the encoder's layer, the first from the columns, the last to means and to the inputs "
                    "of the standard deviations."},
                   flat() + layer.weights});
    all.push_back({{names.encoder_bias[l].c_str(), {layer.units}, true, "Biases of the encoder's layer."},
                   flat() + layer.bias});
  }
  if (settings_.gaussian) {
    all.push_back({{"data.mean", {columns_}, false, "Means by which columns are standardised."}, nullptr});
    all.push_back(
        {{"data.deviation", {columns_}, false, "Standard deviations by which columns are standardised."}, nullptr});
  }
  return all;
}

template <class Real>
std::vector<Quantity> VariationalAutoencoder<Real>::parameters() const {
  std::vector<Quantity> list;
  for (const Named& one : named()) list.push_back(one.quantity);
  return list;
}

template <class Real>
double VariationalAutoencoder<Real>::noise_variance(int64_t column) const {
  return min_noise + std::exp(static_cast<double>(flat()[noise_ + column]));
}

template <class Real>
void VariationalAutoencoder<Real>::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  for (const Named& one : named()) {
    if (name != one.quantity.name) continue;
    const std::vector<int64_t>& shape = one.quantity.shape;
    const int64_t width = shape.size() == 2 ? shape[1] : 1;
    for (int64_t i = 0; one.values != nullptr && i < shape[0]; ++i) {
      for (int64_t j = 0; j < width; ++j) sink(i, j) = static_cast<double>(one.values[i * width + j]);
    }
    for (int64_t i = 0; one.values == nullptr && i < columns_; ++i) {
      const double deviation = deviation_[static_cast<size_t>(i)];
      sink(i) = name == "data.mean"        ? mean_[static_cast<size_t>(i)]
                : name == "data.deviation" ? deviation
                                           : noise_variance(i) * deviation * deviation;
    }
    return;
  }
  throw Error(VTEMPER_ERROR_INTERNAL, message("there is no parameter ", name));
}

template <class Real>
void VariationalAutoencoder<Real>::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  for (const Named& one : named()) {
    if (name != one.quantity.name) continue;
    const double largest = name == "noise.log_variance" ? 60 : 1e30;
    for (int64_t i = 0; i < one.quantity.size(); ++i) {
      if (std::abs(in[i]) <= largest) continue;
      throw Error(VTEMPER_ERROR_DATA,
                  message("element ", i, " of ", name, " is ", in[i], "; it must lie within ", largest, " of 0"));
    }
    Real* to = values_.template of<Real>() + (one.values - flat());
    for (int64_t i = 0; i < one.quantity.size(); ++i) to[i] = static_cast<Real>(in[i]);
    return;
  }
  throw Error(VTEMPER_ERROR_INTERNAL, message("there is no parameter ", name));
}

template <class Real>
void VariationalAutoencoder<Real>::save(ContainerWriter& writer) const {
  require_initialized();
  values_.save("parameters", writer);
  if (settings_.gaussian) {
    writer.tensor("data_mean", Element::f64, {columns_}, mean_.data());
    writer.tensor("data_deviation", Element::f64, {columns_}, deviation_.data());
  }
  save_columns(writer);
}

template <class Real>
void VariationalAutoencoder<Real>::load(const ContainerReader& reader) {
  const int64_t columns = stored_columns(reader);
  const Tensor& stored = reader.tensor("parameters", real_element<Real>, 1);
  VariationalAutoencoder fresh(settings_, options_);
  if (settings_.latent == 0) fresh.choose_latent(columns);
  // The layers' size is checked before memory is allocated: a file must contain all parameters.
  const double width = static_cast<double>(columns);
  const double latent = static_cast<double>(fresh.settings_.latent);
  double expected = settings_.gaussian ? width : 0;
  double encoder_in = width;
  double decoder_units = width;
  for (const int64_t units : settings_.hidden) {
    const double own = static_cast<double>(units);
    expected += (encoder_in + 1) * own + (own + 1) * decoder_units;
    encoder_in = own;
    decoder_units = own;
  }
  expected += (encoder_in + 1) * 2 * latent + (latent + 1) * decoder_units;
  if (expected > max_parameters || static_cast<double>(stored.count()) != expected) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds layers whose size does not match its options"));
  }
  const Real* all = static_cast<const Real*>(stored.data);
  if (!std::all_of(all, all + stored.count(), [](Real value) { return std::isfinite(value); })) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds parameters that are not finite"));
  }
  if (settings_.gaussian) {
    fresh.mean_ = reader.doubles("data_mean");
    fresh.deviation_ = reader.doubles("data_deviation");
    const auto usable = [](double value) { return std::abs(value) <= largest_value; };
    const auto positive = [](double value) { return value > 0 && value <= largest_value; };
    if (fresh.mean_.size() != static_cast<size_t>(columns) || fresh.deviation_.size() != fresh.mean_.size() ||
        !std::all_of(fresh.mean_.begin(), fresh.mean_.end(), usable) ||
        !std::all_of(fresh.deviation_.begin(), fresh.deviation_.end(), positive)) {
      throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds means and deviations that cannot be those of ",
                                                counted(columns, "column")));
    }
  }
  fresh.place(columns);
  fresh.values_.load("parameters", reader);
  fresh.names_ = load_names(reader, columns);
  fresh.columns_ = columns;
  *this = std::move(fresh);
}

}  // namespace vtemper

#include "models/variational_autoencoder/instances.inc"
