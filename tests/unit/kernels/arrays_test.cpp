// Functions over arrays: a value depends only on its argument; nothing beyond the array is accessed; sums.

#include <algorithm>
#include <cstring>

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

template <class Real>
using ArrayFunction = void (*)(const Real*, Real*, int64_t);

template <class Real>
bool same_bits(Real x, Real y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

template <class Real>
void check_independence(const InstructionSet& set, const char* name, ArrayFunction<Real> function) {
  const std::string what = std::string(set.name) + " " + name_of<Real>() + " " + name;
  constexpr int64_t count = 256, longest = 70, offsets = 17;
  Random numbers(7);
  std::vector<Real> x(count), expected(count);
  for (Real& value : x) value = static_cast<Real>(numbers.between(1e-3, 1e3));
  // Each alone.
  for (std::size_t i = 0; i < count; ++i) function(&x[i], &expected[i], 1);

  const Real canary = Real(-77.25);
  for (int64_t offset = 0; offset < offsets; ++offset) {
    for (int64_t n = 0; n <= longest; ++n) {
      std::vector<Real> out(count, canary), in_place = x;
      function(x.data() + offset, out.data() + offset, n);
      function(in_place.data() + offset, in_place.data() + offset, n);
      for (int64_t i = 0; i < count; ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        const bool inside = i >= offset && i < offset + n;
        check(same_bits(out[at], inside ? expected[at] : canary), what + ": other value at another place");
        check(same_bits(in_place[at], inside ? expected[at] : x[at]), what + ": other value in place");
      }
    }
  }
  // Other neighbours.
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count - 1; i > 0; --i) {
    std::swap(order[i], order[static_cast<std::size_t>(numbers.uniform() * static_cast<double>(i + 1))]);
  }
  std::vector<Real> shuffled(count), out(count);
  for (std::size_t i = 0; i < count; ++i) shuffled[i] = x[order[i]];
  function(shuffled.data(), out.data(), count);
  for (std::size_t i = 0; i < count; ++i) {
    check(same_bits(out[i], expected[order[i]]), what + ": other value beside other neighbours");
  }
}

template <class Real>
void check_all_functions(const InstructionSet& set) {
  const Table<Real>& functions = table<Real>(set);
  check_independence(set, "exponential", functions.exponential);
  check_independence(set, "logarithm", functions.logarithm);
  check_independence(set, "digamma", functions.digamma);
  check_independence(set, "trigamma", functions.trigamma);
  check_independence(set, "log_gamma", functions.log_gamma);
  check_independence(set, "exponential_digamma", functions.exponential_digamma);
}

void values_do_not_depend_on_neighbours(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_all_functions<float>(*set);
    check_all_functions<double>(*set);
  }
}

template <class Real>
void check_sums(const InstructionSet& set) {
  const Table<Real>& functions = table<Real>(set);
  const double tolerance = sizeof(Real) == sizeof(float) ? 1e-6 : 1e-14;
  Random numbers(3);
  std::vector<Real> x(20011), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<Real>(numbers.uniform());
    y[i] = static_cast<Real>(numbers.uniform() - 0.25);
  }
  double sum = 0.0, dot = 0.0;
  std::size_t i = 0;
  for (const std::size_t n :
       {0u, 1u, 3u, 7u, 8u, 15u, 16u, 17u, 63u, 64u, 65u, 100u, 4096u, 4097u, 4113u, 9000u, 20010u}) {
    for (; i < n; ++i) {
      sum += static_cast<double>(x[i + 1]);
      dot += static_cast<double>(x[i + 1]) * static_cast<double>(y[i + 1]);
    }
    const int64_t count = static_cast<int64_t>(n);
    check(std::fabs(functions.sum(x.data() + 1, count) - sum) <= tolerance * sum, std::string(set.name) + " sum");
    check(std::fabs(functions.dot(x.data() + 1, y.data() + 1, count) - dot) <= tolerance * sum,
          std::string(set.name) + " dot");
  }
}

void sums_are_accurate(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_sums<float>(*set);
    check_sums<double>(*set);
  }
}

template <class Real>
void check_scaled_exponential(const InstructionSet& set) {
  Random numbers(5);
  for (const double s : {0.1, 0.5, 1.0}) {
    std::vector<Real> x(67), out(x.size());
    for (Real& value : x) value = static_cast<Real>(-numbers.between(1e-2, 30.0));
    table<Real>(set).scaled_exponential(x.data(), static_cast<Real>(s), out.data(), static_cast<int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = std::exp(static_cast<double>(static_cast<Real>(s)) * static_cast<double>(x[i]));
      const double tolerance = sizeof(Real) == sizeof(float) ? 4e-6 : 1e-14;
      check(std::fabs(static_cast<double>(out[i]) / exact - 1.0) < tolerance, std::string(set.name) + " scaled");
    }
  }
}

void scaled_exponential_is_accurate(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_scaled_exponential<float>(*set);
    check_scaled_exponential<double>(*set);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(values_do_not_depend_on_neighbours),
                              cmocka_unit_test(sums_are_accurate), cmocka_unit_test(scaled_exponential_is_accurate)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
