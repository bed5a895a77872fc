// Option deadline holds while a model is initialised, for every kind: nothing long happens before the first step.

#include <cstring>

#include "inference/optimizer.h"
#include "models/contract/fixtures.h"
#include "support/error.h"

using namespace contract;

namespace {

std::shared_ptr<Model> model_of(const Fixture& fixture) {
  const ModelKind& kind = model_kind(fixture.kind);
  Options options;
  for (const auto& [name, text] : fixture.options) options.set(name, text);
  return kind.create(OptionValues(kind.options(), options, kind.name));
}

void a_deadline_ends_initialising(void**) {
  int64_t cases = 0;
  for (const Fixture& fixture : fixtures()) {
    for (const char* restarts : {"1", "3"}) {
      Options options;
      options.set("deadline", "1e-9");
      if (std::strcmp(restarts, "1") != 0) options.set("restarts", restarts);
      const std::shared_ptr<Model> model = model_of(fixture);
      try {
        const Optimizer optimizer(model, fixture.data(), options);
        print_error("%s was initialised after its deadline\n", fixture.kind);
        assert_true(false);
      } catch (const Error& error) {
        if (error.status() == VTEMPER_ERROR_UNSUPPORTED || error.status() == VTEMPER_ERROR_OPTION) continue;
        assert_int_equal(error.status(), VTEMPER_CANCELLED);
        assert_non_null(std::strstr(error.what(), "deadline"));
      }
      ++cases;
    }
  }
  std::printf("%lld fits whose deadline was over before their first step\n", static_cast<long long>(cases));
  assert_true(cases >= (all_kinds() ? 7 : 1));
}

/// The memory estimate before anything is allocated equals the optimizer's own afterwards.
void memory_is_known_in_advance(void**) {
  int64_t known = 0;
  for (const Fixture& fixture : fixtures()) {
    const std::shared_ptr<Model> model = model_of(fixture);
    const std::shared_ptr<const Data> data = fixture.data();
    const double before = Optimizer::memory_needed(*model, *data, {});
    assert_false(model->initialized());
    const Optimizer optimizer(model, data, {});
    if (!(before > 0)) continue;
    ++known;
    if (before != optimizer.memory()) print_error("%s: %g, then %g\n", fixture.kind, before, optimizer.memory());
    assert_true(before == optimizer.memory());
  }
  std::printf("%lld kinds and options tell their memory in advance\n", static_cast<long long>(known));
  if (all_kinds()) assert_true(known >= 3);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_deadline_ends_initialising),
      cmocka_unit_test(memory_is_known_in_advance),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
