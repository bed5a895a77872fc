#pragma once
// Storage of the topics' rows: memory; a file in the folder of option parameters_folder, for topics larger than
// memory; or, until the first step of a fit, the model file that they were loaded from. Rows in memory have
// addresses. Those in a file are read and written by calls: some of them at their places, all of them in order, a
// window at a time.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "storage/file_contents.h"
#include "storage/parameter_file.h"
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

/// A number that no rows had before: copies of rows are those of the rows with the same number.
inline int64_t next_revision() {
  static std::atomic<int64_t> revision{0};
  return revision.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// Functions that read rows in a file throw Error(IO) if it cannot be read, or if the rows are lost.
template <class Real>
class TopicRows {
 public:
  /// In memory if the folder is "".
  explicit TopicRows(std::string folder) : folder_(std::move(folder)) {}
  /// Copies the rows to the same kind of storage; those in a model file are shared. Error(IO).
  TopicRows(const TopicRows& other) : folder_(other.folder_), revision_(other.revision_) {
    if (other.is_borrowed()) {
      borrow(other.borrowed_, other.borrowed_count_, other.model_);
    } else if (other.file_) {
      other.require_kept();
      file_ = std::make_unique<ParameterFile>(folder_, other.file_->bytes());
      window_.reserve(other.window_.capacity());
      int64_t place = 0;
      other.file_->visit(other.file_->bytes(), [&](const void* bytes, int64_t size) {
        file_->write(place, bytes, size);
        place += size;
      });
    } else {
      memory_ = other.memory_;
      begin_ = memory_.data();
    }
  }
  TopicRows& operator=(const TopicRows&) = delete;

  /// Reserves memory for rows at a distance of `stride` numbers; in a file they exist at once, as zeros. Error(IO).
  void make_room(int64_t rows, int64_t stride) {
    if (folder_.empty()) {
      reserve_large(memory_, static_cast<size_t>(rows * stride));
      begin_ = memory_.data();
    } else {
      file_ = std::make_unique<ParameterFile>(folder_, rows * stride * number_size);
      make_window(stride);
    }
    revision_ = next_revision();
  }
  /// Extends to `count` numbers within the reserved memory; new ones are zero.
  void extend(size_t count) {
    if (begin_ != nullptr && count > memory_.size()) memory_.resize(count);
  }

  /// Uses the numbers of a model file until they are modified. The file stays open.
  void borrow(const Real* numbers, size_t count, std::shared_ptr<const FileContents> model) {
    borrowed_ = numbers;
    borrowed_count_ = count;
    model_ = std::move(model);
    revision_ = next_revision();
  }
  bool may_borrow() const { return !folder_.empty(); }  ///< otherwise numbers are copied
  /// Replaces borrowed rows by a copy in a file with room for `rows` rows at a distance of up to `stride` numbers.
  /// Nothing changes on Error(IO, STATE).
  void make_writable(int64_t rows, int64_t stride) {
    if (file_ && !file_->is_ours()) {
      throw Error(VTEMPER_ERROR_STATE,
                  "the topics are in a file (option parameters_folder) that this process shares with the one that "
                  "forked it, so only that process can change them");
    }
    require_kept();
    if (file_) {
      file_->require_writable();
      try {
        file_->require_written();
      } catch (...) {
        lose();
        refuse_lost();
      }
    }
    if (!is_borrowed()) return;
    auto own = std::make_unique<ParameterFile>(folder_, rows * stride * number_size);
    const int64_t bytes = std::min(own->bytes(), static_cast<int64_t>(borrowed_count_) * number_size);
    int64_t place = 0;
    model_->visit(borrowed_, bytes, [&](const void* read, int64_t size) {
      own->write(place, read, size);
      place += size;
    });
    make_window(stride);
    file_ = std::move(own);
    borrowed_ = nullptr;
    borrowed_count_ = 0;
    model_ = nullptr;
  }

  bool in_memory() const { return begin_ != nullptr; }
  /// The rows, if they are in memory.
  const Real* data() const { return begin_; }
  Real* data() { return begin_; }
  /// Where a writer finds them otherwise: at an address in a model file, or from the beginning of a file.
  const Real* borrowed() const { return borrowed_; }
  const FileContents* model() const { return model_.get(); }
  const ParameterFile* file() const { return file_.get(); }

  /// `count` numbers at a place: there, or in `spare`, until its next use.
  const Real* at(int64_t place, int64_t count, Spare& spare) const {
    return begin_ != nullptr ? begin_ + place : fetch(place, count, spare);
  }

  // ---- Rows at places in a file ----
  /// Must precede the functions below, once for calls that follow each other directly.
  void require_readable() const {
    require_kept();
    if (file_) file_->require_open();
  }
  void read(int64_t place, int64_t count, Real* out) const {
    if (file_) return file_->read(place * number_size, out, count * number_size);
    model_->read(borrowed_ + place, count * number_size, out);
  }
  /// Reads what takes no waiting for the disk; otherwise returns false.
  bool read_without_waiting(int64_t place, int64_t count, Real* out) const {
    if (file_) return file_->read_without_waiting(place * number_size, out, count * number_size);
    if (!model_->is_in_memory()) return false;
    read(place, count, out);
    return true;
  }
  /// Announces that `count` numbers at a place are about to be read.
  void request(int64_t place, int64_t count) const {
    if (file_) file_->request(place * number_size, count * number_size);
    if (is_borrowed()) model_->request(borrowed_ + place, count * number_size);
  }
  void require_writable() const {
    require_kept();
    file_->require_writable();
  }
  void write(int64_t place, int64_t count, const Real* numbers) {
    file_->write(place * number_size, numbers, count * number_size);
  }

  // ---- All rows ----
  /// Calls visit(i, row) for all rows in order.
  template <class Visit>
  void visit(int64_t rows, int64_t stride, const Visit& visit) const {
    Array<Real> window;
    if (begin_ == nullptr) window.reserve(static_cast<size_t>(rows_of_window(stride) * stride));
    visit_through(window, rows, stride, visit);
  }
  /// As above, without allocating memory.
  template <class Visit>
  void visit_own(int64_t rows, int64_t stride, const Visit& visit) {
    visit_through(window_, rows, stride, visit);
  }
  /// Calls move(i, from, to) for all rows, whose distance changes, in an order in which none overwrites another one
  /// that has not moved; `to` must be written completely. `keeps`: false if `from` is not read. If this fails, some
  /// rows have moved and others have not: see lose.
  template <class Move>
  void move(int64_t rows, int64_t before, int64_t after, bool keeps, const Move& move) {
    revision_ = next_revision();
    const bool forwards = after <= before;
    const int64_t most = begin_ != nullptr ? rows : rows_of_window(std::max(before, after));
    if (begin_ == nullptr) window_.resize(static_cast<size_t>(most * std::max(before, after)));
    for (int64_t done = 0; done < rows;) {
      const int64_t count = std::min(most, rows - done);
      const int64_t first = forwards ? done : rows - done - count;
      Real* const numbers = begin_ != nullptr ? begin_ : window_.data();
      if (begin_ == nullptr && keeps) {
        const int64_t next = forwards ? first + count : first - most;
        if (next >= 0) request(next * before, most * before);
        require_readable();
        read(first * before, count * before, numbers);
      }
      for (int64_t j = 0; j < count; ++j) {
        const int64_t i = forwards ? j : count - 1 - j;
        move(first + i, static_cast<const Real*>(numbers + i * before), numbers + i * after);
      }
      if (begin_ == nullptr) {
        require_writable();
        write(first * after, count * after, numbers);
      }
      done += count;
    }
  }

  /// Notes that the rows were left half changed, because of the exception that is being handled. From now on they
  /// can neither be read nor changed.
  void lose() noexcept {
    if (!lost_) lost_ = std::current_exception();
  }
  /// Error(IO) with the reason if the rows are lost.
  void require_kept() const {
    if (lost_) refuse_lost();
  }
  /// As above, and that the disk has what was written to the file: before they are saved.
  void require_written() const {
    require_kept();
    if (file_) file_->require_written();
  }
  /// Changes whenever rows do.
  int64_t revision() const { return revision_; }
  void set_changed() { revision_ = next_revision(); }
  /// Distance between rows of `row` numbers.
  int64_t stride(int64_t row) const { return folder_.empty() ? row : row_stride_in_file<Real>(row); }

 private:
  static constexpr int64_t number_size = static_cast<int64_t>(sizeof(Real));
  static constexpr int64_t window_size = (int64_t{1} << 20) / number_size;

  bool is_borrowed() const { return borrowed_ != nullptr; }
  static int64_t rows_of_window(int64_t stride) { return std::max<int64_t>(1, window_size / stride); }
  void make_window(int64_t stride) { window_.reserve(static_cast<size_t>(std::max(window_size, stride))); }

  const Real* fetch(int64_t place, int64_t count, Spare& spare) const {
    require_readable();
    if (is_borrowed()) return model_->at(borrowed_ + place, count, spare);
    const Spare::Source source = {file_.get(), count * number_size, place, revision_};
    if (!spare.holds(source)) {
      read(place, count, static_cast<Real*>(spare.room(source.bytes)));
      spare.hold(source);
    }
    return static_cast<const Real*>(spare.held());
  }

  template <class Visit>
  void visit_through(Array<Real>& window, int64_t rows, int64_t stride, const Visit& visit) const {
    if (begin_ != nullptr) {
      for (int64_t i = 0; i < rows; ++i) visit(i, static_cast<const Real*>(begin_ + i * stride));
      return;
    }
    const int64_t most = rows_of_window(stride);
    window.resize(static_cast<size_t>(most * stride));
    for (int64_t first = 0; first < rows; first += most) {
      const int64_t count = std::min(most, rows - first), next = first + count;
      if (next < rows) request(next * stride, std::min(most, rows - next) * stride);
      require_readable();
      read(first * stride, count * stride, window.data());
      for (int64_t i = 0; i < count; ++i) visit(first + i, static_cast<const Real*>(window.data() + i * stride));
    }
  }

  [[noreturn]] void refuse_lost() const {
    std::string reason = "the step failed";
    try {
      std::rethrow_exception(lost_);
    } catch (const std::exception& error) {
      reason = error.what();
    }
    throw Error(VTEMPER_ERROR_IO, message(reason, "; the topics in this file (option parameters_folder) were being ",
                                          "changed and are lost, and the fit can go on from its last checkpoint"));
  }

  std::string folder_;
  Array<Real> memory_;
  Real* begin_ = nullptr;  ///< the rows in memory; NULL: in a file
  std::unique_ptr<ParameterFile> file_;
  Array<Real> window_;  ///< room for rows in a file, so that changing them allocates nothing
  std::shared_ptr<const FileContents> model_;
  const Real* borrowed_ = nullptr;  ///< address in model_
  size_t borrowed_count_ = 0;       ///< numbers there
  std::exception_ptr lost_;
  int64_t revision_ = 0;
};

}  // namespace vtemper
