#pragma once
// The ranks of a communicator, and the two things that a group of them does: reduce and exchange.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include <vtemper/vtemper.h>

namespace vtemper_mpi {

/// Talks over a communicator of our own. Neither reduce nor exchange allocates, so neither fails on one rank alone.
class Ranks {
 public:
  /// Room for messages between `ranks` ranks, of which this one is `rank`. MPI counts bytes of a message by an int,
  /// so longer ones go in pieces.
  Ranks(MPI_Comm own_communicator, int rank, int ranks, int64_t largest_message = int64_t{1} << 30);
  /// Bytes of an array that is reduced at once.
  static constexpr int64_t bytes_of_piece = int64_t{1} << 18;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// As vtemper_reduce: in place, in the order of the ranks. An MPI error code.
  int reduce(void* values, int64_t count, vtemper_element type, vtemper_reduction how);

  /// As vtemper_exchange: segments one behind the other, in the order of the ranks. An MPI error code.
  int exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes);

  /// Bytes of rank `from`, which all ranks have then. An MPI error code.
  int broadcast(void* bytes, int64_t count, int from);

  /// What came of something that every rank did by itself: OK where it was on all. Where it was not, the rank that
  /// failed has its own status, and the others have PEER with the message of the lowest such rank.
  vtemper_status agree(vtemper_status own);

 private:
  int reduce_piece(char* values, int64_t count, vtemper_element type, vtemper_reduction how);
  /// Waits for the first `count` requests.
  int finish(int count);

  MPI_Comm communicator_;
  int rank_, ranks_;
  int64_t largest_message_;
  bool crowded_;                       // more ranks than processors here: one that waits leaves its own to others
  std::vector<double> room_;           // what the others send of a piece that is reduced
  std::vector<int> counts_, places_;   // of the segments of such a piece, in bytes
  std::vector<int> chunks_, offsets_;  // of what comes in
  std::vector<MPI_Request> requests_;  // two for every other rank
};

/// The ranks of a communicator of the user's, over a duplicate that is made once and freed with it. Collective.
/// OK, or ARGUMENT, STATE and MEMORY with a message.
vtemper_status ranks_of(MPI_Comm communicator, std::unique_ptr<Ranks>* ranks) noexcept;

/// The communicator of a Fortran number; MPI_COMM_NULL before MPI is initialised, where there are none.
MPI_Comm communicator_of(int32_t fortran_comm) noexcept;

/// A handle of the communicator's one group, which goes with it: topics that are divided over the ranks of one corpus
/// are divided over those of all. Collective: OK on all ranks or on none.
vtemper_status group_of(MPI_Comm communicator, std::unique_ptr<Ranks> ranks, vtemper_group** group) noexcept;

}  // namespace vtemper_mpi
