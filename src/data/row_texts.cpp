#include "data/row_texts.h"

#include <algorithm>
#include <cstring>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

struct RowTexts::Copy {
  std::string bytes;
  std::vector<int64_t> offsets{0};
  void add(std::string_view text) {
    bytes += text;
    bytes += '\0';
    offsets.push_back(static_cast<int64_t>(bytes.size()));
  }
};

void RowTexts::own(std::shared_ptr<const Copy> copy) {
  bytes_ = copy->bytes.data();
  size_ = static_cast<int64_t>(copy->bytes.size());
  offsets_ = copy->offsets.data();
  rows_ = static_cast<int64_t>(copy->offsets.size()) - 1;
  copy_ = std::move(copy);
}

RowTexts::RowTexts(const std::vector<std::string>& texts, const std::string& field) {
  const auto copy = std::make_shared<Copy>();
  for (size_t row = 0; row < texts.size(); ++row) {
    const auto refuse = [&](const char* reason) {
      throw Error(VTEMPER_ERROR_DATA, message("the ", field, " of row ", static_cast<int64_t>(row), " ", reason));
    };
    if (!is_valid_utf8(texts[row])) refuse("is not valid UTF-8");
    if (texts[row].find('\0') != std::string::npos) refuse("has a zero byte");
    copy->add(texts[row]);
  }
  own(copy);
}

RowTexts::RowTexts(std::shared_ptr<const FileContents> file, const char* bytes, int64_t size, const int64_t* offsets,
                   int64_t rows)
    : file_(std::move(file)), bytes_(bytes), size_(size), offsets_(offsets), rows_(rows) {}

void RowTexts::refuse(int64_t row) const {
  throw Error(VTEMPER_ERROR_FORMAT, message(file_->path(), ": the text of row ", row, " is damaged"));
}

/// Where the text of a row is, with its zero byte.
RowTexts::Range RowTexts::range_of(int64_t row) const {
  if (!file_) return {offsets_[row], offsets_[row + 1]};
  Spare spare;
  const int64_t* const offsets = file_->at(offsets_ + row, 2, spare);
  const Range range = {offsets[0], offsets[1]};
  if (range.begin < 0 || range.begin >= range.end || range.end > size_) refuse(row);
  return range;
}

/// The text that was read from a file.
const char* RowTexts::checked(int64_t row, const char* text, int64_t size) const {
  const bool ends = std::memchr(text, 0, static_cast<size_t>(size)) == text + size - 1;
  if (!ends || !is_valid_utf8({text, static_cast<size_t>(size - 1)})) refuse(row);
  return text;
}

const char* RowTexts::at(int64_t row) const {
  const Range range = range_of(row);
  if (!file_) return bytes_ + range.begin;
  const int64_t size = range.end - range.begin;
  file_->keep(bytes_ + range.begin, size);
  return checked(row, bytes_ + range.begin, size);
}

std::string_view RowTexts::read(int64_t row, Spare& spare) const {
  const Range range = range_of(row);
  const int64_t size = range.end - range.begin;
  const char* text = bytes_ + range.begin;
  if (file_) text = checked(row, file_->at(text, size, spare), size);
  return {text, static_cast<size_t>(size - 1)};
}

RowTexts RowTexts::selected(const int64_t* rows, int64_t count) const {
  const auto copy = std::make_shared<Copy>();
  Spare spare;
  for (int64_t i = 0; i < count; ++i) copy->add(read(rows[i], spare));
  RowTexts result;
  result.own(copy);
  return result;
}

RowTexts RowTexts::slice(int64_t first, int64_t count) const {
  RowTexts result = *this;
  result.offsets_ += first;
  result.rows_ = count;
  result.is_slice_ = is_slice_ || first > 0;
  return result;
}

void RowTexts::verify() const {
  Spare spare;
  for (int64_t row = 0; row < rows_; ++row) read(row, spare);
}

bool is_field_name(std::string_view name) {
  constexpr size_t max_length = 64;
  return !name.empty() && name.size() <= max_length && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
  });
}

}  // namespace vtemper
