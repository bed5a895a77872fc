// The Bernoulli mixture against enumeration of all assignments and all values, against a plain coordinate ascent, and
// at the limits of its data's range.

#include "models/bernoulli_mixture/bernoulli_mixture.h"

#include <cmath>

#include "data/typed_array.h"
#include "inference/optimizer.h"
#include "support/assert.h"
#include "support/option_texts.h"
#include "support/plain_factorial.h"
#include "support/random.h"
#include "support/refusal.h"
#include "support/row_scores.h"

using namespace vtemper;

namespace {

using plain_factorial::digamma;
using Number = long double;
using Vector = std::vector<double>;

const double missing = std::nan("");

/// Rows with zeros, ones, fractions and missing values; row 2 has no value.
struct Problem {
  static constexpr size_t rows = 5, columns = 3, components = 3;
  Vector values = {1, 0, 1, 0, missing, 0.25, missing, missing, missing, 1, 1, 0, 0, 0, missing};
  Vector weights = {1, 2, 1, 0.5, 1};
  Vector alpha = {0.7, 2.5, 1.25}, ones = {0.5, 3, 1, 2, 0.2, 0.9, 4, 1, 1},
         zeros = {2, 0.3, 1, 1, 2, 0.4, 0.6, 5, 1};
  DataPointer data;
  std::shared_ptr<BernoulliMixture> model;

  Problem() {
    data = data_of(values, columns);
    data_set_weights(*data, weights);
    model = model_of("0.5,1.5");
    start();
  }
  void start() {
    model->initialize(*data, 3);
    model->write_parameter("weights.concentration", alpha.data());
    model->write_parameter("ones", ones.data());
    model->write_parameter("zeros", zeros.data());
  }
  static DataPointer data_of(const Vector& values, size_t columns) {
    Dense dense;
    dense.rows = static_cast<int64_t>(values.size() / columns);
    dense.columns = dense.row_stride = static_cast<int64_t>(columns);
    dense.values = typed_array(values.data());
    dense.column_stride = 1;
    return data_from_dense(dense, true);
  }
  static std::shared_ptr<BernoulliMixture> model_of(const std::string& prior, const std::string& learn = "false") {
    Options options;
    options.set("components", "3");
    options.set("weights_prior", "0.5,1,2");
    options.set("probability_prior", prior);
    options.set("learn_priors", learn);
    return std::make_shared<BernoulliMixture>(OptionValues(bernoulli_mixture_kind.options(), options, "test"));
  }
  double value(size_t n, size_t d) const { return values[n * columns + d]; }
};

Vector parameter(const Model& model, const char* name) {
  for (const Quantity& quantity : model.parameters()) {
    if (std::string(quantity.name) != name) continue;
    Vector out(static_cast<size_t>(quantity.size()));
    model.read_parameter(name, {out.data(), quantity.shape.size() > 1 ? quantity.shape[1] : 1, 1});
    return out;
  }
  return {};
}

/// The results of a plain step, and the parameters.
struct Plain {
  Vector prior_weights = {0.5, 1, 2};
  double prior_one = 0.5, prior_zero = 1.5;
  Vector alpha, ones, zeros;
  std::vector<std::vector<Number>> phi;  // [rows][components]
  Number bound = 0, likelihood = 0;

  Number total() const {
    Number sum = 0;
    for (const double a : alpha) sum += a;
    return sum;
  }
  Number score(const Problem& problem, size_t n, size_t k) const {
    Number e = digamma(alpha[k]) - digamma(total());
    for (size_t d = 0; d < Problem::columns; ++d) {
      const double x = problem.value(n, d);
      const size_t i = k * Problem::columns + d;
      if (std::isnan(x)) continue;
      const Number sum = digamma(Number(ones[i]) + zeros[i]);
      e += x * (digamma(ones[i]) - sum) + (1 - x) * (digamma(zeros[i]) - sum);
    }
    return e;
  }
  static bool has_values(const Problem& problem, size_t n) {
    bool some = false;
    for (size_t d = 0; d < Problem::columns; ++d) some = some || !std::isnan(problem.value(n, d));
    return some;
  }
  void local(const Problem& problem, Number s) {
    phi.assign(Problem::rows, std::vector<Number>(Problem::components));
    bound = likelihood = 0;
    for (size_t n = 0; n < Problem::rows; ++n) {
      if (!has_values(problem, n)) continue;
      Number sum = 0;
      for (size_t k = 0; k < Problem::components; ++k) sum += phi[n][k] = std::exp(s * score(problem, n, k));
      bound += problem.weights[n] * std::log(sum);
      for (size_t k = 0; k < Problem::components; ++k) {
        phi[n][k] /= sum;
        likelihood += problem.weights[n] * phi[n][k] * score(problem, n, k);
      }
    }
  }
  void global(const Problem& problem, double s, double power) {
    const auto raised = [&](double prior) { return 1 + power * (prior - 1); };
    for (size_t k = 0; k < Problem::components; ++k) {
      alpha[k] = raised(prior_weights[k]);
      for (size_t d = 0; d < Problem::columns; ++d) {
        const size_t i = k * Problem::columns + d;
        ones[i] = raised(prior_one);
        zeros[i] = raised(prior_zero);
        for (size_t n = 0; n < Problem::rows; ++n) {
          const double x = problem.value(n, d);
          if (std::isnan(x)) continue;
          ones[i] += double(s * problem.weights[n] * phi[n][k] * x);
          zeros[i] += double(s * problem.weights[n] * phi[n][k] * (1 - x));
        }
      }
      for (size_t n = 0; n < Problem::rows; ++n) alpha[k] += double(s * problem.weights[n] * phi[n][k]);
    }
  }
  /// s E log p - E log q of a Dirichlet, term by term.
  static Number dirichlet(const Vector& prior, const Vector& posterior, Number s) {
    Number sum = 0, prior_sum = 0, result = 0;
    for (const double a : posterior) sum += a;
    for (const double a : prior) prior_sum += a;
    result = s * std::lgamma(prior_sum) - std::lgamma(sum);
    for (size_t i = 0; i < prior.size(); ++i) {
      const Number log = digamma(posterior[i]) - digamma(sum);
      result += s * ((prior[i] - 1) * log - std::lgamma(Number(prior[i])));
      result -= (posterior[i] - 1) * log - std::lgamma(Number(posterior[i]));
    }
    return result;
  }
  Number global_bound(Number s) const {
    Number result = dirichlet(prior_weights, alpha, s);
    for (size_t i = 0; i < ones.size(); ++i) result += dirichlet({prior_one, prior_zero}, {ones[i], zeros[i]}, s);
    return result;
  }
};

Plain plain_of(const Problem& problem) {
  Plain plain;
  plain.alpha = problem.alpha;
  plain.ones = problem.ones;
  plain.zeros = problem.zeros;
  return plain;
}

LocalTemperature at(double s, double power = 1) {
  LocalTemperature temperature;
  temperature.inverse = s;
  temperature.prior.inverse = power;
  return temperature;
}

/// Marginals and normaliser of q(z) prop. exp(s sum_n e_{n z_n}) by all K^N assignments of the rows with values.
void rows_are_those_of_all_assignments(void**) {
  const Problem problem;
  const Plain plain = plain_of(problem);
  for (const double s : {1.0, 0.3}) {
    std::vector<size_t> rows;
    for (size_t n = 0; n < Problem::rows; ++n) {
      if (Plain::has_values(problem, n)) rows.push_back(n);
    }
    Number all = 0;
    std::vector<Number> marginals(Problem::rows * Problem::components);
    for (size_t code = 0; code < 81; ++code) {
      Number log_weight = 0;
      for (size_t j = 0, rest = code; j < rows.size(); ++j, rest /= 3) {
        log_weight += s * plain.score(problem, rows[j], rest % 3);
      }
      all += std::exp(log_weight);
      for (size_t j = 0, rest = code; j < rows.size(); ++j, rest /= 3) {
        marginals[rows[j] * Problem::components + rest % 3] += std::exp(log_weight);
      }
    }
    // The rows once each: weights would be powers of their terms.
    const DataPointer data = Problem::data_of(problem.values, Problem::columns);
    const auto work = problem.model->begin_fit(data.get(), 5);
    LocalSettings settings;
    settings.bound = true;
    const LocalSums sums = work->local_step({data.get(), nullptr, 0, 5}, at(s), settings);
    assert_close(sums.bound, std::log(all), 1e-13);
    Vector statistics(static_cast<size_t>(work->statistics_length()));
    work->write_statistics(statistics.data());
    for (size_t k = 0; k < Problem::components; ++k) {
      Number expected = 0;
      for (size_t n = 0; n < Problem::rows; ++n) expected += s * marginals[n * Problem::components + k] / all;
      assert_close(statistics[k], expected, 1e-13);
    }
  }
}

/// Steps of coordinate ascent at three temperatures and priors at a power: parameters, sums and objective, which
/// never falls.
void steps_are_those_of_plain_coordinate_ascent(void**) {
  for (const auto& [s, power] : {std::pair(1.0, 1.0), std::pair(0.4, 1.0), std::pair(0.5, 0.5)}) {
    const Problem problem;
    Plain plain = plain_of(problem);
    const auto work = problem.model->begin_fit(problem.data.get(), 5);
    LocalSettings settings;
    settings.bound = true;
    GlobalStep step;
    step.prior.inverse = power;
    Number last = -std::numeric_limits<Number>::infinity();
    for (int i = 0; i < 30; ++i) {
      plain.local(problem, s);
      const LocalSums sums = work->local_step({problem.data.get(), nullptr, 0, 5}, at(s, power), settings);
      assert_close(sums.bound, plain.bound, 1e-11);
      assert_close(sums.expected_log_likelihood, plain.likelihood, 1e-11);
      assert_close(sums.tokens, 1 + 2 * 2 / 3.0 + 0.5 + 2 / 3.0, 1e-14);
      assert_int_equal(static_cast<int>(sums.empty_rows), 1);
      const Number global = plain.global_bound(power);
      assert_close(problem.model->global_bound(step.prior), global, 1e-11);
      assert_true(plain.bound + global >= last - 1e-12);
      last = plain.bound + global;
      plain.global(problem, s, power);
      work->whole_step(step);
      const auto check = [&](const char* name, const Vector& expected) {
        const Vector seen = parameter(*problem.model, name);
        for (size_t j = 0; j < expected.size(); ++j) assert_close(seen[j], expected[j], 1e-11);
      };
      check("weights.concentration", plain.alpha);
      check("ones", plain.ones);
      check("zeros", plain.zeros);
    }
  }
}

/// The factor of the prior, from least_strength to `largest`, at which the plain bound is largest, by golden section;
/// it is concave.
double best_strength(Plain plain, double largest, double power) {
  const double one = plain.prior_one, zero = plain.prior_zero, ratio = 0.5 * (std::sqrt(5.0) - 1);
  double low = std::log(least_strength), high = std::log(largest);
  const auto bound = [&](double log_factor) {
    plain.prior_one = std::exp(log_factor) * one;
    plain.prior_zero = std::exp(log_factor) * zero;
    return plain.global_bound(power);
  };
  for (int i = 0; i < 100; ++i) {
    const double left = high - ratio * (high - low), right = low + ratio * (high - low);
    (bound(left) < bound(right) ? low : high) = bound(left) < bound(right) ? left : right;
  }
  return std::exp(0.5 * (low + high));
}

/// With learn_priors: after every step the strength of the prior is that of the best bound given the components, at
/// most the rows of the average component or the strength before, and the objective never falls.
void the_learned_strength_is_that_of_the_best_bound(void**) {
  for (const double weight_of_rows : {100.0, 10.0}) {
    Problem problem;
    for (double& weight : problem.weights) weight *= weight_of_rows;
    data_set_weights(*problem.data, problem.weights);
    problem.model = Problem::model_of("0.5,1.5", "true");
    problem.start();
    Plain plain = plain_of(problem);
    const auto work = problem.model->begin_fit(problem.data.get(), 5);
    LocalSettings settings;
    settings.bound = true;
    GlobalStep step;
    Number last = -std::numeric_limits<Number>::infinity();
    const auto learned_strength = [&] {
      const Vector prior = parameter(*problem.model, "probability_prior");
      for (size_t d = 0; d < Problem::columns; ++d) {
        assert_close(prior[d], prior[0], 1e-14);
        assert_close(prior[Problem::columns + d], 3 * prior[0], 1e-14);
      }
      return prior[0] / 0.5;
    };
    double strength = learned_strength(), least = strength, most = strength;
    for (int i = 0; i < 30; ++i) {
      plain.prior_one = 0.5 * strength;
      plain.prior_zero = 1.5 * strength;
      plain.local(problem, 1);
      const LocalSums sums = work->local_step({problem.data.get(), nullptr, 0, 5}, at(1), settings);
      assert_close(problem.model->global_bound(step.prior), plain.global_bound(1), 1e-11);
      assert_true(sums.bound + problem.model->global_bound(step.prior) >= last - 1e-9);
      last = sums.bound + problem.model->global_bound(step.prior);
      plain.global(problem, 1, 1);
      work->whole_step(step);
      plain.prior_one = 0.5;
      plain.prior_zero = 1.5;
      const double rows = 4.5 * weight_of_rows;  // those with values
      strength = best_strength(plain, std::max(strength, rows / Problem::components), 1);
      const double learned = learned_strength();
      assert_close(learned, strength, 1e-5);  // what rounding of the bound leaves of golden section
      strength = learned;
      least = std::min(least, strength);
      most = std::max(most, strength);
    }
    assert_true(most > 1.01 * least);
  }
}

/// With a prior that outweighs the rows by far, the logarithms of its normaliser are 1e13 times the bound's change in
/// a step. The bound must not fall for their rounding, at any temperature, and neither may the strength follow it.
void strong_priors_leave_no_noise_in_the_bound(void**) {
  constexpr size_t rows = 60, columns = 6;
  test::Random random(7);
  Vector values;
  for (size_t i = 0; i < rows * columns; ++i) {
    values.push_back(random.uniform() < ((i / columns + i % columns / 3) % 2 == 0 ? 0.9 : 0.1) ? 1 : 0);
  }
  const DataPointer data = Problem::data_of(values, columns);
  for (const char* prior : {"1e6", "1e9", "1e12", "1e12,1e9", "0.5,1e12"}) {
    for (const char* learn : {"false", "true"}) {
      for (const char* method : {"vi", "annealing", "entropy_annealing"}) {
        for (const char* weights_prior : {"auto", "1e12"}) {
          const auto model =
              std::make_shared<BernoulliMixture>(OptionValues(bernoulli_mixture_kind.options(),
                                                              options_of({{"components", "3"},
                                                                          {"learn_priors", learn},
                                                                          {"probability_prior", prior},
                                                                          {"weights_prior", weights_prior}}),
                                                              "test"));
          Optimizer optimizer(model, data,
                              options_of({{"method", method}, {"restarts", "1"}, {"seed", "1"}, {"threads", "1"}}));
          double before = std::nan("");
          vtemper_report last{};
          while (optimizer.report().finished == 0) {
            optimizer.run(1, nullptr, nullptr);
            const vtemper_report report = optimizer.report();
            const bool same = report.inverse_temperature == last.inverse_temperature;
            if (same && report.objective < before - 1e-9 * std::abs(before)) {
              print_error("prior %s, weights %s, %s: from %.17g to %.17g in step %d\n", prior, weights_prior, method,
                          before, report.objective, static_cast<int>(report.iteration));
              assert_true(false);
            }
            before = report.objective;
            last = report;
          }
          assert_true(last.converged == 1 && last.objective_falls == 0);
        }
      }
    }
  }
}

/// Heat makes the classes of some rows nearly equal. The prior must not learn from that: it would hold them together.
void hot_steps_do_not_learn_the_strength(void**) {
  constexpr size_t rows = 400, columns = 8, classes = 4;
  test::Random random(7);
  Vector values;
  for (size_t n = 0; n < rows; ++n) {
    for (size_t d = 0; d < columns; ++d) {
      const double probability = 0.1 + 0.8 * static_cast<double>((n % classes * 7 + d * 5) % 11) / 10;
      values.push_back(random.uniform() < probability ? 1 : 0);
    }
  }
  const DataPointer data = Problem::data_of(values, columns);
  const auto bound = [&](const char* method, const char* learn) {
    const OptionTable table = bernoulli_mixture_kind.options();
    const auto model = std::make_shared<BernoulliMixture>(
        OptionValues(table, options_of({{"components", "4"}, {"learn_priors", learn}}), "test"));
    Optimizer(model, data, options_of({{"method", method}, {"restarts", "1"}, {"seed", "1"}, {"threads", "1"}}))
        .run(-1, nullptr, nullptr);
    Optimizer scored(model, data, options_of({{"method", "vi"}, {"max_iterations", "1"}, {"threads", "1"}}));
    scored.run(-1, nullptr, nullptr);
    return scored.report().elbo;
  };
  for (const char* method :
       {"entropy_annealing", "annealing", "tempering", "local_tempering", "stochastic_annealing"}) {
    const double learned = bound(method, "true"), fixed = bound(method, "false");
    if (learned >= fixed - 1) continue;
    print_error("%s: %g with a learned prior, %g with a fixed one\n", method, learned, fixed);
    assert_true(false);
  }
}

/// auto: learned unless the prior is set; with one component never.
void the_strength_is_learned_unless_the_prior_is_set(void**) {
  const ModelKind& kind = bernoulli_mixture_kind;
  const auto learned = [&](const Texts& texts) {
    const auto model = kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
    return model->options().boolean("learn_priors");
  };
  assert_true(learned({{"components", "3"}}));
  assert_false(learned({{"components", "1"}}));
  assert_false(learned({{"components", "3"}, {"probability_prior", "0.5"}}));
  assert_true(learned({{"components", "3"}, {"probability_prior", "0.5"}, {"learn_priors", "true"}}));
  const std::string message = refusal(VTEMPER_ERROR_OPTION, [&] {
    learned({{"components", "1"}, {"learn_priors", "true"}});
  });
  assert_true(message.find("learn_priors fits the prior to the components") != std::string::npos);
}

/// c_s by all values of a row: expectations of the powers under the posterior, or exp(s E log).
void the_normalizer_is_that_of_all_rows(void**) {
  const Problem problem;
  const Plain plain = plain_of(problem);
  const auto moment = [](Number a, Number total, Number s) {
    return std::exp(std::lgamma(a + s) - std::lgamma(a) - std::lgamma(total + s) + std::lgamma(total));
  };
  const auto plug_in = [](Number a, Number total, Number s) { return std::exp(s * (digamma(a) - digamma(total))); };
  for (const double s : {0.2, 0.7, 1.0}) {
    for (const bool upper : {true, false}) {
      const auto power = [&](Number a, Number total) { return upper ? moment(a, total, s) : plug_in(a, total, s); };
      Number all = 0;
      for (size_t k = 0; k < Problem::components; ++k) {
        for (size_t x = 0; x < 8; ++x) {
          Number term = power(plain.alpha[k], plain.total());
          for (size_t d = 0; d < Problem::columns; ++d) {
            const size_t i = k * Problem::columns + d;
            const double one = plain.ones[i], zero = plain.zeros[i];
            term *= power((x >> d & 1) != 0 ? one : zero, Number(one) + zero);
          }
          all += term;
        }
      }
      Normalizer normalizer;
      normalizer.estimate = upper ? "upper" : "plug_in";
      assert_close(problem.model->tempered_normalizer()->log_normalizer(normalizer, s, 9, 7), 7 * std::log(all),
                   1e-11);
    }
  }
}

/// log p(row) at the means of all parameters, without missing values; all rows together, weighted.
void densities_are_those_of_the_means(void**) {
  const Problem problem;
  const Plain plain = plain_of(problem);
  const OptionValues evaluate({{"threads", VTEMPER_OPTION_INTEGER, "1", 0, 9, "", ""}}, {}, "test");
  Vector densities(Problem::rows);
  problem.model->infer(*problem.data, "log_density", evaluate, {densities.data(), 1, 1});
  Number score = 0;
  for (size_t n = 0; n < Problem::rows; ++n) {
    Number density = 0;
    for (size_t k = 0; k < Problem::components; ++k) {
      Number term = plain.alpha[k] / plain.total();
      for (size_t d = 0; d < Problem::columns; ++d) {
        const size_t i = k * Problem::columns + d;
        const Number mean = plain.ones[i] / (Number(plain.ones[i]) + plain.zeros[i]);
        const double x = problem.value(n, d);
        if (!std::isnan(x)) term *= std::pow(mean, Number(x)) * std::pow(1 - mean, 1 - Number(x));
      }
      density += term;
    }
    assert_close(densities[n], std::log(density), 1e-13);
    score += problem.weights[n] * std::log(density);
  }
  double tokens = 0;
  assert_close(test::score_of(*problem.model->predictive(), {*problem.data}, evaluate, tokens), score, 1e-13);
  assert_close(tokens, 5.5, 0);
  Vector shares(Problem::rows * Problem::components);
  problem.model->infer(*problem.data, "responsibilities", evaluate, {shares.data(), 3, 1});
  for (size_t k = 0; k < 3; ++k) assert_close(shares[6 + k], plain.alpha[k] / plain.total(), 1e-15);  // row 2
}

/// Observed values are kept; missing ones are the mean of the classes' probabilities, weighted by the
/// responsibilities given the observed values.
template <class Real>
void missing_values_are_completed(void**) {
  Problem problem;
  const std::vector<Real> values(problem.values.begin(), problem.values.end());
  Dense dense;
  dense.rows = Problem::rows;
  dense.columns = dense.row_stride = Problem::columns;
  dense.column_stride = 1;
  dense.values = typed_array(values.data());
  problem.data = data_from_dense(dense, true);
  const Plain plain = plain_of(problem);
  const OptionValues evaluate({{"threads", VTEMPER_OPTION_INTEGER, "1", 0, 9, "", ""}}, {}, "test");
  assert_string_equal(problem.model->local_quantities(*problem.data).back().name, "completed");
  Vector completed(Problem::rows * Problem::columns);
  problem.model->infer(*problem.data, "completed", evaluate, {completed.data(), 3, 1});
  for (size_t n = 0; n < Problem::rows; ++n) {
    Number total = 0;
    std::vector<Number> shares;
    for (size_t k = 0; k < Problem::components; ++k) {
      shares.push_back(Plain::has_values(problem, n) ? std::exp(plain.score(problem, n, k))
                                                     : plain.alpha[k] / plain.total());
      total += shares[k];
    }
    for (size_t d = 0; d < Problem::columns; ++d) {
      const double x = problem.value(n, d), value = completed[n * Problem::columns + d];
      Number expected = 0;
      for (size_t k = 0; k < Problem::components; ++k) {
        const size_t i = k * Problem::columns + d;
        expected += shares[k] / total * plain.ones[i] / (Number(plain.ones[i]) + plain.zeros[i]);
      }
      assert_close(value, std::isnan(x) ? expected : Number(x), std::isnan(x) ? 1e-12 : 0);
    }
  }
}

/// Classes that are far apart are found by every method, from rows of which a tenth is missing.
void every_method_finds_the_classes(void**) {
  constexpr size_t rows = 300, columns = 8;
  test::Random random(5);
  Vector values(rows * columns);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t n = i / columns, d = i % columns;
    const bool one = random.uniform() < ((d < 4) == (n % 3 == 0) || (d % 2 == 0 && n % 3 == 1) ? 0.9 : 0.1);
    values[i] = random.uniform() < 0.1 ? missing : one ? 1 : 0;
  }
  const DataPointer data = Problem::data_of(values, columns);
  for (const char* method :
       {"vi", "svi", "annealing", "entropy_annealing", "stochastic_annealing", "tempering", "local_tempering"}) {
    const std::shared_ptr<BernoulliMixture> model = Problem::model_of("auto");
    model->initialize(*data, 1);
    Options options;
    options.set("method", method);
    options.set("seed", "1");
    options.set("restarts", "4");
    Optimizer(model, data, options).run(-1, nullptr, nullptr);
    const OptionValues evaluate({{"threads", VTEMPER_OPTION_INTEGER, "1", 0, 9, "", ""}}, {}, "test");
    Vector shares(rows * 3);
    model->infer(*data, "responsibilities", evaluate, {shares.data(), 3, 1});
    // Pairs of rows that are in one class, or not, as they were made.
    size_t agree = 0, pairs = 0;
    const auto best = [&](size_t n) { return std::max_element(&shares[3 * n], &shares[3 * n] + 3) - &shares[3 * n]; };
    for (size_t n = 0; n < rows; ++n) {
      for (size_t m = 0; m < n; ++m, ++pairs) agree += (best(n) == best(m)) == (n % 3 == m % 3) ? 1 : 0;
    }
    if (static_cast<double>(agree) < 0.85 * static_cast<double>(pairs)) {
      fail_with("%s: %zu of %zu pairs of rows are as they were made", method, agree, pairs);
    }
  }
}

void other_values_are_refused(void**) {
  const Problem problem;
  for (const double bad : {-0.5, 1.5, HUGE_VAL}) {
    Vector values = problem.values;
    values[4] = bad;
    const std::string message =
        refusal(VTEMPER_ERROR_DATA, [&] { problem.model->check(*Problem::data_of(values, Problem::columns)); });
    assert_true(message.find("row 1, column 1 is") != std::string::npos);
  }
  double bad[9] = {1, 1, 1, 1, -1, 1, 1, 1, 1};
  const std::string message = refusal(VTEMPER_ERROR_DATA, [&] { problem.model->write_parameter("ones", bad); });
  assert_true(message.find("element 4 of ones is -1") != std::string::npos);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_those_of_all_assignments),
      cmocka_unit_test(steps_are_those_of_plain_coordinate_ascent),
      cmocka_unit_test(the_learned_strength_is_that_of_the_best_bound),
      cmocka_unit_test(hot_steps_do_not_learn_the_strength),
      cmocka_unit_test(strong_priors_leave_no_noise_in_the_bound),
      cmocka_unit_test(the_strength_is_learned_unless_the_prior_is_set),
      cmocka_unit_test(the_normalizer_is_that_of_all_rows),
      cmocka_unit_test(densities_are_those_of_the_means),
      cmocka_unit_test(missing_values_are_completed<float>),
      cmocka_unit_test(missing_values_are_completed<double>),
      cmocka_unit_test(every_method_finds_the_classes),
      cmocka_unit_test(other_values_are_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
