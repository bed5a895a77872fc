// Options of every subject: names and values from their tables, at their limits and beyond, and arbitrary text; set
// as text, integers, reals and lists. Options that a model, an optimizer or a score accepts are used for two steps:
// no status INTERNAL, and finite results only. Fits that would need much memory, according to the library itself, or
// thousands of threads, are not started; long calls are interrupted.

#include <cstdint>
#include <cstdlib>

#include "fuzz/input.h"
#include "fuzz/interruption.h"
#include "models/contract/hostile_use.h"

using namespace contract;

namespace {

constexpr double max_memory = 5e7;
int64_t accepted = 0;

struct Subject {
  std::string name;
  std::vector<vtemper_option> options;
};

std::vector<Subject> make_subjects() {
  std::vector<Subject> all;
  const auto add = [&](const char* name) {
    Subject subject{name, {}};
    int32_t count = 0;
    require(vtemper_option_count(name, &count) == VTEMPER_OK, "no options");
    for (int32_t i = 0; i < count; ++i) {
      vtemper_option option{};
      option.struct_size = sizeof option;
      require(vtemper_option_info(name, i, &option) == VTEMPER_OK, "no option");
      subject.options.push_back(option);
    }
    all.push_back(subject);
  };
  add("optimizer");
  add("evaluate");
  for (int32_t i = 0; i < vtemper_model_kind_count(); ++i) add(vtemper_model_kind_name(i));
  return all;
}

const Subject& subject_of(const std::string& name) {
  static const std::vector<Subject> all = make_subjects();
  for (const Subject& subject : all) {
    if (subject.name == name) return subject;
  }
  std::abort();
}

/// One of the words of a choice.
std::string word_of(const char* choices, size_t number) {
  std::vector<std::string> words = {""};
  for (const char* c = choices; *c; ++c) {
    if (*c == ' ') {
      words.emplace_back();
    } else {
      words.back() += *c;
    }
  }
  return words[number % words.size()];
}

double extreme_of(const vtemper_option& option, Input& input) {
  switch (input.below(8)) {
    case 0:
      return option.minimum;
    case 1:
      return option.maximum;
    case 2:
      return std::nextafter(option.minimum, -INFINITY);
    case 3:
      return option.minimum + 1;
    case 4:
      return static_cast<double>(input.below(12));
    case 5:
      return input.real();
    case 6:
      return hostile_reals[input.below(12)];
    default:
      return std::clamp(0.5, option.minimum, option.maximum);
  }
}

/// Sets an option of the subject, or one that it does not have.
void set_one(const Subject& subject, vtemper_options* options, Input& input) {
  const size_t at = input.below(subject.options.size() + 1);
  if (at == subject.options.size()) {
    const std::string name = input.text(12);
    succeeds(vtemper_options_set(options, name.c_str(), input.text(12).c_str()));
    return;
  }
  const vtemper_option& option = subject.options[at];
  std::string text;
  switch (input.below(9)) {
    case 0:
      succeeds(vtemper_options_set_integer(options, option.name, static_cast<int64_t>(input.byte()) - 2));
      return;
    case 1:
      succeeds(vtemper_options_set_integer(options, option.name, hostile_wholes[input.below(9)]));
      return;
    case 2:
      succeeds(vtemper_options_set_real(options, option.name, extreme_of(option, input)));
      return;
    case 3: {
      const double values[] = {extreme_of(option, input), extreme_of(option, input), extreme_of(option, input)};
      succeeds(vtemper_options_set_reals(options, option.name, values, static_cast<int64_t>(input.below(4))));
      return;
    }
    case 4:
      text = input.text(20);
      break;
    case 5:
      text = hostile_texts[input.below(10)];
      break;
    case 6:
      text = option.default_text;
      break;
    default:
      text = option.type == VTEMPER_OPTION_CHOICE    ? word_of(option.choices, input.byte())
             : option.type == VTEMPER_OPTION_BOOLEAN ? (input.below(2) == 0 ? "true" : "false")
                                                     : std::to_string(input.below(9));
  }
  succeeds(vtemper_options_set_text(options, option.name, text.c_str()));
}

/// A set with some options of the subject on top of others.
vtemper_options* some_options(const Subject& subject, const Texts& others, size_t count, Input& input) {
  vtemper_options* options = options_handle_of(others);
  for (size_t i = 0; i < count; ++i) set_one(subject, options, input);
  return options;
}

/// Whether the set requests more threads, starts or steps at once than a test can have.
bool asks_for_much(const vtemper_options* options) {
  for (const char* name : {"threads", "restarts"}) {
    const char* text = nullptr;
    if (vtemper_options_get_text(options, name, &text) == VTEMPER_OK && std::atof(text) > 4) return true;
  }
  return false;
}

void use(const Fixture& fixture, Input& input) {
  const size_t shares = input.byte();  // number of options for each subject
  vtemper_options* of_model = some_options(subject_of(fixture.kind), fixture.options, shares % 4, input);
  vtemper_options* of_optimizer =
      some_options(subject_of("optimizer"), {{"threads", "1"}, {"max_iterations", "4"}}, shares / 4 % 8, input);
  vtemper_options* of_evaluation = some_options(subject_of("evaluate"), {}, shares / 32 % 4, input);
  vtemper_data* data = handle_of(fixture.data());
  vtemper_model* model = nullptr;
  vtemper_optimizer* optimizer = nullptr;
  double bytes = 0;
  const Interruption interruption;
  if (succeeds(vtemper_model_create(fixture.kind, of_model, &model)) && !asks_for_much(of_optimizer) &&
      !asks_for_much(of_evaluation) && succeeds(vtemper_model_fit_memory(model, data, of_optimizer, &bytes)) &&
      bytes < max_memory && succeeds(vtemper_optimizer_create(model, data, of_optimizer, &optimizer))) {
    ++accepted;
    succeeds(vtemper_optimizer_step(optimizer, 2, nullptr));
    infer_and_score(model, data, of_evaluation);
    save_and_load(model);
  }
  vtemper_optimizer_destroy(optimizer);
  vtemper_model_destroy(model);
  vtemper_data_destroy(data);
  for (vtemper_options* options : {of_model, of_optimizer, of_evaluation}) vtemper_options_destroy(options);
}

}  // namespace

/// Seed inputs for a run without a fuzzer: options of every subject and kind.
std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds;
  const int count = static_cast<int>(fixtures().size());
  for (int i = 0; i < 120; ++i) {
    const auto fixture = static_cast<char>(i % count), option = static_cast<char>(i);
    seeds.push_back({fixture, static_cast<char>(i % 3 == 0 ? 1 : i % 3 == 1 ? 8 : 32), option, 8, 1, 2, 3});
  }
  return seeds;
}

int64_t fuzz_accepted() {
  return accepted;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Input input(bytes, size);
  const Fixture& fixture = fixtures()[input.below(fixtures().size())];
  std::snprintf(vtemper::test::running_case, sizeof vtemper::test::running_case, "%s", fixture.kind);
  use(fixture, input);
  if (failures > 0) std::abort();
  return 0;
}
