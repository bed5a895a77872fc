#pragma once
// Topics that are divided over the ranks of a group (README.md section 9): word v belongs to rank v mod ranks, which
// alone keeps and moves its row. Places number the rows that are here: those of the own words first, in the order of
// the words, then copies of those that are borrowed for a batch.

#include <memory>
#include <vector>

#include "group/rank_sum.h"
#include "group/row_exchange.h"
#include "models/model.h"

namespace vtemper {

class WordShare {
 public:
  /// max_row_bytes: of the row of a word.
  WordShare(std::shared_ptr<Group> group, int64_t words, int64_t max_row_bytes);
  /// The same share; nothing is borrowed.
  WordShare(const WordShare& other) : WordShare(other.group_, other.words_, other.max_row_bytes_) {}
  WordShare& operator=(const WordShare&) = delete;

  const std::shared_ptr<Group>& group() const { return group_; }
  int64_t own() const { return own_; }  ///< words
  int64_t word_of(int64_t place) const { return place * ranks_ + rank_; }
  bool is_own(int64_t word) const { return word % ranks_ == rank_; }
  /// -1: the row is not here.
  int64_t place(int64_t word) const { return places_[static_cast<size_t>(word)]; }

  /// Chooses the words of the batch, and of all rows of `also`, and gives places to those of other ranks.
  void find(const Batch& batch, const Data* also);
  int64_t borrowed() const { return borrowed_; }  ///< words of other ranks that have places
  /// Tells the owners. Collective; cannot fail but for a lost rank.
  void choose() { exchange_.choose(*group_, words_found_.get(), found_); }
  /// Likewise of words first .. first + count, to which no places are given; count 0: of none.
  void choose(int64_t first, int64_t count);
  RowExchange& exchange() { return exchange_; }
  /// Over the ranks. Collective; cannot fail but for a lost rank.
  void sum(double* values, int64_t length) { sum_.sum(*group_, values, length); }

 private:
  std::shared_ptr<Group> group_;
  int ranks_, rank_;
  int64_t words_, max_row_bytes_, own_;
  std::vector<int32_t> places_;             ///< [words]
  std::vector<char> is_found_;              ///< [words]
  std::unique_ptr<int32_t[]> words_found_;  ///< [found_], ascending; memory is taken as far as it is written
  int64_t found_ = 0, borrowed_ = 0;
  RowExchange exchange_;
  RankSum sum_;

  void return_rows();
};

}  // namespace vtemper
