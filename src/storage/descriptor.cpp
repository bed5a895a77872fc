#include "storage/descriptor.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace vtemper {

namespace {

constexpr int64_t most_of_a_call = 1 << 30;  // systems accept less than 2^31 bytes per call

}  // namespace

bool FileIdentity::is_at(int descriptor) const {
  struct stat status;
  return fstat(descriptor, &status) == 0 && static_cast<uint64_t>(status.st_dev) == device &&
         static_cast<uint64_t>(status.st_ino) == number;
}

int64_t read_fully(int descriptor, int64_t place, void* out, int64_t size) {
  int64_t done = 0;
  while (done < size) {
    const ssize_t count =
        pread(descriptor, static_cast<uint8_t*>(out) + done,
              static_cast<size_t>(std::min(size - done, most_of_a_call)), static_cast<off_t>(place + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += count;
  }
  return done;
}

bool write_fully(int descriptor, int64_t place, const void* bytes, int64_t size) {
  for (int64_t done = 0; done < size;) {
    const ssize_t count =
        pwrite(descriptor, static_cast<const uint8_t*>(bytes) + done,
               static_cast<size_t>(std::min(size - done, most_of_a_call)), static_cast<off_t>(place + done));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;  // no system does this for a regular file
    if (count <= 0) return false;
    done += count;
  }
  return true;
}

}  // namespace vtemper
