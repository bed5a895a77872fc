// AVX2 with FMA.

#include <xsimd/xsimd.hpp>

#include "registries/model_kernels.h"

namespace vtemper::kernels {
namespace {

using Architecture = xsimd::fma3<xsimd::avx2>;
#include "kernels/bodies/xsimd_batches.inc"

inline Vec<float> multiply_add(Vec<float> x, Vec<float> y, Vec<float> z) {
  return _mm256_fmadd_ps(x, y, z);
}
inline Vec<double> multiply_add(Vec<double> x, Vec<double> y, Vec<double> z) {
  return _mm256_fmadd_pd(x, y, z);
}

inline float sum(Vec<float> x) {
  const __m128 two = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 one = _mm_add_ps(two, _mm_movehl_ps(two, two));
  return _mm_cvtss_f32(_mm_add_ss(one, _mm_movehdup_ps(one)));
}
inline double sum(Vec<double> x) {
  const __m128d one = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return _mm_cvtsd_f64(_mm_add_sd(one, _mm_unpackhi_pd(one, one)));
}

/// Sums of each of four batches, separately for the two 128-bit halves.
inline __m256 add_in_halves(const Vec<float>* x) {
  const __m256 two = _mm256_add_ps(_mm256_unpacklo_ps(x[0], x[1]), _mm256_unpackhi_ps(x[0], x[1]));
  const __m256 more = _mm256_add_ps(_mm256_unpacklo_ps(x[2], x[3]), _mm256_unpackhi_ps(x[2], x[3]));
  return _mm256_add_ps(_mm256_shuffle_ps(two, more, 0x44), _mm256_shuffle_ps(two, more, 0xee));
}
inline __m256d add_in_halves(Vec<double> x, Vec<double> y) {
  return _mm256_add_pd(_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
}

/// Adds the two halves of x and of y; x's result comes first.
inline __m256 add_halves(__m256 x, __m256 y) {
  return _mm256_add_ps(_mm256_permute2f128_ps(x, y, 0x20), _mm256_permute2f128_ps(x, y, 0x31));
}
inline __m256d add_halves(__m256d x, __m256d y) {
  return _mm256_add_pd(_mm256_permute2f128_pd(x, y, 0x20), _mm256_permute2f128_pd(x, y, 0x31));
}

/// Lane sums of eight batches.
inline __m256 sums_of_eight(const Vec<float>* x) {
  return add_halves(add_in_halves(x), add_in_halves(x + 4));
}
inline __m256d sums_of_four(const Vec<double>* x) {
  return add_halves(add_in_halves(x[0], x[1]), add_in_halves(x[2], x[3]));
}

/// out_j = numerators_j / sum of the lanes of x_j
inline void divide_by_sums(const float* numerators, const Vec<float> (&x)[8], float* out) {
  _mm256_storeu_ps(out, _mm256_div_ps(_mm256_loadu_ps(numerators), sums_of_eight(x)));
}
inline void divide_by_sums(const double* numerators, const Vec<double> (&x)[8], double* out) {
  for (int j = 0; j < 8; j += 4) {
    _mm256_storeu_pd(out + j, _mm256_div_pd(_mm256_loadu_pd(numerators + j), sums_of_four(x + j)));
  }
}

/// As above, for the first `count` < 8.
inline void divide_by_some_sums(const float* numerators, const Vec<float> (&x)[8], int count, float* out) {
  static constexpr int32_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(masks + 8 - count));
  _mm256_maskstore_ps(out, some, _mm256_div_ps(_mm256_maskload_ps(numerators, some), sums_of_eight(x)));
}
inline void divide_by_some_sums(const double* numerators, const Vec<double> (&x)[8], int count, double* out) {
  static constexpr int64_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  for (int j = 0; j < 8; j += 4) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(masks + 8 - count + j));
    _mm256_maskstore_pd(out + j, some, _mm256_div_pd(_mm256_maskload_pd(numerators + j, some), sums_of_four(x + j)));
  }
}

/// Transposes: element j of batch i becomes element i of batch j.
inline void transpose(Vec<double> (&x)[4]) {
  const __m256d even[2] = {_mm256_unpacklo_pd(x[0], x[1]), _mm256_unpacklo_pd(x[2], x[3])};
  const __m256d odd[2] = {_mm256_unpackhi_pd(x[0], x[1]), _mm256_unpackhi_pd(x[2], x[3])};
  x[0] = _mm256_permute2f128_pd(even[0], even[1], 0x20);
  x[1] = _mm256_permute2f128_pd(odd[0], odd[1], 0x20);
  x[2] = _mm256_permute2f128_pd(even[0], even[1], 0x31);
  x[3] = _mm256_permute2f128_pd(odd[0], odd[1], 0x31);
}

#include "kernels/bodies/all.inc"

constexpr InstructionSet set = set_named("avx2");

}  // namespace
}  // namespace vtemper::kernels

extern "C" const vtemper::kernels::InstructionSet* vtemper_kernels_avx2() {
  return &vtemper::kernels::set;
}
