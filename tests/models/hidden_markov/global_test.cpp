// The global step, the bound of the Dirichlets and the normalisers: against plain code, finite differences and sums
// over all paths and symbols.

#include <functional>

#include "models/hidden_markov/fixtures.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr size_t states = 3, symbols = 4;

struct Setting {
  SequenceList sequences = random_sequences(7, 6, symbols, 3);
  std::shared_ptr<Data> data = data_of(sequences, symbols);
  std::shared_ptr<ConjugateModel> model = model_of({{"states", "3"}});
  explicit Setting(uint64_t seed = 1) {
    model->initialize(*data, seed);
    set_parameters(*model, random_parameters(states, symbols, seed));
  }
  Rows dirichlets() const { return rows_of(flat_parameters(*model), states, symbols); }
};

PriorPower power_of(double inverse, bool natural) {
  PriorPower power;
  power.inverse = inverse;
  power.natural_parameters = natural;
  return power;
}

void test_global_bound(void**) {
  const Setting setting;
  for (const double s : {1.0, 0.8, 0.2}) {
    for (const bool natural : {false, true}) {
      check_close("bound", setting.model->global_bound(power_of(s, natural)),
                  plain::global_bound(setting.dirichlets(), priors_of(states, symbols), s, natural), 1e-12L);
    }
  }
}

/// A full step leads to a maximum of F(s; theta) + global bound in the Dirichlet parameters, for fixed counts:
/// counts . E log theta + global bound.
void test_update_is_stationary(void**) {
  for (const double power : {1.0, 0.7}) {
    for (const bool natural : {false, true}) {
      Setting setting(5);
      Step step(*setting.model, *setting.data, at(power));
      const Rows counts = rows_of(step.statistics, states, symbols);
      GlobalStep global;
      global.prior = power_of(power, natural);
      step.work->global_step(global);
      const std::vector<double> best = flat_parameters(*setting.model);
      const auto objective = [&](const std::vector<double>& flat) {
        const Rows rows = rows_of(flat, states, symbols);
        return plain::dot(counts, plain::expected_logs(rows)) +
               plain::global_bound(rows, priors_of(states, symbols), power, natural);
      };
      const Number size = std::abs(objective(best));
      for (size_t i = 0; i < best.size(); ++i) {
        const double h = 1e-3 * best[i];
        const auto difference = [&](double steps) {
          std::vector<double> up = best, down = best;
          up[i] += steps * h;
          down[i] -= steps * h;
          assert_true(objective(up) <= objective(best) + 1e-14L * size);
          return objective(up) - objective(down);
        };
        // The five-point formula: its error is of the order of h^4.
        const Number slope = (8 * difference(1) - difference(2)) / 12e-3L;
        check_close("slope", slope, 0, 1e-10L, size);
      }
    }
  }
}

/// With temperatures of rows each part of a step ascends while the normalisers are held: q(z) and the posteriors of
/// the temperatures in turn, and the globals given both.
void test_temperatures_of_rows_ascend(void**) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    Setting setting(seed);
    RowTemperature row;
    for (int m = 0; m < 9; ++m) row.inverse.push_back(0.2 + 0.1 * m);
    row.log_normalizer.assign(9, std::nan(""));
    row.normalizer.estimate = "moment";
    LocalTemperature temperature;
    temperature.per_row = &row;
    for (int t = 0; t < 40; ++t) {
      double last = -INFINITY;
      for (row.rounds = 1; row.rounds <= 6; ++row.rounds) {
        const Step local(*setting.model, *setting.data, temperature);
        assert_true(local.sums.bound >= last - 1e-12 * std::abs(last));
        last = local.sums.bound;
      }
      Step step(*setting.model, *setting.data, temperature);
      const Rows counts = rows_of(step.statistics, states, symbols);
      const auto objective = [&] {
        const Rows rows = setting.dirichlets();
        return plain::dot(counts, plain::expected_logs(rows)) +
               plain::global_bound(rows, priors_of(states, symbols), 1, false);
      };
      const Number before = objective();
      step.work->global_step(GlobalStep{});
      assert_true(objective() >= before - 1e-12L * std::abs(before));
    }
  }
}

void test_blends(void**) {
  Setting setting(2);
  const std::vector<double> before = flat_parameters(*setting.model);
  Step step(*setting.model, *setting.data, at(1));
  GlobalStep global;
  global.scale = 3;
  global.rho = 0.25;
  const GlobalChange change = step.work->global_step(global);
  const std::vector<double> after = flat_parameters(*setting.model);
  const Rows priors = priors_of(states, symbols);
  size_t i = 0;
  Number moved = 0, mass = 0;
  plain::for_rows(priors, priors, [&](const Vector& prior, const Vector&) {
    for (const Number a : prior) {
      const Number target = a + 3 * Number(step.statistics[i]);
      check_close("blend", after[i], 0.75L * before[i] + 0.25L * target, 1e-14L);
      moved += std::abs(Number(after[i]) - before[i]);
      mass += before[i];
      ++i;
    }
  });
  check_close("change", change.relative, moved / mass, 1e-12L);

  // Stochastic annealing: a share of a draw of the size of the data, the same for the same seed and iteration only.
  const auto perturbed = [&](uint64_t seed, uint64_t iteration, double share) {
    set_parameters(*setting.model, before);
    GlobalStep next;
    next.perturbation.share = share;
    next.perturbation.seed = seed;
    next.perturbation.iteration = iteration;
    next.perturbation.rows = 7;
    next.perturbation.tokens = data_total(*setting.data);
    step.work->global_step(next);
    return flat_parameters(*setting.model);
  };
  const std::vector<double> plain_step = perturbed(1, 0, 0), draw = perturbed(1, 0, 1);
  assert_true(draw == perturbed(1, 0, 1));
  assert_true(draw != perturbed(1, 1, 1) && draw != perturbed(2, 0, 1));
  const std::vector<double> half = perturbed(1, 0, 0.5);
  for (size_t k = 0; k < half.size(); ++k) check_close("half", half[k], (plain_step[k] + draw[k]) / 2, 1e-14L);
  const Rows rows = rows_of(draw, states, symbols);
  const Number tokens = data_total(*setting.data);
  check_close("initial", plain::sum(rows.initial), 7, 1e-12L);
  for (size_t k = 0; k < states; ++k) {
    check_close("transition", plain::sum(rows.transition[k]), (tokens - 7) / states, 1e-12L);
    check_close("emission", plain::sum(rows.emission[k]), tokens / states, 1e-12L);
  }
}

/// sum over all x and z of given length of prod of theta^s in the sense of the estimate.
Number plain_normalizer(const Rows& powers, size_t length) {
  Number total = 0;
  std::vector<size_t> z(length, 0), x(length, 0);
  const std::function<void(size_t, Number)> extend = [&](size_t t, Number weight) {
    if (t == length) {
      total += weight;
      return;
    }
    for (z[t] = 0; z[t] < states; ++z[t]) {
      const size_t here = z[t];
      const Number step = t == 0 ? powers.initial[here] : powers.transition[z[t - 1]][here];
      for (size_t v = 0; v < symbols; ++v) extend(t + 1, weight * step * powers.emission[here][v]);
      z[t] = here;
    }
  };
  extend(0, 1);
  return std::log(total);
}

Rows moments(const Rows& dirichlets, Number s) {
  return plain::map_rows(dirichlets, [s](const Vector& row) {
    Vector out;
    for (const Number a : row) {
      out.push_back(std::exp(std::lgamma(a + s) - std::lgamma(a) + std::lgamma(plain::sum(row)) -
                             std::lgamma(plain::sum(row) + s)));
    }
    return out;
  });
}

void test_normalizers(void**) {
  const Setting setting(4);
  for (const double s : {0.9, 0.4}) {
    const Rows moment = moments(setting.dirichlets(), s);
    const Rows plug_in = plain::powers(plain::expected_logs(setting.dirichlets()), s);
    for (size_t length = 1; length <= 5; ++length) {
      const double tokens = 6 * static_cast<double>(length);
      Normalizer normalizer;
      check_close("moment", setting.model->tempered_normalizer()->log_normalizer(normalizer, s, 6, tokens),
                  6 * plain_normalizer(moment, length), 1e-12L);
      normalizer.estimate = "plug_in";
      check_close("plug_in", setting.model->tempered_normalizer()->log_normalizer(normalizer, s, 6, tokens),
                  6 * plain_normalizer(plug_in, length), 1e-12L);
    }
    // Between whole lengths, and where every further symbol adds the same.
    const double at_2 = setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, s, 4, 8);
    const double at_3 = setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, s, 4, 12);
    check_close("between", setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, s, 4, 9),
                at_2 + (at_3 - at_2) / 4, 1e-12L);
    const double at_300 = setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, s, 1, 300);
    const double at_301 = setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, s, 1, 301);
    const double at_3000 = setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, s, 1, 3000);
    check_close("far", at_3000, at_300 + 2700 * (Number(at_301) - at_300), 1e-10L);
  }
  assert_true(setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, 1, 6, 18) == 0);
}

/// The prior's normaliser: for one state it is prod over rows of e(s)^length, e the sum of a Dirichlet draw's powers.
void test_normalizer_of_the_prior(void**) {
  const auto data = data_of(random_sequences(4, 5, 3, 1), 3);
  const auto model = model_of({{"states", "1"}, {"emission_prior", "1,1,1"}});
  model->initialize(*data, 1);
  Normalizer normalizer;
  normalizer.estimate = "prior";
  normalizer.samples = 200000;
  // One row of one symbol: E sum_v B_v^s = 3 E B_1^s, with B_1 ~ Beta(1, 2).
  const double s = 0.5;
  const Number expected = std::log(3 * std::exp(std::lgamma(1 + s) + std::lgamma(3.0) - std::lgamma(3 + s)));
  check_close("prior", model->tempered_normalizer()->log_normalizer(normalizer, s, 1, 1), expected, 3e-3L);
  assert_false(model->tempered_normalizer()->normalizer_follows_globals(normalizer));
  assert_true(model->tempered_normalizer()->normalizer_follows_globals(Normalizer{}));
}

void test_merged_and_unused_states(void**) {
  const auto data = data_of(random_sequences(9, 6, symbols, 3), symbols);
  const auto model = model_of({{"states", "3"}});
  model->initialize(*data, 1);
  // States 0 and 2 are the same to 1 %, state 1 is another.
  const std::vector<double> merged = {5,  5, 5, 10, 5, 20, 1, 30, 1,  10.05, 5, 19.95,
                                      50, 1, 1, 20, 1, 50, 1, 1,  50, 1,     1, 20.1};
  set_parameters(*model, merged);
  const auto work = model->begin_fit(data.get(), data->rows());
  assert_int_equal(work->duplicate_components().value(), 1);
  std::vector<double> apart = merged;
  apart[20] = 40;  // the emissions of state 2
  set_parameters(*model, apart);
  assert_int_equal(work->duplicate_components().value(), 0);

  // A state that no path visits.
  std::vector<double> dead = merged;
  for (const size_t i : {1u, 4u, 7u, 10u}) dead[i] = 1e-3;
  set_parameters(*model, dead);
  Step step(*model, *data, at(1));
  assert_int_equal(step.work->global_step(GlobalStep{}).unused_components, 1);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_global_bound),
      cmocka_unit_test(test_update_is_stationary),
      cmocka_unit_test(test_temperatures_of_rows_ascend),
      cmocka_unit_test(test_blends),
      cmocka_unit_test(test_normalizers),
      cmocka_unit_test(test_normalizer_of_the_prior),
      cmocka_unit_test(test_merged_and_unused_states),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
