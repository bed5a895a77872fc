#pragma once
// The vector kernels of topic models: a document's local problem, and rows of topics of a word.

#include <cstdint>

#include "kernels/table.h"

namespace vtemper::kernels {

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
  Real* l;                      ///< padding 0
  const Real* statistics;       ///< S_k, or one part of it; padding 0; any alignment
  const Real* added = nullptr;  ///< the other part, likewise; NULL: there is none
  const Real* prior;            ///< padding 0
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

template <class Real>
struct LdaTable {
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
};

struct LdaKernels {
  static constexpr const char* model = "lda";
  LdaTable<float> single_precision;
  LdaTable<double> double_precision;
};

}  // namespace vtemper::kernels
