#pragma once
// Errors from the operating system and from invalid file contents.

#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

/// "path cannot be opened: No such file or directory" (IO), or std::bad_alloc if errno says that memory is short.
[[noreturn]] inline void fail_io(const std::string& path, const char* what, int error_number) {
  if (error_number == ENOMEM) throw std::bad_alloc();
  if (path.empty()) throw Error(VTEMPER_ERROR_IO, message("a file ", what, ": its path is empty"));
  throw Error(VTEMPER_ERROR_IO, message(path, " ", what, ": ", std::generic_category().message(error_number)));
}

}  // namespace vtemper
