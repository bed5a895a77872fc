// Moves of every kind that proposes them: they name components, change the parameters within their domain, and the
// same move gives the same bits; runs that try them give the same bits on any number of threads and through
// checkpoints, and their bound does not fall.

#include <cmath>

#include "inference/optimizer.h"
#include "models/contract/models.h"
#include "support/checkpoint.h"
#include "support/parameter.h"

using namespace contract;

namespace {

std::vector<Fixture> fixtures_with_moves() {
  std::vector<Fixture> all;
  for (const Fixture& fixture : fixtures()) {
    const std::shared_ptr<Model> model = model_in_double(fixture);
    if (model->conjugate() != nullptr && model->conjugate()->move_proposals() != nullptr) all.push_back(fixture);
  }
  return all;
}

std::unique_ptr<Optimizer> optimizer_of(const Fixture& fixture, Texts texts) {
  texts.emplace("method", "vi");
  texts.emplace("threads", "1");
  return std::make_unique<Optimizer>(model_in_double(fixture), fixture.data(), options_of(texts));
}

double quantity(const Optimizer& optimizer, const char* name) {
  double value = std::nan("");
  optimizer.read_quantity(name, {&value, 1, 1});
  return value;
}

/// Parameters and what was tried.
Vector outcome(const Optimizer& optimizer) {
  Vector all = parameters(*optimizer.model());
  for (const char* name : {"moves.tried", "moves.kept", "moves.gained", "moves.steps"}) {
    all.push_back(quantity(optimizer, name));
  }
  all.push_back(optimizer.report().elbo);
  return all;
}

void mixtures_and_hidden_markov_models_propose_moves(void**) {
  std::string kinds;
  for (const Fixture& fixture : fixtures_with_moves()) {
    if (kinds.find(fixture.kind) == std::string::npos) kinds += std::string(fixture.kind) + " ";
  }
  if (!all_kinds()) return;
  assert_string_equal(kinds.c_str(), "gaussian_mixture hidden_markov factorial_mixture bernoulli_mixture ");
}

void a_move_stays_in_the_domain(void**) {
  for (const Fixture& fixture : fixtures_with_moves()) {
    const auto optimizer = optimizer_of(fixture, {{"moves", "off"}, {"max_iterations", "30"}});
    optimizer->run(-1, nullptr, nullptr);
    const ConjugateModel& fitted = *optimizer->model()->conjugate();
    const Vector before = parameters(fitted);
    int64_t changed = 0, tried = 0;
    for (int64_t round = 0; round < 4; ++round) {
      const std::vector<Move> moves = fitted.move_proposals()->propose_moves(3, round);
      assert_int_equal(moves.size(), 6);
      for (const Move& move : moves) {
        assert_true(move.slot != move.into && move.slot != move.from);
        const auto moved = as_conjugate(fitted.copy()), again = as_conjugate(fitted.copy());
        moved->move_proposals()->apply_move(move);
        again->move_proposals()->apply_move(move);
        const Vector after = parameters(*moved);
        assert_true(parameters(*again) == after);
        ++tried;
        changed += before != after ? 1 : 0;
        const std::shared_ptr<ConjugateModel> kept = as_conjugate(moved->copy());
        const Optimizer continued(kept, fixture.data(), options_of({{"method", "vi"}}));
        const auto loaded = vtemper::test::through_checkpoint(continued, fixture.data());
        assert_true(parameters(*loaded->model()) == after);
        // The globals are all that a move changes.
        moved->move_proposals()->swap_globals(*again);
        moved->move_proposals()->copy_globals(fitted);
        assert_true(parameters(*moved) == before);
        moved->move_proposals()->swap_globals(*again);
        assert_true(parameters(*moved) == after && parameters(*again) == before);
      }
    }
    assert_true(changed == tried);
  }
}

void one_component_proposes_nothing(void**) {
  for (Fixture fixture : fixtures_with_moves()) {
    for (const char* name : {"components", "states"}) {
      if (fixture.options.count(name) > 0) fixture.options[name] = "1";
    }
    const std::shared_ptr<Model> model = model_in_double(fixture);
    model->initialize(*fixture.data(), 1);
    assert_true(model->conjugate()->move_proposals()->propose_moves(3, 0).empty());
  }
}

/// The model changes in ordinary steps and where a trial is kept, and its bound falls in neither.
void trials_leave_the_model_alone(void**) {
  int64_t kept = 0, tried = 0;
  for (const Fixture& fixture : fixtures_with_moves()) {
    for (const char* seed : {"1", "2", "3"}) {
      const auto optimizer = optimizer_of(fixture, {{"seed", seed}});
      double last_elbo = -INFINITY, steps = 0, of_run = 0;
      Vector before;
      while (!optimizer->report().finished) {
        optimizer->run(1, nullptr, nullptr);
        const Vector after = parameters(*optimizer->model());
        const double elbo = optimizer->report().elbo;
        const bool was_trial = quantity(*optimizer, "moves.steps") > steps;
        const bool was_kept = quantity(*optimizer, "moves.kept") > of_run;
        if (was_trial && !was_kept) assert_true(after == before && elbo == last_elbo);
        assert_true(elbo >= last_elbo - 1e-9 * std::abs(last_elbo));
        steps += was_trial ? 1 : 0;
        of_run += was_kept ? 1 : 0;
        last_elbo = elbo;
        before = after;
      }
      assert_true(quantity(*optimizer, "moves.steps") == steps);
      assert_int_equal(optimizer->report().objective_falls, 0);
      kept += static_cast<int64_t>(of_run);
      tried += static_cast<int64_t>(quantity(*optimizer, "moves.tried"));
    }
  }
  print_message("%d moves tried, %d kept\n", static_cast<int>(tried), static_cast<int>(kept));
  assert_true(tried > 0 && (kept > 0 || !all_kinds()));
}

void threads_give_the_same_bits(void**) {
  for (const Fixture& fixture : fixtures_with_moves()) {
    const auto one = optimizer_of(fixture, {{"threads", "1"}}), three = optimizer_of(fixture, {{"threads", "3"}});
    one->run(-1, nullptr, nullptr);
    three->run(-1, nullptr, nullptr);
    assert_true(outcome(*one) == outcome(*three));
  }
}

/// A run that is saved and loaded after every step ends as one that is not.
void a_checkpoint_holds_the_trials(void**) {
  for (const Fixture& fixture : fixtures_with_moves()) {
    const auto whole = optimizer_of(fixture, {});
    whole->run(-1, nullptr, nullptr);
    std::unique_ptr<Optimizer> parts = optimizer_of(fixture, {});
    int64_t in_trials = 0;
    while (!parts->report().finished) {
      parts->run(1, nullptr, nullptr);
      in_trials += quantity(*parts, "moves.steps") > 0 ? 1 : 0;
      parts = vtemper::test::through_checkpoint(*parts, fixture.data());
    }
    assert_true(in_trials > 20);
    assert_int_equal(parts->report().iteration, whole->report().iteration);
    assert_true(outcome(*parts) == outcome(*whole));
  }
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixtures_and_hidden_markov_models_propose_moves),
      cmocka_unit_test(a_move_stays_in_the_domain),
      cmocka_unit_test(one_component_proposes_nothing),
      cmocka_unit_test(trials_leave_the_model_alone),
      cmocka_unit_test(threads_give_the_same_bits),
      cmocka_unit_test(a_checkpoint_holds_the_trials),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
