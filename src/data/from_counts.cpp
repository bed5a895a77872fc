// Counts from arrays: every offset, index and value is validated, then the arrays are borrowed, copied or transposed.

#include <array>
#include <cmath>
#include <cstring>

#include "data/array_sizes.h"
#include "data/gather_by_rows.h"
#include "data/repeats.h"

namespace vtemper {
namespace {

/// The arrays, with the compressed dimension called lines: rows, or columns in compressed column storage.
struct Lines {
  const CountsArrays& arrays;
  bool by_rows;
  int64_t count;   ///< lines
  int64_t places;  ///< positions within a line: the size of the other dimension
  int64_t entries;

  const char* line() const { return by_rows ? "row" : "column"; }

  /// "row 3, column 7"
  std::string at(int64_t line_number, int64_t place) const {
    return by_rows ? message("row ", line_number, ", column ", place)
                   : message("row ", place, ", column ", line_number);
  }
};

template <class Offset>
int64_t check_offsets(const Offset* offsets, const CountsArrays& arrays, bool by_rows) {
  const int64_t count = by_rows ? arrays.rows : arrays.columns;
  const int64_t places = by_rows ? arrays.columns : arrays.rows;
  const char* line = by_rows ? "row" : "column";
  if (offsets[0] != arrays.index_base) {
    throw Error(VTEMPER_ERROR_DATA,
                message("offsets[0] is ", offsets[0], "; it must be index_base, ", arrays.index_base));
  }
  for (int64_t i = 0; i < count; ++i) {
    if (offsets[i + 1] < offsets[i]) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("the offsets decrease at ", line, " ", i, ": from ", offsets[i], " to ", offsets[i + 1]));
    }
    if (offsets[i + 1] - offsets[i] > places) {
      throw Error(VTEMPER_ERROR_DATA,
                  message(line, " ", i, " has ", counted(offsets[i + 1] - offsets[i], "entry", "entries"),
                          places == 1 ? ", but there is only " : ", but there are only ",
                          counted(places, by_rows ? "column" : "row"), " and none may occur twice"));
    }
  }
  const int64_t entries = static_cast<int64_t>(offsets[count]) - arrays.index_base;
  constexpr int64_t max_entries = INT64_MAX / 8;  // so that the values' size in bytes does not overflow
  if (entries > max_entries) {
    throw Error(VTEMPER_ERROR_DATA,
                message("the offsets end with ", entries, " entries; at most ", max_entries, " can be stored"));
  }
  return entries;
}

template <class Value>
bool is_count(Value value) {
  if constexpr (std::is_integral_v<Value>) {
    return value >= 0;
  } else {
    return value >= 0 && std::isfinite(value);
  }
}

/// Checks a line: each entry in order, then duplicates.
template <class Index, class Value>
void check_line(const Lines& lines, int64_t line, const Index* indices, const Value* values, int64_t length,
                std::vector<Index>& work) {
  const int64_t base = lines.arrays.index_base;
  for (int64_t i = 0; i < length; ++i) {
    if (indices[i] < base || indices[i] - base >= lines.places) {
      throw Error(VTEMPER_ERROR_DATA, message(lines.line(), " ", line, " has the ", lines.by_rows ? "column" : "row",
                                              " index ", indices[i], "; with index_base ", base,
                                              " it must lie between ", base, " and ", lines.places - 1 + base));
    }
    if (!is_count(values[i])) {
      throw Error(VTEMPER_ERROR_DATA, message(lines.at(line, indices[i] - base), " holds ", values[i],
                                              "; counts must be finite and not negative"));
    }
  }
  const Index repeated = repeated_index(indices, length, work);
  if (repeated >= 0) {
    throw Error(VTEMPER_ERROR_DATA, message(lines.at(line, repeated - base),
                                            " is given twice; each entry may occur only once, with its whole count"));
  }
}

void check_entries(const Lines& lines) {
  if (lines.entries == 0) return;
  const CountsArrays& arrays = lines.arrays;
  if (arrays.indices.data == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, "argument indices is NULL");
  if (arrays.values.data == nullptr) throw Error(VTEMPER_ERROR_ARGUMENT, "argument values is NULL");
  with_integers(arrays.indices, [&](const auto* indices) {
    with_numbers(arrays.values, [&](const auto* values) {
      std::vector<std::decay_t<decltype(*indices)>> work;
      for (int64_t line = 0; line < lines.count; ++line) {
        const int64_t begin = arrays.offsets.integer(line) - arrays.index_base;
        const int64_t end = arrays.offsets.integer(line + 1) - arrays.index_base;
        check_line(lines, line, indices + begin, values + begin, end - begin, work);
      }
    });
  });
}

/// Borrows the arrays as they are.
Counts borrow(const CountsArrays& arrays, int64_t entries) {
  Counts counts;
  counts.rows = arrays.rows;
  counts.columns = arrays.columns;
  counts.entries = entries;
  counts.offsets = arrays.offsets;
  counts.indices = arrays.indices;
  counts.values = arrays.values;
  counts.index_base = arrays.index_base;
  return counts;
}

Buffer<char> copy_of(const TypedArray& array, int64_t size) {
  const int64_t bytes = size * bytes_of(array.element);
  Buffer<char> copy(bytes);
  if (bytes > 0) std::memcpy(copy.data(), array.data, static_cast<size_t>(bytes));
  return copy;
}

/// Copies the arrays, keeping their types.
Counts copy(const CountsArrays& arrays, int64_t entries) {
  using Copies = std::array<Buffer<char>, 3>;
  const auto copies = std::make_shared<const Copies>(Copies{
      copy_of(arrays.offsets, arrays.rows + 1), copy_of(arrays.indices, entries), copy_of(arrays.values, entries)});
  Counts counts = borrow(arrays, entries);
  counts.offsets.data = (*copies)[0].data();
  counts.indices.data = (*copies)[1].data();
  counts.values.data = (*copies)[2].data();
  counts.owner = copies;
  return counts;
}

/// Converts compressed column to compressed row storage; the columns of a row ascend.
Counts transpose(const CountsArrays& arrays, int64_t entries) {
  if (entries == 0) {  // the arrays may be NULL
    return gather_by_rows<int32_t>(arrays.rows, arrays.columns, 0, [](const auto&) {});
  }
  return with_integers(arrays.indices, [&](const auto* indices) {
    return with_numbers(arrays.values, [&](const auto* values) {
      using Value = std::decay_t<decltype(*values)>;
      const int64_t base = arrays.index_base;
      return gather_by_rows<Value>(arrays.rows, arrays.columns, entries, [&](const auto& visit) {
        for (int64_t column = 0; column < arrays.columns; ++column) {
          const int64_t end = arrays.offsets.integer(column + 1) - base;
          for (int64_t i = arrays.offsets.integer(column) - base; i < end; ++i) {
            visit(indices[i] - base, static_cast<int32_t>(column), values[i]);
          }
        }
      });
    });
  });
}

}  // namespace

DataPointer data_from_counts(const CountsArrays& arrays, std::shared_ptr<const void> owner) {
  check_array_sizes(arrays, "columns");
  const bool by_rows = arrays.layout == VTEMPER_BY_ROWS;
  const int64_t entries =
      with_integers(arrays.offsets, [&](const auto* offsets) { return check_offsets(offsets, arrays, by_rows); });
  check_entries(
      {arrays, by_rows, by_rows ? arrays.rows : arrays.columns, by_rows ? arrays.columns : arrays.rows, entries});
  if (!by_rows) return std::make_shared<Data>(transpose(arrays, entries));
  if (owner == nullptr) return std::make_shared<Data>(copy(arrays, entries));
  Counts counts = borrow(arrays, entries);
  counts.owner = std::move(owner);
  return std::make_shared<Data>(std::move(counts));
}

}  // namespace vtemper
