#include "models/lda/topic_mergers.h"

#include <algorithm>
#include <limits>

#include "models/lda/topic_halves.h"
#include "support/interruption.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Pairs of each topic, the most similar ones, whose merger is judged.
constexpr size_t pairs_per_topic = 2;

std::vector<double> tokens_of_words(const TopicSample& sample, const TopicTokens& topic) {
  std::vector<double> tokens(static_cast<size_t>(sample.words));
  for (size_t i = 0; i < topic.entry.size(); ++i) {
    const auto entry = static_cast<size_t>(topic.entry[i]);
    tokens[static_cast<size_t>(sample.word[entry])] +=
        sample.weights[static_cast<size_t>(sample.document[entry])] * topic.tokens[i];
  }
  return tokens;
}

/// The pairs of each topic with the topics whose words are the most like its own (Bhattacharyya coefficient).
std::vector<Merger> similar_pairs(const std::vector<std::vector<double>>& words) {
  const auto topics = static_cast<int64_t>(words.size());
  std::vector<std::vector<double>> roots(words.size());
  for (size_t k = 0; k < words.size(); ++k) {
    const double total = sum_of(words[k]);
    roots[k] = words[k];
    for (double& x : roots[k]) x = total > 0 ? std::sqrt(x / total) : 0;
  }
  std::vector<std::vector<Merger>> of_topic(words.size());
  for (int64_t i = 0; i < topics; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      const auto& a = roots[static_cast<size_t>(i)];
      const auto& b = roots[static_cast<size_t>(j)];
      const double alike = kernels::table<double>().dot(a.data(), b.data(), static_cast<int64_t>(a.size()));
      for (const int64_t k : {i, j}) keep_cheapest(of_topic[static_cast<size_t>(k)], {-alike, i, j}, pairs_per_topic);
    }
  }
  std::vector<Merger> pairs;
  for (int64_t k = 0; k < topics; ++k) {
    for (const Merger& pair : of_topic[static_cast<size_t>(k)]) {
      const auto same = [&](const Merger& other) { return other.slot == pair.slot && other.into == pair.into; };
      if (std::none_of(pairs.begin(), pairs.end(), same)) pairs.push_back(pair);
    }
  }
  return pairs;
}

/// The tokens of two topics.
TopicTokens tokens_of_both(const TopicTokens& a, const TopicTokens& b) {
  TopicTokens both;
  size_t i = 0, j = 0;
  while (i < a.entry.size() || j < b.entry.size()) {
    const bool first = j == b.entry.size() || (i < a.entry.size() && a.entry[i] <= b.entry[j]);
    const bool second = i == a.entry.size() || (j < b.entry.size() && b.entry[j] <= a.entry[i]);
    both.entry.push_back(first ? a.entry[i] : b.entry[j]);
    both.tokens.push_back((first ? a.tokens[i++] : 0) + (second ? b.tokens[j++] : 0));
  }
  return both;
}

double mean_alpha(const TopicSample& sample, int64_t i, int64_t j) {
  return (sample.alpha[static_cast<size_t>(i)] + sample.alpha[static_cast<size_t>(j)]) / 2;
}

bool cheaper(const Merger& a, const Merger& b) {
  return a.cost < b.cost;
}

/// What the bound of the sample loses if the tokens of both are one topic's: the gain of the split that would undo
/// it. Topics that differ by chance only cost less than nothing, because both are fitted to noise.
double cost_of(const TopicTokens& a, const TopicTokens& b, double alpha, const TopicSample& sample) {
  const TopicTokens both = tokens_of_both(a, b);
  const TopicWords words(sample, both);
  std::vector<double> first(words.words.size()), second = first;
  part_of(sample, a, words, Documents::fitting).add_words(first);
  part_of(sample, b, words, Documents::fitting).add_words(second);
  const Halves halves = {log_probabilities(first, sample), log_probabilities(second, sample)};
  for (size_t v = 0; v < first.size(); ++v) first[v] += second[v];
  const TopicDocuments judge = part_of(sample, both, words, Documents::judging);
  const double judged = judge.all_tokens();
  if (!(judged > 0)) return 0;
  Sharing of_judge(judge, alpha);
  return (sum_of(first) + judged) * gain_per_token(of_judge, halves, first, sample);
}

}  // namespace

std::vector<Merger> topic_mergers(const TopicSample& sample, int threads) {
  std::vector<std::vector<double>> words;
  for (const TopicTokens& topic : sample.topics) words.push_back(tokens_of_words(sample, topic));
  std::vector<Merger> mergers = similar_pairs(words);
  parallel_for(threads, static_cast<int64_t>(mergers.size()), [&](int64_t i, int) {
    require_not_interrupted();
    Merger& merger = mergers[static_cast<size_t>(i)];
    if (sum_of(words[static_cast<size_t>(merger.slot)]) > sum_of(words[static_cast<size_t>(merger.into)])) {
      std::swap(merger.slot, merger.into);
    }
    const auto slot = static_cast<size_t>(merger.slot), into = static_cast<size_t>(merger.into);
    merger.cost =
        cost_of(sample.topics[slot], sample.topics[into], mean_alpha(sample, merger.slot, merger.into), sample);
  });
  std::stable_sort(mergers.begin(), mergers.end(), cheaper);
  return mergers;
}

Merger cheapest_taker(const TopicSample& sample, const TopicTokens& part, int64_t from,
                      const std::vector<char>& taken, int threads) {
  std::vector<Merger> takers(sample.topics.size());
  parallel_for(threads, static_cast<int64_t>(takers.size()), [&](int64_t k, int) {
    const auto place = static_cast<size_t>(k);
    const bool excluded = k == from || taken[place] != 0;
    takers[place] = {excluded ? std::numeric_limits<double>::infinity()
                              : cost_of(part, sample.topics[place], mean_alpha(sample, from, k), sample),
                     k, k};
  });
  return *std::min_element(takers.begin(), takers.end(), cheaper);
}

}  // namespace vtemper
