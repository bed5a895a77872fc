// One rank's share of data that all ranks have.

#include <string>

#include <vtemper/mpi.h>

#include "failure.h"

namespace vtemper_mpi {
namespace {

// Fixed cost of a row, in entries: digammas, random numbers, its place in a batch.
constexpr int64_t entries_worth_a_row = 8;

// Work of the rows before `row`.
vtemper_status work_before(const vtemper_data* whole, int64_t row, int64_t* work) {
  vtemper_data* slice = nullptr;
  int64_t entries = 0;
  vtemper_status status = vtemper_data_slice(whole, 0, row, &slice);
  if (status == VTEMPER_OK) status = vtemper_data_entries(slice, &entries);
  vtemper_data_destroy(slice);
  *work = entries + entries_worth_a_row * row;
  return status;
}

// The first row of the share `rank`: the first one before which at least rank / ranks of the work is.
vtemper_status begin_of(const vtemper_data* whole, int32_t rank, int32_t ranks, int64_t rows, int64_t* begin) {
  int64_t all = 0, work = 0;
  vtemper_status status = work_before(whole, rows, &all);
  const double wanted = static_cast<double>(all) * rank / ranks;
  int64_t low = 0, high = rank == ranks ? 0 : rows;
  if (rank == ranks) low = rows;
  while (status == VTEMPER_OK && low < high) {
    const int64_t middle = low + (high - low) / 2;
    status = work_before(whole, middle, &work);
    if (static_cast<double>(work) >= wanted) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  *begin = low;
  return status;
}

}  // namespace
}  // namespace vtemper_mpi

vtemper_status vtemper_mpi_share(const vtemper_data* whole, int32_t rank, int32_t ranks, vtemper_data** share) {
  using namespace vtemper_mpi;
  if (!share) return failed(VTEMPER_ERROR_ARGUMENT, "argument share is NULL");
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    return tried([&] {
      return failed(VTEMPER_ERROR_ARGUMENT, "argument rank is " + std::to_string(rank) + " of " +
                                                std::to_string(ranks) +
                                                "; ranks are counted from 0, and there must be at least one");
    });
  }
  int64_t rows = 0, begin = 0, end = 0;
  vtemper_status status = vtemper_data_rows(whole, &rows);
  if (status == VTEMPER_OK) status = begin_of(whole, rank, ranks, rows, &begin);
  if (status == VTEMPER_OK) status = begin_of(whole, rank + 1, ranks, rows, &end);
  if (status == VTEMPER_OK) status = vtemper_data_slice(whole, begin, end - begin, share);
  return passed_on(status);
}
