// The perturbations: values of the schedules, the model's own defaults, what they require of a model.

#include "inference/presets.h"

#include "support/lda.h"
#include "support/parts.h"

using namespace fixtures;
using namespace vtemper;

namespace {

std::unique_ptr<PerturbationSchedule> make(const char* name, const Texts& texts,
                                           const MethodDefaults& defaults = {}) {
  return make_part(perturbation_parts(), name, texts, defaults, defaults, true);
}

Clock clock_at(int64_t iteration, int64_t steps_total = 0, bool full_steps = true) {
  Clock clock = fixtures::clock_at(iteration, steps_total);
  clock.full_steps = full_steps;
  return clock;
}

void none_is_none(void**) {
  const auto none = make("none", {});
  assert_true(none->next(clock_at(0)).share == 0 && none->over(clock_at(0)));
  RequiredFeatures required;
  none->add_required(required);
  assert_false(required.perturbation);
}

/// r_t = 0.9^t, 0 after 50 steps (Gultekin 2015, section 4); r_t = 0.25 (1 - t / 50) of the Gaussian mixtures.
void the_papers_schedules(void**) {
  const auto exponential = make("stochastic", {});
  MethodDefaults mixture;
  mixture.perturbation_shape = "linear";
  mixture.perturbation_start = 0.25;
  const auto linear = make("stochastic", {}, mixture);
  for (int64_t t = 0; t < 50; ++t) {
    check_close("r", exponential->next(clock_at(t)).share, std::pow(0.9L, static_cast<Number>(t)), 1e-14L);
    check_close("r", linear->next(clock_at(t)).share, 0.25L * (1 - static_cast<Number>(t) / 50), 1e-14L);
    assert_false(exponential->over(clock_at(t)) || linear->over(clock_at(t)));
  }
  for (int64_t t = 50; t < 55; ++t) {
    assert_true(exponential->next(clock_at(t)).share == 0 && linear->next(clock_at(t)).share == 0);
    assert_true(exponential->over(clock_at(t)) && linear->over(clock_at(t)));
  }
}

void lengths(void**) {
  const auto over_from = [](const PerturbationSchedule& schedule, int64_t total, bool full) {
    int64_t t = 0;
    while (!schedule.over(clock_at(t, total, full))) ++t;
    return t;
  };
  const auto automatic = make("stochastic", {});
  assert_int_equal(over_from(*automatic, 300, true), 50);
  assert_int_equal(over_from(*automatic, 30, true), 20);
  assert_int_equal(over_from(*automatic, 300, false), 200);
  assert_int_equal(over_from(*automatic, 0, false), 1500);
  assert_int_equal(over_from(*make("stochastic", {{"perturbation_steps", "7"}}), 300, false), 7);
  assert_true(make("stochastic", {{"perturbation_steps", "0"}})->over(clock_at(0)));
  const auto whole = make("stochastic", {{"perturbation_steps", "10"}, {"perturbation_start", "0.4"}});
  check_close("r", whole->next(clock_at(3)).share, 0.4L * std::pow(0.9L, 15.0L), 1e-14L);
}

void scope_and_blend(void**) {
  MethodDefaults of_rows;
  of_rows.perturbation_local = true;
  assert_true(make("stochastic", {}, of_rows)->next(clock_at(0)).local);
  assert_false(make("stochastic", {})->next(clock_at(0)).local);
  assert_false(make("stochastic", {{"perturbation_scope", "global"}}, of_rows)->next(clock_at(0)).local);
  const auto both = make("stochastic", {{"perturbation_scope", "all"}, {"perturbation_blend", "natural"}});
  assert_true(both->next(clock_at(0)).local && both->next(clock_at(0)).natural);
  RequiredFeatures required;
  both->add_required(required);
  assert_true(required.perturbation && required.local_perturbation && required.natural_perturbation);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(none_is_none), cmocka_unit_test(the_papers_schedules),
                              cmocka_unit_test(lengths), cmocka_unit_test(scope_and_blend)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
