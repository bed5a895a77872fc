#pragma once
// The seam between models that follow gradients and the methods that drive them: all parameters in one flat array,
// the gradient of a minibatch's objective, and the statistic of the variational posterior that a proximity constraint
// holds on to (Altosaar 2018). A model knows nothing of the method; a method nothing of the model beyond this file.
//
// A step is two calls of the model's GradientFit: forward() computes objective and statistics of a batch, backward()
// its gradient, with the forces that a constraint made of these statistics. What only some models have is a facet: a
// pointer that is NULL for the others.
//
// Objectives are sums over rows, by weight, of means over samples; a method divides by the weight. Updates ascend.

#include <initializer_list>
#include <optional>

#include "models/model.h"

namespace vtemper {

/// A borrowed array of float or double, whichever the model computes in.
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

/// A matrix of parameters, row by row from element `first` of the flat array on.
struct ParameterMatrix {
  int64_t first, rows, columns;
};

/// What a proximity constraint looks at: f of a variational posterior.
enum class Statistic { none, entropy, kl, mean_variance, orthogonal };
const char* statistic_name(Statistic statistic);

/// What the chosen parts of a method ask of a model.
struct GradientDemands {
  bool temperature = false;  ///< T > 1 on log q
  Statistic statistic = Statistic::none;
};

/// What a kind of model chooses for a method where the user leaves it open.
struct GradientDefaults {
  int64_t batch_size = 100;
  double passes = 100;
  const char* step_size = "adam";
  double learning_rate = 0;  ///< 0: that of the step size
  Statistic statistic = Statistic::entropy;
};

struct GradientSettings {
  int threads = 1;
  double temperature = 1;  ///< T, which multiplies log q in the objective (Katahira 2008)
  uint64_t seed = 0;       ///< of the samples,
  uint64_t iteration = 0;  ///< which depend on both and on the place in the batch
  /// Of models with SharedPosterior: what forward() measures.
  Statistic statistic = Statistic::none;
  /// backward() will be given forces, so what they change has to wait for it.
  bool constrained = false;
  /// Other parameters of the posterior [values().length - posterior_begin()], under which forward() measures the
  /// statistics of the same rows and samples as well; NULL: it does not.
  const RealArray* reference = nullptr;
  bool report = false;  ///< fill what GradientSums marks as of reports
  /// The rows are not those whose parameters RowFit keeps: their posteriors are found anew.
  bool fed = false;
};

/// Sums over the rows of a step, in fixed order; additive over machines.
struct GradientSums {
  double count = 0;                    ///< rows
  double rows = 0;                     ///< by weight
  double elbo = 0;                     ///< at T = 1
  double objective = 0;                ///< what the gradient ascends, without the constraint
  double expected_log_likelihood = 0;  ///< E_q log p(x | z)
  double pull = 0;          ///< of reports: sum of |d objective / d f'| over what the posterior's layers give
  double force = 0;         ///< of reports: the same of the constraint
  double active_units = 0;  ///< of reports: latent units whose posterior mean varies over the rows, times
                            ///< the weight of the rows
  static constexpr int64_t length = 8;
  /// A row of that weight.
  void add_row(double weight, double row_elbo, double row_objective, double row_log_likelihood);
  void write(double* out) const;
  static GradientSums read(const double* in);
};

/// Samples of each row that scores take, unless option samples of `evaluate` says otherwise. Few, as held-out rows
/// are scored along a fit and after it by the same number; papers take 5,000, which costs 50 times as much.
constexpr int64_t likelihood_samples = 100;
constexpr int64_t bound_samples = 10;
int64_t samples_of(const OptionValues& evaluate, int64_t usual);
/// Error(OPTION) where the user set one of the options, which have no effect on `what`.
void refuse_options(const OptionValues& evaluate, std::initializer_list<const char*> names, const char* what);

/// Facet of fits whose rows have variational parameters of their own, kept from step to step.
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

/// One fit of a model, which it must not outlive: work space, samples and gradient. Buffers grow and never shrink, so
/// a step allocates nothing once it has met its largest batch.
class GradientFit {
 public:
  virtual ~GradientFit() = default;
  /// Objective of the batch and the statistics that the settings ask for.
  virtual GradientSums forward(const Batch& batch, const GradientSettings& settings) = 0;
  /// The gradient of the last batch's objective, less sum_i forces_i grad statistic_i in the posterior's parameters;
  /// `forces` [statistics] where the settings said constrained, else NULL. Completes what reports tell of `sums`.
  virtual void backward(const double* forces, GradientSums& sums) = 0;
  /// [GradientModel::values().length] of the last batch.
  virtual RealArray gradient() = 0;
  virtual RowFit* rows() { return nullptr; }

  /// Means over the rows of the last batch, by weight [statistic_length].
  const std::vector<double>& statistics() const { return statistics_; }
  /// The same under the reference's parameters.
  const std::vector<double>& reference_statistics() const { return reference_; }

 protected:
  std::vector<double> statistics_, reference_;
};

/// Facet of models whose posterior is a function of global parameters: the last of values(), from posterior_begin on.
class SharedPosterior {
 public:
  virtual ~SharedPosterior() = default;
  virtual int64_t posterior_begin() const = 0;
  virtual int64_t statistic_length(Statistic statistic) const = 0;
};

/// Facet of models whose rows have variational parameters of their own.
class RowPosteriors {
 public:
  virtual ~RowPosteriors() = default;
  virtual int64_t row_length() const = 0;
  virtual int64_t row_statistic_length(Statistic statistic) const = 0;
  /// Statistics of the posterior of a row with the `parameters` [row_length], and their derivatives: statistic i is a
  /// function of parameter i modulo row_length alone. Both [row_statistic_length].
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
  /// Matrices of weights among the values, in order, the gradient of whose rows threads divide evenly: what moves
  /// them does the same, so that they stay near the same processors.
  virtual std::vector<ParameterMatrix> matrices() const { return {}; }
  virtual const SharedPosterior* shared_posterior() const { return nullptr; }
  virtual const RowPosteriors* row_posteriors() const { return nullptr; }

  // ---- inference ----
  /// A fit by batches of up to `rows` rows of `data` (NULL: rows are fed).
  virtual std::unique_ptr<GradientFit> begin_fit(const Data* data, int64_t rows) const = 0;
  virtual int64_t latent_units() const = 0;
  virtual GradientDefaults gradient_defaults() const { return {}; }
  /// Error(UNSUPPORTED) that names both sides for demands without meaning for the model.
  virtual void check_method(const GradientDemands& /*demands*/) const {}
  /// Bytes of parameters and of one fit, about; nothing: not known.
  virtual std::optional<double> memory(const Data& /*data*/, int64_t /*rows*/) const { return std::nullopt; }

  // ---- scores ----
  /// Measures of `evaluate` beside predictive and elbo, such as log_marginal.
  virtual std::vector<std::string> measures() const { return {}; }
  /// One of them, or elbo: a sum over the rows, by weight, where it is a bound or a likelihood.
  virtual double measure(std::string_view name, const Data& data, const OptionValues& evaluate) const = 0;
};

}  // namespace vtemper
