#pragma once
// The mapped corpus file: a container of format "vtemper.corpus".
//
//   text     rows, columns   sizes, decimal
//   offsets  i64 [rows + 1]  from 0, non-decreasing
//   indices  i32 [entries]   columns from 0, no repeats within a row
//   values   i32, f32 or f64 [entries]   finite, not negative
//   or, for sequences, instead of indices and values
//   symbols  i32 [entries]   from 0, below columns
//   weights  f64 [rows]      if the rows have weights
//   names    u8, name_offsets i64 [columns + 1]   the concatenated names, if the columns have names
//   text     row_fields      names of the fields of row texts, separated by line breaks, if there are any
//   row_text.FIELD u8, row_text_offsets.FIELD i64 [rows + 1]   the texts, each with a zero byte at its end
//   text     note.NAME       notes
//
// A file of more than largest_copied_file bytes must not be truncated while it is mapped. Truncation is detected
// before rows are read (Data::require_whole), but if it happens during a read the process receives SIGBUS. Replacing
// the file is harmless, and that is what data_write does. Smaller files are read into memory when opened.

#include <string>

#include "data/data.h"

namespace vtemper {

constexpr const char* corpus_format = "vtemper.corpus";
constexpr const char* row_fields_text = "row_fields";
constexpr const char* row_text_prefix = "row_text.";
constexpr const char* row_text_offsets_prefix = "row_text_offsets.";
constexpr const char* note_prefix = "note.";

/// Opens in constant time and memory (at most largest_copied_file) apart from the names; rows are validated when
/// read.
DataPointer open_mapped(const std::string& path);

}  // namespace vtemper
