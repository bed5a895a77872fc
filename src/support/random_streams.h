#pragma once
// Counter-based random numbers (Random123 Philox4x32-10): a draw depends on (seed, purpose, iteration, item) and on
// nothing else, so neither threads nor resumed runs change it.

#include <array>
#include <cstdint>

namespace vtemper {

/// What a stream is for; values are stored in no file but enter the key, so they never change.
enum class Purpose : uint32_t {
  initialize = 1,
  minibatch = 2,
  split_rows = 3,
  split_counts = 4,
  profile = 5,
  evaluate = 6,
};

class RandomStream {
 public:
  RandomStream(uint64_t seed, Purpose purpose, uint64_t iteration, uint64_t item);

  uint32_t bits();                ///< 32 random bits
  double uniform();               ///< in (0, 1), 53 bits
  uint64_t below(uint64_t size);  ///< uniform in [0, size), unbiased
  double normal();
  double gamma(double shape);  ///< scale 1; shape > 0 (Marsaglia and Tsang 2000)

 private:
  void refill();
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 4> block_;
  int used_;
  uint32_t block_index_;
};

/// Position `index` of the permutation of [0, size) that belongs to (seed, purpose, iteration): constant memory
/// and time, by a keyed Feistel network with cycle walking.
uint64_t permuted(uint64_t index, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration);

}  // namespace vtemper
