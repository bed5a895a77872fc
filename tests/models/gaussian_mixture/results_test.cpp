// Normalisers and densities against quadrature, reading and setting parameters, extreme data and refused data.

#include <functional>

#include "evaluation/evaluate.h"
#include "models/gaussian_mixture/plain_mixture.h"
#include "storage/container.h"

using namespace fixtures;

namespace {

/// Trapezoidal rule on the line after x = sinh(t): for smooth integrands that fall off on both sides it converges
/// faster than any power of the step.
double integral(const std::function<double(double)>& function, double centre, double width) {
  constexpr int points = 4000;
  constexpr double reach = 12;
  double sum = 0;
  for (int i = -points; i <= points; ++i) {
    const double t = reach * i / points;
    sum += function(centre + width * std::sinh(t)) * std::cosh(t);
  }
  return sum * width * reach / points;
}

/// Over the positive numbers, x = exp(t).
double positive_integral(const std::function<double(double)>& function) {
  return integral([&](double t) { return std::abs(t) < 300 ? function(std::exp(t)) * std::exp(t) : 0; }, 0, 0.01);
}

std::shared_ptr<ConjugateModel> fitted(const Data& data, const Texts& texts, int steps = 3) {
  const auto model = make_model(texts, data, 6);
  const auto work = model->begin_fit(&data, data.rows());
  for (int i = 0; i < steps; ++i) {
    work->local_step(all_of(data), {}, {});
    work->whole_step({});
  }
  return model;
}

Vector inferred(const ConjugateModel& model, const Vector& values, int64_t columns, const char* quantity) {
  const auto data = data_of(values, columns);
  const OptionValues evaluate(evaluate_options(), {}, "evaluate");
  const bool is_density = std::string(quantity) == "log_density";
  const int64_t width = is_density ? 1 : model.local_quantities(*data)[0].shape[1];
  Vector out(static_cast<size_t>(data->rows() * width));
  model.infer(*data, quantity, evaluate, {out.data(), width, 1});
  return out;
}

/// c(T) = integral over x of sum_z p(x, z)^(1/T), here under q: `upper` is log of its expectation, with the moments
/// of Beta weights and Gamma precisions by quadrature; `plug_in` puts exp E log for the factors.
void normalizer(void**) {
  const Vector values = random_rows(30, 1, 2, 7);
  const auto data = data_of(values, 1);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto model = fitted(*data, {{"components", "2"}, {"covariance", covariance}});
    const Vector alpha = parameter(*model, "weights.concentration"), nu = parameter(*model, "precision.dof"),
                 W = parameter(*model, "precision.scale");
    const double total = alpha[0] + alpha[1];
    for (const double s : {0.2, 0.5, 0.9}) {
      double upper = 0, plug_in = 0;
      for (size_t k = 0; k < 2; ++k) {
        // pi = y / (1 + y), y > 0
        const double weight = positive_integral([&](double y) {
          return std::exp(std::lgamma(total) - std::lgamma(alpha[0]) - std::lgamma(alpha[1]) +
                          (alpha[k] + s - 1) * std::log(y) - (total + s) * std::log1p(y));
        });
        const double precision = positive_integral([&](double x) {
          return std::exp((0.5 * nu[k] - 1) * std::log(x) - x / (2 * W[k]) - 0.5 * nu[k] * std::log(2 * W[k]) -
                          std::lgamma(0.5 * nu[k]) - 0.5 * (1 - s) * std::log(x));
        });
        upper += weight * precision;
        plug_in += std::exp(s * (plain_digamma(alpha[k]) - plain_digamma(total)) -
                            0.5 * (1 - s) * (plain_digamma(0.5 * nu[k]) + std::log(2 * W[k])));
      }
      // integral of N(x; mu, 1/Lambda)^s = (2 pi)^((1-s)/2) Lambda^(-(1-s)/2) s^(-1/2)
      const double constant = 0.5 * (1 - s) * std::log(2 * plain::pi) - 0.5 * std::log(s);
      Normalizer estimate;
      check_close("upper", model->tempered_normalizer()->log_normalizer(estimate, s, 10, 10),
                  10 * (std::log(upper) + constant), 1e-8);
      estimate.estimate = "plug_in";
      check_close("plug_in", model->tempered_normalizer()->log_normalizer(estimate, s, 10, 10),
                  10 * (std::log(plug_in) + constant), 1e-10);
    }
    assert_true(model->tempered_normalizer()->log_normalizer({}, 1, 10, 10) == 0);
    // The grid's entries are compared, so that of T = 1 is the same lower bound as its neighbours.
    const Normalizer plug_in = {"plug_in", 1, 0};
    const double weights = std::exp(plain_digamma(alpha[0])) + std::exp(plain_digamma(alpha[1]));
    check_close("plug_in at T = 1", model->tempered_normalizer()->log_normalizer(plug_in, 1, 10, 10),
                10 * (std::log(weights) - plain_digamma(total)), 1e-10);
    assert_true(model->tempered_normalizer()->log_normalizer(plug_in, 1, 10, 10) < 0);
  }
}

/// The normaliser of given parameters itself: at sharp posteriors both estimates are log of the integral.
void normalizer_of_sharp_posteriors(void**) {
  const auto data = data_of(random_rows(30, 1, 2, 9), 1);
  const auto model = fitted(*data, {{"components", "2"}});
  const Vector alpha = {3e5, 7e5}, nu = {1e6, 1e6}, W = {4e-6, 0.5e-6}, mean = {-1, 2}, b = {1e6, 1e6};
  for (const auto& [name, array] :
       std::vector<std::pair<const char*, const Vector*>>{{"weights.concentration", &alpha},
                                                          {"precision.dof", &nu},
                                                          {"precision.scale", &W},
                                                          {"mean", &mean},
                                                          {"mean.precision_scale", &b}}) {
    model->write_parameter(name, array->data());
  }
  const double s = 0.4;
  const double expected = std::log(integral(
      [&](double x) {
        double sum = 0;
        for (size_t k = 0; k < 2; ++k) {
          const double precision = nu[k] * W[k];
          sum += std::exp(s * (std::log(alpha[k] / 1e6) + 0.5 * std::log(precision / (2 * plain::pi)) -
                               0.5 * precision * (x - mean[k]) * (x - mean[k])));
        }
        return sum;
      },
      0, 1));
  for (const char* name : {"auto", "upper", "plug_in"}) {
    check_close(name, model->tempered_normalizer()->log_normalizer({name, 1, 0}, s, 1, 1), expected, 1e-5);
  }
}

void densities(void**) {
  const Vector values = random_rows(40, 1, 2, 12);
  const auto data = data_of(values, 1);
  for (const bool independent : {false, true}) {
    const auto model =
        fitted(*data, {{"components", "3"}, {"covariance", independent ? "independent" : "normal_wishart"}});
    const Vector weights = parameter(*model, "weights"), mean = parameter(*model, "mean"),
                 nu = parameter(*model, "precision.dof"), W = parameter(*model, "precision.scale");
    const Vector b = independent ? Vector(3, INFINITY) : parameter(*model, "mean.precision_scale");
    for (const double x : {-2.0, 0.5, 30.0}) {
      double expected = 0;
      for (size_t k = 0; k < 3; ++k) {
        const double spread = 1 + 1 / b[k];  // of x given Lambda, in units of its variance
        expected += weights[k] * positive_integral([&](double precision) {
                      const double log_gamma = (0.5 * nu[k] - 1) * std::log(precision) - precision / (2 * W[k]) -
                                               0.5 * nu[k] * std::log(2 * W[k]) - std::lgamma(0.5 * nu[k]);
                      return std::exp(log_gamma + 0.5 * std::log(precision / (2 * plain::pi * spread)) -
                                      0.5 * precision / spread * (x - mean[k]) * (x - mean[k]));
                    });
      }
      check_close("density", inferred(*model, {x}, 1, "log_density")[0], std::log(expected), 1e-8);
    }
  }
}

/// Missing values are integrated out.
void densities_of_parts(void**) {
  const Vector values = random_rows(60, 2, 3, 14);
  const auto data = data_of(values, 2);
  const auto model = fitted(*data, {{"components", "3"}});
  const double expected = integral(
      [&](double y) {
        return std::exp(inferred(*model, {0.75, y}, 2, "log_density")[0]);
      },
      0, 0.5);
  check_close("density of a part", inferred(*model, {0.75, absent}, 2, "log_density")[0], std::log(expected), 1e-8);
  assert_true(inferred(*model, {absent, absent}, 2, "log_density")[0] == 0);
  const Vector phi = inferred(*model, {absent, absent}, 2, "responsibilities");
  check_close("weights", phi, parameter(*model, "weights"), 1e-14);

  const OptionValues evaluation(evaluate_options(), {}, "evaluate");
  const Vector weights = {1, 0, 3};
  const auto few = data_of({1, 2, -1, absent, 0.5, 0.25}, 2, weights);
  const Vector density = inferred(*model, {1, 2, -1, absent, 0.5, 0.25}, 2, "log_density");
  check_close("predictive", evaluate(*model, few.get(), nullptr, "predictive", evaluation),
              (density[0] + 3 * density[2]) / 4, 1e-12);
}

/// The ELBO by evaluate is that of the fit's next step.
void elbo_of_evaluate(void**) {
  const auto data = data_of(random_rows(5000, 3, 3, 15, 0.01), 3);
  const auto model = fitted(*data, {{"components", "4"}});
  const auto work = model->begin_fit(data.get(), data->rows());
  const double expected = work->local_step(all_of(*data), {}, with_bound()).bound + model->global_bound({});
  const OptionValues evaluation(evaluate_options(), {}, "evaluate");
  check_close("elbo", evaluate(*model, data.get(), nullptr, "elbo", evaluation), expected, 1e-13);
}

void parameters_go_in_and_out(void**) {
  const auto data = data_of(random_rows(50, 3, 3, 16), 3);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const Texts texts = {{"components", "3"}, {"covariance", covariance}, {"learn_priors", "false"}};
    const auto model = fitted(*data, texts);
    const auto other = make_model(texts, *data, 99);
    for (const Quantity& quantity : model->parameters()) {
      if (!quantity.settable) continue;
      other->write_parameter(quantity.name, parameter(*model, quantity.name).data());
    }
    const Vector mine = everything(*model), theirs = everything(*other);
    for (size_t i = 0; i < mine.size(); ++i) check_close("parameter", theirs[i], mine[i], 1e-12, 1e-6);
    check_close("bound", other->global_bound({}), model->global_bound({}), 1e-11);

    const auto refused = [&](const char* name, size_t element, double value, const char* text) {
      Vector values = parameter(*model, name);
      values[element] = value;
      const Vector before = everything(*model);
      try {
        model->write_parameter(name, values.data());
        assert_true(false);
      } catch (const Error& error) {
        if (std::strstr(error.what(), text) == nullptr) print_error("%s\n", error.what());
        assert_non_null(std::strstr(error.what(), text));
      }
      assert_true(same_bits(before, everything(*model)));
    };
    refused("weights.concentration", 1, 0, "element 1 of weights.concentration is 0");
    refused("precision.dof", 2, 2, "element 2 of precision.dof is 2; it must be greater than 2");
    refused("mean", 4, absent, "element 4 of mean is nan");
    refused("precision.scale", 1, 77, "must equal the transposed element");
    refused("precision.scale", 9, -1, "matrix 1 of precision.scale is not positive definite");
  }
}

/// Matrices from other programs, such as inverses, are symmetric but for rounding.
void nearly_symmetric_matrices(void**) {
  const auto data = data_of(random_rows(50, 3, 3, 16), 3);
  const auto prior = [&](const char* covariance) {
    return parameter(*make_model({{"components", "2"}, {"covariance_prior", covariance}}, *data), "covariance_prior");
  };
  const Vector given = prior("2,0.5,1e-20,0.5000000001,1,0,-1e-20,0,3");
  check_close("the mean", given[1], 0.50000000005, 1e-15);
  assert_true(given[3] == given[1] && given[2] == 0 && given[6] == 0);
  const Vector symmetric = prior("2,0.1,0.3,0.1,1,0,0.3,0,3");
  const double same[] = {2, 0.1, 0.3, 0.1, 1, 0, 0.3, 0, 3};
  for (size_t i = 0; i < symmetric.size(); ++i) check_close("covariance", symmetric[i], same[i], 1e-15);

  const Texts texts = {{"components", "2"}, {"covariance", "independent"}, {"learn_priors", "false"}};
  const auto model = fitted(*data, texts);
  for (const char* name : {"mean.precision", "precision.scale"}) {
    Vector values(18);
    for (const size_t i : {0, 4, 8, 9, 13, 17}) values[i] = 1;
    values[1] = 1e-20;
    values[3] = -1e-20;
    values[14] = 0.5;
    values[16] = 0.5000000004;
    model->write_parameter(name, values.data());
    const Vector written = parameter(*model, name);
    check_close("the mean", written[14], 0.5000000002, 1e-14);
    for (size_t i = 0; i < 9; ++i) check_close("unit matrix", written[i], i % 4 == 0 ? 1 : 0, 1e-15, 1);
    for (size_t i = 0; i < 18; ++i) assert_true(written[i] == written[i / 9 * 9 + i % 3 * 3 + i % 9 / 3]);
  }
}

void save_and_load(void**) {
  const auto data = data_of(random_rows(50, 3, 3, 17), 3);
  data_set_names(*data, {"length", "width", "height"});
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto model = fitted(*data, {{"components", "3"}, {"covariance", covariance}, {"mean_prior", "1"}});
    ContainerWriter writer("test");
    save_model(*model, writer);
    std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
    writer.write(buffer.data());
    const auto loaded = as_conjugate(load_model(ContainerReader::open_buffer(buffer.data(), writer.size(), "test")));
    assert_true(same_bits(everything(*model), everything(*loaded)));
    assert_true(model->global_bound({}) == loaded->global_bound({}));
    assert_string_equal(loaded->names()->at(1).c_str(), "width");
  }
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect(const std::string& message, const char* part) {
  if (message.find(part) == std::string::npos) print_error("\"%s\" lacks \"%s\"\n", message.c_str(), part);
  assert_true(message.find(part) != std::string::npos);
}

void options_are_checked(void**) {
  const auto data = data_of(random_rows(20, 3, 2, 18), 3);
  expect(refusal([&] { make_model({{"components", "3"}, {"weights_prior", "1,2"}}); }), "option weights_prior has 2");
  expect(refusal([&] { make_model({{"dof_prior", "2"}}, *data); }), "option dof_prior is 2; for 3 columns");
  expect(refusal([&] { make_model({{"mean_prior", "1,2"}}, *data); }), "option mean_prior has 2 values");
  expect(refusal([&] { make_model({{"covariance_prior", "1,2"}}, *data); }), "must have 1 or 3 or 9");
  expect(refusal([&] { make_model({{"covariance_prior", "1,2,0,2,1,0,0,0,1"}}, *data); }), "positive definite");
  expect(refusal([&] { make_model({{"covariance_prior", "1,2,0,1,9,0,0,0,1"}}, *data); }), "symmetric");
  const auto model = make_model({{"components", "2"}}, *data);
  RequiredFeatures required;
  required.normalizer = Normalizer{"prior", 1, 0};
  expect(refusal([&] { model->require(required); }), "is infinite for gaussian_mixture");
  required.normalizer = Normalizer{"gibbs", 1, 0};
  expect(refusal([&] { model->require(required); }), "its estimates are upper and plug_in");
  required = {};
  required.natural_prior_power = true;
  expect(refusal([&] { model->require(required); }), "temperature_entropy density");
}

/// Fits every method to extreme data; all results are finite.
void check_fits(const std::shared_ptr<Data>& data, const char* components) {
  for (const char* covariance : {"normal_wishart", "independent"}) {
    for (const char* method :
         {"vi", "annealing", "entropy_annealing", "tempering", "local_tempering", "stochastic_annealing"}) {
      const auto model = make_model({{"components", components}, {"covariance", covariance}}, *data);
      Optimizer optimizer(model, data, options_of({{"method", method}, {"max_iterations", "80"}, {"threads", "1"}}));
      optimizer.run(-1, nullptr, nullptr);
      assert_true(std::isfinite(optimizer.report().elbo));
      assert_int_equal(optimizer.report().objective_falls, 0);
      for (const double value : everything(*model)) assert_true(std::isfinite(value));
    }
  }
}

void strange_data(void**) {
  Vector constant = random_rows(50, 3, 2, 19);
  for (size_t i = 0; i < 50; ++i) constant[3 * i + 1] = 1e6 + 0.1;
  check_fits(data_of(constant, 3), "4");
  Vector repeated = random_rows(50, 3, 2, 20);
  for (size_t i = 0; i < 50; ++i) repeated[3 * i + 2] = 2 * repeated[3 * i];
  check_fits(data_of(repeated, 3), "4");
  check_fits(data_of(random_rows(4, 10, 2, 21), 10), "3");      // fewer rows than columns
  check_fits(data_of({1, 2, 3}, 3), "2");                       // one row
  check_fits(data_of(Vector(60, 7.5), 3), "2");                 // all rows alike
  check_fits(data_of(random_rows(3, 2, 1, 22), 2), "9");        // more components than rows
  check_fits(data_of(random_rows(60, 4, 2, 23, 0.7), 4), "3");  // hardly any complete row
  Vector far = random_rows(100, 2, 2, 24);
  for (size_t i = 0; i < 50; ++i) far[2 * i] += 1e7;
  check_fits(data_of(far, 2), "3");
  Vector large = random_rows(80, 2, 2, 25), small = large;
  for (double& value : large) value *= 1e90;
  for (double& value : small) value *= 1e-90;
  check_fits(data_of(large, 2), "3");
  check_fits(data_of(small, 2), "3");
}

void refused_data(void**) {
  const auto initialize = [](const std::shared_ptr<Data>& data) {
    return refusal([&] { make_model({{"components", "2"}}, *data); });
  };
  Vector values = random_rows(10, 2, 1, 26);
  values[3] = 1e130;
  expect(initialize(data_of(values, 2)), "row 1, column 1 is 1e+130");
  values = random_rows(10, 2, 1, 27);
  for (size_t i = 0; i < 10; ++i) values[2 * i] *= 1e-120;
  expect(initialize(data_of(values, 2)), "column 0 has the standard deviation");
  for (size_t i = 0; i < 10; ++i) values[2 * i] = absent;
  expect(initialize(data_of(values, 2)), "column 0 has no value");
  expect(initialize(data_of({}, 2)), "no rows");
  expect(initialize(data_of({1, 2, 3, 4}, 2, {0, 0})), "no value in any row of positive weight");
  const auto model = make_model({{"components", "2"}}, *data_of({1, 2, 3, 5}, 2));
  expect(refusal([&] { model->check(*data_of({1, 2, 3}, 3)); }), "the data have 3 columns, the model 2");
  Vector statistics(static_cast<size_t>(model->begin_fit(nullptr, 1)->statistics_length()), 0.0);
  statistics[5] = -1;
  const auto work = model->begin_fit(nullptr, 1);
  expect(refusal([&] { work->read_statistics(statistics.data()); }), "element 5");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(normalizer),
      cmocka_unit_test(normalizer_of_sharp_posteriors),
      cmocka_unit_test(densities),
      cmocka_unit_test(densities_of_parts),
      cmocka_unit_test(elbo_of_evaluate),
      cmocka_unit_test(parameters_go_in_and_out),
      cmocka_unit_test(save_and_load),
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(strange_data),
      cmocka_unit_test(refused_data),
      cmocka_unit_test(nearly_symmetric_matrices),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
