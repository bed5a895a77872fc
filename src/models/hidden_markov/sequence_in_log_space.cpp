#include "models/hidden_markov/sequence_in_log_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/interruption.h"

namespace vtemper {

namespace {

double log_sum(const std::vector<double>& terms) {
  const double largest = *std::max_element(terms.begin(), terms.end());
  if (!(largest > -std::numeric_limits<double>::infinity())) return largest;
  double total = 0;
  for (const double term : terms) total += std::exp(term - largest);
  return largest + std::log(total);
}

/// Polls for an interrupt by the caller as terms are computed, whatever their number per symbol, and at the first of
/// them: there may be many short sequences.
class Polls {
 public:
  void count(int64_t terms) {
    left_ -= terms;
    if (left_ >= 0) return;
    left_ = terms_between_polls;
    require_not_interrupted();
  }

 private:
  static constexpr int64_t terms_between_polls = 1 << 14;  ///< about 0.1 ms of exponentials
  int64_t left_ = 0;
};

}  // namespace

SequenceInLogSpace::SequenceInLogSpace(const LogParameters& logs, double s, const int32_t* sequence, int64_t length) {
  const int64_t states = logs.layout.states, row = logs.layout.row;
  const auto size = static_cast<size_t>(length * row);
  std::vector<double> forward(size), backward(size), terms(static_cast<size_t>(states));
  occupancies.resize(size);
  pairs.resize(static_cast<size_t>(states * row));
  const auto emission = [&](int64_t t, int64_t k) { return s * logs.emission(sequence[t])[k]; };
  const auto transition = [&](int64_t j, int64_t k) { return s * logs.transition(j)[k]; };
  const auto at = [row](int64_t t, int64_t k) { return static_cast<size_t>(t * row + k); };

  for (int64_t k = 0; k < states; ++k) {
    forward[at(0, k)] = s * logs.initial()[k] + emission(0, k);
  }
  Polls polls;
  for (int64_t t = 1; t < length; ++t) {
    for (int64_t k = 0; k < states; ++k) {
      polls.count(states);
      for (int64_t j = 0; j < states; ++j) {
        terms[static_cast<size_t>(j)] = forward[at(t - 1, j)] + transition(j, k);
      }
      forward[at(t, k)] = log_sum(terms) + emission(t, k);
    }
  }
  for (int64_t t = length - 2; t >= 0; --t) {
    for (int64_t j = 0; j < states; ++j) {
      polls.count(states);
      for (int64_t k = 0; k < states; ++k) {
        terms[static_cast<size_t>(k)] = transition(j, k) + emission(t + 1, k) + backward[at(t + 1, k)];
      }
      backward[at(t, j)] = log_sum(terms);
    }
  }
  for (int64_t k = 0; k < states; ++k) terms[static_cast<size_t>(k)] = forward[at(length - 1, k)];
  const double total = log_sum(terms);
  log_normalizer = total + s * logs.log_shift(sequence, length);
  for (int64_t t = 0; t < length; ++t) {
    for (int64_t j = 0; j < states; ++j) {
      polls.count(states);
      occupancies[at(t, j)] = std::exp(forward[at(t, j)] + backward[at(t, j)] - total);
      for (int64_t k = 0; t + 1 < length && k < states; ++k) {
        pairs[static_cast<size_t>(j * row + k)] +=
            std::exp(forward[at(t, j)] + transition(j, k) + emission(t + 1, k) + backward[at(t + 1, k)] - total);
      }
    }
  }
}

std::vector<int64_t> most_probable_path(const LogParameters& logs, const int32_t* sequence, int64_t length) {
  const int64_t states = logs.layout.states;
  std::vector<int64_t> path(static_cast<size_t>(length));
  if (length == 0) return path;
  std::vector<double> score(static_cast<size_t>(states)), next(score);
  std::vector<int32_t> before(static_cast<size_t>(length * states));
  for (int64_t k = 0; k < states; ++k) {
    score[static_cast<size_t>(k)] = logs.initial()[k] + logs.emission(sequence[0])[k];
  }
  Polls polls;
  for (int64_t t = 1; t < length; ++t) {
    for (int64_t k = 0; k < states; ++k) {
      polls.count(states);
      double best = -std::numeric_limits<double>::infinity();
      int32_t from = 0;
      for (int64_t j = 0; j < states; ++j) {
        const double value = score[static_cast<size_t>(j)] + logs.transition(j)[k];
        if (value > best) {
          best = value;
          from = static_cast<int32_t>(j);
        }
      }
      next[static_cast<size_t>(k)] = best + logs.emission(sequence[t])[k];
      before[static_cast<size_t>(t * states + k)] = from;
    }
    score.swap(next);
  }
  int64_t state = std::max_element(score.begin(), score.end()) - score.begin();
  for (int64_t t = length - 1; t >= 0; --t) {
    path[static_cast<size_t>(t)] = state;
    state = before[static_cast<size_t>(t * states + state)];
  }
  return path;
}

}  // namespace vtemper
