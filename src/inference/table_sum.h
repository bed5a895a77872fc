#pragma once
// Sums over ranks of statistics that are a table of which a step touches few rows: of the rows that some rank has
// touched, or of all. Of several local steps of a rank, the chunks of a step, it makes one.

#include <memory>

#include "group/grid_sum.h"
#include "group/rank_sum.h"
#include "inference/row_marks.h"

namespace vtemper {

class TableSum {
 public:
  /// Room for tables of this shape. `all_rows`: also those that no rank has touched.
  /// `chunks`: of chunks, in double.
  void reserve(const TableStatistics::Shape& shape, bool all_rows, bool chunks);
  /// What follows the last local step: the table holds the sum. Cannot fail but for a lost rank.
  void sum(Group& group, RankSum& ranks, const TableStatistics& own);
  /// Gives the sum to the fit. Cannot fail.
  void give(TableStatistics& fit);

  // Of chunks: what follows the local step of each. sum() then adds up those of all ranks.
  void begin_chunks(int64_t chunks);
  void add_chunk(const TableStatistics& own);
  GridSum& grid() { return grid_; }
  const GridSum& grid() const { return grid_; }

 private:
  bool all_rows_ = false, chunks_ = false;
  TableStatistics::Shape shape_{};
  RowMarks marks_;
  Array<int32_t> rows_;  ///< [rows] those that are summed, ascending
  int64_t count_ = 0;
  std::unique_ptr<char[]> numbers_;  ///< [rows x columns] float or double; memory is taken as far as it is written

  // Of chunks.
  GridSum grid_;               ///< [rows x columns]
  RowMarks chunk_marks_;       ///< of one
  Array<int32_t> chunk_rows_;  ///< [rows] likewise

  void take_chunks(int64_t columns);
};

}  // namespace vtemper
