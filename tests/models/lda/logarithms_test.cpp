// Documents whose sums leave the range of Real: the path in logarithms gives the results of the fast path if both can
// compute them, is taken if the fast path cannot, and is right in that case.

#include "models/lda/document_in_log_space.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

DocumentInLogSpace solve_in_log_space(const Priors& priors, const Vector& counts, double s, const Matrix& log_beta) {
  DocumentInLogSpace problem;
  problem.topics = static_cast<int64_t>(priors.topics());
  problem.words = 0;
  problem.alpha.assign(priors.alpha.begin(), priors.alpha.end());
  problem.inverse_temperature = s;
  for (size_t v = 0; v < counts.size(); ++v) {
    if (!(counts[v] > 0)) continue;
    ++problem.words;
    problem.counts.push_back(static_cast<double>(counts[v]));
    for (size_t k = 0; k < priors.topics(); ++k) problem.expectations.push_back(static_cast<double>(log_beta[k][v]));
  }
  problem.gamma.assign(priors.topics(), 1.0);
  problem.solve(100000, 1e-13);
  return problem;
}

void agrees_with_the_fast_path(void**) {
  const Priors priors = asymmetric_priors(3, 12, 73);
  const Documents corpus = random_corpus(6, 12, 3, 20, 79);
  const Matrix lambda = random_lambda(3, 12, 83);
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
  for (const double s : {0.2, 0.6, 1.0}) {
    for (size_t d = 0; d < 6; ++d) {
      if (!(plain::sum(corpus.counts[d]) > 0)) continue;
      const Solved fast = solve_row(*model, *data, static_cast<int64_t>(d), at(s));
      const DocumentInLogSpace slow = solve_in_log_space(priors, corpus.counts[d], s, log_beta);
      assert_false(fast.in_log_space);
      for (size_t k = 0; k < 3; ++k) check_close("gamma", slow.gamma[k], fast.local.gamma[k], 1e-10L);
      size_t w = 0;
      for (size_t v = 0; v < 12; ++v) {
        if (!(corpus.counts[d][v] > 0)) continue;
        for (size_t k = 0; k < 3; ++k) {
          check_close("phi", slow.responsibility[3 * w + k], fast.local.phi[v][k], 1e-9L, 1e-9L);
        }
        ++w;
      }
      check_close("L", slow.expected_log_likelihood, fast.sums.expected_log_likelihood, 1e-10L);
      const plain::Local local{Vector(slow.gamma.begin(), slow.gamma.end()), {}};
      check_close("F", slow.bound_of_words - plain::divergence(local.gamma, priors.alpha), fast.sums.bound, 1e-10L);
    }
  }
}

/// Two topics with words of their own, and documents of one topic that hold a hundredth of a token, or less, of a
/// word of the other (fractional counts, as weights give them). That word's topic gets gamma of the order of `crumb`,
/// so exp(psi(gamma)) underflows, and under the document's topic the word is all but impossible: every product is
/// zero.
struct Shut {
  Priors priors;
  Documents corpus;
  Matrix lambda;
};

Shut shut_out_words(Number crumb) {
  Shut shut;
  shut.priors = symmetric_priors(2, 4, static_cast<double>(crumb), 0.001);
  shut.lambda = {{50, 50, crumb / 3, crumb / 3}, {crumb / 3, crumb / 3, 50, 50}};
  shut.corpus.counts = {{30, 30, 0, 0}, {40, 30, crumb, 0}, {0, 0, 20, 30}, {0, crumb, 10, 10}};
  shut.corpus.weights = {1, 2, 1, 0.5};
  return shut;
}

/// One local step on all documents, compared with the plain solution; returns which documents were solved in
/// logarithms.
template <class Real>
std::vector<bool> check_shut_out(Number crumb, double s, Number tolerance) {
  const Shut shut = shut_out_words(crumb);
  const std::shared_ptr<Data> data = data_of(shut.corpus);
  Texts texts = exact_options(shut.priors);
  if (sizeof(Real) == sizeof(float)) {
    texts["precision"] = "float";
    texts["local_tolerance"] = "1e-6";
  }
  const std::shared_ptr<ConjugateModel> model = make_model(texts);
  model->initialize(*data, 1);
  model->write_parameter("lambda", flat(shut.lambda).data());
  const Matrix log_beta = plain::topic_expectations(shut.priors, shut.lambda);

  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 4);
  LocalSettings settings;
  settings.bound = true;
  settings.threads = 2;
  const LocalSums sums = work->local_step({data.get(), nullptr, 0, 4}, at(s), settings);
  const auto& inside = static_cast<LdaFit<Real>&>(*work).work();

  std::vector<bool> in_log_space;
  std::vector<plain::Local> locals;
  for (size_t d = 0; d < 4; ++d) {
    in_log_space.push_back(inside.documents[d].in_log_space);
    locals.push_back(plain::solve(shut.priors, shut.corpus.counts[d], s, log_beta));
    for (size_t k = 0; k < 2; ++k) {
      const Real gamma = inside.gamma[d * static_cast<size_t>(kernels::padded(2)) + k];
      check_close("gamma", gamma, locals[d].gamma[k], tolerance);
    }
  }
  const Vector inverse(4, s);
  const Matrix expected = plain::statistics(shut.corpus, inverse, locals, 2);
  std::vector<double> all(static_cast<size_t>(work->statistics_length()));
  work->write_statistics(all.data());
  for (size_t k = 0; k < 2; ++k) {
    for (size_t v = 0; v < 4; ++v) check_close("S", all[2 * (1 + v) + k], expected[k][v], tolerance, crumb);
  }
  const plain::Objective parts = plain::objective(shut.priors, shut.corpus, inverse, locals, shut.lambda);
  check_close("F", sums.bound, parts.likelihood + parts.entropy + parts.documents, tolerance);
  check_close("s L", s * sums.expected_log_likelihood, parts.likelihood, tolerance);
  return in_log_space;
}

void is_entered_in_float_and_right(void**) {
  assert_true(check_shut_out<float>(0.002L, 1, 1e-5L) == (std::vector<bool>{false, true, false, true}));
}

void is_entered_in_double_and_right(void**) {
  assert_true(check_shut_out<double>(0.0003L, 1, 1e-8L) == (std::vector<bool>{false, true, false, true}));
}

void is_not_entered_where_products_are_numbers(void**) {
  assert_true(check_shut_out<double>(0.002L, 1, 1e-8L) == std::vector<bool>(4, false));
  assert_true(check_shut_out<float>(0.002L, 0.05, 1e-5L) == std::vector<bool>(4, false));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_fast_path),
      cmocka_unit_test(is_entered_in_float_and_right),
      cmocka_unit_test(is_entered_in_double_and_right),
      cmocka_unit_test(is_not_entered_where_products_are_numbers),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
