// Results of a fitted factorial mixture: parameters, activations of rows, held-out scores.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/scalar_functions.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/factorial_mixture/work.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Rows solved per block of results.
constexpr int64_t rows_at_once = 4096;

}  // namespace

std::vector<Quantity> FactorialMixture::parameters() const {
  const int64_t size = settings_.components;
  std::vector<Quantity> list = {
      {"mean", {size, columns()}, true, "Posterior means of the components."},
      {"mean.variance", {size}, true, "Posterior variances of the components' means, the same in each dimension."},
      {"activation_probability", {size}, false, "Probability that a component takes part in a row, or its mean."},
      {"unused", {size}, false, "1 where a component's mean is shorter than its uncertainty, else 0."},
      {"duplicate_of", {size}, false, "The earlier component that each repeats; -1 for none."},
      {"noise_variance", {}, false, "Variance of the noise in each dimension, or the inverse of its mean precision."},
      {"mean_variance", {}, false, "Prior variance of a component's mean in each dimension."},
  };
  if (settings_.learn_activations) {
    list.push_back(
        {"activation.on", {size}, false, "First parameters of the activation probabilities' Beta posteriors."});
    list.push_back(
        {"activation.off", {size}, false, "Second parameters of the activation probabilities' Beta posteriors."});
  }
  if (settings_.learn_noise) {
    list.push_back({"noise.shape", {}, false, "Shape of the Gamma posterior of the noise's precision."});
    list.push_back({"noise.rate", {}, false, "Rate of the Gamma posterior of the noise's precision."});
  }
  return list;
}

void FactorialMixture::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  const FactorialComponents& components = *components_;
  if (name == "noise_variance") {
    sink(0) = 1 / components.precision();
    return;
  }
  if (name == "mean_variance") {
    sink(0) = components.priors().mean_variance;
    return;
  }
  if (name == "noise.shape" || name == "noise.rate") {
    sink(0) = name == "noise.shape" ? components.noise_shape() : components.noise_rate();
    return;
  }
  for (int64_t k = 0; k < components.size(); ++k) {
    if (name == "mean") {
      for (int64_t d = 0; d < columns(); ++d) sink(k, d) = components.mean(k)[d];
    } else {
      sink(k) = name == "mean.variance"    ? components.variance(k)
                : name == "activation.on"  ? components.activation_on(k)
                : name == "activation.off" ? components.activation_off(k)
                : name == "unused"         ? (components.dead(k) ? 1.0 : 0.0)
                : name == "duplicate_of"   ? static_cast<double>(components.duplicate_of(k))
                                           : components.activation_probability(k);
    }
  }
}

void FactorialMixture::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  constexpr double largest = 1e100;
  const bool mean = name == "mean";
  const int64_t size = settings_.components * (mean ? columns() : 1);
  for (int64_t i = 0; i < size; ++i) {
    const bool usable = mean ? std::abs(in[i]) <= largest : in[i] >= 1 / largest && in[i] <= largest;
    if (!usable) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of ", name, " is ", in[i], "; it must lie in [",
                                               mean ? -largest : 1 / largest, ", ", largest, "]"));
    }
  }
  if (mean) {
    components_->set_means(in);
  } else {
    components_->set_variances(in);
  }
}

std::vector<Quantity> FactorialMixture::local_quantities(const Data& data) const {
  return {{"activations",
           {data.rows(), settings_.components},
           false,
           "Probability that each component takes part in the row."}};
}

template <class Visit>
void FactorialMixture::for_each_row(const Data& data, const OptionValues& evaluate, const Visit& visit) const {
  require_columns(data);
  const int64_t size = settings_.components;
  FactorialWork work;
  Plan plan;
  plan.settings.threads = usable_threads(evaluate.integer("threads"));
  plan.settings.statistics = false;
  plan.iterations =
      evaluate.is_auto("local_iterations") ? settings_.local_iterations : evaluate.integer("local_iterations");
  plan.tolerance = evaluate.is_auto("local_tolerance") ? settings_.local_tolerance : evaluate.real("local_tolerance");
  plan.visit_missing = true;
  prepare(*components_, work);
  for (int64_t first = 0; first < data.rows(); first += rows_at_once) {
    const Batch batch = {&data, nullptr, first, std::min(rows_at_once, data.rows() - first)};
    work.kept.resize(static_cast<size_t>(batch.count * size));
    work.keep_from = first;
    solve(*components_, batch, plan, work);
    parallel_for(plan.settings.threads, batch.count,
                 [&](int64_t i, int) { visit(first + i, work.kept.data() + i * size); });
  }
}

void FactorialMixture::infer(const Data& data, std::string_view, const OptionValues& evaluate,
                             const Sink& sink) const {
  for_each_row(data, evaluate, [&](int64_t row, const double* activations) {
    for (int64_t k = 0; k < settings_.components; ++k) sink(row, k) = activations[k];
  });
}

/// Sum over the held-out values of log N(x; sum_k nu_k m_k, sigma^2 + sum_k { nu_k v_k + nu_k (1 - nu_k) m_k^2 }),
/// the normal distribution that matches mean and variance of each value's predictive distribution; nu from the
/// observed values of the row.
double FactorialMixture::log_predictive(const Data& observed, const Data* other_halves, const OptionValues& evaluate,
                                        double& tokens) const {
  const Data& heldout = *other_halves;
  require_columns(heldout);
  const FactorialComponents& components = *components_;
  const double noise = 1 / components.precision();
  std::vector<double> score(static_cast<size_t>(observed.rows()));
  std::vector<double> count(static_cast<size_t>(observed.rows()));
  const Dense& dense = heldout.dense();
  for_each_row(observed, evaluate, [&](int64_t row, const double* activations) {
    double log_density = 0;
    double values = 0;
    for (int64_t d = 0; d < columns(); ++d) {
      const double value = dense.at(row, d);
      if (std::isnan(value)) continue;
      double mean = 0;
      double variance = noise;
      for (int64_t k = 0; k < components.size(); ++k) {
        const double m = components.mean(k)[d];
        mean += activations[k] * m;
        variance += activations[k] * (components.variance(k) + (1 - activations[k]) * m * m);
      }
      log_density -= (log_two_pi + std::log(variance) + (value - mean) * (value - mean) / variance) / 2;
      values += 1;
    }
    score[static_cast<size_t>(row)] = observed.weight(row) * log_density;
    count[static_cast<size_t>(row)] = observed.weight(row) * values;
  });
  tokens = std::accumulate(count.begin(), count.end(), 0.0);
  return std::accumulate(score.begin(), score.end(), 0.0);
}

}  // namespace vtemper
