// Numbers at the end of the range: a step ends, with components in their domain or with Error(NUMERIC) and the model
// as before. Every fit here once ran for ever or left parameters that could not be loaded.

#include <cmath>

#include "models/gaussian_mixture/fixtures.h"
#include "storage/container.h"
#include "support/time_limit.h"

namespace {

using namespace fixtures;

/// CPU seconds for the whole test, after which the program is ended.
constexpr int time_limit = 60;

void check_in_domain(const Model& model) {
  for (const double value : everything(model)) assert_true(std::isfinite(value));
  // What is saved can be loaded.
  ContainerWriter writer("test");
  save_model(model, writer);
  std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
  writer.write(buffer.data());
  const auto loaded = load_model(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"));
  assert_true(same_bits(everything(model), everything(*loaded)));
}

/// Steps until one fails; true if none does.
bool fit(ConjugateModel& model, const Data& data, int steps = 30) {
  const std::unique_ptr<ConjugateFit> work = model.begin_fit(&data, data.rows());
  for (int i = 0; i < steps; ++i) {
    work->local_step(all_of(data), {}, with_bound());
    const Vector before = everything(model);
    try {
      work->whole_step({});
    } catch (const Error& error) {
      assert_int_equal(error.status(), VTEMPER_ERROR_NUMERIC);
      assert_true(same_bits(everything(model), before));
      return false;
    }
    check_in_domain(model);
  }
  return true;
}

void far_priors(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(60, 2, 3, 5), 2);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    for (const char* mean : {"1e4", "1e8", "1e9", "1e12", "1e50", "1e110", "1e160", "1e200", "-1e12"}) {
      try {
        const std::shared_ptr<ConjugateModel> model =
            make_model({{"components", "3"}, {"covariance", covariance}, {"mean_prior", mean}}, *data);
        fit(*model, *data);
      } catch (const Error& error) {  // of the start, where the prior is too far from the rows
        assert_int_equal(error.status(), VTEMPER_ERROR_NUMERIC);
      }
    }
  }
}

void far_means(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(60, 2, 3, 5), 2);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    for (const double mean : {1e3, 4.3e9, 1e20, 1e60, 1e120}) {
      const std::shared_ptr<ConjugateModel> model =
          make_model({{"components", "3"}, {"covariance", covariance}}, *data);
      Vector means = parameter(*model, "mean");
      means[0] = means[1] = mean;
      model->write_parameter("mean", means.data());
      fit(*model, *data);
    }
  }
}

void heavy_rows(void**) {
  const Vector values = random_rows(60, 2, 3, 5);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    for (const double weight : {1e-300, 1e8, 1e20, 1e30, 1e150, 1e300}) {
      Vector weights(60, 1.0);
      weights[7] = weight;
      const std::shared_ptr<Data> data = data_of(values, 2, weights);
      try {
        const std::shared_ptr<ConjugateModel> model =
            make_model({{"components", "3"}, {"covariance", covariance}}, *data);
        fit(*model, *data);
      } catch (const Error& error) {  // of the start
        assert_true(error.status() == VTEMPER_ERROR_NUMERIC || error.status() == VTEMPER_ERROR_DATA);
      }
    }
  }
}

/// A strong prior around a mean that is far from the rows: of one component
///   W^-1 = W0^-1 + sum_n (x_n - xbar)(x_n - xbar)' + b0 N / (b0 + N) (xbar - m0)(xbar - m0)',
/// to the last digits, though b0 m0 m0' alone is ten digits larger.
void scatter_keeps_its_digits(void**) {
  constexpr int64_t rows = 200;
  constexpr double prior_mean = 1000, prior_scale = 1e12;
  const Vector values = random_rows(rows, 2, 1, 9);
  const std::shared_ptr<Data> data = data_of(values, 2);
  const std::shared_ptr<ConjugateModel> model = make_model({{"components", "1"},
                                                            {"mean_prior", "1000"},
                                                            {"mean_precision_prior", "1e12"},
                                                            {"covariance_prior", "1"},
                                                            {"dof_prior", "2"}},
                                                           *data);
  assert_true(fit(*model, *data, 1));
  long double mean[2] = {0, 0};
  for (size_t i = 0; i < values.size(); ++i) mean[i % 2] += values[i] / static_cast<long double>(rows);
  Vector expected(4);
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      long double sum = i == j ? 2 : 0;
      for (size_t n = 0; n < rows; ++n) sum += (values[2 * n + i] - mean[i]) * (values[2 * n + j] - mean[j]);
      sum += prior_scale * rows / (prior_scale + rows) * (mean[i] - prior_mean) * (mean[j] - prior_mean);
      expected[2 * i + j] = static_cast<double>(sum / (2 + rows));
    }
  }
  check_close("covariance", parameter(*model, "covariance"), expected, 1e-13);
}

}  // namespace

int main() {
  vtemper::test::begin_case("numbers at the end of the range", time_limit);
  const CMUnitTest tests[] = {cmocka_unit_test(far_priors), cmocka_unit_test(far_means), cmocka_unit_test(heavy_rows),
                              cmocka_unit_test(scatter_keeps_its_digits)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
