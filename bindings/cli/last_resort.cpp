#include "last_resort.h"

#include <exception>
#include <new>

#include "failure.h"

namespace {

[[noreturn]] void end() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    fail("memory cannot be had");
  } catch (...) {
  }
  fail("a fault of the command ends it; please report it");
}

}  // namespace

void last_resort_set(void) {
  std::set_terminate(end);
}
