// Values of the step sizes.

#include "inference/presets.h"

#include "support/lda.h"
#include "support/parts.h"

using namespace fixtures;
using namespace vtemper;

namespace {

void full(void**) {
  const auto part = make_step_size("full", {});
  assert_true(part->rate(clock_at(0)) == 1 && part->rate(clock_at(1000000)) == 1);
}

void constant(void**) {
  const auto part = make_step_size("constant", {{"step_size_rate", "0.125"}});
  assert_true(part->rate(clock_at(0)) == 0.125 && part->rate(clock_at(1000000)) == 0.125);
}

void robbins_monro(void**) {
  const auto part = make_step_size("robbins_monro", {{"step_size_delay", "10"}, {"step_size_power", "0.6"}});
  const auto by_default = make_step_size("robbins_monro", {});
  for (const int64_t t : {0, 1, 2, 100, 123456}) {
    const Number time = static_cast<Number>(t);
    check_close("rho", part->rate(clock_at(t)), std::pow(10 + time, -0.6L), 1e-14L);
    check_close("rho", by_default->rate(clock_at(t)), std::pow(1024 + time, -0.7L), 1e-14L);
  }
  assert_true(make_step_size("robbins_monro", {{"step_size_delay", "1"}})->rate(clock_at(0)) == 1);
  // The default delay is a third of the run, at most 1024 steps.
  check_close("rho", by_default->rate(clock_at(3, 600)), std::pow(203.0L, -0.7L), 1e-14L);
  check_close("rho", by_default->rate(clock_at(3, 1000000)), std::pow(1027.0L, -0.7L), 1e-14L);
  assert_true(by_default->rate(clock_at(0, 2)) == 1);
  // Where rows are fed, a third of a pass, which is taken to have at most 10,000 steps.
  check_close("rho", by_default->rate(fed_clock_at(3, 600)), std::pow(203.0L, -0.7L), 1e-14L);
  check_close("rho", by_default->rate(fed_clock_at(0, 29.5)), std::pow(10.0L, -0.7L), 1e-14L);
  check_close("rho", by_default->rate(fed_clock_at(3, 1e30)), std::pow(1027.0L, -0.7L), 1e-14L);
  check_close("rho", by_default->rate(fed_clock_at(3, 1)), std::pow(1027.0L, -0.7L), 1e-14L);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(full), cmocka_unit_test(constant), cmocka_unit_test(robbins_monro)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
