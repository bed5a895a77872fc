#pragma once
// How a run ended, and the warning about one that left the model unsettled.

#include <string>

#include <vtemper/vtemper.h>

namespace vtemper {

/// A warning if the last step of a fit was hot or perturbed, or if the fit tests for convergence and has not
/// converged; otherwise, or without steps, "".
std::string unsettled_message(const vtemper_report& report);

}  // namespace vtemper
