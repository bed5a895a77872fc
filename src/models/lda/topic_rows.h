#pragma once
// Storage of the topics' rows: memory; a file in the folder of option parameters_folder, for topics larger than
// memory; or, until the first step of a fit, the model file that they were loaded from. A step reads only the rows of
// its words, after requesting them in advance. Everything else reads all rows in order. Rows that may be in a model
// file are read by `at`.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "storage/file_contents.h"
#include "storage/scratch_memory.h"
#include "support/array.h"
#include "support/error.h"
#include "support/large_pages.h"
#include "support/text.h"

namespace vtemper {

/// Distance between rows of `row` numbers in a file. Since pages are read and written as a whole, rows do not share
/// pages if that takes little additional space.
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
  /// In memory if the folder is "".
  explicit TopicRows(std::string folder) : folder_(std::move(folder)) {}
  /// Copies the rows to the same kind of storage; those in a model file are shared. Error(IO).
  TopicRows(const TopicRows& other) : folder_(other.folder_) {
    if (other.is_borrowed()) {
      borrow(other.begin_, other.borrowed_, other.model_);
    } else if (other.in_file()) {
      make_room(other.size());
      std::copy_n(other.data(), other.size(), data());
    } else {
      memory_ = other.memory_;
      use(memory_.data());
    }
  }
  TopicRows& operator=(const TopicRows&) = delete;

  /// Reserves memory for `count` numbers; in a file they exist at once, as zeros. Error(IO).
  void make_room(size_t count) {
    if (folder_.empty()) {
      reserve_large(memory_, count);
      use(memory_.data());
    } else {
      file_ = ScratchMemory(folder_, static_cast<int64_t>(count * sizeof(Real)));
      use(static_cast<Real*>(file_.data()));
    }
  }
  /// Extends to `count` numbers within the reserved memory; new ones are zero.
  void extend(size_t count) {
    if (in_file() || count <= memory_.size()) return;
    memory_.resize(count);
    use(memory_.data());
  }

  /// Uses the numbers of a model file until they are modified. The file stays open.
  void borrow(const Real* numbers, size_t count, std::shared_ptr<const FileContents> model) {
    begin_ = numbers;
    own_ = nullptr;
    borrowed_ = count;
    model_ = std::move(model);
  }
  bool may_borrow() const { return !folder_.empty(); }  ///< otherwise numbers are copied
  /// Replaces borrowed rows by a copy with room for `count` numbers. Nothing changes on Error(IO, STATE).
  void make_writable(size_t count) {
    if (in_file() && !file_.is_ours()) {
      throw Error(VTEMPER_ERROR_STATE,
                  "the topics are in a file (option parameters_folder) that this process shares with the one that "
                  "forked it, so only that process can change them");
    }
    if (!is_borrowed()) return;
    ScratchMemory own(folder_, static_cast<int64_t>(count * sizeof(Real)));
    char* out = static_cast<char*>(own.data());
    const auto bytes = static_cast<int64_t>(std::min(count, borrowed_) * sizeof(Real));
    model_->visit(begin_, bytes, [&](const void* read, int64_t size) {
      out = std::copy_n(static_cast<const char*>(read), size, out);
    });
    file_ = std::move(own);
    use(static_cast<Real*>(file_.data()));
    borrowed_ = 0;
    model_ = nullptr;
  }

  bool in_memory() const { return !is_borrowed() && !in_file(); }
  size_t size() const {
    if (is_borrowed()) return borrowed_;
    return in_file() ? static_cast<size_t>(file_.bytes()) / sizeof(Real) : memory_.size();
  }
  const Real* data() const { return begin_; }
  Real* data() { return own_; }  ///< NULL while they are borrowed: call make_writable first
  /// The file of borrowed rows; otherwise NULL.
  const FileContents* model() const { return model_.get(); }
  /// `count` numbers at a place: there, or in `spare`, until its next use. Error(IO) for borrowed rows.
  const Real* at(int64_t place, int64_t count, Spare& spare) const {
    return read_at(model_.get(), begin_ + place, count, spare);
  }

  /// Advises the system of the access pattern.
  void expect(Access access) const {
    if (in_file()) advise(data(), static_cast<int64_t>(size() * sizeof(Real)), access);
  }
  /// Requests `count` numbers at a place that are in a file.
  void request(int64_t place, int64_t count) const {
    const auto bytes = count * static_cast<int64_t>(sizeof(Real));
    if (in_file()) begin_to_read(begin_ + place, bytes);
    if (is_borrowed()) model_->request(begin_ + place, bytes);
  }
  /// Distance between rows of `row` numbers.
  int64_t stride(int64_t row) const { return folder_.empty() ? row : row_stride_in_file<Real>(row); }

 private:
  bool is_borrowed() const { return borrowed_ > 0; }
  bool in_file() const { return file_.data() != nullptr; }
  void use(Real* numbers) { begin_ = own_ = numbers; }

  std::string folder_;
  Array<Real> memory_;
  ScratchMemory file_;
  std::shared_ptr<const FileContents> model_;
  size_t borrowed_ = 0;          ///< numbers in model_
  const Real* begin_ = nullptr;  ///< of the rows, in any storage
  Real* own_ = nullptr;          ///< the same rows; NULL while they are borrowed
};

}  // namespace vtemper
