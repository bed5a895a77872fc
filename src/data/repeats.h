#pragma once
// Finding an index that a row (or a compressed column) holds twice.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vtemper {

/// The smallest index that comes twice, or -1. Quick where they ascend; else the work space, which is as long as the
/// longest row and never as long as there are columns, is sorted.
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
