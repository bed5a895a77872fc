#include "data/counts_builder.h"

#include "data/gather_by_rows.h"
#include "data/repeats.h"

namespace vtemper {

void CountsBuilder::push_real(double value) {
  if (whole_) {
    for (int64_t i = 0; i < integers_.size(); ++i) reals_.push(integers_[i]);
    integers_ = Buffer<int32_t>();
    whole_ = false;
  }
  reals_.push(value);
}

int32_t CountsBuilder::repeated_column(int64_t row) {
  const int64_t begin = offsets_[row], end = row < rows() ? offsets_[row + 1] : indices_.size();
  return repeated_index(indices_.data() + begin, end - begin, work_);
}

void CountsBuilder::shift_columns(int32_t first) {
  for (int64_t i = 0; i < indices_.size(); ++i) indices_[i] -= first;
}

Counts CountsBuilder::finish(int64_t columns) {
  offsets_.shrink();
  indices_.shrink();
  integers_.shrink();
  reals_.shrink();
  return whole_ ? owned_counts(columns,
                               OwnedArrays<int32_t>{std::move(offsets_), std::move(indices_), std::move(integers_)})
                : owned_counts(columns,
                               OwnedArrays<double>{std::move(offsets_), std::move(indices_), std::move(reals_)});
}

}  // namespace vtemper
