#pragma once
// Small data and options for every kind of model. A kind without a line here has its default options and data of its
// form. VTEMPER_CONTRACT_KIND in the environment restricts the suites to one kind.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/data.h"
#include "data/typed_array.h"
#include "models/conjugate_model.h"
#include "models/gradient_model.h"
#include "support/cmocka.h"
#include "support/dense.h"
#include "support/option_texts.h"
#include "support/random.h"

namespace contract {

using namespace vtemper;

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

/// Rows around three centres; if `missing`, some values are missing and row 5 has none.
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
  return test::dense_data(values, columns);
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

/// Rows of 0 and 1 in three patterns; if `missing`, some values are missing and row 5 has none.
inline DataPointer zeros_and_ones(bool missing) {
  constexpr int64_t rows = 45, columns = 8;
  Random random(11);
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const double value = random.uniform() < (column % 3 == row % 3 ? 0.9 : 0.1) ? 1 : 0;
      const bool is_missing = missing && (row == 5 || random.uniform() < 0.1);
      values.push_back(is_missing ? std::nan("") : value);
    }
  }
  return test::dense_data(values, columns);
}

inline DataPointer binary_rows() {
  return zeros_and_ones(false);
}
inline DataPointer binary_rows_with_missing_values() {
  return zeros_and_ones(true);
}

struct Fixture {
  const char* kind;
  Texts options;  ///< of the model, computing in double
  DataPointer (*data)();
};

inline std::vector<Fixture> listed_fixtures() {
  return {
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
      {"sigmoid_belief_network", {{"precision", "double"}}, binary_rows},
      {"sigmoid_belief_network", {{"layers", "4,3"}, {"objective", "multi_sample"}}, binary_rows},
      {"variational_autoencoder", {{"hidden", "6,5"}, {"precision", "double"}}, binary_rows},
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
}

/// The kind with its default options, except 3 components if it has such an option and double precision if it can
/// choose, on all data of its form that it accepts.
inline void add_default_fixtures(const ModelKind& kind, std::vector<Fixture>& all) {
  Texts options;
  for (const OptionEntry& entry : kind.options()) {
    if (entry.name == std::string("components")) options["components"] = "3";
    if (entry.name == std::string("precision")) options["precision"] = "double";
  }
  Options chosen;
  for (const auto& [name, text] : options) chosen.set(name, text);
  for (DataPointer (*const data)() :
       {counts, sequences, complete_rows, rows_with_missing_values, binary_rows, binary_rows_with_missing_values}) {
    if (data()->form() != kind.form) continue;
    try {
      kind.create(OptionValues(kind.options(), chosen, kind.name))->initialize(*data(), 1);
    } catch (const Error&) {
      continue;
    }
    all.push_back({kind.name, options, data});
  }
}

inline std::vector<Fixture> make_fixtures() {
  std::vector<Fixture> all = listed_fixtures();
  for (const ModelKind* kind : model_kinds()) {
    const auto is_of_kind = [&](const Fixture& fixture) { return std::string(fixture.kind) == kind->name; };
    if (std::none_of(all.begin(), all.end(), is_of_kind)) add_default_fixtures(*kind, all);
  }
  if (const char* only = std::getenv("VTEMPER_CONTRACT_KIND")) {
    const auto is_other = [&](const Fixture& fixture) { return std::string(fixture.kind) != only; };
    all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
  }
  return all;
}

/// The first listed kind that is fitted to data of this form, whatever VTEMPER_CONTRACT_KIND says.
inline const Fixture& fixture_of(vtemper_data_form form) {
  static const std::vector<Fixture> listed = listed_fixtures();
  const auto is_of_form = [&](const Fixture& fixture) { return model_kind(fixture.kind).form == form; };
  return *std::find_if(listed.begin(), listed.end(), is_of_form);
}

/// False if VTEMPER_CONTRACT_KIND restricts the suite to one kind: numbers of cases are then not checked.
inline bool all_kinds() {
  return std::getenv("VTEMPER_CONTRACT_KIND") == nullptr;
}

inline const std::vector<Fixture>& fixtures() {
  static const std::vector<Fixture> all = make_fixtures();
  return all;
}

}  // namespace contract
