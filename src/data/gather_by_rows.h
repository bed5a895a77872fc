#pragma once
// Converts entries in any order to compressed row storage. Entries of a row keep their relative order.

#include <memory>

#include "data/buffer.h"
#include "data/counts.h"

namespace vtemper {

/// Counts that own their arrays.
template <class Value>
struct OwnedArrays {
  Buffer<int64_t> offsets;
  Buffer<int32_t> indices;
  Buffer<Value> values;
};

template <class Value>
Counts owned_counts(int64_t columns, OwnedArrays<Value>&& arrays) {
  const auto owner = std::make_shared<const OwnedArrays<Value>>(std::move(arrays));
  Counts counts;
  counts.rows = owner->offsets.size() - 1;
  counts.columns = columns;
  counts.entries = owner->indices.size();
  counts.offsets = typed_array(owner->offsets.data());
  counts.indices = typed_array(owner->indices.data());
  counts.values = typed_array(owner->values.data());
  counts.owner = owner;
  return counts;
}

/// `for_each_entry(visit)` calls visit(row, column, value) for each of the `entries` entries; it is called twice and
/// must give the same entries both times.
template <class Value, class ForEachEntry>
Counts gather_by_rows(int64_t rows, int64_t columns, int64_t entries, const ForEachEntry& for_each_entry) {
  OwnedArrays<Value> arrays{Buffer<int64_t>(rows + 1), Buffer<int32_t>(entries), Buffer<Value>(entries)};
  int64_t* const offsets = arrays.offsets.data();
  std::fill(offsets, offsets + rows + 1, int64_t{0});
  for_each_entry([&](int64_t row, int32_t, Value) { ++offsets[row]; });
  int64_t begin = 0;
  for (int64_t row = 0; row <= rows; ++row) {
    const int64_t length = offsets[row];
    offsets[row] = begin;
    begin += length;
  }
  // Placing an entry advances its row's offset; at the end each offset is that of the next row.
  for_each_entry([&](int64_t row, int32_t column, Value value) {
    const int64_t place = offsets[row]++;
    arrays.indices[place] = column;
    arrays.values[place] = value;
  });
  std::copy_backward(offsets, offsets + rows, offsets + rows + 1);
  offsets[0] = 0;
  return owned_counts(columns, std::move(arrays));
}

}  // namespace vtemper
