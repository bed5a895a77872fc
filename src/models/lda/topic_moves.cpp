#include "models/lda/topic_moves.h"

#include <algorithm>

#include "support/threads.h"

namespace vtemper {

std::vector<TopicMove> find_topic_moves(const TopicSample& sample, int threads, uint64_t seed, int64_t round) {
  // A move is made if the bound gains so much per token of the sample.
  constexpr double min_gain = 5e-3;
  const std::vector<Merger> mergers = topic_mergers(sample, threads);
  std::vector<TopicSplit> splits(sample.topics.size());
  parallel_for(threads, static_cast<int64_t>(splits.size()),
               [&](int64_t k, int) { splits[static_cast<size_t>(k)] = split_topic(k, sample, seed, round); });
  std::stable_sort(splits.begin(), splits.end(),
                   [](const TopicSplit& a, const TopicSplit& b) { return a.gain > b.gain; });

  std::vector<char> taken(sample.topics.size());
  const auto is_free = [&](int64_t k) { return taken[static_cast<size_t>(k)] == 0; };
  std::vector<TopicMove> moves;
  for (const Merger& merger : mergers) {
    if (!is_free(merger.slot) || !is_free(merger.into)) continue;
    const auto split = std::find_if(splits.begin(), splits.end(), [&](const TopicSplit& one) {
      return is_free(one.from) && one.from != merger.slot && one.from != merger.into;
    });
    if (split == splits.end() || !(split->gain > 0 && split->gain - merger.cost > min_gain * sample.tokens)) break;
    for (const int64_t k : {merger.slot, merger.into, split->from}) taken[static_cast<size_t>(k)] = 1;
    moves.push_back({merger, std::move(*split)});
  }
  return moves;
}

}  // namespace vtemper
