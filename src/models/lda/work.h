#pragma once
// Workspace of a local step of LDA: the words of the batch, the documents of the current chunk, scratch of the
// threads.

#include <algorithm>
#include <limits>
#include <vector>

#include "models/lda/lda.h"
#include "models/row_memory.h"
#include "support/array.h"

namespace vtemper {

/// Number of most probable words by which topics are told apart. Of few columns half: with all of them every topic
/// would duplicate every other one.
inline int64_t words_compared(int64_t columns) {
  return std::clamp<int64_t>(columns / 2, 1, 10);
}

/// Documents processed together: small enough that their weights stay in the cache while statistics are summed by
/// word.
constexpr int64_t chunk_documents = 512;
/// Words (or documents) that one thread takes at a time; fixed, so that sums do not depend on the threads.
constexpr int64_t word_block = 64;
constexpr int64_t document_block = 8;
constexpr int64_t reading_block = 32;
constexpr int64_t solving_block = 4;  ///< small, so that threads finish at about the same time

inline int64_t blocks_of(int64_t count, int64_t block) {
  return (count + block - 1) / block;
}

/// Hotter documents keep all topics, because nearly empty topics can still grow again there.
constexpr double sparse_from = 2.0 / 3;

struct DocumentState {
  int64_t row;
  int64_t begin, end;  ///< its entries
  double weight;       ///< of the row
  double tokens;
  double inverse_temperature;
  double expected_log_likelihood;
  double bound;
  bool in_log_space;  ///< its sums leave the range of Real: solved in logarithms (document_in_log_space.h)
};

/// Workspace of one thread for a document or a word.
template <class Real>
struct LdaScratch {
  Array<const Real*> rows;    ///< [longest row, or chunk_documents]
  Array<Real> row_weights;    ///< likewise
  Array<Real> likelihoods;    ///< [longest row x padded K] of one document at another temperature than the batch
  Array<Real> first, second;  ///< [padded K]
  Array<Real> totals;         ///< [padded K] sum of the statistics of a block of words
  Array<Real> row;            ///< [copy_length] of a word whose row is in a file

  // For documents that drop topics, see kernels::Document.
  Array<Real> packed, packed_topics;
  Array<const Real*> packed_rows;
  Array<int32_t> kept;
};

template <class Real>
class LdaWork : public LocalWork {
 public:
  explicit LdaWork(int64_t vocabulary) : slot_of_word(static_cast<size_t>(vocabulary)) { slot_of_word.fill(-1); }

  int threads = 1;               ///< of the current step
  int64_t local_iterations = 0;  ///< likewise
  double local_tolerance = 0;
  double local_sparsity = 0;
  bool needs_expectations = false;  ///< for bounds, or documents with individual temperatures
  double inverse_temperature = 1;   ///< for which the likelihoods were computed
  Perturbation perturbation;
  PriorPower prior;
  Array<Real> alpha;       ///< [padded K], padding 1: alpha at its power
  double alpha_bound = 0;  ///< s (log Gamma(sum alpha) - sum log Gamma(alpha_k))
  size_t longest_row = 0;  ///< of the data, if known

  // Words of the batch, numbered by slots in the order of their first appearance.
  Array<int32_t> slot_of_word;  ///< [V] slot, or -1
  Array<int32_t> words;         ///< [room for slots]
  Array<Real> expectations;     ///< [slots x padded K] E log beta - largest, if needs_expectations
  Array<double> largest;        ///< [slots] likewise
  Array<Real> likelihoods;      ///< [slots x padded K] b = exp(s * expectations)
  Array<Real> statistics;       ///< [slots x padded K] sum_d weight_d s_d n_dw phi_dwk
  Array<double> gradient_rows;  ///< [3 x K] scratch of natural_gradient
  Array<double> sums;           ///< [K] sum over words of the statistics
  typename Topics<Real>::Normalizer normalizer;
  int64_t slots = 0;
  bool is_ordered = false;      ///< the global step takes only the words of `order`
  Array<int32_t> order;         ///< slots; the same words in the same order on all ranks that move them
  int64_t own_slots = 0;        ///< words of this machine's documents, if statistics were received
  Array<int32_t> received_row;  ///< see WordStatistics
  TableStatistics::Rows received{};
  Array<Real> received_scratch;    ///< [threads x padded K]
  CandidateWork<Real> candidates;  ///< replaces the rows if the step's documents consider few topics

  // Copies of rows that are in a file.
  Array<Real> rows;                 ///< [slots x copy_length] those that the step will change
  int64_t copied = 0;               ///< number of slots with a copy
  int64_t revision = 0;             ///< of the topics, see Topics::revision
  Array<char> is_awaited;           ///< [slots] scratch of read_rows
  bool waits_for_disk = false;      ///< a part of the last rows was not in the system's cache
  Array<char> is_requested;         ///< [V] in advance, for later documents of this step
  int64_t requested_documents = 0;  ///< number of documents of the batch whose words are requested

  // Documents of the chunk.
  Array<DocumentState> documents;
  Batch chunk{};
  Array<int32_t> entry_slots;  ///< [entries]
  Array<Real> counts, ratios;  ///< [entries]
  Array<Real> weights, gamma;  ///< [documents x padded K]
  RowMemory<Real> remembered;  ///< [rows of the data x padded K] gamma, 0 before the first step (keep_better)
  int64_t entries = 0;

  // The chunk's words and the documents that contain them, in the order of the documents.
  Array<int32_t> chunk_slots;
  Array<int64_t> holder_end;  ///< [room for slots] see collect_statistics; zero between chunks
  Array<int32_t> holder_document;
  Array<int64_t> holder_entry;
  Array<double> block_sums;  ///< [blocks x K]

  // Statistics from which alpha is learned.
  Array<double> digammas_of_alpha;  ///< [K] scratch
  Array<double> digammas;           ///< [padded K] sum_d weight_d psi(gamma_dk) over the documents with words
  double digammas_of_totals = 0;    ///< sum_d weight_d psi(sum_k gamma_dk)
  double digammas_weight = 0;       ///< sum of their weights

  std::vector<LdaScratch<Real>> scratch;  ///< one per thread

  // The most probable words of each topic.
  Array<double> top_values;     ///< [K x words_compared] descending
  Array<int32_t> top_columns;   ///< likewise
  Array<int64_t> duplicate_of;  ///< [K] see find_duplicates

  void make_room_for_slots(int64_t count) {
    const size_t room = static_cast<size_t>(count) + 1;  // one more: see number_words
    if (words.size() >= room) return;
    words.resize(room);
    holder_end.resize(room);
  }

  /// Gives words without a slot the next free ones, for which memory is reserved, and replaces the words by their
  /// slots. Done by one thread, in the order of the documents; branch-free, because new words are unpredictable:
  /// every word is written to the next slot, which remains free if the word already has one.
  void number_words(int32_t* places, int64_t count) {
    int32_t* const slot_of = slot_of_word.data();
    int32_t* const word_of = words.data();
    int64_t* const holders = holder_end.data();
    int64_t next = slots;
    for (int64_t i = 0; i < count; ++i) {
      const int32_t word = places[i];
      const int32_t known = slot_of[word];
      const bool fresh = known < 0;
      const int32_t slot = fresh ? static_cast<int32_t>(next) : known;
      word_of[next] = word;
      holders[next] = 0;
      slot_of[word] = slot;
      places[i] = slot;
      next += fresh ? 1 : 0;
    }
    slots = next;
  }

  void save(ContainerWriter& writer) const { remembered.save("lda.remembered", writer); }

  void load(const ContainerReader& reader) {
    remembered.load("lda.remembered", std::numeric_limits<Real>::max(), reader);
  }

  void forget_words() {
    for (int64_t slot = 0; slot < slots; ++slot)
      slot_of_word[static_cast<size_t>(words[static_cast<size_t>(slot)])] = -1;
    slots = 0;
    copied = 0;
    is_ordered = false;
    received = {};
  }

  /// The words of the global step, all of which have slots.
  void take_in_order(const int32_t* taken, int64_t count) {
    order.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      order[static_cast<size_t>(i)] = slot_of_word[static_cast<size_t>(taken[i])];
    }
    is_ordered = true;
  }
};

template <class Real>
class LdaFit final : public FitOf<Lda<Real>, LdaWork<Real>>, public NaturalGradient, public TableStatistics {
 public:
  using FitOf<Lda<Real>, LdaWork<Real>>::FitOf;
  TableStatistics* table_statistics() override { return this; }
  Shape table() const override {
    return {this->model().columns(), this->model().word_components(), sizeof(Real) == sizeof(float)};
  }
  int64_t columns_in_use() const override { return this->model().parted(); }
  void mark_rows(unsigned char* bits) const override {
    const LdaWork<Real>& work = this->work();
    for (int64_t slot = 0; slot < work.slots; ++slot) {
      const int32_t word = work.words[static_cast<size_t>(slot)];
      bits[word / 8] = static_cast<unsigned char>(bits[word / 8] | 1 << word % 8);
    }
  }
  void write_rows(const int32_t* rows, int64_t count, void* out) const override {
    this->model().write_words(rows, count, this->work(), static_cast<Real*>(out));
  }
  void read_rows(const int32_t* rows, int64_t count, const void* in) override {
    this->model().read_words(rows, count, static_cast<const Real*>(in), this->work());
  }
  Rows touched() override { return this->model().touched_words(this->work()); }
  void add_touched(const Rows& others, bool others_come_first) override {
    this->model().add_words(others, others_come_first, this->work());
  }
  void make_room(int64_t count) override { this->model().make_room_for_words(count, this->work()); }
  void add_rows(const int32_t* rows, int64_t count, const void* in) override {
    const int64_t used = columns_in_use();
    const Real* numbers = static_cast<const Real*>(in);
    for (int64_t i = 0; i < count; ++i) this->model().add_word(rows[i], numbers + i * used, this->work());
  }
  void keep_rows(const int32_t* rows, int64_t count) override { this->work().take_in_order(rows, count); }
  int64_t rest_length() const override { return this->model().rest_length(); }
  void write_rest(double* out) const override { this->model().write_rest(this->work(), out); }
  void read_rest(const double* in) override { this->model().read_rest(in, this->work()); }

  NaturalGradient* natural_gradient() override { return this; }
  int64_t gradient_length() const override { return this->model().gradient_length(); }
  void natural_gradient(const GlobalStep& step, bool fisher, const GradientVisitor& visit) override {
    this->model().natural_gradient(this->work(), step, fisher, visit);
  }
};

}  // namespace vtemper
