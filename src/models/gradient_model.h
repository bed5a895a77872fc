#pragma once
// The seam between models that follow gradients and the methods that drive them: all parameters in one flat array,
// the gradient of a minibatch's objective, and the statistic of the variational posterior that a proximity constraint
// holds on to (Altosaar 2018). A model knows nothing of the method; a method nothing of the model beyond this file.
//
// Objectives are sums over rows, by weight, of means over samples; a method divides by the weight. Updates ascend.

#include <initializer_list>

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

/// What the constraint makes of the statistics of a batch: force_i = k d'(reference_i, statistic_i), by which the
/// model moves against the gradients of the statistics:
///   gradient <- gradient - sum_i force_i grad statistic_i   (variational parameters only)
class ProximityForce {
 public:
  virtual ~ProximityForce() = default;
  /// Numbers first .. first + count of the statistics. `reference`: under GradientSettings::reference; NULL without.
  /// Different ranges may be asked for at the same time.
  virtual void force(int64_t first, int64_t count, const double* statistic, const double* reference,
                     double* out) const = 0;
};

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
  // Of kinds whose posterior is a function of the globals; rows with parameters of their own are held by the method.
  Statistic statistic = Statistic::none;
  const ProximityForce* force = nullptr;  ///< NULL: statistics are measured only
  /// Other parameters of the posterior [values().length - posterior_begin()], under which the statistics of the same
  /// rows and samples are the reference of the force; NULL: the force has a reference of its own.
  const RealArray* reference = nullptr;
  bool report = false;  ///< fill what GradientSums marks as of reports
  /// Rows with parameters of their own are not those of row_values(): the model finds their posteriors anew.
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

/// Samples of each row that scores take, unless option samples of `evaluate` says otherwise.
constexpr int64_t likelihood_samples = 5000;
constexpr int64_t bound_samples = 10;
int64_t samples_of(const OptionValues& evaluate, int64_t usual);
/// Error(OPTION) where the user set one of the options, which have no effect on `what`.
void refuse_options(const OptionValues& evaluate, std::initializer_list<const char*> names, const char* what);

/// Work space, gradient and samples of one caller. Buffers grow and never shrink, so a step allocates nothing once it
/// has met its largest batch.
class GradientWork {
 public:
  virtual ~GradientWork() = default;
  /// [GradientModel::values().length] of the last batch.
  virtual RealArray gradient() = 0;
  /// Means over the rows of the last batch, by weight [statistic_length].
  virtual const std::vector<double>& statistics() const { return no_statistics; }

  // Kinds with row_length() > 0: variational parameters of each row of the data, kept from step to step.
  /// [rows of the data x row_length].
  virtual RealArray row_values() { return {}; }
  /// [rows of the last batch x row_length].
  virtual RealArray row_gradient() { return {}; }
  virtual void save(ContainerWriter&) const {}
  virtual void load(const ContainerReader&) {}

 private:
  std::vector<double> no_statistics;
};

class GradientModel : public Model {
 public:
  // ---- parameters ----
  /// All global parameters in one array: first those of the model, from posterior_begin on those of the variational
  /// posterior.
  virtual RealArray values() = 0;
  virtual int64_t posterior_begin() const = 0;
  /// Matrices of weights among the values, in order, the gradient of whose rows threads divide evenly: what moves
  /// them does the same, so that they stay near the same processors.
  virtual std::vector<ParameterMatrix> matrices() const { return {}; }
  /// Variational parameters that each row has for itself; 0 where the posterior is a function of the globals.
  virtual int64_t row_length() const { return 0; }

  // ---- inference ----
  /// Work space for batches of up to `rows` rows of `data` (NULL: rows are fed).
  virtual std::unique_ptr<GradientWork> gradient_work(const Data* data, int64_t rows) const = 0;
  /// The gradient of the batch's objective, less the force's share; replaces what `work` holds.
  virtual GradientSums gradient(const Batch& batch, const GradientSettings& settings, GradientWork& work) const = 0;
  virtual int64_t latent_units() const = 0;
  virtual int64_t statistic_length(Statistic statistic) const = 0;
  virtual int64_t row_statistic_length(Statistic) const { return 0; }
  /// Statistics of the posterior of a row with the `parameters` [row_length], and their derivatives: statistic i is a
  /// function of parameter i modulo row_length alone. Both [row_statistic_length].
  virtual void row_statistics(Statistic, const RealArray& /*parameters*/, double* /*statistics*/,
                              double* /*slopes*/) const {}
  virtual GradientDefaults gradient_defaults() const = 0;
  /// Error(UNSUPPORTED) that names both sides for demands without meaning for the model.
  virtual void check_method(const GradientDemands& demands) const = 0;
  /// Bytes of parameters and of one work space, about; 0: not known.
  virtual double memory(const Data& /*data*/, int64_t /*rows*/) const { return 0; }

  // ---- scores ----
  /// Measures of `evaluate` beside predictive and elbo, such as log_marginal.
  virtual std::vector<std::string> measures() const = 0;
  /// One of them, or elbo: a sum over the rows, by weight, where it is a bound or a likelihood.
  virtual double measure(std::string_view name, const Data& data, const OptionValues& evaluate) const = 0;
};

}  // namespace vtemper
