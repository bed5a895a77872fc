// A time limit ends what takes long before the first step with many large components: their memory, that of the
// statistics, and copies.

#include "models/gaussian_mixture/work.h"
#include "support/cmocka.h"
#include "support/error.h"
#include "support/interruption.h"

namespace {

using namespace vtemper;

/// Matrices of 24 MB.
constexpr int64_t count = 75, columns = 200;

template <class Call>
void check_ends(const char* what, const Call& call) {
  const TimeLimit over(1e-9);
  try {
    call();
  } catch (const Error& error) {
    assert_int_equal(error.status(), VTEMPER_CANCELLED);
    return;
  }
  print_error("%s: not ended by the time limit\n", what);
  assert_true(false);
}

void memory_of_components(void**) {
  for (const bool independent : {false, true}) {
    check_ends("components", [&] { const Components components(count, columns, independent); });
  }
  const Components components(count, columns, false);
  check_ends("statistics", [&] { const MixtureWork work(components); });
  check_ends("a copy", [&] { const Components copy(components); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(memory_of_components)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
