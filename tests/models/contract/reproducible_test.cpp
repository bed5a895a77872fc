// Option reproducible: the same bits for any number of ranks and any division of the rows, of every kind and method
// that can have it, also if a checkpoint of some ranks is resumed by others. Ranks are threads here.

#include "inference/presets.h"
#include "models/contract/models.h"
#include "support/divided.h"

using namespace contract;

namespace {

using Bytes = std::vector<char>;

constexpr int64_t steps = 4, steps_before = 2;
constexpr const char* format = "vtemper.checkpoint";

struct Result {
  Vector learned;
  vtemper_report report{};
  Bytes checkpoint;  ///< after steps_before steps
  std::string failure;
};

/// Weights whose sum depends on the order of its terms.
DataPointer weighted(DataPointer data) {
  std::vector<double> weights;
  for (int64_t row = 0; row < data->rows(); ++row) weights.push_back(0.1 * static_cast<double>(1 + row % 7));
  data_set_weights(*data, weights);
  return data;
}

Bytes saved(const Optimizer& optimizer) {
  ContainerWriter writer(format);
  optimizer.save(writer);
  Bytes bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  return bytes;
}

/// Fits from the start, or from the checkpoint.
Result fit(const Fixture& fixture, const DataPointer& data, const Texts& texts, const Bytes* checkpoint) {
  Result result;
  std::unique_ptr<Optimizer> optimizer;
  if (checkpoint != nullptr) {
    const auto size = static_cast<int64_t>(checkpoint->size());
    optimizer = Optimizer::load(ContainerReader::open_buffer(checkpoint->data(), size, format), data);
  } else {
    optimizer = std::make_unique<Optimizer>(model_in_double(fixture), data, options_of(texts));
    optimizer->run(steps_before, nullptr, nullptr);
    result.checkpoint = saved(*optimizer);
  }
  optimizer->run(steps - steps_before, nullptr, nullptr);
  result.learned = parameters(*optimizer->model());
  result.report = optimizer->report();
  return result;
}

/// The same on several ranks, each with the rows between two cuts.
Result fit_together(const Fixture& fixture, const DataPointer& data, const Cuts& cuts, const Texts& texts,
                    const Bytes* checkpoint = nullptr) {
  std::vector<Result> results = fit_spread<Result>(
      data, cuts, [&](const DataPointer& spread) { return fit(fixture, spread, texts, checkpoint); });
  for (const Result& result : results) {
    if (result.learned != results.front().learned || result.failure.empty() != results.front().failure.empty()) {
      results.front().failure = "the ranks part; " + result.failure;
    }
  }
  return results.front();
}

/// Equal, or both NaN.
bool same_number(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same_report(const vtemper_report& a, const vtemper_report& b) {
  return a.iteration == b.iteration && a.rows_seen == b.rows_seen && same_number(a.elbo, b.elbo) &&
         same_number(a.objective, b.objective) && same_number(a.temperature, b.temperature) &&
         same_number(a.step_size, b.step_size) && same_number(a.change, b.change) &&
         same_number(a.expected_log_likelihood, b.expected_log_likelihood);
}

/// All methods that one machine accepts together with the option.
std::vector<Texts> methods_of(const Fixture& fixture, int& refused) {
  const bool conjugate = model_in_double(fixture)->conjugate() != nullptr;
  std::vector<Texts> methods;
  for (const Preset& preset : presets()) {
    if (!(conjugate ? preset.conjugate : preset.gradient)) continue;
    for (const char* size : {"0", "19"}) {
      Texts texts = {{"method", preset.name}, {"batch_size", size}, {"threads", "1"}, {"max_iterations", "12"}};
      try {
        Optimizer(model_in_double(fixture), fixture.data(), options_of(texts));
      } catch (const Error&) {
        continue;  // not for this kind
      }
      texts["reproducible"] = "true";
      try {
        Optimizer(model_in_double(fixture), fixture.data(), options_of(texts));
        methods.push_back(texts);
      } catch (const Error& error) {
        require(error.status() == VTEMPER_ERROR_UNSUPPORTED &&
                    std::string(error.what()).find("option reproducible") != std::string::npos,
                described(fixture, texts), "is refused:", error.what());
        ++refused;
      }
    }
  }
  return methods;
}

const std::vector<Cuts> divisions = {
    {0, 45}, {0, 31, 45}, {0, 1, 20, 45}, {0, 0, 10, 45, 45}, {0, 5, 9, 9, 20, 21, 30, 38, 45}};

void bits_do_not_depend_on_the_ranks(void**) {
  int compared = 0, refused = 0;
  for (const Fixture& fixture : fixtures()) {
    for (const Texts& texts : methods_of(fixture, refused)) {
      const std::string what = described(fixture, texts);
      const DataPointer data = texts.at("batch_size") == "0" ? fixture.data() : weighted(fixture.data());
      const Result alone = fit(fixture, data, texts, nullptr);
      for (const Cuts& cuts : divisions) {
        const Result ranks = fit_together(fixture, data, cuts, texts);
        const std::string more = std::to_string(cuts.size() - 1) + " ranks " + ranks.failure;
        require(ranks.failure.empty(), what, "failed:", more);
        require(ranks.learned == alone.learned, what, "other bits of", more);
        require(same_report(ranks.report, alone.report), what, "another report of", more);
        if (cuts.size() != 5) continue;
        // Saved by four ranks, and resumed by others.
        const Result resumed = fit(fixture, data, texts, &ranks.checkpoint);
        require(resumed.learned == alone.learned, what, "other bits, resumed by one machine");
        for (const Cuts& others : {Cuts{0, 45}, Cuts{0, 7, 45}, Cuts{0, 20, 20, 45}}) {
          const Result continued = fit_together(fixture, data, others, texts, &ranks.checkpoint);
          require(continued.failure.empty() && continued.learned == alone.learned, what,
                  "other bits, resumed by others", continued.failure);
        }
      }
      ++compared;
    }
  }
  print_message("%d runs compared, %d refused\n", compared, refused);
  assert_true(compared > 0 || !all_kinds());
  assert_true(refused > 0 || !all_kinds());
}

/// Plain steps over all rows start from the last posterior of each row, which chunks do not keep.
bool remembers_rows(const Fixture& fixture, const Texts& texts) {
  const std::string kind = fixture.kind;
  return texts.at("batch_size") == "0" && (kind == "lda" || kind == "factorial_mixture");
}

/// The sums of chunks add up to one step over all rows.
void results_are_those_of_plain_steps(void**) {
  for (const Fixture& fixture : fixtures()) {
    int refused = 0;
    for (Texts texts : methods_of(fixture, refused)) {
      if (texts.at("method") == "local_tempering") continue;  // rows converge in tiles
      if (remembers_rows(fixture, texts)) continue;
      const Vector chunks = fit(fixture, fixture.data(), texts, nullptr).learned;
      texts["reproducible"] = "false";
      const Vector plain = fit(fixture, fixture.data(), texts, nullptr).learned;
      double largest = 0;
      for (const double value : plain) largest = std::max(largest, std::abs(value));
      for (size_t i = 0; i < plain.size(); ++i) {
        require(std::abs(chunks[i] - plain[i]) <= 1e-6 * largest, described(fixture, texts),
                "other parameters in chunks");
      }
    }
  }
}

void what_cannot_be_is_refused(void**) {
  const Fixture& fixture = fixture_of(VTEMPER_COUNTS);
  for (const auto& [texts, word] :
       std::vector<std::pair<Texts, const char*>>{{{{"restarts", "3"}}, "restarts"}, {{}, "step and run"}}) {
    Texts all = texts;
    all["reproducible"] = "true";
    try {
      Optimizer optimizer(model_in_double(fixture), fixture.data(), options_of(all));
      optimizer.feed(*fixture.data(), nullptr);
      assert_true(false);
    } catch (const Error& error) {
      assert_non_null(std::strstr(error.what(), word));
      assert_non_null(std::strstr(error.what(), "reproducible"));
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(bits_do_not_depend_on_the_ranks),
                              cmocka_unit_test(results_are_those_of_plain_steps),
                              cmocka_unit_test(what_cannot_be_is_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
