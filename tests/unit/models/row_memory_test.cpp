// State kept per row: only complete steps count, and only numbers in range are accepted from a file.

#include "models/row_memory.h"

#include <cmath>

#include "support/cmocka.h"
#include "support/refusal.h"

using namespace vtemper;

namespace {

constexpr const char* format = "row memory test";

void step(RowMemory<double>& memory, double value) {
  memory.begin(3);
  memory.next()[1] = value;
}

void a_whole_step(void**) {
  RowMemory<double> memory;
  step(memory, 0.5);
  assert_true(memory.last()[1] == 0);
  memory.commit();
  assert_int_equal(memory.size(), 3);
  assert_true(memory.last()[0] == 0 && memory.last()[1] == 0.5);
  memory.begin(3);  // a step that leaves the row as it was
  memory.commit();
  assert_true(memory.last()[1] == 0.5);
}

void a_step_broken_off(void**) {
  RowMemory<double> memory;
  step(memory, 0.5);
  memory.commit();
  step(memory, 0.75);
  step(memory, 0.25);  // done again
  assert_true(memory.last()[1] == 0.5);
  memory.commit();
  assert_true(memory.last()[1] == 0.25);
  step(memory, 1);
  memory.pause();  // a step that remembers nothing comes instead
  memory.commit();
  assert_true(memory.last()[1] == 0.25);
}

void save_and_load(void**) {
  RowMemory<double> memory;
  ContainerWriter nothing(format);
  memory.save("rows", nothing);
  step(memory, 0.5);
  memory.commit();
  step(memory, 0.75);  // not part of the file
  ContainerWriter writer(format);
  memory.save("rows", writer);
  std::string file(static_cast<size_t>(writer.size()), '\0');
  writer.write(file.data());
  const ContainerReader reader = ContainerReader::open_buffer(file.data(), static_cast<int64_t>(file.size()), format);

  RowMemory<double> other;
  other.load("another name", 1, reader);
  assert_int_equal(other.size(), 0);
  other.load("rows", 1, reader);
  assert_int_equal(other.size(), 3);
  assert_true(other.last()[0] == 0 && other.last()[1] == 0.5);
  const std::string refused = refusal(VTEMPER_ERROR_FORMAT, [&] { other.load("rows", 0.25, reader); });
  assert_contains(refused, "0.5");
  assert_contains(refused, "rows");
  assert_true(other.last()[1] == 0.5);

  std::string empty(static_cast<size_t>(nothing.size()), '\0');
  nothing.write(empty.data());
  assert_false(
      ContainerReader::open_buffer(empty.data(), static_cast<int64_t>(empty.size()), format).has_tensor("rows"));
}

void numbers_out_of_range(void**) {
  for (const double bad : {-1e-300, std::nan(""), static_cast<double>(INFINITY)}) {
    RowMemory<double> memory;
    step(memory, bad);
    memory.commit();
    ContainerWriter writer(format);
    memory.save("rows", writer);
    std::string file(static_cast<size_t>(writer.size()), '\0');
    writer.write(file.data());
    const ContainerReader reader =
        ContainerReader::open_buffer(file.data(), static_cast<int64_t>(file.size()), format);
    RowMemory<double> other;
    refusal(VTEMPER_ERROR_FORMAT, [&] { other.load("rows", std::numeric_limits<double>::max(), reader); });
    assert_int_equal(other.size(), 0);
  }
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_step),
      cmocka_unit_test(a_step_broken_off),
      cmocka_unit_test(save_and_load),
      cmocka_unit_test(numbers_out_of_range),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
