// Runs by time on this machine, tested only for what does not depend on its load: they end at T = 1, can be continued
// after a stop, and share their time among starts; options that contradict them are refused. And what reports say
// about the end of a run.

#include <chrono>
#include <cstdio>
#include <functional>

#include "inference/state.h"
#include "support/assert.h"
#include "support/error.h"
#include "support/lda.h"
#include "support/plain_network.h"
#include "support/text.h"

using namespace fixtures;
using namespace vtemper;

namespace {

std::shared_ptr<Data> corpus() {
  static const std::shared_ptr<Data> data = data_of(random_corpus(300, 60, 4, 40, 3));
  return data;
}

struct Fit {
  std::shared_ptr<ConjugateModel> model = make_model({{"topics", "4"}});
  std::unique_ptr<Optimizer> optimizer;
  std::vector<double> temperatures;
  explicit Fit(Texts texts, bool initialized = false) {
    if (initialized) model->initialize(*corpus(), 7);
    texts.emplace("seed", "7");
    texts.emplace("threads", "1");
    optimizer = std::make_unique<Optimizer>(model, corpus(), options_of(texts));
  }
  /// Stops after `seconds`, if ever.
  vtemper_status run(double seconds = 1e9) {
    const auto begin = std::chrono::steady_clock::now();
    return optimizer->run(
        -1,
        [&](const vtemper_report& report) {
          temperatures.push_back(report.temperature);
          return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > seconds;
        },
        nullptr);
  }
  double value(const char* name) const {
    double out = 0;
    optimizer->read_quantity(name, {&out, 1, 1});
    return out;
  }
};

void check_cold(const Fit& fit) {
  const vtemper_report& report = fit.optimizer->report();
  assert_true(report.finished == 1 && report.ending == VTEMPER_ENDING_TIME && report.settled == 1);
  assert_true(report.temperature == 1);
  size_t cold = 0;
  for (size_t i = 0; i < fit.temperatures.size(); ++i) {
    // A cooling may begin only after another one has ended.
    if (i > 0) assert_true(fit.temperatures[i] <= fit.temperatures[i - 1] || fit.temperatures[i - 1] == 1);
    cold += fit.temperatures[i] == 1;
  }
  // A wide margin: other programs may take the processors at any time.
  assert_true(fit.temperatures.front() > 1 && cold >= 1);
}

void real_runs_end_cold(void**) {
  for (const char* method : {"annealing", "entropy_annealing", "tempering"}) {
    Fit fit({{"method", method},
             {"time", "0.5"},
             {"report_every", "1"},
             {"batch_size", "10"},
             {"temperature_" + std::string(method == std::string("tempering") ? "max" : "start"), "4"}});
    assert_true(fit.value("seconds_left") <= 0.5);
    assert_int_equal(fit.run(), VTEMPER_OK);
    const vtemper_report& report = fit.optimizer->report();
    assert_true(report.temperature == 1 && report.ending == VTEMPER_ENDING_TIME && report.settled == 1);
    assert_true(report.seconds < 10);
    assert_true(fit.value("steps_total") == static_cast<double>(report.iteration));
    if (std::string(method) != "tempering") check_cold(fit);
  }
}

/// However many there were, T rose once before each but the first, and the values in use say how many.
void coolings_are_told(void**) {
  Fit fit({{"time", "0.5"}, {"report_every", "1"}, {"batch_size", "10"}, {"temperature_start", "4"}});
  assert_int_equal(fit.run(), VTEMPER_OK);
  check_cold(fit);
  int64_t rises = 0;
  for (size_t i = 1; i < fit.temperatures.size(); ++i) rises += fit.temperatures[i] > fit.temperatures[i - 1];
  const Options used = fit.optimizer->used_options();
  const std::string* coolings = used.find("temperature_coolings");
  assert_true(coolings != nullptr && *coolings == number_text(rises + 1));
}

/// With few tokens per topic there is one cooling, whatever the time, and a note says why the run ends so soon.
void few_tokens_end_early(void**) {
  const std::shared_ptr<Data> few = data_of(random_corpus(40, 60, 4, 40, 3));
  const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "4"}});
  Optimizer optimizer(model, few, options_of({{"time", "1000"}, {"batch_size", "10"}, {"threads", "1"}}));
  std::string told;
  assert_int_equal(optimizer.run(-1, nullptr, [&](int, const std::string& text) { told = text; }), VTEMPER_OK);
  const vtemper_report& report = optimizer.report();
  assert_true(report.ending == VTEMPER_ENDING_TIME && report.settled == 1 && report.seconds < 500);
  assert_true(told.find("of 1000 seconds") != std::string::npos && told.find("cooling again") != std::string::npos);
  const Options used = optimizer.used_options();
  const std::string* coolings = used.find("temperature_coolings");
  assert_true(coolings != nullptr && *coolings == "1");
  // If all temperatures are given as well, the tokens decide, and these are enough.
  Optimizer enough(
      make_model({{"topics", "4"}}), corpus(),
      options_of({{"time", "1"}, {"temperature_start", "4"}, {"temperature_reheat", "3"}, {"threads", "1"}}));
  told.clear();
  enough.run(-1, nullptr, [&](int, const std::string& text) { told = text; });
  assert_true(told.empty());
}

void a_stopped_run_goes_on_with_the_time_left(void**) {
  Fit fit({{"time", "1"}, {"report_every", "1"}, {"batch_size", "10"}, {"temperature_start", "4"}});
  assert_int_equal(fit.run(0), VTEMPER_CANCELLED);
  const vtemper_report stopped = fit.optimizer->report();
  assert_true(stopped.ending == VTEMPER_ENDING_CANCELLED && stopped.settled == 0 && stopped.temperature > 1);
  const double left = fit.value("seconds_left");
  assert_true(left < 1);
  ContainerWriter writer("vtemper.checkpoint");
  fit.optimizer->save(writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  const ContainerReader reader = ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.checkpoint");
  fit.optimizer = Optimizer::load(reader, corpus());
  assert_true(fit.value("seconds_left") == left);
  assert_true(fit.optimizer->report().ending == VTEMPER_ENDING_CANCELLED);
  assert_int_equal(fit.run(), VTEMPER_OK);
  check_cold(fit);
}

void starts_share_the_time(void**) {
  Fit fit(
      {{"time", "0.6"}, {"restarts", "3"}, {"report_every", "1"}, {"batch_size", "10"}, {"temperature_start", "4"}});
  assert_int_equal(fit.run(), VTEMPER_OK);
  check_cold(fit);
  double bounds[3];
  fit.optimizer->read_quantity("restarts.elbo", {bounds, 1, 1});
  for (const double bound : bounds) assert_true(std::isfinite(bound) && bound < 0);
  assert_true(fit.optimizer->report().seconds < 10);
}

std::shared_ptr<Model> factors() {
  const ModelKind& kind = model_kind("deep_exponential_family");
  return kind.create(OptionValues(kind.options(), options_of({{"latent", "6"}}), kind.name));
}

/// Models fitted by gradients: the annealed tenth of the run and the constraint's decay follow the plan.
void runs_along_gradients_end_cold(void**) {
  for (const char* method : {"vi", "entropy_annealing", "proximity"}) {
    Optimizer optimizer(
        factors(), corpus(),
        options_of(
            {{"method", method}, {"time", "0.5"}, {"batch_size", "30"}, {"report_every", "1"}, {"threads", "1"}}));
    double last_temperature = 1e300;
    double last_magnitude = 1e300;
    bool falls = true;
    const auto watch = [&](const vtemper_report& report) {
      falls = falls && report.temperature <= last_temperature && report.proximity <= last_magnitude;
      last_temperature = report.temperature;
      last_magnitude = report.proximity;
      return false;
    };
    assert_int_equal(optimizer.run(-1, watch, nullptr), VTEMPER_OK);
    const vtemper_report& report = optimizer.report();
    assert_true(falls && report.temperature == 1);
    assert_true(report.ending == VTEMPER_ENDING_TIME && report.settled == 1 && report.iteration >= 2);
  }
}

/// A deep exponential family gains by further passes, and more rows than were measured may: they have no limit.
void other_runs_along_gradients_use_their_time(void**) {
  const struct {
    const char* kind;
    Texts options;
    std::shared_ptr<Data> data;
  } cases[] = {{"deep_exponential_family", {{"latent", "2"}}, data_of(random_corpus(5, 8, 2, 10, 3))},
               {"sigmoid_belief_network", {{"layers", "2"}}, network_fixtures::binary_rows(4001, 2)}};
  for (const auto& c : cases) {
    const ModelKind& kind = model_kind(c.kind);
    Optimizer optimizer(kind.create(OptionValues(kind.options(), options_of(c.options), kind.name)), c.data,
                        options_of({{"time", "0.2"}, {"threads", "1"}}));
    optimizer.run(-1, nullptr, nullptr);
    assert_int_equal(optimizer.report().ending, VTEMPER_ENDING_TIME);
  }
}

/// However much time there is, networks of few rows take no more passes than do not overfit, which for these is as
/// many as by default, and a note says why the run ends so soon. At T = 1 it is the run without option time.
void runs_along_gradients_end_complete(void**) {
  const std::shared_ptr<Data> binary = network_fixtures::binary_rows(20, 4);
  const struct {
    const char* kind;
    Texts options;
    std::shared_ptr<Data> data;
  } cases[] = {{"variational_autoencoder", {{"latent", "2"}, {"hidden", "3"}}, binary},
               {"variational_autoencoder", {{"latent", "2"}, {"hidden", "3"}, {"likelihood", "gaussian"}}, binary},
               {"sigmoid_belief_network", {{"layers", "2"}}, binary}};
  for (const auto& c : cases) {
    for (const char* method : {"vi", "entropy_annealing", "proximity"}) {
      const auto fit = [&](Texts texts, std::string* told) {
        const ModelKind& kind = model_kind(c.kind);
        texts.insert({{"method", method}, {"seed", "3"}, {"threads", "1"}, {"batch_size", "0"}});
        auto optimizer = std::make_unique<Optimizer>(
            kind.create(OptionValues(kind.options(), options_of(c.options), kind.name)), c.data, options_of(texts));
        optimizer->run(-1, nullptr, [&](int, const std::string& text) { *told = text; });
        return optimizer;
      };
      std::string told, nothing;
      const auto timed = fit({{"time", "100000"}}, &told), plain = fit({}, &nothing);
      const vtemper_report &report = timed->report(), &usual = plain->report();
      assert_true(report.iteration == usual.iteration && report.passes == usual.passes);
      assert_true(report.ending == VTEMPER_ENDING_LENGTH && report.settled == 1 && report.temperature == 1);
      assert_true(told.find("the fit is complete after") == 0);
      assert_true(nothing.empty() || nothing.find("early stopping: the run has ") == 0);
      const Options used = timed->used_options(), usually = plain->used_options();
      assert_true(*used.find("max_iterations") == *usually.find("max_iterations"));
      if (std::string(method) != "vi") continue;  // the schedules of the others follow the clock
      assert_true(report.elbo == usual.elbo && report.change == usual.change);
    }
  }
}

/// If there is no time to score all rows, some of them, evenly spread, stand for all.
void some_rows_stand_for_all(void**) {
  const auto check = [](const std::shared_ptr<Model>& model, double tolerance) {
    const auto state = Optimizer::State::create(model, corpus(), options_of({{"batch_size", "30"}, {"seed", "3"}}));
    const double whole = state->cold_elbo(corpus()->rows());
    const double half = state->cold_elbo(corpus()->rows() / 2);
    assert_true(half != whole);
    assert_close(half, whole, tolerance * std::abs(whole));
    assert_true(state->cold_elbo(corpus()->rows()) == whole);
  };
  check(make_model({{"topics", "4"}}), 0.05);
  check(factors(), 0.2);
}

void refusals(void**) {
  const auto refused = [](Texts texts, const char* culprit, bool fed = false) {
    texts.emplace("time", "1");
    if (fed) texts.emplace("rows_total", "1000");
    const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "4"}});
    model->initialize(*corpus(), 1);
    try {
      const Optimizer optimizer(model, fed ? nullptr : corpus(), options_of(texts));
    } catch (const Error& error) {
      assert_int_equal(error.status(), VTEMPER_ERROR_OPTION);
      assert_true(std::string(error.what()).find(culprit) != std::string::npos);
      return;
    }
    std::printf("time with %s was not refused\n", culprit);
    assert_true(false);
  };
  refused({{"max_passes", "3"}}, "max_passes");
  refused({{"max_iterations", "3"}}, "max_iterations");
  refused({{"deadline", "3"}}, "deadline");
  refused({{"temperature_steps", "3"}}, "temperature_steps");
  refused({{"temperature_passes", "3"}}, "temperature_passes");
  refused({{"temperature_coolings", "3"}}, "temperature_coolings");
  refused({{"method", "stochastic_annealing"}, {"perturbation_steps", "3"}}, "perturbation_steps");
  refused({}, "fed", true);
  Fit fit(Texts{{"time", "1"}});
  const auto unsupported = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      assert_true(error.status() == VTEMPER_ERROR_UNSUPPORTED);
      return;
    }
    assert_true(false);
  };
  unsupported([&] { fit.optimizer->feed(*corpus(), nullptr); });
  std::vector<double> statistics(static_cast<size_t>(fit.optimizer->statistics_length()));
  unsupported([&] { fit.optimizer->local_step(nullptr, statistics.data()); });
  const double zero = 0;
  unsupported([&] { fit.optimizer->write_quantity("iteration", &zero); });
}

void endings_are_told(void**) {
  const auto ending = [](const Texts& texts, std::string* message) {
    Fit fit(texts);
    fit.optimizer->run(-1, nullptr, [&](int, const std::string& text) { *message = text; });
    return fit.optimizer->report();
  };
  std::string text;
  vtemper_report report = ending({{"max_passes", "1"}}, &text);
  assert_true(report.ending == VTEMPER_ENDING_LENGTH && report.settled == 1 && text.empty());
  report = ending({{"max_passes", "1"}, {"temperature_start", "4"}, {"temperature_steps", "1000"}}, &text);
  assert_true(report.ending == VTEMPER_ENDING_LENGTH && report.settled == 0 && report.temperature > 1);
  assert_true(text.find("hot") != std::string::npos);
  Fit brief({{"deadline", "1e-9"}, {"temperature_start", "4"}}, true);
  brief.optimizer->run(-1, nullptr, [&](int, const std::string& told) { text = told; });
  report = brief.optimizer->report();
  assert_true(report.ending == VTEMPER_ENDING_DEADLINE && report.settled == 0);
  assert_true(text.find("deadline") != std::string::npos && text.find("option time") != std::string::npos);
  report = ending({{"method", "vi"}, {"max_iterations", "2"}}, &text);
  assert_true(report.ending == VTEMPER_ENDING_LENGTH && report.settled == 0 && report.temperature == 1);
  assert_true(text.find("not converged") != std::string::npos);
  // The note is sent once, not after every step beyond the end.
  Fit fit({{"method", "vi"}, {"max_iterations", "2"}});
  int told = 0;
  for (int i = 0; i < 4; ++i) fit.optimizer->run(1, nullptr, [&](int, const std::string&) { ++told; });
  assert_int_equal(told, 1);
  text.clear();
  report = ending({{"method", "vi"}, {"tolerance", "0.01"}, {"max_iterations", "500"}}, &text);
  assert_true(report.ending == VTEMPER_ENDING_CONVERGED && report.settled == 1 && text.empty());
  report = ending({{"method", "stochastic_annealing"}, {"max_iterations", "5"}, {"perturbation_steps", "50"}}, &text);
  assert_true(report.settled == 0 && text.find("perturbed") != std::string::npos);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(real_runs_end_cold),
      cmocka_unit_test(a_stopped_run_goes_on_with_the_time_left),
      cmocka_unit_test(starts_share_the_time),
      cmocka_unit_test(runs_along_gradients_end_cold),
      cmocka_unit_test(some_rows_stand_for_all),
      cmocka_unit_test(refusals),
      cmocka_unit_test(coolings_are_told),
      cmocka_unit_test(few_tokens_end_early),
      cmocka_unit_test(endings_are_told),
      cmocka_unit_test(runs_along_gradients_end_complete),
      cmocka_unit_test(other_runs_along_gradients_use_their_time),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
