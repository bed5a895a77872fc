#pragma once
// The interface between conjugate models and the methods that fit them: local step, additive statistics, global step,
// terms of the bound. Neither side depends on the other beyond this file. Temperature enters local_step as a single
// number, or as one number per row, and nowhere else.
//
// A model creates its ConjugateFit, which owns the workspace of a step (models/conjugate_fit.h implements the class).
// Optional features are facets: accessors that return NULL for models without the feature.

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "group/row_exchange.h"
#include "models/model.h"
#include "support/array.h"

namespace vtemper {

/// How log C(T) of the tempered model is estimated.
struct Normalizer {
  std::string estimate = "auto";  ///< auto: the model's own choice, MethodDefaults::temperature_normalizer
  int64_t samples = 100;          ///< number of samples of Monte Carlo estimates
  uint64_t seed = 0;
};

/// Local variational tempering (Mandt 2016, section 2.4): the posterior of a row's temperature,
///   r_m prop. exp{ s_m L - c_m },   s = sum_m r_m s_m   (uniform prior over the grid),
/// with L the row's expected log likelihood and c_m = log C of the row alone at s_m.
struct RowTemperature {
  std::vector<double> inverse;         ///< s_m
  Normalizer normalizer;               ///< the estimate of c_m
  std::vector<double> log_normalizer;  ///< c(s_m), if c_m is proportional to the number of tokens n: c_m = n c(s_m)
  double start = 0.5;                  ///< s in the first round
  double floor = 0;                    ///< lower bound of s (the cool-down)
  int rounds = 3;                      ///< of {local updates at s; update of r}
  double expected_inverse(double expected_log_likelihood, double tokens) const;
  /// log (1/M) sum_m exp{ s_m L - c_m }: replaces s L in the row's bound when the temperature is learned.
  double log_evidence(double expected_log_likelihood, double tokens) const;
  // As above with explicit c_m [M], for models whose rows differ by more than their number of tokens.
  double expected_inverse(double expected_log_likelihood, const double* row_log_normalizer) const;
  double log_evidence(double expected_log_likelihood, const double* row_log_normalizer) const;
};

/// The effect of entropy annealing on the priors (Katahira 2008; Gultekin 2015, section 3.2). It maximises E log p +
/// T H, which is T times the tempered bound of a model with every prior p raised to the power s = 1/T, so updates
/// only need modified priors.
struct PriorPower {
  double inverse = 1;               ///< s; 1: priors unchanged
  bool natural_parameters = false;  ///< natural parameters times s (Gultekin eq. 8: entropies relative to the base
                                    ///< measure) instead of the density's power (differential entropies)

  /// Power of a Dirichlet, Beta or Gamma shape parameter; bit for bit the prior itself at s = 1. (A Gamma's rate and
  /// a Normal's precision are multiplied by `inverse` in either form.)
  double concentration(double prior) const {
    if (inverse == 1) return prior;
    return natural_parameters ? inverse * prior : 1 + inverse * (prior - 1);
  }
};

/// Inverse temperature of a local step: one for all rows or, if per_row is set, one per row.
struct LocalTemperature {
  double inverse = 1;
  PriorPower prior;
  const RowTemperature* per_row = nullptr;
};

/// Stochastic annealing (Gultekin 2015, section 3.3): an update keeps a share 1 - r of its result and takes a share r
/// of a random draw scaled to the size of the data. The combination is convex, so parameters stay in their domain.
struct Perturbation {
  double share = 0;    ///< r in [0, 1]; 0: none
  bool local = false;  ///< perturb the local posteriors of the rows as well as the globals
  bool natural =
      false;  ///< blend natural parameters; otherwise statistics (equivalent if one is affine in the other)
  uint64_t seed = 0;
  uint64_t iteration = 0;
  double rows = 0;    ///< of the whole corpus, by weight
  double tokens = 0;  ///< in the whole corpus, by weight
};

/// Default start temperatures.
struct StartTemperatures {
  double schedule = 4;
  double growing = 0;         ///< for a schedule during which components may be split; 0: as schedule
  double brief_schedule = 0;  ///< for a schedule that ends within brief_passes; 0: as schedule
  double reheat = 0;          ///< for all coolings of a schedule except the first; 0: as schedule
  bool reheats = false;       ///< further coolings improve the fit, including its predictions for new rows
  double entropy_schedule = 4;
  double grid = 4;      ///< largest temperature in the grid of a learned temperature
  double row_grid = 0;  ///< likewise for temperatures per row; 0: as grid
};

/// A model's defaults for options of the method.
struct MethodDefaults {
  const char* method = "annealing";
  bool all_rows = false;         ///< steps use all rows unless batch_size is set
  double passes = 100;           ///< maximum for a run of full steps
  double tolerance = 1e-6;       ///< for convergence of a run of full steps
  double schedule_length = 1;    ///< length of a minibatch run with falling T, relative to the default
  int64_t coolings = 1;          ///< of a minibatch run of usual length whose temperatures are not set by options,
  double rows_to_reheat = 0;     ///< with at least this many rows; otherwise 1
  double few_rows = 0;           ///< with fewer rows, few_rows / rows times as many coolings, but at most 4 times
  bool reheats = false;          ///< a minibatch run limited by time may have further coolings,
  double reheat_length = 1;      ///< each of them this many times as long as the first
  bool moves_of_sample = false;  ///< moves are found by the facet SampledMoves
  const char* temperature_shape = "exponential";
  const char* temperature_estimate = "profiled";  ///< for one learned temperature shared by all rows
  double temperature_steps = 0;                   ///< length of a schedule of full steps; 0: a share of the run
  const char* temperature_entropy = "density";    ///< or natural_parameters
  const char* perturbation_shape = "exponential";
  double perturbation_start = 1;   ///< r in the first step
  double perturbation_steps = 50;  ///< steps until r = 0, in a run of full steps
  bool perturbation_local = false;
  const char* step_size_metric = "fisher";  ///< or identity
  const char* temperature_normalizer = "upper";
};

/// Model features required by the chosen parts of a method, beyond plain steps.
struct RequiredFeatures {
  bool prior_power = false;              ///< entropy annealing: powers of priors,
  bool natural_prior_power = false;      ///< in the form of PriorPower::natural_parameters
  std::optional<Normalizer> normalizer;  ///< the facet TemperedNormalizer, with this estimate,
  bool learned_temperature = true;       ///< to learn temperatures; otherwise to evaluate log C(T) itself
  bool row_temperatures = false;         ///< LocalTemperature::per_row
  bool perturbation = false;             ///< stochastic annealing,
  bool local_perturbation = false;       ///< of the rows' posteriors as well
  bool natural_perturbation = false;     ///< in natural parameters
  bool natural_gradient = false;         ///< the facet NaturalGradient,
  bool fisher = false;                   ///< with products F g
  bool restarts = false;                 ///< several models are fitted side by side; checkpoints hold them in memory
};

/// Sums over the rows of a step, in fixed order; additive over machines.
struct LocalSums {
  double count = 0;                    ///< number of rows
  double rows = 0;                     ///< sum of row weights
  double empty_rows = 0;               ///< number of rows without entries
  double tokens = 0;                   ///< weighted
  double expected_log_likelihood = 0;  ///< sum_d L_d = E_q log p(x_d, z_d | globals), without the prior of theta_d
                                       ///< (like `bound`, only if LocalSettings::bound is set)
  double bound = 0;                ///< sum_d F_d(s_d) = s_d L_d + entropy of q(z_d) - KL(q(theta_d) || p(theta_d))
  double inverse_temperature = 0;  ///< sum_d s_d, weighted
  static constexpr int64_t length = 7;
  void write(double* out) const;
  static LocalSums read(const double* in);
};

struct LocalSettings {
  int threads = 1;
  bool statistics = true;  ///< collect sufficient statistics for a global step
  bool bound = false;      ///< compute expected_log_likelihood and bound
  bool likelihood = true;  ///< false: only the bound is needed, expected_log_likelihood may stay 0
  /// All batches hold the same rows, and a row keeps its previous optimum if the new one is worse, so the bound never
  /// decreases. Requires `bound`. A perturbed step only allocates the memory: its random starts are meant to leave
  /// such optima.
  bool remember = false;
  Perturbation perturbation;
  std::optional<int64_t> iterations;  ///< maximum number of updates per row; default: the model's setting
  std::optional<double> tolerance;    ///< of these updates; default likewise
  double* row_bounds = nullptr;       ///< with `bound`: [rows of the batch] receives F_d, independent of other rows
  double* row_inverse_temperatures = nullptr;  ///< [rows of the batch] receives s_d
};

/// A global step: lambda <- (1 - rho) lambda + rho lambdahat, with lambdahat = (1 - r) (prior + scale * statistics) +
/// r * draw.
struct GlobalStep {
  double scale = 1;
  double rho = 1;
  PriorPower prior;
  Perturbation perturbation;
  int64_t iteration = 0;           ///< number of previous steps
  double inverse_temperature = 1;  ///< mean over the step's rows
};

/// Passed to a model before the first step of a fit.
struct FitStart {
  double temperature = 1;       ///< in the first step
  bool may_grow = false;        ///< T follows a falling schedule, so components may be split on the way
  bool resumed = false;         ///< resumed from a checkpoint: do not change the model
  bool may_be_undone = false;   ///< undo_start or keep_start follows
  double rows = 0, tokens = 0;  ///< totals; tokens is 0 if not needed
  uint64_t seed = 0;
};

/// Estimated memory in bytes.
struct MemoryNeed {
  double parameters = 0;  ///< of the model
  double work = 0;        ///< workspace of one fit or RowSolver
};

/// Receives the natural gradient g and F g of `count` global parameters, starting at parameter `first`, in a fixed
/// order.
using GradientVisitor =
    std::function<void(int64_t first, int64_t count, const double* gradient, const double* product)>;

/// Throws for a step that would take parameters of `what` out of their domain.
[[noreturn]] void refuse_step(int64_t iteration, const char* what);

/// Throws if option exchange asks for a divided table, but the model has none.
[[noreturn]] void refuse_to_divide(const Model& model, const Group& group);

/// Result of a global step.
struct GlobalChange {
  double relative = 0;  ///< relative change of the global parameters
  int64_t unused_components = 0;
};

/// A jump of the globals that coordinate ascent cannot make: component `slot` is merged into `into`, or given up, and
/// takes half of the rows of `from`, or becomes a part of it. The model interprets `variant`; random choices depend
/// on (seed, round, number) only.
struct Move {
  int64_t slot = 0, into = 0, from = 0, variant = 0;
  uint64_t seed = 0;
  int64_t round = 0, number = 0;
};

/// Solves rows under a fixed model, which must outlive it. Buffers grow and never shrink, so a step allocates nothing
/// after the largest batch was seen.
class RowSolver {
 public:
  virtual ~RowSolver() = default;
  /// Computes the optimal local posteriors of the batch at the temperature; overwrites the statistics.
  virtual LocalSums local_step(const Batch& batch, const LocalTemperature& temperature,
                               const LocalSettings& settings) = 0;
};

/// Facet of fits that provide the natural gradient of the globals (step_size adaptive).
class NaturalGradient {
 public:
  virtual ~NaturalGradient() = default;
  /// Number of global parameters in the gradient.
  virtual int64_t gradient_length() const = 0;
  /// g = prior + scale * statistics - lambda, without the step's perturbation; and F g, the gradient of the bound in
  /// lambda, where F is the Fisher information of the posterior of the globals (NULL unless `fisher`). Cannot fail.
  virtual void natural_gradient(const GlobalStep& step, bool fisher, const GradientVisitor& visit) = 0;
};

/// Facet of fits whose statistics are mostly a table of which a step touches few rows, such as the words of a batch:
/// sums over machines need not include the other rows.
class TableStatistics {
 public:
  virtual ~TableStatistics() = default;
  struct Shape {
    int64_t rows, columns;
    bool single;  ///< elements are floats
  };
  virtual Shape table() const = 0;
  /// Number of leading columns that can be non-zero in this step; the same on all machines.
  virtual int64_t columns_in_use() const = 0;
  /// Sets bit r % 8 of byte r / 8 for each row r that the last local step has touched; clears no bits.
  virtual void mark_rows(unsigned char* bits) const = 0;
  /// Writes the given rows, which are ascending, to `out` [count x columns_in_use], float or double; 0 for rows that
  /// the step does not have. Cannot fail.
  virtual void write_rows(const int32_t* rows, int64_t count, void* out) const = 0;
  /// Replaces all rows of the step by the given ones.
  virtual void read_rows(const int32_t* rows, int64_t count, const void* in) = 0;
  /// Consecutive rows of float or double, `stride` numbers apart; the first columns_in_use() numbers of each are
  /// valid.
  struct Rows {
    const int32_t* rows;  ///< [count] distinct
    int64_t count;
    const void* numbers;
    int64_t stride;
  };
  /// The rows that the last local step has touched, in the order in which they first occurred; the stride follows
  /// from columns_in_use(). They remain in place until add_touched or the next local step.
  virtual Rows touched() = 0;
  /// Adds the rows of the other of two ranks. On both ranks the step then has the same rows in the same order: first
  /// those of the first rank, in its order, then those that only the second rank has. The numbers must remain in
  /// place until the global step or the next local step.
  virtual void add_touched(const Rows& others, bool others_come_first) = 0;
  /// Reserves memory for `count` rows that the step has not touched and add_rows will add.
  virtual void make_room(int64_t count) = 0;
  /// Adds rows in the layout of write_rows. Cannot fail if memory was reserved.
  virtual void add_rows(const int32_t* rows, int64_t count, const void* in) = 0;
  /// Reduces the step to these rows, in this order; it has touched all of them.
  virtual void keep_rows(const int32_t* rows, int64_t count) = 0;
  /// The statistics that are not part of the table.
  virtual int64_t rest_length() const = 0;
  virtual void write_rest(double* out) const = 0;
  virtual void read_rest(const double* in) = 0;
};

/// One fit of a model, which it changes and which must outlive it: workspace and sufficient statistics.
class ConjugateFit : public RowSolver {
 public:
  /// Does everything in a global step that can fail, and leaves the globals unchanged. Error(NUMERIC) if a parameter
  /// would leave its domain; for step_size adaptive, which chooses rho afterwards, for any rho in [0, 1].
  virtual void prepare_step(const GlobalStep& step) = 0;
  /// Follows prepare_step with the same step, except that rho may have changed. Cannot fail, unless the globals are
  /// in a file: see ConjugateModel::require_kept.
  virtual GlobalChange global_step(const GlobalStep& step) noexcept = 0;
  /// Both in succession, for callers that have nothing else to prepare.
  GlobalChange whole_step(const GlobalStep& step) {
    prepare_step(step);
    return global_step(step);
  }
  /// The statistics as one flat array of doubles, additive over rows.
  virtual int64_t statistics_length() const = 0;
  /// The arrays that the flat array consists of, in order.
  virtual std::vector<Quantity> statistics() const = 0;
  virtual void write_statistics(double* out) const = 0;
  /// Reads a sum of such arrays. Error(DATA) if the model can detect that no rows produce it.
  virtual void read_statistics(const double* in) = 0;

  /// The state that LocalSettings::remember keeps between steps.
  virtual void save(ContainerWriter&) const {}
  virtual void load(const ContainerReader&) {}
  virtual void forget_rows() noexcept {}
  /// Exchanges it with that of another fit of the same kind to the same data.
  virtual void swap_rows(ConjugateFit& /*other*/) noexcept {}
  /// Number of duplicate components; nullopt if the model does not detect them.
  virtual std::optional<int64_t> duplicate_components() { return std::nullopt; }
  virtual NaturalGradient* natural_gradient() { return nullptr; }
  virtual TableStatistics* table_statistics() { return nullptr; }
};

/// Facet of models that provide the normaliser C(T) of the tempered model (learned temperatures).
class TemperedNormalizer {
 public:
  virtual ~TemperedNormalizer() = default;
  /// log C(T) of the tempered model with `rows` rows and `tokens` tokens in total, at s = 1/T; 0 at s = 1 (not
  /// plug_in). Error(UNSUPPORTED) for estimates that the model does not define.
  virtual double log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                                double tokens) const = 0;
  /// As above for a grid: out[m] at inverse_temperatures[m]. For estimates that share random draws over the grid.
  virtual void log_normalizers(const Normalizer& normalizer, const std::vector<double>& inverse_temperatures,
                               double rows, double tokens, double* out) const;
  /// True if the estimate depends on the current posterior of the globals and must be updated with it.
  virtual bool normalizer_follows_globals(const Normalizer& normalizer) const = 0;
};

/// Facet of models that propose moves out of a local optimum (inference/moves.h).
class MoveProposals {
 public:
  virtual ~MoveProposals() = default;
  /// Moves worth trying from the current globals, which full steps at T = 1 have converged to; possibly empty. Polls
  /// require_not_interrupted.
  virtual std::vector<Move> propose_moves(uint64_t seed, int64_t round) const = 0;
  /// Changes the globals within their domain.
  virtual void apply_move(const Move& move) = 0;
  // The globals, all numbers that are changed by steps and moves, of a copy of this model.
  virtual void copy_globals(const Model& copy) = 0;
  virtual void swap_globals(Model& copy) noexcept = 0;
};

/// Facet of models that find such moves in a sample of the rows, without trial steps: for runs of minibatches, whose
/// steps have no bound by which to judge a trial.
class SampledMoves {
 public:
  virtual ~SampledMoves() = default;
  /// Number of rows of the data that are a sufficient sample; 0: no moves are to be found.
  virtual int64_t sample_rows(const Data& data) const = 0;
  /// Finds moves that raise the bound of the sample at T = 1, and returns their number. Changes nothing else. Polls
  /// require_not_interrupted; random choices depend on (seed, round).
  virtual int64_t find_moves(const Data& sample, int threads, uint64_t seed, int64_t round) = 0;
  /// Makes the moves that were found last.
  virtual void make_moves() noexcept = 0;
};

/// Facet of models whose globals are a table that is divided over the ranks of a group (option exchange sharded): row
/// r is stored and moved by rank r mod ranks alone, and a rank borrows the rows that its batch needs. Quantities that
/// depend on all rows are sums over the ranks. No call changes the parameters.
class DividedTable {
 public:
  virtual ~DividedTable() = default;
  virtual const std::shared_ptr<Group>& group() const = 0;
  /// Finds the rows of the table that are needed by the batch, and by all rows of `also` unless it is NULL, and
  /// reserves memory for them. Rows borrowed before are dropped.
  virtual void find_rows(const Batch& batch, const Data* also) const = 0;
  /// Borrows these rows. Collective; can fail only if a rank is lost.
  virtual void borrow_rows() const = 0;
  /// The exchange that sends the statistics of the rows borrowed last back to their owners.
  virtual RowExchange& exchange() const = 0;
  /// Completes sums over all rows that are pending since the last change of the table, if any. Collective; can fail
  /// only if a rank is lost.
  virtual void settle() const = 0;
  /// Relative change of the globals in the last global step. Collective; can fail only if a rank is lost.
  virtual double relative_change() const = 0;
  /// As ConjugateFit::duplicate_components. Collective.
  virtual int64_t duplicate_components() const = 0;
};

class ConjugateModel : public Model {
 public:
  using Model::Model;
  ConjugateModel* conjugate() final { return this; }
  const ConjugateModel* conjugate() const final { return this; }

  /// For batches of up to `rows` rows of `data` (NULL: unknown; buffers grow as needed).
  virtual std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const = 0;
  /// Likewise.
  virtual std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) = 0;
  /// s' E log p(globals) - E log q(globals), with the priors to the power s'; -KL of the global posterior at s' = 1.
  /// If the table of globals is divided, this rank's part of that sum.
  virtual double global_bound(const PriorPower& prior) const = 0;

  // ---- optional overrides ----
  /// `row_length`: mean number of stored entries of a row of the corpus; 0: unknown.
  virtual MethodDefaults method_defaults(double /*row_length*/) const { return {}; }
  virtual StartTemperatures start_temperatures(double /* number of rows */, double /*tokens*/) const { return {}; }
  /// Tokens of a row for log_normalizer: tokens of a document, symbols of a sequence, 1 for a dense row.
  virtual double row_tokens(const Data& /*data*/, int64_t /*row*/) const { return 1; }
  /// Called before the first local step of a fit, and when a fit resumes from a checkpoint.
  virtual void start_fit(const FitStart& /*start*/) {}
  /// Error(IO) if the globals are in a file that could not be read or written while they were changed, so that they
  /// are lost.
  virtual void require_kept() const {}
  /// Undoes the last start_fit, complete or not, with FitStart::may_be_undone; does nothing without one. Cannot fail.
  virtual void undo_start() {}
  /// Forgets what undo_start would need.
  virtual void keep_start() {}
  /// Memory of the model and one workspace for batches of `rows` rows of `data`, of the model's form; `remember` as
  /// in LocalSettings. The model need not be initialised. Zeros: unknown.
  virtual MemoryNeed memory(const Data& /*data*/, int64_t /*rows*/, bool /*remember*/) const { return {}; }
  /// Bytes needed to find moves in a sample of the data (SampledMoves).
  virtual double memory_of_moves(const Data& /*data*/) const { return 0; }

  // ---- facets ----
  virtual const TemperedNormalizer* tempered_normalizer() const { return nullptr; }
  virtual MoveProposals* move_proposals() { return nullptr; }
  virtual const MoveProposals* move_proposals() const { return nullptr; }
  virtual SampledMoves* sampled_moves() { return nullptr; }
  /// NULL if there is none, or if every rank has all of it.
  virtual const DividedTable* divided_table() const { return nullptr; }

  /// For a model that is not initialised: its table will be divided when it is drawn or read. Error(UNSUPPORTED).
  virtual void divide(const std::shared_ptr<Group>& group);
  /// This rank's share of a model that all ranks have as a whole. Error(UNSUPPORTED).
  virtual std::unique_ptr<Model> share_of(const std::shared_ptr<Group>& group) const;
  /// Whether divide and share_of are supported.
  virtual bool may_divide() const { return false; }
  /// For a divided model: the whole model on rank 0, with its table in a file in the folder ("": in memory), and NULL
  /// on the other ranks. Collective; an error on one rank is an error on all.
  virtual std::unique_ptr<Model> gathered(const std::string& folder) const;

  /// Error(UNSUPPORTED) if the model lacks a required feature; the message names both sides and, if possible, an
  /// alternative. The model is initialised.
  void require(const RequiredFeatures& required) const;

 protected:
  /// Further checks of requirements that the facets do not express.
  virtual void check_method(const RequiredFeatures& /*required*/) const {}
};

/// The part of a model that is divided over the ranks of a group; NULL if there is none.
inline const DividedTable* divided_table_of(const Model& model) {
  const ConjugateModel* const conjugate = model.conjugate();
  return conjugate != nullptr ? conjugate->divided_table() : nullptr;
}

/// Downcasts a model; NULL for gradient models.
inline std::unique_ptr<ConjugateModel> as_conjugate(std::unique_ptr<Model> model) {
  ConjugateModel* const conjugate = model->conjugate();
  if (conjugate != nullptr) static_cast<void>(model.release());
  return std::unique_ptr<ConjugateModel>(conjugate);
}

}  // namespace vtemper
