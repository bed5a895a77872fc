#pragma once
// Sums over ranks of statistics that are a table of which a step touches few rows: sums of the rows that any rank has
// touched, or of all rows. If a rank does several local steps, the chunks of a step, it combines them.

#include <memory>

#include "group/grid_sum.h"
#include "group/rank_sum.h"
#include "inference/row_marks.h"

namespace vtemper {

class TableSum {
 public:
  /// Reserves memory for tables of this shape. `all_rows`: also sums rows that no rank has touched. `chunks`: sums
  /// chunks, in double.
  void reserve(const TableStatistics::Shape& shape, bool all_rows, bool chunks);
  /// Called after the last local step; the table then holds the sum. Can fail only if a rank is lost.
  void sum(Group& group, RankSum& ranks, const TableStatistics& own);
  /// Gives the sum to the fit. Cannot fail.
  void give(TableStatistics& fit);

  // For chunks: add_chunk is called after the local step of each; sum() then adds up the chunks of all ranks.
  void begin_chunks(int64_t chunks);
  void add_chunk(const TableStatistics& own);
  GridSum& grid() { return grid_; }
  const GridSum& grid() const { return grid_; }

 private:
  bool all_rows_ = false, chunks_ = false;
  TableStatistics::Shape shape_{};
  RowMarks marks_;
  Array<int32_t> rows_;  ///< [rows] rows that are summed, ascending
  int64_t count_ = 0;
  /// [rows x columns] float or double; uninitialised, so the system provides memory only for what is written
  std::unique_ptr<char[]> numbers_;

  // Used for chunks.
  GridSum grid_;               ///< [rows x columns]
  RowMarks chunk_marks_;       ///< rows of one chunk
  Array<int32_t> chunk_rows_;  ///< [rows] rows of one chunk

  void take_chunks(int64_t columns);
};

}  // namespace vtemper
