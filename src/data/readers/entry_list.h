#pragma once
// Entries of a file that lists them one a line as row, column and count, numbered from 1, behind a header with the
// sizes.

#include "data/data_builder.h"
#include "data/readers/scanner.h"

namespace vtemper {

class EntryList {
 public:
  /// Refuses (DATA) sizes that cannot be. The scanner stands in the header and is kept for messages.
  EntryList(const Scanner& scanner, DataBuilder& data, int64_t rows, int64_t columns, int64_t announced);

  /// Adds an entry of the scanner's line; row and column from 1. Any order of rows will do. While they do not fall,
  /// no more memory is needed than for the builder; then all entries are needed in memory. Refuses (DATA) an entry
  /// that comes twice, when its row ends or all are there.
  void add(int64_t row, int64_t column, double count);

  /// Refuses a list that is shorter than announced (FORMAT).
  void finish();

 private:
  void check(int64_t row, int64_t column, double count) const;
  /// Refuses a file that is mostly empty rows: it could make us allocate whatever it likes.
  void require_plausible(int64_t rows) const;
  void close_rows(int64_t count);
  void close_row();
  /// The first fall: from here on each entry's row is noted.
  void note_rows();
  template <class Value>
  Counts gather() const;
  void require_distinct(const Counts& counts) const;

  const Scanner& scanner_;
  DataBuilder& data_;
  CountsBuilder& builder_;
  int64_t rows_, columns_, announced_;
  bool is_ascending_ = true;      ///< no entry's row was below the one before; the builder closes rows as they end
  Buffer<int64_t> row_of_entry_;  ///< of all entries, once rows fell; the builder then has one open row
  int64_t first_line_ = 0, last_line_ = 0;  ///< of the entries
};

}  // namespace vtemper
