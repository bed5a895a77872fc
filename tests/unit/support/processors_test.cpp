// Processors that a process may use: quotas of control groups of both versions; variables.

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
      cmocka_unit_test(test_quotas),
      cmocka_unit_test(test_processors),
      cmocka_unit_test(test_variables),
      cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
