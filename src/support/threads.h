#pragma once
// Loops over a fixed number of chunks by OpenMP. Chunks, and the order in which their results are summed, never depend on
// the number of threads, so neither do the bits.

#include <cstdint>
#include <exception>
#include <mutex>

namespace vtemper {

/// Threads to use for a request (0 = as many as the machine and OMP_NUM_THREADS / OMP_THREAD_LIMIT allow). A process
/// forked after a parallel region gets one: OpenMP's threads do not survive fork.
int usable_threads(int64_t requested);

/// Number of the calling thread within a parallel_for, from 0.
int thread_number();

/// function(index, thread) for every index in [0, count), on `threads` threads (from usable_threads). The exception of
/// the lowest index that threw is thrown again on the calling thread.
template <class Function>
void parallel_for(int threads, int64_t count, const Function& function) {
  if (threads <= 1 || count <= 1) {
    for (int64_t index = 0; index < count; ++index) function(index, 0);
    return;
  }
  std::mutex mutex;
  std::exception_ptr failure;
  int64_t failed_index = count;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t index = 0; index < count; ++index) {
    try {
      function(index, thread_number());
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (index < failed_index) {
        failed_index = index;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace vtemper
