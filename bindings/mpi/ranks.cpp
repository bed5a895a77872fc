#include "ranks.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <vtemper/mpi.h>

#include "failure.h"

namespace vtemper_mpi {
namespace {

// Arrays up to this size are sent whole to all ranks; of larger ones each rank reduces a segment.
constexpr int64_t bytes_of_small = 4096;

int64_t size_of(vtemper_element type) {
  return type == VTEMPER_INT32 || type == VTEMPER_FLOAT ? 4 : 8;
}

template <class Number>
Number sum_of(Number a, Number b) {
  return a + b;
}
// Integers wrap around: signed overflow would be undefined behaviour.
template <>
int32_t sum_of(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
template <>
int64_t sum_of(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// All three propagate NaN.
template <class Number>
void combine(Number* values, const Number* others, int64_t count, vtemper_reduction how) {
  if (how == VTEMPER_SUM) {
    for (int64_t i = 0; i < count; ++i) values[i] = sum_of(values[i], others[i]);
  } else if (how == VTEMPER_MIN) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = others[i] < values[i] || others[i] != others[i] ? others[i] : values[i];
  } else {
    for (int64_t i = 0; i < count; ++i)
      values[i] = others[i] > values[i] || others[i] != others[i] ? others[i] : values[i];
  }
}

void combine(void* values, const void* others, int64_t count, vtemper_element type, vtemper_reduction how) {
  switch (type) {
    case VTEMPER_INT32:
      return combine(static_cast<int32_t*>(values), static_cast<const int32_t*>(others), count, how);
    case VTEMPER_INT64:
      return combine(static_cast<int64_t*>(values), static_cast<const int64_t*>(others), count, how);
    case VTEMPER_FLOAT:
      return combine(static_cast<float*>(values), static_cast<const float*>(others), count, how);
    case VTEMPER_DOUBLE:
      return combine(static_cast<double*>(values), static_cast<const double*>(others), count, how);
  }
}

// Whether this machine has fewer processors than ranks; a rank that is bound to a processor has one for itself.
bool has_too_few_processors(MPI_Comm communicator) {
  MPI_Comm here = MPI_COMM_NULL;
  if (MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) != MPI_SUCCESS) return false;
  int ranks_here = 1;
  cpu_set_t processors;
  CPU_ZERO(&processors);
  sched_getaffinity(0, sizeof processors, &processors);  // if it fails: none
  MPI_Comm_size(here, &ranks_here);
  const int code = MPI_Allreduce(MPI_IN_PLACE, &processors, sizeof processors, MPI_BYTE, MPI_BOR, here);
  MPI_Comm_free(&here);
  return code == MPI_SUCCESS && CPU_COUNT(&processors) > 0 && CPU_COUNT(&processors) < ranks_here;
}

}  // namespace

Ranks::Ranks(MPI_Comm own_communicator, int rank, int ranks, int64_t largest_message)
    : communicator_(own_communicator),
      rank_(rank),
      ranks_(ranks),
      largest_message_(largest_message),
      crowded_(has_too_few_processors(own_communicator)),
      // For every rank a segment of a piece, rounded up, or a small array.
      room_(static_cast<size_t>(bytes_of_piece / 8 + ranks * (bytes_of_small / 8 + 1))),
      counts_(static_cast<size_t>(ranks)),
      places_(static_cast<size_t>(ranks)),
      chunks_(static_cast<size_t>(ranks)),
      offsets_(static_cast<size_t>(ranks)),
      requests_(2 * static_cast<size_t>(ranks), MPI_REQUEST_NULL) {}

int Ranks::reduce(void* values, int64_t count, vtemper_element type, vtemper_reduction how) {
  if (ranks_ == 1) return MPI_SUCCESS;
  const int64_t size = size_of(type), piece = bytes_of_piece / size;
  for (int64_t first = 0; first < count; first += piece) {
    const int code =
        reduce_piece(static_cast<char*>(values) + first * size, std::min(piece, count - first), type, how);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

// Not MPI_Allreduce, whose order of additions may depend on the placement of the ranks.
int Ranks::reduce_piece(char* values, int64_t count, vtemper_element type, vtemper_reduction how) {
  const int64_t size = size_of(type);
  char* room = reinterpret_cast<char*>(room_.data());
  if (count * size <= bytes_of_small) {
    const int bytes = static_cast<int>(count * size);
    int code = MPI_Iallgather(values, bytes, MPI_BYTE, room, bytes, MPI_BYTE, communicator_, requests_.data());
    if (code == MPI_SUCCESS) code = finish(1);
    if (code != MPI_SUCCESS) return code;
    std::memcpy(values, room, static_cast<size_t>(bytes));
    for (int rank = 1; rank < ranks_; ++rank) combine(values, room + int64_t{rank} * bytes, count, type, how);
    return MPI_SUCCESS;
  }
  // Segment r of the piece is sent to rank r, which returns its reduction.
  const auto begin_of = [&](int rank) { return count * rank / ranks_; };
  const int64_t own_begin = begin_of(rank_), own_count = begin_of(rank_ + 1) - own_begin;
  for (int rank = 0; rank < ranks_; ++rank) {
    const auto at = static_cast<size_t>(rank);
    counts_[at] = static_cast<int>((begin_of(rank + 1) - begin_of(rank)) * size);
    places_[at] = static_cast<int>(begin_of(rank) * size);
    chunks_[at] = static_cast<int>(own_count * size);
    offsets_[at] = static_cast<int>(rank * own_count * size);
  }
  int code = MPI_Ialltoallv(values, counts_.data(), places_.data(), MPI_BYTE, room, chunks_.data(), offsets_.data(),
                            MPI_BYTE, communicator_, requests_.data());
  if (code == MPI_SUCCESS) code = finish(1);
  if (code != MPI_SUCCESS) return code;
  for (int rank = 1; rank < ranks_; ++rank) {
    combine(room, room + offsets_[static_cast<size_t>(rank)], own_count, type, how);
  }
  code = MPI_Iallgatherv(room, static_cast<int>(own_count * size), MPI_BYTE, values, counts_.data(), places_.data(),
                         MPI_BYTE, communicator_, requests_.data());
  return code == MPI_SUCCESS ? finish(1) : code;
}

// A rank that waits within MPI occupies its processor (with MPICH until the system preempts it), possibly that of the
// very rank it waits for. If there are too few processors, it polls instead: first at once, then, while the others
// have not arrived, after pauses that lengthen its wait by at most a tenth.
int Ranks::finish(int count) {
  if (!crowded_) return MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds longest_rest = std::chrono::microseconds(100);
  const auto begin = Clock::now();
  for (;;) {
    int done = 0;
    const int code = MPI_Testall(count, requests_.data(), &done, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS || done) return code;
    const auto waited = Clock::now() - begin;
    if (waited < longest_rest) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(std::min<Clock::duration>(waited / 10, longest_rest));
    }
  }
}

int Ranks::exchange(const void* out, const int64_t* out_bytes, void* in, const int64_t* in_bytes) {
  const auto* from = static_cast<const char*>(out);
  auto* to = static_cast<char*>(in);
  int64_t most = 0, out_place = 0, in_place = 0, own_out = 0, own_in = 0;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank == rank_) {
      own_out = out_place;
      own_in = in_place;
    } else {
      most = std::max({most, out_bytes[rank], in_bytes[rank]});
    }
    out_place += out_bytes[rank];
    in_place += in_bytes[rank];
  }
  // In rounds of one message to and from each other rank; both ranks of a pair know the number of their rounds.
  for (int64_t done = 0; done < most; done += largest_message_) {
    int pending = 0;
    const auto message = [&](int64_t bytes) {
      return static_cast<int>(std::clamp<int64_t>(bytes - done, 0, largest_message_));
    };
    int64_t place = 0;
    for (int rank = 0; rank < ranks_; place += in_bytes[rank], ++rank) {
      const int bytes = message(in_bytes[rank]);
      if (rank == rank_ || bytes == 0) continue;
      const int code = MPI_Irecv(to + place + done, bytes, MPI_BYTE, rank, 0, communicator_,
                                 &requests_[static_cast<size_t>(pending++)]);
      if (code != MPI_SUCCESS) return code;
    }
    place = 0;
    for (int rank = 0; rank < ranks_; place += out_bytes[rank], ++rank) {
      const int bytes = message(out_bytes[rank]);
      if (rank == rank_ || bytes == 0) continue;
      const int code = MPI_Isend(from + place + done, bytes, MPI_BYTE, rank, 0, communicator_,
                                 &requests_[static_cast<size_t>(pending++)]);
      if (code != MPI_SUCCESS) return code;
    }
    const int code = finish(pending);
    if (code != MPI_SUCCESS) return code;
  }
  if (out_bytes[rank_] > 0) std::memcpy(to + own_in, from + own_out, static_cast<size_t>(out_bytes[rank_]));
  return MPI_SUCCESS;
}

int Ranks::broadcast(void* bytes, int64_t count, int from) {
  for (int64_t first = 0; first < count; first += largest_message_) {
    const auto message = static_cast<int>(std::min(largest_message_, count - first));
    int code =
        MPI_Ibcast(static_cast<char*>(bytes) + first, message, MPI_BYTE, from, communicator_, requests_.data());
    if (code == MPI_SUCCESS) code = finish(1);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

vtemper_status Ranks::agree(vtemper_status own) {
  int32_t first = own == VTEMPER_OK ? ranks_ : rank_;
  int code = reduce(&first, 1, VTEMPER_INT32, VTEMPER_MIN);
  if (code == MPI_SUCCESS && first == ranks_) return VTEMPER_OK;
  char message[2048] = "";
  if (code == MPI_SUCCESS) {
    if (first == rank_) std::strncpy(message, vtemper_mpi_last_error(), sizeof message - 1);
    code = MPI_Bcast(message, sizeof message, MPI_BYTE, first, communicator_);
  }
  if (own != VTEMPER_OK) return own;
  if (code != MPI_SUCCESS) return failed_by_mpi(VTEMPER_ERROR_PEER, "a rank is lost", code);
  return tried([&] { return failed(VTEMPER_ERROR_PEER, "rank " + std::to_string(first) + ": " + message); });
}

}  // namespace vtemper_mpi
