#pragma once
// The optimizer's options: the loop's own, those of the parts, and the methods of the papers as named choices of
// parts.

#include "inference/perturbation.h"
#include "inference/run.h"
#include "inference/step_size.h"
#include "inference/temperature.h"

namespace vtemper {

/// What a step sees unless batch_size says otherwise.
enum class Rows { all, minibatch, as_model };

struct Preset {
  const char* name;
  const char* sentence;  ///< what follows the name in the sentence of option method
  const char* temperature;
  const char* perturbation;
  Rows rows;
  bool conjugate;  ///< for models with conjugate updates
  bool gradient;   ///< for models that follow gradients
};

const std::vector<Preset>& presets();

/// Options of every run, whatever its parts.
OptionTable loop_options();

// What families of models share in choosing a method; `all` are the values over optimizer_options().
const Preset& chosen_preset(const OptionValues& all);
/// batch_size and rows_total; `usual`: rows of a step unless the user says otherwise.
void set_batches(Run& run, const OptionValues& all, int64_t data_rows, int64_t usual);
/// Puts the model's own choices in use where options are "auto".
void use_defaults(OptionValues& values, const MethodDefaults& defaults, bool full_steps);
/// steps_total; `usual_passes`: of a run unless the user says otherwise.
void set_length(Run& run, const OptionValues& all, int64_t data_rows, double usual_passes);

/// A chosen method with all its parts, and the options checked against what they use.
struct Method : Run {
  bool moves = false;     ///< a run that would end first tries the model's moves
  bool open_end = false;  ///< their steps come on top of steps_total
  std::unique_ptr<Temperature> temperature;
  std::unique_ptr<StepSize> step_size;
  std::unique_ptr<PerturbationSchedule> perturbation;

  /// True where the parts need Corpus::tokens.
  bool needs_tokens() const { return temperature->needs_tokens() || demands().perturbation; }
  /// What the parts ask of the model.
  MethodDemands demands() const {
    MethodDemands demands;
    temperature->demand(demands);
    perturbation->demand(demands);
    step_size->demand(demands);
    demands.restarts = options.integer("restarts") > 1;
    return demands;
  }
};

/// `data_rows` < 0 where rows are fed; `proposes_moves`: the model has that facet. Error(OPTION): unknown names,
/// names without effect on the chosen parts; Error (UNSUPPORTED): combinations without meaning, both sides named.
Method choose_method(const Options& options, int64_t data_rows, const MethodDefaults& defaults,
                     bool proposes_moves = false);

}  // namespace vtemper
