// Scores and starts of a variational autoencoder.

#include "evaluation/evaluate.h"
#include "models/initial_weights.h"
#include "models/variational_autoencoder/plain_autoencoder.h"
#include "support/assert.h"
#include "support/error.h"

using namespace fixtures;

namespace {

double score(const Model& model, const Data& data, const char* measure, Texts texts = {}) {
  return evaluate(model, &data, nullptr, measure, values_of(evaluate_options(), texts, "evaluate"));
}

/// log p(x) of a row by a fine grid over the two latent variables.
double exact_log_marginal(const Autoencoder& model, const Vector& x) {
  constexpr double width = 0.05, reach = 6;
  double sum = 0;
  for (double a = -reach; a <= reach; a += width) {
    for (double b = -reach; b <= reach; b += width) {
      sum += std::exp(model.log_likelihood(x, {a, b}) - 0.5 * (a * a + b * b)) / plain::two_pi * width * width;
    }
  }
  return std::log(sum);
}

void importance_sampling_finds_the_marginal_likelihood(void**) {
  for (const bool gaussian : {false, true}) {
    const DataPointer data = random_rows(3, 4, gaussian);
    const auto model =
        autoencoder({{"latent", "2"}, {"hidden", "5"}, {"likelihood", gaussian ? "gaussian" : "bernoulli"}}, *data);
    // A posterior that is wider than the prior, so that no sample has much of the weight.
    model->write_parameter("encoder.weights.1", Vector(20).data());
    model->write_parameter("encoder.bias.1", Vector{0.2, -0.1, 1, 1.2}.data());
    const Autoencoder plain = plain_of(*model, {5}, gaussian);
    data_set_weights(*data, {1, 2, 0.5});
    double exact = 0;
    for (int64_t row = 0; row < 3; ++row) {
      exact += data->weight(row) * exact_log_marginal(plain, row_of(*data, row));
    }
    const double sampled = score(*model, *data, "log_marginal", {{"samples", "20000"}});
    assert_close(sampled, exact, 0.05);
    assert_close(score(*model, *data, "predictive", {{"samples", "20000"}}), sampled / 3.5, 1e-12);
    assert_true(score(*model, *data, "elbo", {{"samples", "2000"}}) < exact);
  }
}

void the_likelihood_is_never_below_the_bound(void**) {
  const DataPointer data = random_rows(9, 6, false);
  for (const char* precision : {"float", "double"}) {
    const auto model =
        autoencoder({{"bound", "sampled"}, {"hidden", "8"}, {"latent", "3"}, {"precision", precision}}, *data);
    for (int64_t row = 0; row < 9; ++row) {
      const DataPointer one = data_select(*data, &row, 1);
      for (const char* samples : {"1", "2", "95", "96", "97", "300"}) {
        const double elbo = score(*model, *one, "elbo", {{"samples", samples}});
        const double marginal = score(*model, *one, "log_marginal", {{"samples", samples}});
        assert_true(marginal >= elbo - 1e-12 * std::abs(elbo));
        if (samples[1] == 0 && samples[0] == '1') assert_close(marginal, elbo, 1e-12 * std::abs(elbo));
      }
    }
    // More rows than a block, more samples than a task: the same for any number of threads.
    const double serial = score(*model, *random_rows(500, 6, false), "elbo", {{"samples", "7"}, {"threads", "1"}});
    assert_true(serial == score(*model, *random_rows(500, 6, false), "elbo", {{"samples", "7"}, {"threads", "3"}}));
  }
}

void both_bounds_have_the_same_mean(void**) {
  const DataPointer data = random_rows(4, 5, false);
  const auto analytic = autoencoder({{"hidden", "6"}, {"latent", "2"}}, *data);
  const auto sampled = autoencoder({{"hidden", "6"}, {"latent", "2"}, {"bound", "sampled"}}, *data);
  const Texts many = {{"samples", "40000"}};
  assert_close(score(*analytic, *data, "elbo", many), score(*sampled, *data, "elbo", many), 0.05);
}

void posteriors_and_units_that_are_off(void**) {
  const DataPointer data = random_rows(6, 4, true);
  const auto model = autoencoder({{"hidden", "5,3"}, {"latent", "2"}, {"likelihood", "gaussian"}}, *data);
  Autoencoder plain = plain_of(*model, {5, 3}, true);
  const OptionValues options = values_of(evaluate_options(), {}, "evaluate");
  for (const Quantity& quantity : model->local_quantities(*data)) {
    Vector out(static_cast<size_t>(quantity.size())), expected;
    model->infer(*data, quantity.name, options, {out.data(), quantity.shape[1], 1});
    for (int64_t row = 0; row < 6; ++row) {
      const Autoencoder::Posterior q = plain.posterior(row_of(*data, row));
      Vector of_row = quantity.name == std::string("latent_mean") ? q.mu : q.sigma;
      if (quantity.name == std::string("reconstruction")) {
        of_row = plain.through(plain.decoder(), q.mu);
        for (size_t j = 0; j < 4; ++j) of_row[j] = plain.mean[j] + plain.deviation[j] * of_row[j];
      }
      expected.insert(expected.end(), of_row.begin(), of_row.end());
    }
    check_close(quantity.name, out, expected, 1e-12);
  }
  const Vector noise = parameter(*model, "noise.variance");
  for (size_t j = 0; j < 4; ++j) {
    assert_close(noise[j] / (plain.variance(j) * plain.deviation[j] * plain.deviation[j]), 1, 1e-12);
  }

  double off = 0;
  for (int64_t row = 0; row < 6; ++row) {
    std::vector<Autoencoder::Layer> first = {plain.encoder()[0]};
    for (const double sum : plain.through(first, plain.standardised(row_of(*data, row)))) off += sum > 0 ? 0 : 1;
  }
  const double first = score(*model, *data, "dead_units.encoder.0");
  assert_close(first, off / 30, 1e-12);
  const double second = score(*model, *data, "dead_units.encoder.1");
  assert_close(score(*model, *data, "dead_units"), (5 * first + 3 * second) / 8, 1e-12);
  const double active = score(*model, *data, "active_units");
  assert_true(active >= 1 && active <= 2);
  const auto bad = autoencoder({{"hidden", "5"}, {"encoder_bias", "-1000"}, {"likelihood", "gaussian"}}, *data);
  assert_true(score(*bad, *data, "dead_units") == 1);
  assert_true(score(*bad, *data, "active_units") == 0);
  for (const char* measure : {"active_units", "dead_units", "dead_units.decoder.0"}) {
    for (const char* option : {"samples", "seed"}) {
      try {
        score(*model, *data, measure, {{option, "7"}});
        assert_true(false);
      } catch (const Error& error) {
        assert_int_equal(error.status(), VTEMPER_ERROR_OPTION);
        assert_non_null(std::strstr(error.what(), option));
      }
    }
  }
  try {
    score(*model, *data, "dead_units.encoder.2");
    assert_true(false);
  } catch (const Error& error) {
    assert_int_equal(error.status(), VTEMPER_ERROR_ARGUMENT);
  }
}

void starts(void**) {
  for (const auto& [in, units] : std::vector<std::pair<int64_t, int64_t>>{{40, 12}, {12, 40}, {9, 9}}) {
    Vector w(static_cast<size_t>(in * units));
    RandomStream random = numbers(4);
    draw_weights(InitialWeights::orthogonal, in, units, random, w.data());
    const bool columns = units <= in;
    const int64_t side = std::min(in, units), inner = std::max(in, units);
    for (int64_t i = 0; i < side; ++i) {
      for (int64_t j = 0; j < side; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < inner; ++k) {
          const auto at = [&, units = units](int64_t a) {
            return w[static_cast<size_t>(columns ? k * units + a : a * units + k)];
          };
          sum += at(i) * at(j);
        }
        assert_close(sum, (i == j ? 1 : 0), 1e-13);
      }
    }
    draw_weights(InitialWeights::truncated_normal, in, units, random, w.data());
    const double cut = 2 * std::sqrt(5.2 / static_cast<double>(in));
    double largest = 0;
    for (const double value : w) largest = std::max(largest, std::abs(value));
    assert_true(largest <= cut && largest > 0.5 * cut);
    draw_weights(InitialWeights::glorot, in, units, random, w.data());
    const double bound = std::sqrt(6 / static_cast<double>(in + units));
    largest = 0;
    for (const double value : w) largest = std::max(largest, std::abs(value));
    assert_true(largest <= bound && largest > 0.9 * bound);
  }
}

void columns_that_do_not_vary(void**) {
  const DataPointer data = rows_of({1, 5, 2, 5, 4, 5, 0, 5}, 2);
  const auto model = autoencoder({{"hidden", "3"}, {"latent", "1"}, {"likelihood", "gaussian"}}, *data);
  assert_true(parameter(*model, "data.deviation")[1] == 1);
  assert_true(std::isfinite(score(*model, *data, "log_marginal", {{"samples", "10"}})));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(importance_sampling_finds_the_marginal_likelihood),
      cmocka_unit_test(the_likelihood_is_never_below_the_bound),
      cmocka_unit_test(both_bounds_have_the_same_mean),
      cmocka_unit_test(posteriors_and_units_that_are_off),
      cmocka_unit_test(starts),
      cmocka_unit_test(columns_that_do_not_vary),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
