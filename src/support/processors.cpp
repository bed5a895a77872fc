#include "support/processors.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <limits>

#include "support/text.h"

namespace vtemper {

namespace {

/// The text of a small file; empty if it cannot be read.
std::string text_of_file(const std::string& path) {
  constexpr size_t max_size = size_t{1} << 22;
  struct File {
    int number;
    ~File() {
      if (number >= 0) close(number);
    }
  };
  std::string text;
  const File file = {open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return text;
  char piece[4096];
  while (text.size() < max_size) {
    const ssize_t count = read(file.number, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(piece, static_cast<size_t>(count));
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool holds(const std::vector<std::string_view>& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

std::string_view without_line_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Unescapes a path of mountinfo, where blanks and other special characters are written as "\040".
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto octal = [&](size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// `path` relative to `folder`, such as "/b" for "/a/b" and "/a"; empty if it is not below it, which happens in
/// containers whose groups are named by the host.
std::string path_below(const std::string& folder, const std::string& path) {
  const std::string begin = folder == "/" ? "" : folder;
  const bool below =
      path.compare(0, begin.size(), begin) == 0 && path.size() > begin.size() && path[begin.size()] == '/';
  const std::string rest = below ? path.substr(begin.size()) : "";
  return rest.compare(0, 3, "/..") == 0 || rest == "/" ? "" : rest;
}

struct Mount {
  std::string root, folder;
  bool second_version = false;
};

/// Mount points of control groups with CPU quotas.
std::vector<Mount> quota_mounts(std::string_view mounts) {
  std::vector<Mount> found;
  for (const std::string_view line : split(mounts, '\n')) {
    // 31 23 0:28 /root /folder options [more ...] - type source options
    const std::vector<std::string_view> words = split(line, ' ');
    const auto dash =
        std::find(words.begin() + std::min<ptrdiff_t>(6, static_cast<ptrdiff_t>(words.size())), words.end(), "-");
    if (words.end() - dash < 4) continue;
    const bool second_version = dash[1] == "cgroup2";
    if (!second_version && !(dash[1] == "cgroup" && holds(split(dash[3], ','), "cpu"))) continue;
    found.push_back({unescaped(words[3]), unescaped(words[4]), second_version});
  }
  return found;
}

}  // namespace

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

std::vector<std::string> quota_folders(std::string_view groups, std::string_view mounts) {
  std::vector<std::string> folders;
  const std::vector<Mount> mounted = quota_mounts(mounts);
  for (const std::string_view line : split(groups, '\n')) {
    // 0::/group of version 2, 4:cpu,cpuacct:/group of version 1
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool second_version = controllers.empty();
    if (!second_version && !holds(split(controllers, ','), "cpu")) continue;
    const std::string group(line.substr(second + 1));
    for (const Mount& mount : mounted) {
      if (mount.second_version != second_version) continue;
      std::string below = path_below(mount.root, group);
      for (; !below.empty(); below.erase(below.rfind('/'))) folders.push_back(mount.folder + below);
      folders.push_back(mount.folder);
    }
  }
  return folders;
}

double processors_of_quota(const std::string& root) {
  double least = std::numeric_limits<double>::infinity();
  const std::string groups = text_of_file(root + "/proc/self/cgroup");
  for (const std::string& folder : quota_folders(groups, text_of_file(root + "/proc/self/mountinfo"))) {
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
