// Steps with many topics of which each document considers few (candidates), against the plain implementation, which
// considers all: gamma, phi, statistics, L and F; when candidates are used and when not; the same bits for any
// number of threads; the global step from lists.

#include <cmath>

#include "support/lda.h"
#include "support/sanitizer.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr size_t topics = 600;
constexpr size_t words = 240;
constexpr double eta = 0.001;

/// Topic k has three words of its own, in which other topics have a part, too.
Matrix separated_lambda() {
  Matrix lambda = random_lambda(topics, words, 5, 0.005, 0.05);
  Random random(7);
  for (size_t k = 0; k < topics; ++k) {
    for (size_t j = 0; j < 3; ++j)
      lambda[k][(7 * k + 13 * j * (1 + k % 5)) % words] += 5 * std::exp(4 * random.uniform());
  }
  return lambda;
}

/// Documents with words of two topics, so that none is between two optima; document 2 is empty.
Documents separated_corpus(size_t documents, const Matrix& lambda) {
  Random random(11);
  Documents corpus;
  corpus.counts.assign(documents, Vector(words, 0));
  for (size_t d = 0; d < documents; ++d) {
    corpus.weights.push_back(d % 3 == 0 ? 0.5 : 1);
    if (d == 2) continue;
    for (int i = 0; i < 2; ++i) {
      const size_t topic = static_cast<size_t>(random.below(topics));
      for (size_t v = 0; v < words; ++v) {
        if (lambda[topic][v] > 1) corpus.counts[d][v] += 2 + static_cast<Number>(random.below(3));
      }
    }
  }
  return corpus;
}

struct Problem {
  Priors priors;
  Documents corpus;
  Matrix lambda;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
};

Problem problem_of(bool separated, size_t documents, Texts changed = {}) {
  Problem p;
  p.priors = symmetric_priors(topics, words, 1.0 / topics, eta, true);
  p.lambda = separated ? separated_lambda() : random_lambda(topics, words, 3);
  p.corpus = separated_corpus(documents, separated_lambda());
  p.data = data_of(p.corpus);
  Texts options = {{"topics", number_text(static_cast<int64_t>(topics))},
                   {"eta", "0.001"},
                   {"precision", "double"},
                   {"local_iterations", "100000"},
                   {"local_tolerance", "1e-13"},
                   {"local_sparsity", "1e-12"}};
  for (const auto& [name, value] : changed) options[name] = value;
  p.model = make_model(options);
  p.model->initialize(*p.data, 1);
  p.model->write_parameter("lambda", flat(p.lambda).data());
  return p;
}

LdaWork<double>& work_of(ConjugateFit& fit) {
  return static_cast<LdaFit<double>&>(fit).work();
}

/// Candidates of the documents of a step; all topics where it considers all.
double mean_of_kept(const LdaWork<double>& work) {
  double kept = 0;
  for (const auto& row : work.candidates.documents) kept += row.kept.count;
  return kept / static_cast<double>(work.candidates.documents.size());
}

void check_step(bool separated, double s, Number tolerance) {
  const size_t documents = test::unless_sanitized<size_t>(12, 4);
  const Problem p = problem_of(separated, documents);
  const Matrix log_beta = plain::topic_expectations(p.priors, p.lambda);
  const Vector inverse(documents, s);
  std::vector<plain::Local> locals;
  for (const Vector& counts : p.corpus.counts) locals.push_back(plain::solve(p.priors, counts, s, log_beta));
  const Matrix expected = plain::statistics(p.corpus, inverse, locals, topics);
  const plain::Objective parts = plain::objective(p.priors, p.corpus, inverse, locals, p.lambda);

  const std::unique_ptr<ConjugateFit> fit = p.model->begin_fit(p.data.get(), static_cast<int64_t>(documents));
  LocalSettings settings;
  settings.bound = true;
  const Batch batch{p.data.get(), nullptr, 0, static_cast<int64_t>(documents)};
  const LocalSums sums = fit->local_step(batch, at(s), settings);
  const LdaWork<double>& work = work_of(*fit);
  assert_true(work.candidates.used);
  const Matrix statistics = statistics_of(*p.model, *fit);
  for (size_t k = 0; k < topics; ++k) {
    for (size_t v = 0; v < words; ++v) check_close("S", statistics[k][v], expected[k][v], tolerance, 1e-2L);
  }
  check_close("sum of L", s * sums.expected_log_likelihood, parts.likelihood, tolerance);
  check_close("sum of F", sums.bound, parts.likelihood + parts.entropy + parts.documents, tolerance);
  assert_true(sums.empty_rows == 1);
  for (size_t d = 0; d < documents; ++d) {
    Vector gamma = p.priors.alpha;
    const ListPlace& kept = work.candidates.documents[d].kept;
    const auto& lists = work.candidates.scratch[static_cast<size_t>(kept.thread)].kept;
    for (int64_t i = kept.begin; i < kept.begin + kept.count; ++i) {
      gamma[static_cast<size_t>(lists.topics[static_cast<size_t>(i)])] = lists.values[static_cast<size_t>(i)];
    }
    for (size_t k = 0; k < topics; ++k) check_close("gamma", gamma[k], locals[d].gamma[k], tolerance, 1e-2L);
  }
  if (separated) assert_true(mean_of_kept(work) < 40);

  // Without the bound the statistics have the same bits, and on several threads.
  settings.bound = false;
  for (const int threads : test::unless_sanitized<std::vector<int>>({1, 2, 5}, {2})) {
    settings.threads = threads;
    const LocalSums again = fit->local_step(batch, at(s), settings);
    assert_true(again.tokens == sums.tokens);
    assert_true(same_bits(flat(statistics_of(*p.model, *fit)), flat(statistics)));
  }
}

const auto powers = test::unless_sanitized<std::vector<double>>({0.7, 1.0}, {0.7});  ///< s

void separated_topics_equal_the_plain_solution(void**) {
  for (const double s : powers) check_step(true, s, 1e-5L);
}

/// From equal topics one cannot tell which ones a document will use, so it considers all.
void equal_topics_equal_the_plain_solution(void**) {
  for (const double s : powers) check_step(false, s, 1e-6L);
}

bool used(const Problem& p, double s, const LocalSettings& settings) {
  const std::unique_ptr<ConjugateFit> fit = p.model->begin_fit(p.data.get(), 12);
  fit->local_step({p.data.get(), nullptr, 0, 12}, at(s), settings);
  return work_of(*fit).candidates.used;
}

void hot_and_exact_steps_consider_all_topics(void**) {
  LocalSettings settings;
  const Problem p = problem_of(true, 12);
  assert_true(used(p, 1, settings));
  assert_true(used(p, 0.7, settings));
  assert_false(used(p, 0.6, settings));
  assert_false(used(problem_of(true, 12, {{"local_sparsity", "0"}}), 1, settings));
  assert_false(used(problem_of(true, 12, {{"topic_posterior", "dirichlet"}}), 1, settings));
  settings.bound = settings.remember = true;
  assert_false(used(p, 1, settings));
  settings = {};
  settings.statistics = false;
  assert_false(used(p, 1, settings));
  settings = {};
  settings.perturbation.share = 0.1;
  settings.perturbation.tokens = 100;
  assert_false(used(p, 1, settings));
}

void fits_that_begin_cold_consider_all_topics(void**) {
  const Problem p = problem_of(true, 12);
  FitStart start;
  start.rows = 12;
  start.tokens = 100;
  for (const double temperature : {1.0, 1.4, 4.0}) {
    for (const bool falls : {true, false}) {
      start.temperature = temperature;
      start.may_grow = falls;
      p.model->start_fit(start);
      assert_int_equal(used(p, 1, {}), falls && temperature > 1.5);
    }
  }
}

/// The result of a step with lists, and with the same statistics as rows of all topics.
void global_step_takes_lists_as_it_takes_rows(void**) {
  for (const double rho : {0.3, 1.0}) {
    const Problem p = problem_of(true, 40, {{"learn_alpha", "true"}});
    const std::shared_ptr<ConjugateModel> other = as_conjugate(p.model->copy());
    const std::unique_ptr<ConjugateFit> lists = p.model->begin_fit(p.data.get(), 40);
    const std::unique_ptr<ConjugateFit> rows = other->begin_fit(p.data.get(), 40);
    const LocalSums sums = lists->local_step({p.data.get(), nullptr, 0, 40}, at(1), {});
    assert_true(work_of(*lists).candidates.used);
    std::vector<double> statistics(static_cast<size_t>(lists->statistics_length()));
    lists->write_statistics(statistics.data());
    rows->local_step({p.data.get(), nullptr, 0, 1}, at(1), {});
    rows->read_statistics(statistics.data());
    assert_false(work_of(*rows).candidates.used);
    // Topics that a document does not keep contribute psi of alpha.
    double of_gamma = 0;
    for (size_t k = 0; k < topics; ++k) of_gamma += statistics[topics * (1 + words) + k];
    const auto& work = work_of(*lists);
    Number expected = 0;
    for (size_t d = 0; d < 40; ++d) {
      if (!(plain::sum(p.corpus.counts[d]) > 0)) continue;
      Vector gamma = p.priors.alpha;
      const ListPlace& kept = work.candidates.documents[d].kept;
      const auto& of_thread = work.candidates.scratch[static_cast<size_t>(kept.thread)].kept;
      for (int64_t i = kept.begin; i < kept.begin + kept.count; ++i)
        gamma[static_cast<size_t>(of_thread.topics[static_cast<size_t>(i)])] =
            of_thread.values[static_cast<size_t>(i)];
      for (const Number value : gamma) expected += p.corpus.weights[d] * plain::digamma(value);
    }
    check_close("digammas", of_gamma, expected, 1e-10L);
    assert_true(sums.rows > 0);

    // The gradient that the adaptive step size follows.
    std::vector<double> gradients[2];
    int place = 0;
    for (ConjugateFit* fit : {lists.get(), rows.get()}) {
      std::vector<double>& out = gradients[place++];
      fit->natural_gradient()->natural_gradient(GlobalStep{1.5, rho, {}, {}}, false,
                                                [&](int64_t, int64_t count, const double* gradient, const double*) {
                                                  out.insert(out.end(), gradient, gradient + count);
                                                });
    }
    assert_true(same_bits(gradients[0], gradients[1]));

    const GlobalChange change = lists->whole_step(GlobalStep{1.5, rho, {}, {}});
    const GlobalChange expected_change = rows->whole_step(GlobalStep{1.5, rho, {}, {}});
    check_close("change", change.relative, expected_change.relative, 1e-12L);
    const std::vector<double> after = parameter(*p.model, "lambda");
    const std::vector<double> expected_after = parameter(*other, "lambda");
    for (size_t i = 0; i < after.size(); ++i) check_close("lambda", after[i], expected_after[i], 1e-13L);
    const std::vector<double> alpha = parameter(*p.model, "alpha");
    const std::vector<double> expected_alpha = parameter(*other, "alpha");
    for (size_t k = 0; k < topics; ++k) check_close("alpha", alpha[k], expected_alpha[k], 1e-10L);
  }
}

/// In single precision: a topic that explains a tiny part of a document, five thousandths of a token of a word that
/// is nearly impossible in the document's own topic, falls to a weight of exp(psi(0.007)), which underflows in single
/// precision. It is a candidate, because at first it has a share of another word.
void crumbs_are_solved_in_logarithms(void**) {
  Problem p = problem_of(true, 3, {{"precision", "float"}, {"local_tolerance", "1e-6"}, {"local_sparsity", "1e-6"}});
  for (size_t k = 0; k < topics; ++k) {
    for (size_t v = 0; v < words; ++v) p.lambda[k][v] = v < 2 ? 1e-30L : 1;
  }
  p.lambda[0][0] = 9e9L;
  p.lambda[1][0] = 30;
  p.lambda[1][1] = 9;
  p.corpus = {};
  p.corpus.counts.assign(1, Vector(words, 0));
  p.corpus.weights = {1};
  p.corpus.counts[0][0] = 1;
  p.corpus.counts[0][1] = 0.005L;
  p.data = data_of(p.corpus);
  p.model->write_parameter("lambda", flat(p.lambda).data());
  const Matrix log_beta = plain::topic_expectations(p.priors, p.lambda);
  const std::vector<plain::Local> locals = {plain::solve(p.priors, p.corpus.counts[0], 1, log_beta)};
  const Matrix expected = plain::statistics(p.corpus, {1}, locals, topics);
  const std::unique_ptr<ConjugateFit> fit = p.model->begin_fit(p.data.get(), 1);
  LocalSettings settings;
  settings.bound = true;
  const LocalSums sums = fit->local_step({p.data.get(), nullptr, 0, 1}, at(1), settings);
  const auto& work = static_cast<LdaFit<float>&>(*fit).work();
  assert_true(work.candidates.used);
  assert_true(work.documents[0].in_log_space);
  const plain::Objective parts = plain::objective(p.priors, p.corpus, {1}, locals, p.lambda);
  check_close("L", sums.expected_log_likelihood, parts.likelihood, 1e-4L);
  check_close("F", sums.bound, parts.likelihood + parts.entropy + parts.documents, 1e-4L);
  std::vector<double> statistics(static_cast<size_t>(fit->statistics_length()));
  fit->write_statistics(statistics.data());
  for (size_t v = 0; v < 2; ++v) {
    for (size_t k = 0; k < topics; ++k) {
      check_close("S", statistics[topics * (1 + v) + k], expected[k][v], 1e-4L, 1e-4L);
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(separated_topics_equal_the_plain_solution),
                              cmocka_unit_test(equal_topics_equal_the_plain_solution),
                              cmocka_unit_test(hot_and_exact_steps_consider_all_topics),
                              cmocka_unit_test(fits_that_begin_cold_consider_all_topics),
                              cmocka_unit_test(global_step_takes_lists_as_it_takes_rows),
                              cmocka_unit_test(crumbs_are_solved_in_logarithms)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
