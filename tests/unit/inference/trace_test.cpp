// The trace: bounded, ordered, evenly spaced, and the same after a restore.

#include "inference/trace.h"

#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

vtemper_report report_at(int64_t iteration) {
  vtemper_report report{};
  report.iteration = iteration;
  report.passes = static_cast<double>(iteration) / 7;
  report.temperature = 1 + 1 / static_cast<double>(iteration + 1);
  report.elbo = -3.0 * static_cast<double>(iteration);
  return report;
}

void keeps_everything_while_short(void**) {
  Trace trace;
  for (int64_t i = 0; i < 4096; ++i) trace.offer(report_at(i));
  assert_int_equal(trace.size(), 4096);
  for (size_t i = 0; i < trace.size(); ++i) {
    assert_true(trace.at(i, 0) == static_cast<double>(i));
    assert_true(trace.at(i, 1) == static_cast<double>(i) / 7);
    assert_true(trace.at(i, 5) == -3.0 * static_cast<double>(i));
  }
}

void stays_bounded_ordered_and_even(void**) {
  Trace trace;
  for (int64_t i = 0; i < 100000; ++i) {
    trace.offer(report_at(i));
    assert_true(trace.size() <= 4097);
    assert_true(trace.at(trace.size() - 1, 0) == static_cast<double>(i));
  }
  assert_true(trace.size() >= 2048);
  assert_true(trace.at(0, 0) == 0);
  const double distance = trace.at(1, 0);
  for (size_t i = 1; i + 1 < trace.size(); ++i) assert_true(trace.at(i, 0) - trace.at(i - 1, 0) == distance);
  assert_true(trace.at(trace.size() - 2, 0) > 100000 - 2 * distance);
}

void restores_and_goes_on(void**) {
  for (const int64_t before : {0, 5, 4096, 4097, 8193, 9000, 9001}) {
    Trace one, other;
    for (int64_t i = 0; i < before; ++i) one.offer(report_at(i));
    assert_true(other.restore(one.state()));
    for (int64_t i = before; i < before + 9000; ++i) {
      one.offer(report_at(i));
      other.offer(report_at(i));
    }
    assert_true(same_bits(one.state(), other.state()));
  }
  Trace trace;
  assert_false(trace.restore({}));
  assert_false(trace.restore({1, 0}));
  assert_false(trace.restore({-1, 1}));
  assert_false(trace.restore({1, 1, 2}));
  assert_false(trace.restore(std::vector<double>(2 + 4097 * Trace::columns, 1)));
  assert_false(trace.restore({std::nan(""), 1}));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(keeps_everything_while_short),
                              cmocka_unit_test(stays_bounded_ordered_and_even),
                              cmocka_unit_test(restores_and_goes_on)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
