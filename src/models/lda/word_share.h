#pragma once
// Topics that are divided over the ranks of a group (README.md section 9): word v belongs to rank v mod ranks, which
// alone stores and moves its row. Places number the rows on this rank: first those of its words, in the order of the
// words, then copies of the rows borrowed for a batch.

#include <memory>
#include <vector>

#include "group/rank_sum.h"
#include "group/row_exchange.h"
#include "models/model.h"

namespace vtemper {

class WordShare {
 public:
  /// max_row_bytes: maximum size of the row of a word.
  WordShare(std::shared_ptr<Group> group, int64_t words, int64_t max_row_bytes);
  /// The same share, without borrowed rows.
  WordShare(const WordShare& other) : WordShare(other.group_, other.words_, other.max_row_bytes_) {}
  WordShare& operator=(const WordShare&) = delete;

  const std::shared_ptr<Group>& group() const { return group_; }
  int64_t own() const { return own_; }  ///< number of words of this rank
  int64_t word_of(int64_t place) const { return place * ranks_ + rank_; }
  bool is_own(int64_t word) const { return word % ranks_ == rank_; }
  /// Place of the row of a word; -1: the row is not here.
  int64_t place(int64_t word) const { return places_[static_cast<size_t>(word)]; }

  /// Chooses the words of the batch, and of all rows of `also`, and gives places to those of other ranks.
  void find(const Batch& batch, const Data* also);
  int64_t borrowed() const { return borrowed_; }  ///< words of other ranks that have places
  /// Sends the choice to the owners of the words. Collective; can fail only if a rank is lost.
  void choose() { exchange_.choose(*group_, words_found_.get(), found_); }
  /// As above for words first .. first + count, which get no places; count 0: no words.
  void choose(int64_t first, int64_t count);
  RowExchange& exchange() { return exchange_; }
  /// Sums over the ranks. Collective; can fail only if a rank is lost.
  void sum(double* values, int64_t length) { sum_.sum(*group_, values, length); }

 private:
  std::shared_ptr<Group> group_;
  int ranks_, rank_;
  int64_t words_, max_row_bytes_, own_;
  std::vector<int32_t> places_;             ///< [words]
  std::vector<char> is_found_;              ///< [words]
  std::unique_ptr<int32_t[]> words_found_;  ///< [found_], ascending; uninitialised, so unused memory costs nothing
  int64_t found_ = 0, borrowed_ = 0;
  RowExchange exchange_;
  RankSum sum_;

  void return_rows();
};

}  // namespace vtemper
