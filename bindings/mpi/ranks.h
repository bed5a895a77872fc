#pragma once
// The ranks of a communicator, and the two operations of a group: reduce and exchange.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

#include <vtemper/vtemper.h>

namespace vtemper_mpi {

/// Communicates over a private communicator. Neither reduce nor exchange allocates memory, so neither fails on one
/// rank alone.
class Ranks {
 public:
  /// Reserves memory for messages between `ranks` ranks, of which this one is `rank`. MPI counts the bytes of a
  /// message by an int, so longer messages are sent in pieces.
  Ranks(MPI_Comm own_communicator, int rank, int ranks, int64_t largest_message = int64_t{1} << 30);
  /// Maximum number of bytes reduced at once.
  static constexpr int64_t bytes_of_piece = int64_t{1} << 18;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// As vtemper_reduce: in place, in the order of the ranks. Returns an MPI error code.
  int reduce(void* values, int64_t count, vtemper_element type, vtemper_reduction how);

  /// As vtemper_exchange: consecutive segments, in the order of the ranks. Returns an MPI error code.
  int exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes);

  /// Broadcasts bytes of rank `from`. Returns an MPI error code.
  int broadcast(void* bytes, int64_t count, int from);

  /// The joint status of work that every rank did by itself: OK if it succeeded on all. Otherwise a rank that failed
  /// gets its own status, and the others get PEER with the message of the lowest such rank.
  vtemper_status agree(vtemper_status own);

 private:
  int reduce_piece(char* values, int64_t count, vtemper_element type, vtemper_reduction how);
  /// Waits for the first `count` requests.
  int finish(int count);

  MPI_Comm communicator_;
  int rank_, ranks_;
  int64_t largest_message_;
  bool crowded_;                       // more ranks than processors here: a waiting rank yields its processor
  std::vector<double> room_;           // parts of the current piece received from other ranks
  std::vector<int> counts_, places_;   // sizes and offsets of the segments of a piece, in bytes
  std::vector<int> chunks_, offsets_;  // likewise for received data
  std::vector<MPI_Request> requests_;  // two for every other rank
};

/// The ranks of the user's communicator, over a duplicate that is created once and freed with it. Collective.
/// OK, or ARGUMENT, STATE and MEMORY with a message.
vtemper_status ranks_of(MPI_Comm communicator, std::unique_ptr<Ranks>* ranks) noexcept;

/// The communicator of a Fortran handle; MPI_COMM_NULL for other numbers, and before MPI is initialised.
MPI_Comm communicator_of(int32_t fortran_comm) noexcept;

/// A handle of the communicator's only group, which is freed with it, so that topics divided over the ranks of one
/// corpus can be used with any other corpus of the communicator. Collective: OK on all ranks or on none.
vtemper_status group_of(MPI_Comm communicator, std::unique_ptr<Ranks> ranks, vtemper_group** group) noexcept;

}  // namespace vtemper_mpi
