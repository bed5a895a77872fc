#pragma once
// Tiny problems for the tests of the factorial mixture, in the forms used by the library and by plain_factorial.h.

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "inference/optimizer.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/factorial_mixture/work.h"
#include "support/check.h"
#include "support/cmocka.h"
#include "support/dense.h"
#include "support/option_texts.h"
#include "support/parameter.h"
#include "support/plain_factorial.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace factorial_fixtures {

using fixtures::check_close;
using fixtures::same_bits;
using vtemper::options_of;
using vtemper::Texts;
using vtemper::test::parameter;

using plain_factorial::Matrix;
using plain_factorial::Number;
using plain_factorial::Vector;

/// Random numbers that are identical on every machine.
inline vtemper::RandomStream numbers(uint64_t seed) {
  return vtemper::RandomStream(seed, vtemper::Purpose::evaluate, 0, 0);
}

/// Rows that are sums of `components` patterns plus noise.
inline Matrix random_rows(size_t rows, size_t columns, size_t components, uint64_t seed, double noise = 0.3) {
  vtemper::RandomStream random = numbers(seed);
  Matrix patterns(components, Vector(columns));
  for (Vector& pattern : patterns) {
    for (Number& value : pattern) value = random.normal();
  }
  Matrix out(rows, Vector(columns));
  for (Vector& row : out) {
    for (Number& value : row) value = noise * random.normal();
    for (const Vector& pattern : patterns) {
      if (random.uniform() > 0.4) continue;
      for (size_t d = 0; d < columns; ++d) row[d] += pattern[d];
    }
  }
  return out;
}

inline Vector random_weights(size_t rows, uint64_t seed) {
  vtemper::RandomStream random = numbers(seed);
  Vector weights(rows);
  for (Number& weight : weights) weight = 0.5 + 2 * random.uniform();
  return weights;
}

inline std::vector<double> flat(const Matrix& rows) {
  std::vector<double> out;
  for (const Vector& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

inline std::shared_ptr<vtemper::Data> data_of(const std::vector<double>& values, size_t columns) {
  return vtemper::test::dense_data(values, static_cast<int64_t>(columns));
}

inline std::shared_ptr<vtemper::Data> data_of(const Matrix& rows, const Vector& weights = {}) {
  std::shared_ptr<vtemper::Data> data = data_of(flat(rows), rows[0].size());
  if (!weights.empty()) vtemper::data_set_weights(*data, std::vector<double>(weights.begin(), weights.end()));
  return data;
}

inline std::shared_ptr<vtemper::ConjugateModel> make_model(const Texts& texts) {
  vtemper::Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  const vtemper::ModelKind& kind = vtemper::factorial_mixture_kind;
  return as_conjugate(kind.create(vtemper::OptionValues(kind.options(), options, kind.name)));
}

/// Three components of different probabilities; the caller chooses what is learned; rows are solved to full
/// precision.
inline Texts exact_options(bool learn_activations, bool learn_noise) {
  Texts texts = {{"components", "3"},
                 {"activation_probability", "0.2,0.35,0.5"},
                 {"noise_variance", "0.3"},
                 {"mean_variance", "0.8"},
                 {"local_iterations", "100000"},
                 {"local_tolerance", "0"},
                 {"initialization", "prior"}};
  if (learn_activations) {
    texts["learn_activation_probability"] = "true";
    texts["activation_prior_rows"] = "3";
  }
  if (learn_noise) {
    texts["learn_noise_variance"] = "true";
    texts["noise_prior_rows"] = "5";
  }
  return texts;
}

inline plain_factorial::Priors exact_priors(bool learn_activations, bool learn_noise) {
  plain_factorial::Priors priors;
  priors.mean_variance = 0.8;
  priors.learn_activations = learn_activations;
  priors.learn_noise = learn_noise;
  const Number rows = learn_activations ? 3 : 1;
  for (const Number probability : {0.2L, 0.35L, 0.5L}) {
    priors.on.push_back(rows * probability);
    priors.off.push_back(rows * (1 - probability));
  }
  priors.noise_shape = learn_noise ? 2.5L : 1.0L;
  priors.noise_rate = priors.noise_shape * 0.3L;
  return priors;
}

/// The arrays of a saved model, including those that are not parameters.
inline std::vector<double> saved(const vtemper::Model& model, const std::string& name) {
  vtemper::ContainerWriter writer("vtemper.model");
  vtemper::save_model(model, writer);
  std::vector<uint64_t> bytes(static_cast<size_t>(writer.size()) / 8 + 1);
  writer.write(bytes.data());
  return vtemper::ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.model").doubles(name);
}

inline plain_factorial::State state_of(const vtemper::ConjugateModel& model) {
  plain_factorial::State state;
  const std::vector<double> means = parameter(model, "mean");
  const size_t columns = static_cast<size_t>(model.columns());
  for (size_t first = 0; first < means.size(); first += columns) {
    state.mean.emplace_back(means.begin() + static_cast<int64_t>(first),
                            means.begin() + static_cast<int64_t>(first + columns));
  }
  const auto vector = [](const std::vector<double>& values) { return Vector(values.begin(), values.end()); };
  state.variance = vector(parameter(model, "mean.variance"));
  state.on = vector(saved(model, "activation.on"));
  state.off = vector(saved(model, "activation.off"));
  const std::vector<double> noise = saved(model, "noise");
  state.shape = noise[0];
  state.rate = noise[1];
  return state;
}

inline vtemper::LocalTemperature at(double inverse, bool prior_power = false, bool natural = false) {
  vtemper::LocalTemperature temperature;
  temperature.inverse = inverse;
  if (prior_power) temperature.prior = {inverse, natural};
  return temperature;
}

/// A model, a data set, and the local posteriors of a step.
struct Fit {
  plain_factorial::Priors priors;
  Matrix rows;
  Vector weights;
  std::shared_ptr<vtemper::Data> data;
  std::shared_ptr<vtemper::ConjugateModel> model;
  std::unique_ptr<vtemper::ConjugateFit> work;
  vtemper::LocalSums sums;
  Matrix nu;  ///< [rows][K]
};

inline Fit start(bool learn_activations, bool learn_noise, size_t rows = 9, size_t columns = 5) {
  Fit fit;
  fit.priors = exact_priors(learn_activations, learn_noise);
  fit.rows = random_rows(rows, columns, 3, 17);
  fit.weights = random_weights(rows, 19);
  fit.data = data_of(fit.rows, fit.weights);
  fit.model = make_model(exact_options(learn_activations, learn_noise));
  fit.model->initialize(*fit.data, 5);
  fit.work = fit.model->begin_fit(fit.data.get(), fit.data->rows());
  return fit;
}

inline void local_step(Fit& fit, const vtemper::LocalTemperature& temperature) {
  vtemper::LocalSettings settings;
  settings.bound = true;
  settings.remember = true;
  fit.sums = fit.work->local_step({fit.data.get(), nullptr, 0, fit.data->rows()}, temperature, settings);
  const double* nu = static_cast<vtemper::FitOf<vtemper::FactorialMixture, vtemper::FactorialWork>&>(*fit.work)
                         .work()
                         .remembered.next();
  fit.nu.clear();
  for (size_t n = 0; n < fit.rows.size(); ++n) fit.nu.emplace_back(nu + 3 * n, nu + 3 * (n + 1));
}

/// f'(x) by Richardson extrapolation of central differences; the error is of sixth order in the step.
template <class Function>
Number derivative(const Function& f, Number x, Number step) {
  const auto central = [&](Number h) { return (f(x + h) - f(x - h)) / (2 * h); };
  const Number a = central(step), b = central(step / 2), c = central(step / 4);
  const Number ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
  return (16 * bc - ab) / 15;
}

}  // namespace factorial_fixtures
