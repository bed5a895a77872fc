#pragma once
// The seam between conjugate models and the methods that drive them: local step, additive statistics, global step,
// terms of the bound, normaliser of the tempered model. A model knows nothing of the method; a method nothing of the
// model beyond this file. Temperature enters local_step as one number, or as one number a row, and nowhere else.

#include <cmath>
#include <limits>
#include <optional>

#include "models/model.h"

namespace vtemper {

/// Local variational tempering (Mandt 2016, section 3.3): the posterior of a row's temperature,
///   r_m prop. exp{ s_m L - n c(s_m) },   s = sum_m r_m s_m   (uniform prior over the grid),
/// with L the row's expected log likelihood, n its tokens and c(s) = log C / N from the model's normaliser.
struct RowTemperature {
  std::vector<double> inverse;         ///< s_m
  std::vector<double> log_normalizer;  ///< c(s_m), per token
  double start = 0.5;                  ///< s before the first round
  double floor = 0;                    ///< s is at least this (the cool-down)
  int rounds = 3;                      ///< of {local updates at s; update of r}
  double expected_inverse(double expected_log_likelihood, double tokens) const;
  /// log (1/M) sum_m exp{ s_m L - n c(s_m) }: what s L becomes in the row's bound when the temperature is learned.
  double log_evidence(double expected_log_likelihood, double tokens) const;
};

/// Inverse temperature of a local step: of all rows, or row by row where per_row is set.
struct LocalTemperature {
  double inverse = 1;
  const RowTemperature* per_row = nullptr;
};

/// Sums over the rows of a step, in fixed order; additive over machines like all statistics.
struct LocalSums {
  double count = 0;                    ///< rows
  double rows = 0;                     ///< by weight
  double empty_rows = 0;               ///< without entries
  double tokens = 0;                   ///< by weight
  double expected_log_likelihood = 0;  ///< sum_d L_d = E_q log p(x_d, z_d | globals), without the prior of theta_d
                                       ///< (this and the next only where LocalSettings::bound asks for them)
  double bound = 0;                ///< sum_d F_d(s_d) = s_d L_d + entropy of q(z_d) - KL(q(theta_d) || p(theta_d))
  double inverse_temperature = 0;  ///< sum_d s_d by weight
  static constexpr int64_t length = 7;
  void write(double* out) const;
  static LocalSums read(const double* in);
};

struct LocalSettings {
  int threads = 1;
  bool statistics = true;  ///< collect sufficient statistics for a global step
  bool bound = false;      ///< compute expected_log_likelihood and bound
  /// Batch after batch holds the same rows, so a row that would end in a worse optimum than it comes from stays with
  /// the latter: the bound then never falls. Needs bound.
  bool remember = false;
  std::optional<int64_t> iterations;  ///< of a row's updates; else the model's own
  std::optional<double> tolerance;    ///< likewise
};

/// Work space and sufficient statistics of one caller. Buffers grow and never shrink, so a step allocates nothing
/// once it has met its largest batch.
class LocalWork {
 public:
  virtual ~LocalWork() = default;
  /// What LocalSettings::remember keeps from step to step.
  virtual void save(ContainerWriter&) const {}
  virtual void load(const ContainerReader&) {}
};

/// What a global step did.
struct GlobalChange {
  double relative = 0;  ///< relative change of the global parameters
  int64_t unused_components = 0;
};

class ConjugateModel {
 public:
  virtual ~ConjugateModel() = default;
  virtual const ModelKind& kind() const = 0;
  virtual const OptionValues& options() const = 0;
  virtual std::unique_ptr<ConjugateModel> copy() const = 0;

  /// Sizes and draws the global parameters. Error(UNSUPPORTED, DATA) for data the model cannot take.
  virtual void initialize(const Data& data, uint64_t seed) = 0;
  virtual bool initialized() const = 0;
  virtual int64_t columns() const = 0;                     ///< 0 before initialize
  virtual std::shared_ptr<const Names> names() const = 0;  ///< of the columns; may be NULL
  /// Error(DATA, UNSUPPORTED) where the model, initialised, cannot take this data.
  virtual void check(const Data& data) const = 0;

  // ---- inference ----
  /// Work space for batches of up to `rows` rows of `data` (NULL: unknown; it grows as needed).
  virtual std::unique_ptr<LocalWork> local_work(const Data* data, int64_t rows) const = 0;
  /// Optimal local posteriors of the batch at the temperature; replaces the statistics in `work`.
  virtual LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                               LocalWork& work) const = 0;
  /// lambda <- (1 - rho) lambda + rho (prior + scale * statistics). Cannot fail.
  virtual GlobalChange global_step(LocalWork& work, double scale, double rho) = 0;
  /// The statistics as one flat additive array of doubles.
  virtual int64_t statistics_length() const = 0;
  virtual void write_statistics(const LocalWork& work, double* out) const = 0;
  virtual void read_statistics(const double* in, LocalWork& work) const = 0;
  /// E log p(globals) - E log q(globals); -KL of the global posterior.
  virtual double global_bound() const = 0;
  /// log C(T) of the tempered model with `rows` rows and `tokens` tokens in all, at s = 1/T; 0 at s = 1.
  virtual double log_normalizer(double inverse_temperature, double rows, double tokens) const = 0;
  /// Highest temperature at which the components still tell themselves apart, for rows of this many tokens: hotter
  /// steps only make them equal, and equal components never part again.
  virtual double hottest_temperature(double rows, double tokens) const = 0;
  /// Components that repeat another; `work` lends the memory and keeps its statistics.
  virtual int64_t duplicate_components(LocalWork& work) const = 0;

  // ---- results ----
  virtual std::vector<Quantity> parameters() const = 0;
  virtual void read_parameter(std::string_view name, const Sink& sink) const = 0;
  virtual void write_parameter(std::string_view name, const double* in) = 0;

  /// Local posteriors at T = 1 of rows: quantities such as "gamma" [rows x topics].
  virtual std::vector<Quantity> local_quantities(int64_t rows) const = 0;
  virtual void infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                     const Sink& sink) const = 0;
  /// Sum over rows of the log probability of held-out tokens given the row's observed tokens, at T = 1 with
  /// posterior means (Hoffman 2013, section 4); `tokens` receives the held-out tokens.
  virtual double log_predictive(const Data& observed, const Data& heldout, const OptionValues& evaluate,
                                double& tokens) const = 0;
  /// Scores of all columns under a component; Error(UNSUPPORTED) for kinds without words.
  virtual std::vector<double> word_scores(int64_t component, std::string_view how) const = 0;

  // ---- state ----
  virtual void save(ContainerWriter& writer) const = 0;
  virtual void load(const ContainerReader& reader) = 0;
};

}  // namespace vtemper
