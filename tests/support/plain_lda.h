#pragma once
// LDA exactly as in models/lda/README.md section 1, term by term, in long double and without any library code. Slow
// and plain: the reference for the tests. Every function accepts arbitrary gamma, phi and lambda, so that it can be
// differentiated.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/polygamma.h"

namespace plain {

using Number = long double;
using Vector = std::vector<Number>;
using Matrix = std::vector<Vector>;

inline Number log_gamma(Number x) {
  return std::lgamma(x);
}
inline Number sum(const Vector& x) {
  Number total = 0;
  for (const Number value : x) total += value;
  return total;
}

/// Counts n_dv [documents x words] and the weights of the documents.
struct Documents {
  Matrix counts;
  Vector weights;
  size_t documents() const { return counts.size(); }
  size_t words() const { return counts[0].size(); }
};

struct Priors {
  Vector alpha;        ///< [K]
  Matrix eta;          ///< [K x V]
  bool point = false;  ///< beta_k = lambda_k / sum instead of Dir(lambda_k)
  size_t topics() const { return alpha.size(); }
};

/// Local posterior of a document.
struct Local {
  Vector gamma;  ///< [K]
  Matrix phi;    ///< [V x K]; rows of words that do not occur in the document are zero
};

/// psi(x_k) - psi(sum x)
inline Vector expected_log(const Vector& x) {
  const Number of_sum = digamma(sum(x));
  Vector out;
  for (const Number value : x) out.push_back(digamma(value) - of_sum);
  return out;
}

/// E log beta_kv, or log beta_kv of the point estimate. [K x V]
inline Matrix topic_expectations(const Priors& priors, const Matrix& lambda) {
  Matrix out;
  for (const Vector& row : lambda) {
    if (priors.point) {
      Vector logs;
      for (const Number value : row) logs.push_back(std::log(value / sum(row)));
      out.push_back(logs);
    } else {
      out.push_back(expected_log(row));
    }
  }
  return out;
}

/// L_d = sum_v n_v sum_k phi_vk (E log theta_k + E log beta_kv)
inline Number expected_log_likelihood(const Vector& counts, const Local& local, const Matrix& log_beta) {
  const Vector log_theta = expected_log(local.gamma);
  Number total = 0;
  for (size_t v = 0; v < counts.size(); ++v) {
    for (size_t k = 0; k < log_theta.size(); ++k) {
      if (counts[v] > 0 && local.phi[v][k] > 0) {
        total += counts[v] * local.phi[v][k] * (log_theta[k] + log_beta[k][v]);
      }
    }
  }
  return total;
}

/// -sum_v n_v sum_k phi_vk log phi_vk
inline Number entropy(const Vector& counts, const Local& local) {
  Number total = 0;
  for (size_t v = 0; v < counts.size(); ++v) {
    for (const Number p : local.phi[v]) {
      if (counts[v] > 0 && p > 0) total -= counts[v] * p * std::log(p);
    }
  }
  return total;
}

/// E log Dir(theta | prior) under q = Dir(parameters).
inline Number expected_log_dirichlet(const Vector& parameters, const Vector& prior) {
  const Vector expected = expected_log(parameters);
  Number total = log_gamma(sum(prior));
  for (size_t k = 0; k < prior.size(); ++k) total += (prior[k] - 1) * expected[k] - log_gamma(prior[k]);
  return total;
}

/// KL(Dir(parameters) || Dir(prior))
inline Number divergence(const Vector& parameters, const Vector& prior) {
  return expected_log_dirichlet(parameters, parameters) - expected_log_dirichlet(parameters, prior);
}

/// Entropy annealing: T = 1 / s multiplies the entropies, of densities or (`natural_parameters`) relative to the base
/// measure prod 1 / theta; everything is then divided by T, so the logarithms of the priors are multiplied by s.
struct Power {
  Number s = 1;
  bool natural_parameters = false;
};

/// s E log p - E log q of a Dirichlet, with both logarithms relative to the base measure if `natural_parameters`.
inline Number dirichlet_term(const Vector& parameters, const Vector& prior, const Power& power = {}) {
  const Number base = power.natural_parameters ? sum(expected_log(parameters)) : 0;
  return power.s * (expected_log_dirichlet(parameters, prior) + base) -
         (expected_log_dirichlet(parameters, parameters) + base);
}

/// The effective priors of the updates: parameters 1 + s (a - 1) for the power of the density, or s a; for point
/// estimates the power of beta^eta.
inline Priors at_power(Priors priors, const Power& power) {
  const auto raise = [&](Number a) { return power.natural_parameters ? power.s * a : 1 + power.s * (a - 1); };
  for (Number& a : priors.alpha) a = raise(a);
  for (Vector& row : priors.eta) {
    for (Number& a : row) a = priors.point ? power.s * a : raise(a);
  }
  return priors;
}

/// s E log p(beta) - E log q(beta); for point estimates s log Dir(beta; 1 + eta).
inline Number topics_term(const Priors& priors, const Matrix& lambda, const Power& power = {}) {
  Number total = 0;
  for (size_t k = 0; k < lambda.size(); ++k) {
    if (!priors.point) {
      total += dirichlet_term(lambda[k], priors.eta[k], power);
      continue;
    }
    total += power.s * log_gamma(sum(priors.eta[k]) + static_cast<Number>(lambda[k].size()));
    for (size_t v = 0; v < lambda[k].size(); ++v) {
      total +=
          power.s * (priors.eta[k][v] * std::log(lambda[k][v] / sum(lambda[k])) - log_gamma(1 + priors.eta[k][v]));
    }
  }
  return total;
}

/// The terms of the annealed objective L_A(s): sum_d w_d {s_d L_d + H(phi_d) - KL(gamma_d)} + the topics' term.
struct Objective {
  Number likelihood = 0;  ///< sum_d w_d s_d L_d
  Number entropy = 0;
  Number documents = 0;  ///< -sum_d w_d KL(Dir(gamma_d) || Dir(alpha)), with the prior to its power
  Number topics = 0;
  Number total() const { return likelihood + entropy + documents + topics; }
};

inline Objective objective(const Priors& priors, const Documents& corpus, const Vector& s,
                           const std::vector<Local>& locals, const Matrix& lambda, const Power& power = {}) {
  const Matrix log_beta = topic_expectations(priors, lambda);
  Objective parts;
  for (size_t d = 0; d < corpus.documents(); ++d) {
    const Number w = corpus.weights[d];
    parts.likelihood += w * s[d] * expected_log_likelihood(corpus.counts[d], locals[d], log_beta);
    parts.entropy += w * entropy(corpus.counts[d], locals[d]);
    parts.documents += w * dirichlet_term(locals[d].gamma, priors.alpha, power);
  }
  parts.topics = topics_term(priors, lambda, power);
  return parts;
}

/// phi_vk prop. exp{ s (E log theta_k + E log beta_kv) }
inline Matrix responsibilities(const Vector& counts, const Vector& gamma, Number s, const Matrix& log_beta) {
  const Vector log_theta = expected_log(gamma);
  Matrix phi(counts.size(), Vector(gamma.size(), 0));
  for (size_t v = 0; v < counts.size(); ++v) {
    if (!(counts[v] > 0)) continue;
    Number largest = -INFINITY;
    for (size_t k = 0; k < gamma.size(); ++k) {
      phi[v][k] = s * (log_theta[k] + log_beta[k][v]);
      largest = std::max(largest, phi[v][k]);
    }
    Number total = 0;
    for (Number& p : phi[v]) total += p = std::exp(p - largest);
    for (Number& p : phi[v]) p /= total;
  }
  return phi;
}

/// gamma_k = alpha_k + s sum_v n_v phi_vk
inline Vector proportions(const Priors& priors, const Vector& counts, const Matrix& phi, Number s) {
  Vector gamma = priors.alpha;
  for (size_t v = 0; v < counts.size(); ++v) {
    for (size_t k = 0; k < gamma.size(); ++k) gamma[k] += s * counts[v] * phi[v][k];
  }
  return gamma;
}

/// At most `iterations` updates of gamma from `start`, until its mean absolute change is below the tolerance; phi
/// belongs to the final gamma.
inline Local solve_from(const Priors& priors, const Vector& counts, Number s, const Matrix& log_beta, Vector start,
                        int iterations, Number tolerance) {
  Local local{std::move(start), {}};
  if (!(sum(counts) > 0)) {
    local.gamma = priors.alpha;
    iterations = 0;
  }
  for (int i = 0; i < iterations; ++i) {
    const Matrix phi = responsibilities(counts, local.gamma, s, log_beta);
    const Vector next = proportions(priors, counts, phi, s);
    Number change = 0;
    for (size_t k = 0; k < next.size(); ++k) change += std::abs(next[k] - local.gamma[k]);
    local.gamma = next;
    if (change < tolerance * static_cast<Number>(next.size())) break;
  }
  local.phi = responsibilities(counts, local.gamma, s, log_beta);
  return local;
}

inline Local solve(const Priors& priors, const Vector& counts, Number s, const Matrix& log_beta,
                   int iterations = 100000, Number tolerance = 1e-15L) {
  return solve_from(priors, counts, s, log_beta, Vector(priors.topics(), 1), iterations, tolerance);
}

/// S_kv = sum_d w_d s_d n_dv phi_dvk
inline Matrix statistics(const Documents& corpus, const Vector& s, const std::vector<Local>& locals, size_t topics) {
  Matrix out(topics, Vector(corpus.words(), 0));
  for (size_t d = 0; d < corpus.documents(); ++d) {
    for (size_t v = 0; v < corpus.words(); ++v) {
      for (size_t k = 0; k < topics; ++k) {
        out[k][v] += corpus.weights[d] * s[d] * corpus.counts[d][v] * locals[d].phi[v][k];
      }
    }
  }
  return out;
}

/// (1 - rho) lambda + rho (eta + scale S)
inline Matrix blend(const Priors& priors, const Matrix& lambda, const Matrix& statistics, Number scale, Number rho) {
  Matrix out = lambda;
  for (size_t k = 0; k < lambda.size(); ++k) {
    for (size_t v = 0; v < lambda[k].size(); ++v) {
      out[k][v] = (1 - rho) * lambda[k][v] + rho * (priors.eta[k][v] + scale * statistics[k][v]);
    }
  }
  return out;
}

/// log sum exp
inline Number log_sum(const Vector& logs) {
  const Number largest = *std::max_element(logs.begin(), logs.end());
  Number total = 0;
  for (const Number value : logs) total += std::exp(value - largest);
  return largest + std::log(total);
}

/// f'(x) by central differences with two Richardson extrapolations: the error is of sixth order in the step.
template <class Function>
Number derivative(const Function& f, Number x, Number step) {
  Number table[3];
  for (int i = 0; i < 3; ++i) {
    const Number h = step / static_cast<Number>(1 << i);
    table[i] = (f(x + h) - f(x - h)) / (2 * h);
  }
  const Number first = table[1] + (table[1] - table[0]) / 3;
  const Number second = table[2] + (table[2] - table[1]) / 3;
  return second + (second - first) / 15;
}

}  // namespace plain
