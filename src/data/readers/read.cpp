// A file becomes data: the format is asked for or recognised, then its reader has the word.

#include <sys/stat.h>

#include "data/mapped/mapped.h"
#include "data/readers/formats.h"
#include "storage/container.h"
#include "support/error.h"

namespace vtemper {
namespace {

constexpr const char* valid_formats =
    "docword, ldac, svmlight, matrix_market, sequences, labelled_sequences, csv, npy, idx and mapped";

/// Only what can be opened twice can be a mapped file.
bool is_regular_file(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

DataPointer data_read(const std::string& path, const std::string& format) {
  const bool is_unknown = format == "auto" || format.empty();
  const FileFormat* text = is_unknown ? nullptr : file_format(format);
  if (format == "mapped" || (is_unknown && is_regular_file(path) && looks_like_container(path))) {
    return open_mapped(path);
  }
  if (!is_unknown && text == nullptr) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                sentence("argument format is '", format, "'; valid are auto, ", valid_formats));
  }
  Scanner scanner(path);
  if (is_unknown) text = recognise(scanner.head(), scanner.head_is_all());
  if (text == nullptr) {
    throw Error(VTEMPER_ERROR_FORMAT, sentence("what format ", path,
                                               " is in cannot be told from its beginning: say "
                                               "which; readable are ",
                                               valid_formats));
  }
  auto data = std::make_shared<Data>();
  text->read(scanner, *data);
  return data;
}

}  // namespace vtemper
