// Box and Muller 1958: sqrt(-2 log u) times cosine and sine of a uniform angle. The angle is drawn from the quarter
// circle around 0, where the Taylor series are short, and turned by a random multiple of 90 degrees.

#include "models/normal_draws.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"

namespace vtemper {

namespace {

constexpr int64_t pairs_at_once = 64;

template <class Real>
struct Angle {
  Real cosine, sine;
};

/// Of `x` within pi / 4 of 0, to 1e-16.
template <class Real>
inline Angle<Real> angle(Real x) {
  const Real y = x * x;
  Real sine = Real(-1.0 / 1307674368000);
  sine = sine * y + Real(1.0 / 6227020800);
  sine = sine * y - Real(1.0 / 39916800);
  sine = sine * y + Real(1.0 / 362880);
  sine = sine * y - Real(1.0 / 5040);
  sine = sine * y + Real(1.0 / 120);
  sine = sine * y - Real(1.0 / 6);
  Real cosine = Real(1.0 / 20922789888000);
  cosine = cosine * y - Real(1.0 / 87178291200);
  cosine = cosine * y + Real(1.0 / 479001600);
  cosine = cosine * y - Real(1.0 / 3628800);
  cosine = cosine * y + Real(1.0 / 40320);
  cosine = cosine * y - Real(1.0 / 720);
  cosine = cosine * y + Real(1.0 / 24);
  cosine = cosine * y - Real(1.0 / 2);
  return {cosine * y + 1, sine * y * x + x};
}

}  // namespace

template <class Real>
void draw_normals(RandomStream& random, int64_t count, Real* out) {
  const auto& table = kernels::table<Real>(kernels::instruction_set());
  constexpr Real unit = Real(0x1p-32);
  constexpr Real half_pi = Real(1.5707963267948966);
  uint32_t lengths[pairs_at_once], angles[pairs_at_once];
  alignas(64) Real radius[pairs_at_once];
  alignas(64) Real pairs[2 * pairs_at_once];
  for (int64_t done = 0; done < count; done += 2 * pairs_at_once) {
    const int64_t wanted = std::min(count - done, 2 * pairs_at_once);
    const int64_t half = (wanted + 1) / 2;
    for (int64_t i = 0; i < half; ++i) {
      lengths[i] = random.bits();
      angles[i] = random.bits();
    }
    for (int64_t i = 0; i < half; ++i) radius[i] = (static_cast<Real>(lengths[i]) + Real(0.5)) * unit;
    table.logarithm(radius, radius, half);
    // u that was rounded to 1 has the radius 0.
    for (int64_t i = 0; i < half; ++i) radius[i] = std::sqrt(std::max(Real(0), -2 * radius[i]));
    for (int64_t i = 0; i < half; ++i) {
      // The upper 30 bits are the angle's place in the quarter, the lower 2 the turn.
      const Real share = static_cast<Real>(static_cast<int32_t>(angles[i] >> 2)) * (4 * unit);
      const Angle<Real> at = angle(half_pi * (share - Real(0.5)));
      const bool turned = (angles[i] & 1) != 0;
      const Real length = (angles[i] & 2) != 0 ? -radius[i] : radius[i];
      pairs[i] = length * (turned ? -at.sine : at.cosine);
      pairs[half + i] = length * (turned ? at.cosine : at.sine);
    }
    std::copy_n(pairs, wanted, out + done);
  }
}

template void draw_normals(RandomStream&, int64_t, float*);
template void draw_normals(RandomStream&, int64_t, double*);

}  // namespace vtemper
