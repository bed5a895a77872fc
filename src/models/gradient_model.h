#pragma once
// The interface between gradient models and the methods that fit them: all parameters in one flat array, the gradient
// of a minibatch's objective, and the statistic of the variational posterior that a proximity constraint acts on
// (Altosaar 2018). Neither side depends on the other beyond this file.
//
// A step is two calls of the model's GradientFit: forward() computes objective and statistics of a batch, backward()
// its gradient, including the forces that a constraint derives from these statistics. Optional features are facets:
// accessors that return NULL for models without the feature.
//
// Objectives are weighted sums over rows of means over samples; methods divide by the total weight. Updates ascend.

#include <limits>
#include <optional>

#include "models/model.h"

namespace vtemper {

/// A borrowed array of float or double, in the precision of the model.
struct RealArray {
  bool single = false;  ///< float
  void* data = nullptr;
  int64_t length = 0;

  float* floats() const { return static_cast<float*>(data); }
  double* doubles() const { return static_cast<double*>(data); }
  double at(int64_t i) const { return single ? static_cast<double>(floats()[i]) : doubles()[i]; }
  void set(int64_t i, double value) const {
    if (single) {
      floats()[i] = static_cast<float>(value);
    } else {
      doubles()[i] = value;
    }
  }
  void subtract(int64_t i, double value) const {
    if (single) {
      floats()[i] -= static_cast<float>(value);
    } else {
      doubles()[i] -= value;
    }
  }
  /// Elements first .. first + count.
  RealArray part(int64_t first, int64_t count) const {
    return {single, single ? static_cast<void*>(floats() + first) : static_cast<void*>(doubles() + first), count};
  }
};

/// A matrix of parameters, row-major from element `first` of the flat array.
struct ParameterMatrix {
  int64_t first, rows, columns;
};

/// The statistic f of the variational posterior that a proximity constraint acts on.
enum class Statistic { none, entropy, kl, mean_variance, orthogonal };
const char* statistic_name(Statistic statistic);

/// Model features required by the chosen parts of a method.
struct RequiredGradientFeatures {
  bool temperature = false;  ///< T > 1 on log q
  Statistic statistic = Statistic::none;
};

/// A model's defaults for options of the method.
struct GradientDefaults {
  int64_t batch_size = 100;
  double passes = 100;
  /// From so many rows on runs have twice as many passes, in proportion down to half as many rows; 0: never.
  double rows_of_twice = 0;
  double min_steps = 0;  ///< with few rows, passes are added until the run has this many steps or would overfit
  double max_passes = std::numeric_limits<double>::infinity();  ///< limit, beyond which few rows always overfit
  bool overfits = false;       ///< few rows are overfitted by more passes, so a run by time ends before
  bool stops_early = false;    ///< rows that are set aside choose the length of a run over few rows
  double unlimited_steps = 0;  ///< runs of fewer steps are not limited by max_passes, because they are not yet fitted
  const char* step_size = "adam";
  double learning_rate = 0;  ///< 0: the default of the step size
  Statistic statistic = Statistic::entropy;
};

/// Estimated memory of a fit, but for the moments that an optimiser keeps of every parameter.
struct GradientMemory {
  double parameters = 0;    ///< number of global parameters
  double element_size = 0;  ///< bytes of a number: of float or double
  double elements = 0;      ///< numbers in the model, the parameters of its rows and the workspace of one fit
};

struct GradientSettings {
  int threads = 1;
  double temperature = 1;  ///< T, the factor of log q in the objective (Katahira 2008)
  uint64_t seed = 0;       ///< of the samples;
  uint64_t iteration = 0;  ///< they depend on both and on the row's place in the batch
  /// For models with SharedPosterior: the statistic measured by forward().
  Statistic statistic = Statistic::none;
  /// backward() will receive forces, so forward() must defer what depends on them.
  bool constrained = false;
  /// Alternative parameters of the posterior [values().length - posterior_begin()] under which forward() also
  /// measures the statistics of the same rows and samples; NULL: none.
  const RealArray* reference = nullptr;
  bool report = false;  ///< compute the fields of GradientSums marked "report"
  /// The rows are not those whose parameters RowFit stores, so their posteriors are solved for.
  bool fed = false;
};

/// Sums over the rows of a step, in fixed order; additive over machines.
struct GradientSums {
  double count = 0;                    ///< number of rows
  double rows = 0;                     ///< sum of row weights
  double elbo = 0;                     ///< at T = 1
  double objective = 0;                ///< the objective ascended, without the constraint
  double expected_log_likelihood = 0;  ///< E_q log p(x | z)
  double pull = 0;          ///< report: sum of |d objective / d f'| over the outputs of the posterior's layers
  double force = 0;         ///< report: likewise for the constraint
  double active_units = 0;  ///< report: number of latent units whose posterior mean varies over the rows, times the
                            ///< total weight
  static constexpr int64_t length = 8;
  /// Adds a row of the given weight.
  void add_row(double weight, double row_elbo, double row_objective, double row_log_likelihood);
  void write(double* out) const;
  static GradientSums read(const double* in);
};

/// Default number of samples per row for scores; option samples of `evaluate` overrides it. Small, because held-out
/// rows are scored with the same number during and after a fit; papers use 5,000, at 50 times the cost.
constexpr int64_t likelihood_samples = 100;
constexpr int64_t bound_samples = 10;
int64_t samples_of(const OptionValues& evaluate, int64_t usual);

/// Options of `evaluate` that a result depends on because it is estimated by draws.
struct DrawOptions {
  bool seed = false, samples = false;
};

/// Facet of fits with variational parameters per row, kept between steps.
class RowFit {
 public:
  virtual ~RowFit() = default;
  /// [rows of the data x row_length].
  virtual RealArray row_values() = 0;
  /// [rows of the last batch x row_length].
  virtual RealArray row_gradient() = 0;
  virtual void save(ContainerWriter& writer) const = 0;
  virtual void load(const ContainerReader& reader) = 0;
};

/// One fit of a model, which must outlive it: workspace, samples and gradient. Buffers grow and never shrink, so a
/// step allocates nothing after the largest batch was seen.
class GradientFit {
 public:
  virtual ~GradientFit() = default;
  /// Objective of the batch, and the statistics that the settings request.
  virtual GradientSums forward(const Batch& batch, const GradientSettings& settings) = 0;
  /// The gradient of the last batch's objective, minus sum_i forces_i grad statistic_i in the posterior's parameters;
  /// `forces` [statistics] if the settings said constrained, otherwise NULL. Completes the report fields of `sums`.
  virtual void backward(const double* forces, GradientSums& sums) = 0;
  /// [GradientModel::values().length] of the last batch.
  virtual RealArray gradient() = 0;
  /// The sum of its squares, from models that read it while it is in cache; NaN: not known.
  double gradient_squares() const { return gradient_squares_; }
  virtual RowFit* rows() { return nullptr; }

  /// Weighted means over the rows of the last batch [statistic_length].
  const std::vector<double>& statistics() const { return statistics_; }
  /// As above, under the reference's parameters.
  const std::vector<double>& reference_statistics() const { return reference_; }

 protected:
  std::vector<double> statistics_, reference_;
  double gradient_squares_ = std::numeric_limits<double>::quiet_NaN();
};

/// Facet of models whose posterior is a function of global parameters: the last of values(), from posterior_begin on.
class SharedPosterior {
 public:
  virtual ~SharedPosterior() = default;
  virtual int64_t posterior_begin() const = 0;
  virtual int64_t statistic_length(Statistic statistic) const = 0;
};

/// Facet of models with variational parameters per row.
class RowPosteriors {
 public:
  virtual ~RowPosteriors() = default;
  virtual int64_t row_length() const = 0;
  virtual int64_t row_statistic_length(Statistic statistic) const = 0;
  /// Statistics of the posterior of a row with `parameters` [row_length], and their derivatives: statistic i depends
  /// only on parameter i modulo row_length. Both [row_statistic_length].
  virtual void row_statistics(Statistic statistic, const RealArray& parameters, double* statistics,
                              double* slopes) const = 0;
};

class GradientModel : public Model {
 public:
  using Model::Model;
  GradientModel* by_gradient() final { return this; }
  const GradientModel* by_gradient() const final { return this; }

  // ---- parameters ----
  /// All global parameters in one array.
  virtual RealArray values() = 0;
  /// Weight matrices among the values, in order, whose rows threads divide evenly for the gradient; optimisers divide
  /// them the same way, so that they stay in the same caches.
  virtual std::vector<ParameterMatrix> matrices() const { return {}; }
  virtual const SharedPosterior* shared_posterior() const { return nullptr; }
  virtual const RowPosteriors* row_posteriors() const { return nullptr; }

  // ---- inference ----
  /// A fit on batches of up to `rows` rows of `data` (NULL: the caller feeds rows).
  virtual std::unique_ptr<GradientFit> begin_fit(const Data* data, int64_t rows) const = 0;
  virtual int64_t latent_units() const = 0;
  virtual GradientDefaults gradient_defaults() const { return {}; }
  /// Error(UNSUPPORTED) if the model lacks a required feature; the message names both sides.
  virtual void check_method(const RequiredGradientFeatures& /*required*/) const {}
  /// Of a fit of `data`, of the model's form, on batches of up to `rows` rows. The model need not be initialised.
  /// Zeros: unknown.
  virtual GradientMemory memory(const Data& /*data*/, int64_t /*rows*/) const { return {}; }

  // ---- scores ----
  /// For a measure or an inferred quantity.
  virtual DrawOptions draw_options(std::string_view /*name*/) const { return {}; }
  /// Measures of `evaluate` besides predictive and elbo, such as log_marginal.
  virtual std::vector<std::string> measures() const { return {}; }
  /// elbo or log_marginal of each row, which depends on that row alone: out [rows], without the weights.
  virtual void measure_rows(std::string_view name, const Data& data, const OptionValues& evaluate,
                            double* out) const = 0;
  /// One of the other measures, which are not sums over rows.
  virtual double measure(std::string_view /*name*/, const Data& /*data*/, const OptionValues& /*evaluate*/) const {
    return 0;
  }
};

}  // namespace vtemper
