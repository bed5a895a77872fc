#include "support/threads.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "support/processors.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Operations that a thread does in about 100 microseconds, fifty times the cost of synchronising idle threads.
constexpr double default_operations = 2e6;

double min_operations() {
  const char* const wanted = std::getenv("VTEMPER_THREAD_OPERATIONS");
  const std::optional<double> number = wanted ? parse_real(wanted) : std::nullopt;
  return number && *number > 0 ? *number : default_operations;
}

}  // namespace

int usable_threads(int64_t requested) {
  static const double quota = processors_of_quota("");
  const int processors = processors_within(processors_of_affinity(), quota);
  const int limit = threads_of_variable(std::getenv("OMP_THREAD_LIMIT"));
  const int usual = threads_of_variable(std::getenv("OMP_NUM_THREADS"));
  int64_t most = std::min(max_helpers + 1, std::max(64, 4 * std::min(processors, max_helpers)));
  if (limit > 0) most = std::min<int64_t>(most, limit);
  const int64_t wanted = requested > 0 ? requested : usual > 0 ? usual : processors;
  return static_cast<int>(std::max<int64_t>(1, std::min(wanted, most)));
}

int threads_worth(double operations, int threads) {
  static const double least = min_operations();
  const double busy = operations / least;
  return busy < static_cast<double>(threads) ? std::max(1, static_cast<int>(busy)) : threads;
}

}  // namespace vtemper
