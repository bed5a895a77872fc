#pragma once
// Exact sums of doubles: only the result is rounded, so its bits depend neither on the order of the addends nor on
// which rank adds which of them. A sum is an integer multiple of the smallest double, in digits of 32 bits (Neal
// 2015, "Fast exact summation using small and large superaccumulators"). For few numbers; arrays are added by
// grid_sum.h.

#include <array>
#include <cstddef>
#include <cstdint>

namespace vtemper {

class ExactSum {
 public:
  void add(double x);
  double value() const;

  /// Length of the sum as an array of numbers, which can be added to that of another rank.
  static constexpr int64_t length = 69;
  using Numbers = std::array<double, length>;
  Numbers numbers() const;
  void add(const double* numbers);

 private:
  /// More digits than a double needs, so that the sum of any number of addends that can be counted fits.
  static constexpr size_t digits = length - 1;
  std::array<int64_t, digits> digits_{};  ///< digit i counts 2^(32 i) of the smallest double
  int64_t uncarried_ = 0;                 ///< addends since the digits were below 2^32
  double not_finite_ = 0;                 ///< sum of the addends that are not finite

  void carry();
};

}  // namespace vtemper
