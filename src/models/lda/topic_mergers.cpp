#include "models/lda/topic_mergers.h"

#include <algorithm>

#include "kernels/scalar_functions.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Pairs of topics, the most similar ones, whose merger is judged: so many times the number of topics.
constexpr int64_t pairs_per_topic = 2;

std::vector<double> tokens_of_words(const TopicSample& sample, const TopicTokens& topic) {
  std::vector<double> tokens(static_cast<size_t>(sample.words));
  for (size_t i = 0; i < topic.entry.size(); ++i) {
    const auto entry = static_cast<size_t>(topic.entry[i]);
    tokens[static_cast<size_t>(sample.word[entry])] +=
        sample.weights[static_cast<size_t>(sample.document[entry])] * topic.tokens[i];
  }
  return tokens;
}

/// The pairs of topics whose words are the most alike (Bhattacharyya coefficient).
std::vector<Merger> similar_pairs(const std::vector<std::vector<double>>& words) {
  const auto topics = static_cast<int64_t>(words.size());
  std::vector<std::vector<double>> roots(words.size());
  for (size_t k = 0; k < words.size(); ++k) {
    const double total = sum_of(words[k]);
    roots[k] = words[k];
    for (double& x : roots[k]) x = total > 0 ? std::sqrt(x / total) : 0;
  }
  const auto limit = static_cast<size_t>(pairs_per_topic * topics);
  std::vector<Merger> pairs;
  for (int64_t i = 0; i < topics; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      const auto& a = roots[static_cast<size_t>(i)];
      const auto& b = roots[static_cast<size_t>(j)];
      const double alike = kernels::table<double>().dot(a.data(), b.data(), static_cast<int64_t>(a.size()));
      keep_cheapest(pairs, {-alike, i, j}, limit);
    }
  }
  return pairs;
}

/// What the bound of the sample loses if the documents' tokens of both topics are those of one: in the words, in the
/// entropy of phi and in the proportions.
double cost_of(const Merger& merger, const TopicSample& sample, const std::vector<std::vector<double>>& words,
               const std::vector<std::vector<double>>& logs) {
  const auto slot = static_cast<size_t>(merger.slot), into = static_cast<size_t>(merger.into);
  std::vector<double> both = words[slot];
  for (size_t v = 0; v < both.size(); ++v) both[v] += words[into][v];
  const std::vector<double> merged = log_probabilities(both, sample);
  double cost = 0;
  for (size_t v = 0; v < both.size(); ++v) {
    cost += words[slot][v] * logs[slot][v] + words[into][v] * logs[into][v] - both[v] * merged[v];
  }
  const TopicTokens& a = sample.topics[slot];
  const TopicTokens& b = sample.topics[into];
  std::vector<double> in_slot(static_cast<size_t>(sample.documents)), in_into = in_slot;
  size_t i = 0, j = 0;
  while (i < a.entry.size() || j < b.entry.size()) {
    const bool first = j == b.entry.size() || (i < a.entry.size() && a.entry[i] <= b.entry[j]);
    const bool second = i == a.entry.size() || (j < b.entry.size() && b.entry[j] <= a.entry[i]);
    const auto document = static_cast<size_t>(sample.document[static_cast<size_t>(first ? a.entry[i] : b.entry[j])]);
    const double x = first ? a.tokens[i++] : 0, y = second ? b.tokens[j++] : 0;
    in_slot[document] += x;
    in_into[document] += y;
    cost -= sample.weights[document] * (x_log_x(x) + x_log_x(y) - x_log_x(x + y)) * (first && second ? 1 : 0);
  }
  const double alpha = sample.alpha[slot], other = sample.alpha[into];
  std::vector<double> gamma;  // of slot, of into, of both; document by document
  std::vector<double> weights;
  for (size_t d = 0; d < in_slot.size(); ++d) {
    if (in_slot[d] == 0) continue;
    gamma.insert(gamma.end(), {alpha + in_slot[d], other + in_into[d], other + in_slot[d] + in_into[d]});
    weights.push_back(sample.weights[d]);
  }
  log_gamma_of(gamma);
  const double of_prior = log_gamma(alpha);
  for (size_t d = 0; d < weights.size(); ++d) {
    cost += weights[d] * (gamma[3 * d] + gamma[3 * d + 1] - gamma[3 * d + 2] - of_prior);
  }
  return cost;
}

}  // namespace

std::vector<Merger> topic_mergers(const TopicSample& sample, int threads) {
  std::vector<std::vector<double>> words, logs;
  for (const TopicTokens& topic : sample.topics) words.push_back(tokens_of_words(sample, topic));
  std::vector<Merger> mergers = similar_pairs(words);
  for (const std::vector<double>& tokens : words) logs.push_back(log_probabilities(tokens, sample));
  parallel_for(threads, static_cast<int64_t>(mergers.size()), [&](int64_t i, int) {
    Merger& merger = mergers[static_cast<size_t>(i)];
    if (sum_of(words[static_cast<size_t>(merger.slot)]) > sum_of(words[static_cast<size_t>(merger.into)])) {
      std::swap(merger.slot, merger.into);
    }
    merger.cost = cost_of(merger, sample, words, logs);
  });
  std::stable_sort(mergers.begin(), mergers.end(), [](const Merger& a, const Merger& b) { return a.cost < b.cost; });
  return mergers;
}

}  // namespace vtemper
