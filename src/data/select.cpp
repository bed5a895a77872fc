// New data from a selection of rows.

#include "data/counts_builder.h"
#include "data/sequences_builder.h"
#include "data/typed_array.h"
#include "support/random_streams.h"

namespace vtemper {
namespace {

Counts selected(const Counts& counts, const int64_t* rows, int64_t count) {
  CountsBuilder builder;
  for (int64_t i = 0; i < count; ++i) {
    counts.visit_row(rows[i], [&](int32_t column, double value) { builder.add(column, value); });
    builder.end_row();
  }
  return builder.finish(counts.columns);
}

Sequences selected(const Sequences& sequences, const int64_t* rows, int64_t count) {
  SequencesBuilder builder;
  std::vector<int32_t> symbols;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = sequences.row_length(rows[i]);
    symbols.resize(std::max(symbols.size(), static_cast<size_t>(length)));
    sequences.read_row(rows[i], length, symbols.data());
    for (int64_t t = 0; t < length; ++t) builder.add(symbols[static_cast<size_t>(t)]);
    builder.end_row();
  }
  return builder.finish(sequences.columns);
}

template <class Real>
Dense selected_values(const Dense& dense, const Real* values, const int64_t* rows, int64_t count) {
  int64_t size = 0;
  if (__builtin_mul_overflow(count, dense.columns, &size)) throw std::bad_alloc();
  const auto copy = std::make_shared<Buffer<Real>>(size);
  Spare spare;
  for (int64_t i = 0, place = 0; i < count; ++i) {
    const Real* const row = dense.typed_row(values, rows[i], spare);
    for (int64_t column = 0; column < dense.columns; ++column) (*copy)[place++] = row[column * dense.column_stride];
  }
  Dense result;
  result.rows = count;
  result.columns = dense.columns;
  result.values = typed_array(copy->data());
  result.row_stride = dense.columns;
  result.column_stride = 1;
  result.owner = copy;
  return result;
}

Dense selected(const Dense& dense, const int64_t* rows, int64_t count) {
  return with_numbers(dense.values, [&](const auto* values) { return selected_values(dense, values, rows, count); });
}

DataPointer select_rows(const Data& data, const int64_t* rows, int64_t count) {
  auto result = std::visit([&](const auto& form) { return std::make_shared<Data>(selected(form, rows, count)); },
                           data.observations);
  result->names = data.names;
  result->notes = data.notes;
  for (const auto& [field, texts] : data.row_texts) result->row_texts[field] = texts.selected(rows, count);
  if (data.weights) {
    std::vector<double> weights(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) weights[static_cast<size_t>(i)] = data.weight(rows[i]);
    result->weights = own_weights(std::move(weights));
  }
  return result;
}

}  // namespace

DataPointer data_select(const Data& data, const int64_t* rows, int64_t count) {
  if (count < 0) throw Error(VTEMPER_ERROR_ARGUMENT, message("argument count is ", count, ", which is negative"));
  for (int64_t i = 0; i < count; ++i) {
    if (rows[i] < 0 || rows[i] >= data.rows()) {
      throw Error(VTEMPER_ERROR_ARGUMENT, message("rows[", i, "] is ", rows[i], "; the data have ",
                                                  counted(data.rows(), "row"), ", counted from 0"));
    }
  }
  return select_rows(data, rows, count);
}

void require_share(double share) {
  if (share > 0 && share < 1) return;
  throw Error(VTEMPER_ERROR_ARGUMENT, message("argument share is ", share, "; it must lie between 0 and 1"));
}

DataPair data_split(const Data& data, double share, uint64_t seed) {
  require_share(share);
  // For a slice: selects those of its rows that a split of the whole data set would draw.
  const auto all = static_cast<uint64_t>(data.rows_numbered());
  const auto drawn = static_cast<uint64_t>(std::llround(share * static_cast<double>(all)));
  std::vector<int64_t> first, second;
  for (int64_t row = 0; row < data.rows(); ++row) {
    const auto number = static_cast<uint64_t>(data.first_row + row);
    (index_of_permuted(number, all, seed, Purpose::split_rows, 0) < drawn ? second : first).push_back(row);
  }
  return {select_rows(data, first.data(), static_cast<int64_t>(first.size())),
          select_rows(data, second.data(), static_cast<int64_t>(second.size()))};
}

}  // namespace vtemper
