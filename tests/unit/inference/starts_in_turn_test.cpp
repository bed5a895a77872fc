// Successive starts: each equals the run of its seed alone, the caller's model is the best of those that have ended,
// and stops and checkpoints lose none of them. How many there are in a run by time depends on the machine.

#include <algorithm>
#include <cmath>

#include "inference/optimizer.h"
#include "models/model.h"
#include "support/checkpoint.h"
#include "support/cmocka.h"
#include "support/dense.h"
#include "support/error.h"
#include "support/option_texts.h"
#include "support/random.h"
#include "support/sanitizer.h"
#include "support/text.h"

using namespace vtemper;
using vtemper::test::Random;
using vtemper::test::unless_sanitized;

namespace {

constexpr int64_t columns = 2;
const Texts usual = {{"method", "vi"}, {"seed", "7"}, {"threads", "1"}, {"report_every", "1"}};

/// Rows of seven clusters.
std::shared_ptr<const Data> clusters(int64_t rows = 120) {
  Random random(3);
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    const double cluster = static_cast<double>(row % 7);
    values.push_back(4 * std::fmod(3 * cluster, 7) + random.normal());
    values.push_back(3 * cluster + random.normal());
  }
  return test::dense_data(values, columns);
}

std::shared_ptr<Model> mixture() {
  const ModelKind& kind = model_kind("gaussian_mixture");
  return kind.create(OptionValues(kind.options(), options_of({{"components", "7"}, {"start", "random"}}), kind.name));
}

Texts with(Texts texts, const Texts& more) {
  for (const auto& [name, value] : more) texts[name] = value;
  return texts;
}

std::vector<double> means_of(const Model& model) {
  std::vector<double> values(7 * columns);
  model.read_parameter("mean", {values.data(), columns, 1});
  return values;
}

/// ELBO of every start that has ended.
std::vector<double> bounds_of(const Optimizer& optimizer) {
  for (const Quantity& quantity : optimizer.quantities()) {
    if (quantity.name != std::string("restarts.elbo")) continue;
    std::vector<double> bounds(static_cast<size_t>(quantity.shape[0]));
    optimizer.read_quantity("restarts.elbo", {bounds.data(), 1, 1});
    return bounds;
  }
  return {};
}

/// A fit with only the seed that was kept has the same parameters, and no other bound is better.
void check_kept(const Optimizer& optimizer, const std::shared_ptr<const Data>& data) {
  const std::vector<double> bounds = bounds_of(optimizer);
  const int64_t seed = std::stoll(optimizer.options().text("seed"));
  const std::shared_ptr<Model> alone = mixture();
  Texts texts = with(usual, {{"max_passes", "100000"}});
  texts["seed"] = number_text(seed);
  Optimizer single(alone, data, options_of(texts));
  single.run(-1, nullptr, nullptr);
  assert_true(means_of(*alone) == means_of(*optimizer.model()));
  assert_true(optimizer.report().iteration == single.report().iteration);
  for (size_t i = 0; i < bounds.size(); ++i) {
    const double bound = bounds[i];
    // The end of the time may have cut off the last one.
    if (std::isnan(bound) && i + 1 == bounds.size()) continue;
    const double kept = bounds[static_cast<size_t>(seed - 7)];
    if (bound <= kept * (1 - 1e-8)) continue;  // bounds are negative here
    print_error("start %zu of %zu has the bound %.17g, the one that was kept, %d, has %.17g\n", i, bounds.size(),
                bound, static_cast<int>(seed - 7), kept);
    assert_true(false);
  }
}

void the_best_of_many_is_kept(void**) {
  const std::shared_ptr<const Data> data = clusters();
  const std::shared_ptr<Model> model = mixture();
  const char* const time = unless_sanitized("0.7", "7");
  Optimizer optimizer(model, data, options_of(with(usual, {{"time", time}})));
  std::string told;
  double before = -1;
  int64_t steps = 0;
  assert_int_equal(optimizer.run(
                       -1,
                       [&](const vtemper_report& report) {
                         assert_true(report.finished == 0 || report.ending == VTEMPER_ENDING_CONVERGED);
                         assert_true(report.seconds >= before);
                         before = report.seconds;
                         ++steps;
                         return false;
                       },
                       [&](int, const std::string& text) { told += text; }),
                   VTEMPER_OK);
  const std::vector<double> bounds = bounds_of(optimizer);
  print_message("%d starts in %d steps\n", static_cast<int>(bounds.size()), static_cast<int>(steps));
  assert_true(bounds.size() > 1 && steps > optimizer.report().iteration);
  assert_true(optimizer.report().finished == 1 && optimizer.report().ending == VTEMPER_ENDING_CONVERGED);
  assert_true(told.find(message(static_cast<int64_t>(bounds.size()), " starts")) != std::string::npos);
  assert_true(optimizer.model() == model);
  bool differ = false;
  for (const double bound : bounds) differ = differ || bound < bounds[0] - 1 || bound > bounds[0] + 1;
  assert_true(differ);
  check_kept(optimizer, data);
  // The run is over, and further steps continue the start that was kept.
  assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
  const int64_t iteration = optimizer.report().iteration;
  optimizer.run(2, nullptr, nullptr);
  assert_true(optimizer.report().iteration == iteration + 2 && bounds_of(optimizer).size() == bounds.size());
}

/// Only one start if their number is given, if time is short, or if a step does not see all rows.
void some_runs_have_one(void**) {
  const std::shared_ptr<const Data> data = clusters();
  for (const Texts& more : {Texts{{"restarts", "1"}, {"time", "0.3"}}, Texts{{"time", "1e-9"}},
                            Texts{{"batch_size", "20"}, {"time", "0.1"}}, Texts{}}) {
    Optimizer optimizer(mixture(), data, options_of(with(usual, more)));
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_true(bounds_of(optimizer).empty() && optimizer.report().finished == 1);
  }
}

void a_stopped_run_has_the_best_so_far(void**) {
  const std::shared_ptr<const Data> data = clusters();
  const std::shared_ptr<Model> model = mixture();
  Optimizer optimizer(model, data, options_of(with(usual, {{"time", "30"}})));
  const auto two_starts = [&](const vtemper_report&) { return bounds_of(optimizer).size() >= 2; };
  assert_int_equal(optimizer.run(-1, two_starts, nullptr), VTEMPER_CANCELLED);
  assert_true(optimizer.report().ending == VTEMPER_ENDING_CANCELLED && optimizer.report().finished == 0);
  check_kept(optimizer, data);
  // Stopped in the middle of a start, and continued from there.
  optimizer.run(3, nullptr, nullptr);
  check_kept(optimizer, data);
  assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
  // The last 50 starts gained nothing, or the time was over.
  assert_true(bounds_of(optimizer).size() > 2 && optimizer.report().finished == 1);
  check_kept(optimizer, data);
}

void a_checkpoint_has_all_that_ended(void**) {
  const std::shared_ptr<const Data> data = clusters();
  const char* const time = unless_sanitized("2", "10");  // more than four starts take, also beside other work
  Optimizer first(mixture(), data, options_of(with(usual, {{"time", time}})));
  while (bounds_of(first).size() < 4) first.run(1, nullptr, nullptr);
  first.run(2, nullptr, nullptr);
  const std::unique_ptr<Optimizer> second = test::through_checkpoint(first, data);
  const std::vector<double> before = bounds_of(first);
  assert_true(bounds_of(*second) == before && means_of(*second->model()) == means_of(*first.model()));
  assert_int_equal(second->run(-1, nullptr, nullptr), VTEMPER_OK);
  const std::vector<double> after = bounds_of(*second);
  assert_true(after.size() >= before.size() && std::equal(before.begin(), before.end(), after.begin()));
  check_kept(*second, data);
  // The interrupted start was repeated and gives the same result, as do those after it.
  first.run(-1, nullptr, nullptr);
  const std::vector<double> whole = bounds_of(first);
  for (size_t i = 0; i < std::min(whole.size(), after.size()); ++i) {
    assert_true(whole[i] == after[i] || std::isnan(whole[i]) || std::isnan(after[i]));
  }
}

const Texts only_seed = {{"seed", "7"}, {"threads", "1"}};

/// A fit with the options in use of the start that was kept, on a new model, has the same parameters.
void check_repeated(const Optimizer& optimizer, const std::shared_ptr<const Data>& data) {
  const std::shared_ptr<Model> again = mixture();
  Optimizer alone(again, data, optimizer.used_options());
  alone.run(-1, nullptr, nullptr);
  assert_true(bounds_of(alone).empty());
  assert_true(means_of(*again) == means_of(*optimizer.model()));
}

/// Small work: twenty starts, every other one by vi, of which the best is kept.
void the_default_makes_twenty(void**) {
  const std::shared_ptr<const Data> data = clusters();
  Optimizer optimizer(mixture(), data, options_of(only_seed));
  assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
  const std::vector<double> bounds = bounds_of(optimizer);
  assert_int_equal(bounds.size(), 20);
  assert_true(optimizer.report().finished == 1 && optimizer.report().ending == VTEMPER_ENDING_CONVERGED);
  check_repeated(optimizer, data);
  // Of starts that end in the same optimum the first is kept.
  size_t best = 0;
  for (size_t i = 1; i < bounds.size(); ++i) {
    if (bounds[i] > bounds[best] + 1e-9 * std::abs(bounds[best])) best = i;
  }
  assert_string_equal(optimizer.options().text("seed").c_str(), number_text(static_cast<int64_t>(7 + best)).c_str());
}

/// More work: fewer starts. Given methods, parts, lengths, parameters and single steps: one.
void the_default_makes_fewer_or_one(void**) {
  const std::shared_ptr<const Data> data = clusters();
  if (unless_sanitized(true, false)) {
    Optimizer large(mixture(), clusters(400000), options_of({{"seed", "7"}}));
    large.run(-1, nullptr, nullptr);
    assert_true(bounds_of(large).size() < 20);
  }
  for (const Texts& more : {Texts{{"method", "annealing"}}, Texts{{"temperature_start", "2"}},
                            Texts{{"max_passes", "300"}}, Texts{{"deadline", "100"}}, Texts{{"restarts", "1"}}}) {
    Optimizer optimizer(mixture(), data, options_of(with(only_seed, more)));
    optimizer.run(-1, nullptr, nullptr);
    assert_true(bounds_of(optimizer).empty() && optimizer.report().finished == 1);
  }
  const std::shared_ptr<Model> drawn = mixture();
  drawn->initialize(*data, 3);
  Optimizer continued(drawn, data, options_of(only_seed));
  continued.run(-1, nullptr, nullptr);
  assert_true(bounds_of(continued).empty());
  Optimizer changed(mixture(), data, options_of(only_seed));
  changed.model()->count_change();
  changed.run(-1, nullptr, nullptr);
  assert_true(bounds_of(changed).empty());
  Optimizer stepped(mixture(), data, options_of(only_seed));
  stepped.run(continued.report().iteration + 1000, nullptr, nullptr);
  assert_true(bounds_of(stepped).empty() && stepped.report().finished == 1);
}

/// As many starts as the default makes, side by side: without moves the same starts, by the same methods.
void as_many_side_by_side(void**) {
  const std::shared_ptr<const Data> data = clusters();
  const Texts without_moves = with(only_seed, {{"moves", "off"}});
  Optimizer by_default(mixture(), data, options_of(without_moves));
  by_default.run(-1, nullptr, nullptr);
  const std::vector<double> bounds = bounds_of(by_default);
  for (const char* const threads : {"1", "2"}) {
    Optimizer as_many(mixture(), data, options_of(with(without_moves, {{"restarts", "20"}, {"threads", threads}})));
    as_many.run(-1, nullptr, nullptr);
    assert_true(bounds.size() == 20 && bounds_of(as_many) == bounds);
    assert_true(means_of(*as_many.model()) == means_of(*by_default.model()));
  }
  // With a method, all starts are by it.
  const Texts by_method = with(only_seed, {{"method", "annealing"}, {"restarts", "2"}});
  Optimizer two(mixture(), data, options_of(by_method));
  two.run(-1, nullptr, nullptr);
  Optimizer next(mixture(), data, options_of(with(by_method, {{"seed", "8"}})));
  next.run(-1, nullptr, nullptr);
  assert_true(bounds_of(two)[1] == bounds_of(next)[0]);
}

/// A start tries moves if its bound before them is better than those of all earlier starts of its method.
void only_leading_starts_try_moves(void**) {
  const std::shared_ptr<const Data> data = clusters();
  const auto bounds_with = [&](const Texts& more) {
    Optimizer optimizer(mixture(), data, options_of(with(only_seed, more)));
    optimizer.run(-1, nullptr, nullptr);
    return bounds_of(optimizer);
  };
  const std::vector<double> bounds = bounds_with({}), unmoved = bounds_with({{"moves", "off"}});
  const std::vector<double> moved = bounds_with({{"restarts", "20"}});  // side by side all of them try
  double best[] = {-HUGE_VAL, -HUGE_VAL};
  int spared = 0;
  for (size_t i = 0; i < 20; ++i) {
    Texts alone = {{"seed", number_text(static_cast<int64_t>(7 + i))}, {"restarts", "1"}, {"moves", "off"}};
    if (i % 2 == 1) alone["method"] = "vi";
    Optimizer start(mixture(), data, options_of(with(only_seed, alone)));
    start.run(-1, nullptr, nullptr);
    const double bound = start.report().elbo;
    assert_true(std::abs(bound - unmoved[i]) <= 1e-3 * std::abs(bound));  // it is that before the last update
    const bool leads = bound > best[i % 2] + 1e-9 * std::abs(bound);
    best[i % 2] = std::max(best[i % 2], bound);
    assert_true(bounds[i] == (leads ? moved : unmoved)[i]);
    spared += !leads && moved[i] != unmoved[i] ? 1 : 0;
  }
  assert_true(spared > 0);
}

/// A default run that was stopped before its fourth start, or in it.
void stop_in_a_start(Optimizer& optimizer, bool before = false) {
  int steps = before ? 1 : 0;
  const auto in_fourth = [&](const vtemper_report&) { return bounds_of(optimizer).size() == 3 && ++steps == 2; };
  assert_int_equal(optimizer.run(-1, in_fourth, nullptr), VTEMPER_CANCELLED);
}

/// The model is the caller's: no later start replaces what he set, fed or counted himself.
void starts_end_where_the_caller_takes_over(void**) {
  const std::shared_ptr<const Data> data = clusters();
  const Texts texts = with(only_seed, {{"report_every", "1"}});
  for (const bool before : {false, true}) {
    Optimizer set(mixture(), data, options_of(texts));
    stop_in_a_start(set, before);
    const std::vector<double> own(7 * columns, 77);
    set.model()->write_parameter("mean", own.data());
    set.model()->count_change();
    assert_int_equal(set.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_true(set.report().finished == 1 && bounds_of(set).size() == 3);
    assert_true(means_of(*set.model()) != own);  // the run went on from there
  }

  Optimizer fed(mixture(), data, options_of(texts)), halved(mixture(), data, options_of(texts));
  for (Optimizer* optimizer : {&fed, &halved}) {
    stop_in_a_start(*optimizer);
    const int64_t iteration = optimizer->report().iteration;
    if (optimizer == &fed) {
      optimizer->feed(*data, nullptr);
    } else {
      std::vector<double> statistics(static_cast<size_t>(optimizer->statistics_length()));
      optimizer->local_step(nullptr, statistics.data());
      optimizer->global_step(statistics.data(), nullptr);
    }
    assert_int_equal(optimizer->report().iteration, iteration + 1);
    const std::vector<double> means = means_of(*optimizer->model());
    assert_int_equal(optimizer->run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_true(means_of(*optimizer->model()) == means && bounds_of(*optimizer).size() == 3);
  }

  Optimizer counted(mixture(), data, options_of(texts));
  stop_in_a_start(counted);
  const double iteration = 3;
  counted.write_quantity("iteration", &iteration);
  assert_int_equal(counted.run(2, nullptr, nullptr), VTEMPER_OK);
  assert_true(counted.report().iteration == 5 && bounds_of(counted).size() == 3);
}

/// Stopped and saved after some starts, continued from the file: the same starts and bits as without a stop.
void the_default_goes_on_from_a_checkpoint(void**) {
  const std::shared_ptr<const Data> data = clusters();
  Optimizer whole(mixture(), data, options_of(only_seed)), stopped(mixture(), data, options_of(only_seed));
  whole.run(-1, nullptr, nullptr);
  const auto four_starts = [&](const vtemper_report&) { return bounds_of(stopped).size() >= 4; };
  assert_int_equal(stopped.run(-1, four_starts, nullptr), VTEMPER_CANCELLED);
  const std::unique_ptr<Optimizer> resumed = test::through_checkpoint(stopped, data);
  assert_int_equal(resumed->run(-1, nullptr, nullptr), VTEMPER_OK);
  assert_true(bounds_of(*resumed) == bounds_of(whole));
  assert_true(means_of(*resumed->model()) == means_of(*whole.model()));
  assert_true(resumed->report().iteration == whole.report().iteration);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_best_of_many_is_kept),
      cmocka_unit_test(some_runs_have_one),
      cmocka_unit_test(a_stopped_run_has_the_best_so_far),
      cmocka_unit_test(a_checkpoint_has_all_that_ended),
      cmocka_unit_test(the_default_makes_twenty),
      cmocka_unit_test(the_default_makes_fewer_or_one),
      cmocka_unit_test(as_many_side_by_side),
      cmocka_unit_test(only_leading_starts_try_moves),
      cmocka_unit_test(the_default_goes_on_from_a_checkpoint),
      cmocka_unit_test(starts_end_where_the_caller_takes_over),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
