#pragma once
// Entries of a file with a header of sizes and one entry (row, column, count) per line, indices from 1.

#include "data/data_builder.h"
#include "data/readers/scanner.h"

namespace vtemper {

class EntryList {
 public:
  /// Error(DATA) for invalid sizes. The scanner is positioned in the header; it is kept for error messages.
  EntryList(const Scanner& scanner, DataBuilder& data, int64_t rows, int64_t columns, int64_t announced);

  /// Adds an entry of the scanner's line; row and column from 1. Rows may come in any order. As long as they do not
  /// decrease, the builder needs no additional memory; otherwise all entries are held in memory. Error(DATA) for a
  /// duplicate entry, when its row ends or after the last entry.
  void add(int64_t row, int64_t column, double count);

  /// Error(FORMAT) if there are fewer entries than the header says.
  void finish();

 private:
  void check(int64_t row, int64_t column, double count) const;
  /// Refuses a file with mostly empty rows, which could request any amount of memory.
  void require_plausible(int64_t rows) const;
  void close_rows(int64_t count);
  void close_row();
  /// Called when the row index first decreases: from here on the row of each entry is stored.
  void note_rows();
  template <class Value>
  Counts gather() const;
  void require_distinct(const Counts& counts) const;

  const Scanner& scanner_;
  DataBuilder& data_;
  CountsBuilder& builder_;
  int64_t rows_, columns_, announced_;
  bool is_ascending_ = true;      ///< rows have not decreased so far; the builder closes each row at its end
  Buffer<int64_t> row_of_entry_;  ///< of all entries, once rows decreased; the builder then has one open row
  int64_t first_line_ = 0, last_line_ = 0;  ///< of the entries
};

}  // namespace vtemper
