#pragma once
// A table whose rows the ranks of a group divide among themselves: row r belongs to rank r mod ranks. A rank that
// works on rows of others pulls copies of them, and pushes what it found out about them back to their owners.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "group/group.h"

namespace vtemper {

class RowExchange {
 public:
  /// Of a table of so many rows, of so many bytes at most. After it nothing below fails but for a lost rank.
  RowExchange(const Group& group, int64_t rows, int64_t max_row_bytes);

  /// Chooses the rows that pull and push are about: of `rows`, which ascend, those of others. Collective.
  void choose(Group& group, const int32_t* rows, int64_t count);
  /// Own rows that other ranks have chosen, rank after rank.
  const int32_t* lent() const { return lent_.rows.get(); }
  int64_t lent_count() const { return lent_.begin.back(); }

  /// Brings the chosen rows here. Collective. Both are called with some rows at a time, one after the other:
  /// own(rows, count, char* out) copies rows of this rank; borrowed(rows, count, const char* in) takes others'.
  template <class Own, class Borrowed>
  void pull(Group& group, int64_t row_bytes, const Own& own, const Borrowed& borrowed) {
    travel(group, row_bytes, lent_, borrowed_, own, borrowed);
  }
  /// The way back: borrowed(rows, count, char* out), own(rows, count, const char* in), in the order of ranks.
  template <class Borrowed, class Own>
  void push(Group& group, int64_t row_bytes, const Borrowed& borrowed, const Own& own) {
    travel(group, row_bytes, borrowed_, lent_, borrowed, own);
  }

 private:
  /// Bytes that travel at a time, in each direction.
  static constexpr int64_t bytes_at_a_time = 1 << 22;

  /// Rows by the rank that they come from or go to.
  struct Lists {
    std::unique_ptr<int32_t[]> rows;  ///< memory is taken as far as it is written
    std::vector<int64_t> begin;       ///< [ranks + 1]
  };
  int rank_, ranks_;
  Lists borrowed_, lent_;
  int64_t longest_ = 0;                        ///< of all lists of all ranks
  std::unique_ptr<char[]> sent_, received_;    ///< likewise
  std::vector<int64_t> out_bytes_, in_bytes_;  ///< [ranks]
  std::vector<int64_t> told_, heard_;          ///< [ranks x 2]

  template <class Fill, class Take>
  void travel(Group& group, int64_t row_bytes, const Lists& out, const Lists& in, const Fill& fill,
              const Take& take) {
    const int64_t at_once = std::max<int64_t>(1, bytes_at_a_time / (ranks_ * row_bytes));
    for (int64_t first = 0; first < longest_; first += at_once) {
      char* end = sent_.get();
      for (int rank = 0; rank < ranks_; ++rank) {
        const auto to = static_cast<size_t>(rank);
        const int64_t count = part_of(out, rank, first, at_once);
        if (count > 0) fill(out.rows.get() + out.begin[to] + first, count, end);
        out_bytes_[to] = count * row_bytes;
        in_bytes_[to] = part_of(in, rank, first, at_once) * row_bytes;
        end += out_bytes_[to];
      }
      group.exchange(sent_.get(), out_bytes_.data(), received_.get(), in_bytes_.data());
      const char* next = received_.get();
      for (int rank = 0; rank < ranks_; ++rank) {
        const auto from = static_cast<size_t>(rank);
        const int64_t count = in_bytes_[from] / row_bytes;
        if (count > 0) take(in.rows.get() + in.begin[from] + first, count, next);
        next += in_bytes_[from];
      }
    }
  }
  /// Length of what is left of a rank's list from `first` on, at most `most`.
  static int64_t part_of(const Lists& lists, int rank, int64_t first, int64_t most) {
    const auto of = static_cast<size_t>(rank);
    return std::clamp<int64_t>(lists.begin[of + 1] - lists.begin[of] - first, 0, most);
  }
};

}  // namespace vtemper
