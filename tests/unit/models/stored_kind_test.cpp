// Files of models and checkpoints that cannot be used are refused by what they are.

#include "models/model.h"
#include "support/cmocka.h"
#include "support/refusal.h"

using namespace vtemper;

namespace {

/// The bytes of a file without arrays; `topics` is a value of lda's option.
std::string file(const char* format, const char* kind, const char* topics) {
  ContainerWriter writer(format);
  writer.text("kind", kind);
  writer.text("option.topics", topics);
  return writer.bytes();
}

ContainerReader opened(const std::string& bytes, const char* format) {
  return ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), format, "file.vt");
}

void unknown_kinds(void**) {
  const std::string end =
      " of kind \"of tomorrow\", which this library does not know; the version that wrote it reads it";
  const auto refused = [](const char* format) {
    const std::string bytes = file(format, "of tomorrow", "3");
    const ContainerReader reader = opened(bytes, format);
    const std::string why = refusal(VTEMPER_ERROR_FORMAT, [&] { stored_kind(reader); });
    assert_text(refusal(VTEMPER_ERROR_FORMAT, [&] { load_model(reader); }), why);
    return why;
  };
  assert_text(refused("vtemper.model"), "file.vt is a model" + end);
  assert_text(refused("vtemper.checkpoint"), "file.vt is a checkpoint of a model" + end);
}

void unusable_options(void**) {
  const auto refused = [](const char* format) {
    const std::string bytes = file(format, "lda", "none");
    return refusal(VTEMPER_ERROR_FORMAT, [&] { load_model(opened(bytes, format)); });
  };
  assert_contains(refused("vtemper.model"), "file.vt is not a usable model file: option topics");
  assert_contains(refused("vtemper.checkpoint"), "file.vt is not a usable checkpoint: option topics");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(unknown_kinds),
      cmocka_unit_test(unusable_options),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
