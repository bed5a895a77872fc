#pragma once
// What is fed: sparse counts, dense rows or sequences of symbols, with the names of the columns (words, dimensions,
// symbols) and the weights of the rows.

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

/// Most columns that counts can have: column numbers are 32-bit.
constexpr int64_t most_columns = INT32_MAX;

/// An array of one of the four element types, borrowed; its owner is held by the object around it.
struct TypedArray {
  const void* data = nullptr;
  vtemper_element element = VTEMPER_DOUBLE;

  /// INT32 and INT64 only.
  int64_t integer(int64_t i) const {
    return element == VTEMPER_INT32 ? static_cast<const int32_t*>(data)[i] : static_cast<const int64_t*>(data)[i];
  }
  double real(int64_t i) const;
};

/// Sparse counts compressed by rows (documents). What was borrowed is used as it was handed in: no element is
/// converted or copied.
class Counts {
 public:
  int64_t rows = 0;
  int64_t columns = 0;                ///< at most most_columns
  int64_t entries = 0;                ///< stored ones, zeros included
  int64_t first_entry = 0;            ///< where the rows' entries begin in the arrays; not 0 in slices only
  TypedArray offsets;                 ///< [rows + 1], INT32 or INT64, from index_base + first_entry
  TypedArray indices;                 ///< [first_entry + entries], INT32 or INT64, from index_base
  TypedArray values;                  ///< [first_entry + entries], any element type
  int64_t index_base = 0;             ///< 0 or 1
  std::shared_ptr<const void> owner;  ///< keeps the arrays: own copy, mapping or the caller's release hook
  std::string source;                 ///< the mapped file's name; "" where everything was checked on the way in

  /// Stored entries of a row, zeros included (an upper bound of what read_row gives). Error(FORMAT) where the offsets
  /// of a mapped file leave the array or fall.
  int64_t row_length(int64_t row) const;

  /// Brings the offsets of a row nearer to the processor, and then its entries (of a row that is in range): rows of a
  /// large corpus that are read in any order would wait for memory one by one.
  void prefetch_offsets(int64_t row) const;
  void prefetch_entries(int64_t row) const;

  /// The row's positive counts: columns (from 0) and values. Returns how many. Error(FORMAT) where a mapped file
  /// holds an index out of range or a value that is no count; Error(DATA) where a count is too large for Real (float
  /// or double), or borrowed arrays were changed.
  template <class Real>
  int64_t read_row(int64_t row, int32_t* columns_out, Real* values_out) const;

  /// Calls visit(column, count) for each positive count of the row, in the order they are stored; count is a double.
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
  /// The positive ones among the stored entries [first, first + length) of a row.
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

/// Sequences of symbols, one behind the other; a row is a sequence, a column a symbol of the alphabet. What was
/// borrowed is used as it was handed in.
class Sequences {
 public:
  int64_t rows = 0;
  int64_t columns = 0;                ///< size of the alphabet, at most most_columns
  int64_t entries = 0;                ///< symbols of all sequences
  int64_t first_entry = 0;            ///< where they begin in the array; not 0 in slices only
  TypedArray offsets;                 ///< [rows + 1], INT32 or INT64, from index_base + first_entry
  TypedArray symbols;                 ///< [first_entry + entries], INT32 or INT64, from index_base
  int64_t index_base = 0;             ///< 0 or 1
  std::shared_ptr<const void> owner;  ///< keeps the arrays: own copy, mapping or the caller's release hook
  std::string source;                 ///< the mapped file's name; "" where everything was checked on the way in

  /// Symbols of a sequence; may be 0. Error(FORMAT) where the offsets of a mapped file leave the array or fall.
  int64_t row_length(int64_t row) const;

  /// The row's symbols, from 0, in their order: out [row_length]. Returns how many. Error(FORMAT) where a mapped file
  /// holds a symbol outside the alphabet; Error(DATA) where borrowed arrays were changed.
  int64_t read_row(int64_t row, int32_t* out) const;
};

/// The names of the columns: distinct, not empty, valid UTF-8 without zero bytes.
using Names = std::vector<std::string>;

class Data;

/// Which rows of a corpus that is divided over machines the data are.
struct Part {
  int64_t first = 0;                   ///< place of the first row in the corpus
  int64_t rows = 0;                    ///< of the corpus; 0: the data are no part
  std::shared_ptr<const Data> corpus;  ///< where this machine has it too, since the part was sliced from it
};

/// Immutable but for names, weights, row texts, notes and part, which are set before a fit.
class Data {
 public:
  std::optional<Counts> counts;  ///< exactly one of the three
  std::optional<Dense> dense;
  std::optional<Sequences> sequences;
  std::shared_ptr<const Names> names;           ///< NULL where the columns have none
  std::shared_ptr<const double> weights;        ///< [rows]; NULL: every row counts once
  RowTextFields row_texts;                      ///< texts of the rows, by field
  Notes notes;                                  ///< texts of the whole
  std::shared_ptr<const ContainerReader> file;  ///< the mapped file behind them; NULL where there is none
  std::shared_ptr<const Data> whole;            ///< of a slice, as it was then; NULL: it is none
  int64_t first_row = 0;                        ///< number of the first row, which draws and splits are keyed by,
  int64_t numbered_rows = 0;                    ///< in a whole of so many rows; 0: rows()
  Part part;
  std::shared_ptr<Group> group;  ///< whose ranks have the other parts; NULL where the data are not spread

  int64_t rows_numbered() const { return numbered_rows > 0 ? numbered_rows : rows(); }
  /// Rows of the whole corpus.
  int64_t corpus_rows() const { return part.rows > 0 ? part.rows : rows(); }
  /// The rows are those of `from`, in their order.
  void keep_numbers(const Data& from) {
    first_row = from.first_row;
    numbered_rows = from.numbered_rows;
    part = {from.part.first, from.part.rows, nullptr};
    group = from.group;
  }
  int64_t rows() const { return counts ? counts->rows : dense ? dense->rows : sequences->rows; }
  int64_t columns() const { return counts ? counts->columns : dense ? dense->columns : sequences->columns; }
  /// Stored counts, values of dense rows with the missing ones, symbols.
  int64_t entries() const {
    return counts ? counts->entries : dense ? dense->rows * dense->columns : sequences->entries;
  }
  vtemper_data_form form() const { return counts ? VTEMPER_COUNTS : dense ? VTEMPER_DENSE : VTEMPER_SEQUENCES; }

  /// Error(IO) where a mapped file was cut short; asked before a stretch of rows is read.
  void require_whole() const;

  /// Error(FORMAT) where a mapped file holds a weight that is not finite or negative.
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

// Making data. Every function validates and throws Error: ARGUMENT (sizes, shares, row numbers), DATA (the first
// offending row and column), FORMAT (a damaged file), IO, STATE and UNSUPPORTED as the public header says.

/// Compressed arrays as a caller hands them in.
struct CountsArrays {
  vtemper_layout layout = VTEMPER_BY_ROWS;
  int64_t rows = 0, columns = 0;
  TypedArray offsets, indices, values;
  int64_t index_base = 0;
};

/// `owner` NULL: copies. By columns the matrix is transposed into an own copy and `owner` is not kept.
DataPointer data_from_counts(const CountsArrays& arrays, std::shared_ptr<const void> owner);
/// `copy`: into a contiguous array; else dense.owner is kept.
DataPointer data_from_dense(const Dense& dense, bool copy);

/// Sequences as a caller hands them in.
struct SequenceArrays {
  int64_t rows = 0, columns = 0;
  TypedArray offsets, symbols;
  int64_t index_base = 0;
};

/// `owner` NULL: copies.
DataPointer data_from_sequences(const SequenceArrays& arrays, std::shared_ptr<const void> owner);

/// Reads a file; `format` as in vtemper_data_read.
DataPointer data_read(const std::string& path, const std::string& format);
/// Writes rows of any form, names and weights as a mapped file.
void data_write(const Data& data, const std::string& path);
/// Mapped files: compares the checksum and checks every row and weight. Others were checked on the way in.
void data_verify(const Data& data);

/// Bytes of the arrays in memory; a mapped file takes none.
double data_memory(const Data& data);
/// Sum of all counts, or of all values that are not missing; number of symbols.
double data_total(const Data& data);
/// Sum of the rows' weights.
double data_weight(const Data& data);
void data_set_names(Data& data, Names names);
void data_set_weights(Data& data, const std::vector<double>& weights);
/// Weights as Data holds them.
std::shared_ptr<const double> own_weights(std::vector<double> weights);

struct Aligned {
  DataPointer data;
  double unknown_tokens;
};
/// Columns become those of the reference, in its order; each row's entries ascend. Error(DATA) for a symbol of a
/// sequence that the reference lacks: without it another sequence would be left.
Aligned data_align(const Data& data, const Names& reference);
DataPointer data_select(const Data& data, const int64_t* rows, int64_t count);
/// Rows first .. first + count without a copy; they keep their numbers.
DataPointer data_slice(const Data& data, int64_t first, int64_t count);
/// The rows are a part of a corpus of `corpus_rows` rows, from its row `first_row` on; all of it: they are no part.
void data_set_part(Data& data, int64_t first_row, int64_t corpus_rows);

/// The rows of all ranks of a group are one corpus (spread.cpp); collective.
DataPointer data_spread(const Data& own, std::shared_ptr<Group> group);
/// Rows of the whole corpus of spread data, on every rank the same: all of at most `most_rows`, else as many spread
/// evenly over it, with weights that make up for the others. Collective.
DataPointer data_sample(const Data& spread, int64_t most_rows);

/// Refuses a share that does not lie between 0 and 1 (ARGUMENT).
void require_share(double share);

struct DataPair {
  DataPointer first, second;
};
DataPair data_split(const Data& data, double share, uint64_t seed);
/// first: observed, second: held out.
DataPair data_split_counts(const Data& data, double share, uint64_t seed);

}  // namespace vtemper
