#pragma once
// Sums over ranks of statistics that are a table of which a step touches few rows: of the rows that some rank has
// touched, or of all.

#include <memory>

#include "group/rank_sum.h"
#include "models/conjugate_model.h"

namespace vtemper {

class TableSum {
 public:
  /// Room for tables of this shape. `all_rows`: also those that no rank has touched.
  void reserve(const TableStatistics::Shape& shape, bool all_rows);
  /// What follows the last local step: the table holds the sum. Cannot fail but for a lost rank.
  void sum(Group& group, RankSum& ranks, const TableStatistics& own);
  /// Gives the sum to the fit.
  void give(TableStatistics& fit) const;

 private:
  bool all_rows_ = false;
  TableStatistics::Shape shape_{};
  Array<unsigned char> marks_;  ///< [rows / 8]
  Array<int32_t> rows_;         ///< [rows] those that are summed, ascending
  int64_t count_ = 0;
  std::unique_ptr<char[]> numbers_;  ///< [rows x columns] float or double; memory is taken as far as it is written

  void find_rows();
};

}  // namespace vtemper
