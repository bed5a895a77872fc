#include "inference/presets.h"

#include <algorithm>
#include <cmath>

#include "inference/optimizer.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr double huge = 1e15;
// A default run of minibatches: enough steps for the schedule and the step size to work, whatever the number of rows.
constexpr int64_t default_steps_per_pass = 100;
constexpr int64_t smallest_default_batch = 10;
constexpr int64_t largest_default_batch = 1000;
constexpr double default_passes = 6;
constexpr double least_default_steps = 600;

int64_t default_batch(int64_t rows) {
  const int64_t batch = std::clamp(rows / default_steps_per_pass, smallest_default_batch, largest_default_batch);
  return std::min(batch, rows);
}

std::string names_of_methods() {
  std::string names;
  for (const Preset& preset : presets()) names += (names.empty() ? "" : " ") + std::string(preset.name);
  return names;
}

template <class Part>
std::string names_of_parts(const std::vector<const Part*>& parts, const std::string& first) {
  std::string names = first;
  for (const Part* part : parts) names += (names.empty() ? "" : " ") + std::string(part->name);
  return names;
}

template <class Part>
const Part& part_named(const std::vector<const Part*>& parts, const std::string& name) {
  for (const Part* part : parts) {
    if (name == part->name) return *part;
  }
  throw Error(VTEMPER_ERROR_INTERNAL, "there is no part named " + name);
}

OptionTable loop_options() {
  // Option tables hold plain pointers; these texts are put together once and live as long as the library.
  static const std::string methods = names_of_methods();
  static const std::string temperatures = names_of_parts(temperature_parts(), "auto");
  static const std::string step_sizes = names_of_parts(step_size_parts(), "auto");
  static const std::string perturbations = names_of_parts(perturbation_parts(), "auto");
  return {
      {"method", VTEMPER_OPTION_CHOICE, "annealing", 0, 0, methods.c_str(),
       "A named choice of parts; every part can be replaced by its own option."},
      {"temperature", VTEMPER_OPTION_CHOICE, "auto", 0, 0, temperatures.c_str(),
       "The temperature; auto: the method's."},
      {"step_size", VTEMPER_OPTION_CHOICE, "auto", 0, 0, step_sizes.c_str(),
       "The step size; auto: full where a step sees all rows, else robbins_monro."},
      {"perturbation", VTEMPER_OPTION_CHOICE, "auto", 0, 0, perturbations.c_str(),
       "The perturbation of the steps; auto: the method's."},
      {"batch_size", VTEMPER_OPTION_INTEGER, "auto", 0, 2147483647, "",
       "Rows of a step, drawn without replacement within a pass; 0: all rows; auto: all for vi, else a hundredth of "
       "the "
       "rows, from 10 to 1000."},
      {"rows_total", VTEMPER_OPTION_REAL, "auto", 1, huge, "",
       "Rows that statistics are scaled to; auto: those of the data. Needed where rows are fed."},
      {"seed", VTEMPER_OPTION_INTEGER, "0", 0, 9.2e18, "", "Seed of the start and of the minibatches."},
      {"restarts", VTEMPER_OPTION_INTEGER, "1", 1, 100000, "",
       "Starts that are run side by side, with the seeds seed, seed + 1, ...; the one with the best ELBO at T = 1 is "
       "kept."},
      {"threads", VTEMPER_OPTION_INTEGER, "0", 0, 1024, "",
       "Threads; 0: as many as the machine and OMP_NUM_THREADS allow. Results do not depend on it."},
      {"max_passes", VTEMPER_OPTION_REAL, "auto", 0, huge, "",
       "Passes over all rows until the run ends; auto: 6 or as many as give 600 steps, and the model's own where "
       "every "
       "step sees all rows."},
      {"max_iterations", VTEMPER_OPTION_INTEGER, "0", 0, huge, "",
       "Steps until the run ends; 0: as max_passes says."},
      {"tolerance", VTEMPER_OPTION_REAL, "auto", 0, 1, "",
       "A run of steps over all rows has converged when the objective at T = 1 changes by less than this, "
       "relatively; auto: the model's own, usually 1e-06."},
      {"report_every", VTEMPER_OPTION_INTEGER, "20", 1, 1e12, "",
       "Steps between rows of the trace, calls of the monitor and values of expected_log_likelihood."},
      {"elbo_every", VTEMPER_OPTION_INTEGER, "0", 0, 1e12, "",
       "Steps between values of elbo and objective; 0: every step where it sees all rows, else never."},
      {"deadline", VTEMPER_OPTION_REAL, "0", 0, 1e9, "", "Seconds of stepping after which the run ends; 0: none."},
  };
}

/// The name of the part that uses an option which the chosen parts do not, for the refusal.
template <class Part>
std::string user_of(const std::vector<const Part*>& parts, const std::string& option) {
  std::string users;
  for (const Part* part : parts) {
    for (const OptionEntry& entry : part->options()) {
      if (option == entry.name) users += (users.empty() ? "" : " or ") + std::string(part->name);
    }
  }
  return users;
}

/// `room`: temperature, step_size, perturbation; `chosen`: its part.
template <class Part>
void refuse_options_of(const std::vector<const Part*>& parts, const std::string& room, const std::string& chosen,
                       const std::string& option) {
  const std::string users = user_of(parts, option);
  if (users.empty()) return;
  throw Error(VTEMPER_ERROR_OPTION, sentence("option ", option, " has no effect with ", room, " ", chosen,
                                             "; it belongs to ", room, " ", users));
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"vi", "Variational inference: coordinate ascent over all rows at T = 1.", "none", "none", Rows::all},
      {"svi", "Stochastic variational inference: minibatches at T = 1 (Hoffman 2013).", "none", "none",
       Rows::minibatch},
      {"annealing", "Annealed variational inference: T falls on a schedule (Mandt 2016).", "schedule", "none",
       Rows::as_model},
      {"entropy_annealing",
       "Deterministic annealing: the weight of the entropies falls on a schedule (Katahira 2008).",
       "entropy_schedule", "none", Rows::as_model},
      {"stochastic_annealing",
       "Stochastic annealing: a falling share of every step is a random start (Gultekin 2014).", "none", "stochastic",
       Rows::as_model},
      {"tempering", "Variational tempering: one temperature for all data is learned (Mandt 2016).", "global", "none",
       Rows::as_model},
      {"local_tempering", "Local variational tempering: a temperature for every row is learned (Mandt 2016).",
       "local", "none", Rows::as_model},
  };
  return all;
}

OptionTable optimizer_options() {
  OptionTable table = loop_options();
  for (const TemperaturePart* part : temperature_parts()) merge(table, part->options());
  for (const StepSizePart* part : step_size_parts()) merge(table, part->options());
  for (const PerturbationPart* part : perturbation_parts()) merge(table, part->options());
  return table;
}

Method choose_method(const Options& options, int64_t data_rows, const MethodDefaults& defaults) {
  // A first look at the choices alone, over the table of everything: unknown names are refused here.
  const OptionValues all(optimizer_options(), options, "the optimizer");
  const Preset& preset = *std::find_if(presets().begin(), presets().end(),
                                       [&](const Preset& p) { return all.text("method") == p.name; });
  const bool fed = data_rows < 0;

  Method method;
  if (!fed) {
    method.batch_size = data_rows;
    if (!all.is_auto("batch_size")) {
      if (all.integer("batch_size") > 0) method.batch_size = std::min(all.integer("batch_size"), data_rows);
    } else if (preset.rows == Rows::minibatch || (preset.rows == Rows::as_model && !defaults.all_rows)) {
      method.batch_size = default_batch(data_rows);
    }
  }
  const bool sees_all = !fed && method.batch_size == data_rows;
  const std::string temperature = all.is_auto("temperature") ? preset.temperature : all.text("temperature");
  const std::string step_size = !all.is_auto("step_size") ? all.text("step_size")
                                : sees_all                ? "full"
                                                          : "robbins_monro";
  const std::string perturbation = all.is_auto("perturbation") ? preset.perturbation : all.text("perturbation");
  if (step_size == "full" && !fed && !sees_all) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("step_size full forgets all rows outside a step, but batch_size is ", method.batch_size,
                         " of ", data_rows, " rows"));
  }
  method.full_steps = sees_all && step_size == "full";

  const TemperaturePart& temperature_part = part_named(temperature_parts(), temperature);
  const StepSizePart& step_size_part = part_named(step_size_parts(), step_size);
  const PerturbationPart& perturbation_part = part_named(perturbation_parts(), perturbation);
  OptionTable used = loop_options();
  merge(used, temperature_part.options());
  merge(used, step_size_part.options());
  merge(used, perturbation_part.options());
  for (const auto& [name, text] : options.all()) {
    if (std::any_of(used.begin(), used.end(), [&key = name](const OptionEntry& e) { return key == e.name; }))
      continue;
    refuse_options_of(temperature_parts(), "temperature", temperature, name);
    refuse_options_of(step_size_parts(), "step_size", step_size, name);
    refuse_options_of(perturbation_parts(), "perturbation", perturbation, name);
  }
  method.options = OptionValues(used, options, "the optimizer");
  method.temperature = temperature_part.create(method.options, defaults);
  method.perturbation = perturbation_part.create(method.options, defaults);

  if (!all.is_auto("rows_total")) {
    method.rows_total = all.real("rows_total");
  } else if (!fed) {
    method.rows_total = static_cast<double>(data_rows);
  } else {
    throw Error(VTEMPER_ERROR_OPTION, "option rows_total is needed where the optimizer has no data and rows are fed");
  }

  const int64_t iterations = all.integer("max_iterations");
  if (fed) {
    if (all.integer("restarts") > 1) {
      throw Error(VTEMPER_ERROR_OPTION,
                  "option restarts has no effect where rows are fed: every start would need all of them");
    }
    if (!all.is_auto("batch_size")) {
      throw Error(VTEMPER_ERROR_OPTION,
                  "option batch_size has no effect where rows are fed: a step takes what it is fed");
    }
    method.fed_passes = all.is_auto("max_passes") ? 0 : all.real("max_passes");
    method.steps_total = iterations;
  } else {
    const double rows_per_step =
        static_cast<double>(method.batch_size) / static_cast<double>(std::max<int64_t>(data_rows, 1));
    double passes =
        method.full_steps ? defaults.passes : std::max(default_passes, least_default_steps * rows_per_step);
    if (!all.is_auto("max_passes")) passes = all.real("max_passes");
    method.steps_total = static_cast<int64_t>(std::min(std::ceil(passes / rows_per_step), 9e18));
    if (iterations > 0 && (all.is_auto("max_passes") || iterations < method.steps_total)) {
      method.steps_total = iterations;
    }
  }
  method.tolerance = all.is_auto("tolerance") ? defaults.tolerance : all.real("tolerance");
  method.step_size = step_size_part.create(method.options, method.steps_total, defaults);
  return method;
}

}  // namespace vtemper
