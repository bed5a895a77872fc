#include "support/memory.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "support/control_groups.h"
#include "support/text.h"

namespace vtemper {
namespace {

std::optional<double> number_in(const std::string& text) {
  const std::optional<int64_t> number = parse_integer(without_line_end(text));
  return number ? std::optional<double>(static_cast<double>(*number)) : std::nullopt;
}

/// The number that follows a name in a file of lines such as "anon 4096" or "MemAvailable:  1024 kB".
std::optional<double> number_of(std::string_view name, const std::string& text) {
  for (const std::string_view line : split(text, '\n')) {
    if (line.substr(0, name.size()) != name) continue;
    std::string_view rest = line.substr(name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return number_in(std::string(rest.substr(0, rest.find(' '))));
  }
  return std::nullopt;
}

/// What a control group leaves to its processes: pages of files count as free, since the system can drop them.
std::optional<double> left_in_group(const std::string& folder) {
  std::optional<double> limit = number_in(text_of_file(folder + "/memory.max"));
  if (!limit) limit = number_in(text_of_file(folder + "/memory.limit_in_bytes"));
  if (!limit) return std::nullopt;
  const std::string statistics = text_of_file(folder + "/memory.stat");
  std::optional<double> used = number_of("anon ", statistics);
  if (!used) used = number_of("total_rss ", statistics);
  return std::max(0.0, *limit - used.value_or(0));
}

}  // namespace

double available_memory(const std::string& root) {
  double least = 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const std::optional<double> available = number_of("MemAvailable:", text_of_file(root + "/proc/meminfo"));
  if (available) least = 1024 * *available;
  for (const std::string& folder : folders_of_groups("memory", root)) {
    if (const std::optional<double> left = left_in_group(root + folder)) least = std::min(least, *left);
  }
  return least;
}

}  // namespace vtemper
