// Steps of a run with a time budget, and the message about how any run ended.

#include <cmath>

#include "inference/ending.h"
#include "inference/state.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// Time is counted from the construction of the optimizer.
void Optimizer::begin_plan(double spent) {
  const State& first = *state_;
  const double seconds = first.run.options.real("time");
  if (!(seconds > 0)) return;
  double closing = 0;
  if (starts() > 1) closing = static_cast<double>(first.data->rows()) / static_cast<double>(first.run.batch_size);
  const bool once = first.run.complete_steps > 0;
  plan_.emplace(seconds, closing, once ? first.run.complete_steps : first.run.cooling_steps,
                once ? 0 : first.run.later_steps);
  plan_->begin(spent);
}

/// All starts share the plan; finished ones keep their final clock.
void Optimizer::plan_step() {
  if (!plan_) return;
  for (size_t i = 0; i < starts(); ++i) {
    State& one = start(i);
    if (one.done) continue;
    plan_->plan(one.clock);
    one.clock.last_inverse = one.clock.iteration > 0 ? one.report.inverse_temperature : 0;
  }
}

/// The time since the previous step of this call, including the monitor's, is attributed to this step.
void Optimizer::end_step_by_plan() {
  if (!plan_) return;
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_mark_).count();
  last_mark_ = now;
  end_step_by_plan(seconds);
}

void Optimizer::end_step_by_plan(double seconds) {
  if (!plan_) return;
  bool over = plan_->end_with(seconds);
  if (over && plan_->has_time_left()) over = !state_->gains_by_reheating() || !plan_->cool_again();
  for (size_t i = 0; over && i < starts(); ++i) {
    if (!start(i).done) start(i).end_by_time();
  }
}

void Optimizer::require_no_plan(const char* function) const {
  if (!plan_) return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message(function, " is not for runs with option time, whose steps are planned by one machine's clock; ",
                      "only step and run allow it"));
}

void Optimizer::cancel() {
  if (finished()) return;
  for (size_t i = 0; i < starts(); ++i) start(i).report.ending = VTEMPER_ENDING_CANCELLED;
  state_->report.ending = VTEMPER_ENDING_CANCELLED;
}

/// "" if the run was not by time or has used its time.
std::string Optimizer::early_end_message() const {
  if (!plan_) return "";
  const bool complete = report().ending == VTEMPER_ENDING_LENGTH;
  if (!complete && !(report().ending == VTEMPER_ENDING_TIME && plan_->has_time_left())) return "";
  const std::string after = message(" after ", std::round(10 * (plan_->seconds() - plan_->seconds_left())) / 10,
                                    " of ", plan_->seconds(), " seconds: ");
  if (!complete) {
    return "the fit has ended" + after +
           "with so few tokens per component, cooling again would fit these rows more closely and new ones worse";
  }
  return "the fit is complete" + after + "more passes would fit these rows more closely and new ones worse";
}

void Optimizer::tell_ending(const MessageSink& messages) const {
  if (!messages) return;
  try {
    std::string text = unsettled_message(report());
    if (!text.empty()) messages(report().temperature > 1 ? 2 : 1, text);
    text = starts_message();
    if (!text.empty()) messages(1, text);
    text = early_end_message();
    if (!text.empty()) messages(1, text);
  } catch (const std::bad_alloc&) {
    // The report contains the same information.
  }
}

}  // namespace vtemper
