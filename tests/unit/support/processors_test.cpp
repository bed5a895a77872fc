// Processors that a process may use: control groups of both versions, as hosts and containers show them; variables.

#include "support/processors.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

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
  assert_text(joined(quota_folders("0::/\n", second_mount)), "/sys/fs/cgroup;");
  assert_text(joined(quota_folders("0::/user.slice/run-7.scope\n", second_mount)),
              "/sys/fs/cgroup/user.slice/run-7.scope;/sys/fs/cgroup/user.slice;/sys/fs/cgroup;");
  assert_text(joined(quota_folders("3:cpuset:/a\n2:cpu,cpuacct:/b/c\n0::/d\n", first_mounts)),
              "/sys/fs/cgroup/cpu,cpuacct/b/c;/sys/fs/cgroup/cpu,cpuacct/b;/sys/fs/cgroup/cpu,cpuacct;");
  // A container whose own group is mounted, named as the host names it.
  const char* const container = "32 31 0:29 /docker/1f /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";
  assert_text(joined(quota_folders("4:cpu:/docker/1f\n", container)), "/sys/fs/cgroup/cpu;");
  assert_text(joined(quota_folders("4:cpu:/docker/1f/job\n", container)),
              "/sys/fs/cgroup/cpu/job;/sys/fs/cgroup/cpu;");
  assert_text(joined(quota_folders("4:cpu:/docker/1ff\n", container)), "/sys/fs/cgroup/cpu;");
  // Groups above the root of a namespace; blanks in names; both versions at once.
  assert_text(joined(quota_folders("0::/../other\n", second_mount)), "/sys/fs/cgroup;");
  assert_text(joined(quota_folders("0::/a:b\n", "30 23 0:26 / /my\\040groups rw - cgroup2 none rw\n")),
              "/my groups/a:b;/my groups;");
  assert_text(joined(quota_folders("4:cpu:/x\n0::/y\n", std::string(first_mounts) + second_mount)),
              "/sys/fs/cgroup/cpu,cpuacct/x;/sys/fs/cgroup/cpu,cpuacct;/sys/fs/cgroup/y;/sys/fs/cgroup;");
  // Nothing to be found, and malformed lines.
  assert_text(joined(quota_folders("", second_mount)), "");
  assert_text(joined(quota_folders("0::/a\n", "")), "");
  assert_text(joined(quota_folders("0:\n:\n\n::", "- cgroup2\n30 23\n - - - -\n")), "");
}

void test_quotas(void**) {
  assert_true(quota_of_version_2("150000 100000\n") == 1.5);
  assert_true(quota_of_version_1("50000\n", "100000\n") == 0.5);
  for (const char* const none : {"max 100000\n", "", "100000", "x y", "0 100000", "-5 100000", "100000 0", "1 2 3"}) {
    assert_false(quota_of_version_2(none).has_value());
  }
  assert_false(quota_of_version_1("-1\n", "100000\n").has_value());
  assert_false(quota_of_version_1("", "").has_value());
}

void test_processors(void**) {
  assert_int_equal(processors_within(8, INFINITY), 8);
  assert_int_equal(processors_within(8, 2), 2);
  assert_int_equal(processors_within(8, 2.0000001), 2);
  assert_int_equal(processors_within(8, 1.5), 2);
  assert_int_equal(processors_within(8, 0.1), 1);
  assert_int_equal(processors_within(2, 1e30), 2);
  assert_int_equal(processors_within(0, 0), 1);
  assert_true(processors_of_affinity() >= 1);
}

void test_variables(void**) {
  assert_int_equal(threads_of_variable(nullptr), 0);
  assert_int_equal(threads_of_variable("4"), 4);
  assert_int_equal(threads_of_variable(" 4 "), 4);
  assert_int_equal(threads_of_variable("4,2"), 4);
  assert_int_equal(threads_of_variable("99999999999"), INT32_MAX);
  for (const char* const none : {"", "0", "-3", "x", "3x", ",2", "99999999999999999999"}) {
    assert_int_equal(threads_of_variable(none), 0);
  }
}

void write_file(const std::string& path, const char* text) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  assert_non_null(file);
  std::fputs(text, file);
  std::fclose(file);
}

/// The smallest quota of all groups above the process counts.
void test_files(void**) {
  char folder[] = "/tmp/vtemper-processors-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const std::string root = folder;
  assert_true(std::isinf(processors_of_quota(root)));
  for (const char* const part :
       {"/proc", "/proc/self", "/sys", "/sys/fs", "/sys/fs/cgroup", "/sys/fs/cgroup/a", "/sys/fs/cgroup/a/b"}) {
    assert_int_equal(mkdir((root + part).c_str(), 0700), 0);
  }
  write_file(root + "/proc/self/cgroup", "0::/a/b\n");
  write_file(root + "/proc/self/mountinfo", second_mount);
  assert_true(std::isinf(processors_of_quota(root)));
  write_file(root + "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  assert_true(std::isinf(processors_of_quota(root)));
  write_file(root + "/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  assert_true(processors_of_quota(root) == 3);
  write_file(root + "/sys/fs/cgroup/a/b/cpu.cfs_quota_us", "250000\n");
  write_file(root + "/sys/fs/cgroup/a/b/cpu.cfs_period_us", "100000\n");
  assert_true(processors_of_quota(root) == 2.5);
  assert_int_equal(std::system(("rm -r " + root).c_str()), 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_folders),   cmocka_unit_test(test_quotas), cmocka_unit_test(test_processors),
      cmocka_unit_test(test_variables), cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
