// Others truncate a mapped file and write it again while it is in use, as cp does, at any moment between two reads of
// one call: every call gives a status, and no signal ends the process. Prints the number of calls; VTEMPER_TORTURE=N
// makes N times as many.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "data/mapped/mapped.h"
#include "models/contract/hostile_use.h"
#include "support/sanitizer.h"

using namespace contract;

namespace {

const int rounds_a_kind = vtemper::test::unless_sanitized(12, 3);

/// Cuts the file to random lengths and writes it again, in turn; complete at the end.
class Cutter {
 public:
  Cutter(const char* path, const std::string& bytes) : bytes_(bytes), file_(open(path, O_RDWR | O_CLOEXEC)) {
    require(file_ >= 0, "the file cannot be opened");
    thread_ = std::thread([this] { cut(); });
  }
  Cutter(const Cutter&) = delete;
  Cutter& operator=(const Cutter&) = delete;
  ~Cutter() {
    ends_ = true;
    thread_.join();
    close(file_);
  }

 private:
  void cut() {
    Random random(9);
    while (!ends_) {
      // Most of a large file is one text, so half of the cuts are within the rows.
      const double share = random.uniform();
      const auto size = static_cast<double>(bytes_.size());
      const auto left = static_cast<size_t>(share < 0.5 ? share * 2 * size : (share - 0.5) * std::min(size, 3e4));
      require(ftruncate(file_, static_cast<off_t>(left)) == 0, "the file cannot be truncated");
      usleep(static_cast<useconds_t>(random.uniform() * 300));
      for (size_t done = left; done < bytes_.size();) {
        const ssize_t count = pwrite(file_, bytes_.data() + done, bytes_.size() - done, static_cast<off_t>(done));
        require(count > 0, "the file cannot be written again");
        done += static_cast<size_t>(count);
      }
      usleep(static_cast<useconds_t>(random.uniform() * 3000));
    }
  }
  const std::string& bytes_;
  int file_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

void cut_while_in_use(void**) {
  char path[] = "/tmp/vtemper-cut-XXXXXX";
  close(mkstemp(path));
  for (const Fixture& fixture : fixtures()) {
    vtemper_data* data = handle_of(fixture.data());
    vtemper::test::begin_case(fixture.kind, 60 * static_cast<int>(vtemper::test::torture_times()));
    for (const FileLimits& limits : {FileLimits{}, FileLimits{0, 0.5}, FileLimits{0, 0}}) {
      const bool is_large = limits.read_at_once > 0;
      if (is_large && vtemper::test::unless_sanitized(false, true)) continue;  // the same readers, but slow
      const std::string bytes = corpus_of_size(data, path, is_large);
      const Cutter cutter(path, bytes);
      for (int i = 0; i < rounds_a_kind * static_cast<int>(vtemper::test::torture_times()); ++i) {
        vtemper_data* mapped = nullptr;
        try {
          mapped = handle_of(open_mapped(path, limits));
        } catch (const Error& error) {
          require(error.status() == VTEMPER_ERROR_IO || error.status() == VTEMPER_ERROR_FORMAT, error.what());
          continue;
        }
        use_rows(mapped, fixture);
        vtemper_data_destroy(mapped);
      }
    }
    vtemper::test::end_cases();
    vtemper_data_destroy(data);
  }
  unlink(path);
  std::printf("%lld calls on files that others truncate, %lld of them refused\n", static_cast<long long>(calls),
              static_cast<long long>(refused));
  assert_true(failures == 0);
  if (all_kinds()) assert_true(refused > 0 && calls > 2 * refused);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(cut_while_in_use)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
