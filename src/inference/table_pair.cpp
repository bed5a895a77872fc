#include "inference/table_pair.h"

#include <cmath>
#include <cstring>

#include "support/error.h"
#include "support/large_pages.h"

namespace vtemper {

namespace {

/// Distance between rows as they are sent. If the padding is small it is sent as well, which saves a copy.
int64_t sent_stride(int64_t columns, int64_t stride) {
  return stride - columns <= columns / 8 ? stride : columns;
}

}  // namespace

void TablePair::reserve(const Group& group, const TableStatistics::Shape& shape) {
  shape_ = shape;
  own_come_first_ = group.rank() == 0;
  marks_.resize(shape.rows);
  const auto rows = static_cast<size_t>(shape.rows);
  rows_.reset(new int32_t[rows]);
  // Uninitialised, so the system provides memory only for what is written.
  const auto bytes = rows * static_cast<size_t>((shape.columns + shape.columns / 8) * size());
  received_.reset(new char[bytes]);
  prefer_large_pages(received_.get(), bytes);
  sent_.reset(new char[bytes]);
}

double TablePair::take(TableStatistics& own) {
  own_ = own.touched();
  return static_cast<double>(own_.count);
}

void TablePair::sum(Group& group, double rows_of_both, const TableStatistics& own) {
  const double others = rows_of_both - static_cast<double>(own_.count);
  group.require_sound(others >= 0 && others <= static_cast<double>(shape_.rows) && others == std::floor(others));
  const int64_t columns = own.columns_in_use(), stride = sent_stride(columns, own_.stride);
  others_ = {rows_.get(), static_cast<int64_t>(others), received_.get(), stride};
  const char* numbers = static_cast<const char*>(own_.numbers);
  if (stride != own_.stride) {
    const auto bytes = static_cast<size_t>(columns * size());
    for (int64_t i = 0; i < own_.count; ++i) {
      std::memcpy(sent_.get() + static_cast<size_t>(i) * bytes, numbers + i * own_.stride * size(), bytes);
    }
    numbers = sent_.get();
  }
  const auto other = static_cast<size_t>(own_come_first_ ? 1 : 0);
  const auto give_and_take = [&](const void* out, void* in, int64_t bytes_of_row) {
    int64_t out_bytes[2] = {0, 0}, in_bytes[2] = {0, 0};
    out_bytes[other] = own_.count * bytes_of_row;
    in_bytes[other] = others_.count * bytes_of_row;
    group.exchange(out, out_bytes, in, in_bytes);
  };
  give_and_take(own_.rows, rows_.get(), sizeof(int32_t));
  give_and_take(numbers, received_.get(), stride * size());
}

/// The other rank may have sent anything, so its rows are checked.
void TablePair::give(TableStatistics& fit) {
  marks_.clear();
  for (int64_t i = 0; i < others_.count; ++i) {
    const int32_t row = rows_[static_cast<size_t>(i)];
    if (row < 0 || row >= shape_.rows || marks_.has(row)) {
      throw Error(VTEMPER_ERROR_PEER, "the other rank of the group has sent words that a step cannot have met");
    }
    marks_.add(row);
  }
  fit.add_touched(others_, !own_come_first_);
}

}  // namespace vtemper
