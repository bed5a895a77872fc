#include "data/counts_builder.h"

#include "data/gather_by_rows.h"
#include "data/repeats.h"
#include "storage/container.h"

namespace vtemper {

void CountsBuilder::push_real(double value) {
  if (whole_) {
    integers_.visit([&](const int32_t* values, int64_t count) {
      for (int64_t i = 0; i < count; ++i) reals_.push(values[i]);
    });
    integers_ = GrowingArray<int32_t>();
    whole_ = false;
  }
  reals_.push(value);
}

int32_t CountsBuilder::repeated_column() {
  const int64_t begin = row_begin();
  return repeated_index(indices_.from(begin), entries() - begin, work_);
}

void CountsBuilder::bring_to_memory() {
  offsets_.bring_to_memory();
  indices_.bring_to_memory();
  integers_.bring_to_memory();
  reals_.bring_to_memory();
}

void CountsBuilder::shift_columns(int32_t first) {
  indices_.transform([first](int32_t column) { return column - first; });
}

Counts CountsBuilder::finish(int64_t columns) {
  return whole_ ? owned_counts(columns, OwnedArrays<int32_t>{offsets_.take(), indices_.take(), integers_.take()})
                : owned_counts(columns, OwnedArrays<double>{offsets_.take(), indices_.take(), reals_.take()});
}

void CountsBuilder::store(ContainerWriter& writer) {
  const int64_t entries = indices_.size();
  writer.tensor("offsets", Element::i64, {offsets_.size()}, offsets_.bytes());
  writer.tensor("indices", Element::i32, {entries}, indices_.bytes());
  if (whole_) {
    writer.tensor("values", Element::i32, {entries}, integers_.bytes());
  } else {
    writer.tensor("values", Element::f64, {entries}, reals_.bytes());
  }
}

}  // namespace vtemper
