// Unnamed files of a fixed size: zeros, reserved disk space, what was written is read, failures as errors with the
// folder, and nothing left in the folder.

#include "storage/parameter_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "support/refusal.h"

using namespace vtemper;

namespace {

char folder[] = "/tmp/vtemper-scratch-XXXXXX";

int files_in_folder() {
  int count = -2;  // "." and ".."
  DIR* stream = opendir(folder);
  assert_non_null(stream);
  while (readdir(stream) != nullptr) ++count;
  closedir(stream);
  return count;
}

int descriptors() {
  int count = 0;
  for (int number = 0; number < 1000; ++number) count += fcntl(number, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

/// The descriptor that the next file gets.
int next_descriptor() {
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(next);
  return next;
}

void test_contents(void**) {
  constexpr int64_t bytes = 3 * (int64_t{1} << 20) + 17;
  const int open_before = descriptors();
  {
    const ParameterFile file(folder, bytes);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(descriptors(), open_before + 1);
    assert_int_equal(file.bytes(), bytes);
    assert_string_equal(file.folder().c_str(), folder);
    assert_true(file.is_ours());
    file.require_writable();
    std::vector<unsigned char> numbers(static_cast<size_t>(bytes), 1);
    file.read(0, numbers.data(), bytes);
    assert_int_equal(std::count(numbers.begin(), numbers.end(), 0), bytes);
    for (int64_t i = 0; i < bytes; ++i) numbers[static_cast<size_t>(i)] = static_cast<unsigned char>(i % 251);
    file.write(0, numbers.data(), 1000);
    file.write(1000, numbers.data() + 1000, bytes - 1000);
    file.request(5, bytes - 5);
    std::vector<unsigned char> read(numbers.size());
    file.read(bytes - 100, read.data(), 100);
    assert_true(std::equal(read.begin(), read.begin() + 100, numbers.end() - 100));
    // What was just written does not have to be waited for, where the system can tell.
    if (file.read_without_waiting(4095, read.data(), 3)) {
      assert_true(std::equal(read.begin(), read.begin() + 3, numbers.begin() + 4095));
    }
    int64_t visited = 0;
    file.visit(bytes - 1, [&](const void* range, int64_t size) {
      assert_true(std::equal(numbers.begin() + visited, numbers.begin() + visited + size,
                             static_cast<const char*>(range),
                             [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }));
      visited += size;
    });
    assert_int_equal(visited, bytes - 1);
  }
  assert_int_equal(descriptors(), open_before);
  assert_int_equal(files_in_folder(), 0);
}

/// Its blocks are reserved on the disk before anything is written; it has no name and is nobody else's.
void test_blocks(void**) {
  constexpr int64_t bytes = int64_t{8} << 20;
  const int descriptor = next_descriptor();
  const ParameterFile file(folder, bytes);
  struct stat status;
  assert_int_equal(fstat(descriptor, &status), 0);
  assert_int_equal(status.st_size, bytes);
  assert_int_equal(status.st_nlink, 0);
  assert_true(status.st_blocks * 512 >= bytes);
  assert_int_equal(status.st_mode & 0777, 0600);
  assert_true((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
}

void refuse(const std::string& where, const char* reason) {
  const int open_before = descriptors();
  const std::string text = refusal(VTEMPER_ERROR_IO, [&] { ParameterFile(where, 100000); });
  assert_contains(text, where + " cannot hold a file of 100000 bytes: ");
  assert_contains(text, reason);
  assert_int_equal(descriptors(), open_before);
}

template <class Call>
void assert_fails(const char* reason, const Call& call) {
  const std::string text = refusal(VTEMPER_ERROR_IO, call);
  assert_contains(text, folder);
  assert_contains(text, reason);
}

rlimit limit_files(rlim_t bytes) {
  rlimit old;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small = {bytes, old.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  return old;
}

void test_refused(void**) {
  refuse(std::string(folder) + "/missing", "No such file or directory");
  refuse("/dev/null", "Not a directory");
  // Without a signal, which would end the process.
  const rlimit old = limit_files(99999);
  refuse(folder, "File too large");
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  const ParameterFile fits(folder, 100000);
  // More than the disk has; the disk is not filled first.
  struct statvfs disk;
  assert_int_equal(statvfs(folder, &disk), 0);
  const int64_t free = static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize);
  const std::string text = refusal(VTEMPER_ERROR_IO, [&] { ParameterFile(folder, 2 * free + (int64_t{1} << 30)); });
  assert_contains(text, std::string(folder) + " cannot hold a file of ");
  assert_contains(text, "No space left on device");
  assert_int_equal(files_in_folder(), 0);
}

/// A limit of the size of files that is set later.
void test_limited(void**) {
  const ParameterFile file(folder, 5000);
  const rlimit old = limit_files(4999);
  assert_fails("cannot be written: File too large", [&] { file.require_writable(); });
  file.require_open();
  char byte = 1;
  file.read(4999, &byte, 1);
  assert_int_equal(byte, 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  file.require_writable();
  file.write(4999, "x", 1);
}

/// The file takes no address space (`ulimit -v`).
void test_address_space(void**) {
  rlimit old;
  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  constexpr int64_t bytes = int64_t{1} << 30;
  long pages = 0;
  std::FILE* const memory = std::fopen("/proc/self/statm", "r");
  if (memory == nullptr) _skip(__FILE__, __LINE__);
  assert_int_equal(std::fscanf(memory, "%ld", &pages), 1);
  std::fclose(memory);
  const auto in_use = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE));
  const rlimit small = {in_use + static_cast<rlim_t>(bytes / 2), old.rlim_max};
  if (setrlimit(RLIMIT_AS, &small) != 0) _skip(__FILE__, __LINE__);
  const auto file = std::make_unique<ParameterFile>(folder, bytes);
  assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
  char byte = 1;
  file->read(bytes - 1, &byte, 1);
  assert_int_equal(byte, 0);
}

/// Hosts that become services close all descriptors, and open other files, which get the same numbers: these are
/// neither read nor written nor closed.
void test_closed(void**) {
  const int descriptor = next_descriptor();
  const std::string path = std::string(folder) + "/other";
  {
    const ParameterFile file(folder, 100);
    close(descriptor);
    for (const bool reused : {false, true}) {
      if (reused) assert_int_equal(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), descriptor);
      assert_fails("was closed by this program", [&] { file.require_open(); });
      assert_fails("was closed by this program", [&] { file.require_writable(); });
      assert_fails("was closed by this program",
                   [&] { file.visit(100, [](const void*, int64_t) { fail_with("it was read"); }); });
    }
  }
  assert_true(fcntl(descriptor, F_GETFD) >= 0);
  close(descriptor);
  assert_int_equal(unlink(path.c_str()), 0);
}

/// Another process has cut it, as is possible where it had a name.
void test_truncated(void**) {
  const int descriptor = next_descriptor();
  const ParameterFile file(folder, 100);
  assert_int_equal(ftruncate(descriptor, 50), 0);
  char bytes[20];
  file.read(30, bytes, 20);
  assert_fails("cannot be read", [&] { file.read(40, bytes, 20); });
  assert_false(file.read_without_waiting(40, bytes, 20));
}

void test_fork(void**) {
  const ParameterFile file(folder, 4096);
  file.write(7, "seven", 5);
  const pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) {
    char read[5] = "";
    file.read(7, read, 5);
    _exit(file.is_ours() || !std::equal(read, read + 5, "seven") ? 1 : 0);
  }
  int status = -1;
  assert_int_equal(waitpid(process, &status, 0), process);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_true(file.is_ours());
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contents),      cmocka_unit_test(test_blocks), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_limited),       cmocka_unit_test(test_closed), cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_address_space), cmocka_unit_test(test_fork),
  };
  if (mkdtemp(folder) == nullptr) return 1;
  const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
  return rmdir(folder) != 0 || failed != 0 ? 1 : 0;
}
