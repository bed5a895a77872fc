// mpirun -n N ranks_check: the group functions of libvtemper-mpi, against plain sums and copies in one process.
// Compiled with bindings/mpi/*.cpp by the test.

#include <mpi.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <vtemper/mpi.h>

#include "failure.h"
#include "ranks.h"

using vtemper_mpi::Ranks;

namespace {

int own = 0, all = 0, failures = 0;

void expect(bool good, const char* what, int64_t detail) {
  if (good) return;
  ++failures;
  std::printf("rank %d of %d: %s (%lld)\n", own, all, what, static_cast<long long>(detail));
}

/// An element of a rank's array, which every rank can compute.
double drawn(int rank, int64_t i, int64_t length) {
  uint64_t state =
      static_cast<uint64_t>(rank) * 1000003 + static_cast<uint64_t>(i) * 7919 + static_cast<uint64_t>(length);
  state = (state ^ (state >> 31)) * 0x9E3779B97F4A7C15u;
  state = (state ^ (state >> 27)) * 0xBF58476D1CE4E5B9u;
  return static_cast<double>(state >> 40) / 65536.0 - 97.3;
}

template <class Number>
Number plain(Number a, Number b, vtemper_reduction how) {
  if (how == VTEMPER_SUM) return static_cast<Number>(a + b);
  return how == VTEMPER_MIN ? (b < a ? b : a) : (b > a ? b : a);
}

/// The result is bit for bit that of adding the ranks' arrays one after the other.
template <class Number>
void check_reduce(Ranks& ranks, vtemper_element type) {
  for (const vtemper_reduction how : {VTEMPER_SUM, VTEMPER_MIN, VTEMPER_MAX}) {
    for (const int64_t length : {0, 1, 3, 511, 512, 513, 1025, 4099, 70001}) {
      std::vector<Number> values(static_cast<size_t>(length)), wanted(static_cast<size_t>(length));
      for (int64_t i = 0; i < length; ++i) {
        const auto at = static_cast<size_t>(i);
        values[at] = static_cast<Number>(drawn(own, i, length));
        wanted[at] = static_cast<Number>(drawn(0, i, length));
        for (int rank = 1; rank < all; ++rank) {
          wanted[at] = plain(wanted[at], static_cast<Number>(drawn(rank, i, length)), how);
        }
      }
      expect(ranks.reduce(values.data(), length, type, how) == MPI_SUCCESS, "reduce fails", length);
      expect(length == 0 || std::memcmp(values.data(), wanted.data(), values.size() * sizeof(Number)) == 0,
             "reduce gives other bits", length);
    }
  }
}

int64_t bytes_between(int from, int to, int64_t scale) {
  return (from * 7 + to * 3) % 5 * scale + (from + to) % 2;
}

char byte_of(int from, int to, int64_t i) {
  return static_cast<char>(from * 31 + to * 17 + i * 7 + i / 251);
}

/// Every byte of every pair arrives at its place, also in many rounds.
void check_exchange(Ranks& ranks, int64_t scale) {
  const auto count = static_cast<size_t>(all);
  std::vector<int64_t> out_bytes(count), in_bytes(count);
  std::vector<char> out, wanted;
  for (int rank = 0; rank < all; ++rank) {
    out_bytes[static_cast<size_t>(rank)] = bytes_between(own, rank, scale);
    in_bytes[static_cast<size_t>(rank)] = bytes_between(rank, own, scale);
    for (int64_t i = 0; i < bytes_between(own, rank, scale); ++i) out.push_back(byte_of(own, rank, i));
    for (int64_t i = 0; i < bytes_between(rank, own, scale); ++i) wanted.push_back(byte_of(rank, own, i));
  }
  std::vector<char> in(wanted.size());
  expect(ranks.exchange(out.data(), out_bytes.data(), in.data(), in_bytes.data()) == MPI_SUCCESS, "exchange fails",
         scale);
  expect(in == wanted, "exchange gives other bytes", scale);
}

/// Six words in five rows of a rank.
vtemper_data* rows_of_rank() {
  const int64_t offsets[] = {0, 2, 4, 6, 8, 10};
  const int32_t indices[] = {0, 3, 1, 4, 2, 5, 0, 5, 1, 3};
  const double values[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 4};
  vtemper_data* data = nullptr;
  vtemper_data_from_counts(VTEMPER_BY_ROWS, 5, 6, offsets, VTEMPER_INT64, indices, VTEMPER_INT32, values,
                           VTEMPER_DOUBLE, 0, VTEMPER_COPY, nullptr, nullptr, &data);
  return data;
}

/// Topics that are divided over the ranks of a file score what is spread over a group of the same communicator, by
/// either of its handles.
void check_one_group() {
  vtemper_data *rows = rows_of_rank(), *read = nullptr;
  const std::string path = "rows.";
  expect(vtemper_data_write(rows, (path + std::to_string(own)).c_str()) == VTEMPER_OK, vtemper_last_error(), 0);
  expect(vtemper_mpi_read("rows.%r", nullptr, MPI_COMM_WORLD, &read) == VTEMPER_OK, vtemper_mpi_last_error(), 0);
  vtemper_options *of_model = nullptr, *of_run = nullptr;
  vtemper_options_create(&of_model);
  vtemper_options_create(&of_run);
  vtemper_options_set(of_model, "topics", "3");
  vtemper_options_set(of_run, "exchange", "sharded");
  vtemper_options_set(of_run, "max_iterations", "4");
  vtemper_model* model = nullptr;
  vtemper_optimizer* run = nullptr;
  expect(vtemper_model_create("lda", of_model, &model) == VTEMPER_OK, vtemper_last_error(), 0);
  expect(vtemper_optimizer_create(model, read, of_run, &run) == VTEMPER_OK, vtemper_last_error(), 0);
  expect(vtemper_optimizer_run(run, nullptr) == VTEMPER_OK, vtemper_last_error(), 0);
  double wanted = 0;
  expect(vtemper_model_evaluate(model, read, nullptr, "elbo", nullptr, &wanted) == VTEMPER_OK, vtemper_last_error(),
         0);
  for (int handle = 0; handle < 2; ++handle) {
    vtemper_group* group = nullptr;
    vtemper_data* spread = nullptr;
    expect(vtemper_mpi_group(MPI_COMM_WORLD, &group) == VTEMPER_OK, vtemper_mpi_last_error(), handle);
    expect(vtemper_data_spread(rows, group, &spread) == VTEMPER_OK, vtemper_last_error(), handle);
    double score = 0;
    expect(vtemper_model_evaluate(model, spread, nullptr, "elbo", nullptr, &score) == VTEMPER_OK,
           vtemper_last_error(), handle);
    expect(score == wanted, "the same rows have another score", handle);
    vtemper_data_destroy(spread);
    vtemper_group_destroy(group);
  }
  vtemper_optimizer_destroy(run);
  vtemper_model_destroy(model);
  vtemper_options_destroy(of_model);
  vtemper_options_destroy(of_run);
  vtemper_data_destroy(read);
  vtemper_data_destroy(rows);
}

void write_text(const std::string& path, const char* text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  expect(file != nullptr && std::fputs(text, file) >= 0 && std::fclose(file) == 0, "a file cannot be written", 0);
}

/// Different files under the path of each rank, and pipes, are refused on all ranks; the message has both numbers.
void check_files() {
  const bool is_last = own == all - 1;
  const std::string name = "file." + std::to_string(own);
  const auto refuse = [&](vtemper_status wanted, const char* words) {
    vtemper_data* data = nullptr;
    const vtemper_status got = vtemper_mpi_read(name.c_str(), nullptr, MPI_COMM_WORLD, &data);
    expect(all == 1 || got == wanted, "a file that should be refused has the status", got);
    expect(all == 1 || std::strstr(vtemper_mpi_last_error(), words) != nullptr, vtemper_mpi_last_error(), got);
    vtemper_data_destroy(data);
  };
  write_text(name, is_last ? "1 0:1\n" : "1 0:1\n1 1:1\n");
  refuse(VTEMPER_ERROR_DATA, "has 12 bytes on rank 0 and 6 on rank ");
  write_text(name, is_last ? "3\n3\n2\n1 1 1\n2 2 1\n" : "2\n3\n2\n1 1 1\n2 2 1\n");
  refuse(VTEMPER_ERROR_DATA, "has 2 rows on rank 0 and 3 on rank ");
  std::remove(name.c_str());
  if (all > 1) expect(mkfifo(name.c_str(), 0600) == 0, "there is no pipe", 0);
  refuse(VTEMPER_ERROR_UNSUPPORTED, "is not a regular file, so several ranks cannot");
  std::remove(name.c_str());
}

/// NaN is kept, integers wrap around.
void check_edges(Ranks& ranks) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const vtemper_reduction how : {VTEMPER_SUM, VTEMPER_MIN, VTEMPER_MAX}) {
    for (int holder = 0; holder < all; ++holder) {
      double value = own == holder ? nan : 1;
      ranks.reduce(&value, 1, VTEMPER_DOUBLE, how);
      expect(std::isnan(value), "a NaN is lost", holder);
    }
  }
  int32_t most = std::numeric_limits<int32_t>::max();
  ranks.reduce(&most, 1, VTEMPER_INT32, VTEMPER_SUM);
  expect(all == 1 || most == static_cast<int32_t>(static_cast<uint32_t>(0x7FFFFFFF) * static_cast<uint32_t>(all)),
         "integers do not wrap around", most);
}

/// The failure of any rank reaches all ranks, with its message.
void check_agreement(Ranks& ranks) {
  expect(ranks.agree(VTEMPER_OK) == VTEMPER_OK, "no failure is heard of as one", 0);
  for (int culprit = 0; culprit < all; ++culprit) {
    const vtemper_status mine =
        own == culprit ? vtemper_mpi::failed(VTEMPER_ERROR_IO, "the disk of " + std::to_string(culprit)) : VTEMPER_OK;
    const vtemper_status heard = ranks.agree(mine);
    const std::string wanted = (own == culprit ? "" : "rank " + std::to_string(culprit) + ": ") +
                               std::string("the disk of ") + std::to_string(culprit);
    expect(heard == (own == culprit ? VTEMPER_ERROR_IO : VTEMPER_ERROR_PEER), "a failure has another status", heard);
    expect(wanted == vtemper_mpi_last_error(), vtemper_mpi_last_error(), culprit);
  }
}

/// Shares follow each other, cover all rows, and differ in work by a row at most.
void check_shares() {
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (int row = 0; row < 1000; ++row) {
    const int length = row % 10 == 0 ? 200 : row < 500 ? 1 : 20;
    for (int i = 0; i < length; ++i) {
      indices.push_back(i);
      values.push_back(1);
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  vtemper_data* whole = nullptr;
  expect(vtemper_data_from_counts(VTEMPER_BY_ROWS, 1000, 200, offsets.data(), VTEMPER_INT64, indices.data(),
                                  VTEMPER_INT32, values.data(), VTEMPER_FLOAT, 0, VTEMPER_COPY, nullptr, nullptr,
                                  &whole) == VTEMPER_OK,
         "no data", 0);
  for (const int count : {1, 2, 3, 7, 1000, 1500}) {
    int64_t rows_before = 0, entries_before = 0;
    const double all_work = static_cast<double>(indices.size()) + 8 * 1000.0;
    for (int rank = 0; rank < count; ++rank) {
      vtemper_data* share = nullptr;
      int64_t rows = 0, entries = 0;
      expect(vtemper_mpi_share(whole, rank, count, &share) == VTEMPER_OK, vtemper_mpi_last_error(), rank);
      vtemper_data_rows(share, &rows);
      vtemper_data_entries(share, &entries);
      vtemper_data_destroy(share);
      rows_before += rows;
      entries_before += entries;
      const double work = static_cast<double>(entries_before) + 8.0 * static_cast<double>(rows_before);
      expect(std::fabs(work - all_work * (rank + 1) / count) <= 208, "a share ends elsewhere", rank);
    }
    expect(rows_before == 1000, "shares do not cover the rows", rows_before);
  }
  vtemper_data* share = nullptr;
  expect(vtemper_mpi_share(whole, 3, 3, &share) == VTEMPER_ERROR_ARGUMENT && !share, "rank 3 of 3 has a share", 0);
  expect(vtemper_mpi_share(nullptr, 0, 1, &share) == VTEMPER_ERROR_ARGUMENT && !share, "no data has a share", 0);
  vtemper_data_destroy(whole);
}

/// What is refused before MPI begins and after it ends, and what is not.
void check_world(bool after) {
  vtemper_group* group = nullptr;
  vtemper_data* data = nullptr;
  expect(vtemper_mpi_group(MPI_COMM_WORLD, &group) == VTEMPER_ERROR_STATE && !group, "a group without MPI", after);
  expect(vtemper_mpi_group_f(0, &group) == VTEMPER_ERROR_STATE && !group, "a group without MPI", after);
  expect(vtemper_mpi_read("x", nullptr, MPI_COMM_WORLD, &data) == VTEMPER_ERROR_STATE && !data, "data without MPI",
         after);
  expect(std::strstr(vtemper_mpi_last_error(), after ? "was finalised" : "is not initialised") != nullptr,
         vtemper_mpi_last_error(), after);
}

/// What needs other ranks fails without ending the process, which MPI itself would do.
void check_group_after_mpi(const vtemper_data* spread) {
  vtemper_model* model = nullptr;
  vtemper_optimizer* run = nullptr;
  expect(vtemper_model_create("lda", nullptr, &model) == VTEMPER_OK, vtemper_last_error(), 0);
  const vtemper_status got = vtemper_optimizer_create(model, spread, nullptr, &run);
  expect(got == (all == 1 ? VTEMPER_OK : VTEMPER_ERROR_PEER), vtemper_last_error(), got);
  vtemper_optimizer_destroy(run);
  vtemper_model_destroy(model);
}

/// Numbers of no communicator are refused, where MPI itself would end the process, as it does again afterwards.
void check_numbers() {
  for (const int32_t number :
       {-1, 99, 12345, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    vtemper_group* group = nullptr;
    vtemper_data* data = nullptr;
    expect(vtemper_mpi_group_f(number, &group) == VTEMPER_ERROR_ARGUMENT && !group, "it is a communicator", number);
    expect(vtemper_mpi_read_f("x", nullptr, number, &data) == VTEMPER_ERROR_ARGUMENT && !data, "it is one", number);
  }
  for (const MPI_Comm communicator : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(communicator, &handler);
    expect(handler == MPI_ERRORS_ARE_FATAL, "errors are no longer fatal", communicator == MPI_COMM_SELF);
  }
}

}  // namespace

int main() {
  check_world(false);
  int32_t world = 0, again = 0;
  expect(vtemper_mpi_world(nullptr) == VTEMPER_ERROR_ARGUMENT, "NULL is taken", 0);
  expect(vtemper_mpi_world(&world) == VTEMPER_OK, vtemper_mpi_last_error(), 0);
  expect(vtemper_mpi_world(&again) == VTEMPER_OK && again == world, "the world has two numbers", again);
  check_numbers();
  std::unique_ptr<Ranks> ranks;
  expect(vtemper_mpi::ranks_of(MPI_COMM_WORLD, &ranks) == VTEMPER_OK, vtemper_mpi_last_error(), 0);
  own = ranks->rank();
  all = ranks->ranks();
  check_reduce<int32_t>(*ranks, VTEMPER_INT32);
  check_reduce<int64_t>(*ranks, VTEMPER_INT64);
  check_reduce<float>(*ranks, VTEMPER_FLOAT);
  check_reduce<double>(*ranks, VTEMPER_DOUBLE);
  check_edges(*ranks);
  for (const int64_t scale : {0, 1, 1000, 300000}) check_exchange(*ranks, scale);
  Ranks small(MPI_COMM_WORLD, own, all, 1000);  // as if MPI could count to 1,000 only
  for (const int64_t scale : {1, 999, 1000, 5001}) check_exchange(small, scale);
  check_agreement(*ranks);
  check_shares();
  check_one_group();
  check_files();

  // Groups of parts of the world, created and destroyed many times: communicators are not leaked.
  vtemper_group* group = nullptr;
  MPI_Comm half = MPI_COMM_NULL;
  for (int round = 0; round < (all == 1 ? 3000 : 20); ++round) {  // MPICH has 2,048 communicators
    MPI_Comm_split(MPI_COMM_WORLD, own % 2, own, &half);
    expect(vtemper_mpi_group(half, &group) == VTEMPER_OK, vtemper_mpi_last_error(), round);
    int32_t rank = -1, count = -1;
    vtemper_group_rank(group, &rank, &count);
    expect(rank == own / 2 && count == (all + 1 - own % 2) / 2, "a part has other ranks", count);
    MPI_Comm_free(&half);
    vtemper_group_destroy(group);
    group = nullptr;
  }
  expect(vtemper_mpi_group(MPI_COMM_NULL, &group) == VTEMPER_ERROR_ARGUMENT && !group, "MPI_COMM_NULL is a group", 0);
  expect(vtemper_mpi_group(MPI_COMM_WORLD, nullptr) == VTEMPER_ERROR_ARGUMENT, "NULL is taken", 0);
  vtemper_data* data = nullptr;
  const bool is_last = own == all - 1;
  const vtemper_status unnamed = vtemper_mpi_read(is_last ? "missing" : nullptr, nullptr, MPI_COMM_WORLD, &data);
  expect(unnamed == (!is_last   ? VTEMPER_ERROR_ARGUMENT
                     : all == 1 ? VTEMPER_ERROR_IO
                                : VTEMPER_ERROR_PEER),
         "a rank without a path has another status", unnamed);
  const std::string path = is_last ? "missing" : "rows." + std::to_string(own);
  const vtemper_status missing = vtemper_mpi_read(path.c_str(), nullptr, MPI_COMM_WORLD, &data);
  expect(missing == (is_last ? VTEMPER_ERROR_IO : VTEMPER_ERROR_PEER), "a missing file has another status", missing);
  expect(vtemper_mpi_group(MPI_COMM_WORLD, &group) == VTEMPER_OK, vtemper_mpi_last_error(), 0);
  vtemper_data *rows = rows_of_rank(), *spread = nullptr;
  expect(vtemper_data_spread(rows, group, &spread) == VTEMPER_OK, vtemper_last_error(), 0);
  MPI_Finalize();
  check_world(true);
  check_group_after_mpi(spread);
  vtemper_data_destroy(spread);
  vtemper_data_destroy(rows);
  expect(vtemper_mpi_world(&world) == VTEMPER_ERROR_STATE, "MPI is begun twice", 0);
  vtemper_group_destroy(group);  // after MPI
  return failures > 0;
}
