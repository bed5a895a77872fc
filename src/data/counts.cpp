// Reads rows of counts for all combinations of element types.

#include <algorithm>
#include <limits>

#include "data/counts.h"
#include "support/prefetch.h"

namespace vtemper {

double TypedArray::real(int64_t i) const {
  Spare spare;
  return with_numbers(*this, [&](const auto* elements) { return static_cast<double>(*at(elements + i, 1, spare)); });
}

namespace {

/// The origin of the arrays decides which status a bad entry has.
vtemper_status fault(const Counts& counts) {
  return counts.source.empty() ? VTEMPER_ERROR_DATA : VTEMPER_ERROR_FORMAT;
}

std::string place(const Counts& counts) {
  return counts.source.empty() ? std::string("the counts") : counts.source;
}

[[noreturn]] void refuse_offsets(const Counts& counts, int64_t row, int64_t begin, int64_t end) {
  const int64_t least = counts.first_entry + counts.index_base;
  throw Error(fault(counts),
              message(place(counts), ": row ", row, " has the offsets ", begin, " and ", end,
                      "; they must not decrease and must lie between ", least, " and ", least + counts.entries));
}

[[noreturn]] void refuse_entry(const Counts& counts, int64_t row, int64_t column, double value, double most) {
  if (column < 0 || column >= counts.columns) {
    throw Error(fault(counts), message(place(counts), ": row ", row, " has an entry in column ", column, "; ",
                                       there_are(counts.columns, "column")));
  }
  if (value > most && value <= std::numeric_limits<double>::max()) {
    throw Error(VTEMPER_ERROR_DATA, message(place(counts), ": row ", row, ", column ", column, " holds the count ",
                                            value, ", which is too large for single precision"));
  }
  throw Error(fault(counts), message(place(counts), ": row ", row, ", column ", column, " holds the count ", value,
                                     "; counts are finite and not negative"));
}

/// Prefetches a range of elements, or as much of its beginning as fits before the hardware prefetcher takes over.
void prefetch_elements(const TypedArray& array, int64_t begin, int64_t length) {
  constexpr int64_t most = 256;
  const int64_t width = bytes_of(array.element);
  prefetch(static_cast<const char*>(array.data) + begin * width, std::min(length * width, most));
}

template <class Real, class Index, class Value>
int64_t read_entries(const Counts& counts, int64_t row, const Index* indices, const Value* values, int64_t length,
                     int32_t* columns_out, Real* values_out) {
  constexpr Real most = std::numeric_limits<Real>::max();
  const auto base = static_cast<Index>(counts.index_base);
  int64_t positive = 0;
  for (int64_t i = 0; i < length; ++i) {
    const auto column = static_cast<uint64_t>(static_cast<int64_t>(indices[i])) - static_cast<uint64_t>(base);
    const Real value = static_cast<Real>(values[i]);
    if (column >= static_cast<uint64_t>(counts.columns) || !(value >= 0 && value <= most)) {
      refuse_entry(counts, row, static_cast<int64_t>(column), static_cast<double>(values[i]), most);
    }
    columns_out[positive] = static_cast<int32_t>(column);
    values_out[positive] = value;
    positive += value > 0;
  }
  return positive;
}

/// Reads each offset only once, because another process may write to the mapped file.
ElementRange range_of(const Counts& counts, int64_t row) {
  const auto [begin, end] = counts.offsets.two_integers(row);
  // Compared before any subtraction: the offsets of a damaged file can be arbitrary.
  const int64_t least = counts.first_entry + counts.index_base;
  if (begin < least || end < begin || end > least + counts.entries) refuse_offsets(counts, row, begin, end);
  return {begin - counts.index_base, end - begin};
}

}  // namespace

int64_t Counts::row_length(int64_t row) const {
  return range_of(*this, row).length;
}

void Counts::prefetch_offsets(int64_t row) const {
  prefetch_elements(offsets, row, 1);
}

void Counts::prefetch_entries(int64_t row) const {
  const ElementRange range = range_of(*this, row);
  prefetch_elements(indices, range.begin, range.length);
  prefetch_elements(values, range.begin, range.length);
}

template <class Real>
int64_t Counts::read_part(int64_t row, int64_t first, int64_t length, int32_t* columns_out, Real* values_out) const {
  const ElementRange range = range_of(*this, row);
  if (range.length < first + length) {
    throw Error(fault(*this), message(place(*this), ": row ", row, " was changed while it was read"));
  }
  const int64_t begin = range.begin + first;
  return with_integers(indices, [&](const auto* typed_indices) {
    return with_numbers(values, [&](const auto* typed_values) {
      Spare spare_indices, spare_values;
      return read_entries(*this, row, indices.at(typed_indices + begin, length, spare_indices),
                          values.at(typed_values + begin, length, spare_values), length, columns_out, values_out);
    });
  });
}

template <class Real>
int64_t Counts::read_row(int64_t row, int64_t length, int32_t* columns_out, Real* values_out) const {
  return length == 0 ? 0 : read_part(row, 0, length, columns_out, values_out);
}

template int64_t Counts::read_part(int64_t, int64_t, int64_t, int32_t*, float*) const;
template int64_t Counts::read_part(int64_t, int64_t, int64_t, int32_t*, double*) const;
template int64_t Counts::read_row(int64_t, int64_t, int32_t*, float*) const;
template int64_t Counts::read_row(int64_t, int64_t, int32_t*, double*) const;

}  // namespace vtemper
