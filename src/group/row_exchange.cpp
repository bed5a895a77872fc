#include "group/row_exchange.h"

namespace vtemper {

RowExchange::RowExchange(const Group& group, int64_t rows, int64_t max_row_bytes)
    : rank_(group.rank()), ranks_(group.ranks()), rows_(rows) {
  const auto ranks = static_cast<size_t>(ranks_);
  const int64_t own = rows / ranks_ + 1;
  borrowed_.rows.reset(new int32_t[static_cast<size_t>(rows)]);
  lent_.rows.reset(new int32_t[static_cast<size_t>(own) * ranks]);
  for (Lists* lists : {&borrowed_, &lent_}) lists->begin.resize(ranks + 1);
  const int64_t bytes = std::max(bytes_at_a_time, ranks_ * max_row_bytes);
  for (std::unique_ptr<char[]>* buffer : {&sent_, &received_}) buffer->reset(new char[static_cast<size_t>(bytes)]);
  for (std::vector<int64_t>* counts : {&out_bytes_, &in_bytes_}) counts->resize(ranks);
  for (std::vector<int64_t>* counts : {&sent_counts_, &received_counts_}) counts->resize(2 * ranks);
}

void RowExchange::choose(Group& group, const int32_t* rows, int64_t count) {
  const auto ranks = static_cast<size_t>(ranks_);
  std::vector<int64_t>& end = in_bytes_;  // end of each rank's list so far
  std::fill(borrowed_.begin.begin(), borrowed_.begin.end(), 0);
  for (int64_t i = 0; i < count; ++i) {
    const int owner = rows[i] % ranks_;
    if (owner != rank_) ++borrowed_.begin[static_cast<size_t>(owner) + 1];
  }
  longest_ = 0;  // nothing travels after a failure
  int64_t longest = *std::max_element(borrowed_.begin.begin(), borrowed_.begin.end());
  for (size_t rank = 0; rank < ranks; ++rank) {
    sent_counts_[2 * rank] = borrowed_.begin[rank + 1];
    sent_counts_[2 * rank + 1] = longest;
    borrowed_.begin[rank + 1] += borrowed_.begin[rank];
    end[rank] = borrowed_.begin[rank];
  }
  for (int64_t i = 0; i < count; ++i) {
    const int owner = rows[i] % ranks_;
    if (owner != rank_) borrowed_.rows[static_cast<size_t>(end[static_cast<size_t>(owner)]++)] = rows[i];
  }

  constexpr int64_t pair = 2 * sizeof(int64_t);
  std::fill(out_bytes_.begin(), out_bytes_.end(), pair);
  std::fill(in_bytes_.begin(), in_bytes_.end(), pair);
  group.exchange(sent_counts_.data(), out_bytes_.data(), received_counts_.data(), in_bytes_.data());
  group.require_sound(has_sound_counts());
  for (size_t rank = 0; rank < ranks; ++rank) {
    lent_.begin[rank + 1] = lent_.begin[rank] + received_counts_[2 * rank];
    longest = std::max(longest, received_counts_[2 * rank + 1]);
    out_bytes_[rank] = sent_counts_[2 * rank] * static_cast<int64_t>(sizeof(int32_t));
    in_bytes_[rank] = received_counts_[2 * rank] * static_cast<int64_t>(sizeof(int32_t));
  }
  group.exchange(borrowed_.rows.get(), out_bytes_.data(), lent_.rows.get(), in_bytes_.data());
  group.require_sound(has_sound_rows());
  longest_ = longest;
}

bool RowExchange::has_sound_counts() const {
  const int64_t own = (rows_ - rank_ + ranks_ - 1) / ranks_, most = (rows_ + ranks_ - 1) / ranks_;
  for (size_t rank = 0; rank < static_cast<size_t>(ranks_); ++rank) {
    const int64_t count = received_counts_[2 * rank], longest = received_counts_[2 * rank + 1];
    const int64_t largest = rank == static_cast<size_t>(rank_) ? 0 : own;
    if (count < 0 || count > largest || longest < count || longest > most) return false;
  }
  return true;
}

bool RowExchange::has_sound_rows() const {
  for (size_t rank = 0; rank < static_cast<size_t>(ranks_); ++rank) {
    int64_t last = -1;  // a rank's rows are ascending
    for (int64_t i = lent_.begin[rank]; i < lent_.begin[rank + 1]; ++i) {
      const int32_t row = lent_.rows[static_cast<size_t>(i)];
      if (row <= last || row >= rows_ || row % ranks_ != rank_) return false;
      last = row;
    }
  }
  return true;
}

}  // namespace vtemper
