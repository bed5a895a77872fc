#pragma once
// An owning array of float or double, for parameters and moments of gradient models.

#include <cmath>
#include <cstring>
#include <type_traits>

#include "models/gradient_model.h"
#include "support/array.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

class RealStorage {
 public:
  /// `length` elements; new ones are 0.
  void resize(bool single, int64_t length) {
    single_ = single;
    if (single) {
      floats_.resize(static_cast<size_t>(length));
    } else {
      doubles_.resize(static_cast<size_t>(length));
    }
  }
  RealArray array() {
    return single_ ? RealArray{true, floats_.data(), static_cast<int64_t>(floats_.size())}
                   : RealArray{false, doubles_.data(), static_cast<int64_t>(doubles_.size())};
  }
  int64_t length() const { return static_cast<int64_t>(single_ ? floats_.size() : doubles_.size()); }
  template <class Real>
  Real* of() {
    return elements<Real>(*this);
  }
  template <class Real>
  const Real* of() const {
    return elements<Real>(*this);
  }

  /// The writer borrows the elements until the container is written.
  void save(const std::string& name, ContainerWriter& writer) const {
    if (single_) {
      writer.tensor(name, Element::f32, {length()}, floats_.data());
    } else {
      writer.tensor(name, Element::f64, {length()}, doubles_.data());
    }
  }
  /// Reads into the existing elements. Error(FORMAT) if number or type differ, or a value is not finite.
  void load(const std::string& name, const ContainerReader& reader) {
    const Tensor& tensor = reader.tensor(name, single_ ? Element::f32 : Element::f64, 1);
    if (tensor.count() != length()) {
      throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds ", tensor.count(), " elements of ", name,
                                                " where there are ", length()));
    }
    const RealArray out = array();
    const auto refuse = [&](double value) {
      throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds ", value, " in ", name));
    };
    const auto check = [&](const auto* values) {
      for (int64_t i = 0; i < length(); ++i) {
        if (!std::isfinite(values[i])) refuse(static_cast<double>(values[i]));
      }
    };
    if (single_) {
      check(static_cast<const float*>(tensor.data));
    } else {
      check(static_cast<const double*>(tensor.data));
    }
    if (length() > 0) std::memcpy(out.data, tensor.data, static_cast<size_t>(tensor.bytes()));
  }
  /// As above, and refuses negative values.
  void load_squares(const std::string& name, const ContainerReader& reader) {
    load(name, reader);
    const RealArray all = array();
    for (int64_t i = 0; i < all.length; ++i) {
      if (all.at(i) < 0) throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds a negative ", name));
    }
  }

 private:
  template <class Real, class Storage>
  static auto* elements(Storage& storage) {
    if constexpr (std::is_same_v<Real, float>) {
      return storage.floats_.data();
    } else {
      return storage.doubles_.data();
    }
  }

  bool single_ = false;
  Array<float> floats_;
  Array<double> doubles_;
};

}  // namespace vtemper
