#include "support/threads.h"

#include <omp.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>

#include "support/text.h"

namespace vtemper {

namespace {

/// What a thread does in some 100 microseconds, fifty times what a meeting of idle threads costs.
constexpr double usual_operations = 2e6;

double least_operations() {
  const char* const wanted = std::getenv("VTEMPER_THREAD_OPERATIONS");
  const std::optional<double> number = wanted ? parse_real(wanted) : std::nullopt;
  return number && *number > 0 ? *number : usual_operations;
}

}  // namespace

int usable_threads(int64_t requested) {
  // OpenMP ends the process when the system refuses a thread, so the number has a bound of ours as well.
  const int64_t most = std::min<int64_t>(omp_get_thread_limit(), std::max(64, 4 * omp_get_num_procs()));
  const int64_t wanted = requested > 0 ? requested : omp_get_max_threads();
  return static_cast<int>(std::max<int64_t>(1, std::min(wanted, most)));
}

int threads_of_process(int threads) {
  // The process that first ran a loop on several threads. No pthread_atfork handler: it would outlive an unloaded
  // library.
  static std::atomic<pid_t> first_user{0};
  if (threads <= 1) return threads;
  const pid_t self = getpid();
  pid_t owner = 0;
  return first_user.compare_exchange_strong(owner, self) || owner == self ? threads : 1;
}

int threads_worth(double operations, int threads) {
  static const double least = least_operations();
  const double busy = operations / least;
  return busy < static_cast<double>(threads) ? std::max(1, static_cast<int>(busy)) : threads;
}

int thread_number() {
  return omp_get_thread_num();
}

}  // namespace vtemper
