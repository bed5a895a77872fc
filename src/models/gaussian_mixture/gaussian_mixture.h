#pragma once
// Mixture of Gaussians with full covariances (Attias 2000; Bishop 2006, section 10.2; independent factors as in
// Gultekin 2015):
//   pi ~ Dir(a0),  (mu_k, Lambda_k) as in prior.h,  z_n ~ pi,  x_n | z_n = k ~ N(mu_k, Lambda_k^-1).
// With phi_nk = q(z_n = k), s = 1/T and r_nk = weight_n s_n phi_nk:
//   phi_nk prop. exp(s_n e_nk),   e_nk = E log p(x_n, z_n = k) = c_k - nu_k/2 (x_n - m_k)' W_k (x_n - m_k),
//   N_k = sum_n r_nk,  F_k = sum_n r_nk (x_n - m_k),  G_k = sum_n r_nk (x_n - m_k)(x_n - m_k)'.
// Statistics are centred at the component's mean, so tight components far from the origin lose no precision. Missing
// values of a row are latent like z_n and are integrated out given each component (missing.h): the bound, the
// responsibilities and the statistics are those of the model with q(x_missing | z_n) at its optimum, no imputation.
// Computed in double.

#include <cmath>

#include "models/dense_mixture.h"
#include "models/gaussian_mixture/components.h"
#include "models/gaussian_mixture/prior.h"

namespace vtemper {

extern const ModelKind gaussian_mixture_kind;

struct Clusters;
class MixtureWork;
struct MixtureScratch;

class GaussianMixture final : public DenseMixtureOf<GaussianMixture, MixtureWork> {
 public:
  GaussianMixture(MixtureSettings settings, OptionValues options);

  void initialize(const Data& data, uint64_t seed) override;
  // Squared distances and statistics.
  double operations_per_entry() const override {
    return static_cast<double>(settings_.components * (settings_.independent ? 4 : 16 + columns()));
  }
  // Factors and inverses, which are more than the statistics if rows are fewer than columns.
  double operations_per_step() const override {
    return static_cast<double>(settings_.components) * std::pow(static_cast<double>(columns()), 3);
  }

  MemoryNeed memory(const Data& data, int64_t rows, bool remember) const override;
  double global_bound(const PriorPower& prior) const override;
  double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                        double tokens) const override;
  StartTemperatures start_temperatures(double rows, double tokens) const override;
  void write_parameter(std::string_view name, const double* in) override;
  void apply_move(const Move& move) override;
  void copy_globals(const Model& copy) override;
  void swap_globals(Model& copy) noexcept override;
  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  // The steps with their typed workspace (conjugate_fit.h, DenseMixtureOf).
  std::unique_ptr<MixtureWork> local_work(const Data* data, int64_t rows) const;
  void solve_chunk(const Batch& chunk, const LocalTemperature& temperature, const LocalSettings& settings,
                   MixtureWork& work) const;
  void collect(int threads, MixtureWork& work) const;
  void complete_chunk(int64_t first, int threads, MixtureWork& work, const Sink& sink) const;
  void prepare_step(MixtureWork& work, const GlobalStep& step) const;
  GlobalChange global_step(MixtureWork& work, const GlobalStep& step) noexcept;
  int64_t statistics_length() const;
  std::vector<Quantity> statistics() const;
  void write_statistics(const MixtureWork& work, double* out) const;
  void read_statistics(const double* in, MixtureWork& work) const;

 protected:
  void require_rows(const Data& data) const override;
  ParameterTable parameter_table() const override;
  bool are_alike(int64_t a, int64_t b) const override;
  MergingCost merging_cost() const override;
  void infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const override;
  const char* about_density() const override;
  void check_method(const RequiredFeatures& required) const override;
  void report_used(OptionValues& used) const override;

 private:
  MixtureSettings settings_;
  Moments moments_;                                       ///< of the data passed to initialize
  MixturePrior start_prior_;                              ///< of the options and the data
  MixturePrior prior_;                                    ///< the same, or learned
  Array<double> covariance_factor_, covariance_inverse_;  ///< of moments_; [D x D]
  std::optional<Components> components_;

  void adopt(Moments moments);
  PriorLearning learning() const;
  std::optional<MixturePrior> read_prior(const ContainerReader& reader, int64_t columns) const;
  void take_prior(MixturePrior learned);
  void take_clusters(const Clusters& clusters, const GlobalStep& step, MixtureWork& work);
  void start_from_clusters(const Data& data, uint64_t seed);

  // A local step, in chunks of rows (scores.cpp, local.cpp, statistics.cpp).
  /// Sets the workspace's constants and factors of scores to those of e_nk.
  void take_expectations(MixtureWork& work) const;
  void score_chunk(const Batch& chunk, double s, int threads, MixtureWork& work) const;
  void score_candidates(int64_t columns, double s, int threads, MixtureWork& work) const;
  void score_selected(int64_t columns, int threads, MixtureWork& work) const;
  void score_missing(int threads, MixtureWork& work) const;
  void solve_missing(const LocalTemperature& temperature, MixtureWork& work) const;
  void collect_missing(int64_t k, double* sums, MixtureWork& work, MixtureScratch& scratch) const;

  // The global step (update.cpp).
  void prepare_components(MixtureWork& work, const GlobalStep& step) const;
  double gather_statistics(int64_t k, double size, const GlobalStep& step, MixtureWork& work) const;
  bool update_normal_wishart(int64_t k, double N, const GlobalStep& step, MixtureWork& work) const;
  bool update_independent(int64_t k, double N, const GlobalStep& step, MixtureWork& work) const;

  void write_densities(const Data& data, int threads, const Sink& sink) const;
};

}  // namespace vtemper
