#include "api/arguments.h"

#include <limits>

#include "support/options.h"

namespace vtemper::api {
namespace {

int64_t rows_of(const Quantity& quantity) {
  return quantity.shape.empty() ? 1 : quantity.shape[0];
}

int64_t columns_of(const Quantity& quantity) {
  return quantity.shape.size() < 2 ? 1 : quantity.shape[1];
}

}  // namespace

std::string_view text_argument(const char* text, const char* argument) {
  require(text, argument);
  if (!is_valid_utf8(text)) throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is not UTF-8"));
  return text;
}

std::string_view name_argument(const char* text, const char* argument) {
  const std::string_view name = text_argument(text, argument);
  if (name.empty()) throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is empty"));
  return name;
}

void require_index(int64_t index, int64_t count, const char* argument) {
  if (index >= 0 && index < count) return;
  throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is ", index, "; valid values are 0 to ",
                                              count - 1, " (", count, " in all)"));
}

void require_array(const void* array, const char* argument, int64_t count, const char* count_argument) {
  if (count < 0) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", count_argument, " is ", count, ", which is negative"));
  }
  if (count > 0) require(array, argument);
}

std::vector<std::string> texts_argument(const char* const* texts, int64_t count, const char* argument) {
  require_array(texts, argument, count, "count");
  std::vector<std::string> copies;
  copies.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    if (texts[i] == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, message(argument, "[", i, "] is NULL"));
    copies.emplace_back(texts[i]);
  }
  return copies;
}

void require_length(int64_t length, const char* quantity, int64_t size) {
  if (length == size) return;
  throw Error(VTEMPER_ERROR_ARGUMENT,
              message("argument length is ", length, "; ", quantity, " has ", size, " elements"));
}

const Quantity& find_quantity(const std::vector<Quantity>& quantities, std::string_view name) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities) {
    if (name == quantity.name) return quantity;
    names.emplace_back(quantity.name);
  }
  throw Error(VTEMPER_ERROR_ARGUMENT,
              message("there is no quantity named '", name, "' here", nearest_names(name, names)));
}

void require_settable(const Quantity& quantity, const double* in, int64_t length) {
  if (!quantity.settable) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message(quantity.name, " is read only: it follows from other quantities"));
  }
  require_array(in, "in", length, "length");
  require_length(length, quantity.name, quantity.size());
}

Sink row_major(double* out, const Quantity& quantity) {
  return Sink{out, columns_of(quantity), 1};
}

Sink strided(double* out, const Quantity& quantity, int64_t row_stride, int64_t column_stride) {
  const auto refuse_stride = [](const char* argument, int64_t stride) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("argument ", argument, " is ", stride, "; strides are at least 1"));
  };
  if (row_stride < 1) refuse_stride("row_stride", row_stride);
  if (column_stride < 1) refuse_stride("column_stride", column_stride);

  const int64_t rows = rows_of(quantity), columns = columns_of(quantity);
  const int64_t limit = std::numeric_limits<int64_t>::max() / (4 * static_cast<int64_t>(sizeof(double)));
  if ((rows > 1 && row_stride > limit / (rows - 1)) || (columns > 1 && column_stride > limit / (columns - 1))) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("arguments row_stride ", row_stride, " and column_stride ",
                                                column_stride, " reach beyond the address space"));
  }
  const bool rows_apart = rows < 2 || row_stride > (columns - 1) * column_stride;
  const bool columns_apart = columns < 2 || column_stride > (rows - 1) * row_stride;
  if (!rows_apart && !columns_apart) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("arguments row_stride ", row_stride, " and column_stride ", column_stride,
                        " put two elements of ", quantity.name, " [", rows, " x ", columns, "] in one place"));
  }
  return Sink{out, row_stride, column_stride};
}

}  // namespace vtemper::api
