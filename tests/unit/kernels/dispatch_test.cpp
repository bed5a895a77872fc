// Which instruction sets there are and which one is chosen; the sets agree with each other.

#include <algorithm>
#include <cstring>
#include <limits>

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

void sets_are_listed_best_first(void**) {
  const std::vector<const InstructionSet*> sets = available_instruction_sets();
  assert_false(sets.empty());
  assert_string_equal(sets.back()->name, "scalar");
  const std::vector<std::string> order = {"avx512", "avx2", "neon", "sse2", "scalar"};
  std::size_t last = 0;
  for (const InstructionSet* set : sets) {
    const auto place = std::find(order.begin(), order.end(), set->name);
    assert_true(place != order.end());
    const std::size_t index = static_cast<std::size_t>(place - order.begin());
    assert_true(set == sets.front() || index > last);
    last = index;
  }
}

void the_environment_chooses(void**) {
  // Run by main with VTEMPER_SIMD set to a name; unknown names are ignored.
  const std::vector<const InstructionSet*> sets = available_instruction_sets();
  const char* const wanted = std::getenv("VTEMPER_SIMD");
  assert_non_null(wanted);
  assert_string_equal(instruction_set().name, std::strcmp(wanted, "nonsense") == 0 ? sets.front()->name : wanted);
  assert_ptr_equal(&instruction_set(), &instruction_set());
}

template <class Real>
void check_agreement() {
  const std::vector<const InstructionSet*> sets = available_instruction_sets();
  using Function = void (*Table<Real>::*)(const Real*, Real*, int64_t);
  const Function functions[] = {&Table<Real>::logarithm, &Table<Real>::digamma, &Table<Real>::trigamma,
                                &Table<Real>::log_gamma, &Table<Real>::exponential_digamma};
  Random numbers(2);
  std::vector<Real> x(1000), expected(x.size()), out(x.size());
  for (Real& value : x) value = static_cast<Real>(numbers.between(0.05, 1e5));
  for (const Function function : functions) {
    (table<Real>(*sets.back()).*function)(x.data(), expected.data(), static_cast<int64_t>(x.size()));
    for (const InstructionSet* set : sets) {
      (table<Real>(*set).*function)(x.data(), out.data(), static_cast<int64_t>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Real tolerance =
            64 * std::numeric_limits<Real>::epsilon() * std::fabs(expected[i]) + std::numeric_limits<Real>::epsilon();
        check(std::fabs(out[i] - expected[i]) <= tolerance, std::string(set->name) + " differs from scalar");
      }
    }
  }
}

void sets_agree(void**) {
  check_agreement<float>();
  check_agreement<double>();
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) {
    const CMUnitTest chosen[] = {cmocka_unit_test(the_environment_chooses)};
    return cmocka_run_group_tests(chosen, nullptr, nullptr);
  }
  const CMUnitTest tests[] = {cmocka_unit_test(sets_are_listed_best_first), cmocka_unit_test(sets_agree)};
  int failures = cmocka_run_group_tests(tests, nullptr, nullptr);
  std::vector<std::string> names = {"nonsense"};
  for (const InstructionSet* set : available_instruction_sets()) names.push_back(set->name);
  for (const std::string& name : names) {
    // The choice is made once per process, so each name gets a process of its own.
    const std::string command = "VTEMPER_SIMD=" + name + " '" + arguments[0] + "' chosen > /dev/null 2>&1";
    if (std::system(command.c_str()) != 0) {
      print_error("VTEMPER_SIMD=%s does not choose as it should\n", name.c_str());
      ++failures;
    }
  }
  return failures;
}
