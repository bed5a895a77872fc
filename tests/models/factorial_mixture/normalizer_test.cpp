// The normaliser of the tempered model against quadrature over values and Beta priors and enumeration of activations,
// and what is refused if it is infinite.

#include "evaluation/evaluate.h"
#include "support/factorial_mixture.h"
#include "support/refusal.h"

using namespace factorial_fixtures;
using namespace vtemper;

namespace {

constexpr Number tolerance = 1e-9L;

/// log of the integral over x in one dimension and the sum over z of p(x, z)^s, for means of any place.
Number row_normalizer(const Vector& probability, const Vector& mean, Number noise, Number s) {
  Number total = 0;
  for (size_t pattern = 0; pattern < (size_t{1} << mean.size()); ++pattern) {
    Number log_prior = 0, centre = 0;
    for (size_t k = 0; k < mean.size(); ++k) {
      const bool on = (pattern >> k & 1) != 0;
      log_prior += std::log(on ? probability[k] : 1 - probability[k]);
      centre += on ? mean[k] : 0;
    }
    // The trapezoidal rule converges faster than any power for such integrands.
    const Number width = 14 * std::sqrt(noise / s);
    constexpr int steps = 400;
    for (int i = 0; i <= steps; ++i) {
      const Number x = centre + width * (2.0L * i / steps - 1);
      const Number log_density =
          -(std::log(2 * plain_factorial::pi_number * noise) + (x - centre) * (x - centre) / noise) / 2;
      total += std::exp(s * (log_prior + log_density)) * 2 * width / steps;
    }
  }
  return std::log(total);
}

Normalizer by(const char* estimate) {
  Normalizer normalizer;
  normalizer.estimate = estimate;
  return normalizer;
}

void a_row_by_quadrature(void**) {
  const Fit fit = start(false, false, 9, 1);
  const plain_factorial::State state = state_of(*fit.model);
  const Vector means = {state.mean[0][0], state.mean[1][0], state.mean[2][0]};
  for (const double s : {0.1, 0.4, 0.8}) {
    const Number expected = row_normalizer({0.2L, 0.35L, 0.5L}, means, 0.3L, s);
    for (const char* estimate : {"auto", "exact", "upper", "plug_in"}) {
      check_close(estimate, fit.model->tempered_normalizer()->log_normalizer(by(estimate), s, 1, 1), expected,
                  tolerance);
      check_close(estimate, fit.model->tempered_normalizer()->log_normalizer(by(estimate), s, 1000, 1000),
                  1000 * expected, tolerance);
      assert_false(fit.model->tempered_normalizer()->normalizer_follows_globals(by(estimate)));
    }
  }
  assert_true(fit.model->tempered_normalizer()->log_normalizer({}, 1, 1000, 1000) == 0);
  // The value of quadrature (D = 1 and two components), which the supplement's formula misses.
  const std::shared_ptr<ConjugateModel> model = make_model(
      {{"components", "1"}, {"activation_probability", "0.3"}, {"noise_variance", "0.5"}, {"mean_variance", "1"}});
  model->initialize(*fit.data, 1);
  check_close("one component", model->tempered_normalizer()->log_normalizer({}, 0.5, 1, 1),
              row_normalizer({0.3L}, {2}, 0.5L, 0.5L), tolerance);
}

/// log of the integral over Beta(a, b) of (pi^s + (1 - pi)^s)^rows without quadrature: the power expanded,
/// sum_j C(rows, j) B(a + s j, b + s (rows - j)) / B(a, b).
Number expanded(Number a, Number b, Number s, int rows) {
  Number total = 0;
  for (int j = 0; j <= rows; ++j) {
    total += std::exp(std::lgamma(rows + 1.0L) - std::lgamma(j + 1.0L) - std::lgamma(rows - j + 1.0L) +
                      plain_factorial::log_beta(a + s * j, b + s * (rows - j)) - plain_factorial::log_beta(a, b));
  }
  return std::log(total);
}

void learned_probabilities_by_expansion(void**) {
  for (const auto& [a, b] :
       {std::pair(0.6, 1.4), std::pair(1.0, 1.0), std::pair(0.02, 0.05), std::pair(300.0, 20.0)}) {
    for (const double s : {0.1, 0.5, 0.95}) {
      for (const int rows : {1, 7, 100, 2000}) {
        check_close("integral over the prior", log_activation_normalizer({a, b}, s, rows), expanded(a, b, s, rows),
                    1e-8L, 1e-3L);
      }
    }
  }
  const Fit fit = start(true, false);
  Number expected = 5 * (std::log(2.5L) + 0.6L * std::log(2 * plain_factorial::pi_number * 0.3L)) / 2 * 9;
  for (size_t k = 0; k < 3; ++k) expected += expanded(fit.priors.on[k], fit.priors.off[k], 0.4L, 9);
  check_close("log C", fit.model->tempered_normalizer()->log_normalizer({}, 0.4, 9, 9), expected, 1e-8L);
}

/// plug_in <= E_q log c_T <= upper, by quadrature over the logit of pi.
void conditional_estimates_bound_the_expectation(void**) {
  Fit fit = start(true, true);
  local_step(fit, at(1));
  fit.work->whole_step(GlobalStep{});
  const plain_factorial::State state = state_of(*fit.model);
  const plain_factorial::Expectations e = plain_factorial::expect(fit.priors, state);
  constexpr Number s = 0.4L;
  Number expected =
      5 * (std::log(1 / s) + (1 - s) * (std::log(2 * plain_factorial::pi_number) - e.log_precision)) / 2;
  Number upper = expected;
  for (size_t k = 0; k < 3; ++k) {
    constexpr int steps = 2000;
    Number mean = 0, moment = 0;
    for (int i = 0; i <= steps; ++i) {
      const Number u = 300 * (2.0L * i / steps - 1);  // logit pi
      const Number log_on = -std::log1p(std::exp(-u)), log_off = -std::log1p(std::exp(u));
      const Number density = std::exp(state.on[k] * log_on + state.off[k] * log_off -
                                      plain_factorial::log_beta(state.on[k], state.off[k]));
      const Number value = std::exp(s * log_on) + std::exp(s * log_off);
      mean += density * std::log(value) * 600 / steps;
      moment += density * value * 600 / steps;
    }
    expected += mean;
    upper += std::log(moment);
  }
  check_close("upper", fit.model->tempered_normalizer()->log_normalizer(by("upper"), static_cast<double>(s), 1, 1),
              upper, 1e-8L);
  assert_true(fit.model->tempered_normalizer()->log_normalizer(by("upper"), static_cast<double>(s), 1, 1) >=
              static_cast<double>(expected));
  assert_true(fit.model->tempered_normalizer()->log_normalizer(by("plug_in"), static_cast<double>(s), 1, 1) <=
              static_cast<double>(expected));
  assert_true(fit.model->tempered_normalizer()->normalizer_follows_globals(by("upper")));
  // At T = 1 too: r compares the grid's entries.
  Number log_weights = 0;
  for (size_t k = 0; k < 3; ++k) log_weights += std::log(std::exp(e.log_on[k]) + std::exp(e.log_off[k]));
  check_close("plug_in at T = 1", fit.model->tempered_normalizer()->log_normalizer(by("plug_in"), 1, 7, 7),
              7 * log_weights, 1e-8L);
  assert_true(log_weights < 0 && fit.model->tempered_normalizer()->log_normalizer(by("upper"), 1, 7, 7) == 0);
  const Fit fixed = start(false, false);
  assert_true(fixed.model->tempered_normalizer()->log_normalizer(by("plug_in"), 1, 7, 7) == 0);
}

/// What is learned of the activations and the noise can be read.
void learned_posteriors_are_parameters(void**) {
  Fit fit = start(true, true);
  local_step(fit, at(1));
  fit.work->whole_step(GlobalStep{});
  const plain_factorial::State state = state_of(*fit.model);
  const std::vector<double> on = parameter(*fit.model, "activation.on"),
                            off = parameter(*fit.model, "activation.off");
  const std::vector<double> mean = parameter(*fit.model, "activation_probability");
  for (size_t k = 0; k < 3; ++k) {
    check_close("on", on[k], state.on[k], 0);
    check_close("off", off[k], state.off[k], 0);
    check_close("their mean", on[k] / (on[k] + off[k]), mean[k], 1e-14L);
  }
  check_close("shape", parameter(*fit.model, "noise.shape")[0], state.shape, 0);
  check_close("rate", parameter(*fit.model, "noise.rate")[0], state.rate, 0);
  check_close("1 / E tau", state.rate / state.shape, parameter(*fit.model, "noise_variance")[0], 1e-14L);
  for (const Quantity& quantity : start(false, false).model->parameters()) {
    const std::string name = quantity.name;
    assert_true(name.find("activation.") != 0 && name.find("noise.") != 0);
  }
}

void infinite_normalizers_are_refused(void**) {
  const Fit noise = start(false, true), activations = start(true, false);
  const auto requiring = [](const char* estimate, bool rows) {
    RequiredFeatures required;
    required.normalizer = by(estimate);
    required.row_temperatures = rows;
    return required;
  };
  for (const char* estimate : {"auto", "exact"}) {
    const std::string message =
        refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { noise.model->require(requiring(estimate, false)); });
    assert_contains(message, "learn_noise_variance");
    assert_contains(message, "log C(T) is infinite");
    assert_contains(message, "temperature_normalizer upper");
    assert_contains(
        refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { activations.model->require(requiring(estimate, true)); }),
        "temperature_normalizer upper");
    activations.model->require(requiring(estimate, false));
    // The value itself is finite at T = 1 alone.
    const TemperedNormalizer& normalizer = *noise.model->tempered_normalizer();
    assert_true(normalizer.log_normalizer(by(estimate), 1, 9, 9) == 0);
    assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { normalizer.log_normalizer(by(estimate), 0.5, 9, 9); }),
                    "log C(T) is infinite with a learned noise variance");
  }
  assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { noise.model->require(requiring("gibbs", false)); }),
                  "its estimates are exact, upper and plug_in");
  noise.model->require(requiring("upper", true));
  noise.model->require(requiring("plug_in", false));
  noise.model->require({});
  // And through evaluate and the optimizer.
  const Fit fit = start(false, true);
  const auto score = [&](const char* temperature) {
    const OptionValues values(evaluate_options(), options_of({{"temperature", temperature}}), "evaluate");
    return evaluate(*fit.model, fit.data.get(), nullptr, "log_normalizer", values);
  };
  assert_true(score("1") == 0);
  assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { score("2"); }), "infinite with a learned noise variance");
  Options options;
  options.set("method", "tempering");
  assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { Optimizer(fit.model, fit.data, options); }), "infinite");
  options.set("temperature_normalizer", "upper");
  Optimizer(fit.model, fit.data, options).run(20, nullptr, nullptr);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_row_by_quadrature), cmocka_unit_test(learned_probabilities_by_expansion),
      cmocka_unit_test(conditional_estimates_bound_the_expectation),
      cmocka_unit_test(learned_posteriors_are_parameters), cmocka_unit_test(infinite_normalizers_are_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
