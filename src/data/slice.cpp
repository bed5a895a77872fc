// Consecutive rows without a copy, and parts of a corpus distributed over machines.

#include "data/data.h"

namespace vtemper {
namespace {

void cut(Dense& dense, int64_t first, int64_t count) {
  dense.values = dense.values.from(first * dense.row_stride);
  dense.rows = count;
}

/// For counts and sequences.
template <class Rows>
void cut(Rows& rows, int64_t first, int64_t count) {
  const auto entry_at = [&](int64_t row) {
    const int64_t offset = rows.offsets.integer(row), least = rows.first_entry + rows.index_base;
    if (offset >= least && offset <= least + rows.entries) return offset - rows.index_base;
    throw Error(rows.source.empty() ? VTEMPER_ERROR_DATA : VTEMPER_ERROR_FORMAT,
                message(rows.source.empty() ? std::string("the data") : rows.source, ": the offset of row ", row,
                        " is ", offset, "; it must lie between ", least, " and ", least + rows.entries));
  };
  const int64_t begin = entry_at(first), end = entry_at(first + count);
  if (end < begin) {
    throw Error(rows.source.empty() ? VTEMPER_ERROR_DATA : VTEMPER_ERROR_FORMAT,
                message(rows.source.empty() ? std::string("the data") : rows.source, ": the offsets decrease from ",
                        begin, " at row ", first, " to ", end, " at row ", first + count));
  }
  rows.offsets = rows.offsets.from(first);
  rows.rows = count;
  rows.first_entry = begin;
  rows.entries = end - begin;
}

}  // namespace

DataPointer data_slice(const Data& data, int64_t first, int64_t count) {
  if (first < 0 || first > data.rows()) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument first is ", first, "; it must lie between 0 and ", data.rows(), ", the rows"));
  }
  if (count < 0 || count > data.rows() - first) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument count is ", count, "; from row ", first, " on ",
                                                there_are(data.rows() - first, "row")));
  }
  auto whole = std::make_shared<const Data>(data);
  auto slice = std::make_shared<Data>(data);
  std::visit([&](auto& rows) { cut(rows, first, count); }, slice->observations);
  if (data.weights) slice->weights.values = {data.weights.values, data.weights.values.get() + first};
  for (auto& [field, texts] : slice->row_texts) texts = texts.slice(first, count);
  slice->first_row = data.first_row + first;
  slice->numbered_rows = data.rows_numbered();
  slice->part = {};
  slice->group = nullptr;
  slice->whole = std::move(whole);
  return slice;
}

void data_set_part(Data& data, int64_t first_row, int64_t corpus_rows) {
  constexpr int64_t max_rows = 1000000000000;  // row numbers beyond this cannot key random draws
  if (corpus_rows > max_rows) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument corpus_rows is ", corpus_rows, "; at most ", max_rows, " rows are numbered"));
  }
  if (corpus_rows < data.rows()) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument corpus_rows is ", corpus_rows, "; the part alone has ",
                                                counted(data.rows(), "row")));
  }
  if (first_row < 0 || first_row > corpus_rows - data.rows()) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument first_row is ", first_row, "; a part of ", counted(data.rows(), "row"), " of ",
                        corpus_rows, " begins between 0 and ", corpus_rows - data.rows()));
  }
  if (corpus_rows == data.rows()) {
    data.part = {};
    if (!data.whole) data.first_row = data.numbered_rows = 0;
    return;
  }
  Part part = {first_row, corpus_rows, nullptr, 0};
  for (std::shared_ptr<const Data> from = data.whole; from && !part.corpus; from = from->whole) {
    if (from->rows() == corpus_rows && data.first_row - from->first_row == first_row) part.corpus = from;
  }
  if (!part.corpus) {
    data.first_row = first_row;
    data.numbered_rows = corpus_rows;
  }
  data.part = std::move(part);
}

}  // namespace vtemper
