// The gradient of a deep exponential family: the library's against a plain implementation on the same samples, its
// expectation over all tuples of samples against the exact gradient, that against central differences.

#include <functional>

#include "evaluation/evaluate.h"
#include "models/deep_exponential_family/plain_family.h"
#include "support/assert.h"
#include "support/error.h"
#include "support/gradient_step.h"
#include "support/refusal.h"

using namespace fixtures;

namespace {

const int64_t batch_rows[] = {4, 1, 6, 3, 5};

DataPointer weighted_documents() {
  DataPointer data = documents(7, 6);
  data_set_weights(*data, {1, 2, 0.5, 1, 1, 3, 1});
  return data;
}

Vector differences(Vector at, const std::function<double(const Vector&)>& function) {
  Vector out;
  for (double& x : at) {
    const double centre = x, step = 1e-4;
    const auto central = [&](double h) {
      x = centre + h;
      const double above = function(at);
      x = centre - h;
      const double below = function(at);
      x = centre;
      return (above - below) / (2 * h);
    };
    out.push_back((4 * central(step / 2) - central(step)) / 3);
  }
  return out;
}

void the_gradient_is_the_plain_one(void**) {
  const DataPointer data = weighted_documents();
  for (const char* control : {"round_robin", "leave_one_out"}) {
    const auto model = family_of({{"latent", "3"},
                                  {"samples", "5"},
                                  {"control_variate", control},
                                  {"prior_rate", "0.7"},
                                  {"background_rate", "0.05"}},
                                 *data);
    const Family family = plain_of(*model);
    const auto work = model->begin_fit(data.get(), 5);
    scatter(work->rows()->row_values());
    for (const double temperature : {1.0, 2.5}) {
      GradientSettings settings;
      settings.temperature = temperature;
      settings.seed = 11;
      settings.iteration = 3;
      const GradientSums sums = vtemper::test::gradient_step(*work, {data.get(), batch_rows, 0, 5}, settings);
      double elbo = 0, objective = 0, likelihood = 0;
      std::vector<Samples> samples;
      for (int64_t i = 0; i < 5; ++i) {
        const Vector x = row_of(*data, batch_rows[i]);
        const Vector eta = posterior_of(work->rows()->row_values(), batch_rows[i], 3);
        const double weight = data->weight(batch_rows[i]);
        samples.push_back(samples_of(eta, settings, i, 5));
        check_close("gradient of a row", copy_of(work->rows()->row_gradient().part(3 * i, 3)),
                    family.estimate(x, samples.back(), eta, temperature, control[0] == 'r'), 1e-11);
        elbo += weight * family.objective(x, samples.back(), eta, 1);
        objective += weight * family.objective(x, samples.back(), eta, temperature);
        for (const Vector& z : samples.back()) likelihood += weight / 5 * family.log_likelihood(x, z);
      }
      check_close("sums", {sums.elbo, sums.objective, sums.expected_log_likelihood, sums.rows, sums.count},
                  {elbo, objective, likelihood, 8, 5}, 1e-12);
      // The weights move neither samples nor q.
      const Vector expected = differences(family.weights, [&](const Vector& weights) {
        Family moved = family;
        moved.weights = weights;
        double sum = 0;
        for (int64_t i = 0; i < 5; ++i) {
          for (const Vector& z : samples[static_cast<size_t>(i)]) {
            sum += data->weight(batch_rows[i]) / 5 * moved.log_likelihood(row_of(*data, batch_rows[i]), z);
          }
        }
        return sum;
      });
      check_close("gradient of the weights", copy_of(work->gradient()), expected, 1e-8);
    }
  }
}

void float_is_near_double(void**) {
  const DataPointer data = documents(9, 70);
  const auto gradients = [&](const char* precision) {
    const auto model = family_of({{"latent", "7"}, {"samples", "6"}, {"precision", precision}}, *data);
    const auto work = model->begin_fit(data.get(), 9);
    scatter(work->rows()->row_values());
    GradientSettings settings;
    settings.threads = 2;
    vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 9}, settings);
    Vector all = copy_of(work->gradient());
    const Vector rows = copy_of(work->rows()->row_gradient());
    all.insert(all.end(), rows.begin(), rows.end());
    return all;
  };
  check_close("gradient in float", gradients("float"), gradients("double"), 1e-4);
}

/// All z with coordinates up to `most`, and their probabilities under q.
void enumerate(const Vector& eta, double most, Samples& all, Vector& chances) {
  all.assign(1, Vector());
  for (size_t k = 0; k < eta.size(); ++k) {
    Samples longer;
    for (const Vector& z : all) {
      for (double n = 0; n <= most; ++n) {
        longer.push_back(z);
        longer.back().push_back(n);
      }
    }
    all = std::move(longer);
  }
  chances.clear();
  for (const Vector& z : all) chances.push_back(std::exp(Family::log_q(z, eta)));
}

/// The exact gradient sum_z q (log p - T log q) grad log q, whose last term, -T, has mean zero.
Vector exact_gradient(const Family& family, const Vector& x, const Vector& eta, double temperature,
                      const Samples& all, const Vector& chances) {
  Vector out(eta.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const double l =
        family.log_likelihood(x, all[i]) + family.log_prior(all[i]) - temperature * Family::log_q(all[i], eta);
    for (size_t k = 0; k < eta.size(); ++k) {
      out[k] += chances[i] * l * (all[i][k] / plain::softplus(eta[k]) - 1) * plain::sigmoid(eta[k]);
    }
  }
  return out;
}

double exact_objective(const Family& family, const Vector& x, const Vector& eta, double temperature, double most) {
  Samples all;
  Vector chances;
  enumerate(eta, most, all, chances);
  double sum = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    sum += chances[i] *
           (family.log_likelihood(x, all[i]) + family.log_prior(all[i]) - temperature * Family::log_q(all[i], eta));
  }
  return sum;
}

/// All tuples of three samples of one latent variable, and of two: the mean of the library's estimate is exact.
void the_expected_estimate_is_the_exact_gradient(void**) {
  const DataPointer data = documents(3, 3, 5);
  const auto model = family_of({{"latent", "1"}, {"background_rate", "0.1"}}, *data);
  const Family family = plain_of(*model);
  const Vector x = row_of(*data, 1);
  const Vector eta = {-0.8};
  constexpr double most = 17;  // beyond, a chance of 1e-23
  Samples all;
  Vector chances;
  enumerate(eta, most, all, chances);
  const double rate = plain::softplus(eta[0]), slope = plain::sigmoid(eta[0]);
  for (const double temperature : {1.0, 2.5}) {
    const Vector exact = exact_gradient(family, x, eta, temperature, all, chances);
    check_close("exact gradient", exact,
                differences(eta, [&](const Vector& at) { return exact_objective(family, x, at, temperature, most); }),
                1e-9);
    Vector signals;
    for (const Vector& z : all) {
      signals.push_back(family.log_likelihood(x, z) + family.log_prior(z) - temperature * Family::log_q(z, eta));
    }
    for (const ControlVariate control : {ControlVariate::round_robin, ControlVariate::leave_one_out}) {
      for (const size_t samples : {2, 3, 4}) {
        double mean = 0;
        std::vector<size_t> tuple(samples, 0);
        for (bool more = true; more;) {
          double chance = 1;
          Vector signal, z;
          for (const size_t i : tuple) {
            chance *= chances[i];
            signal.push_back(signals[i]);
            z.push_back(all[i][0]);
          }
          mean +=
              chance * score_gradient(control, signal.data(), z.data(), static_cast<int64_t>(samples), rate, slope);
          size_t place = 0;
          while (place < samples && ++tuple[place] == all.size()) tuple[place++] = 0;
          more = place < samples;
        }
        check_close("expected estimate", {mean}, exact, 1e-12);
      }
    }
  }
}

/// Two latent variables share the likelihood: the estimate of each averages over the draws of the other.
void latent_variables_that_share_words_do_not_bias_each_other(void**) {
  const DataPointer data = documents(3, 3, 5);
  const auto model = family_of({{"latent", "2"}, {"background_rate", "0.1"}}, *data);
  const Family family = plain_of(*model);
  const Vector x = row_of(*data, 1);
  const Vector eta = {-2.5, -3};
  Samples all;
  Vector chances;
  enumerate(eta, 8, all, chances);  // beyond, a chance of 1e-16
  const Vector exact = exact_gradient(family, x, eta, 1, all, chances);
  check_close("exact gradient", exact,
              differences(eta, [&](const Vector& at) { return exact_objective(family, x, at, 1, 8); }), 1e-9);
  Vector likelihoods;
  for (const Vector& z : all) likelihoods.push_back(family.log_likelihood(x, z));
  for (size_t k = 0; k < 2; ++k) {
    const double rate = plain::softplus(eta[k]);
    Vector signals;
    for (size_t i = 0; i < all.size(); ++i) {
      signals.push_back(likelihoods[i] + plain::log_poisson(all[i][k], 1) - plain::log_poisson(all[i][k], rate));
    }
    double mean = 0;
    for (size_t a = 0; a < all.size(); ++a) {
      for (size_t b = 0; b < all.size(); ++b) {
        if (chances[a] * chances[b] < 1e-22) continue;
        for (size_t c = 0; c < all.size(); ++c) {
          const double signal[] = {signals[a], signals[b], signals[c]};
          const double z[] = {all[a][k], all[b][k], all[c][k]};
          mean += chances[a] * chances[b] * chances[c] *
                  score_gradient(ControlVariate::round_robin, signal, z, 3, rate, plain::sigmoid(eta[k]));
        }
      }
    }
    check_close("expected estimate", {mean}, {exact[k]}, 1e-12);
  }
}

Vector statistics_of(const Vector& eta, double prior_rate, Statistic statistic) {
  Vector out;
  for (const double one : eta) {
    const double rate = plain::softplus(one);
    double entropy = 0;
    for (double n = 0; n < 60; ++n) {
      const double log_chance = plain::log_poisson(n, rate);
      entropy -= std::exp(log_chance) * log_chance;
    }
    const double kl = rate * std::log(rate / prior_rate) - rate + prior_rate;
    out.push_back(statistic == Statistic::entropy ? entropy : statistic == Statistic::kl ? kl : rate);
  }
  if (statistic == Statistic::mean_variance) out.insert(out.end(), out.begin(), out.begin() + 3);
  return out;
}

void statistics_of_rows(void**) {
  const DataPointer data = weighted_documents();
  for (const char* precision : {"double", "float"}) {
    const auto model =
        family_of({{"latent", "3"}, {"samples", "4"}, {"prior_rate", "0.7"}, {"precision", precision}}, *data);
    const auto work = model->begin_fit(data.get(), 5);
    scatter(work->rows()->row_values());
    const bool exact = precision[0] == 'd';
    for (const Statistic statistic : {Statistic::entropy, Statistic::kl, Statistic::mean_variance}) {
      const auto length = static_cast<size_t>(model->row_posteriors()->row_statistic_length(statistic));
      for (const int64_t row : batch_rows) {
        Vector statistics(length), slopes(length);
        model->row_posteriors()->row_statistics(statistic, work->rows()->row_values().part(3 * row, 3),
                                                statistics.data(), slopes.data());
        const Vector eta = posterior_of(work->rows()->row_values(), row, 3);
        check_close("statistics", statistics, statistics_of(eta, 0.7, statistic), exact ? 1e-12 : 1e-5);
        for (size_t i = 0; i < length; ++i) {
          const Vector expected =
              differences(eta, [&](const Vector& at) { return statistics_of(at, 0.7, statistic)[i]; });
          check_close("slope", {slopes[i]}, {expected[i % 3]}, exact ? 1e-9 : 1e-5);
        }
      }
    }
  }
}

/// Rows that are fed get the posterior that infer finds, up to its noise; and the gradient of the weights is the one
/// at it.
void fed_rows_are_fitted(void**) {
  const DataPointer data = weighted_documents();
  const auto model = family_of({{"latent", "2"}, {"samples", "64"}, {"local_iterations", "300"}}, *data);
  GradientSettings settings;
  settings.fed = true;
  settings.report = true;
  const auto fed = model->begin_fit(nullptr, 0);
  const Batch all = {data.get(), nullptr, 0, data->rows()};
  const GradientSums sums = vtemper::test::gradient_step(*fed, all, settings);
  const Vector first = copy_of(fed->gradient());
  vtemper::test::gradient_step(*fed, all, settings);
  check_close("again", copy_of(fed->gradient()), first, 0);
  settings.iteration = 1;
  vtemper::test::gradient_step(*fed, all, settings);
  assert_true(copy_of(fed->gradient()) != first);

  settings = {};
  settings.report = true;
  const auto own = model->begin_fit(data.get(), data->rows());
  const double start = vtemper::test::gradient_step(*own, all, settings).elbo;
  Vector means(static_cast<size_t>(2 * data->rows()));
  const OptionValues evaluation(evaluate_options(), {}, "evaluate");
  model->infer(*data, "latent_mean", evaluation, {means.data(), 2, 1});
  for (size_t i = 0; i < means.size(); ++i) {
    own->rows()->row_values().set(static_cast<int64_t>(i), std::log(std::expm1(means[i])));
  }
  const GradientSums expected = vtemper::test::gradient_step(*own, all, settings);
  assert_true(sums.elbo - start > 0.5 * (expected.elbo - start));
  assert_close(sums.elbo, expected.elbo, 0.2 * (expected.elbo - start));
}

void what_has_no_meaning_is_refused(void**) {
  const DataPointer data = documents(5, 4);
  const auto model = family_of({{"latent", "2"}}, *data);
  RequiredGradientFeatures required;
  required.statistic = Statistic::orthogonal;
  assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { model->check_method(required); }), "orthogonal");
  required.statistic = Statistic::mean_variance;
  model->check_method(required);
  const auto work = model->begin_fit(data.get(), 1);
  work->rows()->row_values().set(0, 1e9);
  assert_contains(refusal(VTEMPER_ERROR_NUMERIC,
                          [&] {
                            vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 1}, {});
                          }),
                  "rate");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_gradient_is_the_plain_one),
      cmocka_unit_test(float_is_near_double),
      cmocka_unit_test(the_expected_estimate_is_the_exact_gradient),
      cmocka_unit_test(latent_variables_that_share_words_do_not_bias_each_other),
      cmocka_unit_test(statistics_of_rows),
      cmocka_unit_test(fed_rows_are_fitted),
      cmocka_unit_test(what_has_no_meaning_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
