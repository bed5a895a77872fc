#include "inference/table_sum.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace vtemper {

void TableSum::reserve(const TableStatistics::Shape& shape, bool all_rows, bool chunks) {
  shape_ = shape;
  all_rows_ = all_rows;
  chunks_ = chunks;
  marks_.resize(shape.rows);
  rows_.resize(static_cast<size_t>(shape.rows));
  const bool in_float = shape.single && !chunks;
  numbers_.reset(
      new char[static_cast<size_t>(shape.rows * shape.columns) * (in_float ? sizeof(float) : sizeof(double))]);
  if (chunks) {
    grid_.shape({{shape.rows * shape.columns, 1}});
    chunk_marks_.resize(shape.rows);
    chunk_rows_.resize(rows_.size());
  }
  if (!all_rows) return;
  std::iota(rows_.begin(), rows_.end(), 0);
  count_ = shape.rows;
}

void TableSum::sum(Group& group, RankSum& ranks, const TableStatistics& own) {
  if (!all_rows_) {
    if (!chunks_) {
      marks_.clear();
      own.mark_rows(marks_.data());
    }
    ranks.unite(group, marks_.data(), marks_.bytes());
    count_ = marks_.list(rows_.data());
  }
  const int64_t columns = own.columns_in_use(), length = count_ * columns;
  if (chunks_) {
    take_chunks(columns);
  } else {
    own.write_rows(rows_.data(), count_, numbers_.get());
  }
  if (shape_.single && !chunks_) {
    ranks.sum(group, reinterpret_cast<float*>(numbers_.get()), length);
  } else {
    ranks.sum(group, reinterpret_cast<double*>(numbers_.get()), length);
  }
}

void TableSum::give(TableStatistics& fit) {
  if (chunks_ && shape_.single) {
    // In place: writing never overtakes reading.
    for (int64_t i = 0; i < count_ * fit.columns_in_use(); ++i) {
      double sum;
      std::memcpy(&sum, numbers_.get() + i * static_cast<int64_t>(sizeof sum), sizeof sum);
      const auto rounded = static_cast<float>(sum);
      std::memcpy(numbers_.get() + i * static_cast<int64_t>(sizeof rounded), &rounded, sizeof rounded);
    }
  }
  fit.read_rows(rows_.data(), count_, numbers_.get());
}

void TableSum::begin_chunks(int64_t chunks) {
  const int64_t count = marks_.list(chunk_rows_.data());
  for (int64_t i = 0; i < count; ++i) {
    grid_.clear(chunk_rows_[static_cast<size_t>(i)] * shape_.columns, shape_.columns);
  }
  marks_.clear();
  grid_.begin(chunks);
}

void TableSum::add_chunk(const TableStatistics& own) {
  chunk_marks_.clear();
  own.mark_rows(chunk_marks_.data());
  const int64_t count = chunk_marks_.list(chunk_rows_.data()), columns = own.columns_in_use();
  own.write_rows(chunk_rows_.data(), count, numbers_.get());
  for (int64_t i = 0; i < count; ++i) {
    const int64_t first = chunk_rows_[static_cast<size_t>(i)] * shape_.columns;
    if (shape_.single) {
      grid_.add(first, reinterpret_cast<const float*>(numbers_.get()) + i * columns, columns);
    } else {
      grid_.add(first, reinterpret_cast<const double*>(numbers_.get()) + i * columns, columns);
    }
  }
  marks_.add(chunk_marks_);
}

/// Copies the totals of the summed rows into consecutive memory.
void TableSum::take_chunks(int64_t columns) {
  auto* out = reinterpret_cast<double*>(numbers_.get());
  for (int64_t i = 0; i < count_; ++i) {
    std::copy_n(grid_.totals() + rows_[static_cast<size_t>(i)] * shape_.columns, columns, out + i * columns);
  }
}

}  // namespace vtemper
