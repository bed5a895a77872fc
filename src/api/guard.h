#pragma once
// The one way out of the library: whatever is thrown inside becomes a status and the calling thread's last error.

#include <vtemper/vtemper.h>

namespace vtemper::api {

/// Turns the exception in flight into its status and writes the calling thread's last error.
vtemper_status report_failure() noexcept;

/// Runs the body of a C function. Success leaves the last error alone.
template <class Body>
vtemper_status guard(const Body& body) noexcept {
  try {
    body();
    return VTEMPER_OK;
  } catch (...) {
    return report_failure();
  }
}

}  // namespace vtemper::api
