#pragma once
// Assertions on refused calls: status and complete message.

#include <cstdarg>
#include <string>

#include "support/cmocka.h"
#include "support/error.h"

/// Fails the test.
__attribute__((format(printf, 1, 2))) inline void fail_with(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprint_error(format, arguments);
  va_end(arguments);
  print_error("\n");
  _fail(__FILE__, __LINE__);
}

/// The message of the Error with this status that the call throws; fails the test if it does not throw.
template <class Call>
std::string refusal(vtemper_status status, const Call& call) {
  std::string message;
  int seen = VTEMPER_OK;
  try {
    call();
  } catch (const vtemper::Error& error) {
    seen = error.status();
    message = error.what();
  }
  if (seen != status) fail_with("status %d instead of %d: %s", seen, static_cast<int>(status), message.c_str());
  return message;
}

inline void assert_text(const std::string& seen, const std::string& expected) {
  assert_string_equal(seen.c_str(), expected.c_str());
}

inline void assert_contains(const std::string& text, const std::string& part) {
  if (text.find(part) == std::string::npos) fail_with("\"%s\" is not in: %s", part.c_str(), text.c_str());
}
