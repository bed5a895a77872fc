#pragma once
// Per-row state kept between steps, when all steps use the same rows (LocalSettings::remember).

#include <algorithm>
#include <string>

#include "storage/real_element.h"
#include "support/array.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// A double buffer of numbers for all rows: the state after the last complete step, and that of the step in progress.
/// An interrupted step that is repeated must find the state it started from, so the buffers are swapped only when the
/// step is complete.
template <class Real>
class RowMemory {
 public:
  /// Starts a local step that remembers `length` numbers; new ones are 0. next() equals last() until it is written.
  void begin(size_t length) {
    under_way_ = false;
    last_.resize(length);
    next_.resize(length);
    std::copy(last_.begin(), last_.end(), next_.begin());
    under_way_ = true;
  }
  /// Starts a local step that remembers nothing.
  void pause() { under_way_ = false; }
  /// All numbers are new again.
  void forget() noexcept {
    last_.resize(0);
    next_.resize(0);
    under_way_ = false;
  }
  /// Completes the step: next() becomes last().
  void commit() {
    if (under_way_) std::swap(last_, next_);
    under_way_ = false;
  }

  size_t size() const { return last_.size(); }
  const Real* last() const { return last_.data(); }
  Real* next() { return next_.data(); }

  /// The writer borrows the numbers until the container is written.
  void save(const std::string& name, ContainerWriter& writer) const {
    if (last_.empty()) return;
    writer.tensor(name, element, {static_cast<int64_t>(last_.size())}, last_.data());
  }
  /// Does nothing if the container has no such array. Error(FORMAT) if a number is outside [0, most].
  void load(const std::string& name, Real most, const ContainerReader& reader) {
    if (!reader.has_tensor(name)) return;
    const Tensor& tensor = reader.tensor(name, element, 1);
    const Real* values = static_cast<const Real*>(tensor.data);
    const Real* bad = std::find_if_not(values, values + tensor.count(), [&](Real x) { return x >= 0 && x <= most; });
    if (bad != values + tensor.count()) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  message(reader.name(), " holds posteriors of rows with the number ", static_cast<double>(*bad),
                          " in ", name, ", which is not in [0, ", static_cast<double>(most), "]"));
    }
    last_.resize(static_cast<size_t>(tensor.count()));
    std::copy_n(values, tensor.count(), last_.begin());
  }

 private:
  static constexpr Element element = real_element<Real>;

  Array<Real> last_, next_;
  bool under_way_ = false;
};

}  // namespace vtemper
