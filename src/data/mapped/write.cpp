// Writing the mapped corpus file.

#include <numeric>

#include "data/data_builder.h"
#include "data/mapped/mapped.h"
#include "storage/container.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {
namespace {

/// Whether the arrays can be written as they are.
bool is_stored_form(const Counts& counts) {
  return counts.index_base == 0 && counts.first_entry == 0 && counts.offsets.element == VTEMPER_INT64 &&
         counts.indices.element == VTEMPER_INT32 && counts.values.element != VTEMPER_INT64;
}

Counts stored_form(const Counts& counts) {
  CountsBuilder builder;
  for (int64_t row = 0; row < counts.rows; ++row) {
    counts.visit_row(row, [&](int32_t column, double value) { builder.add(column, value); });
    builder.end_row();
  }
  return builder.finish(counts.columns);
}

bool is_stored_form(const Dense& dense) {
  return dense.column_stride == 1 && dense.row_stride == dense.columns;
}

Dense stored_form(const Dense& dense) {
  return data_from_dense(dense, true)->dense();
}

bool is_stored_form(const Sequences& sequences) {
  return sequences.index_base == 0 && sequences.first_entry == 0 && sequences.offsets.element == VTEMPER_INT64 &&
         sequences.symbols.element == VTEMPER_INT32;
}

Sequences stored_form(const Sequences& sequences) {
  SequencesBuilder builder;
  std::vector<int32_t> symbols;
  for (int64_t row = 0; row < sequences.rows; ++row) {
    const int64_t length = sequences.row_length(row);
    symbols.resize(std::max(symbols.size(), static_cast<size_t>(length)));
    sequences.read_row(row, length, symbols.data());
    for (int64_t t = 0; t < length; ++t) builder.add(symbols[static_cast<size_t>(t)]);
    builder.end_row();
  }
  return builder.finish(sequences.columns);
}

void add_size(ContainerWriter& writer, int64_t rows, int64_t columns) {
  writer.text("rows", number_text(rows));
  writer.text("columns", number_text(columns));
}

void add_names(ContainerWriter& writer, const Names& names) {
  std::string text;
  std::vector<int64_t> offsets{0};
  for (const std::string& name : names) {
    text += name;
    offsets.push_back(static_cast<int64_t>(text.size()));
  }
  writer.keep("names", std::move(text));
  writer.keep("name_offsets", std::move(offsets));
}

RowTexts stored_form(const RowTexts& texts) {
  if (!texts.is_slice()) return texts;
  std::vector<int64_t> all(static_cast<size_t>(texts.rows()));
  std::iota(all.begin(), all.end(), 0);
  return texts.selected(all.data(), texts.rows());
}

/// `stored` owns the memory until the file is written.
void add_row_texts(ContainerWriter& writer, const RowTextFields& fields, RowTextFields& stored) {
  std::string names;
  for (const auto& [field, all] : fields) {
    names += names.empty() ? field : "\n" + field;
    const RowTexts& texts = stored[field] = stored_form(all);
    writer.tensor(row_text_prefix + field, Element::u8, {texts.size()}, texts.bytes(), texts.contents());
    writer.tensor(row_text_offsets_prefix + field, Element::i64, {texts.rows() + 1}, texts.offsets(),
                  texts.contents());
  }
  if (!names.empty()) writer.text(row_fields_text, names);
}

Element stored_element(vtemper_element element) {
  switch (element) {
    case VTEMPER_INT32:
      return Element::i32;
    case VTEMPER_FLOAT:
      return Element::f32;
    default:
      return Element::f64;
  }
}

void add_array(ContainerWriter& writer, const char* name, Element element, std::vector<int64_t> shape,
               const TypedArray& array) {
  writer.tensor(name, element, std::move(shape), array.data, array.contents);
}

// The arrays of rows in the stored form, which the caller keeps until the file is written.

void add_arrays(ContainerWriter& writer, const Counts& counts) {
  add_array(writer, "offsets", Element::i64, {counts.rows + 1}, counts.offsets);
  add_array(writer, "indices", Element::i32, {counts.entries}, counts.indices);
  add_array(writer, "values", stored_element(counts.values.element), {counts.entries}, counts.values);
}

void add_arrays(ContainerWriter& writer, const Dense& dense) {
  add_array(writer, "values", stored_element(dense.values.element), {dense.rows, dense.columns}, dense.values);
}

void add_arrays(ContainerWriter& writer, const Sequences& sequences) {
  add_array(writer, "offsets", Element::i64, {sequences.rows + 1}, sequences.offsets);
  add_array(writer, "symbols", Element::i32, {sequences.entries}, sequences.symbols);
}

/// The number of columns with these names. Refuses too few names and, for dense rows, too many.
int64_t columns_of_names(const Names& names, int64_t columns, bool is_dense, const std::string& source) {
  const auto count = static_cast<int64_t>(names.size());
  if (count == columns || (count > columns && !is_dense)) return count;
  throw Error(VTEMPER_ERROR_ARGUMENT,
              message(there_are(count, "name"), ", but ", source, " has ", counted(columns, "column")));
}

}  // namespace

void data_write(const Data& data, const std::string& path) {
  data_verify(data);  // damaged data must not get a valid checksum
  ContainerWriter writer(corpus_format);
  add_size(writer, data.rows(), data.columns());
  const Observations stored =
      std::visit([](const auto& rows) -> Observations { return is_stored_form(rows) ? rows : stored_form(rows); },
                 data.observations);
  std::visit([&](const auto& rows) { add_arrays(writer, rows); }, stored);
  if (data.weights) {
    writer.tensor("weights", Element::f64, {data.rows()}, data.weights.values.get(), data.weights.contents);
  }
  if (data.names) add_names(writer, *data.names);
  RowTextFields stored_texts;
  add_row_texts(writer, data.row_texts, stored_texts);
  for (const auto& [name, text] : data.notes) writer.text(note_prefix + name, text);
  writer.write_file(path);
}

void DataBuilder::write(Names names, const std::string& source, const std::string& path) {
  if (auto* const whole = std::get_if<DataPointer>(&rows_)) {
    Data& data = **whole;
    if (!names.empty()) {
      const int64_t columns = columns_of_names(names, data.columns(), data.is<Dense>(), source);
      std::visit([columns](auto& rows) { rows.columns = columns; }, data.observations);
      data_set_names(data, std::move(names));
    }
    return data_write(data, path);
  }
  ContainerWriter writer(corpus_format);
  int64_t columns = columns_;
  const auto store_dense = [&](auto& dense, Element element) {
    if (!names.empty()) columns_of_names(names, columns, true, source);
    add_size(writer, row_count_, columns);
    writer.tensor("values", element, {row_count_, columns}, dense.bytes());
  };
  const auto store = [&](auto& rows) {
    if (!names.empty()) columns = columns_of_names(names, columns, false, source);
    add_size(writer, rows.rows(), columns);
    rows.store(writer);
  };
  if (auto* const counts = std::get_if<CountsBuilder>(&rows_)) store(*counts);
  if (auto* const sequences = std::get_if<SequencesBuilder>(&rows_)) {
    if (!names.empty() && !names_.empty()) {
      throw Error(VTEMPER_ERROR_ARGUMENT, message(source,
                                                  " names its symbols by its words, so it takes no other names; "
                                                  "read it and align it to the names"));
    }
    store(*sequences);
  }
  if (auto* const dense = std::get_if<DenseBuilder<float>>(&rows_)) store_dense(*dense, Element::f32);
  if (auto* const dense = std::get_if<DenseBuilder<double>>(&rows_)) store_dense(*dense, Element::f64);
  if (!names.empty()) names_ = std::move(names);
  if (!names_.empty()) add_names(writer, names_);
  if (row_names_) row_names_->store(writer);
  for (const auto& [name, text] : notes_) writer.text(note_prefix + name, text);
  writer.write_file(path);
}

}  // namespace vtemper
