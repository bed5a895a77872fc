// Others write to a mapped file while it is in use: rows change their position and length, columns and counts go out
// of range, at any moment between two reads of one call. Every call returns a status other than INTERNAL, and nothing
// is read or written outside the arrays (which the sanitizers check). Small files are copied when they are opened, so
// this is a large one. Prints the number of calls; VTEMPER_TORTURE=N makes N times as many.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

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

/// Calls that read the rows, in turn.
void use(vtemper_data* data, const Fixture& fixture) {
  vtemper_options* options = options_handle_of(fixture.options);
  vtemper_options* steps = options_handle_of({{"threads", "2"}, {"method", "svi"}, {"batch_size", "16"}});
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  require(vtemper_model_create(fixture.kind, options, &model) == VTEMPER_OK, "no model");
  if (succeeds(vtemper_optimizer_create(model, data, steps, &optimizer))) {
    for (int i = 0; i < 20; ++i) succeeds(vtemper_optimizer_step(optimizer, 5, nullptr));
    infer_and_score(model, data);
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_options_destroy(options);
  vtemper_options_destroy(steps);
  double total = 0;
  succeeds(vtemper_data_total(data, &total));
  succeeds(vtemper_data_verify(data));
  int64_t rows = 0, columns = 0, length = 0;
  succeeds(vtemper_data_rows(data, &rows));
  succeeds(vtemper_data_columns(data, &columns));
  std::vector<int64_t> of_row(static_cast<size_t>(std::max<int64_t>(columns, 1000)));
  std::vector<double> values(of_row.size());
  std::vector<int64_t> chosen;
  for (int64_t row = 0; row < rows; ++row) {
    succeeds(vtemper_data_row(data, row, of_row.data(), values.data(), static_cast<int64_t>(of_row.size()), &length));
    chosen.push_back(rows - 1 - row);
  }
  vtemper_data *first = nullptr, *second = nullptr;
  if (succeeds(vtemper_data_select(data, chosen.data(), rows, &first))) vtemper_data_destroy(first);
  if (succeeds(vtemper_data_split(data, 0.5, 1, &first, &second))) {
    vtemper_data_destroy(first);
    vtemper_data_destroy(second);
  }
}

void written_under_the_mapping(void**) {
  char path[] = "/tmp/vtemper-written-XXXXXX";
  close(mkstemp(path));
  for (const Fixture& fixture : fixtures()) {
    if (model_kind(fixture.kind).form == VTEMPER_DENSE) continue;  // no offsets or indices that could change
    vtemper_data* data = handle_of(fixture.data());
    const std::string bytes = corpus_of_size(data, path, true);
    vtemper_data* mapped = nullptr;
    assert_int_equal(vtemper_data_read(path, "mapped", &mapped), VTEMPER_OK);
    vtemper::test::begin_case(fixture.kind, 60 * static_cast<int>(vtemper::test::torture_times()));
    {
      const Writer writer(path, parse(bytes, "vtemper.corpus"));
      const std::clock_t begin = std::clock();
      while (static_cast<double>(std::clock() - begin) <
             static_cast<double>(vtemper::test::torture_times()) * seconds_a_kind * CLOCKS_PER_SEC) {
        use(mapped, fixture);
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
