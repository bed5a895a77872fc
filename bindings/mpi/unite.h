#pragma once
// One vocabulary of ranks that have their own.

#include <vtemper/vtemper.h>

#include "ranks.h"

namespace vtemper_mpi {

/// Data with the same columns on all ranks: those of rank 0, then those that rank 1 has besides, and so on. `united`
/// stays as it is where there is nothing to do: all have the same names, or one has none. Collective: OK on all ranks
/// or on none.
vtemper_status unite(const vtemper_data* own, Ranks& ranks, vtemper_data** united) noexcept;

}  // namespace vtemper_mpi
