#include "models/mergers.h"

#include <algorithm>
#include <numeric>

namespace vtemper {

namespace {

RandomStream stream_of(uint64_t seed, int64_t round, int64_t number) {
  return {seed, Purpose::move, static_cast<uint64_t>(round), static_cast<uint64_t>(number)};
}

/// The component at which the running sum of sizes exceeds a drawn share of their total; `otherwise` if all are 0.
int64_t drawn_by_size(const std::vector<double>& sizes, double share, int64_t otherwise) {
  double left = share * std::accumulate(sizes.begin(), sizes.end(), 0.0);
  int64_t drawn = otherwise;
  for (size_t k = 0; k < sizes.size() && left > 0; ++k) {
    if (!(sizes[k] > 0)) continue;
    left -= sizes[k];
    drawn = static_cast<int64_t>(k);
  }
  return drawn;
}

/// The sizes of the components once they are merged.
std::vector<double> sizes_after(const Merger& merger, std::vector<double> sizes) {
  sizes[static_cast<size_t>(merger.into)] += sizes[static_cast<size_t>(merger.slot)];
  sizes[static_cast<size_t>(merger.slot)] = 0;
  return sizes;
}

/// All components with a size or, if they are many, some that are drawn by their sizes; in order.
std::vector<int64_t> some_of(std::vector<double> sizes, int64_t without, uint64_t seed, int64_t round) {
  std::vector<int64_t> some;
  for (int64_t k = 0; k < static_cast<int64_t>(sizes.size()); ++k) {
    if (k != without) some.push_back(k);
  }
  if (some.size() <= splits_of_first) return some;
  some.clear();
  while (some.size() < splits_of_first) {
    const double share = stream_of(seed, round, static_cast<int64_t>(some.size())).uniform();
    const int64_t drawn = drawn_by_size(sizes, share, -1);
    if (drawn < 0) break;
    sizes[static_cast<size_t>(drawn)] = 0;
    some.push_back(drawn);
  }
  std::sort(some.begin(), some.end());
  return some;
}

}  // namespace

void keep_cheapest(std::vector<Merger>& mergers, const Merger& offer, size_t limit) {
  const auto costs_more = [&](const Merger& other) { return offer.cost < other.cost; };
  mergers.insert(std::find_if(mergers.begin(), mergers.end(), costs_more), offer);
  if (mergers.size() > limit) mergers.pop_back();
}

std::vector<Move> draw_moves(const std::vector<Merger>& mergers, const std::vector<double>& sizes, int64_t count,
                             int64_t variants, uint64_t seed, int64_t round) {
  std::vector<std::vector<double>> left;  // the sizes after each merger
  left.reserve(mergers.size());
  for (const Merger& merger : mergers) left.push_back(sizes_after(merger, sizes));
  std::vector<Move> moves;
  const auto add = [&](const Merger& merger, int64_t from, int64_t turn) {
    Move move;
    move.slot = merger.slot;
    move.into = merger.into;
    move.from = from;
    move.variant = (turn + round) % variants;
    move.seed = seed;
    move.round = round;
    move.number = static_cast<int64_t>(moves.size());
    moves.push_back(move);
  };
  size_t first = 0;  // of the mergers that take turns
  auto all = static_cast<size_t>(count);
  if (round % 2 == 1) {
    for (const int64_t from : some_of(left[0], mergers[0].slot, seed, round)) {
      add(mergers[0], from, static_cast<int64_t>(moves.size()));
    }
    first = mergers.size() > 1 ? 1 : 0;
    all = std::max(all, moves.size() + mergers.size() - 1);
  }
  const size_t in_turn = mergers.size() - first;
  for (size_t i = 0; moves.size() < all; ++i) {
    const size_t which = first + i % in_turn;
    const double share = stream_of(seed, round, static_cast<int64_t>(moves.size())).uniform();
    const size_t turn = in_turn > 1 ? i + i / in_turn : moves.size();  // no merger always has the same variant
    add(mergers[which], drawn_by_size(left[which], share, mergers[which].into), static_cast<int64_t>(turn));
  }
  return moves;
}

RandomStream random_of(const Move& move) {
  RandomStream random = stream_of(move.seed, move.round, move.number);
  random.uniform();
  return random;
}

}  // namespace vtemper
