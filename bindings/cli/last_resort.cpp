#include "last_resort.h"

#include <exception>
#include <new>

#include "failure.h"

namespace {

[[noreturn]] void end() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    fail("out of memory");
  } catch (...) {
  }
  fail("an internal error ended the command; please report it");
}

}  // namespace

void last_resort_set(void) {
  std::set_terminate(end);
}
