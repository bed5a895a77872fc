#pragma once
// Sums over ranks of statistics that are a table which the ranks divide among themselves (DividedTable): what each
// found out about rows of others goes to their owners, which add it to their own, and move those rows alone.

#include "inference/row_marks.h"

namespace vtemper {

class TablePush {
 public:
  void reserve(const Group& group, const TableStatistics::Shape& shape);
  /// What follows a local step on rows borrowed by `table`: finds the own rows that some rank has met. After it
  /// nothing fails but for a lost rank.
  void take(const DividedTable& table, TableStatistics& own);
  /// Collective.
  void sum(const DividedTable& table, TableStatistics& own);
  /// The fit has the sums of the own rows and no others.
  void give(TableStatistics& fit) const { fit.keep_rows(rows_.data(), count_); }

 private:
  TableStatistics::Shape shape_{};
  int rank_ = 0, ranks_ = 1;
  RowMarks marks_;       ///< of the rows that this rank has lent or touched
  Array<int32_t> rows_;  ///< [own rows] those that some rank has met, ascending
  int64_t count_ = 0;    ///< of rows_
};

}  // namespace vtemper
