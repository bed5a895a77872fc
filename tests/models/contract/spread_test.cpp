// Data spread over a group of ranks: the steps of all ranks equal the steps of one machine with all rows, for every
// kind and method and any division, and all ranks hold the same bits. Ranks are threads here.

#include "inference/presets.h"
#include "models/contract/models.h"
#include "support/divided.h"
#include "support/sanitizer.h"

using namespace contract;

namespace {

constexpr int64_t steps = 4;

/// The result of a rank.
struct Result {
  Vector start, learned;
  vtemper_report report{};
  double steps_total = 0;
  std::string failure;
};

Result fit(const Fixture& fixture, const DataPointer& data, const Texts& texts) {
  Result result;
  Optimizer optimizer(model_in_double(fixture), data, options_of(texts));
  result.start = parameters(*optimizer.model());
  optimizer.run(steps, nullptr, nullptr);
  result.learned = parameters(*optimizer.model());
  result.report = optimizer.report();
  result.steps_total = quantity_of(optimizer, "steps_total");
  return result;
}

/// The same on several ranks, each with the rows between two cuts.
std::vector<Result> fit_together(const Fixture& fixture, const Cuts& cuts, const Texts& texts) {
  return fit_spread<Result>(fixture.data(), cuts,
                            [&](const DataPointer& spread) { return fit(fixture, spread, texts); });
}

bool is_close(const Vector& a, const Vector& b, double tolerance) {
  double largest = 0;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= tolerance * largest) && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return a.size() == b.size();
}

/// Methods that one machine accepts.
std::vector<Texts> methods_of(const Fixture& fixture) {
  const bool conjugate = model_in_double(fixture)->conjugate() != nullptr;
  std::vector<Texts> methods;
  for (const Preset& preset : presets()) {
    if (!(conjugate ? preset.conjugate : preset.gradient)) continue;
    for (const char* size : {"0", "11"}) {
      const Texts texts = {{"method", preset.name}, {"batch_size", size}, {"threads", "1"}, {"max_iterations", "12"}};
      try {
        Optimizer(model_in_double(fixture), fixture.data(), options_of(texts));
        methods.push_back(texts);
      } catch (const Error&) {
        continue;  // not for this kind
      }
    }
  }
  return methods;
}

/// No rank knows the mean of a network's outputs over the rows of a step before the sum, so it cannot be constrained.
bool holds_a_network(const Fixture& fixture, const Texts& texts) {
  const std::shared_ptr<Model> model = model_in_double(fixture);
  return texts.at("method") == "proximity" && model->by_gradient()->row_posteriors() == nullptr;
}

/// The divisions of the rows. Sanitizers run only two: two ranks, and empty parts, where their findings would show.
std::vector<Cuts> parts() {
  if (test::has_sanitizer) return {{0, 31, 45}, {0, 0, 10, 45, 45}};
  return {{0, 45}, {0, 31, 45}, {0, 1, 20, 45}, {0, 0, 10, 45, 45}, {0, 5, 9, 9, 20, 21, 30, 38, 45}};
}

bool same_clock(const vtemper_report& a, const vtemper_report& b, double tolerance) {
  return a.iteration == b.iteration && a.rows_seen == b.rows_seen && a.passes == b.passes &&
         std::abs(a.temperature - b.temperature) <= tolerance * b.temperature &&
         std::abs(a.step_size - b.step_size) <= 1e-9;
}

void ranks_come_to_what_one_machine_comes_to(void**) {
  int compared = 0;
  for (const Fixture& fixture : fixtures()) {
    for (const Texts& texts : methods_of(fixture)) {
      const std::string what = described(fixture, texts);
      if (holds_a_network(fixture, texts)) {
        for (const Result& refused : fit_together(fixture, {0, 20, 45}, texts)) {
          require(refused.failure.find("mean over all rows") != std::string::npos, what, refused.failure);
        }
        continue;
      }
      const Result whole = fit(fixture, fixture.data(), texts);
      require(whole.learned != whole.start, what, "nothing was learned");
      for (const Cuts& cuts : parts()) {
        const std::vector<Result> ranks = fit_together(fixture, cuts, texts);
        const double tolerance = tolerance_of(texts);
        const std::string of_ranks = "of " + std::to_string(ranks.size()) + " ranks";
        for (const Result& rank : ranks) {
          require(rank.failure.empty(), what, "failed:", rank.failure);
          require(rank.start == whole.start, what, "another start than one machine's");
          require(rank.learned == ranks.front().learned, what, "the ranks part");
          require(rank.report.ranks == static_cast<int64_t>(ranks.size()), what, "ranks");
          require(rank.report.temperature == ranks.front().report.temperature &&
                      rank.report.step_size == ranks.front().report.step_size &&
                      rank.report.seconds == ranks.front().report.seconds,
                  what, "the clocks part");
          if (ranks.size() == 1) require(rank.learned == whole.learned, what, "other bits of one rank");
          require(is_close(rank.learned, whole.learned, tolerance), what, "other parameters than one machine\'s",
                  of_ranks);
          require(same_clock(rank.report, whole.report, tolerance) && rank.steps_total == whole.steps_total, what,
                  "another clock than one machine's");
        }
        if (cuts.size() == 4) {
          const std::vector<Result> again = fit_together(fixture, cuts, texts);
          require(again.front().learned == ranks.front().learned, what, "other bits the second time");
        }
        ++compared;
      }
    }
  }
  print_message("%d runs compared\n", compared);
  assert_true(compared > 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(ranks_come_to_what_one_machine_comes_to)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
