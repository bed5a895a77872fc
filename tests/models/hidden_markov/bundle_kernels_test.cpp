// Forward-backward over bundles of sequences in every instruction set, against the textbook's recursion for each
// sequence alone: unequal lengths, lanes without a sequence, a sequence of probability 0.

#include <cmath>
#include <vector>

#include "models/hidden_markov/kernels.h"
#include "support/array.h"
#include "unit/kernels/kernels.h"

using namespace vtemper;

namespace {

constexpr int64_t lanes = kernels::bundle_sequences;
constexpr int64_t symbols = 7;
constexpr int64_t impossible = symbols - 1;

void check_close(const char* what, double seen, double expected) {
  if (!(std::abs(seen - expected) <= 1e-12 * std::max(std::abs(expected), 1e-3))) {
    print_error("%s: %.17g instead of %.17g\n", what, seen, expected);
    assert_true(false);
  }
}

struct Problem {
  int64_t states, row, longest;
  Array<double> initial, transition, transposed, likelihoods, ones, nowhere;
  std::vector<std::vector<int64_t>> sequences;
  std::vector<double> factors;

  Problem(int64_t state_count, const std::vector<int64_t>& lengths)
      : states(state_count), row((state_count + 7) / 8 * 8), longest(lengths[0]) {
    Random numbers(static_cast<uint64_t>(states));
    for (Array<double>* array : {&initial, &ones, &nowhere}) array->resize(static_cast<size_t>(row));
    for (Array<double>* array : {&transition, &transposed}) array->resize(static_cast<size_t>(states * row));
    likelihoods.resize(static_cast<size_t>(symbols * row));
    ones.fill(1);
    for (int64_t k = 0; k < states; ++k) {
      initial[static_cast<size_t>(k)] = numbers.uniform();
      for (int64_t j = 0; j < states; ++j) {
        at(transition, k, j) = at(transposed, j, k) = numbers.uniform();
      }
      for (int64_t v = 0; v < impossible; ++v) at(likelihoods, v, k) = numbers.uniform();
    }
    for (const int64_t length : lengths) {
      std::vector<int64_t> sequence;
      for (int64_t t = 0; t < length; ++t) sequence.push_back(static_cast<int64_t>(numbers.uniform() * impossible));
      sequences.push_back(sequence);
      factors.push_back(numbers.uniform());
    }
  }
  double& at(Array<double>& matrix, int64_t i, int64_t j) const { return matrix[static_cast<size_t>(i * row + j)]; }
};

struct Expected {
  double log_normalizer = 0;
  std::vector<std::vector<double>> occupancies;  ///< by position
  std::vector<double> pairs;                     ///< [states x states], over the transition weights
};

Expected textbook(Problem& p, const std::vector<int64_t>& sequence) {
  const auto states = static_cast<size_t>(p.states);
  const size_t length = sequence.size();
  const auto b = [&](size_t t, size_t k) { return p.at(p.likelihoods, sequence[t], static_cast<int64_t>(k)); };
  const auto a = [&](size_t i, size_t j) {
    return p.at(p.transition, static_cast<int64_t>(i), static_cast<int64_t>(j));
  };
  std::vector<std::vector<double>> forward(length, std::vector<double>(states)), backward = forward;
  std::vector<double> scale(length);
  for (size_t t = 0; t < length; ++t) {
    for (size_t j = 0; j < states; ++j) {
      double sum = t == 0 ? p.initial[j] : 0;
      for (size_t i = 0; t > 0 && i < states; ++i) sum += forward[t - 1][i] * a(i, j);
      forward[t][j] = sum * b(t, j);
      scale[t] += forward[t][j];
    }
    for (double& value : forward[t]) value /= scale[t];
  }
  Expected expected;
  expected.pairs.resize(states * states);
  expected.occupancies = forward;
  for (size_t t = length; t-- > 0;) {
    expected.log_normalizer += std::log(scale[t]);
    for (size_t i = 0; i < states; ++i) {
      backward[t][i] = t + 1 == length ? 1 : 0;
      for (size_t j = 0; t + 1 < length && j < states; ++j) {
        const double message = b(t + 1, j) * backward[t + 1][j] / scale[t + 1];
        backward[t][i] += a(i, j) * message;
        expected.pairs[i * states + j] += forward[t][i] * message;
      }
      expected.occupancies[t][i] = forward[t][i] * backward[t][i];
    }
  }
  return expected;
}

void check_set(const kernels::HiddenMarkovKernels& of_set, int64_t states, const std::vector<int64_t>& lengths) {
  Problem p(states, lengths);
  const auto count = static_cast<int64_t>(lengths.size());
  const auto numbers = [](int64_t size) { return Array<double>(static_cast<size_t>(size)); };
  Array<double> lane_lengths = numbers(lanes), factors = numbers(lanes), log_normalizers = numbers(lanes),
                failures = numbers(lanes), planes = numbers(p.longest * states * lanes), forward = planes,
                messages = planes, scales = numbers(p.longest * lanes), pairs = numbers(states * states * lanes);
  std::vector<Array<double>> occupancies;
  Array<const double*> rows(static_cast<size_t>(p.longest * lanes));
  Array<double*> places(rows.size());
  for (int64_t n = 0; n < lanes; ++n) {
    const auto lane = static_cast<size_t>(n);
    if (n < count) {
      lane_lengths[lane] = static_cast<double>(lengths[lane]);
      factors[lane] = p.factors[lane];
      occupancies.push_back(numbers(lengths[lane] * p.row));
    }
    for (int64_t t = 0; t < p.longest; ++t) {
      const bool inside = n < count && t < lengths[lane];
      const auto place = static_cast<size_t>(t * lanes + n);
      rows[place] = inside ? p.likelihoods.data() + p.sequences[lane][static_cast<size_t>(t)] * p.row : p.ones.data();
      places[place] = inside ? occupancies[lane].data() + t * p.row : p.nowhere.data();
    }
  }
  const kernels::Bundle bundle = {p.longest,
                                  states,
                                  p.row,
                                  p.initial.data(),
                                  p.transition.data(),
                                  p.transposed.data(),
                                  lane_lengths.data(),
                                  factors.data(),
                                  rows.data(),
                                  places.data(),
                                  planes.data(),
                                  forward.data(),
                                  scales.data(),
                                  1e100,
                                  log_normalizers.data(),
                                  failures.data(),
                                  messages.data(),
                                  pairs.data()};
  of_set.bundle_forward(bundle);
  of_set.bundle_backward(bundle);
  of_set.bundle_pairs(bundle);
  for (size_t n = 0; n < lengths.size(); ++n) {
    assert_true(failures[n] == 0);
    const Expected expected = textbook(p, p.sequences[n]);
    check_close("log normaliser", log_normalizers[n], expected.log_normalizer);
    for (size_t t = 0; t < p.sequences[n].size(); ++t) {
      for (int64_t k = 0; k < states; ++k) {
        check_close("occupancy", p.at(occupancies[n], static_cast<int64_t>(t), k),
                    p.factors[n] * expected.occupancies[t][static_cast<size_t>(k)]);
      }
    }
    for (size_t i = 0; i < expected.pairs.size(); ++i) {
      check_close("pair", pairs[i * lanes + n], p.factors[n] * expected.pairs[i]);
    }
  }
  for (size_t n = lengths.size(); n < lanes; ++n) {
    for (int64_t i = 0; i < states * states; ++i) assert_true(pairs[static_cast<size_t>(i * lanes) + n] == 0);
  }
  for (const double value : p.nowhere) assert_true(value == 0);

  // An impossible symbol in the last sequence: that fails, and the bits of no other lane change.
  const Array<double> before = log_normalizers;
  rows[lengths.size() - 1] = p.likelihoods.data() + impossible * p.row;
  of_set.bundle_forward(bundle);
  for (size_t n = 0; n < lengths.size(); ++n) {
    const bool last = n + 1 == lengths.size();
    assert_true(failures[n] == (last ? 1 : 0));
    assert_true(last || log_normalizers[n] == before[n]);
  }
}

void test_all_sets(void**) {
  for (const kernels::InstructionSet* set : kernels::available_instruction_sets()) {
    const auto& of_set = kernels::model_kernels<kernels::HiddenMarkovKernels>(*set);
    for (const int64_t states : {1, 2, 3, 7, 8, 10, 11, 21, 50}) {
      check_set(of_set, states, {9, 9, 8, 8, 7, 4, 2, 1});
      check_set(of_set, states, {6, 5, 1});
      check_set(of_set, states, {1});
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_all_sets)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
