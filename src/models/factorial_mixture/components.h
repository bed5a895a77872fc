#pragma once
// The global posterior of a factorial mixture: q(mu_k) = N(m_k, v_k I) and, if learned, q(pi_k) = Beta and q(tau) =
// Gamma for the noise precision (README.md section 1; Ghahramani 1995, Mandt 2016 supplement C).

#include <vector>

#include "models/conjugate_model.h"
#include "support/large_array.h"
#include "support/random_streams.h"

namespace vtemper {

/// Prior Beta(on, off) of a component's activation probability, or that probability itself.
struct ActivationPrior {
  double on;
  double off;
};

struct ComponentPriors {
  double mean_variance = 1;                  ///< v: mu_k ~ N(0, v I)
  std::vector<ActivationPrior> activations;  ///< [K]; on + off = 1 if not learned
  bool learn_activations = false;
  double noise_variance = 1;  ///< sigma^2; if learned, 1 / E tau under the prior
  bool learn_noise = false;
  double noise_shape = 1;  ///< of the Gamma prior of tau; its rate is shape * noise_variance
};

/// Sufficient statistics of the globals; row n counts with w_n = its weight times its inverse temperature s_n.
struct ComponentStatistics {
  int64_t components = 0;  ///< K
  int64_t columns = 0;     ///< D
  Array<double> values;    ///< rows, squares, activations [K], pairs [K x K], products [K x D]

  void shape(int64_t components_, int64_t columns_) {
    components = components_;
    columns = columns_;
    resize_in_parts(values, static_cast<size_t>(length(components_, columns_)));
  }
  static int64_t length(int64_t components, int64_t columns) {
    return 2 + components + components * components + components * columns;
  }
  double& rows() { return values[0]; }                              ///< sum w_n
  double& squares() { return values[1]; }                           ///< sum w_n |x_n|^2
  double* activations() { return values.data() + 2; }               ///< sum w_n nu_nk
  double* pairs() { return activations() + components; }            ///< sum w_n nu_nk nu_nj; diagonal unused
  double* products() { return pairs() + components * components; }  ///< sum w_n nu_nk x_n
};

class FactorialComponents {
 public:
  FactorialComponents(int64_t components, int64_t columns, ComponentPriors priors);

  int64_t size() const { return size_; }
  int64_t columns() const { return columns_; }
  const ComponentPriors& priors() const { return priors_; }

  /// m_k ~ N(0, v I), v_k = v; everything else as in the prior.
  void draw(uint64_t seed);
  /// m_k = 0, v_k = v; everything else as in the prior.
  void clear();

  const double* mean(int64_t component) const { return means_.data() + component * columns_; }
  double variance(int64_t component) const { return variances_[static_cast<size_t>(component)]; }
  double log_on(int64_t component) const { return log_on_[static_cast<size_t>(component)]; }     ///< E log pi_k
  double log_off(int64_t component) const { return log_off_[static_cast<size_t>(component)]; }   ///< E log (1 - pi_k)
  double activation_probability(int64_t component) const;                                        ///< E pi_k
  double activation_on(int64_t component) const { return on_[static_cast<size_t>(component)]; }  ///< of q(pi_k)
  double activation_off(int64_t component) const { return off_[static_cast<size_t>(component)]; }  ///< likewise
  double noise_shape() const { return noise_shape_; }                                              ///< of q(tau)
  double noise_rate() const { return noise_rate_; }                                                ///< likewise
  double precision() const { return precision_; }                                                  ///< E tau
  double log_precision() const { return log_precision_; }                                          ///< E log tau
  double squared_norm(int64_t component) const;                                                    ///< |m_k|^2

  double* mean(int64_t component) { return means_.data() + component * columns_; }
  void set_means(const double* means);          ///< [K x D]
  void set_variances(const double* variances);  ///< [K], positive

  /// Coordinate ascent in m_1, v_1, ..., m_K, v_K, then pi, then tau, each given the latest values of the others; for
  /// rho < 1 a natural-gradient step of length rho.
  GlobalChange update(ComponentStatistics& statistics, const GlobalStep& step);
  /// The first part of update only, the means; returns the change and the number of unused components.
  GlobalChange update_means(ComponentStatistics& statistics, const GlobalStep& step);
  /// Whether all parameters are in their domain, as required after loading and after a step.
  bool is_usable() const;
  /// s' E log p - E log q of mu, pi and tau.
  double bound(const PriorPower& prior) const;
  /// The first earlier component with the same mean, within 1 % of its length; -1: none. Dead components have no
  /// duplicates.
  int64_t duplicate_of(int64_t component) const;
  /// Number of components that duplicate an earlier one.
  int64_t duplicates() const;
  /// sum_n nu_nk of a step at T = 1, as its variance tells.
  double active_rows(int64_t component) const;
  /// Component `to` becomes one like `from`, except for a fixed activation probability.
  void copy_component(int64_t from, int64_t to);
  /// m ~ N(0, sigma^2 I), v = sigma^2 / D.
  void draw_component(int64_t component, RandomStream& random);
  /// Whether the component is unused: its mean is shorter than its standard deviation.
  bool dead(int64_t component) const;

  void save(ContainerWriter& writer) const;
  void load(const ContainerReader& reader);

 private:
  int64_t size_;
  int64_t columns_;
  ComponentPriors priors_;
  std::vector<double> means_;      ///< [K x D]
  std::vector<double> variances_;  ///< [K]
  std::vector<double> on_, off_;   ///< [K] of q(pi_k); on + off = 1 if not learned
  double noise_shape_, noise_rate_;
  std::vector<double> field_, weights_;  ///< [D], [K] workspace of update

  // Expectations derived from the above.
  std::vector<double> log_on_, log_off_;
  double precision_, log_precision_;

  void reset_learned();
  void expect();
  double update_mean(int64_t component, ComponentStatistics& statistics, const GlobalStep& step);
  void update_activations(ComponentStatistics& statistics, const GlobalStep& step);
  void update_noise(ComponentStatistics& statistics, const GlobalStep& step);
};

/// log of the integral over pi ~ Beta(on, off) of (pi^s + (1 - pi)^s)^rows, by quadrature.
double log_activation_normalizer(const ActivationPrior& prior, double inverse_temperature, double rows);

}  // namespace vtemper
