#include "inference/ending.h"

#include <cmath>

#include "support/text.h"

namespace vtemper {

namespace {

/// Rounded to three decimals for messages.
double shown(double value) {
  return std::round(1000 * value) / 1000;
}

const char* cause(int32_t ending) {
  switch (ending) {
    case VTEMPER_ENDING_LENGTH:
      return "max_passes or max_iterations reached";
    case VTEMPER_ENDING_TIME:
      return "time over";
    case VTEMPER_ENDING_DEADLINE:
      return "deadline reached";
    case VTEMPER_ENDING_CANCELLED:
      return "stopped by its caller";
    default:
      return "not ended";
  }
}

}  // namespace

std::string unsettled_message(const vtemper_report& report) {
  if (report.settled != 0 || report.iteration == 0) return {};
  const std::string where =
      message(" after ", report.iteration, report.iteration == 1 ? " step (" : " steps (", cause(report.ending), ")");
  if (report.temperature > 1) {
    const char* advice = report.ending == VTEMPER_ENDING_DEADLINE
                             ? "; option time plans a fit that is at T = 1 when the time is up"
                             : "; its parameters are not those of the model at T = 1";
    return message("the fit is hot: T = ", shown(report.temperature), where, advice);
  }
  if (report.perturbation > 0) {
    return message("the fit is still perturbed: the share of random starts in its steps is ",
                   shown(report.perturbation), where);
  }
  // A run in progress has not had time to converge.
  if (report.ending == VTEMPER_ENDING_NONE) return {};
  const char* advice = report.ending == VTEMPER_ENDING_LENGTH ? "; a larger limit may improve it" : "";
  return "the fit has not converged" + where + advice;
}

}  // namespace vtemper
