#pragma once
// Where the rows of the topics are: in memory; in a file of the folder that option parameters_folder names, for
// topics that are larger than memory; or, until the first step of a fit, in the file of the model that they were
// loaded from. A step asks for the rows of its words and touches no others. All else passes over the rows in their
// order.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "storage/mapped_file.h"
#include "storage/scratch_memory.h"
#include "support/array.h"
#include "support/error.h"
#include "support/large_pages.h"
#include "support/text.h"

namespace vtemper {

/// Numbers from one row to the next in a file: rows of `row` numbers that do not share pages with other rows where
/// that takes little more room, since a page is read, kept and written as a whole.
template <class Real>
constexpr int64_t row_stride_in_file(int64_t row) {
  constexpr int64_t page = 4096 / static_cast<int64_t>(sizeof(Real));
  int64_t stride = row > page ? (row + page - 1) / page * page : page;
  while (stride / 2 >= row) stride /= 2;
  return stride - row <= row / 8 ? stride : row;
}

template <class Real>
class TopicRows {
 public:
  /// In memory where the folder is "".
  explicit TopicRows(std::string folder) : folder_(std::move(folder)) {}
  /// Rows of their own, of the same kind; those in the file of a model are shared. Error(IO).
  TopicRows(const TopicRows& other) : folder_(other.folder_) {
    if (other.is_borrowed()) {
      borrow(other.begin_, other.borrowed_, other.model_);
    } else if (other.in_file()) {
      make_room(other.size());
      std::copy_n(other.data(), other.size(), data());
    } else {
      memory_ = other.memory_;
      begin_ = memory_.data();
    }
  }
  TopicRows& operator=(const TopicRows&) = delete;

  /// Room for so many numbers, which are not there yet; in a file they are, and zero. Error(IO).
  void make_room(size_t count) {
    if (folder_.empty()) {
      reserve_large(memory_, count);
      begin_ = memory_.data();
    } else {
      file_ = ScratchMemory(folder_, static_cast<int64_t>(count * sizeof(Real)));
      begin_ = static_cast<Real*>(file_.data());
    }
  }
  /// At least so many numbers, for which there is room; new ones are zero.
  void extend(size_t count) {
    if (in_file() || count <= memory_.size()) return;
    memory_.resize(count);
    begin_ = memory_.data();
  }

  /// Uses numbers in the file of a model in place, as long as nobody changes them. Their file stays open.
  void borrow(const Real* numbers, size_t count, MappedFile model) {
    begin_ = const_cast<Real*>(numbers);  // make_writable comes before anything that writes
    borrowed_ = count;
    model_ = std::move(model);
  }
  bool may_borrow() const { return !folder_.empty(); }  ///< else numbers are copied
  /// Copies what is borrowed to rows of our own with room for `count` numbers. Error(IO, STATE): then nothing has
  /// changed.
  void make_writable(size_t count) {
    if (in_file() && !file_.is_ours()) {
      throw Error(VTEMPER_ERROR_STATE,
                  "the topics are in a file (option parameters_folder) that this process shares with the one that "
                  "forked it, so only the other one can change them");
    }
    if (!is_borrowed()) return;
    require_whole();
    expect(Access::in_order);
    ScratchMemory own(folder_, static_cast<int64_t>(count * sizeof(Real)));
    std::copy_n(begin_, std::min(count, borrowed_), static_cast<Real*>(own.data()));
    file_ = std::move(own);
    begin_ = static_cast<Real*>(file_.data());
    borrowed_ = 0;
    model_ = MappedFile();
  }
  /// Error(IO) where the file of the model has been cut short: its rows must not be read then.
  void require_whole() const {
    if (is_borrowed() && !model_.is_whole()) {
      throw Error(VTEMPER_ERROR_IO,
                  sentence("the file that the model was loaded from, whose topics are read in place because it was ",
                           "fitted with option parameters_folder, was cut short; it had ", model_.size, " bytes"));
    }
  }

  bool in_memory() const { return !is_borrowed() && !in_file(); }
  size_t size() const {
    if (is_borrowed()) return borrowed_;
    return in_file() ? static_cast<size_t>(file_.bytes()) / sizeof(Real) : memory_.size();
  }
  const Real* data() const { return begin_; }
  Real* data() { return begin_; }

  /// How rows are about to be read.
  void expect(Access access) const {
    if (in_memory()) return;
    advise(data(), static_cast<int64_t>(size() * sizeof(Real)), access);
  }
  /// Numbers from one row to the next, for rows of `row` numbers.
  int64_t stride(int64_t row) const { return folder_.empty() ? row : row_stride_in_file<Real>(row); }

 private:
  bool is_borrowed() const { return borrowed_ > 0; }
  bool in_file() const { return file_.data() != nullptr; }

  std::string folder_;
  Array<Real> memory_;
  ScratchMemory file_;
  MappedFile model_;
  size_t borrowed_ = 0;    ///< numbers in model_
  Real* begin_ = nullptr;  ///< of the rows, wherever they are
};

}  // namespace vtemper
