// Random streams: the published vectors of Philox, the layout of the counter, moments and tails, permutations.

#include "support/random_streams.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "support/refusal.h"

using namespace vtemper;

namespace {

using Words = std::array<uint32_t, 4>;

/// Known-answer vectors of philox4x32-10 that Random123 publishes.
void test_known_answers(void**) {
  assert_true(random_block(0, {0, 0, 0, 0}) == (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t ones = 0xffffffff;
  assert_true(random_block(UINT64_MAX, {ones, ones, ones, ones}) ==
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  assert_true(random_block(0x299f31d0a4093822, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}) ==
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

void test_layout(void**) {
  // 8 bits purpose, 44 bits iteration, 44 bits item, 32 bits block.
  RandomStream stream(0x0123456789abcdef, Purpose::split_counts, 0xabc'1234'5678, 0xfed'8765'4321);
  for (uint32_t block = 0; block < 3; ++block) {
    const Words expected = random_block(0x0123456789abcdef, {block, 0x87654321, 0x45678fed, 0x04abc123});
    for (const uint32_t word : expected) assert_int_equal(stream.bits(), word);
  }
}

/// Streams that differ in one coordinate, or have two exchanged, share no word.
void test_streams_differ(void**) {
  std::set<uint32_t> words;
  size_t drawn = 0;
  const auto draw = [&](uint64_t seed, Purpose purpose, uint64_t iteration, uint64_t item) {
    RandomStream stream(seed, purpose, iteration, item);
    for (int i = 0; i < 8; ++i, ++drawn) words.insert(stream.bits());
  };
  draw(1, Purpose::minibatch, 2, 3);
  draw(2, Purpose::minibatch, 2, 3);
  draw(uint64_t{1} << 63, Purpose::minibatch, 2, 3);
  draw(1, Purpose::evaluate, 2, 3);
  draw(1, Purpose::minibatch, 3, 2);
  draw(1, Purpose::minibatch, 2 + (uint64_t{1} << 43), 3);
  draw(1, Purpose::minibatch, 2, 3 + (uint64_t{1} << 43));
  draw(1, Purpose::minibatch, 2, 3 + (uint64_t{1} << 32));
  assert_int_equal(words.size(), drawn);

  RandomStream first(1, Purpose::minibatch, 2, 3), again(1, Purpose::minibatch, 2, 3);
  for (int i = 0; i < 100; ++i) assert_int_equal(first.bits(), again.bits());
  refusal(VTEMPER_ERROR_INTERNAL, [] { RandomStream(1, Purpose::minibatch, uint64_t{1} << 44, 0); });
  refusal(VTEMPER_ERROR_INTERNAL, [] { RandomStream(1, Purpose::minibatch, 0, uint64_t{1} << 44); });
}

/// Mean and variance of many draws are within five standard errors of the truth; `fourth` is the fourth central
/// moment.
void check_moments(const char* name, double mean, double variance, double fourth,
                   const std::function<double()>& draw) {
  constexpr int n = 50000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double centred = draw() - mean;
    sum += centred;
    squares += centred * centred;
  }
  const double error_of_mean = std::sqrt(variance / n);
  const double error_of_variance = std::sqrt((fourth - variance * variance) / n);
  if (std::abs(sum / n) > 5 * error_of_mean) fail_with("%s: mean off by %g", name, sum / n);
  if (std::abs(squares / n - variance) > 5 * error_of_variance) {
    fail_with("%s: variance %g instead of %g", name, squares / n, variance);
  }
}

void test_uniform(void**) {
  RandomStream stream(1, Purpose::evaluate, 0, 0);
  double least = 1, largest = 0;
  check_moments("uniform", 0.5, 1.0 / 12, 1.0 / 80, [&] {
    const double drawn = stream.uniform();
    least = std::min(least, drawn);
    largest = std::max(largest, drawn);
    return drawn;
  });
  assert_true(least > 0 && largest < 1);
}

void test_normal(void**) {
  RandomStream stream(2, Purpose::evaluate, 0, 0);
  check_moments("normal", 0, 1, 3, [&] { return stream.normal(); });
  int beyond = 0;
  for (int i = 0; i < 50000; ++i) beyond += std::abs(stream.normal()) > 3 ? 1 : 0;
  assert_in_range(beyond, 85, 185);  // 135 expected, standard deviation 12
}

void test_gamma(void**) {
  for (const double shape : {0.1, 0.5, 1.0, 2.5, 100.0, 1e6}) {
    RandomStream stream(3, Purpose::initialize, 0, static_cast<uint64_t>(shape * 10));
    check_moments("gamma", shape, shape, 3 * shape * shape + 6 * shape, [&] { return stream.gamma(shape); });
  }
  RandomStream stream(4, Purpose::initialize, 0, 0);
  for (int i = 0; i < 1000; ++i) assert_true(stream.gamma(0.01) >= 0);
}

/// Chi-squared distance of counts from equal ones, against five standard deviations.
void check_equal(const char* name, const std::vector<int64_t>& counts) {
  double total = 0, chi = 0;
  for (const int64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  for (const int64_t count : counts) chi += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const double degrees = static_cast<double>(counts.size()) - 1;
  if (std::abs(chi - degrees) > 5 * std::sqrt(2 * degrees)) {
    fail_with("%s: chi-squared %g with %g degrees of freedom", name, chi, degrees);
  }
}

void test_below(void**) {
  for (const uint64_t size : {2, 3, 5, 6, 7, 10, 100, 129}) {
    RandomStream stream(5, Purpose::split_rows, 0, size);
    std::vector<int64_t> counts(size);
    for (int i = 0; i < 50000; ++i) ++counts.at(stream.below(size));
    check_equal("below", counts);
  }
  RandomStream stream(6, Purpose::split_rows, 0, 0);
  assert_int_equal(stream.below(1), 0);
  // Three quarters of 2^64: a remainder would favour the lower third.
  constexpr uint64_t large = uint64_t{3} << 62;
  std::vector<int64_t> thirds(3);
  for (int i = 0; i < 30000; ++i) ++thirds.at(stream.below(large) >> 62);
  check_equal("below 3 * 2^62", thirds);
  for (int i = 0; i < 100; ++i) stream.below(UINT64_MAX);
}

void check_bijection(uint64_t size, uint64_t seed) {
  std::vector<bool> met(size);
  for (uint64_t i = 0; i < size; ++i) {
    const uint64_t position = permuted(i, size, seed, Purpose::minibatch, 7);
    if (position >= size || met[position])
      fail_with("size %d: position %d", static_cast<int>(size), static_cast<int>(i));
    met[position] = true;
  }
}

void test_permutations(void**) {
  for (uint64_t size = 1; size <= 200; ++size) {
    for (uint64_t seed = 0; seed < 3; ++seed) check_bijection(size, seed);
  }
  for (const uint64_t size : {1000, 1024, 65535, 65536, 65537, 100003}) check_bijection(size, 1);
  // Sizes too large to enumerate: results are in range and distinct.
  for (const uint64_t size :
       {uint64_t{1} << 32, (uint64_t{1} << 32) + 1, uint64_t{999999999999}, uint64_t{1} << 63}) {
    std::set<uint64_t> met;
    for (uint64_t i = 0; i < 500; ++i) {
      met.insert(permuted(i, size, 1, Purpose::minibatch, 0));
      met.insert(permuted(size - 1 - i, size, 1, Purpose::minibatch, 0));
    }
    assert_int_equal(met.size(), 1000);
    assert_true(*met.rbegin() < size);
    assert_true(*met.rbegin() > size / 100 * 95);
  }
}

/// Over many seeds and iterations, every pair of positions of two indices is equally frequent.
void test_permutations_are_uniform(void**) {
  for (const uint64_t size : {2, 3, 4, 5, 7, 12, 30}) {
    const uint64_t times = size == 3 || size == 5 ? 20000 : 4000;  // too few rounds would show here first
    std::vector<int64_t> pairs(size * (size - 1)), places(size);
    for (uint64_t i = 0; i < times; ++i) {
      const uint64_t first = permuted(0, size, i / 4, Purpose::minibatch, i % 4);
      const uint64_t second = permuted(size - 1, size, i / 4, Purpose::minibatch, i % 4);
      ++pairs.at(first * (size - 1) + (second > first ? second - 1 : second));
      ++places.at(second);
    }
    check_equal("pairs of places", pairs);
    check_equal("places", places);
  }
  // All 24 orders of four.
  std::vector<int64_t> orders(256);
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    uint64_t order = 0;
    for (uint64_t i = 0; i < 4; ++i) order = order * 4 + permuted(i, 4, seed, Purpose::split_rows, 0);
    ++orders[order];
  }
  orders.erase(std::remove(orders.begin(), orders.end(), 0), orders.end());
  assert_int_equal(orders.size(), 24);
  check_equal("orders of four", orders);
}

/// Neither the identity nor a shift: differences between neighbours of a large permutation vary.
void test_permutation_has_no_pattern(void**) {
  constexpr uint64_t size = 20000;
  std::vector<int64_t> differences(20);
  int fixed = 0;
  for (uint64_t i = 0; i + 1 < size; ++i) {
    const uint64_t here = permuted(i, size, 9, Purpose::minibatch, 3);
    const uint64_t next = permuted(i + 1, size, 9, Purpose::minibatch, 3);
    ++differences[(next + size - here) % size / (size / 20)];
    fixed += here == i ? 1 : 0;
  }
  check_equal("differences", differences);
  assert_true(fixed < 10);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_streams_differ),
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_normal),
      cmocka_unit_test(test_gamma),
      cmocka_unit_test(test_below),
      cmocka_unit_test(test_permutations),
      cmocka_unit_test(test_permutations_are_uniform),
      cmocka_unit_test(test_permutation_has_no_pattern),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
