#pragma once
// Texts of rows, such as names or dates of documents.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace vtemper {

/// One zero-terminated text per row, concatenated. Copies share the bytes.
class RowTexts {
 public:
  RowTexts() = default;
  /// Error(DATA) for a text that is not valid UTF-8 or has a zero byte; the message names `field`.
  RowTexts(const std::vector<std::string>& texts, const std::string& field);
  /// Bytes of a mapped file: offsets [rows + 1], validated as texts are read. `source` begins the messages.
  RowTexts(std::shared_ptr<const void> owner, const char* bytes, int64_t size, const int64_t* offsets, int64_t rows,
           std::string source);

  /// The zero-terminated text of a row. Error(FORMAT) if a mapped file is damaged there.
  const char* at(int64_t row) const;
  /// The texts of the given rows, in that order.
  RowTexts selected(const int64_t* rows, int64_t count) const;
  /// The texts of rows first .. first + count, without a copy.
  RowTexts slice(int64_t first, int64_t count) const;
  /// Validates every text.
  void verify() const;

  const char* bytes() const { return bytes_; }
  int64_t size() const { return size_; }
  const int64_t* offsets() const { return offsets_; }
  int64_t rows() const { return rows_; }

 private:
  struct Copy;
  void own(std::shared_ptr<const Copy> copy);

  std::shared_ptr<const void> owner_;
  const char* bytes_ = nullptr;
  int64_t size_ = 0;
  const int64_t* offsets_ = nullptr;
  int64_t rows_ = 0;
  std::string source_;  ///< "" if everything was validated on input
};

/// Texts by field ("name", "date", ...).
using RowTextFields = std::map<std::string, RowTexts, std::less<>>;
/// Text by name: metadata of data or a model, without effect on fits.
using Notes = std::map<std::string, std::string, std::less<>>;

/// Whether `name` is a valid field of row texts: 1 to 64 of a-z, 0-9 and underscore.
bool is_field_name(std::string_view name);

}  // namespace vtemper
