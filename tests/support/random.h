#pragma once
// Pseudo-random numbers for tests, identical on every machine (unlike the distributions of <random>).

#include <cmath>
#include <cstdint>
#include <random>

namespace vtemper::test {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  /// Uniform in (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  /// Log-uniform.
  double between(double low, double high) { return low * std::pow(high / low, uniform()); }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
  /// 0 .. size - 1.
  template <class Integer>
  Integer below(Integer size) {
    return static_cast<Integer>(uniform() * static_cast<double>(size));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace vtemper::test
