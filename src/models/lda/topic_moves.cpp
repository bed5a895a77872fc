#include "models/lda/topic_moves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/scalar_functions.h"
#include "support/random_streams.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Pairs of topics, the most similar ones, whose merger is judged: so many times the number of topics.
constexpr int64_t pairs_per_topic = 2;
/// A move is made if the bound gains so much per token of the sample.
constexpr double min_gain = 2e-3;
/// Every so-many-th document judges a split that was fitted to the others: noise does not gain there.
constexpr int32_t judging = 4;
constexpr int64_t least_documents = 20;
/// Random starts of a split, their steps, and updates of the documents in each step.
constexpr int64_t starts = 2;
constexpr int steps = 10;
constexpr int updates = 2;
constexpr int updates_of_judge = 10;

double x_log_x(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

void log_gamma_of(std::vector<double>& values) {
  kernels::table<double>().log_gamma(values.data(), values.data(), static_cast<int64_t>(values.size()));
}

/// log of the topic's probabilities, (eta + tokens) / (columns eta + sum of tokens).
std::vector<double> log_probabilities(const std::vector<double>& tokens, const TopicSample& sample) {
  double total = sample.columns * sample.eta;
  for (const double of_word : tokens) total += of_word;
  std::vector<double> out(tokens.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::log((sample.eta + tokens[i]) / total);
  return out;
}

// ---- mergers ----

struct Merger {
  double cost = 0;
  int64_t slot = 0, into = 0;
};

std::vector<double> tokens_of_words(const TopicSample& sample, const TopicTokens& topic) {
  std::vector<double> tokens(static_cast<size_t>(sample.words));
  for (size_t i = 0; i < topic.entry.size(); ++i) {
    const auto entry = static_cast<size_t>(topic.entry[i]);
    tokens[static_cast<size_t>(sample.word[entry])] +=
        sample.weights[static_cast<size_t>(sample.document[entry])] * topic.tokens[i];
  }
  return tokens;
}

double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
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
  std::vector<Merger> pairs;
  for (int64_t i = 0; i < topics; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      const auto& a = roots[static_cast<size_t>(i)];
      const auto& b = roots[static_cast<size_t>(j)];
      pairs.push_back({-kernels::table<double>().dot(a.data(), b.data(), static_cast<int64_t>(a.size())), i, j});
    }
  }
  const auto before = [](const Merger& a, const Merger& b) { return a.cost < b.cost; };
  std::sort(pairs.begin(), pairs.end(), before);
  pairs.resize(std::min(pairs.size(), static_cast<size_t>(pairs_per_topic * topics)));
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

std::vector<Merger> mergers_of(const TopicSample& sample, int threads) {
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

// ---- splits ----

/// Some documents' tokens of one topic.
struct Part {
  std::vector<int32_t> document, word;  ///< of each entry; documents are numbered from 0
  std::vector<double> tokens;
  std::vector<double> weights;  ///< [documents]
  std::vector<double> totals;   ///< [documents] tokens

  double weighted_tokens() const {
    double sum = 0;
    for (size_t d = 0; d < totals.size(); ++d) sum += weights[d] * totals[d];
    return sum;
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
Part part_of(const TopicSample& sample, const TopicTokens& topic, const TopicWords& words, const Takes& takes) {
  Part part;
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

/// Posteriors of the documents of a part: the share of each entry's tokens that is in the first half.
class Sharing {
 public:
  Sharing(const Part& part, double alpha)
      : part_(part), alpha_(alpha), shares(part.tokens.size(), 0.5), in_first(part.totals.size()) {
    count();
  }

  /// phi and gamma of the two halves in turn (README.md section 1).
  void update(const Halves& halves, int times) {
    const size_t documents = part_.totals.size();
    std::vector<double> psi(2 * documents);
    for (int time = 0; time < times; ++time) {
      for (size_t d = 0; d < documents; ++d) {
        psi[2 * d] = alpha_ + in_first[d];
        psi[2 * d + 1] = alpha_ + std::max(part_.totals[d] - in_first[d], 0.0);
      }
      kernels::table<double>().digamma(psi.data(), psi.data(), static_cast<int64_t>(psi.size()));
      // 1 / (1 + exp x), many at a time.
      constexpr double largest = 700;
      for (size_t i = 0; i < shares.size(); ++i) {
        const auto d = static_cast<size_t>(part_.document[i]), v = static_cast<size_t>(part_.word[i]);
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
      const auto d = static_cast<size_t>(part_.document[i]), v = static_cast<size_t>(part_.word[i]);
      const double share = shares[i];
      sum += part_.weights[d] * part_.tokens[i] *
             (share * halves.first[v] + (1 - share) * halves.second[v] - x_log_x(share) - x_log_x(1 - share));
    }
    std::vector<double> gamma;
    for (size_t d = 0; d < in_first.size(); ++d) {
      gamma.push_back(alpha_ + in_first[d]);
      gamma.push_back(alpha_ + std::max(part_.totals[d] - in_first[d], 0.0));
    }
    log_gamma_of(gamma);
    const double of_prior = log_gamma(alpha_);
    for (size_t d = 0; d < in_first.size(); ++d) {
      sum += part_.weights[d] * (gamma[2 * d] + gamma[2 * d + 1] - of_prior);
    }
    return sum;
  }

  /// Tokens of each word in the first half, and in both.
  void add_words(std::vector<double>& first, std::vector<double>& both) const {
    for (size_t i = 0; i < shares.size(); ++i) {
      const auto d = static_cast<size_t>(part_.document[i]), v = static_cast<size_t>(part_.word[i]);
      const double tokens = part_.weights[d] * part_.tokens[i];
      first[v] += shares[i] * tokens;
      both[v] += tokens;
    }
  }

 private:
  const Part& part_;
  double alpha_;

 public:
  std::vector<double> shares;    ///< of each entry
  std::vector<double> in_first;  ///< [documents] tokens in the first half

  void count() {
    std::fill(in_first.begin(), in_first.end(), 0.0);
    for (size_t i = 0; i < shares.size(); ++i) {
      in_first[static_cast<size_t>(part_.document[i])] += shares[i] * part_.tokens[i];
    }
  }
};

/// The same part of the bound for a topic that is whole.
double bound_of_whole(const Part& part, const std::vector<double>& probabilities, double alpha) {
  double sum = 0;
  for (size_t i = 0; i < part.tokens.size(); ++i) {
    sum += part.weights[static_cast<size_t>(part.document[i])] * part.tokens[i] *
           probabilities[static_cast<size_t>(part.word[i])];
  }
  std::vector<double> gamma = part.totals;
  for (double& x : gamma) x += alpha;
  log_gamma_of(gamma);
  for (size_t d = 0; d < gamma.size(); ++d) sum += part.weights[d] * gamma[d];
  return sum;
}

Halves halves_of(const Sharing& sharing, size_t words, const TopicSample& sample) {
  std::vector<double> first(words), second(words);
  sharing.add_words(first, second);
  for (size_t v = 0; v < first.size(); ++v) second[v] = std::max(second[v] - first[v], 0.0);
  return {log_probabilities(first, sample), log_probabilities(second, sample)};
}

/// The best split of the part from random halves of its documents.
Halves fitted_halves(const Part& part, size_t words, const TopicSample& sample, double alpha, RandomStream random) {
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
      halves = halves_of(sharing, words, sample);
      sharing.update(halves, updates);
    }
    const double bound = sharing.bound(halves);
    if (!(bound > best_bound)) continue;
    best_bound = bound;
    best = std::move(halves);
  }
  return best;
}

struct Split {
  double gain = -std::numeric_limits<double>::infinity();
  int64_t from = 0;
  std::vector<double> stays;
  double stays_of_others = 0.5;
};

Split split_of(int64_t topic, const TopicSample& sample, uint64_t seed, int64_t round) {
  const TopicTokens& tokens = sample.topics[static_cast<size_t>(topic)];
  const double alpha = sample.alpha[static_cast<size_t>(topic)];
  const auto judges = [](int32_t document) { return document % judging == 0; };
  const TopicWords words(sample, tokens);
  const Part fitted = part_of(sample, tokens, words, [&](int32_t document) { return !judges(document); });
  const Part judge = part_of(sample, tokens, words, judges);
  Split split;
  split.from = topic;
  if (static_cast<int64_t>(judge.totals.size()) < least_documents) return split;
  const RandomStream random(seed, Purpose::move, static_cast<uint64_t>(round), static_cast<uint64_t>(topic));
  const Halves halves = fitted_halves(fitted, words.words.size(), sample, alpha, random);
  if (halves.first.empty()) return split;

  std::vector<double> none(words.words.size()), whole = none;
  Sharing(fitted, alpha).add_words(none, whole);
  Sharing of_judge(judge, alpha);
  of_judge.update(halves, updates_of_judge);
  const double gain = of_judge.bound(halves) - bound_of_whole(judge, log_probabilities(whole, sample), alpha);
  split.gain = gain * (fitted.weighted_tokens() + judge.weighted_tokens()) / judge.weighted_tokens();
  if (!(split.gain > 0)) return split;

  Sharing of_fitted(fitted, alpha);
  of_fitted.update(halves, updates_of_judge);
  std::vector<double> first(words.words.size()), both = first;
  of_fitted.add_words(first, both);
  of_judge.add_words(first, both);
  split.stays_of_others = sum_of(first) / sum_of(both);
  split.stays.assign(static_cast<size_t>(sample.words), split.stays_of_others);
  for (size_t i = 0; i < first.size(); ++i) {
    if (!(both[i] > 0)) continue;
    split.stays[static_cast<size_t>(words.words[i])] = std::clamp(first[i] / both[i], 0.0, 1.0);
  }
  return split;
}

}  // namespace

std::vector<TopicMove> find_topic_moves(const TopicSample& sample, int threads, uint64_t seed, int64_t round) {
  const std::vector<Merger> mergers = mergers_of(sample, threads);
  std::vector<Split> splits(sample.topics.size());
  parallel_for(threads, static_cast<int64_t>(splits.size()),
               [&](int64_t k, int) { splits[static_cast<size_t>(k)] = split_of(k, sample, seed, round); });
  std::stable_sort(splits.begin(), splits.end(), [](const Split& a, const Split& b) { return a.gain > b.gain; });

  std::vector<char> taken(sample.topics.size());
  const auto is_free = [&](int64_t k) { return taken[static_cast<size_t>(k)] == 0; };
  std::vector<TopicMove> moves;
  for (const Merger& merger : mergers) {
    if (!is_free(merger.slot) || !is_free(merger.into)) continue;
    const auto split = std::find_if(splits.begin(), splits.end(), [&](const Split& one) {
      return is_free(one.from) && one.from != merger.slot && one.from != merger.into;
    });
    if (split == splits.end() || !(split->gain > 0 && split->gain - merger.cost > min_gain * sample.tokens)) break;
    for (const int64_t k : {merger.slot, merger.into, split->from}) taken[static_cast<size_t>(k)] = 1;
    moves.push_back({merger.slot, merger.into, split->from, std::move(split->stays), split->stays_of_others});
  }
  return moves;
}

}  // namespace vtemper
