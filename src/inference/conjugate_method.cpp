// The choice of a method for models with conjugate updates (presets.h).

#include <algorithm>
#include <cmath>

#include "inference/ascent.h"
#include "inference/parts.h"
#include "inference/presets.h"
#include "inference/proximity.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

// A default run of minibatches: enough steps for the schedule and the step size to work, whatever the number of rows.
constexpr int64_t default_steps_per_pass = 100;
constexpr int64_t smallest_default_batch = 10;
constexpr int64_t largest_default_batch = 1000;
constexpr double min_default_passes = 6;
constexpr double min_default_steps = 600;

/// What a method is chosen from.
struct Request {
  const Options& options;
  const OptionValues& all;  ///< over optimizer_options()
  const MethodDefaults& defaults;
  int64_t data_rows;  ///< < 0 if the caller feeds rows
  bool proposes_moves;

  bool fed() const { return data_rows < 0; }
  bool by_time() const { return all.real("time") > 0; }
};

struct ConjugateParts {
  const TemperaturePart& temperature;
  const StepSizePart& step_size;
  const PerturbationPart& perturbation;
};

void refuse_methods_of_gradients(const Preset& preset) {
  if (preset.conjugate) return;
  throw Error(
      VTEMPER_ERROR_UNSUPPORTED,
      message("method ", preset.name,
              " is for models fitted by gradients; this one has conjugate updates: use annealing or tempering"));
}

/// Rows of a step where no option says how many.
int64_t default_batch(const Request& request, const Preset& preset) {
  const int64_t rows = request.data_rows;
  const bool minibatch =
      preset.rows == RowsOfStep::minibatch || (preset.rows == RowsOfStep::as_model && !request.defaults.all_rows);
  if (!minibatch || request.fed()) return rows;
  const int64_t batch = std::clamp(rows / default_steps_per_pass, smallest_default_batch, largest_default_batch);
  return std::min(batch, rows);
}

/// Whether every step sees all rows of the optimizer's data.
bool sees_all_rows(const Request& request, const Run& run) {
  return !request.fed() && run.batch_size == request.data_rows;
}

Choices choices_of(const Request& request, const Preset& preset, const Run& run) {
  const char* default_step_size = sees_all_rows(request, run) ? "full" : "robbins_monro";
  return {preset.name, given_or(request.all, "temperature", preset.temperature),
          given_or(request.all, "step_size", default_step_size),
          given_or(request.all, "perturbation", preset.perturbation), "none"};
}

/// Refuses choices that do not suit the rows of a step, or that only models fitted by gradients have.
void refuse_unusable(const Choices& choices, const Request& request, const Run& run) {
  if (choices.step_size == "full" && !request.fed() && !sees_all_rows(request, run)) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("step_size full forgets all rows outside a step, but batch_size is ", run.batch_size, " of ",
                        counted(request.data_rows, "row")));
  }
  if (find_part(ascent_parts(), choices.step_size) != nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("step_size ", choices.step_size,
                        " is for models fitted by gradients; this one has conjugate updates: use adaptive"));
  }
  const std::string& proximity = request.all.text("proximity");
  if (proximity != "auto" && proximity != "none") {
    throw Error(
        VTEMPER_ERROR_UNSUPPORTED,
        message("proximity ", proximity, " is for models fitted by gradients; this one has conjugate updates"));
  }
}

/// Whether no option chooses a method or a part of one.
bool leaves_the_method(const Options& options) {
  return std::all_of(options.all().begin(), options.all().end(),
                     [](const auto& option) { return option.second == "auto" || is_of_any_method(option.first); });
}

/// Whether no option limits the work of a run.
bool leaves_the_length(const OptionValues& all, const Run& run) {
  return run.alternates && all.is_auto("max_passes") && all.integer("max_iterations") == 0 &&
         !(all.real("deadline") > 0);
}

OptionTable options_of(const ConjugateParts& parts) {
  OptionTable table = loop_options();
  merge(table, parts.temperature.options());
  merge(table, parts.step_size.options());
  merge(table, parts.perturbation.options());
  return table;
}

/// Refuses options that are not in the table of those that the choices use.
void refuse_unused(const Options& options, const OptionTable& used, const Choices& choices) {
  for (const auto& [name, text] : options.all()) {
    if (has_option(used, name)) continue;
    refuse_options_of(temperature_parts(), "temperature", choices.temperature, name);
    refuse_options_of(step_size_parts(), "step_size", choices.step_size, name);
    refuse_options_of(ascent_parts(), "step_size", choices.step_size, name);
    refuse_options_of(perturbation_parts(), "perturbation", choices.perturbation, name);
    const bool is_proximity = has_option(Proximity::options(), name);
    throw Error(VTEMPER_ERROR_OPTION,
                message("option ", name, " has no effect ",
                        is_proximity ? "without a proximity constraint" : "on models with conjugate updates"));
  }
}

/// Coolings of a run of usual length: the model's own where no option gives temperatures. Few rows are fitted in
/// little time, so they get more.
int64_t default_coolings(const ConjugateMethod& method, const Request& request) {
  const double rows = static_cast<double>(request.data_rows);
  const MethodDefaults& defaults = request.defaults;
  if (!method.reheats || !(rows >= defaults.rows_to_reheat)) return 1;
  for (const char* name : {"temperature_start", "temperature_passes", "temperature_steps", "temperature_shape"}) {
    if (!request.all.is_auto(name)) return 1;
  }
  constexpr double most = 4;
  const double times = std::clamp(defaults.few_rows / std::max(rows, 1.0), 1.0, most);
  return static_cast<int64_t>(std::round(times * static_cast<double>(defaults.coolings)));
}

/// The temperature and the perturbation, and whether T may fall more than once.
void create_schedules(ConjugateMethod& method, const ConjugateParts& parts, const Choices& choices,
                      const Request& request) {
  // Steps of an adaptive size are those of one path.
  method.reheats = request.defaults.reheats && choices.temperature == "schedule" &&
                   choices.step_size == "robbins_monro" && !request.fed();
  method.default_coolings = default_coolings(method, request);
  MethodDefaults of_run = request.defaults;
  of_run.reheats = method.reheats && (request.by_time() || method.default_coolings > 1);
  method.temperature = parts.temperature.create(method.options, of_run);
  method.perturbation = parts.perturbation.create(method.options, request.defaults);
}

/// Refuses several coolings where they have no meaning.
void check_coolings(const ConjugateMethod& method, const Request& request) {
  const OptionValues& all = request.all;
  if (all.is_auto("temperature_coolings") || all.integer("temperature_coolings") == 1) return;
  const auto refuse = [&](const char* why) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("option temperature_coolings is ", all.integer("temperature_coolings"), ", but ", why));
  };
  if (method.full_steps) refuse("runs of steps over all rows end when they have converged, after one cooling");
  if (request.fed()) refuse("where rows are fed, the length of a cooling is not known");
}

/// Default passes of a run with the model's own number of coolings.
double default_passes(const ConjugateMethod& method, const Request& request) {
  if (method.full_steps) return request.defaults.passes;
  const double longer = method.temperature->falls() ? request.defaults.schedule_length : 1;
  return longer * std::max(min_default_passes, min_default_steps * passes_per_step(method, request.data_rows));
}

/// The length of the run, and how many times T falls in it.
void plan_length(ConjugateMethod& method, const Request& request) {
  const OptionValues& all = request.all;
  const int64_t own = method.default_coolings > 1 ? request.defaults.coolings : 1;
  const double passes_of_cooling = default_passes(method, request) / static_cast<double>(own);
  if (all.is_auto("temperature_coolings")) {
    set_length(method, all, request.data_rows, passes_of_cooling * static_cast<double>(method.default_coolings));
    constexpr double rounding = 1e-9;
    const double coolings = std::floor(method.passes / passes_of_cooling + rounding);
    if (method.default_coolings > 1) method.coolings = static_cast<int64_t>(std::clamp(coolings, 1.0, 1e9));
  } else {
    method.coolings = all.integer("temperature_coolings");
    const auto length = static_cast<double>(std::max(method.coolings, own));
    set_length(method, all, request.data_rows, length * passes_of_cooling);
  }
  if (method.coolings > std::max<int64_t>(method.steps_total, 1)) {
    throw Error(VTEMPER_ERROR_OPTION, message("option temperature_coolings is ", method.coolings,
                                              ", but the run has ", method.steps_total, " steps"));
  }
  if (method.reheats && request.by_time()) {
    method.cooling_steps = std::ceil(passes_of_cooling * static_cast<double>(request.data_rows) /
                                     static_cast<double>(method.batch_size));
    method.later_steps = std::ceil(request.defaults.reheat_length * method.cooling_steps);
  }
}

void set_tolerance(ConjugateMethod& method, const Request& request) {
  const OptionValues& all = request.all;
  if (!all.is_auto("tolerance") && all.real("tolerance") > 0 && !method.full_steps) {
    throw Error(
        VTEMPER_ERROR_OPTION,
        "option tolerance has no effect unless every step sees all rows of the optimizer's data, with step_size "
        "full; other runs end after max_passes, max_iterations, time or the deadline");
  }
  method.options.use_by_default("tolerance", method.full_steps ? request.defaults.tolerance : 0);
  method.tolerance = method.options.real("tolerance");
}

/// Whether the run makes moves that the model finds in a sample: T falls to 1 in steps that have no bound by which to
/// judge a trial.
bool makes_moves_of_sample(const ConjugateMethod& method, const Request& request) {
  const bool from_hot = request.all.is_auto("temperature_start") || request.all.real("temperature_start") > 1;
  return request.defaults.moves_of_sample && !method.full_steps && !request.fed() && method.temperature->falls() &&
         from_hot && method.options.used("step_size") == "robbins_monro";
}

/// Error for moves that are asked for and cannot be made.
void require_moves(const Request& request, bool of_trials, bool of_sample) {
  const std::string& moves = request.all.text("moves");
  if (of_trials || (of_sample && moves == "on")) return;
  const auto refuse = [](const char* why) { throw Error(VTEMPER_ERROR_UNSUPPORTED, why); };
  if (request.proposes_moves) {
    refuse(
        "option moves is for steps over all rows of the optimizer's data, with step_size full: other steps have "
        "no bound by which to judge a trial");
  }
  if (of_sample) {
    refuse(
        "option moves extra is for steps over all rows of the optimizer's data; moves that are found in a sample "
        "of them need no trials, so moves can only be on or off");
  }
  if (request.defaults.moves_of_sample) {
    refuse(
        "option moves is for annealing by minibatches of the optimizer's data, whose temperature falls to 1, where "
        "it is on by default");
  }
  refuse("option moves is for models that propose moves, as mixtures and hidden_markov do; use restarts here");
}

void set_moves(ConjugateMethod& method, const Request& request) {
  const OptionValues& all = request.all;
  const std::string& moves = all.text("moves");
  const bool of_trials = method.full_steps && request.proposes_moves;
  const bool of_sample = makes_moves_of_sample(method, request);
  if (moves == "on" || moves == "extra") require_moves(request, of_trials, of_sample);
  method.moves = of_trials && moves != "off";
  method.moves_of_sample = of_sample && moves != "off";
  const bool length_is_given = !all.is_auto("max_passes") || all.integer("max_iterations") > 0;
  method.open_end = (moves == "extra" || !length_is_given) && !request.by_time();
  const bool extra = method.moves && method.open_end;
  method.options.use("moves", extra ? "extra" : method.moves || method.moves_of_sample ? "on" : "off");
}

}  // namespace

bool is_of_any_method(std::string_view option) {
  constexpr std::string_view known[] = {"seed",       "threads",    "tolerance",  "time",
                                        "deadline",   "moves",      "restarts",   "report_every",
                                        "elbo_every", "max_passes", "rows_total", "max_iterations"};
  return std::find(std::begin(known), std::end(known), option) != std::end(known);
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

ConjugateMethod choose_conjugate_method(const Options& options, int64_t data_rows, const MethodDefaults& defaults,
                                        bool proposes_moves) {
  const OptionValues all = all_values(options, defaults.method);
  const Request request = {options, all, defaults, data_rows, proposes_moves};
  const Preset& preset = chosen_preset(all);
  refuse_methods_of_gradients(preset);

  ConjugateMethod method;
  set_batches(method, all, data_rows, default_batch(request, preset));
  const Choices choices = choices_of(request, preset, method);
  refuse_unusable(choices, request, method);
  method.full_steps = sees_all_rows(request, method) && choices.step_size == "full";
  method.alternates = method.full_steps && defaults.all_rows && leaves_the_method(options);
  method.starts_in_turn = method.full_steps && defaults.all_rows && all.is_auto("restarts") &&
                          (request.by_time() || leaves_the_length(all, method));

  const ConjugateParts parts = {part_named(temperature_parts(), choices.temperature),
                                part_named(step_size_parts(), choices.step_size),
                                part_named(perturbation_parts(), choices.perturbation)};
  const OptionTable used = options_of(parts);
  refuse_unused(options, used, choices);
  record_choices(method, used, options, choices);
  use_defaults(method.options, defaults, method.full_steps);
  create_schedules(method, parts, choices, request);

  check_coolings(method, request);
  plan_length(method, request);
  set_tolerance(method, request);
  set_moves(method, request);
  method.step_size = parts.step_size.create(method.options);
  return method;
}

}  // namespace vtemper
