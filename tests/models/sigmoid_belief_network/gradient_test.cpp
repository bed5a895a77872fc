// The gradient of a sigmoid belief network: the library's against a plain implementation on the library's own
// samples, the plain one's expectation over all pairs of samples against the exact gradient, that against central
// differences.

#include <functional>

#include "evaluation/evaluate.h"
#include "support/assert.h"
#include "support/error.h"
#include "support/gradient_step.h"
#include "support/plain_network.h"
#include "support/row_scores.h"

using namespace network_fixtures;

namespace {

const std::vector<std::vector<int64_t>> shapes = {{3}, {3, 2}, {2, 2, 2}};

std::string text_of(const std::vector<int64_t>& layers) {
  std::string text;
  for (const int64_t units : layers) text += (text.empty() ? "" : ",") + std::to_string(units);
  return text;
}

/// Gradient of a function of the parameters by central differences.
Vector differences(Network network, const std::function<double(const Network&)>& function) {
  constexpr double step = 1e-5;
  Vector out;
  for (double& parameter : network.parameters) {
    const double centre = parameter;
    parameter = centre + step;
    const double above = function(network);
    parameter = centre - step;
    out.push_back((above - function(network)) / (2 * step));
    parameter = centre;
  }
  return out;
}

void the_gradient_is_the_plain_one(void**) {
  const DataPointer data = binary_rows(7, 5);
  data_set_weights(*data, {1, 2, 0.5, 1, 1, 3, 1});
  const int64_t index[] = {4, 1, 6, 2, 5};
  for (const auto& layers : shapes) {
    for (const char* objective : {"elbo", "multi_sample"}) {
      for (const bool keep : {false, true}) {
        if (keep && objective[0] == 'm') continue;
        const auto model = network_of({{"layers", text_of(layers)},
                                       {"samples", "4"},
                                       {"objective", objective},
                                       {"keep_log_q", keep ? "true" : "false"}},
                                      *data);
        const Network plain = plain_of(*model, layers);
        const auto work = model->begin_fit(data.get(), 5);
        for (const double temperature : {1.0, 2.5}) {
          GradientSettings settings;
          settings.temperature = temperature;
          settings.seed = 11;
          settings.iteration = 3;
          const GradientSums sums = vtemper::test::gradient_step(*work, {data.get(), index, 0, 5}, settings);
          Network::Objective wanted;
          wanted.temperature = temperature;
          wanted.multi_sample = objective[0] == 'm';
          wanted.keep_log_q = keep;
          Vector expected(plain.parameters.size());
          double elbo = 0, objective_sum = 0, rows = 0;
          for (int64_t i = 0; i < 5; ++i) {
            const Vector x = row_of(*data, index[i]);
            const auto samples = samples_of(static_cast<const BeliefNetworkWork<double>&>(*work), layers, i);
            const double weight = data->weight(index[i]);
            const Vector of_row = plain.estimate(x, samples, wanted);
            for (size_t p = 0; p < expected.size(); ++p) expected[p] += weight * of_row[p];
            Vector l;
            for (const States& h : samples) {
              elbo += weight * (plain.log_p(x, h) - plain.log_q(x, h)) / 4;
              l.push_back(plain.log_p(x, h) - temperature * plain.log_q(x, h));
            }
            objective_sum += weight * (wanted.multi_sample ? Network::log_sum(l) - std::log(4.0)
                                                           : (l[0] + l[1] + l[2] + l[3]) / 4);
            rows += weight;
          }
          check_close("gradient", copy_of(work->gradient()), expected, 1e-12);
          check_close("sums", {sums.elbo, sums.objective, sums.rows, sums.count}, {elbo, objective_sum, rows, 5},
                      1e-12);
        }
      }
    }
  }
}

void the_expected_estimator_is_the_exact_gradient(void**) {
  const DataPointer data = binary_rows(4, 3, 5);
  for (const auto& layers : std::vector<std::vector<int64_t>>{{3}, {2, 2}}) {
    const auto model = network_of({{"layers", text_of(layers)}, {"samples", "2"}}, *data);
    const Network plain = plain_of(*model, layers);
    const std::vector<States> all = plain.all_states();
    const Vector x = row_of(*data, 1);
    for (const double temperature : {1.0, 2.5}) {
      for (const bool multi_sample : {false, true}) {
        Network::Objective objective;
        objective.temperature = temperature;
        objective.multi_sample = multi_sample;
        Vector expected(plain.parameters.size());
        for (const States& first : all) {
          for (const States& second : all) {
            const double chance = std::exp(plain.log_q(x, first) + plain.log_q(x, second));
            const Vector estimate = plain.estimate(x, {first, second}, objective);
            for (size_t p = 0; p < expected.size(); ++p) expected[p] += chance * estimate[p];
          }
        }
        const auto exact = [&](const Network& network) {
          double sum = 0;
          for (const States& first : all) {
            const double l = network.log_p(x, first) - temperature * network.log_q(x, first);
            if (!multi_sample) {
              sum += std::exp(network.log_q(x, first)) * l;
              continue;
            }
            for (const States& second : all) {
              const double other = network.log_p(x, second) - temperature * network.log_q(x, second);
              sum += std::exp(network.log_q(x, first) + network.log_q(x, second)) *
                     (Network::log_sum({l, other}) - std::log(2.0));
            }
          }
          return sum;
        };
        check_close("central differences", expected, differences(plain, exact), 1e-7);
        if (multi_sample) continue;
        // The same in closed form: sum_h q { grad log p + (log p - T log q) grad log q }.
        Vector closed(plain.parameters.size());
        for (const States& h : all) {
          const double q = std::exp(plain.log_q(x, h));
          plain.add_log_p(x, h, q, closed);
          plain.add_log_q(x, h, q * (plain.log_p(x, h) - temperature * plain.log_q(x, h)), closed);
        }
        check_close("closed form", expected, closed, 1e-12);
      }
    }
  }
}

Vector fixed_forces(int64_t length) {
  Vector forces(static_cast<size_t>(length));
  Random random(5);
  for (double& force : forces) force = 2 * random.uniform() - 1;
  return forces;
}

/// Statistics of a batch for fixed samples; `model`: whose logits kl is taken to.
Vector statistics_of(const Network& network, const Network& model, const Data& data, const int64_t* index,
                     const BeliefNetworkWork<double>& work, Statistic statistic) {
  Vector means, variances;
  double rows = 0;
  for (int64_t i = 0; i < work.rows; ++i) rows += data.weight(index[i]);
  for (size_t l = 0; l < network.layers.size(); ++l) {
    Vector first(static_cast<size_t>(network.layers[l])), second = first;
    for (int64_t i = 0; i < work.rows; ++i) {
      const Vector x = row_of(data, index[i]);
      const double share = data.weight(index[i]) / rows / static_cast<double>(work.samples);
      for (const States& h : samples_of(work, network.layers, i)) {
        const Vector eta = network.posterior_logits(l, x, h);
        const Vector other = model.model_logits(l, h);
        for (size_t j = 0; j < eta.size(); ++j) {
          const double m = plain_network::sigmoid(eta[j]);
          const double kl =
              m * (eta[j] - other[j]) - plain_network::softplus(eta[j]) + plain_network::softplus(other[j]);
          const double entropy = plain_network::softplus(eta[j]) - eta[j] * m;
          first[j] += share * (statistic == Statistic::entropy ? entropy : statistic == Statistic::kl ? kl : m);
          second[j] += share * m * (1 - m);
        }
      }
    }
    means.insert(means.end(), first.begin(), first.end());
    variances.insert(variances.end(), second.begin(), second.end());
  }
  if (statistic == Statistic::mean_variance) means.insert(means.end(), variances.begin(), variances.end());
  return means;
}

void a_constraint_pulls_along_its_statistics(void**) {
  const DataPointer data = binary_rows(7, 5);
  data_set_weights(*data, {1, 2, 0.5, 1, 1, 3, 1});
  const int64_t index[] = {4, 1, 6, 2, 5};
  const double rows = 1 + 2 + 1 + 0.5 + 3;
  for (const auto& layers : shapes) {
    const auto model = network_of({{"layers", text_of(layers)}, {"samples", "3"}}, *data);
    const Network plain = plain_of(*model, layers);
    const auto work = model->begin_fit(data.get(), 5);
    const auto& samples = static_cast<const BeliefNetworkWork<double>&>(*work);
    for (const Statistic statistic : {Statistic::entropy, Statistic::kl, Statistic::mean_variance}) {
      GradientSettings settings;
      settings.seed = 11;
      vtemper::test::gradient_step(*work, {data.get(), index, 0, 5}, settings);
      const Vector free = copy_of(work->gradient());
      settings.statistic = statistic;
      vtemper::test::gradient_step(*work, {data.get(), index, 0, 5}, settings);
      assert_true(copy_of(work->gradient()) == free);  // measured only

      const Vector forces = fixed_forces(model->shared_posterior()->statistic_length(statistic));
      Vector other =
          copy_of(model->values().part(model->shared_posterior()->posterior_begin(),
                                       model->values().length - model->shared_posterior()->posterior_begin()));
      for (double& value : other) value *= 0.7;
      const RealArray reference = {false, other.data(), static_cast<int64_t>(other.size())};
      settings.reference = &reference;
      vtemper::test::gradient_step(*work, {data.get(), index, 0, 5}, settings, forces);
      Vector pulled = copy_of(work->gradient());
      for (size_t i = 0; i < pulled.size(); ++i) pulled[i] -= free[i];

      check_close("statistics", work->statistics(), statistics_of(plain, plain, *data, index, samples, statistic),
                  1e-12);
      Network referred = plain;
      std::copy(other.begin(), other.end(),
                referred.parameters.begin() + static_cast<std::ptrdiff_t>(plain.posterior_begin()));
      check_close("references", work->reference_statistics(),
                  statistics_of(referred, plain, *data, index, samples, statistic), 1e-12);
      const Vector expected = differences(plain, [&](const Network& network) {
        const Vector f = statistics_of(network, plain, *data, index, samples, statistic);
        double sum = 0;
        for (size_t i = 0; i < f.size(); ++i) sum -= rows * forces[i] * f[i];
        return sum;
      });
      check_close("pull", pulled, expected, 1e-7);
    }
  }
}

void scores_of_rows(void**) {
  const DataPointer data = binary_rows(6, 4);
  for (const auto& layers : shapes) {
    const auto model = network_of({{"layers", text_of(layers)}}, *data);
    const Network plain = plain_of(*model, layers);
    const auto values_of = [](Texts texts) {
      texts["threads"] = "1";
      return OptionValues(evaluate_options(), options_of(texts), "evaluate");
    };
    double exact = 0, exact_elbo = 0;
    for (int64_t row = 0; row < 6; ++row) {
      const Vector x = row_of(*data, row);
      Vector joint;
      for (const States& h : plain.all_states()) {
        joint.push_back(plain.log_p(x, h));
        exact_elbo += std::exp(plain.log_q(x, h)) * (plain.log_p(x, h) - plain.log_q(x, h));
      }
      exact += Network::log_sum(joint);
    }
    const auto score = [&](const char* name, const char* samples) {
      return vtemper::test::measure_of_rows(*model, name, *data, values_of({{"samples", samples}}));
    };
    assert_close(score("log_marginal", "20000"), exact, 0.02 * std::abs(exact));
    assert_close(score("elbo", "20000"), exact_elbo, 0.02 * std::abs(exact_elbo));
    for (const char* samples : {"1", "2", "130", "500"}) {
      // On the same samples, by Jensen's inequality.
      assert_true(score("log_marginal", samples) >= score("elbo", samples) - 1e-12 * std::abs(exact));
    }
    assert_true(score("log_marginal", "1") == score("elbo", "1"));

    Vector means(static_cast<size_t>(6 * model->latent_units()));
    model->infer(*data, "latent_mean", values_of({}), {means.data(), model->latent_units(), 1});
    const Vector eta = plain.posterior_logits(0, row_of(*data, 2), {});
    for (size_t j = 0; j < eta.size(); ++j) {
      const double mean = means[static_cast<size_t>(2 * model->latent_units()) + j];
      assert_close(mean, plain_network::sigmoid(eta[j]), 1e-12);
    }

    // Posterior means of one layer are exact; those of more depend on samples.
    const auto units = [&](const Texts& texts) {
      return evaluate(*model, data.get(), nullptr, "active_units", values_of(texts));
    };
    assert_true(units({}) >= 0 && units({}) <= static_cast<double>(model->latent_units()));
    for (const char* option : {"samples", "seed"}) {
      bool refused = false;
      try {
        units({{option, "7"}});
      } catch (const Error& error) {
        refused = error.status() == VTEMPER_ERROR_OPTION && std::strstr(error.what(), option) != nullptr;
      }
      assert_true(refused == (layers.size() == 1));
    }
  }
}

void hostile_rows_are_refused(void**) {
  const DataPointer data = binary_rows(6, 4);
  const auto model = network_of({{"layers", "2"}}, *data);
  Vector values = {0, 1, 2, 1};
  Dense dense;
  dense.rows = 1;
  dense.columns = 4;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = 4;
  dense.column_stride = 1;
  const DataPointer wrong = data_from_dense(dense, true);
  const auto work = model->begin_fit(nullptr, 1);
  try {
    vtemper::test::gradient_step(*work, {wrong.get(), nullptr, 0, 1}, {});
    assert_true(false);
  } catch (const Error& error) {
    assert_int_equal(error.status(), VTEMPER_ERROR_DATA);
    assert_non_null(std::strstr(error.what(), "row 0, column 2 is 2"));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_gradient_is_the_plain_one),
      cmocka_unit_test(the_expected_estimator_is_the_exact_gradient),
      cmocka_unit_test(a_constraint_pulls_along_its_statistics),
      cmocka_unit_test(scores_of_rows),
      cmocka_unit_test(hostile_rows_are_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
