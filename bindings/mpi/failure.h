#pragma once
// Failures of this library: a status, and a message of the calling thread.

#include <new>
#include <string>

#include <vtemper/vtemper.h>

namespace vtemper_mpi {

/// Stores the message for vtemper_mpi_last_error and returns the status. Without memory for a composed message, call
/// it within `tried`.
vtemper_status failed(vtemper_status status, const char* message) noexcept;
inline vtemper_status failed(vtemper_status status, const std::string& message) noexcept {
  return failed(status, message.c_str());
}

/// Passes on a status of libvtemper; if it is not OK, its message is copied.
vtemper_status passed_on(vtemper_status status) noexcept;

/// A failure of MPI: the attempted operation, and MPI's message.
vtemper_status failed_by_mpi(vtemper_status status, const char* what, int code) noexcept;

/// Work of this rank alone, which may run out of memory.
template <class Work>
vtemper_status tried(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed(VTEMPER_ERROR_MEMORY, "out of memory");
  }
}

}  // namespace vtemper_mpi
