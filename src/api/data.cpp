// Data handles from arrays and files.

#include "data/data.h"

#include "api/borrowed.h"
#include "api/guard.h"
#include "api/handles.h"

namespace vtemper::api {
namespace {

/// NULL if the arrays are copied.
std::shared_ptr<Borrowed> owner_of(const vtemper_ownership& ownership, vtemper_release release, void* user) {
  switch (enum_value(ownership)) {
    case VTEMPER_COPY:
      if (release != nullptr) {
        throw Error(VTEMPER_ERROR_ARGUMENT, "argument release is set, but the arrays are copied: it must be NULL");
      }
      return nullptr;
    case VTEMPER_BORROW:
      return std::make_shared<Borrowed>(release, user);
    default:
      throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ownership is ", enum_value(ownership),
                                                  "; valid values are VTEMPER_COPY and VTEMPER_BORROW"));
  }
}

TypedArray array_of(const void* array, const vtemper_element& element, const char* argument, bool integers,
                    bool reals) {
  const int32_t type = enum_value(element);
  const bool is_integer = type == VTEMPER_INT32 || type == VTEMPER_INT64;
  const bool is_real = type == VTEMPER_FLOAT || type == VTEMPER_DOUBLE;
  if (!(is_integer && integers) && !(is_real && reals)) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("argument ", argument, " is ", type, "; valid values are ",
                        integers ? "VTEMPER_INT32, VTEMPER_INT64" : "", integers && reals ? ", " : "",
                        reals ? "VTEMPER_FLOAT, VTEMPER_DOUBLE" : ""));
  }
  TypedArray typed;
  typed.data = array;
  typed.element = static_cast<vtemper_element>(type);
  return typed;
}

vtemper_layout layout_of(const vtemper_layout& layout) {
  const int32_t value = enum_value(layout);
  if (value == VTEMPER_BY_ROWS || value == VTEMPER_BY_COLUMNS) return static_cast<vtemper_layout>(value);
  throw Error(VTEMPER_ERROR_ARGUMENT,
              message("argument layout is ", value, "; valid values are VTEMPER_BY_ROWS and VTEMPER_BY_COLUMNS"));
}

void give(DataPair pair, vtemper_data** first, vtemper_data** second) {
  auto first_handle = data_handle(std::move(pair.first));
  auto second_handle = data_handle(std::move(pair.second));
  *first = first_handle.release();
  *second = second_handle.release();
}

}  // namespace
}  // namespace vtemper::api

using namespace vtemper::api;
using vtemper::Error;
using vtemper::message;

vtemper_status vtemper_data_from_counts(vtemper_layout layout, int64_t rows, int64_t columns, const void* offsets,
                                        vtemper_element offsets_type, const void* indices,
                                        vtemper_element indices_type, const void* values, vtemper_element values_type,
                                        int64_t index_base, vtemper_ownership ownership, vtemper_release release,
                                        void* user, vtemper_data** data) {
  return guard([&] {
    require(data, "data");
    vtemper::CountsArrays arrays;
    arrays.layout = layout_of(layout);
    arrays.rows = rows;
    arrays.columns = columns;
    arrays.offsets = array_of(offsets, offsets_type, "offsets_type", true, false);
    arrays.indices = array_of(indices, indices_type, "indices_type", true, false);
    arrays.values = array_of(values, values_type, "values_type", true, true);
    arrays.index_base = index_base;
    const auto owner = owner_of(ownership, release, user);
    auto handle = data_handle(vtemper::data_from_counts(arrays, owner));
    if (owner) owner->arm();
    *data = handle.release();
  });
}

vtemper_status vtemper_data_from_dense(int64_t rows, int64_t columns, const void* values, vtemper_element values_type,
                                       int64_t row_stride, int64_t column_stride, vtemper_ownership ownership,
                                       vtemper_release release, void* user, vtemper_data** data) {
  return guard([&] {
    require(data, "data");
    if (rows > 0 && columns > 0) require(values, "values");
    vtemper::Dense dense;
    dense.rows = rows;
    dense.columns = columns;
    dense.values = array_of(values, values_type, "values_type", false, true);
    dense.row_stride = row_stride;
    dense.column_stride = column_stride;
    const auto owner = owner_of(ownership, release, user);
    dense.owner = owner;
    auto handle = data_handle(vtemper::data_from_dense(dense, owner == nullptr));
    if (owner) owner->arm();
    *data = handle.release();
  });
}

vtemper_status vtemper_data_from_sequences(int64_t rows, int64_t alphabet, const void* offsets,
                                           vtemper_element offsets_type, const void* symbols,
                                           vtemper_element symbols_type, int64_t index_base,
                                           vtemper_ownership ownership, vtemper_release release, void* user,
                                           vtemper_data** data) {
  return guard([&] {
    require(data, "data");
    vtemper::SequenceArrays arrays;
    arrays.rows = rows;
    arrays.columns = alphabet;
    arrays.offsets = array_of(offsets, offsets_type, "offsets_type", true, false);
    arrays.symbols = array_of(symbols, symbols_type, "symbols_type", true, false);
    arrays.index_base = index_base;
    const auto owner = owner_of(ownership, release, user);
    auto handle = data_handle(vtemper::data_from_sequences(arrays, owner));
    if (owner) owner->arm();
    *data = handle.release();
  });
}

vtemper_status vtemper_data_read(const char* path, const char* format, vtemper_data** data) {
  return guard([&] {
    require(path, "path");
    require(data, "data");
    const std::string known_format(format == nullptr ? "auto" : text_argument(format, "format"));
    *data = data_handle(vtemper::data_read(path, known_format)).release();
  });
}

vtemper_status vtemper_data_read_part(const char* path, const char* format, int32_t part, int32_t parts,
                                      vtemper_data** data) {
  return guard([&] {
    require(path, "path");
    require(data, "data");
    if (parts < 1)
      throw Error(VTEMPER_ERROR_ARGUMENT, message("argument parts is ", parts, "; it must be at least 1"));
    if (part < 0 || part >= parts) {
      throw Error(VTEMPER_ERROR_ARGUMENT,
                  message("argument part is ", part, "; the parts of this file are 0 to ", parts - 1));
    }
    const std::string known_format(format == nullptr ? "auto" : text_argument(format, "format"));
    *data = data_handle(vtemper::data_read_part(path, known_format, part, parts)).release();
  });
}

vtemper_status vtemper_data_write(const vtemper_data* data, const char* path) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(path, "path");
    vtemper::data_write(held, path);
  });
}

vtemper_status vtemper_data_convert(const char* path, const char* format, const char* const* names, int64_t count,
                                    const char* out_path) {
  return guard([&] {
    require(path, "path");
    const std::string known_format(format == nullptr ? "auto" : text_argument(format, "format"));
    require(out_path, "out_path");
    vtemper::data_convert(path, known_format, texts_argument(names, count, "names"), out_path);
  });
}

vtemper_status vtemper_data_verify(const vtemper_data* data) {
  return guard([&] { vtemper::data_verify(require_handle(data, "data").get()); });
}

vtemper_status vtemper_data_rows(const vtemper_data* data, int64_t* rows) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(rows, "rows");
    *rows = held.rows();
  });
}

vtemper_status vtemper_data_columns(const vtemper_data* data, int64_t* columns) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(columns, "columns");
    *columns = held.columns();
  });
}

vtemper_status vtemper_data_entries(const vtemper_data* data, int64_t* entries) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(entries, "entries");
    *entries = held.entries();
  });
}

vtemper_status vtemper_data_total(const vtemper_data* data, double* total) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(total, "total");
    *total = vtemper::data_total(held);
  });
}

vtemper_status vtemper_data_form_of(const vtemper_data* data, vtemper_data_form* form) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(form, "form");
    *form = held.form();
  });
}

vtemper_status vtemper_data_set_names(vtemper_data* data, const char* const* names, int64_t count) {
  return guard([&] {
    vtemper::Data& held = idle_data(data, "given names");
    require_array(names, "names", count, "count");
    vtemper::check_name_count(held, count);  // before the array is read
    vtemper::data_set_names(held, texts_argument(names, count, "names"));
  });
}

vtemper_status vtemper_data_name(const vtemper_data* data, int64_t column, const char** name) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(name, "name");
    require_index(column, held.columns(), "column");
    *name = held.names ? (*held.names)[static_cast<size_t>(column)].c_str() : "";
  });
}

vtemper_status vtemper_data_align(const vtemper_data* data, const char* const* names, int64_t count,
                                  double* unknown_tokens, vtemper_data** aligned) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(aligned, "aligned");
    vtemper::Aligned result = vtemper::data_align(held, texts_argument(names, count, "names"));
    *aligned = data_handle(std::move(result.data)).release();
    if (unknown_tokens != nullptr) *unknown_tokens = result.unknown_tokens;
  });
}

vtemper_status vtemper_data_set_weights(vtemper_data* data, const double* weights, int64_t count) {
  return guard([&] {
    vtemper::Data& held = idle_data(data, "given weights");
    require_array(weights, "weights", count, "count");
    vtemper::check_weight_count(held, count);  // before the array is read
    vtemper::data_set_weights(held, std::vector<double>(weights, weights + count));
  });
}

vtemper_status vtemper_data_weights(const vtemper_data* data, double* weights, int64_t count) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require_array(weights, "weights", count, "count");
    vtemper::check_weight_count(held, count);
    std::vector<double> read(static_cast<size_t>(count));  // a weight that is refused leaves `weights` untouched
    for (int64_t row = 0; row < count; ++row) read[static_cast<size_t>(row)] = held.weight(row);
    std::copy(read.begin(), read.end(), weights);
  });
}

vtemper_status vtemper_data_select(const vtemper_data* data, const int64_t* rows, int64_t count,
                                   vtemper_data** selected) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(selected, "selected");
    require_array(rows, "rows", count, "count");
    *selected = data_handle(vtemper::data_select(held, rows, count)).release();
  });
}

vtemper_status vtemper_data_slice(const vtemper_data* data, int64_t first, int64_t count, vtemper_data** slice) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(slice, "slice");
    *slice = data_handle(vtemper::data_slice(held, first, count)).release();
  });
}

vtemper_status vtemper_data_set_part(vtemper_data* data, int64_t first_row, int64_t corpus_rows) {
  return guard([&] {
    vtemper::Data& held = idle_data(data, "made a part");
    if (held.group) {
      throw Error(VTEMPER_ERROR_STATE, "the data are spread over a group, whose ranks determine which part they are");
    }
    vtemper::data_set_part(held, first_row, corpus_rows);
  });
}

vtemper_status vtemper_data_part(const vtemper_data* data, int64_t* first_row, int64_t* corpus_rows) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(first_row, "first_row");
    require(corpus_rows, "corpus_rows");
    *first_row = held.part.first;
    *corpus_rows = held.corpus_rows();
  });
}

vtemper_status vtemper_data_split(const vtemper_data* data, double share, uint64_t seed, vtemper_data** first,
                                  vtemper_data** second) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(first, "first");
    require(second, "second");
    give(vtemper::data_split(held, share, seed), first, second);
  });
}

vtemper_status vtemper_data_split_counts(const vtemper_data* data, double share, uint64_t seed,
                                         vtemper_data** observed, vtemper_data** heldout) {
  return guard([&] {
    const vtemper::Data& held = require_handle(data, "data").get();
    require(observed, "observed");
    require(heldout, "heldout");
    give(vtemper::data_split_counts(held, share, seed), observed, heldout);
  });
}

void vtemper_data_destroy(vtemper_data* data) {
  if (data != nullptr && data->tag) delete data;
}
