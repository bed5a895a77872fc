#pragma once
// Sums of arrays over the ranks of a group, in place. Every rank adds one share of the elements, in the order of
// ranks and in double, whatever the host's functions do; then all take all shares. Two ranks both add all. So the
// same number of ranks gives the same bits, and the same ones on every rank.

#include <cstdint>
#include <memory>
#include <vector>

#include "group/group.h"

namespace vtemper {

class RankSum {
 public:
  /// Room for everything below: after it nothing fails but for a lost rank.
  void reserve(const Group& group);

  // The same `length` on all ranks. A rank sends 2 (ranks - 1) / ranks * length elements to others, about.
  void sum(Group& group, double* values, int64_t length);
  void sum(Group& group, float* values, int64_t length);
  /// Bits that are set on any rank.
  void unite(Group& group, unsigned char* bits, int64_t length);

 private:
  /// Bytes that travel at a time: few enough for the processor's cache, many enough for any network.
  static constexpr int64_t bytes_at_a_time = 1 << 22;
  static constexpr int64_t added_at_a_time = 512;

  // Memory is taken as far as it is written.
  std::unique_ptr<char[]> received_;              ///< [ranks x share] elements
  std::unique_ptr<char[]> sent_;                  ///< likewise
  std::vector<int64_t> share_bytes_, own_bytes_;  ///< [ranks] of every rank's share, of the own one

  template <class Total, class Element, class Add>
  void total_of(Group& group, Element* values, int64_t length, const Add& add);
  template <class Total, class Element, class Add>
  void total_of_two(Group& group, Element* values, int64_t length, const Add& add);
  template <class Total, class Element, class Add>
  void total_of_piece(Group& group, Element* values, int64_t length, const Add& add);
};

}  // namespace vtemper
