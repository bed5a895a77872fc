// A corpus from files, divided over the ranks.

#include <mpi.h>

#include <cstring>
#include <new>
#include <string>

#include <vtemper/mpi.h>

#include "failure.h"
#include "ranks.h"
#include "unite.h"

namespace vtemper_mpi {
namespace {

/// Data that are destroyed at the end of the scope.
struct OwnData {
  OwnData() = default;
  OwnData(const OwnData&) = delete;
  OwnData& operator=(const OwnData&) = delete;
  ~OwnData() { vtemper_data_destroy(handle); }
  void take(vtemper_data* other) {
    vtemper_data_destroy(handle);
    handle = other;
  }
  vtemper_data* handle = nullptr;
};

const char* const mark_of_rank = "%r";

// Reads the rows of this rank, without communication.
vtemper_status read_own(const char* path, const char* format, const Ranks& ranks, vtemper_data** own) {
  if (!path) return failed(VTEMPER_ERROR_ARGUMENT, "argument path is NULL");
  const std::string mark = mark_of_rank;
  std::string name = path;
  const bool file_a_rank = name.find(mark) != std::string::npos;
  if (file_a_rank) {
    for (size_t at = name.find(mark); at != std::string::npos; at = name.find(mark, at)) {
      name.replace(at, mark.size(), std::to_string(ranks.rank()));
    }
    return passed_on(vtemper_data_read(name.c_str(), format, own));
  }
  vtemper_status status = vtemper_data_read_part(path, format, ranks.rank(), ranks.ranks(), own);
  if (status != VTEMPER_ERROR_UNSUPPORTED) return passed_on(status);
  OwnData whole;
  status = passed_on(vtemper_data_read(path, format, &whole.handle));
  return status == VTEMPER_OK ? vtemper_mpi_share(whole.handle, ranks.rank(), ranks.ranks(), own) : status;
}

vtemper_status read(const char* path, const char* format, MPI_Comm comm, vtemper_data** spread) {
  std::unique_ptr<Ranks> ranks;
  vtemper_status status = ranks_of(comm, &ranks);
  if (status != VTEMPER_OK) return status;
  OwnData own;
  status = spread ? VTEMPER_OK : failed(VTEMPER_ERROR_ARGUMENT, "argument spread is NULL");
  try {
    if (status == VTEMPER_OK) status = read_own(path, format, *ranks, &own.handle);
  } catch (const std::bad_alloc&) {
    status = failed(VTEMPER_ERROR_MEMORY, "out of memory");
  }
  status = ranks->agree(status);
  if (status != VTEMPER_OK) return status;
  int32_t file_a_rank = std::strstr(path, mark_of_rank) != nullptr ? 1 : 0;  // on any of them
  const int code = ranks->reduce(&file_a_rank, 1, VTEMPER_INT32, VTEMPER_MAX);
  if (code != MPI_SUCCESS) return failed_by_mpi("a rank is lost", code);
  if (file_a_rank != 0) {
    vtemper_data* united = nullptr;
    status = unite(own.handle, *ranks, &united);
    if (status != VTEMPER_OK) return status;
    if (united != nullptr) own.take(united);
  }
  vtemper_group* group = nullptr;
  status = group_of(comm, std::move(ranks), &group);
  if (status == VTEMPER_OK) status = passed_on(vtemper_data_spread(own.handle, group, spread));
  vtemper_group_destroy(group);
  return status;
}

}  // namespace
}  // namespace vtemper_mpi

vtemper_status vtemper_mpi_read(const char* path, const char* format, MPI_Comm comm, vtemper_data** spread) {
  return vtemper_mpi::read(path, format, comm, spread);
}

vtemper_status vtemper_mpi_read_f(const char* path, const char* format, int32_t fortran_comm, vtemper_data** spread) {
  return vtemper_mpi::read(path, format, vtemper_mpi::communicator_of(fortran_comm), spread);
}
