// Unnamed files: zeros, reserved disk space, moves, and nothing left in the folder.

#include "storage/scratch_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

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

void test_contents(void**) {
  constexpr int64_t bytes = 3 * 4096 + 17;
  const int open_before = descriptors();
  {
    ScratchMemory file(folder, bytes);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(descriptors(), open_before);
    assert_int_equal(file.bytes(), bytes);
    assert_true(file.is_ours());
    auto* numbers = static_cast<unsigned char*>(file.data());
    assert_int_equal(std::count(numbers, numbers + bytes, 0), bytes);
    for (int64_t i = 0; i < bytes; ++i) numbers[i] = static_cast<unsigned char>(i % 251);
    for (const Access access : {Access::here_and_there, Access::in_order}) advise(numbers, bytes, access);
    begin_to_read(numbers + 5, bytes - 5);
    ScratchMemory other = std::move(file);
    assert_null(file.data());  // NOLINT(bugprone-use-after-move): this is what the test checks
    assert_ptr_equal(other.data(), numbers);
    for (int64_t i = 0; i < bytes; ++i) assert_int_equal(numbers[i], i % 251);
    file = std::move(other);
    assert_ptr_equal(file.data(), numbers);
  }
  assert_int_equal(files_in_folder(), 0);
  assert_null(ScratchMemory().data());
}

/// Its blocks are reserved on the disk before anything is written.
void test_blocks(void**) {
  constexpr int64_t bytes = int64_t{8} << 20;
  const ScratchMemory file(folder, bytes);
  struct stat status;
  char line[512];
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) _skip(__FILE__, __LINE__);
  // The mapping leads to the file, and shows that its name has been removed.
  char link[64] = "";
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line, "%lx-%lx", &begin, &end) == 2 && begin == reinterpret_cast<unsigned long>(file.data())) {
      std::snprintf(link, sizeof link, "/proc/self/map_files/%lx-%lx", begin, end);
      assert_non_null(std::strstr(line, "(deleted)"));
    }
  }
  std::fclose(maps);
  assert_true(link[0] != '\0');
  if (stat(link, &status) != 0) _skip(__FILE__, __LINE__);  // this needs a privilege
  assert_int_equal(status.st_nlink, 0);
  assert_true(status.st_blocks * 512 >= bytes);
  assert_int_equal(status.st_mode & 0777, 0600);
}

void refuse(const std::string& where, const char* reason) {
  const int open_before = descriptors();
  const std::string text = refusal(VTEMPER_ERROR_IO, [&] { ScratchMemory(where, 100000); });
  assert_contains(text, where + " cannot hold a file of 100000 bytes: ");
  assert_contains(text, reason);
  assert_int_equal(descriptors(), open_before);
}

void test_refused(void**) {
  refuse(std::string(folder) + "/missing", "No such file or directory");
  refuse("/dev/null", "Not a directory");
  // Without a signal, which would end the process.
  rlimit old;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small = {99999, old.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  refuse(folder, "File too large");
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  const ScratchMemory fits(folder, 100000);
  // More than the disk has; the disk is not filled first.
  struct statvfs disk;
  assert_int_equal(statvfs(folder, &disk), 0);
  const int64_t free = static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize);
  const std::string text = refusal(VTEMPER_ERROR_IO, [&] { ScratchMemory(folder, 2 * free + (int64_t{1} << 30)); });
  assert_contains(text, std::string(folder) + " cannot hold a file of ");
  assert_contains(text, "No space left on device");
  assert_int_equal(files_in_folder(), 0);
}

/// A limit of the address space (`ulimit -v`) is reported as such, with the folder.
void test_address_space(void**) {
  rlimit old;
  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  constexpr int64_t bytes = int64_t{1} << 30;
  const rlimit small = {static_cast<rlim_t>(bytes), old.rlim_max};
  if (setrlimit(RLIMIT_AS, &small) != 0) _skip(__FILE__, __LINE__);
  void* const file = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (file != MAP_FAILED) _skip(__FILE__, __LINE__);
  const int open_before = descriptors();
  const std::string text = refusal(VTEMPER_ERROR_MEMORY, [&] { ScratchMemory(folder, bytes); });
  assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
  assert_contains(text, std::string(folder) + " cannot hold a file of ");
  assert_contains(text, "address space");
  assert_int_equal(descriptors(), open_before);
  assert_int_equal(files_in_folder(), 0);
}

void test_fork(void**) {
  ScratchMemory file(folder, 4096);
  const pid_t process = fork();
  assert_true(process >= 0);
  if (process == 0) _exit(file.is_ours() ? 1 : 0);
  int status = -1;
  assert_int_equal(waitpid(process, &status, 0), process);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_true(file.is_ours());
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_contents),      cmocka_unit_test(test_blocks), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_address_space), cmocka_unit_test(test_fork),
  };
  if (mkdtemp(folder) == nullptr) return 1;
  const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
  return rmdir(folder) != 0 || failed != 0 ? 1 : 0;
}
