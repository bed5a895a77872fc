#pragma once
// Information that optimizers of spread data share before the first step, so that the fit and its start are the same
// on all ranks. The steps are in together.cpp.

#include <memory>

#include "group/rank_sum.h"
#include "models/model.h"

namespace vtemper {

/// Information about the corpus that all ranks have before the first step.
struct CommonStart {
  bool weighted = false;             ///< the rows of some rank have weights
  double weight = 0;                 ///< total weight of all rows, if weighted
  std::shared_ptr<const Data> rows;  ///< rows of all ranks, spread evenly over the corpus
  double memory = 0;                 ///< memory of the machine of rank 0, in bytes
};

/// Maximum number of rows of the whole corpus from which a start is drawn.
constexpr int64_t max_start_rows = 20000;

}  // namespace vtemper
