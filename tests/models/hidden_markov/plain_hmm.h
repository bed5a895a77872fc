#pragma once
// A plain hidden Markov model in long double, for comparison: parameters as rows, every path enumerated or summed by
// the textbook's recursion without scaling.

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/polygamma.h"

namespace plain {

using Number = long double;
using Vector = std::vector<Number>;
using Matrix = std::vector<Vector>;
using Sequence = std::vector<int32_t>;

/// Numbers that belong to initial states, transitions and emissions.
struct Rows {
  Vector initial;
  Matrix transition, emission;
};

inline Rows zeros(size_t states, size_t symbols) {
  return {Vector(states), Matrix(states, Vector(states)), Matrix(states, Vector(symbols))};
}

/// Calls visit(row of the first, row of the second) for all distributions.
inline void for_rows(const Rows& a, const Rows& b, const std::function<void(const Vector&, const Vector&)>& visit) {
  visit(a.initial, b.initial);
  for (size_t j = 0; j < a.transition.size(); ++j) visit(a.transition[j], b.transition[j]);
  for (size_t k = 0; k < a.emission.size(); ++k) visit(a.emission[k], b.emission[k]);
}

inline Rows map_rows(const Rows& rows, const std::function<Vector(const Vector&)>& function) {
  Rows out = rows;
  out.initial = function(rows.initial);
  for (Vector& row : out.transition) row = function(row);
  for (Vector& row : out.emission) row = function(row);
  return out;
}

inline Number sum(const Vector& row) {
  Number total = 0;
  for (const Number value : row) total += value;
  return total;
}

inline Number dot(const Vector& a, const Vector& b) {
  Number total = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0) total += a[i] * b[i];
  }
  return total;
}

inline Number dot(const Rows& a, const Rows& b) {
  Number total = 0;
  for_rows(a, b, [&](const Vector& x, const Vector& y) { total += dot(x, y); });
  return total;
}

/// E log theta under Dirichlets.
inline Rows expected_logs(const Rows& dirichlets) {
  return map_rows(dirichlets, [](const Vector& row) {
    Vector out;
    for (const Number value : row) out.push_back(digamma(value) - digamma(sum(row)));
    return out;
  });
}

inline Rows logs_of_means(const Rows& dirichlets) {
  return map_rows(dirichlets, [](const Vector& row) {
    Vector out;
    for (const Number value : row) out.push_back(std::log(value / sum(row)));
    return out;
  });
}

inline Rows powers(const Rows& logs, Number s) {
  return map_rows(logs, [s](const Vector& row) {
    Vector out;
    for (const Number value : row) out.push_back(std::exp(s * value));
    return out;
  });
}

struct Local {
  Number log_normalizer = 0;
  Rows counts;       ///< expected
  Matrix marginals;  ///< [length x states]
  std::vector<int32_t> best_path;
};

/// By the recursion of the textbook.
inline Local forward_backward(const Rows& weights, const Sequence& x) {
  const size_t states = weights.initial.size(), length = x.size();
  Local local;
  local.counts = zeros(states, weights.emission[0].size());
  local.marginals = Matrix(length, Vector(states));
  if (length == 0) return local;
  Matrix forward(length, Vector(states)), backward(length, Vector(states, 1));
  const auto emission = [&](size_t t, size_t k) { return weights.emission[k][static_cast<size_t>(x[t])]; };
  for (size_t k = 0; k < states; ++k) forward[0][k] = weights.initial[k] * emission(0, k);
  for (size_t t = 1; t < length; ++t) {
    for (size_t k = 0; k < states; ++k) {
      for (size_t j = 0; j < states; ++j) forward[t][k] += forward[t - 1][j] * weights.transition[j][k];
      forward[t][k] *= emission(t, k);
    }
  }
  for (size_t t = length - 1; t-- > 0;) {
    for (size_t j = 0; j < states; ++j) {
      backward[t][j] = 0;
      for (size_t k = 0; k < states; ++k) {
        backward[t][j] += weights.transition[j][k] * emission(t + 1, k) * backward[t + 1][k];
      }
    }
  }
  const Number total = sum(forward[length - 1]);
  local.log_normalizer = std::log(total);
  for (size_t t = 0; t < length; ++t) {
    for (size_t j = 0; j < states; ++j) {
      local.marginals[t][j] = forward[t][j] * backward[t][j] / total;
      local.counts.emission[j][static_cast<size_t>(x[t])] += local.marginals[t][j];
      for (size_t k = 0; t + 1 < length && k < states; ++k) {
        local.counts.transition[j][k] +=
            forward[t][j] * weights.transition[j][k] * emission(t + 1, k) * backward[t + 1][k] / total;
      }
    }
  }
  local.counts.initial = local.marginals[0];
  return local;
}

/// By enumeration of all paths.
inline Local enumerate(const Rows& weights, const Sequence& x) {
  const size_t states = weights.initial.size(), length = x.size();
  Local local;
  local.counts = zeros(states, weights.emission[0].size());
  local.marginals = Matrix(length, Vector(states));
  std::vector<int32_t> path(length, 0);
  Number total = 0, best = -1;
  for (bool more = true; more;) {
    Number weight = 1;
    for (size_t t = 0; t < length; ++t) {
      const auto k = static_cast<size_t>(path[t]);
      weight *= t == 0 ? weights.initial[k] : weights.transition[static_cast<size_t>(path[t - 1])][k];
      weight *= weights.emission[k][static_cast<size_t>(x[t])];
    }
    total += weight;
    for (size_t t = 0; t < length; ++t) {
      const auto k = static_cast<size_t>(path[t]);
      local.marginals[t][k] += weight;
      local.counts.emission[k][static_cast<size_t>(x[t])] += weight;
      if (t > 0) local.counts.transition[static_cast<size_t>(path[t - 1])][k] += weight;
    }
    if (weight > best) {
      best = weight;
      local.best_path = path;
    }
    more = false;
    for (size_t t = length; t-- > 0 && !more;) {
      more = ++path[t] < static_cast<int32_t>(states);
      if (!more) path[t] = 0;
    }
  }
  const auto divide = [total](const Vector& row) {
    Vector out;
    for (const Number value : row) out.push_back(value / total);
    return out;
  };
  for (Vector& row : local.marginals) row = divide(row);
  local.counts = map_rows(local.counts, divide);
  local.counts.initial = local.marginals[0];
  local.log_normalizer = std::log(total);
  return local;
}

/// s' E log p + H of Dirichlets under priors; `natural_parameters`: relative to the base measure prod 1 / theta.
inline Number global_bound(const Rows& dirichlets, const Rows& priors, Number power, bool natural_parameters) {
  const Rows logs = expected_logs(dirichlets);
  Number bound = 0;
  for_rows(dirichlets, priors, [&](const Vector& l, const Vector& a) {
    Number prior = std::lgamma(sum(a)), entropy = -std::lgamma(sum(l)), base = 0;
    for (size_t i = 0; i < l.size(); ++i) {
      const Number e = digamma(l[i]) - digamma(sum(l));
      prior += (a[i] - 1) * e - std::lgamma(a[i]);
      entropy += std::lgamma(l[i]) - (l[i] - 1) * e;
      base += e;
    }
    bound += natural_parameters ? power * (prior + base) + entropy - base : power * prior + entropy;
  });
  return bound;
}

}  // namespace plain
