// Collective operations of topics that are divided over ranks: borrowing the rows of a batch, sums over all words,
// and gathering for saving.

#include <algorithm>

#include "models/lda/topics.h"

namespace vtemper {

template <class Real>
void Topics<Real>::copy_numbers(const Topics& other) {
  eta_ = other.eta_;
  eta_rows_ = other.eta_rows_;
  eta_totals_ = other.eta_totals_;
  scale_ = other.scale_;
  prior_weight_ = other.prior_weight_;
  constant_ = other.constant_;
  totals_ = other.totals_;
}

template <class Real>
void Topics<Real>::make_room_as(const Topics& other) {
  set_parted(other.parted_);
  rows_.make_room(room());
  rows_.extend(room());
}

template <class Real>
void Topics<Real>::copy_from(const Topics& whole) {
  make_room_as(whole);
  whole.read_in_order();
  Spare spare;
  for (int64_t i = 0; i < stored_; ++i) std::copy_n(whole.row(word_of(i), spare), padded_, stored_row(i));
  copy_numbers(whole);
}

template <class Real>
void Topics<Real>::make_room_for_borrowed() {
  const auto size = static_cast<size_t>(share_->borrowed() * padded_);
  if (borrowed_.size() < size) borrowed_.resize(size);
}

/// Padding is not sent.
template <class Real>
void Topics<Real>::pull_to(Topics& taker) {
  const int64_t bytes = parted_ * static_cast<int64_t>(sizeof(Real));
  share_->exchange().pull(
      *share_->group(), bytes,
      [&](const int32_t* words, int64_t count, char* out) {
        for (int64_t i = 0; i < count; ++i) {
          std::copy_n(row(words[i]), parted_, reinterpret_cast<Real*>(out + i * bytes));
        }
      },
      [&](const int32_t* words, int64_t count, const char* in) {
        for (int64_t i = 0; i < count; ++i) {
          Real* const end = std::copy_n(reinterpret_cast<const Real*>(in + i * bytes), parted_, taker.row(words[i]));
          std::fill_n(end, padded_ - parted_, Real{0});
        }
      });
}

template <class Real>
void Topics<Real>::borrow_rows() {
  share_->choose();
  pull_to(*this);
}

template <class Real>
void Topics<Real>::settle() {
  if (!has_open_sums_) return;
  share_->sum(totals_.data(), parted_);
  has_open_sums_ = false;
}

template <class Real>
void Topics<Real>::gather(Topics* whole) {
  constexpr int64_t words_at_a_time = 1 << 16;
  settle();
  for (int64_t first = 0; first < words_; first += words_at_a_time) {
    share_->choose(first, whole != nullptr ? std::min(words_at_a_time, words_ - first) : 0);
    pull_to(whole != nullptr ? *whole : *this);
  }
  if (whole == nullptr) return;
  for (int64_t i = 0; i < stored_; ++i) std::copy_n(stored_row(i), padded_, whole->row(word_of(i)));
  whole->copy_numbers(*this);
}

}  // namespace vtemper

#include "models/lda/topics_instances.inc"
