#pragma once
// The axes of the extremes matrix: small rows and what is done to them, weights, values of options at the limits of
// their ranges, and values of parameters at which a fit starts.

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "models/contract/hostile_use.h"
#include "support/random.h"

namespace extreme_cases {

using contract::Fixture;
using vtemper::Texts;
using vtemper::test::Random;

constexpr double smallest = 5e-324;  ///< subnormal
constexpr double largest = DBL_MAX;

/// Draws replace the fixed numbers of the tables from the second round on (VTEMPER_TORTURE).
struct Round {
  int64_t number = 0;  ///< 0: the fixed numbers
  Random random{0};
};

/// `fixed`, or in further rounds a number of the same sign between `smallest` and `largest`, as likely in each
/// decade.
inline double number_of(double fixed, Round& round) {
  if (round.number == 0 || fixed == 0 || !std::isfinite(fixed)) return fixed;
  return std::copysign(std::pow(10.0, -323 + 631 * round.random.uniform()), fixed);
}

/// All failures are reported, with the name of the case.
inline void check(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s: %s\n", vtemper::test::running_case, what.c_str());
  ++contract::failures;
}

/// The call must not be refused.
inline void must(vtemper_status status, const std::string& what) {
  check(status == VTEMPER_OK, what + ": " + vtemper_last_error());
}

// ---- Rows ----

struct Cell {
  int64_t column;
  double value;
};

/// Rows of any form: counts, dense rows with every column, or symbols of sequences, whose values are 1.
struct Rows {
  vtemper_data_form form = VTEMPER_DENSE;
  int64_t columns = 0;
  std::vector<std::vector<Cell>> rows;
};

/// The first rows of the fixture's data.
inline Rows first_rows(const Fixture& fixture, int64_t count) {
  vtemper_data* data = contract::handle_of(fixture.data());
  Rows table;
  bool read = vtemper_data_form_of(data, &table.form) == VTEMPER_OK &&
              vtemper_data_columns(data, &table.columns) == VTEMPER_OK;
  for (int64_t row = 0; read && row < count; ++row) {
    int64_t columns[64];
    double values[64];
    int64_t length = 0;
    read = vtemper_data_row(data, row, columns, values, 64, &length) == VTEMPER_OK;
    table.rows.emplace_back();
    for (int64_t i = 0; i < length; ++i) table.rows.back().push_back({columns[i], values[i]});
  }
  check(read, "a fixture cannot be read");
  vtemper_data_destroy(data);
  return table;
}

inline vtemper_status make_data(const Rows& table, vtemper_data** data) {
  const auto count = static_cast<int64_t>(table.rows.size());
  std::vector<int64_t> offsets = {0}, columns;
  std::vector<double> values;
  for (const std::vector<Cell>& row : table.rows) {
    for (const Cell& cell : row) {
      columns.push_back(cell.column);
      values.push_back(cell.value);
    }
    offsets.push_back(static_cast<int64_t>(columns.size()));
  }
  if (table.form == VTEMPER_DENSE) {
    return vtemper_data_from_dense(count, table.columns, values.data(), VTEMPER_DOUBLE, table.columns, 1,
                                   VTEMPER_COPY, nullptr, nullptr, data);
  }
  if (table.form == VTEMPER_SEQUENCES) {
    return vtemper_data_from_sequences(count, table.columns, offsets.data(), VTEMPER_INT64, columns.data(),
                                       VTEMPER_INT64, 0, VTEMPER_COPY, nullptr, nullptr, data);
  }
  return vtemper_data_from_counts(VTEMPER_BY_ROWS, count, table.columns, offsets.data(), VTEMPER_INT64,
                                  columns.data(), VTEMPER_INT64, values.data(), VTEMPER_DOUBLE, 0, VTEMPER_COPY,
                                  nullptr, nullptr, data);
}

/// Takes all entries of a row: of dense rows, all values are missing.
inline void empty_row(const Rows& table, std::vector<Cell>& row) {
  if (table.form != VTEMPER_DENSE) return row.clear();
  for (Cell& cell : row) cell.value = std::nan("");
}

inline void keep_columns(Rows& table, int64_t columns) {
  table.columns = columns;
  for (std::vector<Cell>& row : table.rows) {
    const auto is_beyond = [&](const Cell& cell) { return cell.column >= columns; };
    row.erase(std::remove_if(row.begin(), row.end(), is_beyond), row.end());
  }
}

/// What is done to rows. Values of sequences cannot be changed, as they are symbols.
enum class Change { none, rows, columns, empty, all_empty, one_cell, repeat, equal, times, one_value, one_column };

struct Shape {
  const char* name;
  Change change;
  double number;  ///< of rows, columns or repetitions that remain, or the value
};

inline const Shape shapes[] = {
    {"usual rows", Change::none, 0},
    {"no rows", Change::rows, 0},
    {"one row", Change::rows, 1},
    {"fewer rows than components", Change::rows, 2},
    {"one column", Change::columns, 1},
    {"two columns", Change::columns, 2},
    {"an empty row", Change::empty, 0},
    {"all rows empty", Change::all_empty, 0},
    {"a single entry", Change::one_cell, 0},
    {"long rows", Change::repeat, 60},
    {"all equal", Change::equal, 1},
    {"all zero", Change::equal, 0},
    {"all subnormal", Change::equal, smallest},
    {"all 1e300", Change::equal, 1e300},
    {"all of the largest number", Change::equal, largest},
    {"subnormal values", Change::times, smallest},
    {"values times 1e-300", Change::times, 1e-300},
    {"values times 1e38", Change::times, 1e38},
    {"values times 1e300", Change::times, 1e300},
    {"one subnormal value", Change::one_value, smallest},
    {"one value 1e38", Change::one_value, 1e38},
    {"one value 1e300", Change::one_value, 1e300},
    {"one value -1e300", Change::one_value, -1e300},
    {"one column of 1e300", Change::one_column, 1e300},
    {"one column of 1", Change::one_column, 1},
};

/// False if the rows' form has no such change.
inline bool apply(const Shape& shape, Rows& table, Round& round) {
  const bool symbols = table.form == VTEMPER_SEQUENCES;
  if (shape.change == Change::repeat && !symbols) return false;
  if (shape.change > Change::equal && symbols) return false;
  const double number = shape.change < Change::equal ? shape.number : number_of(shape.number, round);
  const auto whole = static_cast<int64_t>(shape.change < Change::equal ? shape.number : 0);
  if (shape.change == Change::rows) table.rows.resize(static_cast<size_t>(whole));
  if (shape.change == Change::columns) keep_columns(table, whole);
  if (shape.change == Change::empty) empty_row(table, table.rows[0]);
  bool first = true;
  for (std::vector<Cell>& row : table.rows) {
    if (shape.change == Change::all_empty || (shape.change == Change::one_cell && !first)) empty_row(table, row);
    if (shape.change == Change::one_cell && first && table.form != VTEMPER_DENSE) row.resize(1);
    for (int64_t i = 1; shape.change == Change::repeat && !row.empty() && i < whole; ++i)
      row.push_back(row[static_cast<size_t>(i - 1)]);
    for (Cell& cell : row) {
      if (shape.change == Change::equal && symbols) cell.column = 0;
      if (shape.change == Change::equal && !symbols) cell.value = number;
      if (shape.change == Change::times) cell.value *= number;
      if (shape.change == Change::one_column && cell.column == 0) cell.value = number;
      if (shape.change == Change::one_value && first) cell.value = number;
      if (shape.change == Change::one_cell && first && cell.column > 0 && !symbols) cell.value = std::nan("");
      first = false;
    }
  }
  return true;
}

struct Weights {
  const char* name;
  double all;
  double one;  ///< of the second row
};

inline const Weights weights[] = {
    {"without weights", -1, -1},
    {"weights 5e-324", smallest, smallest},
    {"weights 1e100", 1e100, 1e100},
    {"weights 1.7e308", 1.7e308, 1.7e308},
    {"weights 0", 0, 0},
    {"one row has a weight", 0, 1},
    {"one weight is 1e30", 1, 1e30},
};

inline vtemper_status set_weights(const Weights& chosen, vtemper_data* data, int64_t rows, Round& round) {
  if (chosen.all < 0) return VTEMPER_OK;
  std::vector<double> values(static_cast<size_t>(rows), number_of(chosen.all, round));
  if (rows > 0) values[rows > 1 ? 1 : 0] = number_of(chosen.one, round);
  return vtemper_data_set_weights(data, values.data(), rows);
}

// ---- Options ----

inline std::vector<vtemper_option> options_of_subject(const char* subject) {
  std::vector<vtemper_option> all;
  int32_t count = 0;
  must(vtemper_option_count(subject, &count), "no options");
  for (int32_t i = 0; i < count; ++i) {
    vtemper_option option{};
    option.struct_size = sizeof option;
    must(vtemper_option_info(subject, i, &option), "no option");
    all.push_back(option);
  }
  return all;
}

inline std::vector<std::string> words_of(const std::string& choices) {
  std::vector<std::string> words(1);
  for (const char letter : choices) {
    if (letter == ' ') {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  return words;
}

/// The largest value that a test can have where the end of the range means gigabytes, thousands of threads, or hours
/// within one step; otherwise the end of the range.
inline double largest_value(const vtemper_option& option) {
  static const std::pair<const char*, double> moderate[] = {{"components", 30},
                                                            {"topics", 30},
                                                            {"states", 30},
                                                            {"latent", 30},
                                                            {"layers", 30},
                                                            {"hidden", 30},
                                                            {"restarts", 4},
                                                            {"threads", 3},
                                                            {"samples", 60},
                                                            {"local_iterations", 1000},
                                                            {"partition_samples", 300},
                                                            {"temperature_grid_size", 100},
                                                            {"proximity_inner_steps", 20}};
  for (const auto& [name, value] : moderate) {
    if (std::string(name) == option.name) return value;
  }
  return option.maximum;
}

inline std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Between the limits; as likely in each decade where both are positive.
inline double value_between(double low, double high, Random& random) {
  if (low > 0) return std::clamp(random.between(low, high), low, high);
  if (random.uniform() < 0.5) return std::clamp(std::pow(10.0, -323 + 631 * random.uniform()), low, high);
  return low + (high - low) * random.uniform();
}

/// Limits of the range; for reals also the next value above the lower one and some in the wide middle; every choice.
inline std::vector<std::string> values_of(const vtemper_option& option, Round& round) {
  if (option.type == VTEMPER_OPTION_CHOICE) return words_of(option.choices);
  if (option.type == VTEMPER_OPTION_BOOLEAN) return {"true", "false"};
  if (option.type == VTEMPER_OPTION_TEXT) return {};
  const double low = option.minimum, high = largest_value(option);
  std::vector<double> values = {low, high};
  if (option.type == VTEMPER_OPTION_INTEGER) {
    values.push_back(std::min(low + 1, high));
  } else {
    values.push_back(std::clamp(smallest, std::nextafter(low, high), high));
    values.push_back(low + (high - low) / 3);
    if (low < 0) values.push_back(0);
    if (high > 1e6) {
      const double middle = low > 0 ? std::sqrt(low) * std::sqrt(high) : std::sqrt(high);
      values.push_back(middle);
      values.push_back(std::cbrt(middle) * std::cbrt(high) * std::cbrt(high));
    }
  }
  std::vector<std::string> texts;
  for (const double value : values) {
    double used = round.number == 0 ? value : value_between(low, high, round.random);
    if (option.type == VTEMPER_OPTION_INTEGER) used = std::floor(used);
    texts.push_back(text_of(used));
  }
  if (option.type == VTEMPER_OPTION_REALS) {
    texts.push_back(texts[0] + "," + texts[1] + "," + texts[1]);
    texts.push_back(texts[0] + ",1");
  }
  return texts;
}

/// Options without which an option would have no effect, by the beginning of its name.
struct Companions {
  const char* beginning;
  Texts of_model, of_run;
};

inline const std::vector<Companions>& all_companions() {
  static const std::vector<Companions> all = {
      {"adam_", {}, {{"step_size", "adam"}}},
      {"rmsprop_", {}, {{"step_size", "rmsprop"}}},
      {"step_size_metric", {}, {{"step_size", "adaptive"}, {"batch_size", "4"}}},
      {"step_size_initial", {}, {{"step_size", "adaptive"}, {"batch_size", "4"}}},
      {"step_size_max", {}, {{"step_size", "adaptive"}, {"step_size_initial_steps", "1"}, {"batch_size", "4"}}},
      {"step_size_rate", {}, {{"step_size", "constant"}, {"batch_size", "4"}}},
      {"step_size_delay", {}, {{"step_size", "robbins_monro"}, {"batch_size", "4"}}},
      {"step_size_power", {}, {{"step_size", "robbins_monro"}, {"batch_size", "4"}}},
      {"perturbation_", {}, {{"perturbation", "stochastic"}}},
      {"temperature_reheat", {}, {{"temperature_coolings", "2"}}},
      {"partition_samples", {}, {{"temperature_normalizer", "monte_carlo"}}},
      {"noise_prior_rows", {{"learn_noise_variance", "true"}}, {}},
      {"activation_prior_rows", {{"learn_activation_probability", "true"}}, {}},
      {"initial_weight", {{"initialization", "constant"}}, {}},
      {"initial_probability", {{"initialization", "constant"}}, {}},
      {"alpha_min", {{"learn_alpha", "true"}}, {}},
      {"learn_eta", {{"topic_posterior", "dirichlet"}}, {}},
      {"orthogonality", {}, {{"proximity", "orthogonal"}}},
  };
  return all;
}

// ---- Starts ----

/// What is written over an array: every element, or the first, or a multiple of all, or the mean of all.
enum class Write { all, first, times, mean };

struct Start {
  const char* name;
  Write write;
  double number;
};

inline const Start starts[] = {
    {"all 0", Write::all, 0},
    {"all subnormal", Write::all, smallest},
    {"all 1e300", Write::all, 1e300},
    {"all -1e300", Write::all, -1e300},
    {"all NaN", Write::all, NAN},
    {"all infinite", Write::all, INFINITY},
    {"all 1", Write::all, 1},
    {"all equal", Write::mean, 0},
    {"first 0", Write::first, 0},
    {"first subnormal", Write::first, smallest},
    {"first 1e300", Write::first, 1e300},
    {"first NaN", Write::first, NAN},
    {"times 1e-300", Write::times, 1e-300},
    {"times 1e-8", Write::times, 1e-8},
    {"times 1e30", Write::times, 1e30},
    {"times -1", Write::times, -1},
};

inline void apply(const Start& start, std::vector<double>& values, Round& round) {
  if (values.empty()) return;
  const double number = number_of(start.number, round);
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  if (start.write == Write::first) values[0] = number;
  for (double& value : values) {
    if (start.write == Write::all) value = number;
    if (start.write == Write::times) value *= number;
    if (start.write == Write::mean) value = mean;
  }
}

}  // namespace extreme_cases
