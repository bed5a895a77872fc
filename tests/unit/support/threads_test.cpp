// Loops: every index once, on the threads asked for; exceptions; fork; the numbers that the environment allows.

#include "support/threads.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "refusal.h"

using namespace vtemper;

namespace {

void test_every_index_once(void**) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> met(static_cast<size_t>(count));
      std::atomic<bool> good{true};
      parallel_for(threads, count, [&](int64_t index, int thread) {
        ++met[static_cast<size_t>(index)];
        if (thread < 0 || thread >= threads || thread != thread_number()) good = false;
      });
      assert_true(good);
      for (const auto& times : met) assert_int_equal(times, 1);
    }
  }
}

/// A share is that of its own thread, in every loop.
void test_every_share_once(void**) {
  for (const int shares : {1, 2, 3, 8}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::atomic<int>> met(static_cast<size_t>(shares));
      std::atomic<bool> good{true};
      parallel_shares(shares, [&](int64_t share, LoopEnd&) {
        ++met[static_cast<size_t>(share)];
        if (share != thread_number()) good = false;
      });
      assert_true(good);
      for (const auto& times : met) assert_int_equal(times, 1);
    }
  }
}

void test_threads_are_used(void**) {
  // Eight that wait for each other: fewer would never finish, so the wait has an end.
  std::atomic<int> arrived{0};
  std::atomic<bool> together{true};
  parallel_for(usable_threads(8), 8, [&](int64_t, int) {
    ++arrived;
    for (int i = 0; arrived < 8; ++i) {
      if (i == 10000) {
        together = false;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  assert_true(together);
}

std::string failure_of(int threads) {
  try {
    parallel_for(threads, 100, [](int64_t index, int) {
      if (index % 10 == 7) throw std::runtime_error("index " + std::to_string(index));
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

void test_exceptions(void**) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    assert_text(failure_of(1), "index 7");
    assert_text(failure_of(4), "index 7");
  }
  for (const int shares : {1, 4}) {
    int64_t thrown = -1;
    try {
      parallel_shares(shares, [](int64_t share, LoopEnd&) { throw share; });
    } catch (const int64_t share) {
      thrown = share;
    }
    assert_int_equal(thrown, 0);
  }
  bool caught = false;
  try {
    parallel_for(2, 4, [](int64_t, int) { throw 5; });  // of any type
  } catch (const int number) {
    caught = number == 5;
  }
  assert_true(caught);
}

/// Ends what it is asked about, once: a second question would be answered by going on.
int end_once(void* asked) {
  return ++*static_cast<int*>(asked) == 1;
}

void nap() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Steps of a millisecond that `loop` makes before it ends, or -1 where it does not end as interrupted.
template <class Loop>
int interrupted_after(const Loop& loop) {
  int asked = 0;
  std::atomic<int> steps{0};
  set_interruption(end_once, &asked);
  bool cancelled = false;
  try {
    loop(steps);
  } catch (const Error& error) {
    cancelled = error.status() == VTEMPER_CANCELLED;
  }
  set_interruption(nullptr, nullptr);
  return cancelled && asked == 1 ? steps.load() : -1;
}

/// One answer ends a loop on all its threads, wherever it was asked for.
void test_interruption(void**) {
  constexpr int all = 4000, soon = 1000;
  for (const int threads : {1, 2}) {
    const int of_chunks = interrupted_after([&](std::atomic<int>& steps) {
      parallel_for(threads, all, [&](int64_t, int) {
        nap();
        ++steps;
      });
    });
    const int of_loops_in_chunks = interrupted_after([&](std::atomic<int>& steps) {
      parallel_for(threads, all / 20, [&](int64_t, int) {
        parallel_for(1, 20, [&](int64_t, int) {
          nap();
          ++steps;
        });
      });
    });
    const int of_shares = interrupted_after([&](std::atomic<int>& steps) {
      parallel_shares(threads, [&](int64_t, LoopEnd& end) {
        for (int i = 0; i < all / threads && !end.wanted(); ++i) {
          nap();
          ++steps;
        }
      });
    });
    for (const int steps : {of_chunks, of_loops_in_chunks, of_shares}) assert_true(steps > 0 && steps < soon);
  }
}

void test_requests(void**) {
  assert_true(usable_threads(0) >= 1);
  assert_int_equal(usable_threads(1), 1);
  assert_int_equal(usable_threads(8), 8);
  assert_true(usable_threads(INT64_MAX) >= 64);
  assert_true(usable_threads(INT64_MAX) <= 1 << 16);
  assert_int_equal(usable_threads(-5), usable_threads(0));
}

/// Exit status of `work` in a forked child that has ten seconds.
template <class Work>
int in_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int64_t sum_by_threads(int threads) {
  std::atomic<int64_t> sum{0};
  parallel_for(threads, 1000, [&](int64_t index, int) { sum += index; });
  return sum;
}

int64_t sum_by_shares(int shares) {
  std::atomic<int64_t> sum{0};
  parallel_shares(shares, [&](int64_t share, LoopEnd&) { sum += share; });
  return sum;
}

void test_fork(void**) {
  assert_int_equal(sum_by_threads(2), 499500);
  assert_int_equal(threads_of_process(2), 2);
  assert_int_equal(
      in_child([] {
        if (threads_of_process(2) != 1) return 1;
        if (sum_by_threads(2) != 499500) return 2;
        if (sum_by_shares(4) != 6) return 3;
        // And in a child of the child.
        return in_child([] { return sum_by_threads(4) == 499500 && threads_of_process(4) == 1 ? 0 : 4; });
      }),
      0);
  // The parent goes on with its threads.
  assert_int_equal(threads_of_process(2), 2);
  assert_int_equal(sum_by_threads(2), 499500);
}

/// This program again, under an environment that says how many threads there are.
int run_again(const char* environment, const char* argument) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  assert_true(length > 0);
  const std::string command =
      std::string(environment) + " '" + std::string(path, static_cast<size_t>(length)) + "' " + argument;
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void test_environment(void**) {
  assert_int_equal(run_again("OMP_NUM_THREADS=3", "0"), 3);
  assert_int_equal(run_again("OMP_NUM_THREADS=3", "5"), 5);
  assert_int_equal(run_again("OMP_THREAD_LIMIT=2", "5"), 2);
  assert_int_equal(run_again("OMP_NUM_THREADS=4 OMP_THREAD_LIMIT=2", "0"), 2);
}

/// A step has no more threads than it has work for.
void test_threads_worth(void**) {
  assert_int_equal(run_again("VTEMPER_THREAD_OPERATIONS=1", "worth 3.5"), 3);
  assert_int_equal(run_again("VTEMPER_THREAD_OPERATIONS=1", "worth 0.5"), 1);
  assert_int_equal(run_again("VTEMPER_THREAD_OPERATIONS=1", "worth 1e300"), 8);
  assert_int_equal(run_again("VTEMPER_THREAD_OPERATIONS=1e3", "worth 2000"), 2);
  for (const char* const usual : {"env -u VTEMPER_THREAD_OPERATIONS", "VTEMPER_THREAD_OPERATIONS=none"}) {
    assert_int_equal(run_again(usual, "worth 1e5"), 1);
    assert_int_equal(run_again(usual, "worth 1e8"), 8);
  }
}

/// A process forked before the first loop may use threads: nothing was lost.
void test_fork_first(void**) {
  assert_int_equal(run_again("OMP_NUM_THREADS=2", "fork"), 0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "fork") {
    return in_child([] { return threads_of_process(2) == 2 && sum_by_threads(2) == 499500 ? 0 : 1; });
  }
  if (count == 3) return threads_worth(std::atof(arguments[2]), 8);
  if (count == 2) return usable_threads(std::atoi(arguments[1]));
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_fork_first),       cmocka_unit_test(test_every_index_once),
      cmocka_unit_test(test_every_share_once), cmocka_unit_test(test_threads_are_used),
      cmocka_unit_test(test_exceptions),       cmocka_unit_test(test_interruption),
      cmocka_unit_test(test_requests),         cmocka_unit_test(test_fork),
      cmocka_unit_test(test_environment),      cmocka_unit_test(test_threads_worth),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
