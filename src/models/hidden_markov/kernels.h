#pragma once
// The vector kernels of hidden Markov models, in double: steps of the recursions for sequences side by side, and
// whole recursions with a sequence in each lane.

#include <cstdint>

#include "kernels/table.h"

namespace vtemper::kernels {

/// Granularity of rows of states, in elements: 64 bytes.
constexpr int64_t whole_row = 8;

/// One step of the scaled forward recursion of a hidden Markov model (Rabiner 1989, section V.A), for `count`
/// sequences, one per row:
///   out_r = (previous_r A) o b_{symbol r} / c_r,   c_r = sum of the row.
/// The first step of a sequence is the special case of one "state", previous = 1 (previous_step 0) and A the row of
/// initial weights. Rows of states have `row` elements, a multiple of whole_row, 64-byte aligned, padding 0.
struct ForwardStep {
  const double* previous;  ///< [count x previous_step]
  int64_t previous_step;
  const double* transition;   ///< [states x row] A
  const double* likelihoods;  ///< [symbols x row] b
  const int32_t* symbols;     ///< [count]
  int64_t count, states, row;
  double* out;             ///< [count x row]
  double* inverse_scales;  ///< [count] 1 / c_r; infinite or NaN if the row is 0 or NaN
};

/// One step of the backward recursion:
///   beta_r = next_r A',   occupancies_{place r} += forward_r o beta_r,   out_r = b_{symbol r} o beta_r / c_r.
/// The end of a sequence is the special case of one "state", A' a row of ones and next_r the weight of the sequence.
struct BackwardStep {
  const double* next;  ///< [count x next_step] `out` of the following step
  int64_t next_step;
  const double* transposed;  ///< [states x row] A', row j the transitions to state j
  const double* likelihoods;
  const int32_t* symbols;
  const double* inverse_scales;
  int64_t count, states, row;
  const double* forward;  ///< [count x row] `out` of the forward step
  const int32_t* places;  ///< [count] row indices into `occupancies`
  double* occupancies;
  double* out;  ///< [count x row], at most 1e300; NULL at the first symbol, which has no predecessor
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

struct HiddenMarkovKernels {
  static constexpr const char* model = "hidden_markov";

  void (*forward_step)(const ForwardStep& step);
  void (*backward_step)(const BackwardStep& step);
  /// sums[i row + j] += sum_r x[r row + i] y[r row + j] for i < states and all j < row, r < count, in the order of r.
  void (*add_outer_products)(const double* x, const double* y, int64_t count, int64_t states, int64_t row,
                             double* sums);

  // ---- bundles ----
  void (*bundle_forward)(const Bundle& bundle);   ///< f, 1 / c, their sums
  void (*bundle_backward)(const Bundle& bundle);  ///< messages, f o beta, their sums
  void (*bundle_pairs)(const Bundle& bundle);
};

}  // namespace vtemper::kernels
