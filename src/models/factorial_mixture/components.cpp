#include "models/factorial_mixture/components.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/scalar_functions.h"
#include "linalg/eigen.h"
#include "models/dirichlet.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace vtemper {

namespace {

double blend(double rho, double old, double fresh) {
  return rho == 1 ? fresh : (1 - rho) * old + rho * fresh;
}

}  // namespace

FactorialComponents::FactorialComponents(int64_t components, int64_t columns, ComponentPriors priors)
    : size_(components),
      columns_(columns),
      priors_(std::move(priors)),
      means_(static_cast<size_t>(components * columns)),
      variances_(static_cast<size_t>(components)),
      on_(static_cast<size_t>(components)),
      off_(on_),
      field_(static_cast<size_t>(columns)),
      weights_(static_cast<size_t>(components)),
      log_on_(on_),
      log_off_(on_) {
  clear();
}

void FactorialComponents::clear() {
  std::fill(means_.begin(), means_.end(), 0.0);
  std::fill(variances_.begin(), variances_.end(), priors_.mean_variance);
  reset_learned();
}

void FactorialComponents::draw(uint64_t seed) {
  clear();
  const double deviation = std::sqrt(priors_.mean_variance);
  for (int64_t k = 0; k < size_; ++k) {
    require_not_interrupted();
    RandomStream random(seed, Purpose::initialize, 0, static_cast<uint64_t>(k));
    for (int64_t d = 0; d < columns_; ++d)
      means_[static_cast<size_t>(k * columns_ + d)] = deviation * random.normal();
  }
}

void FactorialComponents::reset_learned() {
  for (size_t k = 0; k < on_.size(); ++k) {
    on_[k] = priors_.activations[k].on;
    off_[k] = priors_.activations[k].off;
  }
  noise_shape_ = priors_.noise_shape;
  noise_rate_ = priors_.noise_shape * priors_.noise_variance;
  expect();
}

void FactorialComponents::expect() {
  for (size_t k = 0; k < on_.size(); ++k) {
    if (priors_.learn_activations) {
      const double total = digamma(on_[k] + off_[k]);
      log_on_[k] = digamma(on_[k]) - total;
      log_off_[k] = digamma(off_[k]) - total;
    } else {
      log_on_[k] = std::log(on_[k]);
      log_off_[k] = std::log(off_[k]);
    }
  }
  if (priors_.learn_noise) {
    precision_ = noise_shape_ / noise_rate_;
    log_precision_ = digamma(noise_shape_) - std::log(noise_rate_);
  } else {
    precision_ = 1 / priors_.noise_variance;
    log_precision_ = -std::log(priors_.noise_variance);
  }
}

double FactorialComponents::activation_probability(int64_t component) const {
  const size_t k = static_cast<size_t>(component);
  return on_[k] / (on_[k] + off_[k]);
}

double FactorialComponents::squared_norm(int64_t component) const {
  return kernels::table<double>().dot(mean(component), mean(component), columns_);
}

double FactorialComponents::active_rows(int64_t component) const {
  return std::max(1 / variance(component) - 1 / priors_.mean_variance, 0.0) / precision_;
}

void FactorialComponents::copy_component(int64_t from, int64_t to) {
  std::copy_n(mean(from), columns_, mean(to));
  const auto copy = [&](std::vector<double>& values) {
    values[static_cast<size_t>(to)] = values[static_cast<size_t>(from)];
  };
  copy(variances_);
  if (!priors_.learn_activations) return;
  for (auto* list : {&on_, &off_, &log_on_, &log_off_}) copy(*list);
}

void FactorialComponents::draw_component(int64_t component, RandomStream& random) {
  const double variance = 1 / precision_;
  double* const drawn = mean(component);
  for (int64_t d = 0; d < columns_; ++d) drawn[d] = std::sqrt(variance) * random.normal();
  variances_[static_cast<size_t>(component)] = variance / static_cast<double>(columns_);
}

void FactorialComponents::set_means(const double* means) {
  std::copy_n(means, means_.size(), means_.begin());
}

void FactorialComponents::set_variances(const double* variances) {
  std::copy_n(variances, variances_.size(), variances_.begin());
}

GlobalChange FactorialComponents::update(ComponentStatistics& statistics, const GlobalStep& step) {
  const GlobalChange change = update_means(statistics, step);
  if (priors_.learn_activations) update_activations(statistics, step);
  if (priors_.learn_noise) update_noise(statistics, step);
  expect();
  return change;
}

GlobalChange FactorialComponents::update_means(ComponentStatistics& statistics, const GlobalStep& step) {
  GlobalChange change;
  double moved = 0;
  double size = 0;
  for (int64_t k = 0; k < size_; ++k) {
    require_not_interrupted();
    size += squared_norm(k);
    moved += update_mean(k, statistics, step);
    const bool unused = step.scale * statistics.activations()[k] < 0.5 || dead(k);
    change.unused_components += unused ? 1 : 0;
  }
  change.relative = moved > 0 ? std::sqrt(moved / std::max(size, moved)) : 0;
  return change;
}

/// 1 / v_k = s' / v + E tau sum_n w_n nu_nk,   m_k / v_k = E tau sum_n w_n nu_nk (x_n - sum_{j != k} nu_nj m_j).
/// Returns the squared change of the mean.
double FactorialComponents::update_mean(int64_t component, ComponentStatistics& statistics, const GlobalStep& step) {
  const size_t k = static_cast<size_t>(component);
  const double weight = precision_ * step.scale;
  double precision = step.prior.inverse / priors_.mean_variance + weight * statistics.activations()[component];

  for (int64_t j = 0; j < size_; ++j) {
    const double pair = statistics.pairs()[component * size_ + j];
    weights_[static_cast<size_t>(j)] = j == component ? 0.0 : -weight * pair;
  }
  linalg::VectorMap field = linalg::vector_of(field_.data(), columns_);
  field = weight * linalg::vector_of(statistics.products() + component * columns_, columns_);
  kernels::table<double>().add_product(
      {weights_.data(), 0, 1, means_.data(), columns_, field_.data(), columns_, 1, size_, columns_});

  linalg::VectorMap mean = linalg::vector_of(means_.data() + component * columns_, columns_);
  if (step.perturbation.share > 0) {
    // A random draw scaled to the size of the data: a mean drawn from the prior, as if the component were active in
    // its prior share of the rows.
    const double share = step.perturbation.share;
    const double drawn =
        1 / priors_.mean_variance + precision_ * step.perturbation.rows * activation_probability(component);
    const double deviation = std::sqrt(priors_.mean_variance);
    RandomStream random(step.perturbation.seed, Purpose::perturb, step.perturbation.iteration,
                        static_cast<uint64_t>(component));
    for (double& value : field_) value = (1 - share) * value + share * drawn * deviation * random.normal();
    precision = (1 - share) * precision + share * drawn;
  }
  const double old_precision = 1 / variances_[k];
  const double next_precision = blend(step.rho, old_precision, precision);
  if (step.rho < 1) field = (1 - step.rho) * (old_precision * mean) + step.rho * field;
  field /= next_precision;  // the next mean
  const double moved = (field - mean).squaredNorm();
  mean = field;
  variances_[k] = 1 / next_precision;
  return moved;
}

void FactorialComponents::update_activations(ComponentStatistics& statistics, const GlobalStep& step) {
  for (int64_t component = 0; component < size_; ++component) {
    const size_t k = static_cast<size_t>(component);
    const double active = statistics.activations()[component];
    double on = step.prior.concentration(priors_.activations[k].on) + step.scale * active;
    // Rounding may make it negative.
    double off =
        step.prior.concentration(priors_.activations[k].off) + step.scale * std::max(statistics.rows() - active, 0.0);
    if (step.perturbation.share > 0) {
      RandomStream random(step.perturbation.seed, Purpose::perturb, step.perturbation.iteration,
                          static_cast<uint64_t>(size_ + component));
      const double share = step.perturbation.share;
      const double drawn = random.uniform() * step.perturbation.rows;
      on = (1 - share) * on + share * (priors_.activations[k].on + drawn);
      off = (1 - share) * off + share * (priors_.activations[k].off + step.perturbation.rows - drawn);
    }
    on_[k] = blend(step.rho, on_[k], on);
    off_[k] = blend(step.rho, off_[k], off);
  }
}

/// shape + sum w D / 2 and rate + sum w Q / 2 with
///   sum w Q = sum w |x|^2 - 2 sum_k m_k . F_k + sum_{j != k} A_jk m_j . m_k + sum_k a_k (|m_k|^2 + D v_k).
void FactorialComponents::update_noise(ComponentStatistics& statistics, const GlobalStep& step) {
  const double dimensions = static_cast<double>(columns_);
  double squares = statistics.squares();
  for (int64_t k = 0; k < size_; ++k) {
    squares += statistics.activations()[k] * (squared_norm(k) + dimensions * variance(k));
    squares -= 2 * kernels::table<double>().dot(mean(k), statistics.products() + k * columns_, columns_);
    for (int64_t j = 0; j < k; ++j) {
      squares += 2 * statistics.pairs()[k * size_ + j] * kernels::table<double>().dot(mean(k), mean(j), columns_);
    }
  }
  double shape = step.prior.concentration(priors_.noise_shape) + step.scale * statistics.rows() * dimensions / 2;
  double rate =
      step.prior.inverse * priors_.noise_shape * priors_.noise_variance + step.scale * std::max(squares, 0.0) / 2;
  if (step.perturbation.share > 0) {
    // The draw scaled to the size of the data has the noise of the prior.
    const double share = step.perturbation.share;
    rate = (1 - share) * rate + share * shape * priors_.noise_variance;
  }
  noise_shape_ = blend(step.rho, noise_shape_, shape);
  noise_rate_ = blend(step.rho, noise_rate_, rate);
}

double FactorialComponents::bound(const PriorPower& prior) const {
  const double dimensions = static_cast<double>(columns_);
  double bound = 0;
  for (int64_t component = 0; component < size_; ++component) {
    const size_t k = static_cast<size_t>(component);
    bound -= prior.inverse *
             (dimensions * (log_two_pi + std::log(priors_.mean_variance)) +
              (squared_norm(component) + dimensions * variances_[k]) / priors_.mean_variance) /
             2;
    bound += dimensions * (1 + log_two_pi + std::log(variances_[k])) / 2;
    if (!priors_.learn_activations) continue;
    const ActivationPrior& beta = priors_.activations[k];
    bound += (prior.concentration(beta.on) - on_[k]) * log_on_[k] +
             (prior.concentration(beta.off) - off_[k]) * log_off_[k] - prior.inverse * log_beta(beta.on, beta.off) +
             log_beta(on_[k], off_[k]);
  }
  if (priors_.learn_noise) {
    const double shape = priors_.noise_shape;
    const double rate = shape * priors_.noise_variance;
    bound += (prior.concentration(shape) - noise_shape_) * log_precision_ -
             (prior.inverse * rate - noise_rate_) * precision_ +
             prior.inverse * (shape * std::log(rate) - log_gamma(shape)) - noise_shape_ * std::log(noise_rate_) +
             log_gamma(noise_shape_);
  }
  return bound;
}

/// A mean indistinguishable from zero.
bool FactorialComponents::dead(int64_t component) const {
  return squared_norm(component) < static_cast<double>(columns_) * variance(component);
}

int64_t FactorialComponents::duplicate_of(int64_t component) const {
  constexpr double closeness = 0.01;
  if (dead(component)) return -1;
  const double length = squared_norm(component);
  for (int64_t earlier = 0; earlier < component; ++earlier) {
    const double product = kernels::table<double>().dot(mean(component), mean(earlier), columns_);
    const double distance = length + squared_norm(earlier) - 2 * product;
    if (!dead(earlier) && distance < closeness * closeness * length) return earlier;
  }
  return -1;
}

int64_t FactorialComponents::duplicates() const {
  int64_t count = 0;
  for (int64_t k = 0; k < size_; ++k) count += duplicate_of(k) >= 0 ? 1 : 0;
  return count;
}

void FactorialComponents::save(ContainerWriter& writer) const {
  writer.tensor("mean", Element::f64, {size_, columns_}, means_.data());
  writer.tensor("mean.variance", Element::f64, {size_}, variances_.data());
  writer.tensor("activation.on", Element::f64, {size_}, on_.data());
  writer.tensor("activation.off", Element::f64, {size_}, off_.data());
  writer.keep("noise", std::vector<double>{noise_shape_, noise_rate_});
}

void FactorialComponents::load(const ContainerReader& reader) {
  const Tensor& means = reader.tensor("mean", Element::f64, 2);
  const std::vector<double> variances = reader.doubles("mean.variance");
  const std::vector<double> on = reader.doubles("activation.on");
  const std::vector<double> off = reader.doubles("activation.off");
  const std::vector<double> noise = reader.doubles("noise");
  const size_t components = static_cast<size_t>(size_);
  if (means.shape[0] != size_ || means.shape[1] != columns_ || variances.size() != components ||
      on.size() != components || off.size() != components || noise.size() != 2) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " holds components whose size does not match its options"));
  }
  FactorialComponents fresh = *this;
  std::copy_n(static_cast<const double*>(means.data), means_.size(), fresh.means_.begin());
  fresh.variances_ = variances;
  fresh.on_ = on;
  fresh.off_ = off;
  fresh.noise_shape_ = noise[0];
  fresh.noise_rate_ = noise[1];
  fresh.expect();
  if (!fresh.is_usable()) {
    throw Error(VTEMPER_ERROR_FORMAT,
                message(reader.name(), " holds components whose numbers are not finite and positive"));
  }
  *this = std::move(fresh);
}

bool FactorialComponents::is_usable() const {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  const auto finite = [](double x) { return std::isfinite(x); };
  const double numbers[] = {noise_shape_, noise_rate_, precision_};
  bool usable = std::all_of(std::begin(numbers), std::end(numbers), positive) && finite(log_precision_);
  for (const auto* list : {&variances_, &on_, &off_}) {
    usable = usable && std::all_of(list->begin(), list->end(), positive);
  }
  for (const auto* list : {&log_on_, &log_off_}) {
    usable = usable && std::all_of(list->begin(), list->end(), finite);
  }
  double squares = 0;  // not finite if a mean is not
  for (int64_t k = 0; k < size_; ++k) squares += squared_norm(k);
  return usable && finite(squares);
}

}  // namespace vtemper
