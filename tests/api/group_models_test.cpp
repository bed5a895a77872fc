// Ranks of a group whose models differ, or become different between steps, are refused; and so is a second thread in
// one group. Ranks are threads.

#include <future>
#include <string>

#include "support/assert.h"
#include "support/rank_handles.h"

using vtemper::test::options_of;
using vtemper::test::RankHandles;
using vtemper::test::RankThreads;
using vtemper::test::says;
using vtemper::test::Texts;

namespace {

constexpr int ranks = 3;
constexpr int64_t rows = 90, columns = 30, topics = 3;

struct Rank : RankHandles {
  /// Sets all numbers of lambda.
  bool set(double value) {
    const std::vector<double> lambda(topics * columns, value);
    return did(vtemper_model_set(model, "lambda", lambda.data(), topics * columns));
  }
  std::vector<double> lambda() {
    std::vector<double> lambda(topics * columns);
    did(vtemper_model_get(model, "lambda", lambda.data(), topics * columns));
    return lambda;
  }
  bool evaluate(vtemper_model* of) {
    double score = 0;
    return did(vtemper_model_evaluate(of, data, nullptr, "predictive", nullptr, &score));
  }
  bool begin(RankThreads& threads, int number, const Texts& of_run) {
    return spread(threads, number,
                  vtemper::test::documents(rows * number / ranks, rows * (number + 1) / ranks, columns, 3)) &&
           create({{"topics", "3"}, {"precision", "double"}}, of_run) && step(1);
  }
};

/// An initialised model of its rank alone.
vtemper_model* own_model(const char* kind, const Texts& options, const Rank& rank) {
  vtemper_options* of_model = options_of(options);
  vtemper_model* model = nullptr;
  vtemper_model_create(kind, of_model, &model);
  vtemper_options_destroy(of_model);
  vtemper_model_initialize(model, rank.own, 1);
  return model;
}

void require_scores_refused(const std::string& words, const char* kind, const Texts& options) {
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    if (!rank.begin(threads, number, {}) || !rank.evaluate(rank.model)) return;
    vtemper_model* other = number == 1 ? own_model(kind, options, rank) : nullptr;
    rank.evaluate(other != nullptr ? other : rank.model);
    vtemper_model_destroy(other);
  });
  for (const Rank& rank : all) {
    assert_true(says(rank, VTEMPER_ERROR_OPTION, words));
    assert_true(says(rank, VTEMPER_ERROR_OPTION, "on rank 1"));
  }
}

void scores_of_different_models_are_refused(void**) {
  const Texts same = {{"topics", "3"}, {"precision", "double"}};
  require_scores_refused("the hash of the model's parameters is", "lda", same);
  require_scores_refused("option topics of the model is 3 on rank 0 and 4", "lda",
                         {{"topics", "4"}, {"precision", "double"}});
  require_scores_refused("the kind of the model is lda on rank 0 and deep_exponential_family",
                         "deep_exponential_family", {});
}

/// The numbers that each rank sets between two steps; 0: none.
void set_between_steps(const std::vector<double>& values, int culprit, const Texts& of_run) {
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    if (!rank.begin(threads, number, of_run)) return;
    const double value = values[static_cast<size_t>(number)];
    if (value > 0 && !rank.set(value)) return;
    rank.step(1);
    const vtemper_status status = rank.status;
    const std::string message = rank.message;
    // When all have set the same, the next step is taken.
    if (!rank.set(2) || !rank.step(1)) return;
    rank.status = status;
    rank.message = message;
  });
  for (int number = 0; number < ranks; ++number) {
    Rank& rank = all[static_cast<size_t>(number)];
    if (number == culprit) {
      assert_true(says(rank, VTEMPER_ERROR_OPTION, "were set here to other numbers than on rank 0"));
    } else {
      assert_true(says(rank, VTEMPER_ERROR_PEER, "of 3: since the last step"));
    }
    assert_int_equal(rank.report.iteration, 2);
    assert_true(rank.lambda() == all.front().lambda());
  }
}

void parameters_that_differ_between_steps_are_refused(void**) {
  for (const Texts& of_run :
       {Texts{{"max_iterations", "9"}}, Texts{{"max_iterations", "9"}, {"reproducible", "true"}}}) {
    set_between_steps({2, 1, 2}, 1, of_run);
    set_between_steps({0, 0, 1}, 2, of_run);
  }
}

void changes_of_all_ranks_are_taken(void**) {
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    static_cast<void>(rank.begin(threads, number, {{"max_iterations", "9"}}) && rank.set(2) && rank.step(2) &&
                      rank.set(3) && rank.set(1) && rank.step(1));
  });
  for (Rank& rank : all) {
    assert_true(says(rank, VTEMPER_OK, ""));
    assert_true(rank.lambda() == all.front().lambda());
  }
}

/// Two ranks in different calls while a third one fails before its call.
void a_failure_beside_different_calls_is_refused(void**) {
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    if (!rank.begin(threads, number, {})) return;
    double score = 0;
    if (number == 0) rank.step(1);
    if (number == 1) rank.evaluate(rank.model);
    if (number == 2) rank.did(vtemper_model_evaluate(rank.model, rank.data, nullptr, nullptr, nullptr, &score));
  });
  assert_true(says(all[0], VTEMPER_ERROR_STATE, "are in different calls: rank 0 is in "));
  assert_true(says(all[1], VTEMPER_ERROR_STATE, "are in different calls: rank 1 is in "));
  assert_true(says(all[2], VTEMPER_ERROR_ARGUMENT, "argument measure is NULL"));
}

/// Host's functions in which a thread waits until it is told that the other one was refused.
struct Waiting {
  std::promise<void> inside, go_on;
};

int wait_inside(void*, int64_t, vtemper_element, vtemper_reduction, void* user) {
  auto* waiting = static_cast<Waiting*>(user);
  waiting->inside.set_value();
  waiting->go_on.get_future().wait();
  return 1;  // the other rank is lost
}

int never(const void*, const int64_t*, void*, const int64_t*, void*) {
  return 1;
}

void a_second_thread_in_a_group_is_refused(void**) {
  Waiting waiting;
  vtemper_group* group = nullptr;
  assert_int_equal(vtemper_group_create(0, 2, wait_inside, never, nullptr, &waiting, &group), VTEMPER_OK);
  Rank first, second;
  for (Rank* rank : {&first, &second}) rank->own = vtemper::test::documents(0, 5, columns, 3);
  std::thread waits([&] { first.did(vtemper_data_spread(first.own, group, &first.data)); });
  waiting.inside.get_future().wait();
  second.did(vtemper_data_spread(second.own, group, &second.data));
  waiting.go_on.set_value();
  waits.join();
  assert_true(says(second, VTEMPER_ERROR_STATE, "is in a call of another thread"));
  assert_true(says(first, VTEMPER_ERROR_PEER, "lost one of them"));
  vtemper_group_destroy(group);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(scores_of_different_models_are_refused),
      cmocka_unit_test(parameters_that_differ_between_steps_are_refused),
      cmocka_unit_test(a_failure_beside_different_calls_is_refused),
      cmocka_unit_test(changes_of_all_ranks_are_taken),
      cmocka_unit_test(a_second_thread_in_a_group_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
