// Stochastic annealing of LDA: topics and documents after a perturbed step against plain code that makes the same
// draws, their distribution, and steps without a share.

#include "support/lda.h"
#include "support/random_streams.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr uint64_t seed = 77;

Perturbation perturbation(double share, bool local, uint64_t iteration, double tokens) {
  Perturbation out;
  out.share = share;
  out.local = local;
  out.seed = seed;
  out.iteration = iteration;
  out.rows = 6;
  out.tokens = tokens;
  return out;
}

/// Dir(1_V) for every topic: exponential draws, one stream per word. [K x V]
Matrix plain_draw(uint64_t iteration, size_t topics, size_t words) {
  Matrix draw(topics, Vector(words));
  for (size_t v = 0; v < words; ++v) {
    RandomStream random(seed, Purpose::perturb, iteration, v);
    for (size_t k = 0; k < topics; ++k) draw[k][v] = -std::log(static_cast<Number>(random.uniform()));
  }
  for (Vector& row : draw) {
    const Number total = plain::sum(row);
    for (Number& value : row) value /= total;
  }
  return draw;
}

void topics_equal_the_plain_blend(void**) {
  for (const bool point : {false, true}) {
    for (const bool asymmetric : {false, true}) {
      const size_t topics = 3, words = 12;
      const Priors priors =
          asymmetric ? asymmetric_priors(topics, words, 7, point) : symmetric_priors(topics, words, 0.3, 0.1, point);
      const Documents corpus = random_corpus(6, words, topics, 15, 11, true);
      const std::shared_ptr<Data> data = data_of(corpus);
      Matrix lambda = random_lambda(topics, words, 13);
      Texts texts = exact_options(priors);
      if (!asymmetric) texts["eta"] = "0.1";
      const std::shared_ptr<ConjugateModel> model = make_model(texts);
      model->initialize(*data, 1);
      model->write_parameter("lambda", flat(lambda).data());
      const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
      for (uint64_t t = 0; t < 60; ++t) {
        const double r = t < 50 ? std::pow(0.9, static_cast<double>(t)) : 0;
        const double rho = t % 3 == 0 ? 1 : 0.4;
        // Composed with a temperature: s is in the statistics, the draw is as large as the data.
        const double s = t % 2 == 0 ? 1 : 0.6;
        work->local_step({data.get(), nullptr, 0, 6}, at(s), LocalSettings{});
        const Matrix target = plain::blend(priors, lambda, statistics_of(*model, *work), 1.5, 1);
        const Matrix draw = plain_draw(t, topics, words);
        for (size_t k = 0; k < topics; ++k) {
          for (size_t v = 0; v < words; ++v) {
            lambda[k][v] = (1 - rho) * lambda[k][v] + rho * ((1 - r) * target[k][v] + r * (90.0L / 3) * draw[k][v]);
          }
        }
        work->global_step(GlobalStep{1.5, rho, {}, perturbation(r, false, t, 90)});
        const Matrix result = lambda_of(*model);
        for (size_t k = 0; k < topics; ++k) {
          for (size_t v = 0; v < words; ++v) check_close("lambda", result[k][v], lambda[k][v], 1e-10L);
        }
        check_close("topics' bound", model->global_bound(PriorPower{}), plain::topics_term(priors, lambda), 1e-9L);
      }
    }
  }
}

void documents_equal_the_plain_blend(void**) {
  const Priors priors = asymmetric_priors(4, 15, 7);
  const Documents corpus = random_corpus(6, 15, 4, 15, 11);
  const std::shared_ptr<Data> data = data_of(corpus);
  const Matrix lambda = random_lambda(4, 15, 13);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
  for (const double r : {0.1, 0.7, 1.0}) {
    for (const double s : {0.5, 1.0}) {
      LocalSettings settings;
      settings.bound = true;
      settings.perturbation = perturbation(r, true, 3, 0);
      std::vector<plain::Local> locals;
      Number likelihood = 0, bound = 0;
      for (size_t d = 0; d < 6; ++d) {
        const Vector& counts = corpus.counts[d];
        plain::Local local = plain::solve(priors, counts, s, log_beta);
        Vector draw;
        RandomStream random(seed, Purpose::perturb_rows, 3, d);
        for (size_t k = 0; k < 4; ++k) draw.push_back(-std::log(static_cast<Number>(random.uniform())));
        for (size_t k = 0; k < 4 && plain::sum(counts) > 0; ++k) {
          local.gamma[k] = (1 - r) * local.gamma[k] + r * plain::sum(counts) * draw[k] / plain::sum(draw);
        }
        local.phi = plain::responsibilities(counts, local.gamma, s, log_beta);
        const Number of_document = plain::expected_log_likelihood(counts, local, log_beta);
        likelihood += of_document;
        bound += s * of_document + plain::entropy(counts, local) + plain::dirichlet_term(local.gamma, priors.alpha);
        locals.push_back(local);
      }
      const LocalSums sums = work->local_step({data.get(), nullptr, 0, 6}, at(s), settings);
      check_close("L", sums.expected_log_likelihood, likelihood, 1e-8L);
      check_close("F", sums.bound, bound, 1e-8L);
      const Matrix statistics = statistics_of(*model, *work);
      const Matrix expected = plain::statistics(corpus, Vector(6, s), locals, 4);
      for (size_t k = 0; k < 4; ++k) {
        for (size_t v = 0; v < 15; ++v) check_close("S", statistics[k][v], expected[k][v], 1e-8L, 1e-6L);
      }
    }
  }
}

/// A document that has to be solved in logarithms (logarithms_test.cpp) is perturbed like the others.
void documents_in_logarithms_are_perturbed(void**) {
  const Number crumb = 0.0003L;
  const Priors priors = symmetric_priors(2, 4, static_cast<double>(crumb), 0.001);
  const Matrix lambda = {{50, 50, crumb / 3, crumb / 3}, {crumb / 3, crumb / 3, 50, 50}};
  const Vector counts = {40, 30, crumb, 0};
  const std::shared_ptr<Data> data = data_of({{counts}, {1}});
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  const double r = 0.5;
  const Number tokens = plain::sum(counts);

  plain::Local local = plain::solve(priors, counts, 1, log_beta);
  RandomStream random(seed, Purpose::perturb_rows, 9, 0);
  Vector draw;
  for (size_t k = 0; k < 2; ++k) draw.push_back(-std::log(static_cast<Number>(random.uniform())));
  for (size_t k = 0; k < 2; ++k) {
    local.gamma[k] = (1 - r) * local.gamma[k] + r * tokens * draw[k] / plain::sum(draw);
  }
  local.phi = plain::responsibilities(counts, local.gamma, 1, log_beta);

  LocalSettings settings;
  settings.bound = true;
  settings.perturbation = perturbation(r, true, 9, 0);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 1);
  const LocalSums sums = work->local_step({data.get(), nullptr, 0, 1}, at(1), settings);
  assert_true(static_cast<LdaFit<double>&>(*work).work().documents[0].in_log_space);
  check_close("L", sums.expected_log_likelihood, plain::expected_log_likelihood(counts, local, log_beta), 1e-8L);
  const Matrix statistics = statistics_of(*model, *work);
  for (size_t k = 0; k < 2; ++k) {
    for (size_t v = 0; v < 4; ++v) check_close("S", statistics[k][v], counts[v] * local.phi[v][k], 1e-8L, 1e-6L);
  }
}

/// With r = 1 and rho = 1 lambda_k is (N / K) Dir(1_V): mean N / (K V), variance (N / K)^2 (V - 1) / (V^2 (V + 1)).
void draws_are_uniform_on_the_simplex(void**) {
  const size_t topics = 20, words = 30;
  const std::shared_ptr<Data> data = data_of(random_corpus(6, words, 3, 15, 11));
  const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "20"}, {"precision", "double"}});
  model->initialize(*data, 1);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
  Number mean = 0, square = 0;
  constexpr int rounds = 50;
  std::vector<double> last;
  for (uint64_t t = 0; t < rounds; ++t) {
    work->local_step({data.get(), nullptr, 0, 6}, at(1), LocalSettings{});
    work->global_step(GlobalStep{1, 1, {}, perturbation(1, false, t, 2000)});
    const std::vector<double> lambda = parameter(*model, "lambda");
    assert_false(same_bits(lambda, last));
    last = lambda;
    for (const double value : lambda) {
      assert_true(value > 0);
      mean += value / static_cast<Number>(lambda.size() * rounds);
      square += static_cast<Number>(value) * value / static_cast<Number>(lambda.size() * rounds);
    }
  }
  const Number scale = 2000.0L / static_cast<Number>(topics);
  const Number v = words;
  check_close("mean", mean, scale / v, 1e-9L);
  check_close("variance", square - mean * mean, scale * scale * (v - 1) / (v * v * (v + 1)), 0.03L);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(topics_equal_the_plain_blend),
      cmocka_unit_test(documents_equal_the_plain_blend),
      cmocka_unit_test(documents_in_logarithms_are_perturbed),
      cmocka_unit_test(draws_are_uniform_on_the_simplex),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
