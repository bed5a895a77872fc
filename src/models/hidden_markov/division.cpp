// How the rows of a step are divided: into chunks, which go through the recursions side by side, and these into parts
// with separate sums. Also the memory required for this, so that steps allocate nothing.

#include <algorithm>

#include "models/hidden_markov/work.h"

namespace vtemper {

namespace {

constexpr int64_t max_parts_of_a_step = 64;
/// With more parts than this, each has at least two chunks: their sums cost memory and time.
constexpr int64_t default_parts = 16;
/// Maximum size of the sums of all parts together (64 MiB).
constexpr int64_t max_numbers_of_parts = int64_t{1} << 23;

int64_t part_limit(const Layout& layout) {
  return std::clamp<int64_t>(max_numbers_of_parts / layout.size(), 1, max_parts_of_a_step);
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
    work->max_length = std::max(work->max_length, sequences.row_length(row));
  }
  work->rows.reserve(static_cast<size_t>(rows));
  work->chunk_ends.reserve(static_cast<size_t>(rows));
  const int64_t chunk_symbols = symbols_of_chunk(layout_);
  work->max_symbols = chunk_symbols + work->max_length;
  // A chunk ends when it has enough rows or enough symbols.
  const double symbols = static_cast<double>(rows) * static_cast<double>(work->max_length);
  const int64_t full_chunks = rows / chunk_rows;
  const double chunks = static_cast<double>(full_chunks + 1) + symbols / static_cast<double>(chunk_symbols);
  work->max_parts = std::min(rows, part_limit(layout_));
  if (chunks < static_cast<double>(work->max_parts)) work->max_parts = static_cast<int64_t>(chunks) + 1;
  return work;
}

MemoryNeed HiddenMarkov::memory(const Data& data, int64_t rows, bool) const {
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
  work.part_ends.reserve(static_cast<size_t>(work.max_parts));
  const auto parts = std::max(work.part_ends.size(), static_cast<size_t>(work.max_parts));
  if (work.parts.size() < parts) work.parts.resize(parts);
  for (PartStatistics& part : work.parts) part.counts.resize(static_cast<size_t>(layout_.size()));
  for (HiddenMarkovScratch& scratch : work.scratch) {
    scratch.recursion.reserve(work.max_symbols, chunk_rows, work.max_length, layout_.row);
    scratch.bundles.reserve(layout_, work.max_symbols);
    scratch.symbols.reserve(static_cast<size_t>(work.max_symbols));
    scratch.begins.reserve(chunk_rows);
    scratch.order.reserve(chunk_rows);
    scratch.in_rows.reserve(chunk_rows);
    scratch.factors.reserve(chunk_rows);
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
  const int64_t parts = std::min(std::max(std::min(chunks, default_parts), chunks / 2), part_limit(layout_));
  work.part_ends.resize(static_cast<size_t>(parts));
  for (int64_t p = 0; p < parts; ++p) work.part_ends[static_cast<size_t>(p)] = chunks * (p + 1) / parts;
}

}  // namespace vtemper
