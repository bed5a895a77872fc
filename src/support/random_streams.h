#pragma once
// Counter-based random numbers (Random123 Philox4x32-10): a draw is a function of (seed, purpose, iteration, item)
// alone, so it depends neither on the number of threads nor on resuming.
//
// The key of a block is the seed. Its 128-bit counter holds, from the lowest bit: 32 bits block number, 44 bits item,
// 44 bits iteration, 8 bits purpose (the highest of them set for permutations). Nothing is hashed, so streams of
// different (seed, purpose, iteration, item) never share a block.

#include <array>
#include <cstddef>
#include <cstdint>

namespace vtemper {

/// What a stream is used for, below 128. The values are stored in no file, but they enter the counter, so they must
/// never change.
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
  set_aside = 14,
  move = 20,
};

/// The four words of Philox4x32-10 for a key (low word first) and a counter.
std::array<uint32_t, 4> random_block(uint64_t key, const std::array<uint32_t, 4>& counter);

/// Consecutive blocks: the block number, the counter's first word, increases by one.
struct RandomBlocks {
  uint64_t key;
  std::array<uint32_t, 4> counter;  ///< counter of the first block
};

/// Up to 2^34 words; beyond that the stream repeats.
class RandomStream {
 public:
  /// `iteration` and `item` below 2^44; Error(INTERNAL) beyond.
  RandomStream(uint64_t seed, Purpose purpose, uint64_t iteration, uint64_t item);

  uint32_t bits();  ///< 32 random bits
  /// Unused words of the current block.
  int64_t left_in_block() const { return static_cast<int64_t>(block_.size() - used_); }
  /// Skips `count` whole blocks of four words and returns them for a caller that generates them itself; the current
  /// block must be used up.
  RandomBlocks pass_blocks(int64_t count);
  double uniform();               ///< in (0, 1): the midpoint of one of 2^52 equal intervals
  uint64_t below(uint64_t size);  ///< uniform in [0, size), unbiased; size > 0
  double normal();
  double gamma(double shape);  ///< unit scale; shape > 0; underflows to 0 for very small shapes

 private:
  uint64_t bits64();
  uint64_t key_;
  std::array<uint32_t, 4> counter_;  ///< counter of the next block
  std::array<uint32_t, 4> block_{};
  size_t used_ = 4;  ///< words of the block already used
};

/// Position of `index` < `size` under the permutation of [0, size) given by (seed, purpose, iteration): constant
/// memory and time, by a keyed Feistel network with cycle walking. size <= 2^63.
uint64_t permuted(uint64_t index, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration);
/// The first words of blocks whose counters differ in their second words alone: of counter [4], for seconds [count].
using FirstWords = void (*)(uint64_t key, const uint32_t* counter, const uint32_t* seconds, int64_t count,
                            uint32_t* out);
/// out [count] = permuted(first + i, ...), many at a time.
void permute(uint64_t first, int64_t count, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration,
             FirstWords first_words, int64_t* out);
/// The inverse: index_of_permuted(permuted(i, ...), ...) is i.
uint64_t index_of_permuted(uint64_t place, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration);

}  // namespace vtemper
