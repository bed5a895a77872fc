// Options, initialisation, the start from clusters (README.md section 5), named arrays and files.

#include "models/bernoulli_mixture/bernoulli_mixture.h"

#include <algorithm>
#include <cmath>

#include "models/dense_rows.h"
#include "models/k_means.h"
#include "models/named_arrays.h"
#include "support/interruption.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

constexpr double smallest = 1e-8, largest = 1e12;
constexpr double largest_rows = 1e150;
/// Starts that are compared: this many clusterings and the random start.
constexpr uint64_t clusterings = 4;
/// Rows that are clustered: with 100 a component the bound chooses starts that do not fit the other rows.
constexpr int64_t least_sample = 2000, sample_of_component = 500;
/// Rounds of k-means and steps that follow.
constexpr int rounds = 5;
constexpr int refining_steps = 10;

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
  };
}

/// Of the columns, with a pseudo-count of one half for each of the two values.
std::vector<double> means_of(const Data& data) {
  std::vector<double> means(static_cast<size_t>(data.columns()), 0.5), counts(means.size(), 1);
  for (int64_t row = 0; row < data.rows(); ++row) {
    for (size_t d = 0; d < means.size(); ++d) {
      const double value = data.dense().at(row, static_cast<int64_t>(d)), weight = data.weight(row);
      if (std::isnan(value)) continue;
      means[d] += weight * value;
      counts[d] += weight;
    }
  }
  // Tiny weights can cancel the pseudo-counts.
  for (size_t d = 0; d < means.size(); ++d) means[d] = std::clamp(means[d] / counts[d], smallest, 1 - smallest);
  return means;
}

/// The statistics of rows that belong to one component each: rows [K], ones [K x D], missing [K x D].
void assign_rows(const Data& data, const Clusters& clusters, int64_t components, Array<double>& statistics) {
  const int64_t columns = data.columns();
  double* ones = statistics.data() + components;
  double* missing = ones + components * columns;
  statistics.fill(0);
  for (size_t i = 0; i < clusters.rows.size(); ++i) {
    const double weight = clusters.weights[i];
    const int64_t k = clusters.cluster[i];
    statistics[static_cast<size_t>(k)] += weight;
    for (int64_t d = 0; d < columns; ++d) {
      const double value = data.dense().at(clusters.rows[i], d);
      double& sum = (std::isnan(value) ? missing : ones)[k * columns + d];
      sum += std::isnan(value) ? weight : weight * value;
    }
  }
}

}  // namespace

const ModelKind bernoulli_mixture_kind = {
    "bernoulli_mixture", "Mixture of Bernoulli columns: classes of rows of zeros and ones (latent class analysis).",
    bernoulli_options,
    [](const OptionValues& options) -> std::unique_ptr<Model> { return std::make_unique<BernoulliMixture>(options); },
    VTEMPER_DENSE};

BernoulliMixture::BernoulliMixture(const OptionValues& options) : DenseMixture(bernoulli_mixture_kind, options) {}

void BernoulliMixture::shape(int64_t columns) {
  columns_ = columns;
  weights_prior_.resize(static_cast<size_t>(count()));
  const std::vector<double> given = weights_prior();
  std::copy(given.begin(), given.end(), weights_prior_.begin());
}

void BernoulliMixture::require_rows(const Data& data) const {
  require_shares_or_missing(data, kind().name);
}

double BernoulliMixture::row_tokens(const Data& data, int64_t row) const {
  double observed = 0;
  for (int64_t d = 0; d < columns_; ++d) observed += std::isnan(data.dense().at(row, d)) ? 0 : 1;
  return observed / static_cast<double>(columns_);
}

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
  for (Array<double>* array : {&ones_prior_, &zeros_prior_}) array->resize(columns);
  for (size_t d = 0; d < columns; ++d) {
    ones_prior_[d] = given[stride * d];
    zeros_prior_[d] = given[given.size() / 2 + stride * d];
  }
}

void BernoulliMixture::count_rows(double rows, BernoulliPosterior& out) const {
  const size_t columns = ones_prior_.size();
  const double size = rows / static_cast<double>(count());
  out.weights.resize(weights_prior_.size());
  out.zeros.resize(out.ones.size());
  for (size_t k = 0; k < weights_prior_.size(); ++k) {
    out.weights[k] = weights_prior_[k] + size;
    for (size_t d = 0, i = k * columns; d < columns; ++d, ++i) {
      const double share = out.ones[i];
      out.ones[i] = ones_prior_[d] + size * share;
      out.zeros[i] = zeros_prior_[d] + size * (1 - share);
    }
  }
}

/// Random start: components have equal shares of the rows; each is the average of a randomly drawn row and the column
/// means. Replaced by clusters unless a random start is requested.
void BernoulliMixture::initialize(const Data& data, uint64_t seed) {
  require_rows(data);
  const double rows = weight_to_fit(data);
  if (!(rows <= largest_rows)) {
    throw Error(VTEMPER_ERROR_DATA,
                sentence("the weights of the rows add up to ", rows, "; the maximum is ", largest_rows));
  }
  if (data.columns() < 1) throw Error(VTEMPER_ERROR_DATA, "the data has no columns, so there is nothing to model");
  BernoulliMixture next(options_);
  next.shape(data.columns());
  next.names_ = data.names;
  const std::vector<double> means = means_of(data);
  next.set_prior(means);
  next.posterior_.ones.resize(static_cast<size_t>(count()) * means.size());
  const auto all = static_cast<uint64_t>(data.rows()), components = static_cast<uint64_t>(count());
  for (uint64_t k = 0; k < components; ++k) {
    require_not_interrupted();
    const auto row = static_cast<int64_t>(permuted(k % all, all, seed, Purpose::initialize, 1));
    for (size_t d = 0; d < means.size(); ++d) {
      const double value = data.dense().at(row, static_cast<int64_t>(d));
      next.posterior_.ones[k * means.size() + d] = 0.5 * (means[d] + (std::isnan(value) ? means[d] : value));
    }
  }
  next.count_rows(rows, next.posterior_);
  next.posterior_.take_logs(false, next.posterior_.expected);
  if (options_.text("start") == "k_means") next.start_from_clusters(data, means, rows, seed);
  *this = std::move(next);
}

/// Each clustering gives the statistics of a step, which others follow; the random start is compared with them.
void BernoulliMixture::start_from_clusters(const Data& data, const std::vector<double>& means, double rows,
                                           uint64_t seed) {
  std::vector<double> units[2] = {std::vector<double>(means.size(), 1.0), {}};
  for (const double mean : means) units[1].push_back(1 / std::sqrt(mean * (1 - mean)));
  const int64_t most_rows = std::max(least_sample, sample_of_component * count());
  const ClusterSettings of_clusters = {count(), means, units, most_rows, seed, rounds};
  const std::unique_ptr<BernoulliWork> work = local_work(&data, std::min(data.rows(), chunk_rows));
  start_from_best(data, of_clusters, clusterings + 1, posterior_, [&](const Clusters& clusters, uint64_t attempt) {
    const Batch sample = {&data, clusters.rows.data(), 0, clusters.count()};
    GlobalStep step;
    step.scale = rows / clusters.weight;
    LocalSettings settings;
    settings.bound = true;
    double bound = 0;
    for (int steps = 0; steps <= refining_steps; ++steps) {
      require_not_interrupted();
      if (steps == 0 && attempt < clusterings) {
        assign_rows(data, clusters, count(), work->statistics);
      } else {
        const LocalSums sums = local_step(sample, LocalTemperature{}, settings, *work);
        bound = step.scale * sums.bound + global_bound(PriorPower{});
      }
      if (steps == refining_steps) break;
      prepare_step(*work, step);
      global_step(*work, step);
    }
    return bound;
  });
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
  MethodDefaults defaults = DenseMixture::method_defaults();
  defaults.method = "entropy_annealing";
  return defaults;
}

template <class Self>
auto BernoulliMixture::arrays_of(Self& self) {
  const int64_t k = self.count(), d = self.columns_;
  auto& [weights, ones, zeros, expected] = self.posterior_;
  return std::vector<NamedArrayOf<decltype(weights)>>{
      {{"weights.concentration", {k}, true, "Dirichlet parameters of the weights."}, &weights},
      {{"ones", {k, d}, true, "Beta parameters of ones: prior and expected number."}, &ones},
      {{"zeros", {k, d}, true, "Beta parameters of zeros."}, &zeros},
      {{"prior.ones", {d}, false, ""}, &self.ones_prior_},
      {{"prior.zeros", {d}, false, ""}, &self.zeros_prior_}};
}

ParameterTable BernoulliMixture::parameter_table() const {
  const auto at = [](int64_t i) { return static_cast<size_t>(i); };
  ParameterTable table = {
      {{"probabilities", {count(), columns_}, false, "Mean probabilities of a one in each column."},
       [=](int64_t i) { return mean(at(i)); }},
      {{"weights", {count()}, false, "Mean weights of the components."},
       [=](int64_t k) { return mean_weight(at(k)); }},
      {{"rows", {count()}, false, "Rows that each component holds, by weight."},
       [=](int64_t k) { return rows_of(at(k)); }}};
  append_arrays(arrays_of(*this), table);
  return table;
}

void BernoulliMixture::write_parameter(std::string_view name, const double* in) {
  write_array(arrays_of(*this), name, smallest, 1e15, in);
  posterior_.take_logs(false, posterior_.expected);
}

void BernoulliMixture::save(ContainerWriter& writer) const {
  save_arrays(arrays_of(*this), writer);
  save_columns(writer);
}

void BernoulliMixture::load(const ContainerReader& reader) {
  BernoulliMixture next(options_);
  next.shape(stored_columns(reader));
  load_arrays(arrays_of(next), reader);
  next.posterior_.take_logs(false, next.posterior_.expected);
  next.names_ = load_names(reader, next.columns_);
  *this = std::move(next);
}

}  // namespace vtemper
