#pragma once
// Training data: sparse counts, dense rows or sequences of symbols, with names of the columns (words, dimensions,
// symbols) and weights of the rows.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vtemper/vtemper.h>

#include "data/row_texts.h"

namespace vtemper {

class ContainerReader;
class Group;

/// Maximum number of columns of counts: column indices are 32-bit.
constexpr int64_t most_columns = INT32_MAX;

/// A borrowed array of one of the four element types; the enclosing object holds the owner.
struct TypedArray {
  const void* data = nullptr;
  vtemper_element element = VTEMPER_DOUBLE;

  /// INT32 and INT64 only.
  int64_t integer(int64_t i) const {
    return element == VTEMPER_INT32 ? static_cast<const int32_t*>(data)[i] : static_cast<const int64_t*>(data)[i];
  }
  double real(int64_t i) const;
};

/// Sparse counts in compressed row storage (rows are documents). Borrowed arrays are used in place, without
/// conversion or copies.
class Counts {
 public:
  int64_t rows = 0;
  int64_t columns = 0;                ///< at most most_columns
  int64_t entries = 0;                ///< stored entries, including zeros
  int64_t first_entry = 0;            ///< position of the rows' entries in the arrays; non-zero only in slices
  TypedArray offsets;                 ///< [rows + 1], INT32 or INT64, starting at index_base + first_entry
  TypedArray indices;                 ///< [first_entry + entries], INT32 or INT64, starting at index_base
  TypedArray values;                  ///< [first_entry + entries], any element type
  int64_t index_base = 0;             ///< 0 or 1
  std::shared_ptr<const void> owner;  ///< keeps the arrays alive: own copy, mapping or the caller's release hook
  std::string source;                 ///< the mapped file's name; "" if everything was validated on input

  /// Stored entries of a row including zeros, an upper bound on the result of read_row. Error(FORMAT) if the offsets
  /// of a mapped file are out of range or decreasing.
  int64_t row_length(int64_t row) const;

  /// Prefetches the offsets of a row, and then its entries (the row must be in range): random access to a large
  /// corpus would otherwise wait for memory row by row.
  void prefetch_offsets(int64_t row) const;
  void prefetch_entries(int64_t row) const;

  /// The row's positive counts: columns (from 0) and values. Returns their number. Error(FORMAT) if a mapped file
  /// holds an index out of range or an invalid count; Error(DATA) if a count is too large for Real (float or double),
  /// or borrowed arrays were changed.
  template <class Real>
  int64_t read_row(int64_t row, int32_t* columns_out, Real* values_out) const;

  /// Calls visit(column, count) for each positive count of the row, in storage order; count is a double.
  template <class Visit>
  void visit_row(int64_t row, const Visit& visit) const {
    constexpr int64_t most = 128;
    int32_t columns_here[most];
    double values_here[most];
    const int64_t length = row_length(row);
    for (int64_t first = 0; first < length; first += most) {
      const int64_t read = read_part(row, first, std::min(length - first, most), columns_here, values_here);
      for (int64_t i = 0; i < read; ++i) visit(columns_here[i], values_here[i]);
    }
  }

 private:
  /// The positive entries among the stored ones [first, first + length) of a row.
  template <class Real>
  int64_t read_part(int64_t row, int64_t first, int64_t length, int32_t* columns_out, Real* values_out) const;
};

/// Dense rows with strides in elements, FLOAT or DOUBLE; NaN = missing.
class Dense {
 public:
  int64_t rows = 0;
  int64_t columns = 0;
  TypedArray values;
  int64_t row_stride = 0;
  int64_t column_stride = 0;
  std::shared_ptr<const void> owner;
  double at(int64_t row, int64_t column) const { return values.real(row * row_stride + column * column_stride); }
};

/// Sequences of symbols, concatenated; a row is a sequence, a column a symbol of the alphabet. Borrowed arrays are
/// used in place.
class Sequences {
 public:
  int64_t rows = 0;
  int64_t columns = 0;                ///< size of the alphabet, at most most_columns
  int64_t entries = 0;                ///< total number of symbols
  int64_t first_entry = 0;            ///< position of the first one in the array; non-zero only in slices
  TypedArray offsets;                 ///< [rows + 1], INT32 or INT64, starting at index_base + first_entry
  TypedArray symbols;                 ///< [first_entry + entries], INT32 or INT64, starting at index_base
  int64_t index_base = 0;             ///< 0 or 1
  std::shared_ptr<const void> owner;  ///< keeps the arrays alive: own copy, mapping or the caller's release hook
  std::string source;                 ///< the mapped file's name; "" if everything was validated on input

  /// Length of a sequence; may be 0. Error(FORMAT) if the offsets of a mapped file are out of range or decreasing.
  int64_t row_length(int64_t row) const;

  /// The row's symbols, from 0, in order: out [row_length]. Returns their number. Error(FORMAT) if a mapped file
  /// holds a symbol outside the alphabet; Error(DATA) if borrowed arrays were changed.
  int64_t read_row(int64_t row, int32_t* out) const;
};

/// Column names: distinct, not empty, valid UTF-8 without zero bytes.
using Names = std::vector<std::string>;

class Data;

/// The rows held by this machine, of a corpus that is distributed over several.
struct Part {
  int64_t first = 0;                   ///< index of the first row in the corpus
  int64_t rows = 0;                    ///< of the corpus; 0: not distributed
  std::shared_ptr<const Data> corpus;  ///< the whole corpus, if this machine has it because the part is a slice of it
};

/// Immutable except for names, weights, row texts, notes and part, which are set before a fit.
class Data {
 public:
  std::optional<Counts> counts;  ///< exactly one of these three
  std::optional<Dense> dense;
  std::optional<Sequences> sequences;
  std::shared_ptr<const Names> names;           ///< NULL if the columns are unnamed
  std::shared_ptr<const double> weights;        ///< [rows]; NULL: all weights are 1
  RowTextFields row_texts;                      ///< texts of rows, by field
  Notes notes;                                  ///< notes about the whole data set
  std::shared_ptr<const ContainerReader> file;  ///< the underlying mapped file; NULL if none
  std::shared_ptr<const Data> whole;            ///< the data this was sliced from, as they were then; NULL: not a
                                                ///< slice
  int64_t first_row = 0;                        ///< number of the first row, the key of random draws and splits,
  int64_t numbered_rows = 0;                    ///< among this many numbered rows; 0: rows()
  Part part;
  std::shared_ptr<Group> group;  ///< whose ranks have the other parts; NULL where the data are not spread

  int64_t rows_numbered() const { return numbered_rows > 0 ? numbered_rows : rows(); }
  /// Number of rows of the whole corpus.
  int64_t corpus_rows() const { return part.rows > 0 ? part.rows : rows(); }
  /// Takes over the row numbers of `from`, which has the same rows in the same order.
  void keep_numbers(const Data& from) {
    first_row = from.first_row;
    numbered_rows = from.numbered_rows;
    part = {from.part.first, from.part.rows, nullptr};
    group = from.group;
  }
  int64_t rows() const { return counts ? counts->rows : dense ? dense->rows : sequences->rows; }
  int64_t columns() const { return counts ? counts->columns : dense ? dense->columns : sequences->columns; }
  /// Number of stored counts, of dense values including missing ones, or of symbols.
  int64_t entries() const {
    return counts ? counts->entries : dense ? dense->rows * dense->columns : sequences->entries;
  }
  vtemper_data_form form() const { return counts ? VTEMPER_COUNTS : dense ? VTEMPER_DENSE : VTEMPER_SEQUENCES; }

  /// Error(IO) if a mapped file was truncated; checked before each row range is read.
  void require_whole() const;

  /// Error(FORMAT) if a mapped file holds a weight that is negative or not finite.
  double weight(int64_t row) const {
    if (!weights) return 1.0;
    const double weight = weights.get()[row];
    if (!(weight >= 0 && std::isfinite(weight))) refuse_weight(row, weight);
    return weight;
  }

 private:
  [[noreturn]] void refuse_weight(int64_t row, double weight) const;
};

using DataPointer = std::shared_ptr<Data>;

// Constructing data. Every function validates and throws Error: ARGUMENT (sizes, shares, row numbers), DATA (the
// first offending row and column), FORMAT (a damaged file), IO, STATE and UNSUPPORTED as in the public header.

/// Compressed arrays as passed by the caller.
struct CountsArrays {
  vtemper_layout layout = VTEMPER_BY_ROWS;
  int64_t rows = 0, columns = 0;
  TypedArray offsets, indices, values;
  int64_t index_base = 0;
};

/// Copies if `owner` is NULL. Compressed columns are transposed into an own copy, and `owner` is not kept.
DataPointer data_from_counts(const CountsArrays& arrays, std::shared_ptr<const void> owner);
/// `copy`: into a contiguous array; otherwise dense.owner is kept.
DataPointer data_from_dense(const Dense& dense, bool copy);

/// Sequences as passed by the caller.
struct SequenceArrays {
  int64_t rows = 0, columns = 0;
  TypedArray offsets, symbols;
  int64_t index_base = 0;
};

/// Copies if `owner` is NULL.
DataPointer data_from_sequences(const SequenceArrays& arrays, std::shared_ptr<const void> owner);

/// Reads a file; `format` as in vtemper_data_read.
DataPointer data_read(const std::string& path, const std::string& format);
/// The rows of one of several ranges of a text file's bytes, as vtemper_data_read_part.
DataPointer data_read_part(const std::string& path, const std::string& format, int32_t part, int32_t parts);
/// Writes rows of any form, with names and weights, as a mapped file.
void data_write(const Data& data, const std::string& path);
/// Reads a file and writes it as a mapped file, by way of temporary files beside that: the file that data_write
/// writes of what data_read reads. Names as in DataBuilder::write.
void data_convert(const std::string& path, const std::string& format, Names names, const std::string& out_path);
/// Mapped files: verifies the checksum and every row and weight. Other data were validated on input.
void data_verify(const Data& data);

/// Size of the arrays in memory, in bytes; 0 for a mapped file.
double data_memory(const Data& data);
/// Sum of all counts or of all non-missing values; number of symbols.
double data_total(const Data& data);
/// Sum of the row weights.
double data_weight(const Data& data);
void data_set_names(Data& data, Names names);
void data_set_weights(Data& data, const std::vector<double>& weights);
/// Weights in the form that Data stores.
std::shared_ptr<const double> own_weights(std::vector<double> weights);

struct Aligned {
  DataPointer data;
  double unknown_tokens;
};
/// Maps columns to those of the reference, in its order; each row's entries ascend. Error(DATA) for a symbol of a
/// sequence that the reference lacks, because dropping it would change the sequence.
Aligned data_align(const Data& data, const Names& reference);
DataPointer data_select(const Data& data, const int64_t* rows, int64_t count);
/// Rows first .. first + count without a copy; they keep their row numbers.
DataPointer data_slice(const Data& data, int64_t first, int64_t count);
/// Declares the rows a part of a corpus of `corpus_rows` rows, starting at its row `first_row`; if they are all of
/// it, they are not a part.
void data_set_part(Data& data, int64_t first_row, int64_t corpus_rows);

/// The rows of all ranks of a group are one corpus (spread.cpp); collective.
DataPointer data_spread(const Data& own, std::shared_ptr<Group> group);
/// Rows of the whole corpus of spread data, on every rank the same: all of at most `most_rows`, else as many spread
/// evenly over it, with weights that make up for the others. Collective.
DataPointer data_sample(const Data& spread, int64_t most_rows);

/// Error(ARGUMENT) for a share outside (0, 1).
void require_share(double share);

struct DataPair {
  DataPointer first, second;
};
DataPair data_split(const Data& data, double share, uint64_t seed);
/// first: observed, second: held out.
DataPair data_split_counts(const Data& data, double share, uint64_t seed);

}  // namespace vtemper
