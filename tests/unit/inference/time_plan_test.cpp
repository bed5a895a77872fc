// Runs by time, on a simulated machine whose steps take as long as the test says: when the time is over, T is 1 and
// the fit has settled; it never reheats and never overruns, however the machine's speed changes.

#include "inference/time_plan.h"

#include <cstdio>
#include <functional>

#include "inference/presets.h"
#include "inference/temperature_options.h"
#include "support/lda.h"
#include "support/parts.h"

using namespace fixtures;
using namespace vtemper;

namespace {

/// Seconds of step `t`, which begins after `spent` seconds at temperature `temperature`.
using Machine = std::function<double(int64_t t, double spent, double temperature)>;

struct Course {
  int64_t steps = 0, cold_steps = 0;
  double spent = 0;
  double cold_from = -1;  ///< seconds
  double last_temperature = 0;
};

std::unique_ptr<Temperature> schedule(const char* name, const Texts& texts, const MethodDefaults& defaults) {
  return make_part(temperature_parts(), name, texts, defaults, defaults, defaults.temperature_steps > 0);
}

/// A whole run of `seconds`; checks at every step that no schedule goes backwards.
Course run(double seconds, const Machine& machine, double spent = 0, bool full_steps = false,
           double closing_steps = 0) {
  MethodDefaults defaults;
  defaults.temperature_steps = full_steps ? 40 : 0;
  const auto temperature = schedule("schedule", {{"temperature_start", "5"}}, defaults);
  const auto perturbation = make_part(perturbation_parts(), "stochastic", {}, defaults, defaults, full_steps);
  TimePlan plan(seconds, closing_steps);
  plan.begin(spent);
  Clock clock;
  clock.full_steps = full_steps;
  clock.steps_per_pass = 100;
  Course course;
  course.spent = spent;
  PlannedShares before;
  double last_share = 1;
  for (bool over = false; !over; ++course.steps) {
    assert_true(course.steps < 4000000);
    plan.plan(clock);
    const double inverse = temperature->local(clock).inverse;
    assert_true(inverse >= clock.last_inverse && inverse <= 1);
    assert_true(clock.planned->run >= before.run && clock.planned->annealed >= before.annealed &&
                clock.planned->hot <= before.hot);
    const double share = perturbation->next(clock).share;
    assert_true(share <= last_share);
    last_share = share;
    before = *clock.planned;
    if (inverse == 1 && course.cold_from < 0) course.cold_from = course.spent;
    if (inverse == 1) ++course.cold_steps;
    const double took = machine(course.steps, course.spent, 1 / inverse);
    course.spent += took;
    course.last_temperature = 1 / inverse;
    clock.last_inverse = inverse;
    ++clock.iteration;
    over = plan.end_with(took);
    if (clock.steps_total > 0 && clock.iteration >= clock.steps_total) assert_true(over);
  }
  assert_true(last_share == 0);
  return course;
}

/// Steps at T = 1 of a run planned by its number of steps.
double planned_cold(int64_t steps) {
  return static_cast<double>(steps) - annealed_length(steps);
}

void check_course(const char* what, const Course& course, double seconds, double slack, double min_cold) {
  const bool fine = course.last_temperature == 1 && std::abs(course.spent - seconds) <= slack &&
                    static_cast<double>(course.cold_steps) >= min_cold * planned_cold(course.steps) - 1;
  if (!fine) {
    std::printf("%s: %g of %g s, %lld steps, %lld cold from %g s on, T = %g\n", what, course.spent, seconds,
                static_cast<long long>(course.steps), static_cast<long long>(course.cold_steps), course.cold_from,
                course.last_temperature);
  }
  assert_true(fine);
}

void a_steady_machine(void**) {
  for (const double seconds : {1.0, 5.0, 60.0, 3600.0}) {
    for (const double step : {0.2, 0.05, 0.01, 0.001}) {
      const double pace = step * std::min(seconds, 30.0);
      const Course course = run(seconds, [&](int64_t, double, double) { return pace; });
      check_course("steady", course, seconds, 0.51 * pace, 0.97);
      // No more steps at T = 1 than such a run has, except a few by rounding.
      assert_true(static_cast<double>(course.cold_steps) <= 1.1 * planned_cold(course.steps) + 2);
    }
  }
}

void a_machine_that_changes(void**) {
  const double seconds = 20;
  const double pace = 0.01;
  const auto noise = [](int64_t t) { return 0.5 + static_cast<double>(t * 7919 % 101) / 100.0; };
  const struct {
    const char* name;
    Machine machine;
    double slack, min_cold;
  } machines[] = {
      {"noise", [&](int64_t t, double, double) { return pace * noise(t); }, 0.05, 0.9},
      {"slow first step", [&](int64_t t, double, double) { return t == 0 ? 1.0 : pace; }, 0.05, 0.9},
      {"slow first second", [&](int64_t, double spent, double) { return spent < 1 ? 10 * pace : pace; }, 0.05, 0.9},
      {"slower half way", [&](int64_t, double spent, double) { return spent < 10 ? pace : 5 * pace; }, 0.1, 0.5},
      {"faster half way", [&](int64_t, double spent, double) { return spent < 10 ? 5 * pace : pace; }, 0.1, 0.9},
      {"slower near the plain end", [&](int64_t, double spent, double) { return spent < 17 ? pace : 20 * pace; }, 0.3,
       0.02},
      {"a stall", [&](int64_t t, double, double) { return t == 700 ? 5.0 : pace; }, 0.05, 0.9},
      {"cold steps are slow", [&](int64_t, double, double hot) { return pace * (6 - hot); }, 0.1, 0.75},
      {"hot steps are slow", [&](int64_t, double, double hot) { return pace * hot; }, 0.1, 0.9},
      {"busy every other second",
       [&](int64_t, double spent, double) { return static_cast<int64_t>(spent) % 2 == 0 ? pace : 4 * pace; }, 0.1,
       0.6},
  };
  for (const auto& m : machines) check_course(m.name, run(seconds, m.machine), seconds, m.slack, m.min_cold);
  // The start of the model takes its share of the time.
  check_course("a slow start",
               run(
                   seconds, [&](int64_t, double, double) { return pace; }, 8),
               seconds, 0.05, 0.9);
}

/// Schedules of few passes start hotter. A run that only later turns out to be one, or not to be one, is not
/// reheated.
void a_plan_of_fewer_passes_does_not_heat(void**) {
  for (const bool slows : {false, true}) {
    TemperatureSchedule schedule(OptionValues(schedule_options(), {}, "the optimizer"), 0);
    schedule.start_at(2, 5);
    TimePlan plan(20, 0);
    Clock clock;
    clock.steps_per_pass = 100;
    double spent = 0;
    int64_t changes = 0;
    bool was_brief = true;
    for (bool over = false; !over; ++clock.iteration) {
      plan.plan(clock);
      const bool brief = clock.steps_total <= 1000;
      changes += clock.iteration > 10 && brief != was_brief;
      was_brief = brief;
      const double inverse = schedule.inverse(clock);
      assert_true(inverse >= clock.last_inverse);
      clock.last_inverse = inverse;
      const double took = (spent < 4) == slows ? 0.01 : 0.06;
      spent += took;
      over = plan.end_with(took);
    }
    assert_true(changes >= 1 && clock.last_inverse == 1);
  }
}

void steps_over_all_rows(void**) {
  // The model's own length of the annealing is kept if there is time for it.
  const Course long_run = run(
      100, [](int64_t, double, double) { return 0.5; }, 0, true);
  check_course("long", long_run, 100, 0.3, 1);
  assert_int_equal(long_run.steps - long_run.cold_steps, 40);
  const Course short_run = run(
      5, [](int64_t, double, double) { return 0.5; }, 0, true);
  check_course("short", short_run, 5, 0.3, 0.9);
}

void a_run_of_few_steps_ends_cold(void**) {
  for (const double step : {0.1, 0.19, 0.3, 0.45, 0.6, 0.9, 3.0}) {
    const Course course = run(1, [&](int64_t, double, double) { return step; });
    assert_true(course.last_temperature == 1 && course.cold_steps >= 1);
    assert_true(course.steps >= 2 && course.spent <= std::max(1 + 0.51 * step, 2 * step));
  }
  // With a number of steps as well: one, two and three steps end at T = 1.
  const auto temperature = schedule("schedule", {{"temperature_start", "5"}}, MethodDefaults{});
  for (int64_t total = 1; total <= 5; ++total) {
    Clock clock;
    clock.steps_total = total;
    clock.iteration = total - 1;
    assert_true(temperature->local(clock).inverse == 1);
    clock.iteration = 0;
    assert_true((temperature->local(clock).inverse == 1) == (total == 1));
  }
}

void what_follows_the_last_step_has_its_time(void**) {
  const Course course = run(
      20, [](int64_t, double, double) { return 0.01; }, 0, false, 100);
  check_course("100 closing steps", course, 19, 0.05, 0.9);
  const Course capped = run(
      20, [](int64_t, double, double) { return 0.01; }, 0, false, 1e6);
  check_course("too many of them", capped, 20 * (1 - TimePlan::closing_share), 0.05, 0.9);
}

void the_delay_follows_the_plan(void**) {
  const auto make = [](const Texts& texts) { return make_step_size("robbins_monro", texts); };
  Clock clock = clock_at(20, 300);
  clock.planned.emplace();
  check_close("rho", make({})->rate(clock), std::pow(120.0L, -0.7L), 1e-14L);
  clock.steps_total = 600;
  check_close("rho", make({})->rate(clock), std::pow(220.0L, -0.7L), 1e-14L);
  check_close("rho", make({{"step_size_delay", "10"}})->rate(clock), std::pow(30.0L, -0.7L), 1e-14L);
}

void a_plan_is_kept(void**) {
  TimePlan plan(10, 3);
  Clock clock, other;
  plan.begin(0.5);
  for (; clock.iteration < 400; ++clock.iteration) {
    plan.plan(clock);
    assert_false(plan.end_with(0.01 + 0.001 * static_cast<double>(clock.iteration % 7)));
  }
  TimePlan kept(10, 3);
  assert_true(kept.restore(plan.state()));
  other.iteration = clock.iteration;
  for (bool over = false; !over; ++clock.iteration, ++other.iteration) {
    plan.plan(clock);
    kept.plan(other);
    assert_true(clock.steps_total == other.steps_total && clock.planned->annealed == other.planned->annealed);
    over = plan.end_with(0.01);
    assert_true(over == kept.end_with(0.01));
  }
  assert_false(kept.restore({}));
  for (size_t i = 0; i < plan.state().size(); ++i) {
    std::vector<double> damaged = plan.state();
    damaged[i] = -1;
    assert_false(kept.restore(damaged));
  }
}

/// A run of at most so many steps takes exactly these where there is time for them, and no more than there is time
/// for otherwise.
void a_complete_run_ends_early(void**) {
  const auto course = [](double seconds, double steps, const std::function<double(int64_t)>& machine) {
    TimePlan plan(seconds, 0, steps, 0);
    Clock clock;
    double spent = 0, took = 0;
    do {
      plan.plan(clock);
      assert_true(clock.steps_total > clock.iteration);
      if (spent == 0) assert_true(clock.steps_total == static_cast<int64_t>(steps));
      took = machine(clock.iteration);
      spent += took;
      ++clock.iteration;
      if (steps == 1) break;  // it is not for a plan to tell that the first step was the last
    } while (!plan.end_with(took));
    assert_true(steps == 1 || (clock.planned->annealed == 1 && !plan.has_time_left()));
    return std::pair<int64_t, double>(clock.iteration, spent);
  };
  const auto steady = [](int64_t) { return 0.01; };
  const auto slow_start = [](int64_t t) { return t == 0 ? 1.0 : 0.01; };
  for (const double steps : {1.0, 2.0, 3.0, 100.0, 1000.0}) {
    assert_int_equal(course(1e6, steps, steady).first, steps);
    assert_int_equal(course(1e6, steps, slow_start).first, steps);
    assert_int_equal(course(20, steps, slow_start).first, steps);
  }
  assert_close(course(5, 1000, steady).second, 5, 0.02);
  assert_close(course(5, 1000, slow_start).second, 5, 0.05);
  assert_close(course(5, 1e9, steady).second, 5, 0.02);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_steady_machine),
      cmocka_unit_test(a_machine_that_changes),
      cmocka_unit_test(a_plan_of_fewer_passes_does_not_heat),
      cmocka_unit_test(steps_over_all_rows),
      cmocka_unit_test(a_run_of_few_steps_ends_cold),
      cmocka_unit_test(what_follows_the_last_step_has_its_time),
      cmocka_unit_test(the_delay_follows_the_plan),
      cmocka_unit_test(a_plan_is_kept),
      cmocka_unit_test(a_complete_run_ends_early),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
