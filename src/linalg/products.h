#pragma once
// The single entry point for matrix products outside the kernels of single models: computed by our own kernel, or by
// OpenBLAS if it uses registers as wide as ours and the shape makes it worthwhile (the table in
// tests/bench/README.md).
//
// OpenBLAS is called in tiles below the size from which it would use threads, so it never does, and its settings are
// not changed. If the process may lack the memory or the threads that OpenBLAS takes, our own kernel is used. The
// bits of a product depend on the engine and on the shapes, but not on the number of threads.

#include <cstdint>
#include <string>

namespace vtemper::linalg {

/// c = start + a b in double: a_il = a[i * a_row + l * a_column], where one of the two strides is 1; rows of b and c
/// are contiguous.
struct Product {
  const double* a;
  int64_t a_row, a_column;
  const double* b;
  int64_t b_row;
  double* c;
  int64_t c_row;
  int64_t rows, inner, columns;
};

/// Implementations of a product.
enum class Engine { kernel, openblas };

/// The faster engine for a shape on this machine.
Engine engine_for(int64_t rows, int64_t inner, int64_t columns);

/// c += a b. Allocates nothing.
void add_product(const Product& product);
void add_product(const Product& product, Engine engine);

/// The BLAS in use, and the processor it is optimised for.
struct BlasInfo {
  std::string library;       ///< file name of the loaded library
  std::string core;          ///< the processor type whose kernels OpenBLAS selected; empty: not OpenBLAS
  std::string lack;          ///< "too little memory" or "too few threads" for OpenBLAS, which is then not loaded
  bool is_openblas = false;  ///< no other BLAS is called: it might use threads for any shape
  bool is_wide = false;      ///< its registers are at least as wide as those of our instruction set
};
const BlasInfo& blas_info();

}  // namespace vtemper::linalg
