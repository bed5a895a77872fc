#pragma once
// Shared by the tests of the kernels: aligned rows, reproducible numbers, plain references.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "kernels/dispatch.h"
#include "support/cmocka.h"
#include "support/random.h"

using vtemper::test::Random;

/// A row of topics as the kernels need it: aligned and padded.
template <class Real>
class Row {
 public:
  Row(int64_t topics, Real padding_value)
      : topics_(topics),
        memory_(static_cast<Real*>(std::aligned_alloc(64, static_cast<std::size_t>(size()) * sizeof(Real))),
                std::free) {
    for (int64_t k = 0; k < size(); ++k) memory_.get()[k] = padding_value;
  }
  int64_t size() const { return vtemper::kernels::padded(topics_); }
  Real* data() const { return memory_.get(); }
  Real& operator[](int64_t k) const { return memory_.get()[k]; }

 private:
  int64_t topics_;
  std::unique_ptr<Real, decltype(&std::free)> memory_;
};

inline void check(bool condition, const std::string& what) {
  if (!condition) print_error("%s\n", what.c_str());
  assert_true(condition);
}

/// Numbers between -1 and 1.
inline Row<double> random_row(Random& numbers, int64_t size) {
  Row<double> row(size, 0);
  for (int64_t i = 0; i < size; ++i) row[i] = 2 * numbers.uniform() - 1;
  return row;
}

/// Equal up to the rounding of sums of numbers of that scale.
inline void check_near(double value, double expected, double scale, const std::string& what) {
  constexpr double exact = 1e-13;
  check(std::abs(value - expected) <= exact * scale, what);
}

/// Calls check_set(set, float()) and check_set(set, double()) for every instruction set of this machine.
template <class Check>
void in_every_set(Check check_set) {
  for (const vtemper::kernels::InstructionSet* set : vtemper::kernels::available_instruction_sets()) {
    check_set(*set, float());
    check_set(*set, double());
  }
}

template <class Real>
const char* name_of() {
  return sizeof(Real) == sizeof(float) ? "float" : "double";
}

/// psi(x) in double, by recurrence and the asymptotic series: accurate to 1e-14 relative, except near its root.
inline double plain_digamma(double x) {
  double result = 0.0;
  for (; x < 12.0; x += 1.0) result -= 1.0 / x;
  const double z = 1.0 / (x * x);
  return result + std::log(x) - 0.5 / x -
         z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (5.0 / 660 - z * 691.0 / 32760)))));
}
