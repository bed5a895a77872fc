// Options, initialisation, the start from clusters (README.md section 5), named arrays and files.

#include "models/bernoulli_mixture/bernoulli_mixture.h"

#include <algorithm>
#include <cmath>

#include "models/k_means.h"
#include "support/interruption.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

constexpr double smallest = 1e-8, largest = 1e12;
constexpr const char* strength_name = "prior.strength";
/// Starts that are compared: this many clusterings and the random start.
constexpr uint64_t clusterings = 4;
/// Rows that are clustered: with only 100 per component, the bound chooses starts that do not fit the other rows.
constexpr int64_t min_sample = 2000, sample_of_component = 500;
/// Rounds of k-means, and the number of steps that follow.
constexpr int rounds = 5;
constexpr int refining_steps = 10;

/// A prior set by the user is kept as it is. A single component is not enough to learn a prior from.
std::string learned_by_default(const OptionValues& options) {
  return options.is_auto("probability_prior") && options.integer("components") > 1 ? "true" : "false";
}

OptionTable bernoulli_options() {
  return {
      {"components", VTEMPER_OPTION_INTEGER, "10", 1, 1e6, "", "Number of components (latent classes) K."},
      weights_prior_option(),
      {"start", VTEMPER_OPTION_CHOICE, "k_means", 0, 0, "k_means random",
       "Where a fit starts: from the best, by the bound, of four k-means clusterings and one random start, all "
       "refined by steps on a sample of the rows; or from that random start, components halfway between the column "
       "means and rows drawn at random."},
      {"probability_prior", VTEMPER_OPTION_REALS, "auto", 0.1 * smallest, largest, "",
       "Beta prior of the columns' probabilities: one value for ones and zeros, or two, or 2 x D, first those of the "
       "ones of all columns; auto: m and 1 - m for a column of mean m in the data, as if each component had seen one "
       "more row, equal to the means."},
      {"learn_priors", VTEMPER_OPTION_BOOLEAN, "auto", 0, 1, "",
       "Whether the strength of probability_prior, a common factor of its numbers, is fitted; needs two or more "
       "components; auto: if probability_prior is not given.",
       learned_by_default},
  };
}

/// Means of the columns, with a pseudo-count of one half for each of the two values.
std::vector<double> means_of(const Data& data) {
  std::vector<double> means(static_cast<size_t>(data.columns()), 0.5), counts(means.size(), 1);
  for_each_value(data, [&](int64_t, double weight, size_t d, double value) {
    means[d] += weight * value;
    counts[d] += weight;
  });
  // Tiny weights can cancel the pseudo-counts.
  for (size_t d = 0; d < means.size(); ++d) means[d] = std::clamp(means[d] / counts[d], smallest, 1 - smallest);
  return means;
}

}  // namespace

const ModelKind bernoulli_mixture_kind = {
    "bernoulli_mixture", "Mixture of Bernoulli columns: classes of rows of zeros and ones (latent class analysis).",
    bernoulli_options,
    [](const OptionValues& options) -> std::unique_ptr<Model> { return std::make_unique<BernoulliMixture>(options); },
    VTEMPER_DENSE};

void BernoulliMixture::set_prior(const std::vector<double>& means) {
  const size_t columns = means.size();
  std::vector<double> given = means;
  if (options_.is_auto("probability_prior")) {
    for (const double mean : means) given.push_back(1 - mean);
  } else {
    given = options_.reals("probability_prior");
    if (given.size() != 2) given = reals_of_each(options_, "probability_prior", 2 * columns_, "columns, twice");
  }
  const size_t stride = given.size() == 2 ? 0 : 1;
  for (Array<double>* array : {&prior_.ones, &prior_.zeros}) array->resize(columns);
  prior_.strength = 1;
  for (size_t d = 0; d < columns; ++d) {
    prior_.ones[d] = given[stride * d];
    prior_.zeros[d] = given[given.size() / 2 + stride * d];
  }
}

void BernoulliMixture::refresh() {
  weights_.refresh();
  posterior_.take_logs(weights_, false);
}

/// Random start: a step in which components have equal shares of the rows; their probabilities are the average of a
/// randomly drawn row and the column means. Replaced by clusters unless a random start is requested.
void BernoulliMixture::initialize(const Data& data, uint64_t seed) {
  require_rows(data);
  const double rows = weight_to_fit(data), size = rows / static_cast<double>(count());
  BernoulliMixture next(options_);
  next.columns_ = data.columns();
  next.names_ = data.names;
  const std::vector<double> means = means_of(data);
  next.set_prior(means);
  const std::unique_ptr<BernoulliWork> work = next.local_work(&data, data.rows());
  double* ones = work->statistics.data() + count();
  const auto all = static_cast<uint64_t>(data.rows());
  Spare spare;
  for (size_t k = 0; k < weights_.prior.size(); ++k) {
    require_not_interrupted();
    work->statistics[k] = size;
    const auto row = static_cast<int64_t>(permuted(k % all, all, seed, Purpose::initialize, 1));
    const DenseRow values = data.dense().row(row, spare);
    for (size_t d = 0; d < means.size(); ++d) {
      const double value = values[static_cast<int64_t>(d)];
      *ones++ = size * 0.5 * (means[d] + (std::isnan(value) ? means[d] : value));
    }
  }
  for (Array<double>* array : {&next.posterior_.ones, &next.posterior_.zeros}) {
    array->resize(static_cast<size_t>(count()) * means.size());
  }
  next.prepare_components(*work, GlobalStep{});
  next.global_step(*work, GlobalStep{});
  if (options_.text("start") == "k_means") next.start_from_clusters(data, means, rows, seed, *work);
  *this = std::move(next);
}

/// In the first step each row belongs to its cluster alone; ordinary steps follow. The random start is refined by
/// ordinary steps only and compared with the results.
void BernoulliMixture::start_from_clusters(const Data& data, const std::vector<double>& means, double rows,
                                           uint64_t seed, BernoulliWork& work) {
  std::vector<double> units[2] = {std::vector<double>(means.size(), 1.0), {}};
  for (const double mean : means) units[1].push_back(1 / std::sqrt(mean * (1 - mean)));
  const int64_t max_rows = std::max(min_sample, sample_of_component * count());
  const ClusterSettings of_clusters = {count(), means, max_rows, seed, rounds};
  const auto take = [&](const Clusters& clusters, uint64_t attempt, const GlobalStep& step) {
    for (int steps = 0; steps < refining_steps; ++steps) {
      require_not_interrupted();
      const int32_t* assigned = steps == 0 && attempt < clusterings ? clusters.cluster.data() : nullptr;
      local_step(clusters.batch(data), LocalTemperature{}, LocalSettings{}, work, assigned);
      prepare_step(work, step);
      global_step(work, step);
    }
  };
  start_from_best(data, rows, of_clusters, units, clusterings + 1, *this, work, take);
}

void BernoulliMixture::save(ContainerWriter& writer) const {
  ModelOfArrays::save(writer);
  writer.keep(strength_name, std::vector<double>{prior_.strength});
}

/// Files that were written before the strength was learned do not have it.
void BernoulliMixture::load(const ContainerReader& reader) {
  double strength = 1;
  if (reader.has_tensor(strength_name)) strength = stored_numbers(reader, strength_name, 1)[0];
  if (!(strength >= least_strength && strength <= most_strength)) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds ", strength_name, " ", strength,
                                              "; it must lie between ", least_strength, " and ", most_strength));
  }
  ModelOfArrays::load(reader);
  prior_.strength = strength;
}

void BernoulliMixture::report_used(OptionValues& used) const {
  used.use_by_default("probability_prior", numbers_text(prior_.ones) + "," + numbers_text(prior_.zeros));
}

StartTemperatures BernoulliMixture::start_temperatures(double, double) const {
  StartTemperatures temperatures;
  temperatures.schedule = temperatures.entropy_schedule = temperatures.grid = 1.5;
  return temperatures;
}

MethodDefaults BernoulliMixture::method_defaults(double row_length) const {
  MethodDefaults defaults = DenseMixture::method_defaults(row_length);
  defaults.method = "entropy_annealing";
  defaults.passes = 300;  // many components of few rows take more than 100
  return defaults;
}

ParameterTable BernoulliMixture::parameter_table() const {
  ParameterTable table = {
      {{"probabilities", {count(), columns_}, false, "Mean probabilities of a one in each column."},
       [this](int64_t i) { return mean(i / columns_, i % columns_); }},
      mean_weights(),
      rows_of_components(),
      {{"probability_prior",
        {2, columns_},
        false,
        "Beta prior of the probabilities, given or learned: that of the ones, of the zeros."},
       [this](int64_t i) {
         const Array<double>& numbers = i < columns_ ? prior_.ones : prior_.zeros;
         return prior_.strength * numbers[static_cast<size_t>(i % columns_)];
       }}};
  append_arrays(arrays_of(*this), table);
  return table;
}

}  // namespace vtemper
