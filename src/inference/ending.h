#pragma once
// How a run ended, and the sentence about one that left the model unsettled.

#include <string>

#include <vtemper/vtemper.h>

namespace vtemper {

/// A warning about a fit whose last step was hot or perturbed, or that looks for convergence and has not found it;
/// "" where it is settled or has no step.
std::string unsettled_sentence(const vtemper_report& report);

}  // namespace vtemper
