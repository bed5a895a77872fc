// NEON for AArch64.

#include <xsimd/xsimd.hpp>

#include "registries/model_kernels.h"

namespace vtemper::kernels {
namespace {

using Architecture = xsimd::neon64;
#include "kernels/bodies/xsimd_batches.inc"

inline Vec<float> multiply_add(Vec<float> x, Vec<float> y, Vec<float> z) {
  return vfmaq_f32(z, x, y);
}
inline Vec<double> multiply_add(Vec<double> x, Vec<double> y, Vec<double> z) {
  return vfmaq_f64(z, x, y);
}

inline float sum(Vec<float> x) {
  return vaddvq_f32(x);
}
inline double sum(Vec<double> x) {
  return vaddvq_f64(x);
}

inline void divide_by_sums(const float* numerators, const Vec<float> (&x)[8], float* out) {
  for (int j = 0; j < 8; j += 4) {
    const float32x4_t sums = vpaddq_f32(vpaddq_f32(x[j], x[j + 1]), vpaddq_f32(x[j + 2], x[j + 3]));
    vst1q_f32(out + j, vdivq_f32(vld1q_f32(numerators + j), sums));
  }
}
inline void divide_by_sums(const double* numerators, const Vec<double> (&x)[8], double* out) {
  for (int j = 0; j < 8; j += 2) {
    vst1q_f64(out + j, vdivq_f64(vld1q_f64(numerators + j), vpaddq_f64(x[j], x[j + 1])));
  }
}

/// Transposes: element j of batch i becomes element i of batch j.
inline void transpose(Vec<double> (&x)[2]) {
  const float64x2_t low = vzip1q_f64(x[0], x[1]);
  x[1] = vzip2q_f64(x[0], x[1]);
  x[0] = low;
}

#include "kernels/bodies/all.inc"

constexpr InstructionSet set = set_named("neon");

}  // namespace
}  // namespace vtemper::kernels

extern "C" const vtemper::kernels::InstructionSet* vtemper_kernels_neon() {
  return &vtemper::kernels::set;
}
