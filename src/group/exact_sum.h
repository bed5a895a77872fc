#pragma once
// Sums of doubles without rounding but for the result, so that its bits do not depend on the order of the addends,
// nor on who adds which: a whole number of the smallest double, in digits of 32 bits (Neal 2015, "Fast exact
// summation using small and large superaccumulators"). For few numbers; arrays are added by grid_sum.h.

#include <array>
#include <cstddef>
#include <cstdint>

namespace vtemper {

class ExactSum {
 public:
  void add(double x);
  double value() const;

  /// Numbers that tell the sum, to be added to that of another rank.
  static constexpr int64_t length = 69;
  using Numbers = std::array<double, length>;
  Numbers numbers() const;
  void add(const double* numbers);

 private:
  /// More than doubles have, by room for as many addends as can be counted.
  static constexpr size_t digits = length - 1;
  std::array<int64_t, digits> digits_{};  ///< digit i counts 2^(32 i) of the smallest double
  int64_t uncarried_ = 0;                 ///< addends since the digits were below 2^32
  double not_finite_ = 0;                 ///< sum of the addends that are not finite

  void carry();
};

}  // namespace vtemper
