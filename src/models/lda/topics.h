#pragma once
// The global parameters of LDA, stored so that the cost of a step depends on its words only. Every lambda_kv is
//   lambda_kv = scale * l_kv + prior_weight * eta_kv + constant;
// a step changes the three scalars and touches only the rows of the batch's words (README.md section 5). Rows are
// words, [V x padded K], the layout of the word-topic loops. While a fit grows (growth.h), fewer topics are stored
// than the model has: topics that are not split yet share one, in equal halves.

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include "data/data.h"
#include "kernels/dispatch.h"
#include "models/lda/candidates.h"
#include "models/lda/kernels.h"
#include "models/lda/topic_moves.h"
#include "models/lda/topic_rows.h"
#include "models/lda/word_share.h"
#include "models/lda/word_statistics.h"
#include "storage/container.h"
#include "support/array.h"
#include "support/prefetch.h"

namespace vtemper {

/// How far ahead rows are prefetched if words are not in order.
constexpr int64_t words_ahead = 12;

/// Number of words that a thread processes at a time in a step.
constexpr int64_t block_words = 64;

/// Below this scale the stored rows become too large compared with new statistics; one pass over all rows resets the
/// scale to 1.
constexpr double smallest_scale = 1e-8;

template <class Real>
class Topics {
 public:
  /// The largest sum of a topic; far below the maximum of Real, even if the stored rows are larger than lambda.
  static constexpr double largest_total = sizeof(Real) == sizeof(float) ? 1e28 : 1e140;

  /// eta: one value, or K x V row-major; folder: of the file that holds the rows, "" if they are in memory; group:
  /// the group over which they are divided, or NULL.
  Topics(int64_t topics, int64_t words, std::vector<double> eta, const std::string& folder,
         const std::shared_ptr<Group>& group = nullptr);
  Topics(const Topics& other);
  Topics& operator=(const Topics&) = delete;

  /// lambda_kv ~ Gamma(100, 1/100) (Hoffman 2013), one random stream per word. If the topics are divided, this and
  /// the calls below change the words of this rank only, and must be followed by settle.
  void draw(uint64_t seed);
  /// Undoes merge_to on drawn topics that have not changed otherwise.
  void draw_again(uint64_t seed) noexcept;
  /// Reserves memory for rows of as many parted topics as `other` has.
  void make_room_as(const Topics& other);
  /// Copies undivided topics of the same size: all words, or those of this rank.
  void copy_from(const Topics& whole);

  // ---- divided topics: WordShare, DividedTable ----
  WordShare* share() const { return share_.get(); }  ///< NULL if all words are here
  /// Number of words whose rows are stored here: all, or those of this rank.
  int64_t stored() const { return stored_; }
  int64_t word_of(int64_t place) const { return share_ ? share_->word_of(place) : place; }
  bool is_here(int64_t word) const { return !share_ || share_->place(word) >= 0; }
  /// Reserves memory for the rows of the words of WordShare::find.
  void make_room_for_borrowed();
  /// If rows could not be read for other ranks, require_lent fails afterwards.
  void borrow_rows();
  void settle();
  /// Gathers the topics of all ranks in `whole` on rank 0 (NULL on other ranks), which is not divided and has the
  /// memory reserved. Drops borrowed rows. Collective; can fail only if a rank is lost. If rows could not be read or
  /// written, require_lent fails afterwards.
  void gather(Topics* whole);
  void require_lent() const {
    if (unlent_) std::rethrow_exception(unlent_);
  }

  int64_t topics() const { return topics_; }
  int64_t words() const { return words_; }
  /// Number of topics in the local step: K, or the number of parted topics while a fit grows.
  int64_t parted() const { return parted_; }
  int64_t row_length() const { return padded_; }  ///< padded parted()
  /// The parted topic that represents a topic: itself, unless it is still to be split off.
  int64_t stand_in(int64_t topic) const { return stand_in_[static_cast<size_t>(topic)]; }
  /// Number of topics that a parted topic represents.
  int64_t copies(int64_t parted) const { return copies_[static_cast<size_t>(parted)]; }
  /// Keeps the first `count` topics, a halving of K (growth.h), which then represent all others.
  void merge_to(int64_t count) noexcept;
  /// Splits the next topics (growth.h): both halves of a topic keep its words up to a small random difference.
  void split(uint64_t seed) noexcept;
  /// Like all functions that read rows, Error(IO) if they are in a file that cannot be read, such as that of a model
  /// that was truncated.
  double lambda(int64_t topic, int64_t word, Spare& spare) const;
  /// As above, from the word's row.
  double lambda(int64_t topic, int64_t word, const Real* row) const;
  double eta(int64_t topic, int64_t word) const;
  /// Replaces an eta of one value; lambda changes by its share of eta.
  void set_eta(double eta);
  /// sum_v lambda_kv
  double total(int64_t topic) const;
  double total_of_parted(int64_t parted) const;
  double eta_total(int64_t topic) const { return eta_totals_[static_cast<size_t>(topic)]; }

  /// sum_k weights_k lambda_kv
  double mix(int64_t word, const double* weights) const;

  /// Replaces all lambda (K x V row-major).
  void assign(const double* lambda);

  /// Values common to all words of a step, see kernels::WordTopics; [padded K] each.
  struct Normalizer {
    bool point = false;  ///< point estimates instead of Dirichlet posteriors
    Array<Real> values, inverse;
    Array<double> totals;  ///< [K] scratch
  };
  void normalizer(bool point, Normalizer& out) const;

  /// b_k = exp{ s (E_k - m) } of a word, see kernels::WordTopics, and if `expectation` is not NULL also E_k - m;
  /// returns m in that case, otherwise 0. likelihood, expectation: [padded K].
  double word(int64_t word, const Normalizer& normalizer, double inverse_temperature, Real* likelihood,
              Real* expectation) const;
  /// As above, from the word's row.
  double word(int64_t word, const Real* row, const Normalizer& normalizer, double inverse_temperature,
              Real* likelihood, Real* expectation) const;

  /// v_k = lambda_kv inverse_k of `count` topics only, which is beta_kv times the smallest total in the normalizer of
  /// point estimates, from the word's row; inverse: [count] of these topics. out: [padded count], padding 0. Needs
  /// one eta for all.
  void probabilities_of(const Real* row, const int32_t* topics, int64_t count, const Real* inverse, Real* out) const;
  /// sum_k l_kv of a word's row
  double row_sum(const Real* row) const { return kernels::table<Real>().sum(row, padded_); }

  // ---- Rows ----
  bool in_memory() const { return rows_.in_memory(); }
  /// The row of a word that is in memory.
  const Real* row(int64_t word) const {
    const int64_t place = place_of(word);
    return place < stored_ ? rows_.data() + place * stride_ : borrowed_.data() + (place - stored_) * padded_;
  }
  /// Prefetches a word's row into the processor's cache.
  void prefetch(const Real* row) const { vtemper::prefetch(row, padded_ * static_cast<int64_t>(sizeof(Real))); }
  /// Prefetches the numbers of `count` topics of a word.
  void prefetch(const Real* row, const int32_t* topics, int64_t count) const {
    for (int64_t i = 0; i < count; ++i) vtemper::prefetch(row + topics[i], sizeof(Real));
  }
  /// Length of the copy of a row that is in a file.
  int64_t copy_length() const { return stride_; }
  /// Changes whenever rows do, so that copies can be recognised as old.
  int64_t revision() const { return rows_.revision(); }
  /// Must precede the next functions, once for calls that follow each other directly: Error(IO).
  void require_readable() const { rows_.require_readable(); }
  /// Copies the row of a word; false if it is in a file and would have to be waited for.
  bool copy_without_waiting(int64_t word, Real* out) const {
    const int64_t place = place_of(word);
    if (is_in_file(place)) return rows_.read_without_waiting(place * stride_, stride_, out);
    std::copy_n(row(word), padded_, out);
    return true;
  }
  void copy(int64_t word, Real* out) const {
    const int64_t place = place_of(word);
    if (is_in_file(place)) return rows_.read(place * stride_, stride_, out);
    std::copy_n(row(word), padded_, out);
  }
  /// If rows are in a file: requests the row of a word, which is about to be read, and no others.
  void begin_to_read(int64_t word) const {
    const int64_t place = place_of(word);
    if (place >= 0 && is_in_file(place)) rows_.request(place * stride_, padded_);
  }
  /// As above for the words first ... end - 1, as far as they exist, of topics that are not divided.
  void begin_to_read(int64_t first, int64_t end) const {
    end = std::min(end, stored_);
    if (first < end) rows_.request(first * stride_, (end - first) * stride_);
  }
  /// Called before the word is read by a loop over all words in order.
  void begin_to_read_in_order(int64_t word) const {
    if (word % rows_ahead == 0) begin_to_read(word == 0 ? 0 : word + rows_ahead, word + 2 * rows_ahead);
  }
  /// Calls visit(place, row) for all stored rows in order.
  template <class Visit>
  void visit_rows(const Visit& visit) const {
    rows_.visit(stored_, stride_, visit);
  }
  /// Error(IO) if a change of the rows failed half way, so that they are lost.
  void require_kept() const { rows_.require_kept(); }
  /// Must be called before rows are changed that may be in the file of a model. Error(IO, STATE).
  void make_writable() { rows_.make_writable(most_rows(), rows_.stride(kernels::padded(topics_))); }

  struct Update {
    const int32_t* words;  ///< distinct
    int64_t count;         ///< number of words that move
    WordStatistics<Real> statistics;
    Real* scratch = nullptr;                     ///< [threads x row_length], if some of them were received
    const CandidateWork<Real>* lists = nullptr;  ///< not NULL: statistics as lists, with one eta for all topics
    const int32_t* order = nullptr;              ///< [count] places of the words that move; NULL: the first ones
    Real* copies = nullptr;  ///< [words x copy_length] of the rows, if these are in a file; changed
    int64_t place(int64_t i) const { return order == nullptr ? i : order[i]; }
  };
  struct Blend {
    double scale;  ///< of the statistics
    double rho;    ///< step size
    double prior_weight = 1;
    double constant = 0;
    double share = 1;  ///< of the statistics and the prior
  };
  /// lambda <- (1 - rho) lambda + rho share (prior_weight eta + constant + scale * statistics). sums: [K]
  /// sum_w statistics_wk.
  void blend(const Update& update, const double* sums, const Blend& step, int threads) noexcept;
  /// Relative change by the last blend: sum |new - old| / sum old (for words outside the batch: of their sum),
  /// computed as if share were 1. Collective if the topics are divided.
  double relative_change();
  /// Makes a move (topic_moves.h) with the shares of all words [V]; all topics are parted and in memory.
  void apply(const TopicMove& move) noexcept;
  /// lambda_k <- lambda_k + mass Dir(1_V), with an independent draw for each topic, from one random stream per word;
  /// the topics are in memory.
  void add_draw(double mass, uint64_t seed, uint64_t iteration);

  void save(ContainerWriter& writer) const;
  void load(const ContainerReader& reader);
  /// The checks of load: Error(FORMAT).
  void check_stored(const ContainerReader& reader) const;

 private:
  int64_t topics_, words_, parted_, padded_;
  std::unique_ptr<WordShare> share_;  ///< words of this rank; NULL: all
  int64_t stored_;
  int64_t stride_ = 0;  ///< distance between rows, at least padded_
  std::vector<double> eta_;
  Array<Real> eta_rows_;            ///< like rows_ if eta is K x V; [padded K] if it is one value
  std::vector<double> eta_totals_;  ///< [K] sum_v eta_kv
  TopicRows<Real> rows_;            ///< [stored_ x stride_] l, padding 0; room for all K
  Array<Real> borrowed_;            ///< [borrowed x padded_] copies of borrowed rows
  Array<Real> received_;            ///< [padded K] a row on its way to the file
  std::vector<int32_t> stand_in_;   ///< [K]
  std::vector<int32_t> copies_;     ///< [K] of the parted topics
  double scale_ = 1;
  double prior_weight_ = 0;
  double constant_ = 0;
  std::vector<double> totals_;                ///< [K] sum_v l_kv
  std::vector<double> draws_;                 ///< [K] scratch of add_draw
  std::vector<char> touched_;                 ///< [V] scratch of a full step
  std::vector<kernels::WordChange> changes_;  ///< [blocks of V words] scratch of a step
  bool has_open_sums_ = false;                ///< totals_ include only the words of this rank

  /// Sums that determine the relative change of the last blend.
  struct Moved {
    double words = 0;        ///< sum |lambdahat - lambda| over the batch's words
    double old_mass = 0;     ///< sum lambda - prior over the batch's words
    double over_prior = 0;   ///< the same over all words
    double mass_before = 0;  ///< sum lambda over all words
    double rho = 0;
  };
  Moved moved_;
  std::exception_ptr unlent_;  ///< why a row could not be read for another rank, or be received

  /// At least one row: with more ranks than words some ranks have none, but a file cannot be empty.
  int64_t most_rows() const { return std::max<int64_t>(stored_, 1); }
  void make_room();
  void fill_with_draws(uint64_t seed);
  static constexpr int64_t rows_ahead = 1024;
  /// Does what changes rows. If it fails, which it does only in a file, they are lost, and whoever uses them next
  /// learns why.
  template <class Work>
  void change_rows(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      rows_.lose();
    }
  }
  /// Calls change(place, row) for all stored rows in order.
  template <class Change>
  void change_all(const Change& change) {
    rows_.move(stored_, stride_, stride_, true, [&](int64_t i, const Real*, Real* numbers) { change(i, numbers); });
  }
  /// As above; the rows are not read, but written completely.
  template <class Fill>
  void fill_all(const Fill& fill) {
    rows_.move(stored_, stride_, stride_, false, [&](int64_t i, const Real*, Real* numbers) { fill(i, numbers); });
  }
  /// Number of a word's row among those that are here; -1: it is not.
  int64_t place_of(int64_t word) const { return share_ ? share_->place(word) : word; }
  bool is_in_file(int64_t place) const { return place < stored_ && !in_memory(); }
  /// The row, there or in `spare`.
  const Real* row(int64_t word, Spare& spare) const {
    const int64_t place = place_of(word);
    return place < stored_ ? rows_.at(place * stride_, padded_, spare) : row(word);
  }
  /// The row of topics in memory.
  Real* row_in_memory(int64_t word) { return const_cast<Real*>(row(word)); }
  const Real* eta_row(int64_t word) const { return eta_rows_.data() + (eta_.size() == 1 ? 0 : word * padded_); }
  kernels::WordChange update_listed_word(const CandidateWork<Real>& lists, int64_t slot,
                                         const kernels::WordUpdate<Real>& word, Real prior) const;
  void update_rows(const Update& update, const Blend& step, double factor, int threads);
  void prefetch_update(const Update& update, int64_t slot, const Real* row) const;
  void set_parted(int64_t count);
  void copy_numbers(const Topics& other);
  void pull_to(Topics& taker);
  void take_row(int64_t word, const Real* sent);
  void clear_other_rows(const Update& update);
  void recount();
  void renormalize();
};

/// Whether rows of that length are valid in a file for `parted` topics: as written by a model with topics in memory,
/// or with topics in a file.
template <class Real>
bool may_be_stride(int64_t stride, int64_t parted) {
  return stride == kernels::padded(parted) || stride == row_stride_in_file<Real>(kernels::padded(parted));
}

/// Number of the K topics whose rows are in the file (growth.h). Error(FORMAT) if no fit can have that number.
int64_t stored_topics(int64_t topics, const ContainerReader& reader);

// Defined in the header, so that loops over the topics of a word can inline them.
template <class Real>
inline double Topics<Real>::eta(int64_t topic, int64_t word) const {
  return eta_.size() == 1 ? eta_[0] : eta_[static_cast<size_t>(topic * words_ + word)];
}

template <class Real>
inline double Topics<Real>::lambda(int64_t topic, int64_t word, const Real* row) const {
  const double prior = prior_weight_ * eta(topic, word) + constant_;
  if (parted_ == topics_) return scale_ * static_cast<double>(row[topic]) + prior;
  const int64_t parted = stand_in(topic);
  const double learned = scale_ * static_cast<double>(row[parted]);
  return learned / static_cast<double>(copies(parted)) + prior;
}

template <class Real>
inline double Topics<Real>::lambda(int64_t topic, int64_t word, Spare& spare) const {
  return lambda(topic, word, row(word, spare));
}

extern template class Topics<float>;
extern template class Topics<double>;

}  // namespace vtemper
