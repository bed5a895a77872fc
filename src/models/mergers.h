#pragma once
// The choice of moves (conjugate_model.h) by models with components: which of them lose their place, and which are
// split.

#include <vector>

#include "models/conjugate_model.h"
#include "support/random_streams.h"

namespace vtemper {

/// The least number of moves of a round of trials, and the mergers that they take.
constexpr int64_t trials_of_round = 6;
constexpr size_t mergers_of_round = 3;
/// The most components whose splits are tried with the first merger.
constexpr size_t splits_of_first = 12;

/// Component `slot` is merged into `into`, at this cost.
struct Merger {
  double cost = 0;
  int64_t slot = 0, into = 0;
};

/// Inserts the merger into a list sorted by cost that keeps the `limit` cheapest.
void keep_cheapest(std::vector<Merger>& mergers, const Merger& offer, size_t limit);

/// At least `count` moves: the mergers take turns, each with the split of a component that is drawn by its size [K]
/// once the slot is empty. In every other round the first merger is tried with the split of every component that is
/// left (of some that are drawn, if they are many): where two components share a large cluster, the one that holds
/// two may be small. The `variants` of a split take turns, also from round to round.
std::vector<Move> draw_moves(const std::vector<Merger>& mergers, const std::vector<double>& sizes, int64_t count,
                             int64_t variants, uint64_t seed, int64_t round);

/// The random numbers of a move that draw_moves has left.
RandomStream random_of(const Move& move);

}  // namespace vtemper
