#pragma once
// Sums over ranks of statistics that are a table which the ranks divide among themselves (DividedTable): what each
// found out about rows of others goes to their owners, and every rank has the sums of its own rows alone.

#include <memory>

#include "inference/row_marks.h"

namespace vtemper {

class TablePush {
 public:
  /// Room for tables of this shape: after it nothing fails but for a lost rank.
  void reserve(const Group& group, const TableStatistics::Shape& shape);
  /// What follows a local step on rows borrowed by `table`.
  void sum(const DividedTable& table, const TableStatistics& own);
  /// Gives the sums of the own rows to the fit.
  void give(TableStatistics& fit) const { fit.read_rows(rows_.data(), count_, numbers_.get()); }

 private:
  TableStatistics::Shape shape_{};
  int rank_ = 0, ranks_ = 1;
  RowMarks marks_;                   ///< of the rows that this rank has borrowed or touched
  Array<int32_t> rows_;              ///< [own rows] those that some rank has met, ascending
  Array<int32_t> places_;            ///< [own rows] in rows_
  int64_t count_ = 0;                ///< of rows_
  std::unique_ptr<char[]> numbers_;  ///< [own rows x columns] float or double; memory is taken as far as written

  void find_rows(const RowExchange& exchange, const TableStatistics& own);
  template <class Number>
  void sum_numbers(const DividedTable& table, const TableStatistics& own);
};

}  // namespace vtemper
