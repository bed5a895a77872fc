// One element at a time; portable.

#include <cstddef>

#include "registries/model_kernels.h"

namespace vtemper::kernels {
namespace {

/// A batch of one element.
template <class T>
struct Batch {
  using value_type = T;
  static constexpr std::size_t size = 1;
  T value;
  Batch() = default;
  explicit Batch(T x) : value(x) {}
};

template <class T>
inline Batch<T> operator+(Batch<T> x, Batch<T> y) {
  return Batch<T>(x.value + y.value);
}
template <class T>
inline Batch<T> operator-(Batch<T> x, Batch<T> y) {
  return Batch<T>(x.value - y.value);
}
template <class T>
inline Batch<T> operator-(Batch<T> x) {
  return Batch<T>(-x.value);
}
template <class T>
inline Batch<T> operator*(Batch<T> x, Batch<T> y) {
  return Batch<T>(x.value * y.value);
}
template <class T>
inline Batch<T> operator/(Batch<T> x, Batch<T> y) {
  return Batch<T>(x.value / y.value);
}
template <class T>
inline Batch<T> operator&(Batch<T> x, Batch<T> y) {
  return Batch<T>(x.value & y.value);
}
template <class T>
inline Batch<T> operator|(Batch<T> x, Batch<T> y) {
  return Batch<T>(x.value | y.value);
}
template <class T>
inline Batch<T> operator<<(Batch<T> x, int places) {
  return Batch<T>(x.value << places);
}
template <class T>
inline Batch<T> operator>>(Batch<T> x, int places) {
  return Batch<T>(x.value >> places);
}
template <class T>
inline bool operator<(Batch<T> x, Batch<T> y) {
  return x.value < y.value;
}
template <class T>
inline bool operator>(Batch<T> x, Batch<T> y) {
  return x.value > y.value;
}
template <class T>
inline bool operator<=(Batch<T> x, Batch<T> y) {
  return x.value <= y.value;
}
template <class T>
inline bool operator>=(Batch<T> x, Batch<T> y) {
  return x.value >= y.value;
}
template <class T>
inline bool operator==(Batch<T> x, Batch<T> y) {
  return x.value == y.value;
}

template <class Real>
constexpr Real infinity = Real(__builtin_inf());
template <class Real>
constexpr Real not_a_number = Real(__builtin_nan(""));

template <class Real>
inline Batch<Real> load(const Real* x) {
  return Batch<Real>(*x);
}
template <class Real>
inline Batch<Real> load_anywhere(const Real* x) {
  return Batch<Real>(*x);
}
template <class Real>
inline void store(Real* x, Batch<Real> value) {
  *x = value.value;
}
template <class Real>
inline void store_anywhere(Real* x, Batch<Real> value) {
  *x = value.value;
}
template <class Real>
inline Batch<Real> select(bool condition, Batch<Real> yes, Batch<Real> no) {
  return condition ? yes : no;
}
template <class Real>
inline Batch<Real> minimum(Batch<Real> x, Batch<Real> y) {
  return x < y ? x : y;
}
template <class Real>
inline Batch<Real> maximum(Batch<Real> x, Batch<Real> y) {
  return x > y ? x : y;
}
template <class Real>
inline Batch<Real> absolute(Batch<Real> x) {
  return x.value < Real(0) ? -x : x;
}
inline Batch<float> square_root(Batch<float> x) {
  return Batch<float>(__builtin_sqrtf(x.value));
}
inline Batch<double> square_root(Batch<double> x) {
  return Batch<double>(__builtin_sqrt(x.value));
}
inline bool any(bool condition) {
  return condition;
}

template <class To, class From>
inline Batch<To> same_bits(Batch<From> x) {
  Batch<To> result;
  static_assert(sizeof(result) == sizeof(x));
  __builtin_memcpy(&result.value, &x.value, sizeof(To));
  return result;
}
inline Batch<uint32_t> bits(Batch<float> x) {
  return same_bits<uint32_t>(x);
}
inline Batch<uint64_t> bits(Batch<double> x) {
  return same_bits<uint64_t>(x);
}
inline Batch<float> from_bits(Batch<uint32_t> x) {
  return same_bits<float>(x);
}
inline Batch<double> from_bits(Batch<uint64_t> x) {
  return same_bits<double>(x);
}

template <class Real>
inline Batch<Real> multiply_add(Batch<Real> x, Batch<Real> y, Batch<Real> z) {
  return x * y + z;
}

template <class Real>
inline Real first(Batch<Real> x) {
  return x.value;
}
template <class Real>
inline Real maximum_of_lanes(Batch<Real> x) {
  return x.value;
}
template <class Real>
inline Real sum(Batch<Real> x) {
  return x.value;
}

template <class Real>
inline void divide_by_sums(const Real* numerators, const Batch<Real> (&x)[8], Real* out) {
  for (int j = 0; j < 8; ++j) out[j] = numerators[j] / x[j].value;
}

inline void transpose(Batch<double> (&)[1]) {}

#include "kernels/bodies/all.inc"

constexpr InstructionSet set = set_named("scalar");

}  // namespace
}  // namespace vtemper::kernels

extern "C" const vtemper::kernels::InstructionSet* vtemper_kernels_scalar() {
  return &vtemper::kernels::set;
}
