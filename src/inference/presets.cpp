#include "inference/presets.h"

#include <algorithm>
#include <cmath>

#include "inference/ascent.h"
#include "inference/optimizer.h"
#include "inference/parts.h"
#include "inference/proximity.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double huge = 1e15;
// A default run of minibatches: enough steps for the schedule and the step size to work, whatever the number of rows.
constexpr int64_t default_steps_per_pass = 100;
constexpr int64_t smallest_default_batch = 10;
constexpr int64_t largest_default_batch = 1000;
constexpr double min_default_passes = 6;
constexpr double min_default_steps = 600;

int64_t default_batch(int64_t rows) {
  const int64_t batch = std::clamp(rows / default_steps_per_pass, smallest_default_batch, largest_default_batch);
  return std::min(batch, rows);
}

std::vector<const Preset*> all_methods() {
  std::vector<const Preset*> methods;
  for (const Preset& preset : presets()) methods.push_back(&preset);
  return methods;
}

/// Refuses what says otherwise how long a run by time, or a schedule of it, is.
void check_time(const OptionValues& all, bool fed) {
  if (fed) {
    throw Error(VTEMPER_ERROR_OPTION,
                "option time needs an optimizer with data of its own: where rows are fed, the caller decides when "
                "steps are taken; max_passes or max_iterations plan such a run");
  }
  const auto refuse = [](const char* name) {
    throw Error(VTEMPER_ERROR_OPTION, message("options time and ", name, " both set the length of the fit; leave ",
                                              name, " out to plan it by time"));
  };
  for (const char* name : {"max_passes", "temperature_passes", "temperature_steps", "temperature_coolings",
                           "perturbation_steps", "proximity_steps"}) {
    if (!all.is_auto(name)) refuse(name);
  }
  if (all.integer("max_iterations") > 0) refuse("max_iterations");
  if (all.real("deadline") > 0) refuse("deadline");
}

/// Refuses several coolings where they have no meaning.
void check_coolings(const ConjugateMethod& method, const OptionValues& all, bool fed) {
  if (all.is_auto("temperature_coolings") || all.integer("temperature_coolings") == 1) return;
  const auto refuse = [&](const char* why) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("option temperature_coolings is ", all.integer("temperature_coolings"), ", but ", why));
  };
  if (method.full_steps) refuse("runs of steps over all rows end when they have converged, after one cooling");
  if (fed) refuse("where rows are fed, the length of a cooling is not known");
}

/// Coolings of a run of usual length: the model's own where no option gives temperatures. Few rows are fitted in
/// little time, so they get more.
int64_t default_coolings(const ConjugateMethod& method, const OptionValues& all, const MethodDefaults& defaults,
                         double rows) {
  if (!method.reheats || !(rows >= defaults.rows_to_reheat)) return 1;
  for (const char* name : {"temperature_start", "temperature_passes", "temperature_steps", "temperature_shape"}) {
    if (!all.is_auto(name)) return 1;
  }
  constexpr double most = 4;
  const double times = std::clamp(defaults.few_rows / std::max(rows, 1.0), 1.0, most);
  return static_cast<int64_t>(std::round(times * static_cast<double>(defaults.coolings)));
}

}  // namespace

OptionTable loop_options() {
  // Option tables hold plain pointers; these texts are put together once and live as long as the library.
  static const std::string methods = names_of_parts(all_methods(), "auto");
  static const std::string method_description =
      "A named choice of parts, each of which can be replaced by its own option; auto: entropy_annealing for "
      "hidden_markov and bernoulli_mixture, vi for models fitted by gradients, else annealing. " +
      descriptions_of_parts(all_methods());
  static const std::string temperatures = names_of_parts(temperature_parts(), "auto");
  static const std::string step_sizes = names_of_parts(ascent_parts(), names_of_parts(step_size_parts(), "auto"));
  static const std::string perturbations = names_of_parts(perturbation_parts(), "auto");
  static const std::string temperature_description =
      "The temperature; auto: the method's; " + descriptions_of_parts(temperature_parts());
  static const std::string step_size_description =
      "The step size; auto: full where a step sees all rows, else robbins_monro; for models fitted by gradients "
      "their own, usually adam; " +
      descriptions_of_parts(step_size_parts()) +
      " For models fitted by gradients: " + descriptions_of_parts(ascent_parts());
  static const std::string perturbation_description =
      "The perturbation of the steps; auto: the method's; " + descriptions_of_parts(perturbation_parts());
  return {
      {"method", VTEMPER_OPTION_CHOICE, "auto", 0, 0, methods.c_str(), method_description.c_str()},
      {"temperature", VTEMPER_OPTION_CHOICE, "auto", 0, 0, temperatures.c_str(), temperature_description.c_str()},
      {"step_size", VTEMPER_OPTION_CHOICE, "auto", 0, 0, step_sizes.c_str(), step_size_description.c_str()},
      {"perturbation", VTEMPER_OPTION_CHOICE, "auto", 0, 0, perturbations.c_str(), perturbation_description.c_str()},
      {"proximity", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto none entropy kl mean_variance orthogonal",
       "The statistic of the posterior q that a proximity constraint keeps near its reference, for each latent unit "
       "the mean over the rows of: entropy: -E log q; kl: E log q - E log p under the prior; mean_variance: mean and "
       "variance of q; orthogonal: W W' (orthogonality rows) or W' W of each weight matrix W of q; auto: the "
       "method's."},
      {"batch_size", VTEMPER_OPTION_INTEGER, "auto", 0, 2147483647, "",
       "Rows of a step, drawn without replacement within a pass; 0: all rows; auto: a hundredth of the rows, from 10 "
       "to 1000, for method svi, and for lda with any method but vi; all rows for other fits with conjugate updates; "
       "for models fitted by gradients their own."},
      {"rows_total", VTEMPER_OPTION_REAL, "auto", 1, huge, "",
       "Number of rows to which statistics are scaled; auto: that of the data. Needed where rows are fed."},
      {"seed", VTEMPER_OPTION_INTEGER, "0", 0, 9.2e18, "", "Seed of the start and of the minibatches."},
      {"restarts", VTEMPER_OPTION_INTEGER, "auto", 1, 100000, "",
       "Starts that are run side by side, with seeds seed, seed + 1, ...; the one with the best ELBO at T = 1 is "
       "kept; auto: 1; with option time, however, mixtures and hidden Markov models whose steps see all rows, on one "
       "machine, try one start after another until the time is up or the last 50 were no better than the best before "
       "them.",
       [](const OptionValues&) -> std::string { return "1"; }},
      {"moves", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto on extra off",
       "Whether a run of steps over all rows tries to leave its optimum before it ends at T = 1: components that are "
       "equal, weak or dead are emptied and take over half of another, and a trial is kept if it raises the bound. "
       "With extra, and with on where neither max_passes nor max_iterations is given, the trials are in addition to "
       "the run's steps; auto: on for hidden_markov, the only kind that proposes moves."},
      {"threads", VTEMPER_OPTION_INTEGER, "0", 0, 1024, "",
       "Maximum number of threads; 0: as many as the machine and OMP_NUM_THREADS allow. Steps that are too small use "
       "fewer. Results do not depend on it."},
      {"exchange", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto none dense sparse sharded",
       "What the ranks over which the data are spread send one another in a step: dense: all statistics; sparse: for "
       "lda only those of the words that some rank met in the step; sharded: for lda with topics divided over the "
       "ranks, word v belonging to rank v mod ranks: each rank receives the rows of the words it met, and sends "
       "their statistics to their owners; none: nothing, where the data are not spread; auto: sharded for lda with "
       "topics that would take more than a quarter of the machine's memory, else what takes fewer bytes: sparse for "
       "lda, dense for the others."},
      {"reproducible", VTEMPER_OPTION_BOOLEAN, "false", 0, 1, "",
       "Whether the bits are the same for any number of ranks over which the data are spread, one included, also "
       "where a checkpoint is resumed by another number of ranks: the rows of a step are computed in chunks by their "
       "places in it and summed exactly, which takes longer; steps over all rows infer every row anew. Not for kinds "
       "that fit parameters of each row by gradients, nor with a proximity constraint."},
      {"max_passes", VTEMPER_OPTION_REAL, "auto", 0, huge, "",
       "Passes over all rows until the run ends; auto: 6, or as many as make 600 steps (9 or 900 where lda is "
       "annealed with 200 topics or more; up to four times as many where lda cools more often because of few rows), "
       "and the model's own where every step sees all rows or follows a gradient, in the latter case with further "
       "passes for few rows as long as these do not overfit; more where a schedule of given length needs them to end "
       "before the last third of the run or its last 200 steps."},
      {"max_iterations", VTEMPER_OPTION_INTEGER, "0", 0, huge, "",
       "Steps until the run ends; 0: max_passes sets the length."},
      {"tolerance", VTEMPER_OPTION_REAL, "auto", 0, 1, "",
       "A run of steps over all rows has converged when the relative change of the objective at T = 1 is less than "
       "this; auto: the model's own, usually 1e-06."},
      {"report_every", VTEMPER_OPTION_INTEGER, "20", 1, 1e12, "",
       "Steps between rows of the trace, calls of the monitor and values of expected_log_likelihood."},
      {"elbo_every", VTEMPER_OPTION_INTEGER, "0", 0, 1e12, "",
       "Steps between values of elbo and objective; 0: every step where it sees all rows or follows a gradient, else "
       "never."},
      {"time", VTEMPER_OPTION_REAL, "0", 0, 1e9, "",
       "Seconds for the whole fit, including its start: the run is planned by the speed of its steps so that T is 1 "
       "and the fit has settled when they are over. lda with minibatches takes a run of the usual length, then "
       "reheats and cools again as often as there is time for; with fewer than 2,500 tokens per topic, which "
       "reheating "
       "would overfit, it ends early, as do runs that converge. The result depends on the clock. 0: max_passes sets "
       "the length."},
      {"deadline", VTEMPER_OPTION_REAL, "0", 0, 1e9, "",
       "Seconds of initialising and stepping after which the run ends, hot or not: an emergency brake. Option time "
       "instead plans a fit that is cold at its end; 0: none."},
  };
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"vi", "variational inference at T = 1, by coordinate ascent over all rows or by plain gradient steps.", "none",
       "none", RowsOfStep::all, true, true},
      {"svi", "stochastic variational inference, minibatches at T = 1 (Hoffman 2013).", "none", "none",
       RowsOfStep::minibatch, true, false},
      {"annealing", "annealed variational inference, T falls on a schedule (Mandt 2016).", "schedule", "none",
       RowsOfStep::as_model, true, false},
      {"entropy_annealing",
       "deterministic annealing, the weight of the entropies falls on a schedule (Katahira 2008).",
       "entropy_schedule", "none", RowsOfStep::as_model, true, true},
      {"stochastic_annealing", "a decreasing share of every step is a random start (Gultekin 2014).", "none",
       "stochastic", RowsOfStep::as_model, true, false},
      {"tempering", "variational tempering, one learned temperature for all data (Mandt 2016).", "global", "none",
       RowsOfStep::as_model, true, false},
      {"local_tempering", "local variational tempering, one learned temperature per row (Mandt 2016).", "local",
       "none", RowsOfStep::as_model, true, false},
      {"proximity",
       "proximity variational inference, gradient steps with a constraint that keeps a statistic of the posterior "
       "from changing fast (Altosaar 2018).",
       "none", "none", RowsOfStep::as_model, false, true},
  };
  return all;
}

OptionTable optimizer_options() {
  OptionTable table = loop_options();
  for (const TemperaturePart* part : temperature_parts()) merge(table, part->options());
  for (const StepSizePart* part : step_size_parts()) merge(table, part->options());
  for (const PerturbationPart* part : perturbation_parts()) merge(table, part->options());
  for (const AscentPart* part : ascent_parts()) merge(table, part->options());
  merge(table, Proximity::options());
  return table;
}

const Preset& chosen_preset(const OptionValues& all) {
  return *std::find_if(presets().begin(), presets().end(),
                       [&](const Preset& preset) { return all.used("method") == preset.name; });
}

void set_batches(Run& run, const OptionValues& all, int64_t data_rows, int64_t usual) {
  if (data_rows < 0) {
    if (all.is_auto("rows_total")) {
      throw Error(VTEMPER_ERROR_OPTION,
                  "option rows_total is needed where the optimizer has no data and rows are fed");
    }
    if (all.integer("restarts") > 1) {
      throw Error(VTEMPER_ERROR_OPTION,
                  "option restarts has no effect where rows are fed: every start would need all of them");
    }
    if (!all.is_auto("batch_size") && all.integer("batch_size") > 0) {
      throw Error(VTEMPER_ERROR_OPTION,
                  "option batch_size has no effect where rows are fed: each step uses the rows it is fed");
    }
  } else {
    run.batch_size = std::min(usual, data_rows);
    if (!all.is_auto("batch_size")) {
      const int64_t wanted = all.integer("batch_size");
      run.batch_size = wanted > 0 ? std::min(wanted, data_rows) : data_rows;
    }
  }
  run.rows_total = all.is_auto("rows_total") ? static_cast<double>(data_rows) : all.real("rows_total");
}

void use_defaults(OptionValues& values, const MethodDefaults& defaults, bool full_steps) {
  /// Steps of minibatches between tables of a normalizer that follows the globals.
  constexpr double steps_between_tables = 50;
  values.use_by_default("temperature_shape", defaults.temperature_shape);
  values.use_by_default("temperature_entropy", defaults.temperature_entropy);
  values.use_by_default("temperature_estimate", defaults.temperature_estimate);
  values.use_by_default("temperature_normalizer", defaults.temperature_normalizer);
  values.use_by_default("temperature_refresh", full_steps ? 1 : steps_between_tables);
  values.use_by_default("perturbation_start", defaults.perturbation_start);
  values.use_by_default("perturbation_shape", defaults.perturbation_shape);
  values.use_by_default("perturbation_scope", defaults.perturbation_local ? "all" : "global");
  values.use_by_default("step_size_metric", defaults.step_size_metric);
}

namespace {

/// Passes of a run whose coolings have a third of their steps, or 200, after the schedules whose lengths are given;
/// 0: none is.
double passes_of_given_schedules(const OptionValues& all, double rows_per_step) {
  double steps = 0;
  if (!all.is_auto("temperature_steps")) {
    steps = all.real("temperature_steps");
  } else if (!all.is_auto("temperature_passes")) {
    steps = all.real("temperature_passes") / rows_per_step;
  }
  if (!all.is_auto("perturbation_steps")) steps = std::max(steps, all.real("perturbation_steps"));
  const double coolings =
      all.is_auto("temperature_coolings") ? 1 : static_cast<double>(all.integer("temperature_coolings"));
  return coolings * (steps + std::min(steps / 2, longest_plain_end)) * rows_per_step;
}

}  // namespace

void set_length(Run& run, const OptionValues& all, int64_t data_rows, double default_passes) {
  if (all.real("time") > 0) {
    check_time(all, data_rows < 0);
    return;
  }
  const int64_t iterations = all.integer("max_iterations");
  if (data_rows < 0) {
    run.passes = all.is_auto("max_passes") ? 0 : all.real("max_passes");
    run.steps_total = iterations;
    return;
  }
  const double rows_per_step =
      static_cast<double>(run.batch_size) / static_cast<double>(std::max<int64_t>(data_rows, 1));
  run.passes = all.is_auto("max_passes") ? std::max(default_passes, passes_of_given_schedules(all, rows_per_step))
                                         : all.real("max_passes");
  if (iterations > 0 && all.is_auto("max_passes")) run.passes = static_cast<double>(iterations) * rows_per_step;
  run.steps_total = static_cast<int64_t>(std::min(std::ceil(run.passes / rows_per_step), 9e18));
  if (iterations > 0 && (all.is_auto("max_passes") || iterations < run.steps_total)) run.steps_total = iterations;
}

namespace {

/// The length of the run, and how many times T falls in it. `default_passes`: of the model's own number of coolings.
void set_coolings(ConjugateMethod& method, const OptionValues& all, const MethodDefaults& defaults, int64_t data_rows,
                  double default_passes) {
  const int64_t own = method.default_coolings > 1 ? defaults.coolings : 1;
  const double passes_of_cooling = default_passes / static_cast<double>(own);
  if (all.is_auto("temperature_coolings")) {
    set_length(method, all, data_rows, passes_of_cooling * static_cast<double>(method.default_coolings));
    constexpr double rounding = 1e-9;
    const double coolings = std::floor(method.passes / passes_of_cooling + rounding);
    if (method.default_coolings > 1) method.coolings = static_cast<int64_t>(std::clamp(coolings, 1.0, 1e9));
  } else {
    method.coolings = all.integer("temperature_coolings");
    const auto length = static_cast<double>(std::max(method.coolings, own));
    set_length(method, all, data_rows, length * passes_of_cooling);
  }
  if (method.coolings > std::max<int64_t>(method.steps_total, 1)) {
    throw Error(VTEMPER_ERROR_OPTION, message("option temperature_coolings is ", method.coolings,
                                              ", but the run has ", method.steps_total, " steps"));
  }
  if (method.reheats && all.real("time") > 0) {
    method.cooling_steps =
        std::ceil(passes_of_cooling * static_cast<double>(data_rows) / static_cast<double>(method.batch_size));
    method.later_steps = std::ceil(defaults.reheat_length * method.cooling_steps);
  }
}

}  // namespace

ConjugateMethod choose_conjugate_method(const Options& options, int64_t data_rows, const MethodDefaults& defaults,
                                        bool proposes_moves) {
  // A first look at the choices alone, over the table of everything: unknown names are refused here.
  OptionValues all(optimizer_options(), options, "the optimizer");
  all.use_by_default("method", defaults.method);
  const Preset& preset = chosen_preset(all);
  if (!preset.conjugate) {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        message("method ", preset.name,
                " is for models fitted by gradients; this one has conjugate updates: use annealing or tempering"));
  }
  const bool fed = data_rows < 0;

  ConjugateMethod method;
  const bool minibatch =
      preset.rows == RowsOfStep::minibatch || (preset.rows == RowsOfStep::as_model && !defaults.all_rows);
  set_batches(method, all, data_rows, minibatch && !fed ? default_batch(data_rows) : data_rows);
  const bool sees_all = !fed && method.batch_size == data_rows;
  const std::string temperature = all.is_auto("temperature") ? preset.temperature : all.text("temperature");
  const std::string step_size = !all.is_auto("step_size") ? all.text("step_size")
                                : sees_all                ? "full"
                                                          : "robbins_monro";
  const std::string perturbation = all.is_auto("perturbation") ? preset.perturbation : all.text("perturbation");
  if (step_size == "full" && !fed && !sees_all) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("step_size full forgets all rows outside a step, but batch_size is ", method.batch_size,
                        " of ", data_rows, " rows"));
  }
  if (find_part(ascent_parts(), step_size) != nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("step_size ", step_size,
                        " is for models fitted by gradients; this one has conjugate updates: use adaptive"));
  }
  if (all.text("proximity") != "auto" && all.text("proximity") != "none") {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("proximity ", all.text("proximity"),
                        " is for models fitted by gradients; this one has conjugate updates"));
  }
  method.full_steps = sees_all && step_size == "full";
  method.starts_by_time = method.full_steps && defaults.all_rows && all.is_auto("restarts") && all.real("time") > 0;

  const TemperaturePart& temperature_part = part_named(temperature_parts(), temperature);
  const StepSizePart& step_size_part = part_named(step_size_parts(), step_size);
  const PerturbationPart& perturbation_part = part_named(perturbation_parts(), perturbation);
  OptionTable used = loop_options();
  merge(used, temperature_part.options());
  merge(used, step_size_part.options());
  merge(used, perturbation_part.options());
  for (const auto& [name, text] : options.all()) {
    if (has_option(used, name)) continue;
    refuse_options_of(temperature_parts(), "temperature", temperature, name);
    refuse_options_of(step_size_parts(), "step_size", step_size, name);
    refuse_options_of(ascent_parts(), "step_size", step_size, name);
    refuse_options_of(perturbation_parts(), "perturbation", perturbation, name);
    throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has no effect without a proximity constraint"));
  }
  method.options = OptionValues(used, options, "the optimizer");
  method.options.use("method", preset.name);
  method.options.use("temperature", temperature);
  method.options.use("step_size", step_size);
  method.options.use("perturbation", perturbation);
  method.options.use("proximity", "none");
  use_defaults(method.options, defaults, method.full_steps);
  // Steps of an adaptive size are those of one path.
  method.reheats = defaults.reheats && temperature == "schedule" && step_size == "robbins_monro" && !fed;
  method.default_coolings = default_coolings(method, all, defaults, static_cast<double>(data_rows));
  MethodDefaults of_run = defaults;
  of_run.reheats = method.reheats && (all.real("time") > 0 || method.default_coolings > 1);
  method.temperature = temperature_part.create(method.options, of_run);
  method.perturbation = perturbation_part.create(method.options, defaults);

  const double rows_per_step =
      static_cast<double>(method.batch_size) / static_cast<double>(std::max<int64_t>(data_rows, 1));
  const double longer = method.temperature->falls() ? defaults.schedule_length : 1;
  const double default_passes =
      method.full_steps ? defaults.passes : longer * std::max(min_default_passes, min_default_steps * rows_per_step);
  check_coolings(method, all, fed);
  set_coolings(method, all, defaults, data_rows, default_passes);
  if (!all.is_auto("tolerance") && all.real("tolerance") > 0 && !method.full_steps) {
    throw Error(
        VTEMPER_ERROR_OPTION,
        "option tolerance has no effect unless every step sees all rows of the optimizer's data, with step_size "
        "full; other runs end after max_passes, max_iterations, time or the deadline");
  }
  method.options.use_by_default("tolerance", method.full_steps ? defaults.tolerance : 0);
  method.tolerance = method.options.real("tolerance");
  const std::string& moves = all.text("moves");
  if ((moves == "on" || moves == "extra") && !(method.full_steps && proposes_moves)) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                proposes_moves
                    ? "option moves is for steps over all rows of the optimizer's data, with step_size full: other "
                      "steps have no bound by which to judge a trial"
                    : "option moves is for models that propose moves, as hidden_markov does; use restarts here");
  }
  method.moves = method.full_steps && proposes_moves && moves != "off";
  const bool length_is_given = !all.is_auto("max_passes") || all.integer("max_iterations") > 0;
  method.open_end = (moves == "extra" || !length_is_given) && !(all.real("time") > 0);
  method.options.use("moves", !method.moves ? "off" : method.open_end ? "extra" : "on");
  method.step_size = step_size_part.create(method.options, method.steps_total / method.coolings);
  return method;
}

}  // namespace vtemper
