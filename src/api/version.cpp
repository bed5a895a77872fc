// The version of the library and how it was built.

#include <exception>
#include <string>

#include <vtemper/vtemper.h>

#include "kernels/dispatch.h"
#include "linalg/products.h"

#define VTEMPER_TEXT_OF(value) #value
#define VTEMPER_TEXT(value) VTEMPER_TEXT_OF(value)
#define VTEMPER_VERSION_TEXT \
  VTEMPER_TEXT(VTEMPER_VERSION_MAJOR) "." VTEMPER_TEXT(VTEMPER_VERSION_MINOR) "." VTEMPER_TEXT(VTEMPER_VERSION_PATCH)

#if defined(__clang__)
#define VTEMPER_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define VTEMPER_COMPILER \
  "gcc " VTEMPER_TEXT(__GNUC__) "." VTEMPER_TEXT(__GNUC_MINOR__) "." VTEMPER_TEXT(__GNUC_PATCHLEVEL__)
#else
#define VTEMPER_COMPILER "unknown compiler"
#endif

namespace vtemper::api {
namespace {

/// Name of the OpenBLAS used for large products, if any.
std::string blas_name() {
  const linalg::BlasInfo& blas = linalg::blas_info();
  if (!blas.lack.empty()) return "none (" + blas.lack + " for libopenblas.so.0)";
  if (!blas.is_openblas) return "none (libopenblas.so.0 cannot be loaded)";
  return blas.library + " (core " + blas.core + (blas.is_wide ? ")" : ", narrower than our kernels, not used)");
}

std::string build_info() {
  std::string available;
  for (const kernels::InstructionSet* set : kernels::available_instruction_sets()) {
    if (!available.empty()) available += ' ';
    available += set->name;
  }
  return std::string("vtemper " VTEMPER_VERSION_TEXT "; instruction set ") + kernels::instruction_set().name +
         " (available: " + available + "); BLAS " + blas_name() + "; " VTEMPER_COMPILER;
}

}  // namespace
}  // namespace vtemper::api

const char* vtemper_version(void) {
  return VTEMPER_VERSION_TEXT;
}

int32_t vtemper_version_number(void) {
  return VTEMPER_VERSION_NUMBER;
}

const char* vtemper_build_info(void) {
  try {
    static const std::string text = vtemper::api::build_info();
    return text.c_str();
  } catch (const std::exception&) {  // out of memory: the next call tries again
    return "vtemper " VTEMPER_VERSION_TEXT;
  }
}
