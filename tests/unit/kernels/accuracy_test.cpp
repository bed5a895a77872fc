// The error of every function over intervals, against Boost in long double, must not grow beyond the recorded one
// (tests/data/kernel_errors.csv). Records are kept for each instruction set and type.
//
//   accuracy_test --record   measures and writes the file

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <locale>
#include <map>
#include <sstream>

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

using Quiet =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>>;

long double reference_exponential(long double x) {
  return std::exp(x);
}
long double reference_logarithm(long double x) {
  return std::log(x);
}
long double reference_digamma(long double x) {
  return boost::math::digamma(x, Quiet());
}
long double reference_trigamma(long double x) {
  return boost::math::trigamma(x, Quiet());
}
long double reference_log_gamma(long double x) {
  return boost::math::lgamma(x, Quiet());
}
long double reference_exponential_digamma(long double x) {
  return std::exp(boost::math::digamma(x, Quiet()));
}

enum class Measure { ulp, epsilon };  ///< relative to the result's last place; absolute, in epsilon

template <class Real>
struct Function {
  const char* name;
  void (*Table<Real>::*kernel)(const Real*, Real*, int64_t);
  long double (*reference)(long double);
};

struct Interval {
  const char* function;
  double low, high;
  Measure measure;
};

template <class Real>
std::vector<Function<Real>> functions() {
  return {{"exponential", &Table<Real>::exponential, reference_exponential},
          {"logarithm", &Table<Real>::logarithm, reference_logarithm},
          {"digamma", &Table<Real>::digamma, reference_digamma},
          {"trigamma", &Table<Real>::trigamma, reference_trigamma},
          {"log_gamma", &Table<Real>::log_gamma, reference_log_gamma},
          {"exponential_digamma", &Table<Real>::exponential_digamma, reference_exponential_digamma}};
}

template <class Real>
std::vector<Interval> intervals() {
  const bool is_float = sizeof(Real) == sizeof(float);
  const double denormal = std::numeric_limits<Real>::denorm_min();
  const double normal = std::numeric_limits<Real>::min();
  const double most = std::numeric_limits<Real>::max();
  const double tiny = is_float ? 1e-37 : 1e-300;
  const double huge = is_float ? 1e35 : 1e300;
  const double lowest = is_float ? -103 : -745, low = is_float ? -87 : -708, high = is_float ? 88.7 : 709.7;
  const Measure ulp = Measure::ulp, epsilon = Measure::epsilon;
  return {{"exponential", lowest, low, ulp},
          {"exponential", low, -1, ulp},
          {"exponential", -1, 1, ulp},
          {"exponential", 1, high, ulp},
          {"logarithm", denormal, normal, ulp},
          {"logarithm", normal, 0.5, ulp},
          {"logarithm", 0.5, 2, ulp},
          {"logarithm", 2, most, ulp},
          {"digamma", tiny, 1e-3, ulp},
          {"digamma", 1e-3, 0.1, ulp},
          {"digamma", 0.1, 1, ulp},
          {"digamma", 1, 1.4, ulp},
          {"digamma", 1.4, 1.5, ulp},
          {"digamma", 1.4616, 1.4617, epsilon},
          {"digamma", 1.5, 2, ulp},
          {"digamma", 2, 5, ulp},
          {"digamma", 5, 100, ulp},
          {"digamma", 100, huge, ulp},
          {"trigamma", is_float ? 1e-19 : 1e-154, 1e-3, ulp},
          {"trigamma", 1e-3, 1, ulp},
          {"trigamma", 1, 10, ulp},
          {"trigamma", 10, 1000, ulp},
          {"trigamma", 1000, huge, ulp},
          {"log_gamma", tiny, 1e-3, ulp},
          {"log_gamma", 1e-3, 0.5, ulp},
          {"log_gamma", 0.5, 0.99, ulp},
          {"log_gamma", 0.99, 1.01, ulp},
          {"log_gamma", 0.99, 1.01, epsilon},
          {"log_gamma", 1.01, 1.99, ulp},
          {"log_gamma", 1.99, 2.01, ulp},
          {"log_gamma", 1.99, 2.01, epsilon},
          {"log_gamma", 2.01, 8, ulp},
          {"log_gamma", 8, 1000, ulp},
          {"log_gamma", 1000, huge, ulp},
          {"exponential_digamma", is_float ? 0.0097 : 0.00135, is_float ? 0.012 : 0.0015, ulp},
          {"exponential_digamma", is_float ? 0.012 : 0.0015, 0.1, ulp},
          {"exponential_digamma", 0.1, 1, ulp},
          {"exponential_digamma", 1, 2, ulp},
          {"exponential_digamma", 2, 5, ulp},
          {"exponential_digamma", 5, 1000, ulp},
          {"exponential_digamma", 1000, huge, ulp}};
}

template <class Real>
std::vector<Real> points(const Interval& interval) {
  constexpr int count = 3001;
  std::vector<Real> x;
  const bool logarithmic = interval.low > 0 && interval.high > 4 * interval.low;
  for (int i = 0; i < count; ++i) {
    // The golden ratio's multiples: the fractions of the points do not repeat.
    const double fraction = i == 0 ? 0.0 : i == 1 ? 1.0 : std::fmod(i * 0.61803398874989485, 1.0);
    const double value = logarithmic
                             ? std::exp(std::log(interval.low) + fraction * std::log(interval.high / interval.low))
                             : interval.low + fraction * (interval.high - interval.low);
    x.push_back(static_cast<Real>(std::fmin(std::fmax(value, interval.low), interval.high)));
  }
  return x;
}

/// The distance of neighbouring numbers at x.
template <class Real>
long double last_place(long double x) {
  const long double smallest = static_cast<long double>(std::numeric_limits<Real>::denorm_min());
  if (x == 0) return smallest;
  int exponent;
  std::frexp(x, &exponent);
  return std::fmax(smallest, std::ldexp(1.0L, exponent - std::numeric_limits<Real>::digits));
}

using Records = std::map<std::string, double>;

struct Measured {
  double error;
  double acceptable;  ///< limit that applies whatever is recorded
};
using Measurements = std::map<std::string, Measured>;

double acceptable(const Interval& interval) {
  // exp(psi) has the rounding error of psi as its relative error.
  if (std::strcmp(interval.function, "exponential_digamma") == 0)
    return 8 + 3 * std::fabs(plain_digamma(interval.low));
  return 12;
}

/// Adds "set,type,function,low,high,measure" -> largest error.
template <class Real>
void measure(const InstructionSet& set, Measurements& measurements) {
  for (const Interval& interval : intervals<Real>()) {
    for (const Function<Real>& function : functions<Real>()) {
      if (std::strcmp(function.name, interval.function) != 0) continue;
      const std::vector<Real> x = points<Real>(interval);
      std::vector<Real> y(x.size());
      (table<Real>(set).*function.kernel)(x.data(), y.data(), static_cast<int64_t>(x.size()));
      double largest = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = function.reference(static_cast<long double>(x[i]));
        const long double unit = interval.measure == Measure::ulp
                                     ? last_place<Real>(exact)
                                     : static_cast<long double>(std::numeric_limits<Real>::epsilon());
        const double error = static_cast<double>(std::fabs(static_cast<long double>(y[i]) - exact) / unit);
        if (!(error <= largest)) largest = error;
        if (std::isnan(largest)) break;
      }
      char key[200];
      std::snprintf(key, sizeof key, "%s,%s,%s,%.6g,%.6g,%s", set.name, name_of<Real>(), function.name, interval.low,
                    interval.high, interval.measure == Measure::ulp ? "ulp" : "epsilon");
      measurements[key] = {largest, acceptable(interval)};
    }
  }
}

std::string path_of_records() {
  const char* const folder = std::getenv("VTEMPER_TEST_DATA");
  return folder == nullptr ? std::string() : std::string(folder) + "/kernel_errors.csv";
}

Records read_records() {
  Records records;
  std::ifstream file(path_of_records());
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t comma = line.rfind(',');
    if (comma == std::string::npos || line.compare(0, 4, "set,") == 0) continue;
    std::istringstream number(line.substr(comma + 1));
    number.imbue(std::locale::classic());
    number >> records[line.substr(0, comma)];
  }
  return records;
}

Measurements measure_all() {
  Measurements measurements;
  for (const InstructionSet* set : available_instruction_sets()) {
    measure<float>(*set, measurements);
    measure<double>(*set, measurements);
  }
  return measurements;
}

void errors_have_not_grown(void**) {
  const Records recorded = read_records();
  check(!recorded.empty(), "no records in " + path_of_records());
  for (const auto& [key, measured] : measure_all()) {
    check(measured.error <= measured.acceptable, key + ": error " + std::to_string(measured.error));
    const auto record = recorded.find(key);
    if (record == recorded.end()) {
      // NEON is recorded by whoever has such a machine.
      check(key.compare(0, 5, "neon,") == 0, "no record of " + key);
      continue;
    }
    check(measured.error <= record->second * 1.25 + 0.01,
          key + ": error " + std::to_string(measured.error) + ", recorded " + std::to_string(record->second));
  }
}

template <class Real>
void check_special_values(const InstructionSet& set) {
  const Table<Real>& functions = table<Real>(set);
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr Real nothing = std::numeric_limits<Real>::quiet_NaN();
  const Real x[] = {0, -0.0, infinity, -infinity, nothing, 1, 1000 * Real(std::log(2.0)), -2000, 5000};
  constexpr int64_t n = sizeof x / sizeof *x;
  Real y[n];
  functions.exponential(x, y, n);
  assert_true(y[0] == 1 && y[1] == 1 && y[2] == infinity && y[3] == 0 && std::isnan(y[4]) && y[7] == 0 &&
              y[8] == infinity);
  const Real half = Real(0.5);
  functions.scaled_exponential(x, half, y, n);
  Real expected;
  functions.exponential(&half, &expected, 1);
  assert_true(y[0] == 1 && y[2] == infinity && y[3] == 0 && std::isnan(y[4]) && y[5] == expected);
  const Real z[] = {0, 1, infinity, -1, nothing, std::numeric_limits<Real>::max()};
  functions.logarithm(z, y, 6);
  assert_true(y[0] == -infinity && y[1] == 0 && y[2] == infinity && std::isnan(y[3]) && std::isnan(y[4]));
  assert_true(std::isfinite(y[5]));
  const Real w[] = {1, 2, infinity, nothing};
  functions.log_gamma(w, y, 4);
  assert_true(y[0] == 0 && y[1] == 0 && y[2] == infinity && std::isnan(y[3]));
  functions.digamma(w, y, 4);
  assert_true(y[2] == infinity && std::isnan(y[3]));
  functions.trigamma(w, y, 4);
  assert_true(y[2] == 0 && std::isnan(y[3]));
  functions.exponential_digamma(w, y, 4);
  assert_true(y[2] == infinity && std::isnan(y[3]));
}

void special_values(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_special_values<float>(*set);
    check_special_values<double>(*set);
  }
}

int record() {
  std::ofstream file(path_of_records());
  file << "set,type,function,from,to,measure,largest error\n";
  for (const auto& [key, measured] : measure_all()) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3f", measured.error);
    file << key << ',' << number << '\n';
  }
  return file.good() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (path_of_records().empty()) {
    std::fprintf(stderr, "VTEMPER_TEST_DATA must name the folder of kernel_errors.csv.\n");
    return 77;
  }
  if (count > 1 && std::strcmp(arguments[1], "--record") == 0) return record();
  const CMUnitTest tests[] = {cmocka_unit_test(errors_have_not_grown), cmocka_unit_test(special_values)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
