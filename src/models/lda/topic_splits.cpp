#include "models/lda/topic_splits.h"

#include <algorithm>
#include <numeric>

#include "kernels/scalar_functions.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

/// Every so-many-th document judges a split.
constexpr int32_t judging = 4;
constexpr int64_t least_documents = 20;
/// Random starts of a split, their steps, and updates of the documents in each step.
constexpr int64_t starts = 2;
constexpr int steps = 10;
constexpr int updates = 2;
constexpr int updates_of_judge = 10;

/// Some documents' tokens of one topic.
struct TopicDocuments {
  std::vector<int32_t> document, word;  ///< of each entry; documents are numbered from 0
  std::vector<double> tokens;
  std::vector<double> weights;  ///< [documents]
  std::vector<double> totals;   ///< [documents] tokens

  double weighted_tokens(size_t entry) const { return weights[static_cast<size_t>(document[entry])] * tokens[entry]; }
  double all_tokens() const { return std::inner_product(weights.begin(), weights.end(), totals.begin(), 0.0); }
  /// Adds the tokens of each word.
  void add_words(std::vector<double>& out) const {
    for (size_t i = 0; i < tokens.size(); ++i) out[static_cast<size_t>(word[i])] += weighted_tokens(i);
  }
};

/// The words of a topic: their numbers in the sample, ascending with their first entry.
struct TopicWords {
  std::vector<int32_t> place;  ///< [words of the sample] number in the topic; -1: none
  std::vector<int32_t> words;  ///< [words of the topic]

  TopicWords(const TopicSample& sample, const TopicTokens& topic) : place(static_cast<size_t>(sample.words), -1) {
    for (const int32_t entry : topic.entry) {
      const int32_t word = sample.word[static_cast<size_t>(entry)];
      int32_t& number = place[static_cast<size_t>(word)];
      if (number >= 0) continue;
      number = static_cast<int32_t>(words.size());
      words.push_back(word);
    }
  }
};

/// The documents for which `takes` holds, with the topic's own numbers of words.
template <class Takes>
TopicDocuments part_of(const TopicSample& sample, const TopicTokens& topic, const TopicWords& words,
                       const Takes& takes) {
  TopicDocuments part;
  int32_t last = -1;
  for (size_t i = 0; i < topic.entry.size(); ++i) {
    const auto entry = static_cast<size_t>(topic.entry[i]);
    const int32_t document = sample.document[entry];
    if (!takes(document)) continue;
    if (document != last) {
      part.weights.push_back(sample.weights[static_cast<size_t>(document)]);
      part.totals.push_back(0);
      last = document;
    }
    part.document.push_back(static_cast<int32_t>(part.totals.size()) - 1);
    part.word.push_back(words.place[static_cast<size_t>(sample.word[entry])]);
    part.tokens.push_back(topic.tokens[i]);
    part.totals.back() += topic.tokens[i];
  }
  return part;
}

/// The two halves of a topic: log probabilities of the words.
struct Halves {
  std::vector<double> first, second;
};

/// Posteriors of the documents of a part under two halves of the topic.
struct Sharing {
  const TopicDocuments& part;
  double alpha;
  std::vector<double> shares;    ///< of each entry's tokens that is in the first half
  std::vector<double> in_first;  ///< [documents] tokens in the first half

  Sharing(const TopicDocuments& of, double prior)
      : part(of), alpha(prior), shares(of.tokens.size(), 0.5), in_first(of.totals.size()) {
    count();
  }

  void count() {
    std::fill(in_first.begin(), in_first.end(), 0.0);
    for (size_t i = 0; i < shares.size(); ++i) {
      in_first[static_cast<size_t>(part.document[i])] += shares[i] * part.tokens[i];
    }
  }

  /// gamma of both halves, document by document.
  std::vector<double> gammas() const {
    std::vector<double> gamma(2 * in_first.size());
    for (size_t d = 0; d < in_first.size(); ++d) {
      gamma[2 * d] = alpha + in_first[d];
      gamma[2 * d + 1] = alpha + std::max(part.totals[d] - in_first[d], 0.0);
    }
    return gamma;
  }

  /// phi and gamma of the two halves in turn (README.md section 1).
  void update(const Halves& halves, int times) {
    constexpr double largest = 700;  // whose exponential is finite
    for (int time = 0; time < times; ++time) {
      std::vector<double> psi = gammas();
      kernels::table<double>().digamma(psi.data(), psi.data(), static_cast<int64_t>(psi.size()));
      // 1 / (1 + exp x), many at a time.
      for (size_t i = 0; i < shares.size(); ++i) {
        const auto d = static_cast<size_t>(part.document[i]), v = static_cast<size_t>(part.word[i]);
        shares[i] = std::min(halves.second[v] - halves.first[v] + psi[2 * d + 1] - psi[2 * d], largest);
      }
      kernels::table<double>().scaled_exponential(shares.data(), 1, shares.data(),
                                                  static_cast<int64_t>(shares.size()));
      for (double& share : shares) share = 1 / (1 + share);
      count();
    }
  }

  /// The documents' part of the bound that depends on the split.
  double bound(const Halves& halves) const {
    double sum = 0;
    for (size_t i = 0; i < shares.size(); ++i) {
      const auto v = static_cast<size_t>(part.word[i]);
      const double share = shares[i];
      sum += part.weighted_tokens(i) *
             (share * halves.first[v] + (1 - share) * halves.second[v] - x_log_x(share) - x_log_x(1 - share));
    }
    std::vector<double> gamma = gammas();
    log_gamma_of(gamma);
    const double of_prior = log_gamma(alpha);
    for (size_t d = 0; d < in_first.size(); ++d) {
      sum += part.weights[d] * (gamma[2 * d] + gamma[2 * d + 1] - of_prior);
    }
    return sum;
  }

  /// Adds the tokens of each word in the first half.
  void add_words(std::vector<double>& first) const {
    for (size_t i = 0; i < shares.size(); ++i) {
      first[static_cast<size_t>(part.word[i])] += shares[i] * part.weighted_tokens(i);
    }
  }
};

/// The same part of the bound for a topic that is whole.
double bound_of_whole(const TopicDocuments& part, const std::vector<double>& probabilities, double alpha) {
  double sum = 0;
  for (size_t i = 0; i < part.tokens.size(); ++i) {
    sum += part.weighted_tokens(i) * probabilities[static_cast<size_t>(part.word[i])];
  }
  std::vector<double> gamma = part.totals;
  for (double& x : gamma) x += alpha;
  log_gamma_of(gamma);
  for (size_t d = 0; d < gamma.size(); ++d) sum += part.weights[d] * gamma[d];
  return sum;
}

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
  constexpr double leaning = 0.75;
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
      sharing.update(halves, updates);
    }
    const double bound = sharing.bound(halves);
    if (!(bound > best_bound)) continue;
    best_bound = bound;
    best = std::move(halves);
  }
  return best;
}

}  // namespace

TopicSplit split_topic(int64_t topic, const TopicSample& sample, uint64_t seed, int64_t round) {
  const TopicTokens& tokens = sample.topics[static_cast<size_t>(topic)];
  const double alpha = sample.alpha[static_cast<size_t>(topic)];
  const auto judges = [](int32_t document) { return document % judging == 0; };
  const TopicWords words(sample, tokens);
  const TopicDocuments fitted = part_of(sample, tokens, words, [&](int32_t document) { return !judges(document); });
  const TopicDocuments judge = part_of(sample, tokens, words, judges);
  TopicSplit split;
  split.from = topic;
  if (static_cast<int64_t>(judge.totals.size()) < least_documents) return split;
  const RandomStream random(seed, Purpose::move, static_cast<uint64_t>(round), static_cast<uint64_t>(topic));
  std::vector<double> both(words.words.size()), first = both;
  fitted.add_words(both);
  const Halves halves = fitted_halves(fitted, both, sample, alpha, random);
  if (halves.first.empty()) return split;

  Sharing of_judge(judge, alpha);
  of_judge.update(halves, updates_of_judge);
  const double gain = of_judge.bound(halves) - bound_of_whole(judge, log_probabilities(both, sample), alpha);
  split.gain = gain * (fitted.all_tokens() + judge.all_tokens()) / judge.all_tokens();
  if (!(split.gain > 0)) return split;

  Sharing of_fitted(fitted, alpha);
  of_fitted.update(halves, updates_of_judge);
  of_fitted.add_words(first);
  of_judge.add_words(first);
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
