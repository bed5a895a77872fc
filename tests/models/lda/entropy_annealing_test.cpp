// Entropy annealing of LDA, in both forms and for both topic posteriors: the objective E log p + T H term by term,
// its gradient at the library's updates, that it never falls, and runs against plain coordinate ascent.

#include "support/lda.h"
#include "support/sanitizer.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr double inverses[] = {0.2, 0.5, 1.0};

LocalTemperature at_power(double s, bool natural) {
  LocalTemperature temperature = at(s);
  temperature.prior = {s, natural};
  return temperature;
}

struct Fit {
  plain::Power power;
  Priors priors;
  Documents corpus;
  Matrix lambda;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
  std::vector<plain::Local> locals;  ///< the library's

  plain::Objective objective(const std::vector<plain::Local>& of_documents, const Matrix& topics) const {
    const Vector inverse(corpus.documents(), power.s);
    return plain::objective(priors, corpus, inverse, of_documents, topics, power);
  }
};

Fit fit_at(double s, bool natural, bool point) {
  Fit fit;
  fit.power = {s, natural};
  fit.priors = asymmetric_priors(3, 12, 11, point);
  fit.corpus = random_corpus(6, 12, 3, 14, 23, true);
  fit.lambda = random_lambda(3, 12, 29);
  fit.data = data_of(fit.corpus);
  fit.model = exact_model(fit.priors, *fit.data, fit.lambda);
  for (int64_t d = 0; d < 6; ++d) {
    fit.locals.push_back(solve_row(*fit.model, *fit.data, d, at_power(s, natural)).local);
  }
  return fit;
}

template <class Function>
void for_each_fit(const Function& function) {
  for (const bool point : {false, true}) {
    for (const bool natural : {false, true}) {
      for (const double s : inverses) function(fit_at(s, natural, point));
    }
  }
}

/// Derivative of the objective's parts along a direction: it vanishes where their sum does, against their sizes.
template <class Function>
void check_stationary(const char* what, const Function& parts) {
  using plain::Objective;
  const auto slope = [&](Number Objective::*part) {
    return plain::derivative([&](Number x) { return parts(x).*part; }, Number{0}, 1e-2L);
  };
  const Number slopes[] = {slope(&Objective::likelihood), slope(&Objective::entropy), slope(&Objective::documents),
                           slope(&Objective::topics)};
  Number total = 0;
  Number size = 1e-6L;  // what an empty document, where all vanish, is measured against
  for (const Number value : slopes) {
    total += value;
    size += std::abs(value);
  }
  check_close(what, total, 0, 1e-8L, size);
}

void the_objective_is_that_of_the_paper(void**) {
  for_each_fit([](const Fit& fit) {
    const double s = static_cast<double>(fit.power.s);
    const LocalTemperature temperature = at_power(s, fit.power.natural_parameters);
    const std::unique_ptr<ConjugateFit> work = fit.model->begin_fit(fit.data.get(), 6);
    LocalSettings settings;
    settings.bound = true;
    const LocalSums sums = work->local_step({fit.data.get(), nullptr, 0, 6}, temperature, settings);
    const plain::Objective expected = fit.objective(fit.locals, fit.lambda);
    check_close("documents' bound", sums.bound, expected.total() - expected.topics, 1e-11L);
    check_close("topics' bound", fit.model->global_bound(temperature.prior), expected.topics, 1e-11L);
  });
}

void local_posteriors_are_stationary(void**) {
  for_each_fit([](const Fit& fit) {
    for (size_t d = 0; d < 6; ++d) {
      const auto with = [&](const plain::Local& local) {
        std::vector<plain::Local> locals = fit.locals;
        locals[d] = local;
        return fit.objective(locals, fit.lambda);
      };
      for (size_t k = 0; k < 3; ++k) {
        check_stationary("gradient of log gamma", [&](Number x) {
          plain::Local local = fit.locals[d];
          local.gamma[k] *= std::exp(x);
          return with(local);
        });
      }
    }
  });
}

void topics_after_a_full_step_are_stationary(void**) {
  for_each_fit([](const Fit& fit) {
    const LocalTemperature temperature = at_power(static_cast<double>(fit.power.s), fit.power.natural_parameters);
    const std::unique_ptr<ConjugateFit> work = fit.model->begin_fit(fit.data.get(), 6);
    work->local_step({fit.data.get(), nullptr, 0, 6}, temperature, LocalSettings{});
    work->global_step(GlobalStep{1, 1, temperature.prior, {}});
    const Matrix lambda = lambda_of(*fit.model);
    for (size_t k = 0; k < 3; ++k) {
      for (size_t v = 0; v < 12; ++v) {
        check_stationary("gradient of log lambda", [&](Number x) {
          Matrix moved = lambda;
          moved[k][v] *= std::exp(x);
          return fit.objective(fit.locals, moved);
        });
      }
    }
  });
}

void never_falls_at_a_fixed_temperature(void**) {
  const uint64_t seeds = test::unless_sanitized<uint64_t>(20, 4);
  int steps = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const size_t topics = 2 + seed % 4;
    const size_t words = 8 + seed % 13;
    const Documents corpus =
        random_corpus(6 + seed, words, topics, 10 + static_cast<int64_t>(seed), 1000 + seed, seed % 2 == 1);
    const std::shared_ptr<Data> data = data_of(corpus);
    const Matrix start = random_lambda(topics, words, 2000 + seed, 0.7, 1.3);
    for (const bool point : {false, true}) {
      for (const bool natural : {false, true}) {
        for (const double s : {0.25, 0.6, 1.0}) {
          const Priors priors = seed % 3 == 0
                                    ? symmetric_priors(topics, words, 1 / static_cast<double>(topics), 0.1, point)
                                    : asymmetric_priors(topics, words, 3000 + seed, point);
          const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, start);
          const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), data->rows());
          const LocalTemperature temperature = at_power(s, natural);
          LocalSettings settings;
          settings.bound = settings.remember = true;
          double last = -INFINITY;
          for (int t = 0; t < 30; ++t, ++steps) {
            const LocalSums sums = work->local_step({data.get(), nullptr, 0, data->rows()}, temperature, settings);
            const double objective = sums.bound + model->global_bound(temperature.prior);
            assert_true(std::isfinite(objective));
            assert_true(objective - last >= -1e-10 * std::abs(objective));
            last = objective;
            work->global_step(GlobalStep{1, 1, temperature.prior, {}});
          }
        }
      }
    }
  }
  assert_int_equal(steps, seeds * 2 * 2 * 3 * 30);
}

void full_steps_equal_plain_coordinate_ascent(void**) {
  for (const bool point : {false, true}) {
    for (const bool natural : {false, true}) {
      const Priors priors = asymmetric_priors(3, 12, 7, point);
      const Documents corpus = random_corpus(6, 12, 3, 15, 11, true);
      const std::shared_ptr<Data> data = data_of(corpus);
      Matrix lambda = random_lambda(3, 12, 13);
      const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
      const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
      for (int t = 0; t < 12; ++t) {
        const double s = std::min(1.0, 0.3 + 0.08 * t);
        const Priors powered = plain::at_power(priors, {s, natural});
        const Matrix log_beta = plain::topic_expectations(priors, lambda);
        std::vector<plain::Local> locals;
        for (const Vector& counts : corpus.counts) locals.push_back(plain::solve(powered, counts, s, log_beta));
        lambda = plain::blend(powered, lambda, plain::statistics(corpus, Vector(6, s), locals, 3), 1, 1);
        work->local_step({data.get(), nullptr, 0, 6}, at_power(s, natural), LocalSettings{});
        work->global_step(GlobalStep{1, 1, {s, natural}, {}});
        const Matrix result = lambda_of(*model);
        for (size_t k = 0; k < 3; ++k) {
          for (size_t v = 0; v < 12; ++v) check_close("lambda", result[k][v], lambda[k][v], 1e-8L);
        }
      }
    }
  }
}

/// Minibatches: the lazily scaled lambda with its weight of the prior and its constant against a dense one.
void minibatches_equal_dense_updates(void**) {
  for (const bool asymmetric : {false, true}) {
    for (const bool point : {false, true}) {
      for (const bool natural : {false, true}) {
        const size_t topics = 5, words = 40;
        const Priors priors = asymmetric ? asymmetric_priors(topics, words, 3, point)
                                         : symmetric_priors(topics, words, 0.1, 0.05, point);
        const std::shared_ptr<Data> data = data_of(random_corpus(60, words, topics, 8, 19, true));
        Matrix dense = random_lambda(topics, words, 5);
        Texts texts = exact_options(priors);
        if (!asymmetric) texts["eta"] = "0.05";
        texts["local_tolerance"] = "1e-4";
        const std::shared_ptr<ConjugateModel> model = make_model(texts);
        model->initialize(*data, 1);
        model->write_parameter("lambda", flat(dense).data());
        const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 4);
        Random random(101);
        for (int t = 0; t < 150; ++t) {
          const double s = 0.3 + 0.7 * random.uniform();
          const double rho = t % 40 == 39 ? 1 : 0.02 + 0.5 * random.uniform();
          const std::vector<int64_t> rows = {random.below(60), random.below(60), random.below(60)};
          work->local_step({data.get(), rows.data(), 0, 3}, at_power(s, natural), LocalSettings{});
          dense = plain::blend(plain::at_power(priors, {s, natural}), dense, statistics_of(*model, *work), 20, rho);
          work->global_step(GlobalStep{20, rho, {s, natural}, {}});
          check_close("topics' bound", model->global_bound(PriorPower{s, natural}),
                      plain::topics_term(priors, dense, {s, natural}), 1e-10L);
        }
        const Matrix result = lambda_of(*model);
        for (size_t k = 0; k < topics; ++k) {
          for (size_t v = 0; v < words; ++v) check_close("lambda", result[k][v], dense[k][v], 1e-10L);
        }
      }
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_objective_is_that_of_the_paper),
      cmocka_unit_test(local_posteriors_are_stationary),
      cmocka_unit_test(topics_after_a_full_step_are_stationary),
      cmocka_unit_test(never_falls_at_a_fixed_temperature),
      cmocka_unit_test(full_steps_equal_plain_coordinate_ascent),
      cmocka_unit_test(minibatches_equal_dense_updates),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
