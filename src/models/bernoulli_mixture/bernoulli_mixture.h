#pragma once
// Mixture of products of Bernoulli columns, or latent class analysis (README.md):
//   pi ~ Dir(a),  theta_kd ~ Beta(c b1_d, c b0_d),  z_n ~ pi,  x_nd | z_n = k ~ Bernoulli(theta_kd).
// Missing values are omitted from their row's likelihood. Computed in double.

#include "models/bernoulli_mixture/learned_prior.h"
#include "models/dense_mixture.h"
#include "models/dense_rows.h"
#include "models/named_arrays.h"

namespace vtemper {

extern const ModelKind bernoulli_mixture_kind;

/// q(theta_kd) = Beta(ones, zeros), and the terms of rows' scores: expected logarithms, or logarithms of means.
struct BernoulliPosterior {
  Array<double> ones, zeros;  ///< [K x D]
  Array<double> constants;    ///< [K] log pi_k + sum_d log(1 - theta_kd)
  Array<double> odds;         ///< [K x D] log theta - log(1 - theta), for each one
  Array<double> omissions;    ///< [K x D] -log(1 - theta), for each missing value
  Array<double> totals;       ///< [K x D] workspace
  void take_logs(const MixtureWeights& weights, bool of_means);
};

/// The statistics are rows [K], ones [K x D], missing [K x D].
struct BernoulliWork : DenseMixtureWork {
  BernoulliPosterior next;  ///< of the prepared step
  double next_strength = 1;
  StrengthWork of_strength;
};

class BernoulliMixture final
    : public ModelOfArrays<BernoulliMixture, DenseMixtureOf<BernoulliMixture, BernoulliWork>>,
      public FlatStatistics<BernoulliWork> {
 public:
  explicit BernoulliMixture(const OptionValues& options) : ModelOfArrays(bernoulli_mixture_kind, options) {}
  void initialize(const Data& data, uint64_t seed) override;
  double operations_per_entry() const override { return 2.0 * static_cast<double>(count()); }
  double row_tokens(const Data& data, int64_t row) const override { return observed_share(data.dense(), row); }
  double global_bound(const PriorPower& power) const override;
  double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                        double tokens) const override;
  StartTemperatures start_temperatures(double rows, double tokens) const override;
  MethodDefaults method_defaults(double row_length) const override;
  MemoryNeed memory(const Data& data, int64_t rows, bool remember) const override;
  void apply_move(const Move& move) override;
  void copy_globals(const Model& copy) override;
  void swap_globals(Model& copy) noexcept override;
  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  template <class Self>
  static NamedArraysOf<Self> arrays_of(Self& self) {
    const int64_t k = self.count(), d = self.columns_;
    auto& weights = self.weights_.concentration;
    return {{{"weights.concentration", {k}, true, "Dirichlet parameters of the weights."}, &weights},
            {{"ones", {k, d}, true, "Beta parameters of ones: prior and expected number."}, &self.posterior_.ones},
            {{"zeros", {k, d}, true, "Beta parameters of zeros."}, &self.posterior_.zeros},
            {{"prior.ones", {d}, false, ""}, &self.prior_.ones},
            {{"prior.zeros", {d}, false, ""}, &self.prior_.zeros}};
  }
  /// Updates the logarithms after the parameters changed.
  void refresh();

  // The steps with their typed workspace (conjugate_fit.h, DenseMixtureOf).
  std::unique_ptr<BernoulliWork> local_work(const Data* data, int64_t rows) const;
  void solve_chunk(const Batch& chunk, const LocalTemperature& temperature, const LocalSettings& settings,
                   BernoulliWork& work) const;
  void collect(int threads, BernoulliWork& work) const;
  void complete_chunk(int64_t first, int threads, const BernoulliWork& work, const Sink& sink) const;
  void prepare_step(BernoulliWork& work, const GlobalStep& step) const;
  GlobalChange global_step(BernoulliWork& work, const GlobalStep& step) noexcept;
  int64_t statistics_length() const { return count() * (1 + 2 * columns_); }
  std::vector<Quantity> statistics() const;

 protected:
  void require_rows(const Data& data) const override { require_shares_or_missing(data, kind().name); }
  ParameterTable parameter_table() const override;
  bool are_alike(int64_t a, int64_t b) const override;
  MergingCost merging_cost() const override;
  void infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const override;
  void report_used(OptionValues& used) const override;

 private:
  BetaPrior prior_;
  BernoulliPosterior posterior_;

  void set_prior(const std::vector<double>& means);
  /// The part of prepare_step that leaves the prior as it is.
  void prepare_components(BernoulliWork& work, const GlobalStep& step) const;
  /// E theta_kd.
  double mean(int64_t k, int64_t d) const {
    const auto i = static_cast<size_t>(k * columns_ + d);
    return posterior_.ones[i] / (posterior_.ones[i] + posterior_.zeros[i]);
  }
  /// `means`: of the columns; `rows`: the weight of all rows.
  void start_from_clusters(const Data& data, const std::vector<double>& means, double rows, uint64_t seed,
                           BernoulliWork& work);
};

}  // namespace vtemper
