// Runs of the optimizer: no objective falls at a fixed temperature, T = 1 is plain inference to the bit, threads and
// checkpoints leave no trace, components that died or repeat are counted, bad data is refused.

#include "evaluation/evaluate.h"
#include "support/assert.h"
#include "support/factorial_mixture.h"
#include "support/refusal.h"

using namespace factorial_fixtures;
using namespace vtemper;

namespace {

Texts model_options(bool learn, const char* components = "4") {
  Texts texts = {{"components", components}, {"noise_variance", "0.2"}, {"mean_variance", "1"}};
  if (learn) texts["learn_activation_probability"] = texts["learn_noise_variance"] = "true";
  return texts;
}

/// {local; global} at one temperature.
void ascend(const Data& data, ConjugateModel& model, const LocalTemperature& temperature) {
  const std::unique_ptr<ConjugateFit> work = model.begin_fit(&data, data.rows());
  LocalSettings settings;
  settings.bound = true;
  settings.remember = true;
  double last = -INFINITY;
  for (int step = 0; step < 60; ++step) {
    const LocalSums sums = work->local_step({&data, nullptr, 0, data.rows()}, temperature, settings);
    const double objective = sums.bound + model.global_bound(temperature.prior);
    assert_true(std::isfinite(objective));
    if (objective < last - 1e-11 * std::abs(last)) {
      fail_with("step %d at s = %g: %.17g after %.17g", step, temperature.inverse, objective, last);
    }
    last = objective;
    GlobalStep global;
    global.prior = temperature.prior;
    work->whole_step(global);
  }
}

/// Rows of the fit, seen by a model that does not know their posteriors. From the common start alone the bound of
/// most of these fits is lower, by up to a tenth.
void rows_of_a_fitted_model_are_annealed(void**) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const std::shared_ptr<Data> data = data_of(random_rows(400, 10, 5, seed));
    const std::shared_ptr<ConjugateModel> model = make_model({{"components", "5"}, {"learn_noise_variance", "true"}});
    Optimizer optimizer(model, data, options_of({{"threads", "1"}, {"restarts", "1"}}));
    optimizer.run(-1, nullptr, nullptr);
    const double fit = optimizer.report().elbo;
    const double bound =
        evaluate(*model, data.get(), nullptr, "elbo", OptionValues(evaluate_options(), Options(), "evaluate"));
    print_message("fit %.2f, evaluate %.2f\n", fit, bound);
    assert_true(bound >= fit - 1e-4 * std::abs(fit));
  }
}

void never_falls_at_a_fixed_temperature(void**) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const bool learn = seed % 2 == 1;
    const Matrix rows = random_rows(100, 5 + seed, 3, 100 + seed);
    const std::shared_ptr<Data> data = data_of(rows, random_weights(100, seed));
    for (const double s : {1.0, 0.5, 0.1}) {
      for (const bool natural : {false, true}) {
        const std::shared_ptr<ConjugateModel> model = make_model(model_options(learn));
        model->initialize(*data, seed);
        ascend(*data, *model, natural ? at(s, true, seed % 4 < 2) : at(s));
      }
    }
    if (learn) continue;
    RowTemperature per_row;
    const std::shared_ptr<ConjugateModel> model = make_model(model_options(false));
    model->initialize(*data, seed);
    for (int m = 0; m < 20; ++m) {
      per_row.inverse.push_back(0.05 * (m + 1));
      per_row.log_normalizer.push_back(
          model->tempered_normalizer()->log_normalizer({}, per_row.inverse.back(), 1, 1));
    }
    LocalTemperature temperature;
    temperature.per_row = &per_row;
    ascend(*data, *model, temperature);
  }
}

std::vector<double> fitted(const Data& rows, const Texts& model_texts, const Texts& texts, vtemper_report& report) {
  const std::shared_ptr<ConjugateModel> model = make_model(model_texts);
  Optimizer optimizer(model, std::make_shared<Data>(rows), options_of(texts));
  optimizer.run(-1, nullptr, nullptr);
  report = optimizer.report();
  return parameter(*model, "mean");
}

void every_method_runs_and_ends_cold(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(150, 8, 3, 7));
  for (const bool learn : {false, true}) {
    for (const char* method :
         {"vi", "svi", "annealing", "entropy_annealing", "tempering", "local_tempering", "stochastic_annealing"}) {
      Texts texts = {{"method", method}, {"max_passes", "150"}, {"elbo_every", "1"}};
      if (learn && std::string(method).find("tempering") != std::string::npos) {
        texts["temperature_normalizer"] = "upper";
      }
      vtemper_report report;
      const std::vector<double> means = fitted(*data, model_options(learn), texts, report);
      for (const double value : means) assert_true(std::isfinite(value));
      assert_true(report.temperature == 1 && report.objective_falls == 0 && std::isfinite(report.elbo));
    }
  }
}

void at_one_it_is_plain_inference(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(150, 8, 3, 7));
  vtemper_report report;
  const std::vector<double> plain = fitted(*data, model_options(false), {{"method", "vi"}}, report);
  for (const char* method : {"annealing", "entropy_annealing"}) {
    assert_true(
        same_bits(fitted(*data, model_options(false),
                         {{"method", method}, {"temperature_start", "1"}, {"temperature_steps", "0"}}, report),
                  plain));
  }
  assert_true(same_bits(
      fitted(*data, model_options(false),
             {{"method", "stochastic_annealing"}, {"perturbation_start", "0"}, {"perturbation_steps", "0"}}, report),
      plain));
}

void threads_leave_no_trace(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(400, 8, 3, 7));
  for (const char* method : {"annealing", "local_tempering", "stochastic_annealing", "svi"}) {
    Texts texts = {{"method", method}, {"max_passes", "12"}, {"threads", "1"}};
    vtemper_report report;
    const std::vector<double> one = fitted(*data, model_options(false), texts, report);
    texts["threads"] = "3";
    assert_true(same_bits(fitted(*data, model_options(false), texts, report), one));
  }
}

void checkpoints_go_on_to_the_bit(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(150, 8, 3, 7));
  for (const char* method : {"annealing", "tempering", "local_tempering"}) {
    const std::shared_ptr<ConjugateModel> model = make_model(model_options(false));
    Optimizer optimizer(model, data, options_of({{"method", method}, {"max_passes", "60"}}));
    optimizer.run(17, nullptr, nullptr);
    ContainerWriter writer("vtemper.checkpoint");
    optimizer.save(writer);
    std::vector<uint64_t> bytes(static_cast<size_t>(writer.size()) / 8 + 1);
    writer.write(bytes.data());
    optimizer.run(20, nullptr, nullptr);
    const std::unique_ptr<Optimizer> again =
        Optimizer::load(ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.checkpoint"), data);
    again->run(20, nullptr, nullptr);
    assert_true(same_bits(parameter(*again->model(), "mean"), parameter(*model, "mean")));
    assert_true(again->report().objective == optimizer.report().objective);
  }
}

/// Three components where ten are asked for: the rest die or repeat, and the report says so.
void dead_and_repeated_components_are_counted(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(300, 12, 2, 31, 0.1));
  const std::shared_ptr<ConjugateModel> model = make_model(model_options(false, "10"));
  Optimizer optimizer(model, data, options_of({{"method", "vi"}}));
  optimizer.run(-1, nullptr, nullptr);
  assert_true(optimizer.report().unused_components >= 3);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(nullptr, 1);
  std::vector<double> means(10 * 12, 0.0), variances(10, 1e-4);
  for (size_t d = 0; d < 12; ++d) {
    means[d] = 1;
    means[36 + d] = 1.001;  // component 3 repeats 0
    means[60 + d] = -1;     // 5 does not; the others are zero
  }
  model->write_parameter("mean", means.data());
  model->write_parameter("mean.variance", variances.data());
  assert_int_equal(work->duplicate_components().value(), 1);
}

void both_starts_part_the_components(void**) {
  const std::shared_ptr<Data> data = data_of(random_rows(200, 60, 3, 3));
  for (const char* start : {"prior", "activations", "auto"}) {
    Texts texts = model_options(false);
    texts["initialization"] = start;
    const std::shared_ptr<ConjugateModel> model = make_model(texts);
    model->initialize(*data, 1);
    const std::vector<double> means = parameter(*model, "mean");
    for (size_t k = 1; k < 4; ++k) assert_true(std::abs(means[k * 60] - means[0]) > 1e-6);
    model->initialize(*data, 2);
    assert_false(same_bits(parameter(*model, "mean"), means));
    model->initialize(*data, 1);
    assert_true(same_bits(parameter(*model, "mean"), means));
    // The grid of learned temperatures reaches the mean squared residual over the noise variance.
    assert_true(model->start_temperatures(200, 200).grid >= 10);
  }
}

/// Mild if few rows share many columns, because a hot start would switch components off.
void start_temperatures_follow_rows_and_columns(void**) {
  Texts texts = model_options(false);
  texts["activation_probability"] = "0.25";
  const std::shared_ptr<ConjugateModel> model = make_model(texts);
  model->initialize(*data_of(random_rows(200, 60, 3, 3)), 1);
  for (const auto& [rows, start] :
       {std::pair(0.0, 1.0), std::pair(24.0, 1.9), std::pair(240.0, 10.0), std::pair(1e6, 10.0)}) {
    assert_close(model->start_temperatures(rows, rows).schedule, start, 1e-12);
    assert_close(model->start_temperatures(rows, rows).entropy_schedule, start, 1e-12);
  }
}

void saved_models_are_the_same(void**) {
  Fit fit = start(true, true);
  local_step(fit, at(1));
  fit.work->whole_step(GlobalStep{});
  ContainerWriter writer("vtemper.model");
  save_model(*fit.model, writer);
  std::vector<uint64_t> bytes(static_cast<size_t>(writer.size()) / 8 + 1);
  writer.write(bytes.data());
  const std::unique_ptr<ConjugateModel> again =
      as_conjugate(load_model(ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.model")));
  for (const char* name : {"mean", "mean.variance", "activation_probability", "noise_variance", "mean_variance"}) {
    assert_true(same_bits(parameter(*again, name), parameter(*fit.model, name)));
  }
  assert_true(again->global_bound({}) == fit.model->global_bound({}));
}

void bad_data_is_refused(void**) {
  const auto model = [] { return make_model({{"components", "2"}}); };
  std::vector<double> values = {1, 2, 3, 4, 5, std::nan("")};
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { model()->initialize(*data_of(values, 2), 1); }),
                  "row 2, column 1 is missing");
  values[5] = -1e150;
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { model()->initialize(*data_of(values, 2), 1); }),
                  "row 2, column 1 is -1e+150");
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { model()->initialize(*data_of(std::vector<double>{}, 2), 1); }),
                  "no rows");
  const std::shared_ptr<ConjugateModel> fitted_model = model();
  values[5] = 6;
  fitted_model->initialize(*data_of(values, 2), 1);
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { fitted_model->check(*data_of(values, 3)); }),
                  "the data have 3 columns, the model 2");
  const double nan = std::nan("");
  assert_contains(refusal(VTEMPER_ERROR_DATA,
                          [&] {
                            fitted_model->write_parameter("mean.variance", std::vector<double>{1, nan}.data());
                          }),
                  "element 1 of mean.variance is nan");
}

/// A row of weight 2 counts as two, one of weight 0 as none, also in the priors that follow from the data.
void weights_count_in_automatic_priors(void**) {
  const std::vector<double> once = {1, 2, 3, 5, 1000, -1000}, repeated = {1, 2, 1, 2, 3, 5};
  const auto weighted = std::make_shared<Data>(*data_of(once, 2));
  data_set_weights(*weighted, {2, 1, 0});
  const std::shared_ptr<ConjugateModel> one = make_model({{"components", "2"}}),
                                        other = make_model({{"components", "2"}});
  one->initialize(*weighted, 1);
  other->initialize(*data_of(repeated, 2), 1);
  for (const char* name : {"noise_variance", "mean_variance"}) {
    const double value = std::stod(*one->used_options().find(name)),
                 expected = std::stod(*other->used_options().find(name));
    assert_true(std::abs(value - expected) <= 1e-12 * expected);
  }
  data_set_weights(*weighted, {0, 0, 0});
  assert_contains(refusal(VTEMPER_ERROR_DATA, [&] { one->initialize(*weighted, 1); }), "weight 0");
}

/// Constant, huge and tiny data: finite numbers all the way.
void strange_data_is_borne(void**) {
  for (const double scale : {1e-16, 1e16, 1e-60, 1e60, 1e-300}) {
    Matrix scaled = random_rows(70, 4, 2, 5);
    for (Vector& row : scaled) {
      for (Number& value : row) value *= scale;
    }
    const std::string text = refusal(VTEMPER_ERROR_DATA, [&] {
      make_model({{"components", "3"}})->initialize(*data_of(scaled), 1);
    });
    assert_contains(text, "use another unit");
  }
  for (const double scale : {0.0, 1e-12, 1e12}) {
    for (const double spread : {0.0, 1.0}) {
      Matrix rows = random_rows(70, 4, 2, 5);
      for (Vector& row : rows) {
        for (Number& value : row) value = scale * (1 + spread * value);
      }
      for (const char* method : {"vi", "annealing"}) {
        vtemper_report report;
        const std::vector<double> means =
            fitted(*data_of(rows), {{"components", "3"}}, {{"method", method}, {"max_passes", "130"}}, report);
        for (const double mean : means) assert_true(std::isfinite(mean));
        assert_true(std::isfinite(report.elbo));
      }
    }
  }
}

void priors_without_use_are_refused(void**) {
  assert_contains(refusal(VTEMPER_ERROR_OPTION,
                          [] {
                            make_model({{"noise_prior_rows", "3"}});
                          }),
                  "no effect without learn_noise_variance");
  assert_contains(refusal(VTEMPER_ERROR_OPTION,
                          [] {
                            make_model({{"activation_prior_rows", "3"}});
                          }),
                  "no effect without learn_activation_probability");
  assert_contains(refusal(VTEMPER_ERROR_OPTION,
                          [] {
                            make_model({{"activation_probability", "0.1,0.2"}});
                          }),
                  "as many as there are components (10)");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(rows_of_a_fitted_model_are_annealed),
                              cmocka_unit_test(never_falls_at_a_fixed_temperature),
                              cmocka_unit_test(every_method_runs_and_ends_cold),
                              cmocka_unit_test(at_one_it_is_plain_inference),
                              cmocka_unit_test(threads_leave_no_trace),
                              cmocka_unit_test(checkpoints_go_on_to_the_bit),
                              cmocka_unit_test(dead_and_repeated_components_are_counted),
                              cmocka_unit_test(both_starts_part_the_components),
                              cmocka_unit_test(start_temperatures_follow_rows_and_columns),
                              cmocka_unit_test(saved_models_are_the_same),
                              cmocka_unit_test(bad_data_is_refused),
                              cmocka_unit_test(weights_count_in_automatic_priors),
                              cmocka_unit_test(strange_data_is_borne),
                              cmocka_unit_test(priors_without_use_are_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
