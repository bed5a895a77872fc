// Responsibilities of a tile of rows: every instruction set against plain loops.

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

void responsibilities(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t components : {1, 2, 11}) {
      Random numbers(static_cast<uint64_t>(components) + 90);
      Row<double> scores = random_row(numbers, components * tile_rows), powers = random_row(numbers, tile_rows);
      for (int64_t i = 0; i < components * tile_rows; ++i) scores[i] = -2000 + 900 * scores[i];
      for (int64_t t = 0; t < tile_rows; ++t) powers[t] = 0.6 + 0.4 * powers[t];
      Row<double> out(components * tile_rows, -1), log_sums(tile_rows, 0), means(tile_rows, 0);
      set->responsibilities(scores.data(), powers.data(), components, out.data(), log_sums.data(), means.data());
      for (int64_t t = 0; t < tile_rows; ++t) {
        double largest = -1e300, total = 0, mean = 0;
        for (int64_t k = 0; k < components; ++k) largest = std::fmax(largest, powers[t] * scores[k * tile_rows + t]);
        for (int64_t k = 0; k < components; ++k) total += std::exp(powers[t] * scores[k * tile_rows + t] - largest);
        for (int64_t k = 0; k < components; ++k) {
          const double expected = std::exp(powers[t] * scores[k * tile_rows + t] - largest) / total;
          check_near(out[k * tile_rows + t], expected, 1, std::string(set->name) + ": responsibility");
          mean += expected * scores[k * tile_rows + t];
        }
        check_near(log_sums[t], largest + std::log(total), 3000, std::string(set->name) + ": log sum");
        check_near(means[t], mean, 3000, std::string(set->name) + ": mean");
      }
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(responsibilities)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
