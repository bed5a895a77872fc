#include "models/deep_exponential_family/deep_exponential_family.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/scalar_functions.h"
#include "models/columns.h"
#include "models/deep_exponential_family/work.h"
#include "storage/real_element.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Standard deviation of the initial weights around those that reproduce the word frequencies.
constexpr double start_spread = 1;
/// Larger weights could overflow sums of rates in float.
constexpr double largest_weight = 1e6;

const Counts& require_counts(const Data& data) {
  return require_form<Counts>(data, "deep_exponential_family models counts; the data are ", data.form_name());
}

}  // namespace

template <class Real>
DeepExponentialFamily<Real>::DeepExponentialFamily(ExponentialFamilySettings settings, OptionValues options)
    : GradientModel(deep_exponential_family_kind, std::move(options)), settings_(settings) {}

template <class Real>
std::unique_ptr<Model> DeepExponentialFamily<Real>::copy() const {
  return std::make_unique<DeepExponentialFamily<Real>>(*this);
}

/// Initial weights that reproduce the word frequencies of the data, with independent noise for each factor.
template <class Real>
void DeepExponentialFamily<Real>::initialize(const Data& data, uint64_t seed) {
  const Counts& counts = require_counts(data);
  const int64_t columns = data.columns();
  if (columns < 1) throw Error(VTEMPER_ERROR_DATA, "the data have no columns, so there is nothing to model");
  std::vector<double> mean(static_cast<size_t>(columns));
  double weight = 0;
  for (int64_t row = 0; row < data.rows(); ++row) {
    const double of_row = data.weight(row);
    weight += of_row;
    counts.visit_row(row, [&](int32_t column, double count) { mean[static_cast<size_t>(column)] += of_row * count; });
  }
  DeepExponentialFamily fresh(settings_, options_);
  const int64_t latent = settings_.latent;
  fresh.values_.resize(sizeof(Real) == sizeof(float), columns * latent);
  Real* values = fresh.values_.template of<Real>();
  for (int64_t v = 0; v < columns; ++v) {
    require_not_interrupted();
    RandomStream random(seed, Purpose::initialize, 0, static_cast<uint64_t>(v));
    const double rate = weight > 0 ? mean[static_cast<size_t>(v)] / weight : 0;
    const double of_factor =
        std::max(rate, settings_.background_rate) / (settings_.prior_rate * static_cast<double>(latent));
    // Where softplus is close to the exponential, the mean over the noise equals the rate.
    const double centre = inverse_softplus(of_factor) - start_spread * start_spread / 2;
    if (!(centre < largest_weight)) {
      throw Error(VTEMPER_ERROR_DATA, message("column ", v, " has ", rate, " counts a row on average, more than ",
                                              "deep_exponential_family can model"));
    }
    for (int64_t k = 0; k < latent; ++k) {
      values[v * latent + k] = static_cast<Real>(centre + start_spread * random.normal());
    }
  }
  fresh.columns_ = columns;
  fresh.names_ = data.names;
  *this = std::move(fresh);
}

template <class Real>
void DeepExponentialFamily<Real>::check(const Data& data) const {
  require_initialized();
  require_counts(data);
  require_columns(data, columns_, names_);
}

template <class Real>
int64_t DeepExponentialFamily<Real>::row_statistic_length(Statistic statistic) const {
  if (statistic == Statistic::none) return 0;
  return statistic == Statistic::mean_variance ? 2 * settings_.latent : settings_.latent;
}

template <class Real>
GradientDefaults DeepExponentialFamily<Real>::gradient_defaults() const {
  GradientDefaults defaults;
  defaults.batch_size = 64;
  defaults.passes = 100;
  defaults.rows_of_twice = 1000;
  defaults.min_steps = 4000;
  defaults.step_size = "rmsprop";
  defaults.learning_rate = 0.05;  // a row's posterior moves only in steps that contain the row
  defaults.statistic = Statistic::mean_variance;
  return defaults;
}

template <class Real>
void DeepExponentialFamily<Real>::check_method(const RequiredGradientFeatures& required) const {
  if (required.statistic == Statistic::orthogonal) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        "proximity orthogonal is for inference networks; deep_exponential_family has none: its statistics are "
        "mean_variance, entropy and kl");
  }
}

template <class Real>
GradientMemory DeepExponentialFamily<Real>::memory(const Data& data, int64_t rows) const {
  const double latent = static_cast<double>(settings_.latent);
  const double words = static_cast<double>(data.columns());
  const double all_rows = static_cast<double>(std::max<int64_t>(data.rows(), 1));
  const double entries = static_cast<double>(data.counts().entries) / all_rows * static_cast<double>(rows);
  constexpr double arrays_of_weights = 4;  // weights, gradient, and softplus and slope of the weights
  constexpr double arrays_of_samples = 6;  // of DocumentScratch; two of them in double
  const double scratch =
      static_cast<double>(settings_.samples) * (arrays_of_samples * latent + static_cast<double>(words_at_once));
  return {words * latent, sizeof(Real), latent * (arrays_of_weights * words + all_rows + entries) + scratch};
}

template <class Real>
std::vector<Quantity> DeepExponentialFamily<Real>::parameters() const {
  const int64_t latent = settings_.latent;
  return {
      {"model.weights.0",
       {latent, columns_},
       true,
       "Weights W of the factors; their softplus is the rate of the words."},
      {"factors", {latent, columns_}, false, "Probabilities of the words under a factor: its rates over their sum."},
      {"factor.rate", {latent}, false, "Expected words that a factor adds to a row each time it takes part."},
  };
}

template <class Real>
void DeepExponentialFamily<Real>::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  const int64_t latent = settings_.latent;
  std::vector<double> totals(static_cast<size_t>(latent));
  if (name != "model.weights.0") word_totals(totals.data());
  for (int64_t k = 0; k < latent; ++k) {
    if (name == "factor.rate") {
      sink(k) = totals[static_cast<size_t>(k)];
      continue;
    }
    for (int64_t v = 0; v < columns_; ++v) {
      const double weight = static_cast<double>(values()[v * latent + k]);
      sink(k, v) = name == "factors" ? softplus(weight) / totals[static_cast<size_t>(k)] : weight;
    }
  }
}

template <class Real>
void DeepExponentialFamily<Real>::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  const int64_t latent = settings_.latent;
  for (int64_t i = 0; i < latent * columns_; ++i) {
    if (!(std::abs(in[i]) <= largest_weight)) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of ", name, " is ", in[i], "; it must lie within ",
                                              largest_weight, " of 0"));
    }
  }
  Real* values = values_.template of<Real>();
  for (int64_t k = 0; k < latent; ++k) {
    for (int64_t v = 0; v < columns_; ++v) values[v * latent + k] = static_cast<Real>(in[k * columns_ + v]);
  }
}

template <class Real>
void DeepExponentialFamily<Real>::word_weights(int64_t column, int64_t first, int64_t count, double* out) const {
  const Real* weights = values() + column * settings_.latent + first;
  for (int64_t i = 0; i < count; ++i) out[i] = softplus(static_cast<double>(weights[i]));
}

template <class Real>
void DeepExponentialFamily<Real>::word_totals(double* out) const {
  std::vector<double> row(static_cast<size_t>(settings_.latent));
  std::fill_n(out, settings_.latent, 0.0);
  for (int64_t v = 0; v < columns_; ++v) {
    word_weights(v, 0, settings_.latent, row.data());
    for (int64_t k = 0; k < settings_.latent; ++k) out[k] += row[static_cast<size_t>(k)];
  }
}

/// Under the prior all factors are equally frequent.
template <class Real>
void DeepExponentialFamily<Real>::word_shares(double* out) const {
  word_totals(out);
  double all = 0;
  for (int64_t k = 0; k < settings_.latent; ++k) all += out[k];
  for (int64_t k = 0; k < settings_.latent; ++k) out[k] /= all;
}

template <class Real>
void DeepExponentialFamily<Real>::save(ContainerWriter& writer) const {
  require_initialized();
  values_.save("parameters", writer);
  save_columns(writer);
}

template <class Real>
void DeepExponentialFamily<Real>::load(const ContainerReader& reader) {
  const int64_t columns = stored_columns(reader);
  const Tensor& stored = reader.tensor("parameters", real_element<Real>, 1);
  if (stored.count() != columns * settings_.latent) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds factors whose size does not match its options"));
  }
  const Real* all = static_cast<const Real*>(stored.data);
  if (!std::all_of(all, all + stored.count(), [](Real value) { return std::isfinite(value); })) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds weights that are not finite"));
  }
  DeepExponentialFamily fresh(settings_, options_);
  fresh.values_.resize(sizeof(Real) == sizeof(float), stored.count());
  fresh.values_.load("parameters", reader);
  fresh.names_ = load_names(reader, columns);
  fresh.columns_ = columns;
  *this = std::move(fresh);
}

}  // namespace vtemper

#include "models/deep_exponential_family/instances.inc"
