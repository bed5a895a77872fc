// Ranked words against plain code, for one topic and for all; duplicate topics.

#include "evaluation/words.h"

#include <numeric>

#include "support/lda.h"
#include "support/refusal.h"

using namespace fixtures;
using namespace vtemper;

namespace {

struct Setting {
  Matrix lambda;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
};

Setting setting_of(size_t topics, size_t words) {
  Setting s;
  const Priors priors = asymmetric_priors(topics, words, 3);
  s.lambda = random_lambda(topics, words, 7, 0.05, 4);
  s.data = data_of(random_corpus(9, words, topics, 20, 5));
  s.model = exact_model(priors, *s.data, s.lambda);
  return s;
}

/// Scores of the words of a topic as vtemper.h defines them.
Vector plain_scores(const Matrix& lambda, size_t topic, const std::string& how, Number weight) {
  const size_t words = lambda[0].size();
  Number mass = 0;
  for (const Vector& row : lambda) mass += plain::sum(row);
  Vector probability, lift, exclusivity;
  for (size_t v = 0; v < words; ++v) {
    Number overall = 0, over_topics = 0;
    for (const Vector& row : lambda) {
      overall += row[v] / mass;
      over_topics += row[v] / plain::sum(row);
    }
    probability.push_back(lambda[topic][v] / plain::sum(lambda[topic]));
    lift.push_back(probability[v] / overall);
    exclusivity.push_back(probability[v] / over_topics);
  }
  if (how == "probability") return probability;
  if (how == "lift") return lift;
  Vector scores;
  for (size_t v = 0; v < words; ++v) {
    if (how == "label") {
      Number rival = 0;
      for (size_t k = 0; k < lambda.size(); ++k) {
        if (k != topic) rival = std::max(rival, lambda[k][v] / plain::sum(lambda[k]));
      }
      scores.push_back(probability[v] *
                       ((1 - weight) * std::log(lift[v]) + weight * std::log(probability[v] / rival)));
      continue;
    }
    if (how == "relevance") {
      scores.push_back(weight * std::log(probability[v]) + (1 - weight) * std::log(lift[v]));
      continue;
    }
    Number not_more_frequent = 0, not_more_exclusive = 0;
    for (size_t u = 0; u < words; ++u) {
      not_more_frequent += probability[u] <= probability[v] ? 1 : 0;
      not_more_exclusive += exclusivity[u] <= exclusivity[v] ? 1 : 0;
    }
    const Number n = static_cast<Number>(words);
    scores.push_back(1 / (weight * n / not_more_exclusive + (1 - weight) * n / not_more_frequent));
  }
  return scores;
}

struct Order {
  const char* how;
  const char* name;
  Number weight;
};

constexpr Order orders[] = {{"probability", "probability", 0},
                            {"lift", "lift", 0},
                            {"relevance", "relevance", 0.6L},
                            {"relevance:0.3", "relevance", 0.3L},
                            {"relevance:1", "relevance", 1},
                            {"relevance:0", "relevance", 0},
                            {"frex", "frex", 0.5L},
                            {"frex:0.7", "frex", 0.7L},
                            {"frex:0", "frex", 0},
                            {"label", "label", 0.5L},
                            {"label:0", "label", 0},
                            {"label:1", "label", 1}};

void words_are_ranked_as_defined(void**) {
  constexpr int64_t topics = 11, words = 30;  // more topics than are taken at a time
  const Setting s = setting_of(topics, words);
  for (const Order& order : orders) {
    std::vector<int64_t> all(topics * words);
    std::vector<double> all_scores(topics * words);
    rank_words(*s.model, 0, topics, word_order(order.how), words, all.data(), all_scores.data());
    for (size_t k = 0; k < topics; ++k) {
      const Vector expected = plain_scores(s.lambda, k, order.name, order.weight);
      Vector sorted = expected;
      std::sort(sorted.rbegin(), sorted.rend());
      std::vector<int64_t> indices(words);
      std::vector<double> scores(words);
      rank_words(*s.model, static_cast<int64_t>(k), 1, word_order(order.how), words, indices.data(), scores.data());
      for (size_t i = 0; i < words; ++i) {
        check_close(order.how, scores[i], expected[static_cast<size_t>(indices[i])], 1e-12L, 1);
        check_close(order.how, scores[i], sorted[i], 1e-12L, 1);
        if (i > 0)
          assert_true(scores[i] < scores[i - 1] || (scores[i] == scores[i - 1] && indices[i] > indices[i - 1]));
        assert_true(all[k * words + i] == indices[i] && all_scores[k * words + i] == scores[i]);
      }
      std::vector<int64_t> few(5);
      rank_words(*s.model, static_cast<int64_t>(k), 1, word_order(order.how), 5, few.data(), nullptr);
      assert_true(std::equal(few.begin(), few.end(), indices.begin()));
    }
  }
}

void weights_at_their_ends_are_other_orders(void**) {
  const Setting s = setting_of(4, 30);
  const auto ranked = [&](const char* how) {
    std::vector<int64_t> indices(30);
    rank_words(*s.model, 2, 1, word_order(how), 30, indices.data(), nullptr);
    return indices;
  };
  assert_true(ranked("relevance:1") == ranked("probability"));
  assert_true(ranked("relevance:0") == ranked("lift"));
  assert_true(ranked("relevance:0.6") == ranked("relevance"));
  assert_true(ranked("frex:0") == ranked("probability"));
  assert_true(ranked("frex:0.5") == ranked("frex"));
  assert_true(ranked("frex:1") != ranked("frex:0"));
}

void labels_tell_near_copies_apart(void**) {
  // Two topics of the same likely words that differ in a less likely one; a third of its own words.
  Setting s = setting_of(3, 8);
  s.lambda = {{50, 40, 1, 20, 1, 1, 1, 1}, {50, 40, 20, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 30, 20, 10, 1}};
  s.model->write_parameter("lambda", flat(s.lambda).data());
  const auto best = [&](int64_t topic, const char* how) {
    int64_t index;
    rank_words(*s.model, topic, 1, word_order(how), 1, &index, nullptr);
    return index;
  };
  assert_true(best(0, "probability") == 0 && best(1, "probability") == 0);
  assert_true(best(0, "label") == 3 && best(1, "label") == 2 && best(2, "label") == 4);
}

void the_label_of_one_topic_is_its_likeliest_words(void**) {
  const Setting s = setting_of(1, 30);
  std::vector<int64_t> likeliest(30), label(30);
  rank_words(*s.model, 0, 1, word_order("probability"), 30, likeliest.data(), nullptr);
  rank_words(*s.model, 0, 1, word_order("label"), 30, label.data(), nullptr);
  assert_true(label == likeliest);
}

void wrong_orders_are_refused(void**) {
  const struct {
    const char* how;
    const char* word;
  } wrong[] = {{"best", "probability, lift, relevance, frex, label"},
               {"label:2", "from 0 to 1"},
               {"relevnce", "did you mean relevance"},
               {"relevance:1.5", "from 0 to 1"},
               {"relevance:-0.1", "from 0 to 1"},
               {"frex:", "from 0 to 1"},
               {"frex:nan", "from 0 to 1"},
               {"frex:0.5x", "from 0 to 1"},
               {"lift:0.5", "takes no weight"},
               {"probability:1", "takes no weight"},
               {"", "probability"},
               {":", "probability"}};
  for (const auto& [how, word] : wrong) {
    const char* const text = how;
    assert_contains(refusal(VTEMPER_ERROR_ARGUMENT, [&] { word_order(text); }), word);
  }
}

void duplicates_are_topics_with_the_same_top_words(void**) {
  const auto duplicates = [](ConjugateModel& model) {
    return model.begin_fit(nullptr, 1)->duplicate_components().value();
  };
  const Setting s = setting_of(5, 30);
  assert_true(duplicates(*s.model) == 0);
  Matrix lambda = s.lambda;
  lambda[3] = lambda[1];
  for (Number& value : lambda[3]) value *= 2;  // the same words, twice the mass
  lambda[4] = lambda[1];
  s.model->write_parameter("lambda", flat(lambda).data());
  assert_true(duplicates(*s.model) == 2);
  std::vector<double> of(5);
  s.model->read_parameter("duplicate_of", {of.data(), 1, 1});
  assert_true((of == std::vector<double>{-1, -1, -1, 1, 1}));
}

/// Of few columns half are compared: with ten of them all topics would have the same words.
void topics_of_few_words_are_compared_by_half_of_them(void**) {
  constexpr size_t topics = 3, words = 8;
  const Setting s = setting_of(topics, words);
  Matrix lambda = s.lambda;
  for (size_t k = 0; k < topics; ++k) {
    for (size_t v = 0; v < words; ++v) lambda[k][v] = (v < words / 2) == (k == 0) ? 9 + static_cast<Number>(v) : 0.1L;
  }
  s.model->write_parameter("lambda", flat(lambda).data());
  assert_true(s.model->begin_fit(nullptr, 1)->duplicate_components().value() == 1);
  std::vector<double> of(topics);
  s.model->read_parameter("duplicate_of", {of.data(), 1, 1});
  assert_true((of == std::vector<double>{-1, -1, 1}));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(words_are_ranked_as_defined),
      cmocka_unit_test(weights_at_their_ends_are_other_orders),
      cmocka_unit_test(labels_tell_near_copies_apart),
      cmocka_unit_test(the_label_of_one_topic_is_its_likeliest_words),
      cmocka_unit_test(wrong_orders_are_refused),
      cmocka_unit_test(duplicates_are_topics_with_the_same_top_words),
      cmocka_unit_test(topics_of_few_words_are_compared_by_half_of_them),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
