#pragma once
// Texts of rows, such as names or dates of documents.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/file_contents.h"

namespace vtemper {

/// One zero-terminated text per row, concatenated. Copies share the bytes.
class RowTexts {
 public:
  RowTexts() = default;
  /// Error(DATA) for a text that is not valid UTF-8 or has a zero byte; the message names `field`.
  RowTexts(const std::vector<std::string>& texts, const std::string& field);
  /// Bytes of a mapped file: offsets [rows + 1], validated as texts are read.
  RowTexts(std::shared_ptr<const FileContents> file, const char* bytes, int64_t size, const int64_t* offsets,
           int64_t rows);

  /// The zero-terminated text of a row, which lives as long as this object. Error(FORMAT) if a mapped file is damaged
  /// there; Error(IO) if it was truncated.
  const char* at(int64_t row) const;
  /// The text of a row, there or in `spare`, until its next use. Errors as above.
  std::string_view read(int64_t row, Spare& spare) const;
  /// The texts of the given rows, in that order.
  RowTexts selected(const int64_t* rows, int64_t count) const;
  /// The texts of rows first .. first + count, without a copy.
  RowTexts slice(int64_t first, int64_t count) const;
  /// Validates every text.
  void verify() const;

  /// The whole text, and the offsets, which begin at 0 unless this is a slice; to be read through contents().
  const char* bytes() const { return bytes_; }
  int64_t size() const { return size_; }
  const int64_t* offsets() const { return offsets_; }
  int64_t rows() const { return rows_; }
  bool is_slice() const { return is_slice_; }
  /// The file of the bytes; NULL if they are in memory.
  const FileContents* contents() const { return file_.get(); }

 private:
  struct Copy;
  void own(std::shared_ptr<const Copy> copy);
  struct Range {
    int64_t begin, end;
  };
  Range range_of(int64_t row) const;
  const char* checked(int64_t row, const char* text, int64_t size) const;
  [[noreturn]] void refuse(int64_t row) const;

  std::shared_ptr<const Copy> copy_;
  std::shared_ptr<const FileContents> file_;  ///< not NULL: everything else are addresses in it
  const char* bytes_ = nullptr;
  int64_t size_ = 0;
  const int64_t* offsets_ = nullptr;
  int64_t rows_ = 0;
  bool is_slice_ = false;
};

/// Texts by field ("name", "date", ...).
using RowTextFields = std::map<std::string, RowTexts, std::less<>>;
/// Text by name: metadata of data or a model, without effect on fits.
using Notes = std::map<std::string, std::string, std::less<>>;

/// Whether `name` is a valid field of row texts: 1 to 64 of a-z, 0-9 and underscore.
bool is_field_name(std::string_view name);

}  // namespace vtemper
