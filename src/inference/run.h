#pragma once
// Length of a run and rows of its steps: options shared by all model families.

#include "support/options.h"

namespace vtemper {

struct Run {
  OptionValues options;
  int64_t batch_size = 0;   ///< rows of a step; 0 if the caller feeds rows
  double rows_total = 0;    ///< number of rows to which statistics are scaled
  int64_t steps_total = 0;  ///< 0: unlimited
  double fed_passes = 0;    ///< passes until the end of a run on fed rows; 0: unlimited
  double tolerance = 0;     ///< relative change of the objective at T = 1 below which a run of full steps ends
  bool full_steps = false;  ///< every step uses all rows and rho = 1
};

}  // namespace vtemper
