#pragma once
// Parallel loops. The chunks of parallel_for, and the order in which their results are summed, never depend on the
// number of threads, so neither do the bits. The shares of parallel_shares follow the number of threads: it is for
// work whose results do not depend on the partition.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

#include "support/error.h"
#include "support/interruption.h"
#include "support/team.h"

namespace vtemper {

/// Number of threads for a request, at least 1. 0: the value of OMP_NUM_THREADS, or as many as the calling thread's
/// affinity mask and the control groups' CPU quota allow. Explicit requests may exceed the processors of the machine,
/// up to OMP_THREAD_LIMIT and a fixed maximum.
int usable_threads(int64_t requested);

/// The number of threads, at most `threads`, that a step of about `operations` multiply-adds keeps busy. Threads
/// synchronise several times in a step, and when other work occupies the processors each synchronisation can take
/// milliseconds, so short steps run on one thread. The environment variable VTEMPER_THREAD_OPERATIONS overrides the
/// operations per thread, for tests.
int threads_worth(double operations, int threads);

/// How a parallel loop ended: normally, by a failing chunk, or by cancellation.
class LoopEnd {
 public:
  /// True once cancellation was requested. Polls on the calling thread only; long chunks call it themselves.
  bool wanted() {
    if (interruption_wanted()) wanted_.store(true, std::memory_order_relaxed);
    return wanted_.load(std::memory_order_relaxed);
  }
  /// Runs chunk() unless the loop was cancelled.
  template <class Chunk>
  void run(int64_t index, const Chunk& chunk) {
    if (wanted_.load(std::memory_order_relaxed)) return;
    const WorksFor loop(wanted_);
    try {
      chunk();
    } catch (const Error& error) {
      // A nested loop saw the cancellation.
      if (error.status() == VTEMPER_CANCELLED) return wanted_.store(true, std::memory_order_relaxed);
      keep_failure(index);
    } catch (...) {
      keep_failure(index);
    }
    wanted();
  }
  /// Rethrows the exception of the lowest failing chunk, or throws Error(CANCELLED).
  void conclude() const {
    if (failure_) std::rethrow_exception(failure_);
    if (wanted_) end_interrupted();
  }

 private:
  std::atomic<bool> wanted_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;  ///< exception of the lowest failing index
  int64_t failed_index_ = 0;

  void keep_failure(int64_t index) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_ && index > failed_index_) return;
    failed_index_ = index;
    failure_ = std::current_exception();
  }
};

/// Calls function(index, thread) for every index in [0, count) on `threads` threads (from usable_threads). Rethrows
/// the exception of the lowest failing index on the calling thread. Cancellation (interruption.h) is polled between
/// chunks and ends the loop with Error(CANCELLED).
template <class Function>
void parallel_for(int threads, int64_t count, const Function& function) {
  threads = threads_of_process(static_cast<int>(std::min<int64_t>(threads, count)));
  if (threads <= 1) {
    for (int64_t index = 0; index < count; ++index) {
      function(index, 0);
      if (interruption_wanted()) end_interrupted();
    }
    return;
  }
  LoopEnd end;
  std::atomic<int64_t> next{0};
  run_team(threads, [&](int thread) {
    for (int64_t index = next++; index < count; index = next++) end.run(index, [&] { function(index, thread); });
  });
  end.conclude();
}

/// Calls function(share, end) for every share in [0, shares) as parallel_for does, but assigns a share to the same
/// thread in loop after loop: what it wrote in one is still in its cache in the next. Other threads run it only if
/// its own has not begun when they are done. Long shares poll end.wanted() and return when it is true.
template <class Function>
void parallel_shares(int shares, const Function& function) {
  LoopEnd end;
  const int threads = threads_of_process(std::min(shares, max_helpers + 1));
  if (threads <= 1) {
    for (int64_t share = 0; share < shares && !end.wanted(); ++share) function(share, end);
    return end.conclude();
  }
  std::array<std::atomic<bool>, max_helpers + 1> taken;  // only the first `threads` entries are initialised
  for (int i = 0; i < threads; ++i) taken[static_cast<size_t>(i)].store(false, std::memory_order_relaxed);
  run_team(threads, [&](int thread) {
    for (int i = 0; i < threads; ++i) {
      const int own = (thread + i) % threads;
      if (taken[static_cast<size_t>(own)].exchange(true, std::memory_order_relaxed)) continue;
      for (int64_t share = own; share < shares; share += threads) end.run(share, [&] { function(share, end); });
    }
  });
  end.conclude();
}

}  // namespace vtemper
