#pragma once
// Sums over ranks of statistics that are a table divided among the ranks (DividedTable): each rank sends its
// statistics of remote rows to the owning rank, which adds them to its own statistics and alone moves those rows.

#include "inference/row_marks.h"

namespace vtemper {

class TablePush {
 public:
  void reserve(const Group& group, const TableStatistics::Shape& shape);
  /// Called after a local step on rows borrowed by `table`: finds the local rows that any rank has touched. After it
  /// sum() and give() can fail only if a rank is lost.
  void take(const DividedTable& table, TableStatistics& own);
  /// Collective.
  void sum(const DividedTable& table, TableStatistics& own);
  /// Reduces the fit to the sums of the local rows.
  void give(TableStatistics& fit) const { fit.keep_rows(rows_.data(), count_); }

 private:
  TableStatistics::Shape shape_{};
  int rank_ = 0, ranks_ = 1;
  RowMarks marks_;       ///< rows that this rank has lent or touched
  Array<int32_t> rows_;  ///< [local rows] those that any rank has touched, ascending
  int64_t count_ = 0;    ///< length of rows_
};

}  // namespace vtemper
