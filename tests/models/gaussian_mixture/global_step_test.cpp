// The global step: gradients of the objective vanish at the update, the objective never falls at a fixed temperature,
// step sizes and random draws blend natural parameters or statistics as they should.

#include <functional>

#include "models/gaussian_mixture/plain_mixture.h"

using namespace fixtures;

namespace {

struct Problem {
  int64_t columns, components;
  bool independent;
  Vector values, weights;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
  plain::PlainPrior prior;

  Problem(int64_t rows, int64_t columns_, int64_t components_, bool independent_, uint64_t seed)
      : columns(columns_), components(components_), independent(independent_) {
    values = random_rows(rows, columns, components, seed);
    weights = random_weights(rows, seed + 1);
    data = data_of(values, columns, weights);
    model = make_model({{"components", std::to_string(components)},
                        {"covariance", independent ? "independent" : "normal_wishart"},
                        {"learn_priors", "false"}},
                       *data, seed);
    prior = plain::default_prior(values, static_cast<size_t>(columns), weights, static_cast<size_t>(components));
  }
  plain::PlainMixture mixture() const { return plain::plain_of(*model, prior, independent); }
  Vector row(size_t i) const {
    const long n = static_cast<long>(columns);
    return {values.begin() + static_cast<long>(i) * n, values.begin() + static_cast<long>(i + 1) * n};
  }
};

/// Central difference of `function` along x, of eighth order: wide steps keep rounding small.
double slope(double& x, double width, const std::function<double()>& function) {
  const double start = x;
  constexpr double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int i = 1; i <= 4; ++i) {
    x = start + i * width;
    const double above = function();
    x = start - i * width;
    sum += weights[i - 1] * (above - function());
  }
  x = start;
  return sum / width;
}

/// s sum_n w_n sum_k phi_nk e_nk + s' E log p - E log q, with phi held fixed, has no slope at the updated globals.
/// For independent factors the two of a component were updated one after the other, so the mean's factor is checked
/// at the Wishart factor of before.
void gradients_vanish(void**) {
  for (const bool independent : {false, true}) {
    for (const double temperature : {1.0, 2.0}) {
      for (const bool entropy : {false, true}) {
        const Problem problem(40, 2, 3, independent, 21);
        const double s = 1 / temperature, power = entropy ? s : 1;
        const plain::PlainMixture before = problem.mixture();
        std::vector<Vector> shares;
        for (size_t i = 0; i < problem.weights.size(); ++i) {
          Vector phi;
          double total = 0;
          for (size_t k = 0; k < 3; ++k) {
            phi.push_back(std::exp(s * before.score(problem.row(i), k)));
            total += phi.back();
          }
          for (double& value : phi) value *= s * problem.weights[i] / total;
          shares.push_back(phi);
        }
        const auto work = problem.model->begin_fit(nullptr, 1);
        const LocalTemperature hot = at(temperature, entropy);
        work->local_step(all_of(*problem.data), hot, {});
        GlobalStep step;
        step.prior = hot.prior;
        work->whole_step(step);
        plain::PlainMixture after = problem.mixture();

        const auto objective_of = [&](plain::PlainMixture& mixture) {
          return [&mixture, &shares, &problem, power] {
            double sum = mixture.global_bound(power);
            for (size_t i = 0; i < shares.size(); ++i) {
              for (size_t k = 0; k < 3; ++k) sum += shares[i][k] * mixture.score(problem.row(i), k);
            }
            return sum;
          };
        };
        plain::PlainMixture of_means = after;
        for (size_t k = 0; independent && k < 3; ++k) {
          of_means.components[k].nu = before.components[k].nu;
          of_means.components[k].V = before.components[k].V;
        }
        const auto objective = objective_of(after);
        const auto objective_of_means = objective_of(of_means);
        const auto check = [&](const char* what, double& x, double scale, const std::function<double()>& function) {
          check_close(what, slope(x, 0.01 * scale, function) * scale, 0, 1e-8, std::abs(function()));
        };
        for (size_t k = 0; k < 3; ++k) {
          plain::PlainComponent& c = after.components[k];
          plain::PlainComponent& m = of_means.components[k];
          check("slope of alpha", c.alpha, c.alpha, objective);
          check("slope of nu", c.nu, c.nu, objective);
          for (double& value : c.V) check("slope of W^-1", value, std::abs(value), objective);
          if (independent) {
            for (double& value : m.m) check("slope of m", value, 1, objective_of_means);
            for (double& value : m.P) check("slope of P", value, std::abs(value), objective_of_means);
          } else {
            check("slope of b", c.b, c.b, objective);
            for (double& value : c.m) check("slope of m", value, 1, objective);
          }
        }
      }
    }
  }
}

/// Coordinate ascent at a fixed temperature of every kind.
void never_falls(void**) {
  int steps = 0;
  for (int seed = 0; seed < 24; ++seed) {
    const bool independent = seed % 2 == 1;
    const int64_t columns = 1 + seed % 5;
    const double missing = seed % 3 == 0 ? 0.15 : 0;
    const int64_t rows = 30 + 20 * seed;
    const Vector values = random_rows(rows, columns, 3, 100 + static_cast<uint64_t>(seed), missing);
    const auto data = data_of(values, columns, random_weights(rows, static_cast<uint64_t>(seed)));
    RowTemperature row;
    row.inverse = {0.25, 0.4, 0.6, 0.8, 1};
    row.log_normalizer = {-1.5, -1, -0.6, -0.2, 0};
    row.rounds = 500;
    for (const int kind : {0, 1, 2, 3, 4}) {
      LocalTemperature temperature = kind < 2 ? at(kind == 0 ? 1 : 3) : at(kind == 2 ? 1.5 : 5, kind >= 2);
      if (kind == 4) {
        temperature = {};
        temperature.per_row = &row;
      }
      const auto model =
          make_model({{"components", "4"}, {"covariance", independent ? "independent" : "normal_wishart"}}, *data,
                     static_cast<uint64_t>(seed));
      const auto work = model->begin_fit(data.get(), data->rows());
      double last = -INFINITY;
      for (int t = 0; t < 60; ++t, ++steps) {
        const LocalSums sums = work->local_step(all_of(*data), temperature, with_bound());
        const double objective = sums.bound + model->global_bound(temperature.prior);
        assert_true(std::isfinite(objective));
        // Temperatures of rows settle to 1e-3 in 1/T, where the objective is flat.
        const double allowed = kind == 4 ? 1e-6 : 1e-11;
        if (last - objective > allowed * std::abs(objective)) {
          print_error("seed %d, kind %d, step %d: from %.15g to %.15g\n", seed, kind, t, last, objective);
          assert_true(false);
        }
        last = objective;
        GlobalStep step;
        step.prior = temperature.prior;
        work->whole_step(step);
      }
    }
  }
  assert_int_equal(steps, 24 * 5 * 60);
}

/// Natural parameters of a component, in which steps are straight lines.
Vector natural(const plain::PlainComponent& c, bool independent) {
  const size_t n = c.m.size();
  Vector values = {c.alpha, c.nu};
  if (!independent) values.push_back(c.b);
  for (size_t i = 0; i < n; ++i) {
    double first = 0;
    for (size_t j = 0; j < n; ++j) first += independent ? c.P[i * n + j] * c.m[j] : i == j ? c.b * c.m[j] : 0;
    values.push_back(first);
    for (size_t j = 0; j < n; ++j) {
      if (independent) values.push_back(c.P[i * n + j]);
      values.push_back(c.V[i * n + j] + (independent ? 0 : c.b * c.m[i] * c.m[j]));
    }
  }
  return values;
}

void a_part_of_a_step(void**) {
  const double rho = 0.3;
  for (const bool independent : {false, true}) {
    const Problem whole(50, 3, 3, independent, 31), part(50, 3, 3, independent, 31);
    const plain::PlainMixture before = whole.mixture();
    const auto take = [&](const Problem& problem, double size) {
      const auto work = problem.model->begin_fit(nullptr, 1);
      work->local_step(all_of(*problem.data), {}, {});
      GlobalStep step;
      step.rho = size;
      step.scale = 7;
      work->whole_step(step);
    };
    take(whole, 1);
    take(part, rho);
    const plain::PlainMixture all = whole.mixture(), some = part.mixture();
    for (size_t k = 0; k < 3; ++k) {
      const Vector from = natural(before.components[k], independent), to = natural(all.components[k], independent);
      const Vector got = natural(some.components[k], independent);
      // The Wishart factor of an independent component depends on the mean it is updated with.
      const size_t count = independent ? 2 : from.size();
      for (size_t i = 0; i < count; ++i) {
        check_close("natural parameter", got[i], (1 - rho) * from[i] + rho * to[i], 1e-10, 1);
      }
      if (!independent) continue;
      const plain::PlainComponent &a = before.components[k], &b = all.components[k], &c = some.components[k];
      Vector product(3, 0.0), expected(3, 0.0);
      for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j) {
          check_close("P", c.P[i * 3 + j], (1 - rho) * a.P[i * 3 + j] + rho * b.P[i * 3 + j], 1e-10, 1);
          product[i] += c.P[i * 3 + j] * c.m[j];
          expected[i] += (1 - rho) * a.P[i * 3 + j] * a.m[j] + rho * b.P[i * 3 + j] * b.m[j];
        }
      }
      check_close("P m", product, expected, 1e-10);
    }
  }
}

/// Stochastic annealing. Both blends are straight lines from the update to a draw: at r = 1 the draw itself is seen,
/// and at any other r the point between.
void random_draws(void**) {
  for (const bool is_natural : {false, true}) {
    const auto stepped = [&](double share, bool independent) {
      const Problem problem(60, 2, 3, independent, 41);
      const auto work = problem.model->begin_fit(nullptr, 1);
      work->local_step(all_of(*problem.data), {}, {});
      GlobalStep step;
      step.perturbation.share = share;
      step.perturbation.natural = is_natural;
      step.perturbation.seed = 9;
      step.perturbation.iteration = 4;
      step.perturbation.rows = 77;
      work->whole_step(step);
      return problem.mixture();
    };
    for (const bool independent : {false, true}) {
      const plain::PlainMixture none = stepped(0, independent), all = stepped(1, independent),
                                some = stepped(0.25, independent), again = stepped(0.25, independent);
      double rows = 0;
      for (size_t k = 0; k < 3; ++k) {
        rows += all.components[k].alpha - all.prior.a0;
        check_close("the same draw", natural(again.components[k], independent),
                    natural(some.components[k], independent), 0);
        const Vector from = natural(none.components[k], independent), to = natural(all.components[k], independent);
        const Vector got = natural(some.components[k], independent);
        const size_t count = independent ? 2 : from.size();
        for (size_t i = 0; i < count; ++i) check_close("blend", got[i], 0.75 * from[i] + 0.25 * to[i], 1e-9, 1);
      }
      check_close("rows of the draw", rows, 77, 1e-12);
    }
  }
}

/// The same for the posteriors of rows: the share belongs to a draw from the simplex.
void random_draws_of_rows(void**) {
  const Problem problem(70, 2, 3, false, 43);
  LocalSettings settings;
  settings.perturbation.share = 1;
  settings.perturbation.local = true;
  settings.perturbation.seed = 2;
  const auto sums = [&](double share, int threads) {
    settings.perturbation.share = share;
    settings.threads = threads;
    const auto work = problem.model->begin_fit(nullptr, 1);
    work->local_step(all_of(*problem.data), {}, settings);
    Vector out(static_cast<size_t>(work->statistics_length()));
    work->write_statistics(out.data());
    return out;
  };
  const Vector none = sums(0, 1), all = sums(1, 1), some = sums(0.2, 1);
  assert_true(same_bits(some, sums(0.2, 3)));
  for (size_t i = 0; i < none.size(); ++i) {
    check_close("statistic", some[i], 0.8 * none[i] + 0.2 * all[i], 1e-10, std::abs(none[i]) + std::abs(all[i]));
  }
}

void run(const char* method, const Texts& more, const std::shared_ptr<Data>& data, Vector& out) {
  for (const char* covariance : {"normal_wishart", "independent"}) {
    Texts texts = {{"method", method}, {"max_iterations", "25"}, {"threads", "1"}};
    texts.insert(more.begin(), more.end());
    const auto model = make_model({{"components", "4"}, {"covariance", covariance}}, *data);
    Optimizer optimizer(model, data, options_of(texts));
    optimizer.run(25, nullptr, nullptr);
    const Vector parameters = everything(*model);
    out.insert(out.end(), parameters.begin(), parameters.end());
    out.insert(out.end(), {optimizer.report().elbo, optimizer.report().objective});
  }
}

void at_temperature_one_all_methods_are_vi(void**) {
  const auto data = data_of(random_rows(300, 3, 4, 8, 0.02), 3);
  Vector plain_run;
  run("vi", {}, data, plain_run);
  const std::vector<std::pair<const char*, Texts>> methods = {
      {"annealing", {{"temperature_start", "1"}}},
      {"annealing", {{"temperature_start", "1"}, {"temperature_shape", "exponential"}}},
      {"entropy_annealing", {{"temperature_start", "1"}}},
      {"stochastic_annealing", {{"perturbation_start", "0"}}},
  };
  for (const auto& [method, options] : methods) {
    Vector other;
    run(method, options, data, other);
    if (!same_bits(plain_run, other)) print_error("%s differs from vi\n", method);
    assert_true(same_bits(plain_run, other));
  }
}

/// Two components on one cluster become one and the same; on data of one cluster some are left without rows.
void merged_and_dead_components_are_counted(void**) {
  const auto data = data_of(random_rows(400, 2, 1, 3), 2);
  const auto model = make_model({{"components", "3"}, {"weights_prior", "500"}}, *data);
  // The same start twice: components that cannot be distinguished.
  Vector alpha = {10, 10, 1000}, mean = parameter(*model, "mean"), nu = parameter(*model, "precision.dof"),
         scale = parameter(*model, "precision.scale"), b = parameter(*model, "mean.precision_scale");
  for (size_t i = 0; i < 2; ++i) mean[2 + i] = mean[i];
  for (size_t i = 0; i < 4; ++i) scale[4 + i] = scale[i];
  for (size_t i = 0; i < 2; ++i) mean[4 + i] = 1e6;
  nu[1] = nu[0];
  b[1] = b[0];
  model->write_parameter("weights.concentration", alpha.data());
  model->write_parameter("mean", mean.data());
  model->write_parameter("precision.scale", scale.data());
  model->write_parameter("precision.dof", nu.data());
  model->write_parameter("mean.precision_scale", b.data());
  const auto work = model->begin_fit(nullptr, 1);
  work->local_step(all_of(*data), {}, {});
  const GlobalChange change = work->whole_step({});
  assert_int_equal(change.unused_components, 1);
  assert_int_equal(work->duplicate_components().value(), 1);
}

/// Everything that can fail does so before any component moves, so that restarts that step together stay in step.
void a_step_that_cannot_be_taken_is_refused_before_it_begins(void**) {
  for (const bool independent : {false, true}) {
    const Problem problem(50, 3, 3, independent, 31);
    const auto everything = [&] {
      Vector all;
      for (const char* name : {"weights.concentration", "mean", "precision.dof", "precision.scale"}) {
        const Vector values = parameter(*problem.model, name);
        all.insert(all.end(), values.begin(), values.end());
      }
      return all;
    };
    const Vector before = everything();
    const auto work = problem.model->begin_fit(nullptr, 1);
    work->local_step(all_of(*problem.data), {}, {});
    work->prepare_step({});
    assert_true(same_bits(before, everything()));
    work->global_step({});
    assert_false(same_bits(before, everything()));
    // The sums of squares are too small for the sums of the rows: no covariance has them.
    Vector statistics(static_cast<size_t>(work->statistics_length()));
    work->write_statistics(statistics.data());
    for (size_t i : {0, 2, 5}) statistics[i] = 0;
    for (size_t i : {6, 7, 8}) statistics[i] = 1e9;
    work->read_statistics(statistics.data());
    const Vector after = everything();
    bool refused = false;
    try {
      work->prepare_step({});
    } catch (const Error& error) {
      refused = error.status() == VTEMPER_ERROR_NUMERIC;
    }
    assert_true(refused);
    assert_true(same_bits(after, everything()));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(gradients_vanish),
      cmocka_unit_test(never_falls),
      cmocka_unit_test(a_part_of_a_step),
      cmocka_unit_test(random_draws),
      cmocka_unit_test(random_draws_of_rows),
      cmocka_unit_test(at_temperature_one_all_methods_are_vi),
      cmocka_unit_test(merged_and_dead_components_are_counted),
      cmocka_unit_test(a_step_that_cannot_be_taken_is_refused_before_it_begins),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
