// Results of a fitted hidden Markov model: states of given sequences, their log probabilities, symbols of the states.

#include <algorithm>
#include <numeric>

#include "models/hidden_markov/recursion.h"
#include "models/hidden_markov/sequence_in_log_space.h"
#include "models/hidden_markov/work.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

std::vector<Quantity> HiddenMarkov::local_quantities(const Data& data) const {
  const int64_t symbols = data.entries();
  return {
      {"marginals",
       {symbols, settings_.states},
       false,
       "Posterior probabilities of the states at each symbol, one sequence after the other."},
      {"path",
       {symbols},
       false,
       "Most probable states of each sequence under the mean parameters (Viterbi), from 0."},
      {"log_likelihood", {data.rows()}, false, "Log probability of each sequence under the mean parameters (nats)."}};
}

namespace {

/// Processes one sequence at a time, so results do not depend on neighbouring rows.
struct Reader {
  std::vector<int32_t> symbols;
  Recursion recursion;
  Array<double> occupancies, first, pairs;
  std::vector<int32_t> positions;

  void read(const Sequences& sequences, int64_t row) {
    const int64_t length = sequences.row_length(row);
    symbols.resize(static_cast<size_t>(length));
    sequences.read_row(row, length, symbols.data());
  }

  double log_likelihood(const LogParameters& logs, const Weights& weights) {
    const auto length = static_cast<int64_t>(symbols.size());
    if (length == 0) return 0;
    recursion.clear();
    recursion.add(symbols.data(), symbols.data(), length);
    recursion.forward(weights);
    if (!recursion.usable(0)) return SequenceInLogSpace(logs, 1, symbols.data(), length).log_normalizer;
    return recursion.log_normalizer(0) + logs.log_shift(symbols.data(), length);
  }

  /// Computes marginals into occupancies [length x row].
  void find_marginals(const LogParameters& logs, const Weights& weights) {
    const auto length = static_cast<int64_t>(symbols.size());
    const auto row = static_cast<size_t>(weights.row);
    if (length == 0) return;
    positions.resize(symbols.size());
    std::iota(positions.begin(), positions.end(), 0);
    recursion.clear();
    recursion.add(symbols.data(), positions.data(), length);
    recursion.forward(weights);
    occupancies.resize(symbols.size() * row);
    occupancies.fill(0);
    if (recursion.usable(0)) {
      constexpr double one = 1;
      first.resize(row);
      pairs.resize(static_cast<size_t>(weights.states) * row);
      recursion.backward(weights, &one, occupancies.data(), first.data(), pairs.data());
    } else {
      const SequenceInLogSpace in_log_space(logs, 1, symbols.data(), length);
      std::copy(in_log_space.occupancies.begin(), in_log_space.occupancies.end(), occupancies.data());
    }
  }
};

/// Calls visit(row, reader) for all rows in parallel; each reader has read its row.
template <class Visit>
void for_each_row(const Data& data, int threads, const Visit& visit) {
  constexpr int64_t block = 16;
  std::vector<Reader> readers(static_cast<size_t>(threads));
  parallel_for(threads, (data.rows() + block - 1) / block, [&](int64_t b, int thread) {
    Reader& reader = readers[static_cast<size_t>(thread)];
    for (int64_t row = b * block; row < std::min(data.rows(), (b + 1) * block); ++row) {
      reader.read(data.sequences(), row);
      visit(row, reader);
    }
  });
}

}  // namespace

void HiddenMarkov::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                         const Sink& sink) const {
  check(data);
  const int threads = usable_threads(evaluate.integer("threads"));
  LogParameters logs;
  if (quantity == "marginals") {
    expected_logs(logs);
  } else {
    logs_of_means(logs);
  }
  Weights weights;
  weights.raise_transitions(logs, 1);
  weights.raise_emissions(logs, 1, threads);
  std::vector<int64_t> begins(static_cast<size_t>(data.rows()) + 1);
  for (int64_t row = 0; row < data.rows(); ++row) {
    begins[static_cast<size_t>(row) + 1] = begins[static_cast<size_t>(row)] + data.sequences().row_length(row);
  }
  for_each_row(data, threads, [&](int64_t row, Reader& reader) {
    const int64_t begin = begins[static_cast<size_t>(row)];
    const auto length = static_cast<int64_t>(reader.symbols.size());
    // Otherwise the file is being modified concurrently.
    if (begin + length != begins[static_cast<size_t>(row) + 1] || begins.back() != data.entries()) {
      throw Error(VTEMPER_ERROR_FORMAT, message("row ", row, " was changed while it was read"));
    }
    if (quantity == "log_likelihood") {
      sink(row) = reader.log_likelihood(logs, weights);
    } else if (quantity == "path") {
      const std::vector<int64_t> path = most_probable_path(logs, reader.symbols.data(), length);
      for (int64_t t = 0; t < length; ++t) sink(begin + t) = static_cast<double>(path[static_cast<size_t>(t)]);
    } else {
      reader.find_marginals(logs, weights);
      for (int64_t t = 0; t < length; ++t) {
        for (int64_t k = 0; k < layout_.states; ++k) {
          sink(begin + t, k) = reader.occupancies[static_cast<size_t>(t * layout_.row + k)];
        }
      }
    }
  });
}

void HiddenMarkov::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                              double* tokens) const {
  check(rows.observed);
  const int threads = usable_threads(evaluate.integer("threads"));
  LogParameters logs;
  logs_of_means(logs);
  Weights weights;
  weights.raise_transitions(logs, 1);
  weights.raise_emissions(logs, 1, threads);
  for_each_row(rows.observed, threads, [&](int64_t row, Reader& reader) {
    scores[row] = reader.log_likelihood(logs, weights);
    tokens[row] = static_cast<double>(reader.symbols.size());
  });
}

void HiddenMarkov::word_weights(int64_t column, int64_t first, int64_t count, double* out) const {
  const double* row = parameters_.data() + layout_.emission(column);
  for (int64_t k = 0; k < count; ++k) out[k] = row[first + k];
}

void HiddenMarkov::word_totals(double* out) const {
  for (int64_t k = 0; k < layout_.states; ++k) out[k] = total(1 + layout_.states + k);
}

void HiddenMarkov::word_shares(double* out) const {
  word_totals(out);
  double all = 0;
  for (int64_t k = 0; k < layout_.states; ++k) all += out[k];
  for (int64_t k = 0; k < layout_.states; ++k) out[k] /= all;
}

}  // namespace vtemper
