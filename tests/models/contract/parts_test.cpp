// A corpus divided over machines: local steps whose statistics are summed give the steps of one machine with all
// rows, for every kind and method and any division. Machines are optimizers in one process here.

#include "inference/presets.h"
#include "models/contract/models.h"
#include "support/divided.h"
#include "support/refusal.h"
#include "support/sanitizer.h"

using namespace contract;

namespace {

constexpr int64_t steps = 4;

std::shared_ptr<Model> model_of(const Fixture& fixture, const Data& data) {
  const std::shared_ptr<Model> model = model_in_double(fixture);
  model->initialize(data, 4);
  return model;
}

void require(bool condition, const Fixture& fixture, const Texts& texts, const std::string& what) {
  contract::require(condition, described(fixture, texts), what);
}

void require_close(const Vector& a, const Vector& b, const Fixture& fixture, const Texts& texts, const char* what) {
  const double tolerance = tolerance_of(texts);
  require(a.size() == b.size(), fixture, texts, what);
  double largest = 0;
  for (const double value : b) largest = std::max(largest, std::isfinite(value) ? std::abs(value) : 0);
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    require(std::abs(a[i] - b[i]) <= tolerance * largest, fixture, texts,
            std::string(what) + ", element " + std::to_string(i) + ": " + std::to_string(a[i]) + " and " +
                std::to_string(b[i]));
  }
}

struct Machines {
  std::vector<std::unique_ptr<Optimizer>> all;

  /// One machine for each part of the corpus between two cuts.
  Machines(const Fixture& fixture, const DataPointer& corpus, const Cuts& cuts, const Texts& texts) {
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const DataPointer part = data_slice(*corpus, cuts[i], cuts[i + 1] - cuts[i]);
      data_set_part(*part, cuts[i], corpus->rows());
      all.push_back(std::make_unique<Optimizer>(model_of(fixture, *corpus), part, options_of(texts)));
    }
  }
  void step() {
    const auto length = static_cast<size_t>(all.front()->statistics_length());
    Vector statistics(length), sum(length, 0.0);
    for (const auto& machine : all) {
      machine->local_step(nullptr, statistics.data());
      for (size_t i = 0; i < length; ++i) sum[i] += statistics[i];
    }
    for (const auto& machine : all) machine->global_step(sum.data(), nullptr);
  }
};

/// Methods whose steps do not depend on the division of the rows, with the options that parts need.
std::vector<Texts> methods_of(const Fixture& fixture, const Data& data) {
  const std::shared_ptr<Model> model = model_of(fixture, data);
  const bool conjugate = dynamic_cast<const ConjugateModel*>(model.get()) != nullptr;
  std::vector<Texts> methods;
  for (const Preset& preset : presets()) {
    const std::string name = preset.name;
    if (!(conjugate ? preset.conjugate : preset.gradient)) continue;
    for (const char* size : {"0", "11"}) {
      Texts texts = {{"method", name}, {"batch_size", size}, {"threads", "1"}, {"max_iterations", "12"}};
      if (!conjugate && name == "entropy_annealing") texts["temperature_start"] = "2";
      if (name == "proximity") texts["proximity_magnitude"] = "1";
      try {
        Optimizer(model_of(fixture, data), std::make_shared<Data>(data), options_of(texts));
        methods.push_back(texts);
      } catch (const Error& error) {
        require(error.status() == VTEMPER_ERROR_UNSUPPORTED || error.status() == VTEMPER_ERROR_OPTION, fixture, texts,
                error.what());
      }
    }
  }
  return methods;
}

/// No machine knows the mean of a network's outputs over the rows of a step before the sum, so it cannot be
/// constrained.
bool is_refused(const Fixture& fixture, const DataPointer& data, const Texts& texts) {
  const std::shared_ptr<Model> model = model_of(fixture, *data);
  const auto* by_gradient = dynamic_cast<const GradientModel*>(model.get());
  if (texts.at("method") != "proximity" || by_gradient->row_posteriors() != nullptr) return false;
  const std::string why = refusal(VTEMPER_ERROR_UNSUPPORTED, [&] {
    const Machines refused(fixture, data, {0, 20, 45}, texts);
  });
  require(why.find("mean over all rows") != std::string::npos, fixture, texts, why);
  return true;
}

const auto divisions =
    test::unless_sanitized<std::vector<Cuts>>({{0, 15, 45}, {0, 1, 20, 45}, {0, 44, 45}}, {{0, 1, 20, 45}});

void parts_come_to_what_the_whole_comes_to(void**) {
  int compared = 0;
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    for (const Texts& texts : methods_of(fixture, *data)) {
      if (is_refused(fixture, data, texts)) continue;
      Optimizer whole(model_of(fixture, *data), data, options_of(texts));
      const Vector before = parameters(*whole.model());
      whole.run(steps, nullptr, nullptr);
      const Vector after = parameters(*whole.model());
      require(after != before, fixture, texts, "nothing was learned");
      for (const Cuts& cuts : divisions) {
        Machines machines(fixture, data, cuts, texts);
        for (int64_t i = 0; i < steps; ++i) machines.step();
        for (const auto& machine : machines.all) {
          const Vector learned = parameters(*machine->model());
          require_close(learned, after, fixture, texts, "other parameters than one machine's");
          require(learned == parameters(*machines.all.front()->model()), fixture, texts, "the machines part");
          const vtemper_report& report = machine->report();
          require(report.rows_seen == whole.report().rows_seen && report.passes == whole.report().passes, fixture,
                  texts, "another pace");
          require(
              std::abs(report.temperature - whole.report().temperature) <= tolerance_of(texts) * report.temperature &&
                  std::abs(report.step_size - whole.report().step_size) <= 1e-9,
              fixture, texts, "another clock");
          require(quantity_of(*machine, "steps_total") == quantity_of(whole, "steps_total"), fixture, texts,
                  "another length");
        }
        ++compared;
      }
    }
  }
  print_message("%d runs compared\n", compared);
  assert_true(compared > 0);
}

/// Rows that are fed: the statistics of a batch are the sum of those of its two halves, noise included.
void places_of_fed_rows_decide_their_draws(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    const DataPointer halves[] = {data_slice(*data, 0, 17), data_slice(*data, 17, 28)};
    const bool conjugate = dynamic_cast<const ConjugateModel*>(model_of(fixture, *data).get()) != nullptr;
    const Texts texts = {{"method", conjugate ? "svi" : "vi"}, {"rows_total", "45"}, {"threads", "1"}};
    Optimizer optimizer(model_of(fixture, *data), nullptr, options_of(texts));
    const auto length = static_cast<size_t>(optimizer.statistics_length());
    Vector all(length), one(length), sum(length, 0.0);
    optimizer.local_step_at(*data, 0, 45);
    optimizer.write_statistics(all.data());
    for (const DataPointer& half : halves) {
      optimizer.local_step_at(*half, half->first_row, 45);
      optimizer.write_statistics(one.data());
      for (size_t i = 0; i < length; ++i) sum[i] += one[i];
    }
    // The number of active units depends on the rows that are seen together, so it is not a sum (the last statistic
    // of models fitted by gradients).
    if (!conjugate) all[7] = sum[7];
    require_close(sum, all, fixture, texts, "other statistics");
    const Vector before = parameters(*optimizer.model());
    optimizer.global_step(sum.data(), nullptr);
    require(before != parameters(*optimizer.model()), fixture, texts, "nothing was learned");
  }
}

/// The arrays of the layout fill the statistics.
void layouts_add_up(void**) {
  for (const Fixture& fixture : fixtures()) {
    const DataPointer data = fixture.data();
    for (const Texts& texts : methods_of(fixture, *data)) {
      const Optimizer optimizer(model_of(fixture, *data), data, options_of(texts));
      int64_t length = 0;
      for (const Quantity& array : optimizer.statistics()) {
        require(array.shape.size() <= 2 && *array.name != 0 && *array.description != 0, fixture, texts, array.name);
        length += array.size();
      }
      require(length == optimizer.statistics_length(), fixture, texts, "the arrays do not add up");
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(parts_come_to_what_the_whole_comes_to),
      cmocka_unit_test(places_of_fed_rows_decide_their_draws),
      cmocka_unit_test(layouts_add_up),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
