#include "models/factorial_mixture/factorial_mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/columns.h"
#include "models/dense_rows.h"
#include "models/factorial_mixture/work.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Sums of squares of larger values could overflow.
constexpr double largest_value = 1e100;
/// Rows used for initialisation.
constexpr int64_t start_rows = 20000;
/// If columns * v / sigma^2 is larger, means drawn from their prior switch every component off (README.md section 3).
constexpr double largest_prior_start = 100;

/// Calls visit(weight, value) for every value of rows with a weight; refuses missing and too large ones.
template <class Visit>
void visit_values(const Data& data, const Visit& visit) {
  const Dense& dense = data.dense();
  Spare spare;
  for (int64_t row = 0; row < dense.rows; ++row) {
    const double weight = data.weight(row);
    if (weight == 0) continue;
    const DenseRow values = dense.row(row, spare);
    for (int64_t column = 0; column < dense.columns; ++column) {
      const double value = values[column];
      if (std::isnan(value)) {
        throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column,
                                                " is missing; factorial_mixture is fitted to complete rows only"));
      }
      if (!(std::abs(value) <= largest_value)) {
        throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column, " is ", value,
                                                "; values must lie within ", largest_value, " of 0"));
      }
      visit(weight, value);
    }
  }
}

/// Evenly spaced rows.
std::vector<int64_t> some_rows(const Data& data, int64_t most) {
  const int64_t count = std::min(data.rows(), most);
  std::vector<int64_t> rows(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    rows[static_cast<size_t>(i)] =
        static_cast<int64_t>(static_cast<double>(i) * static_cast<double>(data.rows()) / static_cast<double>(count));
  }
  return rows;
}

}  // namespace

FactorialMixture::FactorialMixture(FactorialMixtureSettings settings, OptionValues options)
    : ConjugateModel(factorial_mixture_kind, std::move(options)), settings_(std::move(settings)) {}

std::unique_ptr<Model> FactorialMixture::copy() const {
  auto other = std::make_unique<FactorialMixture>(settings_, options_);
  other->take(*this);
  return other;
}

void FactorialMixture::take(const FactorialMixture& other) {
  components_ = other.components_ ? std::make_unique<FactorialComponents>(*other.components_) : nullptr;
  columns_ = other.columns_;
  names_ = other.names_;
  initial_residual_ = other.initial_residual_;
}

void FactorialMixture::require_dense(const Data& data) {
  require_form<Dense>(data, "factorial_mixture models dense rows of real numbers; the data are ", data.form_name());
}

void FactorialMixture::require_columns(const Data& data) const {
  require_initialized();
  require_dense(data);
  vtemper::require_columns(data, columns(), names_);
}

void FactorialMixture::check(const Data& data) const {
  require_columns(data);
}

void FactorialMixture::report_used(OptionValues& used) const {
  used.use_by_default("noise_variance", components_->priors().noise_variance);
  used.use_by_default("mean_variance", components_->priors().mean_variance);
}

ComponentPriors FactorialMixture::priors_for(const Data& data) const {
  double sum = 0;
  double squares = 0;
  const double scale = 1 / (weight_to_fit(data) * static_cast<double>(data.columns()));
  bool all_zero = true;
  visit_values(data, [&](double weight, double value) {
    sum += scale * weight * value;
    all_zero = all_zero && weight * value == 0;
  });
  visit_values(data, [&](double weight, double value) { squares += scale * weight * (value - sum) * (value - sum); });
  // Data without variance: the scale of the noise is arbitrary.
  const double mean_square = all_zero ? 1 : squares + sum * sum;
  const double variance = squares > 1e-24 * mean_square ? squares : mean_square;
  const auto in_range = [](double value, const char* of_what) {
    constexpr double least = 1e-30, most = 1e30;
    if (value >= least && value <= most) return value;
    throw Error(VTEMPER_ERROR_DATA, message("the default variance of the ", of_what, " is ", value,
                                            "; it must lie between ", least, " and ", most, ", so use another unit"));
  };

  ComponentPriors priors;
  priors.mean_variance = settings_.mean_variance > 0 ? settings_.mean_variance : in_range(mean_square / 2, "means");
  priors.noise_variance = settings_.noise_variance > 0 ? settings_.noise_variance : in_range(variance / 2, "noise");
  set_learned(priors);
  return priors;
}

void FactorialMixture::set_learned(ComponentPriors& priors) const {
  priors.learn_noise = settings_.learn_noise;
  priors.noise_shape = settings_.noise_prior_rows / 2;
  priors.learn_activations = settings_.learn_activations;
  const double rows = settings_.learn_activations ? settings_.activation_prior_rows : 1;
  for (const double probability : settings_.activation_probability) {
    priors.activations.push_back({rows * probability, rows * (1 - probability)});
  }
}

void FactorialMixture::initialize(const Data& data, uint64_t seed) {
  require_dense(data);
  require_not_empty(data);
  const ComponentPriors priors = priors_for(data);
  auto components = std::make_unique<FactorialComponents>(settings_.components, data.columns(), priors);
  const bool small =
      static_cast<double>(data.columns()) * priors.mean_variance <= largest_prior_start * priors.noise_variance;
  const bool from_prior = settings_.initialization == Initialization::prior ||
                          (settings_.initialization == Initialization::automatic && small);
  if (from_prior) {
    components->draw(seed);
  } else {
    start_from_activations(*components, data, seed);
  }
  const double residual = start_residual(*components, data);
  options_.use("initialization", from_prior ? "prior" : "activations");
  // Nothing below can fail.
  initial_residual_ = residual;
  components_ = std::move(components);
  columns_ = data.columns();
  names_ = data.names;
}

/// nu ~ U(0, 2 pi), m = 0, then one round of updates of the means (README.md section 3).
void FactorialMixture::start_from_activations(FactorialComponents& components, const Data& data, uint64_t seed) {
  const std::vector<int64_t> rows = some_rows(data, start_rows);
  FactorialWork work;
  Plan plan;
  plan.iterations = 0;
  plan.random_activations = seed;
  prepare(components, work);
  const LocalSums sums = solve(components, {&data, rows.data(), 0, static_cast<int64_t>(rows.size())}, plan, work);
  GlobalStep step;
  step.scale = sums.rows > 0 ? data_weight(data) / sums.rows : 0;
  components.update_means(work.statistics, step);
}

/// Expected squared residual divided by the noise variance, averaged over rows and columns, with rows active at their
/// prior probability.
double FactorialMixture::start_residual(const FactorialComponents& components, const Data& data) {
  const std::vector<int64_t> rows = some_rows(data, start_rows);
  FactorialWork work;
  Plan plan;
  plan.iterations = 0;
  plan.settings.statistics = false;
  plan.settings.bound = true;
  prepare(components, work);
  const LocalSums sums = solve(components, {&data, rows.data(), 0, static_cast<int64_t>(rows.size())}, plan, work);
  double rest = work.constant + static_cast<double>(data.columns()) * work.constant_of_column;
  for (int64_t k = 0; k < components.size(); ++k) {
    rest += work.start[static_cast<size_t>(k)] * (components.log_on(k) - components.log_off(k));
  }
  if (!(sums.rows > 0)) return 1;
  // Beside much noise the difference is less than its rounding error, but the residual is positive.
  const double difference = rest - sums.expected_log_likelihood / sums.rows;
  return std::max(std::numeric_limits<double>::min(), 2 * difference / static_cast<double>(data.columns()));
}

void FactorialMixture::prepare_step(FactorialWork& work, const GlobalStep& step) const {
  if (work.next) {
    *work.next = *components_;
  } else {
    work.next = std::make_unique<FactorialComponents>(*components_);
  }
  work.change = work.next->update(work.statistics, step);
  if (!work.next->is_usable() || !std::isfinite(work.change.relative)) refuse_step(step.iteration, "the components");
}

GlobalChange FactorialMixture::global_step(FactorialWork& work, const GlobalStep&) noexcept {
  work.remembered.commit();
  work.remembered_inverse.commit();
  std::swap(components_, work.next);
  return work.change;
}

int64_t FactorialMixture::statistics_length() const {
  return ComponentStatistics::length(settings_.components, columns());
}

std::vector<Quantity> FactorialMixture::statistics() const {
  const int64_t size = settings_.components;
  return {{"rows", {}, false, "Rows, by weight."},
          {"squares", {}, false, "Squared values of the rows."},
          {"activations", {size}, false, "Activations of each component."},
          {"pairs", {size, size}, false, "Products of the activations of two components; the diagonal is 0."},
          {"products", {size, columns()}, false, "Products of activations and values."}};
}

void FactorialMixture::write_statistics(const FactorialWork& work, double* out) const {
  const Array<double>& values = work.statistics.values;
  std::fill_n(out, statistics_length(), 0.0);
  std::copy_n(values.data(), values.size(), out);
}

void FactorialMixture::read_statistics(const double* in, FactorialWork& work) const {
  for (int64_t i = 0; i < statistics_length(); ++i) {
    // Row weights, squares and sums of activations; products with values may have any sign.
    const bool counts = i < 2 + settings_.components + settings_.components * settings_.components;
    if (!std::isfinite(in[i]) || (counts && in[i] < 0)) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of the model's statistics is ", in[i]));
    }
  }
  ComponentStatistics& statistics = work.statistics;
  statistics.shape(settings_.components, columns());
  std::copy_n(in, statistics.values.size(), statistics.values.data());
}

double FactorialMixture::global_bound(const PriorPower& prior) const {
  require_initialized();
  return components_->bound(prior);
}

int64_t FactorialMixture::duplicate_components(FactorialWork&) const {
  require_initialized();
  return components_->duplicates();
}

void FactorialMixture::save(ContainerWriter& writer) const {
  require_initialized();
  const ComponentPriors& priors = components_->priors();
  writer.keep("priors", std::vector<double>{priors.mean_variance, priors.noise_variance, initial_residual_});
  components_->save(writer);
  save_columns(writer);
}

void FactorialMixture::load(const ContainerReader& reader) {
  const int64_t columns = stored_columns(reader);
  const std::vector<double> variances = reader.doubles("priors");
  const bool usable = variances.size() == 3 && std::all_of(variances.begin(), variances.end(),
                                                           [](double x) { return std::isfinite(x) && x > 0; });
  // The means are stored in full, so a consistent number of columns is limited by the file's size.
  const Tensor& means = reader.tensor("mean", Element::f64, 2);
  if (means.shape[0] != settings_.components || means.shape[1] != columns) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " holds components whose size does not match its options"));
  }
  if (!usable) throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds variances that are not positive"));
  ComponentPriors priors;
  priors.mean_variance = variances[0];
  priors.noise_variance = variances[1];
  set_learned(priors);
  auto components = std::make_unique<FactorialComponents>(settings_.components, columns, std::move(priors));
  components->load(reader);
  std::shared_ptr<const Names> names = load_names(reader, columns);
  components_ = std::move(components);
  initial_residual_ = variances[2];
  columns_ = columns;
  names_ = std::move(names);
}

}  // namespace vtemper
