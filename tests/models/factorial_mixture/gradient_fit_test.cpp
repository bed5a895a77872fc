// The factorial mixture fitted by gradients: bound and gradients of rows and means against a plain bound and its
// central differences, at T = 1, at T > 1 and with a constraint; and the constraint's effect on a bad start (Altosaar
// 2018, Figure 1).

#include <functional>

#include "inference/optimizer.h"
#include "models/factorial_mixture/gradient_fit.h"
#include "support/assert.h"
#include "support/error.h"
#include "support/factorial_mixture.h"
#include "support/gradient_step.h"

using namespace vtemper;

namespace {

using Vector = std::vector<double>;

constexpr int64_t rows = 7, columns = 3, components = 2;
const Vector probabilities = {0.3, 0.6};
constexpr double noise = 0.7;

std::shared_ptr<GradientModel> gradient_fit(const Texts& texts, const Data& data) {
  const ModelKind& kind = factorial_mixture_kind;
  Options options = options_of(texts);
  options.set("updates", "gradient");
  std::shared_ptr<Model> model = kind.create(OptionValues(kind.options(), options, kind.name));
  model->initialize(data, 2);
  return std::dynamic_pointer_cast<GradientModel>(model);
}

DataPointer data_of(const Vector& values, int64_t width) {
  Dense dense;
  dense.rows = static_cast<int64_t>(values.size()) / width;
  dense.columns = width;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = width;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

Vector some_values(size_t count, double shift) {
  Vector values;
  for (size_t i = 0; i < count; ++i) values.push_back(std::sin(1.3 * static_cast<double>(i) + shift));
  return values;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double entropy_of(double eta) {
  const double p = sigmoid(eta);
  return -p * std::log(p) - (1 - p) * std::log(1 - p);
}

/// E log p(x, z) + T H of a row, the expectation by enumeration of z.
double plain_bound(const double* x, const double* eta, const Vector& means, double temperature) {
  double bound = 0;
  for (int code = 0; code < 4; ++code) {
    double chance = 1, log_joint = 0;
    for (int64_t k = 0; k < components; ++k) {
      const bool on = code >> k & 1;
      const double p = probabilities[static_cast<size_t>(k)];
      chance *= on ? sigmoid(eta[k]) : 1 - sigmoid(eta[k]);
      log_joint += std::log(on ? p : 1 - p);
    }
    for (int64_t d = 0; d < columns; ++d) {
      double rest = x[d];
      for (int64_t k = 0; k < components; ++k) rest -= (code >> k & 1) * means[static_cast<size_t>(k * columns + d)];
      log_joint -= (std::log(2 * std::acos(-1.0) * noise) + rest * rest / noise) / 2;
    }
    bound += chance * log_joint;
  }
  for (int64_t k = 0; k < components; ++k) bound += temperature * entropy_of(eta[k]);
  return bound;
}

/// Statistics of a row: entropy, kl to the prior, or mean and variance.
Vector plain_statistics(const double* eta, Statistic statistic) {
  Vector out, variances;
  for (size_t k = 0; k < 2; ++k) {
    const double p = sigmoid(eta[k]), pi = probabilities[k];
    const double kl = p * std::log(p / pi) + (1 - p) * std::log((1 - p) / (1 - pi));
    out.push_back(statistic == Statistic::entropy ? entropy_of(eta[k]) : statistic == Statistic::kl ? kl : p);
    variances.push_back(p * (1 - p));
  }
  if (statistic == Statistic::mean_variance) out.insert(out.end(), variances.begin(), variances.end());
  return out;
}

void check_slope(const char* what, double got, double& variable, const std::function<double()>& function) {
  constexpr double step = 1e-5;
  const double centre = variable;
  variable = centre + step;
  const double above = function();
  variable = centre - step;
  const double slope = (above - function()) / (2 * step);
  variable = centre;
  if (std::abs(got - slope) <= 1e-7 * std::max(1.0, std::abs(slope))) return;
  print_error("%s: %.12g, by differences %.12g\n", what, got, slope);
  assert_true(false);
}

void gradients(void**) {
  const Vector x = some_values(rows * columns, 0.4);
  const DataPointer data = data_of(x, columns);
  data_set_weights(*data, {1, 2, 0.5, 1, 1, 3, 1});
  const auto model =
      gradient_fit({{"components", "2"}, {"activation_probability", "0.3,0.6"}, {"noise_variance", "0.7"}}, *data);
  Vector means = some_values(components * columns, 2.0);
  model->write_parameter("mean", means.data());
  const auto work = model->begin_fit(data.get(), rows);
  Vector eta = some_values(rows * components, 5.0);
  for (size_t i = 0; i < eta.size(); ++i) work->rows()->row_values().set(static_cast<int64_t>(i), 2 * eta[i]);
  for (double& value : eta) value *= 2;
  const int64_t index[] = {4, 1, 6, 2};
  for (const double temperature : {1.0, 2.5}) {
    GradientSettings settings;
    settings.temperature = temperature;
    const GradientSums sums = vtemper::test::gradient_step(*work, {data.get(), index, 0, 4}, settings);
    const auto total = [&] {
      double sum = 0;
      for (const int64_t row : index) {
        sum += data->weight(row) * plain_bound(&x[static_cast<size_t>(row * columns)],
                                               &eta[static_cast<size_t>(row * components)], means, temperature);
      }
      return sum;
    };
    assert_close(sums.objective, total(), 1e-12 * std::abs(sums.objective));
    for (size_t i = 0; i < means.size(); ++i) {
      check_slope("mean", work->gradient().at(static_cast<int64_t>(i)), means[i], total);
    }
    for (int64_t i = 0; i < 4; ++i) {
      const int64_t row = index[i];
      double* logits = &eta[static_cast<size_t>(row * components)];
      for (int64_t k = 0; k < components; ++k) {
        check_slope("logit", work->rows()->row_gradient().at(i * components + k), logits[k],
                    [&] { return plain_bound(&x[static_cast<size_t>(row * columns)], logits, means, temperature); });
      }
    }
  }
}

void statistics_of_rows(void**) {
  const DataPointer data = data_of(some_values(rows * columns, 0.4), columns);
  const auto model = gradient_fit({{"components", "2"}, {"activation_probability", "0.3,0.6"}}, *data);
  for (const Statistic statistic : {Statistic::entropy, Statistic::kl, Statistic::mean_variance}) {
    const auto count = static_cast<size_t>(model->row_posteriors()->row_statistic_length(statistic));
    for (const double shift : {0.0, 1.0, 2.0}) {
      Vector eta = some_values(components, shift);
      Vector statistics(count), slopes(count);
      model->row_posteriors()->row_statistics(statistic, {false, eta.data(), components}, statistics.data(),
                                              slopes.data());
      const Vector expected = plain_statistics(eta.data(), statistic);
      for (size_t i = 0; i < count; ++i) {
        assert_close(statistics[i], expected[i], 1e-13);
        check_slope("statistic", slopes[i], eta[i % components],
                    [&] { return plain_statistics(eta.data(), statistic)[i]; });
      }
    }
  }
}

/// Rows that are fed are solved: no change of a logit raises their bound, and their means move as those of rows whose
/// own logits stand there.
void fed_rows_are_solved(void**) {
  const Vector x = some_values(rows * columns, 0.4);
  const DataPointer data = data_of(x, columns);
  const auto model = gradient_fit({{"components", "2"},
                                   {"activation_probability", "0.3,0.6"},
                                   {"noise_variance", "0.7"},
                                   {"local_iterations", "10000"},
                                   {"local_tolerance", "0"}},
                                  *data);
  const Vector means = some_values(components * columns, 2.0);
  model->write_parameter("mean", means.data());
  const auto fed = model->begin_fit(nullptr, 0);
  for (const double temperature : {1.0, 2.5}) {
    GradientSettings settings;
    settings.temperature = temperature;
    settings.fed = true;
    const Batch all = {data.get(), nullptr, 0, rows};
    const GradientSums sums = vtemper::test::gradient_step(*fed, all, settings);
    // The bound has no slope there; and the same rows solved by the bound alone give the same step.
    for (int64_t i = 0; i < rows * components; ++i) assert_close(fed->rows()->row_gradient().at(i), 0, 1e-12);
    const auto own = model->begin_fit(data.get(), rows);
    for (int64_t row = 0; row < rows; ++row) {
      Vector eta(components);
      for (int sweep = 0; sweep < 500; ++sweep) {
        for (size_t k = 0; k < components; ++k) {
          // The bound is c + nu a + T H(nu) in one activation, so its best logit is a / T.
          const double* values = &x[static_cast<size_t>(row * columns)];
          Vector end = eta;
          end[k] = 30;
          const double above = plain_bound(values, end.data(), means, 0);
          end[k] = -30;
          eta[k] = (above - plain_bound(values, end.data(), means, 0)) / temperature;
        }
      }
      for (size_t k = 0; k < components; ++k) {
        own->rows()->row_values().set(row * components + static_cast<int64_t>(k), eta[k]);
      }
    }
    settings.fed = false;
    const GradientSums expected = vtemper::test::gradient_step(*own, all, settings);
    assert_close(sums.objective, expected.objective, 1e-10 * std::abs(expected.objective));
    assert_close(sums.elbo, expected.elbo, 1e-10 * std::abs(expected.elbo));
    for (int64_t i = 0; i < components * columns; ++i) {
      assert_close(fed->gradient().at(i), own->gradient().at(i), 1e-9);
    }
  }
}

/// Two factors at (5, 5), a start 100 away: vi stays there, a constraint on the entropy brings it back.
void a_bad_start(void**) {
  Vector x;
  for (int i = 0; i < 100; ++i) x.push_back(5.0 * (i % 2 + i / 2 % 2) + 0.5 * std::sin(7.0 * i));
  const DataPointer data = data_of(x, 1);
  const auto distance = [&](const Texts& method) {
    const auto model =
        gradient_fit({{"components", "2"}, {"activation_probability", "0.5"}, {"noise_variance", "1"}}, *data);
    const double start[] = {-82, 59};
    model->write_parameter("mean", start);
    Texts texts = {{"batch_size", "0"},
                   {"max_iterations", "4000"},
                   {"learning_rate", "0.1"},
                   {"threads", "1"},
                   {"adam_square_decay", "0.99"}};
    texts.insert(method.begin(), method.end());
    Optimizer optimizer(model, data, options_of(texts));
    optimizer.run(-1, nullptr, nullptr);
    double end[2];
    model->read_parameter("mean", {end, 1, 1});
    return std::max(std::abs(end[0] - 5), std::abs(end[1] - 5));
  };
  assert_true(distance({}) > 20);
  Texts proximity = {{"method", "proximity"}, {"proximity_start", "sum"}, {"proximity_rate", "1e-10"}};
  assert_true(distance(proximity) < 1);
  proximity["proximity_average"] = "parameters";
  assert_true(distance(proximity) < 1);
  proximity["proximity_inner_steps"] = "10";
  proximity["max_iterations"] = "1500";
  assert_true(distance(proximity) < 1);
}

void refusals(void**) {
  const DataPointer data = data_of(some_values(rows * columns, 0.4), columns);
  const auto model = gradient_fit({{"components", "2"}}, *data);
  const auto refused = [](const std::function<void()>& call, const char* words) {
    try {
      call();
      assert_true(false);
    } catch (const Error& error) {
      assert_non_null(std::strstr(error.what(), words));
    }
  };
  refused(
      [&] {
        Optimizer(model, data, options_of({{"proximity", "orthogonal"}}));
      },
      "entropy, kl and mean_variance");
  refused(
      [&] {
        Optimizer(model, nullptr, options_of({{"proximity", "kl"}, {"rows_total", "9"}}));
      },
      "fed rows do not have");
  const DataPointer other = data_of(some_values(2 * rows * columns, 0.7), columns);
  Optimizer held(model, data, options_of({{"proximity", "kl"}}));
  refused([&] { held.feed(*other, nullptr); }, "only the optimizer's own data can be fed to it");
  held.feed(*data, nullptr);
  refused([&] { gradient_fit({{"components", "2"}, {"learn_noise_variance", "true"}}, *data); }, "updates conjugate");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(gradients),   cmocka_unit_test(statistics_of_rows), cmocka_unit_test(fed_rows_are_solved),
      cmocka_unit_test(a_bad_start), cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
