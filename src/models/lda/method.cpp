// Settings of the method for this model: start temperatures, defaults, refused options; and how a fit begins and
// grows.

#include <algorithm>

#include "models/lda/work.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// If the start is too hot, the topics become equal, and equal topics never separate again. The highest safe start
/// temperature follows from lda_document_slope, which co-occurring words increase. The levels were chosen on
/// validation documents of the corpora of tests/reproduce/lda.md: at 0.85 topics separate on average. A start
/// above 4, which is better for few passes and few tokens per topic, needs a clearly large slope. If the slope is not
/// that large and there are enough documents to distinguish topics at once, a run of few passes should start below 2.
template <class Real>
StartTemperatures Lda<Real>::start_temperatures(double rows, double tokens) const {
  // From the initial alpha, so that a run resumed from a checkpoint gets the same result.
  double alpha = 0;
  for (const double value : settings_.initial_alpha) alpha += value / static_cast<double>(settings_.topics);
  const auto heated = [&](double from, double to, double min_slope) {
    constexpr double step = 1.02;
    double temperature = from;
    while (temperature < to && lda_document_slope(1 / std::min(temperature * step, to), settings_.topics, alpha,
                                                  tokens / rows) >= min_slope) {
      temperature = std::min(temperature * step, to);
    }
    return temperature;
  };
  constexpr double coldest = 1.2;
  constexpr double usual = 4;
  constexpr double hottest = 8;
  constexpr double cautious = 2;
  constexpr double many_documents = 20;  // per topic
  const double mild = heated(coldest, usual, 0.85);
  // Topics that have separated tolerate higher temperatures than those of a random start
  // (tests/reproduce/lda_many_topics.md).
  constexpr double of_parted_topics = 1.5;
  constexpr double enough_tokens = 2500;  // per topic
  StartTemperatures start;
  start.reheat = of_parted_topics * mild;
  start.reheats = tokens >= enough_tokens * static_cast<double>(settings_.topics);
  start.schedule = start.entropy_schedule = start.grid = start.brief_schedule = mild;
  if (mild < usual) return start;
  if (settings_.eta.size() == 1 && first_topics_for(tokens / rows, rows) < settings_.topics) {
    start.growing = growing_start;
  }
  start.brief_schedule = heated(usual, hottest, 1.2);
  const bool many = rows >= many_documents * static_cast<double>(settings_.topics);
  if (start.brief_schedule == usual && many) {
    start.brief_schedule = cautious;
    start.growing = 0;
  }
  return start;
}

/// Entropy annealing as in Gultekin 2015, eq. 8, as printed: the powers of the densities would add K (1 - s) tokens
/// to every document. Stochastic annealing as in section 4.1 there: topics and documents.
template <class Real>
MethodDefaults Lda<Real>::method_defaults(double row_length) const {
  MethodDefaults defaults;
  // A fit of many topics begins with steps of few topics, which cost little, so it can afford more of them.
  constexpr int64_t many_topics = 200;
  // Two short coolings are better than a long one, unless there are too few documents for the topics (README.md
  // section 4).
  constexpr int64_t too_many_to_reheat = 250;
  // The words of a short document say little about its topics, so these need more time to separate; where a pass
  // takes long, they get less of it (tests/reproduce/lda_many_topics.md).
  constexpr double short_document = 30;  // different words
  constexpr int64_t slow_topics = 1000;
  const bool short_documents = row_length > 0 && row_length < short_document;
  const double length_of_many = !short_documents ? 1.5 : settings_.topics < slow_topics ? 2.5 : 2;
  // More than two gain everywhere, but take time: only fits of fewer documents times topics have them.
  constexpr double small_fit = 8e6;
  const bool cools_again = settings_.topics < too_many_to_reheat;
  if (cools_again) {
    const auto topics = static_cast<double>(settings_.topics);
    defaults.coolings = 2;
    defaults.few_rows = small_fit / topics;
    defaults.rows_to_reheat = 30 * topics;
  }
  if (settings_.topics >= many_topics) {
    defaults.schedule_length = cools_again ? 5.0 / 3 : length_of_many;
    // All topics must separate again, in the first cooling only few of them.
    defaults.reheat_length = cools_again ? 2 : 3 / length_of_many;
  }
  defaults.reheats = true;
  defaults.moves_of_sample = has_moves();
  defaults.temperature_entropy = "natural_parameters";
  defaults.perturbation_local = true;
  if (settings_.point) defaults.step_size_metric = "identity";
  defaults.temperature_normalizer = "gibbs";
  return defaults;
}

/// Refuses options for which every step would read all topics, or memory would have to hold them.
template <class Real>
void Lda<Real>::refuse_passes(const RequiredFeatures& required, const char* why) const {
  const auto refuse = [why](const std::string& what) { throw Error(VTEMPER_ERROR_UNSUPPORTED, what + why); };
  if (required.natural_gradient) {
    refuse("step_size adaptive averages the gradients of all topics in every step (robbins_monro does not)");
  }
  if (required.perturbation) refuse("stochastic annealing changes all topics in every step");
  if (required.restarts)
    refuse("restarts above 1 keep the topics of every start, and a checkpoint holds them in memory");
  if (required.normalizer && normalizer_follows_globals(*required.normalizer)) {
    refuse("temperature_normalizer " + required.normalizer->estimate +
           " reads all topics in every step (gibbs does not)");
  }
}

template <class Real>
void Lda<Real>::check_method(const RequiredFeatures& required) const {
  if (required.fisher && settings_.point) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "step_size_metric fisher is the information of a posterior of the topics, and topic_posterior point "
                "has none; use step_size_metric identity or topic_posterior dirichlet");
  }
  if (!settings_.parameters_folder.empty()) {
    refuse_passes(required,
                  "; parameters_folder is for topics that are larger than memory, where a step reads only the rows "
                  "of its words");
  }
  if (group_) {
    refuse_passes(required,
                  "; with exchange sharded the topics are divided over the ranks, which read only the rows of their "
                  "words; exchange sparse keeps all topics on every rank");
  }
  if (!required.normalizer) return;
  const std::string& estimate = required.normalizer->estimate;
  if (estimate == "moment" && settings_.point) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        "temperature_normalizer moment uses moments of the posterior of the topics, and topic_posterior point "
        "has none; use temperature_normalizer plug_in");
  }
  for (const char* known : {"auto", "gibbs", "monte_carlo", "jensen", "mean", "plug_in", "moment"}) {
    if (estimate == known) return;
  }
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message("temperature_normalizer ", estimate,
                      " is not defined for lda; its estimates are gibbs (the default), monte_carlo, jensen, mean, "
                      "plug_in and moment"));
}

template <class Real>
void Lda<Real>::start_fit(const FitStart& start) {
  before_start_.reset();
  require_initialized();
  if (start.may_be_undone) before_start_ = {options_, learns_alpha_, min_alpha_, fell_from_hot_, parted(), nullptr};
  const double tokens = start.rows > 0 ? start.tokens / start.rows : 0;
  const int64_t first = settings_.initial_topics.value_or(
      std::max(first_topics_for(tokens, start.rows), topics_at(settings_.topics, start.temperature)));
  const bool grows = start.may_grow && start.temperature >= min_growing_start && settings_.eta.size() == 1 &&
                     first < settings_.topics;
  learns_alpha_ = settings_.learn_alpha.value_or(grows);
  min_alpha_ = settings_.alpha_min.value_or(settings_.learn_alpha.has_value() ? 0 : min_learned_alpha(start.tokens));
  options_.use("learn_alpha", learns_alpha_ ? "true" : "false");
  options_.use("alpha_min", min_alpha_);
  options_.use("initial_topics", number_text(grows ? first : settings_.topics));
  fell_from_hot_ = start.may_grow && start.temperature * sparse_from > 1;
  if (start.resumed) return;
  if (growing() || (fresh_ && grows)) topics_->make_writable();
  if (fresh_ && growing()) draw_again();  // another fit was started, but did no step
  // Topics that were set by the user or come from another fit are not merged.
  if (fresh_ && grows) {
    topics_->merge_to(first);
    share_alpha();
  } else if (growing()) {
    const int64_t parted_then = start.may_grow ? topics_at(settings_.topics, start.temperature) : settings_.topics;
    if (before_start_ && parted() < parted_then) before_start_->topics = std::make_unique<Topics<Real>>(*topics_);
    part_topics(parted_then, start.seed);
  }
}

template <class Real>
void Lda<Real>::undo_start() {
  if (!before_start_) return;
  BeforeStart& before = *before_start_;
  options_ = std::move(before.options);
  learns_alpha_ = before.learns_alpha;
  min_alpha_ = before.min_alpha;
  fell_from_hot_ = before.fell_from_hot;
  if (before.topics) {
    topics_ = std::move(before.topics);
    share_alpha();
  } else if (parted() != before.parted) {
    draw_again();
    if (before.parted < settings_.topics) topics_->merge_to(before.parted);  // by another fit that did no step
    share_alpha();
  }
  before_start_.reset();
}

/// Undoes merge_to. Cannot fail.
template <class Real>
void Lda<Real>::draw_again() {
  topics_->draw_again(*fresh_);
  share_alpha();
}

/// Cannot fail.
template <class Real>
void Lda<Real>::part_topics(int64_t at_least, uint64_t seed) {
  if (parted() >= at_least) return;
  while (parted() < at_least) topics_->split(seed);
  share_alpha();
}

template <class Real>
void Lda<Real>::grow(const GlobalStep& step) {
  fresh_.reset();
  if (growing()) part_topics(topics_at(settings_.topics, 1 / step.inverse_temperature), step.perturbation.seed);
}

}  // namespace vtemper

#include "models/lda/instances.inc"
