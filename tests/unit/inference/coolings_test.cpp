// Runs with several coolings. By number of steps: each cooling is a separate run for schedule and step size. By time,
// on a simulated machine: the first has the length of a default run, the others fill the remaining time, and all end
// at T = 1.

#include <functional>

#include "inference/presets.h"
#include "inference/time_plan.h"
#include "support/assert.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

ConjugateMethod method_of(const Texts& texts, int64_t rows = 2000) {
  MethodDefaults defaults;
  defaults.reheats = true;
  Texts all = {{"temperature_start", "5"}, {"temperature_reheat", "3"}};
  for (const auto& [name, text] : texts) all[name] = text;
  return choose_conjugate_method(options_of(all), rows, defaults);
}

void every_cooling_is_a_run_of_its_own(void**) {
  const ConjugateMethod several = method_of({{"temperature_coolings", "3"}, {"max_iterations", "125"}});
  const ConjugateMethod one = method_of({{"max_iterations", "41"}});
  const ConjugateMethod again = method_of({{"max_iterations", "41"}, {"temperature_start", "3"}});
  Clock clock;
  clock.steps_total = 125;
  clock.coolings = several.coolings;
  clock.steps_per_pass = 100;
  Clock alone = clock;
  alone.steps_total = 41;
  alone.coolings = 1;
  for (; clock.iteration < 125; ++clock.iteration) {
    const Clock cooling = clock.of_cooling();
    const double inverse = several.temperature->local(cooling).inverse;
    if (clock.iteration >= 123) {  // left over by the division
      assert_true(inverse == 1 && cooling.iteration >= 41);
      continue;
    }
    alone.iteration = clock.iteration % 41;
    const ConjugateMethod& like = clock.iteration < 41 ? one : again;
    assert_true(inverse == like.temperature->local(alone).inverse);
    assert_true(several.step_size->rate(cooling) == one.step_size->rate(alone));
  }
}

void each_takes_the_usual_length(void**) {
  const ConjugateMethod one = method_of({});
  const ConjugateMethod three = method_of({{"temperature_coolings", "3"}});
  assert_true(one.steps_total > 0 && three.steps_total == 3 * one.steps_total && one.coolings == 1);
  const ConjugateMethod timed = method_of({{"time", "9"}});
  assert_true(timed.cooling_steps == static_cast<double>(one.steps_total) &&
              timed.later_steps == timed.cooling_steps);
  assert_true(method_of({{"time", "9"}, {"step_size", "constant"}}).cooling_steps == 0);
  assert_true(method_of({{"time", "9"}, {"batch_size", "0"}}).cooling_steps == 0);
}

/// A model's two coolings share the default length, and longer runs have more coolings of the same length.
void a_model_may_ask_for_two(void**) {
  MethodDefaults defaults;
  defaults.reheats = true;
  defaults.coolings = 2;
  defaults.rows_to_reheat = 1500;
  const auto chosen = [&](const Texts& texts, int64_t rows = 2000) {
    return choose_conjugate_method(options_of(texts), rows, defaults);
  };
  const ConjugateMethod default_run = chosen({});
  assert_true(default_run.coolings == 2 && default_run.steps_total == 600);
  const struct {
    Texts texts;
    int64_t rows, coolings, steps;
  } cases[] = {
      {{}, 1499, 1, 643},  // of 14 rows
      {{{"max_passes", "2"}}, 2000, 1, 200},
      {{{"max_passes", "8"}}, 2000, 2, 800},
      {{{"max_passes", "12"}}, 2000, 4, 1200},
      {{{"temperature_coolings", "1"}}, 2000, 1, 600},
      {{{"temperature_coolings", "2"}}, 2000, 2, 600},
      {{{"temperature_coolings", "3"}}, 2000, 3, 900},
      {{{"temperature_coolings", "3"}, {"max_passes", "6"}}, 2000, 3, 600},
      {{{"temperature_start", "4"}}, 2000, 1, 600},
      {{{"temperature_steps", "100"}}, 2000, 1, 600},
      {{{"temperature_shape", "linear"}}, 2000, 1, 600},
      {{{"step_size", "constant"}}, 2000, 1, 600},
      {{{"method", "svi"}}, 2000, 1, 600},
  };
  for (const auto& c : cases) {
    const ConjugateMethod method = chosen(c.texts, c.rows);
    assert_int_equal(method.coolings, c.coolings);
    assert_int_equal(method.steps_total, c.steps);
  }
  assert_int_equal(chosen({{"batch_size", "0"}}).coolings, 1);
  assert_int_equal(chosen({{"rows_total", "5e5"}}, -1).coolings, 1);
  // By time there are two for any data, if there is time for them.
  const ConjugateMethod timed = chosen({{"time", "9"}});
  assert_true(timed.default_coolings == 2 && timed.cooling_steps == 300);
}

/// Few rows are cooled up to four times as often, each time as long; a given number of coolings is kept.
void few_rows_are_cooled_more_often(void**) {
  MethodDefaults defaults;
  defaults.reheats = true;
  defaults.coolings = 2;
  defaults.rows_to_reheat = 300;
  defaults.few_rows = 20000;
  const struct {
    Texts texts;
    int64_t rows, coolings;
    double passes;
  } cases[] = {
      {{}, 20000, 2, 6},
      {{}, 10000, 4, 12},
      {{}, 5000, 8, 24},
      {{}, 1000, 8, 24},
      {{}, 299, 1, 20},
      {{{"max_passes", "6"}}, 5000, 2, 6},
      {{{"temperature_coolings", "1"}}, 5000, 1, 6},
      {{{"temperature_coolings", "3"}}, 5000, 3, 9},
      {{{"temperature_start", "2"}}, 5000, 1, 6},
  };
  for (const auto& c : cases) {
    const ConjugateMethod method = choose_conjugate_method(options_of(c.texts), c.rows, defaults);
    assert_int_equal(method.coolings, c.coolings);
    assert_close(static_cast<double>(method.steps_total) * static_cast<double>(method.batch_size) /
                     static_cast<double>(c.rows),
                 c.passes, 0.5);
  }
  // By time every cooling has the same length.
  assert_int_equal(choose_conjugate_method(options_of({{"time", "9"}}), 5000, defaults).cooling_steps, 300);
}

/// LDA of 250 topics and more takes longer for documents of few words; by time only the first cooling does.
void short_documents_take_longer(void**) {
  constexpr int64_t rows = 60000;
  const ModelKind& kind = model_kind("lda");
  const struct {
    const char* topics;
    double words;  ///< of a document; 0: not known
    double passes;
  } cases[] = {{"249", 29, 10}, {"250", 29, 15},  {"250", 30, 9}, {"250", 0, 9},
               {"999", 29, 15}, {"1000", 29, 12}, {"1000", 30, 9}};
  for (const auto& c : cases) {
    const auto model =
        as_conjugate(kind.create(OptionValues(kind.options(), options_of({{"topics", c.topics}}), "lda")));
    const MethodDefaults defaults = model->method_defaults(c.words);
    assert_true(choose_conjugate_method({}, rows, defaults).passes == c.passes);
    const ConjugateMethod timed = choose_conjugate_method(options_of({{"time", "9"}}), rows, defaults);
    const double steps_per_pass = static_cast<double>(rows) / static_cast<double>(timed.batch_size);
    const bool twice = c.passes == 10;  // in two coolings
    assert_true(timed.cooling_steps == (twice ? 5 : c.passes) * steps_per_pass);
    assert_close(timed.later_steps, (twice ? 10 : 18) * steps_per_pass, 1);
  }
}

struct Course {
  std::vector<int64_t> lengths;  ///< of the coolings
  double spent = 0;
  std::vector<double> first;  ///< inverse temperatures of the first cooling
};

constexpr double usual = 100;

Course run(double seconds, const std::function<double(int64_t step, double spent)>& machine, double later = usual) {
  const ConjugateMethod method = method_of({{"time", "9"}});
  TimePlan plan(seconds, 0, usual, later);
  Clock clock;
  clock.steps_per_pass = 20;
  Course course;
  int64_t began = 0;
  for (;;) {
    assert_true(clock.iteration < 1000000);
    plan.plan(clock);
    assert_true(clock.planned->begin == began && clock.planned->end > clock.iteration);
    const Clock cooling = clock.of_cooling();
    const double inverse = method.temperature->local(cooling).inverse;
    if (clock.iteration == began && began > 0) {
      assert_close(inverse, 1.0 / 3, 1e-12);
    } else {
      assert_true(inverse >= clock.last_inverse);
    }
    if (began == 0) course.first.push_back(inverse);
    clock.last_inverse = inverse;
    const double took = machine(clock.iteration, course.spent);
    course.spent += took;
    ++clock.iteration;
    if (!plan.end_with(took)) continue;
    assert_true(inverse == 1);
    course.lengths.push_back(clock.iteration - began);
    began = clock.iteration;
    const bool time_left = plan.has_time_left();
    assert_true(plan.cool_again() == time_left);
    if (!time_left) return course;
  }
}

void time_is_divided(void**) {
  const double pace = 0.01;
  const auto steady = [&](int64_t, double) { return pace; };
  const struct {
    double seconds;
    size_t coolings;
  } cases[] = {{0.3, 1}, {0.9, 1}, {1, 1}, {1.4, 1}, {1.6, 2}, {2.4, 2}, {2.6, 3}, {10, 10}, {10.7, 11}, {100, 100}};
  for (const auto& c : cases) {
    const Course course = run(c.seconds, steady);
    assert_int_equal(course.lengths.size(), c.coolings);
    assert_close(course.spent, c.seconds, 2 * pace);
    for (const int64_t length : course.lengths) {
      assert_true(c.seconds < 1 || (length >= 0.5 * usual && length <= 1.5 * usual));
    }
    if (c.coolings > 1) assert_close(static_cast<double>(course.lengths[0]), usual, 1);
  }
}

void later_ones_may_be_longer(void**) {
  const auto steady = [](int64_t, double) { return 0.01; };
  const struct {
    double seconds;
    std::vector<int64_t> lengths;
  } cases[] = {{1.9, {190}}, {2.1, {100, 110}}, {3, {100, 200}}, {7, {100, 200, 200, 200}}};
  for (const auto& c : cases) {
    const Course course = run(c.seconds, steady, 2 * usual);
    assert_int_equal(course.lengths.size(), c.lengths.size());
    for (size_t i = 0; i < c.lengths.size(); ++i) {
      assert_close(static_cast<double>(course.lengths[i]), static_cast<double>(c.lengths[i]), 3);
    }
  }
}

/// If there is time for it, the first cooling is the run without option time.
void the_first_is_the_usual_run(void**) {
  const Course course = run(5, [](int64_t, double) { return 0.01; });
  const ConjugateMethod plain = method_of({});
  Clock clock;
  clock.steps_per_pass = 20;
  clock.steps_total = static_cast<int64_t>(usual);
  for (const double inverse : course.first) {
    assert_close(inverse, plain.temperature->local(clock).inverse, 0.01);
    ++clock.iteration;
  }
}

void machines_that_change(void**) {
  const std::function<double(int64_t, double)> machines[] = {
      [](int64_t t, double) { return t == 0 ? 1.0 : 0.01; },
      [](int64_t, double spent) { return spent < 10 ? 0.01 : 0.05; },
      [](int64_t, double spent) { return spent < 10 ? 0.05 : 0.01; },
      [](int64_t t, double) { return t == 700 ? 5.0 : 0.01; },
      [](int64_t, double spent) { return static_cast<int64_t>(spent) % 2 == 0 ? 0.01 : 0.04; },
      [](int64_t, double spent) { return spent < 19.5 ? 0.01 : 0.1; },
  };
  for (const auto& machine : machines) {
    const Course course = run(20, machine);
    assert_true(course.lengths.size() > 2);
    assert_close(course.spent, 20, 1);
  }
}

void a_plan_is_kept(void**) {
  const auto step = [](int64_t t) { return 0.01 + 0.001 * static_cast<double>(t % 7); };
  TimePlan plan(10, 3, usual, usual);
  Clock clock, other;
  plan.begin(0.5);
  for (; clock.iteration < 330; ++clock.iteration) {
    plan.plan(clock);
    if (plan.end_with(step(clock.iteration))) assert_true(plan.cool_again());
  }
  TimePlan kept(10, 3, usual, usual);
  assert_true(kept.restore(plan.state()));
  other.iteration = clock.iteration;
  for (bool over = false; !over; ++clock.iteration, ++other.iteration) {
    plan.plan(clock);
    kept.plan(other);
    assert_true(clock.steps_total == other.steps_total && clock.planned->annealed == other.planned->annealed &&
                clock.planned->cooling == other.planned->cooling && clock.planned->begin == other.planned->begin &&
                clock.planned->end == other.planned->end && clock.planned->cooling >= 1);
    const bool ended = plan.end_with(step(clock.iteration));
    assert_true(ended == kept.end_with(step(clock.iteration)));
    if (!ended) continue;
    over = !plan.cool_again();
    assert_true(kept.cool_again() == !over);
  }
  std::vector<double> state = plan.state();
  for (size_t i = 0; i < state.size(); ++i) {
    std::vector<double> damaged = state;
    damaged[i] = -1;
    assert_false(kept.restore(damaged));
  }
  for (const size_t i : {size_t{7}, size_t{9}, size_t{10}}) {
    std::vector<double> damaged = state;
    damaged[i] = 1e9;  // begun after what is spent, more coolings than steps, steps that are not done
    assert_false(kept.restore(damaged));
  }
  // The state of an earlier version, without several coolings.
  state.resize(7);
  assert_true(kept.restore(state));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_cooling_is_a_run_of_its_own),
      cmocka_unit_test(each_takes_the_usual_length),
      cmocka_unit_test(a_model_may_ask_for_two),
      cmocka_unit_test(few_rows_are_cooled_more_often),
      cmocka_unit_test(short_documents_take_longer),
      cmocka_unit_test(time_is_divided),
      cmocka_unit_test(later_ones_may_be_longer),
      cmocka_unit_test(the_first_is_the_usual_run),
      cmocka_unit_test(machines_that_change),
      cmocka_unit_test(a_plan_is_kept),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
