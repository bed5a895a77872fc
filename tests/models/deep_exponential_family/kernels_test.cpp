// Softplus and the terms of a Poisson likelihood on every instruction set, against plain functions; any length.

#include "models/deep_exponential_family/kernels.h"
#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

template <class Real>
void check_softplus(const InstructionSet& set, const FamilyTable<Real>& table) {
  constexpr double precision = sizeof(Real) == sizeof(float) ? 1e-6 : 4e-15;
  std::vector<Real> x, value, slope;
  for (double at = -60; at <= 60; at += 0.37) x.push_back(static_cast<Real>(at));
  for (const double at : {0.0, -1e-9, 1e-9, 0.8813, 0.8814, 1e5}) x.push_back(static_cast<Real>(at));
  for (size_t n = 0; n <= x.size(); n += n < 40 ? 1 : 61) {
    value.assign(x.size(), Real(-1));
    slope.assign(x.size(), Real(-1));
    table.softplus(x.data(), value.data(), slope.data(), static_cast<int64_t>(n));
    for (size_t i = 0; i < x.size(); ++i) {
      const double at = static_cast<double>(x[i]);
      const double softplus = i < n ? std::max(at, 0.0) + std::log1p(std::exp(-std::abs(at))) : -1;
      const double sigmoid = i < n ? (at < 0 ? std::exp(at) / (1 + std::exp(at)) : 1 / (1 + std::exp(-at))) : -1;
      check(std::abs(static_cast<double>(value[i]) - softplus) <= precision * std::abs(softplus) &&
                std::abs(static_cast<double>(slope[i]) - sigmoid) <= precision * std::abs(sigmoid),
            std::string(set.name) + ", " + name_of<Real>() + ": softplus of " + std::to_string(at));
    }
  }
  // Far below 0, softplus vanishes.
  const Real far[] = {Real(-1e4), Real(-1e30)};
  Real nothing[2], flat[2];
  table.softplus(far, nothing, flat, 2);
  check(nothing[0] == 0 && nothing[1] == 0 && flat[0] == 0 && flat[1] == 0, "softplus far below");
}

template <class Real>
void check_ratios(const InstructionSet& set, const FamilyTable<Real>& table) {
  constexpr double precision = sizeof(Real) == sizeof(float) ? 3e-6 : 1e-14;
  Random numbers(7);
  for (const int64_t samples : {1, 2, 5, 16, 17, 32, 40}) {
    for (const int64_t words : {0, 1, 9}) {
      std::vector<Real> rates, counts, likelihoods(static_cast<size_t>(samples) + 1, Real(-7));
      for (int64_t w = 0; w < words; ++w) counts.push_back(static_cast<Real>(1 + w % 4));
      for (int64_t i = 0; i < words * samples; ++i) rates.push_back(static_cast<Real>(numbers.between(1e-3, 1e3)));
      const std::vector<Real> before = rates;
      table.poisson_ratios({rates.data(), counts.data(), Real(0.3), words, samples, likelihoods.data()});
      const std::string what = std::string(set.name) + ", " + name_of<Real>();
      for (int64_t s = 0; s < samples; ++s) {
        double sum = 0, size = 1;
        for (int64_t w = 0; w < words; ++w) {
          const auto place = static_cast<size_t>(w * samples + s);
          const double count = static_cast<double>(counts[static_cast<size_t>(w)]);
          const double rate = static_cast<double>(before[place]);
          const double ratio = 0.3 * count / rate;
          sum += count * std::log(rate);
          size += std::abs(count * std::log(rate));
          check(std::abs(static_cast<double>(rates[place]) - ratio) <= precision * ratio, what + ": ratio");
        }
        check(std::abs(static_cast<double>(likelihoods[static_cast<size_t>(s)]) - sum) <= precision * size,
              what + ": log likelihood");
      }
      check(likelihoods.back() == Real(-7), what + ": writes beyond its samples");
    }
  }
}

void every_set(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    const auto& of_set = model_kernels<FamilyKernels>(*set);
    check_softplus<float>(*set, of_set.single_precision);
    check_softplus<double>(*set, of_set.double_precision);
    check_ratios<float>(*set, of_set.single_precision);
    check_ratios<double>(*set, of_set.double_precision);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(every_set)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
