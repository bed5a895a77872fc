#pragma once
// The global parameters of LDA, stored so that the cost of a step depends on its words only. Every lambda_kv is
//   lambda_kv = scale * l_kv + prior_weight * eta_kv + constant;
// a step changes the three scalars and touches only the rows of the batch's words (README.md section 5). Rows are
// words, [V x padded K], the layout of the word-topic loops. While a fit grows (growth.h), fewer topics are stored
// than the model has: topics that are not split yet share one, in equal halves.

#include <algorithm>
#include <memory>
#include <vector>

#include "data/data.h"
#include "kernels/dispatch.h"
#include "models/lda/candidates.h"
#include "models/lda/kernels.h"
#include "models/lda/topic_moves.h"
#include "models/lda/topic_rows.h"
#include "models/lda/word_share.h"
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
  /// Undoes merge_to on drawn topics that have not changed otherwise. Cannot fail.
  void draw_again(uint64_t seed);
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
  void borrow_rows();
  void settle();
  /// Gathers the topics of all ranks in `whole` on rank 0 (NULL on other ranks), which is not divided and has the
  /// memory reserved. Drops borrowed rows. Collective; can fail only if a rank is lost.
  void gather(Topics* whole);

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
  void merge_to(int64_t count);
  /// Splits the next topics (growth.h): both halves of a topic keep its words up to a small random difference.
  void split(uint64_t seed);
  /// Like all functions that read rows, Error(IO) if they are in the file of a model that was truncated.
  double lambda(int64_t topic, int64_t word, Spare& spare) const;
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

  /// v_k = lambda_kv inverse_k of `count` topics only, which is beta_kv times the smallest total in the normalizer of
  /// point estimates; inverse: [count] of these topics. out: [padded count], padding 0. Needs one eta for all.
  void probabilities_of(int64_t word, const int32_t* topics, int64_t count, const Real* inverse, Real* out) const;
  /// sum_k l_kv of the stored row
  double row_sum(int64_t word) const;

  /// Prefetches a word's row into the processor's cache.
  void prefetch(int64_t word) const {
    vtemper::prefetch(address(word), padded_ * static_cast<int64_t>(sizeof(Real)));
  }
  /// Prefetches the numbers of `count` topics of a word.
  void prefetch(int64_t word, const int32_t* topics, int64_t count) const {
    const Real* const numbers = address(word);
    for (int64_t i = 0; i < count; ++i) vtemper::prefetch(numbers + topics[i], sizeof(Real));
  }
  bool in_memory() const { return rows_.in_memory(); }
  /// If rows are in a file: requests the row of a word, which is about to be read, and no others.
  void begin_to_read(int64_t word) const {
    if (!share_) rows_.request(word * stride_, padded_);
  }
  void read_here_and_there() const { rows_.expect(Access::here_and_there); }
  /// Announces that all rows are about to be read in order.
  void read_in_order() const { rows_.expect(Access::in_order); }
  /// Calls visit(place) for all stored rows in order; rows in a file are requested some at a time. Every loop of a
  /// fit over all rows must use this: the system keeps pages that it reads ahead on its own as large pages, which are
  /// written as a whole when a step changes one row. `former`: the former distance of rows that move, which are
  /// requested as well; or 0.
  template <class Visit>
  void visit_rows(const Visit& visit, int64_t former = 0) const {
    read_here_and_there();
    for (int64_t place = 0; place < stored_; ++place) {
      if (place % rows_ahead == 0) ask_for(place == 0 ? 0 : place + rows_ahead, place + 2 * rows_ahead, former);
      visit(place);
    }
  }
  /// As above, from the last row to the first.
  template <class Visit>
  void visit_rows_backwards(const Visit& visit, int64_t former) const {
    read_here_and_there();
    for (int64_t place = stored_ - 1; place >= 0; --place) {
      const int64_t done = stored_ - 1 - place, next = place + 1 - rows_ahead;
      if (done % rows_ahead == 0) ask_for(next - rows_ahead, done == 0 ? stored_ : next, former);
      visit(place);
    }
  }
  /// Must be called before rows are changed that may be in the file of a model. Error(IO, STATE).
  void make_writable() { rows_.make_writable(room()); }

  struct Update {
    const int32_t* words;                        ///< distinct
    int64_t count;                               ///< number of words that move
    const Real* statistics;                      ///< [words x row_length]
    const CandidateWork<Real>* lists = nullptr;  ///< not NULL: statistics as lists, with one eta for all topics
    const int32_t* order = nullptr;              ///< [count] places of the words that move; NULL: the first ones
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
  void blend(const Update& update, const double* sums, const Blend& step, int threads);
  /// Relative change by the last blend: sum |new - old| / sum old (for words outside the batch: of their sum),
  /// computed as if share were 1. Collective if the topics are divided.
  double relative_change();
  /// Makes a move (topic_moves.h) with the shares of all words [V]; all topics are parted and in memory.
  void apply(const TopicMove& move) noexcept;
  /// lambda_k <- lambda_k + mass Dir(1_V), with an independent draw for each topic, from one random stream per word.
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

  /// At least one row: with more ranks than words some ranks have none, but a file cannot be empty.
  size_t room() const {
    return static_cast<size_t>(std::max<int64_t>(stored_, 1) * rows_.stride(kernels::padded(topics_)));
  }
  void fill_with_draws(uint64_t seed);
  static constexpr int64_t rows_ahead = 1024;
  /// Requests the rows at places first ... last - 1, as far as they exist.
  void ask_for(int64_t first, int64_t last, int64_t former) const {
    first = std::max<int64_t>(first, 0);
    last = std::min(last, stored_);
    if (in_memory() || first >= last) return;
    for (const int64_t stride : {former, stride_}) rows_.request(first * stride, (last - first) * stride);
  }
  Real* stored_row(int64_t place) { return rows_.data() + place * stride_; }
  /// Address of the row of a word that is stored or borrowed here.
  const Real* address(int64_t word) const {
    if (!share_) return rows_.data() + word * stride_;
    const int64_t place = share_->place(word);
    return place < stored_ ? rows_.data() + place * stride_ : borrowed_.data() + (place - stored_) * padded_;
  }
  /// The row, there or in `spare`.
  const Real* row(int64_t word, Spare& spare) const {
    return share_ ? address(word) : rows_.at(word * stride_, padded_, spare);
  }
  /// The row of topics that are writable.
  Real* row(int64_t word) { return const_cast<Real*>(address(word)); }
  const Real* eta_row(int64_t word) const { return eta_rows_.data() + (eta_.size() == 1 ? 0 : word * padded_); }
  kernels::WordChange update_listed_word(const CandidateWork<Real>& lists, int64_t slot,
                                         const kernels::WordUpdate<Real>& word, Real prior) const;
  void prefetch_update(const Update& update, int64_t slot) const;
  void set_parted(int64_t count);
  void copy_numbers(const Topics& other);
  void pull_to(Topics& taker);
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
inline double Topics<Real>::lambda(int64_t topic, int64_t word, Spare& spare) const {
  const double prior = prior_weight_ * eta(topic, word) + constant_;
  if (parted_ == topics_) return scale_ * static_cast<double>(row(word, spare)[topic]) + prior;
  const int64_t parted = stand_in(topic);
  const double learned = scale_ * static_cast<double>(row(word, spare)[parted]);
  return learned / static_cast<double>(copies(parted)) + prior;
}

extern template class Topics<float>;
extern template class Topics<double>;

}  // namespace vtemper
