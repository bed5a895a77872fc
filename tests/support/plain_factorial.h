#pragma once
// A plain implementation of the factorial mixture in long double, for comparison: objective, updates and normaliser
// of models/factorial_mixture/README.md sections 1 and 2, with expectations by enumeration of all activations where
// feasible.

#include <cmath>
#include <vector>

namespace plain_factorial {

using Number = long double;
using Vector = std::vector<Number>;
using Matrix = std::vector<Vector>;

constexpr Number pi_number = 3.14159265358979323846264338327950288L;

inline Number digamma(Number x) {
  Number result = 0;
  for (; x < 40; x += 1) result -= 1 / x;
  const Number z = 1 / (x * x);
  return result + std::log(x) - 0.5L / x -
         z * (1.0L / 12 -
              z * (1.0L / 120 - z * (1.0L / 252 - z * (1.0L / 240 - z * (1.0L / 132 - z * 691.0L / 32760)))));
}

inline Number log_beta(Number a, Number b) {
  return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
}

struct Priors {
  Number mean_variance = 1;
  Vector on, off;  ///< [K]; on + off = 1 and learn_activations false: pi itself
  bool learn_activations = false;
  Number noise_shape = 1, noise_rate = 1;  ///< learn_noise false: rate / shape is the variance
  bool learn_noise = false;
};

struct State {
  Matrix mean;      ///< [K][D]
  Vector variance;  ///< [K]
  Vector on, off;   ///< [K]
  Number shape, rate;
};

struct Expectations {
  Vector log_on, log_off;
  Number precision, log_precision;
};

inline Expectations expect(const Priors& priors, const State& state) {
  Expectations e;
  for (size_t k = 0; k < state.on.size(); ++k) {
    if (priors.learn_activations) {
      e.log_on.push_back(digamma(state.on[k]) - digamma(state.on[k] + state.off[k]));
      e.log_off.push_back(digamma(state.off[k]) - digamma(state.on[k] + state.off[k]));
    } else {
      e.log_on.push_back(std::log(state.on[k]));
      e.log_off.push_back(std::log(state.off[k]));
    }
  }
  e.precision = state.shape / state.rate;
  e.log_precision = priors.learn_noise ? digamma(state.shape) - std::log(state.rate) : std::log(e.precision);
  return e;
}

/// E_q log p(x, z | mu, pi, tau) of one row by enumeration of z; NaN values of x are omitted.
inline Number row_likelihood(const Priors& priors, const State& state, const Vector& x, const Vector& nu) {
  const Expectations e = expect(priors, state);
  const size_t components = nu.size();
  Number total = 0;
  for (size_t pattern = 0; pattern < (size_t{1} << components); ++pattern) {
    Number probability = 1;
    Number value = 0;
    for (size_t k = 0; k < components; ++k) {
      const bool on = (pattern >> k & 1) != 0;
      probability *= on ? nu[k] : 1 - nu[k];
      value += on ? e.log_on[k] : e.log_off[k];
    }
    for (size_t d = 0; d < x.size(); ++d) {
      if (std::isnan(x[d])) continue;
      Number residual = x[d];
      Number variance = 0;
      for (size_t k = 0; k < components; ++k) {
        if ((pattern >> k & 1) == 0) continue;
        residual -= state.mean[k][d];
        variance += state.variance[k];
      }
      value += (e.log_precision - std::log(2 * pi_number)) / 2 - e.precision * (residual * residual + variance) / 2;
    }
    total += probability * value;
  }
  return total;
}

inline Number entropy(const Vector& nu) {
  Number total = 0;
  for (const Number p : nu) {
    if (p > 0) total -= p * std::log(p);
    if (p < 1) total -= (1 - p) * std::log(1 - p);
  }
  return total;
}

/// s' E log p - E log q of the globals.
inline Number global_bound(const Priors& priors, const State& state, Number power, bool natural_parameters = false) {
  const Expectations e = expect(priors, state);
  const auto raised = [&](Number shape) { return natural_parameters ? power * shape : 1 + power * (shape - 1); };
  Number total = 0;
  for (size_t k = 0; k < state.mean.size(); ++k) {
    for (const Number m : state.mean[k]) {
      total -= power *
               (std::log(2 * pi_number * priors.mean_variance) + (m * m + state.variance[k]) / priors.mean_variance) /
               2;
      total += (1 + std::log(2 * pi_number * state.variance[k])) / 2;
    }
    if (!priors.learn_activations) continue;
    total += (raised(priors.on[k]) - 1) * e.log_on[k] + (raised(priors.off[k]) - 1) * e.log_off[k] -
             power * log_beta(priors.on[k], priors.off[k]);
    total +=
        log_beta(state.on[k], state.off[k]) - (state.on[k] - 1) * e.log_on[k] - (state.off[k] - 1) * e.log_off[k];
  }
  if (priors.learn_noise) {
    total += (raised(priors.noise_shape) - 1) * e.log_precision - power * priors.noise_rate * e.precision +
             power * (priors.noise_shape * std::log(priors.noise_rate) - std::lgamma(priors.noise_shape));
    total += state.shape - std::log(state.rate) + std::lgamma(state.shape) + (1 - state.shape) * digamma(state.shape);
  }
  return total;
}

/// sum_n weight_n (s_n L_n + H_n) + the term of the globals.
inline Number objective(const Priors& priors, const State& state, const Matrix& rows, const Vector& weights,
                        const Vector& inverse, const Matrix& nu, Number power = 1, bool natural_parameters = false) {
  Number total = global_bound(priors, state, power, natural_parameters);
  for (size_t n = 0; n < rows.size(); ++n) {
    total += weights[n] * (inverse[n] * row_likelihood(priors, state, rows[n], nu[n]) + entropy(nu[n]));
  }
  return total;
}

}  // namespace plain_factorial
