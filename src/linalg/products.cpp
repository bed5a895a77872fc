#include "linalg/products.h"

#include <cblas.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/dispatch.h"
#include "support/processors.h"
#include "support/team.h"
#include "support/text.h"

namespace vtemper::linalg {

namespace {

/// Edge of the tiles. OpenBLAS leaves products of up to 2^18 = tile^3 multiplications on the calling thread.
constexpr int64_t tile = 64;
/// Rows of b per pass of our own kernel. They determine the sums and therefore the bits.
constexpr int64_t deep = 256;
/// Fewest columns of a tile: two batches of the widest registers, which our own kernel sums together.
constexpr int64_t narrow = 16;

/// Register widths, in doubles, of the processors that OpenBLAS has kernels for; 2 for all others.
struct Core {
  std::string_view name;
  int doubles;
};
constexpr std::array<Core, 8> cores = {{{"SkylakeX", 8},
                                        {"Cooperlake", 8},
                                        {"Sapphirerapids", 8},
                                        {"Haswell", 4},
                                        {"Zen", 4},
                                        {"Excavator", 4},
                                        {"Sandybridge", 3},  // no fused multiply-add
                                        {"Bulldozer", 3}}};

int doubles_of_core(std::string_view name) {
  for (const Core& core : cores) {
    if (lower_case(core.name) == lower_case(name)) return core.doubles;
  }
  return 2;
}

int doubles_of_kernels() {
  const std::string_view name = kernels::instruction_set().name;
  return name == "avx512" ? 8 : name == "avx2" ? 4 : name == "scalar" ? 1 : 2;
}

/// The file that defines a function, with links resolved: Debian's libopenblas.so.0 links to one of several builds.
std::string file_of(const void* function) {
  Dl_info found;
  if (dladdr(function, &found) == 0 || found.dli_fname == nullptr) return "unknown";
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(found.dli_fname, nullptr), std::free);
  return real ? real.get() : found.dli_fname;
}

/// A function of a loaded library, or NULL.
template <class Function>
Function* function_of(void* library, const char* name) {
  void* address = dlsym(library, name);
  Function* function = nullptr;
  std::memcpy(&function, &address, sizeof function);
  return function;
}

/// Whether the process can still allocate what OpenBLAS needs: a buffer and a stack for each of its threads, and a
/// buffer for each thread that calls it. When allocation fails, OpenBLAS 0.3.21 retries forever or ends the process,
/// so the memory is mapped here first, where a limit of the process (RLIMIT_AS) or the system may refuse it, and
/// unmapped again.
bool has_memory_for_openblas() {
  constexpr size_t library = size_t{64} << 20;
  constexpr size_t buffer = size_t{128} << 20;
  constexpr size_t max_stack = size_t{64} << 20;  // per thread; used for unlimited stacks too
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0) stack.rlim_cur = max_stack;
  const size_t of_thread = buffer + buffer + std::min<size_t>(stack.rlim_cur, max_stack);
  const size_t size = library + static_cast<size_t>(processors_of_affinity()) * of_thread;
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, size);
  return true;
}

/// Whether the process may start the threads that OpenBLAS starts while it is loaded, one for each other processor.
/// If a limit (RLIMIT_NPROC, a control group) refuses one, OpenBLAS 0.3.21 raises SIGINT.
bool has_threads_for_openblas() {
  return threads_can_start(processors_of_affinity() - 1);
}

/// OpenBLAS, loaded on first use: a process without large products pays neither for its memory nor for its idle
/// threads. Its symbols are looked up in its own library, so another BLAS in the process does not interfere.
struct OpenBlas {
  BlasInfo info;
  decltype(cblas_dgemm)* product = nullptr;

  OpenBlas() {
    info.lack = !has_memory_for_openblas()    ? "too little memory"
                : !has_threads_for_openblas() ? "too few threads"
                                              : "";
    if (!info.lack.empty()) return;
    void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    product = function_of<decltype(cblas_dgemm)>(library, "cblas_dgemm");
    const auto core_name = function_of<char*()>(library, "openblas_get_corename");
    if (product == nullptr || core_name == nullptr) return;
    void* address = nullptr;
    std::memcpy(&address, &product, sizeof address);
    const std::string file = file_of(address);
    info.library = file.substr(file.rfind('/') + 1);
    info.core = core_name();
    info.is_openblas = true;
    info.is_wide = doubles_of_core(info.core) >= doubles_of_kernels();
  }
};

const OpenBlas& openblas() {
  static const OpenBlas loaded;
  return loaded;
}

/// A tile of b copied to contiguous memory: it stays in cache while all rows of a are processed, and rows a power of
/// 2 apart do not evict each other. It is on the stack, because a product allocates nothing, and no larger than a
/// level 1 cache, because the host's threads may have small stacks: tiles of many rows have few columns.
class PackedTile {
 public:
  /// For tiles of up to `rows` <= deep rows of b.
  explicit PackedTile(int64_t rows) : columns_(std::clamp(size / rows / narrow * narrow, narrow, tile)) {}

  int64_t columns() const { return columns_; }
  const double* values() const { return values_; }
  void pack(const double* b, int64_t b_row, int64_t inner, int64_t columns) {
    const size_t bytes = static_cast<size_t>(columns) * sizeof(double);
    for (int64_t l = 0; l < inner; ++l) std::memcpy(values_ + l * columns_, b + l * b_row, bytes);
  }

 private:
  static constexpr int64_t size = deep * narrow;
  static_assert(size >= tile * tile);
  int64_t columns_;  ///< also the distance of rows
  alignas(64) double values_[size];
};

void add_by_kernel(const Product& product) {
  const auto add = kernels::instruction_set().double_precision.add_product;
  const auto part = [&](int64_t l, int64_t j, const double* b, int64_t b_row, int64_t inner, int64_t columns) {
    add({product.a + l * product.a_column, product.a_row, product.a_column, b, b_row, product.c + j, product.c_row,
         product.rows, inner, columns});
  };
  // Copying pays off only for enough rows.
  constexpr int64_t min_rows = 48;
  if (product.rows < min_rows || product.b_row <= tile) {
    return part(0, 0, product.b, product.b_row, product.inner, product.columns);
  }
  PackedTile packed(std::clamp<int64_t>(product.inner, 1, deep));
  for (int64_t l = 0; l < product.inner; l += deep) {
    const int64_t inner = std::min(deep, product.inner - l);
    for (int64_t j = 0; j < product.columns; j += packed.columns()) {
      const int64_t columns = std::min(packed.columns(), product.columns - j);
      packed.pack(product.b + l * product.b_row + j, product.b_row, inner, columns);
      part(l, j, packed.values(), packed.columns(), inner, columns);
    }
  }
}

void add_by_openblas(const Product& product) {
  const bool transposed = product.a_column != 1;
  const auto width = [](int64_t value) { return static_cast<int>(value); };
  PackedTile packed(tile);
  for (int64_t l = 0; l < product.inner; l += tile) {
    const int64_t inner = std::min(tile, product.inner - l);
    for (int64_t j = 0; j < product.columns; j += tile) {
      const int64_t columns = std::min(tile, product.columns - j);
      packed.pack(product.b + l * product.b_row + j, product.b_row, inner, columns);
      for (int64_t i = 0; i < product.rows; i += tile) {
        openblas().product(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans,
                           width(std::min(tile, product.rows - i)), width(columns), width(inner), 1,
                           product.a + i * product.a_row + l * product.a_column,
                           width(transposed ? product.a_column : product.a_row), packed.values(),
                           width(packed.columns()), 1, product.c + i * product.c_row + j, width(product.c_row));
      }
    }
  }
}

}  // namespace

const BlasInfo& blas_info() {
  return openblas().info;
}

Engine engine_for(int64_t rows, int64_t inner, int64_t columns) {
  // Below this size a tile costs more than it saves.
  constexpr int64_t min_edge = 48;
  const bool is_large = std::min({rows, inner, columns}) >= min_edge;
  return is_large && blas_info().is_wide ? Engine::openblas : Engine::kernel;
}

void add_product(const Product& product) {
  add_product(product, engine_for(product.rows, product.inner, product.columns));
}

void add_product(const Product& product, Engine engine) {
  if (engine == Engine::openblas) {
    add_by_openblas(product);
  } else {
    add_by_kernel(product);
  }
}

}  // namespace vtemper::linalg
