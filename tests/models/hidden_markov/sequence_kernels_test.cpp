// The steps of the forward-backward recursion on every instruction set, against plain loops: all numbers of rows,
// whole and padded rows of states, and a row's values whatever its neighbours.

#include <cmath>
#include <vector>

#include "models/hidden_markov/kernels.h"
#include "support/array.h"
#include "unit/kernels/kernels.h"

using namespace vtemper;

namespace {

double noise(uint64_t i) {
  return static_cast<double>((i * 2654435761u) % 1000003) / 1000003 + 0.01;
}

struct Problem {
  int64_t count, states, row;
  static constexpr int64_t symbols = 5;
  Array<double> previous, matrix, likelihoods, out, scales, forward, occupancies, next;
  std::vector<int32_t> chosen;

  Problem(int64_t rows, int64_t state_count)
      : count(rows),
        states(state_count),
        row((state_count + kernels::whole_row - 1) / kernels::whole_row * kernels::whole_row) {
    fill(previous, count, 1);
    fill(matrix, states, 2);
    fill(likelihoods, symbols, 3);
    fill(forward, count, 4);
    fill(occupancies, symbols, 5);
    next.resize(static_cast<size_t>(count * row));
    out.resize(static_cast<size_t>(count * row));
    scales.resize(static_cast<size_t>(count));
    for (int64_t r = 0; r < count; ++r) chosen.push_back(static_cast<int32_t>(r * 3 % symbols));
  }
  void fill(Array<double>& array, int64_t rows, uint64_t seed) const {
    array.resize(static_cast<size_t>(rows * row));
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t k = 0; k < states; ++k) {
        array[static_cast<size_t>(i * row + k)] = noise(seed * 7919 + static_cast<uint64_t>(i * 131 + k));
      }
    }
  }
  double product(const Array<double>& x, int64_t r, int64_t k) const {
    double sum = 0;
    for (int64_t j = 0; j < states; ++j) {
      sum += x[static_cast<size_t>(r * row + j)] * matrix[static_cast<size_t>(j * row + k)];
    }
    return sum;
  }
  double likelihood(int64_t r, int64_t k) const {
    return likelihoods[static_cast<size_t>(chosen[static_cast<size_t>(r)] * row + k)];
  }
};

void check(const char* what, double seen, double expected) {
  if (!(std::abs(seen - expected) <= 1e-13 * std::abs(expected))) {
    print_error("%s: %.17g instead of %.17g\n", what, seen, expected);
    assert_true(false);
  }
}

void check_set(const kernels::HiddenMarkovKernels& table, int64_t count, int64_t states) {
  Problem p(count, states);
  const int64_t row = p.row;
  kernels::ForwardStep ahead = {};
  ahead.previous = p.previous.data();
  ahead.previous_step = row;
  ahead.transition = p.matrix.data();
  ahead.likelihoods = p.likelihoods.data();
  ahead.symbols = p.chosen.data();
  ahead.count = count;
  ahead.states = states;
  ahead.row = row;
  ahead.out = p.out.data();
  ahead.inverse_scales = p.scales.data();
  table.forward_step(ahead);
  for (int64_t r = 0; r < count; ++r) {
    double total = 0;
    for (int64_t k = 0; k < states; ++k) total += p.product(p.previous, r, k) * p.likelihood(r, k);
    check("1 / scale", p.scales[static_cast<size_t>(r)], 1 / total);
    for (int64_t k = 0; k < states; ++k) {
      check("forward", p.out[static_cast<size_t>(r * row + k)],
            p.product(p.previous, r, k) * p.likelihood(r, k) / total);
    }
    for (int64_t k = states; k < row; ++k) assert_true(p.out[static_cast<size_t>(r * row + k)] == 0);
  }
  // A row alone has the same bits.
  const Array<double> together = p.out;
  ahead.count = 1;
  ahead.previous = p.previous.data() + (count - 1) * row;
  ahead.symbols = p.chosen.data() + count - 1;
  table.forward_step(ahead);
  for (int64_t k = 0; k < row; ++k) {
    assert_true(p.out[static_cast<size_t>(k)] == together[static_cast<size_t>((count - 1) * row + k)]);
  }

  std::vector<double> expected(p.occupancies.size());
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = p.occupancies[i];
  kernels::BackwardStep back = {};
  back.next = p.previous.data();
  back.next_step = row;
  back.transposed = p.matrix.data();
  back.likelihoods = p.likelihoods.data();
  back.symbols = p.chosen.data();
  back.inverse_scales = p.scales.data();
  back.count = count;
  back.states = states;
  back.row = row;
  back.forward = p.forward.data();
  back.places = p.chosen.data();
  back.occupancies = p.occupancies.data();
  back.out = p.next.data();
  p.scales[0] = 1e308;
  for (int64_t k = 0; k < row; ++k) p.previous[static_cast<size_t>(k)] *= 1e6;
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = p.occupancies[i];
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t k = 0; k < states; ++k) {
      expected[static_cast<size_t>(p.chosen[static_cast<size_t>(r)] * row + k)] +=
          p.forward[static_cast<size_t>(r * row + k)] * p.product(p.previous, r, k);
    }
  }
  table.backward_step(back);
  for (size_t i = 0; i < expected.size(); ++i) check("occupancy", p.occupancies[i], expected[i]);
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t k = 0; k < states; ++k) {
      const double seen = p.next[static_cast<size_t>(r * row + k)];
      if (r == 0) {
        assert_true(seen == 1e300);
      } else {
        check("message", seen, p.likelihood(r, k) * p.product(p.previous, r, k) * p.scales[static_cast<size_t>(r)]);
      }
    }
  }

  Array<double> sums(static_cast<size_t>(states * row));
  sums.fill(2);
  table.add_outer_products(p.forward.data(), together.data(), count, states, row, sums.data());
  for (int64_t i = 0; i < states; ++i) {
    for (int64_t j = 0; j < states; ++j) {
      double sum = 2;
      for (int64_t r = 0; r < count; ++r) {
        sum += p.forward[static_cast<size_t>(r * row + i)] * together[static_cast<size_t>(r * row + j)];
      }
      check("outer product", sums[static_cast<size_t>(i * row + j)], sum);
    }
  }
}

void test_all_sets(void**) {
  for (const kernels::InstructionSet* set : kernels::available_instruction_sets()) {
    const auto& of_set = kernels::model_kernels<kernels::HiddenMarkovKernels>(*set);
    for (int64_t count = 1; count <= 18; ++count) {
      for (const int64_t states : {1, 3, 8, 10, 16, 17, 50}) {
        check_set(of_set, count, states);
      }
    }
    check_set(of_set, 70, 25);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_all_sets)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
