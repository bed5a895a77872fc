#pragma once
// Deep exponential family of one Poisson layer (Ranganath 2015; Altosaar 2018, section 4.3):
//   z_dk ~ Poisson(r0),   x_dv ~ Poisson(sum_k z_dk softplus(W_kv) + e0),   q(z_dk) = Poisson(lambda_dk),
//   lambda_dk = softplus(eta_dk).
// eta are per-document parameters; W are parameters of the model (variational EM). Gradients of eta are
// score-function estimates with control variates (Ranganath 2014) whose scale is estimated from the other samples.

#include "models/gradient_model.h"
#include "models/importance_sum.h"
#include "models/real_storage.h"
#include "support/random_streams.h"

namespace vtemper {

extern const ModelKind deep_exponential_family_kind;

enum class ControlVariate { round_robin, leave_one_out };

struct ExponentialFamilySettings {
  int64_t latent = 50;            ///< K
  int64_t samples = 32;           ///< S
  double prior_rate = 1;          ///< r0
  double background_rate = 1e-3;  ///< e0
  ControlVariate control_variate = ControlVariate::round_robin;
  int64_t local_iterations = 300;  ///< steps for the posterior of a new row
};

/// The gradient with respect to eta of one latent variable, averaged over its samples:
///   (1/S) sum_s (F_s - a_s) h_s,   h_s = (z_s / lambda - 1) slope,   slope = d lambda / d eta.
/// F_s: all terms of log p(x, z_s) - T log q(z_s) that depend on z. a_s depends on the other samples only, so the
/// estimate is unbiased: round_robin: a_s h_s = cov(F h, z) / var(z) (z_s - lambda), with moments of the others;
/// leave_one_out: a_s = the others' mean of F.
double score_gradient(ControlVariate control_variate, const double* signal, const double* z, int64_t samples,
                      double rate, double slope);

template <class Real>
struct ExponentialFamilyWork;
template <class Real>
struct FamilyLinks;
template <class Real>
struct DocumentScratch;
template <class Real>
struct FamilyDocument;

template <class Real>
class DeepExponentialFamily final : public GradientModel, public RowPosteriors, public Predictive, public WordModel {
 public:
  DeepExponentialFamily(ExponentialFamilySettings settings, OptionValues options);

  std::unique_ptr<Model> copy() const override;
  void initialize(const Data& data, uint64_t seed) override;
  void check(const Data& data) const override;
  // Rates of all samples and their gradients.
  double operations_per_entry() const override {
    return 4.0 * static_cast<double>(settings_.latent * settings_.samples);
  }

  RealArray values() override { return values_.array(); }
  const RowPosteriors* row_posteriors() const override { return this; }
  int64_t row_length() const override { return settings_.latent; }
  std::unique_ptr<GradientFit> begin_fit(const Data* data, int64_t rows) const override;
  int64_t latent_units() const override { return settings_.latent; }
  int64_t row_statistic_length(Statistic statistic) const override;
  void row_statistics(Statistic statistic, const RealArray& parameters, double* statistics,
                      double* slopes) const override;
  GradientDefaults gradient_defaults() const override;
  void check_method(const RequiredGradientFeatures& required) const override;
  GradientMemory memory(const Data& data, int64_t rows) const override;
  std::vector<std::string> measures() const override { return {"log_marginal", "active_units"}; }
  /// The posterior of a row is fitted by draws. Bounds are means over samples of it.
  DrawOptions draw_options(std::string_view name) const override {
    return {true, name == "elbo" || name == "log_marginal"};
  }
  void measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                    double* out) const override;
  double measure(std::string_view name, const Data& data, const OptionValues& evaluate) const override;

  std::vector<Quantity> parameters() const override;
  void read_parameter(std::string_view name, const Sink& sink) const override;
  void write_parameter(std::string_view name, const double* in) override;
  std::vector<Quantity> local_quantities(const Data& data) const override;
  void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
             const Sink& sink) const override;
  const Predictive* predictive() const override { return this; }
  bool completes_rows() const override { return true; }
  bool scales_by_share() const override { return true; }
  void score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                  double* tokens) const override;

  const WordModel* words() const override { return this; }
  int64_t word_components() const override { return settings_.latent; }
  void word_weights(int64_t column, int64_t first, int64_t count, double* out) const override;
  void word_totals(double* out) const override;
  void word_shares(double* out) const override;

  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  /// The operations of a step (work.h).
  using Work = ExponentialFamilyWork<Real>;
  GradientSums forward(const Batch& batch, const GradientSettings& settings, Work& work) const;
  void collect(int threads, Work& work) const;

 private:
  ExponentialFamilySettings settings_;
  RealStorage values_;  ///< [V x K] W, row-major by word

  const Real* values() const { return values_.of<Real>(); }

  // Operations on a document (document.cpp).
  void link(int threads, FamilyLinks<Real>& links) const;
  void take_posterior(const Real* eta, DocumentScratch<Real>& scratch) const;
  void draw(RandomStream& random, int64_t samples, DocumentScratch<Real>& scratch) const;
  void score(const FamilyLinks<Real>& links, const FamilyDocument<Real>& document, Real factor, Real* word_gradients,
             DocumentScratch<Real>& scratch) const;
  void ascend(double temperature, Real* gradient, DocumentScratch<Real>& scratch) const;

  // Operations of a step (gradient.cpp).
  void read_rows(const Batch& batch, int threads, Work& work) const;
  void solve_row(const Batch& batch, int64_t i, const GradientSettings& settings, int thread, Work& work) const;

  // Scores (results.cpp).
  /// Draws for step s of fitting a row: stream (seed, purpose, first + s, item).
  struct FitStreams {
    uint64_t seed;
    Purpose purpose;
    uint64_t first, item;
  };
  void fit_row(const FamilyLinks<Real>& links, const FamilyDocument<Real>& document, double temperature,
               int64_t steps, const FitStreams& streams, DocumentScratch<Real>& scratch) const;
  ImportanceSum weigh(const FamilyLinks<Real>& links, const FamilyDocument<Real>& document, RandomStream& random,
                      int64_t samples, DocumentScratch<Real>& scratch) const;
  template <class Visit>
  void for_each_row(const Data& data, double share, const OptionValues& evaluate, const Visit& visit) const;
};

}  // namespace vtemper
