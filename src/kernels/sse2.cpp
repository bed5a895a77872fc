// SSE2, the baseline of x86-64. No fused multiply-add.

#include <xsimd/xsimd.hpp>

#include "registries/model_kernels.h"

namespace vtemper::kernels {
namespace {

using Architecture = xsimd::sse2;
#include "kernels/bodies/xsimd_batches.inc"

template <class Real>
inline Vec<Real> multiply_add(Vec<Real> x, Vec<Real> y, Vec<Real> z) {
  return x * y + z;
}

inline float sum(Vec<float> x) {
  const __m128 one = _mm_add_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_add_ss(one, _mm_shuffle_ps(one, one, 1)));
}
inline double sum(Vec<double> x) {
  return _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)));
}

inline __m128 sums_of_four(const Vec<float>* x) {
  const __m128 two = _mm_add_ps(_mm_unpacklo_ps(x[0], x[1]), _mm_unpackhi_ps(x[0], x[1]));
  const __m128 more = _mm_add_ps(_mm_unpacklo_ps(x[2], x[3]), _mm_unpackhi_ps(x[2], x[3]));
  return _mm_add_ps(_mm_movelh_ps(two, more), _mm_movehl_ps(more, two));
}

inline void divide_by_sums(const float* numerators, const Vec<float> (&x)[8], float* out) {
  for (int j = 0; j < 8; j += 4) {
    _mm_storeu_ps(out + j, _mm_div_ps(_mm_loadu_ps(numerators + j), sums_of_four(x + j)));
  }
}
inline void divide_by_sums(const double* numerators, const Vec<double> (&x)[8], double* out) {
  for (int j = 0; j < 8; j += 2) {
    const __m128d sums = _mm_add_pd(_mm_unpacklo_pd(x[j], x[j + 1]), _mm_unpackhi_pd(x[j], x[j + 1]));
    _mm_storeu_pd(out + j, _mm_div_pd(_mm_loadu_pd(numerators + j), sums));
  }
}

/// Transposes: element j of batch i becomes element i of batch j.
inline void transpose(Vec<double> (&x)[2]) {
  const __m128d low = _mm_unpacklo_pd(x[0], x[1]);
  x[1] = _mm_unpackhi_pd(x[0], x[1]);
  x[0] = low;
}

#include "kernels/bodies/all.inc"

constexpr InstructionSet set = set_named("sse2");

}  // namespace
}  // namespace vtemper::kernels

extern "C" const vtemper::kernels::InstructionSet* vtemper_kernels_sse2() {
  return &vtemper::kernels::set;
}
