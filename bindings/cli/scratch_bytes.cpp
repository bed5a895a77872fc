#include "scratch_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "failure.h"
#include "temporary_file.h"

ScratchBytes::~ScratchBytes() {
  if (mapping_ != nullptr) munmap(mapping_, written_);
  if (file_ >= 0) close(file_);
}

void ScratchBytes::refuse(const char* what) const {
  fail("%s: a temporary file in this folder cannot be %s: %s", folder_.c_str(), what, std::strerror(errno));
}

void ScratchBytes::write() {
  if (file_ < 0) {
    file_ = temporary_nameless(folder_.c_str());
    if (file_ < 0) refuse("made");
  }
  for (size_t done = 0; done < memory_.size();) {
    const ssize_t size = ::write(file_, memory_.data() + done, memory_.size() - done);
    if (size < 0 && errno != EINTR) refuse("written");
    if (size > 0) done += static_cast<size_t>(size);
  }
  written_ += memory_.size();
  memory_.clear();
}

size_t ScratchBytes::read(size_t at, std::vector<char>& block) const {
  for (;;) {
    const ssize_t size = pread(file_, block.data(), block.size(), static_cast<off_t>(at));
    if (size > 0) return static_cast<size_t>(size);
    if (size == 0) errno = EIO;
    if (errno != EINTR) refuse("read");
  }
}

const void* ScratchBytes::all() {
  if (written_ == 0) return memory_.data();
  if (!memory_.empty()) write();
  if (mapping_ == nullptr) {
    void* mapping = mmap(nullptr, written_, PROT_READ, MAP_SHARED, file_, 0);
    if (mapping == MAP_FAILED) refuse("read");
    mapping_ = mapping;
  }
  return mapping_;
}
