// Creates groups of libvtemper from MPI communicators.

#include <string>

#include <vtemper/mpi.h>

#include "failure.h"
#include "ranks.h"

namespace vtemper_mpi {
namespace {

// ---- The duplicate of a communicator, stored as an attribute of it ----

struct Duplicate {
  MPI_Comm communicator = MPI_COMM_NULL;
  vtemper_group* group = nullptr;  // NULL until it is created
};

// Frees the duplicate with its communicator. The duplicate of MPI_COMM_WORLD ends with MPI itself, when nothing can
// be freed any more.
int free_duplicate(MPI_Comm communicator, int key, void* duplicate, void* state) {
  static_cast<void>(key);
  static_cast<void>(state);
  auto* own = static_cast<Duplicate*>(duplicate);
  if (communicator != MPI_COMM_WORLD && communicator != MPI_COMM_SELF) MPI_Comm_free(&own->communicator);
  vtemper_group_destroy(own->group);
  delete own;
  return MPI_SUCCESS;
}

int duplicate_of(MPI_Comm communicator, Duplicate** duplicate) {
  static int key = MPI_KEYVAL_INVALID;
  int code = MPI_SUCCESS;
  if (key == MPI_KEYVAL_INVALID) {
    code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &key, nullptr);
    if (code != MPI_SUCCESS) return code;
  }
  int found = 0;
  code = MPI_Comm_get_attr(communicator, key, static_cast<void*>(duplicate), &found);
  if (code != MPI_SUCCESS || found) return code;
  auto fresh = std::make_unique<Duplicate>();
  code = MPI_Comm_dup(communicator, &fresh->communicator);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(fresh->communicator, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_attr(communicator, key, fresh.get());
  if (code == MPI_SUCCESS) *duplicate = fresh.release();
  return code;
}

vtemper_status require_mpi() {
  int yes = 0;
  MPI_Initialized(&yes);
  if (!yes) {
    return failed(
        VTEMPER_ERROR_STATE,
        "MPI is not initialised: call MPI_Init_thread before, or vtemper_mpi_world where nothing else does");
  }
  MPI_Finalized(&yes);
  return yes ? failed(VTEMPER_ERROR_STATE, "MPI was finalised, so no rank can be reached any more") : VTEMPER_OK;
}

// MPI reports an invalid communicator to the error handler of MPI_COMM_WORLD (since MPI 4 of MPI_COMM_SELF), which
// usually ends the process, so both return errors during the check.
bool is_communicator(MPI_Comm communicator) {
  const MPI_Comm told[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
  MPI_Errhandler before[2];
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_get_errhandler(told[i], &before[i]);
    MPI_Comm_set_errhandler(told[i], MPI_ERRORS_RETURN);
  }
  int between_two = 0;
  const bool valid = MPI_Comm_test_inter(communicator, &between_two) == MPI_SUCCESS;
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_set_errhandler(told[i], before[i]);
    MPI_Errhandler_free(&before[i]);
  }
  return valid;
}

// ---- Functions called by libvtemper ----

// After MPI_Finalize, any other call of MPI would end the process.
bool mpi_is_over() {
  int over = 0;
  MPI_Finalized(&over);
  return over != 0;
}

int reduce(void* values, int64_t count, vtemper_element type, vtemper_reduction how, void* user) {
  return mpi_is_over() || static_cast<Ranks*>(user)->reduce(values, count, type, how) != MPI_SUCCESS;
}

int exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes, void* user) {
  return mpi_is_over() || static_cast<Ranks*>(user)->exchange(out, out_bytes, in, in_bytes) != MPI_SUCCESS;
}

void release(void* user) {
  delete static_cast<Ranks*>(user);
}

}  // namespace

vtemper_status ranks_of(MPI_Comm communicator, std::unique_ptr<Ranks>* ranks) noexcept {
  vtemper_status status = require_mpi();
  if (status != VTEMPER_OK) return status;
  if (communicator == MPI_COMM_NULL)
    return failed(
        VTEMPER_ERROR_ARGUMENT,
        "argument comm is MPI_COMM_NULL or the number of no communicator; it must be a communicator of this rank");
  int between_two = 0, rank = 0, count = 0;
  int code = MPI_Comm_test_inter(communicator, &between_two);
  if (code == MPI_SUCCESS && between_two) {
    return failed(VTEMPER_ERROR_ARGUMENT, "argument comm joins two groups (an intercommunicator); merge them first");
  }
  return tried([&] {
    Duplicate* own = nullptr;
    if (code == MPI_SUCCESS) code = duplicate_of(communicator, &own);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(own->communicator, &rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(own->communicator, &count);
    if (code != MPI_SUCCESS) return failed_by_mpi(VTEMPER_ERROR_STATE, "argument comm cannot be duplicated", code);
    *ranks = std::make_unique<Ranks>(own->communicator, rank, count);
    return VTEMPER_OK;
  });
}

MPI_Comm communicator_of(int32_t fortran_comm) noexcept {
  if (require_mpi() != VTEMPER_OK) return MPI_COMM_NULL;
  const MPI_Comm communicator = MPI_Comm_f2c(fortran_comm);
  return is_communicator(communicator) ? communicator : MPI_COMM_NULL;
}

vtemper_status group_of(MPI_Comm communicator, std::unique_ptr<Ranks> ranks, vtemper_group** group) noexcept {
  Duplicate* duplicate = nullptr;
  const int code = duplicate_of(communicator, &duplicate);  // which ranks_of has made
  if (code != MPI_SUCCESS) return failed_by_mpi(VTEMPER_ERROR_STATE, "argument comm cannot be duplicated", code);
  Ranks* const own = ranks.get();
  vtemper_group *made = nullptr, *handle = nullptr;
  vtemper_status status = VTEMPER_OK;
  if (duplicate->group == nullptr) {
    status = passed_on(vtemper_group_create(own->rank(), own->ranks(), reduce, exchange, release, own, &made));
    if (status == VTEMPER_OK) static_cast<void>(ranks.release());  // now owned by the group
  }
  if (status == VTEMPER_OK) {
    status = passed_on(vtemper_group_share(made != nullptr ? made : duplicate->group, &handle));
  }
  const vtemper_status common = own->agree(status);
  if (common == VTEMPER_OK) {
    if (made != nullptr) duplicate->group = made;
    *group = handle;
  } else {
    vtemper_group_destroy(handle);
    vtemper_group_destroy(made);
  }
  return common;
}

}  // namespace vtemper_mpi

vtemper_status vtemper_mpi_group(MPI_Comm comm, vtemper_group** group) {
  using namespace vtemper_mpi;
  std::unique_ptr<Ranks> ranks;
  vtemper_status status = ranks_of(comm, &ranks);
  if (status != VTEMPER_OK) return status;
  status = ranks->agree(group ? VTEMPER_OK : failed(VTEMPER_ERROR_ARGUMENT, "argument group is NULL"));
  return status == VTEMPER_OK ? group_of(comm, std::move(ranks), group) : status;
}

vtemper_status vtemper_mpi_group_f(int32_t fortran_comm, vtemper_group** group) {
  return vtemper_mpi_group(vtemper_mpi::communicator_of(fortran_comm), group);
}
