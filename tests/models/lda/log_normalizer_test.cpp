// log C(T) of the tempered model: the Gibbs value against exact enumeration and against its own definition by a fine
// grid, and its shape in s.

#include "support/error.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

/// log C by enumeration of all words and assignments of `documents` documents of `length` tokens:
///   C = sum_{w, z} E prod_dn theta_{d z}^s  E prod_dn beta_{z w}^s   (Dirichlet moments).
Number exact_log_normalizer(Number s, size_t documents, size_t length, size_t topics, size_t words, Number alpha,
                            Number eta) {
  const size_t tokens = documents * length;
  const size_t pairs = topics * words;
  std::vector<size_t> choice(tokens, 0);  // topic * words + word of each token
  Vector logs;
  const auto log_moment = [s](Number prior, const std::vector<int>& counts) {
    Number value = 0;
    int total = 0;
    for (const int n : counts) {
      value += plain::log_gamma(prior + s * n) - plain::log_gamma(prior);
      total += n;
    }
    const Number mass = prior * static_cast<Number>(counts.size());
    return value + plain::log_gamma(mass) - plain::log_gamma(mass + s * total);
  };
  while (true) {
    Number value = 0;
    std::vector<std::vector<int>> of_topic(topics, std::vector<int>(words, 0));
    for (size_t d = 0; d < documents; ++d) {
      std::vector<int> of_document(topics, 0);
      for (size_t n = 0; n < length; ++n) {
        const size_t pair = choice[d * length + n];
        ++of_document[pair / words];
        ++of_topic[pair / words][pair % words];
      }
      value += log_moment(alpha, of_document);
    }
    for (const auto& counts : of_topic) value += log_moment(eta, counts);
    logs.push_back(value);
    size_t i = 0;
    while (i < tokens && ++choice[i] == pairs) choice[i++] = 0;
    if (i == tokens) return plain::log_sum(logs);
  }
}

/// G(s; m, a, n) of models/lda/README.md section 2 at one x.
Number gibbs_value(Number s, Number m, Number a, Number n, Number x) {
  const Number divergence = plain::log_gamma(m * x) - m * plain::log_gamma(x) - plain::log_gamma(m * a) +
                            m * plain::log_gamma(a) + m * (x - a) * (plain::digamma(x) - plain::digamma(m * x));
  return n * (std::log(m) + plain::log_gamma(x + s) - plain::log_gamma(x) + plain::log_gamma(m * x) -
              plain::log_gamma(m * x + s)) -
         divergence;
}

/// The largest G over log x in [log a, log max(50, a)]: the best of a grid, then of finer grids around it.
Number best_on_a_fine_grid(Number s, Number m, Number a, Number n) {
  constexpr int points = 200;
  Number low = std::log(a);
  Number high = std::log(std::max<Number>(50, a));
  Number best = -INFINITY;
  for (int level = 0; level < 3; ++level) {
    Number at = low;
    for (int i = 0; i <= points; ++i) {
      const Number log_x = low + (high - low) * i / points;
      const Number value = gibbs_value(s, m, a, n, std::exp(log_x));
      if (value > best) {
        best = value;
        at = log_x;
      }
    }
    const Number width = (high - low) / points;
    low = std::max(low, at - width);
    high = std::min(high, at + width);
  }
  return best;
}

struct Shape {
  size_t documents, length, topics, words;
  double alpha, eta;
};

void close_to_the_exact_value(void**) {
  const std::vector<Shape> shapes = {{2, 3, 2, 2, 0.5, 0.5}, {2, 3, 2, 3, 0.3, 0.2}, {3, 2, 2, 3, 0.5, 0.5},
                                     {1, 4, 3, 3, 0.2, 0.4}, {1, 5, 2, 4, 1.0, 0.1}, {2, 2, 3, 4, 0.1, 0.1}};
  Number worst = 0;
  for (const Shape& shape : shapes) {
    const double tokens = static_cast<double>(shape.documents * shape.length);
    for (const double s : {0.2, 0.5, 0.8, 1.0}) {
      const Number exact =
          exact_log_normalizer(s, shape.documents, shape.length, shape.topics, shape.words, shape.alpha, shape.eta);
      const double gibbs =
          lda_log_normalizer(s, static_cast<int64_t>(shape.topics), static_cast<int64_t>(shape.words), shape.alpha,
                             shape.eta, static_cast<double>(shape.documents), tokens);
      if (s == 1) {
        check_close("exact log C(1)", exact, 0, 1e-15L, tokens);  // probabilities sum to 1: checks the enumeration
        assert_true(gibbs == 0);
      } else {
        worst = std::max(worst, std::abs(gibbs - exact) / exact);
        check_close("log C", gibbs, exact, 0.1L);
        assert_true(gibbs <= tokens * (1 - s) * std::log(static_cast<double>(shape.topics * shape.words)));
      }
    }
  }
  print_message("Gibbs value against exact log C on tiny problems: largest relative difference %.3f\n",
                static_cast<double>(worst));
}

// lgamma of large sums leaves about 1e-9 a token.
void equals_its_definition_on_a_fine_grid(void**) {
  for (const double s : {0.1, 0.25, 0.5, 0.9, 0.99}) {
    for (const int64_t m : {2, 100, 8000}) {
      for (const double a : {0.002, 0.1, 1.0, 80.0}) {
        for (const double n : {1.0, 32.0, 18000.0}) {
          const Number expected = best_on_a_fine_grid(s, static_cast<Number>(m), a, n);
          const Number scale = 1e-3L * n;
          // One topic has no proportions to choose, one word no topics.
          check_close("topics' part", lda_log_normalizer(s, 1, m, 0.5, a, 5, n), expected, 1e-6L, scale);
          check_close("documents' part", lda_log_normalizer(s, m, 1, a, 0.5, 1, n), expected, 1e-6L, scale);
          check_close("both", lda_log_normalizer(s, 7, m, 0.3, a, 3, 7 * n),
                      7 * expected + 3 * best_on_a_fine_grid(s, 7, 0.3L, 7 * n / 3), 1e-6L, 7 * scale);
        }
      }
    }
  }
}

void falls_and_is_convex_in_s(void**) {
  const std::vector<Shape> shapes = {
      {6, 10, 3, 12, 0.3, 0.2}, {53000, 35, 100, 11414, 0.01, 0.01}, {100, 64, 20, 14000, 0.05, 60}};
  for (const Shape& shape : shapes) {
    const double rows = static_cast<double>(shape.documents);
    const double tokens = rows * static_cast<double>(shape.length);
    const auto value = [&](double s) {
      return lda_log_normalizer(s, static_cast<int64_t>(shape.topics), static_cast<int64_t>(shape.words), shape.alpha,
                                shape.eta, rows, tokens);
    };
    constexpr int points = 100;
    for (int i = 1; i < points; ++i) {
      const double s = 0.1 + 0.9 * i / points;
      const double h = 0.9 / points;
      const double before = value(s - h);
      const double here = value(s);
      const double after = i + 1 == points ? 0 : value(s + h);
      assert_true(here < before);
      assert_true(after < here);
      assert_true(before + after - 2 * here > -1e-9 * before);
    }
    assert_true(value(1) == 0);
  }
}

void the_model_gives_the_value_of_its_mean_priors(void**) {
  const Priors priors = asymmetric_priors(3, 12, 61);
  const Documents corpus = random_corpus(6, 12, 3, 12, 67);
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, random_lambda(3, 12, 71));
  Number eta = 0;
  for (const Vector& row : priors.eta) eta += plain::sum(row) / 36;
  const double alpha = static_cast<double>(plain::sum(priors.alpha) / 3);
  check_close("log C", model->tempered_normalizer()->log_normalizer(Normalizer{}, 0.4, 6, 80),
              lda_log_normalizer(0.4, 3, 12, alpha, static_cast<double>(eta), 6, 80), 1e-12L);
}

LdaShape shape_of(const Shape& shape) {
  const double rows = static_cast<double>(shape.documents);
  return {static_cast<int64_t>(shape.topics),      static_cast<int64_t>(shape.words), shape.alpha, shape.eta, rows,
          rows * static_cast<double>(shape.length)};
}

/// On tiny problems, where sampling works: both bounds of the supplement's eq. 8 lie below the exact value, the
/// second one too, and above the other; Monte Carlo (eq. 7 with the assignments kept) meets it.
void estimates_for_study_against_enumeration(void**) {
  const std::vector<Shape> shapes = {{2, 3, 2, 2, 0.5, 0.5}, {2, 3, 2, 3, 0.3, 0.2}, {1, 5, 2, 4, 1.0, 0.1}};
  const std::vector<double> inverses = {0.2, 0.5, 0.8, 1.0};
  for (const Shape& shape : shapes) {
    std::vector<double> sampled(4), jensen(4), again(1);
    lda_sampled_log_normalizers(shape_of(shape), inverses, false, 800, 3, sampled.data());
    lda_sampled_log_normalizers(shape_of(shape), inverses, true, 800, 3, jensen.data());
    for (size_t m = 0; m < 4; ++m) {
      const double s = inverses[m];
      const Number exact =
          exact_log_normalizer(s, shape.documents, shape.length, shape.topics, shape.words, shape.alpha, shape.eta);
      const Number mean = lda_log_normalizer_of_means(shape_of(shape), s);
      check_close("monte carlo", sampled[m], exact, 0.03L, 0.5L);
      assert_true(mean <= exact + 1e-12L);
      assert_true(jensen[m] <= mean + 0.05L);
      if (s == 1) assert_true(sampled[m] == 0 && jensen[m] == 0 && mean == 0);
      // A grid shares its draws, but not its values.
      lda_sampled_log_normalizers(shape_of(shape), {s}, false, 800, 3, again.data());
      assert_true(again[0] == sampled[m]);
    }
    // E X = sum_k E theta_k^s sum_v E beta_kv^s.
    const Number s = 0.5L, k = static_cast<Number>(shape.topics), v = static_cast<Number>(shape.words);
    const auto moment = [&](Number a, Number m) {
      return plain::log_gamma(a + s) - plain::log_gamma(a) + plain::log_gamma(m * a) - plain::log_gamma(m * a + s);
    };
    const Number tokens = static_cast<Number>(shape.documents * shape.length);
    check_close("mean", lda_log_normalizer_of_means(shape_of(shape), 0.5),
                tokens * (std::log(k * v) + moment(shape.alpha, k) + moment(shape.eta, v)), 1e-12L);
  }
}

/// beta at the posterior's means, or its moments: the Gibbs value of theta with the mean of S_k.
void estimates_at_the_posterior(void**) {
  const Priors priors = symmetric_priors(3, 300, 0.3, 0.1);
  const std::shared_ptr<Data> data = data_of(random_corpus(6, 300, 3, 12, 67));
  const Matrix lambda = random_lambda(3, 300, 71, 0.05, 4);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
  for (const double s : {0.3, 0.7, 1.0}) {
    Number means = 0, moments = 0;
    for (const Vector& row : lambda) {
      const Number total = plain::sum(row);
      for (const Number value : row) {
        means += std::pow(value / total, static_cast<Number>(s)) / 3;
        moments += std::exp(plain::log_gamma(value + s) - plain::log_gamma(value) + plain::log_gamma(total) -
                            plain::log_gamma(total + s)) /
                   3;
      }
    }
    const Number of_theta = s == 1 ? 0 : 6 * best_on_a_fine_grid(s, 3, 0.3L, 80.0L / 6);
    Normalizer normalizer;
    normalizer.estimate = "plug_in";
    assert_true(model->tempered_normalizer()->normalizer_follows_globals(normalizer));
    check_close("plug-in", model->tempered_normalizer()->log_normalizer(normalizer, s, 6, 80),
                of_theta + 80 * std::log(means), 1e-6L, 1);
    normalizer.estimate = "moment";
    check_close("moment", model->tempered_normalizer()->log_normalizer(normalizer, s, 6, 80),
                of_theta + 80 * std::log(moments), 1e-6L, 1);
    normalizer.estimate = "mean";
    assert_false(model->tempered_normalizer()->normalizer_follows_globals(normalizer));
    check_close("mean", model->tempered_normalizer()->log_normalizer(normalizer, s, 6, 80),
                lda_log_normalizer_of_means({3, 300, 0.3, 0.1, 6, 80}, s), 1e-12L);
  }
}

void estimates_without_meaning_are_refused(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(6, 12, 3, 12, 67));
  const auto refused = [&](bool point, const char* estimate, const char* other_side) {
    const std::shared_ptr<ConjugateModel> model =
        exact_model(symmetric_priors(3, 12, 0.3, 0.1, point), *data, random_lambda(3, 12, 71));
    RequiredFeatures required;
    required.normalizer = Normalizer{};
    required.normalizer->estimate = estimate;
    try {
      model->require(required);
    } catch (const Error& error) {
      assert_int_equal(error.status(), VTEMPER_ERROR_UNSUPPORTED);
      assert_non_null(std::strstr(error.what(), estimate));
      assert_non_null(std::strstr(error.what(), other_side));
      return true;
    }
    return false;
  };
  for (const char* estimate : {"exact", "upper", "prior"}) assert_true(refused(false, estimate, "lda"));
  assert_true(refused(true, "moment", "topic_posterior point"));
  for (const char* estimate : {"auto", "gibbs", "monte_carlo", "jensen", "mean", "plug_in", "moment"}) {
    assert_false(refused(false, estimate, ""));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(close_to_the_exact_value),
      cmocka_unit_test(equals_its_definition_on_a_fine_grid),
      cmocka_unit_test(falls_and_is_convex_in_s),
      cmocka_unit_test(the_model_gives_the_value_of_its_mean_priors),
      cmocka_unit_test(estimates_for_study_against_enumeration),
      cmocka_unit_test(estimates_at_the_posterior),
      cmocka_unit_test(estimates_without_meaning_are_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
