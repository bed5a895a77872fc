#pragma once
// Training data: sparse counts, dense rows or sequences of symbols, with names of the columns (words, dimensions,
// symbols) and weights of the rows.

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <vtemper/vtemper.h>

#include "data/counts.h"
#include "data/dense.h"
#include "data/row_texts.h"
#include "data/sequences.h"

namespace vtemper {

class ContainerReader;
class Group;

/// Column names: distinct, not empty, valid UTF-8 without zero bytes.
using Names = std::vector<std::string>;

class Data;

/// The rows held by this machine, of a corpus that is distributed over several machines.
struct Part {
  int64_t first = 0;                   ///< index of the first row in the corpus
  int64_t rows = 0;                    ///< of the corpus; 0: not distributed
  std::shared_ptr<const Data> corpus;  ///< the whole corpus, if this machine has it because the part is a slice of it
  double row_length = 0;               ///< mean number of stored entries of the corpus's rows; 0: unknown
};

/// The rows, in one of the three forms.
using Observations = std::variant<Counts, Dense, Sequences>;

/// [rows], or empty.
struct RowWeights {
  std::shared_ptr<const double> values;
  const FileContents* contents = nullptr;  ///< not NULL if the values are in this file
  explicit operator bool() const { return values != nullptr; }
};

/// Immutable except for names, weights, row texts, notes and part, which are set before a fit.
class Data {
 public:
  explicit Data(Observations rows) : observations(std::move(rows)) {}

  Observations observations;
  std::shared_ptr<const Names> names;           ///< NULL if the columns are unnamed
  RowWeights weights;                           ///< empty: all weights are 1
  RowTextFields row_texts;                      ///< texts of rows, by field
  Notes notes;                                  ///< notes about the whole data set
  std::shared_ptr<const ContainerReader> file;  ///< the underlying mapped file; NULL if none
  std::shared_ptr<const Data> whole;            ///< for a slice: the original data, as they were when
                                                ///< it was made; otherwise NULL
  int64_t first_row = 0;                        ///< number of the first row, the key of random draws and splits,
  int64_t numbered_rows = 0;                    ///< among this many numbered rows; 0: rows()
  Part part;
  std::shared_ptr<Group> group;  ///< the group whose ranks hold the other parts; NULL if the data are not spread

  int64_t rows_numbered() const { return numbered_rows > 0 ? numbered_rows : rows(); }
  /// Number of rows of the whole corpus.
  int64_t corpus_rows() const { return part.rows > 0 ? part.rows : rows(); }
  /// Takes over the row numbers of `from`, which has the same rows in the same order.
  void keep_numbers(const Data& from) {
    first_row = from.first_row;
    numbered_rows = from.numbered_rows;
    part = {from.part.first, from.part.rows, nullptr, from.part.row_length};
    group = from.group;
  }
  int64_t rows() const {
    return std::visit([](const auto& rows) { return rows.rows; }, observations);
  }
  int64_t columns() const {
    return std::visit([](const auto& rows) { return rows.columns; }, observations);
  }
  /// Number of stored counts, of dense values including missing ones, or of symbols.
  int64_t entries() const {
    return std::visit([](const auto& rows) { return rows.elements(); }, observations);
  }
  /// Mean number of stored entries of a row of the whole corpus; 0 if only a part of it is known.
  double known_row_length() const {
    if (part.row_length > 0) return part.row_length;
    if (part.rows > 0 && !part.corpus) return 0;
    return (part.corpus ? *part.corpus : *this).own_row_length();
  }
  /// The same; of the rows of these data if that is unknown.
  double corpus_row_length() const {
    const double known = known_row_length();
    return known > 0 ? known : own_row_length();
  }
  vtemper_data_form form() const {
    return std::visit([](const auto& rows) { return rows.form; }, observations);
  }
  /// Name of the form, in messages.
  const char* form_name() const {
    return std::visit([](const auto& rows) { return rows.name; }, observations);
  }

  template <class Form>
  bool is() const {
    return std::holds_alternative<Form>(observations);
  }
  // The rows in a form that was checked before: by is(), or when the data entered a model (require_form).
  const Counts& counts() const { return std::get<Counts>(observations); }
  const Dense& dense() const { return std::get<Dense>(observations); }
  const Sequences& sequences() const { return std::get<Sequences>(observations); }

  /// Error(FORMAT) if a mapped file holds a weight that is negative or not finite.
  double weight(int64_t row) const {
    if (!weights) return 1.0;
    Spare spare;
    const double weight = *read_at(weights.contents, weights.values.get() + row, 1, spare);
    if (!(weight >= 0 && std::isfinite(weight))) refuse_weight(row, weight);
    return weight;
  }

 private:
  double own_row_length() const {
    return static_cast<double>(entries()) / static_cast<double>(std::max<int64_t>(rows(), 1));
  }
  [[noreturn]] void refuse_weight(int64_t row, double weight) const;
};

using DataPointer = std::shared_ptr<Data>;

/// The rows, for a model that takes only this form. Error(UNSUPPORTED) if they have another form; its message is
/// `what` and the function that creates data of the required form.
template <class Form, class... What>
const Form& require_form(const Data& data, const What&... what) {
  if (const Form* rows = std::get_if<Form>(&data.observations)) return *rows;
  throw Error(VTEMPER_ERROR_UNSUPPORTED, message(what..., " (see ", Form::made_by, ")"));
}

// Constructing data. Every function validates and throws Error: ARGUMENT (sizes, shares, row numbers), DATA (the
// first offending row and column), FORMAT (a damaged file), IO, STATE and UNSUPPORTED as in the public header.

/// Compressed arrays as passed by the caller.
struct CountsArrays {
  vtemper_layout layout = VTEMPER_BY_ROWS;
  int64_t rows = 0, columns = 0;
  TypedArray offsets, indices, values;
  int64_t index_base = 0;
};

/// Copies if `owner` is NULL. Compressed columns are transposed into a copy, and `owner` is not kept.
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
/// Reads a file and writes it as a mapped file, using temporary files in the same folder. The result is the same as
/// that of data_read and data_write. Names as in DataBuilder::write.
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
/// The part of their checks that does not read the arrays.
void check_name_count(const Data& data, int64_t count);
void check_weight_count(const Data& data, int64_t count);
/// RowWeights in the form that Data stores.
RowWeights own_weights(std::vector<double> weights);

struct Aligned {
  DataPointer data;
  double unknown_tokens;
};
/// Maps columns to those of the reference, in its order; each row's entries ascend. Error(DATA) for a symbol of a
/// sequence that the reference lacks, because dropping it would change the sequence.
Aligned data_align(const Data& data, const Names& reference);
DataPointer data_select(const Data& data, const int64_t* rows, int64_t count);
/// Place i of `count` rows that are spread evenly over `rows` rows.
inline int64_t spread_row(int64_t i, int64_t rows, int64_t count) {
  return static_cast<int64_t>(static_cast<double>(i) * (static_cast<double>(rows) / static_cast<double>(count)));
}
/// Rows first .. first + count without a copy; they keep their row numbers.
DataPointer data_slice(const Data& data, int64_t first, int64_t count);
/// Declares the rows to be a part of a corpus of `corpus_rows` rows, starting at its row `first_row`; if they are the
/// whole corpus, they are not a part.
void data_set_part(Data& data, int64_t first_row, int64_t corpus_rows);

/// Combines the rows of all ranks of a group into one corpus that is spread over them (spread.cpp). Collective.
DataPointer data_spread(const Data& own, std::shared_ptr<Group> group);
/// Rows of the whole corpus of spread data, the same on every rank: all rows if there are at most `max_rows`,
/// otherwise `max_rows` rows spread evenly over the corpus, with weights that compensate for the rest. Collective.
DataPointer data_sample(const Data& spread, int64_t max_rows);

/// Error(ARGUMENT) for a share outside (0, 1).
void require_share(double share);

struct DataPair {
  DataPointer first, second;
};
DataPair data_split(const Data& data, double share, uint64_t seed);
/// first: observed, second: held out.
DataPair data_split_counts(const Data& data, double share, uint64_t seed);

}  // namespace vtemper
