#include "models/hidden_markov/log_parameters.h"

#include <algorithm>

#include "kernels/dispatch.h"
#include "models/hidden_markov/kernels.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nothing = -1e30;
/// Symbols per task.
constexpr int64_t symbol_block = 512;

/// Fills the padding and subtracts the maximum over the states.
double relative_row(double* values, int64_t states, int64_t row) {
  const double largest = *std::max_element(values, values + states);
  for (int64_t k = 0; k < states; ++k) values[k] -= largest;
  std::fill(values + states, values + row, nothing);
  return largest;
}

}  // namespace

int64_t row_of_states(int64_t states) {
  constexpr int64_t whole = kernels::whole_row;
  return (states + whole - 1) / whole * whole;
}

void LogParameters::resize(const Layout& new_layout) {
  layout = new_layout;
  values.resize(static_cast<size_t>(layout.size()));
  largest.resize(static_cast<size_t>(layout.symbols));
}

void LogParameters::settle() {
  const int64_t states = layout.states, row = layout.row;
  initial_largest = relative_row(values.data(), states, row);
  for (int64_t j = 0; j < states; ++j) {
    double* next = values.data() + layout.transition(j);
    std::fill(next + states, next + row, nothing);
  }
  for (int64_t v = 0; v < layout.symbols; ++v) {
    largest[static_cast<size_t>(v)] = relative_row(values.data() + layout.emission(v), states, row);
  }
}

double LogParameters::log_shift(const int32_t* sequence, int64_t length) const {
  // Four independent sums hide the latency of additions.
  double totals[4] = {};
  int64_t t = 0;
  for (; t + 4 <= length; t += 4) {
    for (int64_t i = 0; i < 4; ++i) totals[i] += largest[static_cast<size_t>(sequence[t + i])];
  }
  for (int64_t i = 0; t + i < length; ++i) totals[i] += largest[static_cast<size_t>(sequence[t + i])];
  return (length > 0 ? initial_largest : 0) + ((totals[0] + totals[1]) + (totals[2] + totals[3]));
}

void Weights::reserve(const Layout& layout, int64_t rows) {
  initial.reserve(static_cast<size_t>(layout.row));
  for (Array<double>* square : {&transition, &transposed}) {
    square->reserve(static_cast<size_t>(layout.states * layout.row));
  }
  likelihoods.reserve(static_cast<size_t>(rows * layout.row));
}

void Weights::raise_transitions(const LogParameters& logs, double s) {
  const auto& table = kernels::instruction_set().double_precision;
  states = logs.layout.states;
  row = logs.layout.row;
  inverse_temperature = s;
  const auto square = static_cast<size_t>(states * row);
  initial.resize(static_cast<size_t>(row));
  transition.resize(square);
  transposed.resize(square);
  table.scaled_exponential(logs.initial(), s, initial.data(), row);
  table.scaled_exponential(logs.transition(0), s, transition.data(), states * row);
  for (int64_t i = 0; i < states; ++i) {
    for (int64_t j = 0; j < states; ++j) {
      transposed[static_cast<size_t>(j * row + i)] = transition[static_cast<size_t>(i * row + j)];
    }
  }
}

void Weights::raise_emissions(const LogParameters& logs, double s, int threads) {
  const auto& table = kernels::instruction_set().double_precision;
  const int64_t symbols = logs.layout.symbols, length = logs.layout.row;
  likelihoods.resize(static_cast<size_t>(symbols * length));
  parallel_for(threads, (symbols + symbol_block - 1) / symbol_block, [&](int64_t block, int) {
    const int64_t first = block * symbol_block;
    const int64_t count = std::min(symbol_block, symbols - first);
    table.scaled_exponential(logs.emission(first), s, likelihoods.data() + first * length, count * length);
  });
}

void Weights::raise_positions(const LogParameters& logs, double s, const int32_t* sequence, int64_t length) {
  const auto& table = kernels::instruction_set().double_precision;
  const int64_t width = logs.layout.row;
  likelihoods.resize(static_cast<size_t>(length * width));
  for (int64_t t = 0; t < length; ++t) {
    table.scaled_exponential(logs.emission(sequence[t]), s, likelihoods.data() + t * width, width);
  }
}

}  // namespace vtemper
