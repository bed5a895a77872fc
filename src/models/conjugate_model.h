#pragma once
// The seam between conjugate models and the methods that drive them: local step, additive statistics, global step,
// terms of the bound. A model knows nothing of the method; a method nothing of the model beyond this file.
// Temperature enters local_step as one number, or as one number a row, and nowhere else.
//
// A model makes its ConjugateFit, which owns all work of a step (models/conjugate_fit.h writes the class). What only
// some models have is a facet: a pointer that is NULL for the others.

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "models/model.h"
#include "support/array.h"

namespace vtemper {

/// How log C(T) of the tempered model is estimated.
struct Normalizer {
  std::string estimate = "auto";  ///< auto: the model's own choice
  int64_t samples = 100;          ///< of Monte Carlo estimates
  uint64_t seed = 0;
};

/// Local variational tempering (Mandt 2016, section 3.3): the posterior of a row's temperature,
///   r_m prop. exp{ s_m L - c_m },   s = sum_m r_m s_m   (uniform prior over the grid),
/// with L the row's expected log likelihood and c_m = log C of the row alone at s_m.
struct RowTemperature {
  std::vector<double> inverse;         ///< s_m
  Normalizer normalizer;               ///< the estimate of c_m
  std::vector<double> log_normalizer;  ///< c(s_m), per token, where that makes a row's: c_m = n c(s_m) for n tokens
  double start = 0.5;                  ///< s before the first round
  double floor = 0;                    ///< s is at least this (the cool-down)
  int rounds = 3;                      ///< of {local updates at s; update of r}
  double expected_inverse(double expected_log_likelihood, double tokens) const;
  /// log (1/M) sum_m exp{ s_m L - c_m }: what s L becomes in the row's bound when the temperature is learned.
  double log_evidence(double expected_log_likelihood, double tokens) const;
  // The same with c_m [M] given, for models whose rows differ by more than their number of tokens.
  double expected_inverse(double expected_log_likelihood, const double* row_log_normalizer) const;
  double log_evidence(double expected_log_likelihood, const double* row_log_normalizer) const;
};

/// What entropy annealing does to the priors (Katahira 2008; Gultekin 2014, section 3.2). It maximises
/// E log p + T H, which is T times the tempered bound of a model whose every prior p is raised to the power s = 1/T;
/// so all that an update sees of it is another prior.
struct PriorPower {
  double inverse = 1;    ///< s; 1: priors as they are
  bool printed = false;  ///< natural parameters times s (Gultekin eq. 8: entropies relative to the base measure)
                         ///< instead of the density's power (differential entropies)

  /// Of a Dirichlet, Beta or Gamma shape parameter; the prior itself, to the bit, at s = 1.
  double concentration(double prior) const {
    if (inverse == 1) return prior;
    return printed ? inverse * prior : 1 + inverse * (prior - 1);
  }
};

/// Inverse temperature of a local step: of all rows, or row by row where per_row is set.
struct LocalTemperature {
  double inverse = 1;
  PriorPower prior;
  const RowTemperature* per_row = nullptr;
};

/// Stochastic annealing (Gultekin 2014, section 3.3): what an update gives keeps a share 1 - r of itself and takes r
/// of a fresh draw of the size of the data. A convex combination, so parameters stay in their domain.
struct Perturbation {
  double share = 0;    ///< r in [0, 1]; 0: none
  bool local = false;  ///< local posteriors of the rows as well as globals
  bool natural =
      false;  ///< blend natural parameters; else statistics (the same where the two are affine to each other)
  uint64_t seed = 0;
  uint64_t iteration = 0;
  double rows = 0;    ///< of the whole corpus, by weight
  double tokens = 0;  ///< likewise
};

/// Starts of the temperatures that the user left to the model.
struct StartTemperatures {
  double schedule = 4;
  double growing = 0;         ///< of a schedule during which the model may grow; 0: as schedule
  double brief_schedule = 0;  ///< of one that ends within brief_passes; 0: as schedule
  double entropy_schedule = 4;
  double grid = 4;      ///< top of a learned temperature's grid
  double row_grid = 0;  ///< the same of the rows' own temperatures; 0: as grid
};

/// What a kind of model chooses for a method where the user leaves it open.
struct MethodDefaults {
  bool all_rows = false;       ///< steps see all rows unless batch_size says otherwise
  double passes = 100;         ///< of a run of full steps
  double tolerance = 1e-6;     ///< of its convergence
  double schedule_length = 1;  ///< of a run of minibatches whose T falls, in units of the usual length
  const char* temperature_shape = "exponential";
  const char* temperature_estimate = "profiled";  ///< of one learned temperature for all rows
  double temperature_steps = 0;                   ///< of a schedule of full steps; 0: a share of the run
  const char* temperature_entropy = "density";    ///< or natural_parameters
  const char* perturbation_shape = "exponential";
  double perturbation_start = 1;   ///< r of the first step
  double perturbation_steps = 50;  ///< after which r = 0, of a run of full steps
  bool perturbation_local = false;
  const char* step_size_metric = "fisher";  ///< or identity
};

/// What the chosen parts of a method ask of a model beyond plain steps.
struct MethodDemands {
  bool prior_power = false;              ///< entropy annealing: priors at a power,
  bool printed_power = false;            ///< in the form of PriorPower::printed
  std::optional<Normalizer> normalizer;  ///< the facet TemperedNormalizer, with this estimate
  bool row_temperatures = false;         ///< LocalTemperature::per_row
  bool perturbation = false;             ///< stochastic annealing,
  bool local_perturbation = false;       ///< of the rows' posteriors as well
  bool natural_perturbation = false;     ///< in natural parameters
  bool natural_gradient = false;         ///< the facet NaturalGradient,
  bool fisher = false;                   ///< with products F g
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
  bool likelihood = true;  ///< false: the bound alone is wanted, expected_log_likelihood may stay 0
  /// Batch after batch holds the same rows, so a row that would end in a worse optimum than it comes from stays with
  /// the latter: the bound then never falls. Needs bound. A perturbed step only makes the room for it: random starts
  /// are to leave such optima.
  bool remember = false;
  Perturbation perturbation;
  std::optional<int64_t> iterations;  ///< of a row's updates; else the model's own
  std::optional<double> tolerance;    ///< likewise
};

/// A global step: lambda <- (1 - rho) lambda + rho lambdahat with
/// lambdahat = (1 - r) (prior + scale * statistics) + r * draw.
struct GlobalStep {
  double scale = 1;
  double rho = 1;
  PriorPower prior;
  Perturbation perturbation;
  int64_t iteration = 0;           ///< steps before this one
  double inverse_temperature = 1;  ///< mean over the rows of the step
};

/// What a model is told of a fit before its first step.
struct FitStart {
  double temperature = 1;       ///< of the first step
  bool may_grow = false;        ///< T falls to 1 on a schedule, so components may be split on the way
  bool resumed = false;         ///< the fit goes on from a checkpoint: nothing is to move
  double rows = 0, tokens = 0;  ///< in all; tokens 0 where nobody asked for them
  uint64_t seed = 0;
};

/// Bytes of memory, about.
struct MemoryNeed {
  double parameters = 0;  ///< of the model
  double work = 0;        ///< of one fit or RowSolver
};

/// Takes the natural gradient g and F g of `count` global parameters, from number `first` on, in a fixed order.
using GradientVisitor =
    std::function<void(int64_t first, int64_t count, const double* gradient, const double* product)>;

/// Refuses a step that would take parameters of `what` out of their domain.
[[noreturn]] void refuse_step(int64_t iteration, const char* what);

/// What a global step did.
struct GlobalChange {
  double relative = 0;  ///< relative change of the global parameters
  int64_t unused_components = 0;
};

/// A jump of the globals that an ascent cannot make: the component `slot` is emptied into `into` and takes half of
/// what `from` then holds. `variant` is the model's own; random choices depend on (seed, round, number) alone.
struct Move {
  int64_t slot = 0, into = 0, from = 0, variant = 0;
  uint64_t seed = 0;
  int64_t round = 0, number = 0;
};

/// Solves rows under a model that stays as it is, and which it must not outlive. Buffers grow and never shrink, so a
/// step allocates nothing once it has met its largest batch.
class RowSolver {
 public:
  virtual ~RowSolver() = default;
  /// Optimal local posteriors of the batch at the temperature; replaces the statistics.
  virtual LocalSums local_step(const Batch& batch, const LocalTemperature& temperature,
                               const LocalSettings& settings) = 0;
};

/// Facet of fits that know the natural gradient of the globals (step_size adaptive).
class NaturalGradient {
 public:
  virtual ~NaturalGradient() = default;
  /// Global parameters in the gradient.
  virtual int64_t gradient_length() const = 0;
  /// g = prior + scale * statistics - lambda, without the step's perturbation; and F g (NULL unless `fisher`), which
  /// is the gradient of the bound in lambda: F is the Fisher information of the posterior of the globals. Cannot
  /// fail.
  virtual void natural_gradient(const GlobalStep& step, bool fisher, const GradientVisitor& visit) = 0;
};

/// Facet of fits whose statistics are mostly a table of which a step touches few rows, such as the words of a batch:
/// sums over machines need not hold the others.
class TableStatistics {
 public:
  virtual ~TableStatistics() = default;
  struct Shape {
    int64_t rows, columns;
    bool single;  ///< of floats
  };
  virtual Shape table() const = 0;
  /// Sets bit r % 8 of byte r / 8 for each row r that the last local step has touched; clears none.
  virtual void mark_rows(unsigned char* bits) const = 0;
  /// The given rows, which ascend, 0 where the step has none: `out` [count x columns], float or double. Cannot fail.
  virtual void write_rows(const int32_t* rows, int64_t count, void* out) const = 0;
  /// They take the place of all that the step had.
  virtual void read_rows(const int32_t* rows, int64_t count, const void* in) = 0;
  /// The statistics that are no part of the table.
  virtual int64_t rest_length() const = 0;
  virtual void write_rest(double* out) const = 0;
  virtual void read_rest(const double* in) = 0;
};

/// One fit of a model, which it moves and must not outlive: work space and sufficient statistics.
class ConjugateFit : public RowSolver {
 public:
  /// Everything of a global step that can fail; the globals stay as they are. Error(NUMERIC) where a parameter would
  /// leave its domain. For step_size adaptive, whose rho follows, with any rho in [0, 1].
  virtual void prepare_step(const GlobalStep& step) = 0;
  /// Follows prepare_step with the same step, whose rho may have changed.
  virtual GlobalChange global_step(const GlobalStep& step) noexcept = 0;
  /// Both, for callers that have nothing to keep whole between them.
  GlobalChange whole_step(const GlobalStep& step) {
    prepare_step(step);
    return global_step(step);
  }
  /// The statistics as one flat additive array of doubles.
  virtual int64_t statistics_length() const = 0;
  /// The arrays that they consist of, in their order.
  virtual std::vector<Quantity> statistics() const = 0;
  virtual void write_statistics(double* out) const = 0;
  virtual void read_statistics(const double* in) = 0;

  /// What LocalSettings::remember keeps from step to step.
  virtual void save(ContainerWriter&) const {}
  virtual void load(const ContainerReader&) {}
  /// Components that repeat another; nothing where the model does not look for such.
  virtual std::optional<int64_t> duplicate_components() { return std::nullopt; }
  virtual NaturalGradient* natural_gradient() { return nullptr; }
  virtual TableStatistics* table_statistics() { return nullptr; }
};

/// Facet of models that know the normaliser C(T) of the tempered model (learned temperatures).
class TemperedNormalizer {
 public:
  virtual ~TemperedNormalizer() = default;
  /// log C(T) of the tempered model with `rows` rows and `tokens` tokens in all, at s = 1/T; 0 at s = 1 (not
  /// plug_in). Error(UNSUPPORTED) for estimates that have no meaning for the model.
  virtual double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                                double tokens) const = 0;
  /// The same for a grid: out[m] at inverse_temperatures[m]. For estimates that share their draws over the grid.
  virtual void log_normalizers(const Normalizer& normalizer, const std::vector<double>& inverse_temperatures,
                               double rows, double tokens, double* out) const;
  /// True where the estimate is taken under the current posterior of the globals, and so anew as they move.
  virtual bool normalizer_follows_globals(const Normalizer& normalizer) const = 0;
};

/// Facet of models that propose ways out of an optimum (inference/moves.h).
class MoveProposals {
 public:
  virtual ~MoveProposals() = default;
  /// Moves worth a trial from these globals, which full steps at T = 1 have led to; empty: there is none.
  virtual std::vector<Move> propose_moves(uint64_t seed, int64_t round) const = 0;
  /// Changes the globals, within their domain.
  virtual void apply_move(const Move& move) = 0;
  /// All numbers that steps and moves change.
  virtual const Array<double>& globals() const = 0;
  /// Takes over those of a copy of this model.
  virtual void set_globals(const Array<double>& globals) noexcept = 0;
};

class ConjugateModel : public Model {
 public:
  using Model::Model;
  ConjugateModel* conjugate() final { return this; }
  const ConjugateModel* conjugate() const final { return this; }

  /// For batches of up to `rows` rows of `data` (NULL: unknown; it grows as needed).
  virtual std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const = 0;
  /// Likewise.
  virtual std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) = 0;
  /// s' E log p(globals) - E log q(globals), with the power s' of the priors; -KL of the global posterior at s' = 1.
  virtual double global_bound(const PriorPower& prior) const = 0;

  // ---- what a model may leave as it is ----
  virtual MethodDefaults method_defaults() const { return {}; }
  virtual StartTemperatures start_temperatures(double /*rows*/, double /*tokens*/) const { return {}; }
  /// What log_normalizer counts in a row: tokens of a document, symbols of a sequence, 1 for a dense row.
  virtual double row_tokens(const Data& /*data*/, int64_t /*row*/) const { return 1; }
  /// Before the first local step of a fit, and when one goes on from a checkpoint.
  virtual void start_fit(const FitStart& /*start*/) {}
  /// Of the model and one work space for batches of `rows` rows of `data`; `remember` as in LocalSettings. Nothing:
  /// not known.
  virtual std::optional<MemoryNeed> memory(const Data& /*data*/, int64_t /*rows*/, bool /*remember*/) const {
    return std::nullopt;
  }

  // ---- facets ----
  virtual const TemperedNormalizer* tempered_normalizer() const { return nullptr; }
  virtual MoveProposals* move_proposals() { return nullptr; }
  virtual const MoveProposals* move_proposals() const { return nullptr; }

  /// Error(UNSUPPORTED) that names both sides and, where there is one, an alternative, for demands without meaning
  /// for the model. The model is initialised.
  void require(const MethodDemands& demands) const;

 protected:
  /// The same for what a facet does not tell.
  virtual void check_method(const MethodDemands& /*demands*/) const {}
};

/// The same model as what its kind makes of it; NULL for kinds that are fitted by gradients.
inline std::unique_ptr<ConjugateModel> as_conjugate(std::unique_ptr<Model> model) {
  ConjugateModel* const conjugate = model->conjugate();
  if (conjugate != nullptr) static_cast<void>(model.release());
  return std::unique_ptr<ConjugateModel>(conjugate);
}

}  // namespace vtemper
