#include "evaluation/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "data/spread.h"
#include "evaluation/split_values.h"
#include "evaluation/topic_quality.h"
#include "evaluation/words.h"
#include "group/exact_sum.h"
#include "models/conjugate_model.h"
#include "models/gradient_model.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr const char* call = "vtemper_model_evaluate";

/// Two sums over the rows of all ranks that do not depend on how the rows are divided, such as a score and the number
/// of tokens that were scored.
struct RowSums {
  double first = 0, second = 0;
};

/// `add` adds the rows of this rank.
template <class Add>
RowSums sums_over_rows(const Data& data, const Add& add) {
  ExactSum first, second;
  run_locally(&data, {call, 1}, [&] { add(first, second); });
  if (Group* const group = ranks_of(&data)) {
    std::array<double, 2 * ExactSum::length> own;
    ExactSum* const sums[] = {&first, &second};
    for (size_t i = 0; i < 2; ++i) {
      const ExactSum::Numbers numbers = sums[i]->numbers();
      std::copy(numbers.begin(), numbers.end(), own.begin() + i * ExactSum::length);
      *sums[i] = {};
    }
    const std::vector<double> all = group->gather(own.data(), own.size());
    for (size_t i = 0; i < all.size(); i += ExactSum::length) sums[i / ExactSum::length % 2]->add(all.data() + i);
  }
  return {first.value(), second.value()};
}

void add_weighted(const Data& data, const std::vector<double>& of_rows, int64_t begin, ExactSum& sum) {
  for (size_t i = 0; i < of_rows.size(); ++i) sum.add(data.weight(begin + static_cast<int64_t>(i)) * of_rows[i]);
}

/// Mean log probability per held-out token, document completion (Hoffman 2013, section 4); per symbol or row if
/// the model scores whole rows.
double predictive(const Predictive& model, const Data& observed, const Data* heldout, const OptionValues& options) {
  const bool completes = heldout != nullptr || model.completes_rows();
  DataPair halves;
  const Data* seen = &observed;
  run_locally(&observed, {call, 2}, [&] {
    if (heldout == nullptr && completes) {
      const auto seed = static_cast<uint64_t>(options.integer("seed"));
      const double share = options.real("heldout_share");
      halves = observed.is<Dense>() ? split_values(observed, share, seed) : data_split_counts(observed, share, seed);
      seen = halves.first.get();
      heldout = halves.second.get();
    }
    if (heldout != nullptr && seen->rows() != heldout->rows()) {
      throw Error(VTEMPER_ERROR_DATA, message("observed has ", counted(seen->rows(), "row"), ", heldout ",
                                              heldout->rows(), "; they must be halves of the same rows"));
    }
  });
  double share = 1;
  if (heldout != nullptr && model.scales_by_share()) {
    const RowSums tokens = sums_over_rows(observed, [&](ExactSum& of_seen, ExactSum& of_heldout) {
      for (int64_t row = 0; row < seen->rows(); ++row) {
        seen->counts().visit_row(row, [&](int32_t, double count) { of_seen.add(count); });
        heldout->counts().visit_row(row, [&](int32_t, double count) { of_heldout.add(count); });
      }
    });
    if (tokens.first > 0) share = tokens.first / (tokens.first + tokens.second);
  }
  const RowSums score = sums_over_rows(observed, [&](ExactSum& sum, ExactSum& tokens) {
    std::vector<double> scores(static_cast<size_t>(observed.rows())), counts(scores.size());
    model.score_rows({*seen, heldout, share}, options, scores.data(), counts.data());
    add_weighted(*seen, scores, 0, sum);
    add_weighted(*seen, counts, 0, tokens);
  });
  if (!(score.second > 0))
    throw Error(VTEMPER_ERROR_DATA, completes ? "there are no held-out tokens to score"
                                              : "the data are empty: there is nothing to score");
  return score.first / score.second;
}

double elbo(const ConjugateModel& model, const Data& observed, const OptionValues& options) {
  model.check(observed);
  constexpr int64_t rows = 4096;  // rows per block
  const std::unique_ptr<RowSolver> solver =
      model.row_solver(nullptr, std::min(rows, std::max<int64_t>(observed.rows(), 1)));
  LocalSettings settings;
  settings.threads = usable_threads(options.integer("threads"));
  settings.statistics = false;
  settings.bound = true;
  settings.likelihood = false;
  if (!options.is_auto("local_iterations")) settings.iterations = options.integer("local_iterations");
  if (!options.is_auto("local_tolerance")) settings.tolerance = options.real("local_tolerance");
  const RowSums bound = sums_over_rows(observed, [&](ExactSum& of_rows, ExactSum& of_globals) {
    std::vector<double> bounds;
    for (int64_t first = 0; first < observed.rows(); first += rows) {
      const Batch batch = {&observed, nullptr, first, std::min(rows, observed.rows() - first)};
      bounds.assign(static_cast<size_t>(batch.count), std::numeric_limits<double>::quiet_NaN());
      settings.row_bounds = bounds.data();
      solver->local_step(batch, LocalTemperature{}, settings);
      add_weighted(observed, bounds, first, of_rows);
    }
    if (model.divided_table() != nullptr) of_globals.add(model.global_bound(PriorPower{}));
  });
  return bound.first + (model.divided_table() != nullptr ? bound.second : model.global_bound(PriorPower{}));
}

/// log C(T) of the tempered model with the rows and tokens of `observed`.
double log_normalizer(const ConjugateModel& model, const Data& observed, const OptionValues& options) {
  model.check(observed);
  if (options.is_auto("temperature")) {
    throw Error(VTEMPER_ERROR_OPTION, "measure log_normalizer needs option temperature, the T of log C(T)");
  }
  Normalizer normalizer;
  normalizer.estimate = options.text("temperature_normalizer");
  normalizer.samples = options.integer("partition_samples");
  normalizer.seed = static_cast<uint64_t>(options.integer("seed"));
  RequiredFeatures required;
  required.normalizer = normalizer;
  required.learned_temperature = false;
  model.require(required);
  const RowSums size = sums_over_rows(observed, [&](ExactSum& weight, ExactSum& tokens) {
    for (int64_t row = 0; row < observed.rows(); ++row) {
      weight.add(observed.weight(row));
      tokens.add(observed.weight(row) * model.row_tokens(observed, row));
    }
  });
  if (!(size.second > 0)) throw Error(VTEMPER_ERROR_DATA, "the data are empty, so there is nothing to normalise");
  return model.tempered_normalizer()->log_normalizer(normalizer, 1 / options.real("temperature"), size.first,
                                                     size.second);
}

}  // namespace

OptionTable evaluate_options() {
  return {
      {"heldout_share", VTEMPER_OPTION_REAL, "0.5", 0.001, 0.999, "",
       "Share of each row's tokens or values that is held out if the caller gives no held-out half."},
      {"seed", VTEMPER_OPTION_INTEGER, "0", 0, 9.2e18, "",
       "Seed of that split, and of the samples of models fitted by gradients."},
      {"samples", VTEMPER_OPTION_INTEGER, "auto", 1, 1e9, "",
       "Samples of each row's posterior, for models fitted by gradients; auto: 100 for predictive of networks, "
       "log_marginal and infer, 10 for elbo; papers use 5000 for log_marginal, which increases with them."},
      {"threads", VTEMPER_OPTION_INTEGER, "0", 0, 1024, "",
       "Maximum number of threads; 0: as many as the machine and OMP_NUM_THREADS allow. Results do not depend on "
       "it."},
      {"local_iterations", VTEMPER_OPTION_INTEGER, "auto", 1, 1e9, "",
       "Maximum number of updates of a row's posterior; auto: the model's, but at least 1000 where lda infers."},
      {"local_tolerance", VTEMPER_OPTION_REAL, "auto", 0, 1e12, "",
       "Change below which a row's posterior has settled; auto: the model's, but at most 0.00001 where lda infers."},
      {"top_words", VTEMPER_OPTION_INTEGER, "10", 2, 100, "",
       "Number of most probable words of each topic that coherence, diversity and exclusivity use."},
      {"temperature", VTEMPER_OPTION_REAL, "auto", 1, 1e6, "",
       "Temperature T of log_normalizer, which needs it; everything else is scored at T = 1."},
      {"temperature_normalizer", VTEMPER_OPTION_CHOICE, "auto", 0, 0,
       "auto gibbs monte_carlo jensen mean plug_in moment exact upper prior",
       "The estimate of log C(T) that log_normalizer gives; auto: the model's own choice."},
      {"partition_samples", VTEMPER_OPTION_INTEGER, "100", 1, 1e6, "",
       "Draws from the prior, for estimates of log C(T) that use them."},
  };
}

namespace {

void refuse(const OptionValues& options, std::initializer_list<const char*> names, const char* reason) {
  for (const char* name : names) {
    if (options.given(name)) {
      throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has no effect where ", reason));
    }
  }
}

/// What a call uses its options for.
struct Uses {
  bool halves = false;      ///< the library holds out a part of each row
  bool posteriors = false;  ///< of rows
  DrawOptions draws;        ///< from these posteriors
  bool top_words = false;
  bool normalizer = false;  ///< of the tempered model
};

/// Refuses options without effect.
void refuse_unused(const Model& model, const Uses& uses, const OptionValues& options) {
  const OptionTable of_kind = model.kind().options();
  const std::string& estimate = options.text("temperature_normalizer");
  const bool prior_draws =
      uses.normalizer && (estimate == "monte_carlo" || estimate == "jensen" || estimate == "prior");
  if (!uses.halves) refuse(options, {"heldout_share"}, "no tokens are held out by the library");
  if (!uses.halves && !uses.draws.seed && !prior_draws) refuse(options, {"seed"}, "nothing is drawn at random");
  if (!uses.draws.samples) refuse(options, {"samples"}, "posteriors are not sampled");
  if (!uses.top_words) refuse(options, {"top_words"}, "no top words are used");
  if (!uses.normalizer) {
    refuse(options, {"temperature", "temperature_normalizer"}, "no normaliser of a tempered model is asked for");
  }
  if (!prior_draws) refuse(options, {"partition_samples"}, "no normaliser of a tempered model is estimated by draws");
  for (const char* name : {"local_iterations", "local_tolerance"}) {
    if (!uses.posteriors) refuse(options, {name}, "no posteriors of rows are inferred");
    if (!has_option(of_kind, name)) refuse(options, {name}, "the model has no such option");
  }
}

const Data& required(const Data* data, std::string_view measure) {
  if (data != nullptr) return *data;
  throw Error(VTEMPER_ERROR_ARGUMENT, message("argument observed is NULL; measure ", measure, " needs data"));
}

void refuse_heldout(const Data* heldout, std::string_view measure) {
  if (heldout == nullptr) return;
  throw Error(VTEMPER_ERROR_ARGUMENT, message("measure ", measure, " does not use heldout, which must be NULL"));
}

std::vector<std::string> topic_measures() {
  return {"coherence_umass", "coherence_npmi", "topic_diversity", "exclusivity"};
}

[[noreturn]] void refuse_measure(std::string_view measure, const std::vector<std::string>& measures,
                                 const Model& model) {
  std::string all;
  for (const std::string& known : measures) all += (all.empty() ? "" : ", ") + known;
  throw Error(VTEMPER_ERROR_ARGUMENT, message("there is no measure ", quoted(measure), "; those of ",
                                              model.kind().name, " are ", all, nearest_names(measure, measures)));
}

/// Error(UNSUPPORTED) for model kinds without row scores.
const Predictive& predictive_of(const Model& model, std::string_view measure) {
  if (const Predictive* scores = model.predictive()) return *scores;
  throw Error(VTEMPER_ERROR_UNSUPPORTED, message("measure ", measure, " needs probabilities of rows, which ",
                                                 model.kind().name, " does not give"));
}

bool completes_rows(const Model& model) {
  return model.predictive() != nullptr && model.predictive()->completes_rows();
}

/// Refuses data whose rows are not all here.
void refuse_spread(const Data& data, std::string_view measure) {
  const Group* const group = ranks_of(&data);
  if (group == nullptr) return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message("measure ", measure, " is not a sum over rows, and the data are spread over ", group->ranks(),
                      " ranks; score data that are not spread"));
}

/// Error(ARGUMENT) for measures that the model does not have.
void require_measure(const Model& model, std::string_view measure) {
  const GradientModel* const sampled = model.by_gradient();
  std::vector<std::string> known;
  const auto add = [&known](std::vector<std::string> more) {
    for (std::string& one : more) known.push_back(std::move(one));
  };
  known.emplace_back("predictive");
  if (sampled == nullptr || completes_rows(model)) known.emplace_back("perplexity");
  known.emplace_back("elbo");
  if (sampled == nullptr) known.emplace_back("log_normalizer");
  if (sampled != nullptr) add(sampled->measures());
  if (std::find(known.begin(), known.end(), measure) != known.end()) return;
  if (model.words() != nullptr) add(topic_measures());
  refuse_measure(measure, known, model);
}

/// A measure of a gradient model.
double evaluate_sampled(const GradientModel& model, const Data* observed, const Data* heldout,
                        std::string_view measure, const OptionValues& options) {
  const bool completes = completes_rows(model);
  const bool scores_rows = measure == "predictive" || measure == "perplexity";
  if (!scores_rows || !completes) refuse_heldout(heldout, measure);
  Uses uses;
  uses.posteriors = true;
  uses.draws = model.draw_options(measure);
  uses.halves = scores_rows && completes && heldout == nullptr;
  refuse_unused(model, uses, options);

  const Data& rows = required(observed, measure);
  if (scores_rows) {
    const double score = predictive(predictive_of(model, measure), rows, heldout, options);
    return measure == "predictive" ? score : std::exp(-score);
  }
  if (measure != "elbo" && measure != "log_marginal") {
    refuse_spread(rows, measure);
    return model.measure(measure, rows, options);
  }
  return sums_over_rows(rows,
                        [&](ExactSum& sum, ExactSum&) {
                          std::vector<double> of_rows(static_cast<size_t>(rows.rows()));
                          model.measure_rows(measure, rows, options, of_rows.data());
                          add_weighted(rows, of_rows, 0, sum);
                        })
      .first;
}

}  // namespace

void borrow_rows(const Model& model, const Data& data, const Data* heldout) {
  const DividedTable* const table = divided_table_of(model);
  if (table == nullptr) return;
  table->group()->run_locally({"the words of the rows", 0}, [&] {
    check_data(model, data);
    if (heldout != nullptr) check_data(model, *heldout);
    table->find_rows({&data, nullptr, 0, data.rows()}, heldout);
    return Group::Told{};
  });
  table->settle();
  table->borrow_rows();
}

void check_infer_options(const Model& model, std::string_view quantity, const OptionValues& options) {
  Uses uses;
  uses.posteriors = true;
  if (const GradientModel* sampled = model.by_gradient()) uses.draws = sampled->draw_options(quantity);
  refuse_unused(model, uses, options);
}

namespace {

double measure_of(const Model& model, const Data* observed, const Data* heldout, std::string_view measure,
                  const OptionValues& options) {
  if (is_topic_measure(measure)) {
    refuse_heldout(heldout, measure);
    if (observed != nullptr && needs_reference(measure)) refuse_spread(*observed, measure);
    return mean_topic_quality(evaluate_topics(model, observed, measure, options));
  }
  require_measure(model, measure);
  if (const GradientModel* sampled = model.by_gradient()) {
    return evaluate_sampled(*sampled, observed, heldout, measure, options);
  }
  const ConjugateModel& conjugate = *model.conjugate();
  const bool scores_rows = measure == "predictive" || measure == "perplexity";
  Uses uses;
  uses.normalizer = measure == "log_normalizer";
  uses.posteriors = !uses.normalizer;
  uses.halves = scores_rows && heldout == nullptr && completes_rows(model);
  refuse_unused(model, uses, options);
  if (heldout != nullptr && scores_rows && !completes_rows(model)) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("kind ", model.kind().name, " scores rows as a whole, so heldout must be NULL"));
  }
  if (measure == "predictive")
    return predictive(predictive_of(model, measure), required(observed, measure), heldout, options);
  if (measure == "perplexity")
    return std::exp(-predictive(predictive_of(model, measure), required(observed, measure), heldout, options));
  if (measure == "elbo") {
    refuse_heldout(heldout, measure);
    return elbo(conjugate, required(observed, measure), options);
  }
  refuse_heldout(heldout, measure);
  return log_normalizer(conjugate, required(observed, measure), options);
}

}  // namespace

double evaluate(const Model& model, const Data* observed, const Data* heldout, std::string_view measure,
                const OptionValues& options) {
  if (observed != nullptr && !is_topic_measure(measure)) borrow_rows(model, *observed, heldout);
  const double value = measure_of(model, observed, heldout, measure, options);
  if (std::isfinite(value)) return value;
  throw Error(VTEMPER_ERROR_NUMERIC, message("measure ", measure, " is ", value,
                                             ": data, weights or parameters are too large or too small"));
}

std::vector<double> evaluate_topics(const Model& model, const Data* reference, std::string_view measure,
                                    const OptionValues& options) {
  if (!is_topic_measure(measure)) {
    refuse_measure(measure, topic_measures(), model);
  }
  Uses uses;
  uses.top_words = true;
  refuse_unused(model, uses, options);
  require_words(model);
  if (needs_reference(measure)) {
    check_data(model, required(reference, measure));
    if (!reference->is<Counts>()) {
      throw Error(VTEMPER_ERROR_UNSUPPORTED,
                  message("measure ", measure, " counts words that documents share, but the data are not counts"));
    }
  }
  std::vector<double> scores = topic_quality(model, reference, measure, options.integer("top_words"));
  for (const double score : scores) {
    if (!std::isinf(score)) continue;
    throw Error(VTEMPER_ERROR_NUMERIC, message("measure ", measure, " of a topic is ", score,
                                               ": the weights of the rows are too large or too small"));
  }
  return scores;
}

}  // namespace vtemper
