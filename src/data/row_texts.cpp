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
  owner_ = std::move(copy);
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

RowTexts::RowTexts(std::shared_ptr<const void> owner, const char* bytes, int64_t size, const int64_t* offsets,
                   int64_t rows, std::string source)
    : owner_(std::move(owner)),
      bytes_(bytes),
      size_(size),
      offsets_(offsets),
      rows_(rows),
      source_(std::move(source)) {}

const char* RowTexts::at(int64_t row) const {
  const int64_t begin = offsets_[row], end = offsets_[row + 1];
  if (source_.empty()) return bytes_ + begin;
  const bool inside = begin >= 0 && begin < end && end <= size_;
  if (!inside || std::memchr(bytes_ + begin, 0, static_cast<size_t>(end - begin)) != bytes_ + end - 1 ||
      !is_valid_utf8({bytes_ + begin, static_cast<size_t>(end - begin - 1)})) {
    throw Error(VTEMPER_ERROR_FORMAT, message(source_, ": the text of row ", row, " is damaged"));
  }
  return bytes_ + begin;
}

RowTexts RowTexts::selected(const int64_t* rows, int64_t count) const {
  const auto copy = std::make_shared<Copy>();
  for (int64_t i = 0; i < count; ++i) copy->add(at(rows[i]));
  RowTexts result;
  result.own(copy);
  return result;
}

RowTexts RowTexts::slice(int64_t first, int64_t count) const {
  RowTexts result = *this;
  result.offsets_ += first;
  result.rows_ = count;
  return result;
}

void RowTexts::verify() const {
  for (int64_t row = 0; row < rows_; ++row) at(row);
}

bool is_field_name(std::string_view name) {
  constexpr size_t max_length = 64;
  return !name.empty() && name.size() <= max_length && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
  });
}

}  // namespace vtemper
