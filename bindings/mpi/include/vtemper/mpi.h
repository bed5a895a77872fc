/* vtemper over MPI: one fit whose rows are divided over the processes that mpirun started.
 *
 * The interface of libvtemper-mpi, valid C99, C11 and C++17. It makes what libvtemper asks for, a group of ranks, of
 * an MPI communicator; the fit itself is libvtemper's (vtemper_data_spread, vtemper_optimizer_create).
 *
 * Conventions are those of <vtemper/vtemper.h>, and these:
 *   Collective  All functions but vtemper_mpi_share and vtemper_mpi_last_error are called by all ranks of the
 *               communicator, in the same order. Where a rank fails the others fail with PEER and its sentence.
 *   Errors      vtemper_mpi_last_error() gives the calling thread's last failure of this library as a sentence,
 *               also where it began in libvtemper.
 *   Threads     MPI_THREAD_FUNNELED is enough: only the thread that calls libvtemper speaks to MPI.
 *   MPI         Messages go through a duplicate of the communicator, whose error handler is MPI_ERRORS_RETURN; it is
 *               made once for each communicator and freed with it. MPI is begun and ended by vtemper_mpi_world alone.
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

/** The group of the ranks of a communicator.
 *  @param comm   an intracommunicator; may be freed once the group and the data spread over it are gone
 *  @param group  receives the group; vtemper_group_destroy lets go of it at any time, also after MPI_Finalize
 *  Errors: ARGUMENT, STATE (MPI is not initialised, or finalised), MEMORY, PEER. */
VTEMPER_API vtemper_status vtemper_mpi_group(MPI_Comm comm, vtemper_group** group);

/** The same of a communicator's Fortran number, which is an int32_t in every MPI: for languages whose MPI package
 *  gives it (MPI_Comm_c2f; comm.py2f() of mpi4py, mpi.comm.c2f of Rmpi). Errors: as there. */
VTEMPER_API vtemper_status vtemper_mpi_group_f(int32_t fortran_comm, vtemper_group** group);

/** Reads a corpus that is divided over the ranks, and spreads it (vtemper_data_spread). All that are read over one
 *  communicator are spread over the same group: a model whose topics one of them divided (exchange=sharded) scores
 * the others.
 *  @param path    a file that all ranks can read, of which each takes the rows of its share: of a mapped file
 *                 (vtemper_data_write) by vtemper_mpi_share, of text with a row a line its range of bytes
 *                 (vtemper_data_read_part), and nothing else is read; of any other format, and of what is compressed,
 *                 every rank reads the whole and keeps its share, so convert that before (vtemper_data_convert). With
 *                 "%r" in it, one file a rank: that stands for the rank, from 0, and the rows of the corpus are those
 *                 of rank 0, then of rank 1, and so on, with the words of all files (vtemper_mpi_unite)
 *  @param format  as of vtemper_data_read
 *  @param comm    as of vtemper_mpi_group
 *  @param spread  receives the data
 *  Errors: those of the three and of vtemper_mpi_group. */
VTEMPER_API vtemper_status vtemper_mpi_read(const char* path, const char* format, MPI_Comm comm,
                                            vtemper_data** spread);
/** The same of a communicator's Fortran number. */
VTEMPER_API vtemper_status vtemper_mpi_read_f(const char* path, const char* format, int32_t fortran_comm,
                                              vtemper_data** spread);

/** Data with the same columns on all ranks, of counts or sequences whose names differ: the names of rank 0, then
 * those of rank 1 that rank 0 does not have, and so on, whatever rank comes first. Where all ranks have the same
 * names, or one of them has none, the data as they are, without a copy.
 *  @param own     rows of this rank, which are not spread yet (vtemper_data_spread refuses names that differ)
 *  @param comm    as of vtemper_mpi_group
 *  @param united  receives the data
 *  Errors: those of vtemper_mpi_group and vtemper_data_align. */
VTEMPER_API vtemper_status vtemper_mpi_unite(const vtemper_data* own, MPI_Comm comm, vtemper_data** united);

/** The rows that one rank of several takes of data that all of them have, or have mapped: a slice without a copy. The
 *  slices of all ranks follow each other, and are cut so that each has about the same number of entries and rows.
 *  @param whole  the same on all ranks
 *  @param rank   from 0
 *  @param ranks  at least 1
 *  @param share  receives the slice, which may be empty
 *  Needs no MPI; not collective. Errors: ARGUMENT, and those of vtemper_data_slice. */
VTEMPER_API vtemper_status vtemper_mpi_share(const vtemper_data* whole, int32_t rank, int32_t ranks,
                                             vtemper_data** share);

/** MPI for hosts without an MPI package of their own (R, Julia, Python): begins MPI unless somebody has, and gives
 *  the Fortran number of MPI_COMM_WORLD. Called again it gives the same number.
 *
 *  Where this call has begun MPI, the end of the process ends it: exit with status 0 calls MPI_Finalize, which waits
 *  for the other ranks; any other status (an error that nobody caught) calls MPI_Abort with it, so that the other
 *  ranks do not wait for ever for one that is gone. Somebody else may call MPI_Finalize before. A process that was
 *  forked does neither. The library stays loaded until then. MPI cannot be begun twice in a process.
 *  Call it on the main thread. Not collective among ranks that are in MPI already.
 *  @param fortran_comm  receives the number, for vtemper_mpi_group_f and vtemper_mpi_read_f
 *  Errors: ARGUMENT, STATE (MPI was finalised, or cannot be begun). */
VTEMPER_API vtemper_status vtemper_mpi_world(int32_t* fortran_comm);

/** The calling thread's last failure of a function of this library as a sentence; "" before the first. Valid until
 *  the thread's next such failure. */
VTEMPER_API const char* vtemper_mpi_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* VTEMPER_MPI_H */
