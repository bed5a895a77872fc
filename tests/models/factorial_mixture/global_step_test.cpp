// The global step against finite differences of the plain objective: after it every block of the global posterior is
// a stationary point given the later ones, at any temperature and with priors at any power.

#include "support/conjugate_fit.h"
#include "support/factorial_mixture.h"
#include "support/refusal.h"

using namespace factorial_fixtures;
using namespace vtemper;

namespace {

constexpr Number tolerance = 1e-8L;

struct Setting {
  double inverse;
  bool prior_power;
  bool natural_parameters;
};

const Setting settings[] = {{1, false, false}, {0.3, false, false}, {0.3, true, false}, {0.3, true, true}};

/// The objective after a step from `fit`, as a function of the globals.
Number value(const Fit& fit, const Setting& setting, const plain_factorial::State& state) {
  const Vector inverse(fit.rows.size(), setting.inverse);
  return plain_factorial::objective(fit.priors, state, fit.rows, fit.weights, inverse, fit.nu,
                                    setting.prior_power ? setting.inverse : 1, setting.natural_parameters);
}

GlobalStep step_of(const Setting& setting) {
  GlobalStep step;
  step.prior = at(setting.inverse, setting.prior_power, setting.natural_parameters).prior;
  return step;
}

void every_block_is_stationary(void**) {
  for (const bool learn : {false, true}) {
    for (const Setting& setting : settings) {
      Fit fit = start(learn, learn);
      local_step(fit, at(setting.inverse));
      const plain_factorial::State before = state_of(*fit.model);
      fit.work->whole_step(step_of(setting));
      const plain_factorial::State after = state_of(*fit.model);
      // mu_1, ..., mu_K in turn, at the noise and the activations of before.
      plain_factorial::State state = before;
      for (size_t k = 0; k < 3; ++k) {
        state.mean[k] = after.mean[k];
        state.variance[k] = after.variance[k];
        for (size_t d = 0; d < state.mean[k].size(); ++d) {
          const auto moved = [&](Number x) {
            plain_factorial::State other = state;
            other.mean[k][d] = x;
            return value(fit, setting, other);
          };
          check_close("gradient of a mean", derivative(moved, state.mean[k][d], 0.1L), 0, tolerance, 1);
        }
        const auto moved = [&](Number x) {
          plain_factorial::State other = state;
          other.variance[k] *= std::exp(x);
          return value(fit, setting, other);
        };
        check_close("gradient of a variance", derivative(moved, 0, 0.02L), 0, tolerance, 1);
      }
      if (!learn) continue;
      state.on = after.on;
      state.off = after.off;
      for (Vector plain_factorial::State::*part : {&plain_factorial::State::on, &plain_factorial::State::off}) {
        for (size_t k = 0; k < 3; ++k) {
          const auto moved = [&](Number x) {
            plain_factorial::State other = state;
            (other.*part)[k] *= std::exp(x);
            return value(fit, setting, other);
          };
          check_close("gradient of an activation probability", derivative(moved, 0, 0.02L), 0, tolerance, 1);
        }
      }
      state.shape = after.shape;
      state.rate = after.rate;
      for (Number plain_factorial::State::*part : {&plain_factorial::State::shape, &plain_factorial::State::rate}) {
        const auto moved = [&](Number x) {
          plain_factorial::State other = state;
          other.*part *= std::exp(x);
          return value(fit, setting, other);
        };
        check_close("gradient of the noise", derivative(moved, 0, 0.02L), 0, tolerance, 1);
      }
    }
  }
}

/// rho < 1: natural parameters move by the share rho towards those of the full step (tested for the first component,
/// whose full step sees what the short one sees).
void short_steps_blend_natural_parameters(void**) {
  constexpr double rho = 0.25;
  Fit fit = start(true, true);
  local_step(fit, at(0.6));
  const std::shared_ptr<ConjugateModel> full = as_conjugate(fit.model->copy());
  const plain_factorial::State before = state_of(*fit.model);
  GlobalStep step;
  step.scale = 3;
  vtemper::test::fit_with(*fit.work, *full)->whole_step(step);
  step.rho = rho;
  fit.work->whole_step(step);
  const plain_factorial::State target = state_of(*full), after = state_of(*fit.model);
  const auto blend = [](Number a, Number b) { return (1 - rho) * a + rho * b; };
  check_close("precision", 1 / after.variance[0], blend(1 / before.variance[0], 1 / target.variance[0]), 1e-12L);
  for (size_t d = 0; d < 5; ++d) {
    check_close("precision times mean", after.mean[0][d] / after.variance[0],
                blend(before.mean[0][d] / before.variance[0], target.mean[0][d] / target.variance[0]), 1e-12L, 1);
  }
  for (size_t k = 0; k < 3; ++k) check_close("on", after.on[k], blend(before.on[k], target.on[k]), 1e-12L);
  check_close("shape", after.shape, blend(before.shape, target.shape), 1e-12L);
}

/// A perturbed step keeps the share 1 - r of itself, is the same for the same seed and iteration, and r = 0 is none.
void perturbed_steps_blend_a_draw(void**) {
  Fit fit = start(true, true);
  local_step(fit, at(1));
  const auto stepped = [&](double share, uint64_t iteration) {
    const std::shared_ptr<ConjugateModel> model = as_conjugate(fit.model->copy());
    GlobalStep step;
    step.perturbation.share = share;
    step.perturbation.iteration = iteration;
    step.perturbation.seed = 3;
    step.perturbation.rows = 12;
    vtemper::test::fit_with(*fit.work, *model)->whole_step(step);
    return state_of(*model);
  };
  const plain_factorial::State none = stepped(0, 1), half = stepped(0.5, 1), again = stepped(0.5, 1),
                               other = stepped(0.5, 2), all = stepped(1, 1);
  assert_true(half.mean == again.mean && half.mean != other.mean && half.on == again.on && half.on != other.on);
  check_close("precision", 1 / half.variance[0], (1 / none.variance[0] + 1 / all.variance[0]) / 2, 1e-12L);
  for (size_t d = 0; d < 5; ++d) {
    check_close("precision times mean", half.mean[0][d] / half.variance[0],
                (none.mean[0][d] / none.variance[0] + all.mean[0][d] / all.variance[0]) / 2, 1e-12L, 1);
  }
  check_close("on", half.on[1], (none.on[1] + all.on[1]) / 2, 1e-12L);
  check_close("size of the draw", all.on[1] + all.off[1], 12 + 3, 1e-12L);
}

void statistics_survive_a_machine(void**) {
  Fit fit = start(true, true);
  local_step(fit, at(0.5));
  std::vector<double> statistics(static_cast<size_t>(fit.work->statistics_length()));
  fit.work->write_statistics(statistics.data());
  const std::shared_ptr<ConjugateModel> other = as_conjugate(fit.model->copy());
  const std::unique_ptr<ConjugateFit> elsewhere = other->begin_fit(nullptr, 1);
  elsewhere->read_statistics(statistics.data());
  elsewhere->whole_step(GlobalStep{});
  fit.work->whole_step(GlobalStep{});
  assert_true(same_bits(parameter(*other, "mean"), parameter(*fit.model, "mean")));
  assert_true(same_bits(saved(*other, "noise"), saved(*fit.model, "noise")));
  statistics[2] = -1;
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { elsewhere->read_statistics(statistics.data()); }),
                  "element 2 of the model's statistics is -1");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_block_is_stationary), cmocka_unit_test(short_steps_blend_natural_parameters),
      cmocka_unit_test(perturbed_steps_blend_a_draw), cmocka_unit_test(statistics_survive_a_machine)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
