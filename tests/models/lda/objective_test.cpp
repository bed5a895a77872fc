// Coordinate ascent at a fixed temperature. The local step starts every document afresh (gamma = 1), so it finds a
// local optimum of the document, not always the one of the step before: the exact statement is that the objective
// never falls, by more than rounding (1e-10, relative), where a document may also keep the optimum it comes from.

#include "models/lda/fixtures.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr int corpora = 30;
constexpr int iterations = 40;
constexpr double rounding = 1e-10;

struct Count {
  int steps = 0;
  int falls = 0;  ///< where some document went to a worse optimum of its own
  Number worst = 0;
};

/// sum_d w_d max(F_d found afresh, F_d from the gamma of the step before).
Number best_of_both(const Priors& priors, const Corpus& corpus, double s, const Matrix& lambda,
                    const std::vector<double>& gamma_before, int64_t row) {
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  Number total = 0;
  for (size_t d = 0; d < corpus.documents(); ++d) {
    const double* gamma = gamma_before.data() + static_cast<int64_t>(d) * row;
    Number best = -INFINITY;
    for (const Vector& start : {Vector(priors.topics(), 1), Vector(gamma, gamma + priors.topics())}) {
      const plain::Local local = plain::solve_from(priors, corpus.counts[d], s, log_beta, start, 100000, 1e-13L);
      best =
          std::max(best, s * plain::expected_log_likelihood(corpus.counts[d], local, log_beta) +
                             plain::entropy(corpus.counts[d], local) - plain::divergence(local.gamma, priors.alpha));
    }
    total += corpus.weights[d] * best;
  }
  return total;
}

void ascend(const Corpus& corpus, const Priors& priors, const Matrix& start, double s, Count& count) {
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, start);
  const std::unique_ptr<LocalWork> work = model->local_work(data.get(), data->rows());
  const auto& inside = static_cast<const LdaWork<double>&>(*work);
  LocalSettings settings;
  settings.bound = true;
  Number last = -INFINITY;
  std::vector<double> gamma_before;
  for (int t = 0; t < iterations; ++t) {
    const LocalSums sums = model->local_step({data.get(), nullptr, 0, data->rows()}, at(s), settings, *work);
    const Number topics = model->global_bound();
    Number objective = sums.bound + topics;
    assert_true(std::isfinite(objective));
    ++count.steps;
    if (last - objective > rounding * std::abs(objective)) {
      ++count.falls;
      count.worst = std::max(count.worst, (last - objective) / std::abs(objective));
      const int64_t row = static_cast<int64_t>(inside.gamma.size()) / data->rows();
      const Number kept = topics + best_of_both(priors, corpus, s, lambda_of(*model), gamma_before, row);
      if (last - kept > rounding * std::abs(kept)) check_close("objective after an update", kept, last, rounding);
    }
    last = objective;
    gamma_before.assign(inside.gamma.begin(), inside.gamma.end());
    model->global_step(*work, 1, 1);
  }
}

void never_falls_at_a_fixed_temperature(void**) {
  Count count;
  for (int seed = 0; seed < corpora; ++seed) {
    const size_t topics = 2 + static_cast<size_t>(seed) % 4;
    const size_t words = 8 + static_cast<size_t>(seed) % 13;
    const uint64_t number = static_cast<uint64_t>(seed);
    const Corpus corpus =
        random_corpus(6 + static_cast<size_t>(seed), words, topics, 10 + seed, 1000 + number, seed % 2 == 1);
    const Matrix lambda = random_lambda(topics, words, 2000 + number, 0.7, 1.3);
    for (const bool point : {false, true}) {
      const Priors priors = seed % 3 == 0
                                ? symmetric_priors(topics, words, 1 / static_cast<double>(topics), 0.1, point)
                                : asymmetric_priors(topics, words, 3000 + number, point);
      for (const double temperature : {1.0, 1.5, 3.0}) ascend(corpus, priors, lambda, 1 / temperature, count);
    }
  }
  print_message(
      "%d steps; in %d of them documents started afresh went to worse optima of their own, by up to %.2g of "
      "the objective\n",
      count.steps, count.falls, static_cast<double>(count.worst));
  assert_true(count.steps == corpora * 2 * 3 * iterations);
  assert_true(count.falls * 100 < count.steps);
}

/// With one optimum a document (broad alpha) the library's own objective never falls, without any exception.
void never_falls_where_documents_have_one_optimum(void**) {
  Count count;
  for (int seed = 0; seed < corpora; ++seed) {
    const uint64_t number = static_cast<uint64_t>(seed);
    const Corpus corpus = random_corpus(12, 15, 3, 12, 4000 + number, seed % 2 == 1);
    const Matrix lambda = random_lambda(3, 15, 5000 + number, 0.7, 1.3);
    for (const bool point : {false, true}) {
      const Priors priors = symmetric_priors(3, 15, 2, 0.3, point);
      for (const double temperature : {1.0, 1.5, 3.0}) ascend(corpus, priors, lambda, 1 / temperature, count);
    }
  }
  assert_int_equal(count.falls, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(never_falls_at_a_fixed_temperature),
                              cmocka_unit_test(never_falls_where_documents_have_one_optimum)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
