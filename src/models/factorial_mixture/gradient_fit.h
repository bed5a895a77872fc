#pragma once
// The factorial mixture fitted by gradients (the Bernoulli factor model of Altosaar 2018, section 2.2; README.md
// section 4): point means mu_k, and logits eta_nk of the activations nu_nk = sig(eta_nk) as parameters of each row.
// With r_nk = x_n - sum_{j != k} nu_nj mu_j and v = nu (1 - nu), the bound of a row rises along
//   eta_nk   v_nk { (mu_k . r_nk - |mu_k|^2 / 2) / sigma^2 + logit pi_k - T eta_nk },
//   mu_k     nu_nk (r_nk - mu_k) / sigma^2.
// Rows that the caller feeds have no stored logits: these are solved for directly, and the means' gradient is taken
// there.

#include "linalg/eigen.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/real_storage.h"

namespace vtemper {

struct FactorWork;

class FactorialGradientFit final : public GradientModel, public RowPosteriors, public Predictive {
 public:
  FactorialGradientFit(const FactorialMixtureSettings& settings, const OptionValues& options);

  std::unique_ptr<Model> copy() const override;
  void initialize(const Data& data, uint64_t seed) override;
  void report_used(OptionValues& used) const override { mixture_.report_used(used); }
  void check(const Data& data) const override { mixture_.check(data); }
  double operations_per_entry() const override { return mixture_.operations_per_entry(); }

  RealArray values() override { return means_.array(); }
  const RowPosteriors* row_posteriors() const override { return this; }
  int64_t row_length() const override { return components_; }
  std::unique_ptr<GradientFit> begin_fit(const Data* data, int64_t rows) const override;
  int64_t latent_units() const override { return components_; }
  int64_t row_statistic_length(Statistic statistic) const override;
  void row_statistics(Statistic statistic, const RealArray& parameters, double* statistics,
                      double* slopes) const override;
  GradientDefaults gradient_defaults() const override;
  GradientMemory memory(const Data& data, int64_t rows) const override;
  void check_method(const RequiredGradientFeatures& required) const override;
  void measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                    double* out) const override;

  std::vector<Quantity> parameters() const override;
  void read_parameter(std::string_view name, const Sink& sink) const override;
  void write_parameter(std::string_view name, const double* in) override;
  std::vector<Quantity> local_quantities(const Data& data) const override { return mixture_.local_quantities(data); }
  void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
             const Sink& sink) const override;
  const Predictive* predictive() const override { return this; }
  bool completes_rows() const override { return true; }
  void score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                  double* tokens) const override;

  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  /// The operations of a step.
  GradientSums forward(const Batch& batch, const GradientSettings& settings, FactorWork& work) const;
  void sum_gradient(FactorWork& work) const;

 private:
  FactorialMixture mixture_;  ///< holds priors and names; solves rows with zero-variance means
  int64_t components_;        ///< K
  RealStorage means_;         ///< [K x D], in double
  double noise_ = 1;          ///< sigma^2
  std::vector<double> prior_logits_;
  std::vector<double> log_off_;  ///< [K] log (1 - pi_k)

  const double* means() const { return means_.of<double>(); }
  linalg::ConstMatrixMap mean_matrix() const { return linalg::matrix_of(means(), components_, columns(), columns()); }
  void take_from_mixture();
  /// The mixture with the current means.
  std::unique_ptr<FactorialMixture> solver() const;
  /// The bound of a row; `rest` [D] receives x - sum_k nu_k mu_k.
  struct RowBound {
    double likelihood;  ///< E log p(x | z)
    double prior;       ///< E log p(z)
    double entropy;
  };
  RowBound bound_of(const double* x, const double* activations, const double* logits, double* rest) const;
  /// The gradient of a row's logits, out [K], and the row's contribution to that of the means, of_means [K x D];
  /// returns the sum of absolute values of out.
  double row_gradient(const double* activations, const double* logits, const double* rest, double weight,
                      double temperature, double* out, double* of_means) const;
  /// Solves for logits and activations of a fed row, starting from the prior, by coordinate updates (eq. 6 of
  /// Altosaar 2018, at T); `rest` [D] as above.
  void solve_row(const double* x, double temperature, double* logits, double* activations, double* rest) const;
};

}  // namespace vtemper
