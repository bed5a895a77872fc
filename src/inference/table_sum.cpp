#include "inference/table_sum.h"

#include <numeric>

namespace vtemper {

void TableSum::reserve(const TableStatistics::Shape& shape, bool all_rows) {
  shape_ = shape;
  all_rows_ = all_rows;
  marks_.resize(static_cast<size_t>((shape.rows + 7) / 8));
  rows_.resize(static_cast<size_t>(shape.rows));
  numbers_.reset(
      new char[static_cast<size_t>(shape.rows * shape.columns) * (shape.single ? sizeof(float) : sizeof(double))]);
  if (!all_rows) return;
  std::iota(rows_.begin(), rows_.end(), 0);
  count_ = shape.rows;
}

void TableSum::find_rows() {
  count_ = 0;
  for (int64_t row = 0; row < shape_.rows; ++row) {
    if ((marks_[static_cast<size_t>(row / 8)] >> row % 8 & 1) != 0) {
      rows_[static_cast<size_t>(count_++)] = static_cast<int32_t>(row);
    }
  }
}

void TableSum::sum(Group& group, RankSum& ranks, const TableStatistics& own) {
  if (!all_rows_) {
    marks_.fill(0);
    own.mark_rows(marks_.data());
    ranks.unite(group, marks_.data(), static_cast<int64_t>(marks_.size()));
    find_rows();
  }
  own.write_rows(rows_.data(), count_, numbers_.get());
  const int64_t length = count_ * shape_.columns;
  if (shape_.single) {
    ranks.sum(group, reinterpret_cast<float*>(numbers_.get()), length);
  } else {
    ranks.sum(group, reinterpret_cast<double*>(numbers_.get()), length);
  }
}

void TableSum::give(TableStatistics& fit) const {
  fit.read_rows(rows_.data(), count_, numbers_.get());
}

}  // namespace vtemper
