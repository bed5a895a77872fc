#pragma once
// Small data and options for every kind of model. A kind that is registered and not here fails the suite: add a line.

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "models/conjugate_model.h"
#include "models/gradient_model.h"
#include "unit/cmocka.h"
#include "unit/random.h"

namespace contract {

using namespace vtemper;
using Texts = std::map<std::string, std::string>;

using vtemper::test::Random;

/// Documents of three themes; row 5 is empty.
inline DataPointer counts() {
  constexpr int64_t rows = 45, columns = 12;
  Random random(7);
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; row != 5 && column < columns; ++column) {
      const double chance = column % 3 == row % 3 ? 0.8 : 0.15;
      if (random.uniform() >= chance) continue;
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

/// Rows around three centres; where `missing`, some values are missing and row 5 has none.
inline DataPointer dense_rows(bool missing) {
  constexpr int64_t rows = 45, columns = 4;
  Random random(9);
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const double value = 2 * static_cast<double>(row % 3) * (column % 2 == 0 ? 1 : -1) + random.normal();
      const bool is_missing = random.uniform() < 0.1 || row == 5;
      values.push_back(missing && is_missing ? std::nan("") : value);
    }
  }
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = typed_array(values.data());
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

inline DataPointer complete_rows() {
  return dense_rows(false);
}
inline DataPointer rows_with_missing_values() {
  return dense_rows(true);
}

/// Sequences of 3 to 11 symbols that mostly go up by one; row 5 is empty.
inline DataPointer sequences() {
  constexpr int64_t rows = 45, columns = 6;
  Random random(13);
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> symbols;
  for (int64_t row = 0; row < rows; ++row) {
    int32_t symbol = static_cast<int32_t>(row % columns);
    for (int64_t i = 0; row != 5 && i < 3 + row % 9; ++i) {
      symbols.push_back(symbol);
      symbol = random.uniform() < 0.7 ? (symbol + 1) % columns : static_cast<int32_t>(columns * random.uniform());
    }
    offsets.push_back(static_cast<int64_t>(symbols.size()));
  }
  SequenceArrays arrays;
  arrays.rows = rows;
  arrays.columns = columns;
  arrays.offsets = typed_array(offsets.data());
  arrays.symbols = typed_array(symbols.data());
  return data_from_sequences(arrays, nullptr);
}

/// Rows of 0 and 1 in three patterns.
inline DataPointer binary_rows() {
  constexpr int64_t rows = 45, columns = 8;
  Random random(11);
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      values.push_back(random.uniform() < (column % 3 == row % 3 ? 0.9 : 0.1) ? 1 : 0);
    }
  }
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = typed_array(values.data());
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

struct Fixture {
  const char* kind;
  Texts options;  ///< of the model, computing in double
  DataPointer (*data)();
};

inline const std::vector<Fixture>& fixtures() {
  static const std::vector<Fixture> all = {
      {"lda", {{"topics", "3"}, {"precision", "double"}}, counts},
      {"lda", {{"topics", "3"}, {"precision", "double"}, {"topic_posterior", "dirichlet"}}, counts},
      {"gaussian_mixture", {{"components", "3"}}, complete_rows},
      {"gaussian_mixture", {{"components", "3"}, {"covariance", "independent"}}, complete_rows},
      {"gaussian_mixture", {{"components", "4"}}, rows_with_missing_values},
      {"hidden_markov", {{"states", "3"}}, sequences},
      {"factorial_mixture", {{"components", "3"}}, complete_rows},
      {"factorial_mixture",
       {{"components", "3"}, {"learn_activation_probability", "true"}, {"learn_noise_variance", "true"}},
       complete_rows},
      {"factorial_mixture", {{"components", "3"}, {"updates", "gradient"}}, complete_rows},
      {"sigmoid_belief_network", {{"layers", "5"}, {"precision", "double"}}, binary_rows},
      {"sigmoid_belief_network", {{"layers", "4,3"}, {"objective", "multi_sample"}}, binary_rows},
      {"variational_autoencoder", {{"latent", "3"}, {"hidden", "6,5"}, {"precision", "double"}}, binary_rows},
      {"variational_autoencoder",
       {{"latent", "2"}, {"hidden", "5"}, {"likelihood", "gaussian"}, {"samples", "3"}, {"bound", "sampled"}},
       complete_rows},
      {"deep_exponential_family",
       {{"latent", "3"}, {"samples", "8"}, {"local_iterations", "50"}, {"precision", "double"}},
       counts},
      {"deep_exponential_family",
       {{"latent", "3"}, {"samples", "8"}, {"control_variate", "leave_one_out"}, {"local_iterations", "50"}},
       counts},
  };
  return all;
}

}  // namespace contract
