#include "models/lda/topic_splits.h"

#include <algorithm>

#include "models/lda/topic_halves.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

/// Of those that judge.
constexpr size_t least_documents = 10;
/// Random starts of a split, and their steps.
constexpr int64_t starts = 2;
constexpr int steps = 30;

/// `whole`: tokens of each word in both halves.
Halves halves_of(const Sharing& sharing, const std::vector<double>& whole, const TopicSample& sample) {
  std::vector<double> first(whole.size()), second(whole.size());
  sharing.add_words(first);
  for (size_t v = 0; v < first.size(); ++v) second[v] = std::max(whole[v] - first[v], 0.0);
  return {log_probabilities(first, sample), log_probabilities(second, sample)};
}

/// The best split of the part from random halves of its documents.
Halves fitted_halves(const TopicDocuments& part, const std::vector<double>& whole, const TopicSample& sample,
                     double alpha, RandomStream random) {
  // Further from one half, the start decides which documents stay together.
  constexpr double leaning = 0.6;
  Halves best;
  double best_bound = -std::numeric_limits<double>::infinity();
  for (int64_t start = 0; start < starts; ++start) {
    Sharing sharing(part, alpha);
    std::vector<char> leans(part.totals.size());
    for (char& side : leans) side = random.uniform() < 0.5 ? 1 : 0;
    for (size_t i = 0; i < sharing.shares.size(); ++i) {
      sharing.shares[i] = leans[static_cast<size_t>(part.document[i])] != 0 ? leaning : 1 - leaning;
    }
    sharing.count();
    Halves halves;
    for (int step = 0; step < steps; ++step) {
      halves = halves_of(sharing, whole, sample);
      sharing.update(halves, 1);
    }
    const double bound = sharing.bound(halves);
    if (!(bound > best_bound)) continue;
    best_bound = bound;
    best = std::move(halves);
  }
  return best;
}

}  // namespace

void TopicSplit::exchange_halves() {
  std::swap(staying, leaving);
  for (double& share : stays) share = 1 - share;
  stays_of_others = 1 - stays_of_others;
}

TopicSplit split_topic(int64_t topic, const TopicSample& sample, uint64_t seed, int64_t round) {
  const TopicTokens& tokens = sample.topics[static_cast<size_t>(topic)];
  const double alpha = sample.alpha[static_cast<size_t>(topic)];
  const TopicWords words(sample, tokens);
  const TopicDocuments fitted = part_of(sample, tokens, words, Documents::fitting);
  const TopicDocuments judge = part_of(sample, tokens, words, Documents::judging);
  TopicSplit split;
  split.from = topic;
  if (judge.totals.size() < least_documents) return split;
  const RandomStream random(seed, Purpose::move, static_cast<uint64_t>(round), static_cast<uint64_t>(topic));
  std::vector<double> both(words.words.size()), first = both;
  fitted.add_words(both);
  const Halves halves = fitted_halves(fitted, both, sample, alpha, random);
  if (halves.first.empty()) return split;
  const double all_tokens = fitted.all_tokens() + judge.all_tokens();
  Sharing of_judge(judge, alpha);
  const double gain = all_tokens * gain_per_token(of_judge, halves, both, sample);
  if (!(gain > 0)) return split;  // also where documents without weight judge
  split.gain = gain;

  Sharing of_fitted(fitted, alpha);
  of_fitted.settle(halves);
  split.staying = split.leaving = tokens;
  for (const Sharing* const sharing : {&of_fitted, &of_judge}) {
    sharing->add_words(first);
    for (size_t i = 0; i < sharing->shares.size(); ++i) {
      const auto place = static_cast<size_t>(sharing->part.place[i]);
      split.staying.tokens[place] *= sharing->shares[i];
      split.leaving.tokens[place] *= 1 - sharing->shares[i];
    }
  }
  judge.add_words(both);
  split.stays_of_others = sum_of(first) / sum_of(both);
  split.stays.assign(static_cast<size_t>(sample.words), split.stays_of_others);
  for (size_t i = 0; i < first.size(); ++i) {
    if (!(both[i] > 0)) continue;
    split.stays[static_cast<size_t>(words.words[i])] = std::clamp(first[i] / both[i], 0.0, 1.0);
  }
  return split;
}

}  // namespace vtemper
