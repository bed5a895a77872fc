#include "text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ustring.h>
#include <zlib.h>

#include "corpus.h"
#include "failure.h"

namespace {

constexpr size_t chunk_bytes = 65536;

struct Signature {
  std::string_view bytes;
  const char* kind;
};

using namespace std::string_view_literals;
constexpr Signature signatures[] = {
    {"%PDF-"sv, "a PDF document"},
    {"PK\x03\x04"sv, "a ZIP archive or an office document"},
    {"\x7f\x45LF"sv, "a program"},
    {"\x89PNG"sv, "a PNG image"},
    {"\xff\xd8\xff"sv, "a JPEG image"},
    {"GIF8"sv, "a GIF image"},
    {"\x1f\x8b"sv, "compressed twice"},
    {"BZh"sv, "compressed by bzip2"},
    {"\xfd\x37zXZ"sv, "compressed by xz"},
    {"\x28\xb5\x2f\xfd"sv, "compressed by zstd"},
    {"\xd0\xcf\x11\xe0"sv, "an old office document"},
    {"{\\rtf"sv, "an RTF document"},
};

/// The encoding given by a byte order mark, or "".
std::string encoding_by_mark(std::string_view bytes, size_t& mark_length) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0;
  const char* name = ucnv_detectUnicodeSignature(bytes.data(), static_cast<int32_t>(bytes.size()), &length, &status);
  mark_length = name != nullptr ? static_cast<size_t>(length) : 0;
  return name != nullptr ? name : "";
}

/// Replaces and counts undecodable bytes.
void U_CALLCONV count_and_replace(const void* context, UConverterToUnicodeArgs* arguments, const char* bytes,
                                  int32_t length, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason <= UCNV_IRREGULAR) ++*static_cast<int64_t*>(const_cast<void*>(context));
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, arguments, bytes, length, reason, status);
}

/// Exits at bytes that cannot be decoded, by the byte order mark or, without one, as UTF-8.
[[noreturn]] void refuse_bytes(const std::string& name, int64_t line, const UConverter* converter,
                               const char* advice) {
  UErrorCode status = U_ZERO_ERROR;
  const std::string encoding = ucnv_getName(converter, &status);
  if (encoding != "UTF-8") {
    fail("%s, line %lld: bytes that are not %s, as the byte order mark says; the file is cut off or damaged",
         name.c_str(), static_cast<long long>(line), encoding.c_str());
  }
  fail("%s, line %lld: a byte that is not UTF-8; %s", name.c_str(), static_cast<long long>(line), advice);
}

gzFile open_input(const std::string& path) {
  require_path(path.c_str());
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int reason = errno;
  struct stat status;
  if (descriptor < 0) fail("%s cannot be read: %s", path.c_str(), strerror(reason));
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    fail("%s is a folder", path.c_str());
  }
  gzFile file = gzdopen(descriptor, "rb");
  if (file == nullptr) throw std::bad_alloc();
  gzbuffer(file, chunk_bytes);
  return file;
}

}  // namespace

std::string binary_kind(std::string_view bytes) {
  for (const Signature& signature : signatures) {
    if (bytes.substr(0, signature.bytes.size()) == signature.bytes) return signature.kind;
  }
  size_t mark_length;
  const std::string encoding = encoding_by_mark(bytes, mark_length);
  if (!encoding.empty() && encoding != "UTF-8") return "";
  const size_t zero = bytes.find('\0');
  return zero == bytes.npos ? "" : "a file with zero bytes (the first at byte " + std::to_string(zero) + ")";
}

std::string binary_kind_of_file(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  std::string bytes(chunk_bytes, '\0');
  const int count = gzread(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  bytes.resize(static_cast<size_t>(std::max(count, 0)));
  return binary_kind(bytes);
}

struct TextFile::Input {
  gzFile file = nullptr;
  UConverter* converter = nullptr;
  bool strict = true;
  bool started = false;
  int64_t replaced = 0;
  std::u16string held;  ///< a high surrogate waiting for its second half
  std::string encoding;
  const char* advice = nullptr;
  ~Input() {
    if (converter != nullptr) ucnv_close(converter);
    if (file != nullptr) gzclose(file);
  }
};

TextFile::TextFile(const std::string& path, const std::string& encoding, const char* advice)
    : name_(path == "-" ? "the standard input" : path), input_(std::make_unique<Input>()) {
  input_->encoding = encoding;
  input_->strict = encoding.empty();
  input_->advice = advice;
  input_->file = open_input(path);
}

TextFile::~TextFile() = default;

int64_t TextFile::replaced() const {
  return input_->replaced;
}

void TextFile::fill() {
  buffer_.erase(0, position_);
  position_ = 0;
  std::string bytes(chunk_bytes, '\0');
  const int count = gzread(input_->file, bytes.data(), static_cast<unsigned>(bytes.size()));
  int problem = Z_OK;
  const char* reason = gzerror(input_->file, &problem);
  if (count < 0 || problem == Z_BUF_ERROR) {
    const bool damaged = problem != Z_ERRNO;
    fail("%s cannot be read: %s", name_.c_str(),
         problem == Z_BUF_ERROR ? "its gzip data end too early"
         : damaged              ? reason
                                : strerror(errno));
  }
  bytes.resize(static_cast<size_t>(count));
  ended_ = count == 0;
  std::string_view raw = bytes;
  UErrorCode status = U_ZERO_ERROR;
  if (!input_->started) {
    input_->started = true;
    size_t mark_length = 0;
    const std::string marked = encoding_by_mark(raw, mark_length);
    if (input_->encoding.empty() || marked == input_->encoding) raw.remove_prefix(mark_length);
    const std::string encoding = !input_->encoding.empty() ? input_->encoding : marked.empty() ? "UTF-8" : marked;
    const std::string kind = input_->encoding.empty() ? binary_kind(raw) : "";
    if (!kind.empty() && (marked.empty() || marked == "UTF-8")) {
      fail("%s is not text but %s", name_.c_str(), kind.c_str());
    }
    input_->converter = ucnv_open(encoding.c_str(), &status);
    if (U_FAILURE(status)) {
      fail_usage(
          "there is no encoding \"%s\"; known encodings are utf-8, latin1, windows-1252, koi8-r, gb18030, shift_jis "
          "and "
          "others",
          encoding.c_str());
    }
    if (input_->strict) {
      ucnv_setToUCallBack(input_->converter, UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
    } else {
      ucnv_setToUCallBack(input_->converter, count_and_replace, &input_->replaced, nullptr, nullptr, &status);
    }
  }
  const char* source = raw.data();
  const char* const end = source + raw.size();
  do {
    UChar units[8192];
    UChar* target = units;
    status = U_ZERO_ERROR;
    ucnv_toUnicode(input_->converter, &target, units + 8192, &source, end, nullptr, ended_, &status);
    std::u16string text = input_->held;
    text.append(units, target);
    input_->held.clear();
    if (!text.empty() && U16_IS_LEAD(text.back()) && !ended_) {
      input_->held.assign(1, text.back());
      text.pop_back();
    }
    std::string utf8(3 * text.size(), '\0');
    int32_t length = 0;
    UErrorCode converted = U_ZERO_ERROR;
    u_strToUTF8WithSub(utf8.data(), static_cast<int32_t>(utf8.size()), &length, text.data(),
                       static_cast<int32_t>(text.size()), 0xFFFD, nullptr, &converted);
    buffer_.append(utf8, 0, static_cast<size_t>(length));
    if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) {
      const int64_t line = lines_ + 1 + std::count(buffer_.begin(), buffer_.end(), '\n');
      refuse_bytes(name_, line, input_->converter, input_->advice);
    }
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  const size_t zero = buffer_.find('\0');
  if (zero != buffer_.npos) {
    const int64_t line =
        lines_ + 1 + std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    fail("%s, line %lld: a zero byte, so this is not text", name_.c_str(), static_cast<long long>(line));
  }
}

bool TextFile::at_end() {
  while (position_ == buffer_.size() && !ended_) fill();
  return position_ == buffer_.size();
}

std::string_view TextFile::peek() {
  while (buffer_.size() - position_ < chunk_bytes && !ended_) fill();
  return std::string_view(buffer_).substr(position_);
}

int TextFile::get() {
  if (at_end()) return -1;
  const char byte = buffer_[position_++];
  lines_ += byte == '\n';
  return static_cast<unsigned char>(byte);
}

void TextFile::skip_line_breaks() {
  while (!at_end() && (buffer_[position_] == '\n' || buffer_[position_] == '\r')) get();
}

void TextFile::append_limited(std::string& text, const char* bytes, size_t count) const {
  if (text.size() + count > max_document_bytes) {
    fail("%s: the document at line %lld is longer than 1 GB", name_.c_str(), static_cast<long long>(line_number()));
  }
  text.append(bytes, count);
}

bool TextFile::line(std::string& text) {
  text.clear();
  if (at_end()) return false;
  for (;;) {
    const size_t end = buffer_.find('\n', position_);
    const size_t stop = end == buffer_.npos ? buffer_.size() : end;
    append_limited(text, buffer_.data() + position_, stop - position_);
    position_ = stop + (end == buffer_.npos ? 0 : 1);
    lines_ += end != buffer_.npos;
    if (end != buffer_.npos || at_end()) break;
  }
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return true;
}

void TextFile::rest(std::string& text) {
  text.clear();
  while (!at_end()) {
    append_limited(text, buffer_.data() + position_, buffer_.size() - position_);
    lines_ += std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(position_), buffer_.end(), '\n');
    position_ = buffer_.size();
  }
}
