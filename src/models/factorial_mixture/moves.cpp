// Moves of a factorial mixture (README.md section 7): one component is given up and becomes a part of another. The
// parts of a component are either the values of some columns and of the others, drawn at random, which together are
// as they were; or, where another component may be one of them, what the difference to it leaves. A component without
// rows has no parts: a new one is drawn, which is so short and so certain that it costs a row next to nothing.

#include <algorithm>
#include <limits>

#include "models/factorial_mixture/factorial_mixture.h"
#include "models/mergers.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

constexpr int64_t variants = 2;  // 0: by columns, 1: by difference

}  // namespace

/// The sizes are the squared values that a component explains, n_k |m_k|^2 with n_k the rows in which it takes part.
/// It costs no more to give it up, and no more than n_k |m_k - m_j|^2 where component j takes its place.
std::vector<Move> FactorialMixture::propose_moves(uint64_t seed, int64_t round) const {
  const int64_t count = settings_.components;
  if (count < 2 || !initialized()) return {};
  const FactorialComponents& components = *components_;
  std::vector<double> sizes(static_cast<size_t>(count));
  std::vector<Merger> mergers;
  for (int64_t k = 0; k < count; ++k) {
    require_not_interrupted();
    const double rows = components.active_rows(k), norm = components.squared_norm(k);
    sizes[static_cast<size_t>(k)] = rows * norm;
    Merger merger = {std::numeric_limits<double>::infinity(), k, 0};
    for (int64_t j = 0; j < count; ++j) {
      if (j == k) continue;
      double apart = 0;
      for (int64_t d = 0; d < columns(); ++d) {
        const double difference = components.mean(k)[d] - components.mean(j)[d];
        apart += difference * difference;
      }
      const double cost = rows * std::min(norm, apart);
      if (cost < merger.cost) merger = {cost, k, j};
    }
    keep_cheapest(mergers, merger, mergers_of_round);
  }
  return draw_moves(mergers, sizes, trials_of_round, variants, seed, round);
}

void FactorialMixture::apply_move(const Move& move) {
  RandomStream random = random_of(move);
  FactorialComponents& components = *components_;
  const auto other = static_cast<int64_t>(random.below(static_cast<uint64_t>(components.size())));
  const bool by_columns = move.variant == 0 || other == move.from || other == move.slot;
  if (components.dead(move.from)) {
    components.draw_component(move.slot, random);
    return;
  }
  components.copy_component(move.from, move.slot);
  double* const stays = components.mean(move.from);
  double* const leaves = components.mean(move.slot);
  for (int64_t d = 0; d < columns(); ++d) {
    if (by_columns) {
      (random.uniform() < 0.5 ? stays : leaves)[d] = 0;
    } else {
      leaves[d] -= components.mean(other)[d];
    }
  }
}

void FactorialMixture::copy_globals(const Model& copy) {
  *components_ = *static_cast<const FactorialMixture&>(copy).components_;
}

void FactorialMixture::swap_globals(Model& copy) noexcept {
  std::swap(components_, static_cast<FactorialMixture&>(copy).components_);
}

}  // namespace vtemper
