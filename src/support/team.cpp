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
#include <vector>

namespace vtemper {

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::duration<double, std::nano>;

/// How long a thread spins before it sleeps. Waking a sleeping thread takes about 50 microseconds.
constexpr std::chrono::microseconds watched{100};

/// Address space that must be free to start a thread: its stack, its allocation arena, and a reserve for the work
/// itself, which should not run out of memory because of a helper.
constexpr size_t free_space = size_t{64} << 20;

/// State of a helper, in the word that is also the futex of the helper and of the thread it helps.
enum Stage : uint32_t {
  idle,      ///< waits for work
  sleeping,  ///< asleep on the futex; must be woken
  offered,   ///< has work that it has not begun and that the offering thread may take back
  working,
  awaited,  ///< working, and must wake the thread that sleeps until it finishes
  leaving,  ///< must exit
};

struct Helper {
  std::atomic<uint32_t> stage{idle};
  void (*work)(const void* context, int number) = nullptr;
  const void* context = nullptr;
  int number = 0;
  std::atomic<bool> watchful{false};  ///< may spin before it sleeps
  std::atomic<int> beside{-1};        ///< processor of the thread it helps
  std::atomic<int> processor{-1};     ///< processor it runs on while working
  Nanoseconds worked{};               ///< CPU time spent in this loop
  std::fenv_t arithmetic = {};        ///< floating-point environment of the thread it helps
  cpu_set_t processors = {};          ///< affinity mask
  pthread_t thread = {};
  Helper* next = nullptr;  ///< next in the list of unused helpers or of one loop's helpers
};

/// Never destroyed: a host thread may still be in a loop when the process exits.
struct Helpers {
  std::mutex mutex;
  Helper* unused = nullptr;  ///< most recently used first
  int count = 0;             ///< unused and working
  bool closed = false;
  std::atomic<int> active{0};     ///< threads of all teams
  std::atomic<pid_t> process{0};  ///< process that first ran a team
};
static_assert(std::is_trivially_destructible_v<Helpers>);

Helpers helpers;

struct Place {
  int number;
  bool in_team;
};
thread_local Place place = {0, false};

/// Decides whether teams pay off on the calling thread. Where other programs occupy the processors, a helper may be
/// preempted in the middle of a piece of work and the calling thread waits for milliseconds, or a busy program moves
/// to the calling thread's processor because a helper displaced it. So the work rate (CPU time per second) of the
/// team is compared with the rate of the calling thread alone. After a loss, the thread works alone for at least
/// sixteen times the time lost, longer each time, before it tries a team again: the loss is at most a sixteenth.
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
    // The rate measured alone may be out of date, so a team slower than one undisturbed thread lowers it.
    if (work < time) see_alone(time.count() / 8, time.count() / 8);
  }
  void alone_worked(Nanoseconds work, Nanoseconds time) {
    // Other programs need a while to leave the processor that a helper occupied.
    if (Clock::now() > seen_from_) see_alone(work.count(), time.count());
  }

 private:
  // Nanoseconds. Initially the thread alone is assumed to be undisturbed.
  static constexpr double trial = 2e6, max_credit = 8e6, memory = 4e8;
  static constexpr double min_patience = 16, max_patience = 128;
  double credit_ = trial, alone_work_ = memory / 4, alone_time_ = memory / 4;
  double patience_ = min_patience;  ///< time spent alone, as a multiple of the time lost
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
static_assert(std::is_trivially_destructible_v<Pace>);  // registering a thread-local destructor allocates memory

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

/// Waits until `helper` has an offer or must exit.
uint32_t wait_for_offer(Helper& helper) {
  const auto stage = [&] { return helper.stage.load(std::memory_order_acquire); };
  // On the same processor as the thread it helps, spinning would take time from that thread's work.
  if (helper.watchful && helper.beside != sched_getcpu()) watch_until([&] { return stage() != idle; });
  uint32_t now = idle;
  if (helper.stage.compare_exchange_strong(now, sleeping)) sleep_while(helper.stage, sleeping);
  return stage();
}

/// CPU time of the calling thread.
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

/// Starts a helper's thread. Signals of the host are blocked on it, except those that its own instructions raise.
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

/// The helpers of one loop.
class Lease {
 public:
  /// Acquires up to `wanted` helpers and gives them the calling thread's affinity mask.
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
    // Kept in order, so a helper has the same number, and warm caches, from loop to loop.
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

  /// Withdraws work that has not begun and waits for the rest. Returns the helpers' CPU time.
  Nanoseconds finish() const {
    Nanoseconds worked{};
    for (Helper* helper = first_; helper != nullptr; helper = helper->next) {
      uint32_t now = offered;
      helper->stage.compare_exchange_strong(now, idle);
    }
    for (Helper* helper = first_; helper != nullptr; helper = helper->next) {
      const auto finished = [&] { return helper->stage.load(std::memory_order_acquire) != working; };
      // A helper on the same processor needs it to finish, so do not spin.
      if (watchful_ && helper->processor != sched_getcpu()) watch_until(finished);
      uint32_t now = working;
      if (helper->stage.compare_exchange_strong(now, awaited)) sleep_while(helper->stage, awaited);
      worked += helper->worked;
    }
    return worked;
  }

 private:
  Helper* first_ = nullptr;
  Helper** last_ = nullptr;  ///< end of the list; NULL without a lease
  int count_ = 0;
  bool watchful_ = false;
};

/// Ends the unused helpers: all of them when the library is unloaded. At process exit, a host thread may still be in
/// a loop and keeps its helpers.
void dismiss_helpers() {
  const pid_t process = helpers.process;
  if (process == 0 || process != getpid()) return;  // after a fork the threads are the parent's
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
  // No pthread_atfork handler: it would change process-wide state.
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

bool threads_can_start(int count) {
  std::vector<pthread_t> threads(static_cast<size_t>(std::max(count, 0)));
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const auto wait = [](void* all_started) -> void* {
    pthread_mutex_lock(static_cast<pthread_mutex_t*>(all_started));
    pthread_mutex_unlock(static_cast<pthread_mutex_t*>(all_started));
    return nullptr;
  };
  sigset_t all, before;
  sigfillset(&all);
  size_t started = 0;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_mutex_lock(&mutex);
  while (started < threads.size() && pthread_create(&threads[started], nullptr, wait, &mutex) == 0) ++started;
  pthread_mutex_unlock(&mutex);
  for (size_t i = 0; i < started; ++i) pthread_join(threads[i], nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started == threads.size();
}

}  // namespace vtemper
