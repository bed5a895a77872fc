#pragma once
// Named arrays and text in one file or buffer: the safetensors layout (8-byte little-endian header length, JSON
// header, raw little-endian arrays), with hashes (XXH3-64) of header and arrays in __metadata__. Python, R and Julia
// can open such files without this library.
//
// __metadata__: "format" ("vtemper.model", "vtemper.checkpoint", "vtemper.corpus"), "format_version" ("1"), the
// writer's texts, "payload_hash" and "header_hash" (16 hexadecimal digits; the header is hashed with zeros in its
// place).
//
// Every array begins at a multiple of 64 bytes of the file. The layout allows no gaps, so they are filled by arrays
// of zeros named "padding.<offset>"; texts longer than 1 KiB are u8 arrays named "text.<name>". ContainerReader hides
// both.
//
// Files are untrusted: lengths are checked before anything is allocated, the header (at most 1 MiB, and of exactly
// its declared length) is parsed without recursion, arrays must fill the file without overlap, unknown types and
// duplicate names are refused. Errors are Error(VTEMPER_ERROR_FORMAT) and name the file and the reason.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/atomic_file.h"
#include "storage/file_contents.h"

namespace vtemper {

enum class Element : int32_t { u8, i32, i64, f32, f64 };
int64_t element_size(Element element);

/// An array in a container; the bytes are borrowed.
struct Tensor {
  Element element;
  std::vector<int64_t> shape;
  const void* data;
  const ScratchFile* scratch = nullptr;    ///< of a writer: not NULL if the array is in this file
  const FileContents* contents = nullptr;  ///< not NULL if `data` is an address in this file, to be read through it
  const ParameterFile* file = nullptr;     ///< of a writer: not NULL if the array is at the beginning of this file
  int64_t count() const;                   ///< number of elements
  int64_t bytes() const;
  /// The elements at an address within the array: there, or in `spare`.
  template <class T>
  const T* at(const T* address, int64_t elements, Spare& spare) const {
    return read_at(contents, address, elements, spare);
  }
  Piece piece() const { return {data, bytes(), scratch, contents, file}; }
};

class ContainerReader;

class ContainerWriter {
 public:
  explicit ContainerWriter(std::string format);
  /// Error(ARGUMENT) for invalid UTF-8.
  void text(const std::string& name, const std::string& value);
  /// Borrows the array until the container is written. `contents`: not NULL if it is in that file.
  void tensor(const std::string& name, Element element, std::vector<int64_t> shape, const void* data,
              const FileContents* contents = nullptr);
  void tensor(const std::string& name, Element element, std::vector<int64_t> shape, const Piece& bytes);
  /// As above, but the writer owns the array.
  void keep(const std::string& name, std::vector<double> values);
  void keep(const std::string& name, std::vector<int64_t> values);
  void keep(const std::string& name, std::string bytes);  ///< as a u8 array

  /// The container as a reader would see it; all arrays must be in memory. Valid as long as the writer and the
  /// borrowed arrays live. `name` stands for the path in messages.
  ContainerReader view(const std::string& name) const;

  int64_t size() const;                            ///< size of the container in bytes
  uint64_t hash() const;                           ///< hash of the container, without a copy of its arrays
  void write(void* buffer) const;                  ///< `buffer` has size() bytes
  std::string bytes() const;                       ///< the container in memory
  void write_file(const std::string& path) const;  ///< atomic

 private:
  struct Named;
  struct Layout;
  void add(const std::string& name, Tensor tensor, std::shared_ptr<const void> owner);
  template <class Values>
  void keep_values(const std::string& name, Element element, Values values);
  Layout layout(bool with_hash) const;

  std::string format_;
  std::map<std::string, std::string> texts_;
  std::vector<std::shared_ptr<const Named>> tensors_;
};

enum class Verify { header, everything };

class ContainerReader {
 public:
  /// Error(FORMAT) if the file's format is not `format`. Reading arrays can throw Error(IO).
  static ContainerReader open_file(const std::string& path, std::string_view format, Verify verify,
                                   const FileLimits& limits = {});
  /// Borrows the buffer, or copies it if it is not aligned to 8 bytes. `name` stands for the path in messages.
  static ContainerReader open_buffer(const void* buffer, int64_t size, std::string_view format,
                                     const std::string& name = "the buffer");

  const std::string& text(std::string_view name) const;  ///< Error(FORMAT) if missing
  bool has_text(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }
  bool has_tensor(std::string_view name) const;
  bool has_tensor(std::string_view name, Element element) const {
    const auto found = tensors_.find(name);
    return found != tensors_.end() && found->second.element == element;
  }
  /// Error(FORMAT) if missing, of another element type or of another rank. The array is brought into memory.
  const Tensor& tensor(std::string_view name, Element element, size_t rank) const;
  /// As above, but it must be read through Tensor::at.
  const Tensor& unread_tensor(std::string_view name, Element element, size_t rank) const;
  std::vector<double> doubles(std::string_view name) const;    ///< a rank-1 f64 array
  std::vector<int64_t> integers(std::string_view name) const;  ///< a rank-1 i64 array
  const std::string& name() const { return name_; }

  /// Reads all arrays and compares their hash; Error(FORMAT) on a mismatch.
  void verify_payload() const;

  /// Keeps the memory alive for arrays that outlive the reader.
  std::shared_ptr<const void> owner() const { return owner_; }
  /// The file, if its arrays must be read through it; NULL if they are in memory.
  const FileContents* unread() const { return contents_ && !contents_->is_in_memory() ? contents_.get() : nullptr; }
  /// The file that holds the arrays; NULL for buffers.
  const std::shared_ptr<const FileContents>& contents() const { return contents_; }

 private:
  friend class ContainerWriter;
  std::string name_;
  std::shared_ptr<const void> owner_;
  const uint8_t* payload_ = nullptr;
  int64_t payload_size_ = 0;
  std::shared_ptr<const FileContents> contents_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, Tensor, std::less<>> tensors_;
  void parse(const void* bytes, int64_t size, std::string_view format);
};

/// True if the file begins like a container of any format (for format recognition); false if it cannot be read.
bool looks_like_container(const std::string& path);

}  // namespace vtemper
