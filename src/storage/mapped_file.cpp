#include "storage/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "storage/failure.h"

namespace vtemper {
namespace {

struct OpenFile {
  explicit OpenFile(const std::string& path) {
    do {
      number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not wait for the writer of a pipe
    } while (number < 0 && errno == EINTR);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number >= 0) close(number);
  }
  int number;
};

/// The file stays open, so that its size can be asked for.
struct Mapping {
  explicit Mapping(const std::string& path) : file(path) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (bytes != MAP_FAILED) munmap(bytes, size);
  }
  OpenFile file;
  void* bytes = MAP_FAILED;
  size_t size = 0;
};

}  // namespace

MappedFile map_file(const std::string& path) {
  auto mapping = std::make_shared<Mapping>(path);
  const int number = mapping->file.number;
  if (number < 0) fail_io(path, "cannot be opened", errno);
  struct stat status;
  if (fstat(number, &status) != 0) fail_io(path, "cannot be opened", errno);
  if (S_ISDIR(status.st_mode)) fail_io(path, "cannot be read", EISDIR);
  if (!S_ISREG(status.st_mode)) throw Error(VTEMPER_ERROR_IO, path + " cannot be read: it is not a regular file");

  MappedFile mapped;
  mapped.size = status.st_size;
  if (mapped.size == 0) return mapped;
  mapping->size = static_cast<size_t>(mapped.size);
  mapping->bytes = mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, number, 0);
  if (mapping->bytes == MAP_FAILED) fail_io(path, "cannot be mapped", errno);
  mapped.bytes = mapping->bytes;
  mapped.descriptor = number;
  mapped.device = static_cast<uint64_t>(status.st_dev);
  mapped.file_number = static_cast<uint64_t>(status.st_ino);
  mapped.owner = std::move(mapping);
  return mapped;
}

bool MappedFile::is_whole() const {
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return true;
  const bool same =
      static_cast<uint64_t>(status.st_dev) == device && static_cast<uint64_t>(status.st_ino) == file_number;
  return !same || status.st_size >= size;
}

}  // namespace vtemper
