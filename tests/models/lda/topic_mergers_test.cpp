// Costs of mergers of topics, and of parts of topics with other topics (models/lda/README.md section 10): those of
// plain loops; topics that differ by chance cost less than nothing, distinct ones do not.

#include <algorithm>
#include <cmath>

#include "models/lda/topic_mergers.h"
#include "support/lda.h"
#include "support/topic_sample.h"

using namespace fixtures;
using vtemper::Merger;
using vtemper::TopicSample;
using vtemper::TopicTokens;

namespace {

constexpr int32_t documents = 200, words = 60;
constexpr double alpha = 0.3, eta = 0.1;

/// Topics 0 and 1 hold parts, drawn at random, of the same tokens; topic 2 holds other words.
TopicSample drawn_sample() {
  Random random(5);
  TopicSample sample = sample_without_entries(documents, words, 3, alpha, eta);
  for (int32_t d = 0; d < documents; ++d) {
    sample.weights.push_back(d % 3 == 0 ? 2 : 1);
    const double share = random.uniform() < 0.5 ? 0.2 : 0.8;
    for (int32_t v = 0; v < words; ++v) {
      const bool shared = v < words / 2;
      if (random.uniform() > (shared ? 0.4 : 0.2)) continue;
      const double count = 1 + std::floor(3 * random.uniform());
      const int32_t entry = add_entry(sample, d, v, count);
      const double parts[] = {shared ? share * count : 0, shared ? (1 - share) * count : 0, shared ? 0 : count};
      for (size_t k = 0; k < 3; ++k) {
        if (parts[k] != 0) give_tokens(sample, k, entry, parts[k]);
      }
    }
  }
  return sample;
}

/// A topic's tokens [documents x words], without weights.
Matrix table_of(const TopicSample& sample, size_t topic) {
  Matrix table(documents, Vector(words));
  const TopicTokens& tokens = sample.topics[topic];
  for (size_t i = 0; i < tokens.entry.size(); ++i) {
    const auto entry = static_cast<size_t>(tokens.entry[i]);
    table[static_cast<size_t>(sample.document[entry])][static_cast<size_t>(sample.word[entry])] += tokens.tokens[i];
  }
  return table;
}

/// log of the probabilities of words with so many tokens.
Vector logs_of(const Vector& tokens) {
  Vector logs = tokens;
  for (Number& x : logs) x = std::log((x + eta) / (plain::sum(tokens) + words * eta));
  return logs;
}

/// What every fourth document, whose tokens of both topics are given, loses if they are one.
Number plain_cost(const TopicSample& sample, const Matrix& first, const Matrix& second) {
  Vector of_first(words), of_second(words), of_both(words);
  Number fitting = 0, judging = 0;
  for (size_t d = 0; d < first.size(); ++d) {
    const Number weight = sample.weights[d];
    (d % 4 == 0 ? judging : fitting) += weight * (plain::sum(first[d]) + plain::sum(second[d]));
    if (d % 4 == 0) continue;
    for (size_t v = 0; v < words; ++v) {
      of_first[v] += weight * first[d][v];
      of_second[v] += weight * second[d][v];
      of_both[v] = of_first[v] + of_second[v];
    }
  }
  const Vector beta[] = {logs_of(of_first), logs_of(of_second)};
  const Vector whole = logs_of(of_both);
  Number cost = 0;
  for (size_t d = 0; d < first.size(); d += 4) {
    Vector phi(words, 0.5);
    const auto gamma_of = [&](size_t k) {
      Number gamma = alpha;
      for (size_t v = 0; v < words; ++v) gamma += (first[d][v] + second[d][v]) * (k == 0 ? phi[v] : 1 - phi[v]);
      return gamma;
    };
    for (int update = 0; update < 10; ++update) {
      const Number psi[] = {plain::digamma(gamma_of(0)), plain::digamma(gamma_of(1))};
      for (size_t v = 0; v < words; ++v) {
        const Number a = std::exp(beta[0][v] + psi[0]), b = std::exp(beta[1][v] + psi[1]);
        phi[v] = a / (a + b);
      }
    }
    Number total = 0, bound = 0;
    for (size_t v = 0; v < words; ++v) {
      const Number tokens = first[d][v] + second[d][v];
      total += tokens;
      bound +=
          tokens * (phi[v] * (beta[0][v] - std::log(phi[v])) + (1 - phi[v]) * (beta[1][v] - std::log(1 - phi[v])));
      bound -= tokens * whole[v];
    }
    bound += std::lgamma(gamma_of(0)) + std::lgamma(gamma_of(1)) - std::lgamma(alpha + total) - std::lgamma(alpha);
    cost += sample.weights[d] * bound;
  }
  return cost * (fitting + judging) / judging;
}

void costs_are_those_of_plain_loops(void**) {
  const TopicSample sample = drawn_sample();
  const std::vector<Merger> mergers = vtemper::topic_mergers(sample, 2);
  assert_true(mergers.size() == 3);
  for (const Merger& merger : mergers) {
    const Number expected = plain_cost(sample, table_of(sample, static_cast<size_t>(merger.slot)),
                                       table_of(sample, static_cast<size_t>(merger.into)));
    check_close("cost of a merger", merger.cost, expected, 1e-9L, 1e-9L);
  }
}

/// A topic takes part of another one if that is cheapest and it is not taken.
void the_cheapest_taker_is_that_of_plain_loops(void**) {
  const TopicSample sample = drawn_sample();
  for (int64_t from = 0; from < 3; ++from) {
    TopicTokens part = sample.topics[static_cast<size_t>(from)];
    Matrix table = table_of(sample, static_cast<size_t>(from));
    const auto share_of = [](int32_t word) { return word % 3 == 0 ? 0.9 : 0.2; };
    for (size_t i = 0; i < part.entry.size(); ++i) {
      part.tokens[i] *= share_of(sample.word[static_cast<size_t>(part.entry[i])]);
    }
    for (Vector& row : table) {
      for (int32_t v = 0; v < words; ++v) row[static_cast<size_t>(v)] *= share_of(v);
    }
    std::vector<char> taken(3);
    for (int left = 2; left > 0; --left) {
      const Merger taker = vtemper::cheapest_taker(sample, part, from, taken, 2);
      assert_true(taker.slot == taker.into && taker.slot != from && taken[static_cast<size_t>(taker.slot)] == 0);
      for (int64_t k = 0; k < 3; ++k) {
        if (k == from || taken[static_cast<size_t>(k)] != 0) continue;
        const Number cost = plain_cost(sample, table, table_of(sample, static_cast<size_t>(k)));
        if (k == taker.slot)
          check_close("cost of a part", taker.cost, cost, 1e-9L, 1e-9L);
        else
          assert_true(cost > taker.cost);
      }
      taken[static_cast<size_t>(taker.slot)] = 1;
    }
    assert_true(std::isinf(vtemper::cheapest_taker(sample, part, from, taken, 1).cost));
  }
}

void topics_that_differ_by_chance_cost_less_than_nothing(void**) {
  const TopicSample sample = drawn_sample();
  const std::vector<Merger> mergers = vtemper::topic_mergers(sample, 1);
  assert_true(mergers[0].slot + mergers[0].into == 1);
  assert_true(mergers[0].cost < 0);
  assert_true(mergers[1].cost > 0 && mergers[2].cost > 0);
}

/// Among topics that are more like each other than like it.
void an_empty_topic_costs_next_to_nothing(void**) {
  TopicSample sample = drawn_sample();
  sample.topics[0] = {};
  const TopicTokens other = sample.topics[2];
  sample.topics.resize(10, other);
  sample.alpha.resize(10, alpha);
  const std::vector<Merger> mergers = vtemper::topic_mergers(sample, 1);
  const auto of_empty = std::find_if(mergers.begin(), mergers.end(), [](const Merger& one) { return one.slot == 0; });
  assert_true(of_empty != mergers.end());
  assert_true(std::abs(of_empty->cost) < 0.001 * sample.tokens);
}

/// Topics without tokens, or with those of documents without weight.
void empty_topics_cost_nothing(void**) {
  TopicSample sample = drawn_sample();
  sample.topics[0] = sample.topics[1] = {};
  const Merger empty = vtemper::topic_mergers(sample, 1).front();
  assert_true(empty.slot + empty.into == 1);
  assert_true(empty.cost == 0);
  sample = drawn_sample();
  std::fill(sample.weights.begin(), sample.weights.end(), 0.0);
  for (const Merger& merger : vtemper::topic_mergers(sample, 1)) assert_true(merger.cost == 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(costs_are_those_of_plain_loops),
      cmocka_unit_test(the_cheapest_taker_is_that_of_plain_loops),
      cmocka_unit_test(topics_that_differ_by_chance_cost_less_than_nothing),
      cmocka_unit_test(an_empty_topic_costs_next_to_nothing),
      cmocka_unit_test(empty_topics_cost_nothing),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
