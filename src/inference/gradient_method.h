#pragma once
// A method for models that follow gradients, chosen with all its parts: vi, entropy_annealing, proximity.

#include <optional>

#include "inference/ascent.h"
#include "inference/proximity.h"
#include "inference/run.h"
#include "inference/temperature_options.h"

namespace vtemper {

struct GradientMethod : Run {
  std::unique_ptr<Ascent> ascent;
  std::unique_ptr<Ascent> row_ascent;              ///< of the rows' own parameters
  std::optional<TemperatureSchedule> temperature;  ///< none: T = 1
  std::unique_ptr<Proximity> proximity;            ///< NULL: none
  GradientDemands demands() const;
};

/// `data_rows` < 0 where rows are fed. Errors as of choose_method.
GradientMethod choose_gradient_method(const Options& options, int64_t data_rows, const GradientModel& model);

}  // namespace vtemper
