#pragma once
// Sequences of symbols: one form of data.

#include <cstdint>
#include <memory>
#include <string>

#include "data/typed_array.h"

namespace vtemper {

/// Sequences of symbols, concatenated; a row is a sequence, a column a symbol of the alphabet. Borrowed arrays are
/// used in place.
class Sequences {
 public:
  static constexpr vtemper_data_form form = VTEMPER_SEQUENCES;
  static constexpr const char* name = "sequences";  ///< in messages
  static constexpr const char* made_by = "vtemper_data_from_sequences";

  int64_t rows = 0;
  int64_t columns = 0;                ///< size of the alphabet, at most max_columns
  int64_t entries = 0;                ///< total number of symbols
  int64_t first_entry = 0;            ///< position of the first one in the array; non-zero only in slices
  TypedArray offsets;                 ///< [rows + 1], INT32 or INT64, starting at index_base + first_entry
  TypedArray symbols;                 ///< [first_entry + entries], INT32 or INT64, starting at index_base
  int64_t index_base = 0;             ///< 0 or 1
  std::shared_ptr<const void> owner;  ///< keeps the arrays alive: own copy, mapping or the caller's release hook
  std::string source;                 ///< the mapped file's name; "" if everything was validated on input

  /// Number of symbols.
  int64_t elements() const { return entries; }

  /// Length of a sequence; may be 0. Error(FORMAT) if the offsets of a mapped file are out of range or decreasing.
  int64_t row_length(int64_t row) const;

  /// The row's symbols, from 0, in order: out [length]. `length`: the result of row_length; the row may have changed
  /// since. Error(FORMAT) if a mapped file holds a symbol outside the alphabet, or was changed; Error(DATA) if
  /// borrowed arrays were changed.
  void read_row(int64_t row, int64_t length, int32_t* out) const;
};

}  // namespace vtemper
