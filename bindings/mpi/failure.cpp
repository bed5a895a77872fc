#include "failure.h"

#include <mpi.h>

#include <cstring>

#include <vtemper/mpi.h>

namespace vtemper_mpi {
namespace {

// A plain array: writing it cannot fail.
constexpr size_t text_size = 2048;
thread_local char last_error_text[text_size];

void keep(const char* text) {
  std::strncpy(last_error_text, text, text_size - 1);
  last_error_text[text_size - 1] = '\0';
}

}  // namespace

vtemper_status failed(vtemper_status status, const char* message) noexcept {
  keep(message);
  return status;
}

vtemper_status passed_on(vtemper_status status) noexcept {
  if (status != VTEMPER_OK) keep(vtemper_last_error());
  return status;
}

vtemper_status failed_by_mpi(vtemper_status status, const char* what, int code) noexcept {
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, words, &length);
  return tried([&] { return failed(status, std::string(what) + ": MPI says: " + words); });
}

}  // namespace vtemper_mpi

const char* vtemper_mpi_last_error(void) {
  return vtemper_mpi::last_error_text;
}
