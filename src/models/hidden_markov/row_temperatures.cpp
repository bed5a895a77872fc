// Rows with individual temperatures (inference/README.md section 4): solved one after the other, in rounds of updates
// of the posterior and of the temperature.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/hidden_markov/sequence_in_log_space.h"
#include "models/hidden_markov/work.h"

namespace vtemper {

namespace {

/// Change of s that ends the rounds of local tempering (inference/README.md section 4).
constexpr double settled_inverse_temperature = 0.01;
/// Lengths with tabulated normalisers; beyond them log c grows by the same amount per symbol.
constexpr int64_t max_tabulated_lengths = 4096;

}  // namespace

/// Reserves memory for rows with individual temperatures.
void HiddenMarkov::reserve_rows(const RowTemperature& temperature, HiddenMarkovWork& work) const {
  const auto length = static_cast<size_t>(work.max_length), row = static_cast<size_t>(layout_.row);
  const size_t square = static_cast<size_t>(layout_.states) * row;
  for (PartStatistics& part : work.parts) part.pairs.reserve(square);
  for (HiddenMarkovScratch& scratch : work.scratch) {
    scratch.positions.reserve(length);
    scratch.occupancies.reserve(length * row);
    scratch.weights.reserve(layout_, work.max_length);
    scratch.first.reserve(row);
    scratch.pairs.reserve(square);
    scratch.factors.reserve(temperature.inverse.size());
  }
}

/// Solves one sequence at s. Returns L; occupancies and pairs are in the scratch.
double HiddenMarkov::solve_row_at(double s, const int32_t* sequence, int64_t length, const HiddenMarkovWork& work,
                                  HiddenMarkovScratch& scratch, double& bound) const {
  const int64_t row = layout_.row;
  const LogParameters& logs = work.logs;
  Recursion& recursion = scratch.recursion;
  scratch.weights.raise_transitions(logs, s);
  scratch.weights.raise_positions(logs, s, sequence, length);
  recursion.clear();
  recursion.add(scratch.positions.data(), scratch.positions.data(), length);
  recursion.forward(scratch.weights);
  scratch.occupancies.fill(0);
  scratch.first.fill(0);
  scratch.pairs.fill(0);
  const double log_shift = logs.log_shift(sequence, length);
  if (recursion.usable(0)) {
    constexpr double one = 1;
    recursion.backward(scratch.weights, &one, scratch.occupancies.data(), scratch.first.data(), scratch.pairs.data());
    bound = recursion.log_normalizer(0) + s * log_shift;
    for (size_t i = 0; i < scratch.pairs.size(); ++i) scratch.pairs[i] *= scratch.weights.transition[i];
  } else {
    const SequenceInLogSpace in_log_space(logs, s, sequence, length);
    bound = in_log_space.log_normalizer;
    std::copy(in_log_space.occupancies.begin(), in_log_space.occupancies.end(), scratch.occupancies.data());
    std::copy(in_log_space.pairs.begin(), in_log_space.pairs.end(), scratch.pairs.data());
    std::copy_n(scratch.occupancies.data(), row, scratch.first.data());
  }
  const kernels::Table<double>& table = kernels::instruction_set().double_precision;
  double likelihood = log_shift + table.dot(scratch.first.data(), logs.initial(), layout_.states);
  for (int64_t j = 0; j < layout_.states; ++j) {
    likelihood += table.dot(scratch.pairs.data() + j * row, logs.transition(j), layout_.states);
  }
  for (int64_t t = 0; t < length; ++t) {
    likelihood += table.dot(scratch.occupancies.data() + t * row, logs.emission(sequence[t]), layout_.states);
  }
  return likelihood;
}

void HiddenMarkov::solve_row(const Batch& batch, int64_t index, const RowTemperature& temperature, int64_t part,
                             HiddenMarkovWork& work, HiddenMarkovScratch& scratch) const {
  const int64_t row = layout_.row;
  SequenceState& state = work.rows[static_cast<size_t>(index)];
  state.inverse_temperature = temperature.start;
  if (state.length == 0) return;
  read_chunk(batch, index, index + 1, work, scratch);
  const int32_t* sequence = scratch.symbols.data();
  scratch.positions.resize(static_cast<size_t>(state.length));
  for (int64_t t = 0; t < state.length; ++t) scratch.positions[static_cast<size_t>(t)] = static_cast<int32_t>(t);
  scratch.occupancies.resize(static_cast<size_t>(state.length * row));
  scratch.first.resize(static_cast<size_t>(row));
  scratch.pairs.resize(static_cast<size_t>(layout_.states * row));

  const auto temperatures = static_cast<int64_t>(temperature.inverse.size());
  const double* normalizers = work.normalizers(std::min(state.length, max_tabulated_lengths), temperatures);
  if (state.length > max_tabulated_lengths) {
    const double* before = normalizers - temperatures;
    const auto further = static_cast<double>(state.length - max_tabulated_lengths);
    scratch.factors.resize(static_cast<size_t>(temperatures));
    for (int64_t m = 0; m < temperatures; ++m) {
      scratch.factors[static_cast<size_t>(m)] = normalizers[m] + further * (normalizers[m] - before[m]);
    }
    normalizers = scratch.factors.data();
  }
  double& s = state.inverse_temperature;
  double& likelihood = state.expected_log_likelihood;
  bool settled = false;
  for (int round = 0; !settled && round < temperature.rounds; ++round) {
    const double before = s;
    likelihood = solve_row_at(s, sequence, state.length, work, scratch, state.bound);
    s = temperature.expected_inverse(likelihood, normalizers);
    settled = std::abs(s - before) < settled_inverse_temperature;
  }
  likelihood = solve_row_at(s, sequence, state.length, work, scratch, state.bound);
  // The posterior of the row's temperature maximises sum_m r_m (s_m L - c_m) + H(r); the maximum replaces s L.
  state.bound += temperature.log_evidence(likelihood, normalizers) - s * likelihood;
  if (!work.with_statistics) return;

  PartStatistics& sums = work.parts[static_cast<size_t>(part)];
  const double factor = state.weight * s;
  sums.pairs.resize(scratch.pairs.size());
  sums.has_pairs = true;
  for (size_t i = 0; i < scratch.pairs.size(); ++i) sums.pairs[i] += factor * scratch.pairs[i];
  for (int64_t k = 0; k < row; ++k) {
    sums.counts[static_cast<size_t>(k)] += factor * scratch.first[static_cast<size_t>(k)];
  }
  for (int64_t t = 0; t < state.length; ++t) {
    double* emission = sums.counts.data() + layout_.emission(sequence[t]);
    const double* occupancy = scratch.occupancies.data() + t * row;
    for (int64_t k = 0; k < row; ++k) emission[k] += factor * occupancy[k];
  }
}

void HiddenMarkov::tabulate_normalizers(const RowTemperature& temperature, HiddenMarkovWork& work) const {
  const int64_t lengths = std::min(work.longest, max_tabulated_lengths);
  const size_t temperatures = temperature.inverse.size();
  const int64_t reserved = std::max(lengths, std::min(work.max_length, max_tabulated_lengths));
  Array<double>& of_lengths = work.normalizer.of_lengths;
  of_lengths.reserve(static_cast<size_t>(reserved));
  work.row_normalizers.reserve(static_cast<size_t>(reserved) * temperatures);
  of_lengths.resize(static_cast<size_t>(lengths));
  work.row_normalizers.resize(static_cast<size_t>(lengths) * temperatures);
  for (size_t m = 0; m < temperatures; ++m) {
    length_normalizers(temperature.normalizer.estimate, temperature.inverse[m], lengths, work.normalizer,
                       of_lengths.data());
    for (size_t i = 0; i < static_cast<size_t>(lengths); ++i) {
      work.row_normalizers[i * temperatures + m] = of_lengths[i];
    }
  }
}

}  // namespace vtemper
