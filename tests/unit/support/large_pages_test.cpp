// Advice about pages changes nothing that a program sees.

#include "support/large_pages.h"

#include <cerrno>
#include <vector>

#include "support/cmocka.h"

using namespace vtemper;

namespace {

void contents_and_errno_stay(void**) {
  constexpr size_t bytes = size_t{9} << 20;
  std::vector<unsigned char> memory(bytes);
  for (size_t i = 0; i < bytes; ++i) memory[i] = static_cast<unsigned char>(i * 7);
  errno = 3;
  for (const size_t begin : {size_t{0}, size_t{1}, size_t{4097}}) prefer_large_pages(&memory[begin], bytes - begin);
  prefer_large_pages(memory.data(), 100);
  prefer_large_pages(nullptr, 0);
  assert_int_equal(errno, 3);
  for (size_t i = 0; i < bytes; ++i) assert_int_equal(memory[i], static_cast<unsigned char>(i * 7));
}

void reserved_room(void**) {
  constexpr size_t count = size_t{2} << 20;
  Array<float> array;
  array.resize(3);
  array[2] = 5;
  reserve_large(array, count);
  const float* place = array.data();
  array.resize(count);
  assert_ptr_equal(array.data(), place);
  assert_true(array[2] == 5 && array[3] == 0 && array[count - 1] == 0);
  reserve_large(array, 10);  // never less
  assert_ptr_equal(array.data(), place);
  assert_int_equal(array.size(), count);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(contents_and_errno_stay), cmocka_unit_test(reserved_room)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
