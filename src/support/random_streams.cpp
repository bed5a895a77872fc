#include "support/random_streams.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

constexpr int iteration_and_item_bits = 44;
constexpr uint32_t permutation_bit = 0x80;

/// Counter of the first block; counter[0] is the block number.
std::array<uint32_t, 4> first_counter(uint32_t purpose, uint64_t iteration, uint64_t item) {
  if (iteration >> iteration_and_item_bits != 0 || item >> iteration_and_item_bits != 0) {
    throw Error(VTEMPER_ERROR_INTERNAL,
                message("there is no random stream for iteration ", iteration, " and item ", item));
  }
  return {0, static_cast<uint32_t>(item), static_cast<uint32_t>((item >> 32) | (iteration << 12)),
          static_cast<uint32_t>((iteration >> 20) | (static_cast<uint64_t>(purpose) << 24))};
}

/// The smallest root with root * root >= size.
uint64_t ceiling_of_root(uint64_t size) {
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(size)));
  while (root > 0 && (root - 1) * (root - 1) >= size) --root;
  while (root * root < size) ++root;
  return root;
}

}  // namespace

std::array<uint32_t, 4> random_block(uint64_t key, const std::array<uint32_t, 4>& counter) {
  const r123::Philox4x32::ctr_type in = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type words = {{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)}};
  const r123::Philox4x32::ctr_type out = r123::Philox4x32()(in, words);
  return {out[0], out[1], out[2], out[3]};
}

RandomStream::RandomStream(uint64_t seed, Purpose purpose, uint64_t iteration, uint64_t item)
    : key_(seed), counter_(first_counter(static_cast<uint32_t>(purpose), iteration, item)) {}

uint32_t RandomStream::bits() {
  if (used_ == block_.size()) {
    block_ = random_block(key_, counter_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

RandomBlocks RandomStream::pass_blocks(int64_t count) {
  const RandomBlocks passed = {key_, counter_};
  counter_[0] += static_cast<uint32_t>(count);
  return passed;
}

uint64_t RandomStream::bits64() {
  const uint64_t low = bits();
  return low | (static_cast<uint64_t>(bits()) << 32);
}

double RandomStream::uniform() {
  constexpr double width = 1.0 / 4503599627370496.0;  // 2^-52
  return (static_cast<double>(bits64() >> 12) + 0.5) * width;
}

uint64_t RandomStream::below(uint64_t size) {
  // Rejection sampling with as many bits as size - 1 has: at most two draws on average.
  uint64_t mask = size - 1;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  uint64_t drawn = bits64() & mask;
  while (drawn >= size) drawn = bits64() & mask;
  return drawn;
}

double RandomStream::normal() {
  // Box and Muller 1958. The second number is discarded, so a draw always consumes the same number of words.
  constexpr double two_pi = 6.283185307179586476925;
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(two_pi * uniform());
}

double RandomStream::gamma(double shape) {
  // Marsaglia and Tsang 2000; for shapes below 1 their boost, gamma(shape) = gamma(shape + 1) * uniform^(1 / shape).
  if (shape < 1) {
    const double boost = std::pow(uniform(), 1.0 / shape);
    return gamma(shape + 1) * boost;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = uniform();
    // Their squeeze: it implies the test below, which takes two logarithms.
    if (u < 1 - 0.0331 * (x * x) * (x * x)) return d * v;
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

namespace {

/// A Feistel network on a rectangle of lefts x rights >= size cells: each round adds a keyed random function of one
/// coordinate to the other. Positions outside [0, size) are permuted again until they are inside (cycle walking).
struct Feistel {
  uint64_t seed, iteration;
  uint32_t purpose;
  uint64_t lefts, rights;
  uint32_t rounds;

  Feistel(uint64_t size, uint64_t of_seed, Purpose of_purpose, uint64_t of_iteration)
      : seed(of_seed),
        iteration(of_iteration),
        purpose(static_cast<uint32_t>(of_purpose) | permutation_bit),
        lefts(ceiling_of_root(size)),
        rights((size + lefts - 1) / lefts),
        // A round preserves the order of two cells with probability 1 / rights, so small rectangles need more rounds.
        rounds(8 + 2 * static_cast<uint32_t>(32 / rights)) {}

  uint64_t shift(uint32_t round, uint64_t by, uint64_t range) const {
    std::array<uint32_t, 4> counter = first_counter(purpose, iteration, by);
    counter[0] = round;
    // The high half of the product maps 32 random bits to [0, range) without a division; ranges are below 2^32.
    return (random_block(seed, counter)[0] * range) >> 32;
  }
  uint64_t shifted(uint32_t round, uint64_t by, uint64_t value, uint64_t range) const {
    const uint64_t sum = value + shift(round, by, range);
    return sum < range ? sum : sum - range;
  }
  uint64_t shifted_back(uint32_t round, uint64_t by, uint64_t value, uint64_t range) const {
    const uint64_t step = shift(round, by, range);
    return value < step ? value + range - step : value - step;
  }
};

}  // namespace

uint64_t permuted(uint64_t index, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration) {
  const Feistel network(size, seed, purpose, iteration);
  do {
    uint64_t left = index / network.rights;
    uint64_t right = index % network.rights;
    for (uint32_t round = 0; round < network.rounds; round += 2) {
      left = network.shifted(round, right, left, network.lefts);
      right = network.shifted(round + 1, left, right, network.rights);
    }
    index = left * network.rights + right;
  } while (index >= size);
  return index;
}

void permute(uint64_t first, int64_t count, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration,
             FirstWords first_words, int64_t* out) {
  constexpr int64_t at_once = 64;
  const Feistel network(size, seed, purpose, iteration);
  std::array<uint32_t, 4> counter = first_counter(network.purpose, iteration, 0);
  uint64_t left[at_once], right[at_once];
  uint32_t by[at_once], words[at_once];
  // The coordinates of a rectangle fit 32 bits.
  const auto shift = [&](uint32_t round, const uint64_t* other, uint64_t* value, uint64_t range, int64_t some) {
    counter[0] = round;
    for (int64_t i = 0; i < some; ++i) by[i] = static_cast<uint32_t>(other[i]);
    first_words(seed, counter.data(), by, some, words);
    for (int64_t i = 0; i < some; ++i) {
      const uint64_t sum = value[i] + ((words[i] * range) >> 32);
      value[i] = sum < range ? sum : sum - range;
    }
  };
  for (int64_t begin = 0; begin < count; begin += at_once) {
    const int64_t some = std::min(at_once, count - begin);
    for (int64_t i = 0; i < some; ++i) {
      const uint64_t index = first + static_cast<uint64_t>(begin + i);
      left[i] = index / network.rights;
      right[i] = index % network.rights;
    }
    for (uint32_t round = 0; round < network.rounds; round += 2) {
      shift(round, right, left, network.lefts, some);
      shift(round + 1, left, right, network.rights, some);
    }
    for (int64_t i = 0; i < some; ++i) {
      const uint64_t index = left[i] * network.rights + right[i];
      out[begin + i] = static_cast<int64_t>(index < size ? index : permuted(index, size, seed, purpose, iteration));
    }
  }
}

uint64_t index_of_permuted(uint64_t place, uint64_t size, uint64_t seed, Purpose purpose, uint64_t iteration) {
  const Feistel network(size, seed, purpose, iteration);
  do {
    uint64_t left = place / network.rights;
    uint64_t right = place % network.rights;
    for (uint32_t round = network.rounds; round > 0; round -= 2) {
      right = network.shifted_back(round - 1, left, right, network.rights);
      left = network.shifted_back(round - 2, right, left, network.lefts);
    }
    place = left * network.rights + right;
  } while (place >= size);
  return place;
}

}  // namespace vtemper
