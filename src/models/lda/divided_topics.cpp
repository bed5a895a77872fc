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
  make_room();
  rows_.extend(static_cast<size_t>(most_rows() * rows_.stride(kernels::padded(topics_))));
}

template <class Real>
void Topics<Real>::copy_from(const Topics& whole) {
  make_room_as(whole);
  Spare spare;
  fill_all([&](int64_t i, Real* numbers) {
    const int64_t word = word_of(i);
    if (i % rows_ahead == 0) whole.begin_to_read(word, word_of(i + rows_ahead));
    std::copy_n(whole.row(word, spare), padded_, numbers);
    std::fill(numbers + padded_, numbers + stride_, Real{0});
  });
  copy_numbers(whole);
}

template <class Real>
void Topics<Real>::make_room_for_borrowed() {
  const auto size = static_cast<size_t>(share_->borrowed() * padded_);
  if (borrowed_.size() >= size) return;
  if (borrowed_.capacity() < size) {
    borrowed_ = Array<Real>();  // not kept beside the larger array
    borrowed_.reserve(size + size / 8);
  }
  borrowed_.resize(size);
}

/// Padding is not sent. The exchange goes on if a row cannot be read or written: other ranks wait for it.
template <class Real>
void Topics<Real>::pull_to(Topics& taker) {
  const int64_t bytes = parted_ * static_cast<int64_t>(sizeof(Real));
  const auto attempt = [&](const auto& work) {
    if (unlent_) return;
    try {
      work();
    } catch (...) {
      unlent_ = std::current_exception();
    }
  };
  Spare spare;
  share_->exchange().pull(
      *share_->group(), bytes,
      [&](const int32_t* words, int64_t count, char* out) {
        std::fill_n(out, count * bytes, char{0});
        attempt([&] {
          for (int64_t i = 0; i < count; ++i) {
            std::copy_n(row(words[i], spare), parted_, reinterpret_cast<Real*>(out + i * bytes));
          }
        });
      },
      [&](const int32_t* words, int64_t count, const char* in) {
        attempt([&] {
          for (int64_t i = 0; i < count; ++i) taker.take_row(words[i], reinterpret_cast<const Real*>(in + i * bytes));
        });
      });
}

/// The row of a word as it was sent.
template <class Real>
void Topics<Real>::take_row(int64_t word, const Real* sent) {
  const int64_t place = place_of(word);
  Real* const numbers = is_in_file(place) ? received_.data() : row_in_memory(word);
  std::fill(std::copy_n(sent, parted_, numbers), numbers + padded_, Real{0});
  if (!is_in_file(place)) return;
  rows_.require_writable();
  rows_.write(place * stride_, padded_, numbers);
}

template <class Real>
void Topics<Real>::borrow_rows() {
  unlent_ = nullptr;
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
  unlent_ = nullptr;
  settle();
  for (int64_t first = 0; first < words_; first += words_at_a_time) {
    share_->choose(first, whole != nullptr ? std::min(words_at_a_time, words_ - first) : 0);
    pull_to(whole != nullptr ? *whole : *this);
  }
  if (whole == nullptr || unlent_) return;
  try {
    visit_rows([&](int64_t i, const Real* numbers) { whole->take_row(word_of(i), numbers); });
  } catch (...) {
    unlent_ = std::current_exception();
  }
  whole->copy_numbers(*this);
}

}  // namespace vtemper

#include "models/lda/topics_instances.inc"
