#pragma once
// The interface of an instruction set: one table of functions over raw pointers for float, one for double, with what
// several models or the optimizers use; kernels of a single model are declared in its folder
// (models/<model>/kernels.h). All sets are compiled from the same source over SIMD batches; the set is selected once
// at run time (dispatch.h).
//
// Padded rows have a multiple of `padding` elements and are 64-byte aligned; the contents of the padding are
// stated where they matter. Functions over `n` plain elements accept any n, any alignment, and x == out. An element's
// result never depends on its neighbours or its position in the array.

#include <cstdint>

namespace vtemper::kernels {

constexpr int64_t padding = 16;  ///< elements; 64 bytes of float, 128 of double
constexpr int64_t padded(int64_t n) {
  return (n + padding - 1) / padding * padding;
}

/// c_ij = start_ij + sum_l a_il b_lj; rows of b and c are contiguous and need no padding or alignment; a may be
/// transposed. Each sum runs over l in order, so it depends only on its row of a and its column of b.
template <class Real>
struct Product {
  const Real* a;
  int64_t a_row, a_column;  ///< a_il = a[i * a_row + l * a_column]
  const Real* b;
  int64_t b_row;  ///< b_lj = b[l * b_row + j]
  Real* c;
  int64_t c_row;                 ///< c_ij = c[i * c_row + j]
  int64_t rows, inner, columns;  ///< extents of i, l and j; any may be 0
  bool added = true;             ///< add to c; otherwise c is write-only and starts from `start`
  const Real* start = nullptr;   ///< [columns] added to every row; NULL: 0
};

/// out [columns x out_row] = transpose of in [rows x in_row]; nothing beyond rows and columns is touched.
template <class Real>
struct Transpose {
  const Real* in;
  int64_t in_row;
  int64_t rows, columns;
  Real* out;
  int64_t out_row;
};

/// An element-wise step along the gradient g = scale * gradient.
///   Adam (Kingma 2015):  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///                        values += rate m / (root_factor sqrt(v) + epsilon)
template <class Real>
struct AdamStep {
  const Real* gradient;
  Real scale;
  Real* mean;    ///< m
  Real* square;  ///< v
  Real* values;
  int64_t count;
  Real mean_kept, square_kept;  ///< b1, b2
  Real rate, root_factor, epsilon;
};

///   RMSProp (Tieleman 2012):  v <- b v + (1 - b) g^2,  values += rate g / (sqrt(v + epsilon_inside) +
///   epsilon_outside)
template <class Real>
struct RmsStep {
  const Real* gradient;
  Real scale;
  Real* square;  ///< v
  Real* values;
  int64_t count;
  Real square_kept;  ///< b
  Real rate, epsilon_inside, epsilon_outside;
};

/// Size of a step.
struct Moved {
  double moved;  ///< sum of |change|
  double size;   ///< sum of |value| before
};

/// A row of Bernoulli units with logits eta, to be sampled or scored.
template <class Real>
struct BernoulliRow {
  const Real* eta;
  int64_t count;
  Real* mean;     ///< out: sig(eta); or NULL
  Real* entropy;  ///< out: softplus(eta) - eta sig(eta); or NULL
};

template <class Real>
struct Table {
  // ---- element-wise: out[i] = f(x[i]) ----
  void (*exponential)(const Real* x, Real* out, int64_t n);
  void (*logarithm)(const Real* x, Real* out, int64_t n);
  void (*digamma)(const Real* x, Real* out, int64_t n);              ///< x > 0
  void (*trigamma)(const Real* x, Real* out, int64_t n);             ///< x > 0
  void (*log_gamma)(const Real* x, Real* out, int64_t n);            ///< x > 0
  void (*exponential_digamma)(const Real* x, Real* out, int64_t n);  ///< exp(psi(x)), x > 0
  /// out[i] = exp(s x[i])
  void (*scaled_exponential)(const Real* x, Real s, Real* out, int64_t n);

  // ---- sums; lanes in Real, partial sums over rows in double by the caller ----
  double (*sum)(const Real* x, int64_t n);
  double (*dot)(const Real* x, const Real* y, int64_t n);

  // ---- matrices ----
  void (*add_product)(const Product<Real>& product);
  void (*transpose)(const Transpose<Real>& matrix);
  // ---- gradient models ----
  Moved (*adam_step)(const AdamStep<Real>& step);
  Moved (*rms_step)(const RmsStep<Real>& step);
  /// Means and entropies of a row; returns sum_j softplus(eta_j).
  double (*bernoulli_row)(const BernoulliRow<Real>& row);
  /// eta_j <- factor (target_j - sig(eta_j)); returns the row's log probability, sum_j target_j eta_j -
  /// softplus(eta_j).
  double (*bernoulli_deltas)(const Real* target, Real factor, Real* eta, int64_t count);
  /// out_j = 1 if the uniform number words_j / 2^32 is below mean_j, else 0; returns sum_j out_j eta_j.
  double (*bernoulli_draw)(const uint32_t* words, const Real* mean, const Real* eta, Real* out, int64_t count);
  /// 2 pairs normal numbers from as many random words: out_i and out_{pairs + i} come from words_{2 i} and words_{2 i
  /// + 1}.
  void (*normal_pairs)(const uint32_t* words, int64_t pairs, Real* out);
};

constexpr int64_t tile_rows = 64;  ///< dense rows per tile
/// Responsibilities of a tile of rows in a mixture: with e = scores [components x tile_rows] and s = powers
/// [tile_rows],
///   out_kt = exp(s_t e_kt) / sum_j exp(s_t e_jt),   log_sums_t = log sum_j exp(s_t e_jt),   means_t = sum_k out_kt
///   e_kt.
/// All arrays are 64-byte aligned.
using Responsibilities = void (*)(const double* scores, const double* powers, int64_t components, double* out,
                                  double* log_sums, double* means);

/// Words of Philox 4x32-10 for a key and `count` consecutive counters (the first word increases by one); identical
/// bits in every set. counter [4], out [4 count].
using RandomBlocks = void (*)(uint64_t key, const uint32_t* counter, int64_t count, uint32_t* out);

/// The first words of blocks whose counters differ in their second words alone. counter [4]; seconds, out [count].
using FirstWords = void (*)(uint64_t key, const uint32_t* counter, const uint32_t* seconds, int64_t count,
                            uint32_t* out);

/// The kernels of one model: `kernels` points to the type that its kernels.h declares (see model_kernels in
/// dispatch.h).
struct ModelKernels {
  const char* model;
  const void* kernels;
};

struct InstructionSet {
  const char* name;  ///< "scalar", "sse2", "avx2", "avx512", "neon"
  Table<float> single_precision;
  Table<double> double_precision;
  Responsibilities responsibilities;
  RandomBlocks random_blocks;
  FirstWords first_words;
  const ModelKernels* models;
  int64_t model_count;
};

}  // namespace vtemper::kernels
