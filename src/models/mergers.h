#pragma once
// The choice of moves (conjugate_model.h) by models with components: which of them lose their place, and which are
// split.

#include <vector>

#include "models/conjugate_model.h"
#include "support/random_streams.h"

namespace vtemper {

/// Moves of a round of trials, and the mergers that they take in turn.
constexpr int64_t trials_of_round = 6;
constexpr size_t mergers_of_round = 3;

/// Component `slot` is merged into `into`, at this cost.
struct Merger {
  double cost = 0;
  int64_t slot = 0, into = 0;
};

/// Inserts the merger into a list sorted by cost that keeps the `limit` cheapest.
void keep_cheapest(std::vector<Merger>& mergers, const Merger& offer, size_t limit);

/// `count` moves, which take the mergers and the `variants` of a split in turn. Each splits a component that is drawn
/// by its size [K] once the slot is empty.
std::vector<Move> draw_moves(const std::vector<Merger>& mergers, const std::vector<double>& sizes, int64_t count,
                             int64_t variants, uint64_t seed, int64_t round);

/// The random numbers of a move that draw_moves has left.
RandomStream random_of(const Move& move);

}  // namespace vtemper
