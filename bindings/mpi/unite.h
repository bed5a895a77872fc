#pragma once
// A common vocabulary for ranks with different ones.

#include <vtemper/vtemper.h>

#include "ranks.h"

namespace vtemper_mpi {

/// Data with the same columns on all ranks: those of rank 0, then those that only rank 1 adds, and so on. `united` is
/// unchanged if there is nothing to do: all ranks have the same names, or one has none. Collective: OK on all ranks
/// or on none.
vtemper_status unite(const vtemper_data* own, Ranks& ranks, vtemper_data** united) noexcept;

}  // namespace vtemper_mpi
