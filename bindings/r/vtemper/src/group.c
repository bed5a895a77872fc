/* Groups of ranks under mpirun: libvtemper-mpi, opened when it is first needed, so that the package needs no MPI. */

#define _GNU_SOURCE /* dladdr */

#include "vtemper_r.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entries.h"

static const char soname[] = "libvtemper-mpi.so.0";

/* The functions of <vtemper/mpi.h> that need no <mpi.h>. */
static struct {
  void* opened;
  vtemper_status (*world)(int32_t* fortran_comm);
  vtemper_status (*group_f)(int32_t fortran_comm, vtemper_group** group);
  vtemper_status (*read_f)(const char* path, const char* format, int32_t fortran_comm, vtemper_data** spread);
  const char* (*last_error)(void);
} mpi;

static void destroy_group(void* address) {
  vtemper_group_destroy(address);
}

const HandleClass group_class = {"vtemper_group", destroy_group, NULL};

/* The file that contains the library: libvtemper.so.0, or this package if the library was built into it. Groups of
 * libvtemper-mpi belong to the former. */
static const char* file_of_library(void) {
  Dl_info place;
  if (dladdr((void*)(uintptr_t)&vtemper_version, &place) == 0 || place.dli_fname == NULL) return "";
  if (strstr(place.dli_fname, "libvtemper.so") == NULL) {
    fail_as(VTEMPER_ERROR_UNSUPPORTED,
            "this package was built with the library inside, which MPI does not reach: install libvtemper and "
            "libvtemper-mpi, and the package again");
  }
  return place.dli_fname;
}

/* The file that the environment variable names, otherwise the one beside libvtemper, otherwise what the loader finds.
 */
static void* open_library(void) {
  char path[4096];
  const char* named = getenv("VTEMPER_MPI_LIBRARY");
  if (named && *named) return dlopen(named, RTLD_NOW);
  const char* file = file_of_library();
  const char* slash = strrchr(file, '/');
  const int folder = slash ? (int)(slash - file) + 1 : 0;
  void* opened = NULL;
  if (snprintf(path, sizeof path, "%.*s%s", folder, file, soname) < (int)sizeof path) opened = dlopen(path, RTLD_NOW);
  return opened ? opened : dlopen(soname, RTLD_NOW);
}

static void* function_of(void* opened, const char* name) {
  void* address = dlsym(opened, name);
  if (address == NULL) fail_as(VTEMPER_ERROR_STATE, "libvtemper-mpi is of another version than this package");
  return address;
}

static void open_mpi(void) {
  if (mpi.opened) return;
  void* opened = open_library();
  if (!opened) {
    char message[1024];
    snprintf(message, sizeof message,
             "libvtemper-mpi cannot be loaded (%s): install it (Debian: libvtemper-mpi0), or let the environment "
             "variable VTEMPER_MPI_LIBRARY name its file",
             dlerror());
    fail_as(VTEMPER_ERROR_STATE, message);
  }
  *(void**)&mpi.world = function_of(opened, "vtemper_mpi_world");
  *(void**)&mpi.group_f = function_of(opened, "vtemper_mpi_group_f");
  *(void**)&mpi.read_f = function_of(opened, "vtemper_mpi_read_f");
  *(void**)&mpi.last_error = function_of(opened, "vtemper_mpi_last_error");
  mpi.opened = opened;
}

static void check_mpi(vtemper_status status) {
  if (status == VTEMPER_OK) return;
  char message[2048];
  snprintf(message, sizeof message, "%s", mpi.last_error());
  fail_as(status, message);
}

/* A list: handle, comm (its Fortran number), rank, ranks. `comm` NULL: all ranks. */
SEXP vt_group_open(SEXP comm) {
  open_mpi();
  int32_t number = 0, rank = 0, ranks = 0;
  if (Rf_isNull(comm)) {
    check_mpi(mpi.world(&number));
  } else {
    number = Rf_asInteger(comm);
  }
  static const char* const names[] = {"handle", "comm", "rank", "ranks"};
  SEXP list = PROTECT(named_list(4, names));
  SEXP pointer = new_pointer(&group_class, R_NilValue);
  SET_VECTOR_ELT(list, 0, pointer);
  vtemper_group* group = NULL;
  check_mpi(mpi.group_f(number, &group));
  set_address(pointer, group);
  check(vtemper_group_rank(group, &rank, &ranks));
  SET_VECTOR_ELT(list, 1, Rf_ScalarInteger(number));
  SET_VECTOR_ELT(list, 2, Rf_ScalarInteger(rank));
  SET_VECTOR_ELT(list, 3, Rf_ScalarInteger(ranks));
  UNPROTECT(1);
  return list;
}

/* Rows provided by every rank. */
SEXP vt_data_spread(SEXP handle, SEXP group) {
  SEXP pointer = PROTECT(new_pointer(&data_class, pointer_of(handle)));
  vtemper_data* spread = NULL;
  check(vtemper_data_spread(data_of(handle), address_of(group, &group_class), &spread));
  set_address(pointer, spread);
  UNPROTECT(1);
  return pointer;
}

/* A file that the ranks divide. */
SEXP vt_data_read_spread(SEXP path, SEXP format, SEXP comm) {
  open_mpi();
  SEXP pointer = PROTECT(new_pointer(&data_class, R_NilValue));
  vtemper_data* spread = NULL;
  check_mpi(mpi.read_f(path_of(path, "path"), text_of(format, "format"), Rf_asInteger(comm), &spread));
  set_address(pointer, spread);
  UNPROTECT(1);
  return pointer;
}
