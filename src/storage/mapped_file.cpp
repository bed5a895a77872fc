#include "storage/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace

MappedFile map_file(const std::string& path) {
  const OpenFile file(path);
  if (file.number < 0) fail_io(path, "cannot be opened", errno);
  struct stat status;
  if (fstat(file.number, &status) != 0) fail_io(path, "cannot be opened", errno);
  if (S_ISDIR(status.st_mode)) fail_io(path, "cannot be read", EISDIR);
  if (!S_ISREG(status.st_mode)) throw Error(VTEMPER_ERROR_IO, path + " cannot be read: it is not a regular file");

  MappedFile mapped;
  mapped.size = status.st_size;
  if (mapped.size == 0) return mapped;
  const size_t size = static_cast<size_t>(mapped.size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (bytes == MAP_FAILED) fail_io(path, "cannot be mapped", errno);
  // Where the owner cannot be allocated, shared_ptr calls the deleter before it throws.
  mapped.owner = std::shared_ptr<const void>(bytes, [bytes, size](const void*) { munmap(bytes, size); });
  mapped.bytes = bytes;
  return mapped;
}

}  // namespace vtemper
