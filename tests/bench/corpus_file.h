#pragma once
// A mapped corpus file written piece by piece, so that it may be larger than memory, or have holes.

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "storage/container_header.h"
#include "support/text.h"

namespace vtemper::test {

/// Creates the file with its header; the arrays are zeros (holes) until they are written. Throws std::runtime_error.
class CorpusFile {
 public:
  CorpusFile(const std::string& path, int64_t rows, int64_t columns, int64_t entries) {
    ContainerHeader header;
    header.texts = {{"format", "vtemper.corpus"},
                    {"format_version", container_version},
                    {"payload_hash", hash_text(0)},
                    {"rows", number_text(rows)},
                    {"columns", number_text(columns)}};
    offsets_ = place(header, "offsets", Element::i64, rows + 1);
    indices_ = place(header, "indices", Element::i32, entries);
    values_ = place(header, "values", Element::i32, entries);
    const std::string text = header_text(header);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file_ < 0) fail("cannot be created");
    const int64_t length = static_cast<int64_t>(text.size());
    payload_ = static_cast<int64_t>(sizeof length) + length;
    write(&length, sizeof length, 0);
    write(text.data(), text.size(), sizeof length);
    if (ftruncate(file_, payload_ + end_) != 0) fail("cannot be made so long");
  }
  CorpusFile(const CorpusFile&) = delete;
  CorpusFile& operator=(const CorpusFile&) = delete;
  ~CorpusFile() {
    if (file_ >= 0) close(file_);
  }

  void write_offsets(int64_t first, const int64_t* offsets, int64_t count) {
    write(offsets, static_cast<size_t>(count) * sizeof *offsets, payload_ + offsets_ + first * 8);
  }
  void write_entries(int64_t first, const int32_t* indices, const int32_t* values, int64_t count) {
    write(indices, static_cast<size_t>(count) * sizeof *indices, payload_ + indices_ + first * 4);
    write(values, static_cast<size_t>(count) * sizeof *values, payload_ + values_ + first * 4);
  }

 private:
  int file_ = -1;
  int64_t payload_ = 0, end_ = 0;  ///< bytes before the arrays, and of them
  int64_t offsets_, indices_, values_;

  [[noreturn]] static void fail(const char* what) {
    throw std::runtime_error(std::string("the corpus file ") + what);
  }

  int64_t place(ContainerHeader& header, const std::string& name, Element element, int64_t count) {
    const int64_t begin = end_;
    end_ += count * element_size(element);
    header.places.push_back({name, element, {count}, begin, end_});
    const int64_t padding = (container_alignment - end_ % container_alignment) % container_alignment;
    if (padding > 0) {
      header.places.push_back({padding_prefix + number_text(end_), Element::u8, {padding}, end_, end_ + padding});
      end_ += padding;
    }
    return begin;
  }

  void write(const void* data, size_t size, int64_t at) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t written = pwrite(file_, bytes, size, at);
      if (written <= 0) fail("cannot be written");
      bytes += written;
      at += written;
      size -= static_cast<size_t>(written);
    }
  }
};

}  // namespace vtemper::test
