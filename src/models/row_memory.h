#pragma once
// What rows keep from step to step, where all steps see the same rows (LocalSettings::remember).

#include <algorithm>
#include <string>

#include "storage/container.h"
#include "support/array.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// One array of numbers for all rows, twice: as the last whole step left them, and of the step under way. A step that
/// is broken off and done again has to find what it found before, so the two change places only when it is whole.
template <class Real>
class RowMemory {
 public:
  /// A local step begins that remembers `length` numbers; new ones are 0. The next ones are the last until they are
  /// written.
  void begin(size_t length) {
    under_way_ = false;
    last_.resize(length);
    next_.resize(length);
    std::copy(last_.begin(), last_.end(), next_.begin());
    under_way_ = true;
  }
  /// A local step begins that remembers nothing.
  void pause() { under_way_ = false; }
  /// The step is whole: the next numbers are the last ones now.
  void commit() {
    if (under_way_) std::swap(last_, next_);
    under_way_ = false;
  }

  size_t size() const { return last_.size(); }
  const Real* last() const { return last_.data(); }
  Real* next() { return next_.data(); }

  /// Borrowed by the writer until the container is written.
  void save(const std::string& name, ContainerWriter& writer) const {
    if (last_.empty()) return;
    writer.tensor(name, element, {static_cast<int64_t>(last_.size())}, last_.data());
  }
  /// Nothing where the container has none. Error(FORMAT) where a number does not lie in [0, most].
  void load(const std::string& name, Real most, const ContainerReader& reader) {
    if (!reader.has_tensor(name)) return;
    const Tensor& tensor = reader.tensor(name, element, 1);
    const Real* values = static_cast<const Real*>(tensor.data);
    const Real* bad = std::find_if_not(values, values + tensor.count(), [&](Real x) { return x >= 0 && x <= most; });
    if (bad != values + tensor.count()) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  sentence(reader.name(), " holds posteriors of rows with the number ", static_cast<double>(*bad),
                           " in ", name, ", which is not in [0, ", static_cast<double>(most), "]"));
    }
    last_.resize(static_cast<size_t>(tensor.count()));
    std::copy_n(values, tensor.count(), last_.begin());
  }

 private:
  static constexpr Element element = sizeof(Real) == sizeof(float) ? Element::f32 : Element::f64;

  Array<Real> last_, next_;
  bool under_way_ = false;
};

}  // namespace vtemper
