// Others write to a mapped file while it is in use: rows change their position and length, columns and counts go out
// of range, at any moment between two reads of one call. Every call returns a status other than INTERNAL, and nothing
// is read or written outside the arrays (which the sanitizers check). There is no memory for the rows, so each of
// them is read from the file whenever it is needed. Prints the number of calls; VTEMPER_TORTURE=N makes N times as
// many.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "data/mapped/mapped.h"
#include "models/contract/hostile_use.h"

using namespace contract;

namespace {

constexpr double seconds_a_kind = 1.5;  // of CPU time

/// Writes to the arrays of a mapped corpus again and again, and restores them at the end.
class Writer {
 public:
  Writer(const char* path, const File& file) {
    const int descriptor = open(path, O_RDWR | O_CLOEXEC);
    size_ = static_cast<size_t>(std::filesystem::file_size(path));
    void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    require(mapped != MAP_FAILED, "the file cannot be mapped");
    bytes_ = static_cast<char*>(mapped);
    thread_ = std::thread([this, file] { write(file); });
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    ends_ = true;
    thread_.join();
    munmap(bytes_, size_);
  }

 private:
  void write(const File& file) {
    Random random(7);
    char* const payload = bytes_ + size_ - file.payload.size();
    while (!ends_) {
      for (const TensorPlace& place : file.header.places) {
        const int64_t width = element_size(place.element), count = (place.end - place.begin) / width;
        const bool is_offsets = place.name == "offsets";
        if (count == 0 || (!is_offsets && place.name != "indices" && place.name != "symbols")) continue;
        const auto at = static_cast<int64_t>(random.uniform() * static_cast<double>(count));
        char* const element = payload + place.begin + at * width;
        const char* const before = file.payload.data() + place.begin + at * width;
        int64_t number = 0;
        std::memcpy(&number, before, static_cast<size_t>(width));
        // Another end of a row, which moves entries between the row and its neighbour; rarely an impossible number.
        const auto shift = static_cast<int64_t>(random.uniform() * 60) - 30;
        number = random.uniform() < 0.02 ? hostile_wholes[static_cast<size_t>(random.uniform() * 9)]
                                         : std::max<int64_t>(0, number + shift);
        std::memcpy(element, &number, static_cast<size_t>(width));
        for (int wait = 0; wait < 200; ++wait) std::atomic_signal_fence(std::memory_order_seq_cst);
        std::memcpy(element, before, static_cast<size_t>(width));
      }
    }
  }
  char* bytes_ = nullptr;
  size_t size_ = 0;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

void written_under_the_mapping(void**) {
  char path[] = "/tmp/vtemper-written-XXXXXX";
  close(mkstemp(path));
  for (const Fixture& fixture : fixtures()) {
    if (model_kind(fixture.kind).form == VTEMPER_DENSE) continue;  // no offsets or indices that could change
    vtemper_data* data = handle_of(fixture.data());
    const std::string bytes = corpus_of_size(data, path, false);
    vtemper_data* mapped = handle_of(open_mapped(path, {0, 0}));
    vtemper::test::begin_case(fixture.kind, 60 * static_cast<int>(vtemper::test::torture_times()));
    {
      const Writer writer(path, parse(bytes, "vtemper.corpus"));
      const std::clock_t begin = std::clock();
      while (static_cast<double>(std::clock() - begin) <
             static_cast<double>(vtemper::test::torture_times()) * seconds_a_kind * CLOCKS_PER_SEC) {
        use_rows(mapped, fixture);
      }
    }
    vtemper::test::end_cases();
    vtemper_data_destroy(mapped);
    vtemper_data_destroy(data);
  }
  unlink(path);
  std::printf("%lld calls on files that others write to, %lld of them refused\n", static_cast<long long>(calls),
              static_cast<long long>(refused));
  assert_true(failures == 0);
  if (all_kinds()) assert_true(refused > 0 && calls > 2 * refused);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(written_under_the_mapping)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
