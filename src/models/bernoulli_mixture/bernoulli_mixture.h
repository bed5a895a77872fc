#pragma once
// Mixture of products of Bernoulli columns, or latent class analysis (README.md):
//   pi ~ Dir(a),  theta_kd ~ Beta(b1_d, b0_d),  z_n ~ pi,  x_nd | z_n = k ~ Bernoulli(theta_kd).
// Missing values are omitted from their row's likelihood. Computed in double.

#include "models/dense_mixture.h"
#include "models/dense_rows.h"
#include "models/mixture_rows.h"

namespace vtemper {

extern const ModelKind bernoulli_mixture_kind;

/// Logarithms used by the scores: expectations, or logarithms of means.
struct BernoulliLogs {
  Array<double> odds, zeros;  ///< [K x D] log theta - log(1 - theta), -log(1 - theta)
  Array<double> of_zeros;     ///< [K x D] psi(b0), or log b0
  Array<double> constants;    ///< [K] log pi_k + sum_d log(1 - theta_kd)
};

/// q(theta_kd) = Beta(ones, zeros), and expectations under it.
struct BernoulliPosterior {
  Array<double> ones, zeros;  ///< [K x D]
  BernoulliLogs expected;
  void take_logs(const MixtureWeights& weights, bool of_means, BernoulliLogs& logs) const;
  double mean(size_t i) const { return ones[i] / (ones[i] + zeros[i]); }
};

struct BernoulliWork : LocalWork, MixtureRows {
  Array<double> missing, tiles_missing;  ///< [rows x D] 1 where missing, [tiles x D x tile_rows] the same; of tiles
                                         ///< with missing values
  Array<double> statistics;              ///< rows [K], ones [K x D], missing [K x D]
  MixtureWeights next_weights;           ///< of the global step
  BernoulliPosterior next;               ///< likewise
  GlobalChange change;                   ///< likewise
};

class BernoulliMixture final : public DenseMixture {
 public:
  explicit BernoulliMixture(const OptionValues& options) : DenseMixture(bernoulli_mixture_kind, options) {}
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
  void write_statistics(const BernoulliWork& work, double* out) const {
    std::copy_n(work.statistics.begin(), statistics_length(), out);
  }
  void read_statistics(const double* in, BernoulliWork& work) const {
    require_counts(in, statistics_length());
    std::copy_n(in, statistics_length(), work.statistics.begin());
  }

 protected:
  void require_rows(const Data& data) const override { require_shares_or_missing(data, kind().name); }
  ParameterTable parameter_table() const override;
  bool are_alike(int64_t a, int64_t b) const override;
  void infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const override;
  void report_used(OptionValues& used) const override;

 private:
  Array<double> ones_prior_, zeros_prior_;  ///< [D] b1, b0
  BernoulliPosterior posterior_;

  /// Of this model, or of one that is only read.
  template <class Self>
  static auto arrays_of(Self& self);
  void set_prior(const std::vector<double>& means);
  /// Updates the logarithms after the parameters changed.
  void refresh();
  /// `means`: of the columns; `rows`: the weight of all rows.
  void start_from_clusters(const Data& data, const std::vector<double>& means, double rows, uint64_t seed);
  void solve_chunk(const Batch& chunk, const BernoulliLogs& logs, const LocalTemperature& temperature,
                   const LocalSettings& settings, BernoulliWork& work) const;
  void collect(int threads, BernoulliWork& work) const;
  /// Row t of the chunk, with missing values replaced by their expected probabilities.
  void complete_row(int64_t t, const BernoulliWork& work, int64_t row, const Sink& sink) const;
};

}  // namespace vtemper
