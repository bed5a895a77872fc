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
// Whatever happens to the file while it is in use, its rows are those that were read, or reading more of them is
// Error(IO): see storage/file_contents.h. Replacing the file is harmless, and that is what data_write does.

#include <string>

#include "data/data.h"

namespace vtemper {

constexpr const char* corpus_format = "vtemper.corpus";
constexpr const char* row_fields_text = "row_fields";
constexpr const char* row_text_prefix = "row_text.";
constexpr const char* row_text_offsets_prefix = "row_text_offsets.";
constexpr const char* note_prefix = "note.";

/// Opens in constant time and memory (at most limits.read_at_once) apart from the names; rows are validated when
/// read.
DataPointer open_mapped(const std::string& path, const FileLimits& limits = {});

}  // namespace vtemper
