/* vtemper over MPI: one fit whose rows are divided over the processes started by mpirun.
 *
 * The interface of libvtemper-mpi, valid C99, C11 and C++17. It makes an MPI communicator into the group of ranks
 * that libvtemper needs; the fit itself is libvtemper's (vtemper_data_spread, vtemper_optimizer_create).
 *
 * The conventions of <vtemper/vtemper.h> hold, and these:
 *   Collective  All functions but vtemper_mpi_share and vtemper_mpi_last_error are called by all ranks of the
 *               communicator, in the same order. Where a rank fails, the others fail with PEER and its message.
 *   Errors      vtemper_mpi_last_error() gives the calling thread's last failure in this library as a message,
 *               also if libvtemper caused it.
 *   Threads     MPI_THREAD_FUNNELED is enough: only the thread that calls libvtemper calls MPI.
 *   MPI         Messages go through a duplicate of the communicator, whose error handler is MPI_ERRORS_RETURN; it is
 *               made once for each communicator and freed with it. Only vtemper_mpi_world initialises and finalises
 *               MPI.
 *   Bits        The same number of ranks gives the same bits: sums are taken in the order of the ranks, whatever
 *               machines they are on.
 */
#ifndef VTEMPER_MPI_H
#define VTEMPER_MPI_H

#include <mpi.h>

#include <vtemper/vtemper.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The group of the ranks of a communicator: further calls give further handles of the same one, which is also that
 * of vtemper_mpi_read. A model whose topics were divided in a fit to one corpus (exchange=sharded) can score all
 * others that are spread over it. After the loss of a rank it stays lost; a duplicate of the communicator has a group
 * of its own.
 *  @param comm   an intracommunicator; may be freed once the group and the data spread over it are destroyed
 *  @param group  receives the handle; vtemper_group_destroy may be called at any time, even after MPI_Finalize
 *  Errors: ARGUMENT, STATE (MPI is not initialised, was finalised, or cannot duplicate the communicator), MEMORY,
 * PEER. */
VTEMPER_API vtemper_status vtemper_mpi_group(MPI_Comm comm, vtemper_group** group);

/** The same for a communicator's Fortran handle, an int32_t in every MPI, which MPI packages of other languages give
 *  (MPI_Comm_c2f; comm.py2f() of mpi4py, mpi.comm.c2f of Rmpi). To refuse other numbers it sets the error handlers of
 *  MPI_COMM_WORLD and MPI_COMM_SELF for the duration of one call of MPI. Errors: as there. */
VTEMPER_API vtemper_status vtemper_mpi_group_f(int32_t fortran_comm, vtemper_group** group);

/** Reads a corpus, each rank a share of it, and spreads it (vtemper_data_spread) over the communicator's group
 *  (vtemper_mpi_group).
 *  @param path    a file that all ranks can read, or copies of it that have the same size. Of a mapped file
 *                 (vtemper_data_write) each rank reads only its vtemper_mpi_share, of text with one row per line only
 *                 its range of bytes (vtemper_data_read_part). Other formats and compressed files are read whole by
 *                 every rank, which keeps its share: convert them first (vtemper_data_convert), as well as what
 *                 comes from a pipe. A path with "%r", which stands for the rank, from 0, means one file per rank:
 *                 the rows of the corpus are those of rank 0, then those of rank 1, and so on, with the words of all
 *                 files (vtemper_mpi_unite)
 *  @param format  as for vtemper_data_read
 *  @param comm    as for vtemper_mpi_group
 *  @param spread  receives the data
 *  Errors: those of these functions and of vtemper_mpi_group; DATA (the ranks' copies have other sizes, rows, columns
 *  or entries), UNSUPPORTED (a pipe for several ranks). */
VTEMPER_API vtemper_status vtemper_mpi_read(const char* path, const char* format, MPI_Comm comm,
                                            vtemper_data** spread);
/** The same for a communicator's Fortran handle. */
VTEMPER_API vtemper_status vtemper_mpi_read_f(const char* path, const char* format, int32_t fortran_comm,
                                              vtemper_data** spread);

/** Gives counts or sequences whose names differ the same columns on all ranks: the names of rank 0, then those of
 * rank 1 that rank 0 does not have, and so on, whichever rank calls first. Where all ranks have the same names, or
 * one of them has none, the data are left as they are, without a copy.
 *  @param own     rows of this rank, not spread yet (vtemper_data_spread refuses names that differ)
 *  @param comm    as for vtemper_mpi_group
 *  @param united  receives the data
 *  Errors: those of vtemper_mpi_group and vtemper_data_align. */
VTEMPER_API vtemper_status vtemper_mpi_unite(const vtemper_data* own, MPI_Comm comm, vtemper_data** united);

/** One rank's share of data that all ranks have in memory or mapped: a slice, without a copy. The slices of all ranks
 *  follow one another and have about the same number of entries and rows each.
 *  @param whole  the same on all ranks
 *  @param rank   from 0
 *  @param ranks  at least 1
 *  @param share  receives the slice, which may be empty
 *  Needs no MPI; not collective. Errors: ARGUMENT, and those of vtemper_data_slice. */
VTEMPER_API vtemper_status vtemper_mpi_share(const vtemper_data* whole, int32_t rank, int32_t ranks,
                                             vtemper_data** share);

/** MPI for hosts without an MPI package of their own (R, Julia, Python): initialises MPI if that has not been done,
 *  and gives the Fortran handle of MPI_COMM_WORLD. Further calls give the same handle.
 *
 *  If this call initialised MPI, the exit of the process ends it: exit status 0 calls MPI_Finalize, which waits for
 * the other ranks; any other status (an uncaught error) calls MPI_Abort with that status, so that the other ranks do
 * not wait for ever. Other code may call MPI_Finalize earlier. A forked process does neither. The library stays
 * loaded until then. MPI cannot be initialised twice in a process. Call it on the main thread. Not collective among
 * ranks where MPI is initialised already.
 *  @param fortran_comm  receives the handle, for vtemper_mpi_group_f and vtemper_mpi_read_f
 *  Errors: ARGUMENT, STATE (MPI was finalised, or cannot be initialised). */
VTEMPER_API vtemper_status vtemper_mpi_world(int32_t* fortran_comm);

/** The calling thread's last failure in this library as a message; "" before the first. Valid until the thread's
 * next failure in it. */
VTEMPER_API const char* vtemper_mpi_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* VTEMPER_MPI_H */
