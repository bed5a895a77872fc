#include "support/team.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <climits>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>

namespace vtemper {

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::duration<double, std::nano>;

/// How long a thread watches for a change before it sleeps. Waking a sleeping thread takes some 50 microseconds.
constexpr std::chrono::microseconds watched{100};

/// Address space that must be free where a thread is started: its stack, memory that its allocations reserve, and
/// some for the work itself, which should not fail for want of what a helper took.
constexpr size_t free_space = size_t{64} << 20;

/// What a helper does, in one word that is also what it and the thread it helps sleep on.
enum Stage : uint32_t {
  idle,      ///< waits for an offer
  sleeping,  ///< waits for an offer and must be woken
  offered,   ///< has work that it has not begun; whoever offered it may take it back
  working,
  awaited,  ///< working, and must wake the thread that sleeps until it has finished
  leaving,  ///< has to end
};

struct Helper {
  std::atomic<uint32_t> stage{idle};
  void (*work)(const void* context, int number) = nullptr;
  const void* context = nullptr;
  int number = 0;
  std::atomic<bool> watchful{false};  ///< may watch for the next offer before it sleeps
  std::atomic<int> beside{-1};        ///< processor of the thread it helps
  std::atomic<int> processor{-1};     ///< its own, while it works
  Nanoseconds worked{};               ///< time of a processor in this loop
  std::fenv_t arithmetic = {};        ///< rounding and denormal numbers of the thread it helps
  cpu_set_t processors = {};          ///< where it may run
  pthread_t thread = {};
  Helper* next = nullptr;  ///< in the list of those that nobody uses, or that one loop uses
};

/// Nothing in it is destroyed: a thread of the host may be within a loop when the process exits.
struct Helpers {
  std::mutex mutex;
  Helper* unused = nullptr;  ///< the first is the one used last
  int count = 0;             ///< in the list and at work
  bool closed = false;
  std::atomic<int> active{0};     ///< threads of all teams
  std::atomic<pid_t> process{0};  ///< that first ran a team
};
static_assert(std::is_trivially_destructible_v<Helpers>);

Helpers helpers;

struct Place {
  int number;
  bool in_team;
};
thread_local Place place = {0, false};

/// Whether teams pay on the calling thread. Where other programs hold the processors, a helper may lose its own amid
/// a piece of work, and the calling thread waits for milliseconds; or a busy program moves to the processor of the
/// calling thread because a helper took its place. So the time of processors that a team works in a second is
/// compared with what the calling thread works alone in a second. When teams have lost time, that thread works alone
/// for sixteen times as long, longer each time, and then tries again: they cost at most a sixteenth.
class Pace {
 public:
  bool team_pays() {
    if (credit_ > 0) return true;
    if (Clock::now() < alone_until_) return false;
    credit_ = trial;
    return true;
  }
  void team_worked(Nanoseconds work, Nanoseconds time) {
    const double alone = alone_work_ / alone_time_;
    credit_ = std::min(credit_ + work.count() - alone * time.count(), max_credit);
    if (credit_ <= 0) {
      const std::chrono::nanoseconds pause(static_cast<int64_t>(patience_ * (trial - credit_)));
      patience_ = std::min(2 * patience_, max_patience);
      alone_until_ = Clock::now() + pause;
      seen_from_ = alone_until_ - pause / 2;
    }
    if (credit_ >= max_credit) patience_ = min_patience;
    // What was seen alone may be long ago. A team that does less than one undisturbed thread is doubted again and
    // again.
    if (work < time) see_alone(time.count() / 8, time.count() / 8);
  }
  void alone_worked(Nanoseconds work, Nanoseconds time) {
    // Other programs need a while to leave the processor for the one that a helper had.
    if (Clock::now() > seen_from_) see_alone(work.count(), time.count());
  }

 private:
  // Nanoseconds. At first, alone is taken for undisturbed.
  static constexpr double trial = 2e6, max_credit = 8e6, memory = 4e8;
  static constexpr double min_patience = 16, max_patience = 128;
  double credit_ = trial, alone_work_ = memory / 4, alone_time_ = memory / 4;
  double patience_ = min_patience;  ///< the time alone, in times lost
  Clock::time_point alone_until_, seen_from_;

  void see_alone(double work, double time) {
    alone_work_ += work;
    alone_time_ += time;
    if (alone_time_ < memory) return;
    alone_work_ /= 2;
    alone_time_ /= 2;
  }
};
thread_local Pace pace;
static_assert(std::is_trivially_destructible_v<Pace>);  // what is destroyed with a thread is registered in memory

void sleep_while(std::atomic<uint32_t>& word, uint32_t value) {
  while (word.load(std::memory_order_acquire) == value) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  }
}

void wake(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void pause_shortly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <class Changed>
void watch_until(const Changed& changed) {
  const auto end = Clock::now() + watched;
  do {
    for (int i = 0; i < 32; ++i) {
      if (changed()) return;
      pause_shortly();
    }
  } while (Clock::now() < end);
}

/// Until `helper` has an offer or has to end.
uint32_t wait_for_offer(Helper& helper) {
  const auto stage = [&] { return helper.stage.load(std::memory_order_acquire); };
  // On the processor of the thread that it helps it would watch instead of that thread's work.
  if (helper.watchful && helper.beside != sched_getcpu()) watch_until([&] { return stage() != idle; });
  uint32_t now = idle;
  if (helper.stage.compare_exchange_strong(now, sleeping)) sleep_while(helper.stage, sleeping);
  return stage();
}

/// Time of a processor that the calling thread has had.
Nanoseconds time_of_thread() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Nanoseconds(1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec));
}

void* help(void* argument) {
  Helper& helper = *static_cast<Helper*>(argument);
  for (;;) {
    uint32_t now = wait_for_offer(helper);
    if (now == leaving) return nullptr;
    if (now != offered || !helper.stage.compare_exchange_strong(now, working)) continue;
    const auto before = time_of_thread();
    helper.processor = sched_getcpu();
    std::fesetenv(&helper.arithmetic);
    place = {helper.number, true};
    helper.work(helper.context, helper.number);
    helper.worked = time_of_thread() - before;
    if (helper.stage.exchange(idle) == awaited) wake(helper.stage);
  }
}

bool space_is_free() {
  void* const space = mmap(nullptr, free_space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return space != MAP_FAILED && munmap(space, free_space) == 0;
}

/// Starts the thread of a helper. Handlers of the host never run on it, but what its own instructions raise.
bool start(Helper& helper) {
  if (!space_is_free()) return false;
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF}) sigdelset(&blocked, number);
  if (pthread_sigmask(SIG_SETMASK, &blocked, &before) != 0) return false;
  const bool started = pthread_create(&helper.thread, nullptr, help, &helper) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

/// Helpers for one loop.
class Lease {
 public:
  /// As many as can be had, at most `wanted`. They may run where the calling thread may.
  explicit Lease(int wanted) {
    cpu_set_t processors;
    const bool known = sched_getaffinity(0, sizeof processors, &processors) == 0;
    Helper** end = &first_;
    int may_start = 0;
    {
      const std::lock_guard<std::mutex> lock(helpers.mutex);
      if (helpers.closed) return;
      while (count_ < wanted && helpers.unused != nullptr) {
        *end = helpers.unused;
        helpers.unused = helpers.unused->next;
        end = &(*end)->next;
        ++count_;
      }
      *end = nullptr;
      may_start = std::min(wanted - count_, max_helpers - helpers.count);
      helpers.count += may_start;
    }
    for (Helper* helper = first_; known && helper != nullptr; helper = helper->next) {
      if (CPU_EQUAL(&helper->processors, &processors)) continue;
      if (pthread_setaffinity_np(helper->thread, sizeof processors, &processors) == 0)
        helper->processors = processors;
    }
    for (; may_start > 0; --may_start) {
      auto* const helper = new (std::nothrow) Helper;
      if (helper == nullptr) break;
      if (known) helper->processors = processors;
      if (!start(*helper)) {
        delete helper;
        break;
      }
      *end = helper;
      end = &helper->next;
      ++count_;
    }
    last_ = end;
    const int active = helpers.active.fetch_add(count_ + 1, std::memory_order_relaxed) + count_ + 1;
    watchful_ = !known || active <= CPU_COUNT(&processors);
    if (may_start > 0) {
      const std::lock_guard<std::mutex> lock(helpers.mutex);
      helpers.count -= may_start;
    }
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (last_ == nullptr) return;
    helpers.active.fetch_sub(count_ + 1, std::memory_order_relaxed);
    const std::lock_guard<std::mutex> lock(helpers.mutex);
    // In their order: a helper keeps its number, and what it has in its cache, from loop to loop.
    *last_ = helpers.unused;
    helpers.unused = first_;
  }

  void offer(void (*work)(const void* context, int number), const void* context) const {
    std::fenv_t arithmetic;
    std::fegetenv(&arithmetic);
    const int processor = sched_getcpu();
    int number = 0;
    for (Helper* helper = first_; helper != nullptr; helper = helper->next) {
      helper->work = work;
      helper->context = context;
      helper->number = ++number;
      helper->watchful = watchful_;
      helper->beside = processor;
      helper->worked = {};
      helper->arithmetic = arithmetic;
      if (helper->stage.exchange(offered) == sleeping) wake(helper->stage);
    }
  }

  /// Takes back what has not begun, waits for what has. What the helpers worked.
  Nanoseconds finish() const {
    Nanoseconds worked{};
    for (Helper* helper = first_; helper != nullptr; helper = helper->next) {
      uint32_t now = offered;
      helper->stage.compare_exchange_strong(now, idle);
    }
    for (Helper* helper = first_; helper != nullptr; helper = helper->next) {
      const auto finished = [&] { return helper->stage.load(std::memory_order_acquire) != working; };
      // A helper on the same processor needs it to finish.
      if (watchful_ && helper->processor != sched_getcpu()) watch_until(finished);
      uint32_t now = working;
      if (helper->stage.compare_exchange_strong(now, awaited)) sleep_while(helper->stage, awaited);
      worked += helper->worked;
    }
    return worked;
  }

 private:
  Helper* first_ = nullptr;
  Helper** last_ = nullptr;  ///< the end of the list; NULL where there is no lease
  int count_ = 0;
  bool watchful_ = false;
};

/// Ends the helpers that nobody uses: all of them when the library is unloaded; when the process exits, a thread of
/// the host may be within a loop and keeps its own.
void dismiss_helpers() {
  const pid_t process = helpers.process;
  if (process == 0 || process != getpid()) return;  // the threads are the parent's
  const std::lock_guard<std::mutex> lock(helpers.mutex);
  helpers.closed = true;
  for (Helper* helper = helpers.unused; helper != nullptr; helper = helper->next) {
    if (helper->stage.exchange(leaving) == sleeping) wake(helper->stage);
  }
  while (Helper* const helper = helpers.unused) {
    helpers.unused = helper->next;
    pthread_join(helper->thread, nullptr);
    delete helper;
  }
}

struct AtUnload {
  ~AtUnload() { dismiss_helpers(); }
};
const AtUnload at_unload;

}  // namespace

int threads_of_process(int threads) {
  if (threads <= 1 || place.in_team) return 1;
  // No pthread_atfork handler: it would change the process.
  const pid_t self = getpid();
  pid_t process = 0;
  return helpers.process.compare_exchange_strong(process, self) || process == self ? threads : 1;
}

int thread_number() {
  return place.number;
}

void run_team(int threads, void (*work)(const void* context, int number), const void* context) {
  const auto do_own = [&] {
    const Nanoseconds before = time_of_thread();
    place = {0, true};
    work(context, 0);
    place = {0, false};
    return time_of_thread() - before;
  };
  if (!pace.team_pays()) {
    const auto began = Clock::now();
    const Nanoseconds worked = do_own();
    return pace.alone_worked(worked, Clock::now() - began);
  }
  const Lease lease(threads - 1);
  const auto began = Clock::now();
  lease.offer(work, context);
  Nanoseconds worked = do_own();
  worked += lease.finish();
  pace.team_worked(worked, Clock::now() - began);
}

}  // namespace vtemper
