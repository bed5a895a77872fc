#pragma once
// Counter-based random numbers (Random123 Philox4x32-10): a draw depends on (seed, purpose, iteration, item) and on
// nothing else, so neither threads nor resumed runs change it.
//
// The key of a block is the seed. Its counter holds, from the lowest of 128 bits: 32 bits block number, 44 bits item,
// 44 bits iteration, 8 bits purpose (the highest of them set for permutations). Nothing is hashed together, so
// streams of different (seed, purpose, iteration, item) never share a block.

#include <array>
#include <cstddef>
#include <cstdint>

namespace vtemper {

/// What a stream is for, below 128; values are stored in no file but enter the counter, so they never change.
enum class Purpose : uint32_t {
  initialize = 1,
  minibatch = 2,
  split_rows = 3,
  split_counts = 4,
  profile = 5,
  evaluate = 6,
  perturb = 7,
  perturb_rows = 8,
  partition = 9,
  sample = 10,
  inner_step = 11,
  fed_rows = 12,
  split_topics = 13,
  move = 20,
};

/// The four words of Philox4x32-10 for a key (low word first) and a counter.
std::array<uint32_t, 4> random_block(uint64_t key, const std::array<uint32_t, 4>& counter);

/// Blocks of words whose counters follow each other in their first word.
struct RandomBlocks {
  uint64_t key;
  std::array<uint32_t, 4> counter;  ///< of the first
};

/// Up to 2^34 words; beyond them it starts again.
class RandomStream {
 public:
  /// `iteration` and `item` below 2^44; Error(INTERNAL) beyond.
  RandomStream(uint64_t seed, Purpose purpose, uint64_t iteration, uint64_t item);

  uint32_t bits();  ///< 32 random bits
  /// Words of the block begun that are left.
  int64_t left_in_block() const { return static_cast<int64_t>(block_.size() - used_); }
  /// Passes over `count` whole blocks of four words, none being begun, for a caller that makes them itself.
  RandomBlocks pass_blocks(int64_t count);
  double uniform();               ///< in (0, 1): the middle of one of 2^52 equal parts
  uint64_t below(uint64_t size);  ///< uniform in [0, size), unbiased; size > 0
  double normal();
  double gamma(double shape);  ///< scale 1; shape > 0; rounds to 0 for very small shapes

 private:
  uint64_t bits64();
  uint64_t key_;
  std::array<uint32_t, 4> counter_;  ///< of the next block
  std::array<uint32_t, 4> block_{};
  size_t used_ = 4;  ///< words of the block
};

/// Position `index` < `size` of the permutation of [0, size) that belongs to (seed, purpose, iteration): constant
/// memory and time, by a keyed Feistel network with cycle walking. size <= 2^63.
uint64_t permuted(uint64_t index, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration);
/// The other way round: index_of_permuted(permuted(i, ...), ...) is i.
uint64_t index_of_permuted(uint64_t place, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration);

}  // namespace vtemper
