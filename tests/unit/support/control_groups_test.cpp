// Folders of control groups of both versions, as hosts and containers show them.

#include "support/control_groups.h"

#include "support/refusal.h"

using namespace vtemper;

namespace {

constexpr const char* second_mount =
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* first_mounts =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw,relatime shared:9 - cgroup cgroup rw,cpuset\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:10 - cgroup cgroup rw,cpu,cpuacct\n";

std::string joined(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) text += folder + ";";
  return text;
}

void test_folders(void**) {
  assert_text(joined(folders_of_groups("cpu", "0::/\n", second_mount)), "/sys/fs/cgroup;");
  assert_text(joined(folders_of_groups("cpu", "0::/user.slice/run-7.scope\n", second_mount)),
              "/sys/fs/cgroup/user.slice/run-7.scope;/sys/fs/cgroup/user.slice;/sys/fs/cgroup;");
  assert_text(joined(folders_of_groups("cpu", "3:cpuset:/a\n2:cpu,cpuacct:/b/c\n0::/d\n", first_mounts)),
              "/sys/fs/cgroup/cpu,cpuacct/b/c;/sys/fs/cgroup/cpu,cpuacct/b;/sys/fs/cgroup/cpu,cpuacct;");
  // A container whose own group is mounted, named as the host names it.
  const char* const container = "32 31 0:29 /docker/1f /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";
  assert_text(joined(folders_of_groups("cpu", "4:cpu:/docker/1f\n", container)), "/sys/fs/cgroup/cpu;");
  assert_text(joined(folders_of_groups("cpu", "4:cpu:/docker/1f/job\n", container)),
              "/sys/fs/cgroup/cpu/job;/sys/fs/cgroup/cpu;");
  assert_text(joined(folders_of_groups("cpu", "4:cpu:/docker/1ff\n", container)), "/sys/fs/cgroup/cpu;");
  // Groups above the root of a namespace; blanks in names; both versions at once.
  assert_text(joined(folders_of_groups("cpu", "0::/../other\n", second_mount)), "/sys/fs/cgroup;");
  assert_text(joined(folders_of_groups("cpu", "0::/a:b\n", "30 23 0:26 / /my\\040groups rw - cgroup2 none rw\n")),
              "/my groups/a:b;/my groups;");
  assert_text(joined(folders_of_groups("cpu", "4:cpu:/x\n0::/y\n", std::string(first_mounts) + second_mount)),
              "/sys/fs/cgroup/cpu,cpuacct/x;/sys/fs/cgroup/cpu,cpuacct;/sys/fs/cgroup/y;/sys/fs/cgroup;");
  const char* const memory = "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
  assert_text(joined(folders_of_groups("memory", "4:cpu:/x\n3:memory:/y\n", std::string(first_mounts) + memory)),
              "/sys/fs/cgroup/memory/y;/sys/fs/cgroup/memory;");
  // Nothing to be found, and malformed lines.
  assert_text(joined(folders_of_groups("cpu", "", second_mount)), "");
  assert_text(joined(folders_of_groups("cpu", "0::/a\n", "")), "");
  assert_text(joined(folders_of_groups("cpu", "0:\n:\n\n::", "- cgroup2\n30 23\n - - - -\n")), "");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_folders)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
