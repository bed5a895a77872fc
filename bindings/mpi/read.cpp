// A corpus from files, divided over the ranks.

#include <mpi.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

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

vtemper_status lost(int code) {
  return failed_by_mpi(VTEMPER_ERROR_PEER, "a rank is lost", code);
}

// The size of a file that all ranks read. A pipe gives each of its bytes to one reader only, so ranks refuse it
// before they open it.
vtemper_status find_size(const char* path, int64_t* bytes) {
  struct stat file = {};
  if (stat(path, &file) != 0) {
    const std::string reason = std::generic_category().message(errno);
    return failed(VTEMPER_ERROR_IO, std::string(path) + " cannot be opened: " + reason);
  }
  if (!S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode)) {
    return failed(VTEMPER_ERROR_UNSUPPORTED,
                  std::string(path) +
                      " is not a regular file, so several ranks cannot read it; convert it to a file " +
                      "first (vtemper_data_convert)");
  }
  *bytes = S_ISREG(file.st_mode) ? file.st_size : 0;
  return VTEMPER_OK;
}

// Fails on all ranks if one has another number than rank 0, because it has another file under this path.
vtemper_status require_equal(Ranks& ranks, const char* path, int64_t own, const char* unit) {
  int64_t first = own, other = own;
  int32_t rank = 0;
  int code = ranks.broadcast(&first, sizeof first, 0);
  if (code == MPI_SUCCESS) {
    rank = own == first ? ranks.ranks() : ranks.rank();
    code = ranks.reduce(&rank, 1, VTEMPER_INT32, VTEMPER_MIN);
  }
  if (code == MPI_SUCCESS && rank == ranks.ranks()) return VTEMPER_OK;
  if (code == MPI_SUCCESS) code = ranks.broadcast(&other, sizeof other, rank);
  if (code != MPI_SUCCESS) return lost(code);
  return failed(VTEMPER_ERROR_DATA, "the ranks of the group differ: " + std::string(path) + " has " +
                                        std::to_string(first) + " " + unit + " on rank 0 and " +
                                        std::to_string(other) + " on rank " + std::to_string(rank));
}

vtemper_status require_equal_data(Ranks& ranks, const char* path, const vtemper_data* whole) {
  int64_t rows = 0, columns = 0, entries = 0;
  vtemper_status status = vtemper_data_rows(whole, &rows);
  if (status == VTEMPER_OK) status = vtemper_data_columns(whole, &columns);
  if (status == VTEMPER_OK) status = vtemper_data_entries(whole, &entries);
  status = ranks.agree(passed_on(status));
  if (status == VTEMPER_OK) status = require_equal(ranks, path, rows, "rows");
  if (status == VTEMPER_OK) status = require_equal(ranks, path, columns, "columns");
  if (status == VTEMPER_OK) status = require_equal(ranks, path, entries, "entries");
  return status;
}

// Reads the file of this rank, without communication.
vtemper_status read_own_file(const char* path, const char* format, const Ranks& ranks, OwnData* own) {
  const std::string mark = mark_of_rank, rank = std::to_string(ranks.rank());
  std::string name = path;
  for (size_t at = name.find(mark); at != std::string::npos; at = name.find(mark, at + rank.size())) {
    name.replace(at, mark.size(), rank);
  }
  return passed_on(vtemper_data_read(name.c_str(), format, &own->handle));
}

// Reads this rank's share of the file that all ranks have. Collective.
vtemper_status read_share(const char* path, const char* format, Ranks& ranks, OwnData* own) {
  int64_t bytes = 0;
  vtemper_status status = VTEMPER_OK;
  if (ranks.ranks() > 1) {
    status = ranks.agree(tried([&] { return find_size(path, &bytes); }));
    if (status == VTEMPER_OK) status = require_equal(ranks, path, bytes, "bytes");
    if (status != VTEMPER_OK) return status;
  }
  status = vtemper_data_read_part(path, format, ranks.rank(), ranks.ranks(), &own->handle);
  int32_t read_whole = status == VTEMPER_ERROR_UNSUPPORTED ? 1 : 0;  // by any rank, and then by all
  status = ranks.agree(read_whole != 0 ? VTEMPER_OK : passed_on(status));
  if (status != VTEMPER_OK) return status;
  const int code = ranks.reduce(&read_whole, 1, VTEMPER_INT32, VTEMPER_MAX);
  if (code != MPI_SUCCESS) return lost(code);
  if (read_whole == 0) return VTEMPER_OK;
  own->take(nullptr);
  OwnData whole;
  status = ranks.agree(passed_on(vtemper_data_read(path, format, &whole.handle)));
  if (status == VTEMPER_OK) status = require_equal_data(ranks, path, whole.handle);
  if (status != VTEMPER_OK) return status;
  return ranks.agree(vtemper_mpi_share(whole.handle, ranks.rank(), ranks.ranks(), &own->handle));
}

// Reads the rows of this rank. Collective: OK on all ranks or on none.
vtemper_status read_rows(const char* path, const char* format, Ranks& ranks, OwnData* own) {
  int32_t file_a_rank = std::strstr(path, mark_of_rank) != nullptr ? 1 : 0;  // for any rank, and then for all
  const int code = ranks.reduce(&file_a_rank, 1, VTEMPER_INT32, VTEMPER_MAX);
  if (code != MPI_SUCCESS) return lost(code);
  if (file_a_rank == 0) return read_share(path, format, ranks, own);
  vtemper_status status = ranks.agree(tried([&] { return read_own_file(path, format, ranks, own); }));
  vtemper_data* united = nullptr;
  if (status == VTEMPER_OK) status = unite(own->handle, ranks, &united);
  if (status == VTEMPER_OK && united != nullptr) own->take(united);
  return status;
}

vtemper_status read(const char* path, const char* format, MPI_Comm comm, vtemper_data** spread) {
  std::unique_ptr<Ranks> ranks;
  vtemper_status status = ranks_of(comm, &ranks);
  if (status != VTEMPER_OK) return status;
  status = spread ? VTEMPER_OK : failed(VTEMPER_ERROR_ARGUMENT, "argument spread is NULL");
  if (!path) status = failed(VTEMPER_ERROR_ARGUMENT, "argument path is NULL");
  status = ranks->agree(status);
  OwnData own;
  // Memory for a message may be missing after the last communication, which no rank waits for.
  if (status == VTEMPER_OK) status = tried([&] { return read_rows(path, format, *ranks, &own); });
  if (status != VTEMPER_OK) return status;
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
