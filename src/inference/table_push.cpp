#include "inference/table_push.h"

namespace vtemper {

void TablePush::reserve(const Group& group, const TableStatistics::Shape& shape) {
  shape_ = shape;
  rank_ = group.rank();
  ranks_ = group.ranks();
  const auto own = static_cast<size_t>(shape.rows / ranks_ + 1);
  marks_.resize(shape.rows);
  for (Array<int32_t>* of_rows : {&rows_, &places_}) of_rows->resize(own);
  numbers_.reset(
      new char[own * static_cast<size_t>(shape.columns) * (shape.single ? sizeof(float) : sizeof(double))]);
}

void TablePush::find_rows(const RowExchange& exchange, const TableStatistics& own) {
  marks_.clear();
  own.mark_rows(marks_.data());
  for (int64_t i = 0; i < exchange.lent_count(); ++i) marks_.add(exchange.lent()[i]);
  count_ = marks_.list(rows_.data(), rank_, ranks_);
  for (int64_t i = 0; i < count_; ++i) {
    places_[static_cast<size_t>(rows_[static_cast<size_t>(i)] / ranks_)] = static_cast<int32_t>(i);
  }
}

template <class Number>
void TablePush::sum_numbers(const DividedTable& table, const TableStatistics& own) {
  Number* const sums = reinterpret_cast<Number*>(numbers_.get());
  const int64_t columns = own.columns_in_use();
  own.write_rows(rows_.data(), count_, sums);
  table.exchange().push(
      *table.group(), columns * static_cast<int64_t>(sizeof(Number)),
      [&](const int32_t* rows, int64_t count, char* out) { own.write_rows(rows, count, out); },
      [&](const int32_t* rows, int64_t count, const char* in) {
        const Number* more = reinterpret_cast<const Number*>(in);
        for (int64_t i = 0; i < count; ++i, more += columns) {
          Number* sum = sums + places_[static_cast<size_t>(rows[i] / ranks_)] * columns;
          for (int64_t k = 0; k < columns; ++k) sum[k] += more[k];
        }
      });
}

void TablePush::sum(const DividedTable& table, const TableStatistics& own) {
  find_rows(table.exchange(), own);
  if (shape_.single) {
    sum_numbers<float>(table, own);
  } else {
    sum_numbers<double>(table, own);
  }
}

}  // namespace vtemper
