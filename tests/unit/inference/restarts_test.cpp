// Restarts: n starts are n runs with seeds of their own, the best of which is kept, whatever the number of threads
// and with checkpoints and failures in between.

#include <algorithm>

#include "models/model.h"
#include "support/checkpoint.h"
#include "support/error.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr int starts = 5;

std::shared_ptr<Data> corpus() {
  return data_of(random_corpus(60, 30, 4, 20, 3));
}

std::shared_ptr<ConjugateModel> fresh_model() {
  return make_model({{"topics", "4"}, {"precision", "double"}});
}

Texts with(Texts texts, const Texts& more) {
  for (const auto& [name, value] : more) texts[name] = value;
  return texts;
}

std::vector<double> bounds(const Optimizer& optimizer) {
  std::vector<double> values(starts);
  optimizer.read_quantity("restarts.elbo", {values.data(), 1, 1});
  return values;
}

const std::vector<Texts> runs = {
    {{"method", "vi"}, {"seed", "7"}, {"max_iterations", "30"}},
    {{"method", "annealing"}, {"seed", "7"}, {"batch_size", "9"}, {"max_iterations", "40"}},
};

void the_best_of_single_runs_remains(void**) {
  const std::shared_ptr<Data> data = corpus();
  for (const Texts& texts : runs) {
    for (const char* threads : {"1", "2", "8"}) {
      const std::shared_ptr<ConjugateModel> model = fresh_model();
      Optimizer several(model, data, options_of(with(texts, {{"restarts", "5"}, {"threads", threads}})));
      assert_true(std::isnan(bounds(several)[0]));
      assert_int_equal(several.run(-1, nullptr, nullptr), VTEMPER_OK);
      assert_true(several.report().finished == 1);
      const std::vector<double> of_starts = bounds(several);
      size_t best = 0;
      bool differ = false;
      for (size_t i = 0; i < starts; ++i) {
        if (of_starts[i] > of_starts[best]) best = i;
        differ = differ || of_starts[i] != of_starts[0];
      }
      assert_true(differ);
      const std::shared_ptr<ConjugateModel> single = fresh_model();
      Optimizer one(
          single, data,
          options_of(with(texts, {{"threads", "1"}, {"seed", number_text(static_cast<int64_t>(7 + best))}})));
      assert_int_equal(one.run(-1, nullptr, nullptr), VTEMPER_OK);
      assert_true(same_bits(parameter(*model, "lambda"), parameter(*single, "lambda")));
      assert_int_equal(one.report().iteration, several.report().iteration);
      // The caller's model is the optimizer's, and the run can be continued.
      assert_true(several.model() == model);
      several.run(1, nullptr, nullptr);
      one.run(1, nullptr, nullptr);
      assert_true(same_bits(parameter(*model, "lambda"), parameter(*single, "lambda")));
    }
  }
}

/// Kinds fitted by gradients whose rows have parameters of their own, or share a posterior.
void a_fit_by_gradients_goes_on_with_the_callers_model(void**) {
  const std::shared_ptr<Data> counts = corpus();
  const auto all_of = [](const Model& model) {
    std::vector<double> all;
    for (const Quantity& quantity : model.parameters()) {
      const std::vector<double> values = parameter(model, quantity.name);
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  };
  const Texts texts = {{"latent", "3"}, {"samples", "4"}, {"precision", "double"}};
  const ModelKind& kind = model_kind("deep_exponential_family");
  const Texts run = {{"max_iterations", "6"}, {"batch_size", "20"}, {"seed", "7"}, {"threads", "1"}};
  bool exchanged = false;
  for (const int64_t seed : {7, 11, 23}) {
    const std::shared_ptr<Model> model = kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
    Optimizer several(model, counts, options_of(with(run, {{"restarts", "5"}, {"seed", number_text(seed)}})));
    several.run(-1, nullptr, nullptr);
    const std::vector<double> of_starts = bounds(several);
    const int64_t best = std::max_element(of_starts.begin(), of_starts.end()) - of_starts.begin();
    exchanged = exchanged || best > 0;
    const std::shared_ptr<Model> single = kind.create(OptionValues(kind.options(), options_of(texts), kind.name));
    Optimizer one(single, counts, options_of(with(run, {{"seed", number_text(seed + best)}})));
    one.run(-1, nullptr, nullptr);
    assert_true(several.model() == model);
    several.run(2, nullptr, nullptr);
    one.run(2, nullptr, nullptr);
    assert_true(same_bits(all_of(*model), all_of(*single)));
  }
  assert_true(exchanged);
}

void a_run_is_not_finished_before_all_starts_are(void**) {
  const std::shared_ptr<Data> data = corpus();
  const std::shared_ptr<ConjugateModel> model = fresh_model();
  Optimizer several(model, data,
                    options_of({{"method", "vi"}, {"restarts", "5"}, {"threads", "1"}, {"tolerance", "1e-3"}}));
  int64_t steps = 0;
  while (!several.report().finished) {
    several.run(1, nullptr, nullptr);
    assert_true(++steps <= 100);
    assert_true(several.report().finished == (std::isnan(bounds(several)[0]) ? 0 : 1));
  }
  assert_true(steps < 100);  // by convergence
}

void a_checkpoint_holds_all_starts(void**) {
  const std::shared_ptr<Data> data = corpus();
  for (const Texts& texts : runs) {
    const Texts several = with(texts, {{"restarts", "5"}, {"threads", "1"}});
    Optimizer whole(fresh_model(), data, options_of(several));
    whole.run(-1, nullptr, nullptr);
    for (const int64_t steps : {0, 11, 45}) {  // the last: after the best was chosen
      Optimizer first(fresh_model(), data, options_of(several));
      for (int64_t i = 0; i < steps && !first.report().finished; ++i) first.run(1, nullptr, nullptr);
      const std::unique_ptr<Optimizer> second = test::through_checkpoint(first, data);
      second->run(-1, nullptr, nullptr);
      assert_true(same_bits(bounds(*second), bounds(whole)));
      assert_true(same_bits(parameter(*second->model(), "lambda"), parameter(*whole.model(), "lambda")));
    }
  }
}

void the_monitor_stops_all_starts(void**) {
  const std::shared_ptr<Data> data = corpus();
  Optimizer several(fresh_model(), data, options_of(with(runs[0], {{"restarts", "5"}, {"report_every", "3"}})));
  int64_t seen = 0;
  const auto stop_at_once = [&](const vtemper_report& report) {
    seen = report.iteration;
    return true;
  };
  assert_int_equal(several.run(-1, stop_at_once, nullptr), VTEMPER_CANCELLED);
  // On a slow machine reports come sooner than report_every says.
  assert_in_range(seen, 1, 3);
  assert_int_equal(several.report().iteration, seen);
  several.run(-1, nullptr, nullptr);
  Optimizer whole(fresh_model(), data, options_of(with(runs[0], {{"restarts", "5"}})));
  whole.run(-1, nullptr, nullptr);
  assert_true(same_bits(parameter(*several.model(), "lambda"), parameter(*whole.model(), "lambda")));
}

template <class Function>
void assert_refused(vtemper_status status, const Function& function) {
  bool refused = false;
  try {
    function();
  } catch (const Error& error) {
    refused = error.status() == status && std::string(error.what()).find("restarts") != std::string::npos;
  }
  assert_true(refused);
}

void what_takes_one_start_is_refused(void**) {
  const std::shared_ptr<Data> data = corpus();
  Optimizer several(fresh_model(), data, options_of({{"restarts", "2"}, {"method", "svi"}}));
  std::vector<double> statistics(static_cast<size_t>(several.statistics_length()));
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, [&] { several.feed(*data, nullptr); });
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, [&] { several.local_step(data.get(), statistics.data()); });
  assert_refused(VTEMPER_ERROR_UNSUPPORTED, [&] { several.global_step(statistics.data(), nullptr); });
  const std::shared_ptr<ConjugateModel> model = fresh_model();
  model->initialize(*data, 1);
  assert_refused(VTEMPER_ERROR_OPTION, [&] {
    Optimizer(model, nullptr, options_of({{"restarts", "2"}, {"rows_total", "60"}}));
  });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_best_of_single_runs_remains),
      cmocka_unit_test(a_fit_by_gradients_goes_on_with_the_callers_model),
      cmocka_unit_test(a_run_is_not_finished_before_all_starts_are),
      cmocka_unit_test(a_checkpoint_holds_all_starts),
      cmocka_unit_test(the_monitor_stops_all_starts),
      cmocka_unit_test(what_takes_one_start_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
