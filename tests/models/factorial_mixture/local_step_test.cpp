// The local step against enumeration of all activations: its sums are the plain objective's, its activations a
// stationary point of it; statistics; rows with temperatures of their own; rows with missing values.

#include "support/factorial_mixture.h"
#include "support/refusal.h"
#include "support/row_scores.h"

using namespace factorial_fixtures;
using namespace vtemper;

namespace {

constexpr Number tolerance = 1e-10L;

void sums_are_those_of_the_plain_model(void**) {
  for (const bool learn : {false, true}) {
    for (const double s : {0.2, 0.5, 1.0}) {
      Fit fit = start(learn, learn);
      local_step(fit, at(s));
      const plain_factorial::State state = state_of(*fit.model);
      Number likelihood = 0, bound = 0, weight = 0;
      for (size_t n = 0; n < fit.rows.size(); ++n) {
        const Number l = plain_factorial::row_likelihood(fit.priors, state, fit.rows[n], fit.nu[n]);
        likelihood += fit.weights[n] * l;
        bound += fit.weights[n] * (s * l + plain_factorial::entropy(fit.nu[n]));
        weight += fit.weights[n];
      }
      check_close("expected log likelihood", fit.sums.expected_log_likelihood, likelihood, tolerance);
      check_close("bound of the rows", fit.sums.bound, bound, tolerance);
      check_close("weight of the rows", fit.sums.rows, weight, tolerance);
      check_close("inverse temperatures", fit.sums.inverse_temperature, s * weight, tolerance);
      assert_true(fit.sums.count == static_cast<double>(fit.rows.size()));
      for (const bool natural : {false, true}) {
        const PriorPower power = {s, natural};
        check_close("global bound", fit.model->global_bound(power),
                    plain_factorial::global_bound(fit.priors, state, s, natural), tolerance);
      }
    }
  }
}

void activations_are_stationary(void**) {
  for (const double s : {0.2, 0.5, 1.0}) {
    Fit fit = start(true, true);
    local_step(fit, at(s));
    const plain_factorial::State state = state_of(*fit.model);
    for (size_t n = 0; n < fit.rows.size(); ++n) {
      for (size_t k = 0; k < 3; ++k) {
        const auto value = [&](Number x) {
          Vector nu = fit.nu[n];
          nu[k] = 1 / (1 + (1 - nu[k]) / nu[k] * std::exp(-x));
          return s * plain_factorial::row_likelihood(fit.priors, state, fit.rows[n], nu) +
                 plain_factorial::entropy(nu);
        };
        check_close("gradient of a logit", derivative(value, 0, 0.02L), 0, 1e-8L, 1);
      }
    }
  }
}

void statistics_are_sums_over_the_rows(void**) {
  Fit fit = start(true, true, 150, 7);
  const double s = 0.4;
  local_step(fit, at(s));
  std::vector<double> statistics(static_cast<size_t>(fit.work->statistics_length()));
  fit.work->write_statistics(statistics.data());
  std::vector<Number> expected(statistics.size());
  for (size_t n = 0; n < fit.rows.size(); ++n) {
    const Number w = s * fit.weights[n];
    expected[0] += w;
    for (const Number x : fit.rows[n]) expected[1] += w * x * x;
    for (size_t k = 0; k < 3; ++k) {
      expected[2 + k] += w * fit.nu[n][k];
      for (size_t j = 0; j < 3; ++j) expected[5 + 3 * k + j] += w * fit.nu[n][k] * fit.nu[n][j];
      for (size_t d = 0; d < 7; ++d) expected[14 + 7 * k + d] += w * fit.nu[n][k] * fit.rows[n][d];
    }
  }
  for (size_t i = 0; i < expected.size(); ++i) check_close("statistics", statistics[i], expected[i], tolerance, 1);
}

/// Two halves, and any number of threads, give the same as the whole.
void statistics_add_up(void**) {
  Fit fit = start(false, false, 300, 6);
  const auto statistics = [&](int64_t first, int64_t count, int threads) {
    LocalSettings settings;
    settings.threads = threads;
    const std::unique_ptr<ConjugateFit> work = fit.model->begin_fit(nullptr, count);
    work->local_step({fit.data.get(), nullptr, first, count}, at(1), settings);
    std::vector<double> out(static_cast<size_t>(work->statistics_length()));
    work->write_statistics(out.data());
    return out;
  };
  const std::vector<double> whole = statistics(0, 300, 1);
  const std::vector<double> first = statistics(0, 130, 1);
  const std::vector<double> second = statistics(130, 170, 1);
  for (size_t i = 0; i < whole.size(); ++i)
    check_close("sum of halves", first[i] + second[i], whole[i], tolerance, 1);
  assert_true(same_bits(statistics(0, 300, 2), whole));
  assert_true(same_bits(statistics(0, 300, 5), whole));
}

/// A row's temperature is the mean of its posterior, and the bound that of the local tempering of the plain model.
void rows_have_temperatures_of_their_own(void**) {
  Fit fit = start(false, false);
  RowTemperature rows;
  for (int m = 0; m < 7; ++m) {
    rows.inverse.push_back(1.0 - 0.14 * m);
    rows.log_normalizer.push_back(fit.model->tempered_normalizer()->log_normalizer({}, rows.inverse.back(), 1, 1));
  }
  LocalTemperature temperature;
  temperature.per_row = &rows;
  for (int step = 0; step < 3; ++step) {
    local_step(fit, temperature);
    const plain_factorial::State state = state_of(*fit.model);
    const double* inverse =
        static_cast<FitOf<FactorialMixture, FactorialWork>&>(*fit.work).work().remembered_inverse.next();
    Number bound = 0;
    for (size_t n = 0; n < fit.rows.size(); ++n) {
      const Number l = plain_factorial::row_likelihood(fit.priors, state, fit.rows[n], fit.nu[n]);
      Number evidence = 0, mean = 0;
      for (size_t m = 0; m < 7; ++m) {
        const Number r = std::exp(rows.inverse[m] * l - rows.log_normalizer[m]) / 7;
        evidence += r;
        mean += r * rows.inverse[m];
      }
      check_close("a row's inverse temperature", inverse[n], mean / evidence, 1e-9L);
      bound += fit.weights[n] * (std::log(evidence) + plain_factorial::entropy(fit.nu[n]));
    }
    check_close("bound of local tempering", fit.sums.bound, bound, tolerance);
    fit.work->whole_step(GlobalStep{});
  }
}

/// A missing value has no influence on the row's posterior, which is that of the model without the column.
void missing_values_are_marginalised(void**) {
  Fit fit = start(false, false, 70, 5);
  const double nan = std::nan("");
  Matrix holes = fit.rows;
  for (size_t n = 0; n < holes.size(); ++n) {
    for (size_t d = 0; d < 5; ++d) {
      if (n % 4 != 0 && (n >> d & 1) != 0) holes[n][d] = nan;
    }
  }
  const std::shared_ptr<Data> data = data_of(holes);
  const OptionValues options({{"threads", VTEMPER_OPTION_INTEGER, "2", 0, 8, "", ""},
                              {"local_iterations", VTEMPER_OPTION_INTEGER, "auto", 1, 1e9, "", ""},
                              {"local_tolerance", VTEMPER_OPTION_REAL, "auto", 0, 1e12, "", ""}},
                             Options(), "the test");
  std::vector<double> nu(holes.size() * 3);
  fit.model->infer(*data, "activations", options, {nu.data(), 3, 1});
  const plain_factorial::State state = state_of(*fit.model);
  for (size_t n = 0; n < holes.size(); ++n) {
    const Vector row(nu.begin() + static_cast<int64_t>(3 * n), nu.begin() + static_cast<int64_t>(3 * n + 3));
    for (size_t k = 0; k < 3; ++k) {
      const auto value = [&](Number x) {
        Vector moved = row;
        moved[k] = 1 / (1 + (1 - row[k]) / row[k] * std::exp(-x));
        return plain_factorial::row_likelihood(fit.priors, state, holes[n], moved) + plain_factorial::entropy(moved);
      };
      check_close("gradient of a row with missing values", derivative(value, 0, 0.02L), 0, 1e-8L, 1);
    }
  }
  // Statistics are those of whole rows; the bound is not.
  LocalSettings settings;
  settings.bound = true;
  const Batch all = {data.get(), nullptr, 0, data->rows()};
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { fit.work->local_step(all, at(1), settings); }),
                  "row 1, column 0 is missing");
  settings.statistics = false;
  Number bound = 0;
  for (size_t n = 0; n < holes.size(); ++n) {
    const Vector row(nu.begin() + static_cast<int64_t>(3 * n), nu.begin() + static_cast<int64_t>(3 * n + 3));
    bound += plain_factorial::row_likelihood(fit.priors, state, holes[n], row) + plain_factorial::entropy(row);
  }
  check_close("bound of rows with missing values", fit.work->local_step(all, at(1), settings).bound, bound,
              tolerance);

  // Predictive: the first two moments of a value given the observed ones.
  Matrix others(holes.size(), Vector(5, nan));
  Number score = 0, count = 0;
  for (size_t n = 0; n < holes.size(); ++n) {
    for (size_t d = 0; d < 5; ++d) {
      if (!std::isnan(holes[n][d])) continue;
      others[n][d] = fit.rows[n][d];
      Number mean = 0, variance = 0.3L;
      for (size_t k = 0; k < 3; ++k) {
        const Number p = nu[3 * n + k], m = state.mean[k][d];
        mean += p * m;
        variance += p * state.variance[k] + p * (1 - p) * m * m;
      }
      const Number residual = others[n][d] - mean;
      score -= (std::log(2 * plain_factorial::pi_number * variance) + residual * residual / variance) / 2;
      count += 1;
    }
  }
  double tokens = 0;
  const std::shared_ptr<Data> heldout = data_of(others);
  check_close("predictive", test::score_of(*fit.model->predictive(), {*data, heldout.get()}, options, tokens), score,
              tolerance);
  assert_true(tokens == static_cast<double>(count));
}

/// Batches by index, strides and float values are read alike.
void any_layout_is_read_alike(void**) {
  const Fit fit = start(false, false, 80, 5);
  std::vector<float> values;
  for (const Vector& row : fit.rows) {
    for (const Number x : row) values.push_back(static_cast<float>(x));
  }
  std::vector<float> transposed(values.size());
  for (size_t i = 0; i < values.size(); ++i) transposed[i % 5 * 80 + i / 5] = values[i];
  std::vector<double> wide(values.begin(), values.end());
  const auto dense = [](const void* data, vtemper_element element, int64_t row_stride, int64_t column_stride) {
    Dense rows;
    rows.rows = 80;
    rows.columns = 5;
    rows.values = {data, element};
    rows.row_stride = row_stride;
    rows.column_stride = column_stride;
    return data_from_dense(rows, false);
  };
  std::vector<int64_t> index(80);
  for (size_t i = 0; i < 80; ++i) index[i] = static_cast<int64_t>(i);
  const auto statistics = [&](const Data& data, const int64_t* rows) {
    const std::unique_ptr<ConjugateFit> work = fit.model->begin_fit(&data, 80);
    work->local_step({&data, rows, 0, 80}, at(1), LocalSettings{});
    std::vector<double> out(static_cast<size_t>(work->statistics_length()));
    work->write_statistics(out.data());
    return out;
  };
  const std::vector<double> expected = statistics(*dense(wide.data(), VTEMPER_DOUBLE, 5, 1), nullptr);
  assert_true(same_bits(statistics(*dense(wide.data(), VTEMPER_DOUBLE, 5, 1), index.data()), expected));
  assert_true(same_bits(statistics(*dense(values.data(), VTEMPER_FLOAT, 5, 1), nullptr), expected));
  assert_true(same_bits(statistics(*dense(transposed.data(), VTEMPER_FLOAT, 1, 80), nullptr), expected));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_plain_model),
                              cmocka_unit_test(activations_are_stationary),
                              cmocka_unit_test(statistics_are_sums_over_the_rows),
                              cmocka_unit_test(statistics_add_up),
                              cmocka_unit_test(rows_have_temperatures_of_their_own),
                              cmocka_unit_test(missing_values_are_marginalised),
                              cmocka_unit_test(any_layout_is_read_alike)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
