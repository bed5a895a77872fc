// Parallel loops: every index once, on the requested number of threads, with the calling thread's rounding mode and
// affinity; exceptions; fork; threads that cannot be started; the numbers that the environment allows.

#include "support/threads.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/refusal.h"

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

void test_every_share_once(void**) {
  for (const int shares : {1, 2, 3, 8}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::atomic<int>> met(static_cast<size_t>(shares));
      parallel_shares(shares, [&](int64_t share, LoopEnd&) { ++met[static_cast<size_t>(share)]; });
      for (const auto& times : met) assert_int_equal(times, 1);
    }
  }
}

/// Work on a thread that has not run a loop yet: whether teams pay is measured for each calling thread.
template <class Work>
void on_new_thread(const Work& work) {
  std::thread(work).join();
}

/// A barrier for `expected` threads. Fewer threads would never pass it, so the wait is limited.
class Meeting {
 public:
  explicit Meeting(int expected) : expected_(expected) {}
  bool wait() {
    ++arrived_;
    for (int i = 0; arrived_ < expected_; ++i) {
      if (i == 100000) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

 private:
  const int expected_;
  std::atomic<int> arrived_{0};
};

/// Each thread does its own share if all threads take part.
void test_threads_are_used(void**) {
  std::atomic<bool> together{true}, own{true};
  on_new_thread([&] {
    Meeting meeting(8);
    parallel_for(usable_threads(8), 8, [&](int64_t, int) {
      if (!meeting.wait()) together = false;
    });
  });
  on_new_thread([&] {
    Meeting meeting(8);
    parallel_shares(usable_threads(8), [&](int64_t share, LoopEnd&) {
      if (!meeting.wait()) together = false;
      if (share != thread_number()) own = false;
    });
  });
  assert_true(together);
  assert_true(own);
}

/// What `look` returns on the calling thread and on one that helps it.
template <class Look>
auto seen_by_two(const Look& look) {
  std::vector<decltype(look())> seen(2);
  Meeting meeting(2);
  parallel_for(2, 2, [&](int64_t, int thread) {
    seen[static_cast<size_t>(thread)] = look();
    meeting.wait();
  });
  return seen;
}

/// Bits do not depend on the thread that takes a piece, whatever rounding mode the host has set.
void test_rounding(void**) {
  for (const int rounding : {FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::vector<int> seen;
    on_new_thread([&] {
      std::fesetround(rounding);
      seen = seen_by_two([] { return std::fegetround(); });
    });
    for (const int other : seen) assert_int_equal(other, rounding);
  }
}

cpu_set_t mask_of_thread() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  return mask;
}

/// The first processor of a mask alone.
cpu_set_t first_of(const cpu_set_t& mask) {
  cpu_set_t first;
  CPU_ZERO(&first);
  int number = 0;
  while (number < CPU_SETSIZE - 1 && !CPU_ISSET(number, &mask)) ++number;
  CPU_SET(number, &first);
  return first;
}

/// Threads run where the calling one may, also those that helped another before.
void test_affinity(void**) {
  const cpu_set_t all = mask_of_thread(), first = first_of(all);
  for (const cpu_set_t& mask : {all, first, all}) {
    std::vector<cpu_set_t> seen;
    on_new_thread([&] {
      sched_setaffinity(0, sizeof mask, &mask);
      seen = seen_by_two(mask_of_thread);
    });
    for (const cpu_set_t& other : seen) assert_true(CPU_EQUAL(&other, &mask));
  }
}

sigset_t blocked_signals() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return blocked;
}

/// The host's handlers run on the host's threads.
void test_signals(void**) {
  std::vector<sigset_t> seen;
  on_new_thread([&] { seen = seen_by_two(blocked_signals); });
  for (const int number : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD}) {
    assert_int_equal(sigismember(&seen[0], number), 0);
    assert_int_equal(sigismember(&seen[1], number), 1);
  }
  assert_int_equal(sigismember(&seen[1], SIGSEGV), 0);
}

int live_threads() {
  int count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* const task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/// Threads of the host share the helper threads: each gets as many as it requests, and no new ones are started.
void test_many_callers(void**) {
  constexpr int callers = 6;
  std::atomic<int> wrong{0};
  int after_first = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::vector<std::thread> threads;
    for (int caller = 0; caller < callers; ++caller) {
      threads.emplace_back([&] {
        for (int loop = 0; loop < 200; ++loop) {
          std::atomic<int64_t> sum{0};
          parallel_for(4, 100, [&](int64_t index, int) { sum += index; });
          if (sum != 4950) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (repeat == 0) after_first = live_threads();
  }
  assert_int_equal(wrong, 0);
  // Fewer at first if the callers did not run at the same time.
  assert_true(after_first <= 64 && live_threads() <= 64);
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

/// Requests cancellation once; a second poll would let the call continue.
int end_once(void* asked) {
  return ++*static_cast<int*>(asked) == 1;
}

void nap() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Steps of a millisecond that `loop` makes before it ends, or -1 if it does not end as interrupted.
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

/// One request ends a loop on all of its threads, whichever thread polled.
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

/// Exit status of `work` in a forked child that has a hundred seconds.
template <class Work>
int in_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);
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

/// Whether `count` threads have run at once, so that none is still starting: a starting thread may hold a lock of the
/// C library for which a child forked now would wait forever.
bool threads_have_met(int count) {
  std::atomic<bool> together{true};
  Meeting meeting(count);
  parallel_shares(count, [&](int64_t, LoopEnd&) {
    if (!meeting.wait()) together = false;
  });
  return together;
}

void test_fork(void**) {
  bool together = false;
  on_new_thread([&] { together = threads_have_met(2); });
  assert_true(together);
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
  // The parent continues with its threads.
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
  assert_int_equal(run_again("OMP_NUM_THREADS=3,2", "0"), 3);
  assert_int_equal(run_again("OMP_NUM_THREADS=none", "0"), usable_threads(0));
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

/// If the system cannot start another thread, or has little memory for one, there are fewer.
int sum_without_threads() {
  if (getuid() == 0 && setuid(65534) != 0) return 77;
  const rlimit none = {1, 1};
  if (setrlimit(RLIMIT_NPROC, &none) != 0) return 77;
  const bool right = sum_by_threads(8) == 499500 && sum_by_shares(8) == 28;
  return right && live_threads() == 1 ? 0 : 1;
}

void test_no_threads(void**) {
  const int alone = run_again("", "alone");
  if (alone != 77) assert_int_equal(alone, 0);
  // With a sanitizer nothing at all runs in so little memory.
  if (run_again("ulimit -v 60000;", "1") == 1) assert_int_equal(run_again("ulimit -v 60000;", "sum"), 0);
}

/// A child that ends by exit() does not wait for threads that it does not have; nor does a process that has them
/// hang.
int exit_twice() {
  if (!threads_have_met(4) || sum_by_threads(4) != 499500) return 1;
  const pid_t child = fork();
  alarm(100);
  if (child == 0) std::exit(sum_by_threads(4) == 499500 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

void test_exit(void**) {
  // A leak check at the child's end would look for the threads that only its parent has.
  assert_int_equal(run_again("ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\"", "exit"), 0);
}

/// The default is what the affinity mask leaves.
int usable_on_first() {
  const cpu_set_t first = first_of(mask_of_thread());
  sched_setaffinity(0, sizeof first, &first);
  return usable_threads(0);
}

void test_default_within_affinity(void**) {
  assert_int_equal(run_again("env -u OMP_NUM_THREADS", "first"), 1);
}

/// A process forked before the first loop may use threads, because none were lost in the fork.
void test_fork_first(void**) {
  assert_int_equal(run_again("OMP_NUM_THREADS=2", "fork"), 0);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count == 2 ? arguments[1] : "";
  if (mode == "fork") {
    return in_child([] { return threads_of_process(2) == 2 && sum_by_threads(2) == 499500 ? 0 : 1; });
  }
  if (mode == "alone") std::_Exit(sum_without_threads());  // the leak check at an exit needs a thread of its own
  if (mode == "sum") return sum_by_threads(8) == 499500 ? 0 : 1;
  if (mode == "exit") return exit_twice();
  if (mode == "first") return usable_on_first();
  if (count == 3) return threads_worth(std::atof(arguments[2]), 8);
  if (count == 2) return usable_threads(std::atoi(arguments[1]));
  unsetenv("OMP_NUM_THREADS");
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_fork_first),       cmocka_unit_test(test_every_index_once),
      cmocka_unit_test(test_every_share_once), cmocka_unit_test(test_threads_are_used),
      cmocka_unit_test(test_rounding),         cmocka_unit_test(test_affinity),
      cmocka_unit_test(test_signals),          cmocka_unit_test(test_many_callers),
      cmocka_unit_test(test_exceptions),       cmocka_unit_test(test_interruption),
      cmocka_unit_test(test_requests),         cmocka_unit_test(test_fork),
      cmocka_unit_test(test_no_threads),       cmocka_unit_test(test_exit),
      cmocka_unit_test(test_environment),      cmocka_unit_test(test_default_within_affinity),
      cmocka_unit_test(test_threads_worth),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
