// The local step: q(z) of each sequence prop. exp{ s E log p(x, z | theta) }, exact by forward-backward, and its
// expected counts. Rows go through the recursions in chunks, side by side; chunks are divided among parts with
// separate sums, whose number depends on the batch but never on the number of threads.

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/dispatch.h"
#include "models/hidden_markov/sequence_in_logs.h"
#include "models/hidden_markov/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr int64_t most_parts_of_a_step = 64;
/// With more parts than this, each has at least two chunks: their sums cost memory and time.
constexpr int64_t usual_parts = 16;
/// Maximum size of the sums of all parts together (64 MiB).
constexpr int64_t most_numbers_of_parts = int64_t{1} << 23;
/// Change of s that ends the rounds of local tempering (inference/README.md section 4).
constexpr double settled_inverse_temperature = 0.01;
/// Lengths with tabulated normalisers; beyond them log c grows by the same amount per symbol.
constexpr int64_t most_tabulated_lengths = 4096;

const kernels::Table<double>& table() {
  return kernels::instruction_set().double_precision;
}

int64_t part_limit(const Layout& layout) {
  return std::clamp<int64_t>(most_numbers_of_parts / layout.size(), 1, most_parts_of_a_step);
}

template <class T>
void append(Array<T>& array, T value) {
  array.resize(array.size() + 1);
  array[array.size() - 1] = value;
}

int64_t symbols_of_chunk(const Layout& layout) {
  return std::max<int64_t>(chunk_numbers / layout.row, 1);
}

}  // namespace

std::unique_ptr<HiddenMarkovWork> HiddenMarkov::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<HiddenMarkovWork>();
  if (data == nullptr) return work;
  const Sequences& sequences = data->sequences();
  for (int64_t row = 0; row < sequences.rows; ++row) {
    work->most_length = std::max(work->most_length, sequences.row_length(row));
  }
  work->rows.reserve(static_cast<size_t>(rows));
  work->chunk_ends.reserve(static_cast<size_t>(rows));
  const int64_t chunk_symbols = symbols_of_chunk(layout_);
  work->most_symbols = chunk_symbols + work->most_length;
  // A chunk ends when it has enough rows or enough symbols.
  const double symbols = static_cast<double>(rows) * static_cast<double>(work->most_length);
  const int64_t full_chunks = rows / chunk_rows;
  const double chunks = static_cast<double>(full_chunks + 1) + symbols / static_cast<double>(chunk_symbols);
  work->most_parts = std::min(rows, part_limit(layout_));
  if (chunks < static_cast<double>(work->most_parts)) work->most_parts = static_cast<int64_t>(chunks) + 1;
  return work;
}

std::optional<MemoryNeed> HiddenMarkov::memory(const Data& data, int64_t rows, bool) const {
  const Layout layout(settings_.states, data.columns());  // also valid before the model is initialised
  const double numbers = static_cast<double>(layout.size());
  const double all_rows = static_cast<double>(std::max<int64_t>(data.rows(), 1));
  const double length = static_cast<double>(data.entries()) / all_rows;
  const double chunk = std::min(static_cast<double>(symbols_of_chunk(layout)), length * static_cast<double>(rows));
  const double chunks = static_cast<double>(rows) * length / static_cast<double>(symbols_of_chunk(layout));
  const double parts = std::clamp(chunks, 1.0, static_cast<double>(part_limit(layout)));
  constexpr double arrays_of_parameters = 3;  // logarithms, weights, statistics
  constexpr double arrays_of_symbols = 5;     // forward and messages of Recursion, those of BundleRecursion
  MemoryNeed need;
  need.parameters = sizeof(double) * numbers;
  need.work = sizeof(double) * (numbers * (arrays_of_parameters + parts) +
                                chunk * static_cast<double>(layout.row) * arrays_of_symbols) +
              static_cast<double>(rows) * static_cast<double>(sizeof(SequenceState) + sizeof(int64_t));
  return need;
}

void HiddenMarkov::reserve(int threads, HiddenMarkovWork& work) const {
  if (work.scratch.size() < static_cast<size_t>(threads)) work.scratch.resize(static_cast<size_t>(threads));
  work.weights.reserve(layout_, layout_.symbols);
  work.part_ends.reserve(static_cast<size_t>(work.most_parts));
  const auto parts = std::max(work.part_ends.size(), static_cast<size_t>(work.most_parts));
  if (work.parts.size() < parts) work.parts.resize(parts);
  for (PartStatistics& part : work.parts) part.counts.resize(static_cast<size_t>(layout_.size()));
  for (HiddenMarkovScratch& scratch : work.scratch) {
    scratch.recursion.reserve(work.most_symbols, chunk_rows, work.most_length, layout_.row);
    scratch.bundles.reserve(layout_, work.most_symbols);
    scratch.symbols.reserve(static_cast<size_t>(work.most_symbols));
    scratch.begins.reserve(chunk_rows);
    scratch.order.reserve(chunk_rows);
    scratch.in_rows.reserve(chunk_rows);
    scratch.factors.reserve(chunk_rows);
  }
}

/// Reserves memory for rows with individual temperatures.
void HiddenMarkov::reserve_rows(const RowTemperature& temperature, HiddenMarkovWork& work) const {
  const auto length = static_cast<size_t>(work.most_length), row = static_cast<size_t>(layout_.row);
  const size_t square = static_cast<size_t>(layout_.states) * row;
  for (PartStatistics& part : work.parts) part.pairs.reserve(square);
  for (HiddenMarkovScratch& scratch : work.scratch) {
    scratch.positions.reserve(length);
    scratch.occupancies.reserve(length * row);
    scratch.weights.reserve(layout_, work.most_length);
    scratch.first.reserve(row);
    scratch.pairs.reserve(square);
    scratch.factors.reserve(temperature.inverse.size());
  }
}

/// Reads lengths and weights of the rows and divides them into chunks and parts.
void HiddenMarkov::plan(const Batch& batch, bool row_by_row, HiddenMarkovWork& work) const {
  const Sequences& sequences = batch.data->sequences();
  const int64_t chunk_symbols = row_by_row ? 1 : symbols_of_chunk(layout_);
  work.rows.resize(static_cast<size_t>(batch.count));
  work.chunk_ends.resize(0);
  work.longest = 0;
  int64_t first = 0, symbols = 0;
  for (int64_t i = 0; i < batch.count; ++i) {
    SequenceState& state = work.rows[static_cast<size_t>(i)];
    state = {};
    state.length = sequences.row_length(batch.row(i));
    state.weight = batch.data->weight(batch.row(i));
    work.longest = std::max(work.longest, state.length);
    symbols += state.length;
    if (symbols < chunk_symbols && i + 1 - first < chunk_rows && i + 1 < batch.count) continue;
    work.chunk_ends.resize(work.chunk_ends.size() + 1);
    work.chunk_ends[work.chunk_ends.size() - 1] = i + 1;
    first = i + 1;
    symbols = 0;
  }
  const int64_t chunks = static_cast<int64_t>(work.chunk_ends.size());
  const int64_t parts = std::min(std::max(std::min(chunks, usual_parts), chunks / 2), part_limit(layout_));
  work.part_ends.resize(static_cast<size_t>(parts));
  for (int64_t p = 0; p < parts; ++p) work.part_ends[static_cast<size_t>(p)] = chunks * (p + 1) / parts;
}

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

void HiddenMarkov::solve_chunk(const Batch& batch, int64_t chunk, int64_t part, HiddenMarkovWork& work,
                               HiddenMarkovScratch& scratch) const {
  const int64_t first = chunk == 0 ? 0 : work.chunk_ends[static_cast<size_t>(chunk - 1)];
  const int64_t last = work.chunk_ends[static_cast<size_t>(chunk)];
  const int64_t count = read_chunk(batch, first, last, work, scratch);
  const double s = work.weights.inverse_temperature;
  for (int64_t i = first; i < last; ++i) work.rows[static_cast<size_t>(i)].inverse_temperature = s;
  const auto sequence_of = [&](int64_t r) {
    return scratch.symbols.data() + scratch.begins[static_cast<size_t>(scratch.order[static_cast<size_t>(r)])];
  };
  const auto state_of = [&](int64_t r) -> SequenceState& {
    return work.rows[static_cast<size_t>(first + scratch.order[static_cast<size_t>(r)])];
  };
  PartStatistics& sums = work.parts[static_cast<size_t>(part)];
  double* emissions = sums.counts.data() + layout_.emission(0);
  double* transitions = sums.counts.data() + layout_.transition(0);
  const auto finish = [&](int64_t r, double log_normalizer, bool usable) {
    SequenceState& state = state_of(r);
    state.log_shift = work.logs.log_shift(sequence_of(r), state.length);
    state.bound = log_normalizer + s * state.log_shift;
    if (!usable) solve_in_logs(sequence_of(r), s, work, state, sums);
  };

  BundleRecursion& bundles = scratch.bundles;
  Recursion& recursion = scratch.recursion;
  bool bundled = false;
  recursion.clear();
  scratch.in_rows.resize(0);
  scratch.factors.resize(0);
  for (int64_t begin = 0; begin < count; begin += kernels::bundle_sequences) {
    const int64_t size = std::min(count - begin, kernels::bundle_sequences);
    int64_t symbols = 0;
    for (int64_t r = begin; r < begin + size; ++r) symbols += state_of(r).length;
    if (!BundleRecursion::pays(layout_, symbols, state_of(begin).length)) {
      for (int64_t r = begin; r < begin + size; ++r) {
        recursion.add(sequence_of(r), sequence_of(r), state_of(r).length);
        append(scratch.in_rows, r);
        append(scratch.factors, state_of(r).weight * s);
      }
      continue;
    }
    bundles.start(size);
    for (int64_t n = 0; n < size; ++n) {
      const SequenceState& state = state_of(begin + n);
      bundles.set(n, sequence_of(begin + n), state.length, state.weight * s);
    }
    bundles.forward(work.weights);
    if (work.with_statistics) {
      if (!bundled) bundles.clear_pairs(layout_.states);
      bundled = true;
      bundles.backward(work.weights, emissions, sums.counts.data());
    }
    for (int64_t n = 0; n < size; ++n) finish(begin + n, bundles.log_normalizer(n), bundles.usable(n));
  }
  if (bundled) bundles.add_pairs(layout_.row, transitions);
  recursion.forward(work.weights);
  if (work.with_statistics) {
    recursion.backward(work.weights, scratch.factors.data(), emissions, sums.counts.data(), transitions);
  }
  for (int64_t r = 0; r < recursion.count(); ++r) {
    finish(scratch.in_rows[static_cast<size_t>(r)], recursion.log_normalizer(r), recursion.usable(r));
  }
}

/// Solves a sequence whose products leave the range of double.
void HiddenMarkov::solve_in_logs(const int32_t* sequence, double s, const HiddenMarkovWork& work,
                                 SequenceState& state, PartStatistics& sums) const {
  const SequenceInLogs in_logs(work.logs, s, sequence, state.length);
  state.bound = in_logs.log_normalizer;
  if (!work.with_statistics) return;
  const double factor = state.weight * s;
  sums.pairs.resize(in_logs.pairs.size());
  sums.has_pairs = true;
  for (size_t i = 0; i < in_logs.pairs.size(); ++i) sums.pairs[i] += factor * in_logs.pairs[i];
  double* emissions = sums.counts.data() + layout_.emission(0);
  for (int64_t t = 0; t < state.length; ++t) {
    for (int64_t k = 0; k < layout_.states; ++k) {
      const double occupancy = factor * in_logs.occupancies[static_cast<size_t>(t * layout_.row + k)];
      emissions[sequence[t] * layout_.row + k] += occupancy;
      if (t == 0) sums.counts[static_cast<size_t>(k)] += occupancy;
    }
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
    const SequenceInLogs in_logs(logs, s, sequence, length);
    bound = in_logs.log_normalizer;
    std::copy(in_logs.occupancies.begin(), in_logs.occupancies.end(), scratch.occupancies.data());
    std::copy(in_logs.pairs.begin(), in_logs.pairs.end(), scratch.pairs.data());
    std::copy_n(scratch.occupancies.data(), row, scratch.first.data());
  }
  double likelihood = log_shift + table().dot(scratch.first.data(), logs.initial(), layout_.states);
  for (int64_t j = 0; j < layout_.states; ++j) {
    likelihood += table().dot(scratch.pairs.data() + j * row, logs.transition(j), layout_.states);
  }
  for (int64_t t = 0; t < length; ++t) {
    likelihood += table().dot(scratch.occupancies.data() + t * row, logs.emission(sequence[t]), layout_.states);
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
  const double* normalizers = work.normalizers(std::min(state.length, most_tabulated_lengths), temperatures);
  if (state.length > most_tabulated_lengths) {
    const double* before = normalizers - temperatures;
    const auto further = static_cast<double>(state.length - most_tabulated_lengths);
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
  for (const SequenceState& state : work.rows) {
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
        table().dot(work.statistics.data(), work.logs.values.data(), layout_.size()) / temperature.inverse;
  }
  return sums;
}

void HiddenMarkov::tabulate_normalizers(const RowTemperature& temperature, HiddenMarkovWork& work) const {
  const int64_t lengths = std::min(work.longest, most_tabulated_lengths);
  const size_t temperatures = temperature.inverse.size();
  const int64_t reserved = std::max(lengths, std::min(work.most_length, most_tabulated_lengths));
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

std::vector<Quantity> HiddenMarkov::statistics() const {
  const int64_t states = layout_.states;
  return {{"initial", {states}, false, "Expected sequences that begin in each state."},
          {"transition", {states, states}, false, "Expected transitions from each state to each."},
          {"emission", {states, layout_.symbols}, false, "Expected symbols of each state."}};
}

void HiddenMarkov::write_statistics(const HiddenMarkovWork& work, double* out) const {
  for (int64_t number = 0; number < layout_.distributions(); ++number) {
    const Layout::Distribution of = layout_.distribution(number);
    for (int64_t i = 0; i < of.size; ++i) *out++ = work.statistics[static_cast<size_t>(of.first + i * of.stride)];
  }
}

void HiddenMarkov::read_statistics(const double* in, HiddenMarkovWork& work) const {
  work.statistics.resize(static_cast<size_t>(layout_.size()));
  work.statistics.fill(0);
  for (int64_t number = 0; number < layout_.distributions(); ++number) {
    const Layout::Distribution of = layout_.distribution(number);
    for (int64_t i = 0; i < of.size; ++i) work.statistics[static_cast<size_t>(of.first + i * of.stride)] = *in++;
  }
}

}  // namespace vtemper
