#include "models/mergers.h"

#include <algorithm>
#include <numeric>

namespace vtemper {

namespace {

RandomStream stream_of(uint64_t seed, int64_t round, int64_t number) {
  return {seed, Purpose::move, static_cast<uint64_t>(round), static_cast<uint64_t>(number)};
}

}  // namespace

void keep_cheapest(std::vector<Merger>& mergers, const Merger& offer, size_t limit) {
  const auto costs_more = [&](const Merger& other) { return offer.cost < other.cost; };
  mergers.insert(std::find_if(mergers.begin(), mergers.end(), costs_more), offer);
  if (mergers.size() > limit) mergers.pop_back();
}

std::vector<Move> draw_moves(const std::vector<Merger>& mergers, const std::vector<double>& sizes, int64_t count,
                             int64_t variants, uint64_t seed, int64_t round) {
  const double size = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  const auto in_turn = static_cast<int64_t>(mergers.size());
  std::vector<Move> moves;
  for (int64_t i = 0; i < count; ++i) {
    const Merger& merger = mergers[static_cast<size_t>(i % in_turn)];
    Move move;
    move.slot = merger.slot;
    move.into = merger.into;
    double left = stream_of(seed, round, i).uniform() * size;
    move.from = merger.into;
    for (size_t k = 0; k < sizes.size() && left > 0; ++k) {
      const auto component = static_cast<int64_t>(k);
      if (component == merger.slot) continue;
      left -= sizes[k] + (component == merger.into ? sizes[static_cast<size_t>(merger.slot)] : 0);
      move.from = component;
    }
    move.variant = (i + i / in_turn + round) % variants;
    move.seed = seed;
    move.round = round;
    move.number = i;
    moves.push_back(move);
  }
  return moves;
}

RandomStream random_of(const Move& move) {
  RandomStream random = stream_of(move.seed, move.round, move.number);
  random.uniform();
  return random;
}

}  // namespace vtemper
