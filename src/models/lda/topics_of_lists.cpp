// Updates of some topics of a word instead of all (README.md section 8).

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/lda/topics.h"

namespace vtemper {

template <class Real>
void Topics<Real>::probabilities_of(const Real* row, const int32_t* topics, int64_t count, const Real* inverse,
                                    Real* out) const {
  const Real scale = static_cast<Real>(scale_);
  const Real prior = static_cast<Real>(prior_weight_ * eta_[0] + constant_);
  for (int64_t i = 0; i < count; ++i) {
    out[i] = std::max(std::numeric_limits<Real>::min(), scale * row[topics[i]] + prior) * inverse[i];
  }
  std::fill(out + count, out + kernels::padded(count), Real{0});
}

/// Prefetches the numbers that an update of a word changes: its whole row, or those of its list.
template <class Real>
void Topics<Real>::prefetch_update(const Update& update, int64_t slot, const Real* row) const {
  if (update.lists == nullptr) {
    if (update.order != nullptr || update.statistics.received_row != nullptr) update.statistics.prefetch(slot);
    return prefetch(row);
  }
  const ListPlace& list = update.lists->statistics[static_cast<size_t>(slot)];
  prefetch(row, update.lists->topics_of(list), list.count);
}

/// As update_word (kernels/table.h), for words most of whose statistics are 0. Topics without statistics decay
/// towards their prior: they move by their excess over it, whose sum is known.
template <class Real>
kernels::WordChange Topics<Real>::update_listed_word(const CandidateWork<Real>& lists, int64_t slot,
                                                     const kernels::WordUpdate<Real>& word, Real prior) const {
  const ListPlace& list = lists.statistics[static_cast<size_t>(slot)];
  const int32_t* topics = lists.topics_of(list);
  const Real* statistics = lists.statistics_of(list);
  const double before = static_cast<double>(word.scale) * lists.words[static_cast<size_t>(slot)].row_sum +
                        static_cast<double>(parted_) * static_cast<double>(prior);
  double of_others = before;
  double moved = 0;
  if (word.kept == Real{0}) {
    for (int32_t i = 0; i < list.count; ++i) {
      const double excess = static_cast<double>(word.scale * word.l[topics[i]] + prior);
      of_others -= excess;
      moved += std::abs(static_cast<double>(word.target * statistics[i]) - excess);
    }
    std::fill_n(word.l, padded_, Real{0});
    for (int32_t i = 0; i < list.count; ++i) word.l[topics[i]] = word.factor * statistics[i];
    return {before, moved + std::abs(of_others)};
  }
  for (int32_t i = 0; i < list.count; ++i) {
    Real& l = word.l[topics[i]];
    const double excess = static_cast<double>(word.scale * l + prior);
    of_others -= excess;
    moved += std::abs(static_cast<double>(word.target * statistics[i]) - excess);
    l += word.factor * statistics[i];
  }
  return {before, moved + std::abs(of_others)};
}

}  // namespace vtemper

#include "models/lda/topics_instances.inc"
