// The contract of every kind of model: the same tests for all registered kinds and all methods.

#include <algorithm>
#include <cstring>

#include "data/mapped/mapped.h"
#include "evaluation/evaluate.h"
#include "inference/optimizer.h"
#include "inference/presets.h"
#include "models/contract/models.h"
#include "storage/container.h"
#include "support/error.h"
#include "support/sanitizer.h"
#include "support/text.h"
#include "unit/data/fixtures.h"

using namespace contract;
using vtemper::test::assert_refused;
using vtemper::test::Folder;

namespace {

const Texts minibatch = {{"batch_size", "11"}};

/// Steps of a whole run, and of runs that are compared; the latter stop at step 5 and are resumed.
const char* const max_steps = vtemper::test::unless_sanitized("30", "15");
const int64_t compared_steps = vtemper::test::unless_sanitized(14, 8);

std::shared_ptr<Model> model_of(const Fixture& fixture, const Data& data) {
  const ModelKind& kind = model_kind(fixture.kind);
  const std::shared_ptr<Model> model =
      kind.create(OptionValues(kind.options(), options_of(fixture.options), kind.name));
  model->initialize(data, 4);
  return model;
}

std::unique_ptr<Optimizer> optimizer_of(const std::shared_ptr<Model>& model, const std::shared_ptr<const Data>& data,
                                        Texts texts) {
  texts.emplace("threads", "1");
  texts.emplace("max_iterations", max_steps);
  return std::make_unique<Optimizer>(model, data, options_of(texts));
}

/// Parameters of the model and all quantities of the optimizer except times.
Vector everything(const Optimizer& optimizer) {
  Vector all = parameters(*optimizer.model());
  for (const Quantity& quantity : optimizer.quantities()) {
    if (std::string(quantity.name) == "trace.seconds") continue;
    Vector values(static_cast<size_t>(quantity.size()));
    optimizer.read_quantity(quantity.name, {values.data(), 1, 1});
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// True if the kind has conjugate updates; false if it is fitted by gradients.
bool is_conjugate(const Model& model) {
  return model.conjugate() != nullptr;
}

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void require(bool condition, const Fixture& fixture, const std::string& what) {
  if (condition) return;
  print_error("%s", fixture.kind);
  for (const auto& [name, text] : fixture.options) print_error(" %s=%s", name.c_str(), text.c_str());
  print_error(": %s\n", what.c_str());
  assert_true(false);
}

void require_close(const Vector& a, const Vector& b, double tolerance, const Fixture& fixture, const char* what) {
  double largest = 0;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  require(a.size() == b.size(), fixture, what);
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) <= tolerance * largest) continue;
    require(false, fixture, message(what, ": element ", static_cast<int64_t>(i), " is ", a[i], " instead of ", b[i]));
  }
}

/// The methods that the kind does not refuse, with all rows and, where that has a meaning, with minibatches.
std::vector<Texts> methods_of(const Fixture& fixture) {
  std::vector<Texts> methods;
  const DataPointer data = fixture.data();
  std::vector<std::pair<const Preset*, Texts>> choices;
  for (const Preset& preset : presets()) {
    choices.push_back({&preset, {}});
    if (std::string(preset.name) != "proximity") continue;
    choices.push_back({&preset, {{"proximity_average", "parameters"}}});
    choices.push_back({&preset, {{"proximity_inner_steps", "4"}, {"proximity_inner_noise", "0.1"}}});
  }
  for (const auto& [chosen, more] : choices) {
    const Preset& preset = *chosen;
    for (const bool all_rows : {true, false}) {
      Texts texts = more;
      texts["method"] = preset.name;
      if (all_rows) {
        texts["batch_size"] = "0";
      } else {
        texts.insert(minibatch.begin(), minibatch.end());
      }
      try {
        optimizer_of(model_of(fixture, *data), data, texts);
        methods.push_back(texts);
      } catch (const Error& error) {
        // Refused: a message that names what is refused.
        require(error.status() == VTEMPER_ERROR_UNSUPPORTED || error.status() == VTEMPER_ERROR_OPTION, fixture,
                std::string(preset.name) + " is refused by another status: " + error.what());
        require(std::strlen(error.what()) > 30, fixture, std::string(preset.name) + " is refused without a message");
      }
    }
  }
  return methods;
}

void every_kind_has_a_fixture(void**) {
  const char* only = std::getenv("VTEMPER_CONTRACT_KIND");
  for (const ModelKind* kind : model_kinds()) {
    if (only != nullptr && std::string(only) != kind->name) continue;
    bool found = false;
    for (const Fixture& fixture : fixtures()) found = found || std::string(fixture.kind) == kind->name;
    if (!found) print_error("%s is registered, but the contract suite has no data for it\n", kind->name);
    assert_true(found);
  }
  assert_false(fixtures().empty());
}

void the_methods_of_its_seam_are_offered(void**) {
  for (const Fixture& fixture : fixtures()) {
    const std::vector<std::string> expected = is_conjugate(*model_of(fixture, *fixture.data()))
                                                  ? std::vector<std::string>{"vi", "svi", "annealing"}
                                                  : std::vector<std::string>{"vi", "entropy_annealing", "proximity"};
    const std::vector<Texts> offered = methods_of(fixture);
    for (const std::string& name : expected) {
      const bool found = std::any_of(offered.begin(), offered.end(),
                                     [&](const Texts& method) { return method.at("method") == name; });
      require(found, fixture, name + " is refused");
    }
  }
}

void every_method_runs(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    for (const Texts& method : methods_of(fixture)) {
      const auto optimizer = optimizer_of(model_of(fixture, *data), data, method);
      optimizer->run(-1, nullptr, nullptr);
      const vtemper_report& report = optimizer->report();
      require(report.finished && report.iteration > 0, fixture, method.at("method") + " does not end");
      require(report.temperature == 1, fixture, method.at("method") + " ends hot");
      require(report.objective_falls == 0, fixture, method.at("method") + ": its objective falls");
      for (const double value : parameters(*optimizer->model())) {
        require(std::isfinite(value), fixture, method.at("method") + ": a parameter is not finite");
      }
    }
  }
}

void the_elbo_rises_under_vi(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const auto model = model_of(fixture, *data);
    if (!is_conjugate(*model)) continue;  // a step along a sampled gradient may fall
    const auto optimizer = optimizer_of(model, data, {{"method", "vi"}, {"tolerance", "0"}});
    const OptionValues evaluation(evaluate_options(), {}, "evaluate");
    double last = -INFINITY, evaluated = 0;
    for (int i = 0; i < 25; ++i) {
      // A report has the ELBO that the step found before it moved the parameters.
      if (i == 24) evaluated = evaluate(*model, data.get(), nullptr, "elbo", evaluation);
      optimizer->run(1, nullptr, nullptr);
      const double elbo = optimizer->report().elbo;
      require(elbo >= last - 1e-9 * std::abs(elbo), fixture,
              message("the ELBO falls in step ", i, " from ", last, " to ", elbo));
      require(elbo == optimizer->report().objective, fixture,
              message("vi ascends another objective, ", optimizer->report().objective, ", than the ELBO, ", elbo));
      last = elbo;
    }
    // Kinds whose rows are solved by iteration may find another optimum of a row from a fresh start.
    require(std::abs(evaluated - last) <= 1e-3 * std::abs(last), fixture,
            message("evaluate gives the ELBO ", evaluated, ", the next step ", last));
  }
}

void annealing_at_one_is_vi(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const auto run = [&](const Texts& method) {
      const auto optimizer = optimizer_of(model_of(fixture, *data), data, method);
      optimizer->run(compared_steps + 1, nullptr, nullptr);
      Vector all = parameters(*optimizer->model());
      all.insert(all.end(), {optimizer->report().elbo, optimizer->report().objective});
      return all;
    };
    const Vector plain = run({{"method", "vi"}, {"batch_size", "0"}});
    const bool conjugate = is_conjugate(*model_of(fixture, *data));
    require(!conjugate ||
                same_bits(plain, run({{"method", "annealing"}, {"batch_size", "0"}, {"temperature_start", "1"}})),
            fixture, "annealing from T = 1 is not vi");
    for (const Texts& method : methods_of(fixture)) {
      if (method.at("batch_size") != "0") continue;
      if (method.at("method") == "entropy_annealing") {
        require(
            same_bits(plain, run({{"method", "entropy_annealing"}, {"batch_size", "0"}, {"temperature_start", "1"}})),
            fixture, "entropy annealing from T = 1 is not vi");
      }
      if (method.at("method") == "proximity") {
        Texts weak = method;
        weak["proximity_magnitude"] = "0";
        require(same_bits(plain, run(weak)), fixture, "a proximity constraint of magnitude 0 is not vi");
        weak["proximity_magnitude"] = "3";
        require(!same_bits(plain, run(weak)), fixture, "a proximity constraint changes nothing");
      }
      if (method.at("method") == "stochastic_annealing") {
        require(
            same_bits(plain,
                      run({{"method", "stochastic_annealing"}, {"batch_size", "0"}, {"perturbation_start", "0"}})),
            fixture, "stochastic annealing without draws is not vi");
      }
    }
  }
}

void threads_halves_and_resumed_runs_are_the_same_run(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    for (Texts method : methods_of(fixture)) {
      method["report_every"] = "2";  // steps between calls of the monitor
      const std::string name = method.at("method") + ", batch_size " + method.at("batch_size");
      const auto whole = optimizer_of(model_of(fixture, *data), data, method);
      whole->run(compared_steps, nullptr, nullptr);
      const Vector expected = everything(*whole);

      Texts threaded = method;
      threaded["threads"] = "3";
      const auto other = optimizer_of(model_of(fixture, *data), data, threaded);
      other->run(compared_steps, nullptr, nullptr);
      require(same_bits(expected, everything(*other)), fixture, name + ": other bits with three threads");

      const auto halves = optimizer_of(model_of(fixture, *data), data, method);
      Vector statistics(static_cast<size_t>(halves->statistics_length()));
      for (int64_t i = 0; i < compared_steps; ++i) {
        halves->local_step(nullptr, statistics.data());
        halves->local_step(nullptr, statistics.data());  // as after one that was cancelled
        halves->global_step(statistics.data(), nullptr);
      }
      require(same_bits(parameters(*whole->model()), parameters(*halves->model())), fixture,
              name + ": other bits by the halves of steps");

      const auto first = optimizer_of(model_of(fixture, *data), data, method);
      int seen = 0;
      first->run(
          compared_steps, [&](const vtemper_report&) { return ++seen == 1 ? 1 : 0; }, nullptr);
      require(first->report().iteration < 5, fixture, name + ": is not cancelled");
      first->run(5 - first->report().iteration, nullptr, nullptr);
      ContainerWriter writer("test");
      first->save(writer);
      std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
      writer.write(buffer.data());
      const auto resumed = Optimizer::load(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"), data);
      resumed->run(compared_steps - 5, nullptr, nullptr);
      require(same_bits(expected, everything(*resumed)), fixture, name + ": other bits when resumed");
    }
  }
}

/// Steps on rows that are fed: the same bits by feed, by its two halves and when resumed; a batch that is refused
/// changes nothing.
void rows_can_be_fed(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    std::vector<std::shared_ptr<const Data>> batches;
    for (int64_t first = 0; first < data->rows(); first += 15) {
      std::vector<int64_t> rows;
      for (int64_t row = first; row < std::min(first + 15, data->rows()); ++row) rows.push_back(row);
      batches.push_back(data_select(*data, rows.data(), static_cast<int64_t>(rows.size())));
    }
    const std::string plain = is_conjugate(*model_of(fixture, *data)) ? "svi" : "vi";
    for (const std::string& method : {plain, std::string("entropy_annealing")}) {
      const auto start = [&] {
        Texts texts = {{"method", method}, {"rows_total", "45"}, {"threads", "1"}, {"max_passes", "10"}};
        return std::make_unique<Optimizer>(model_of(fixture, *data), nullptr, options_of(texts));
      };
      std::unique_ptr<Optimizer> whole;
      try {
        whole = start();
      } catch (const Error& error) {
        require(error.status() == VTEMPER_ERROR_UNSUPPORTED, fixture, error.what());
        continue;
      }
      const Vector before = parameters(*whole->model());
      const auto halves = start();
      Vector statistics(static_cast<size_t>(halves->statistics_length()));
      const auto first = start();
      for (size_t i = 0; i < 6; ++i) {
        const Data& batch = *batches[i % batches.size()];
        whole->feed(batch, nullptr);
        halves->local_step(&batch, statistics.data());
        halves->local_step(&batch, statistics.data());
        halves->global_step(statistics.data(), nullptr);
        if (i < 3) first->feed(batch, nullptr);
      }
      require(!same_bits(before, parameters(*whole->model())), fixture, "fed rows change nothing");
      for (const double value : parameters(*whole->model())) {
        require(std::isfinite(value), fixture, "a parameter is not finite after rows are fed");
      }
      require(same_bits(parameters(*whole->model()), parameters(*halves->model())), fixture,
              "other bits by the halves of steps on fed rows");
      ContainerWriter writer("test");
      first->save(writer);
      std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
      writer.write(buffer.data());
      const auto resumed =
          Optimizer::load(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"), nullptr);
      for (size_t i = 3; i < 6; ++i) resumed->feed(*batches[i % batches.size()], nullptr);
      require(same_bits(everything(*whole), everything(*resumed)), fixture, "other bits when a fed run is resumed");

      const Vector held = everything(*whole);
      try {
        whole->feed(*(data->form() == VTEMPER_DENSE ? counts() : complete_rows()), nullptr);
        require(false, fixture, "a batch of another form is taken");
      } catch (const Error& error) {
        require(error.status() == VTEMPER_ERROR_UNSUPPORTED, fixture, error.what());
      }
      require(same_bits(held, everything(*whole)), fixture, "a refused batch changes the run");
    }
    // An optimizer with data of its own accepts other rows as well, even more of them than it has.
    const auto part = optimizer_of(model_of(fixture, *data), batches[0], {{"method", plain}, {"batch_size", "5"}});
    part->feed(*data, nullptr);
    part->run(2, nullptr, nullptr);
    for (const double value : parameters(*part->model())) require(std::isfinite(value), fixture, "fed beside data");
  }
}

void statistics_add_up(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const std::shared_ptr<Model> fitted = model_of(fixture, *data);
    ConjugateModel* const model = fitted->conjugate();
    if (model == nullptr) continue;  // samples depend on the place of a row in its batch
    const auto statistics = [&](const Batch& batch, double temperature) {
      const auto work = model->begin_fit(batch.data, batch.count);
      LocalTemperature hot;
      hot.inverse = 1 / temperature;
      LocalSettings settings;
      settings.bound = true;
      const LocalSums sums = work->local_step(batch, hot, settings);
      Vector out(static_cast<size_t>(work->statistics_length()));
      work->write_statistics(out.data());
      Vector of_sums(static_cast<size_t>(LocalSums::length));
      sums.write(of_sums.data());
      out.insert(out.end(), of_sums.begin(), of_sums.end());
      return out;
    };
    const auto sum_of = [](Vector a, const Vector& b) {
      for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
      return a;
    };
    const int64_t rows = data->rows(), part = rows / 3;
    for (const double temperature : {1.0, 2.0}) {
      const Vector whole = statistics({data.get(), nullptr, 0, rows}, temperature);
      const Vector parts = sum_of(statistics({data.get(), nullptr, 0, part}, temperature),
                                  statistics({data.get(), nullptr, part, rows - part}, temperature));
      require_close(parts, whole, 1e-9, fixture, "statistics of parts do not add up");

      // Rows by their numbers, in another order; a row of weight 2 is two rows.
      std::vector<int64_t> order;
      for (int64_t i = 0; i < rows; ++i) order.push_back((i * 7 + 3) % rows);
      require_close(statistics({data.get(), order.data(), 0, rows}, temperature), whole, 1e-9, fixture,
                    "the order of the rows matters");
      const DataPointer weighted = fixture.data();
      Vector weights(static_cast<size_t>(rows), 1.0);
      weights[2] = 2;
      data_set_weights(*weighted, weights);
      Vector twice = sum_of(whole, statistics({data.get(), nullptr, 2, 1}, temperature));
      Vector once = statistics({weighted.get(), nullptr, 0, rows}, temperature);
      const size_t counted =
          static_cast<size_t>(model->begin_fit(nullptr, 1)->statistics_length());  // the number of rows
      twice[counted] = once[counted] = 0;
      require_close(once, twice, 1e-9, fixture, "a row of weight 2 is not two rows");
    }
  }
}

void copies_and_files_are_exact(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const auto model = model_of(fixture, *data);
    optimizer_of(model, data, {{"method", "vi"}})->run(5, nullptr, nullptr);
    const Vector before = parameters(*model);
    const std::shared_ptr<Model> copy = model->copy();
    ContainerWriter writer("test");
    save_model(*model, writer);
    std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
    writer.write(buffer.data());
    const std::shared_ptr<Model> loaded =
        load_model(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"));
    require(same_bits(before, parameters(*copy)), fixture, "a copy differs");
    require(same_bits(before, parameters(*loaded)), fixture, "a saved model differs");
    require(loaded->kind().name == model->kind().name && loaded->options().all() == model->options().all(), fixture,
            "a saved model has other options");
    for (const auto& other : {copy, loaded}) {
      optimizer_of(other, data, {{"method", "vi"}})->run(3, nullptr, nullptr);
      require(same_bits(before, parameters(*model)), fixture, "a step of a copy changes the model");
    }
    require(same_bits(parameters(*copy), parameters(*loaded)), fixture, "a copy and a saved model go other ways");
    optimizer_of(model, data, {{"method", "vi"}})->run(3, nullptr, nullptr);
    require(same_bits(parameters(*copy), parameters(*model)), fixture, "a copy goes another way");
    for (const Quantity& quantity : model->parameters()) {
      if (!quantity.settable) continue;
      model->write_parameter(quantity.name, vtemper::test::parameter(*model, quantity.name).data());
    }
    require_close(parameters(*model), parameters(*copy), 1e-12, fixture, "set parameters differ");
  }
}

void what_is_inferred_is_finite_and_the_same_for_all_threads(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const auto model = model_of(fixture, *data);
    optimizer_of(model, data, {{"method", "vi"}})->run(5, nullptr, nullptr);
    const std::vector<Quantity> quantities = model->local_quantities(*data);
    require(!quantities.empty(), fixture, "nothing can be inferred");
    for (const Quantity& quantity : quantities) {
      const auto inferred = [&](const char* threads) {
        Vector values(static_cast<size_t>(quantity.size()), std::nan(""));
        const OptionValues evaluation(evaluate_options(), options_of({{"threads", threads}}), "evaluate");
        model->infer(*data, quantity.name, evaluation,
                     {values.data(), quantity.shape.size() > 1 ? quantity.shape.back() : 1, 1});
        return values;
      };
      const Vector values = inferred("1");
      for (const double value : values) require(std::isfinite(value), fixture, quantity.name);
      require(same_bits(values, inferred("3")), fixture, std::string(quantity.name) + ": other bits with threads");
    }
    for (const char* measure : {"predictive", "elbo"}) {
      if (measure == std::string("predictive") && model->predictive() == nullptr) continue;
      const auto score = [&](const char* threads) {
        const OptionValues evaluation(evaluate_options(), options_of({{"threads", threads}}), "evaluate");
        return evaluate(*model, data.get(), nullptr, measure, evaluation);
      };
      require(std::isfinite(score("1")) && score("1") == score("3"), fixture, measure);
    }
  }
}

/// A method that needs a facet that the model does not have is refused with a message that names the kind.
void a_missing_facet_is_refused(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const auto model = model_of(fixture, *data);
    ConjugateModel* const conjugate = model->conjugate();
    if (conjugate == nullptr) continue;
    const auto refused = [&](const Texts& texts) {
      try {
        optimizer_of(model, data, texts);
      } catch (const Error& error) {
        return error.status() == VTEMPER_ERROR_UNSUPPORTED &&
               std::string(error.what()).find(fixture.kind) != std::string::npos;
      }
      return false;
    };
    const bool has_gradient = conjugate->begin_fit(data.get(), 9)->natural_gradient() != nullptr;
    require(refused({{"method", "svi"}, {"batch_size", "9"}, {"step_size", "adaptive"}}) != has_gradient, fixture,
            "step_size adaptive and the natural gradient");
    require(refused({{"method", "tempering"}}) != (conjugate->tempered_normalizer() != nullptr), fixture,
            "method tempering and the normaliser");
  }
}

void data_of_other_forms_are_refused(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    require(data->form() == model_kind(fixture.kind).form, fixture, "the kind names another form of data");
    for (const DataPointer& wrong : {counts(), complete_rows(), sequences()}) {
      if (wrong->form() == data->form()) continue;
      const auto model = model_of(fixture, *data);
      const Vector before = parameters(*model);
      bool initialised = true, checked = true;
      try {
        model->initialize(*wrong, 1);
      } catch (const Error& error) {
        initialised = error.status() != VTEMPER_ERROR_UNSUPPORTED;
      }
      try {
        model->check(*wrong);
      } catch (const Error& error) {
        checked = error.status() != VTEMPER_ERROR_UNSUPPORTED;
      }
      require(!initialised && !checked, fixture, "data of another form is not refused as unsupported");
      require(same_bits(before, parameters(*model)), fixture, "a refused initialisation changes the model");
    }
  }
}

/// Another process truncates the file that holds the rows: the next step fails with a message and changes nothing.
void a_file_cut_short_is_refused(void**) {
  Folder folder;
  const std::string path = folder.path("rows");
  for (const Fixture& fixture : fixtures()) {
    data_write(*fixture.data(), path);
    const DataPointer data = open_mapped(path, {0, 0});  // no memory for its rows
    const Texts method = {{"method", "vi"}, {"batch_size", "11"}};
    const auto model = model_of(fixture, *data);
    const auto optimizer = optimizer_of(model, data, is_conjugate(*model) ? Texts{{"method", "vi"}} : method);
    optimizer->run(2, nullptr, nullptr);
    const Vector before = everything(*optimizer);
    assert_int_equal(truncate(path.c_str(), 100), 0);
    assert_refused(VTEMPER_ERROR_IO, {path, "truncated"}, [&] { optimizer->run(1, nullptr, nullptr); });
    require(same_bits(before, everything(*optimizer)), fixture, "a refused step changes the run");
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_has_a_fixture),
      cmocka_unit_test(the_methods_of_its_seam_are_offered),
      cmocka_unit_test(every_method_runs),
      cmocka_unit_test(the_elbo_rises_under_vi),
      cmocka_unit_test(annealing_at_one_is_vi),
      cmocka_unit_test(threads_halves_and_resumed_runs_are_the_same_run),
      cmocka_unit_test(rows_can_be_fed),
      cmocka_unit_test(statistics_add_up),
      cmocka_unit_test(copies_and_files_are_exact),
      cmocka_unit_test(what_is_inferred_is_finite_and_the_same_for_all_threads),
      cmocka_unit_test(a_missing_facet_is_refused),
      cmocka_unit_test(data_of_other_forms_are_refused),
      cmocka_unit_test(a_file_cut_short_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
