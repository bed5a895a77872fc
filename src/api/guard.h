#pragma once
// The exception boundary: every exception becomes a status and the calling thread's last error.

#include <vtemper/vtemper.h>

namespace vtemper::api {

/// Maps the exception in flight to its status and sets the calling thread's last error.
vtemper_status report_failure() noexcept;

/// Runs the body of a C function. On success the last error is unchanged.
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
