#pragma once
// Sums of arrays over the ranks of a group, in place. Every rank adds one share of the elements, in the order of
// ranks and in double, whatever the host's functions do; then all take all shares. So the same number of ranks gives
// the same bits, and the same ones on every rank.

#include <cstdint>
#include <vector>

#include "group/group.h"

namespace vtemper {

class RankSum {
 public:
  /// Room for calls of sum; everything of them that can fail but for a lost rank.
  void reserve(const Group& group);
  /// The same `length` on all ranks. A rank sends 2 (ranks - 1) / ranks * length elements, about.
  void sum(Group& group, double* values, int64_t length) { sum_of(group, values, length); }
  void sum(Group& group, float* values, int64_t length) { sum_of(group, values, length); }

 private:
  /// Bytes that travel at a time: few enough for the processor's cache, many enough for any network.
  static constexpr int64_t bytes_at_a_time = 1 << 22;

  std::vector<char> received_;                    ///< [ranks x share] numbers, float or double
  std::vector<char> sent_;                        ///< likewise
  std::vector<double> added_;                     ///< [share]
  std::vector<int64_t> share_bytes_, own_bytes_;  ///< [ranks] of every rank's share, of the own one

  template <class Real>
  void sum_of(Group& group, Real* values, int64_t length);
  template <class Real>
  void sum_piece(Group& group, Real* values, int64_t length);
};

}  // namespace vtemper
