#pragma once
// Checks of the numbers of any report.

#include <cmath>
#include <utility>

#include <vtemper/vtemper.h>

namespace vtemper::test {

/// The name of an infinite number; nullptr if there is none. NaN stands for what was not computed.
inline const char* infinite_number(const vtemper_report& report) {
  const std::pair<const char*, double> numbers[] = {
      {"passes", report.passes},           {"elbo", report.elbo},
      {"objective", report.objective},     {"expected_log_likelihood", report.expected_log_likelihood},
      {"temperature", report.temperature}, {"inverse_temperature", report.inverse_temperature},
      {"step_size", report.step_size},     {"perturbation", report.perturbation},
      {"proximity", report.proximity},     {"change", report.change}};
  for (const auto& [name, value] : numbers) {
    if (std::isinf(value)) return name;
  }
  return nullptr;
}

}  // namespace vtemper::test
