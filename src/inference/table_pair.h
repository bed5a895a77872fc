#pragma once
// Sums over two ranks of statistics that are a table of which a step touches few rows. The ranks give one another the
// rows that each has touched, as they are: no row is written anew to be sent or read back as a sum, and one that only
// one of them has touched travels once.

#include <memory>

#include "inference/row_marks.h"

namespace vtemper {

class TablePair {
 public:
  /// Room for tables of this shape: after it nothing fails but for a lost rank, and give() for want of memory.
  void reserve(const Group& group, const TableStatistics::Shape& shape);
  /// Follows the last local step: the number of rows that it has touched, of which sum() wants that of both ranks.
  double take(TableStatistics& own);
  /// Collective.
  void sum(Group& group, double rows_of_both, const TableStatistics& own);
  /// Adds what the other rank has sent to the fit.
  void give(TableStatistics& fit);

 private:
  TableStatistics::Shape shape_{};
  bool own_come_first_ = false;
  TableStatistics::Rows own_{};       ///< of the last local step
  RowMarks marks_;                    ///< of the rows of the other rank
  std::unique_ptr<int32_t[]> rows_;   ///< [rows] likewise
  std::unique_ptr<char[]> received_;  ///< [rows x columns] likewise, and their padding
  std::unique_ptr<char[]> sent_;      ///< [rows x columns] the own ones where most of them would be padding
  TableStatistics::Rows others_{};    ///< rows_ and received_

  int64_t size() const { return shape_.single ? sizeof(float) : sizeof(double); }
};

}  // namespace vtemper
