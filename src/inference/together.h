#pragma once
// What optimizers of spread data do with the other ranks before the first step: the same fit and the same start
// everywhere. Their steps: together.cpp.

#include <memory>

#include "group/rank_sum.h"
#include "models/model.h"

namespace vtemper {

/// What all ranks know of the corpus before the first step.
struct CommonStart {
  bool weighted = false;             ///< a rank has weights
  double weight = 0;                 ///< of all rows, where weighted
  std::shared_ptr<const Data> rows;  ///< of all ranks, evenly spread over the corpus
  double memory = 0;                 ///< of the machine of rank 0, in bytes
};

/// Rows of the whole corpus that a start is drawn from at most.
constexpr int64_t max_start_rows = 20000;

}  // namespace vtemper
