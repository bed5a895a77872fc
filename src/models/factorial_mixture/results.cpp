// Results of a fitted factorial mixture: parameters, activations of rows, held-out scores.

#include <algorithm>
#include <cmath>

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

ParameterTable FactorialMixture::parameter_table() const {
  const int64_t k = settings_.components, d = columns();
  // The components exist by the time a value is requested.
  const std::unique_ptr<FactorialComponents>& of = components_;
  ParameterTable table = {
      {{"mean", {k, d}, true, "Posterior means of the components."},
       [&of, d](int64_t i) { return of->mean(i / d)[i % d]; }},
      {{"mean.variance", {k}, true, "Posterior variances of the components' means, the same in each dimension."},
       [&](int64_t i) { return of->variance(i); }},
      {{"activation_probability", {k}, false, "Probability that a component takes part in a row, or its mean."},
       [&](int64_t i) { return of->activation_probability(i); }},
      {{"unused", {k}, false, "1 where a component's mean is shorter than its uncertainty, else 0."},
       [&](int64_t i) { return of->dead(i) ? 1.0 : 0.0; }},
      {{"duplicate_of", {k}, false, "The earlier component that each repeats; -1 for none."},
       [&](int64_t i) { return static_cast<double>(of->duplicate_of(i)); }},
      {{"noise_variance",
        {},
        false,
        "Variance of the noise in each dimension, or the inverse of its mean precision."},
       [&](int64_t) { return 1 / of->precision(); }},
      {{"mean_variance", {}, false, "Prior variance of a component's mean in each dimension."},
       [&](int64_t) { return of->priors().mean_variance; }},
  };
  if (settings_.learn_activations) {
    table.push_back(
        {{"activation.on", {k}, false, "First parameters of the activation probabilities' Beta posteriors."},
         [&](int64_t i) { return of->activation_on(i); }});
    table.push_back(
        {{"activation.off", {k}, false, "Second parameters of the activation probabilities' Beta posteriors."},
         [&](int64_t i) { return of->activation_off(i); }});
  }
  if (settings_.learn_noise) {
    table.push_back({{"noise.shape", {}, false, "Shape of the Gamma posterior of the noise's precision."},
                     [&](int64_t) { return of->noise_shape(); }});
    table.push_back({{"noise.rate", {}, false, "Rate of the Gamma posterior of the noise's precision."},
                     [&](int64_t) { return of->noise_rate(); }});
  }
  return table;
}

std::vector<Quantity> FactorialMixture::parameters() const {
  return quantities_of(parameter_table());
}

void FactorialMixture::read_parameter(std::string_view name, const Sink& sink) const {
  require_initialized();
  read_from(parameter_table(), name, sink);
}

void FactorialMixture::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  constexpr double largest = 1e100;
  const bool mean = name == "mean";
  const int64_t size = settings_.components * (mean ? columns() : 1);
  for (int64_t i = 0; i < size; ++i) {
    const bool usable = mean ? std::abs(in[i]) <= largest : in[i] >= 1 / largest && in[i] <= largest;
    if (!usable) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of ", name, " is ", in[i], "; it must lie in [",
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
  plan.anneals = true;
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
void FactorialMixture::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                                  double* tokens) const {
  const Data& heldout = *rows.heldout;
  require_columns(heldout);
  const FactorialComponents& components = *components_;
  const double noise = 1 / components.precision();
  const Dense& dense = heldout.dense();
  for_each_row(rows.observed, evaluate, [&](int64_t row, const double* activations) {
    Spare spare;
    const DenseRow of_row = dense.row(row, spare);
    double log_density = 0;
    double values = 0;
    for (int64_t d = 0; d < columns(); ++d) {
      const double value = of_row[d];
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
    scores[row] = log_density;
    tokens[row] = values;
  });
}

}  // namespace vtemper
