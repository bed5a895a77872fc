// The matrix of extremes, through the C interface: every kind of model and every method with each of rows, weights,
// options and starts at the limits of their ranges. In each case a call is refused with a sentence and without an
// effect, or two steps are taken, whose parameters, report, inference and score are finite and whose files are loaded
// as they were saved. Each case has a limit of processor time. Prints the numbers of cases. VTEMPER_TORTURE=N takes N
// times as many, with numbers drawn between the limits.

#include <cstring>
#include <functional>
#include <set>

#include "models/contract/extreme_cases.h"
#include "support/sanitizer.h"

using namespace contract;
using namespace extreme_cases;

namespace {

constexpr int seconds_a_case = 20;                   ///< of CPU time
const int64_t part = test::unless_sanitized(1, 47);  ///< every 47th case with a sanitizer
constexpr int64_t usual_row_count = 9;
int64_t reached = 0, cases = 0, fitted = 0;
std::string round_name;      ///< of further rounds
bool has_no_effect = false;  ///< the last refusal says that what was asked for has no effect, whatever its value

using DataHandle = std::unique_ptr<vtemper_data, void (*)(vtemper_data*)>;
using ModelHandle = std::unique_ptr<vtemper_model, void (*)(vtemper_model*)>;
using OptimizerHandle = std::unique_ptr<vtemper_optimizer, void (*)(vtemper_optimizer*)>;
using OptionsHandle = std::unique_ptr<vtemper_options, void (*)(vtemper_options*)>;

OptionsHandle handle_of_texts(const Texts& texts) {
  return {options_handle_of(texts), vtemper_options_destroy};
}

/// Replaces the thread's last error, so that a call which fails without a message is seen.
void forget_last_error() {
  vtemper_data_form form;
  check(vtemper_model_kind_form("another kind", &form) != VTEMPER_OK, "a kind that does not exist");
}

/// True for OK; a refusal has a message of its own and is not INTERNAL.
bool taken(vtemper_status status) {
  if (status == VTEMPER_OK) return true;
  succeeds(status);
  has_no_effect = std::strstr(vtemper_last_error(), "no effect") != nullptr || status == VTEMPER_ERROR_UNSUPPORTED;
  check(std::strstr(vtemper_last_error(), "another kind") == nullptr, "refused without a message of its own");
  forget_last_error();
  return false;
}

size_t size_of(const vtemper_quantity& quantity) {
  size_t size = 1;
  for (int32_t i = 0; i < quantity.rank; ++i) size *= static_cast<size_t>(quantity.shape[i]);
  return size;
}

std::vector<vtemper_quantity> quantities_of(const vtemper_model* model) {
  int32_t count = 0;
  must(vtemper_model_parameter_count(model, &count), "no parameters");
  std::vector<vtemper_quantity> all(static_cast<size_t>(count));
  for (int32_t i = 0; i < count; ++i) {
    all[static_cast<size_t>(i)].struct_size = sizeof all[0];
    must(vtemper_model_parameter_info(model, i, &all[static_cast<size_t>(i)]), "no parameter");
  }
  return all;
}

/// All settable parameters; if `others`, reads the derived ones as well, which may be refused if they overflow.
std::vector<double> parameters_of(const vtemper_model* model, bool others) {
  std::vector<double> all;
  for (const vtemper_quantity& quantity : quantities_of(model)) {
    std::vector<double> values(size_of(quantity));
    if (!quantity.settable && !others) continue;
    const vtemper_status status =
        vtemper_model_get(model, quantity.name, values.data(), static_cast<int64_t>(values.size()));
    if (quantity.settable) {
      must(status, "a parameter cannot be read");
      all.insert(all.end(), values.begin(), values.end());
    } else if (taken(status)) {
      check(finite(values), "a derived parameter is not finite with status OK");
    }
  }
  return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// The bytes that a save function writes; none if it fails.
template <class Handle>
std::string saved(const Handle* handle, vtemper_status (*save)(const Handle*, void*, int64_t, int64_t*)) {
  int64_t size = 0;
  vtemper_status status = save(handle, nullptr, 0, &size);
  std::string bytes(static_cast<size_t>(size), '\0');
  if (status == VTEMPER_OK) status = save(handle, bytes.data(), size, &size);
  must(status, "what was fitted cannot be saved");
  return status == VTEMPER_OK ? bytes : "";
}

void files_are_the_same(const vtemper_model* model, const vtemper_optimizer* optimizer, const vtemper_data* data,
                        bool has_exchange) {
  const std::string bytes = saved(model, vtemper_model_save_buffer);
  if (bytes.empty()) return;
  vtemper_model* loaded = nullptr;
  must(vtemper_model_load_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), &loaded),
       "a saved model cannot be loaded");
  if (loaded) check(saved(loaded, vtemper_model_save_buffer) == bytes, "a loaded model is saved as another file");
  vtemper_model_destroy(loaded);
  const std::string whole = saved(optimizer, vtemper_optimizer_save_buffer);
  if (whole.empty()) return;
  vtemper_optimizer* again = nullptr;
  must(vtemper_optimizer_load_buffer(whole.data(), static_cast<int64_t>(whole.size()), data, &again),
       "a checkpoint cannot be loaded");
  // A process without a group continues runs of several ranks, so it drops option exchange.
  if (again && !has_exchange)
    check(saved(again, vtemper_optimizer_save_buffer) == whole, "a loaded checkpoint is saved as another file");
  vtemper_optimizer_destroy(again);
}

/// The first quantity, finite or refused; true if it was given.
bool infers(const vtemper_model* model, const vtemper_data* data, const Texts& evaluation) {
  const OptionsHandle options = handle_of_texts(evaluation);
  vtemper_quantity quantity{};
  quantity.struct_size = sizeof quantity;
  if (!taken(vtemper_model_infer_info(model, data, 0, &quantity))) return false;
  std::vector<double> out(size_of(quantity));
  const auto length = static_cast<int64_t>(out.size());
  if (!taken(vtemper_model_infer(model, data, quantity.name, options.get(), out.data(), length))) return false;
  check(finite(out), "infer gives a number that is not finite");
  return true;
}

/// The score, finite or refused; true if it was given.
bool evaluates(const vtemper_model* model, const vtemper_data* data, const Texts& evaluation, const char* measure) {
  const OptionsHandle options = handle_of_texts(evaluation);
  double value = 0;
  if (!taken(vtemper_model_evaluate(model, data, nullptr, measure, options.get(), &value))) return false;
  check(std::isfinite(value), "a score is not finite");
  return true;
}

struct Case {
  const Fixture* fixture;
  Texts of_model, of_run;
  const vtemper_data* data;
  std::function<bool(vtemper_model*)> start = nullptr;  ///< writes a parameter of the initialised model
};

bool step(vtemper_optimizer* optimizer, const vtemper_model* model, bool has_objective) {
  const std::vector<double> before = parameters_of(model, false);
  vtemper_report report{};
  report.struct_size = sizeof report;
  if (!taken(vtemper_optimizer_step(optimizer, 1, &report))) {
    check(same_bits(before, parameters_of(model, false)), "a refused step moved a parameter");
    return false;
  }
  check(!has_objective || !std::isnan(report.objective), "the objective is not a number");
  const char* infinite = test::infinite_number(report);
  check(infinite == nullptr, std::string("the report holds an infinite ") + (infinite ? infinite : ""));
  check(finite(parameters_of(model, true)), "a parameter is not finite after a step with status OK");
  return true;
}

/// False if a call was refused.
bool fits(const Case& one) {
  const OptionsHandle of_model = handle_of_texts(one.of_model), of_run = handle_of_texts(one.of_run);
  vtemper_model* made = nullptr;
  if (!taken(vtemper_model_create(one.fixture->kind, of_model.get(), &made))) return false;
  const ModelHandle model(made, vtemper_model_destroy);
  if (one.start) {
    if (!taken(vtemper_model_initialize(made, one.data, 3)) || !one.start(made)) return false;
  }
  vtemper_optimizer* created = nullptr;
  if (!taken(vtemper_optimizer_create(made, one.data, of_run.get(), &created))) return false;
  const OptimizerHandle optimizer(created, vtemper_optimizer_destroy);
  const bool has_objective = one.of_run.at("elbo_every") == "1";
  if (!step(created, made, has_objective) || !step(created, made, has_objective)) return false;
  infers(made, one.data, {{"threads", "1"}});
  evaluates(made, one.data, {{"threads", "1"}}, "elbo");
  files_are_the_same(made, created, one.data, one.of_run.count("exchange") > 0);
  return true;
}

std::string text_of(const Texts& texts) {
  std::string text;
  for (const auto& [name, value] : texts) text += " " + name + "=" + value;
  return text;
}

/// Runs a case, unless it is one that a sanitizer leaves out. True if it is refused.
template <class Body>
bool is_refused(const std::string& name, const Body& body) {
  if (++reached % part != 0) return false;
  test::begin_case(name + round_name, seconds_a_case);
  ++cases;
  const bool done = body();
  fitted += done ? 1 : 0;
  return !done;
}

/// With the fixture's number, since some differ in their data only.
std::string name_of(const Case& one, const std::string& what) {
  const std::string number = std::to_string(one.fixture - fixtures().data());
  return "fixture " + number + " " + one.fixture->kind + text_of(one.of_model) + " |" + text_of(one.of_run) + "; " +
         what;
}

bool is_refused(const Case& one, const std::string& what) {
  return is_refused(name_of(one, what), [&] { return fits(one); });
}

/// Options of a run by this method, over all rows if `number` is even, otherwise by minibatches.
Texts run_of(const std::string& method, int64_t number) {
  Texts texts = {{"method", method}, {"threads", "1"}, {"max_iterations", "30"}, {"elbo_every", "1"}};
  if (method != "vi" && number % 2 == 1) texts["batch_size"] = "4";
  // The usual grids make a step of lda, which draws from its prior at each temperature, ten times as long.
  if (method == "tempering" || method == "local_tempering") texts["temperature_grid_size"] = "5";
  return texts;
}

void add(Texts& texts, const Texts& more) {
  for (const auto& [name, text] : more) texts[name] = text;
}

DataHandle usual_data(const Fixture& fixture) {
  vtemper_data* data = nullptr;
  must(make_data(first_rows(fixture, usual_row_count), &data), "no data");
  return {data, vtemper_data_destroy};
}

ModelHandle started_model(const Fixture& fixture, const vtemper_data* data) {
  const OptionsHandle options = handle_of_texts(fixture.options);
  vtemper_model* model = nullptr;
  must(vtemper_model_create(fixture.kind, options.get(), &model), "no model");
  must(vtemper_model_initialize(model, data, 3), "no start");
  return {model, vtemper_model_destroy};
}

void rows_and_weights(const Fixture& fixture, const std::string& method, Round& round) {
  const Rows usual = first_rows(fixture, usual_row_count);
  int64_t number = round.number;
  for (const Shape& shape : shapes) {
    for (const Weights& chosen : weights) {
      Rows table = usual;
      if (!apply(shape, table, round)) continue;
      Case one = {&fixture, fixture.options, run_of(method, ++number), nullptr};
      const auto body = [&] {
        vtemper_data* made = nullptr;
        if (!taken(make_data(table, &made))) return false;
        const DataHandle data(made, vtemper_data_destroy);
        if (!taken(set_weights(chosen, made, static_cast<int64_t>(table.rows.size()), round))) return false;
        one.data = made;
        return fits(one);
      };
      const bool has_weights = chosen.all >= 0;
      // Rows that are refused without weights are refused for what they hold, whatever their weights.
      if (is_refused(name_of(one, std::string(shape.name) + ", " + chosen.name), body) && !has_weights) break;
    }
  }
}

void options_of_kind_and_run(const Fixture& fixture, const std::string& method, Round& round) {
  const DataHandle data = usual_data(fixture);
  int64_t number = round.number;
  for (const bool of_kind : {true, false}) {
    for (const vtemper_option& option : options_of_subject(of_kind ? fixture.kind : "optimizer")) {
      if (option.name == std::string("method")) continue;
      for (const std::string& text : values_of(option, round)) {
        Case one = {&fixture, fixture.options, run_of(method, ++number), data.get()};
        const std::string name = option.name;
        for (const Companions& more : all_companions()) {
          if (name.rfind(more.beginning, 0) != 0) continue;
          add(one.of_model, more.of_model);
          add(one.of_run, more.of_run);
        }
        if (name == "time" || name == "max_passes") one.of_run.erase("max_iterations");
        if (name == "temperature_inverses") one.of_run.erase("temperature_grid_size");
        (of_kind ? one.of_model : one.of_run)[name] = text;
        if (is_refused(one, "option " + name) && has_no_effect) break;
      }
    }
  }
}

/// Writes the parameter; it must not take what is not a number, and not change if it is refused.
bool write(vtemper_model* model, const vtemper_quantity& quantity, const Start& start, Round& round) {
  const auto length = static_cast<int64_t>(size_of(quantity));
  std::vector<double> values(size_of(quantity));
  must(vtemper_model_get(model, quantity.name, values.data(), length), "a start cannot be read");
  const std::vector<double> before = parameters_of(model, false);
  apply(start, values, round);
  if (taken(vtemper_model_set(model, quantity.name, values.data(), length))) {
    check(finite(values), "a parameter takes what is not finite");
    check(finite(parameters_of(model, true)), "a parameter is not finite after it was written");
    return true;
  }
  check(same_bits(before, parameters_of(model, false)), "a refused write changed a parameter");
  return false;
}

void parameters_at_the_start(const Fixture& fixture, const std::string& method, std::set<std::string>& refused_ones,
                             Round& round) {
  const DataHandle data = usual_data(fixture);
  const ModelHandle model = started_model(fixture, data.get());
  int64_t number = round.number;
  for (const vtemper_quantity& quantity : quantities_of(model.get())) {
    for (const Start& start : starts) {
      const std::string name = std::string(quantity.name) + " " + start.name;
      if (!quantity.settable || refused_ones.count(name) > 0) continue;
      Case one = {&fixture, fixture.options, run_of(method, ++number), data.get()};
      one.start = [&](vtemper_model* fresh) {
        const bool written = write(fresh, quantity, start, round);
        if (!written) refused_ones.insert(name);
        return written;
      };
      is_refused(one, name);
    }
  }
}

/// A measure that the option of "evaluate" has an effect on.
const char* measure_for(const std::string& option) {
  if (option == "heldout_share" || option == "seed") return "predictive";
  if (option == "top_words") return "topic_diversity";
  return option.rfind("temperature", 0) == 0 || option == "partition_samples" ? "log_normalizer" : "elbo";
}

void options_of_evaluation(const Fixture& fixture, Round& round) {
  const DataHandle data = usual_data(fixture);
  const ModelHandle model = started_model(fixture, data.get());
  for (const vtemper_option& option : options_of_subject("evaluate")) {
    const char* measure = measure_for(option.name);
    const bool has_other_measure = std::strcmp(measure, "elbo") != 0;  // options of these have no effect on infer
    for (const std::string& text : values_of(option, round)) {
      Texts evaluation;
      if (std::strcmp(measure, "log_normalizer") == 0) evaluation["temperature"] = "2";
      if (option.name == std::string("partition_samples")) evaluation["temperature_normalizer"] = "monte_carlo";
      evaluation[option.name] = text;
      is_refused(fixture.kind + text_of(fixture.options) + " | evaluate" + text_of(evaluation) + "; " + measure, [&] {
        return evaluates(model.get(), data.get(), evaluation, measure) &&
               (has_other_measure || infers(model.get(), data.get(), evaluation));
      });
    }
  }
}

std::vector<std::string> methods() {
  for (const vtemper_option& option : options_of_subject("optimizer")) {
    if (option.name == std::string("method")) return words_of(option.choices);
  }
  return {};
}

void extremes_are_fitted_or_refused(void**) {
  forget_last_error();
  assert_non_null(std::strstr(vtemper_last_error(), "another kind"));
  std::set<std::string> kinds;
  for (int64_t number = 0; number < test::torture_times(); ++number) {
    if (number > 0) round_name = "; numbers drawn in round " + std::to_string(number);
    Round round = {number, Random(static_cast<uint64_t>(number))};
    for (const Fixture& fixture : fixtures()) {
      const bool is_first = number > 0 || kinds.insert(fixture.kind).second;
      std::set<std::string> refused_ones;  // writes do not depend on the method
      const DataHandle data = usual_data(fixture);
      for (const std::string& method : methods()) {
        const Case usual = {&fixture, fixture.options, run_of(method, 0), data.get()};
        test::begin_case(fixture.kind + text_of(usual.of_run), seconds_a_case);
        // A kind that has no such method refuses it whatever else is extreme: one case.
        if (!fits(usual)) {
          is_refused(usual, "usual rows");
          continue;
        }
        rows_and_weights(fixture, method, round);
        if (method == "auto") continue;  // one of the others
        parameters_at_the_start(fixture, method, refused_ones, round);
        if (is_first) options_of_kind_and_run(fixture, method, round);
      }
      options_of_evaluation(fixture, round);
    }
  }
  test::end_cases();
  const int64_t refused_ones = cases - fitted;
  std::printf("%lld cases: %lld fitted, %lld refused\n", static_cast<long long>(cases),
              static_cast<long long>(fitted), static_cast<long long>(refused_ones));
  assert_true(failures == 0 && cases > 0);
  if (!all_kinds()) return;
  assert_int_equal(kinds.size(), vtemper_model_kind_count());
  assert_true(cases >= 10000 / part && fitted > cases / 4 && refused_ones > cases / 10);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(extremes_are_fitted_or_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
