#include "models/deep_exponential_family/poisson.h"

#include <array>
#include <cmath>

#include "kernels/dispatch.h"

namespace vtemper {

namespace {

/// Smaller probabilities no longer change the sum.
constexpr double nothing = 1e-18;

class LogFactorials {
 public:
  static constexpr int64_t size = 2048;
  LogFactorials() {
    // Summed in long double, so each value is correctly rounded to double.
    long double sum = 0;
    for (int64_t n = 1; n < size; ++n) {
      sum += std::log(static_cast<long double>(n));
      values_[static_cast<size_t>(n)] = static_cast<double>(sum);
    }
  }
  double operator[](size_t n) const { return values_[n]; }

 private:
  std::array<double, size> values_{};
};

/// p(n) at the largest n <= rate, the start of the recurrences.
struct Mode {
  double n, probability;
};

Mode mode_of(double rate) {
  const double n = std::floor(rate);
  return {n, std::exp(n * std::log(rate) - rate - log_factorial(n))};
}

/// Small rates: inversion from 0 upwards; the cumulative probabilities are cached for further draws.
template <class Real>
void draw_upward(double rate, RandomStream& random, int64_t count, Real* out) {
  constexpr size_t most = 256;
  std::array<double, most> cumulative;
  double probability = std::exp(-rate);
  cumulative[0] = probability;
  size_t known = 1;
  for (int64_t i = 0; i < count; ++i) {
    const double u = random.uniform();
    size_t n = 0;
    while (n < known && u > cumulative[n]) ++n;
    while (n == known && n < most && probability > nothing) {
      probability *= rate / static_cast<double>(n);
      cumulative[n] = cumulative[n - 1] + probability;
      ++known;
      if (u > cumulative[n]) ++n;
    }
    out[i] = static_cast<Real>(n);
  }
}

/// Large rates: inversion from the mode, whose cumulative probability is summed once.
template <class Real>
void draw_from_mode(double rate, RandomStream& random, int64_t count, Real* out) {
  const Mode mode = mode_of(rate);
  double cumulative_of_mode = 0;
  double term = mode.probability;
  for (double n = mode.n; n >= 0 && term > nothing; --n) {
    cumulative_of_mode += term;
    term *= n / rate;
  }
  for (int64_t i = 0; i < count; ++i) {
    const double u = random.uniform();
    double n = mode.n, probability = mode.probability, cumulative = cumulative_of_mode;
    while (u > cumulative && probability > nothing) {
      n += 1;
      probability *= rate / n;
      cumulative += probability;
    }
    while (n > 0 && u <= cumulative - probability) {
      cumulative -= probability;
      probability *= n / rate;
      n -= 1;
    }
    out[i] = static_cast<Real>(n);
  }
}

}  // namespace

double log_factorial(double n) {
  static const LogFactorials table;
  if (n < static_cast<double>(LogFactorials::size)) {
    const auto whole = static_cast<size_t>(n);  // std::floor is a call on processors without SSE 4.1
    if (static_cast<double>(whole) == n) return table[whole];
  }
  const double x = n + 1;
  double value = 0;
  kernels::table<double>().log_gamma(&x, &value, 1);
  return value;
}

template <class Real>
void poisson_draws(double rate, RandomStream& random, int64_t count, Real* out) {
  constexpr double small = 40;  // 256 terms cover every uniform number
  if (rate <= small) {
    draw_upward(rate, random, count, out);
  } else {
    draw_from_mode(rate, random, count, out);
  }
}

template void poisson_draws(double rate, RandomStream& random, int64_t count, float* out);
template void poisson_draws(double rate, RandomStream& random, int64_t count, double* out);

/// H = rate - rate log rate + E log z!, H' = E log(z + 1) - log rate; for large rates their asymptotic series.
PoissonEntropy poisson_entropy(double rate) {
  constexpr double large = 1000;
  if (rate >= large) {
    const double two_pi_e = 17.079468445347134131;
    const double x = 1 / rate;
    return {0.5 * std::log(two_pi_e * rate) - x * (1.0 / 12 + x * (1.0 / 24 + x * 19.0 / 360)),
            x * (0.5 + x * (1.0 / 12 + x * (1.0 / 12 + x * 19.0 / 120)))};
  }
  // Relative to the mode's probability and to the sum of probabilities, so that rounding errors are not multiplied by
  // log z!.
  const Mode mode = mode_of(rate);
  const double of_mode = log_factorial(mode.n);
  double all = 0, differences = 0, logarithms = 0;
  const auto add = [&](double n, double probability) {
    const double here = log_factorial(n);
    all += probability;
    differences += probability * (here - of_mode);
    logarithms += probability * (log_factorial(n + 1) - here);
  };
  double probability = mode.probability;
  for (double n = mode.n; n >= 0 && probability > nothing; --n) {
    add(n, probability);
    probability *= n / rate;
  }
  probability = mode.probability;
  for (double n = mode.n + 1;; ++n) {
    probability *= rate / n;
    if (!(probability > nothing)) break;
    add(n, probability);
  }
  const double log_rate = std::log(rate);
  return {rate - rate * log_rate + of_mode + differences / all, logarithms / all - log_rate};
}

}  // namespace vtemper
