// The map of topics against plain code: distances, classical scaling by power iteration, merged words.

#include "evaluation/topic_map.h"

#include <numeric>

#include "support/assert.h"
#include "support/lda.h"
#include "support/refusal.h"

using namespace fixtures;
using namespace vtemper;

namespace {

std::shared_ptr<ConjugateModel> model_of_lambda(const Matrix& lambda) {
  const size_t topics = lambda.size(), words = lambda[0].size();
  return exact_model(asymmetric_priors(topics, words, 3), *data_of(random_corpus(9, words, topics, 20, 5)), lambda);
}

Matrix probabilities_of(Matrix lambda) {
  for (Vector& row : lambda) {
    const Number total = plain::sum(row);
    for (Number& value : row) value /= total;
  }
  return lambda;
}

/// Jensen-Shannon divergence as the mean of two Kullback-Leibler divergences.
Number divergence(const Vector& p, const Vector& q) {
  Number sum = 0;
  for (size_t v = 0; v < p.size(); ++v) {
    const Number mean = (p[v] + q[v]) / 2;
    if (p[v] > 0) sum += p[v] * std::log(p[v] / mean) / 2;
    if (q[v] > 0) sum += q[v] * std::log(q[v] / mean) / 2;
  }
  return sum;
}

Matrix squares_of(const Matrix& p, bool by_divergence) {
  Matrix squares(p.size(), Vector(p.size()));
  for (size_t k = 0; k < p.size(); ++k) {
    for (size_t j = 0; j < p.size(); ++j) {
      const Number js = k == j ? 0 : divergence(p[k], p[j]);
      squares[k][j] = by_divergence ? js * js : js;
    }
  }
  return squares;
}

/// The leading eigenvector times the root of its eigenvalue; then deflates the matrix.
Vector take_axis(Matrix& products) {
  const size_t n = products.size();
  Vector axis(n);
  for (size_t k = 0; k < n; ++k) axis[k] = 1 + static_cast<Number>(k * k % 7);
  Number value = 0;
  for (int round = 0; round < 20000; ++round) {
    Vector image(n);
    for (size_t k = 0; k < n; ++k) {
      image[k] = std::inner_product(axis.begin(), axis.end(), products[k].begin(), Number{0});
    }
    const Number length = std::sqrt(std::inner_product(image.begin(), image.end(), image.begin(), Number{0}));
    for (size_t k = 0; k < n; ++k) axis[k] = image[k] / length;
    value = length;
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t j = 0; j < n; ++j) products[k][j] -= value * axis[k] * axis[j];
  }
  for (Number& place : axis) place *= std::sqrt(value);
  const auto farthest =
      std::max_element(axis.begin(), axis.end(), [](Number a, Number b) { return std::abs(a) < std::abs(b); });
  const Number sign = *farthest < 0 ? -1 : 1;
  for (Number& place : axis) place *= sign;
  return axis;
}

Matrix plain_map(const Matrix& p, bool by_divergence) {
  Matrix products = squares_of(p, by_divergence);
  const Number n = static_cast<Number>(p.size());
  Vector means(p.size());
  Number all = 0;
  for (size_t k = 0; k < p.size(); ++k) {
    means[k] = plain::sum(products[k]) / n;
    all += means[k] / n;
  }
  for (size_t k = 0; k < p.size(); ++k) {
    for (size_t j = 0; j < p.size(); ++j) products[k][j] = -(products[k][j] - means[k] - means[j] + all) / 2;
  }
  const Vector x = take_axis(products);
  return {x, take_axis(products)};
}

void check_map(const Matrix& lambda, const Matrix& p) {
  const auto model = model_of_lambda(lambda);
  for (const bool by_divergence : {false, true}) {
    std::vector<double> places(2 * lambda.size());
    topic_map(*model, topic_dissimilarity(by_divergence ? "divergence" : "distance"), places.data());
    const Matrix expected = plain_map(p, by_divergence);
    for (size_t k = 0; k < lambda.size(); ++k) {
      for (size_t axis = 0; axis < 2; ++axis) assert_close(places[2 * k + axis], expected[axis][k], 1e-5);
    }
  }
}

void test_map(void**) {
  for (const size_t topics : {4, 9, 15}) {
    const Matrix lambda = random_lambda(topics, 40, 7, 0.05, 4);
    check_map(lambda, probabilities_of(lambda));
  }
}

/// Three topics are in a plane: their distances on the map are those of their words.
void test_three_topics(void**) {
  const Matrix lambda = random_lambda(3, 30, 5, 0.05, 4);
  const Matrix squares = squares_of(probabilities_of(lambda), false);
  double places[6];
  topic_map(*model_of_lambda(lambda), TopicDissimilarity::distance, places);
  for (size_t k = 0; k < 3; ++k) {
    for (size_t j = 0; j < k; ++j) {
      assert_close(std::hypot(places[2 * k] - places[2 * j], places[2 * k + 1] - places[2 * j + 1]),
                   std::sqrt(squares[k][j]), 1e-9);
    }
  }
}

void test_few_topics(void**) {
  double one[2] = {3, 3};
  topic_map(*model_of_lambda(random_lambda(1, 30, 5, 0.05, 4)), TopicDissimilarity::distance, one);
  assert_true(one[0] == 0 && one[1] == 0);
  const Matrix lambda = random_lambda(2, 30, 5, 0.05, 4);
  const Matrix p = probabilities_of(lambda);
  double two[4];
  topic_map(*model_of_lambda(lambda), TopicDissimilarity::divergence, two);
  assert_close(std::abs(two[0] - two[2]), divergence(p[0], p[1]), 1e-9);
  assert_true(two[1] == 0 && two[3] == 0);
}

/// With 1,300 topics 355 words are distinguished; all rarer words count as one.
void test_merged_words(void**) {
  constexpr size_t topics = 1300, words = 420, compared = 355;
  Matrix lambda(topics, Vector(words, 0.01L));
  for (size_t k = 0; k < topics; ++k) {
    for (size_t v = 0; v < 3; ++v) lambda[k][(k % 3) * 3 + v] = 40 + static_cast<Number>(v);
    for (size_t v = compared - 1; v < words; ++v) lambda[k][v] = 0.001L * static_cast<Number>(1 + (v + k % 3) % 3);
  }
  Matrix merged = probabilities_of(lambda);
  merged.resize(3);
  for (Vector& row : merged) {
    row[compared - 1] = std::accumulate(row.begin() + compared - 1, row.end(), Number{0});
    row.resize(compared);
  }
  std::vector<double> places(2 * topics);
  topic_map(*model_of_lambda(lambda), TopicDissimilarity::distance, places.data());
  for (size_t k = 0; k < 3; ++k) {
    assert_close(places[2 * k], places[2 * (k + 3)], 1e-6);
    for (size_t j = 0; j < k; ++j) {
      assert_close(std::hypot(places[2 * k] - places[2 * j], places[2 * k + 1] - places[2 * j + 1]),
                   std::sqrt(divergence(merged[k], merged[j])), 1e-6);
    }
  }
}

void test_refusals(void**) {
  assert_contains(refusal(VTEMPER_ERROR_ARGUMENT, [] { topic_dissimilarity("distances"); }), "distance");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_map),          cmocka_unit_test(test_three_topics), cmocka_unit_test(test_few_topics),
      cmocka_unit_test(test_merged_words), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
