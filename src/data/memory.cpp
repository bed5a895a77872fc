#include "data/data.h"

namespace vtemper {

namespace {

double bytes_of(const TypedArray& array, int64_t length) {
  const bool small = array.element == VTEMPER_INT32 || array.element == VTEMPER_FLOAT;
  return static_cast<double>(length) * (small ? 4 : 8);
}

}  // namespace

double data_memory(const Data& data) {
  if (data.file) return 0;
  if (data.counts) {
    const Counts& counts = *data.counts;
    return bytes_of(counts.offsets, counts.rows + 1) + bytes_of(counts.indices, counts.entries) +
           bytes_of(counts.values, counts.entries);
  }
  if (data.dense) return bytes_of(data.dense->values, data.entries());
  return bytes_of(data.sequences->offsets, data.rows() + 1) + bytes_of(data.sequences->symbols, data.entries());
}

}  // namespace vtemper
