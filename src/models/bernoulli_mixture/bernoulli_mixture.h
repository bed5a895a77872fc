#pragma once
// Mixture of products of Bernoulli columns, or latent class analysis (README.md):
//   pi ~ Dir(a),  theta_kd ~ Beta(b1_d, b0_d),  z_n ~ pi,  x_nd | z_n = k ~ Bernoulli(theta_kd).
// Missing values are omitted from their row's likelihood. Computed in double.

#include "models/dense_mixture.h"
#include "models/mixture_rows.h"

namespace vtemper {

extern const ModelKind bernoulli_mixture_kind;

/// Logarithms used by the scores: expectations, or logarithms of means.
struct BernoulliLogs {
  Array<double> odds, zeros;         ///< [K x D] log theta - log(1 - theta), -log(1 - theta)
  Array<double> weights, constants;  ///< [K] log pi_k, log pi_k + sum_d log(1 - theta_kd)
  Array<double> of_zeros;            ///< [K x D] psi(b0), or log b0
};

/// q(pi) = Dir(weights), q(theta_kd) = Beta(ones, zeros), and expectations under them.
struct BernoulliPosterior {
  Array<double> weights, ones, zeros;
  BernoulliLogs expected;
  double total() const;  ///< sum of `weights`
  void take_logs(bool of_means, BernoulliLogs& logs) const;
};

struct BernoulliWork : LocalWork, MixtureRows {
  Array<double> missing, tiles_missing;  ///< [rows x D] 1 where missing, [tiles x D x tile_rows] the same; filled for
                                         ///< tiles with missing values
  Array<double> statistics;              ///< rows [K], ones [K x D], missing [K x D]
  BernoulliPosterior next, drawn;        ///< of the global step
  GlobalChange change;
};

class BernoulliMixture final : public DenseMixture {
 public:
  explicit BernoulliMixture(const OptionValues& options);
  std::unique_ptr<Model> copy() const override { return std::make_unique<BernoulliMixture>(*this); }
  void initialize(const Data& data, uint64_t seed) override;
  double operations_per_entry() const override { return 2.0 * static_cast<double>(count()); }
  double row_tokens(const Data& data, int64_t row) const override;
  double global_bound(const PriorPower& power) const override;
  double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                        double tokens) const override;
  StartTemperatures start_temperatures(double rows, double tokens) const override;
  MethodDefaults method_defaults() const override;
  void write_parameter(std::string_view name, const double* in) override;
  void save(ContainerWriter& writer) const override;
  void load(const ContainerReader& reader) override;

  // The steps with their typed workspace (conjugate_fit.h).
  std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const override {
    return row_solver_of(*this, local_work(data, rows));
  }
  std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) override {
    return fit_of(*this, local_work(data, rows));
  }
  std::unique_ptr<BernoulliWork> local_work(const Data* data, int64_t rows) const;
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                       BernoulliWork& work) const;
  void prepare_step(BernoulliWork& work, const GlobalStep& step) const;
  GlobalChange global_step(BernoulliWork& work, const GlobalStep& step) noexcept;
  int64_t statistics_length() const { return count() * (1 + 2 * columns_); }
  std::vector<Quantity> statistics() const;
  void write_statistics(const BernoulliWork& work, double* out) const;
  void read_statistics(const double* in, BernoulliWork& work) const;

 protected:
  void require_rows(const Data& data) const override;
  ParameterTable parameter_table() const override;
  int64_t duplicate_of(int64_t k) const override;
  std::vector<double> log_densities(const Data& data, int threads) const override;
  void infer_rows(const Data& data, bool completed, int threads, const Sink& sink) const override;
  const char* about_density() const override;
  void report_used(OptionValues& used) const override;

 private:
  Array<double> weights_prior_;             ///< [K] a
  Array<double> ones_prior_, zeros_prior_;  ///< [D] b1, b0
  BernoulliPosterior posterior_;

  /// Of this model, or of one that is only read.
  template <class Self>
  static auto arrays_of(Self& self);
  double rows_of(size_t k) const { return posterior_.weights[k] - weights_prior_[k]; }
  double mean_weight(size_t k) const { return posterior_.weights[k] / posterior_.total(); }
  double mean(size_t i) const { return posterior_.ones[i] / (posterior_.ones[i] + posterior_.zeros[i]); }
  void shape(int64_t columns);
  void set_prior(const std::vector<double>& means);
  /// Components of equal sizes whose probabilities are in `out.ones`, which become Beta parameters.
  void count_rows(double rows, BernoulliPosterior& out) const;
  /// `means`: of the columns; `rows`: the weight of all rows.
  void start_from_clusters(const Data& data, const std::vector<double>& means, double rows, uint64_t seed);
  void draw(const Perturbation& perturbation, BernoulliPosterior& out) const;
  void solve_chunk(const Batch& chunk, const BernoulliLogs& logs, const LocalTemperature& temperature,
                   const LocalSettings& settings, BernoulliWork& work) const;
  void collect(int threads, BernoulliWork& work) const;
  /// Row t of the chunk, with missing values replaced by their expected probabilities.
  void complete_row(int64_t t, const BernoulliWork& work, int64_t row, const Sink& sink) const;
  /// Solves the rows of `data` at T = 1 in chunks and calls visit(first row, work) after each.
  template <class Visit>
  void for_each_chunk(const Data& data, const BernoulliLogs& logs, int threads, const Visit& visit) const;
};

}  // namespace vtemper
