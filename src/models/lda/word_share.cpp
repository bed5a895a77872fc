#include "models/lda/word_share.h"

#include <algorithm>
#include <numeric>

namespace vtemper {

WordShare::WordShare(std::shared_ptr<Group> group, int64_t words, int64_t max_row_bytes)
    : group_(std::move(group)),
      ranks_(group_->ranks()),
      rank_(group_->rank()),
      words_(words),
      max_row_bytes_(max_row_bytes),
      own_((words - rank_ + ranks_ - 1) / ranks_),
      places_(static_cast<size_t>(words), -1),
      is_found_(static_cast<size_t>(words)),
      words_found_(new int32_t[static_cast<size_t>(words)]),
      exchange_(*group_, words, max_row_bytes) {
  for (int64_t place = 0; place < own_; ++place) {
    places_[static_cast<size_t>(word_of(place))] = static_cast<int32_t>(place);
  }
  sum_.reserve(*group_);
}

void WordShare::return_rows() {
  for (int64_t i = 0; i < found_; ++i) {
    const int32_t word = words_found_[static_cast<size_t>(i)];
    if (!is_own(word)) places_[static_cast<size_t>(word)] = -1;
  }
  found_ = borrowed_ = 0;
}

void WordShare::find(const Batch& batch, const Data* also) {
  return_rows();
  std::fill(is_found_.begin(), is_found_.end(), char{0});
  const auto mark = [&](int32_t word, double) { is_found_[static_cast<size_t>(word)] = 1; };
  for (int64_t i = 0; i < batch.count; ++i) batch.data->counts().visit_row(batch.row(i), mark);
  if (also != nullptr) {
    for (int64_t row = 0; row < also->rows(); ++row) also->counts().visit_row(row, mark);
  }
  for (int64_t word = 0; word < words_; ++word) {
    if (is_found_[static_cast<size_t>(word)] == 0) continue;
    words_found_[static_cast<size_t>(found_++)] = static_cast<int32_t>(word);
    if (!is_own(word)) places_[static_cast<size_t>(word)] = static_cast<int32_t>(own_ + borrowed_++);
  }
}

void WordShare::choose(int64_t first, int64_t count) {
  return_rows();
  std::iota(words_found_.get(), words_found_.get() + count, static_cast<int32_t>(first));
  exchange_.choose(*group_, words_found_.get(), count);
}

}  // namespace vtemper
