#pragma once
// Sums of arrays over the ranks of a group, in place. Every rank adds up one share of the elements, in the order of
// ranks and in double, independently of the host's functions; then the shares are gathered on all ranks. With two
// ranks each adds up all elements. So the bits are the same on every rank, and depend on the number of ranks only.

#include <cstdint>
#include <memory>
#include <vector>

#include "group/group.h"

namespace vtemper {

class RankSum {
 public:
  /// Reserves memory for everything below, which can then fail only if a rank is lost.
  void reserve(const Group& group);

  // `length` must be the same on all ranks. A rank sends about 2 (ranks - 1) / ranks * length elements to others.
  void sum(Group& group, double* values, int64_t length);
  void sum(Group& group, float* values, int64_t length);
  /// Sets the bits that are set on any rank.
  void unite(Group& group, unsigned char* bits, int64_t length);

 private:
  /// Bytes sent at a time: few enough for the processor's cache, many enough for an efficient transfer.
  static constexpr int64_t bytes_at_a_time = 1 << 22;
  static constexpr int64_t added_at_a_time = 512;

  // Uninitialised, so the system provides memory only for what is written.
  std::unique_ptr<char[]> received_;              ///< [ranks x share] elements
  std::unique_ptr<char[]> sent_;                  ///< likewise
  std::vector<int64_t> share_bytes_, own_bytes_;  ///< [ranks] of every rank's share, of this rank's

  template <class Total, class Element, class Add>
  void total_of(Group& group, Element* values, int64_t length, const Add& add);
  template <class Total, class Element, class Add>
  void total_of_two(Group& group, Element* values, int64_t length, const Add& add);
  template <class Total, class Element, class Add>
  void total_of_piece(Group& group, Element* values, int64_t length, const Add& add);
};

}  // namespace vtemper
