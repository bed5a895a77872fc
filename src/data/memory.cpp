#include "data/data.h"

namespace vtemper {

namespace {

double memory_of(const TypedArray& array, int64_t length) {
  return static_cast<double>(length) * static_cast<double>(bytes_of(array.element));
}

double memory_of(const Counts& counts) {
  return memory_of(counts.offsets, counts.rows + 1) + memory_of(counts.indices, counts.entries) +
         memory_of(counts.values, counts.entries);
}

double memory_of(const Dense& dense) {
  return memory_of(dense.values, dense.elements());
}

double memory_of(const Sequences& sequences) {
  return memory_of(sequences.offsets, sequences.rows + 1) + memory_of(sequences.symbols, sequences.entries);
}

}  // namespace

double data_memory(const Data& data) {
  if (data.file) return 0;
  return std::visit([](const auto& rows) { return memory_of(rows); }, data.observations);
}

}  // namespace vtemper
