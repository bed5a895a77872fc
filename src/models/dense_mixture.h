#pragma once
// A mixture over dense rows, without the distribution of its components: what is read, inferred and scored, the
// checks of data and methods, defaults. Responsibilities of rows are in mixture_rows.h, starts from clusters in
// k_means.h.

#include <vector>

#include "models/conjugate_fit.h"
#include "models/parameter_table.h"

namespace vtemper {

/// Components that hold fewer are unused.
constexpr double least_rows_of_component = 0.5;

/// Of the Dirichlet prior of K = option `components` weights.
OptionEntry weights_prior_option();

/// Weight of all rows. Error(DATA) where there is none.
double weight_to_fit(const Data& data);

class DenseMixture : public ConjugateModel, public Predictive, public TemperedNormalizer {
 public:
  void check(const Data& data) const final;
  std::vector<Quantity> parameters() const final { return quantities_of(parameter_table()); }
  void read_parameter(std::string_view name, const Sink& sink) const final;
  /// Responsibilities, log densities, completed rows.
  std::vector<Quantity> local_quantities(const Data& data) const final;
  void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate, const Sink& sink) const final;
  const Predictive* predictive() const final { return this; }
  bool completes_rows() const final { return false; }
  /// Weighted sum of the rows' log densities; each row counts as one token.
  double log_predictive(const Data& observed, const Data* heldout, const OptionValues& evaluate,
                        double& tokens) const final;
  const TemperedNormalizer* tempered_normalizer() const final { return this; }
  bool normalizer_follows_globals(const Normalizer&) const final { return true; }
  MethodDefaults method_defaults() const override;
  int64_t duplicate_components(LocalWork& work) const;

 protected:
  DenseMixture(const ModelKind& kind, OptionValues options);
  int64_t count() const { return count_; }  ///< K
  std::vector<double> weights_prior() const { return reals_of_each(options_, "weights_prior", count_, "components"); }

  // The components.
  /// Error(UNSUPPORTED) for data of another form, Error(DATA) for values that no component takes.
  virtual void require_rows(const Data& data) const = 0;
  virtual ParameterTable parameter_table() const = 0;
  /// The first earlier component that `k` repeats; -1: none.
  virtual int64_t duplicate_of(int64_t k) const = 0;
  /// Log densities of all rows under the posterior predictive.
  virtual std::vector<double> log_densities(const Data& data, int threads) const = 0;
  /// Responsibilities at T = 1 [rows x K], or the rows with missing values replaced by their expectation.
  virtual void infer_rows(const Data& data, bool completed, int threads, const Sink& sink) const = 0;
  /// Of a row's log density.
  virtual const char* about_density() const = 0;

  /// Error(UNSUPPORTED) for estimates of log C other than upper and plug_in.
  void check_method(const RequiredFeatures& required) const override;

 private:
  int64_t count_;
};

}  // namespace vtemper
