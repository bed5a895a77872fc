#pragma once
// Workspace of a local step of the hidden Markov model: the rows of the batch, statistics of its parts, scratch
// memory of the threads.

#include <vector>

#include "models/hidden_markov/bundle_recursion.h"
#include "models/hidden_markov/hidden_markov.h"
#include "models/hidden_markov/normalizer.h"
#include "models/hidden_markov/recursion.h"

namespace vtemper {

/// A chunk is a run of rows that go through the recursions side by side. It is limited to this many rows, and to
/// symbols whose probabilities take this many numbers, so that they stay in cache.
constexpr int64_t chunk_rows = 128;
constexpr int64_t chunk_numbers = 40960;

struct SequenceState {
  int64_t length;
  double weight;
  double inverse_temperature;
  double bound;                    ///< log of the sum over paths at s: s L + H(q(z)) = F
  double log_shift;                ///< subtracted from its logarithms (LogParameters)
  double expected_log_likelihood;  ///< L; only if rows have individual temperatures
};

/// Workspace of one thread for a chunk or a row.
struct HiddenMarkovScratch {
  Recursion recursion;
  BundleRecursion bundles;
  Array<int64_t> in_rows;      ///< indices into `order` of rows not in a bundle
  Array<int32_t> symbols;      ///< of the chunk's rows, concatenated
  Array<int64_t> begins;       ///< [rows of the chunk] offsets
  Array<int64_t> order;        ///< non-empty rows, longest first
  Array<double> factors;       ///< [order]
  Array<int32_t> positions;    ///< 0, 1, ...
  Weights weights;             ///< of one row at its own temperature
  Array<double> occupancies;   ///< [length x row] of one row
  Array<double> first, pairs;  ///< [row], [states x row] of one row
};

/// The rows of a chunk that are not empty, longest first.
struct ChunkRows {
  const HiddenMarkovScratch& scratch;
  SequenceState* states;  ///< of the rows in their order in the batch

  const int32_t* sequence(int64_t r) const {
    return scratch.symbols.data() + scratch.begins[static_cast<size_t>(scratch.order[static_cast<size_t>(r)])];
  }
  SequenceState& state(int64_t r) const { return states[scratch.order[static_cast<size_t>(r)]]; }
};

/// Statistics of one part of the batch.
struct PartStatistics {
  Array<double> counts;  ///< [layout] initial states and emissions; transitions still without their weights
  Array<double> pairs;   ///< [states x row] transitions with their weights
  bool has_pairs = false;
};

class HiddenMarkovWork : public LocalWork {
 public:
  LogParameters logs;        ///< E log theta
  Weights weights;           ///< of all rows
  Array<double> statistics;  ///< [layout] sums over rows of weight * s * expected counts

  std::vector<SequenceState> rows;  ///< of the batch
  Array<int64_t> chunk_ends;        ///< [chunks] end of each chunk, in rows
  Array<int64_t> part_ends;         ///< [parts] end of each part, in chunks
  std::vector<PartStatistics> parts;
  std::vector<HiddenMarkovScratch> scratch;  ///< one per thread
  int64_t longest = 0;
  Array<double> row_normalizers;  ///< [lengths x temperatures] log c_{s_m, L}
  NormalizerWork normalizer;
  bool with_statistics = true;  ///< whether expected counts are needed

  // Maxima over all possible steps on the data; 0 if unknown.
  int64_t max_symbols = 0, max_length = 0, max_parts = 0;

  /// log c_{s_m, L} [temperatures] of a row; see normalizers_of_rows for lengths beyond the table.
  const double* normalizers(int64_t length, int64_t temperatures) const {
    return row_normalizers.data() + (length - 1) * temperatures;
  }
};

}  // namespace vtemper
