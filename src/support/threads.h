#pragma once
// Loops on several threads. The chunks of parallel_for, and the order in which their results are summed, never depend
// on the number of threads, so neither do the bits. The shares of parallel_shares are the threads': it is for work
// whose results do not depend on how it is divided.

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

/// Threads to use for a request, at least 1. 0: as many as OMP_NUM_THREADS says, or as the calling thread's affinity
/// mask and the control groups' CPU quota allow. More than the machine has are given when asked for, up to
/// OMP_THREAD_LIMIT and a sane maximum.
int usable_threads(int64_t requested);

/// Of `threads`, as many as a step of about `operations` multiplications and additions keeps busy for a while.
/// Threads meet several times in a step, and where other work holds the processors each meeting can take
/// milliseconds, so a step that one thread is done with sooner is left to it. The environment variable
/// VTEMPER_THREAD_OPERATIONS says how many operations are worth a thread, for tests.
int threads_worth(double operations, int threads);

/// How a loop on several threads ends: by itself, by the failure of a chunk or by the caller's wish.
class LoopEnd {
 public:
  /// True once the caller wants the loop to end. Asks, on the thread that called; chunks that take long ask on the
  /// way.
  bool wanted() {
    if (interruption_wanted()) wanted_.store(true, std::memory_order_relaxed);
    return wanted_.load(std::memory_order_relaxed);
  }
  /// chunk(), unless the loop is to end.
  template <class Chunk>
  void run(int64_t index, const Chunk& chunk) {
    if (wanted_.load(std::memory_order_relaxed)) return;
    try {
      chunk();
    } catch (const Error& error) {
      // A loop within the chunk has asked.
      if (error.status() == VTEMPER_CANCELLED) return wanted_.store(true, std::memory_order_relaxed);
      keep_failure(index);
    } catch (...) {
      keep_failure(index);
    }
    wanted();
  }
  /// Throws what there is to throw.
  void conclude() const {
    if (failure_) std::rethrow_exception(failure_);
    if (wanted_) end_interrupted();
  }

 private:
  std::atomic<bool> wanted_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;  ///< of the lowest index that failed
  int64_t failed_index_ = 0;

  void keep_failure(int64_t index) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_ && index > failed_index_) return;
    failed_index_ = index;
    failure_ = std::current_exception();
  }
};

/// function(index, thread) for every index in [0, count), on `threads` threads (from usable_threads). The exception
/// of the lowest index that threw is thrown again on the calling thread. The caller's question (interruption.h) is
/// put between chunks; Error(CANCELLED) once it ends the call.
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

/// function(share, end) for every share in [0, shares) as parallel_for does, but a share is that of the same thread
/// in loop after loop: what it wrote in one of them is near its processor in the next. Only the share of a thread
/// that has not begun when another has finished its own is done by that one. A share that takes long asks
/// end.wanted() on the way, and returns.
template <class Function>
void parallel_shares(int shares, const Function& function) {
  LoopEnd end;
  const int threads = threads_of_process(std::min(shares, max_helpers + 1));
  if (threads <= 1) {
    for (int64_t share = 0; share < shares && !end.wanted(); ++share) function(share, end);
    return end.conclude();
  }
  std::array<std::atomic<bool>, max_helpers + 1> taken;  // as far as there are threads
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
