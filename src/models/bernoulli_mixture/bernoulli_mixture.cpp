// Options, initialisation, named arrays and files.

#include "models/bernoulli_mixture/bernoulli_mixture.h"

#include <algorithm>
#include <cmath>

#include "data/typed_array.h"
#include "models/dense_rows.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

constexpr double smallest = 1e-8, largest = 1e12;
constexpr double largest_rows = 1e150;

OptionTable bernoulli_options() {
  return {
      {"components", VTEMPER_OPTION_INTEGER, "10", 1, 1e6, "", "Number of components (latent classes) K."},
      weights_prior_option(),
      {"start", VTEMPER_OPTION_CHOICE, "k_means", 0, 0, "k_means random",
       "Where a fit starts: the best by the bound of four clusterings by k-means and one random start, all refined "
       "by steps on a sample of the rows; or that random start, components halfway between the column means and "
       "rows drawn at random."},
      {"probability_prior", VTEMPER_OPTION_REALS, "auto", 0.1 * smallest, largest, "",
       "Beta prior of the columns' probabilities: one value for ones and zeros, or two, or 2 x D, those of the ones "
       "of all columns first; auto: m and 1 - m for a column of mean m in the data, as if each component had seen "
       "one more row, of means."},
  };
}

void require_list(const OptionValues& options, const char* name, int64_t most) {
  const auto given = static_cast<int64_t>(options.reals(name).size());
  if (given == 1 || given == most) return;
  throw Error(VTEMPER_ERROR_OPTION,
              sentence("option ", name, " has ", given, " values; it takes 1 or ", most, " here"));
}

std::unique_ptr<Model> create_bernoulli(const OptionValues& options) {
  require_list(options, "weights_prior", options.integer("components"));
  return std::make_unique<BernoulliMixture>(options);
}

}  // namespace

const ModelKind bernoulli_mixture_kind = {
    "bernoulli_mixture", "Mixture of Bernoulli columns: classes of rows of zeros and ones (latent class analysis).",
    bernoulli_options, create_bernoulli, VTEMPER_DENSE};

BernoulliMixture::BernoulliMixture(const OptionValues& options)
    : ConjugateModel(bernoulli_mixture_kind, options), components_(options.integer("components")) {}

/// Sets the array sizes and the prior of the weights.
void BernoulliMixture::shape(int64_t columns) {
  columns_ = columns;
  weights_prior_.resize(static_cast<size_t>(components_));
  const std::vector<double> given = options_.reals("weights_prior");
  for (size_t k = 0; k < weights_prior_.size(); ++k) weights_prior_[k] = given[given.size() == 1 ? 0 : k];
}

void BernoulliMixture::check(const Data& data) const {
  if (!initialized()) throw Error(VTEMPER_ERROR_STATE, "the model is not initialised: it has seen no data yet");
  require_shares_or_missing(data, bernoulli_mixture_kind.name);
  require_columns(data, columns_, names_);
}

double BernoulliMixture::row_tokens(const Data& data, int64_t row) const {
  double observed = 0;
  for (int64_t d = 0; d < columns_; ++d) observed += std::isnan(data.dense().at(row, d)) ? 0 : 1;
  return observed / static_cast<double>(columns_);
}

/// Random start: components have equal shares of the rows; each is the average of a randomly drawn row and the column
/// means. Replaced by clusters unless a random start is requested.
void BernoulliMixture::initialize(const Data& data, uint64_t seed) {
  require_shares_or_missing(data, bernoulli_mixture_kind.name);
  const double rows = weight_to_fit(data);
  if (!(rows <= largest_rows)) {
    throw Error(VTEMPER_ERROR_DATA,
                sentence("the weights of the rows add up to ", rows, "; the most is ", largest_rows));
  }
  if (data.columns() < 1) throw Error(VTEMPER_ERROR_DATA, "the data has no columns, so there is nothing to model");
  if (!options_.is_auto("probability_prior") && options_.reals("probability_prior").size() != 2) {
    require_list(options_, "probability_prior", 2 * data.columns());
  }
  BernoulliMixture next(options_);
  next.shape(data.columns());
  next.names_ = data.names;
  const size_t components = static_cast<size_t>(components_), columns = static_cast<size_t>(data.columns());
  std::vector<double> means(columns, 0.5), counts(columns, 1);  // with a pseudo-count of one half for each value
  for (int64_t row = 0; row < data.rows(); ++row) {
    for (size_t d = 0; d < columns; ++d) {
      const double value = data.dense().at(row, static_cast<int64_t>(d)), weight = data.weight(row);
      if (std::isnan(value)) continue;
      means[d] += weight * value;
      counts[d] += weight;
    }
  }
  for (Array<double>* array : {&next.ones_prior_, &next.zeros_prior_}) array->resize(columns);
  const bool by_means = options_.is_auto("probability_prior");
  std::vector<double> given = by_means ? std::vector<double>{0} : options_.reals("probability_prior");
  if (given.size() == 1) given.resize(2, given[0]);
  const size_t stride = given.size() == 2 ? 0 : 1;
  for (size_t d = 0; d < columns; ++d) {
    means[d] = std::clamp(means[d] / counts[d], smallest, 1 - smallest);  // tiny weights can cancel the pseudo-counts
    next.ones_prior_[d] = by_means ? means[d] : given[stride * d];
    next.zeros_prior_[d] = by_means ? 1 - means[d] : given[given.size() / 2 + stride * d];
  }
  next.draw(rows, seed, Purpose::initialize, 0, next.posterior_);
  for (size_t i = 0; i < components * columns; ++i) {
    const uint64_t all = static_cast<uint64_t>(data.rows()), k = i / columns;
    const auto row = static_cast<int64_t>(permuted(k % all, all, seed, Purpose::initialize, 1));
    const size_t d = i % columns;
    if (d == 0) require_not_interrupted();
    const double value = data.dense().at(row, static_cast<int64_t>(d));
    const double share = 0.5 * (means[d] + (std::isnan(value) ? means[d] : value));
    const double size = rows / static_cast<double>(components);
    next.posterior_.ones[i] = next.ones_prior_[d] + size * share;
    next.posterior_.zeros[i] = next.zeros_prior_[d] + size * (1 - share);
  }
  next.posterior_.take_logs(false, next.posterior_.expected);
  if (options_.text("start") == "k_means") next.start_from_clusters(data, means, rows, seed);
  *this = std::move(next);
}

void BernoulliMixture::report_used(OptionValues& used) const {
  used.use_by_default("probability_prior", numbers_text(ones_prior_) + "," + numbers_text(zeros_prior_));
}

StartTemperatures BernoulliMixture::start_temperatures(double, double) const {
  StartTemperatures temperatures;
  temperatures.schedule = temperatures.entropy_schedule = temperatures.grid = 1.5;
  return temperatures;
}

MethodDefaults BernoulliMixture::method_defaults() const {
  MethodDefaults defaults = mixture_method_defaults();
  defaults.method = "entropy_annealing";
  return defaults;
}

template <class Self>
auto BernoulliMixture::arrays_of(Self& self) {
  const int64_t k = self.components_, d = self.columns_;
  auto& [weights, ones, zeros, expected] = self.posterior_;
  return std::vector<NamedArrayOf<decltype(weights)>>{
      {{"weights.concentration", {k}, true, "Dirichlet parameters of the weights."}, &weights},
      {{"ones", {k, d}, true, "Beta parameters of ones: prior and expected number."}, &ones},
      {{"zeros", {k, d}, true, "Beta parameters of zeros."}, &zeros},
      {{"prior.ones", {d}, false, ""}, &self.ones_prior_},
      {{"prior.zeros", {d}, false, ""}, &self.zeros_prior_}};
}

std::vector<Quantity> BernoulliMixture::parameters() const {
  std::vector<Quantity> list = {
      {"probabilities", {components_, columns_}, false, "Mean probabilities of a one in each column."},
      {"weights", {components_}, false, "Mean weights of the components."},
      {"rows", {components_}, false, "Rows that each component holds, by weight."}};
  list_arrays(arrays_of(*this), list);
  return list;
}

void BernoulliMixture::read_parameter(std::string_view name, const Sink& sink) const {
  const ConstNamedArrays all = arrays_of(*this);
  if (const ConstNamedArray* array = find_array(all, name)) return read_array(*array, sink);
  for (size_t k = 0; k < weights_prior_.size(); ++k) {
    const int64_t row = static_cast<int64_t>(k);
    if (name == "rows") sink(row) = rows_of(k);
    if (name == "weights") sink(row) = mean_weight(row);
    for (int64_t d = 0; name == "probabilities" && d < columns_; ++d) {
      sink(row, d) = mean(static_cast<size_t>(row * columns_ + d));
    }
  }
}

void BernoulliMixture::write_parameter(std::string_view name, const double* in) {
  const NamedArrays all = arrays_of(*this);
  write_array(*find_array(all, name), smallest, 1e15, in);
  posterior_.take_logs(false, posterior_.expected);
}

std::vector<Quantity> BernoulliMixture::local_quantities(const Data& data) const {
  return mixture_row_quantities(data, components_,
                                "Log probability of the row under the posterior predictive (nats).");
}

void BernoulliMixture::save(ContainerWriter& writer) const {
  writer.text("columns", number_text(columns_));
  save_arrays(arrays_of(*this), writer);
  save_names(names_.get(), writer);
}

void BernoulliMixture::load(const ContainerReader& reader) {
  const auto columns = parse_integer(reader.text("columns"));
  if (!columns || *columns < 1 || *columns > most_columns) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence(reader.name(), " holds a number of columns that is none"));
  }
  BernoulliMixture next(options_);
  next.shape(*columns);
  load_arrays(arrays_of(next), reader);
  next.posterior_.take_logs(false, next.posterior_.expected);
  next.names_ = load_names(reader, *columns);
  *this = std::move(next);
}

}  // namespace vtemper
