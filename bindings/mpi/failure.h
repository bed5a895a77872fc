#pragma once
// Failures of this library: a status, and a message of the calling thread.

#include <string>

#include <vtemper/vtemper.h>

namespace vtemper_mpi {

/// Keeps the message for vtemper_mpi_last_error and gives the status back.
vtemper_status failed(vtemper_status status, const std::string& message) noexcept;

/// A status of libvtemper: where it is not OK its message becomes ours.
vtemper_status passed_on(vtemper_status status) noexcept;

/// A failure of MPI: what was tried, and MPI's own words.
vtemper_status failed_by_mpi(const char* what, int code) noexcept;

}  // namespace vtemper_mpi
