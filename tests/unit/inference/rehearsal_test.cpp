// Early stopping (inference/README.md section 11): the length that rehearsals find predicts new rows better than the
// usual one, whether that is too short or too long; the run is then one of that length; threads, ranks, checkpoints
// and interrupts change nothing.

#include <cmath>

#include "evaluation/evaluate.h"
#include "inference/optimizer.h"
#include "models/gradient_model.h"
#include "support/checkpoint.h"
#include "support/dense.h"
#include "support/divided.h"
#include "support/interruption.h"
#include "support/option_texts.h"
#include "support/random.h"
#include "support/refusal.h"

using namespace vtemper;
using vtemper::test::Random;

namespace {

constexpr int64_t columns = 6;
const Texts usual = {{"seed", "4"}, {"threads", "1"}, {"learning_rate", "0.003"}};

/// Rows of two factors and noise.
DataPointer factors(int64_t rows, double noise, uint64_t seed) {
  Random loadings(1);
  std::vector<double> of_factor;
  for (int64_t i = 0; i < 2 * columns; ++i) of_factor.push_back(loadings.normal());
  Random random(seed);
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row) {
    const double first = random.normal(), second = random.normal();
    for (size_t j = 0; j < columns; ++j) {
      values.push_back(first * of_factor[j] + second * of_factor[columns + j] + noise * random.normal());
    }
  }
  return test::dense_data(values, columns);
}

std::shared_ptr<Model> autoencoder(const char* hidden, const char* latent) {
  const ModelKind& kind = model_kind("variational_autoencoder");
  const Texts options = {{"likelihood", "gaussian"}, {"hidden", hidden}, {"latent", latent}, {"precision", "double"}};
  return kind.create(OptionValues(kind.options(), options_of(options), kind.name));
}

std::unique_ptr<Optimizer> optimizer_of(const DataPointer& data, Texts options, const char* hidden = "8",
                                        const char* latent = "2") {
  for (const auto& [name, text] : usual) options.emplace(name, text);
  return std::make_unique<Optimizer>(autoencoder(hidden, latent), data, options_of(options));
}

double number(const Optimizer& optimizer, const char* name) {
  double value = 0;
  optimizer.read_quantity(name, {&value, 1, 1});
  return value;
}

std::vector<double> parameters(const Optimizer& optimizer) {
  std::vector<double> values;
  for (const char* name : {"noise.variance", "decoder.bias.1"}) {
    std::vector<double> some(columns);
    optimizer.model()->read_parameter(name, {some.data(), 1, 1});
    values.insert(values.end(), some.begin(), some.end());
  }
  return values;
}

/// Mean ELBO of new rows.
double score(const Optimizer& optimizer, const Data& rows) {
  std::vector<double> of_rows(static_cast<size_t>(rows.rows()));
  optimizer.model()->by_gradient()->measure_rows("elbo", rows, OptionValues(evaluate_options(), {}, "evaluate"),
                                                 of_rows.data());
  double sum = 0;
  for (const double value : of_rows) sum += value;
  return sum / static_cast<double>(rows.rows());
}

void a_run_that_would_end_too_early_is_longer(void**) {
  const DataPointer data = factors(260, 0.2, 2), others = factors(500, 0.2, 3);
  const auto stopped = optimizer_of(data, {}), whole = optimizer_of(data, {{"early_stopping", "off"}});
  const double expected = number(*whole, "steps_total");
  stopped->run(-1, nullptr, nullptr);
  whole->run(-1, nullptr, nullptr);
  assert_true(number(*stopped, "steps_total") > 1.5 * expected);
  assert_true(number(*stopped, "iteration") == number(*stopped, "steps_total"));
  print_message("%.0f steps: %.3f, %.0f steps: %.3f\n", number(*stopped, "steps_total"), score(*stopped, *others),
                number(*whole, "steps_total"), score(*whole, *others));
  assert_true(score(*stopped, *others) > score(*whole, *others) + 0.5);
}

DataPointer noise(int64_t rows, uint64_t seed) {
  constexpr int64_t many_columns = 40;
  Random random(seed);
  std::vector<double> values;
  for (int64_t i = 0; i < rows * many_columns; ++i) values.push_back(random.normal());
  return test::dense_data(values, many_columns);
}

/// There is nothing to learn but the rows themselves.
void a_run_that_would_overfit_is_shorter(void**) {
  const DataPointer data = noise(210, 2), others = noise(500, 3);
  const Texts fast = {{"learning_rate", "0.01"}};
  Texts off = fast;
  off["early_stopping"] = "off";
  const auto stopped = optimizer_of(data, fast, "60", "20"), whole = optimizer_of(data, off, "60", "20");
  stopped->run(-1, nullptr, nullptr);
  whole->run(-1, nullptr, nullptr);
  print_message("%.0f steps: %.3f, %.0f steps: %.3f\n", number(*stopped, "steps_total"), score(*stopped, *others),
                number(*whole, "steps_total"), score(*whole, *others));
  assert_true(2 * number(*stopped, "steps_total") < number(*whole, "steps_total"));
  assert_true(score(*stopped, *others) > score(*whole, *others) + 1);
}

void the_run_is_one_of_the_length_that_was_found(void**) {
  for (const int64_t rows : {30, 260}) {  // several rehearsals, and one
    const DataPointer data = factors(rows, 0.3, 2);
    const auto stopped = optimizer_of(data, {});
    assert_text(*stopped->used_options().find("max_passes"), "auto");
    stopped->run(-1, nullptr, nullptr);
    const Options used = stopped->used_options();
    assert_text(*used.find("early_stopping"), "off");
    Optimizer again(autoencoder("8", "2"), data, used);
    again.run(-1, nullptr, nullptr);
    assert_true(number(again, "iteration") == number(*stopped, "iteration"));
    assert_true(parameters(again) == parameters(*stopped));
    const auto threaded = optimizer_of(data, {{"threads", "3"}});
    threaded->run(-1, nullptr, nullptr);
    assert_true(parameters(*threaded) == parameters(*stopped));
    // Before the first step, and on the way.
    std::unique_ptr<Optimizer> parts = test::through_checkpoint(*optimizer_of(data, {}), data);
    parts->run(
        -1, [](const vtemper_report& report) { return report.iteration >= 100; }, nullptr);
    assert_true(number(*parts, "iteration") < number(*stopped, "iteration"));
    parts = test::through_checkpoint(*parts, data);
    assert_true(number(*parts, "steps_total") == number(*stopped, "steps_total"));
    parts->run(-1, nullptr, nullptr);
    assert_true(parameters(*parts) == parameters(*stopped));
    assert_true(parts->used_options().all() == used.all());
  }
}

void steps_of_the_caller_are_not_rehearsed(void**) {
  const DataPointer data = factors(60, 0.3, 2);
  const auto steps = optimizer_of(data, {}), off = optimizer_of(data, {{"early_stopping", "off"}});
  const double expected = number(*off, "steps_total");
  steps->run(1, nullptr, nullptr);
  assert_true(number(*steps, "steps_total") == expected);
  steps->run(-1, nullptr, nullptr);
  assert_true(number(*steps, "iteration") == expected);
  // Nor is a run from parameters that the caller gave.
  const auto given = optimizer_of(data, {});
  const std::vector<double> variance(columns, 0.5);
  given->model()->write_parameter("noise.log_variance", variance.data());
  given->model()->count_change();
  given->run(-1, nullptr, nullptr);
  assert_true(number(*given, "iteration") == expected);
}

void rows_without_weight_are_left_out(void**) {
  const DataPointer data = factors(120, 0.3, 2);
  std::vector<double> weights(120, 0);
  std::fill(weights.begin() + 100, weights.end(), 1);
  data_set_weights(*data, weights);
  const auto optimizer = optimizer_of(data, {});
  optimizer->run(-1, nullptr, nullptr);
  assert_true(number(*optimizer, "iteration") >= 1500);
}

void an_interrupt_ends_a_rehearsal(void**) {
  const DataPointer data = factors(260, 0.2, 2);
  const auto optimizer = optimizer_of(data, {}), undisturbed = optimizer_of(data, {});
  const auto wants = [](void*) { return 1; };
  set_interruption(wants, nullptr);
  refusal(VTEMPER_CANCELLED, [&] { optimizer->run(-1, nullptr, nullptr); });
  set_interruption(nullptr, nullptr);
  assert_true(number(*optimizer, "iteration") == 0);
  optimizer->run(-1, nullptr, nullptr);
  undisturbed->run(-1, nullptr, nullptr);
  assert_true(parameters(*optimizer) == parameters(*undisturbed));
}

void a_deadline_leaves_time_for_the_run(void**) {
  const auto optimizer = optimizer_of(factors(260, 0.2, 2), {{"deadline", "0.3"}});
  optimizer->run(-1, nullptr, nullptr);
  assert_true(number(*optimizer, "iteration") > 0);
}

struct OfRank {
  double steps = 0;
  std::vector<double> parameters;
  std::string failure;
};

void ranks_take_the_steps_of_one_machine(void**) {
  const DataPointer data = factors(250, 0.3, 2);
  const auto alone = optimizer_of(data, {});
  alone->run(-1, nullptr, nullptr);
  const std::vector<double> expected = parameters(*alone);
  for (const OfRank& rank : contract::fit_spread<OfRank>(data, {0, 30, 140, 250}, [&](const DataPointer& spread) {
         const auto optimizer = optimizer_of(spread, {});
         optimizer->run(-1, nullptr, nullptr);
         return OfRank{number(*optimizer, "iteration"), parameters(*optimizer), {}};
       })) {
    assert_text(rank.failure, "");
    assert_true(rank.steps == number(*alone, "iteration"));
    for (size_t i = 0; i < expected.size(); ++i) assert_float_equal(rank.parameters[i], expected[i], 1e-6);
  }
}

void what_it_needs_is_named(void**) {
  const DataPointer data = factors(40, 0.3, 2);
  const auto message_of = [&](const Texts& options) {
    Texts all = options;
    all["early_stopping"] = "on";
    return refusal(VTEMPER_ERROR_OPTION, [&] { optimizer_of(data, all); });
  };
  assert_contains(message_of({{"max_passes", "3"}}), "early_stopping needs a run whose length is not given");
  assert_contains(message_of({{"max_iterations", "3"}}), "early_stopping needs a run whose length is not given");
  assert_contains(message_of({{"method", "proximity"}}), "early_stopping needs method vi");
  assert_contains(message_of({{"method", "entropy_annealing"}}), "early_stopping needs method vi");
  const ModelKind& kind = model_kind("gaussian_mixture");
  const std::shared_ptr<Model> mixture =
      kind.create(OptionValues(kind.options(), options_of({{"components", "2"}}), kind.name));
  assert_contains(refusal(VTEMPER_ERROR_OPTION,
                          [&] {
                            Optimizer(mixture, data, options_of({{"early_stopping", "on"}}));
                          }),
                  "option early_stopping has no effect on models with conjugate updates");
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_that_would_end_too_early_is_longer),
      cmocka_unit_test(a_run_that_would_overfit_is_shorter),
      cmocka_unit_test(the_run_is_one_of_the_length_that_was_found),
      cmocka_unit_test(steps_of_the_caller_are_not_rehearsed),
      cmocka_unit_test(rows_without_weight_are_left_out),
      cmocka_unit_test(an_interrupt_ends_a_rehearsal),
      cmocka_unit_test(a_deadline_leaves_time_for_the_run),
      cmocka_unit_test(ranks_take_the_steps_of_one_machine),
      cmocka_unit_test(what_it_needs_is_named),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
