#include "data/hypergeometric.h"

#include <math.h>  // for lgamma_r, which unlike lgamma does not write to a global variable

#include <algorithm>

namespace vtemper {
namespace {

/// Sequential draws, one special token at a time.
int64_t draw_one_by_one(RandomStream& stream, int64_t tokens, int64_t special, int64_t drawn) {
  int64_t hits = 0;
  for (int64_t i = 0; i < special && hits < drawn; ++i) {
    const auto left = static_cast<uint64_t>(tokens - i);
    if (stream.below(left) < static_cast<uint64_t>(drawn - hits)) ++hits;
  }
  return hits;
}

double log_binomial(int64_t n, int64_t k) {
  int sign = 0;
  const auto log_factorial = [&sign](int64_t m) { return lgamma_r(static_cast<double>(m) + 1, &sign); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// Inversion from the mode outwards, the more probable side first: the number of steps is about the standard
/// deviation.
int64_t draw_by_inversion(RandomStream& stream, int64_t tokens, int64_t special, int64_t drawn) {
  const int64_t least = std::max<int64_t>(0, drawn + special - tokens), most = std::min(special, drawn);
  // Probability of x + 1 over that of x.
  const auto ratio = [=](int64_t x) {
    return static_cast<double>(special - x) * static_cast<double>(drawn - x) /
           (static_cast<double>(x + 1) * static_cast<double>(tokens - special - drawn + x + 1));
  };
  const double middle =
      (static_cast<double>(special) + 1) * (static_cast<double>(drawn) + 1) / (static_cast<double>(tokens) + 2);
  const int64_t mode = std::clamp(static_cast<int64_t>(middle), least, most);
  const double at_mode =
      exp(log_binomial(special, mode) + log_binomial(tokens - special, drawn - mode) - log_binomial(tokens, drawn));
  double left = stream.uniform() - at_mode;
  int64_t low = mode, high = mode;
  double at_low = at_mode, at_high = at_mode;
  while (left >= 0 && (low > least || high < most)) {
    const double next_low = low > least ? at_low / ratio(low - 1) : 0;
    const double next_high = high < most ? at_high * ratio(high) : 0;
    if (next_low == 0 && next_high == 0) break;  // the remainder is rounding error
    if (next_high >= next_low) {
      ++high;
      left -= at_high = next_high;
      if (left < 0) return high;
    } else {
      --low;
      left -= at_low = next_low;
      if (left < 0) return low;
    }
  }
  return mode;
}

}  // namespace

int64_t draw_hypergeometric(RandomStream& stream, int64_t tokens, int64_t special, int64_t drawn) {
  constexpr int64_t few = 32;
  if (special == tokens) return drawn;
  if (special <= few) return draw_one_by_one(stream, tokens, special, drawn);
  if (drawn <= few) return draw_one_by_one(stream, tokens, drawn, special);  // by symmetry the roles may be swapped
  return draw_by_inversion(stream, tokens, special, drawn);
}

}  // namespace vtemper
