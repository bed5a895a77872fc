// Start from clusters (README.md section 5): one global step with each row assigned to a single component. The best
// of several clusterings, by the bound, is used.

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "models/k_means.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

/// Candidates: this many clusterings and the random start.
constexpr uint64_t clusterings = 4;
/// Rows that are clustered: with 100 a component the bound chooses starts that do not fit the other rows.
constexpr int64_t least_sample = 2000, sample_of_component = 500;
/// Rounds of k-means and steps that follow.
constexpr int rounds = 5;
constexpr int refining_steps = 10;

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

void BernoulliMixture::start_from_clusters(const Data& data, const std::vector<double>& means, double rows,
                                           uint64_t seed) {
  std::vector<double> units[2] = {std::vector<double>(means.size(), 1.0), {}};
  for (const double mean : means) units[1].push_back(1 / std::sqrt(mean * (1 - mean)));
  const std::unique_ptr<BernoulliWork> work = local_work(&data, std::min(data.rows(), chunk_rows));
  const BernoulliPosterior drawn = posterior_;
  const int64_t most_rows = std::max(least_sample, sample_of_component * components_);
  BernoulliPosterior best;
  double best_bound = -std::numeric_limits<double>::infinity();
  for (uint64_t attempt = 0; attempt <= clusterings; ++attempt) {
    const Clusters clusters =
        k_means(data, {components_, means, units[attempt % 2], most_rows, seed, rounds}, attempt);
    if (!(clusters.weight > 0)) return;
    const Batch sample = {&data, clusters.rows.data(), 0, clusters.count()};
    GlobalStep step;
    step.scale = rows / clusters.weight;
    LocalSettings settings;
    settings.bound = true;
    posterior_ = drawn;
    double bound = 0;
    for (int steps = 0; steps <= refining_steps; ++steps) {
      require_not_interrupted();
      if (steps == 0 && attempt < clusterings) {
        assign_rows(data, clusters, components_, work->statistics);
      } else {
        bound =
            step.scale * local_step(sample, LocalTemperature{}, settings, *work).bound + global_bound(PriorPower{});
      }
      if (steps == refining_steps) break;
      prepare_step(*work, step);
      global_step(*work, step);
    }
    if (!(bound > best_bound)) continue;
    best = posterior_;
    best_bound = bound;
  }
  posterior_ = std::move(best);
}

}  // namespace vtemper
