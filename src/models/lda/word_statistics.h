#pragma once
// The statistics of the words of a step: those of this machine's documents, and those of the other of two ranks,
// which stay where they were received and are added when a word is used.

#include <algorithm>
#include <cstdint>

#include "support/prefetch.h"

namespace vtemper {

template <class Real>
struct WordStatistics {
  const Real* own;                        ///< [own_slots x row_length], padding 0
  int64_t row_length;                     ///< padded topics
  int64_t topics;                         ///< those that are stored
  int64_t own_slots = 0;                  ///< the words of this machine's documents
  const int32_t* received_row = nullptr;  ///< [slots] place in `received`, or -1; NULL: nothing was received
  const Real* received = nullptr;
  int64_t stride = 0;  ///< distance between received rows

  /// S_k of a word [topics].
  template <class Number>
  void copy(int64_t slot, Number* out) const {
    const Real* const here = own + slot * row_length;
    const Real* const there = received_of(slot);
    if (there == nullptr) {
      for (int64_t k = 0; k < topics; ++k) out[k] = static_cast<Number>(here[k]);
    } else if (slot < own_slots) {
      for (int64_t k = 0; k < topics; ++k) out[k] = static_cast<Number>(here[k] + there[k]);
    } else {
      for (int64_t k = 0; k < topics; ++k) out[k] = static_cast<Number>(there[k]);
    }
  }
  /// As above, padding 0: in place, or in `scratch` [row_length].
  const Real* row(int64_t slot, Real* scratch) const {
    if (received_of(slot) == nullptr) return own + slot * row_length;
    copy(slot, scratch);
    std::fill(scratch + topics, scratch + row_length, Real{0});
    return scratch;
  }
  /// One or two rows, padding 0, whose sum is S_k.
  struct Parts {
    const Real* first;
    const Real* second;  ///< or NULL
  };
  /// As above, without adding, unless received rows lack the padding.
  Parts parts(int64_t slot, Real* scratch) const {
    const Real* const there = received_of(slot);
    if (there != nullptr && stride < row_length) return {row(slot, scratch), nullptr};
    if (there != nullptr && slot >= own_slots) return {there, nullptr};
    return {own + slot * row_length, there};
  }
  void prefetch(int64_t slot) const {
    const int64_t bytes = topics * static_cast<int64_t>(sizeof(Real));
    if (received_row == nullptr || slot < own_slots) vtemper::prefetch(own + slot * row_length, bytes);
    if (const Real* const there = received_of(slot)) vtemper::prefetch(there, bytes);
  }

 private:
  const Real* received_of(int64_t slot) const {
    return received_row == nullptr || received_row[slot] < 0 ? nullptr : received + received_row[slot] * stride;
  }
};

}  // namespace vtemper
