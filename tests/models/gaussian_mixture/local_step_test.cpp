// The local step against plain formulas, rows with missing values against quadrature, statistics against sums over
// the rows.

#include "models/gaussian_mixture/plain_mixture.h"

using namespace fixtures;

namespace {

constexpr double exact = 1e-10;

struct Problem {
  int64_t columns, components;
  bool independent;
  Vector values, weights;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
  plain::PlainMixture mixture;

  Problem(int64_t rows, int64_t columns_, int64_t components_, bool independent_, uint64_t seed, int steps = 2)
      : columns(columns_), components(components_), independent(independent_) {
    values = random_rows(rows, columns, components, seed);
    weights = random_weights(rows, seed + 1);
    data = data_of(values, columns, weights);
    model = make_model({{"components", std::to_string(components)},
                        {"covariance", independent ? "independent" : "normal_wishart"},
                        {"learn_priors", "false"}},
                       *data, seed);
    const auto work = model->begin_fit(data.get(), data->rows());
    for (int i = 0; i < steps; ++i) {
      work->local_step(all_of(*data), {}, {});
      work->whole_step({});
    }
    mixture = plain::plain_of(
        *model, plain::default_prior(values, static_cast<size_t>(columns), weights, static_cast<size_t>(components)),
        independent);
  }
  Vector row(size_t i) const {
    const long n = static_cast<long>(columns);
    return {values.begin() + static_cast<long>(i) * n, values.begin() + static_cast<long>(i + 1) * n};
  }
};

/// phi, L and F of one complete row at s.
struct PlainRow {
  Vector phi;
  double likelihood = 0, bound = 0;
};

PlainRow solve(const plain::PlainMixture& mixture, const Vector& x, double s) {
  Vector scores;
  double largest = -INFINITY;
  for (size_t k = 0; k < mixture.components.size(); ++k) {
    scores.push_back(mixture.score(x, k));
    largest = std::max(largest, s * scores[k]);
  }
  double total = 0;
  for (const double score : scores) total += std::exp(s * score - largest);
  PlainRow row;
  row.bound = largest + std::log(total);
  for (const double score : scores) {
    row.phi.push_back(std::exp(s * score - row.bound));
    row.likelihood += row.phi.back() * score;
  }
  return row;
}

/// The statistics about the components' means, as the model writes them.
void add_statistics(const plain::PlainMixture& mixture, const Vector& x, const Vector& shares, Vector& out) {
  const size_t n = x.size();
  size_t place = 0;
  for (size_t k = 0; k < shares.size(); ++k) {
    Vector d = plain::difference(x, mixture.components[k].m);
    d.push_back(1);
    for (size_t i = 0; i <= n; ++i) {
      for (size_t j = 0; j <= i; ++j) out[place++] += shares[k] * d[i] * d[j];
    }
  }
}

void complete_rows(void**) {
  for (const bool independent : {false, true}) {
    for (const int64_t columns : {1, 2, 5, 17}) {
      const Problem problem(70 + 5 * columns, columns, 4, independent, 11 + static_cast<uint64_t>(columns));
      for (const double temperature : {1.0, 2.5}) {
        const auto work = problem.model->begin_fit(nullptr, 1);
        const LocalSums sums = work->local_step(all_of(*problem.data), at(temperature), with_bound());
        double likelihood = 0, bound = 0;
        Vector statistics(static_cast<size_t>(work->statistics_length()), 0.0);
        for (size_t i = 0; i < problem.weights.size(); ++i) {
          PlainRow row = solve(problem.mixture, problem.row(i), 1 / temperature);
          likelihood += problem.weights[i] * row.likelihood;
          bound += problem.weights[i] * row.bound;
          for (double& share : row.phi) share *= problem.weights[i] / temperature;
          add_statistics(problem.mixture, problem.row(i), row.phi, statistics);
        }
        check_close("likelihood", sums.expected_log_likelihood, likelihood, exact);
        check_close("bound", sums.bound, bound, exact);
        Vector written(statistics.size());
        work->write_statistics(written.data());
        check_close("statistics", written, statistics, exact);
        check_close("global bound", problem.model->global_bound({}), problem.mixture.global_bound(1), exact);
        check_close("tempered global bound", problem.model->global_bound({0.4, false}),
                    problem.mixture.global_bound(0.4), exact);
      }
    }
  }
}

/// One value of two is missing: what is integrated is integrated numerically, by the trapezoidal rule over a line
/// far beyond all components, which converges faster than any power of the step for Normals.
void missing_value_by_quadrature(void**) {
  for (const bool independent : {false, true}) {
    const Problem problem(60, 2, 3, independent, 5);
    for (const double temperature : {1.0, 3.0}) {
      for (const int64_t missing : {0, 1}) {
        const double s = 1 / temperature;
        Vector x = {1.25, -0.75};
        const double low = -80, high = 80;
        constexpr int points = 6400;
        const double step = (high - low) / points;
        // w_k = integral of exp(s e_k), first moments and so on; the largest score is taken out.
        Vector mass(3, 0.0);
        Vector statistics(static_cast<size_t>(problem.model->begin_fit(nullptr, 1)->statistics_length()), 0.0);
        double likelihood = 0;
        for (int pass = 0; pass < 2; ++pass) {
          double total = 0;
          for (const double value : mass) total += value;
          for (int i = 0; i <= points; ++i) {
            x[static_cast<size_t>(missing)] = low + step * i;
            Vector shares(3);
            for (size_t k = 0; k < 3; ++k) {
              const double score = problem.mixture.score(x, k);
              const double density = step * std::exp(s * score);
              if (pass == 0) mass[k] += density;
              shares[k] = density / total;
              if (pass == 1) likelihood += shares[k] * score;
              shares[k] *= 2 * s;  // the row's weight
            }
            if (pass == 1) add_statistics(problem.mixture, x, shares, statistics);
          }
        }
        const double bound = std::log(mass[0] + mass[1] + mass[2]);

        x[static_cast<size_t>(missing)] = absent;
        const auto data = data_of(x, 2, {2.0});
        const auto work = problem.model->begin_fit(nullptr, 1);
        const LocalSums sums = work->local_step(all_of(*data), at(temperature), with_bound());
        check_close("bound of a row with a missing value", sums.bound, 2 * bound, 1e-9);
        check_close("likelihood of a row with a missing value", sums.expected_log_likelihood, 2 * likelihood, 1e-9);
        Vector written(statistics.size());
        work->write_statistics(written.data());
        check_close("statistics of a row with a missing value", written, statistics, 1e-9);
        Vector phi(3);
        problem.model->infer(*data, "responsibilities",
                             OptionValues({{"threads", VTEMPER_OPTION_INTEGER, "1", 0, 9, "", ""}}, {}, "evaluate"),
                             {phi.data(), 3, 1});
        if (temperature == 1) {
          for (size_t k = 0; k < 3; ++k) check_close("phi", phi[k], mass[k] / std::exp(bound), 1e-9, 1);
        }
      }
    }
  }
}

/// With more columns, the conditional Normal of the missing values is computed with plain matrices.
void missing_values_by_matrices(void**) {
  const Problem problem(80, 5, 3, false, 8);
  const std::vector<std::vector<size_t>> patterns = {{1}, {0, 3}, {1, 2, 4}, {0, 1, 2, 3}, {0, 3}};
  const double s = 0.6;
  Vector values;
  Vector statistics(static_cast<size_t>(problem.model->begin_fit(nullptr, 1)->statistics_length()), 0.0);
  double bound = 0;
  for (size_t p = 0; p < patterns.size(); ++p) {
    const std::vector<size_t>& missing = patterns[p];
    Vector x = problem.row(p);
    std::vector<size_t> observed;
    for (size_t j = 0; j < 5; ++j) {
      if (std::find(missing.begin(), missing.end(), j) == missing.end()) observed.push_back(j);
    }
    Vector log_masses;
    std::vector<Vector> completed, covariances;
    const size_t m = missing.size();
    for (size_t k = 0; k < 3; ++k) {
      const plain::PlainComponent& c = problem.mixture.components[k];
      double unused = 0, log_determinant = 0;
      const Vector W = plain::inverse(c.V, 5, unused);
      Vector part(m * m);
      for (size_t a = 0; a < m; ++a) {
        for (size_t b = 0; b < m; ++b) part[a * m + b] = s * c.nu * W[missing[a] * 5 + missing[b]];
      }
      const Vector covariance = plain::inverse(part, m, log_determinant);
      Vector mean = x;
      for (size_t a = 0; a < m; ++a) {
        mean[missing[a]] = c.m[missing[a]];
        for (size_t b = 0; b < m; ++b) {
          for (const size_t o : observed) {
            mean[missing[a]] -= covariance[a * m + b] * s * c.nu * W[missing[b] * 5 + o] * (x[o] - c.m[o]);
          }
        }
      }
      log_masses.push_back(s * problem.mixture.score(mean, k) +
                           0.5 * (static_cast<double>(m) * std::log(2 * plain::pi) - log_determinant));
      completed.push_back(mean);
      covariances.push_back(covariance);
    }
    double total = 0;
    for (const double mass : log_masses) total += std::exp(mass - log_masses[0]);
    const double log_sum = log_masses[0] + std::log(total);
    bound += log_sum;
    for (size_t k = 0; k < 3; ++k) {
      Vector shares(3, 0.0);
      shares[k] = s * std::exp(log_masses[k] - log_sum);
      add_statistics(problem.mixture, completed[k], shares, statistics);
      const size_t begin = k * 21;  // of the component's triangle of 6 rows
      for (size_t a = 0; a < m; ++a) {
        for (size_t b = 0; b <= a; ++b) {
          statistics[begin + missing[a] * (missing[a] + 1) / 2 + missing[b]] += shares[k] * covariances[k][a * m + b];
        }
      }
    }
    for (const size_t j : missing) x[j] = absent;
    values.insert(values.end(), x.begin(), x.end());
  }
  const auto data = data_of(values, 5);
  const auto work = problem.model->begin_fit(data.get(), data->rows());
  LocalSettings settings = with_bound();
  const LocalSums sums = work->local_step(all_of(*data), at(1 / s), settings);
  check_close("bound", sums.bound, bound, exact);
  Vector written(statistics.size());
  work->write_statistics(written.data());
  check_close("statistics", written, statistics, exact);
}

void rows_without_values_say_nothing(void**) {
  const Problem problem(40, 3, 4, false, 2);
  const auto data = data_of({absent, absent, absent, 1, 2, 3, absent, absent, absent}, 3);
  const auto one = data_of({1, 2, 3}, 3);
  const auto work = problem.model->begin_fit(nullptr, 1), other = problem.model->begin_fit(nullptr, 1);
  const LocalSums sums = work->local_step(all_of(*data), at(2), with_bound());
  const LocalSums alone = other->local_step(all_of(*one), at(2), with_bound());
  assert_true(sums.empty_rows == 2 && sums.count == 3);
  assert_true(sums.bound == alone.bound && sums.expected_log_likelihood == alone.expected_log_likelihood);
  Vector a(static_cast<size_t>(work->statistics_length())), b(a.size());
  work->write_statistics(a.data());
  other->write_statistics(b.data());
  assert_true(same_bits(a, b));
}

/// The temperature of a row: 1/T is the mean over its posterior at the likelihood that the row has there, and the
/// bound is the optimum over that posterior.
void rows_with_temperatures_of_their_own(void**) {
  const Problem problem(50, 3, 3, false, 4);
  RowTemperature row;
  row.inverse = {0.3, 0.5, 0.8, 1};
  row.log_normalizer = {-2, -1.2, -0.5, 0};
  row.rounds = 500;
  LocalTemperature temperature;
  temperature.per_row = &row;
  Vector values = problem.values;
  values[4] = absent;
  for (size_t i : {size_t{0}, size_t{1}, size_t{7}}) {
    const Vector x(values.begin() + static_cast<long>(3 * i), values.begin() + static_cast<long>(3 * i + 3));
    const auto data = data_of(x, 3);
    const auto work = problem.model->begin_fit(nullptr, 1);
    const LocalSums sums = work->local_step(all_of(*data), temperature, with_bound());
    const double s = sums.inverse_temperature;
    check_close("inverse temperature", s, row.expected_inverse(sums.expected_log_likelihood, 1), 1e-3);
    const LocalSums fixed = work->local_step(all_of(*data), at(1 / s), with_bound());
    check_close("likelihood", sums.expected_log_likelihood, fixed.expected_log_likelihood, exact);
    check_close("bound", sums.bound,
                fixed.bound - s * fixed.expected_log_likelihood + row.log_evidence(sums.expected_log_likelihood, 1.0),
                exact);
  }
}

/// Halves add up; the bits depend neither on the number of threads nor on the order of the columns in memory.
void statistics_add_up(void**) {
  Vector values = random_rows(2500, 4, 3, 6, 0.05);
  const auto data = data_of(values, 4);
  const auto model = make_model({{"components", "5"}}, *data);
  const size_t length = static_cast<size_t>(model->begin_fit(nullptr, 1)->statistics_length());
  const auto statistics = [&](const Data& rows, const Batch& batch, int threads) {
    (void)rows;
    const auto work = model->begin_fit(nullptr, 1);
    LocalSettings settings = with_bound();
    settings.threads = threads;
    work->local_step(batch, {}, settings);
    Vector out(length);
    work->write_statistics(out.data());
    return out;
  };
  const Vector whole = statistics(*data, all_of(*data), 1);
  assert_true(same_bits(whole, statistics(*data, all_of(*data), 2)));
  assert_true(same_bits(whole, statistics(*data, all_of(*data), 5)));
  const Vector first = statistics(*data, {data.get(), nullptr, 0, 1111}, 1);
  const Vector second = statistics(*data, {data.get(), nullptr, 1111, 2500 - 1111}, 1);
  Vector sum(length);
  for (size_t i = 0; i < length; ++i) sum[i] = first[i] + second[i];
  check_close("sum of halves", sum, whole, 1e-12);

  Vector transposed(values.size());
  for (size_t i = 0; i < 2500; ++i) {
    for (size_t j = 0; j < 4; ++j) transposed[j * 2500 + i] = values[i * 4 + j];
  }
  Dense dense;
  dense.rows = 2500;
  dense.columns = 4;
  dense.values = typed_array(transposed.data());
  dense.row_stride = 1;
  dense.column_stride = 2500;
  const auto by_columns = data_from_dense(dense, false);
  assert_true(same_bits(whole, statistics(*by_columns, all_of(*by_columns), 1)));

  const auto work = model->begin_fit(nullptr, 1), again = model->begin_fit(nullptr, 1);
  work->read_statistics(whole.data());
  Vector out(length);
  work->write_statistics(out.data());
  assert_true(same_bits(whole, out));
}

/// Many rows of many columns are scored by bounds where that suffices, small batches never. Components are 0.1 to 10
/// standard deviations apart in a column, so that some are excluded after a part of the columns, some after all of
/// them, and some not at all; and some rows have missing values.
void bounded_scores(void**) {
  constexpr int64_t rows = 700, columns = 150, components = 5, small = 140;
  Vector values = random_rows(rows, columns, 1, 31);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t row = i / columns, column = i % columns;
    values[i] += std::pow(10.0, static_cast<double>(row % components) / 2 - 1) * (column > columns / 2 ? 1 : 0.1);
    if (row % 7 == 0 && column % 50 == row % 50) values[i] = absent;
  }
  const auto data = data_of(values, columns, random_weights(rows, 32));
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto model = make_model({{"components", std::to_string(components)}, {"covariance", covariance}}, *data);
    for (const double temperature : {1.0, 2.0, 50.0}) {
      const auto work = model->begin_fit(nullptr, 1);
      const auto length = static_cast<size_t>(work->statistics_length());
      Vector sum(length, 0.0), part(length), whole(length), of_two(length);
      double likelihood = 0, bound = 0;
      for (int64_t first = 0; first < rows; first += small) {
        const LocalSums sums = work->local_step({data.get(), nullptr, first, small}, at(temperature), with_bound());
        likelihood += sums.expected_log_likelihood;
        bound += sums.bound;
        work->write_statistics(part.data());
        for (size_t i = 0; i < length; ++i) sum[i] += part[i];
      }
      LocalSettings settings = with_bound();
      const LocalSums sums = work->local_step(all_of(*data), at(temperature), settings);
      work->write_statistics(whole.data());
      check_close("likelihood", sums.expected_log_likelihood, likelihood, 1e-13);
      check_close("bound", sums.bound, bound, 1e-13);
      check_close("statistics", whole, sum, 1e-13);
      settings.threads = 2;
      work->local_step(all_of(*data), at(temperature), settings);
      work->write_statistics(of_two.data());
      assert_true(same_bits(whole, of_two));
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(complete_rows),
      cmocka_unit_test(missing_value_by_quadrature),
      cmocka_unit_test(missing_values_by_matrices),
      cmocka_unit_test(rows_without_values_say_nothing),
      cmocka_unit_test(rows_with_temperatures_of_their_own),
      cmocka_unit_test(statistics_add_up),
      cmocka_unit_test(bounded_scores),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
