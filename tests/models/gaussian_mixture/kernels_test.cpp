// Dense rows in tiles: every instruction set against plain loops; a row's value does not depend on its place.

#include <cstring>

#include "models/gaussian_mixture/kernels.h"
#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

void squared_lengths(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 13, 30, 67}) {
      Random numbers(static_cast<uint64_t>(n));
      const Row<double> factor = random_row(numbers, n * n), tile = random_row(numbers, n * tile_rows),
                        centre = random_row(numbers, n);
      Row<double> packed(packed_factor_size(n), 0), scratch(n * tile_rows, 0), out(tile_rows, -1);
      double* next = packed.data();
      for (int64_t first = 0; first < n; first += factor_block) {
        for (int64_t j = 0; j < first + factor_block; ++j) {
          for (int64_t i = first; i < first + factor_block; ++i) *next++ = i < n && j <= i ? factor[i * n + j] : 0;
        }
      }
      model_kernels<GaussianMixtureKernels>(*set).squared_lengths(packed.data(), n, tile.data(), centre.data(), 0.5,
                                                                  -2, scratch.data(), out.data());
      for (int64_t t = 0; t < tile_rows; ++t) {
        double length = 0;
        for (int64_t i = 0; i < n; ++i) {
          double sum = 0;
          for (int64_t j = 0; j <= i; ++j) sum += factor[i * n + j] * (tile[j * tile_rows + t] - centre[j]);
          length += sum * sum;
        }
        check_near(out[t], 0.5 - 2 * length, 1 + 2 * length, std::string(set->name) + ": squared length");
      }
    }
  }
}

void outer_products(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t n : {1, 2, 5, 8, 9, 16, 17, 31, 40}) {
      const int64_t stride = padded(n), rows = 90;
      Random numbers(static_cast<uint64_t>(n) + 50);
      const Row<double> values = random_row(numbers, rows * stride), centre = random_row(numbers, stride);
      std::vector<int32_t> index;
      std::vector<double> scales;
      for (int32_t i = 0; i < 37; ++i) {
        index.push_back((i * 13 + 5) % static_cast<int32_t>(rows));
        scales.push_back(0.1 + numbers.uniform());
      }
      Row<double> differences(37 * stride, 0), out(stride * stride, 0);
      const auto& dense = model_kernels<GaussianMixtureKernels>(*set);
      dense.scaled_differences(values.data(), index.data(), scales.data(), 37, centre.data(), stride,
                               differences.data());
      for (int64_t i = 0; i < 37; ++i) {
        for (int64_t j = 0; j < stride; ++j) {
          const double expected = scales[static_cast<std::size_t>(i)] *
                                  (values[index[static_cast<std::size_t>(i)] * stride + j] - centre[j]);
          check_near(differences[i * stride + j], expected, 1, std::string(set->name) + ": scaled difference");
        }
      }
      for (int64_t i = 0; i < n; ++i) out[i * stride] = 3;
      dense.add_row_products(differences.data(), 37, n, stride, out.data());
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j <= i; ++j) {
          double sum = j == 0 ? 3 : 0;
          for (int64_t t = 0; t < 37; ++t) sum += differences[t * stride + i] * differences[t * stride + j];
          check_near(out[i * stride + j], sum, 40, std::string(set->name) + ": outer product");
        }
      }
    }
  }
}

/// Rows in another order give the same bits in that order.
void places_do_not_matter(void**) {
  constexpr int64_t n = 9;
  for (const InstructionSet* set : available_instruction_sets()) {
    Random numbers(5);
    const Row<double> packed = random_row(numbers, packed_factor_size(n)), centre = random_row(numbers, n);
    const Row<double> tile = random_row(numbers, n * tile_rows);
    Row<double> turned(n * tile_rows, 0), scratch(n * tile_rows, 0), out(tile_rows, 0), other(tile_rows, 0);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t t = 0; t < tile_rows; ++t) turned[j * tile_rows + (t + 19) % tile_rows] = tile[j * tile_rows + t];
    }
    model_kernels<GaussianMixtureKernels>(*set).squared_lengths(packed.data(), n, tile.data(), centre.data(), 0, 1,
                                                                scratch.data(), out.data());
    model_kernels<GaussianMixtureKernels>(*set).squared_lengths(packed.data(), n, turned.data(), centre.data(), 0, 1,
                                                                scratch.data(), other.data());
    for (int64_t t = 0; t < tile_rows; ++t) {
      check(std::memcmp(&out[t], &other[(t + 19) % tile_rows], sizeof(double)) == 0,
            std::string(set->name) + ": other bits at another place");
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(squared_lengths), cmocka_unit_test(outer_products),
                              cmocka_unit_test(places_do_not_matter)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
