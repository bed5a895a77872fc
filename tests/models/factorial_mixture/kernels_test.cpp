// Blocks of activations: every instruction set against plain loops in long double.

#include <algorithm>

#include "models/factorial_mixture/kernels.h"
#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

constexpr long double tolerance = 1e-14L;

/// A block of activation_rows rows whose arrays are aligned as the kernels want them.
struct Block {
  int64_t components;
  Row<double> gram, offsets, projections, inverse, activations, moving, likelihoods, entropies;
  Block(int64_t count, double size)
      : components(count),
        gram(count * padded(count), 0),
        offsets(count, 0),
        projections(count * activation_rows, 0),
        inverse(activation_rows, 0),
        activations(count * activation_rows, 0),
        moving(activation_rows, 1),
        likelihoods(activation_rows, 0),
        entropies(activation_rows, 0) {
    Random numbers(23);
    for (int64_t k = 0; k < count; ++k) {
      offsets[k] = size * (numbers.uniform() - 0.5);
      for (int64_t j = 0; j < k; ++j) {
        gram[k * padded(count) + j] = gram[j * padded(count) + k] = size * (numbers.uniform() - 0.5);
      }
      for (int64_t n = 0; n < activation_rows; ++n) {
        projections[k * activation_rows + n] = size * (numbers.uniform() - 0.5);
        activations[k * activation_rows + n] = numbers.uniform();
      }
    }
    for (int64_t n = 0; n < activation_rows; ++n) {
      inverse[n] = numbers.uniform();
      moving[n] = n % 5 == 3 ? 0 : 1;
    }
  }
  Activations block(double least) {
    return {gram.data(), offsets.data(), projections.data(), inverse.data(),
            components,  least,          activations.data(), moving.data()};
  }
};

void check_sweep(const InstructionSet& set, int64_t components, double size) {
  const auto& of_set = model_kernels<FactorialMixtureKernels>(set);
  const std::string what = std::string(set.name) + " K " + std::to_string(components);
  const double least = 0.2;
  Block block(components, size);
  const Block before(components, size);
  const bool moves = of_set.sweep_activations(block.block(least));
  of_set.activation_terms(block.block(least), block.likelihoods.data(), block.entropies.data());
  bool expected_moves = false;
  for (int64_t n = 0; n < activation_rows; ++n) {
    std::vector<long double> nu(static_cast<size_t>(components));
    for (int64_t k = 0; k < components; ++k) nu[static_cast<size_t>(k)] = before.activations[k * activation_rows + n];
    const auto field = [&](int64_t k, long double share) {
      long double sum = static_cast<long double>(before.offsets[k]) + before.projections[k * activation_rows + n];
      for (int64_t j = 0; j < components; ++j) {
        sum -= share * before.gram[k * padded(components) + j] * nu[static_cast<size_t>(j)];
      }
      return sum;
    };
    long double change = 0;
    for (int64_t k = 0; k < components && before.moving[n] > 0; ++k) {
      const long double next = 1 / (1 + std::exp(-before.inverse[n] * field(k, 1)));
      change = std::max(change, std::abs(next - nu[static_cast<size_t>(k)]));
      nu[static_cast<size_t>(k)] = next;
    }
    long double likelihood = 0, entropy = 0, scale = 1;
    for (int64_t k = 0; k < components; ++k) {
      const long double value = block.activations[k * activation_rows + n];
      check(std::abs(value - nu[static_cast<size_t>(k)]) <= tolerance * static_cast<long double>(size) * 40,
            what + ": activation");
      check(value > 0 && value <= 1, what + ": range");
      nu[static_cast<size_t>(k)] = value;
    }
    for (int64_t k = 0; k < components; ++k) {
      const long double value = nu[static_cast<size_t>(k)];
      likelihood += value * field(k, 0.5L);
      scale += static_cast<long double>(size) * static_cast<long double>(components);
      if (value > 0) entropy -= value * std::log(value);
      if (value < 1) entropy -= (1 - value) * std::log(1 - value);
    }
    check(std::abs(block.likelihoods[n] - likelihood) <= tolerance * scale, what + ": likelihood");
    check(std::abs(block.entropies[n] - entropy) <= tolerance * scale, what + ": entropy");
    const bool row_moves = change > static_cast<long double>(least);
    check((block.moving[n] > 0) == row_moves, what + ": settled");
    expected_moves = expected_moves || row_moves;
  }
  check(moves == expected_moves, what + ": all settled");
}

void activations(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t components : {1, 2, 5, 16, 17, 40}) {
      check_sweep(*set, components, 1);
      check_sweep(*set, components, 6);
    }
  }
}

/// Fields beyond all exponents: 0 or 1, never NaN.
void extreme_fields(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    const auto& of_set = model_kernels<FactorialMixtureKernels>(*set);
    Block block(2, 0);
    for (int64_t n = 0; n < activation_rows; ++n) {
      block.inverse[n] = 1;
      block.moving[n] = 1;
      block.projections[n] = n % 2 == 0 ? 1e30 : -1e30;
    }
    of_set.sweep_activations(block.block(0));
    of_set.activation_terms(block.block(0), block.likelihoods.data(), block.entropies.data());
    for (int64_t n = 0; n < activation_rows; ++n) {
      const double nu = block.activations[n];
      check(n % 2 == 0 ? nu == 1 : nu >= 0 && nu < 1e-30, set->name);
      check(std::isfinite(block.entropies[n]), set->name);
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(activations), cmocka_unit_test(extreme_fields)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
