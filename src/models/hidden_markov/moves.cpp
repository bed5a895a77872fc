// Moves of a hidden Markov model: one state is merged into another and takes half of a third. In terms of counts c =
// (Dirichlet parameter - prior), whose sum is preserved: both halves get the counts of the split state, with
// emissions multiplied by 1 +- 0.9 of random sign, so that they differ, and the block of transitions between the
// halves gets (1 + r) / 4 of the state's self-transitions on its diagonal and (1 - r) / 4 off it. Near a point where
// all states are equal, the difference of two states grows by a factor that increases with the second eigenvalue of
// the transitions, which r = 0 would have to build up first. So states that persist (r > 0) and that alternate (r <
// 0) are tried.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/hidden_markov/hidden_markov.h"
#include "models/mergers.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

constexpr double emission_contrast = 0.9;
/// r by Move::variant, for two states and for more than two.
constexpr std::array<double, 3> persistence_of_two = {0.8, 0, -0.8};
constexpr std::array<double, 3> persistence = {0.5, 0, -0.5};

}  // namespace

/// Candidate slots: the state with the fewest symbols, then the most similar pairs of states with few symbols.
std::vector<Move> HiddenMarkov::propose_moves(uint64_t seed, int64_t round) const {
  const int64_t states = layout_.states;
  if (states < 2 || !initialized()) return {};
  const auto share = [this](int64_t number, int64_t i) {
    const Layout::Distribution of = layout_.distribution(number);
    return parameters_[static_cast<size_t>(of.first + i * of.stride)] / total(number);
  };
  // Half the sums of absolute differences of mean symbols and mean next states.
  const auto distance = [&](int64_t a, int64_t b) {
    double sum = 0;
    for (int64_t v = 0; v < layout_.symbols; ++v)
      sum += std::abs(share(1 + states + a, v) - share(1 + states + b, v));
    for (int64_t k = 0; k < states; ++k) sum += std::abs(share(1 + a, k) - share(1 + b, k));
    return sum / 2;
  };
  std::vector<double> occupancy(static_cast<size_t>(states));
  for (int64_t k = 0; k < states; ++k) {
    double& of_state = occupancy[static_cast<size_t>(k)];
    of_state = total(1 + states + k);
    const double* priors = prior(1 + states + k);
    for (int64_t v = 0; v < layout_.symbols; ++v) of_state -= priors[v * prior_stride(1 + states + k)];
    of_state = std::max(of_state, 0.0);
  }
  std::vector<Merger> mergers;
  const int64_t least = std::min_element(occupancy.begin(), occupancy.end()) - occupancy.begin();
  Merger weakest = {std::numeric_limits<double>::infinity(), least, 0};
  for (int64_t a = 0; a < states; ++a) {
    for (int64_t b = 0; b < a; ++b) {
      require_not_interrupted();
      const bool a_is_less = occupancy[static_cast<size_t>(a)] < occupancy[static_cast<size_t>(b)];
      const int64_t slot = a_is_less ? a : b, into = a_is_less ? b : a;
      const double apart = distance(a, b);
      if ((a == least || b == least) && apart < weakest.cost) weakest = {apart, least, a == least ? b : a};
      keep_cheapest(mergers, {apart * occupancy[static_cast<size_t>(slot)], slot, into}, mergers_of_round);
    }
  }
  const auto same = [&](const Merger& x) { return x.slot == weakest.slot && x.into == weakest.into; };
  mergers.erase(std::remove_if(mergers.begin(), mergers.end(), same), mergers.end());
  mergers.insert(mergers.begin(), weakest);
  if (mergers.size() > mergers_of_round) mergers.pop_back();
  const int64_t variants = static_cast<int64_t>(persistence.size());
  return draw_moves(mergers, occupancy, states == 2 ? variants : trials_of_round, variants, seed, round);
}

void HiddenMarkov::apply_move(const Move& move) {
  const int64_t states = layout_.states, slot = move.slot, into = move.into, from = move.from;
  const double r = (states == 2 ? persistence_of_two : persistence)[static_cast<size_t>(move.variant)];
  const auto element = [this](int64_t number, int64_t i) -> double& {
    const Layout::Distribution of = layout_.distribution(number);
    return parameters_[static_cast<size_t>(of.first + i * of.stride)];
  };
  const auto prior_of = [this](int64_t number, int64_t i) { return prior(number)[i * prior_stride(number)]; };
  const auto count = [&](int64_t number, int64_t i) {
    return std::max(element(number, i) - prior_of(number, i), 0.0);
  };
  const auto set = [&](int64_t number, int64_t i, double counts) {
    element(number, i) = prior_of(number, i) + counts;
  };
  const auto row = [](int64_t state) { return 1 + state; };
  const auto symbols_of = [states](int64_t state) { return 1 + states + state; };
  const auto give = [&](int64_t number, int64_t i, int64_t to_number, int64_t to) {
    const double held = count(number, i);
    set(to_number, to, count(to_number, to) + held);
    set(number, i, 0);
  };

  // Merge `slot` into `into`: first the columns of the transitions, then its row.
  give(0, slot, 0, into);
  for (int64_t k = 0; k < states; ++k) give(row(k), slot, row(k), into);
  for (int64_t k = 0; k < states; ++k) give(row(slot), k, row(into), k);
  for (int64_t v = 0; v < layout_.symbols; ++v) give(symbols_of(slot), v, symbols_of(into), v);

  // Split `from` into two halves.
  const auto halve = [&](int64_t number, int64_t i, int64_t to_number, int64_t to, double contrast) {
    const double held = count(number, i);
    set(number, i, held * (1 + contrast) / 2);
    set(to_number, to, held * (1 - contrast) / 2);
  };
  halve(0, from, 0, slot, 0);
  const double own = count(row(from), from);
  for (int64_t k = 0; k < states; ++k) {
    if (k == from || k == slot) continue;
    halve(row(k), from, row(k), slot, 0);
    halve(row(from), k, row(slot), k, 0);
  }
  set(row(from), from, own * (1 + r) / 4);
  set(row(slot), slot, own * (1 + r) / 4);
  set(row(from), slot, own * (1 - r) / 4);
  set(row(slot), from, own * (1 - r) / 4);
  RandomStream random = random_of(move);
  for (int64_t v = 0; v < layout_.symbols; ++v) {
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    halve(symbols_of(from), v, symbols_of(slot), v, sign * emission_contrast);
  }
  recount();
}

void HiddenMarkov::copy_globals(const Model& copy) {
  const auto& other = static_cast<const HiddenMarkov&>(copy);
  parameters_ = other.parameters_;
  totals_ = other.totals_;
}

void HiddenMarkov::swap_globals(Model& copy) noexcept {
  auto& other = static_cast<HiddenMarkov&>(copy);
  std::swap(parameters_, other.parameters_);
  std::swap(totals_, other.totals_);
}

}  // namespace vtemper
