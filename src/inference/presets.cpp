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
       "The statistic of the posterior q that a proximity constraint keeps near its reference. For each latent unit, "
       "averaged over the rows of the step (for each row where rows have parameters of their own): entropy: -E log "
       "q; kl: E log q - E log p under the prior; mean_variance: mean and variance of q. A function of the weights "
       "instead, for each weight matrix W of an encoder: orthogonal: W W' (orthogonality rows) or W' W. auto: the "
       "method's."},
      {"batch_size", VTEMPER_OPTION_INTEGER, "auto", 0, 2147483647, "",
       "Rows of a step, drawn without replacement within a pass; 0: all rows; auto: a hundredth of the rows, from 10 "
       "to 1000, for method svi, and for lda with any method but vi; all rows for other fits with conjugate updates; "
       "for models fitted by gradients their own."},
      {"rows_total", VTEMPER_OPTION_REAL, "auto", smallest_rows, largest_sum, "",
       "Number of rows to which statistics are scaled; auto: that of the data. Needed where rows are fed."},
      {"seed", VTEMPER_OPTION_INTEGER, "0", 0, 9.2e18, "", "Seed of the start and of the minibatches."},
      {"restarts", VTEMPER_OPTION_INTEGER, "auto", 1, 100000, "",
       "Starts that are run side by side, with seeds seed, seed + 1, ...; the one with the best ELBO at T = 1 is "
       "kept. For mixtures and hidden Markov models whose steps see all rows, where no option chooses a method, "
       "every other one is by method vi, which differs more from start to start. auto: 1, but for such runs, if no "
       "option limits them, on one machine, up to 20 starts, one after another, if they are little work (some "
       "seconds); of these only such a start tries moves that without them is better than all before it by its "
       "method. With option time they try one start after another until the time is up or the last 50 were no "
       "better than the best before them.",
       [](const OptionValues&) -> std::string { return "1"; }},
      {"moves", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto on extra off",
       "Whether a run of steps over all rows tries to leave its optimum before it ends at T = 1: components that are "
       "equal, weak or dead are emptied and take over half of another (in a factorial mixture they become a part of "
       "it), and a trial is kept if it raises the bound. "
       "With extra, and with on where neither max_passes nor max_iterations is given, the trials are in addition to "
       "the run's steps. A minibatch run of lda whose temperature falls makes such moves where a sample of the "
       "documents gains by them, once T is 1, without trials. auto: on for gaussian_mixture, bernoulli_mixture, "
       "factorial_mixture, hidden_markov and for such runs of lda with 3 to 250 topics; other models propose no "
       "moves."},
      {"threads", VTEMPER_OPTION_INTEGER, "0", 0, 1024, "",
       "Maximum number of threads; 0: as many as the machine and OMP_NUM_THREADS allow. Steps that are too small use "
       "fewer. Results do not depend on it."},
      {"exchange", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto none dense sparse sharded",
       "What the ranks over which the data are spread send one another in a step: dense: all statistics; sparse: for "
       "lda only those of the words that occur on any rank in the step; sharded: for lda with topics divided over "
       "the ranks, word v belonging to rank v mod ranks: each rank receives the rows of the words it met, and sends "
       "their statistics to their owners; none: nothing, where the data are not spread; auto: sharded for lda with "
       "topics that would take more than a quarter of the machine's memory, else what takes fewer bytes: sparse for "
       "lda, dense for the others."},
      {"reproducible", VTEMPER_OPTION_BOOLEAN, "false", 0, 1, "",
       "Whether the bits are the same for any number of ranks over which the data are spread, one included, also "
       "where a checkpoint is resumed by another number of ranks: the rows of a step are computed in chunks by their "
       "places in it and summed exactly, which takes longer; steps over all rows infer every row anew. Not for kinds "
       "that fit parameters of each row by gradients, nor with a proximity constraint."},
      {"max_passes", VTEMPER_OPTION_REAL, "auto", 0, huge, "",
       "Passes over all rows until the run ends; auto: 6, or as many as make 600 steps (10 or 1000 where lda is "
       "annealed with 200 to 249 topics, 9 or 900 with more, 15 or 1500 if documents have fewer than 30 different "
       "words, 12 or 1200 of these with 1000 topics and more; up to four times as many where lda cools more often "
       "because of few rows), "
       "and the model's own where every step sees all rows or follows a gradient, in the latter case with further "
       "passes for few rows as long as these do not overfit; more where a schedule of given length needs them to end "
       "before the last third of the run or its last 200 steps."},
      {"max_iterations", VTEMPER_OPTION_INTEGER, "0", 0, huge, "",
       "Steps until the run ends; 0: max_passes sets the length."},
      {"tolerance", VTEMPER_OPTION_REAL, "auto", 0, 1, "",
       "A run of steps over all rows has converged when the relative change of the objective at T = 1 is less than "
       "this; auto: the model's own, usually 1e-06."},
      {"report_every", VTEMPER_OPTION_INTEGER, "auto", 1, 1e12, "",
       "Steps between rows of the trace, calls of the monitor and values of expected_log_likelihood; auto: 20, or "
       "the "
       "hundredth part of a run of less than 400 steps."},
      {"elbo_every", VTEMPER_OPTION_INTEGER, "0", 0, 1e12, "",
       "Steps between values of elbo and objective, and counts of duplicate components (of lda, topics with the same "
       "ten most probable words, or half of fewer than 20); 0: every step where it sees all rows or follows a "
       "gradient, else never."},
      {"time", VTEMPER_OPTION_REAL, "0", 0, 1e9, "",
       "Seconds for the whole fit, including its start: the run is planned by the speed of its steps so that T is 1 "
       "and the fit has settled when they are over. lda with minibatches takes a run of the usual length, then "
       "reheats and cools again as often as there is time for; with fewer than 2,500 tokens per topic, which "
       "reheating would overfit, it ends early, as do runs that converge, and networks of at most 4,000 rows after "
       "the passes that more would overfit. The result depends on the clock. 0: max_passes sets the length.",
       nullptr, "seconds"},
      {"deadline", VTEMPER_OPTION_REAL, "0", 0, 1e9, "",
       "Seconds of initialising and stepping after which the run ends, hot or not: an emergency brake. Option time "
       "instead plans a fit that is cold at its end; 0: none.",
       nullptr, "seconds"},
  };
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"vi", "variational inference at T = 1, by coordinate ascent over all rows or by plain gradient steps.", "none",
       "none", RowsOfStep::all, false, true, true},
      {"svi", "stochastic variational inference, minibatches at T = 1 (Hoffman 2013).", "none", "none",
       RowsOfStep::minibatch, false, true, false},
      {"annealing", "annealed variational inference, T falls on a schedule (Mandt 2016).", "schedule", "none",
       RowsOfStep::as_model, false, true, false},
      {"entropy_annealing",
       "deterministic annealing, the weight of the entropies falls on a schedule (Katahira 2008).",
       "entropy_schedule", "none", RowsOfStep::as_model, false, true, true},
      {"stochastic_annealing", "a decreasing share of every step is a random start (Gultekin 2015).", "none",
       "stochastic", RowsOfStep::as_model, false, true, false},
      {"tempering", "variational tempering, one learned temperature for all data (Mandt 2016).", "global", "none",
       RowsOfStep::as_model, false, true, false},
      {"local_tempering", "local variational tempering, one learned temperature per row (Mandt 2016).", "local",
       "none", RowsOfStep::as_model, false, true, false},
      {"proximity",
       "proximity variational inference, gradient steps with a constraint that keeps a statistic of the posterior "
       "from changing fast (Altosaar 2018).",
       "none", "none", RowsOfStep::as_model, true, false, true},
  };
  return all;
}

OptionTable early_stopping_options() {
  return {{"early_stopping", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto on off",
           "Whether rows that are set aside choose the length of a run that is fitted by gradients: before its first "
           "step a rehearsal on 85 % of the rows finds the number of steps after which it predicts the others best; "
           "the run then takes as many on all rows. For runs of method vi to their end, of unknown length and from a "
           "start of their own. auto: on for variational_autoencoder with a Gaussian likelihood and at most 4,000 "
           "rows."}};
}

OptionTable optimizer_options() {
  OptionTable table = loop_options();
  for (const TemperaturePart* part : temperature_parts()) merge(table, part->options());
  for (const StepSizePart* part : step_size_parts()) merge(table, part->options());
  for (const PerturbationPart* part : perturbation_parts()) merge(table, part->options());
  for (const AscentPart* part : ascent_parts()) merge(table, part->options());
  merge(table, Proximity::options());
  merge(table, early_stopping_options());
  return table;
}

OptionValues all_values(const Options& options, const char* default_method) {
  OptionValues all(optimizer_options(), options, "the optimizer");
  all.use_by_default("method", default_method);
  return all;
}

const Preset& chosen_preset(const OptionValues& all) {
  return *std::find_if(presets().begin(), presets().end(),
                       [&](const Preset& preset) { return all.used("method") == preset.name; });
}

std::string given_or(const OptionValues& all, const char* option, const char* usual) {
  return all.is_auto(option) ? usual : all.text(option);
}

void record_choices(Run& run, const OptionTable& used, const Options& options, const Choices& choices) {
  run.options = OptionValues(used, options, "the optimizer");
  run.options.use("method", choices.method);
  run.options.use("temperature", choices.temperature);
  run.options.use("step_size", choices.step_size);
  run.options.use("perturbation", choices.perturbation);
  run.options.use("proximity", choices.proximity);
}

double passes_per_step(const Run& run, int64_t data_rows) {
  return static_cast<double>(run.batch_size) / static_cast<double>(std::max<int64_t>(data_rows, 1));
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

namespace {

/// Passes of a run whose coolings have a third of their steps, or 200, after the schedules whose lengths are given;
/// 0: none is.
double passes_of_given_schedules(const OptionValues& all, double per_step) {
  double steps = 0;
  if (!all.is_auto("temperature_steps")) {
    steps = all.real("temperature_steps");
  } else if (!all.is_auto("temperature_passes")) {
    steps = all.real("temperature_passes") / per_step;
  }
  if (!all.is_auto("perturbation_steps")) steps = std::max(steps, all.real("perturbation_steps"));
  const double coolings =
      all.is_auto("temperature_coolings") ? 1 : static_cast<double>(all.integer("temperature_coolings"));
  return coolings * (steps + std::min(steps / 2, longest_plain_end)) * per_step;
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
  const double per_step = passes_per_step(run, data_rows);
  run.passes = all.is_auto("max_passes") ? std::max(default_passes, passes_of_given_schedules(all, per_step))
                                         : all.real("max_passes");
  const bool by_iterations = iterations > 0 && (all.is_auto("max_passes") || run.passes == 0);
  if (by_iterations) run.passes = static_cast<double>(iterations) * per_step;
  run.steps_total = static_cast<int64_t>(std::min(std::ceil(run.passes / per_step), 9e18));
  if (by_iterations || (iterations > 0 && iterations < run.steps_total)) run.steps_total = iterations;
}

}  // namespace vtemper
