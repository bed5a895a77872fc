// Status names and the thread-local last error.

#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

#include "api/arguments.h"
#include "api/guard.h"
#include "support/error.h"

namespace vtemper::api {
namespace {

// A plain array: writing it neither allocates nor registers a destructor, both of which could fail when memory is
// short.
constexpr size_t text_size = 2048;
thread_local char last_error_text[text_size];

void write_last_error(std::string_view text) {
  size_t length = text.size() < text_size ? text.size() : text_size - 1;
  // Truncates a long text at a character boundary.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  std::memcpy(last_error_text, text.data(), length);
  last_error_text[length] = '\0';
}

}  // namespace

vtemper_status report_failure() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    write_last_error(error.what());
    return error.status();
  } catch (const std::bad_alloc&) {
    write_last_error("out of memory");
    return VTEMPER_ERROR_MEMORY;
  } catch (const std::length_error&) {
    write_last_error("out of memory: an array would be larger than the address space");
    return VTEMPER_ERROR_MEMORY;
  } catch (const std::exception& exception) {
    write_last_error(exception.what());
    return VTEMPER_ERROR_INTERNAL;
  } catch (...) {
    write_last_error("the library or a callback threw an exception that is not a std::exception");
    return VTEMPER_ERROR_INTERNAL;
  }
}

}  // namespace vtemper::api

const char* vtemper_last_error(void) {
  return vtemper::api::last_error_text;
}

const char* vtemper_status_name(vtemper_status status) {
  switch (vtemper::api::enum_value(status)) {
    case VTEMPER_OK:
      return "VTEMPER_OK";
    case VTEMPER_ERROR_ARGUMENT:
      return "VTEMPER_ERROR_ARGUMENT";
    case VTEMPER_ERROR_OPTION:
      return "VTEMPER_ERROR_OPTION";
    case VTEMPER_ERROR_DATA:
      return "VTEMPER_ERROR_DATA";
    case VTEMPER_ERROR_STATE:
      return "VTEMPER_ERROR_STATE";
    case VTEMPER_ERROR_MEMORY:
      return "VTEMPER_ERROR_MEMORY";
    case VTEMPER_ERROR_IO:
      return "VTEMPER_ERROR_IO";
    case VTEMPER_ERROR_FORMAT:
      return "VTEMPER_ERROR_FORMAT";
    case VTEMPER_ERROR_NUMERIC:
      return "VTEMPER_ERROR_NUMERIC";
    case VTEMPER_ERROR_UNSUPPORTED:
      return "VTEMPER_ERROR_UNSUPPORTED";
    case VTEMPER_ERROR_INTERNAL:
      return "VTEMPER_ERROR_INTERNAL";
    case VTEMPER_ERROR_PEER:
      return "VTEMPER_ERROR_PEER";
    case VTEMPER_CANCELLED:
      return "VTEMPER_CANCELLED";
    default:
      return "unknown status";
  }
}
