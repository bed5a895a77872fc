#pragma once
// A table whose rows are divided among the ranks of a group: row r belongs to rank r mod ranks. A rank that needs
// remote rows pulls copies of them, and pushes its statistics of them back to the owning ranks.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "group/group.h"

namespace vtemper {

class RowExchange {
 public:
  /// For a table of `rows` rows of at most max_row_bytes bytes. All calls below can then fail only if a rank is lost.
  RowExchange(const Group& group, int64_t rows, int64_t max_row_bytes);

  /// Chooses the rows to pull and push: those of `rows`, which are ascending, that belong to other ranks. Collective;
  /// Error(PEER) if another rank seems to choose rows that this one does not have.
  void choose(Group& group, const int32_t* rows, int64_t count);
  /// Rows of this rank that other ranks have chosen, in the order of those ranks.
  const int32_t* lent() const { return lent_.rows.get(); }
  int64_t lent_count() const { return lent_.begin.back(); }

  /// Fetches the chosen rows. Collective. Both functions are called for some rows at a time, in turn:
  /// own(rows, count, char* out) copies rows of this rank; borrowed(rows, count, const char* in) receives rows of
  /// other ranks.
  template <class Own, class Borrowed>
  void pull(Group& group, int64_t row_bytes, const Own& own, const Borrowed& borrowed) {
    travel(group, row_bytes, lent_, borrowed_, own, borrowed);
  }
  /// The opposite direction: borrowed(rows, count, char* out), own(rows, count, const char* in), in the order of
  /// ranks.
  template <class Borrowed, class Own>
  void push(Group& group, int64_t row_bytes, const Borrowed& borrowed, const Own& own) {
    travel(group, row_bytes, borrowed_, lent_, borrowed, own);
  }

 private:
  /// Bytes sent at a time, in each direction.
  static constexpr int64_t bytes_at_a_time = 1 << 22;

  /// Rows grouped by the rank that sends or receives them.
  struct Lists {
    std::unique_ptr<int32_t[]> rows;  ///< uninitialised: the system provides memory only for what is written
    std::vector<int64_t> begin;       ///< [ranks + 1]
  };
  int rank_, ranks_;
  int64_t rows_;  ///< of the table
  Lists borrowed_, lent_;
  int64_t longest_ = 0;                        ///< length of the longest list of any rank
  std::unique_ptr<char[]> sent_, received_;    ///< likewise uninitialised
  std::vector<int64_t> out_bytes_, in_bytes_;  ///< [ranks]
  /// [ranks x 2] length of the list for (or from) the rank, and of the sender's longest list
  std::vector<int64_t> sent_counts_, received_counts_;

  /// Whether the lengths of the lists, and then the lent rows, can be those of other ranks' choices.
  bool has_sound_counts() const;
  bool has_sound_rows() const;

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
  /// Number of entries of a rank's list from `first` on, at most `most`.
  static int64_t part_of(const Lists& lists, int rank, int64_t first, int64_t most) {
    const auto of = static_cast<size_t>(rank);
    return std::clamp<int64_t>(lists.begin[of + 1] - lists.begin[of] - first, 0, most);
  }
};

}  // namespace vtemper
