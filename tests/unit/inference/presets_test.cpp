// The named methods, the values of "auto", and refusals: options without effect and meaningless combinations are
// refused with a message that names both sides.

#include "inference/presets.h"

#include <functional>

#include "inference/parts.h"
#include "support/error.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

/// Expects an Error with this status whose message contains all of the words.
void check_refused(const Texts& texts, int64_t rows, vtemper_status status, const std::vector<std::string>& words) {
  try {
    choose_conjugate_method(options_of(texts), rows, MethodDefaults{});
  } catch (const Error& error) {
    const std::string text = error.what();
    assert_int_equal(error.status(), status);
    for (const std::string& word : words) {
      if (text.find(word) == std::string::npos) {
        std::printf("\"%s\" does not name %s\n", text.c_str(), word.c_str());
        assert_true(false);
      }
    }
    return;
  }
  for (const auto& [name, value] : texts) std::printf("%s=%s ", name.c_str(), value.c_str());
  std::printf("was not refused\n");
  assert_true(false);
}

double rate(const ConjugateMethod& method) {
  Clock clock;
  clock.steps_total = method.steps_total / method.coolings;
  return method.step_size->rate(clock);
}

void methods_are_choices_of_parts(void**) {
  const ConjugateMethod vi = choose_conjugate_method(options_of({{"method", "vi"}}), 2000, MethodDefaults{});
  assert_true(vi.full_steps && vi.batch_size == 2000 && rate(vi) == 1 && vi.steps_total == 100);
  assert_true(vi.temperature->local(Clock{}).inverse == 1 && vi.rows_total == 2000);

  const ConjugateMethod svi = choose_conjugate_method(options_of({{"method", "svi"}}), 2000, MethodDefaults{});
  assert_true(!svi.full_steps && svi.batch_size == 20 && svi.steps_total == 600);
  check_close("rho", rate(svi), std::pow(200.0L, -0.7L), 1e-14L);

  const ConjugateMethod annealing = choose_conjugate_method(options_of({}), 2000, MethodDefaults{});  // the default
  assert_true(annealing.temperature->needs_tokens() && annealing.options.is_auto("temperature_start"));

  const ConjugateMethod tempering =
      choose_conjugate_method(options_of({{"method", "tempering"}}), 2000, MethodDefaults{});
  assert_true(tempering.temperature->measurement_length() > 0);
  assert_true(tempering.options.text("temperature_estimate") == "auto");
  const ConjugateMethod local =
      choose_conjugate_method(options_of({{"method", "local_tempering"}}), 2000, MethodDefaults{});
  assert_true(local.temperature->needs_tokens() && local.temperature->measurement_length() == 0);

  // Parts replace those of the method.
  const ConjugateMethod mixed = choose_conjugate_method(
      options_of(
          {{"method", "svi"}, {"temperature", "schedule"}, {"temperature_start", "4"}, {"step_size", "constant"}}),
      2000, MethodDefaults{});
  assert_true(mixed.temperature->local(Clock{}).inverse == 0.25 && rate(mixed) == 0.01);
  assert_int_equal(presets().size(), 8);
}

void sizes_and_ends(void**) {
  const auto choose = [](const Texts& texts, int64_t rows) {
    return choose_conjugate_method(options_of(texts), rows, MethodDefaults{});
  };
  assert_true(choose({{"method", "svi"}}, 8).batch_size == 8);
  assert_true(choose({{"method", "svi"}}, 8).full_steps);
  assert_true(choose({{"method", "svi"}}, 300).batch_size == 10);
  assert_true(choose({{"method", "svi"}}, 300).steps_total == 600);
  assert_true(choose({{"method", "svi"}}, 20000).batch_size == 200);
  assert_true(choose({{"method", "svi"}}, 20000).steps_total == 600);
  assert_true(choose({{"method", "svi"}}, 1000000).batch_size == 1000);
  assert_true(choose({{"method", "svi"}}, 1000000).steps_total == 6000);
  assert_true(choose({{"batch_size", "0"}}, 2000).full_steps);
  assert_true(choose({{"batch_size", "9999"}}, 2000).batch_size == 2000);
  assert_true(choose({{"method", "vi"}, {"batch_size", "10"}}, 2000).batch_size == 10);
  assert_true(choose({{"batch_size", "300"}, {"max_passes", "1"}}, 1000).steps_total == 4);
  assert_true(choose({{"batch_size", "100"}, {"max_iterations", "7"}}, 1000).steps_total == 7);
  assert_true(choose({{"batch_size", "100"}, {"max_iterations", "700"}}, 1000).steps_total == 700);
  assert_true(choose({{"batch_size", "100"}, {"max_passes", "0"}, {"max_iterations", "70"}}, 1000).steps_total == 70);
  assert_true(choose({{"batch_size", "100"}, {"max_passes", "2"}, {"max_iterations", "700"}}, 1000).steps_total ==
              20);
  assert_true(choose({{"batch_size", "0"}, {"step_size", "constant"}}, 1000).full_steps == false);
  assert_true(choose({{"rows_total", "5e5"}}, 1000).rows_total == 5e5);
  const ConjugateMethod fed = choose({{"rows_total", "5e5"}, {"max_iterations", "9"}}, -1);
  assert_true(choose({{"rows_total", "5e5"}, {"max_passes", "3"}}, -1).passes == 3);
  assert_true(fed.batch_size == 0 && fed.rows_total == 5e5 && fed.steps_total == 9 && !fed.full_steps);
}

/// A value that the option accepts.
std::string valid_value(const OptionEntry& entry) {
  if (std::string(entry.default_text) != "auto") return entry.default_text;
  if (entry.type == VTEMPER_OPTION_REALS) return "1,0.5";
  return entry.type == VTEMPER_OPTION_CHOICE
             ? std::string(entry.choices).substr(0, std::string(entry.choices).find(' '))
             : number_text(std::min(std::max(entry.minimum, 2.0), entry.maximum));
}

template <class Part>
void refuse_options_of_other_parts(const char* choice, const std::vector<const Part*>& parts) {
  int refused = 0;
  for (const Part* chosen : parts) {
    for (const Part* other : parts) {
      for (const OptionEntry& entry : other->options()) {
        Texts texts = {{choice, chosen->name}, {entry.name, valid_value(entry)}, {"batch_size", "0"}};
        if (has_option(chosen->options(), entry.name)) {
          // Steps over all rows cannot have several coolings.
          if (std::string(entry.name) == "temperature_coolings") texts["batch_size"] = "10";
          choose_conjugate_method(options_of(texts), 100, MethodDefaults{});  // its own: accepted
          continue;
        }
        check_refused(texts, 100, VTEMPER_ERROR_OPTION,
                      {entry.name, std::string(choice) + " " + chosen->name,
                       std::string(choice) + " " + users_of(parts, entry.name)});
        ++refused;
      }
    }
  }
  assert_true(refused > 0);
}

void options_of_other_parts_are_refused(void**) {
  refuse_options_of_other_parts("temperature", temperature_parts());
  refuse_options_of_other_parts("step_size", step_size_parts());
  refuse_options_of_other_parts("perturbation", perturbation_parts());
  check_refused({{"method", "svi"}, {"temperature_start", "3"}}, 2000, VTEMPER_ERROR_OPTION,
                {"temperature_start", "temperature none", "belongs to temperature", "entropy_schedule", "schedule"});
  check_refused({{"method", "vi"}, {"step_size_delay", "3"}}, 2000, VTEMPER_ERROR_OPTION,
                {"step_size_delay", "step_size full", "step_size robbins_monro"});
}

void users_of_an_option_are_listed(void**) {
  const auto table = [] { return OptionTable{{"depth", VTEMPER_OPTION_REAL, "1", 0, 1, "", "A depth."}}; };
  const TemperaturePart a = {"a", "", table, nullptr}, b = {"b", "", table, nullptr}, c = {"c", "", table, nullptr};
  const auto users = [](const std::vector<const TemperaturePart*>& parts) { return users_of(parts, "depth"); };
  assert_string_equal(users({}).c_str(), "");
  assert_string_equal(users({&a}).c_str(), "a");
  assert_string_equal(users({&a, &b}).c_str(), "a or b");
  assert_string_equal(users({&a, &b, &c}).c_str(), "a, b or c");
  assert_string_equal(users_of<TemperaturePart>({&a}, "height").c_str(), "");
}

void combinations_without_meaning_are_refused(void**) {
  check_refused({{"step_size", "full"}, {"batch_size", "10"}}, 2000, VTEMPER_ERROR_UNSUPPORTED,
                {"step_size full", "batch_size is 10", "2000"});
  check_refused({{"step_size", "full"}}, 2000, VTEMPER_ERROR_UNSUPPORTED, {"step_size full", "batch_size is 20"});
  check_refused({{"method", "svi"}}, -1, VTEMPER_ERROR_OPTION, {"rows_total", "fed"});
  check_refused({{"temperature_coolings", "2"}, {"batch_size", "0"}}, 2000, VTEMPER_ERROR_UNSUPPORTED,
                {"temperature_coolings", "all rows"});
  check_refused({{"temperature_coolings", "2"}, {"rows_total", "90"}}, -1, VTEMPER_ERROR_UNSUPPORTED,
                {"temperature_coolings", "fed"});
  check_refused({{"temperature_coolings", "5"}, {"max_iterations", "4"}}, 2000, VTEMPER_ERROR_OPTION,
                {"temperature_coolings is 5", "4 steps"});
  check_refused({{"rows_total", "9"}, {"batch_size", "3"}}, -1, VTEMPER_ERROR_OPTION, {"batch_size", "fed"});
  check_refused({{"temperatur_start", "3"}}, 2000, VTEMPER_ERROR_OPTION, {"temperatur_start", "temperature_start"});
  check_refused({{"method", "svy"}}, 2000, VTEMPER_ERROR_OPTION, {"svy", "svi"});
  check_refused({{"step_size_power", "0.4"}}, 2000, VTEMPER_ERROR_OPTION, {"step_size_power", "0.4", "0.5"});
  check_refused({{"temperature_start", "0.5"}}, 2000, VTEMPER_ERROR_OPTION, {"temperature_start", "0.5"});
  check_refused({{"temperature_start", "nan"}}, 2000, VTEMPER_ERROR_OPTION, {"temperature_start", "nan"});
  for (const Texts& texts : {Texts{{"method", "svi"}}, {{"batch_size", "0"}, {"step_size", "constant"}}}) {
    Texts with_tolerance = texts;
    with_tolerance["tolerance"] = "1e-3";
    check_refused(with_tolerance, 2000, VTEMPER_ERROR_OPTION, {"tolerance", "step_size full", "max_passes"});
  }
}

/// Models whose default is entropy_annealing; the description of option method names them.
void the_description_of_method_is_that_of_the_models(void**) {
  const OptionTable table = loop_options();
  const std::string description = table.front().description;
  const std::string of_auto = description.substr(0, description.find(", vi for models fitted by gradients"));
  for (const ModelKind* kind : model_kinds()) {
    const auto model = as_conjugate(kind->create(OptionValues(kind->options(), {}, kind->name)));
    const std::string method = model ? model->method_defaults(0).method : "";
    if ((of_auto.find(kind->name) != std::string::npos) == (method == "entropy_annealing")) continue;
    std::printf("the default method of %s is %s; option method says: %s\n", kind->name, method.c_str(),
                of_auto.c_str());
    assert_true(false);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(methods_are_choices_of_parts),
                              cmocka_unit_test(sizes_and_ends),
                              cmocka_unit_test(options_of_other_parts_are_refused),
                              cmocka_unit_test(users_of_an_option_are_listed),
                              cmocka_unit_test(the_description_of_method_is_that_of_the_models),
                              cmocka_unit_test(combinations_without_meaning_are_refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
