#pragma once
// Dense rows for document completion: each row's values into an observed and a held-out part.

#include "data/data.h"

namespace vtemper {

/// Two data sets of the same rows and columns: of a row's n values that are not missing round(share * n), drawn
/// without replacement, are in `second` and missing in `first`, the others the other way round. A row's draw depends
/// on (seed, row) only.
DataPair split_values(const Data& data, double share, uint64_t seed);

}  // namespace vtemper
