// Words in a fitted LDA: their probabilities under the topics, shares of the topics, duplicate topics.

#include <algorithm>

#include "models/lda/lda.h"
#include "models/lda/work.h"

namespace vtemper {

template <class Real>
void Lda<Real>::word_weights(int64_t column, int64_t first, int64_t count, double* out) const {
  require_undivided("words are compared under all topics");
  topics_->begin_to_read_in_order(column);
  Spare spare;
  for (int64_t i = 0; i < count; ++i) out[i] = topics_->lambda(first + i, column, spare);
}

template <class Real>
void Lda<Real>::word_totals(double* out) const {
  require_undivided("words are compared under all topics");
  for (int64_t k = 0; k < settings_.topics; ++k) out[k] = topics_->total(k);
}

template <class Real>
void Lda<Real>::word_shares(double* out) const {
  double mass = 0;
  for (int64_t k = 0; k < settings_.topics; ++k) mass += topics_->total(k);
  for (int64_t k = 0; k < settings_.topics; ++k) out[k] = topics_->total(k) / mass;
}

/// Covers the words stored here; in descending order of values, and of words with the same value in ascending order.
template <class Real>
void Lda<Real>::find_top_words(LdaWork<Real>& work) const {
  const int64_t topics = settings_.topics;
  const int64_t top = words_compared(columns());
  work.top_values.resize(static_cast<size_t>(topics * top));
  work.top_columns.resize(static_cast<size_t>(topics * top));
  work.duplicate_of.resize(static_cast<size_t>(topics));
  work.top_values.fill(-1);  // below every lambda
  topics_->visit_rows([&](int64_t i, const Real* row) {
    const int64_t v = topics_->word_of(i);
    for (int64_t k = 0; k < topics; ++k) {
      double* values = work.top_values.data() + k * top;
      int32_t* words = work.top_columns.data() + k * top;
      const double value = topics_->lambda(k, v, row);
      int64_t place = top;
      for (; place > 0 && value > values[place - 1]; --place) {
        if (place == top) continue;
        values[place] = values[place - 1];
        words[place] = words[place - 1];
      }
      if (place == top) continue;
      values[place] = value;
      words[place] = static_cast<int32_t>(v);
    }
  });
}

/// work.duplicate_of: for each topic the first earlier one with the same words_compared most probable words, or -1.
/// Collective if the topics are divided over ranks.
template <class Real>
void Lda<Real>::find_duplicates(LdaWork<Real>& work) const {
  const int64_t topics = settings_.topics;
  const int64_t top = words_compared(columns());
  if (divided_table() != nullptr) {
    unite_top_words(work);
  } else {
    find_top_words(work);
  }
  for (int64_t k = 0; k < topics; ++k) {
    int32_t* words = work.top_columns.data() + k * top;
    std::sort(words, words + top);
    const auto repeats = [&](int64_t earlier) {
      return std::equal(words, words + top, work.top_columns.data() + earlier * top);
    };
    int64_t earlier = 0;
    while (earlier < k && !repeats(earlier)) ++earlier;
    work.duplicate_of[static_cast<size_t>(k)] = earlier < k ? earlier : -1;
  }
}

template <class Real>
int64_t Lda<Real>::duplicate_components(LdaWork<Real>& work) const {
  require_initialized();
  find_duplicates(work);
  return std::count_if(work.duplicate_of.begin(), work.duplicate_of.end(), [](int64_t of) { return of >= 0; });
}

}  // namespace vtemper

#include "models/lda/instances.inc"
