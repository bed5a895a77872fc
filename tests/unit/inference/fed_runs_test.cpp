// Runs to which rows are fed: their end and their schedule do not depend on how the rows are divided into batches.
// And runs whose model the caller changes.

#include <cmath>
#include <functional>

#include "inference/optimizer.h"
#include "models/model.h"
#include "support/cmocka.h"
#include "support/dense.h"
#include "support/option_texts.h"
#include "support/parameter.h"
#include "support/random.h"
#include "support/refusal.h"

using namespace vtemper;

namespace {

constexpr int64_t rows = 3000;

std::shared_ptr<const Data> clusters(int64_t count) {
  test::Random random(3);
  std::vector<double> values;
  for (int64_t row = 0; row < count; ++row) values.push_back(static_cast<double>(6 * (row % 3)) + random.normal());
  return test::dense_data(values, 1);
}

std::shared_ptr<Model> mixture() {
  const ModelKind& kind = model_kind("gaussian_mixture");
  return kind.create(OptionValues(kind.options(), options_of({{"components", "3"}}), kind.name));
}

/// An optimizer to which these rows are fed.
Optimizer fed_optimizer(const Data& data, Texts texts) {
  const std::shared_ptr<Model> model = mixture();
  model->initialize(data, 1);
  texts["rows_total"] = std::to_string(rows);
  texts["threads"] = "1";
  return Optimizer(model, nullptr, options_of(texts));
}

/// Feeds batches of these sizes, the last of which is repeated until all rows were fed.
vtemper_report after(const std::vector<int64_t>& sizes, const Texts& texts) {
  const std::shared_ptr<const Data> data = clusters(rows);
  Optimizer optimizer = fed_optimizer(*data, texts);
  size_t next = 0;
  for (int64_t first = 0; first < rows;) {
    if (first > 0) assert_int_equal(optimizer.report().finished, 0);
    const int64_t count = std::min(sizes[next], rows - first);
    optimizer.feed(*data_slice(*data, first, count), nullptr);
    first += count;
    if (next + 1 < sizes.size()) ++next;
  }
  return optimizer.report();
}

void a_run_ends_when_its_rows_were_fed(void**) {
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{100}, {7}, {1000, 50}, {1, 1000}, {1, 100}, {2999, 1}}) {
    const vtemper_report report = after(sizes, {{"max_passes", "1"}});
    assert_true(report.finished == 1 && report.ending == VTEMPER_ENDING_LENGTH);
    if (report.iteration > 2) assert_true(report.temperature == 1 && report.settled == 1);
  }
  const vtemper_report limited = after({100, 100, 2800}, {{"max_passes", "5"}, {"max_iterations", "3"}});
  assert_true(limited.finished == 1 && limited.iteration == 3);
}

void a_pass_without_a_length_ends_at_temperature_1(void**) {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{100}, {7}, {1000}, {1, 100}, {1000, 50}}) {
    for (const char* method : {"annealing", "entropy_annealing", "tempering"}) {
      const vtemper_report report = after(sizes, {{"method", method}});
      assert_true(report.finished == 0 && report.temperature == 1);
    }
  }
}

/// Feeds batches of these sizes until two passes are over, with a check after each step.
void each_step_of(const std::vector<int64_t>& sizes, const Texts& texts,
                  const std::function<void(const vtemper_report& before, const vtemper_report& after)>& check) {
  const std::shared_ptr<const Data> data = clusters(rows);
  Optimizer optimizer = fed_optimizer(*data, texts);
  size_t next = 0;
  for (int64_t fed = 0; fed < 2 * rows && optimizer.report().finished == 0; fed += sizes[next]) {
    if (fed > 0 && next + 1 < sizes.size()) ++next;
    const int64_t first = fed % rows + sizes[next] <= rows ? fed % rows : 0;
    const vtemper_report before = optimizer.report();
    optimizer.feed(*data_slice(*data, first, sizes[next]), nullptr);
    if (fed > 0) check(before, optimizer.report());
  }
}

// A schedule never rises. A learned temperature may, until it has been cooled to 1 for the rest of the run.
void temperature_does_not_rise_whatever_the_sizes_of_batches(void**) {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{100},
                                            {7},
                                            {1000},
                                            {1, 100},
                                            {1, 1000},
                                            {1000, 50},
                                            {rows, 100},
                                            {100, rows},
                                            {1500, rows},
                                            {100, 200, 400, 800, 1600, rows, 100},
                                            {2000, 50, rows, 50}}) {
    for (const char* passes : {"auto", "0.5", "1", "5"}) {
      for (const char* method : {"annealing", "entropy_annealing"}) {
        each_step_of(sizes, {{"method", method}, {"max_passes", passes}}, [](const auto& before, const auto& after) {
          assert_true(after.temperature <= before.temperature && after.settled >= before.settled);
        });
      }
      for (const char* method : {"tempering", "local_tempering"}) {
        bool was_cold = false;
        each_step_of(sizes, {{"method", method}, {"max_passes", passes}}, [&](const auto&, const auto& after) {
          was_cold = was_cold || after.temperature == 1;
          if (was_cold) assert_true(after.temperature == 1);
        });
        if (sizes.size() > 1 && std::string(passes) == "auto") assert_true(was_cold || sizes[0] == rows);
      }
    }
  }
}

void a_run_goes_on_from_changed_parameters(void**) {
  const std::shared_ptr<const Data> data = clusters(90);
  // Changes before a run, of which the best start is kept, do not count.
  const std::shared_ptr<Model> given = mixture();
  given->initialize(*data, 5);
  given->count_change();
  Optimizer best(given, data, options_of({{"method", "vi"}, {"threads", "1"}, {"restarts", "4"}}));
  assert_int_equal(best.run(-1, nullptr, nullptr), VTEMPER_OK);
  const int64_t last = best.report().iteration;
  assert_int_equal(best.run(-1, nullptr, nullptr), VTEMPER_OK);
  assert_true(best.report().iteration == last && best.report().finished == 1);
  for (const bool anew : {false, true}) {
    Optimizer optimizer(mixture(), data, options_of({{"method", "vi"}, {"threads", "1"}, {"seed", "1"}}));
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_int_equal(optimizer.report().converged, 1);
    const int64_t iteration = optimizer.report().iteration;
    const double bound = optimizer.report().elbo;
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_int_equal(optimizer.report().iteration, iteration);  // it has ended
    if (anew) {
      optimizer.model()->initialize(*data, 7);
    } else {
      std::vector<double> means = test::parameter(*optimizer.model(), "mean");
      for (double& mean : means) mean += 2;
      optimizer.model()->write_parameter("mean", means.data());
    }
    optimizer.model()->count_change();
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_true(optimizer.report().iteration > iteration + 1 && optimizer.report().converged == 1);
    assert_true(std::abs(optimizer.report().elbo - bound) < 0.01 * std::abs(bound));
  }
}

/// As above for weights: the optimum is that of a new run on rows with these weights, also of the second start of
/// two, and of a run that was to make several starts. Weights that cannot be used leave everything as it was.
void a_run_goes_on_from_changed_weights(void**) {
  test::Random random(5);
  std::vector<double> values, weights;
  for (int row = 0; row < 90; ++row) {
    values.push_back(8 * (row % 3) + random.normal());
    weights.push_back(row % 3 == 0 ? 5 : 0.5);
  }
  for (const char* restarts : {"1", "2", "auto"}) {
    const std::shared_ptr<Data> data = test::dense_data(values, 1);
    const Options options = options_of(
        {{"method", "vi"}, {"threads", "1"}, {"seed", "1"}, {"restarts", restarts}, {"tolerance", "1e-12"}});
    Optimizer optimizer(mixture(), data, options);
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_int_equal(optimizer.report().converged, 1);
    const int64_t iteration = optimizer.report().iteration;
    const double bound = optimizer.report().elbo;
    data_set_weights(*data, std::vector<double>(values.size(), 0));
    const std::string refused = refusal(VTEMPER_ERROR_DATA, [&] { optimizer.run(-1, nullptr, nullptr); });
    assert_true(refused.find("weight 0") != refused.npos);
    assert_true(optimizer.report().converged == 1 && optimizer.report().iteration == iteration);
    data_set_weights(*data, weights);
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_true(optimizer.report().iteration > iteration + 1 && optimizer.report().converged == 1);
    assert_int_equal(optimizer.report().objective_falls, 0);
    assert_true(*optimizer.used_options().find("rows_total") == "180");
    const std::shared_ptr<Model> again = optimizer.model()->copy();
    Optimizer fresh(again, data, options_of({{"method", "vi"}, {"threads", "1"}, {"max_iterations", "1"}}));
    assert_int_equal(fresh.run(-1, nullptr, nullptr), VTEMPER_OK);
    const double weighted = optimizer.report().elbo;
    assert_true(std::abs(weighted - fresh.report().elbo) < 1e-9 * std::abs(weighted));
    assert_true(std::abs(weighted - bound) > 0.1 * std::abs(bound));
    const int64_t last = optimizer.report().iteration;
    assert_int_equal(optimizer.run(-1, nullptr, nullptr), VTEMPER_OK);
    assert_int_equal(optimizer.report().iteration, last);
  }
}

/// Weights whose sums leave the range that is computed with: the advice is to scale them, not another precision.
void sums_that_are_too_large_name_the_weights(void**) {
  const std::pair<const char*, Texts> chosen[] = {
      {"gaussian_mixture", {}}, {"bernoulli_mixture", {}}, {"sigmoid_belief_network", {{"precision", "double"}}}};
  for (const auto& [kind_name, texts] : chosen) {
    const ModelKind& kind = model_kind(kind_name);
    std::vector<double> values;
    for (int i = 0; i < 120; ++i) values.push_back(i * i % 7 % 2);
    const std::shared_ptr<Data> data = test::dense_data(values, 2);
    data_set_weights(*data, std::vector<double>(60, 1.6e148));
    const std::shared_ptr<Model> model = kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
    const std::string refused = refusal(VTEMPER_ERROR_NUMERIC, [&] {
      Optimizer(model, data, options_of({{"threads", "1"}, {"max_passes", "2"}})).run(-1, nullptr, nullptr);
    });
    if (refused.find("gave sums of more than 1e+150") == refused.npos || refused.find("weights") == refused.npos ||
        refused.find("precision") != refused.npos || refused.find("not finite") != refused.npos) {
      fail_with("%s: %s", kind_name, refused.c_str());
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(a_run_ends_when_its_rows_were_fed),
                              cmocka_unit_test(a_pass_without_a_length_ends_at_temperature_1),
                              cmocka_unit_test(temperature_does_not_rise_whatever_the_sizes_of_batches),
                              cmocka_unit_test(a_run_goes_on_from_changed_parameters),
                              cmocka_unit_test(a_run_goes_on_from_changed_weights),
                              cmocka_unit_test(sums_that_are_too_large_name_the_weights)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
