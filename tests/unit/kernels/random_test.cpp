// Random words and normal numbers in every instruction set, against one block at a time and long double.

#include <array>

#include "support/random_streams.h"
#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

void words(void**) {
  const uint64_t key = 0x0123456789abcdef;
  const std::array<uint32_t, 4> first = {0xfffffff0, 7, 8, 9};  // the first word runs over
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t count : {0, 1, 5, 31, 32, 33, 100}) {
      std::vector<uint32_t> out(static_cast<size_t>(4 * count) + 1, 1234);
      set->random_blocks(key, first.data(), count, out.data());
      std::array<uint32_t, 4> counter = first;
      for (int64_t block = 0; block < count; ++block, ++counter[0]) {
        const std::array<uint32_t, 4> expected = vtemper::random_block(key, counter);
        for (size_t w = 0; w < 4; ++w) check(out[static_cast<size_t>(4 * block) + w] == expected[w], set->name);
      }
      check(out.back() == 1234, std::string(set->name) + ": wrote beyond");
    }
  }
}

void first_words(void**) {
  const uint64_t key = 0xfedcba9876543210;
  const std::array<uint32_t, 4> like = {3, 0, 8, 9};
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t count : {0, 1, 5, 31, 32, 33, 100}) {
      std::vector<uint32_t> seconds, out(static_cast<size_t>(count) + 1, 1234);
      for (int64_t i = 0; i < count; ++i) seconds.push_back(0xfffffff0u + 7 * static_cast<uint32_t>(i));
      set->first_words(key, like.data(), seconds.data(), count, out.data());
      for (size_t i = 0; i < seconds.size(); ++i) {
        check(out[i] == vtemper::random_block(key, {like[0], seconds[i], like[2], like[3]})[0], set->name);
      }
      check(out.back() == 1234, std::string(set->name) + ": wrote beyond");
    }
  }
}

void permutations(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const uint64_t size : {1u, 2u, 7u, 100u, 4001u, 52958u}) {
      const uint64_t first = size / 3;
      const auto count = static_cast<int64_t>(std::min<uint64_t>(size - first, 700));
      std::vector<int64_t> out(static_cast<size_t>(count) + 1, -1);
      vtemper::permute(first, count, size, 5, vtemper::Purpose::minibatch, 11, set->first_words, out.data());
      for (int64_t i = 0; i < count; ++i) {
        const uint64_t one =
            vtemper::permuted(first + static_cast<uint64_t>(i), size, 5, vtemper::Purpose::minibatch, 11);
        check(out[static_cast<size_t>(i)] == static_cast<int64_t>(one),
              std::string(set->name) + ": another permutation");
      }
      check(out.back() == -1, std::string(set->name) + ": wrote beyond");
    }
    constexpr uint64_t large = uint64_t{1} << 62;
    int64_t place = 0;
    vtemper::permute(large - 2, 1, large, 5, vtemper::Purpose::minibatch, 0, set->first_words, &place);
    check(place == static_cast<int64_t>(vtemper::permuted(large - 2, large, 5, vtemper::Purpose::minibatch, 0)),
          set->name);
  }
}

template <class Real>
void check_normals(const InstructionSet& set) {
  constexpr long double pi = 3.14159265358979323846264L;
  const std::string what = std::string(set.name) + " " + name_of<Real>();
  const long double tolerance = sizeof(Real) == sizeof(float) ? 1e-6L : 1e-14L;
  Random numbers(5);
  for (const int64_t pairs : {1, 2, 15, 16, 17, 50}) {
    std::vector<uint32_t> drawn(static_cast<size_t>(2 * pairs));
    for (uint32_t& word : drawn) word = static_cast<uint32_t>(4294967296.0 * numbers.uniform());
    drawn[0] = pairs == 2 ? 0xffffffff : pairs == 15 ? 0 : drawn[0];
    std::vector<Real> out(static_cast<size_t>(2 * pairs) + 1, Real(77));
    table<Real>(set).normal_pairs(drawn.data(), pairs, out.data());
    for (size_t i = 0; i < static_cast<size_t>(pairs); ++i) {
      const auto uniform = (static_cast<Real>(drawn[2 * i]) + Real(0.5)) * Real(0x1p-32);
      const uint32_t word = drawn[2 * i + 1];
      const long double radius = std::sqrt(-2 * std::log(static_cast<long double>(uniform)));
      const long double turn = ((word & 2) != 0 ? pi : 0) + ((word & 1) != 0 ? pi / 2 : 0);
      const long double angle = (static_cast<long double>(word >> 2) * 0x1p-30L - 0.5L) * pi / 2 + turn;
      const long double error = tolerance * (1 + radius);
      check(std::abs(static_cast<long double>(out[i]) - radius * std::cos(angle)) <= error, what + ": cosine");
      check(
          std::abs(static_cast<long double>(out[static_cast<size_t>(pairs) + i]) - radius * std::sin(angle)) <= error,
          what + ": sine");
    }
    check(out.back() == Real(77), what + ": wrote beyond");
  }
}

void normals(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_normals<float>(*set);
    check_normals<double>(*set);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(first_words), cmocka_unit_test(permutations),
                              cmocka_unit_test(normals)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
