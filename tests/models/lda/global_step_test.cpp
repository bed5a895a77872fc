// The global step: the lazily scaled lambda against a dense plain one over hundreds of minibatches, full steps, and
// the topics' term of the bound.

#include <set>

#include "support/error.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

void check_lambda(const ConjugateModel& model, const Matrix& expected, Number tolerance) {
  const Matrix lambda = lambda_of(model);
  const std::vector<double> means = parameter(model, "topics");
  for (size_t k = 0; k < expected.size(); ++k) {
    const Number total = plain::sum(expected[k]);
    for (size_t v = 0; v < expected[k].size(); ++v) {
      check_close("lambda", lambda[k][v], expected[k][v], tolerance);
      check_close("mean of beta", means[k * expected[k].size() + v], expected[k][v] / total, tolerance);
    }
  }
}

void lazy_scaling_equals_dense_updates(void**) {
  struct Rate {
    const char* name;
    double rates[3];
  };
  // 0.5 and 0.9 shrink the scale by 1e-8 every 27 and 8 steps: the rows are renormalised many times.
  const std::vector<Rate> all_rates = {{"slow", {0.01, 0.02, 0.05}},
                                       {"half", {0.5, 0.5, 0.5}},
                                       {"large", {0.9, 0.99, 0.3}},
                                       {"with full steps", {0.2, 0.7, 1}}};
  for (const bool asymmetric : {false, true}) {
    for (const Rate& rate : all_rates) {
      const size_t topics = 5, words = 40;
      const Priors priors =
          asymmetric ? asymmetric_priors(topics, words, 3) : symmetric_priors(topics, words, 0.1, 0.05);
      const Documents corpus = random_corpus(60, words, topics, 8, 19, true);
      const std::shared_ptr<Data> data = data_of(corpus);
      Matrix dense = random_lambda(topics, words, 5);
      Texts texts = exact_options(priors);
      if (!asymmetric) texts["eta"] = "0.05";
      texts["local_tolerance"] = "1e-4";
      const std::shared_ptr<ConjugateModel> model = make_model(texts);
      model->initialize(*data, 1);
      model->write_parameter("lambda", flat(dense).data());
      const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 4);
      Random random(101);
      for (int t = 0; t < 300; ++t) {
        const std::vector<int64_t> rows = {random.below(60), random.below(60), random.below(60), random.below(60)};
        work->local_step({data.get(), rows.data(), 0, 4}, at(0.5 + 0.5 * random.uniform()), LocalSettings{});
        const double rho = rate.rates[random.below(3)];
        const double scale = 15 * random.uniform();
        const Matrix before = dense;
        const Matrix statistics = statistics_of(*model, *work);
        dense = plain::blend(priors, before, statistics, scale, rho);
        const GlobalChange change = work->global_step(GlobalStep{scale, rho, {}, {}});

        // Relative change: word by word for the batch's words, of their sum for the others.
        Number moved = 0, mass = 0, others = 0;
        for (size_t v = 0; v < words; ++v) {
          Number seen = 0;
          for (size_t k = 0; k < topics; ++k) seen += statistics[k][v];
          for (size_t k = 0; k < topics; ++k) {
            mass += before[k][v];
            if (seen > 0) {
              moved += std::abs(dense[k][v] - before[k][v]);
            } else {
              others += dense[k][v] - before[k][v];
            }
          }
        }
        check_close("relative change", change.relative, (moved + std::abs(others)) / mass, 1e-8L, 1e-6L);
        int64_t unused = 0;
        for (const Vector& row : statistics) unused += scale * plain::sum(row) < 0.5L ? 1 : 0;
        assert_true(change.unused_components == unused);
        if (t % 50 == 49) check_lambda(*model, dense, 1e-10L);
      }
      check_lambda(*model, dense, 1e-10L);
      check_close("topics' term of the bound", model->global_bound(PriorPower{}), plain::topics_term(priors, dense),
                  1e-10L);
    }
  }
}

void full_steps_equal_plain_coordinate_ascent(void**) {
  for (const bool point : {false, true}) {
    const Priors priors = asymmetric_priors(3, 12, 7, point);
    const Documents corpus = random_corpus(6, 12, 3, 15, 11, true);
    const std::shared_ptr<Data> data = data_of(corpus);
    Matrix lambda = random_lambda(3, 12, 13);
    const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
    const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
    for (int t = 0; t < 12; ++t) {
      const double s = t < 6 ? 0.5 : 1;
      const Vector inverse(6, s);
      const Matrix log_beta = plain::topic_expectations(priors, lambda);
      std::vector<plain::Local> locals;
      for (const Vector& counts : corpus.counts) locals.push_back(plain::solve(priors, counts, s, log_beta));
      lambda = plain::blend(priors, lambda, plain::statistics(corpus, inverse, locals, 3), 1, 1);
      work->local_step({data.get(), nullptr, 0, 6}, at(s), LocalSettings{});
      work->global_step(GlobalStep{1, 1, {}, {}});
      check_lambda(*model, lambda, 1e-8L);
    }
  }
}

void a_full_step_forgets_the_past(void**) {
  // Words outside the batch go back to the prior exactly.
  const Priors priors = asymmetric_priors(3, 12, 7);
  Documents corpus = random_corpus(6, 12, 3, 15, 11);
  for (Vector& counts : corpus.counts) counts[5] = counts[8] = 0;
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, random_lambda(3, 12, 13));
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
  work->local_step({data.get(), nullptr, 0, 6}, at(1), LocalSettings{});
  work->global_step(GlobalStep{1, 1, {}, {}});
  const Matrix lambda = lambda_of(*model);
  for (size_t k = 0; k < 3; ++k) {
    for (const size_t v : {size_t{5}, size_t{8}}) assert_true(lambda[k][v] == priors.eta[k][v]);
  }
}

void an_empty_batch_decays_to_the_prior(void**) {
  const Priors priors = asymmetric_priors(3, 12, 7);
  const Documents corpus = random_corpus(6, 12, 3, 15, 11);
  const std::shared_ptr<Data> data = data_of(corpus);
  const Matrix lambda = random_lambda(3, 12, 13);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 1);
  const LocalSums sums = work->local_step({data.get(), nullptr, 2, 1}, at(1), LocalSettings{});
  assert_true(sums.empty_rows == 1 && sums.tokens == 0);
  work->global_step(GlobalStep{6, 0.25, {}, {}});
  check_lambda(*model, plain::blend(priors, lambda, Matrix(3, Vector(12, 0)), 6, 0.25), 1e-13L);
}

void topics_term_of_the_bound(void**) {
  for (const bool point : {false, true}) {
    for (const size_t topics : {size_t{1}, size_t{3}, size_t{17}}) {
      const Priors priors = asymmetric_priors(topics, 12, 17, point);
      const std::shared_ptr<Data> data = data_of(random_corpus(3, 12, 2, 5, 1));
      for (const double size : {1.0, 1000.0}) {
        const Matrix lambda = random_lambda(topics, 12, 19, 0.01 * size, 3 * size);
        const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
        check_close("topics' term", model->global_bound(PriorPower{}), plain::topics_term(priors, lambda), 1e-11L);
      }
    }
  }
}

void the_start_is_gamma_distributed(void**) {
  // lambda ~ Gamma(100, 1/100): mean 1, standard deviation 0.1; every word its own stream, seeds differ.
  const std::shared_ptr<Data> data = data_of(random_corpus(3, 400, 2, 5, 1));
  const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "50"}, {"precision", "double"}});
  model->initialize(*data, 7);
  const std::vector<double> lambda = parameter(*model, "lambda");
  Number mean = 0, square = 0;
  for (const double value : lambda) mean += value / static_cast<Number>(lambda.size());
  for (const double value : lambda) square += (value - mean) * (value - mean) / static_cast<Number>(lambda.size());
  check_close("mean", mean, 1, 0.003L);
  check_close("standard deviation", std::sqrt(square), 0.1L, 0.03L);
  assert_true(std::set<double>(lambda.begin(), lambda.end()).size() == lambda.size());
  model->initialize(*data, 7);
  assert_true(same_bits(parameter(*model, "lambda"), lambda));
  model->initialize(*data, 8);
  assert_false(same_bits(parameter(*model, "lambda"), lambda));
}

void an_eta_of_the_wrong_length_is_refused(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(3, 12, 2, 5, 1));
  const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "2"}, {"eta", "0.1,0.2,0.3"}});
  try {
    model->initialize(*data, 1);
  } catch (const Error& error) {
    assert_int_equal(error.status(), VTEMPER_ERROR_OPTION);
    assert_non_null(std::strstr(error.what(), "option eta has 3 values"));
    assert_non_null(std::strstr(error.what(), "2 x 12"));
    assert_false(model->initialized());
    return;
  }
  assert_true(false);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(lazy_scaling_equals_dense_updates),
      cmocka_unit_test(full_steps_equal_plain_coordinate_ascent),
      cmocka_unit_test(a_full_step_forgets_the_past),
      cmocka_unit_test(an_empty_batch_decays_to_the_prior),
      cmocka_unit_test(topics_term_of_the_bound),
      cmocka_unit_test(the_start_is_gamma_distributed),
      cmocka_unit_test(an_eta_of_the_wrong_length_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
