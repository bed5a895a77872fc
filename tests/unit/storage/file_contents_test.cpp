// Files of any size and memory: the bytes are those of the file, by any number of threads and in forked processes;
// truncation, removal and closed descriptors lead to messages.

#include "storage/file_contents.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "support/memory.h"
#include "unit/data/fixtures.h"

using namespace vtemper;
using namespace vtemper::test;

namespace {

constexpr int64_t block = int64_t{1} << 16, size = 20 * block + 1234;

/// Everything in memory, read in blocks, no memory for blocks, memory that becomes usable block by block.
const std::vector<FileLimits> all_limits = {{}, {0, 0.5}, {0, 0}, {0, 0.5, true}};

std::vector<uint8_t> write_numbers(const std::string& path, uint64_t seed) {
  Random random(seed);
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.below(256));
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  assert_non_null(file);
  assert_int_equal(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  assert_int_equal(std::fclose(file), 0);
  return bytes;
}

/// Reads random ranges, also empty ones, beyond the limits of blocks and to the end of the file.
bool reads_as(const FileContents& file, const std::vector<uint8_t>& bytes, uint64_t seed, int times) {
  Random random(seed);
  Spare spare;
  for (int i = 0; i < times; ++i) {
    const auto most = i % 8 == 0 ? 4 * block : int64_t{300};
    const auto begin = static_cast<int64_t>(random.below(static_cast<uint64_t>(size)));
    const int64_t count = std::min(size - begin, static_cast<int64_t>(random.below(static_cast<uint64_t>(most))));
    const uint8_t* const found = file.at(file.begin() + begin, count, spare);
    if (count > 0 && std::memcmp(found, bytes.data() + begin, static_cast<size_t>(count)) != 0) return false;
  }
  return true;
}

bool visits_as(const FileContents& file, const std::vector<uint8_t>& bytes) {
  std::vector<uint8_t> visited;
  file.visit(file.begin() + 5, size - 5, [&](const void* range, int64_t count) {
    const auto* const first = static_cast<const uint8_t*>(range);
    visited.insert(visited.end(), first, first + count);
  });
  return std::equal(visited.begin(), visited.end(), bytes.begin() + 5, bytes.end());
}

void test_bytes(void**) {
  Folder folder;
  const std::string path = folder.path("file");
  const std::vector<uint8_t> bytes = write_numbers(path, 1);
  for (const FileLimits& limits : all_limits) {
    const FileContents file(path, limits);
    assert_int_equal(file.size(), size);
    assert_true(file.is_in_memory() == (limits.read_at_once >= size));
    file.request(file.begin(), size);
    assert_true(visits_as(file, bytes));
    assert_true(reads_as(file, bytes, 2, 300));
    assert_true(visits_as(file, bytes));
    std::vector<uint8_t> part(1000);
    file.read(file.begin() + 2 * block - 500, 1000, part.data());
    assert_true(std::equal(part.begin(), part.end(), bytes.begin() + 2 * block - 500));
    // What is kept stays at its address, whatever the limit.
    file.keep(file.begin() + block - 1, 2);
    assert_true(file.begin()[block - 1] == bytes[block - 1] && file.begin()[block] == bytes[block]);
  }
}

/// Not more is in memory than was permitted, and the rest is read all the same.
void test_limit(void**) {
  Folder folder;
  const std::string path = folder.path("file");
  const std::vector<uint8_t> bytes = write_numbers(path, 2);
  const FileContents none(path, {0, 0});
  assert_true(reads_as(none, bytes, 1, 100));
  assert_int_equal(none.bytes_in_memory(), 0);
  none.keep(none.begin() + 3 * block, 1);
  assert_int_equal(none.bytes_in_memory(), block);
  // The memory that is available changes meanwhile, but not by half of this.
  const double share = 6.0 * static_cast<double>(block) / available_memory();
  const FileContents some(path, {0, share});
  assert_true(reads_as(some, bytes, 1, 300));
  assert_true(some.bytes_in_memory() >= 2 * block && some.bytes_in_memory() <= 12 * block);
  const FileContents all(path, {0, 0.5});
  assert_int_equal(all.bytes_in_memory(), 0);
  assert_true(reads_as(all, bytes, 1, 300));
  assert_int_equal(all.bytes_in_memory(), size);
}

void test_threads(void**) {
  Folder folder;
  const std::string path = folder.path("file");
  const std::vector<uint8_t> bytes = write_numbers(path, 3);
  for (const FileLimits& limits : all_limits) {
    const FileContents file(path, limits);
    std::vector<int> good(8, 0);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < good.size(); ++i) {
      threads.emplace_back([&, i] {
        if (i % 4 == 3) file.keep(file.begin() + static_cast<int64_t>(i) * block, 5 * block);
        good[i] = reads_as(file, bytes, i, 50) ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    assert_true(std::all_of(good.begin(), good.end(), [](int each) { return each == 1; }));
  }
}

/// Forked processes share what was read before, and read the rest themselves.
void test_fork(void**) {
  Folder folder;
  const std::string path = folder.path("file");
  const std::vector<uint8_t> bytes = write_numbers(path, 4);
  for (const FileLimits& limits : all_limits) {
    const FileContents file(path, limits);
    assert_true(reads_as(file, bytes, 1, 5));
    const pid_t child = fork();
    if (child == 0) _exit(reads_as(file, bytes, 2, 100) ? 0 : 1);
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(reads_as(file, bytes, 3, 100));
  }
}

/// What was read before a truncation stays; the rest is refused until the file is complete again.
void test_truncated(void**) {
  Folder folder;
  const std::string path = folder.path("file");
  const std::vector<uint8_t> bytes = write_numbers(path, 5);
  const std::vector<std::string> pieces = {path, "truncated", number_text(size)};
  for (const FileLimits& limits : all_limits) {
    write_numbers(path, 5);
    const FileContents file(path, limits);
    Spare spare;
    file.keep(file.begin(), 100);
    assert_int_equal(truncate(path.c_str(), 3 * block + 7), 0);
    assert_true(std::memcmp(file.at(file.begin(), 100, spare), bytes.data(), 100) == 0);
    if (file.is_in_memory()) {
      assert_true(visits_as(file, bytes));
      continue;
    }
    const uint8_t* const lost = file.begin() + 3 * block;
    char out[10];
    assert_refused(VTEMPER_ERROR_IO, pieces, [&] { file.at(lost, 10, spare); });
    assert_refused(VTEMPER_ERROR_IO, pieces, [&] { file.keep(lost, 10); });
    assert_refused(VTEMPER_ERROR_IO, pieces, [&] { file.read(lost, 10, out); });
    assert_refused(VTEMPER_ERROR_IO, pieces, [&] { visits_as(file, bytes); });
    file.request(lost, 10);
    // Written again in place, as cp does.
    write_numbers(path, 5);
    assert_true(reads_as(file, bytes, 6, 100));
  }
  // A file that is replaced or removed is still there for those who opened it.
  const FileContents file(path, {0, 0});
  assert_int_equal(unlink(path.c_str()), 0);
  write_numbers(path, 6);
  assert_true(reads_as(file, bytes, 7, 100));
}

/// Hosts that become services close all descriptors, and open other files, which get the same numbers.
void test_closed_descriptors(void**) {
  Folder folder;
  const std::string path = folder.path("file");
  const std::vector<uint8_t> bytes = write_numbers(path, 7);
  write_numbers(folder.path("other"), 8);
  int descriptor = 0;
  {
    const int next = open("/dev/null", O_RDONLY);
    close(next);
    const FileContents file(path, {0, 0});
    close(next);  // which it has got
    assert_true(reads_as(file, bytes, 1, 50));
    descriptor = open(folder.path("other").c_str(), O_RDONLY);
    assert_int_equal(descriptor, next);
    assert_true(reads_as(file, bytes, 2, 50));
    Spare spare;
    assert_int_equal(unlink(path.c_str()), 0);
    assert_refused(VTEMPER_ERROR_IO, {path, "opened again"}, [&] { file.at(file.begin(), 1, spare); });
    write_numbers(path, 9);
    assert_refused(VTEMPER_ERROR_IO, {path, "no longer the file"}, [&] { file.at(file.begin(), 1, spare); });
  }
  assert_true(fcntl(descriptor, F_GETFD) >= 0);  // the host's file was not closed
  close(descriptor);
}

void test_refused(void**) {
  Folder folder;
  assert_refused(VTEMPER_ERROR_IO, {"none", "No such file"}, [&] { const FileContents file(folder.path("none")); });
  assert_refused(VTEMPER_ERROR_IO, {folder.path(""), "directory"}, [&] { const FileContents file(folder.path("")); });
  assert_refused(VTEMPER_ERROR_IO, {"/dev/null", "regular"}, [&] { const FileContents file("/dev/null"); });
  const std::string pipe = folder.path("pipe");
  assert_int_equal(mkfifo(pipe.c_str(), 0600), 0);
  assert_refused(VTEMPER_ERROR_IO, {pipe, "regular"}, [&] { const FileContents file(pipe); });
  const std::string empty = folder.path("empty");
  std::fclose(std::fopen(empty.c_str(), "wb"));
  assert_int_equal(FileContents(empty).size(), 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes),   cmocka_unit_test(test_limit),     cmocka_unit_test(test_threads),
      cmocka_unit_test(test_fork),    cmocka_unit_test(test_truncated), cmocka_unit_test(test_closed_descriptors),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
