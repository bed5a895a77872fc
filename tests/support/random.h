#pragma once
// Pseudo-random numbers for tests, identical on every machine: a linear congruential generator.

#include <cmath>
#include <cstdint>

namespace vtemper::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  /// Uniform in (0, 1).
  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state_ >> 11) + 0.5) * 0x1p-53;
  }
  /// Log-uniform.
  double between(double low, double high) { return low * std::pow(high / low, uniform()); }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
  /// 0 .. size - 1.
  uint64_t below(uint64_t size) { return static_cast<uint64_t>(uniform() * static_cast<double>(size)); }

 private:
  uint64_t state_;
};

}  // namespace vtemper::test
