#pragma once
// Detects an index that occurs twice in a row (or a compressed column).

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vtemper {

/// The smallest duplicate index, or -1. Fast if the indices ascend; otherwise they are sorted in a workspace that
/// grows with the longest row, not with the number of columns.
template <class Index>
Index repeated_index(const Index* indices, int64_t length, std::vector<Index>& work) {
  bool ascending = true;
  for (int64_t i = 1; i < length && ascending; ++i) ascending = indices[i - 1] < indices[i];
  if (ascending) return -1;
  work.assign(indices, indices + length);
  std::sort(work.begin(), work.end());
  const auto repeated = std::adjacent_find(work.begin(), work.end());
  return repeated == work.end() ? Index{-1} : *repeated;
}

}  // namespace vtemper
