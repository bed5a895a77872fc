#pragma once
// How long a run is and what its steps see: the choices that all families of models share.

#include "support/options.h"

namespace vtemper {

struct Run {
  OptionValues options;     ///< with the values that were chosen for the run in use
  int64_t batch_size = 0;   ///< rows of a step; 0 where rows are fed
  double rows_total = 0;    ///< what statistics are scaled to
  int64_t steps_total = 0;  ///< 0: no end
  double passes = 0;        ///< until the end; of a fed run 0: no end
  double tolerance = 0;     ///< relative change of the objective at T = 1 that ends a run of full steps
  bool full_steps = false;  ///< every step sees all rows and takes rho = 1
};

}  // namespace vtemper
