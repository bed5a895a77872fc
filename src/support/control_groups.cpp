#include "support/control_groups.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace vtemper {

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

std::string_view without_line_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

namespace {

bool holds(const std::vector<std::string_view>& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
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

/// Mount points of control groups with a controller.
std::vector<Mount> mounts_of(std::string_view controller, std::string_view mounts) {
  std::vector<Mount> found;
  for (const std::string_view line : split(mounts, '\n')) {
    // 31 23 0:28 /root /folder options [more ...] - type source options
    const std::vector<std::string_view> words = split(line, ' ');
    const auto dash = std::find(
        words.begin() + std::min<std::ptrdiff_t>(6, static_cast<std::ptrdiff_t>(words.size())), words.end(), "-");
    if (words.end() - dash < 4) continue;
    const bool second_version = dash[1] == "cgroup2";
    if (!second_version && !(dash[1] == "cgroup" && holds(split(dash[3], ','), controller))) continue;
    found.push_back({unescaped(words[3]), unescaped(words[4]), second_version});
  }
  return found;
}

}  // namespace

std::vector<std::string> folders_of_groups(std::string_view controller, std::string_view groups,
                                           std::string_view mounts) {
  std::vector<std::string> folders;
  const std::vector<Mount> mounted = mounts_of(controller, mounts);
  for (const std::string_view line : split(groups, '\n')) {
    // 0::/group of version 2, 4:cpu,cpuacct:/group of version 1
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool second_version = controllers.empty();
    if (!second_version && !holds(split(controllers, ','), controller)) continue;
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

std::vector<std::string> folders_of_groups(std::string_view controller, const std::string& root) {
  const std::string groups = text_of_file(root + "/proc/self/cgroup");
  return folders_of_groups(controller, groups, text_of_file(root + "/proc/self/mountinfo"));
}

}  // namespace vtemper
