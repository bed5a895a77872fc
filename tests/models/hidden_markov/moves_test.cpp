// Moves out of saddle points, plateaus and dead states: every method separates two groups of sequences from every
// seed; a trial does not change the model until it is kept. models.contract.moves has what holds for every kind.

#include <algorithm>
#include <cmath>

#include "inference/moves.h"
#include "inference/optimizer.h"
#include "models/hidden_markov/fixtures.h"
#include "support/interruption.h"
#include "support/refusal.h"
#include "support/sanitizer.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr int64_t symbols = 5;
const int64_t seeds = test::unless_sanitized<int64_t>(20, 3);

/// 50 sequences of 20 symbols, odd ones uniform on {0, 1, 2}, even ones on {2, 3, 4}: two states that never change.
/// States that are equal are a saddle of the bound, where plain fits stop in about half of all cases.
std::shared_ptr<Data> two_groups() {
  Random random(5);
  SequenceList sequences(50);
  for (size_t n = 0; n < sequences.size(); ++n) {
    for (int t = 0; t < 20; ++t) sequences[n].push_back(static_cast<int32_t>(random.below(3) + (n % 2 == 0 ? 2 : 0)));
  }
  return data_of(sequences, symbols);
}

std::unique_ptr<Optimizer> optimizer_of(const std::shared_ptr<Data>& data, Texts texts, const char* states = "2") {
  texts.emplace("seed", "3");
  texts.emplace("threads", "1");
  return std::make_unique<Optimizer>(model_of({{"states", states}}), data, options_of(texts));
}

double quantity(const Optimizer& optimizer, const char* name) {
  double value = std::nan("");
  optimizer.read_quantity(name, {&value, 1, 1});
  return value;
}

/// Seeds of 1 .. `seeds` that end within a nat of `best`.
int64_t good_ends(const char* method, const char* moves, double best) {
  const auto data = two_groups();
  int64_t good = 0;
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    const auto optimizer = optimizer_of(data, {{"method", method}, {"moves", moves}, {"seed", number_text(seed)}});
    optimizer->run(-1, nullptr, nullptr);
    assert_true(optimizer->report().elbo < best + 1e-6 * std::abs(best));
    good += optimizer->report().elbo > best - 1 ? 1 : 0;
    if (std::string(moves) == "auto") assert_true(optimizer->report().converged);
  }
  return good;
}

/// The bound of a fit that starts from the two groups.
double bound_of_groups() {
  const auto data = two_groups();
  auto model = model_of({{"states", "2"}});
  model->initialize(*data, 1);
  set_parameters(*model, {25, 25, 500, 1, 1, 500, 170, 170, 170, 1, 1, 1, 1, 170, 170, 170});
  Optimizer optimizer(model, data, options_of({{"method", "vi"}, {"moves", "off"}, {"max_iterations", "200"}}));
  optimizer.run(-1, nullptr, nullptr);
  return optimizer.report().elbo;
}

void every_seed_tells_two_groups_apart(void**) {
  const double best = bound_of_groups();
  for (const char* method :
       {"vi", "annealing", "entropy_annealing", "tempering", "local_tempering", "stochastic_annealing"}) {
    const int64_t good = good_ends(method, "auto", best);
    if (good != seeds) fail_with("%s: %" PRId64 " of %" PRId64 " seeds", method, good, seeds);
  }
}

void without_moves_some_do_not(void**) {
  const double best = bound_of_groups();
  assert_true(good_ends("vi", "off", best) < seeds);
  assert_true(good_ends("annealing", "off", best) < seeds);
}

/// Step by step: the model changes in ordinary steps and where a trial is kept; the report stays the model's; what
/// was tried and gained adds up.
void trials_leave_the_model_alone(void**) {
  const auto data = two_groups();
  int64_t all_kept = 0;
  for (int64_t seed = 1; seed <= 8; ++seed) {
    const auto optimizer = optimizer_of(data, {{"method", "vi"}, {"seed", number_text(seed)}});
    double last_elbo = -INFINITY, gained = 0;
    int64_t steps = 0, kept = 0;
    std::vector<double> before;
    while (!optimizer->report().finished) {
      optimizer->run(1, nullptr, nullptr);
      const std::vector<double> after = flat_parameters(*optimizer->model());
      const double elbo = optimizer->report().elbo;
      const bool was_trial = quantity(*optimizer, "moves.steps") > static_cast<double>(steps);
      const bool was_kept = quantity(*optimizer, "moves.kept") > static_cast<double>(kept);
      if (was_trial && !was_kept) assert_true(after == before && elbo == last_elbo);
      if (was_kept) gained += elbo - last_elbo;
      assert_true(elbo >= last_elbo - 1e-9 * std::abs(last_elbo) || !std::isfinite(last_elbo));
      steps += was_trial ? 1 : 0;
      kept += was_kept ? 1 : 0;
      last_elbo = elbo;
      before = after;
    }
    assert_true(steps > 0);
    assert_true(quantity(*optimizer, "moves.steps") == static_cast<double>(steps));
    assert_true(quantity(*optimizer, "moves.tried") >= static_cast<double>(kept));
    check_close("gained", quantity(*optimizer, "moves.gained"), gained, 1e-9, 1e-9);
    assert_int_equal(optimizer->report().objective_falls, 0);
    all_kept += kept;
  }
  assert_true(all_kept > 0);
}

/// Counts move between states; their sum stays, and every parameter at or above its prior.
void a_move_keeps_the_counts(void**) {
  const auto data = data_of(random_sequences(60, 25, 12, 7), 12);
  const auto optimizer = optimizer_of(data, {{"method", "vi"}, {"moves", "off"}, {"max_iterations", "20"}}, "4");
  optimizer->run(-1, nullptr, nullptr);
  const auto& fitted = dynamic_cast<const ConjugateModel&>(*optimizer->model());
  const auto sums = [](const std::vector<double>& flat) {
    double initial = 0, transitions = 0, emissions = 0;
    for (size_t i = 0; i < flat.size(); ++i) (i < 4 ? initial : i < 20 ? transitions : emissions) += flat[i];
    return std::vector<double>{initial, transitions, emissions};
  };
  for (int64_t round = 0; round < 3; ++round) {
    const std::vector<Move> moves = fitted.move_proposals()->propose_moves(3, round);
    assert_int_equal(moves.size(), 6);
    for (const Move& move : moves) {
      assert_true(move.slot != move.into && move.slot != move.from);
      const auto moved = as_conjugate(fitted.copy());
      moved->move_proposals()->apply_move(move);
      const std::vector<double> before = flat_parameters(fitted), after = flat_parameters(*moved);
      assert_true(before != after);
      for (size_t i = 0; i < 3; ++i) check_close("sum", sums(after)[i], sums(before)[i], 1e-12);
      const double min_prior = 1.0 / 4;
      for (const double value : after) assert_true(value >= min_prior);
      const auto again = as_conjugate(fitted.copy());
      again->move_proposals()->apply_move(move);
      assert_true(flat_parameters(*again) == after);
    }
  }
  assert_true(model_of({{"states", "1"}})->move_proposals()->propose_moves(3, 0).empty());
}

void starts_try_moves_each(void**) {
  const auto optimizer = optimizer_of(two_groups(), {{"method", "local_tempering"}, {"restarts", "3"}});
  optimizer->run(-1, nullptr, nullptr);
  std::vector<double> bounds(3);
  optimizer->read_quantity("restarts.elbo", {bounds.data(), 1, 1});
  for (const double bound : bounds) assert_true(bound > bound_of_groups() - 1);
}

/// Steps in two halves, as machines with rows of their own take them, try the same moves.
void halves_of_steps_try_moves(void**) {
  const auto whole = optimizer_of(two_groups(), {{"method", "tempering"}});
  whole->run(-1, nullptr, nullptr);
  const auto halves = optimizer_of(two_groups(), {{"method", "tempering"}});
  std::vector<double> statistics(static_cast<size_t>(halves->statistics_length()));
  while (!halves->report().finished) {
    halves->local_step(nullptr, statistics.data());
    halves->global_step(statistics.data(), nullptr);
  }
  assert_true(flat_parameters(*halves->model()) == flat_parameters(*whole->model()));
  assert_true(quantity(*halves, "moves.kept") == quantity(*whole, "moves.kept"));
  // The second half alone is repeated, even if the first half belonged to a trial.
  const auto twice = optimizer_of(two_groups(), {{"method", "vi"}});
  for (int step = 0; step < 220; ++step) {
    twice->local_step(nullptr, statistics.data());
    twice->global_step(statistics.data(), nullptr);
    if (quantity(*twice, "moves.steps") > 0) twice->global_step(statistics.data(), nullptr);
  }
  assert_true(quantity(*twice, "moves.steps") > 0);
}

/// A given limit ends trials as well; the default end of a run does not.
void limits_hold(void**) {
  for (int64_t limit = 60; limit < 160; limit += 7) {
    const auto optimizer =
        optimizer_of(two_groups(), {{"method", "local_tempering"}, {"max_iterations", number_text(limit)}});
    optimizer->run(-1, nullptr, nullptr);
    assert_true(optimizer->report().iteration <= limit);
    assert_true(optimizer->report().converged || optimizer->report().iteration == limit);
  }
}

/// A cancelled run has the model from before the trial, and continues to the same end.
void cancelled_in_a_trial(void**) {
  const auto whole = optimizer_of(two_groups(), {{"method", "tempering"}});
  whole->run(-1, nullptr, nullptr);
  const auto cancelled = optimizer_of(two_groups(), {{"method", "tempering"}, {"report_every", "1"}});
  const auto stop = [&](const vtemper_report&) { return quantity(*cancelled, "moves.steps") == 5; };
  assert_int_equal(cancelled->run(-1, stop, nullptr), VTEMPER_CANCELLED);
  assert_false(cancelled->report().finished);
  cancelled->run(-1, nullptr, nullptr);
  assert_true(flat_parameters(*cancelled->model()) == flat_parameters(*whole->model()));
}

/// The search for the moves of a round can be interrupted; it is made once, so that later trials of the round, whose
/// preparation is short, are not.
void the_search_for_moves_can_be_interrupted(void**) {
  const auto data = data_of(random_sequences(60, 25, 12, 7), 12);
  const auto optimizer = optimizer_of(data, {{"method", "vi"}, {"moves", "off"}, {"max_iterations", "20"}}, "4");
  optimizer->run(-1, nullptr, nullptr);
  auto& model = dynamic_cast<ConjugateModel&>(*optimizer->model());
  const std::atomic<bool> cancelled{true};
  Moves moves(true, 3), uninterrupted(true, 3);
  moves.begin(optimizer->report().elbo);
  uninterrupted.begin(optimizer->report().elbo);
  // The workspace of the first trial is made by a call that is not interrupted in the search.
  for (int trial = 0; trial < 3; ++trial) {
    if (trial == 0) {
      const WorksFor loop(cancelled);
      refusal(VTEMPER_CANCELLED, [&] { moves.prepare(model, data.get(), data->rows()); });
    }
    const std::atomic<bool> of_trial{trial > 0};
    {
      const WorksFor loop(of_trial);
      moves.prepare(model, data.get(), data->rows());
    }
    uninterrupted.prepare(model, data.get(), data->rows());
    assert_true(flat_parameters(moves.candidate()) == flat_parameters(uninterrupted.candidate()));
    while (moves.under_way() && moves.steps() < 8 * (trial + 1)) assert_false(moves.step(-INFINITY));
    while (uninterrupted.steps() < moves.steps()) uninterrupted.step(-INFINITY);
  }
  // Whoever sets parameters during a round gets moves of these.
  std::vector<double> values = flat_parameters(model);
  std::rotate(values.begin() + 20, values.begin() + 22, values.end());
  set_parameters(model, values);
  model.count_change();
  const WorksFor loop(cancelled);
  refusal(VTEMPER_CANCELLED, [&] { moves.prepare(model, data.get(), data->rows()); });
}

void the_user_is_told(void**) {
  const auto optimizer = optimizer_of(two_groups(), {{"method", "local_tempering"}});
  std::string told;
  optimizer->run(-1, nullptr,
                 [&](int level, const std::string& text) { told += number_text(int64_t{level}) + text; });
  assert_true(told.find("1moves out of the optimum: ") != std::string::npos);
  assert_true(told.find("1 kept, which raised the bound by ") != std::string::npos);
}

void the_user_is_told_of_none(void**) {
  std::string told;
  for (int seed = 0; seed < 20 && told.find("none kept") == std::string::npos; ++seed) {
    const auto optimizer = optimizer_of(two_groups(), {{"method", "vi"}, {"seed", number_text(int64_t{seed})}});
    told.clear();
    optimizer->run(-1, nullptr, [&](int, const std::string& text) { told += text + "\n"; });
  }
  assert_contains(told, " steps, none kept\n");
}

void what_has_no_meaning_is_refused(void**) {
  assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED,
                          [] {
                            optimizer_of(two_groups(), {{"moves", "on"}, {"batch_size", "5"}});
                          }),
                  "option moves is for steps over all rows");
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_seed_tells_two_groups_apart),
      cmocka_unit_test(without_moves_some_do_not),
      cmocka_unit_test(trials_leave_the_model_alone),
      cmocka_unit_test(a_move_keeps_the_counts),
      cmocka_unit_test(starts_try_moves_each),
      cmocka_unit_test(halves_of_steps_try_moves),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(cancelled_in_a_trial),
      cmocka_unit_test(the_search_for_moves_can_be_interrupted),
      cmocka_unit_test(the_user_is_told),
      cmocka_unit_test(the_user_is_told_of_none),
      cmocka_unit_test(what_has_no_meaning_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
