#include "support/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <limits>

#include "support/control_groups.h"
#include "support/text.h"

namespace vtemper {

std::optional<double> quota_of_version_1(std::string_view quota, std::string_view period) {
  const std::optional<int64_t> time = parse_integer(without_line_end(quota));
  const std::optional<int64_t> whole = parse_integer(without_line_end(period));
  if (!time || !whole || *time <= 0 || *whole <= 0) return std::nullopt;
  return static_cast<double>(*time) / static_cast<double>(*whole);
}

std::optional<double> quota_of_version_2(std::string_view cpu_max) {
  const std::vector<std::string_view> words = split(without_line_end(cpu_max), ' ');
  return words.size() == 2 ? quota_of_version_1(words[0], words[1]) : std::nullopt;
}

double processors_of_quota(const std::string& root) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& folder : folders_of_groups("cpu", root)) {
    const std::string path = root + folder;
    std::optional<double> quota = quota_of_version_2(text_of_file(path + "/cpu.max"));
    if (!quota) {
      quota = quota_of_version_1(text_of_file(path + "/cpu.cfs_quota_us"), text_of_file(path + "/cpu.cfs_period_us"));
    }
    if (quota) least = std::min(least, *quota);
  }
  return least;
}

int processors_of_affinity() {
  // The kernel rejects masks smaller than its own.
  for (int bits = CPU_SETSIZE; bits <= 1 << 20; bits *= 4) {
    cpu_set_t* const mask = CPU_ALLOC(static_cast<size_t>(bits));
    if (mask == nullptr) break;
    const size_t size = CPU_ALLOC_SIZE(static_cast<size_t>(bits));
    const bool known = sched_getaffinity(0, size, mask) == 0;
    const bool too_small = !known && errno == EINVAL;
    const int count = known ? CPU_COUNT_S(size, mask) : 0;
    CPU_FREE(mask);
    if (count > 0) return count;
    if (!too_small) break;
  }
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<int>(std::clamp<long>(online, 1, INT_MAX));
}

int processors_within(int of_affinity, double of_quota) {
  // 1.5 processors serve two threads better than one. The tolerance absorbs rounding of the quotient.
  const double whole = std::ceil(of_quota - 1e-6);
  return whole < of_affinity ? std::max(1, static_cast<int>(whole)) : std::max(1, of_affinity);
}

int threads_of_variable(const char* text) {
  if (text == nullptr) return 0;
  const std::string_view list = text;
  const std::optional<int64_t> first = parse_integer(list.substr(0, list.find(',')));
  return first && *first > 0 ? static_cast<int>(std::min<int64_t>(*first, INT_MAX)) : 0;
}

}  // namespace vtemper
