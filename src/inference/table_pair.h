#pragma once
// Sums over two ranks of statistics that are a table of which a step touches few rows. The ranks exchange the rows
// that each has touched, as they are stored: rows are neither copied before they are sent nor read back as sums, and
// a row that only one rank has touched is sent once.

#include <memory>

#include "inference/row_marks.h"

namespace vtemper {

class TablePair {
 public:
  /// Reserves memory for tables of this shape. After it the calls below can fail only if a rank is lost; give() also
  /// if the other rank sent invalid rows or memory runs out.
  void reserve(const Group& group, const TableStatistics::Shape& shape);
  /// Called after the last local step. Returns the number of rows that it has touched; sum() needs the total of both
  /// ranks.
  double take(TableStatistics& own);
  /// Collective.
  void sum(Group& group, double rows_of_both, const TableStatistics& own);
  /// Adds the other rank's rows to the fit.
  void give(TableStatistics& fit);

 private:
  TableStatistics::Shape shape_{};
  bool own_come_first_ = false;
  TableStatistics::Rows own_{};       ///< rows of this rank, touched by the last local step
  RowMarks marks_;                    ///< rows of the other rank
  std::unique_ptr<int32_t[]> rows_;   ///< [rows] rows of the other rank
  std::unique_ptr<char[]> received_;  ///< [rows x columns] their statistics, with padding
  std::unique_ptr<char[]> sent_;      ///< [rows x columns] statistics of this rank without padding, if that is large
  TableStatistics::Rows others_{};    ///< rows_ and received_

  int64_t size() const { return shape_.single ? sizeof(float) : sizeof(double); }
};

}  // namespace vtemper
