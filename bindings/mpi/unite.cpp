// A common vocabulary for ranks with different ones, because each has read its own file.

#include "unite.h"

#include <mpi.h>

#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include <vtemper/mpi.h>

#include "failure.h"

namespace vtemper_mpi {
namespace {

/// Concatenated zero-terminated names of columns.
using Names = std::vector<char>;

/// Calls visit(name) for each name.
template <class Visit>
void visit_names(const Names& names, const Visit& visit) {
  for (size_t at = 0; at < names.size(); at += std::strlen(names.data() + at) + 1) visit(names.data() + at);
}

void add_name(const char* name, Names* names) {
  names->insert(names->end(), name, name + std::strlen(name) + 1);
}

/// No words if the columns are not words: for dense data, or without names.
vtemper_status read_names(const vtemper_data* own, Names* names, bool* has_words) {
  int64_t columns = 0;
  vtemper_data_form form = VTEMPER_DENSE;
  vtemper_status status = vtemper_data_columns(own, &columns);
  if (status == VTEMPER_OK) status = vtemper_data_form_of(own, &form);
  *has_words = form != VTEMPER_DENSE && columns > 0;
  for (int64_t column = 0; status == VTEMPER_OK && *has_words && column < columns; ++column) {
    const char* name = "";
    status = vtemper_data_name(own, column, &name);
    if (*name == '\0') {
      *has_words = false;
    } else {
      add_name(name, names);
    }
  }
  return passed_on(status);
}

int64_t hash_of(const Names& names) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char letter : names) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  return static_cast<int64_t>(hash >> 1);
}

vtemper_status by_mpi(int code) {
  if (code == MPI_SUCCESS) return VTEMPER_OK;
  return failed_by_mpi(VTEMPER_ERROR_PEER, "the names of the columns cannot be sent", code);
}

/// True on all ranks if names differ between ranks, and all ranks have names. Different names with equal hashes are
/// detected and refused when the data are spread.
vtemper_status find_whether_to_unite(Ranks& ranks, const Names& own, bool has_words, bool* differ) {
  const int64_t hash = hash_of(own), bytes = static_cast<int64_t>(own.size());
  int64_t largest[] = {hash, -hash, bytes, -bytes, has_words ? 0 : 1};
  const vtemper_status status = by_mpi(ranks.reduce(largest, 5, VTEMPER_INT64, VTEMPER_MAX));
  *differ = largest[4] == 0 && (largest[0] != -largest[1] || largest[2] != -largest[3]);
  return status;
}

/// All names of all ranks: those of rank 0, then those of rank 1 that rank 0 does not have, and so on. A rank sends
/// the names that no rank before it has.
vtemper_status unite_names(Ranks& ranks, const Names& own, Names* all) {
  std::unordered_set<std::string> known;
  vtemper_status status = VTEMPER_OK;
  for (int from = 0; from < ranks.ranks(); ++from) {
    Names fresh;
    if (status == VTEMPER_OK && from == ranks.rank()) {
      status = tried([&] {
        visit_names(own, [&](const char* name) {
          if (known.count(name) == 0) add_name(name, &fresh);
        });
        return VTEMPER_OK;
      });
    }
    status = ranks.agree(status);
    if (status != VTEMPER_OK) return status;
    auto bytes = static_cast<int64_t>(fresh.size());
    status = by_mpi(ranks.reduce(&bytes, 1, VTEMPER_INT64, VTEMPER_MAX));
    if (status == VTEMPER_OK) {
      status = tried([&] {
        fresh.resize(static_cast<size_t>(bytes));
        return VTEMPER_OK;
      });
    }
    status = ranks.agree(status);
    if (status == VTEMPER_OK) status = by_mpi(ranks.broadcast(fresh.data(), bytes, from));
    if (status != VTEMPER_OK) return status;
    status = tried([&] {
      visit_names(fresh, [&](const char* name) { known.insert(name); });
      all->insert(all->end(), fresh.begin(), fresh.end());
      return VTEMPER_OK;
    });
  }
  return ranks.agree(status);
}

vtemper_status align(const vtemper_data* own, const Names& all, vtemper_data** united) {
  std::vector<const char*> names;
  visit_names(all, [&](const char* name) { names.push_back(name); });
  return passed_on(vtemper_data_align(own, names.data(), static_cast<int64_t>(names.size()), nullptr, united));
}

}  // namespace

vtemper_status unite(const vtemper_data* own, Ranks& ranks, vtemper_data** united) noexcept {
  Names names, all;
  bool has_words = false, differ = false;
  vtemper_status status = ranks.agree(tried([&] { return read_names(own, &names, &has_words); }));
  if (status == VTEMPER_OK) status = find_whether_to_unite(ranks, names, has_words, &differ);
  if (status != VTEMPER_OK || !differ) return status;
  status = tried([&] { return unite_names(ranks, names, &all); });
  if (status != VTEMPER_OK) return status;
  return ranks.agree(tried([&] { return align(own, all, united); }));
}

}  // namespace vtemper_mpi

vtemper_status vtemper_mpi_unite(const vtemper_data* own, MPI_Comm comm, vtemper_data** united) {
  using namespace vtemper_mpi;
  std::unique_ptr<Ranks> ranks;
  vtemper_status status = ranks_of(comm, &ranks);
  if (status != VTEMPER_OK) return status;
  int64_t rows = 0;
  vtemper_data* fresh = nullptr;
  status = ranks->agree(united ? passed_on(vtemper_data_rows(own, &rows))
                               : failed(VTEMPER_ERROR_ARGUMENT, "argument united is NULL"));
  if (status == VTEMPER_OK) status = unite(own, *ranks, &fresh);
  if (status == VTEMPER_OK) {
    status = ranks->agree(fresh ? VTEMPER_OK : passed_on(vtemper_data_slice(own, 0, rows, &fresh)));
  }
  if (status == VTEMPER_OK) {
    *united = fresh;
  } else {
    vtemper_data_destroy(fresh);
  }
  return status;
}
