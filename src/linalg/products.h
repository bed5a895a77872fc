#pragma once
// The one door to products of matrices beyond those of single models: by our own kernel, or by the BLAS of the
// process where it is an OpenBLAS that computes with registers as wide as ours and the shape pays for it (the table
// in tests/bench/README.md).
//
// OpenBLAS is called in tiles below the size from which it would use threads of its own, so it never does, and its
// settings are not touched. Where the process may not have the memory that OpenBLAS takes, our own kernel computes.
// The bits of a product depend on who computes it, and on shapes, but on no number of threads.

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

/// Who computes.
enum class Engine { kernel, openblas };

/// The one that is faster for a shape on this machine.
Engine engine_for(int64_t rows, int64_t inner, int64_t columns);

/// c += a b. Allocates nothing.
void add_product(const Product& product);
void add_product(const Product& product, Engine engine);

/// The BLAS of the process: who answers to its names, and for which processor.
struct BlasInfo {
  std::string library;       ///< file name of the library that answers
  std::string core;          ///< the processor whose code an OpenBLAS has chosen; empty: not an OpenBLAS
  bool has_memory = false;   ///< for an OpenBLAS, which is not loaded without
  bool is_openblas = false;  ///< only such a one is called: others may use threads whatever the shape
  bool is_wide = false;      ///< its registers are as wide as those of our instruction set
};
const BlasInfo& blas_info();

}  // namespace vtemper::linalg
