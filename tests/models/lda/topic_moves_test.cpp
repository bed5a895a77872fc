// The choice among moves of topics (models/lda/README.md section 10), in samples whose tokens are given: the pair of
// a merger and a split that gains most comes first, although another merger is cheaper; splits that no document
// judges gain nothing.

#include <limits>

#include "models/lda/topic_moves.h"
#include "support/lda.h"
#include "support/topic_sample.h"

using namespace fixtures;
using vtemper::TopicMove;
using vtemper::TopicSample;

namespace {

constexpr int32_t documents = 400, words = 60;

/// Adds tokens of a topic: `count` draws from words first ... first + 14, of which even ones have that share.
void add_tokens(TopicSample& sample, size_t topic, int32_t document, int32_t first, int64_t count, double even,
                Random& random) {
  Vector counts(words, 0);
  for (int64_t n = 0; n < count; ++n) {
    const auto pair = static_cast<size_t>(7 * random.uniform());
    ++counts[static_cast<size_t>(first) + 2 * pair + (random.uniform() < even ? 0 : 1)];
  }
  for (int32_t v = 0; v < words; ++v) {
    const auto tokens = static_cast<double>(counts[static_cast<size_t>(v)]);
    if (tokens != 0) give_tokens(sample, topic, add_entry(sample, document, v, tokens), tokens);
  }
}

/// Topic 0: each document has words of one of two groups; topic 1: of both; topics 2 and 3: of a third one, nearly
/// alike.
TopicSample drawn_sample() {
  Random random(3);
  TopicSample sample = sample_without_entries(documents, words, 4, 0.3, 0.1);
  sample.weights.assign(documents, 1);
  for (int32_t d = 0; d < documents; ++d) {
    if (random.uniform() < 0.5) {
      add_tokens(sample, 0, d, random.uniform() < 0.5 ? 0 : 15, 20, 0.5, random);
    } else {
      for (const int32_t first : {0, 15}) add_tokens(sample, 1, d, first, 10, 0.5, random);
    }
    add_tokens(sample, random.uniform() < 0.5 ? 2 : 3, d, 30, 10, 0.5, random);
  }
  return sample;
}

void the_pair_that_gains_most_comes_first(void**) {
  const TopicSample sample = drawn_sample();
  const vtemper::Merger cheapest = vtemper::topic_mergers(sample, 1).front();
  assert_int_equal(cheapest.slot + cheapest.into, 0 + 1);
  const std::vector<TopicMove> moves = vtemper::find_topic_moves(sample, 1, 1, 0);
  assert_int_equal(moves.size(), 1);
  assert_int_equal(moves[0].split.from, 0);
  assert_int_equal(moves[0].merger.slot + moves[0].merger.into, 2 + 3);
}

void documents_without_weight_judge_nothing(void**) {
  TopicSample sample = drawn_sample();
  for (size_t d = 0; d < documents; d += 4) sample.weights[d] = 0;
  for (int64_t k = 0; k < 4; ++k) {
    assert_true(vtemper::split_topic(k, sample, 1, 0).gain == -std::numeric_limits<double>::infinity());
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_pair_that_gains_most_comes_first),
      cmocka_unit_test(documents_without_weight_judge_nothing),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
