#pragma once
// Rows as numbers, whatever the form of the data.

#include <cstdint>
#include <vector>

#include "data/data.h"

namespace vtemper {

/// Appends what a row consists of: columns with values (counts), values (dense rows) or symbols (sequences).
void add_row_numbers(const Data& data, int64_t row, std::vector<double>& out);

/// Hash of the number of rows, and of the weights and contents of some rows that are spread evenly over the data. Its
/// time does not depend on the size of the data: of long rows only the length counts.
uint64_t hash_of_rows(const Data& data);

}  // namespace vtemper
