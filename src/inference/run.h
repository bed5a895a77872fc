#pragma once
// Length of a run and rows of its steps: options shared by all model families.

#include "support/options.h"

namespace vtemper {

/// Larger sums of a step and sizes of the data could overflow in later calculations.
constexpr double largest_sum = 1e150;

/// Least value of Run::rows_total, which may be a sum of weights.
constexpr double smallest_rows = 1e-30;

struct Run {
  OptionValues options;          ///< with the values chosen for this run
  int64_t batch_size = 0;        ///< rows per step; 0 if the caller feeds rows
  double rows_total = 0;         ///< number of rows to which statistics are scaled
  int64_t steps_total = 0;       ///< 0: unlimited
  double passes = 0;             ///< passes until the end; 0: no end (fed runs)
  double tolerance = 0;          ///< relative change of the objective at T = 1 below which a run of full steps ends
  int64_t coolings = 1;          ///< number in a run whose length is known,
  int64_t default_coolings = 1;  ///< and in a run of usual length
  double later_steps = 0;        ///< usual number of steps of its later coolings
  double cooling_steps = 0;      ///< usual steps per cooling in a run by time; 0: it has only one cooling
  double complete_steps = 0;     ///< steps after which a run by time is complete, even if time is left; 0: no limit
  bool stops_early = false;      ///< a rehearsal chooses the number of steps (rehearsal.cpp)
  bool full_steps = false;       ///< every step uses all rows and rho = 1
  bool starts_in_turn = false;   ///< one start after the other, as many as there is time or work for
  bool alternates = false;       ///< every other start is plain variational inference
};

}  // namespace vtemper
