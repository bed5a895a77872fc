// One element at a time; portable.

#include <cstddef>

#include "registries/model_kernels.h"

namespace vtemper::kernels {
namespace {

/// A batch of one element.
template <class T>
struct Vec {
  using value_type = T;
  static constexpr std::size_t size = 1;
  T value;
  Vec() = default;
  explicit Vec(T x) : value(x) {}
};

template <class T>
inline Vec<T> operator+(Vec<T> x, Vec<T> y) {
  return Vec<T>(x.value + y.value);
}
template <class T>
inline Vec<T> operator-(Vec<T> x, Vec<T> y) {
  return Vec<T>(x.value - y.value);
}
template <class T>
inline Vec<T> operator-(Vec<T> x) {
  return Vec<T>(-x.value);
}
template <class T>
inline Vec<T> operator*(Vec<T> x, Vec<T> y) {
  return Vec<T>(x.value * y.value);
}
template <class T>
inline Vec<T> operator/(Vec<T> x, Vec<T> y) {
  return Vec<T>(x.value / y.value);
}
template <class T>
inline Vec<T> operator&(Vec<T> x, Vec<T> y) {
  return Vec<T>(x.value & y.value);
}
template <class T>
inline Vec<T> operator|(Vec<T> x, Vec<T> y) {
  return Vec<T>(x.value | y.value);
}
template <class T>
inline Vec<T> operator<<(Vec<T> x, int places) {
  return Vec<T>(x.value << places);
}
template <class T>
inline Vec<T> operator>>(Vec<T> x, int places) {
  return Vec<T>(x.value >> places);
}
template <class T>
inline bool operator<(Vec<T> x, Vec<T> y) {
  return x.value < y.value;
}
template <class T>
inline bool operator>(Vec<T> x, Vec<T> y) {
  return x.value > y.value;
}
template <class T>
inline bool operator<=(Vec<T> x, Vec<T> y) {
  return x.value <= y.value;
}
template <class T>
inline bool operator>=(Vec<T> x, Vec<T> y) {
  return x.value >= y.value;
}
template <class T>
inline bool operator==(Vec<T> x, Vec<T> y) {
  return x.value == y.value;
}

template <class Real>
constexpr Real infinity = Real(__builtin_inf());
template <class Real>
constexpr Real not_a_number = Real(__builtin_nan(""));

template <class Real>
inline Vec<Real> load(const Real* x) {
  return Vec<Real>(*x);
}
template <class Real>
inline Vec<Real> load_anywhere(const Real* x) {
  return Vec<Real>(*x);
}
template <class Real>
inline void store(Real* x, Vec<Real> value) {
  *x = value.value;
}
template <class Real>
inline void store_anywhere(Real* x, Vec<Real> value) {
  *x = value.value;
}
template <class Real>
inline Vec<Real> select(bool condition, Vec<Real> yes, Vec<Real> no) {
  return condition ? yes : no;
}
template <class Real>
inline Vec<Real> minimum(Vec<Real> x, Vec<Real> y) {
  return x < y ? x : y;
}
template <class Real>
inline Vec<Real> maximum(Vec<Real> x, Vec<Real> y) {
  return x > y ? x : y;
}
template <class Real>
inline Vec<Real> absolute(Vec<Real> x) {
  return x.value < Real(0) ? -x : x;
}
inline Vec<float> square_root(Vec<float> x) {
  return Vec<float>(__builtin_sqrtf(x.value));
}
inline Vec<double> square_root(Vec<double> x) {
  return Vec<double>(__builtin_sqrt(x.value));
}
inline bool any(bool condition) {
  return condition;
}

template <class To, class From>
inline Vec<To> same_bits(Vec<From> x) {
  Vec<To> result;
  static_assert(sizeof(result) == sizeof(x));
  __builtin_memcpy(&result.value, &x.value, sizeof(To));
  return result;
}
inline Vec<uint32_t> bits(Vec<float> x) {
  return same_bits<uint32_t>(x);
}
inline Vec<uint64_t> bits(Vec<double> x) {
  return same_bits<uint64_t>(x);
}
inline Vec<float> from_bits(Vec<uint32_t> x) {
  return same_bits<float>(x);
}
inline Vec<double> from_bits(Vec<uint64_t> x) {
  return same_bits<double>(x);
}

template <class Real>
inline Vec<Real> multiply_add(Vec<Real> x, Vec<Real> y, Vec<Real> z) {
  return x * y + z;
}

template <class Real>
inline Real first(Vec<Real> x) {
  return x.value;
}
template <class Real>
inline Real maximum_of_lanes(Vec<Real> x) {
  return x.value;
}
template <class Real>
inline Real sum(Vec<Real> x) {
  return x.value;
}

template <class Real>
inline void divide_by_sums(const Real* numerators, const Vec<Real> (&x)[8], Real* out) {
  for (int j = 0; j < 8; ++j) out[j] = numerators[j] / x[j].value;
}

inline void transpose(Vec<double> (&)[1]) {}

#include "kernels/bodies/all.inc"

constexpr InstructionSet set = set_named("scalar");

}  // namespace
}  // namespace vtemper::kernels

extern "C" const vtemper::kernels::InstructionSet* vtemper_kernels_scalar() {
  return &vtemper::kernels::set;
}
