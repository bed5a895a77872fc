// The updates are stationary points of the objective of models/lda/README.md, by finite differences of the plain
// objective at the library's own gamma, phi and lambda; the natural gradient; dF/ds = L; and the bound lies below
// exact evidence.

#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr Number tolerance = 1e-8L;
constexpr Number step = 1e-2L;  // of logarithms of parameters; the error falls with its sixth power

/// Derivative of the objective's parts along a direction: it vanishes where their sum does, against their sizes.
template <class Function>
void check_stationary(const char* what, const Function& parts) {
  using plain::Objective;
  const auto slope = [&](Number Objective::*part) {
    return plain::derivative([&](Number x) { return parts(x).*part; }, Number{0}, step);
  };
  const Number slopes[] = {slope(&Objective::likelihood), slope(&Objective::entropy), slope(&Objective::documents),
                           slope(&Objective::topics)};
  Number total = 0;
  Number size = 1e-6L;  // what an empty document, where all vanish, is measured against
  for (const Number value : slopes) {
    total += value;
    size += std::abs(value);
  }
  check_close(what, total, 0, tolerance, size);
}

struct Fit {
  Priors priors;
  Documents corpus;
  Matrix lambda;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
  std::vector<plain::Local> locals;  ///< the library's
};

Fit fit_at(double s, bool point) {
  Fit fit;
  fit.priors = asymmetric_priors(3, 12, 11, point);
  fit.corpus = random_corpus(6, 12, 3, 14, 23, true);
  fit.lambda = random_lambda(3, 12, 29);
  fit.data = data_of(fit.corpus);
  fit.model = exact_model(fit.priors, *fit.data, fit.lambda);
  for (int64_t d = 0; d < 6; ++d) fit.locals.push_back(solve_row(*fit.model, *fit.data, d, at(s)).local);
  return fit;
}

void local_posteriors_are_stationary(void**) {
  for (const bool point : {false, true}) {
    for (const double s : {0.2, 0.5, 1.0}) {
      const Fit fit = fit_at(s, point);
      const Vector inverse(6, s);
      for (size_t d = 0; d < 6; ++d) {
        const auto with = [&](const plain::Local& local) {
          std::vector<plain::Local> locals = fit.locals;
          locals[d] = local;
          return plain::objective(fit.priors, fit.corpus, inverse, locals, fit.lambda);
        };
        for (size_t k = 0; k < 3; ++k) {
          check_stationary("gradient of log gamma", [&](Number x) {
            plain::Local local = fit.locals[d];
            local.gamma[k] *= std::exp(x);
            return with(local);
          });
          for (size_t v = 0; v < 12; ++v) {
            if (!(fit.corpus.counts[d][v] > 0)) continue;
            check_stationary("gradient of the logits of phi", [&](Number x) {
              plain::Local local = fit.locals[d];
              local.phi[v][k] *= std::exp(x);
              const Number total = plain::sum(local.phi[v]);
              for (Number& p : local.phi[v]) p /= total;
              return with(local);
            });
          }
        }
      }
    }
  }
}

void topics_after_a_full_step_are_stationary(void**) {
  for (const bool point : {false, true}) {
    for (const double s : {0.2, 0.5, 1.0}) {
      const Fit fit = fit_at(s, point);
      const Vector inverse(6, s);
      const std::unique_ptr<ConjugateFit> work = fit.model->begin_fit(fit.data.get(), 6);
      work->local_step({fit.data.get(), nullptr, 0, 6}, at(s), LocalSettings{});
      work->global_step(GlobalStep{1, 1, {}, {}});
      const Matrix lambda = lambda_of(*fit.model);
      for (size_t k = 0; k < 3; ++k) {
        for (size_t v = 0; v < 12; ++v) {
          check_stationary("gradient of log lambda", [&](Number x) {
            Matrix moved = lambda;
            moved[k][v] *= std::exp(x);
            return plain::objective(fit.priors, fit.corpus, inverse, fit.locals, moved);
          });
        }
      }
    }
  }
}

/// x of A x = b by Gaussian elimination with pivots.
Vector solve_linear(Matrix a, Vector b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    size_t pivot = i;
    for (size_t j = i + 1; j < n; ++j) {
      if (std::abs(a[j][i]) > std::abs(a[pivot][i])) pivot = j;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (size_t j = i + 1; j < n; ++j) {
      const Number factor = a[j][i] / a[i][i];
      for (size_t k = i; k < n; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

void a_small_step_follows_the_natural_gradient(void**) {
  constexpr double rho = 0.125;
  for (const double s : {0.2, 0.5, 1.0}) {
    const Fit fit = fit_at(s, false);
    const Vector inverse(6, s);
    const std::unique_ptr<ConjugateFit> work = fit.model->begin_fit(fit.data.get(), 6);
    work->local_step({fit.data.get(), nullptr, 0, 6}, at(s), LocalSettings{});
    work->global_step(GlobalStep{1, rho, {}, {}});
    const Matrix moved = lambda_of(*fit.model);
    for (size_t k = 0; k < 3; ++k) {
      Vector gradient;
      Matrix fisher(12, Vector(12, -plain::trigamma(plain::sum(fit.lambda[k]))));
      for (size_t v = 0; v < 12; ++v) {
        const Number h = 1e-2L * fit.lambda[k][v];
        gradient.push_back(plain::derivative(
            [&](Number x) {
              Matrix at_x = fit.lambda;
              at_x[k][v] = x;
              return plain::objective(fit.priors, fit.corpus, inverse, fit.locals, at_x).total();
            },
            fit.lambda[k][v], h));
        fisher[v][v] += plain::trigamma(fit.lambda[k][v]);
      }
      const Vector natural = solve_linear(fisher, gradient);
      for (size_t v = 0; v < 12; ++v) {
        const Number step_taken = (moved[k][v] - fit.lambda[k][v]) / rho;
        check_close("natural gradient", step_taken, natural[v], tolerance, fit.lambda[k][v]);
      }
    }
  }
}

void the_bound_grows_with_s_by_the_expected_log_likelihood(void**) {
  for (const bool point : {false, true}) {
    for (const double s : {0.25, 0.5, 0.9}) {
      const Fit fit = fit_at(s, point);
      for (int64_t d = 0; d < 6; ++d) {
        const Number likelihood = solve_row(*fit.model, *fit.data, d, at(s)).sums.expected_log_likelihood;
        const Number slope = plain::derivative(
            [&](Number x) {
              return static_cast<Number>(solve_row(*fit.model, *fit.data, d, at(static_cast<double>(x))).sums.bound);
            },
            s, 0.001L);
        check_close("dF/ds", slope, likelihood, tolerance, 1);
      }
    }
  }
}

/// Calls visit(z) for all z in {0 .. topics - 1}^n.
template <class Visit>
void for_each_assignment(size_t n, size_t topics, const Visit& visit) {
  std::vector<size_t> z(n, 0);
  while (true) {
    visit(z);
    size_t i = 0;
    while (i < n && ++z[i] == topics) z[i++] = 0;
    if (i == n) return;
  }
}

/// log E_{x ~ Dir(prior)} prod_k x_k^{powers_k}
Number log_dirichlet_moment(const Vector& prior, const Vector& powers) {
  Number value = plain::log_gamma(plain::sum(prior)) - plain::log_gamma(plain::sum(prior) + plain::sum(powers));
  for (size_t k = 0; k < prior.size(); ++k) {
    value += plain::log_gamma(prior[k] + powers[k]) - plain::log_gamma(prior[k]);
  }
  return value;
}

std::vector<size_t> tokens_of(const Vector& counts) {
  std::vector<size_t> tokens;
  for (size_t v = 0; v < counts.size(); ++v) tokens.insert(tokens.end(), static_cast<size_t>(counts[v]), v);
  return tokens;
}

/// log int p(theta) sum_z prod_n (theta_{z_n} exp{E log beta})^s dtheta of one document.
Number document_evidence(const Priors& priors, const Vector& counts, Number s, const Matrix& log_beta) {
  const std::vector<size_t> tokens = tokens_of(counts);
  Vector logs;
  for_each_assignment(tokens.size(), priors.topics(), [&](const std::vector<size_t>& z) {
    Vector powers(priors.topics(), 0);
    Number value = 0;
    for (size_t n = 0; n < z.size(); ++n) {
      powers[z[n]] += s;
      value += s * log_beta[z[n]][tokens[n]];
    }
    logs.push_back(value + log_dirichlet_moment(priors.alpha, powers));
  });
  return plain::log_sum(logs);
}

void the_bound_of_a_document_lies_below_its_evidence(void**) {
  for (const bool point : {false, true}) {
    const Priors priors = asymmetric_priors(3, 5, 31, point);
    const Matrix lambda = random_lambda(3, 5, 37);
    const Matrix log_beta = plain::topic_expectations(priors, lambda);
    Documents corpus;
    corpus.counts = {{1, 0, 2, 0, 1}, {0, 3, 1, 1, 1}, {1, 0, 0, 0, 0}, {0, 0, 0, 7, 0}};
    corpus.weights = {1, 1, 1, 1};
    const std::shared_ptr<Data> data = data_of(corpus);
    const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
    for (const double s : {0.2, 0.5, 1.0}) {
      for (size_t d = 0; d < 4; ++d) {
        const Number evidence = document_evidence(priors, corpus.counts[d], s, log_beta);
        const Number bound = solve_row(*model, *data, static_cast<int64_t>(d), at(s)).sums.bound;
        assert_true(bound <= evidence);
        assert_true(evidence - bound < 0.5L * plain::sum(corpus.counts[d]));
      }
    }
  }
}

void the_bound_is_tight_where_assignments_are_certain(void**) {
  // Words that only one topic can produce: z is certain, and q(theta) = Dir(alpha + s n) is the exact posterior.
  Priors priors = asymmetric_priors(3, 6, 41, true);
  Matrix lambda(3, Vector(6, 1e-30L));
  for (size_t v = 0; v < 6; ++v) lambda[v / 2][v] = 1 + static_cast<Number>(v);
  Documents corpus;
  corpus.counts = {{2, 1, 0, 3, 1, 0}, {0, 0, 4, 1, 0, 0}};
  corpus.weights = {1, 1};
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  for (size_t d = 0; d < 2; ++d) {
    for (const double s : {0.8, 1.0}) {
      const Number evidence = document_evidence(priors, corpus.counts[d], s, log_beta);
      check_close("tight bound", solve_row(*model, *data, static_cast<int64_t>(d), at(s)).sums.bound, evidence,
                  1e-12L);
    }
  }
  // With one topic the bound is exact at any temperature.
  const Priors one = asymmetric_priors(1, 6, 43, true);
  const Matrix single = random_lambda(1, 6, 47);
  const std::shared_ptr<ConjugateModel> alone = exact_model(one, *data, single);
  for (const double s : {0.2, 1.0}) {
    check_close("one topic", solve_row(*alone, *data, 0, at(s)).sums.bound,
                document_evidence(one, corpus.counts[0], s, plain::topic_expectations(one, single)), 1e-12L);
  }
}

void the_whole_bound_lies_below_the_evidence_of_the_corpus(void**) {
  const Priors priors = asymmetric_priors(2, 4, 53);
  Documents corpus;
  corpus.counts = {{1, 0, 2, 0}, {0, 2, 0, 1}, {1, 0, 0, 2}};
  corpus.weights = {1, 1, 1};
  const std::shared_ptr<Data> data = data_of(corpus);
  std::vector<size_t> word, document;
  for (size_t d = 0; d < 3; ++d) {
    for (const size_t v : tokens_of(corpus.counts[d])) {
      word.push_back(v);
      document.push_back(d);
    }
  }
  for (const double s : {0.3, 1.0}) {
    Vector logs;
    for_each_assignment(word.size(), 2, [&](const std::vector<size_t>& z) {
      Matrix theta(3, Vector(2, 0));
      Matrix beta(2, Vector(4, 0));
      for (size_t n = 0; n < z.size(); ++n) {
        theta[document[n]][z[n]] += s;
        beta[z[n]][word[n]] += s;
      }
      Number value = 0;
      for (const Vector& powers : theta) value += log_dirichlet_moment(priors.alpha, powers);
      for (size_t k = 0; k < 2; ++k) value += log_dirichlet_moment(priors.eta[k], beta[k]);
      logs.push_back(value);
    });
    const Number evidence = plain::log_sum(logs);
    const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, random_lambda(2, 4, 59));
    const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 3);
    LocalSettings settings;
    settings.bound = true;
    Number bound = 0;
    for (int iteration = 0; iteration < 200; ++iteration) {
      const LocalSums sums = work->local_step({data.get(), nullptr, 0, 3}, at(s), settings);
      bound = sums.bound + model->global_bound(PriorPower{});
      assert_true(bound <= evidence);
      work->global_step(GlobalStep{1, 1, {}, {}});
    }
    assert_true(evidence - bound < 0.5L * std::abs(evidence));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(local_posteriors_are_stationary),
      cmocka_unit_test(topics_after_a_full_step_are_stationary),
      cmocka_unit_test(a_small_step_follows_the_natural_gradient),
      cmocka_unit_test(the_bound_grows_with_s_by_the_expected_log_likelihood),
      cmocka_unit_test(the_bound_of_a_document_lies_below_its_evidence),
      cmocka_unit_test(the_bound_is_tight_where_assignments_are_certain),
      cmocka_unit_test(the_whole_bound_lies_below_the_evidence_of_the_corpus),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
