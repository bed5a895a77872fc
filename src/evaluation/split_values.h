#pragma once
// Document completion for dense rows: splits each row's values into an observed and a held-out part.

#include "data/data.h"

namespace vtemper {

/// Two data sets of the same rows and columns. Of a row's n non-missing values, round(share * n), drawn without
/// replacement, are in `second` and missing in `first`; the rest are in `first` and missing in `second`. A row's draw
/// depends on (seed, row) only.
DataPair split_values(const Data& data, double share, uint64_t seed);

}  // namespace vtemper
