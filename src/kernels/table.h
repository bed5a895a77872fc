#pragma once
// The interface of an instruction set: one table of functions over raw pointers for float, one for double. All sets
// are compiled from the same source (bodies/) over SIMD batches; the set is selected once at run time (dispatch.h).
//
// Rows of topics are padded to a multiple of `padding` elements and 64-byte aligned; the contents of the padding are
// stated where they matter. Functions over `n` plain elements accept any n, any alignment, and x == out. An element's
// result never depends on its neighbours or its position in the array.

#include <cstdint>

namespace vtemper::kernels {

constexpr int64_t padding = 16;  ///< elements; 64 bytes of float, 128 of double
constexpr int64_t padded(int64_t n) {
  return (n + padding - 1) / padding * padding;
}

/// The local problem of one document (Blei 2003, Hoffman 2013, with inverse temperature s; models/lda/README.md
/// section 1):
///   a_k = exp{ s psi(gamma_k) } up to a factor,   r_w = n_w / sum_k a_k b_wk,
///   gamma_k <- alpha_k + s a_k sum_w r_w b_wk,    until mean_k |change of gamma_k| < tolerance.
/// b_wk = exp{ s (E log beta_kw - max_k E log beta_kw) } is computed by the caller.
template <class Real>
struct Document {
  const Real* const* rows;   ///< [words] rows b_w [padded topics], padding 0
  const Real* counts;        ///< [words] n_w > 0
  int64_t words;             ///< >= 1
  int64_t topics;            ///< K, not padded
  const Real* alpha;         ///< [padded topics], padding 1
  Real inverse_temperature;  ///< s > 0
  int64_t iterations;        ///< maximum; >= 0
  Real tolerance;            ///< on the mean absolute change of gamma over the K topics
  Real* gamma;               ///< [padded topics] in: initial value (padding 1); out: result (padding 1)
  Real* weights;             ///< [padded topics] out: a of the final gamma, up to a factor; padding finite
  Real* ratios;   ///< [words] workspace; out: r of the final gamma, with the inverse factor, so that n_w phi_wk = r_w
                  ///< a_k b_wk
  Real* scratch;  ///< [padded topics]

  // Topics that a nearly converged document no longer uses are dropped, and the rest continues in packed rows. A
  // dropped topic has n_w phi_wk = 0, gamma = alpha and weight 0.
  Real sparsity =
      0;  ///< a topic is dropped when sum_w n_w phi_wk is at most this; 0: never, and the fields below are unused
  Real* packed = nullptr;              ///< [words x packed_length]
  const Real** packed_rows = nullptr;  ///< [words]
  Real* packed_topics = nullptr;       ///< [4 x packed_length]
  int32_t* kept = nullptr;             ///< [2 x packed_length]
};

/// Length of the packed rows of a document: documents are packed when at least half of the padded row can be dropped.
constexpr int64_t packed_length(int64_t topics) {
  return padded(padded(topics) / 2);
}

/// Likelihoods of one word under all topics, relative to the largest. With lambda_k = scale l_k + prior_k:
///   point = false: E_k = psi(lambda_k) - psi(total_k)   (q(beta_k) is a Dirichlet)
///   point = true:  E_k = log(lambda_k) - log(total_k)   (beta_k = lambda_k / total_k)
///   m = max_k E_k,   b_k = exp{ s (E_k - m) }
/// All rows padded.
template <class Real>
struct WordTopics {
  const Real* l;  ///< padding 0
  Real scale;
  const Real* prior;       ///< padding > 0; may be `likelihood`
  int64_t prior_stride;    ///< 1, or 0 if one value applies to all topics
  const Real* normalizer;  ///< psi(total_k), or log(total_k); padding finite
  const Real* inverse;     ///< exp{ min_j normalizer_j - normalizer_k }
  bool point;
  Real inverse_temperature;  ///< s
  int64_t topics;            ///< K, not padded
  Real* expectation;         ///< out: E_k - m, padding -1e30; if NULL, it is skipped and the returned m is 0
  Real* likelihood;          ///< out: b_k, padding 0
};

/// One word's part of a global step: l_k <- kept l_k + factor S_k, and the resulting change of lambda_k. With
/// before_k = scale l_k + prior_weight prior_k + constant, the amount by which lambda_k exceeded its prior, the
/// target was target S_k.
template <class Real>
struct WordUpdate {
  Real* l;                 ///< padding 0
  const Real* statistics;  ///< S_k; padding 0
  const Real* prior;       ///< padding 0
  Real scale, prior_weight, constant, target;
  Real kept, factor;
  int64_t topics;  ///< K, not padded
};

struct WordChange {
  double before;  ///< sum_k before_k
  double moved;   ///< sum_k |target S_k - before_k|
};

struct DocumentResult {
  int64_t iterations;  ///< performed
  int64_t topics;      ///< remaining at the end
  double log_factor;   ///< weights_k = exp{ s psi(gamma_k) - log_factor }
  bool underflow;      ///< some sum_k a_k b_wk was not a normal number: gamma, weights and ratios are invalid
};

/// One step of the scaled forward recursion of a hidden Markov model (Rabiner 1989, section V.A), for `count`
/// sequences, one per row:
///   out_r = (previous_r A) o b_{symbol r} / c_r,   c_r = sum of the row.
/// The first step of a sequence is the special case of one "state", previous = 1 (previous_step 0) and A the row of
/// initial weights. Rows of states have `row` elements, a multiple of whole_row<Real>, 64-byte aligned, padding 0.
template <class Real>
struct ForwardStep {
  const Real* previous;  ///< [count x previous_step]
  int64_t previous_step;
  const Real* transition;   ///< [states x row] A
  const Real* likelihoods;  ///< [symbols x row] b
  const int32_t* symbols;   ///< [count]
  int64_t count, states, row;
  Real* out;             ///< [count x row]
  Real* inverse_scales;  ///< [count] 1 / c_r; infinite or NaN if the row is 0 or NaN
};

/// One step of the backward recursion:
///   beta_r = next_r A',   occupancies_{place r} += forward_r o beta_r,   out_r = b_{symbol r} o beta_r / c_r.
/// The end of a sequence is the special case of one "state", A' a row of ones and next_r the weight of the sequence.
template <class Real>
struct BackwardStep {
  const Real* next;  ///< [count x next_step] `out` of the following step
  int64_t next_step;
  const Real* transposed;  ///< [states x row] A', row j the transitions to state j
  const Real* likelihoods;
  const int32_t* symbols;
  const Real* inverse_scales;
  int64_t count, states, row;
  const Real* forward;    ///< [count x row] `out` of the forward step
  const int32_t* places;  ///< [count] row indices into `occupancies`
  Real* occupancies;
  Real* out;  ///< [count x row], at most 1e300 (float: 1e30); NULL at the first symbol, which has no predecessor
};

/// Sequences per bundle.
constexpr int64_t bundle_sequences = 8;

/// A bundle of sequences of a hidden Markov model, one per lane, processed over their full length. With f_t the
/// unscaled probabilities and c_t their sum over states,
///   f_0 = initial o b_0,   f_t = (f_{t-1} A) o b_t / c_{t-1},
///   beta_t = A message_t + [t is the last] factor / c_t,   message_t = b_{t+1} o beta_{t+1} / c_t, at most 1e300,
/// f_t o beta_t are the probabilities of the states times the factor, and the likelihood is the product of all c_t.
/// Lengths may differ: beyond the end of its sequence a lane has likelihoods 1 and messages 0. Planes are [states x
/// bundle_sequences]; all arrays 64-byte aligned.
struct Bundle {
  int64_t length;  ///< of the longest sequence
  int64_t states, row;
  const double* initial;      ///< [states]
  const double* transition;   ///< [states x row] A
  const double* transposed;   ///< [states x row] A', row j the transitions to state j
  const double* lengths;      ///< [bundle_sequences] of the sequences
  const double* factors;      ///< [bundle_sequences]
  const double* const* rows;  ///< [length x bundle_sequences] pointers to rows of b [row]; rows of ones beyond a
                              ///< sequence's end
  double* const*
      occupancies;         ///< [length x bundle_sequences] rows [row] to which f o beta is added; they may coincide
  double* likelihoods;     ///< [length x plane] b; the backward pass overwrites it with f o beta
  double* forward;         ///< [length x plane] f
  double* inverse_scales;  ///< [length x bundle_sequences] 1 / c; infinite or NaN if a lane is 0 or NaN
  double inverse_scale_limit;
  double* log_normalizers;  ///< [bundle_sequences] sum of log c
  double* failures;         ///< [bundle_sequences] 1 if some 1 / c of the sequence is not below the limit, else 0
  double* messages;         ///< [length x plane]; the last one is unused
  double* pairs;            ///< [states x states x bundle_sequences] sums over t of f_ti message_tj, accumulated
};

/// Granularity of rows of states, in elements: 64 bytes.
template <class Real>
constexpr int64_t whole_row = 64 / sizeof(Real);

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

/// Rows per block of activations.
constexpr int64_t activation_rows = 64;

/// Bernoulli activations of a block of rows in a linear-Gaussian model (models/factorial_mixture/README.md section
/// 1):
///   logit nu_kn = s_n (offset_k + projection_kn - sum_{j != k} gram_kj nu_jn).
/// All array rows are 64-byte aligned.
template <class Real>
struct Activations {
  const Real* gram;         ///< [K x padded K] symmetric with zero diagonal
  const Real* offsets;      ///< [K]
  const Real* projections;  ///< [K x activation_rows]
  const Real* inverse;      ///< [activation_rows] s_n
  int64_t components;       ///< K
  Real tolerance;           ///< a row has converged when no activation changed by more than this in a sweep
  Real* activations;        ///< [K x activation_rows] nu, updated in place
  Real* moving;             ///< [activation_rows] 1; 0 for a converged row, which is no longer updated
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

/// The words of a row of counts under several samples of their rates.
template <class Real>
struct PoissonRates {
  Real* rates;         ///< [words x samples] positive normal numbers; out: factor counts_w / rates_ws
  const Real* counts;  ///< [words]
  Real factor;
  int64_t words, samples;
  Real* log_likelihoods;  ///< [samples] out: sum_w counts_w log rates_ws
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

  // ---- padded rows of topics ----
  /// out_k = exp{ s psi(x_k) - log_factor }. The returned log_factor is chosen so that the largest is between 1e-4
  /// and 2e7 (0 if it already is); values below 1e-37 (in double 1e-306) may be flushed to 0. x_k > 0; padding of x
  /// is 1, of out arbitrary but finite.
  double (*dirichlet_exponential)(const Real* x, Real s, int64_t topics, Real* out);

  /// b_k and optionally E log beta_k of a word (see WordTopics); returns m.
  double (*word_topics)(const WordTopics<Real>& word);

  /// b_k = exp{ s e_k } of a word for any s > 0, from e_k = E_k - m as given by word_topics; 0 in the padding and
  /// where the result would be subnormal.
  void (*word_likelihood)(const Real* e, Real s, int64_t topics, Real* b);

  /// The places k < n with x_k > least, in their order; returns how many there are. x padded, padding 0; least >= 0;
  /// out [padded n].
  int64_t (*places_above)(const Real* x, Real least, int64_t n, int32_t* out);

  /// Solves a document's local problem (see Document).
  DocumentResult (*document)(const Document<Real>& document);

  /// With added_k = b_k sum_i weights_i rows_i[k] over the `count` documents that contain a word, in the given order:
  /// statistics_k += added_k, and totals_k += added_k if totals are given; returns sum_k added_k e_k (0 if e is
  /// NULL). All rows padded; padding of b is 0.
  double (*word_statistics)(const Real* const* rows, const Real* weights, int64_t count, const Real* b, const Real* e,
                            int64_t topics, Real* statistics, Real* totals, Real* scratch);

  /// As above for one document with its own s, b_k = exp{ s e_k }, and with totals.
  void (*tempered_word_statistics)(const Real* row, Real weight, const Real* e, Real s, int64_t topics,
                                   Real* statistics, Real* totals);

  WordChange (*update_word)(const WordUpdate<Real>& word);

  // ---- hidden Markov models ----
  void (*forward_step)(const ForwardStep<Real>& step);
  void (*backward_step)(const BackwardStep<Real>& step);
  /// sums[i row + j] += sum_r x[r row + i] y[r row + j] for i < states and all j < row, r < count, in the order of r.
  void (*add_outer_products)(const Real* x, const Real* y, int64_t count, int64_t states, int64_t row, Real* sums);

  // ---- matrix products, and blocks of activations ----
  void (*add_product)(const Product<Real>& product);
  void (*transpose)(const Transpose<Real>& matrix);
  /// One update of every component in turn, for all rows still moving; returns whether any row is.
  bool (*sweep_activations)(const Activations<Real>& block);
  /// likelihoods_n = sum_k nu_kn (offset_k + projection_kn - sum_{j != k} gram_kj nu_jn / 2), entropies_n that of
  /// the activations; both [activation_rows].
  void (*activation_terms)(const Activations<Real>& block, Real* likelihoods, Real* entropies);

  // ---- gradient models ----
  Moved (*adam_step)(const AdamStep<Real>& step);
  Moved (*rms_step)(const RmsStep<Real>& step);
  /// Means and entropies of a row; returns sum_j softplus(eta_j).
  double (*bernoulli_row)(const BernoulliRow<Real>& row);
  /// eta_j <- factor (target_j - sig(eta_j)); returns the row's log probability, sum_j target_j eta_j -
  /// softplus(eta_j).
  double (*bernoulli_residuals)(const Real* target, Real factor, Real* eta, int64_t count);
  /// out_j = 1 if the uniform number words_j / 2^32 is below mean_j, else 0; returns sum_j out_j eta_j.
  double (*bernoulli_draw)(const uint32_t* words, const Real* mean, const Real* eta, Real* out, int64_t count);
  /// value_i = softplus(x_i) to nearly full precision, slope_i = sig(x_i).
  void (*softplus)(const Real* x, Real* value, Real* slope, int64_t n);
  void (*poisson_ratios)(const PoissonRates<Real>& rates);
  /// 2 pairs normal numbers from as many random words: out_i and out_{pairs + i} come from words_{2 i} and words_{2 i
  /// + 1}.
  void (*normal_pairs)(const uint32_t* words, int64_t pairs, Real* out);
};

constexpr int64_t tile_rows = 64;    ///< dense rows per tile
constexpr int64_t factor_block = 4;  ///< rows per block of a triangular factor

/// Number of doubles of a packed lower triangular n x n matrix A: in blocks of factor_block rows, column by column up
/// to the diagonal, with rows beyond n as zeros.
constexpr int64_t packed_factor_size(int64_t n) {
  const int64_t blocks = (n + factor_block - 1) / factor_block;
  return blocks * (blocks + 1) / 2 * factor_block * factor_block;
}

/// Dense rows in tiles, in double: the building blocks of Gaussian mixtures. All arrays are 64-byte aligned.
struct DenseTable {
  /// out_t = constant + factor |A (x_t - m)|^2 of the tile_rows rows of a tile.
  ///   packed  A, lower triangular [n x n], packed (see packed_factor_size)
  ///   tile    [n x tile_rows], column-major data; centre: m [n]; scratch [n x tile_rows]
  void (*squared_lengths)(const double* packed, int64_t n, const double* tile, const double* centre, double constant,
                          double factor, double* scratch, double* out);

  /// out_i = scales_i (rows_{index_i} - centre), i < count; rows and out have `stride` (a multiple of `padding`)
  /// doubles a row.
  void (*scaled_differences)(const double* rows, const int32_t* index, const double* scales, int64_t count,
                             const double* centre, int64_t stride, double* out);

  /// out_ij += sum_t rows_ti rows_tj for j <= i < n (and some j > i below `stride`); out [stride x stride].
  void (*add_row_products)(const double* rows, int64_t count, int64_t n, int64_t stride, double* out);

  /// Responsibilities of a tile: with e = scores [components x tile_rows] and s = powers [tile_rows],
  ///   out_kt = exp(s_t e_kt) / sum_j exp(s_t e_jt),   log_sums_t = log sum_j exp(s_t e_jt),
  ///   means_t = sum_k out_kt e_kt.
  void (*responsibilities)(const double* scores, const double* powers, int64_t components, double* out,
                           double* log_sums, double* means);
};

/// Bundles of sequences, in double.
struct BundleTable {
  void (*forward)(const Bundle& bundle);   ///< f, 1 / c, their sums
  void (*backward)(const Bundle& bundle);  ///< messages, f o beta, their sums
  void (*add_pairs)(const Bundle& bundle);
};

/// Words of Philox 4x32-10 for a key and `count` consecutive counters (the first word increases by one); identical
/// bits in every set. counter [4], out [4 count].
using RandomBlocks = void (*)(uint64_t key, const uint32_t* counter, int64_t count, uint32_t* out);

/// The first words of blocks whose counters differ in their second words alone. counter [4]; seconds, out [count].
using FirstWords = void (*)(uint64_t key, const uint32_t* counter, const uint32_t* seconds, int64_t count,
                            uint32_t* out);

struct InstructionSet {
  const char* name;  ///< "scalar", "sse2", "avx2", "avx512", "neon"
  Table<float> single_precision;
  Table<double> double_precision;
  DenseTable dense;
  BundleTable bundles;
  RandomBlocks random_blocks;
  FirstWords first_words;
};

}  // namespace vtemper::kernels
