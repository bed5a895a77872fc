// Exchange of the statistics of LDA between ranks: rows of words, and the rest.

#include <algorithm>

#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/prefetch.h"

namespace vtemper {

/// Slots are in the order of the documents, so the slots of consecutive words are scattered.
template <class Real>
void Lda<Real>::prefetch_statistics(int32_t word, const LdaWork<Real>& work) const {
  const int32_t slot = work.slot_of_word[static_cast<size_t>(word)];
  if (slot < 0 || work.candidates.used) return;
  prefetch(work.statistics.data() + slot * topics_->row_length(), parted() * static_cast<int64_t>(sizeof(Real)));
}

template <class Real>
void Lda<Real>::write_words(const int32_t* words, int64_t count, const LdaWork<Real>& work, Real* out) const {
  const int64_t used = parted();
  for (int64_t i = 0; i < count; ++i) {
    if (i + words_ahead < count) prefetch_statistics(words[i + words_ahead], work);
    Real* of_word = out + i * used;
    const int32_t slot = work.slot_of_word[static_cast<size_t>(words[i])];
    if (slot < 0) {
      std::fill_n(of_word, used, Real{0});
    } else {
      copy_statistics(slot, work, of_word);
    }
  }
}

/// Words that occur in no document have no slot.
template <class Real>
void Lda<Real>::read_words(const int32_t* words, int64_t count, const Real* in, LdaWork<Real>& work) const {
  const int64_t used = parted(), row = topics_->row_length();
  work.candidates.used = false;
  work.make_room_for_slots(count);
  work.statistics.resize(static_cast<size_t>(count * row));
  work.forget_words();
  for (int64_t i = 0; i < count; ++i) {
    const Real* of_word = in + i * used;
    if (std::all_of(of_word, of_word + used, [](Real x) { return x == 0; })) continue;
    Real* statistics = work.statistics.data() + work.slots * row;
    std::copy_n(of_word, used, statistics);
    std::fill(statistics + used, statistics + row, Real{0});
    int32_t place = words[i];
    work.number_words(&place, 1);
  }
}

/// Statistics that the step stores as lists are expanded to rows.
template <class Real>
TableStatistics::Rows Lda<Real>::touched_words(LdaWork<Real>& work) const {
  const int64_t row = topics_->row_length();
  if (work.candidates.used) {
    const auto size = static_cast<size_t>(work.slots * row);
    if (work.statistics.size() < size) work.statistics.resize(size);
    for (int64_t slot = 0; slot < work.slots; ++slot) {
      Real* statistics = work.statistics.data() + slot * row;
      copy_statistics(slot, work, statistics);
      std::fill(statistics + parted(), statistics + row, Real{0});
    }
    work.candidates.used = false;
  }
  return {work.words.data(), work.slots, work.statistics.data(), row};
}

template <class Real>
void Lda<Real>::make_room_for_words(int64_t count, LdaWork<Real>& work) const {
  const int64_t most = std::min(work.slots + count, columns());
  work.make_room_for_slots(most);
  const auto size = static_cast<size_t>(most * topics_->row_length());
  if (work.statistics.size() < size) work.statistics.resize(size);
}

template <class Real>
int32_t Lda<Real>::add_word(int32_t word, const Real* statistics, LdaWork<Real>& work) const {
  const int64_t used = parted(), row = topics_->row_length();
  const bool is_fresh = work.slot_of_word[static_cast<size_t>(word)] < 0;
  int32_t slot = word;
  work.number_words(&slot, 1);
  Real* of_word = work.statistics.data() + slot * row;
  if (is_fresh) {
    std::copy_n(statistics, used, of_word);
    std::fill(of_word + used, of_word + row, Real{0});
  } else {
    for (int64_t k = 0; k < used; ++k) of_word[k] += statistics[k];
  }
  return slot;
}

/// The rows are added when the words are used (word_statistics.h).
template <class Real>
void Lda<Real>::add_words(const TableStatistics::Rows& others, bool others_come_first, LdaWork<Real>& work) const {
  const int64_t own = work.slots;
  const int64_t most = std::min(own + others.count, columns());
  work.make_room_for_slots(most);
  work.received_row.resize(static_cast<size_t>(most));
  work.received_row.fill(-1);
  work.received_scratch.resize(static_cast<size_t>(work.threads * topics_->row_length()));
  if (others_come_first) work.order.resize(static_cast<size_t>(most));
  int64_t ordered = 0;
  for (int64_t i = 0; i < others.count; ++i) {
    int32_t slot = others.rows[i];
    work.number_words(&slot, 1);
    work.received_row[static_cast<size_t>(slot)] = static_cast<int32_t>(i);
    if (others_come_first) work.order[static_cast<size_t>(ordered++)] = slot;
  }
  work.own_slots = own;
  work.received = others;
  if (!others_come_first) return;
  for (int64_t slot = 0; slot < own; ++slot) {
    if (work.received_row[static_cast<size_t>(slot)] < 0) {
      work.order[static_cast<size_t>(ordered++)] = static_cast<int32_t>(slot);
    }
  }
  work.order.resize(static_cast<size_t>(ordered));
  work.is_ordered = true;
}

template <class Real>
int64_t Lda<Real>::rest_length() const {
  return settings_.topics * (may_learn_alpha() ? 2 : 1) + (may_learn_alpha() ? 2 : 0);
}

template <class Real>
void Lda<Real>::write_rest(const LdaWork<Real>& work, double* out) const {
  std::fill_n(out, rest_length(), 0.0);
  std::copy_n(work.sums.data(), parted(), out);
  if (!may_learn_alpha()) return;
  out += settings_.topics;
  std::copy_n(work.digammas.data(), parted(), out);
  out[settings_.topics] = work.digammas_of_totals;
  out[settings_.topics + 1] = work.digammas_weight;
}

template <class Real>
void Lda<Real>::read_rest(const double* in, LdaWork<Real>& work) const {
  const auto row = static_cast<size_t>(topics_->row_length());
  work.sums.resize(row);
  work.sums.fill(0);
  std::copy_n(in, parted(), work.sums.data());
  if (!may_learn_alpha()) return;
  in += settings_.topics;
  work.digammas.resize(row);
  std::copy_n(in, parted(), work.digammas.data());
  work.digammas_of_totals = in[settings_.topics];
  work.digammas_weight = in[settings_.topics + 1];
}

}  // namespace vtemper

#include "models/lda/instances.inc"
