#pragma once
// A slow plain deep exponential family for one document at a time, in double and over all words.

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "models/deep_exponential_family/poisson.h"
#include "models/deep_exponential_family/work.h"
#include "support/cmocka.h"
#include "support/option_texts.h"
#include "support/random.h"

namespace plain {

using Vector = std::vector<double>;
using Samples = std::vector<Vector>;  ///< [S][K] z

inline double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
inline double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
inline double log_poisson(double n, double rate) {
  return n * std::log(rate) - rate - std::lgamma(n + 1);
}

struct Family {
  size_t latent, columns;
  Vector weights;  ///< [V x K], as the model keeps them
  double prior_rate = 1, background = 1e-3;

  double rate(const Vector& z, size_t v) const {
    double sum = background;
    for (size_t k = 0; k < latent; ++k) sum += z[k] * softplus(weights[v * latent + k]);
    return sum;
  }
  double log_likelihood(const Vector& x, const Vector& z) const {
    double sum = 0;
    for (size_t v = 0; v < columns; ++v) sum += log_poisson(x[v], rate(z, v));
    return sum;
  }
  double log_prior(const Vector& z) const {
    double sum = 0;
    for (const double n : z) sum += log_poisson(n, prior_rate);
    return sum;
  }
  static double log_q(const Vector& z, const Vector& eta) {
    double sum = 0;
    for (size_t k = 0; k < z.size(); ++k) sum += log_poisson(z[k], softplus(eta[k]));
    return sum;
  }
  double objective(const Vector& x, const Samples& samples, const Vector& eta, double temperature) const {
    double sum = 0;
    for (const Vector& z : samples) sum += log_likelihood(x, z) + log_prior(z) - temperature * log_q(z, eta);
    return sum / static_cast<double>(samples.size());
  }

  /// The estimate of the gradient with respect to eta, from the definition of the control variates.
  Vector estimate(const Vector& x, const Samples& samples, const Vector& eta, double temperature,
                  bool round_robin) const {
    const size_t count = samples.size();
    Vector out(latent);
    for (size_t k = 0; k < latent; ++k) {
      Vector signal, score;
      for (const Vector& z : samples) {
        signal.push_back(log_likelihood(x, z) + log_poisson(z[k], prior_rate) -
                         temperature * log_poisson(z[k], softplus(eta[k])));
        score.push_back((z[k] / softplus(eta[k]) - 1) * sigmoid(eta[k]));
      }
      for (size_t s = 0; s < count; ++s) {
        double signals = 0, products = 0, scores = 0, others = 0;
        bool differ = false;
        const size_t any_other = s == 0 ? 1 : 0;
        for (size_t r = 0; r < count; ++r) {
          if (r == s) continue;
          others += 1;
          signals += signal[r];
          products += signal[r] * score[r];
          scores += score[r];
          differ = differ || samples[r][k] != samples[any_other][k];
        }
        double baseline = signals / others;
        if (round_robin && differ) {
          double covariance = 0, variance = 0;
          for (size_t r = 0; r < count; ++r) {
            if (r == s) continue;
            covariance += (signal[r] * score[r] - products / others) * (score[r] - scores / others);
            variance += (score[r] - scores / others) * (score[r] - scores / others);
          }
          baseline = covariance / variance;
        }
        out[k] += (signal[s] - baseline) * score[s] / static_cast<double>(count);
      }
    }
    return out;
  }
};

}  // namespace plain

namespace fixtures {

using namespace vtemper;
using plain::Family;
using plain::Samples;
using plain::Vector;
using vtemper::test::Random;

/// Documents of up to `columns` words; row 3 is empty.
inline DataPointer documents(int64_t rows, int64_t columns, uint64_t seed = 1) {
  Random random(seed);
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; row != 3 && column < columns; ++column) {
      if (random.uniform() > ((row + column) % 3 == 0 ? 0.9 : 0.3)) continue;
      indices.push_back(static_cast<int32_t>(column));
      values.push_back(1 + std::floor(4 * random.uniform()));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  CountsArrays arrays;
  arrays.rows = rows;
  arrays.columns = columns;
  arrays.offsets = typed_array(offsets.data());
  arrays.indices = typed_array(indices.data());
  arrays.values = typed_array(values.data());
  return data_from_counts(arrays, nullptr);
}

/// A family in double, initialised, its weights drawn at random within (-2, 1).
inline std::shared_ptr<GradientModel> family_of(Texts texts, const Data& data, uint64_t seed = 9) {
  texts.emplace("precision", "double");
  const ModelKind& kind = deep_exponential_family_kind;
  std::shared_ptr<Model> model = kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
  model->initialize(data, 3);
  auto family = std::dynamic_pointer_cast<GradientModel>(model);
  Random random(seed);
  const RealArray values = family->values();
  for (int64_t i = 0; i < values.length; ++i) values.set(i, 3 * random.uniform() - 2);
  return family;
}

inline Vector copy_of(const RealArray& array) {
  Vector out;
  for (int64_t i = 0; i < array.length; ++i) out.push_back(array.at(i));
  return out;
}

inline Family plain_of(GradientModel& model) {
  Family family;
  family.columns = static_cast<size_t>(model.columns());
  family.latent = static_cast<size_t>(model.latent_units());
  family.weights = copy_of(model.values());
  family.prior_rate = model.options().real("prior_rate");
  family.background = model.options().real("background_rate");
  return family;
}

inline Vector row_of(const Data& data, int64_t row) {
  Vector x(static_cast<size_t>(data.columns()));
  data.counts().visit_row(row, [&](int32_t column, double count) { x[static_cast<size_t>(column)] = count; });
  return x;
}

/// Posteriors of all rows at random.
inline void scatter(const RealArray& rows) {
  Random random(21);
  for (int64_t i = 0; i < rows.length; ++i) rows.set(i, 4 * random.uniform() - 2);
}

inline Vector posterior_of(const RealArray& rows, int64_t row, int64_t latent) {
  return copy_of(rows.part(row * latent, latent));
}

/// The samples that row i of a batch gets in a step.
inline Samples samples_of(const Vector& eta, const GradientSettings& settings, int64_t i, size_t count) {
  Samples samples(count, Vector(eta.size()));
  RandomStream random(settings.seed, Purpose::sample, settings.iteration, static_cast<uint64_t>(i));
  Vector drawn(count);
  for (size_t k = 0; k < eta.size(); ++k) {
    poisson_draws(plain::softplus(eta[k]), random, static_cast<int64_t>(count), drawn.data());
    for (size_t s = 0; s < count; ++s) samples[s][k] = drawn[s];
  }
  return samples;
}

inline void check_close(const char* what, const Vector& got, const Vector& expected, double tolerance) {
  assert_int_equal(got.size(), expected.size());
  double largest = 1;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::abs(got[i] - expected[i]) <= tolerance * largest) continue;
    print_error("%s: element %zu is %.17g, not %.17g\n", what, i, got[i], expected[i]);
    assert_true(false);
  }
}

}  // namespace fixtures
