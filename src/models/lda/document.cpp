// One document of LDA at its temperature s (README.md section 1; Mandt 2016, supplement B.2 without the count in eq.
// 9's exponent):
//   phi_wk prop. exp{ s (E log theta_k + E log beta_kw) },   gamma_k = alpha_k + s sum_w n_w phi_wk,
// from gamma = 1 until it settles, with alpha at its power where entropies are annealed; then, where the step is
// perturbed, gamma <- (1 - r) gamma + r n Dir(1_K) (Gultekin 2015, section 4.1, with the row's own n tokens); with
// local tempering in rounds of {updates at s; s from the posterior of the temperature}.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/lda/document_in_log_space.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/interruption.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

/// Local updates per round of local tempering, and the change of s that ends the rounds (README.md section 3).
constexpr int64_t iterations_per_round = 8;
constexpr double settled_inverse_temperature = 0.01;

/// Rounds of local tempering: `solve` by a number of iterations at the document's s, then `expect` its log
/// likelihood, then s from these. False as soon as `solve` is.
template <class Solve, class Expect>
bool settle_temperature(const RowTemperature& of_row, int64_t iterations, const Solve& solve, const Expect& expect,
                        DocumentState& state) {
  for (int round = 0; round < of_row.rounds; ++round) {
    const double before = state.inverse_temperature;
    if (!solve(std::min(iterations_per_round, iterations))) return false;
    expect();
    state.inverse_temperature = of_row.expected_inverse(state.expected_log_likelihood, state.tokens);
    if (std::abs(state.inverse_temperature - before) < settled_inverse_temperature) break;
  }
  return true;
}

/// The results of a document solved in logarithms. gamma, weights, scratch: [K], padded.
template <class Real>
void take_results(const DocumentInLogSpace& solved, const kernels::Table<Real>& table, const LdaWork<Real>& work,
                  int64_t row_length, Real* gamma, Real* weights, Real* scratch, DocumentState& state) {
  for (int64_t k = 0; k < solved.topics; ++k) gamma[k] = static_cast<Real>(solved.gamma[static_cast<size_t>(k)]);
  std::fill_n(weights, row_length, Real{0});
  state.expected_log_likelihood = solved.expected_log_likelihood;
  state.bound = solved.bound_of_words -
                dirichlet_divergence(table, gamma, work.alpha.data(), work.alpha_bound, solved.topics, scratch);
}

}  // namespace

template <class Real>
double dirichlet_divergence(const kernels::Table<Real>& table, const Real* gamma, const Real* alpha,
                            double alpha_bound, int64_t topics, Real* scratch) {
  // KL = log Gamma(gamma_0) - sum log Gamma(gamma_k) - alpha_bound + sum (gamma_k - alpha_k)(psi(gamma_k) -
  // psi(gamma_0))
  Real total = static_cast<Real>(table.sum(gamma, topics));
  table.log_gamma(gamma, scratch, topics);
  double divergence = -alpha_bound - table.sum(scratch, topics);
  table.digamma(gamma, scratch, topics);
  divergence += table.dot(gamma, scratch, topics) - table.dot(alpha, scratch, topics);
  divergence -= digamma(table, total) * (static_cast<double>(total) - table.sum(alpha, topics));
  table.log_gamma(&total, &total, 1);
  return divergence + static_cast<double>(total);
}

template <class Real>
void Lda<Real>::solve_document(int64_t document, const LocalTemperature& temperature, const LocalSettings& settings,
                               LdaWork<Real>& work, LdaScratch<Real>& scratch) const {
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  const int64_t row = topics_->row_length();
  Real* gamma = work.gamma.data() + document * row;
  Real* weights = work.weights.data() + document * row;
  state.inverse_temperature = temperature.per_row ? temperature.per_row->start : temperature.inverse;
  std::fill_n(gamma, row, Real{1});
  if (state.begin == state.end) {
    std::copy_n(work.alpha.data(), row, gamma);  // nothing was seen: the prior
    std::fill_n(weights, row, Real{0});
    if (settings.bound && temperature.prior.inverse != 1) {
      state.bound = -dirichlet_divergence(table(), gamma, gamma, work.alpha_bound, parted(), scratch.first.data());
    }
    return;
  }

  double log_factor = 0;
  const auto solve_by = [&](int64_t iterations) {
    return solve_in_place(document, state.inverse_temperature, iterations, work, scratch, log_factor);
  };
  const auto expect = [&] { expect_document(document, work, scratch); };
  bool solved = !temperature.per_row ||
                settle_temperature(*temperature.per_row, work.local_iterations, solve_by, expect, state);
  solved = solved && solve_by(work.local_iterations);
  if (solved && perturb(document, work, gamma, scratch.first.data())) solved = solve_by(0);
  state.in_log_space = !solved;
  if (state.in_log_space) {
    take_results(document_in_log_space(document, work, scratch.first, scratch.second), table(), work, row, gamma,
                 weights, scratch.first.data(), state);
  } else if (settings.bound) {
    evaluate_document(document, log_factor, work, scratch);
    const bool perturbed = work.perturbation.share > 0;
    if (settings.remember && !perturbed && !temperature.per_row) keep_better(document, work, scratch);
  }
  if (settings.bound && temperature.per_row) {
    // The posterior of the row's temperature maximises sum_m r_m (s_m L - n c_m) + H(r); its value stands for s L.
    state.bound += temperature.per_row->log_evidence(state.expected_log_likelihood, state.tokens) -
                   state.inverse_temperature * state.expected_log_likelihood;
  }
}

template <class Real>
template <class Number>
bool Lda<Real>::perturb(int64_t document, const LdaWork<Real>& work, Number* gamma, Number* draw) const {
  const Perturbation& perturbation = work.perturbation;
  if (!perturbation.local || !(perturbation.share > 0)) return false;
  // By the place among the rows of the step: rows that are fed have no other number.
  RandomStream random(perturbation.seed, Purpose::perturb_rows, perturbation.iteration, work.chunk.place(document));
  double total = 0;
  for (int64_t k = 0; k < parted(); ++k) {
    draw[k] = static_cast<Number>(-std::log(random.uniform()));
    total += static_cast<double>(draw[k]);
  }
  const double tokens = work.documents[static_cast<size_t>(document)].tokens;
  const Number kept = static_cast<Number>(1 - perturbation.share);
  const Number size = static_cast<Number>(perturbation.share * tokens / total);
  for (int64_t k = 0; k < parted(); ++k) gamma[k] = kept * gamma[k] + size * draw[k];
  return true;
}

/// A document can have several optima, and the one it reaches from gamma = 1 may be worse than the one it had in the
/// last step (that would let the objective fall). If so, it goes on from there.
template <class Real>
void Lda<Real>::keep_better(int64_t document, LdaWork<Real>& work, LdaScratch<Real>& scratch) const {
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  const int64_t row = topics_->row_length();
  Real* gamma = work.gamma.data() + document * row;
  const Real* remembered = work.remembered.last() + state.row * row;
  Real* met = work.remembered.next() + state.row * row;
  const auto solve_and_evaluate = [&](int64_t iterations) {
    double log_factor = 0;
    const bool solved = solve_in_place(document, state.inverse_temperature, iterations, work, scratch, log_factor);
    if (solved) evaluate_document(document, log_factor, work, scratch);
    return solved;
  };
  const bool met_before = remembered[0] > 0;
  if (met_before) {
    const double fresh = state.bound;
    std::copy_n(gamma, row, met);
    std::copy_n(remembered, row, gamma);
    const bool better = solve_and_evaluate(0) && state.bound > fresh && solve_and_evaluate(work.local_iterations) &&
                        state.bound > fresh;
    if (!better) {
      std::copy_n(met, row, gamma);
      solve_and_evaluate(0);
    }
  }
  std::copy_n(gamma, row, met);
}

/// The caller's interrupt is polled after a number of iterations that is larger than that of any usual run.
template <class Real>
kernels::DocumentResult Lda<Real>::solve(kernels::Document<Real> problem) const {
  constexpr int64_t iterations_per_poll = 10000;
  for (int64_t left = problem.iterations;; left -= iterations_per_poll) {
    problem.iterations = std::min(left, iterations_per_poll);
    const kernels::DocumentResult result = lda_table().document(problem);
    if (left <= iterations_per_poll || result.iterations < iterations_per_poll || result.underflow) return result;
    require_not_interrupted();
  }
}

template <class Real>
bool Lda<Real>::solve_in_place(int64_t document, double inverse_temperature, int64_t iterations, LdaWork<Real>& work,
                               LdaScratch<Real>& scratch, double& log_factor) const {
  const DocumentState& state = work.documents[static_cast<size_t>(document)];
  const int64_t row = topics_->row_length();
  const int64_t words = state.end - state.begin;
  const int32_t* slots = work.entry_slots.data() + state.begin;
  if (inverse_temperature == work.inverse_temperature) {
    for (int64_t w = 0; w < words; ++w)
      scratch.rows[static_cast<size_t>(w)] = work.likelihoods.data() + slots[w] * row;
  } else {
    for (int64_t w = 0; w < words; ++w) {
      Real* likelihood = scratch.likelihoods.data() + w * row;
      lda_table().word_likelihood(work.expectations.data() + slots[w] * row, static_cast<Real>(inverse_temperature),
                                  parted(), likelihood);
      scratch.rows[static_cast<size_t>(w)] = likelihood;
    }
  }
  kernels::Document<Real> problem;
  problem.rows = scratch.rows.data();
  problem.counts = work.counts.data() + state.begin;
  problem.words = words;
  problem.topics = parted();
  problem.alpha = work.alpha.data();
  problem.inverse_temperature = static_cast<Real>(inverse_temperature);
  problem.iterations = iterations;
  problem.tolerance = static_cast<Real>(work.local_tolerance);
  problem.gamma = work.gamma.data() + document * row;
  problem.weights = work.weights.data() + document * row;
  problem.ratios = work.ratios.data() + state.begin;
  problem.scratch = scratch.first.data();
  if (inverse_temperature >= sparse_from) {
    // A document of less than a token would lose all of its topics.
    problem.sparsity = static_cast<Real>(work.local_sparsity * std::min(1.0, state.tokens));
    problem.packed = scratch.packed.data();
    problem.packed_rows = scratch.packed_rows.data();
    problem.packed_topics = scratch.packed_topics.data();
    problem.kept = scratch.kept.data();
  }
  const kernels::DocumentResult result = solve(problem);
  log_factor = result.log_factor;
  return !result.underflow;
}

/// L = sum_w n_w sum_k phi_wk (E log theta_k + E log beta_kw).
template <class Real>
void Lda<Real>::expect_document(int64_t document, LdaWork<Real>& work, LdaScratch<Real>& scratch) const {
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  const int64_t row = topics_->row_length();
  const int64_t topics = parted();
  const Real* gamma = work.gamma.data() + document * row;
  const Real* weights = work.weights.data() + document * row;
  Real* of_topics = scratch.first.data();  // sum_w n_w phi_wk
  std::fill_n(of_topics, row, Real{0});

  double likelihood = 0;
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const int64_t slot = work.entry_slots[static_cast<size_t>(entry)];
    const Real ratio = work.ratios[static_cast<size_t>(entry)];
    likelihood += lda_table().word_statistics(
        &weights, &ratio, 1, scratch.rows[static_cast<size_t>(entry - state.begin)],
        work.expectations.data() + slot * row, topics, of_topics, nullptr, scratch.second.data());
    likelihood +=
        static_cast<double>(work.counts[static_cast<size_t>(entry)]) * work.largest[static_cast<size_t>(slot)];
  }
  const double log_theta_offset = digamma(table(), static_cast<Real>(table().sum(gamma, topics)));
  table().digamma(gamma, scratch.second.data(), topics);
  likelihood += table().dot(of_topics, scratch.second.data(), topics) - log_theta_offset * state.tokens;
  state.expected_log_likelihood = likelihood;
}

/// L, and F = sum_w n_w log sum_k exp{ s (E log theta_k + E log beta_kw) } - KL(Dir(gamma) || Dir(alpha)).
template <class Real>
void Lda<Real>::evaluate_document(int64_t document, double log_factor, LdaWork<Real>& work,
                                  LdaScratch<Real>& scratch) const {
  expect_document(document, work, scratch);
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  const int64_t topics = parted();
  const double s = state.inverse_temperature;
  const Real* gamma = work.gamma.data() + document * topics_->row_length();
  double of_words = 0;
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const double largest = work.largest[static_cast<size_t>(work.entry_slots[static_cast<size_t>(entry)])];
    const double count = static_cast<double>(work.counts[static_cast<size_t>(entry)]);
    const double ratio = static_cast<double>(work.ratios[static_cast<size_t>(entry)]);
    of_words += count * (std::log(count / ratio) + s * largest);
  }
  const double log_theta_offset = digamma(table(), static_cast<Real>(table().sum(gamma, topics)));
  of_words += (log_factor - s * log_theta_offset) * state.tokens;
  state.bound = of_words - dirichlet_divergence(table(), gamma, work.alpha.data(), work.alpha_bound, topics,
                                                scratch.second.data());
}

template <class Real>
DocumentInLogSpace Lda<Real>::document_in_log_space(int64_t document, const LdaWork<Real>& work,
                                                    Array<Real>& likelihood, Array<Real>& expectation) const {
  const DocumentState& state = work.documents[static_cast<size_t>(document)];
  DocumentInLogSpace problem;
  problem.topics = parted();
  problem.words = state.end - state.begin;
  for (int64_t k = 0; k < parted(); ++k)
    problem.alpha.push_back(work.prior.concentration(parted_alpha_[static_cast<size_t>(k)]));
  problem.inverse_temperature = state.inverse_temperature;
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const size_t slot = static_cast<size_t>(work.entry_slots[static_cast<size_t>(entry)]);
    problem.counts.push_back(static_cast<double>(work.counts[static_cast<size_t>(entry)]));
    const double largest = topics_->word(work.words[slot], work.normalizer, 1, likelihood.data(), expectation.data());
    for (size_t k = 0; k < static_cast<size_t>(parted()); ++k) {
      problem.expectations.push_back(static_cast<double>(expectation[k]) + largest);
    }
  }
  problem.gamma.assign(static_cast<size_t>(parted()), 1.0);
  problem.solve(work.local_iterations, work.local_tolerance);
  std::vector<double> draw(problem.gamma.size());
  if (perturb(document, work, problem.gamma.data(), draw.data())) problem.solve(0, work.local_tolerance);
  return problem;
}

template double dirichlet_divergence(const kernels::Table<float>&, const float*, const float*, double, int64_t,
                                     float*);
template double dirichlet_divergence(const kernels::Table<double>&, const double*, const double*, double, int64_t,
                                     double*);

}  // namespace vtemper

#include "models/lda/instances.inc"
