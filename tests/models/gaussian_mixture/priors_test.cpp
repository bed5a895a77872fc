// Learned priors: the maximum of a plain bound over the prior, its closed form, a bound that never falls, the limit
// where rows repeat a value, saved state, steps that are undone, and what is refused.

#include <functional>

#include "models/gaussian_mixture/priors.h"

using namespace fixtures;

namespace {

struct Fitted {
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
  plain::PlainMixture mixture;  ///< with the learned prior
};

/// `hot`: the last step has a tempered likelihood and prior, and half of a step's size.
Fitted fitted(bool independent, int64_t columns, bool hot) {
  const Vector values = random_rows(60, columns, 3, 21);
  const Vector weights = random_weights(60, 22);
  Fitted result;
  result.data = data_of(values, columns, weights);
  result.model = make_model({{"components", "4"}, {"covariance", independent ? "independent" : "normal_wishart"}},
                            *result.data, 5);
  const auto work = result.model->begin_fit(result.data.get(), 60);
  for (int i = 0; i < 5; ++i) {
    const LocalTemperature temperature = at(hot ? 1.5 : 1, hot);
    work->local_step(all_of(*result.data), temperature, {});
    GlobalStep step;
    step.prior = temperature.prior;
    step.rho = hot ? 0.5 : 1;
    work->whole_step(step);
  }
  const plain::PlainPrior start = plain::default_prior(values, static_cast<size_t>(columns), weights, 4);
  result.mixture = plain::plain_of(*result.model, plain_prior(*result.model, start, independent), independent);
  return result;
}

/// Central difference of fourth order, times the width.
double slope(double& x, double width, const std::function<double()>& function) {
  const double start = x;
  double sum = 0;
  for (const int i : {1, 2}) {
    x = start + i * width;
    const double above = function();
    x = start - i * width;
    sum += (i == 1 ? 2.0 / 3 : -1.0 / 12) * (above - function());
  }
  x = start;
  return sum;
}

void the_plain_bound_has_no_slope_at_the_learned_prior(void**) {
  for (const bool independent : {false, true}) {
    for (const bool hot : {false, true}) {
      for (const int64_t columns : {1, 2, 3}) {
        Fitted fit = fitted(independent, columns, hot);
        plain::PlainMixture& mixture = fit.mixture;
        const auto bound = [&] { return mixture.global_bound(hot ? 1 / 1.5 : 1); };
        const auto check = [&](const char* what, double& x, double size) {
          const double width = 1e-3 * size;
          // Curvature shows that the bound depends on x at all.
          const double here = bound(), start = x;
          x = start + 100 * width;
          const double away = bound();
          x = start;
          assert_true(std::abs(away - here) > 1e-6);
          check_close(what, slope(x, width, bound), 0, 1e-8, 1);
        };
        plain::PlainPrior& prior = mixture.prior;
        const bool at_limit = prior.nu0 <= static_cast<double>(columns) || prior.nu0 > 50;
        if (!at_limit) check("slope of nu0", prior.nu0, prior.nu0 - static_cast<double>(columns) + 1);
        if (!independent) check("slope of b0", prior.b0, prior.b0);
        for (double& value : prior.m0) check("slope of m0", value, 1);
        const size_t n = static_cast<size_t>(columns);
        for (size_t i = 0; i < n * n; i += n + 1) check("slope of V", prior.V0[i], prior.V0[i]);
      }
    }
  }
}

/// V / nu0 = (mean of nu_k W_k)^-1, and the equations of m0 and b0 (or P0), with Gauss elimination.
void the_closed_form(void**) {
  for (const bool independent : {false, true}) {
    const Fitted fit = fitted(independent, 3, false);
    const size_t n = 3, count = 4;
    Vector M(n * n, 0.0), shifted(n, 0.0);
    double unused = 0, spread = 0;
    for (const plain::PlainComponent& c : fit.mixture.components) {
      const Vector W = plain::inverse(c.V, n, unused);
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
          M[i * n + j] += c.nu * W[i * n + j];
          shifted[i] += independent ? (i == j ? c.m[j] : 0) : c.nu * W[i * n + j] * c.m[j];
        }
      }
    }
    const Vector inverse = plain::inverse(M, n, unused);
    const Vector covariance = parameter(*fit.model, "covariance_prior"), mean = parameter(*fit.model, "mean_prior");
    Vector m0(n, 0.0);
    for (size_t i = 0; i < n; ++i) {
      m0[i] = independent ? shifted[i] / static_cast<double>(count) : 0;
      for (size_t j = 0; !independent && j < n; ++j) m0[i] += inverse[i * n + j] * shifted[j];
      check_close("m0", mean[i], m0[i], 1e-9, 1);
      for (size_t j = 0; j < n; ++j) {
        check_close("covariance", covariance[i * n + j], static_cast<double>(count) * inverse[i * n + j], 1e-9,
                    covariance[0]);
      }
    }
    for (const plain::PlainComponent& c : fit.mixture.components) {
      const Vector shift = plain::difference(c.m, m0);
      spread += independent ? plain::quadratic_form(fit.mixture.prior.P0, shift) +
                                  plain::trace_of_product(fit.mixture.prior.P0, plain::inverse(c.P, n, unused), n)
                            : c.nu * plain::quadratic_form(plain::inverse(c.V, n, unused), shift) +
                                  static_cast<double>(n) / c.b;
    }
    // The learned P0 is that for which the spread is D K; so is b0.
    check_close("mean_precision_prior",
                independent ? spread : spread * parameter(*fit.model, "mean_precision_prior")[0],
                static_cast<double>(n * count), 1e-9);
  }
}

/// Half of the rows are equal: without a limit V would fall to 0.
Vector rows_with_a_point() {
  Vector values = random_rows(120, 3, 3, 9);
  for (size_t i = 0; i < 60; ++i) std::copy_n(values.begin(), 3, values.begin() + static_cast<long>(6 * i));
  return values;
}

void the_bound_never_falls(void**) {
  for (const bool point : {false, true}) {
    const Vector values = point ? rows_with_a_point() : random_rows(150, 3, 3, 12, 0.05);
    const auto data = data_of(values, 3);
    for (const char* covariance : {"normal_wishart", "independent"}) {
      for (const double temperature : {1.0, 1.5}) {
        const auto model = make_model({{"components", "5"}, {"covariance", covariance}}, *data, 4);
        const Vector start = prior_of(*model);
        const auto work = model->begin_fit(data.get(), data->rows());
        double last = -INFINITY;
        for (int t = 0; t < 200; ++t) {
          const double objective =
              work->local_step(all_of(*data), at(temperature), with_bound()).bound + model->global_bound({});
          assert_true(std::isfinite(objective));
          if (last - objective > 1e-10 * std::abs(objective)) {
            print_error("%s, T %g, step %d: from %.15g to %.15g\n", covariance, temperature, t, last, objective);
            assert_true(false);
          }
          last = objective;
          work->whole_step({});
        }
        assert_false(same_bits(start, prior_of(*model)));
      }
    }
  }
}

/// At the limit V - eps V_start is positive semidefinite with a zero eigenvalue, and no other V within it is better.
void the_limit_holds(void**) {
  const auto data = data_of(rows_with_a_point(), 3);
  const auto model = make_model({{"components", "5"}}, *data, 4);
  const plain::PlainPrior start = plain_prior(*model, {0.2, 1, 3, {}, {}, {}}, false);
  const auto work = model->begin_fit(data.get(), data->rows());
  for (int t = 0; t < 100; ++t) {
    work->local_step(all_of(*data), {}, {});
    work->whole_step({});
  }
  plain::PlainMixture mixture = plain::plain_of(*model, plain_prior(*model, start, false), false);
  const auto inside = [&](const Vector& V, double multiple) {
    Vector rest = V;
    for (size_t i = 0; i < 9; ++i) rest[i] -= multiple * start.V0[i];
    return linalg::is_definite(rest.data(), 3);
  };
  const Vector V = mixture.prior.V0;
  assert_true(inside(V, 0.999e-6));
  assert_false(inside(V, 1.001e-6));
  const double best = mixture.global_bound(1);
  fixtures::Random random(3);
  for (int i = 0; i < 300; ++i) {
    // Towards eps V_start + R R': the allowed V are a convex set.
    const double share = std::pow(10, -4 * random.uniform()), size = std::pow(10, -6 * random.uniform());
    double R[9];
    for (size_t a = 0; a < 9; ++a) R[a] = std::sqrt(size * start.V0[a / 3 * 4]) * random.normal();
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < 3; ++b) {
        double target = 1e-6 * start.V0[a * 3 + b];
        for (size_t c = 0; c < 3; ++c) target += R[a * 3 + c] * R[b * 3 + c];
        mixture.prior.V0[a * 3 + b] = (1 - share) * V[a * 3 + b] + share * target;
      }
    }
    assert_true(mixture.global_bound(1) <= best + 1e-9 * std::abs(best));
  }
}

void copies_and_files_keep_the_prior(void**) {
  const auto data = data_of(random_rows(80, 3, 3, 14), 3);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto model = make_model({{"components", "4"}, {"covariance", covariance}}, *data);
    const auto steps = [&](const std::shared_ptr<ConjugateModel>& of) {
      const auto work = of->begin_fit(data.get(), data->rows());
      for (int t = 0; t < 4; ++t) {
        work->local_step(all_of(*data), {}, {});
        work->whole_step({});
      }
      return everything(*of);
    };
    steps(model);
    const std::shared_ptr<ConjugateModel> copy = as_conjugate(model->copy());
    const std::shared_ptr<ConjugateModel> loaded = from_file(*model);
    assert_true(same_bits(prior_of(*copy), prior_of(*model)));
    assert_true(same_bits(prior_of(*loaded), prior_of(*model)));
    assert_true(loaded->global_bound({}) == model->global_bound({}));
    const Vector expected = steps(model);
    assert_true(same_bits(steps(copy), expected));
    assert_true(same_bits(steps(loaded), expected));
    model->initialize(*data, 3);
    const auto fresh = make_model({{"components", "4"}, {"covariance", covariance}}, *data);
    assert_true(same_bits(everything(*model), everything(*fresh)));
  }
}

void a_prepared_step_changes_nothing(void**) {
  const Fitted fit = fitted(false, 3, false);
  const Vector before = everything(*fit.model);
  const double bound = fit.model->global_bound({});
  const auto work = fit.model->begin_fit(fit.data.get(), 60);
  work->local_step(all_of(*fit.data), {}, {});
  work->prepare_step({});
  assert_true(same_bits(before, everything(*fit.model)));
  assert_true(bound == fit.model->global_bound({}));
  work->global_step({});
  assert_false(same_bits(before, everything(*fit.model)));
}

void who_sets_a_prior_keeps_it(void**) {
  const auto data = data_of(random_rows(80, 2, 3, 14), 2);
  const auto learned = [&](Texts texts) {
    const auto model = make_model(texts, *data);
    const Vector before = prior_of(*model);
    const auto work = model->begin_fit(data.get(), data->rows());
    work->local_step(all_of(*data), {}, {});
    work->whole_step({});
    return !same_bits(before, prior_of(*model));
  };
  assert_true(learned({{"components", "3"}}));
  assert_false(learned({{"components", "1"}}));
  assert_false(learned({{"components", "3"}, {"learn_priors", "false"}}));
  for (const char* name : {"mean_prior", "mean_precision_prior", "dof_prior", "covariance_prior"}) {
    assert_false(learned({{"components", "3"}, {name, "2"}}));
    assert_true(learned({{"components", "3"}, {name, "2"}, {"learn_priors", "true"}}));
  }
  assert_true(learned({{"components", "3"}, {"covariance_prior", "2"}, {"learn_priors", "strength"}}));
  const auto refused = [&](Texts texts, const char* what) {
    try {
      make_model(texts, *data);
    } catch (const Error& error) {
      return error.status() == VTEMPER_ERROR_OPTION && std::string(error.what()).find(what) != std::string::npos;
    }
    return false;
  };
  for (const char* what : {"true", "strength"}) {
    assert_true(refused({{"components", "1"}, {"learn_priors", what}}, "learn_priors"));
  }
  assert_true(refused({{"components", "3"}, {"dof_prior", "3"}, {"learn_priors", "strength"}},
                      "option dof_prior is 3; for 2 columns and learn_priors strength it must be greater than 3"));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_plain_bound_has_no_slope_at_the_learned_prior),
      cmocka_unit_test(the_closed_form),
      cmocka_unit_test(the_bound_never_falls),
      cmocka_unit_test(the_limit_holds),
      cmocka_unit_test(copies_and_files_keep_the_prior),
      cmocka_unit_test(a_prepared_step_changes_nothing),
      cmocka_unit_test(who_sets_a_prior_keeps_it),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
