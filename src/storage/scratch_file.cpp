#include "storage/scratch_file.h"

#include "storage/atomic_file.h"
#include "storage/failure.h"
#include "support/interruption.h"

namespace vtemper {

ScratchFolder::ScratchFolder(const std::string& path) : path_(path), folder_(folder_of_file(path)) {}

ScratchFile::ScratchFile(const ScratchFolder& folder) : path_(folder.path()), file_(folder.folder(), "") {
  constexpr mode_t own = 0600;
  if (!file_.create_nameless(own)) fail("cannot be made");
}

void ScratchFile::fail(const char* what) const {
  fail_io(path_, message("cannot be written: a temporary file beside it ", what).c_str(), errno);
}

void ScratchFile::append(const void* bytes, int64_t size) {
  if (!file_.write(bytes, size)) fail("cannot be written");
  size_ += size;
}

void ScratchFile::read(int64_t at, void* out, int64_t size) const {
  require_not_interrupted();
  if (!file_.read(at, out, size)) fail("cannot be read");
}

}  // namespace vtemper
