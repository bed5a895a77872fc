#include "evaluation/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Mean log probability per held-out token, document completion (Hoffman 2013, section 4); per symbol or row where
/// the model scores whole rows.
double predictive(const ConjugateModel& model, const Data& observed, const Data* heldout,
                  const OptionValues& options) {
  DataPair halves;
  const Data* seen = &observed;
  if (heldout == nullptr && model.completes_rows()) {
    halves =
        data_split_counts(observed, options.real("heldout_share"), static_cast<uint64_t>(options.integer("seed")));
    seen = halves.first.get();
    heldout = halves.second.get();
  }
  if (heldout != nullptr && seen->rows() != heldout->rows()) {
    throw Error(VTEMPER_ERROR_DATA, sentence("observed has ", seen->rows(), " rows, heldout ", heldout->rows(),
                                             "; they must be halves of the same rows"));
  }
  double tokens = 0;
  const double score = model.log_predictive(*seen, heldout, options, tokens);
  if (!(tokens > 0))
    throw Error(VTEMPER_ERROR_DATA, heldout != nullptr ? "there are no held-out tokens to score"
                                                       : "the data are empty: there is nothing to score");
  return score / tokens;
}

double elbo(const ConjugateModel& model, const Data& observed, const OptionValues& options) {
  model.check(observed);
  constexpr int64_t rows = 4096;  // at a time
  const std::unique_ptr<LocalWork> work =
      model.local_work(nullptr, std::min(rows, std::max<int64_t>(observed.rows(), 1)));
  LocalSettings settings;
  settings.threads = usable_threads(options.integer("threads"));
  settings.statistics = false;
  settings.bound = true;
  if (!options.is_auto("local_iterations")) settings.iterations = options.integer("local_iterations");
  if (!options.is_auto("local_tolerance")) settings.tolerance = options.real("local_tolerance");
  double bound = model.global_bound(PriorPower{});
  for (int64_t first = 0; first < observed.rows(); first += rows) {
    const Batch batch = {&observed, nullptr, first, std::min(rows, observed.rows() - first)};
    bound += model.local_step(batch, LocalTemperature{}, settings, *work).bound;
  }
  return bound;
}

}  // namespace

OptionTable evaluate_options() {
  return {
      {"heldout_share", VTEMPER_OPTION_REAL, "0.5", 0.001, 0.999, "",
       "Share of each row's tokens that is held out where the caller gives no held-out half."},
      {"seed", VTEMPER_OPTION_INTEGER, "0", 0, 9.2e18, "", "Seed of that split."},
      {"threads", VTEMPER_OPTION_INTEGER, "0", 0, 1024, "",
       "Threads; 0: as many as the machine and OMP_NUM_THREADS allow. Results do not depend on it."},
      {"local_iterations", VTEMPER_OPTION_INTEGER, "auto", 1, 1e9, "",
       "Largest number of updates of a row's posterior; auto: the model's."},
      {"local_tolerance", VTEMPER_OPTION_REAL, "auto", 0, 1e12, "",
       "When a row's posterior has settled; auto: the model's."},
  };
}

double evaluate(const ConjugateModel& model, const Data& observed, const Data* heldout, std::string_view measure,
                const OptionValues& options) {
  for (const char* name : {"heldout_share", "seed"}) {
    if (options.given(name) && (heldout != nullptr || measure == "elbo" || !model.completes_rows())) {
      throw Error(VTEMPER_ERROR_OPTION,
                  sentence("option ", name, " has no effect where no tokens are held out by the library"));
    }
  }
  if (heldout != nullptr && measure != "elbo" && !model.completes_rows()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("kind ", model.kind().name, " scores rows as a whole, so heldout must be NULL"));
  }
  if (measure == "predictive") return predictive(model, observed, heldout, options);
  if (measure == "perplexity") return std::exp(-predictive(model, observed, heldout, options));
  if (measure == "elbo") {
    if (heldout != nullptr)
      throw Error(VTEMPER_ERROR_ARGUMENT, "measure elbo has no use for heldout; it must be NULL");
    return elbo(model, observed, options);
  }
  throw Error(VTEMPER_ERROR_ARGUMENT,
              sentence("there is no measure \"", measure, "\"; the measures are predictive, perplexity, elbo",
                       nearest_names(measure, {"predictive", "perplexity", "elbo"})));
}

void rank_words(const ConjugateModel& model, int64_t component, std::string_view how, int64_t n, int64_t* indices,
                double* scores) {
  const std::vector<double> all = model.word_scores(component, how);
  std::vector<int64_t> order(all.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto better = [&](int64_t a, int64_t b) {
    const double x = all[static_cast<size_t>(a)];
    const double y = all[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  };
  std::partial_sort(order.begin(), order.begin() + n, order.end(), better);
  std::copy_n(order.begin(), n, indices);
  if (scores != nullptr) {
    for (int64_t i = 0; i < n; ++i) scores[i] = all[static_cast<size_t>(order[static_cast<size_t>(i)])];
  }
}

}  // namespace vtemper
