// Opening and verifying the mapped corpus file.

#include <algorithm>
#include <cmath>

#include "data/mapped/mapped.h"
#include "data/names.h"
#include "data/repeats.h"
#include "data/typed_array.h"
#include "storage/container.h"
#include "support/interruption.h"

namespace vtemper {
namespace {

[[noreturn]] void refuse(const ContainerReader& file, const std::string& reason) {
  throw Error(VTEMPER_ERROR_FORMAT, message(file.name(), ": ", reason));
}

int64_t size_of(const ContainerReader& file, const char* name, int64_t most) {
  const auto size = parse_integer(file.text(name));
  if (!size || *size < 0 || *size > most) {
    refuse(file, message("the number of ", name, " is '", file.text(name), "'; it must lie between 0 and ", most));
  }
  return *size;
}

/// The address of the array, which must have the given number of elements. It is not read.
const void* array_of(const ContainerReader& file, const char* name, Element element, int64_t size) {
  const Tensor& tensor = file.unread_tensor(name, element, 1);
  if (tensor.count() != size) {
    refuse(file, message(name, " has ", tensor.count(), " elements; it must have ", size));
  }
  if (reinterpret_cast<uintptr_t>(tensor.data) % static_cast<uintptr_t>(element_size(element)) != 0) {
    refuse(file, message(name, " does not begin at a multiple of its element size"));
  }
  return tensor.data;
}

TypedArray values_of(const ContainerReader& file, int64_t entries) {
  constexpr std::pair<Element, vtemper_element> types[] = {
      {Element::i32, VTEMPER_INT32}, {Element::f32, VTEMPER_FLOAT}, {Element::f64, VTEMPER_DOUBLE}};
  for (const auto& [stored, element] : types) {
    if (!file.has_tensor("values", stored)) continue;
    return {array_of(file, "values", stored, entries), element, file.unread()};
  }
  refuse(file, "values is missing or of an element type other than I32, F32 and F64");
}

/// Common to counts and sequences: sizes, and offsets over `entries`.
template <class Rows>
void read_rows_of(const ContainerReader& file, int64_t entries, Rows& rows) {
  constexpr int64_t max_rows = INT64_MAX / 8 - 1;
  rows.rows = size_of(file, "rows", max_rows);
  rows.columns = size_of(file, "columns", max_columns);
  rows.entries = entries;
  rows.offsets = {array_of(file, "offsets", Element::i64, rows.rows + 1), VTEMPER_INT64, file.unread()};
  const int64_t first = rows.offsets.integer(0), last = rows.offsets.integer(rows.rows);
  if (first != 0 || last != entries) {
    refuse(file, message("the offsets go from ", first, " to ", last,
                         "; they must go from 0 to the number of entries, ", entries));
  }
  rows.owner = file.owner();
  rows.source = file.name();
}

Counts counts_of(const ContainerReader& file) {
  Counts counts;
  read_rows_of(file, file.unread_tensor("indices", Element::i32, 1).count(), counts);
  counts.indices = {array_of(file, "indices", Element::i32, counts.entries), VTEMPER_INT32, file.unread()};
  counts.values = values_of(file, counts.entries);
  return counts;
}

Dense dense_of(const ContainerReader& file) {
  Dense dense;
  const bool single = file.has_tensor("values", Element::f32);
  const Element element = single ? Element::f32 : Element::f64;
  const Tensor& values = file.unread_tensor("values", element, 2);
  constexpr int64_t max_rows = INT64_MAX / 8 - 1;
  dense.rows = size_of(file, "rows", max_rows);
  dense.columns = size_of(file, "columns", max_columns);
  if (values.shape[0] != dense.rows || values.shape[1] != dense.columns) {
    refuse(file, message("values is ", values.shape[0], " x ", values.shape[1], "; it must be ", dense.rows, " x ",
                         dense.columns));
  }
  if (reinterpret_cast<uintptr_t>(values.data) % static_cast<uintptr_t>(element_size(element)) != 0) {
    refuse(file, "values does not begin at a multiple of its element size");
  }
  dense.values = {values.data, single ? VTEMPER_FLOAT : VTEMPER_DOUBLE, file.unread()};
  dense.row_stride = dense.columns;
  dense.column_stride = 1;
  dense.owner = file.owner();
  return dense;
}

Sequences sequences_of(const ContainerReader& file) {
  Sequences sequences;
  read_rows_of(file, file.unread_tensor("symbols", Element::i32, 1).count(), sequences);
  sequences.symbols = {array_of(file, "symbols", Element::i32, sequences.entries), VTEMPER_INT32, file.unread()};
  return sequences;
}

Observations observations_of(const ContainerReader& file) {
  if (file.has_tensor("symbols")) return sequences_of(file);
  if (file.has_tensor("indices")) return counts_of(file);
  return dense_of(file);
}

std::shared_ptr<const Names> names_of(const ContainerReader& file, int64_t columns) {
  array_of(file, "name_offsets", Element::i64, columns + 1);  // for its checks
  const auto* offsets = static_cast<const int64_t*>(file.tensor("name_offsets", Element::i64, 1).data);
  const Tensor& text = file.tensor("names", Element::u8, 1);
  Names names;
  names.reserve(static_cast<size_t>(columns));
  int64_t begin = 0;
  for (int64_t column = 0; column <= columns; ++column) {
    const int64_t end = offsets[column];
    if (end < begin || end > text.count() || (column == 0 && end != 0)) {
      refuse(file, message("the names' offset of column ", column, " is ", end, "; it must lie between ", begin,
                           " and ", text.count()));
    }
    if (column > 0) names.emplace_back(static_cast<const char*>(text.data) + begin, static_cast<size_t>(end - begin));
    begin = end;
  }
  checked_names(names, VTEMPER_ERROR_FORMAT, file.name() + ": names");
  return std::make_shared<const Names>(std::move(names));
}

RowTextFields row_texts_of(const ContainerReader& file, int64_t rows) {
  RowTextFields fields;
  if (!file.has_text(row_fields_text)) return fields;
  std::string_view names = file.text(row_fields_text);
  while (!names.empty()) {
    const std::string field(names.substr(0, names.find('\n')));
    names.remove_prefix(std::min(names.size(), field.size() + 1));
    if (!is_field_name(field)) refuse(file, "a field of the texts of the rows has no valid name");
    const std::string offsets = row_text_offsets_prefix + field;
    const Tensor& bytes = file.unread_tensor(row_text_prefix + field, Element::u8, 1);
    fields[field] =
        RowTexts(file.contents(), static_cast<const char*>(bytes.data), bytes.count(),
                 static_cast<const int64_t*>(array_of(file, offsets.c_str(), Element::i64, rows + 1)), rows);
  }
  return fields;
}

Notes notes_of(const ContainerReader& file) {
  const std::string_view prefix = note_prefix;
  Notes notes;
  for (const auto& [name, text] : file.texts()) {
    if (name.compare(0, prefix.size(), prefix) == 0) notes[name.substr(prefix.size())] = text;
  }
  return notes;
}

/// Checks everything that is validated when rows are read, and that no row has duplicate columns.
void check_rows(const Counts& counts, const std::string&) {
  std::vector<int32_t> columns, work;
  std::vector<double> values;
  for (int64_t row = 0; row < counts.rows; ++row) {
    require_not_interrupted();
    const int64_t length = counts.row_length(row);
    if (length > counts.columns) {
      throw Error(VTEMPER_ERROR_FORMAT,
                  message(counts.source, ": row ", row, " has ", counted(length, "entry", "entries"),
                          counts.columns == 1 ? ", but there is only " : ", but there are only ",
                          counted(counts.columns, "column")));
    }
    const auto most = static_cast<size_t>(length);
    columns.resize(std::max(columns.size(), most));
    values.resize(columns.size());
    const int64_t read = counts.read_row(row, length, columns.data(), values.data());
    const int32_t repeated = repeated_index(columns.data(), read, work);
    if (repeated >= 0) {
      throw Error(VTEMPER_ERROR_FORMAT, message(counts.source, ": row ", row, ", column ",
                                                static_cast<int64_t>(repeated), " is given twice"));
    }
  }
}

void check_rows(const Dense& dense, const std::string& source) {
  Spare spare;
  for (int64_t row = 0; row < dense.rows; ++row) {
    require_not_interrupted();
    const DenseRow values = dense.row(row, spare);
    for (int64_t column = 0; column < dense.columns; ++column) {
      if (std::isinf(values[column])) {
        throw Error(VTEMPER_ERROR_FORMAT, message(source, ": row ", row, ", column ", column, " is infinite"));
      }
    }
  }
}

void check_rows(const Sequences& sequences, const std::string&) {
  std::vector<int32_t> symbols;
  for (int64_t row = 0; row < sequences.rows; ++row) {
    require_not_interrupted();
    const int64_t length = sequences.row_length(row);
    symbols.resize(std::max(symbols.size(), static_cast<size_t>(length)));
    sequences.read_row(row, length, symbols.data());
  }
}

}  // namespace

DataPointer open_mapped(const std::string& path, const FileLimits& limits) {
  const auto file = std::make_shared<const ContainerReader>(
      ContainerReader::open_file(path, corpus_format, Verify::header, limits));
  auto data = std::make_shared<Data>(observations_of(*file));
  if (file->has_tensor("names")) data->names = names_of(*file, data->columns());
  if (file->has_tensor("weights")) {
    const auto* values = static_cast<const double*>(array_of(*file, "weights", Element::f64, data->rows()));
    data->weights = {std::shared_ptr<const double>(file->owner(), values), file->unread()};
  }
  data->row_texts = row_texts_of(*file, data->rows());
  data->notes = notes_of(*file);
  data->file = file;
  return data;
}

void data_verify(const Data& data) {
  if (!data.file) return;
  data.file->verify_payload();
  std::visit([&](const auto& rows) { check_rows(rows, data.file->name()); }, data.observations);
  for (int64_t row = 0; row < data.rows(); ++row) data.weight(row);
  for (const auto& [field, texts] : data.row_texts) texts.verify();
}

}  // namespace vtemper
