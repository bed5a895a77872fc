// The local step: q(z) of each sequence prop. exp{ s E log p(x, z | theta) }, exact by forward-backward, and its
// expected counts. Rows go through the recursions in chunks, side by side; chunks are divided among parts with
// separate sums (division.cpp), whose number depends on the batch but never on the number of threads.

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/dispatch.h"
#include "models/hidden_markov/sequence_in_log_space.h"
#include "models/hidden_markov/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

template <class T>
void append(Array<T>& array, T value) {
  array.resize(array.size() + 1);
  array[array.size() - 1] = value;
}

}  // namespace

std::unique_ptr<RowSolver> HiddenMarkov::row_solver(const Data* data, int64_t rows) const {
  return row_solver_of(*this, local_work(data, rows));
}

std::unique_ptr<ConjugateFit> HiddenMarkov::begin_fit(const Data* data, int64_t rows) {
  return fit_of(*this, local_work(data, rows));
}

LocalSums HiddenMarkov::local_step(const Batch& batch, const LocalTemperature& temperature,
                                   const LocalSettings& settings, HiddenMarkovWork& work) const {
  const bool row_by_row = temperature.per_row != nullptr;
  work.with_statistics = settings.statistics || (settings.bound && settings.likelihood);
  plan(batch, row_by_row, work);
  reserve(settings.threads, work);
  expected_logs(work.logs);
  if (row_by_row) {
    reserve_rows(*temperature.per_row, work);
    tabulate_normalizers(*temperature.per_row, work);
  } else {
    work.weights.raise_transitions(work.logs, temperature.inverse);
    work.weights.raise_emissions(work.logs, temperature.inverse, settings.threads);
  }
  const auto end_of = [](const Array<int64_t>& ends, int64_t i) { return i < 0 ? 0 : ends[static_cast<size_t>(i)]; };
  parallel_for(settings.threads, static_cast<int64_t>(work.part_ends.size()), [&](int64_t p, int thread) {
    PartStatistics& part = work.parts[static_cast<size_t>(p)];
    HiddenMarkovScratch& scratch = work.scratch[static_cast<size_t>(thread)];
    if (work.with_statistics) part.counts.fill(0);
    if (part.has_pairs) part.pairs.fill(0);
    part.has_pairs = false;
    for (int64_t chunk = end_of(work.part_ends, p - 1); chunk < end_of(work.part_ends, p); ++chunk) {
      if (!row_by_row) {
        solve_chunk(batch, chunk, p, work, scratch);
        continue;
      }
      for (int64_t i = end_of(work.chunk_ends, chunk - 1); i < end_of(work.chunk_ends, chunk); ++i) {
        solve_row(batch, i, *temperature.per_row, p, work, scratch);
      }
    }
  });
  if (work.with_statistics) sum_parts(row_by_row, work);
  return sum_rows(work, row_by_row, temperature, settings);
}

/// Reads the symbols of the rows [first, last) of the batch and orders the non-empty ones. Returns their number.
int64_t HiddenMarkov::read_chunk(const Batch& batch, int64_t first, int64_t last, const HiddenMarkovWork& work,
                                 HiddenMarkovScratch& scratch) const {
  const auto rows = static_cast<size_t>(last - first);
  const SequenceState* states = work.rows.data() + first;
  int64_t symbols = 0;
  for (size_t i = 0; i < rows; ++i) symbols += states[i].length;
  scratch.begins.resize(rows);
  scratch.symbols.resize(static_cast<size_t>(symbols));
  scratch.order.resize(rows);
  int64_t begin = 0, count = 0;
  for (size_t i = 0; i < rows; ++i) {
    scratch.begins[i] = begin;
    if (states[i].length == 0) continue;
    batch.data->sequences().read_row(batch.row(first + static_cast<int64_t>(i)), states[i].length,
                                     scratch.symbols.data() + begin);
    begin += states[i].length;
    // Longest first, ties in original order; a chunk has at most chunk_rows.
    scratch.order[static_cast<size_t>(count++)] =
        states[i].length * chunk_rows + chunk_rows - 1 - static_cast<int64_t>(i);
  }
  scratch.order.resize(static_cast<size_t>(count));
  std::sort(scratch.order.begin(), scratch.order.end(), std::greater<>());
  for (int64_t& i : scratch.order) i = chunk_rows - 1 - i % chunk_rows;
  return count;
}

/// Completes the r-th row after its forward recursion.
void HiddenMarkov::finish_row(int64_t r, double log_normalizer, bool usable, const ChunkRows& rows,
                              const HiddenMarkovWork& work, PartStatistics& sums) const {
  const double s = work.weights.inverse_temperature;
  SequenceState& state = rows.state(r);
  state.log_shift = work.logs.log_shift(rows.sequence(r), state.length);
  state.bound = log_normalizer + s * state.log_shift;
  if (!usable) solve_in_log_space(rows.sequence(r), s, work, state, sums);
}

/// Solves the `size` rows from the begin-th on as one bundle.
void HiddenMarkov::solve_bundle(int64_t begin, int64_t size, const ChunkRows& rows, const HiddenMarkovWork& work,
                                BundleRecursion& bundle, PartStatistics& sums) const {
  bundle.start(size);
  for (int64_t n = 0; n < size; ++n) {
    const SequenceState& state = rows.state(begin + n);
    bundle.set(n, rows.sequence(begin + n), state.length, state.weight * work.weights.inverse_temperature);
  }
  bundle.forward(work.weights);
  if (work.with_statistics) {
    bundle.backward(work.weights, sums.counts.data() + layout_.emission(0), sums.counts.data());
  }
  for (int64_t n = 0; n < size; ++n) {
    finish_row(begin + n, bundle.log_normalizer(n), bundle.usable(n), rows, work, sums);
  }
}

/// Solves rows of similar length in bundles, and all other rows of the chunk together in one Recursion.
void HiddenMarkov::solve_chunk(const Batch& batch, int64_t chunk, int64_t part, HiddenMarkovWork& work,
                               HiddenMarkovScratch& scratch) const {
  const int64_t first = chunk == 0 ? 0 : work.chunk_ends[static_cast<size_t>(chunk - 1)];
  const int64_t last = work.chunk_ends[static_cast<size_t>(chunk)];
  const int64_t count = read_chunk(batch, first, last, work, scratch);
  const double s = work.weights.inverse_temperature;
  for (int64_t i = first; i < last; ++i) work.rows[static_cast<size_t>(i)].inverse_temperature = s;
  const ChunkRows rows{scratch, work.rows.data() + first};
  PartStatistics& sums = work.parts[static_cast<size_t>(part)];
  double* emissions = sums.counts.data() + layout_.emission(0);
  double* transitions = sums.counts.data() + layout_.transition(0);

  Recursion& recursion = scratch.recursion;
  bool has_pairs = false;
  recursion.clear();
  scratch.in_rows.resize(0);
  scratch.factors.resize(0);
  for (int64_t begin = 0; begin < count; begin += kernels::bundle_sequences) {
    const int64_t size = std::min(count - begin, kernels::bundle_sequences);
    int64_t symbols = 0;
    for (int64_t r = begin; r < begin + size; ++r) symbols += rows.state(r).length;
    if (BundleRecursion::pays(layout_, symbols, rows.state(begin).length)) {
      if (work.with_statistics && !has_pairs) scratch.bundles.clear_pairs(layout_.states);
      has_pairs = work.with_statistics;
      solve_bundle(begin, size, rows, work, scratch.bundles, sums);
      continue;
    }
    for (int64_t r = begin; r < begin + size; ++r) {
      recursion.add(rows.sequence(r), rows.sequence(r), rows.state(r).length);
      append(scratch.in_rows, r);
      append(scratch.factors, rows.state(r).weight * s);
    }
  }
  if (has_pairs) scratch.bundles.add_pairs(layout_.row, transitions);
  recursion.forward(work.weights);
  if (work.with_statistics) {
    recursion.backward(work.weights, scratch.factors.data(), emissions, sums.counts.data(), transitions);
  }
  for (int64_t i = 0; i < recursion.count(); ++i) {
    finish_row(scratch.in_rows[static_cast<size_t>(i)], recursion.log_normalizer(i), recursion.usable(i), rows, work,
               sums);
  }
}

/// Solves a sequence whose products leave the range of double.
void HiddenMarkov::solve_in_log_space(const int32_t* sequence, double s, const HiddenMarkovWork& work,
                                      SequenceState& state, PartStatistics& sums) const {
  const SequenceInLogSpace in_log_space(work.logs, s, sequence, state.length);
  state.bound = in_log_space.log_normalizer;
  if (!work.with_statistics) return;
  const double factor = state.weight * s;
  sums.pairs.resize(in_log_space.pairs.size());
  sums.has_pairs = true;
  for (size_t i = 0; i < in_log_space.pairs.size(); ++i) sums.pairs[i] += factor * in_log_space.pairs[i];
  double* emissions = sums.counts.data() + layout_.emission(0);
  for (int64_t t = 0; t < state.length; ++t) {
    for (int64_t k = 0; k < layout_.states; ++k) {
      const double occupancy = factor * in_log_space.occupancies[static_cast<size_t>(t * layout_.row + k)];
      emissions[sequence[t] * layout_.row + k] += occupancy;
      if (t == 0) sums.counts[static_cast<size_t>(k)] += occupancy;
    }
  }
}

void HiddenMarkov::sum_parts(bool row_by_row, HiddenMarkovWork& work) const {
  const auto square = static_cast<size_t>(layout_.states * layout_.row);
  work.statistics.resize(static_cast<size_t>(layout_.size()));
  work.statistics.fill(0);
  for (size_t p = 0; p < work.part_ends.size(); ++p) {
    const double* counts = work.parts[p].counts.data();
    for (size_t i = 0; i < work.statistics.size(); ++i) work.statistics[i] += counts[i];
  }
  double* transitions = work.statistics.data() + layout_.transition(0);
  for (size_t i = 0; !row_by_row && i < square; ++i) transitions[i] *= work.weights.transition[i];
  for (size_t p = 0; p < work.part_ends.size(); ++p) {
    const PartStatistics& part = work.parts[p];
    for (size_t i = 0; part.has_pairs && i < square; ++i) transitions[i] += part.pairs[i];
  }
}

LocalSums HiddenMarkov::sum_rows(const HiddenMarkovWork& work, bool row_by_row, const LocalTemperature& temperature,
                                 const LocalSettings& settings) const {
  LocalSums sums;
  int64_t row = 0;
  for (const SequenceState& state : work.rows) {
    if (settings.row_bounds != nullptr) settings.row_bounds[row] = state.bound;
    if (settings.row_inverse_temperatures != nullptr)
      settings.row_inverse_temperatures[row] = state.inverse_temperature;
    ++row;
    sums.count += 1;
    sums.rows += state.weight;
    sums.empty_rows += state.length == 0 ? 1 : 0;
    sums.tokens += state.weight * static_cast<double>(state.length);
    sums.inverse_temperature += state.weight * state.inverse_temperature;
    if (!settings.bound) continue;
    sums.bound += state.weight * state.bound;
    if (!settings.likelihood) continue;
    sums.expected_log_likelihood += state.weight * (row_by_row ? state.expected_log_likelihood : state.log_shift);
  }
  if (settings.bound && settings.likelihood && !row_by_row) {
    // The statistics are s times the expected counts.
    sums.expected_log_likelihood +=
        kernels::table<double>().dot(work.statistics.data(), work.logs.values.data(), layout_.size()) /
        temperature.inverse;
  }
  return sums;
}

std::vector<Quantity> HiddenMarkov::statistics() const {
  const int64_t states = layout_.states;
  return {{"initial", {states}, false, "Expected sequences that begin in each state."},
          {"transition", {states, states}, false, "Expected transitions from each state to each state."},
          {"emission", {states, layout_.symbols}, false, "Expected symbols of each state."}};
}

void HiddenMarkov::write_statistics(const HiddenMarkovWork& work, double* out) const {
  for (int64_t number = 0; number < layout_.distributions(); ++number) {
    const Layout::Distribution of = layout_.distribution(number);
    for (int64_t i = 0; i < of.size; ++i) *out++ = work.statistics[static_cast<size_t>(of.first + i * of.stride)];
  }
}

void HiddenMarkov::read_statistics(const double* in, HiddenMarkovWork& work) const {
  require_counts(in, statistics_length());
  work.statistics.resize(static_cast<size_t>(layout_.size()));
  work.statistics.fill(0);
  for (int64_t number = 0; number < layout_.distributions(); ++number) {
    const Layout::Distribution of = layout_.distribution(number);
    for (int64_t i = 0; i < of.size; ++i) work.statistics[static_cast<size_t>(of.first + i * of.stride)] = *in++;
  }
}

}  // namespace vtemper
