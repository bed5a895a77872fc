#include "data/readers/entry_list.h"

#include "data/gather_by_rows.h"
#include "data/readers/formats.h"
#include "data/repeats.h"

namespace vtemper {
namespace {

/// A short file must not request memory for billions of rows that it does not contain.
constexpr int64_t rows_without_entries = 1'000'000;
constexpr int64_t rows_per_entry = 1000;

void require_size(const Scanner& scanner, const char* what, int64_t size, int64_t most) {
  if (size >= 0 && size <= most) return;
  scanner.refuse(VTEMPER_ERROR_DATA,
                 message("the header declares ", size, " ", what, "; it must lie between 0 and ", most));
}

std::string given_twice(int64_t row, int32_t column) {
  return message("row ", row, ", column ", static_cast<int64_t>(column), " is given twice");
}

}  // namespace

EntryList::EntryList(const Scanner& scanner, DataBuilder& data, int64_t rows, int64_t columns, int64_t announced)
    : scanner_(scanner), data_(data), builder_(data.counts()), rows_(rows), columns_(columns), announced_(announced) {
  require_size(scanner, "rows", rows, INT64_MAX / 8 - 1);
  require_size(scanner, "columns", columns, max_columns);
  require_size(scanner, "entries", announced, INT64_MAX / 8);
}

void EntryList::check(int64_t row, int64_t column, double count) const {
  if (builder_.entries() == announced_) {
    scanner_.refuse(VTEMPER_ERROR_FORMAT, message("the header declares ", counted(announced_, "entry", "entries"),
                                                  ", but here is one more"));
  }
  if (row < 1 || row > rows_) {
    scanner_.refuse(VTEMPER_ERROR_DATA, message("row ", row - 1, " is out of range: the file's row number is ", row,
                                                "; it must lie between 1 and ", rows_));
  }
  if (column < 1 || column > columns_) {
    scanner_.refuse(VTEMPER_ERROR_DATA, message("row ", row - 1, ", column ", column - 1,
                                                " is out of range: the file's column number is ", column,
                                                "; it must lie between 1 and ", columns_));
  }
  require_count(scanner_, row - 1, column - 1, count);
}

void EntryList::add(int64_t row, int64_t column, double count) {
  check(row, column, count);
  const int64_t index = row - 1;
  if (is_ascending_ && index < builder_.rows()) note_rows();
  if (is_ascending_) {
    close_rows(index);
  } else {
    row_of_entry_.push(index);
  }
  if (builder_.entries() == 0) first_line_ = scanner_.line();
  last_line_ = scanner_.line();
  builder_.add(static_cast<int32_t>(column - 1), count);
}

void EntryList::require_plausible(int64_t rows) const {
  if (rows <= rows_without_entries || (rows - rows_without_entries) / rows_per_entry <= builder_.entries()) return;
  scanner_.refuse(VTEMPER_ERROR_DATA, message("row ", rows - 1, " is reached after ", builder_.entries(),
                                              " entries: so many empty rows are not plausible"));
}

void EntryList::close_rows(int64_t count) {
  if (builder_.rows() == count) return;
  require_plausible(count);
  while (builder_.rows() < count) close_row();
}

void EntryList::close_row() {
  const int32_t column = builder_.repeated_column();
  if (column >= 0) {
    const std::string reason = given_twice(builder_.rows(), column);
    // The line of the duplicate is known only if no other lines come between the entries.
    if (last_line_ - first_line_ != builder_.entries() - 1) {
      throw Error(VTEMPER_ERROR_DATA, message(scanner_.path(), ": ", reason));
    }
    int64_t entry = builder_.row_begin();
    while (builder_.column(entry) != column) ++entry;
    do ++entry;
    while (builder_.column(entry) != column);
    scanner_.refuse_at(first_line_ + entry, VTEMPER_ERROR_DATA, reason);
  }
  builder_.end_row();
}

void EntryList::note_rows() {
  is_ascending_ = false;
  builder_.bring_to_memory();
  for (int64_t row = 0; row <= builder_.rows(); ++row) {
    const int64_t end = row < builder_.rows() ? builder_.row_begin(row + 1) : builder_.entries();
    for (int64_t entry = builder_.row_begin(row); entry < end; ++entry) row_of_entry_.push(row);
  }
}

void EntryList::require_distinct(const Counts& counts) const {
  const auto* offsets = static_cast<const int64_t*>(counts.offsets.data);
  const auto* columns = static_cast<const int32_t*>(counts.indices.data);
  std::vector<int32_t> work;
  for (int64_t row = 0; row < counts.rows; ++row) {
    const int32_t repeated = repeated_index(columns + offsets[row], offsets[row + 1] - offsets[row], work);
    if (repeated >= 0) {
      throw Error(VTEMPER_ERROR_DATA, message(scanner_.path(), ": ", given_twice(row, repeated)));
    }
  }
}

template <class Value>
Counts EntryList::gather() const {
  return gather_by_rows<Value>(rows_, columns_, builder_.entries(), [&](const auto& visit) {
    for (int64_t entry = 0; entry < builder_.entries(); ++entry) {
      visit(row_of_entry_[entry], builder_.column(entry), static_cast<Value>(builder_.value(entry)));
    }
  });
}

void EntryList::finish() {
  if (builder_.entries() < announced_) {
    scanner_.refuse(VTEMPER_ERROR_FORMAT, message("the header declares ", counted(announced_, "entry", "entries"),
                                                  ", but the file ends after ", builder_.entries()));
  }
  require_plausible(rows_);
  if (is_ascending_) {
    close_rows(rows_);
    return data_.end(rows_, columns_);
  }
  auto gathered = std::make_shared<Data>(builder_.whole() ? gather<int32_t>() : gather<double>());
  require_distinct(gathered->counts());
  data_.take(std::move(gathered));  // ends the builder
}

}  // namespace vtemper
