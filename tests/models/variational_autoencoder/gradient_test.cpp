// The gradient of a variational autoencoder against central differences of a plain implementation on the same noise.

#include "models/variational_autoencoder/plain_autoencoder.h"
#include "support/error.h"
#include "support/gradient_step.h"

using namespace fixtures;

namespace {

struct Case {
  const char* hidden;
  std::vector<int64_t> units;
  bool gaussian, analytic;
  const char* samples;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"5", {5}, false, true, "1"},          {"6,4", {6, 4}, false, true, "3"}, {"6,4", {6, 4}, false, false, "3"},
      {"4,4,3", {4, 4, 3}, true, true, "2"}, {"5", {5}, true, false, "1"},
  };
  return all;
}

Texts options_of(const Case& one) {
  return {{"latent", "3"},
          {"hidden", one.hidden},
          {"samples", one.samples},
          {"likelihood", one.gaussian ? "gaussian" : "bernoulli"},
          {"bound", one.analytic ? "analytic" : "sampled"}};
}

constexpr int64_t batch_rows = 5;
const int64_t index[batch_rows] = {4, 1, 6, 2, 5};

DataPointer weighted_rows(bool gaussian) {
  DataPointer data = random_rows(7, 4, gaussian);
  data_set_weights(*data, {1, 2, 0.5, 1, 1, 3, 1});
  return data;
}

GradientSettings default_settings() {
  GradientSettings settings;
  settings.seed = 11;
  settings.iteration = 3;
  return settings;
}

void the_gradient_is_that_of_the_objective(void**) {
  for (const Case& one : cases()) {
    const DataPointer data = weighted_rows(one.gaussian);
    const auto model = autoencoder(options_of(one), *data);
    const Autoencoder plain = plain_of(*model, one.units, one.gaussian);
    const auto work = model->begin_fit(data.get(), batch_rows);
    for (const double temperature : {1.0, 2.5}) {
      GradientSettings settings = default_settings();
      settings.temperature = temperature;
      const GradientSums sums = vtemper::test::gradient_step(*work, {data.get(), index, 0, batch_rows}, settings);
      const auto objective = [&](const Autoencoder& other, double t) {
        double sum = 0;
        for (int64_t i = 0; i < batch_rows; ++i) {
          sum +=
              data->weight(index[i]) * other.objective(row_of(*data, index[i]), noise_of(*work, i), t, one.analytic);
        }
        return sum;
      };
      check_close("objectives", {sums.objective, sums.elbo, sums.rows},
                  {objective(plain, temperature), objective(plain, 1), 1 + 2 + 1 + 0.5 + 3}, 1e-12);
      check_close("gradient", numbers_of(work->gradient()),
                  differences(plain, [&](const Autoencoder& other) { return objective(other, temperature); }), 1e-7);
    }
  }
}

Vector fixed_forces(int64_t length) {
  Vector forces(static_cast<size_t>(length));
  RandomStream random = numbers(5);
  for (double& force : forces) force = random.normal();
  return forces;
}

/// The statistics; `counts` becomes how often the distance counts each.
Vector statistics_of(const Autoencoder& model, const Data& data, Statistic statistic, bool by_rows, Vector& counts) {
  Vector out;
  counts.clear();
  if (statistic == Statistic::orthogonal) {
    for (const Autoencoder::Layer& layer : model.encoder()) {
      const size_t side = by_rows ? layer.in : layer.units, inner = by_rows ? layer.units : layer.in;
      for (size_t i = 0; i < side; ++i) {
        for (size_t j = 0; j <= i; ++j) {
          double sum = 0;
          for (size_t k = 0; k < inner; ++k) {
            sum += by_rows ? model.weight(layer, i, k) * model.weight(layer, j, k)
                           : model.weight(layer, k, i) * model.weight(layer, k, j);
          }
          out.push_back(sum);
          counts.push_back(i == j ? 1 : 2);
        }
      }
    }
    return out;
  }
  const auto latent = static_cast<size_t>(model.latent);
  out.resize(statistic == Statistic::mean_variance ? 2 * latent : latent);
  counts.assign(out.size(), 1);
  double rows = 0;
  for (int64_t i = 0; i < batch_rows; ++i) {
    const double weight = data.weight(index[i]);
    rows += weight;
    const Autoencoder::Posterior q = model.posterior(row_of(data, index[i]));
    for (size_t j = 0; j < latent; ++j) {
      const double square = q.sigma[j] * q.sigma[j];
      if (statistic == Statistic::entropy) out[j] += weight * 0.5 * std::log(plain::two_pi * std::exp(1) * square);
      if (statistic == Statistic::kl) out[j] += weight * 0.5 * (q.mu[j] * q.mu[j] + square - 1 - std::log(square));
      if (statistic == Statistic::mean_variance) {
        out[j] += weight * q.mu[j];
        out[latent + j] += weight * square;
      }
    }
  }
  for (double& value : out) value /= rows;
  return out;
}

void a_constraint_pulls_along_its_statistics(void**) {
  const double rows = 1 + 2 + 1 + 0.5 + 3;
  for (const Case& one : cases()) {
    const DataPointer data = weighted_rows(one.gaussian);
    for (const bool by_rows : {true, false}) {
      Texts texts = options_of(one);
      texts["orthogonality"] = by_rows ? "rows" : "columns";
      const auto model = autoencoder(texts, *data);
      const Autoencoder plain = plain_of(*model, one.units, one.gaussian);
      const auto work = model->begin_fit(data.get(), batch_rows);
      for (const Statistic statistic :
           {Statistic::entropy, Statistic::kl, Statistic::mean_variance, Statistic::orthogonal}) {
        if (statistic != Statistic::orthogonal && !by_rows) continue;
        GradientSettings settings = default_settings();
        vtemper::test::gradient_step(*work, {data.get(), index, 0, batch_rows}, settings);
        const Vector free = numbers_of(work->gradient());
        settings.statistic = statistic;
        vtemper::test::gradient_step(*work, {data.get(), index, 0, batch_rows}, settings);
        assert_true(numbers_of(work->gradient()) == free);  // measured only

        const Vector forces = fixed_forces(model->shared_posterior()->statistic_length(statistic));
        settings.report = true;
        Vector other = numbers_of(model->values());
        other.erase(other.begin(),
                    other.begin() + static_cast<std::ptrdiff_t>(model->shared_posterior()->posterior_begin()));
        for (double& value : other) value *= 0.7;
        const RealArray reference = {false, other.data(), static_cast<int64_t>(other.size())};
        settings.reference = &reference;
        const GradientSums sums =
            vtemper::test::gradient_step(*work, {data.get(), index, 0, batch_rows}, settings, forces);
        assert_true(sums.pull > 0 && sums.force > 0);
        Vector pulled = numbers_of(work->gradient());
        for (size_t i = 0; i < pulled.size(); ++i) pulled[i] -= free[i];

        Vector counts;
        check_close("statistics", work->statistics(), statistics_of(plain, *data, statistic, by_rows, counts), 1e-12);
        Autoencoder referred = plain;
        std::copy(other.begin(), other.end(),
                  referred.parameters.begin() + static_cast<std::ptrdiff_t>(plain.encoder_begin()));
        check_close("references", work->reference_statistics(),
                    statistics_of(referred, *data, statistic, by_rows, counts), 1e-12);
        const Vector expected = differences(plain, [&](const Autoencoder& changed) {
          const Vector f = statistics_of(changed, *data, statistic, by_rows, counts);
          double sum = 0;
          for (size_t i = 0; i < f.size(); ++i) sum -= rows * counts[i] * forces[i] * f[i];
          return sum;
        });
        check_close("pull", pulled, expected, 1e-7);
      }
    }
  }
}

void threads_and_places_in_memory_do_not_matter(void**) {
  for (const char* precision : {"float", "double"}) {
    const DataPointer data = random_rows(61, 33, false);
    const auto model =
        autoencoder({{"latent", "7"}, {"hidden", "19,11"}, {"samples", "2"}, {"precision", precision}}, *data);
    for (const Statistic statistic : {Statistic::none, Statistic::entropy, Statistic::orthogonal}) {
      Vector first;
      for (const int threads : {1, 2, 3}) {
        GradientSettings settings = default_settings();
        settings.threads = threads;
        settings.statistic = statistic;
        const Vector forces = fixed_forces(model->shared_posterior()->statistic_length(statistic));
        // A work space that has seen a larger batch.
        const auto work = model->begin_fit(data.get(), 61);
        vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, threads == 2 ? 61 : 40}, settings, forces);
        vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 40}, settings, forces);
        const Vector now = numbers_of(work->gradient());
        if (first.empty()) first = now;
        assert_true(first == now);
      }
    }
  }
}

void float_is_near_double(void**) {
  const DataPointer data = random_rows(20, 12, true);
  const Texts texts = {{"latent", "4"}, {"hidden", "9,6"}, {"likelihood", "gaussian"}};
  const auto exact = autoencoder(texts, *data);
  Texts of_single = texts;
  of_single["precision"] = "float";
  const auto single = autoencoder(of_single, *data);
  for (int64_t i = 0; i < exact->values().length; ++i) single->values().set(i, exact->values().at(i));
  const auto gradient = [&](GradientModel& model) {
    const auto work = model.begin_fit(data.get(), 20);
    vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 20}, default_settings());
    return numbers_of(work->gradient());
  };
  check_close("gradient in float", gradient(*single), gradient(*exact), 1e-5);
}

void hostile_rows_are_refused(void**) {
  for (const bool gaussian : {false, true}) {
    const DataPointer data = random_rows(6, 4, gaussian);
    const auto model = autoencoder({{"likelihood", gaussian ? "gaussian" : "bernoulli"}, {"hidden", "3"}}, *data);
    const auto work = model->begin_fit(nullptr, 1);
    const DataPointer wrong = rows_of({0, 1, gaussian ? std::nan("") : 1.5, 1}, 4);
    const auto check = [](const std::function<void()>& call) {
      try {
        call();
      } catch (const Error& error) {
        assert_int_equal(error.status(), VTEMPER_ERROR_DATA);
        assert_non_null(std::strstr(error.what(), "row 0, column 2 is "));
        return;
      }
      assert_true(false);
    };
    check([&] { vtemper::test::gradient_step(*work, {wrong.get(), nullptr, 0, 1}, {}); });
    check([&] { model->copy()->initialize(*wrong, 1); });
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_gradient_is_that_of_the_objective),
      cmocka_unit_test(a_constraint_pulls_along_its_statistics),
      cmocka_unit_test(threads_and_places_in_memory_do_not_matter),
      cmocka_unit_test(float_is_near_double),
      cmocka_unit_test(hostile_rows_are_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
