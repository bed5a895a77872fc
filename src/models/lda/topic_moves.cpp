#include "models/lda/topic_moves.h"

#include <algorithm>

#include "support/interruption.h"
#include "support/threads.h"

namespace vtemper {

std::vector<TopicMove> find_topic_moves(const TopicSample& sample, int threads, uint64_t seed, int64_t round) {
  // A move is made if the bound gains so much per token of the sample.
  const double least = 5e-3 * sample.tokens;
  const std::vector<Merger> mergers = topic_mergers(sample, threads);
  std::vector<TopicSplit> splits(sample.topics.size());
  parallel_for(threads, static_cast<int64_t>(splits.size()), [&](int64_t k, int) {
    require_not_interrupted();
    splits[static_cast<size_t>(k)] = split_topic(k, sample, seed, round);
  });
  std::stable_sort(splits.begin(), splits.end(),
                   [](const TopicSplit& a, const TopicSplit& b) { return a.gain > b.gain; });

  std::vector<char> taken(sample.topics.size());
  const auto is_free = [&](int64_t k) { return taken[static_cast<size_t>(k)] == 0; };
  const auto go_together = [&](const Merger& merger, const TopicSplit& split) {
    return is_free(merger.slot) && is_free(merger.into) && is_free(split.from) && split.from != merger.slot &&
           split.from != merger.into;
  };
  std::vector<TopicMove> moves;
  const auto add = [&](const Merger& merger, TopicSplit& split) {
    for (const int64_t k : {merger.slot, merger.into, split.from}) taken[static_cast<size_t>(k)] = 1;
    moves.push_back({merger, std::move(split)});
  };
  // A half is given to another topic where no merger costs less.
  for (TopicSplit& split : splits) {
    if (!(split.gain > least)) break;
    if (!is_free(split.from)) continue;
    const Merger of_leaving = cheapest_taker(sample, split.leaving, split.from, taken, threads);
    const Merger of_staying = cheapest_taker(sample, split.staying, split.from, taken, threads);
    const bool exchanged = of_staying.cost < of_leaving.cost;
    const Merger& taker = exchanged ? of_staying : of_leaving;
    const auto merger =
        std::find_if(mergers.begin(), mergers.end(), [&](const Merger& one) { return go_together(one, split); });
    if (merger != mergers.end() && merger->cost <= taker.cost) continue;
    if (!(split.gain - taker.cost > least)) continue;
    if (exchanged) split.exchange_halves();
    add(taker, split);
  }
  // Of all pairs of a merger and a split that go together, the one that gains most comes first.
  for (;;) {
    const Merger* best = nullptr;
    TopicSplit* of_best = nullptr;
    double most = least;
    for (const Merger& merger : mergers) {
      const auto split =
          std::find_if(splits.begin(), splits.end(), [&](const TopicSplit& one) { return go_together(merger, one); });
      if (split == splits.end() || !(split->gain - merger.cost > most)) continue;
      best = &merger;
      of_best = &*split;
      most = split->gain - merger.cost;
    }
    if (best == nullptr) break;
    add(*best, *of_best);
  }
  return moves;
}

}  // namespace vtemper
