// Arrays that are sized and copied in parts, between which a time limit ends the call.

#include <atomic>
#include <utility>

#include "support/cmocka.h"
#include "support/error.h"
#include "support/large_array.h"

namespace {

using namespace vtemper;
using Bytes = LargeArray<char>;

/// Two parts and a half.
constexpr size_t size = bytes_at_once * 5 / 2;

Bytes filled(size_t length, char value) {
  Bytes bytes;
  bytes.resize(length);
  bytes.fill(value);
  return bytes;
}

/// Whether the call ends with Error(CANCELLED).
template <class Call>
bool is_cancelled(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.status() == VTEMPER_CANCELLED;
  }
  return false;
}

void sizes_and_copies(void**) {
  Bytes bytes = filled(size, 3);
  bytes.resize(size + bytes_at_once * 2);
  assert_true(bytes.size() == size + bytes_at_once * 2);
  assert_true(bytes[size - 1] == 3 && bytes[size] == 0 && bytes[bytes.size() - 1] == 0);
  bytes.resize(size);
  assert_true(bytes.size() == size);
  for (const size_t before : {size_t{0}, size_t{5}, size, 2 * size}) {
    Bytes copy = filled(before, 7);
    copy = bytes;
    assert_true(copy.size() == size);
    for (size_t i = 0; i < size; ++i) assert_true(copy[i] == 3);
  }
  const Bytes& same = bytes;
  bytes = same;
  assert_true(bytes.size() == size && bytes[size - 1] == 3);
  const Bytes copy(bytes), moved(std::move(bytes));
  assert_true(copy.size() == size && copy[size - 1] == 3 && moved[size - 1] == 3);
  const Bytes nothing, copied(nothing);
  assert_true(copied.empty());
}

void a_time_limit_ends_them(void**) {
  const Bytes bytes = filled(size, 3);
  Bytes other = filled(size, 7), small;
  const TimeLimit over(1e-9);
  assert_true(is_cancelled([] { filled(size, 1); }));
  assert_true(is_cancelled([&] { const Bytes copy(bytes); }));
  assert_true(is_cancelled([&] { other = bytes; }));
  assert_true(other.size() == size);
  assert_true(is_cancelled([&] { small = bytes; }));
  assert_true(small.empty());
  small = filled(10, 1);  // one part is not interrupted
  const Bytes copy(small);
  assert_true(copy.size() == 10);
  const Uninterrupted whole;
  assert_true(Bytes(bytes).size() == size);
}

/// The caller's interrupt ends resizing but not copies.
void an_interrupt_ends_resizing(void**) {
  const Bytes bytes = filled(size, 3);
  Array<char> array;
  resize_in_parts(array, size);
  assert_true(array.size() == size && array[size - 1] == 0);
  const std::atomic<bool> cancelled{true};
  const WorksFor loop(cancelled);
  assert_true(is_cancelled([] { filled(size, 1); }));
  assert_true(Bytes(bytes).size() == size);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(sizes_and_copies), cmocka_unit_test(a_time_limit_ends_them),
                              cmocka_unit_test(an_interrupt_ends_resizing)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
