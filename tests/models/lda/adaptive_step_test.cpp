// The natural gradient of LDA and the adaptive step size on it: F g is the gradient of the plain objective, by finite
// differences; rates, resets and averages against a plain implementation in long double.

#include "inference/presets.h"
#include "support/lda.h"
#include "support/parts.h"

using namespace fixtures;
using namespace vtemper;

namespace {

/// g and F g as K x V.
std::pair<Matrix, Matrix> gradient_of(const ConjugateModel& model, ConjugateFit& fit, const GlobalStep& step,
                                      bool fisher) {
  NaturalGradient& natural = *fit.natural_gradient();
  const size_t words = static_cast<size_t>(model.columns());
  const size_t topics = static_cast<size_t>(natural.gradient_length()) / words;
  Matrix gradient(topics, Vector(words)), product(topics, Vector(words));
  int64_t expected = 0;
  natural.natural_gradient(step, fisher, [&](int64_t first, int64_t count, const double* g, const double* fg) {
    assert_true(first == expected);  // in order, without gaps
    assert_true((fg != nullptr) == fisher);
    expected += count;
    for (int64_t i = 0; i < count; ++i) {
      const size_t place = static_cast<size_t>(first + i);
      gradient[place % topics][place / topics] = g[i];
      if (fisher) product[place % topics][place / topics] = fg[i];
    }
  });
  assert_true(expected == natural.gradient_length());
  return {gradient, product};
}

void the_product_is_the_gradient_of_the_bound(void**) {
  for (const bool natural : {false, true}) {
    for (const double s : {0.4, 1.0}) {
      const Priors priors = asymmetric_priors(3, 12, 11);
      const plain::Documents corpus = random_corpus(6, 12, 3, 14, 23, true);
      const Matrix lambda = random_lambda(3, 12, 29);
      const std::shared_ptr<Data> data = data_of(corpus);
      const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
      LocalTemperature temperature = at(s);
      temperature.prior = {s, natural};
      std::vector<plain::Local> locals;
      for (int64_t d = 0; d < 6; ++d) locals.push_back(solve_row(*model, *data, d, temperature).local);
      const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 6);
      work->local_step({data.get(), nullptr, 0, 6}, temperature, LocalSettings{});
      GlobalStep step;
      step.prior = temperature.prior;
      const auto [gradient, product] = gradient_of(*model, *work, step, true);
      const Matrix target =
          plain::blend(plain::at_power(priors, {s, natural}), lambda, statistics_of(*model, *work), 1, 1);
      for (size_t k = 0; k < 3; ++k) {
        for (size_t v = 0; v < 12; ++v) {
          check_close("g", gradient[k][v], target[k][v] - lambda[k][v], 1e-11L, 1e-3L);
          const Number slope = plain::derivative(
              [&](Number x) {
                Matrix moved = lambda;
                moved[k][v] += x;
                return plain::objective(priors, corpus, Vector(6, s), locals, moved, {s, natural}).total();
              },
              0, 1e-2L);
          check_close("F g", product[k][v], slope, 1e-7L, 1e-2L);
        }
      }
      // Words outside the batch take part: they go back to the prior.
      const std::unique_ptr<ConjugateFit> empty = model->begin_fit(nullptr, 1);
      empty->local_step({data.get(), nullptr, 2, 1}, temperature, LocalSettings{});
      const Matrix decay = gradient_of(*model, *empty, step, false).first;
      const Priors powered = plain::at_power(priors, {s, natural});
      for (size_t k = 0; k < 3; ++k) {
        for (size_t v = 0; v < 12; ++v) {
          check_close("g", decay[k][v], powered.eta[k][v] - lambda[k][v], 1e-12L, 1e-3L);
        }
      }
    }
  }
}

std::unique_ptr<StepSize> make(const Texts& texts) {
  return make_step_size("adaptive", texts);
}

double quantity(const StepSize& part, const char* name) {
  double value = 0;
  part.read_quantity(name, {&value, 1, 1});
  return value;
}

/// Ranganath 2013, eq. 17 to 22, on K x V matrices.
struct PlainRate {
  bool fisher;
  int initial;
  Matrix gradient, product;
  Number square = 0, window = 0;
  int seen = 0, resets = 0;

  static Number inner(const Matrix& a, const Matrix& b) {
    Number total = 0;
    for (size_t k = 0; k < a.size(); ++k) {
      for (size_t v = 0; v < a[k].size(); ++v) total += a[k][v] * b[k][v];
    }
    return total;
  }
  static void move(Matrix& mean, const Matrix& value, Number weight) {
    if (mean.empty()) mean.assign(value.size(), Vector(value[0].size(), 0));
    for (size_t k = 0; k < value.size(); ++k) {
      for (size_t v = 0; v < value[k].size(); ++v) mean[k][v] = (1 - weight) * mean[k][v] + weight * value[k][v];
    }
  }
  Matrix times_fisher(const Matrix& lambda, const Matrix& g) const {
    Matrix out = g;
    for (size_t k = 0; fisher && k < g.size(); ++k) {
      const Number common = plain::trigamma(plain::sum(lambda[k])) * plain::sum(g[k]);
      for (size_t v = 0; v < g[k].size(); ++v) out[k][v] = plain::trigamma(lambda[k][v]) * g[k][v] - common;
    }
    return out;
  }
  Number next(const Matrix& lambda, const Matrix& g) {
    const Matrix fg = times_fisher(lambda, g);
    const bool first = seen < initial;
    ++seen;
    if (first) window = seen;
    move(gradient, g, 1 / window);
    move(product, fg, 1 / window);
    square = (1 - 1 / window) * square + inner(g, fg) / window;
    if (first) return 0;
    if (inner(gradient, product) < 0) {
      ++resets;
      gradient = g;
      product = fg;
    }
    const Number rho = std::min<Number>(1, inner(gradient, product) / square);
    window = window * (1 - rho) + 1;
    return rho;
  }
};

void rates_equal_the_plain_ones(void**) {
  for (const bool fisher : {false, true}) {
    const Priors priors = asymmetric_priors(3, 20, 7);
    const std::shared_ptr<Data> data = data_of(random_corpus(40, 20, 3, 20, 19));
    Matrix lambda = random_lambda(3, 20, 5);
    const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, lambda);
    const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 4);
    const auto part = make({{"step_size_metric", fisher ? "fisher" : "identity"}, {"step_size_initial_steps", "12"}});
    part->prepare(*work);
    PlainRate plain_rate{fisher, 12, {}, {}};
    Random random(101);
    std::vector<double> saved;
    Number largest = 0;
    for (int t = 0; t < 80; ++t) {
      const std::vector<int64_t> rows = {random.below(40), random.below(40), random.below(40), random.below(40)};
      const double s = std::min(1.0, 0.5 + 0.01 * t);  // composed with a temperature
      work->local_step({data.get(), rows.data(), 0, 4}, at(s), LocalSettings{});
      GlobalStep step;
      step.scale = 10;
      const Matrix target = plain::blend(priors, lambda, statistics_of(*model, *work), step.scale, 1);
      Matrix g = target;
      for (size_t k = 0; k < 3; ++k) {
        for (size_t v = 0; v < 20; ++v) g[k][v] -= lambda[k][v];
      }
      const Number expected = plain_rate.next(lambda, g);
      if (t == 40) {  // a part that goes on from the state of another is the same
        const std::vector<double> state = part->state();
        const auto other =
            make({{"step_size_metric", fisher ? "fisher" : "identity"}, {"step_size_initial_steps", "12"}});
        other->prepare(*work);
        assert_true(other->restore(state));
        assert_true(same_bits(other->state(), state));
        const auto cut = std::vector<double>(state.begin(), state.end() - 1);
        assert_false(other->restore(cut));
      }
      step.rho = part->next(step, clock_at(t));
      check_close("rho", step.rho, expected, 1e-7L, 1e-3L);
      check_close("tau", quantity(*part, "step_size.window"), plain_rate.window, 1e-7L);
      assert_true((t < 12) == (step.rho == 0));
      assert_true(step.rho >= 0 && step.rho <= 1 && part->rate(clock_at(t)) == step.rho);
      largest = std::max<Number>(largest, step.rho);
      work->global_step(step);
      for (size_t k = 0; k < 3; ++k) {
        for (size_t v = 0; v < 20; ++v) lambda[k][v] += expected * g[k][v];
      }
      const Matrix result = lambda_of(*model);
      for (size_t k = 0; k < 3; ++k) {
        for (size_t v = 0; v < 20; ++v) check_close("lambda", result[k][v], lambda[k][v], 1e-6L);
      }
    }
    assert_true(quantity(*part, "step_size.resets") == plain_rate.resets);
    assert_true(largest > 0.01L);
  }
}

void the_rate_is_capped(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(40, 20, 3, 20, 19));
  const std::shared_ptr<ConjugateModel> model =
      exact_model(symmetric_priors(3, 20, 0.3, 0.1), *data, random_lambda(3, 20, 5));
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 40);
  const auto part = make({{"step_size_initial_steps", "1"}, {"step_size_max", "0.03"}});
  part->prepare(*work);
  for (int t = 0; t < 10; ++t) {
    work->local_step({data.get(), nullptr, 0, 40}, at(1), LocalSettings{});
    GlobalStep step;
    step.rho = part->next(step, clock_at(t));
    assert_true(step.rho == (t == 0 ? 0 : 0.03));
    work->global_step(step);
  }
}

/// gbar'hbar < 0 is possible with the Fisher metric: a gradient that turns around while F changes a lot.
void negative_products_begin_anew(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(4, 6, 2, 30, 19));
  const std::shared_ptr<ConjugateModel> model =
      exact_model(symmetric_priors(2, 6, 0.3, 0.1), *data, random_lambda(2, 6, 5));
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 4);
  Random random(7);
  int resets = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto part = make({{"step_size_metric", "fisher"}, {"step_size_initial_steps", "3"}});
    part->prepare(*work);
    PlainRate plain_rate{true, 3, {}, {}};
    for (int t = 0; t < 4; ++t) {
      Matrix lambda(2, Vector(6));
      for (Vector& row : lambda) {
        for (Number& value : row) value = std::exp(std::log(1e-3) + std::log(1e6) * random.uniform());
      }
      model->write_parameter("lambda", flat(lambda).data());
      const int64_t row = random.below(4);
      work->local_step({data.get(), &row, 0, 1}, at(1), LocalSettings{});
      GlobalStep step;
      step.scale = 4;
      const Number expected = plain_rate.next(lambda_of(*model), gradient_of(*model, *work, step, false).first);
      check_close("rho", part->next(step, clock_at(t)), expected, 1e-7L, 1e-3L);
    }
    assert_true(quantity(*part, "step_size.resets") == plain_rate.resets);
    resets += plain_rate.resets;
  }
  assert_true(resets > 0);  // otherwise this test shows nothing
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_product_is_the_gradient_of_the_bound),
      cmocka_unit_test(rates_equal_the_plain_ones),
      cmocka_unit_test(the_rate_is_capped),
      cmocka_unit_test(negative_products_begin_anew),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
