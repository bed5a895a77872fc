// MPI for hosts without an MPI package.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include <vtemper/mpi.h>

#include "failure.h"

namespace vtemper_mpi {
namespace {

pid_t beginner = 0;  // the process that initialised MPI; its forked children do not use MPI

// If a rank ended with a failure, the others would wait for ever, because MPI_Finalize waits for all.
void end_mpi(int status) {
  int done = 0;
  MPI_Finalized(&done);
  if (done || getpid() != beginner) return;
  if (status == 0) {
    MPI_Finalize();
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // MPICH may lose output written just before
    MPI_Abort(MPI_COMM_WORLD, status);
  }
}

#ifdef __GLIBC__
void at_exit(int status, void* unused) {
  static_cast<void>(unused);
  end_mpi(status);
}
bool end_mpi_at_exit() {
  return on_exit(at_exit, nullptr) == 0;
}
#else  // the exit status is unknown on other systems
void at_exit() {
  end_mpi(0);
}
bool end_mpi_at_exit() {
  return std::atexit(at_exit) == 0;
}
#endif

}  // namespace
}  // namespace vtemper_mpi

vtemper_status vtemper_mpi_world(int32_t* fortran_comm) {
  using namespace vtemper_mpi;
  if (!fortran_comm) return failed(VTEMPER_ERROR_ARGUMENT, "argument fortran_comm is NULL");
  int initialised = 0, finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised)
    return failed(VTEMPER_ERROR_STATE, "MPI was finalised, and cannot be initialised twice in a process");
  MPI_Initialized(&initialised);
  if (!initialised) {
    int provided = 0;
    const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (code != MPI_SUCCESS) return failed_by_mpi(VTEMPER_ERROR_STATE, "MPI cannot be initialised", code);
    beginner = getpid();
    if (!end_mpi_at_exit()) return failed(VTEMPER_ERROR_MEMORY, "out of memory");
  }
  *fortran_comm = MPI_Comm_c2f(MPI_COMM_WORLD);
  return VTEMPER_OK;
}
