// Memory that a process may use: that of the machine, and the limits of control groups of both versions.

#include "support/memory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "support/refusal.h"

using namespace vtemper;

namespace {

void write_file(const std::string& path, const char* text) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  assert_non_null(file);
  std::fputs(text, file);
  std::fclose(file);
}

void test_available_memory(void**) {
  const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  assert_true(available_memory() > 0 && available_memory() <= physical);
  char folder[] = "/tmp/vtemper-memory-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const std::string root = folder;
  assert_true(available_memory(root) == physical / 2);  // nothing is known
  for (const char* const part :
       {"/proc", "/proc/self", "/sys", "/sys/fs", "/sys/fs/cgroup", "/sys/fs/cgroup/a", "/sys/fs/cgroup/a/b"}) {
    assert_int_equal(mkdir((root + part).c_str(), 0700), 0);
  }
  write_file(root + "/proc/meminfo", "MemTotal:       20 kB\nMemFree:         2 kB\nMemAvailable:    12 kB\n");
  assert_true(available_memory(root) == 12 * 1024);
  write_file(root + "/proc/self/cgroup", "0::/a/b\n");
  write_file(root + "/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n");
  write_file(root + "/sys/fs/cgroup/a/b/memory.max", "max\n");
  assert_true(available_memory(root) == 12 * 1024);
  // The group above has a limit. Pages of files count as free.
  write_file(root + "/sys/fs/cgroup/a/memory.max", "10000\n");
  assert_true(available_memory(root) == 10000);
  write_file(root + "/sys/fs/cgroup/a/memory.stat", "file 9000\nanon 4000\nkernel 5\n");
  assert_true(available_memory(root) == 6000);
  // The first version of control groups.
  write_file(root + "/sys/fs/cgroup/a/b/memory.limit_in_bytes", "5000\n");
  write_file(root + "/sys/fs/cgroup/a/b/memory.stat", "cache 1\nrss 2\ntotal_rss 6000\n");
  assert_true(available_memory(root) == 0);
  assert_int_equal(std::system(("rm -r " + root).c_str()), 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(test_available_memory)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
