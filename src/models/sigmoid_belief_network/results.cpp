// Scores and posteriors of rows, estimated with samples from the inference network.

#include <algorithm>
#include <cmath>

#include "models/sigmoid_belief_network/work.h"
#include "models/variation.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Samples of a row scored together; results do not depend on it.
constexpr int64_t samples_at_once = 120;
constexpr int64_t mean_samples = 100;

}  // namespace

template <class Real>
template <class Visit>
void SigmoidBeliefNetwork<Real>::sample_rows(const Data& data, int64_t samples, uint64_t seed, int threads,
                                             const Visit& visit) const {
  check(data);
  std::vector<Work> works(static_cast<size_t>(threads), Work(*this));
  parallel_for(threads, data.rows(), [&](int64_t row, int thread) {
    Work& work = works[static_cast<size_t>(thread)];
    for (int64_t first = 0; first < samples; first += samples_at_once) {
      require_not_interrupted();
      work.shape(posterior_, columns_, 1, std::min(samples_at_once, samples - first), 1);
      if (first == 0) {
        read_rows({&data, nullptr, row, 1}, 0, 1, work);
      }
      draw_samples({seed, static_cast<uint32_t>(Purpose::evaluate), static_cast<uint64_t>(data.first_row + row),
                    static_cast<uint64_t>(first)},
                   first > 0, false, 1, work);
      visit(row, work);
    }
  });
}

template <class Real>
std::vector<ImportanceSum> SigmoidBeliefNetwork<Real>::importance_sums(const Data& data, const OptionValues& evaluate,
                                                                       int64_t default_samples) const {
  std::vector<ImportanceSum> sums(static_cast<size_t>(data.rows()));
  sample_rows(data, samples_of(evaluate, default_samples), static_cast<uint64_t>(evaluate.integer("seed")),
              usable_threads(evaluate.integer("threads")), [&](int64_t row, Work& work) {
                score_samples(false, false, 1, work);
                ImportanceSum& sum = sums[static_cast<size_t>(row)];
                for (size_t n = 0; n < static_cast<size_t>(work.count()); ++n) sum.add(work.log_p[n] - work.log_q[n]);
              });
  return sums;
}

template <class Real>
void SigmoidBeliefNetwork<Real>::measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                                              double* out) const {
  const bool elbo = name == "elbo";
  for (const ImportanceSum& row : importance_sums(data, evaluate, elbo ? bound_samples : likelihood_samples)) {
    *out++ = elbo ? row.mean() : row.log_mean();
  }
}

template <class Real>
double SigmoidBeliefNetwork<Real>::measure(std::string_view, const Data& data, const OptionValues& evaluate) const {
  return active_units(data, evaluate);
}

template <class Real>
void SigmoidBeliefNetwork<Real>::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                                            double* tokens) const {
  std::fill_n(tokens, rows.observed.rows(), 1.0);
  measure_rows("log_marginal", rows.observed, evaluate, scores);
}

/// Posterior means of the units: exact in the layer next to the data, averaged over samples of the layers below in
/// higher ones.
template <class Real>
void SigmoidBeliefNetwork<Real>::infer(const Data& data, std::string_view, const OptionValues& evaluate,
                                       const Sink& sink) const {
  const int64_t samples = layers() == 1 ? 1 : samples_of(evaluate, mean_samples);
  for (int64_t row = 0; row < data.rows(); ++row) {
    for (int64_t unit = 0; unit < units_; ++unit) sink(row, unit) = 0;
  }
  sample_rows(
      data, samples, static_cast<uint64_t>(evaluate.integer("seed")), usable_threads(evaluate.integer("threads")),
      [&](int64_t row, const Work& work) {
        int64_t begin = 0;
        for (size_t l = 0; l < work.layers.size(); ++l) {
          const auto& layer = work.layers[l];
          const int64_t units = posterior_[l].units;
          const double share = (l == 0 ? static_cast<double>(work.samples) : 1) / static_cast<double>(samples);
          for (int64_t i = 0; i < layer.rows; ++i) {
            for (int64_t j = 0; j < units; ++j) {
              sink(row, begin + j) += share * static_cast<double>(layer.mean[static_cast<size_t>(i * units + j)]);
            }
          }
          begin += units;
        }
      });
}

template <class Real>
std::vector<Quantity> SigmoidBeliefNetwork<Real>::local_quantities(const Data& data) const {
  return {{"latent_mean",
           {data.rows(), units_},
           false,
           "Posterior means of the units, layer after layer from the one next to the data."}};
}

template <class Real>
double SigmoidBeliefNetwork<Real>::active_units(const Data& data, const OptionValues& evaluate) const {
  std::vector<double> means(static_cast<size_t>(data.rows() * units_));
  infer(data, "latent_mean", evaluate, {means.data(), units_, 1});
  return count_active_units(
      data.rows(), units_, [&](int64_t row, int64_t unit) { return means[static_cast<size_t>(row * units_ + unit)]; },
      [&](int64_t row) { return data.weight(row); });
}

}  // namespace vtemper

#include "models/sigmoid_belief_network/instances.inc"
