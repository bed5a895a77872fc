#include "inference/gradient_method.h"

#include <algorithm>
#include <cmath>

#include "inference/optimizer.h"
#include "inference/parts.h"
#include "inference/presets.h"

namespace vtemper {

namespace {

/// Default share of a run that is hot: with the exponential schedule T then falls at the default rate of a proximity
/// constraint's magnitude (README.md section 9).
constexpr double hot_share = 0.1;
/// Runs over more rows hardly overfit in their usual length.
constexpr int64_t rows_that_overfit = 4000;

Statistic statistic_named(const std::string& name) {
  for (const Statistic statistic :
       {Statistic::entropy, Statistic::kl, Statistic::mean_variance, Statistic::orthogonal}) {
    if (name == statistic_name(statistic)) return statistic;
  }
  return Statistic::none;
}

/// Passes after which fits of few rows begin to overfit: the sooner, the more columns tell rows apart, by held-out
/// scores of 11 to 4,000 rows with 2 to 10,000 columns (tests/reproduce/networks.md). `per_step`: passes of a step.
double passes_that_overfit(const GradientDefaults& defaults, double per_step, int64_t columns) {
  const double overfitted = 6000 / std::sqrt(static_cast<double>(std::max<int64_t>(columns, 1)));
  return std::min(std::max(defaults.max_passes, defaults.unlimited_steps * per_step), overfitted);
}

/// Passes of a run whose length nobody gave. Few rows need more of them.
double default_passes(const GradientDefaults& defaults, double per_step, int64_t rows, int64_t columns) {
  double usual = defaults.passes;
  if (defaults.rows_of_twice > 0) {
    usual *= std::clamp(2 * static_cast<double>(rows) / defaults.rows_of_twice, 1.0, 2.0);
  }
  return std::max(usual, std::min(defaults.min_steps * per_step, passes_that_overfit(defaults, per_step, columns)));
}

/// Steps after which a run by time over few rows ends, because it would overfit; 0: no limit. Runs over more rows
/// than were measured have none.
double steps_that_overfit(const GradientDefaults& defaults, double per_step, int64_t rows, int64_t columns) {
  if (!defaults.overfits || rows > rows_that_overfit) return 0;
  const double passes = std::max(defaults.passes, passes_that_overfit(defaults, per_step, columns));
  return std::max(1.0, std::ceil(passes / per_step));
}

/// Whether a rehearsal chooses the length of the run. Error if it was asked for and cannot.
bool chooses_early_stopping(const OptionValues& all, const Choices& choices, int64_t data_rows,
                            const GradientModel& model) {
  const std::string& wanted = all.text("early_stopping");
  if (wanted == "off") return false;
  const char* obstacle = nullptr;
  if (data_rows < 0) {
    obstacle = "an optimizer with data of its own, but rows are fed";
  } else if (!all.is_auto("max_passes") || all.integer("max_iterations") > 0) {
    obstacle = "a run whose length is not given: leave out max_passes and max_iterations";
  } else if (choices.temperature != "none" || choices.proximity != "none") {
    obstacle = "method vi: a temperature and a constraint follow the length of the run, which is not known";
  } else if (model.row_posteriors() != nullptr) {
    obstacle = "a posterior that all rows share, but this kind has parameters of every row";
  }
  if (wanted == "auto")
    return obstacle == nullptr && model.gradient_defaults().stops_early && data_rows <= rows_that_overfit;
  if (obstacle == nullptr) return true;
  throw Error(VTEMPER_ERROR_OPTION, message("option early_stopping needs ", obstacle));
}

std::string methods_of_gradients() {
  std::string names;
  for (const Preset& preset : presets()) {
    if (preset.gradient) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  }
  return names;
}

/// Refuses parts that require conjugate updates.
void refuse_conjugate_parts(const OptionValues& all, const Preset& preset, const GradientModel& model) {
  const auto refuse = [&](const std::string& what, const std::string& instead) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED, message(what, " needs conjugate updates; kind ", model.kind().name,
                                                   " is fitted by gradients: ", instead));
  };
  if (!preset.gradient) refuse(message("method ", preset.name), "its methods are " + methods_of_gradients());
  const std::string& temperature = all.text("temperature");
  if (temperature != "auto" && temperature != "none" && temperature != "entropy_schedule") {
    refuse("temperature " + temperature, "its temperatures are none and entropy_schedule");
  }
  const std::string& step_size = all.text("step_size");
  if (step_size != "auto" && find_part(ascent_parts(), step_size) == nullptr) {
    refuse("step_size " + step_size, "its step sizes are " + names_of_parts(ascent_parts(), ""));
  }
  const std::string& perturbation = all.text("perturbation");
  if (perturbation != "auto" && perturbation != "none") refuse("perturbation " + perturbation, "it has none");
  if (all.text("moves") == "on" || all.text("moves") == "extra")
    refuse("option moves", "restarts serves the same purpose");
  if (!all.is_auto("tolerance") && all.real("tolerance") > 0) {
    refuse("option tolerance", "its runs end after max_passes, max_iterations or the deadline");
  }
}

/// Refuses options of a constraint that are undefined for the model's rows or have no effect.
void check_rows(const Proximity& proximity, const OptionValues& options, bool fed, const GradientModel& model) {
  const char* kind = model.kind().name;
  if (proximity.inner_steps() > 0 && model.row_posteriors() == nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("option proximity_inner_steps is ", proximity.inner_steps(), ", but the posterior of kind ",
                        kind, " is a network that all rows share: every inner step would have to pass all rows ",
                        "through it again; it must be 0, the linearised constraint"));
  }
  if (proximity.inner_steps() == 0 && options.real("proximity_inner_noise") > 0) {
    throw Error(VTEMPER_ERROR_OPTION, "option proximity_inner_noise has no effect with proximity_inner_steps 0");
  }
  if (fed && model.row_posteriors() != nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED, message("a proximity constraint on kind ", kind,
                                                   " keeps every row near its own past, which fed rows do not have"));
  }
}

Choices choices_of(const OptionValues& all, const Preset& preset, const GradientDefaults& defaults) {
  const char* default_statistic = statistic_name(preset.proximity ? defaults.statistic : Statistic::none);
  return {preset.name, given_or(all, "temperature", preset.temperature),
          given_or(all, "step_size", defaults.step_size), "none", given_or(all, "proximity", default_statistic)};
}

/// Options of a constraint whose magnitude falls by `decay`.
OptionTable options_of_proximity(const std::string& decay) {
  const OptionTable of_decay = part_named(proximity_decay_parts(), decay).options();
  OptionTable table;
  for (const OptionEntry& entry : Proximity::options()) {
    const bool of_some_decay = !users_of(proximity_decay_parts(), entry.name).empty();
    const bool of_none = decay == "constant" && std::string_view(entry.name) == "proximity_steps";
    if ((!of_some_decay || has_option(of_decay, entry.name)) && !of_none) merge(table, {entry});
  }
  return table;
}

OptionTable options_of(const Choices& choices, const std::string& decay) {
  OptionTable table = loop_options();
  merge(table, early_stopping_options());
  merge(table, part_named(ascent_parts(), choices.step_size).options());
  if (choices.temperature != "none") merge(table, schedule_options());
  if (choices.proximity != "none") merge(table, options_of_proximity(decay));
  return table;
}

/// Refuses options that are not in the table of those that the choices use.
void refuse_unused(const Options& options, const OptionTable& used, const Choices& choices, const std::string& decay,
                   const GradientModel& model) {
  for (const auto& [name, text] : options.all()) {
    if (has_option(used, name)) continue;
    refuse_options_of(ascent_parts(), "step_size", choices.step_size, name);
    if (choices.proximity != "none") {
      refuse_options_of(proximity_decay_parts(), "proximity_decay", decay, name);
      if (name == "proximity_steps") {
        throw Error(VTEMPER_ERROR_OPTION, "option proximity_steps has no effect with proximity_decay constant");
      }
    } else if (has_option(Proximity::options(), name)) {
      throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has no effect without a proximity constraint"));
    }
    throw Error(VTEMPER_ERROR_OPTION, message("option ", name, " has no effect with method ", choices.method,
                                              " of kind ", model.kind().name));
  }
}

void create_parts(GradientMethod& method, const Choices& choices, const GradientDefaults& defaults) {
  const AscentPart& ascent = part_named(ascent_parts(), choices.step_size);
  method.ascent = ascent.create(method.options, defaults.learning_rate);
  method.row_ascent = ascent.create(method.options, defaults.learning_rate);
  if (choices.temperature != "none") {
    method.temperature.emplace(method.options, 0);
    method.temperature->last(hot_share);
  }
  if (choices.proximity != "none") {
    method.proximity = std::make_unique<Proximity>(method.options, statistic_named(choices.proximity));
  }
}

}  // namespace

RequiredGradientFeatures GradientMethod::required_features() const {
  RequiredGradientFeatures required;
  required.temperature = temperature.has_value();
  if (proximity) required.statistic = proximity->statistic();
  return required;
}

GradientMethod choose_gradient_method(const Options& options, int64_t data_rows, int64_t columns,
                                      const GradientModel& model) {
  const OptionValues all = all_values(options, "vi");
  const Preset& preset = chosen_preset(all);
  refuse_conjugate_parts(all, preset, model);
  const GradientDefaults defaults = model.gradient_defaults();

  GradientMethod method;
  set_batches(method, all, data_rows, defaults.batch_size);
  const double per_step = passes_per_step(method, data_rows);
  set_length(method, all, data_rows, default_passes(defaults, per_step, data_rows, columns));
  if (all.real("time") > 0) method.complete_steps = steps_that_overfit(defaults, per_step, data_rows, columns);
  const Choices choices = choices_of(all, preset, defaults);
  const std::string& decay = all.text("proximity_decay");
  const OptionTable used = options_of(choices, decay);
  refuse_unused(options, used, choices, decay, model);
  record_choices(method, used, options, choices);
  method.options.use("moves", "off");
  method.options.use("tolerance", 0);
  method.options.use_by_default("temperature_shape", "exponential");
  create_parts(method, choices, defaults);
  method.stops_early = chooses_early_stopping(all, choices, data_rows, model);
  if (method.proximity) check_rows(*method.proximity, method.options, data_rows < 0, model);
  return method;
}

}  // namespace vtemper
