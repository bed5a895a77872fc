#include "storage/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "storage/copied_file.h"
#include "storage/failure.h"

namespace vtemper {
namespace {

struct OpenFile {
  explicit OpenFile(const std::string& path) {
    do {
      number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // do not block on a pipe without a writer
    } while (number < 0 && errno == EINTR);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { shut(); }
  void shut() {
    if (number >= 0) close(number);
    number = -1;
  }
  int number;
};

/// For true mappings the file stays open, so that its size can be checked.
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

/// Reads from the start of the file; returns the number of bytes read.
size_t read_from(const OpenFile& file, const std::string& path, void* out, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count =
        pread(file.number, static_cast<uint8_t*>(out) + done, size - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_io(path, "cannot be read", errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

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
  const bool is_copied = mapped.size <= largest_copied_file;
  mapping->bytes = is_copied
                       ? mmap(nullptr, mapping->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                       : mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, number, 0);
  if (mapping->bytes == MAP_FAILED) fail_io(path, "cannot be mapped", errno);
  mapped.bytes = mapping->bytes;
  if (is_copied) {
    if (read_from(mapping->file, path, mapping->bytes, mapping->size) < mapping->size) {
      throw Error(VTEMPER_ERROR_IO, path + " was truncated while it was read");
    }
    mapping->file.shut();
  } else {
    mapped.descriptor = number;
    mapped.device = static_cast<uint64_t>(status.st_dev);
    mapped.file_number = static_cast<uint64_t>(status.st_ino);
  }
  mapped.owner = std::move(mapping);
  return mapped;
}

bool read_beginning(const std::string& path, void* out, size_t size) {
  const OpenFile file(path);
  struct stat status;
  const bool is_regular = file.number >= 0 && fstat(file.number, &status) == 0 && S_ISREG(status.st_mode);
  return is_regular && read_from(file, path, out, size) == size;
}

bool MappedFile::is_whole() const {
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return true;
  const bool same =
      static_cast<uint64_t>(status.st_dev) == device && static_cast<uint64_t>(status.st_ino) == file_number;
  return !same || status.st_size >= size;
}

}  // namespace vtemper
