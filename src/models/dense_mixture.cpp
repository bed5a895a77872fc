#include "models/dense_mixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/columns.h"
#include "models/dense_rows.h"
#include "models/mergers.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Only so many of the smallest components are considered for a slot.
constexpr size_t most_slots = 100;

}  // namespace

OptionEntry weights_prior_option() {
  return {"weights_prior",
          VTEMPER_OPTION_REALS,
          "auto",
          1e-8,
          1e12,
          "",
          "Dirichlet prior of the weights: one value or K of them; auto: 1/K.",
          [](const OptionValues& options) {
            return number_text(1.0 / static_cast<double>(options.integer("components")));
          }};
}

DenseMixture::DenseMixture(const ModelKind& kind, OptionValues options)
    : ConjugateModel(kind, std::move(options)),
      weights_(reals_of_each(options_, "weights_prior", options_.integer("components"), "components")) {
  if (options_.used("learn_priors") != "false" && count() < 2) {
    throw Error(VTEMPER_ERROR_OPTION, "learn_priors fits the prior to the components and needs at least two");
  }
}

void DenseMixture::check(const Data& data) const {
  require_initialized();
  require_rows(data);
  require_columns(data, columns(), names_);
}

void DenseMixture::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  read_from(parameter_table(), name, sink);
}

std::vector<Quantity> DenseMixture::local_quantities(const Data& data) const {
  return {{"responsibilities", {data.rows(), count()}, false, "Probabilities that the row comes from the component."},
          {"log_density", {data.rows()}, false, about_density()},
          {"completed",
           {data.rows(), data.columns()},
           false,
           "The row's values, with missing ones replaced by their expectation given the others."}};
}

void DenseMixture::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                         const Sink& sink) const {
  check(data);
  infer_rows(data, quantity, usable_threads(evaluate.integer("threads")), sink);
}

void DenseMixture::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                              double* tokens) const {
  infer(rows.observed, "log_density", evaluate, {scores, 1, 0});
  std::fill_n(tokens, rows.observed.rows(), 1.0);
}

MethodDefaults DenseMixture::method_defaults(double) const {
  MethodDefaults defaults;
  defaults.all_rows = true;
  defaults.temperature_shape = defaults.perturbation_shape = "linear";
  defaults.temperature_steps = defaults.perturbation_steps = 50;
  defaults.perturbation_start = 0.25;
  return defaults;
}

/// Components without rows all equal the prior and are not duplicates.
int64_t DenseMixture::duplicate_of(int64_t k) const {
  for (int64_t a = 0; a < k && weights_.is_used(k); ++a) {
    if (weights_.is_used(a) && are_alike(a, k)) return a;
  }
  return -1;
}

int64_t DenseMixture::duplicate_components(LocalWork&) const {
  int64_t duplicates = 0;
  for (int64_t k = 1; k < count(); ++k) duplicates += duplicate_of(k) >= 0 ? 1 : 0;
  return duplicates;
}

std::vector<Move> DenseMixture::propose_moves(uint64_t seed, int64_t round) const {
  if (count() < 2 || !initialized()) return {};
  const MergingCost cost_of = merging_cost();
  const std::vector<double> sizes(weights_.concentration.begin(), weights_.concentration.end());
  const auto size_of = [&](int64_t k) { return sizes[static_cast<size_t>(k)]; };
  std::vector<int64_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::sort(by_size.begin(), by_size.end(),
            [&](int64_t a, int64_t b) { return size_of(a) != size_of(b) ? size_of(a) < size_of(b) : a < b; });
  std::vector<Merger> mergers;
  for (size_t i = 0; i < std::min(by_size.size(), most_slots); ++i) {
    for (size_t j = i + 1; j < by_size.size(); ++j) {
      require_not_interrupted();
      const int64_t slot = by_size[i], into = by_size[j];
      const double of_slot = size_of(slot), of_into = size_of(into);
      const double share = of_slot / (of_slot + of_into);
      const double of_weights = of_slot * std::log(share) + of_into * std::log1p(-share);
      keep_cheapest(mergers, {cost_of(slot, into) + of_weights, slot, into}, mergers_of_round);
    }
  }
  return draw_moves(mergers, sizes, trials_of_round, ways_to_split, seed, round);
}

DenseMixture::MovedRows DenseMixture::moved_rows(const Move& move) const {
  const auto rows_of = [this](int64_t k) { return std::max(weights_.rows(k), 0.0); };
  const double both = rows_of(move.slot) + rows_of(move.into);
  return {both, (move.from == move.into ? both : rows_of(move.from)) / 2};
}

void DenseMixture::move_weights(const Move& move, const MovedRows& rows) {
  const auto set = [this](int64_t k, double rows_of_component) {
    weights_.concentration[static_cast<size_t>(k)] = weights_.prior[static_cast<size_t>(k)] + rows_of_component;
  };
  set(move.into, rows.both);
  set(move.from, rows.half);
  set(move.slot, rows.half);
  weights_.refresh();
}

Parameter DenseMixture::mean_weights() const {
  return {{"weights", {count()}, false, "Mean weights of the components."},
          [this](int64_t k) { return weights_.mean(k); }};
}

Parameter DenseMixture::rows_of_components() const {
  return {{"rows", {count()}, false, "Rows that each component holds, by weight."},
          [this](int64_t k) { return weights_.rows(k); }};
}

void DenseMixture::check_method(const RequiredFeatures& required) const {
  const std::string estimate = required.normalizer ? required.normalizer->estimate : "auto";
  if (estimate == "auto" || estimate == "upper" || estimate == "plug_in") return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED, message("temperature_normalizer ", estimate, " is not defined for ",
                                                 kind().name, "; its estimates are upper and plug_in"));
}

}  // namespace vtemper
