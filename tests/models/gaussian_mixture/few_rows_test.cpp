// Priors of few rows: a wide one of very few, otherwise that of the covariance within clusters, whose strength is the
// maximum of a plain bound.

#include "models/gaussian_mixture/priors.h"

using namespace fixtures;

namespace {

/// The covariance that the README gives for at most 12 rows and N <= 4 D: correlations shrunk by the estimate of
/// Schaefer and Strimmer, at most as much as the data, and that of one of K clusters that share their volume.
Vector wide_prior(const Vector& values, size_t columns, size_t components) {
  const size_t rows = values.size() / columns;
  const double n = static_cast<double>(rows), d = static_cast<double>(columns);
  Vector mean(columns), covariance(columns * columns);
  for (size_t i = 0; i < values.size(); ++i) mean[i % columns] += values[i] / n;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < columns; ++i) {
      for (size_t j = 0; j < columns; ++j) {
        covariance[i * columns + j] +=
            (values[row * columns + i] - mean[i]) * (values[row * columns + j] - mean[j]) / n;
      }
    }
  }
  const auto squared_correlation = [&](size_t i, size_t j) {
    return std::pow(covariance[i * columns + j], 2) / (covariance[i * columns + i] * covariance[j * columns + j]);
  };
  double variances = 0, squares = 0;
  for (size_t i = 0; i < columns; ++i) {
    for (size_t j = 0; j < i; ++j) {
      variances += std::pow(1 - squared_correlation(i, j), 2) / (n - 1);
      squares += squared_correlation(i, j);
    }
  }
  const double kept = 1 - std::min(variances / squares, 1.0);
  const double share = std::min(d / n, 1.0) / std::pow(static_cast<double>(components), 2 / d);
  for (size_t i = 0; i < columns; ++i) {
    for (size_t j = 0; j < columns; ++j) covariance[i * columns + j] *= share * (i == j ? 1 : kept);
  }
  return covariance;
}

void very_few_rows_have_a_wider_prior_that_is_not_learned(void**) {
  constexpr int64_t columns = 4;
  for (const int64_t rows : {3, 12, 17}) {
    const Vector values = random_rows(rows, columns, 2, 31);
    const auto data = data_of(values, columns);
    const bool few = rows <= 4 * columns;
    const auto model = make_model({{"components", "2"}}, *data, 5);
    const Options used = model->used_options();
    assert_string_equal(used.find("learn_priors")->c_str(), few ? "false" : "true");
    const Vector wide = wide_prior(values, columns, 2), prior = parameter(*model, "covariance_prior");
    for (size_t i = 0; few && i < wide.size(); ++i) check_close("covariance_prior", prior[i], wide[i], 1e-12, 1);
    const Vector before = prior_of(*model);
    const auto work = model->begin_fit(data.get(), rows);
    for (int i = 0; i < 3; ++i) {
      work->local_step(all_of(*data), {}, {});
      work->whole_step({});
    }
    assert_true((prior_of(*model) == before) == few);
    const std::shared_ptr<ConjugateModel> loaded = from_file(*model);
    assert_true(same_bits(prior_of(*loaded), prior_of(*model)));
    assert_string_equal(loaded->used_options().find("learn_priors")->c_str(), few ? "false" : "true");
  }
  // Unless that is asked for.
  const auto data = data_of(random_rows(12, columns, 2, 31), columns);
  const auto asked = make_model({{"components", "2"}, {"learn_priors", "true"}}, *data, 5);
  assert_string_equal(asked->used_options().find("learn_priors")->c_str(), "true");
}

constexpr size_t count = 3, columns_within = 8;

/// Rows around three points far apart, row i around point i % 3.
Vector three_clusters(size_t rows, uint64_t seed) {
  fixtures::Random random(seed);
  Vector values;
  for (size_t i = 0; i < rows; ++i) {
    double last = 0;
    for (size_t j = 0; j < columns_within; ++j) {
      last = 0.7 * last + random.normal();
      values.push_back(last + (j % count == i % count ? 40 : 0));
    }
  }
  return values;
}

/// (S + K C) / N with S the products of differences from the mean of the row's cluster and C the prior's covariance
/// of all rows; correlations shrunk by those of S / (N - K).
Vector within(const Vector& values) {
  const size_t n = columns_within, rows = values.size() / n;
  Vector means(count * n, 0.0), S(n * n, 0.0);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t cluster = i / n % count;
    means[cluster * n + i % n] += values[i] / static_cast<double>((rows - cluster + count - 1) / count);
  }
  for (size_t row = 0; row < rows; ++row) {
    const auto difference = [&](size_t j) { return values[row * n + j] - means[row % count * n + j]; };
    for (size_t i = 0; i < n * n; ++i) S[i] += difference(i / n) * difference(i % n);
  }
  double squares = 0, variances = 0;
  for (size_t i = 0; i < n * n; ++i) {
    if (i / n <= i % n) continue;
    const double squared = S[i] * S[i] / (S[i / n * (n + 1)] * S[i % n * (n + 1)]);
    squares += squared;
    variances += (1 - squared) * (1 - squared);
  }
  const double kept = 1 - std::min(variances / (static_cast<double>(rows - count) * squares), 1.0);
  Vector all = wide_prior(values, n, 1);  // times min(1, D / N), which is D / N here
  Vector result(n * n);
  for (size_t i = 0; i < n * n; ++i) {
    const double of_all = all[i] * static_cast<double>(rows) / static_cast<double>(n);
    result[i] = (S[i] + count * of_all) / static_cast<double>(rows) * (i / n == i % n ? 1 : kept);
  }
  return result;
}

std::shared_ptr<ConjugateModel> fitted(const Vector& values, const std::shared_ptr<Data>& data,
                                       const char* covariance, double temperature, int steps) {
  const auto model = make_model({{"components", "3"}, {"covariance", covariance}}, *data, 5);
  const auto work = model->begin_fit(data.get(), data->rows());
  double last = -INFINITY;
  for (int t = 0; t < steps; ++t) {
    const double objective =
        work->local_step(all_of(*data), at(temperature), with_bound()).bound + model->global_bound({});
    assert_true(std::isfinite(objective));
    assert_true(last - objective <= 1e-10 * std::abs(objective));
    last = objective;
    work->whole_step({});
  }
  assert_int_equal(values.size(), static_cast<size_t>(data->rows() * data->columns()));
  return model;
}

void the_start_is_the_covariance_within_clusters(void**) {
  const Vector values = three_clusters(20, 4), C = within(values);
  const auto data = data_of(values, columns_within);
  const auto model = make_model({{"components", "3"}}, *data, 5);
  const double dof = 2 * columns_within + 1;
  check_close("dof_prior", parameter(*model, "dof_prior")[0], dof, 1e-15);
  const Vector prior = parameter(*model, "covariance_prior");
  const double share = (dof - columns_within - 1) / dof;
  for (size_t i = 0; i < C.size(); ++i) check_close("covariance_prior", prior[i], share * C[i], 1e-10, share * C[0]);
  assert_string_equal(model->used_options().find("learn_priors")->c_str(), "strength");
}

/// The covariance C of few rows.
Vector covariance_within(const std::shared_ptr<Data>& data) {
  const auto model = make_model({{"components", "3"}, {"start", "random"}}, *data, 5);
  const double dof = parameter(*model, "dof_prior")[0];
  Vector covariance = parameter(*model, "covariance_prior");
  for (double& value : covariance) value *= dof / (dof - static_cast<double>(data->columns()) - 1);
  return covariance;
}

/// Constant columns, whose means are rounded, add no correlations by which the others are shrunk less.
void constant_columns_do_not_change_the_others(void**) {
  constexpr size_t n = columns_within, wide = 2 * n, rows = 20;
  const Vector values = three_clusters(rows, 4), C = within(values);
  Vector with_constants;
  for (size_t row = 0; row < rows; ++row) {
    with_constants.insert(with_constants.end(), values.begin() + row * n, values.begin() + (row + 1) * n);
    with_constants.insert(with_constants.end(), n, 0.1);
  }
  const Vector covariance = covariance_within(data_of(with_constants, wide));
  for (size_t i = 0; i < n * n; ++i) {
    check_close("C", covariance[i / n * wide + i % n], C[i], 1e-10, C[0]);
  }
}

/// Of few values in a column each centre takes as large a share of their freedom as of complete rows: the variance
/// within clusters does not exceed that of all values by more than K / N of it.
void missing_values_do_not_inflate_the_covariance(void**) {
  constexpr size_t n = columns_within, rows = 20;
  Vector values = three_clusters(rows, 4);
  for (size_t row = 3; row < rows; ++row) values[row * n] = NAN;
  const double mean = (values[0] + values[n] + values[2 * n]) / 3;
  double variance = 0;
  for (size_t row = 0; row < 3; ++row) variance += std::pow(values[row * n] - mean, 2) / 3;
  const double of_clusters = covariance_within(data_of(values, n))[0];
  assert_true(of_clusters > 0.1 * variance && of_clusters < (1 + 3.0 / rows) * variance);
}

/// A row of weight 0 is no cluster, also where distinct rows are fewer than clusters.
void rows_of_no_weight_change_nothing(void**) {
  constexpr size_t n = columns_within, copies = 7;
  Vector values;
  for (size_t i = 0; i < 2 * copies * n; ++i)
    values.push_back(static_cast<double>((i % (2 * n)) * (i % (2 * n)) % 7));
  const Vector without = covariance_within(data_of(values, n));
  values.insert(values.begin(), n, 100.0);
  const auto data = data_of(values, n);
  std::vector<double> weights(2 * copies + 1, 1.0);
  weights[0] = 0;
  data_set_weights(*data, weights);
  const Vector with = covariance_within(data);
  for (size_t i = 0; i < n * n; ++i) check_close("C", with[i], without[i], 1e-10, without[0]);
}

/// Clusters are those of a sample of rows, in which none may have weight: then the prior is that of a single cluster.
void a_sample_without_weight_has_no_clusters(void**) {
  constexpr size_t columns = 5, rows = 400000, weighted = 13, places = 8;
  fixtures::Random random(2);
  Vector values(rows * columns);
  for (double& value : values) value = random.normal();
  const auto data = data_of(values, columns);
  int without = 0;
  for (size_t place = 0; place < places; ++place) {
    std::vector<double> weights(rows);
    for (size_t i = 0; i < weighted; ++i) weights[place * weighted + i] = 1;
    data_set_weights(*data, weights);
    const auto model = make_model({{"components", "2"}, {"start", "random"}}, *data, 5);
    without += parameter(*model, "dof_prior")[0] == columns ? 1 : 0;
  }
  assert_true(without > 0 && without < static_cast<int>(places));
}

/// No other nu0 in the range gives a larger plain bound with V = (nu0 - D - 1) C, the mean prior is not learned, and
/// the objective never falls on the way.
void the_strength_maximises_the_bound(void**) {
  const size_t n = columns_within;
  for (const size_t rows : {16, 24}) {
    const Vector values = three_clusters(rows, rows), C = within(values);
    const auto data = data_of(values, n);
    for (const char* covariance : {"normal_wishart", "independent"}) {
      for (const double temperature : {1.0, 1.5}) {
        const bool independent = std::string(covariance) == "independent";
        const auto model = fitted(values, data, covariance, temperature, 30);
        plain::PlainPrior prior = plain::default_prior(values, n, Vector(rows, 1.0), count);
        prior = plain_prior(*model, prior, independent);
        plain::PlainMixture mixture = plain::plain_of(*model, prior, independent);
        check_close("mean_precision_prior", parameter(*model, "mean_precision_prior")[0], 1, 1e-15);
        const double columns = static_cast<double>(n), learned = prior.nu0, best = mixture.global_bound(1);
        for (size_t i = 0; i < n * n; ++i) {
          check_close("V", prior.V0[i], (learned - columns - 1) * C[i], 1e-9, prior.V0[0]);
        }
        const double least = columns + 1 + columns / 3, most = columns + 1 + 16 * columns;
        assert_true(learned >= least && learned <= most);
        double farthest = 0;
        for (int step = 0; step <= 100; ++step) {
          const double nu0 = least + (most - least) * std::pow(0.01 * step, 3);
          mixture.prior.nu0 = nu0;
          for (size_t i = 0; i < n * n; ++i) mixture.prior.V0[i] = (nu0 - columns - 1) * C[i];
          const double bound = mixture.global_bound(1);
          assert_true(bound <= best + 1e-8 * std::abs(best));
          farthest = std::max(farthest, best - bound);
        }
        assert_true(farthest > 1e-3);
      }
    }
  }
}

void files_keep_the_strength(void**) {
  const Vector values = three_clusters(20, 9);
  const auto data = data_of(values, columns_within);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto model = fitted(values, data, covariance, 1, 3);
    const auto loaded = from_file(*model);
    assert_true(same_bits(everything(*loaded), everything(*model)));
    const auto further = [&](const std::shared_ptr<ConjugateModel>& of) {
      const auto work = of->begin_fit(data.get(), data->rows());
      for (int t = 0; t < 3; ++t) {
        work->local_step(all_of(*data), {}, {});
        work->whole_step({});
      }
      return everything(*of);
    };
    assert_true(same_bits(further(loaded), further(model)));
  }
}

/// Rows are clustered for a prior only where it depends on them.
void a_given_prior_needs_no_clusters(void**) {
  const auto data = data_of(three_clusters(20, 4), columns_within);
  const auto clusters_rows = [&](const Texts& options) {
    ContainerWriter writer("test");
    save_model(*make_model(options, *data, 5), writer);
    return writer.view("test").has_tensor("data.covariance_within");
  };
  assert_true(clusters_rows({{"components", "3"}, {"dof_prior", "10"}}));
  assert_true(clusters_rows({{"components", "3"}, {"covariance_prior", "2"}}));
  assert_false(clusters_rows({{"components", "3"}, {"dof_prior", "10"}, {"covariance_prior", "2"}}));
}

/// 50 rows of 100 columns, means 1.5 standard deviations apart in every column: with the covariance of all rows as
/// prior they end in one component.
void clusters_far_apart_are_told_apart(void**) {
  constexpr size_t rows = 50, columns = 100;
  fixtures::Random random(1);
  Vector centres(count * columns), values;
  for (double& value : centres) value = 1.5 * random.normal();
  for (size_t i = 0; i < rows * columns; ++i) {
    values.push_back(centres[i / columns % count * columns + i % columns] + random.normal());
  }
  const auto data = data_of(values, columns);
  const auto model = make_model({{"components", "3"}}, *data, 5);
  const auto work = model->begin_fit(data.get(), data->rows());
  for (int t = 0; t < 50; ++t) {
    work->local_step(all_of(*data), {}, {});
    work->whole_step({});
  }
  for (const double concentration : parameter(*model, "weights.concentration")) {
    assert_true(concentration > 15 && concentration < 18);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(very_few_rows_have_a_wider_prior_that_is_not_learned),
      cmocka_unit_test(the_start_is_the_covariance_within_clusters),
      cmocka_unit_test(constant_columns_do_not_change_the_others),
      cmocka_unit_test(missing_values_do_not_inflate_the_covariance),
      cmocka_unit_test(rows_of_no_weight_change_nothing),
      cmocka_unit_test(a_sample_without_weight_has_no_clusters),
      cmocka_unit_test(the_strength_maximises_the_bound),
      cmocka_unit_test(files_keep_the_strength),
      cmocka_unit_test(a_given_prior_needs_no_clusters),
      cmocka_unit_test(clusters_far_apart_are_told_apart),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
