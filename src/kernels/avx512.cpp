// AVX-512 (F, BW, DQ, VL, CD).

#include <xsimd/xsimd.hpp>

#include "registries/model_kernels.h"

namespace vtemper::kernels {
namespace {

using Architecture = xsimd::avx512bw;
#include "kernels/bodies/xsimd_batches.inc"

inline Vec<float> multiply_add(Vec<float> x, Vec<float> y, Vec<float> z) {
  return _mm512_fmadd_ps(x, y, z);
}
inline Vec<double> multiply_add(Vec<double> x, Vec<double> y, Vec<double> z) {
  return _mm512_fmadd_pd(x, y, z);
}

inline float sum(Vec<float> x) {
  return _mm512_reduce_add_ps(x);
}
inline double sum(Vec<double> x) {
  return _mm512_reduce_add_pd(x);
}

/// Adds the two 128-bit parts of each pair; x's results come first.
inline __m512 add_pairs_of_parts(__m512 x, __m512 y) {
  return _mm512_add_ps(_mm512_shuffle_f32x4(x, y, 0x88), _mm512_shuffle_f32x4(x, y, 0xdd));
}
inline __m512d add_pairs_of_parts(__m512d x, __m512d y) {
  return _mm512_add_pd(_mm512_shuffle_f64x2(x, y, 0x88), _mm512_shuffle_f64x2(x, y, 0xdd));
}

/// Sums of each of four batches, separately for each 128-bit part.
inline __m512 add_in_parts(const Vec<float>* x) {
  const __m512 two = _mm512_add_ps(_mm512_unpacklo_ps(x[0], x[1]), _mm512_unpackhi_ps(x[0], x[1]));
  const __m512 more = _mm512_add_ps(_mm512_unpacklo_ps(x[2], x[3]), _mm512_unpackhi_ps(x[2], x[3]));
  return _mm512_add_ps(_mm512_shuffle_ps(two, more, 0x44), _mm512_shuffle_ps(two, more, 0xee));
}
inline __m512d add_in_parts(Vec<double> x, Vec<double> y) {
  return _mm512_add_pd(_mm512_unpacklo_pd(x, y), _mm512_unpackhi_pd(x, y));
}

/// Lane sums of eight batches.
inline __m256 sums_of(const Vec<float> (&x)[8]) {
  const __m512 halves = add_pairs_of_parts(add_in_parts(x), add_in_parts(x + 4));
  return _mm512_castps512_ps256(add_pairs_of_parts(halves, halves));
}
inline __m512d sums_of(const Vec<double> (&x)[8]) {
  const __m512d four = add_pairs_of_parts(add_in_parts(x[0], x[1]), add_in_parts(x[2], x[3]));
  const __m512d more = add_pairs_of_parts(add_in_parts(x[4], x[5]), add_in_parts(x[6], x[7]));
  return add_pairs_of_parts(four, more);
}

/// out_j = numerators_j / sum of the lanes of x_j
inline void divide_by_sums(const float* numerators, const Vec<float> (&x)[8], float* out) {
  _mm256_storeu_ps(out, _mm256_div_ps(_mm256_loadu_ps(numerators), sums_of(x)));
}
inline void divide_by_sums(const double* numerators, const Vec<double> (&x)[8], double* out) {
  _mm512_storeu_pd(out, _mm512_div_pd(_mm512_loadu_pd(numerators), sums_of(x)));
}

/// As above, for the first `count` < 8.
inline void divide_by_some_sums(const float* numerators, const Vec<float> (&x)[8], int count, float* out) {
  const __mmask8 some = static_cast<__mmask8>((1 << count) - 1);
  _mm256_mask_storeu_ps(out, some, _mm256_div_ps(_mm256_maskz_loadu_ps(some, numerators), sums_of(x)));
}
inline void divide_by_some_sums(const double* numerators, const Vec<double> (&x)[8], int count, double* out) {
  const __mmask8 some = static_cast<__mmask8>((1 << count) - 1);
  _mm512_mask_storeu_pd(out, some, _mm512_div_pd(_mm512_maskz_loadu_pd(some, numerators), sums_of(x)));
}

/// Transposes: element j of batch i becomes element i of batch j.
inline void transpose(Vec<double> (&x)[8]) {
  __m512d even[4], odd[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    even[i] = _mm512_unpacklo_pd(x[2 * i], x[2 * i + 1]);
    odd[i] = _mm512_unpackhi_pd(x[2 * i], x[2 * i + 1]);
  }
  const auto parts = [&x](const __m512d(&pairs)[4], int first) {
    const __m512d low = _mm512_shuffle_f64x2(pairs[0], pairs[1], 0x88);
    const __m512d low_more = _mm512_shuffle_f64x2(pairs[2], pairs[3], 0x88);
    const __m512d high = _mm512_shuffle_f64x2(pairs[0], pairs[1], 0xdd);
    const __m512d high_more = _mm512_shuffle_f64x2(pairs[2], pairs[3], 0xdd);
    x[first] = _mm512_shuffle_f64x2(low, low_more, 0x88);
    x[first + 2] = _mm512_shuffle_f64x2(high, high_more, 0x88);
    x[first + 4] = _mm512_shuffle_f64x2(low, low_more, 0xdd);
    x[first + 6] = _mm512_shuffle_f64x2(high, high_more, 0xdd);
  };
  parts(even, 0);
  parts(odd, 1);
}

#include "kernels/bodies/all.inc"

constexpr InstructionSet set = set_named("avx512");

}  // namespace
}  // namespace vtemper::kernels

extern "C" const vtemper::kernels::InstructionSet* vtemper_kernels_avx512() {
  return &vtemper::kernels::set;
}
