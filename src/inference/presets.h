#pragma once
// The optimizer's options: the loop's own, those of the parts, and the methods of the papers as named choices of
// parts.

#include "inference/perturbation.h"
#include "inference/step_size.h"
#include "inference/temperature.h"

namespace vtemper {

/// What a step sees unless batch_size says otherwise.
enum class Rows { all, minibatch, as_model };

struct Preset {
  const char* name;
  const char* sentence;
  const char* temperature;
  const char* perturbation;
  Rows rows;
};

const std::vector<Preset>& presets();

/// A chosen method with all its parts, and the options checked against what they use.
struct Method {
  OptionValues options;
  std::unique_ptr<Temperature> temperature;
  std::unique_ptr<StepSize> step_size;
  std::unique_ptr<PerturbationSchedule> perturbation;
  int64_t batch_size = 0;   ///< rows of a step; 0 where rows are fed
  double rows_total = 0;    ///< what statistics are scaled to
  int64_t steps_total = 0;  ///< 0: no end
  double fed_passes = 0;    ///< passes until the end of a fed run; 0: no end
  double tolerance = 0;     ///< relative change of the objective at T = 1 that ends a run of full steps
  bool full_steps = false;  ///< every step sees all rows and takes rho = 1

  /// True where the parts need Corpus::tokens.
  bool needs_tokens() const { return temperature->needs_tokens() || demands().perturbation; }
  /// What the parts ask of the model.
  MethodDemands demands() const {
    MethodDemands demands;
    temperature->demand(demands);
    perturbation->demand(demands);
    step_size->demand(demands);
    return demands;
  }
};

/// `data_rows` < 0 where rows are fed. Error(OPTION): unknown names, names without effect on the chosen parts; Error
/// (UNSUPPORTED): combinations without meaning, both sides named.
Method choose_method(const Options& options, int64_t data_rows, const MethodDefaults& defaults);

}  // namespace vtemper
