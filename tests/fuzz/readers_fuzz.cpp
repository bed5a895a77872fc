// Any bytes as a file of any format: they are refused with an Error, or give data that can be read to the end.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "data/data.h"
#include "support/error.h"
#include "support/text.h"

using namespace vtemper;

namespace {

/// A file in memory that has a path.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* bytes, size_t size) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, bytes, size) != static_cast<ssize_t>(size)) std::abort();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }
  std::string path() const { return sentence("/proc/self/fd/", descriptor_); }

 private:
  int descriptor_;
};

void read_to_the_end(const std::string& path, const char* format) {
  DataPointer data;
  try {
    data = data_read(path, format);
    data_verify(*data);
  } catch (const Error&) {
    return;
  } catch (const std::bad_alloc&) {
    return;
  }
  // What was accepted and verified is sound.
  const double total = data_total(*data);
  if (data->sequences && total != static_cast<double>(data->sequences->entries)) std::abort();
  if (data->dense) return;  // values of any sign; their sum may leave the range
  if (!(total >= 0) || data->columns() > most_columns) std::abort();
}

}  // namespace

/// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size == 0) return 0;
  constexpr const char* formats[] = {"auto",          "docword", "ldac",      "svmlight",
                                     "matrix_market", "mapped",  "sequences", "labelled_sequences",
                                     "csv",           "npy",     "idx"};
  const MemoryFile file(bytes + 1, size - 1);
  read_to_the_end(file.path(), formats[bytes[0] % (sizeof formats / sizeof formats[0])]);
  return 0;
}
