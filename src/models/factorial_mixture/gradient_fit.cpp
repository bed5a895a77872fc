#include "models/factorial_mixture/gradient_fit.h"

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/dense_rows.h"
#include "models/variation.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Rows whose contributions to the means' gradient are accumulated together.
constexpr int64_t chunk = 64;
/// The variance of point estimates of the means.
constexpr double no_variance = 1e-100;

/// Reads a row; refuses missing values.
void read_complete_row(const Dense& dense, int64_t row, double* out) {
  read_dense_row(dense, row, out);
  for (int64_t column = 0; column < dense.columns; ++column) {
    if (!std::isnan(out[column])) continue;
    throw Error(VTEMPER_ERROR_DATA, message("row ", row, ", column ", column,
                                            " is missing; factorial_mixture is fitted to complete rows only"));
  }
}

}  // namespace

struct FactorWork final : GradientFit, RowFit {
  explicit FactorWork(const FactorialGradientFit& fitted) : model(fitted) {}
  GradientSums forward(const Batch& batch, const GradientSettings& settings) override {
    return model.forward(batch, settings, *this);
  }
  void backward(const double*, GradientSums&) override { model.sum_gradient(*this); }
  RowFit* rows() override { return this; }

  const FactorialGradientFit& model;
  RealStorage logits;         ///< [rows of the data x K] eta
  RealStorage row_gradient_;  ///< [rows of the batch x K]
  RealStorage gradient_;
  Array<double> activations;  ///< [rows of the batch x K]
  Array<double> partial;      ///< [chunks x K D] partial gradients
  Array<double> sums;         ///< [rows x 4] bound, objective, likelihood, `pull`
  Array<double> scratch;      ///< [threads x 2 D]
  Array<double> fed_logits;   ///< [rows of the batch x K] eta of rows that the caller feeds

  RealArray gradient() override { return gradient_.array(); }
  RealArray row_values() override { return logits.array(); }
  RealArray row_gradient() override { return row_gradient_.array(); }
  void save(ContainerWriter& writer) const override { logits.save("optimizer.activation_logits", writer); }
  void load(const ContainerReader& reader) override { logits.load("optimizer.activation_logits", reader); }
};

FactorialGradientFit::FactorialGradientFit(const FactorialMixtureSettings& settings, const OptionValues& options)
    : GradientModel(factorial_mixture_kind, options), mixture_(settings, options), components_(settings.components) {}

std::unique_ptr<Model> FactorialGradientFit::copy() const {
  auto other = std::make_unique<FactorialGradientFit>(mixture_.settings(), mixture_.options());
  if (!initialized()) return other;
  other->mixture_.take(mixture_);
  other->take_from_mixture();
  other->means_ = means_;
  return other;
}

void FactorialGradientFit::initialize(const Data& data, uint64_t seed) {
  mixture_.initialize(data, seed);
  options_ = mixture_.options();
  take_from_mixture();
}

/// Means, noise and prior probabilities of the mixture.
void FactorialGradientFit::take_from_mixture() {
  columns_ = mixture_.columns();
  names_ = mixture_.names();
  means_.resize(false, components_ * columns());
  mixture_.read_parameter("mean", {means_.of<double>(), columns(), 1});
  mixture_.read_parameter("noise_variance", {&noise_, 1, 1});
  std::vector<double> probabilities(static_cast<size_t>(components_));
  mixture_.read_parameter("activation_probability", {probabilities.data(), 1, 1});
  prior_logits_.clear();
  log_off_.clear();
  for (const double p : probabilities) {
    prior_logits_.push_back(logit(p));
    log_off_.push_back(std::log1p(-p));
  }
}

std::unique_ptr<FactorialMixture> FactorialGradientFit::solver() const {
  auto mixture = std::make_unique<FactorialMixture>(mixture_.settings(), mixture_.options());
  mixture->take(mixture_);
  mixture->write_parameter("mean", means());
  const std::vector<double> variances(static_cast<size_t>(components_), no_variance);
  mixture->write_parameter("mean.variance", variances.data());
  return mixture;
}

std::unique_ptr<GradientFit> FactorialGradientFit::begin_fit(const Data* data, int64_t) const {
  auto work = std::make_unique<FactorWork>(*this);
  work->logits.resize(false, data != nullptr ? data->rows() * components_ : 0);
  for (int64_t i = 0; i < work->logits.length(); ++i) {
    work->logits.array().set(i, prior_logits_[static_cast<size_t>(i % components_)]);
  }
  work->gradient_.resize(false, means_.length());
  return work;
}

GradientMemory FactorialGradientFit::memory(const Data& data, int64_t rows) const {
  const double size = static_cast<double>(components_);
  const double means = size * static_cast<double>(data.columns());
  const int64_t chunks = (rows + chunk - 1) / chunk;
  const double arrays_of_means = static_cast<double>(3 + chunks);  // mixture, means, gradient and its parts
  constexpr double arrays_of_batch = 2;
  return {means, sizeof(double),
          arrays_of_means * means +
              size * (static_cast<double>(data.rows()) + arrays_of_batch * static_cast<double>(rows))};
}

/// E log p(x | z) = -D/2 log 2 pi sigma^2 - (|x - M' nu|^2 + sum_k nu_k (1 - nu_k) |mu_k|^2) / (2 sigma^2).
FactorialGradientFit::RowBound FactorialGradientFit::bound_of(const double* x, const double* activations,
                                                              const double* logits, double* rest) const {
  const int64_t width = columns();
  const linalg::ConstMatrixMap mu = mean_matrix();
  const linalg::ConstVectorMap nu = linalg::vector_of(activations, components_);
  linalg::VectorMap residual = linalg::vector_of(rest, width);
  residual = linalg::vector_of(x, width);
  residual.noalias() -= mu.transpose() * nu;
  RowBound bound = {0, 0, 0};
  double spread = residual.squaredNorm();
  for (int64_t k = 0; k < components_; ++k) {
    spread += nu[k] * (1 - nu[k]) * mu.row(k).squaredNorm();
    bound.prior += nu[k] * prior_logits_[static_cast<size_t>(k)] + log_off_[static_cast<size_t>(k)];
    bound.entropy += softplus(logits[k]) - nu[k] * logits[k];
  }
  bound.likelihood = -(static_cast<double>(width) * (log_two_pi + std::log(noise_)) + spread / noise_) / 2;
  return bound;
}

void FactorialGradientFit::solve_row(const double* x, double temperature, double* logits, double* activations,
                                     double* rest) const {
  const linalg::ConstMatrixMap mu = mean_matrix();
  linalg::VectorMap nu = linalg::vector_of(activations, components_);
  linalg::VectorMap residual = linalg::vector_of(rest, columns());
  for (int64_t k = 0; k < components_; ++k) nu[k] = sigmoid(prior_logits_[static_cast<size_t>(k)]);
  residual = linalg::vector_of(x, columns());
  residual.noalias() -= mu.transpose() * nu;
  double largest = 1;
  const FactorialMixtureSettings& settings = mixture_.settings();
  for (int64_t n = 0; n < settings.local_iterations && largest > settings.local_tolerance; ++n) {
    largest = 0;
    for (int64_t k = 0; k < components_; ++k) {
      const auto mean = mu.row(k).transpose();
      logits[k] = ((mean.dot(residual) + (nu[k] - 0.5) * mean.squaredNorm()) / noise_ +
                   prior_logits_[static_cast<size_t>(k)]) /
                  temperature;
      const double change = sigmoid(logits[k]) - nu[k];
      residual -= change * mean;
      nu[k] += change;
      largest = std::max(largest, std::abs(change));
    }
  }
}

double FactorialGradientFit::row_gradient(const double* activations, const double* logits, const double* rest,
                                          double weight, double temperature, double* out, double* of_means) const {
  const linalg::ConstMatrixMap mu = mean_matrix();
  const linalg::ConstVectorMap residual = linalg::vector_of(rest, columns());
  linalg::MatrixMap gradient = linalg::matrix_of(of_means, components_, columns(), columns());
  double sum = 0;
  for (int64_t k = 0; k < components_; ++k) {
    const double nu = activations[k];
    const double v = nu * (1 - nu);
    const auto mean = mu.row(k).transpose();
    gradient.row(k) += (weight * nu / noise_) * (residual + (nu - 1) * mean).transpose();
    // mu . r - |mu|^2 / 2 with r = rest + nu mu
    out[k] = v * ((mean.dot(residual) + (nu - 0.5) * mean.squaredNorm()) / noise_ +
                  prior_logits_[static_cast<size_t>(k)] - temperature * logits[k]);
    sum += std::abs(out[k]);
  }
  return sum;
}

GradientSums FactorialGradientFit::forward(const Batch& batch, const GradientSettings& settings,
                                           FactorWork& work) const {
  const int64_t width = columns();
  const int64_t size = components_;
  const int64_t chunks = (batch.count + chunk - 1) / chunk;
  const auto length = [](int64_t a, int64_t b) { return static_cast<size_t>(a * b); };
  work.row_gradient_.resize(false, batch.count * size);
  work.activations.resize(length(batch.count, size));
  work.partial.resize(length(chunks, size * width));
  work.sums.resize(length(batch.count, 4));
  work.scratch.resize(length(settings.threads, 2 * width));
  if (settings.fed) work.fed_logits.resize(length(batch.count, size));

  parallel_for(settings.threads, chunks, [&](int64_t part, int thread) {
    double* x = work.scratch.data() + thread * 2 * width;
    double* rest = x + width;
    double* of_means = work.partial.data() + part * size * width;
    std::fill_n(of_means, size * width, 0.0);
    for (int64_t i = part * chunk; i < std::min(batch.count, (part + 1) * chunk); ++i) {
      const int64_t row = batch.row(i);
      const double weight = batch.data->weight(row);
      read_complete_row(batch.data->dense(), row, x);
      double* eta = settings.fed ? work.fed_logits.data() + i * size : work.logits.of<double>() + row * size;
      double* nu = work.activations.data() + i * size;
      if (settings.fed) solve_row(x, settings.temperature, eta, nu, rest);
      for (int64_t k = 0; k < size; ++k) nu[k] = sigmoid(eta[k]);
      const RowBound bound = bound_of(x, nu, eta, rest);
      double* sums = work.sums.data() + i * 4;
      sums[0] = bound.likelihood + bound.prior + bound.entropy;
      sums[1] = bound.likelihood + bound.prior + settings.temperature * bound.entropy;
      sums[2] = bound.likelihood;
      sums[3] = row_gradient(nu, eta, rest, weight, settings.temperature, work.row_gradient_.of<double>() + i * size,
                             of_means);
    }
  });

  GradientSums sums;
  for (int64_t i = 0; i < batch.count; ++i) {
    const double* of_batch_row = work.sums.data() + i * 4;
    sums.add_row(batch.data->weight(batch.row(i)), of_batch_row[0], of_batch_row[1], of_batch_row[2]);
    sums.pull += of_batch_row[3];
  }
  if (settings.report) {
    sums.active_units =
        sums.rows * count_active_units(
                        batch.count, size,
                        [&](int64_t i, int64_t k) { return work.activations[static_cast<size_t>(i * size + k)]; },
                        [&](int64_t i) { return batch.data->weight(batch.row(i)); });
  }
  return sums;
}

void FactorialGradientFit::sum_gradient(FactorWork& work) const {
  const int64_t length = means_.length();
  linalg::VectorMap gradient = linalg::vector_of(work.gradient_.of<double>(), length);
  gradient.setZero();
  for (size_t first = 0; first < work.partial.size(); first += static_cast<size_t>(length)) {
    gradient += linalg::vector_of(work.partial.data() + first, length);
  }
}

int64_t FactorialGradientFit::row_statistic_length(Statistic statistic) const {
  if (statistic == Statistic::none) return 0;
  return statistic == Statistic::mean_variance ? 2 * components_ : components_;
}

/// Statistics and their derivatives with respect to eta:
///   entropy        softplus(eta) - nu eta                                       -eta v
///   kl             nu (eta - logit pi) - softplus(eta) - log (1 - pi)           (eta - logit pi) v
///   mean_variance  nu; v                                                        v; (1 - 2 nu) v
void FactorialGradientFit::row_statistics(Statistic statistic, const RealArray& parameters, double* statistics,
                                          double* slopes) const {
  for (int64_t k = 0; k < components_; ++k) {
    const double eta = parameters.at(k);
    const double nu = sigmoid(eta);
    const double v = nu * (1 - nu);
    if (statistic == Statistic::mean_variance) {
      statistics[k] = nu;
      slopes[k] = v;
      statistics[components_ + k] = v;
      slopes[components_ + k] = v * (1 - 2 * nu);
    } else if (statistic == Statistic::kl) {
      const double from_prior = eta - prior_logits_[static_cast<size_t>(k)];
      statistics[k] = nu * from_prior - softplus(eta) - log_off_[static_cast<size_t>(k)];
      slopes[k] = v * from_prior;
    } else {
      statistics[k] = softplus(eta) - nu * eta;
      slopes[k] = -eta * v;
    }
  }
}

GradientDefaults FactorialGradientFit::gradient_defaults() const {
  GradientDefaults defaults;
  defaults.passes = 1000;
  defaults.learning_rate = 0;
  return defaults;
}

void FactorialGradientFit::check_method(const RequiredGradientFeatures& required) const {
  if (required.statistic == Statistic::orthogonal) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "proximity orthogonal is for inference networks; factorial_mixture has none: its statistics are "
                "entropy, kl and mean_variance");
  }
}

void FactorialGradientFit::measure_rows(std::string_view, const Data& data, const OptionValues& evaluate,
                                        double* out) const {
  std::vector<double> activations(static_cast<size_t>(data.rows() * components_));
  infer(data, "activations", evaluate, {activations.data(), components_, 1});
  std::vector<double> x(static_cast<size_t>(columns())), rest(x.size());
  std::vector<double> logits(static_cast<size_t>(components_));
  for (int64_t row = 0; row < data.rows(); ++row) {
    read_complete_row(data.dense(), row, x.data());
    double* nu = activations.data() + row * components_;
    for (int64_t k = 0; k < components_; ++k) {
      // Beyond this the entropy is 0 up to rounding anyway.
      nu[k] = std::clamp(nu[k], 1e-300, 1 - 0x1p-53);
      logits[static_cast<size_t>(k)] = logit(nu[k]);
    }
    const RowBound bound = bound_of(x.data(), nu, logits.data(), rest.data());
    out[row] = bound.likelihood + bound.prior + bound.entropy;
  }
}

std::vector<Quantity> FactorialGradientFit::parameters() const {
  return {
      {"mean", {components_, columns()}, true, "Means of the components."},
      {"activation_probability", {components_}, false, "Probability that a component takes part in a row."},
      {"noise_variance", {}, false, "Variance of the noise in each dimension."},
  };
}

void FactorialGradientFit::read_parameter(std::string_view name, const Sink& sink) const {
  if (name != "mean") {
    mixture_.read_parameter(name, sink);
    return;
  }
  const double* mu = means();
  for (int64_t k = 0; k < components_; ++k) {
    for (int64_t d = 0; d < columns(); ++d) sink(k, d) = mu[k * columns() + d];
  }
}

void FactorialGradientFit::write_parameter(std::string_view name, const double* in) {
  mixture_.write_parameter(name, in);  // validates the means
  std::copy_n(in, means_.length(), means_.of<double>());
}

void FactorialGradientFit::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                                 const Sink& sink) const {
  solver()->infer(data, quantity, evaluate, sink);
}

void FactorialGradientFit::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                                      double* tokens) const {
  solver()->score_rows(rows, evaluate, scores, tokens);
}

void FactorialGradientFit::save(ContainerWriter& writer) const {
  mixture_.save(writer);
  means_.save("gradient.mean", writer);
}

void FactorialGradientFit::load(const ContainerReader& reader) {
  FactorialGradientFit fresh(mixture_.settings(), mixture_.options());
  fresh.mixture_.load(reader);
  fresh.take_from_mixture();
  fresh.means_.load("gradient.mean", reader);
  const RealArray means = fresh.means_.array();
  for (int64_t i = 0; i < means.length; ++i) {
    if (!std::isfinite(means.at(i))) {
      throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds a mean that is not finite"));
    }
  }
  mixture_.take(fresh.mixture_);
  take_from_mixture();
  means_ = fresh.means_;
}

}  // namespace vtemper
