// Scores and results: bounds and likelihoods against enumeration, held-out words against the plain formula, words of
// the factors, files.

#include "evaluation/evaluate.h"
#include "evaluation/words.h"
#include "models/deep_exponential_family/plain_family.h"
#include "support/assert.h"
#include "support/gradient_step.h"
#include "support/refusal.h"
#include "support/row_scores.h"

using namespace fixtures;
using vtemper::test::measure_of_rows;
using vtemper::test::score_of;

namespace {

OptionValues evaluation(Texts texts) {
  texts.emplace("threads", "1");
  return OptionValues(evaluate_options(), options_of(texts), "evaluate");
}

/// log sum_z p(x, z) over all z with coordinates up to 25.
double log_marginal(const Family& family, const Vector& x) {
  double sum = 0;
  for (double a = 0; a <= 25; ++a) {
    for (double b = 0; b <= 25; ++b) {
      const Vector z = {a, b};
      sum += std::exp(family.log_likelihood(x, z) + family.log_prior(z));
    }
  }
  return std::log(sum);
}

void bounds_and_likelihoods(void**) {
  const DataPointer data = documents(6, 4, 3);
  data_set_weights(*data, {1, 2, 0.5, 1, 1, 3});
  const auto model = family_of({{"latent", "2"}, {"samples", "16"}, {"background_rate", "0.1"}}, *data, 1);
  const Family family = plain_of(*model);
  double exact = 0;
  for (int64_t row = 0; row < 6; ++row) exact += data->weight(row) * log_marginal(family, row_of(*data, row));
  const auto score = [&](const char* name, const char* samples) {
    return measure_of_rows(*model, name, *data, evaluation({{"samples", samples}}));
  };
  const double estimated = score("log_marginal", "20000");
  check_close("likelihood", {estimated}, {exact}, 0.001);
  const double elbo = score("elbo", "20000");
  assert_true(elbo < exact && elbo > exact - 3);
  // On the same samples, by Jensen's inequality.
  for (const char* samples : {"2", "16", "17", "100"})
    assert_true(score("log_marginal", samples) > score("elbo", samples));
  check_close("one sample", {score("log_marginal", "1")}, {score("elbo", "1")}, 1e-12);
  assert_true(measure_of_rows(*model, "log_marginal", *data, evaluation({{"samples", "64"}})) ==
              measure_of_rows(*model, "log_marginal", *data, evaluation({{"samples", "64"}, {"threads", "3"}})));
}

/// The measures of topics are those of the factors; a measure that does not exist is refused with all that do.
void measures_of_the_factors(void**) {
  const DataPointer data = documents(30, 12);
  const auto model = family_of({{"latent", "3"}}, *data);
  for (const char* measure : {"coherence_umass", "coherence_npmi", "topic_diversity", "exclusivity"}) {
    const OptionValues options = evaluation({{"top_words", "4"}});
    const Vector scores = evaluate_topics(*model, data.get(), measure, options);
    double mean = 0;
    for (const double score : scores) mean += score / static_cast<double>(scores.size());
    check_close(measure, {evaluate(*model, data.get(), nullptr, measure, options)}, {mean}, 1e-14);
  }
  assert_contains(
      refusal(VTEMPER_ERROR_ARGUMENT, [&] { evaluate(*model, data.get(), nullptr, "entropy", evaluation({})); }),
      "those of deep_exponential_family are predictive, perplexity, elbo, log_marginal, active_units, "
      "coherence_umass, coherence_npmi, topic_diversity, exclusivity");
}

/// The fitted posterior has the best bound among its neighbours, as far as samples tell.
void posteriors_of_rows_are_fitted(void**) {
  const DataPointer data = documents(6, 30);
  const auto model = family_of({{"latent", "3"}}, *data);
  const double fitted = measure_of_rows(*model, "elbo", *data, evaluation({{"samples", "2000"}}));
  const double unfitted =
      measure_of_rows(*model, "elbo", *data, evaluation({{"samples", "2000"}, {"local_iterations", "1"}}));
  const double longer =
      measure_of_rows(*model, "elbo", *data, evaluation({{"samples", "2000"}, {"local_iterations", "2000"}}));
  assert_true(fitted > unfitted + 5);
  check_close("fitted longer", {fitted}, {longer}, 0.02);
}

void units_are_active_by_the_rows_that_count(void**) {
  const DataPointer data = documents(6, 30);
  const auto model = family_of({{"latent", "3"}}, *data);
  assert_true(model->measure("active_units", *data, evaluation({})) == 3);
  data_set_weights(*data, {0, 0, 1, 0, 0, 0});
  assert_true(model->measure("active_units", *data, evaluation({})) == 0);
  const auto work = model->begin_fit(data.get(), 6);
  scatter(work->rows()->row_values());
  GradientSettings settings;
  settings.report = true;
  assert_true(vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 6}, settings).active_units == 0);
  data_set_weights(*data, {0, 0, 1, 0, 1, 0});
  assert_true(vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 6}, settings).active_units > 0);
  assert_contains(refusal(VTEMPER_ERROR_OPTION,
                          [&] {
                            evaluate(*model, data.get(), nullptr, "active_units", evaluation({{"samples", "9"}}));
                          }),
                  "option samples has no effect where posteriors are not sampled");
}

void held_out_words(void**) {
  const DataPointer data = documents(8, 20);
  const auto model = family_of({{"latent", "3"}}, *data);
  const DataPair halves = data_split_counts(*data, 0.5, 3);
  double tokens = 0;
  const double share = data_total(*halves.first) / data_total(*data);
  const ScoredRows rows = {*halves.first, halves.second.get(), share};
  const double score = score_of(*model->predictive(), rows, evaluation({}), tokens);
  assert_true(tokens == data_total(*halves.second));
  assert_true(score < 0);
  const double perplexity = evaluate(*model, halves.first.get(), halves.second.get(), "perplexity", evaluation({}));
  check_close("perplexity", {perplexity}, {std::exp(-score / tokens)}, 1e-12);
  // The formula, by one latent variable: rates are in proportion to softplus(W) whatever the posterior.
  const auto single = family_of({{"latent", "1"}}, *data);
  const Family plain_single = plain_of(*single);
  double total = 0, expected = 0;
  for (const double weight : plain_single.weights) total += plain::softplus(weight);
  for (int64_t row = 0; row < 8; ++row) {
    const Vector x = row_of(*halves.second, row);
    for (size_t v = 0; v < x.size(); ++v)
      expected += x[v] * std::log(plain::softplus(plain_single.weights[v]) / total);
  }
  check_close("held-out words", {score_of(*single->predictive(), rows, evaluation({}), tokens)}, {expected}, 1e-12);
}

void factors_are_distributions_over_words(void**) {
  const DataPointer data = documents(8, 20);
  const auto model = family_of({{"latent", "3"}}, *data);
  const Family family = plain_of(*model);
  Vector factors(3 * 20), rates(3), shares(3), weights(3 * 20);
  model->read_parameter("factors", {factors.data(), 20, 1});
  model->read_parameter("factor.rate", {rates.data(), 1, 1});
  model->read_parameter("model.weights.0", {weights.data(), 20, 1});
  model->words()->word_shares(shares.data());
  const WordProbabilities probabilities(*model);
  double all_shares = 0;
  for (size_t k = 0; k < 3; ++k) {
    double sum = 0;
    for (size_t v = 0; v < 20; ++v) {
      assert_true(weights[k * 20 + v] == family.weights[v * 3 + k]);
      const double probability = plain::softplus(weights[k * 20 + v]) / rates[k];
      double found = 0;
      probabilities.read(static_cast<int64_t>(v), static_cast<int64_t>(k), 1, &found);
      check_close("probability", {factors[k * 20 + v], found}, {probability, probability}, 1e-14);
      sum += probability;
    }
    check_close("sum", {sum}, {1}, 1e-12);
    all_shares += shares[k];
  }
  check_close("shares", {all_shares}, {1}, 1e-12);
  model->write_parameter("model.weights.0", weights.data());
  assert_true(copy_of(model->values()) == family.weights);
  weights[7] = NAN;
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { model->write_parameter("model.weights.0", weights.data()); }),
                  "element 7");
}

void a_start_gives_words_their_frequency(void**) {
  const DataPointer data = documents(40, 20);
  const ModelKind& kind = deep_exponential_family_kind;
  const auto model = kind.create(OptionValues(kind.options(), options_of({{"latent", "30"}}), kind.name));
  model->initialize(*data, 3);
  Vector rates(30);
  model->read_parameter("factor.rate", {rates.data(), 1, 1});
  double expected = 0;
  for (const double rate : rates) expected += rate;
  assert_close(expected, data_total(*data) / 40, 0.15 * expected);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(bounds_and_likelihoods),
      cmocka_unit_test(posteriors_of_rows_are_fitted),
      cmocka_unit_test(units_are_active_by_the_rows_that_count),
      cmocka_unit_test(held_out_words),
      cmocka_unit_test(measures_of_the_factors),
      cmocka_unit_test(factors_are_distributions_over_words),
      cmocka_unit_test(a_start_gives_words_their_frequency),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
