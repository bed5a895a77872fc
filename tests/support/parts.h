#pragma once
// Parts of a method, and the clock at a moment of a run, for the tests of parts.

#include "inference/parts.h"
#include "inference/presets.h"
#include "support/option_texts.h"

namespace fixtures {

/// The part of that name, created as a run does: `given` is the second argument of create, `defaults` are those of
/// the model.
template <class Part, class Given>
auto make_part(const std::vector<const Part*>& parts, const char* name, const vtemper::Texts& texts,
               const Given& given, const vtemper::MethodDefaults& defaults = {}, bool full_steps = false) {
  const Part& part = vtemper::part_named(parts, name);
  vtemper::OptionValues values(part.options(), vtemper::options_of(texts), "the optimizer");
  vtemper::use_defaults(values, defaults, full_steps);
  return part.create(values, given);
}

inline std::unique_ptr<vtemper::StepSize> make_step_size(const char* name, const vtemper::Texts& texts) {
  const vtemper::StepSizePart& part = vtemper::part_named(vtemper::step_size_parts(), name);
  return part.create(vtemper::OptionValues(part.options(), vtemper::options_of(texts), "the optimizer"));
}

/// The clock of a run to which rows are fed without a length, after `iteration` steps.
inline vtemper::Clock fed_clock_at(int64_t iteration, double steps_per_pass) {
  vtemper::Clock clock;
  clock.iteration = iteration;
  clock.steps_per_pass = steps_per_pass;
  clock.fed = true;
  return clock;
}

/// The clock of a run after `iteration` steps; `steps_total` 0: its length is unknown.
inline vtemper::Clock clock_at(int64_t iteration, int64_t steps_total = 0, double steps_per_pass = 1) {
  vtemper::Clock clock;
  clock.iteration = iteration;
  clock.steps_total = steps_total;
  clock.steps_per_pass = steps_per_pass;
  return clock;
}

}  // namespace fixtures
