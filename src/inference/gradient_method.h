#pragma once
// A method for gradient models, with all its parts: vi, entropy_annealing, proximity.

#include <optional>

#include "inference/ascent.h"
#include "inference/proximity.h"
#include "inference/run.h"
#include "inference/temperature_options.h"

namespace vtemper {

struct GradientMethod : Run {
  std::unique_ptr<Ascent> ascent;
  std::unique_ptr<Ascent> row_ascent;              ///< for parameters per row
  std::optional<TemperatureSchedule> temperature;  ///< unset: T = 1
  std::unique_ptr<Proximity> proximity;            ///< NULL: none
  RequiredGradientFeatures required_features() const;
};

/// `data_rows` < 0 if the caller feeds rows. Errors as in choose_conjugate_method.
GradientMethod choose_gradient_method(const Options& options, int64_t data_rows, int64_t columns,
                                      const GradientModel& model);

}  // namespace vtemper
