// Results of a fitted deep exponential family: posteriors of rows, held-out scores. The posterior of a row that was
// not part of the fit is found by the same gradients with the weights fixed.

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/dispatch.h"
#include "models/deep_exponential_family/work.h"
#include "models/variation.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Steps for a row's posterior: RMSProp in TensorFlow's form with a rate that decays to 0, so that early steps are
/// large and late ones average out the noise.
constexpr double first_rate = 0.1;
constexpr double square_kept = 0.9;
constexpr double inside_root = 1e-10;

}  // namespace

/// Computes the posterior of a row into the scratch, by `steps` steps from the initial value with the weights fixed.
template <class Real>
void DeepExponentialFamily<Real>::fit_row(const FamilyLinks<Real>& links, const FamilyDocument<Real>& document,
                                          double temperature, int64_t steps, const FitStreams& streams,
                                          DocumentScratch<Real>& scratch) const {
  const auto& table = kernels::table<Real>();
  scratch.eta.fill(static_cast<Real>(start_eta));
  scratch.square.fill(1);
  for (int64_t step = 0; step < steps; ++step) {
    require_not_interrupted();
    take_posterior(scratch.eta.data(), scratch);
    RandomStream random(streams.seed, streams.purpose, streams.first + static_cast<uint64_t>(step), streams.item);
    draw(random, settings_.samples, scratch);
    score(links, document, 1, nullptr, scratch);
    ascend(temperature, scratch.gradient.data(), scratch);
    const double rate = first_rate * static_cast<double>(steps - step) / static_cast<double>(steps);
    table.rms_step({scratch.gradient.data(), 1, scratch.square.data(), scratch.eta.data(), settings_.latent,
                    static_cast<Real>(square_kept), static_cast<Real>(rate), static_cast<Real>(inside_root), 0});
  }
  take_posterior(scratch.eta.data(), scratch);
}

/// Calls visit(row, links, document, random, scratch) for every row, with its fitted posterior in the scratch;
/// `random` is a separate stream. The rates of the rows are multiplied by `share`.
template <class Real>
template <class Visit>
void DeepExponentialFamily<Real>::for_each_row(const Data& data, double share, const OptionValues& evaluate,
                                               const Visit& visit) const {
  check(data);
  const int64_t latent = settings_.latent;
  const int threads = usable_threads(evaluate.integer("threads"));
  const auto seed = static_cast<uint64_t>(evaluate.integer("seed"));
  const int64_t steps =
      evaluate.is_auto("local_iterations") ? settings_.local_iterations : evaluate.integer("local_iterations");
  FamilyLinks<Real> links;
  link(threads, links);
  std::vector<DocumentScratch<Real>> all(static_cast<size_t>(threads));
  const Counts& counts = data.counts();
  parallel_for(threads, data.rows(), [&](int64_t row, int thread) {
    auto& scratch = all[static_cast<size_t>(thread)];
    scratch.shape(latent, settings_.samples);
    const int64_t length = counts.row_length(row);
    scratch.columns.resize(static_cast<size_t>(length));
    scratch.counts.resize(static_cast<size_t>(length));
    const int64_t words = counts.read_row(row, length, scratch.columns.data(), scratch.counts.data());
    const FamilyDocument<Real> document = {scratch.columns.data(), scratch.counts.data(), words, share};
    const auto number = static_cast<uint64_t>(data.first_row + row);
    fit_row(links, document, 1, steps, {seed, Purpose::evaluate, 0, number}, scratch);
    RandomStream estimates(seed, Purpose::evaluate, static_cast<uint64_t>(steps), number);
    visit(row, links, document, estimates, scratch);
  });
}

/// The importance weights of `samples` draws, in blocks.
template <class Real>
ImportanceSum DeepExponentialFamily<Real>::weigh(const FamilyLinks<Real>& links, const FamilyDocument<Real>& document,
                                                 RandomStream& random, int64_t samples,
                                                 DocumentScratch<Real>& scratch) const {
  ImportanceSum weights;
  for (int64_t first = 0; first < samples; first += settings_.samples) {
    require_not_interrupted();
    const int64_t here = std::min(settings_.samples, samples - first);
    draw(random, here, scratch);
    score(links, document, 1, nullptr, scratch);
    for (int64_t s = 0; s < here; ++s) {
      double log_weight = scratch.log_likelihood[static_cast<size_t>(s)];
      for (int64_t k = 0; k < settings_.latent; ++k) {
        const auto place = static_cast<size_t>(k * here + s);
        log_weight += scratch.log_prior[place] - scratch.log_q[place];
      }
      weights.add(log_weight);
    }
  }
  return weights;
}

template <class Real>
double DeepExponentialFamily<Real>::measure(std::string_view, const Data& data, const OptionValues& evaluate) const {
  const int64_t latent = settings_.latent;
  std::vector<double> means(static_cast<size_t>(data.rows() * latent));
  infer(data, "latent_mean", evaluate, {means.data(), latent, 1});
  return count_active_units(
      data.rows(), latent, [&](int64_t row, int64_t unit) { return means[static_cast<size_t>(row * latent + unit)]; },
      [&](int64_t row) { return data.weight(row); });
}

template <class Real>
void DeepExponentialFamily<Real>::measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                                               double* out) const {
  const bool bound = name == "elbo";
  const int64_t samples = samples_of(evaluate, bound ? bound_samples : likelihood_samples);
  for_each_row(data, 1, evaluate,
               [&](int64_t row, const FamilyLinks<Real>& links, const FamilyDocument<Real>& document,
                   RandomStream& random, DocumentScratch<Real>& scratch) {
                 const ImportanceSum weights = weigh(links, document, random, samples, scratch);
                 out[row] = bound ? weights.mean() : weights.log_mean();
               });
}

template <class Real>
std::vector<Quantity> DeepExponentialFamily<Real>::local_quantities(const Data& data) const {
  return {{"latent_mean", {data.rows(), settings_.latent}, false, "Posterior means of the row's latent variables."}};
}

template <class Real>
void DeepExponentialFamily<Real>::infer(const Data& data, std::string_view, const OptionValues& evaluate,
                                        const Sink& sink) const {
  for_each_row(data, 1, evaluate,
               [&](int64_t row, const FamilyLinks<Real>&, const FamilyDocument<Real>&, RandomStream&,
                   DocumentScratch<Real>& scratch) {
                 for (int64_t k = 0; k < settings_.latent; ++k) {
                   sink(row, k) = static_cast<double>(scratch.rate[static_cast<size_t>(k)]);
                 }
               });
}

/// sum_v x_dv log(r_dv / sum_v' r_dv') over the held-out tokens, r_dv = sum_k lambda_dk softplus(W_kv) (Ranganath
/// 2015; Altosaar 2018, eq. 12). While the posterior is fitted to the observed tokens, rates are scaled by the share
/// of these among all tokens, so that the prior keeps its meaning.
template <class Real>
void DeepExponentialFamily<Real>::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                                             double* tokens) const {
  const Data& heldout = *rows.heldout;
  check(heldout);
  for_each_row(rows.observed, rows.observed_share, evaluate,
               [&](int64_t row, const FamilyLinks<Real>& links, const FamilyDocument<Real>&, RandomStream&,
                   DocumentScratch<Real>& scratch) {
                 const int64_t latent = settings_.latent;
                 const Real* rate = scratch.rate.data();
                 double all = 0;
                 for (int64_t k = 0; k < latent; ++k) {
                   all += static_cast<double>(rate[k]) * links.totals[static_cast<size_t>(k)];
                 }
                 double score = 0, words = 0;
                 heldout.counts().visit_row(row, [&](int32_t column, double count) {
                   const Real* value = links.value.data() + static_cast<int64_t>(column) * latent;
                   double here = 0;
                   for (int64_t k = 0; k < latent; ++k)
                     here += static_cast<double>(rate[k]) * static_cast<double>(value[k]);
                   score += count * std::log(std::max(here, std::numeric_limits<double>::min()) / all);
                   words += count;
                 });
                 scores[row] = score;
                 tokens[row] = words;
               });
}

}  // namespace vtemper

#include "models/deep_exponential_family/instances.inc"
