#pragma once
// The control groups of this process, which limit its processor time and its memory.

#include <string>
#include <string_view>
#include <vector>

namespace vtemper {

/// Folders of the control groups with a controller ("cpu", "memory") that may limit a process with these
/// /proc/self/cgroup and /proc/self/mountinfo: its own group and all its ancestors, where mounted.
std::vector<std::string> folders_of_groups(std::string_view controller, std::string_view groups,
                                           std::string_view mounts);
/// Those of this process. Reads the files below `root` + "/proc"; `root` is "" outside tests.
std::vector<std::string> folders_of_groups(std::string_view controller, const std::string& root);

/// The text of a small file; empty if it cannot be read.
std::string text_of_file(const std::string& path);
/// The parts of a text between separators, at least one.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view without_line_end(std::string_view text);

}  // namespace vtemper
