#pragma once
// An append-only array for readers: in memory, or in a scratch file except for its end.

#include <algorithm>
#include <memory>

#include "data/buffer.h"
#include "storage/atomic_file.h"
#include "storage/scratch_file.h"

namespace vtemper {

template <class T>
class GrowingArray {
 public:
  /// `scratch` NULL: in memory.
  explicit GrowingArray(const ScratchFolder* scratch = nullptr) : scratch_(scratch) {}

  void push(T value) {
    if (memory_.is_full()) make_room();
    memory_.push(value);
  }
  int64_t size() const { return first_ + memory_.size(); }

  /// Only elements from this position on are accessed individually; by default none.
  void look_back_to(int64_t element) { looked_at_ = element; }
  const T& operator[](int64_t i) const { return memory_[i - first_]; }
  const T* from(int64_t i) const { return memory_.data() + (i - first_); }

  /// Calls visit(elements, count) for consecutive blocks.
  template <class Visit>
  void visit(const Visit& visit) const {
    constexpr int64_t width = sizeof(T);
    if (file_) {
      file_->visit([&](const void* bytes, int64_t size) { visit(static_cast<const T*>(bytes), size / width); });
    }
    if (memory_.size() > 0) visit(memory_.data(), memory_.size());
  }

  /// Replaces every element by function(element).
  template <class Function>
  void transform(const Function& function) {
    if (file_) {
      GrowingArray changed(scratch_);
      visit([&](const T* elements, int64_t count) {
        for (int64_t i = 0; i < count; ++i) changed.push(function(elements[i]));
      });
      *this = std::move(changed);
      return;
    }
    for (int64_t i = 0; i < memory_.size(); ++i) memory_[i] = function(memory_[i]);
  }

  /// Moves the array to memory; all elements can be accessed afterwards.
  void bring_to_memory() {
    scratch_ = nullptr;
    if (file_) transform([](T value) { return value; });
  }

  /// Releases the elements of an array in memory.
  Buffer<T> take() {
    memory_.shrink();
    return std::move(memory_);
  }

  /// The elements for the writer, in memory or in the file; nothing may be added afterwards.
  Piece bytes() {
    constexpr int64_t width = sizeof(T);
    if (file_ && memory_.size() > 0) {
      file_->append(memory_.data(), memory_.size() * width);
      first_ += memory_.size();
      memory_ = Buffer<T>();
    }
    return file_ ? Piece{nullptr, file_->size(), file_.get()} : Piece{memory_.data(), memory_.size() * width};
  }

 private:
  /// Writes the elements before the position set by look_back_to to the file.
  void make_room() {
    constexpr int64_t least = 1 << 15;
    if (scratch_ == nullptr || memory_.size() < least) return;
    const int64_t done = std::min(looked_at_ - first_, memory_.size());
    if (done <= 0) return;
    if (!file_) file_ = std::make_unique<ScratchFile>(*scratch_);
    file_->append(memory_.data(), done * static_cast<int64_t>(sizeof(T)));
    memory_.drop_front(done);
    first_ += done;
  }

  const ScratchFolder* scratch_;
  Buffer<T> memory_;  ///< from the element first_ on
  std::unique_ptr<ScratchFile> file_;
  int64_t first_ = 0;
  int64_t looked_at_ = INT64_MAX;
};

}  // namespace vtemper
