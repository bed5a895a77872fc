#include "models/hidden_markov/log_parameters.h"

#include <algorithm>

#include "kernels/dispatch.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nothing = -1e30;
/// Symbols that one thread takes at a time.
constexpr int64_t symbol_block = 512;

/// Fills the padding and takes the largest of the states off them all.
double relative_row(double* values, int64_t states, int64_t row) {
  const double largest = *std::max_element(values, values + states);
  for (int64_t k = 0; k < states; ++k) values[k] -= largest;
  std::fill(values + states, values + row, nothing);
  return largest;
}

}  // namespace

int64_t row_of_states(int64_t states) {
  constexpr int64_t whole = kernels::whole_row<double>;
  return (states + whole - 1) / whole * whole;
}

void LogParameters::resize(int64_t state_count, int64_t symbol_count) {
  states = state_count;
  symbols = symbol_count;
  row = row_of_states(states);
  initial.resize(static_cast<size_t>(row));
  transition.resize(static_cast<size_t>(states * row));
  emission.resize(static_cast<size_t>(symbols * row));
  largest.resize(static_cast<size_t>(symbols));
}

void LogParameters::settle() {
  initial_largest = relative_row(initial.data(), states, row);
  for (int64_t j = 0; j < states; ++j) {
    std::fill(transition.data() + j * row + states, transition.data() + (j + 1) * row, nothing);
  }
  for (int64_t v = 0; v < symbols; ++v) {
    largest[static_cast<size_t>(v)] = relative_row(emission.data() + v * row, states, row);
  }
}

void Weights::raise_transitions(const LogParameters& logs, double s) {
  const auto& table = kernels::instruction_set().double_precision;
  states = logs.states;
  row = logs.row;
  inverse_temperature = s;
  initial.resize(logs.initial.size());
  transition.resize(logs.transition.size());
  transposed.resize(logs.transition.size());
  table.scaled_exponential(logs.initial.data(), s, initial.data(), row);
  table.scaled_exponential(logs.transition.data(), s, transition.data(), states * row);
  for (int64_t i = 0; i < states; ++i) {
    for (int64_t j = 0; j < states; ++j) {
      transposed[static_cast<size_t>(j * row + i)] = transition[static_cast<size_t>(i * row + j)];
    }
  }
}

void Weights::raise_emissions(const LogParameters& logs, double s, int threads) {
  const auto& table = kernels::instruction_set().double_precision;
  likelihoods.resize(logs.emission.size());
  parallel_for(threads, (logs.symbols + symbol_block - 1) / symbol_block, [&](int64_t block, int) {
    const int64_t first = block * symbol_block;
    const int64_t count = std::min(symbol_block, logs.symbols - first);
    table.scaled_exponential(logs.emission.data() + first * logs.row, s, likelihoods.data() + first * logs.row,
                             count * logs.row);
  });
}

void Weights::raise_positions(const LogParameters& logs, double s, const int32_t* sequence, int64_t length) {
  const auto& table = kernels::instruction_set().double_precision;
  likelihoods.resize(std::max(likelihoods.size(), static_cast<size_t>(length * logs.row)));
  for (int64_t t = 0; t < length; ++t) {
    table.scaled_exponential(logs.emission.data() + sequence[t] * logs.row, s, likelihoods.data() + t * logs.row,
                             logs.row);
  }
}

}  // namespace vtemper
