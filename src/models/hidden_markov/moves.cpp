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
#include "support/interruption.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

constexpr size_t slots_of_round = 3;
constexpr int64_t trials_of_round = 6;
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
  double symbols = 0;
  for (int64_t k = 0; k < states; ++k) {
    double& of_state = occupancy[static_cast<size_t>(k)];
    of_state = total(1 + states + k);
    const double* priors = prior(1 + states + k);
    for (int64_t v = 0; v < layout_.symbols; ++v) of_state -= priors[v * prior_stride(1 + states + k)];
    of_state = std::max(of_state, 0.0);
    symbols += of_state;
  }
  struct Slot {
    double cost;
    int64_t slot, into;
  };
  std::vector<Slot> slots;
  const int64_t least = std::min_element(occupancy.begin(), occupancy.end()) - occupancy.begin();
  Slot weakest = {std::numeric_limits<double>::infinity(), least, 0};
  for (int64_t a = 0; a < states; ++a) {
    for (int64_t b = 0; b < a; ++b) {
      require_not_interrupted();
      const bool a_is_less = occupancy[static_cast<size_t>(a)] < occupancy[static_cast<size_t>(b)];
      const int64_t slot = a_is_less ? a : b, into = a_is_less ? b : a;
      const double apart = distance(a, b);
      if ((a == least || b == least) && apart < weakest.cost) weakest = {apart, least, a == least ? b : a};
      const Slot pair = {apart * occupancy[static_cast<size_t>(slot)], slot, into};
      const auto place = std::find_if(slots.begin(), slots.end(), [&](const Slot& x) { return pair.cost < x.cost; });
      slots.insert(place, pair);
      if (slots.size() > slots_of_round) slots.pop_back();
    }
  }
  const auto same = [&](const Slot& x) { return x.slot == weakest.slot && x.into == weakest.into; };
  slots.erase(std::remove_if(slots.begin(), slots.end(), same), slots.end());
  slots.insert(slots.begin(), weakest);
  if (slots.size() > slots_of_round) slots.pop_back();

  const int64_t variants = static_cast<int64_t>(persistence.size());
  const int64_t count = states == 2 ? variants : trials_of_round;
  std::vector<Move> moves;
  for (int64_t i = 0; i < count; ++i) {
    const Slot& slot = slots[static_cast<size_t>(i) % slots.size()];
    Move move;
    move.slot = slot.slot;
    move.into = slot.into;
    // The state to be split: one of the others, drawn by its share once the slot is empty.
    RandomStream random(seed, Purpose::move, static_cast<uint64_t>(round), static_cast<uint64_t>(i));
    double left = random.uniform() * symbols;
    move.from = slot.into;
    for (int64_t k = 0; k < states && left > 0; ++k) {
      if (k == slot.slot) continue;
      left -= occupancy[static_cast<size_t>(k)] + (k == slot.into ? occupancy[static_cast<size_t>(slot.slot)] : 0);
      move.from = k;
    }
    move.variant = (i + i / static_cast<int64_t>(slots.size()) + round) % variants;
    move.seed = seed;
    move.round = round;
    move.number = i;
    moves.push_back(move);
  }
  return moves;
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
  // Continues the stream of propose_moves after its first draw.
  RandomStream random(move.seed, Purpose::move, static_cast<uint64_t>(move.round),
                      static_cast<uint64_t>(move.number));
  random.uniform();
  for (int64_t v = 0; v < layout_.symbols; ++v) {
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    halve(symbols_of(from), v, symbols_of(slot), v, sign * emission_contrast);
  }
  recount();
}

void HiddenMarkov::set_globals(const Array<double>& globals) noexcept {
  parameters_ = globals;
  recount();
}

}  // namespace vtemper
