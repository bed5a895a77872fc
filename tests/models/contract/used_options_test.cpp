// Every option of a model and of a run has a value in use, of the option's type, and a fit that is given all of these
// values repeats the first bit for bit. For every kind, method and way to take steps, without exception.

#include <cstring>

#include "inference/optimizer.h"
#include "inference/presets.h"
#include "models/contract/models.h"
#include "support/error.h"
#include "support/text.h"

using namespace contract;

namespace {

std::shared_ptr<Model> model_of(const ModelKind& kind, const Options& options) {
  return kind.create(OptionValues(kind.options(), options, kind.name));
}

std::string text_of(const Texts& texts) {
  std::string text;
  for (const auto& [name, value] : texts) text += " " + name + "=" + value;
  return text;
}

void require(bool condition, const std::string& where, const std::string& what) {
  if (condition) return;
  print_error("%s: %s\n", where.c_str(), what.c_str());
  assert_true(false);
}

/// Numbers of the report that depend only on the steps.
Vector report_of(const Optimizer& optimizer) {
  const vtemper_report& r = optimizer.report();
  const auto plain = [](double x) { return std::isnan(x) ? -1 : x; };
  return {static_cast<double>(r.iteration),
          static_cast<double>(r.converged),
          static_cast<double>(r.finished),
          static_cast<double>(r.rows_seen),
          r.passes,
          static_cast<double>(r.empty_rows),
          plain(r.elbo),
          plain(r.objective),
          plain(r.inverse_temperature),
          plain(r.step_size),
          plain(r.perturbation),
          plain(r.proximity)};
}

/// All options of the subject, each with the value in use.
void require_values(const OptionTable& table, const Options& used, const Options& set, const std::string& where) {
  OptionValues(table, used, "the used options");  // refuses values of another type or out of range
  for (const auto& [name, text] : used.all()) {
    require(text != "auto", where, "option " + name + " is still auto");
    const std::string* given = set.find(name);
    const bool stands_for_a_rule = given != nullptr && (*given == "auto" || *given == "0");
    const bool of_restarts = name == "seed" || name == "restarts" || name == "moves";
    if (given == nullptr || stands_for_a_rule || of_restarts) continue;
    const auto number = parse_real(*given);
    const bool same = number ? parse_real(text) == number : text == *given;
    // The length may be given in steps and in passes, and the shorter one is in use.
    const bool is_length = name == "max_passes" || name == "max_iterations" || name.rfind("temperature_", 0) == 0;
    require(same || is_length || name == "batch_size" || name == "threads", where,
            "option " + name + " was given as " + *given + " and is used as " + text);
  }
}

struct Fit {
  std::shared_ptr<Model> model;
  std::unique_ptr<Optimizer> optimizer;
};

/// Runs to the end, or takes some batches if rows are fed.
Fit fit(const ModelKind& kind, const DataPointer& data, const Options& of_model, const Options& of_run, bool fed) {
  Fit made;
  made.model = model_of(kind, of_model);
  if (fed) {
    made.model->initialize(*data, 3);
    made.optimizer = std::make_unique<Optimizer>(made.model, nullptr, of_run);
    for (int64_t i = 0; i < 4; ++i) made.optimizer->feed(*data_slice(*data, 11 * i, 11), nullptr);
  } else {
    made.optimizer = std::make_unique<Optimizer>(made.model, data, of_run);
    made.optimizer->run(-1, nullptr, nullptr);
  }
  return made;
}

/// Ways to run: steps over all rows and minibatches, ends by passes, by steps and by default, starts, weights.
std::vector<Texts> runs_of(const std::string& method, bool conjugate) {
  std::vector<Texts> runs = {
      {{"batch_size", "11"}, {"max_passes", "2.3"}},
      {{"batch_size", "0"}, {"max_iterations", "9"}},
      {{"max_iterations", "12"}, {"seed", "3"}},
      {{"batch_size", "9"}, {"max_iterations", "7"}, {"max_passes", "4"}, {"report_every", "3"}},
  };
  if (conjugate) runs.push_back({{"batch_size", "0"}});  // to its default end, moves included
  if (conjugate) runs.push_back({{"batch_size", "15"}, {"step_size", "adaptive"}, {"step_size_initial_steps", "2"}});
  runs.push_back({{"batch_size", "15"}, {"max_iterations", "5"}, {"restarts", "3"}});
  if (method == "annealing") {
    runs.push_back({{"batch_size", "9"}, {"max_iterations", "23"}, {"temperature_coolings", "3"}});
  }
  if (method == "tempering" || method == "local_tempering") {
    runs.push_back({{"batch_size", "9"}, {"max_iterations", "12"}, {"temperature_inverses", "0.6,1,0.8"}});
  }
  if (method == "proximity") {
    runs.push_back({{"batch_size", "9"}, {"max_iterations", "6"}, {"proximity_decay", "constant"}});
    runs.push_back(
        {{"batch_size", "9"}, {"max_iterations", "6"}, {"proximity_decay", "linear"}, {"step_size", "adam"}});
    runs.push_back({{"max_iterations", "6"}, {"proximity_average", "parameters"}, {"proximity_start", "sum"}});
  }
  for (Texts& texts : runs) texts["method"] = method;
  return runs;
}

int repeated = 0;

/// Whether the kind accepts the run; if it does, checks that the same run with the values in use has the same bits.
bool check_run(const Fixture& fixture, const DataPointer& data, const Texts& texts, bool fed) {
  const ModelKind& kind = model_kind(fixture.kind);
  const std::string where = fixture.kind + text_of(fixture.options) + " |" + text_of(texts) + (fed ? " (fed)" : "");
  const Options of_model = options_of(fixture.options), of_run = options_of(texts);
  Fit first;
  try {
    first = fit(kind, data, of_model, of_run, fed);
  } catch (const Error& error) {
    if (error.status() != VTEMPER_ERROR_UNSUPPORTED && error.status() != VTEMPER_ERROR_OPTION) throw;
    return false;
  }
  const Options used_model = first.model->used_options(), used_run = first.optimizer->used_options();
  require_values(kind.options(), used_model, of_model, where);
  require_values(optimizer_options(), used_run, of_run, where);
  // Options that were set keep their values.
  for (const auto& [name, text] : of_run.all()) {
    require(name == "seed" || first.optimizer->options().text(name) == text, where, "option " + name + " has moved");
  }
  Fit again;
  try {
    again = fit(kind, data, used_model, used_run, fed);
  } catch (const Error& error) {
    require(false, where, error.what());
  }
  require(parameters(*again.model) == parameters(*first.model), where, "other parameters with the values in use");
  require(report_of(*again.optimizer) == report_of(*first.optimizer), where, "another report");
  require(again.model->used_options().all() == used_model.all(), where, "other values of the model in use");
  const Options used_again = again.optimizer->used_options();
  for (const auto& [name, text] : used_run.all()) {
    require(*used_again.find(name) == text, where,
            "option " + name + " is used as " + text + ", then as " + *used_again.find(name));
  }
  ++repeated;
  return true;
}

/// Kinds that refuse methods beyond those that every model accepts are named here.
bool may_refuse(const std::string& kind, const std::string& method) {
  return kind == "factorial_mixture" && method != "vi" && method != "svi" && method != "annealing";
}

void values_in_use_repeat_a_fit(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const bool conjugate = model_of(model_kind(fixture.kind), options_of(fixture.options))->conjugate() != nullptr;
    for (const Preset& preset : presets()) {
      if (!(conjugate ? preset.conjugate : preset.gradient)) continue;
      int taken = 0;
      for (const Texts& texts : runs_of(preset.name, conjugate))
        taken += check_run(fixture, data, texts, false) ? 1 : 0;
      require(taken > 0 || may_refuse(fixture.kind, preset.name), fixture.kind,
              std::string("takes no run of method ") + preset.name);
      Texts fed = {{"method", preset.name}, {"rows_total", "44"}, {"max_passes", "5"}};
      check_run(fixture, data, fed, true);
      fed.erase("max_passes");
      check_run(fixture, data, fed, true);
    }
    check_run(fixture, data, {{"max_iterations", "4"}}, false);  // the default method
  }
  print_message("%d runs repeated\n", repeated);
  assert_true(repeated > 0);
}

/// Weights of rows determine rows_total.
void weights_are_counted(void**) {
  for (const Fixture& fixture : fixtures()) {
    const auto data = std::make_shared<Data>(*fixture.data());
    std::vector<double> weights(static_cast<size_t>(data->rows()));
    for (const double scale : {1.0, 1e-3, 1e17}) {
      for (size_t i = 0; i < weights.size(); ++i) weights[i] = scale * (0.5 + 0.25 * static_cast<double>(i % 4));
      data_set_weights(*data, weights);
      check_run(fixture, data, {{"max_iterations", "4"}, {"batch_size", "9"}}, false);
    }
  }
}

/// Of few rows a Gaussian mixture learns less of its prior, or nothing: the values in use say which.
void few_rows(void**) {
  constexpr int64_t columns = 6;
  for (const int64_t rows : {12, 16, 24}) {
    Vector values;
    for (int64_t i = 0; i < rows * columns; ++i) values.push_back(std::sin(static_cast<double>(i * i)));
    const DataPointer data = test::dense_data(values, columns);
    for (const char* covariance : {"normal_wishart", "independent"}) {
      const Fixture fixture = {"gaussian_mixture", {{"components", "3"}, {"covariance", covariance}}, nullptr};
      assert_true(check_run(fixture, data, {{"max_iterations", "9"}, {"batch_size", "0"}}, false));
    }
  }
}

/// Topics are split while T falls: alpha is learned, and the values in use say how many topics the fit begins with.
void topics_that_grow(void**) {
  const Fixture fixture = {"lda", {{"topics", "100"}, {"precision", "double"}}, counts};
  const DataPointer data = fixture.data();
  const Texts texts = {
      {"method", "annealing"}, {"batch_size", "9"}, {"max_passes", "12"}, {"temperature_start", "6"}};
  assert_true(check_run(fixture, data, texts, false));
  const ModelKind& kind = model_kind("lda");
  const Fit grown = fit(kind, data, options_of(fixture.options), options_of(texts), false);
  const Options used = grown.model->used_options();
  assert_string_equal(used.find("learn_alpha")->c_str(), "true");
  assert_string_equal(used.find("initial_topics")->c_str(), "50");
  assert_string_equal(used.find("alpha")->c_str(), "0.01");
  // The file contains both: what was set, and what was chosen.
  ContainerWriter writer("vtemper.model");
  save_model(*grown.model, writer);
  const std::unique_ptr<Model> loaded = load_model(writer.view("a model"));
  assert_string_equal(loaded->options().text("learn_alpha").c_str(), "auto");
  assert_true(loaded->used_options().all() == used.all());
}

/// A model that is saved and loaded reports the same values; so does a run.
void files_keep_both(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const ModelKind& kind = model_kind(fixture.kind);
    const Fit made = fit(kind, data, options_of(fixture.options), options_of({{"max_iterations", "3"}}), false);
    ContainerWriter writer("vtemper.checkpoint");
    made.optimizer->save(writer);
    const auto loaded = Optimizer::load(writer.view("a checkpoint"), data);
    require(loaded->model()->used_options().all() == made.model->used_options().all(), fixture.kind,
            "a loaded model has other values in use");
    require(loaded->model()->options().all() == made.model->options().all(), fixture.kind, "it has other options");
    const Options used = made.optimizer->used_options(), of_loaded = loaded->used_options();
    for (const auto& [name, text] : used.all()) {
      require(*of_loaded.find(name) == text, fixture.kind,
              "option " + name + " was used as " + text + "; once loaded as " + *of_loaded.find(name));
    }
  }
}

/// Default sizes follow from the columns whenever a model is initialised.
void sizes_follow_from_the_columns(void**) {
  const DataPointer data = binary_rows();
  const DataPointer wider = test::dense_data(Vector(4 * 30), 30);
  for (const auto& [kind, option] :
       {std::pair{"sigmoid_belief_network", "layers"}, {"variational_autoencoder", "latent"}}) {
    const std::shared_ptr<Model> model = model_of(model_kind(kind), {});
    assert_string_equal(model->used_options().find(option)->c_str(), "auto");
    static_cast<void>(model->parameters());  // works before the sizes are known
    model->initialize(*wider, 1);
    assert_string_equal(model->used_options().find(option)->c_str(), "30");
    model->initialize(*data, 1);
    assert_string_equal(model->used_options().find(option)->c_str(), number_text(data->columns()).c_str());
    ContainerWriter writer("vtemper.model");
    save_model(*model, writer);
    const std::unique_ptr<Model> loaded = load_model(writer.view("a model"));
    assert_true(loaded->used_options().all() == model->used_options().all());
    assert_string_equal(loaded->options().text(option).c_str(), "auto");
  }
}

/// A file with an invalid choice of an option is refused.
void hostile_choices_are_refused(void**) {
  const DataPointer data = counts();
  const std::shared_ptr<Model> model = model_of(model_kind("lda"), options_of({{"topics", "3"}}));
  model->initialize(*data, 1);
  for (const char* name : {"chosen.alpha_min", "chosen.nothing"}) {
    ContainerWriter writer("vtemper.model");
    save_model(*model, writer);
    writer.text(name, "-1");
    try {
      load_model(writer.view("a file"));
      assert_true(false);
    } catch (const Error& error) {
      assert_int_equal(error.status(), VTEMPER_ERROR_FORMAT);
      assert_non_null(std::strstr(error.what(), name + 7));
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(values_in_use_repeat_a_fit),
                              cmocka_unit_test(weights_are_counted),
                              cmocka_unit_test(few_rows),
                              cmocka_unit_test(topics_that_grow),
                              cmocka_unit_test(files_keep_both),
                              cmocka_unit_test(sizes_follow_from_the_columns),
                              cmocka_unit_test(hostile_choices_are_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
