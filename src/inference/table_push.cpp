#include "inference/table_push.h"

namespace vtemper {

void TablePush::reserve(const Group& group, const TableStatistics::Shape& shape) {
  shape_ = shape;
  rank_ = group.rank();
  ranks_ = group.ranks();
  marks_.resize(shape.rows);
  rows_.resize(static_cast<size_t>(shape.rows / ranks_ + 1));
}

void TablePush::take(const DividedTable& table, TableStatistics& own) {
  own.touched();  // brings them into the form of rows
  marks_.clear();
  own.mark_rows(marks_.data());
  const RowExchange& exchange = table.exchange();
  int64_t fresh = 0;
  for (int64_t i = 0; i < exchange.lent_count(); ++i) {
    const int32_t row = exchange.lent()[i];
    fresh += marks_.has(row) ? 0 : 1;
    marks_.add(row);
  }
  count_ = marks_.list(rows_.data(), rank_, ranks_);
  own.make_room(fresh);
}

void TablePush::sum(const DividedTable& table, TableStatistics& own) {
  const int64_t number = shape_.single ? sizeof(float) : sizeof(double);
  table.exchange().push(
      *table.group(), own.columns_in_use() * number,
      [&](const int32_t* rows, int64_t count, char* out) { own.write_rows(rows, count, out); },
      [&](const int32_t* rows, int64_t count, const char* in) { own.add_rows(rows, count, in); });
}

}  // namespace vtemper
