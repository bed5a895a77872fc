// The temperatures of rows that local_tempering learns, as users read them between steps: those of the rows of a step
// have the step's mean, the other rows keep theirs, and checkpoints continue with them.

#include "inference/optimizer.h"
#include "models/contract/models.h"
#include "storage/container.h"
#include "support/assert.h"

using namespace contract;

namespace {

constexpr const char* quantity = "rows.inverse_temperature";
constexpr const char* format = "vtemper.test";

Vector inverses(const Optimizer& optimizer, const Data& data) {
  Vector all(static_cast<size_t>(data.rows()), -1);
  optimizer.read_quantity(quantity, {all.data(), 1, 1});
  return all;
}

bool is_offered(const Optimizer& optimizer) {
  for (const Quantity& one : optimizer.quantities()) {
    if (one.name == std::string(quantity)) return true;
  }
  return false;
}

/// False if the kind has no temperatures per row.
bool check_steps(const Fixture& fixture, const DataPointer& data) {
  const Texts texts = {{"method", "local_tempering"}, {"batch_size", "7"}, {"max_iterations", "30"}, {"seed", "3"}};
  const std::shared_ptr<Model> model = model_in_double(fixture);
  std::unique_ptr<Optimizer> optimizer;
  try {
    optimizer = std::make_unique<Optimizer>(model, data, options_of(texts));
  } catch (const Error&) {
    return false;
  }
  assert_true(is_offered(*optimizer));
  Vector before = inverses(*optimizer, *data);
  for (const double s : before) assert_true(s == 0);
  bool differ = false;
  for (int step = 0; step < 6; ++step) {
    optimizer->run(1, nullptr, nullptr);
    const Vector after = inverses(*optimizer, *data);
    double sum = 0, moved = 0;
    for (size_t row = 0; row < after.size(); ++row) {
      if (after[row] == before[row]) continue;
      assert_true(after[row] > 0 && after[row] <= 1);
      differ = differ || (moved > 0 && after[row] != sum / moved);
      sum += after[row];
      moved += 1;
    }
    if (step == 0) {  // later a temperature may stay the same bit for bit
      assert_true(moved == 7);
      assert_close(sum / moved, optimizer->report().inverse_temperature, 1e-12);
    }
    assert_true(moved <= 7);
    before = after;
  }
  assert_true(differ);

  ContainerWriter writer(format);
  optimizer->save(writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  const auto resumed = Optimizer::load(ContainerReader::open_buffer(bytes.data(), writer.size(), format), data);
  assert_true(inverses(*resumed, *data) == before);
  optimizer->run(-1, nullptr, nullptr);
  resumed->run(-1, nullptr, nullptr);
  assert_true(inverses(*resumed, *data) == inverses(*optimizer, *data));
  return true;
}

void rows_tell_their_temperatures(void**) {
  int kinds = 0;
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    kinds += check_steps(fixture, data) ? 1 : 0;
  }
  assert_true(kinds >= (all_kinds() ? 7 : 0));
}

/// Other methods have no temperatures per row.
void other_methods_have_none(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    Optimizer optimizer(model_in_double(fixture), data, options_of({{"method", "vi"}, {"max_iterations", "1"}}));
    assert_false(is_offered(optimizer));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(rows_tell_their_temperatures),
                              cmocka_unit_test(other_methods_have_none)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
