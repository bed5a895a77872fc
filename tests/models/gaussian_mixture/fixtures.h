#pragma once
// Small dense problems for the tests of the Gaussian mixture, the same on every machine.

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "inference/optimizer.h"
#include "models/conjugate_model.h"
#include "models/gaussian_mixture/gaussian_mixture.h"
#include "support/check.h"
#include "support/cmocka.h"
#include "support/error.h"
#include "support/option_texts.h"
#include "support/random.h"

namespace fixtures {

using namespace vtemper;
using vtemper::test::Random;
using Vector = std::vector<double>;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// Rows around `clusters` centres; a share of the values is missing.
inline Vector random_rows(int64_t rows, int64_t columns, int64_t clusters, uint64_t seed, double missing = 0) {
  Random random(seed);
  Vector centres(static_cast<size_t>(clusters * columns));
  for (double& value : centres) value = 3 * random.normal();
  Vector values;
  for (int64_t i = 0; i < rows; ++i) {
    const auto cluster = static_cast<size_t>(random.uniform() * static_cast<double>(clusters));
    double last = 0;
    for (int64_t j = 0; j < columns; ++j) {
      last = 0.5 * last + random.normal();
      const double value = centres[cluster * static_cast<size_t>(columns) + static_cast<size_t>(j)] + last;
      values.push_back(random.uniform() < missing ? absent : value);
    }
  }
  return values;
}

inline std::shared_ptr<Data> data_of(const Vector& values, int64_t columns, const Vector& weights = {}) {
  Dense dense;
  dense.rows = static_cast<int64_t>(values.size()) / columns;
  dense.columns = columns;
  dense.values = typed_array(values.data());
  dense.row_stride = columns;
  dense.column_stride = 1;
  const std::shared_ptr<Data> data = data_from_dense(dense, true);
  if (!weights.empty()) data_set_weights(*data, weights);
  return data;
}

inline Vector random_weights(int64_t rows, uint64_t seed) {
  Random random(seed);
  Vector weights(static_cast<size_t>(rows));
  for (double& weight : weights) weight = 0.25 + 2 * random.uniform();
  return weights;
}

inline std::shared_ptr<ConjugateModel> make_model(const Texts& texts) {
  const OptionValues values(gaussian_mixture_kind.options(), options_of(texts), "gaussian_mixture");
  return as_conjugate(gaussian_mixture_kind.create(values));
}

inline std::shared_ptr<ConjugateModel> make_model(const Texts& texts, const Data& data, uint64_t seed = 3) {
  const std::shared_ptr<ConjugateModel> model = make_model(texts);
  model->initialize(data, seed);
  return model;
}

inline Vector parameter(const Model& model, const std::string& name) {
  for (const Quantity& quantity : model.parameters()) {
    if (name != quantity.name) continue;
    Vector values(static_cast<size_t>(quantity.size()));
    const int64_t columns = quantity.shape.size() > 1 ? quantity.shape.back() : 1;
    model.read_parameter(name, {values.data(), columns, 1});
    return values;
  }
  assert_true(false);
  return {};
}

inline Vector everything(const Model& model) {
  Vector all;
  for (const Quantity& quantity : model.parameters()) {
    const Vector values = parameter(model, quantity.name);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

inline Batch all_of(const Data& data) {
  return {&data, nullptr, 0, data.rows()};
}

inline LocalSettings with_bound() {
  LocalSettings settings;
  settings.bound = true;
  return settings;
}

/// T of the likelihood and, with `entropy`, of the entropies.
inline LocalTemperature at(double temperature, bool entropy = false) {
  LocalTemperature result;
  result.inverse = 1 / temperature;
  if (entropy) result.prior.inverse = 1 / temperature;
  return result;
}

}  // namespace fixtures
