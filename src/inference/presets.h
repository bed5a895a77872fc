#pragma once
// The optimizer's options: those of the loop, those of the parts, and the papers' methods as named combinations of
// parts.

#include "inference/perturbation.h"
#include "inference/run.h"
#include "inference/step_size.h"
#include "inference/temperature.h"

namespace vtemper {

/// Rows of a step by default, unless batch_size is set.
enum class RowsOfStep { all, minibatch, as_model };

struct Preset {
  const char* name;
  const char* description;  ///< what follows the name in the description of option method
  const char* temperature;
  const char* perturbation;
  RowsOfStep rows;
  bool proximity;  ///< keeps a statistic near its past: the model's own, unless option proximity says which
  bool conjugate;  ///< available for conjugate models
  bool gradient;   ///< available for gradient models
};

const std::vector<Preset>& presets();

/// Options of every run, whatever its parts.
OptionTable loop_options();
/// Option early_stopping, of models that are fitted by gradients.
OptionTable early_stopping_options();

/// Names of what was chosen for a run.
struct Choices {
  std::string method, temperature, step_size, perturbation, proximity;
};

// Shared by the model families when choosing a method; `all` are the values over optimizer_options().
/// A first look at the choices alone, over the table of everything: unknown names are refused here.
OptionValues all_values(const Options& options, const char* default_method);
const Preset& chosen_preset(const OptionValues& all);
/// What the user said, or `usual` where that is "auto".
std::string given_or(const OptionValues& all, const char* option, const char* usual);
/// Sets the run's options to those of the table `used`, with the choices in use.
void record_choices(Run& run, const OptionTable& used, const Options& options, const Choices& choices);
/// Sets batch_size and rows_total; `usual`: default rows of a step.
void set_batches(Run& run, const OptionValues& all, int64_t data_rows, int64_t usual);
/// The share of a pass over the rows that a step is, after set_batches.
double passes_per_step(const Run& run, int64_t data_rows);
/// Sets passes and steps_total; `default_passes`: default passes of a run.
void set_length(Run& run, const OptionValues& all, int64_t data_rows, double default_passes);

/// A chosen method with all its parts; options were checked against the parts that use them.
struct ConjugateMethod : Run {
  bool moves = false;            ///< try the model's moves before a run ends
  bool moves_of_sample = false;  ///< make those that it finds in a sample once T has fallen to 1 (move_rounds.h)
  bool reheats = false;          ///< T may fall to 1 more than once
  bool open_end = false;         ///< their steps come on top of steps_total
  std::unique_ptr<Temperature> temperature;
  std::unique_ptr<StepSize> step_size;
  std::unique_ptr<PerturbationSchedule> perturbation;

  /// True if the parts need Corpus::tokens.
  bool needs_tokens() const { return temperature->needs_tokens() || required_features().perturbation; }
  /// Model features required by the parts.
  RequiredFeatures required_features() const {
    RequiredFeatures required;
    temperature->add_required(required);
    perturbation->add_required(required);
    step_size->add_required(required);
    required.restarts = options.integer("restarts") > 1;
    return required;
  }
};

/// Puts the model's own choices in use where options are "auto".
void use_defaults(OptionValues& values, const MethodDefaults& defaults, bool full_steps);

/// True for options that say nothing about the method: they mean the same for all of them.
bool is_of_any_method(std::string_view option);

/// `data_rows` < 0 if the caller feeds rows; `proposes_moves`: the model has that facet. Error(OPTION): unknown
/// names, or names without effect on the chosen parts; Error(UNSUPPORTED): invalid combinations; the message names
/// both sides.
ConjugateMethod choose_conjugate_method(const Options& options, int64_t data_rows, const MethodDefaults& defaults,
                                        bool proposes_moves = false);

}  // namespace vtemper
