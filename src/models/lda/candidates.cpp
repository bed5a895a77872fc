// The local step for many topics near T = 1, in which a document considers few of them (README.md section 8): lists
// of the topics that are strong in a word, candidates of a document from the lists of its words, the solution of the
// document among its candidates, and statistics as lists.

#include "models/lda/candidates.h"

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/lda/batch_rows.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// With fewer topics the lists save nothing; neither do they if documents have so many words that they initially use
/// most topics (tests/bench/README.md).
constexpr int64_t min_topics = 500;
constexpr int64_t topics_per_word = 50;

/// Topics with this share of a word, in units of a topic's mean share, are listed.
constexpr double listed_share = 6;

/// After the first update, topics whose weight is below this fraction of the largest one are not candidates.
constexpr double min_weight = 1e-6;

/// How many words ahead the numbers of a document's candidates are prefetched.
constexpr int64_t shares_ahead = 4;

/// Approximate solution x of psi(x) = y, for y < -2.2 (Minka 2000, appendix C).
double inverse_digamma(double y) {
  constexpr double minus_digamma_of_one = 0.57721566490153286;
  return -1 / (y + minus_digamma_of_one);
}

}  // namespace

template <class Real>
bool Lda<Real>::considers_candidates(const Batch& batch, const LocalTemperature& temperature,
                                     const LocalSettings& settings) const {
  const double words = batch.data->corpus_row_length();
  return fell_from_hot_ && settings_.point && settings.statistics && !settings.remember &&
         !(settings.perturbation.share > 0) && settings_.local_sparsity > 0 && settings_.eta.size() == 1 &&
         temperature.per_row == nullptr && temperature.inverse >= sparse_from && temperature.inverse <= 1 &&
         temperature.prior.inverse == 1 && parted() >= min_topics &&
         static_cast<double>(parted()) >= topics_per_word * words;
}

template <class Real>
void Lda<Real>::begin_candidates(int threads, LdaWork<Real>& work) const {
  CandidateWork<Real>& candidates = work.candidates;
  const size_t row = static_cast<size_t>(topics_->row_length());
  candidates.words.resize(static_cast<size_t>(work.slots));
  candidates.statistics.resize(static_cast<size_t>(work.slots));
  candidates.documents.resize(work.documents.size());
  candidates.largest_alpha =
      static_cast<double>(*std::max_element(work.alpha.begin(), work.alpha.begin() + parted()));
  const Array<Real>& values = work.normalizer.values;
  candidates.log_probability = static_cast<double>(*std::min_element(values.begin(), values.begin() + parted()));
  candidates.sum_of_alpha = table().sum(work.alpha.data(), parted());
  if (candidates.scratch.size() < static_cast<size_t>(threads))
    candidates.scratch.resize(static_cast<size_t>(threads));
  for (CandidateScratch<Real>& scratch : candidates.scratch) {
    scratch.strong.used = scratch.kept.used = scratch.statistics.used = scratch.added_used = 0;
    scratch.sums.clear();  // a previous step may have been aborted
    scratch.sums.resize(row);
    scratch.places.resize(row);
    scratch.position.resize(row + 1);
    for (Array<Real>* of_topics :
         {&scratch.alpha, &scratch.gamma, &scratch.weights, &scratch.likelihood, &scratch.inverse}) {
      of_topics->resize(row);
    }
  }
}

template <class Real>
void Lda<Real>::list_words(LdaWork<Real>& work) const {
  begin_candidates(work.threads, work);
  if (!topics_->in_memory()) {
    return read_rows(0, work.threads, true, work,
                     [&](int64_t slot, int thread, const Real*) { list_word(slot, thread, work); });
  }
  parallel_for(work.threads, blocks_of(work.slots, word_block), [&](int64_t block, int thread) {
    const int64_t end = std::min(work.slots, (block + 1) * word_block);
    for (int64_t slot = block * word_block; slot < end; ++slot) {
      if (slot + words_ahead < work.slots) topics_->prefetch(row_of(slot + words_ahead, work));
      list_word(slot, thread, work);
    }
  });
}

/// Topic k has the share b_wk / sum_j b_wj of a word, which is what the first update of a document gives it.
template <class Real>
void Lda<Real>::list_word(int64_t slot, int thread, LdaWork<Real>& work) const {
  CandidateScratch<Real>& scratch = work.candidates.scratch[static_cast<size_t>(thread)];
  typename CandidateWork<Real>::Word& word = work.candidates.words[static_cast<size_t>(slot)];
  const int32_t column = work.words[static_cast<size_t>(slot)];
  const int64_t topics = parted();
  const Real* likelihood = scratch.likelihood.data();
  const Real* const row = row_of(slot, work);
  topics_->word(column, row, work.normalizer, work.inverse_temperature, scratch.likelihood.data(), nullptr);
  word.row_sum = topics_->row_sum(row);
  const double all = table().sum(likelihood, topics);
  const double least = all * std::min(0.5, listed_share / static_cast<double>(topics));
  const int64_t count = lda_table().places_above(likelihood, static_cast<Real>(least), topics, scratch.places.data());
  scratch.strong.make_room(count);
  word.strong = {thread, static_cast<int32_t>(count), scratch.strong.used};
  double listed = 0;
  for (int64_t i = 0; i < count; ++i)
    listed += static_cast<double>(likelihood[scratch.places[static_cast<size_t>(i)]]);
  const double others = static_cast<double>(std::max<int64_t>(topics - count, 1));
  word.rest = static_cast<Real>(std::max(0.0, 1 - listed / all) / others);
  // The strongest topic determines the factor between probabilities and shares.
  const auto weaker = [&](int32_t one, int32_t other) { return likelihood[one] < likelihood[other]; };
  const int32_t strong = count > 0
                             ? *std::max_element(scratch.places.begin(), scratch.places.begin() + count, weaker)
                             : static_cast<int32_t>(std::max_element(likelihood, likelihood + topics) - likelihood);
  Real probability[kernels::padding];
  topics_->probabilities_of(row, &strong, 1, work.normalizer.inverse.data() + strong, probability);
  word.log_factor = std::log(static_cast<double>(likelihood[strong]) / all) -
                    work.inverse_temperature * std::log(static_cast<double>(probability[0]));
  word.factor = static_cast<Real>(std::exp(word.log_factor));
  const Real factor = static_cast<Real>(1 / all);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t topic = scratch.places[static_cast<size_t>(i)];
    scratch.strong.append(topic, likelihood[topic] * factor - word.rest);
  }
}

/// The first update of a document from equal proportions, gamma_k = alpha_k + s sum_w n_w share_wk, and the topics
/// whose weight exp{ s psi(gamma_k) } is then above `min_weight` times the largest: scratch.places, in ascending
/// order, and their gamma.
template <class Real>
void Lda<Real>::find_candidates(int64_t document, const LdaWork<Real>& work, CandidateScratch<Real>& scratch) const {
  const DocumentState& state = work.documents[static_cast<size_t>(document)];
  const CandidateWork<Real>& candidates = work.candidates;
  const Real s = static_cast<Real>(state.inverse_temperature);
  Real rest = 0;
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const Real count = work.counts[static_cast<size_t>(entry)];
    const int32_t slot = work.entry_slots[static_cast<size_t>(entry)];
    const typename CandidateWork<Real>::Word& word = candidates.words[static_cast<size_t>(slot)];
    const TopicLists<Real>& lists = candidates.scratch[static_cast<size_t>(word.strong.thread)].strong;
    const int32_t* topics = lists.topics.data() + word.strong.begin;
    const Real* shares = lists.values.data() + word.strong.begin;
    rest += count * word.rest;
    for (int32_t i = 0; i < word.strong.count; ++i) scratch.sums.add(topics[i], count * shares[i]);
  }
  const auto gamma_of = [&](int32_t k) {
    return work.alpha[static_cast<size_t>(k)] + s * (scratch.sums.sums[static_cast<size_t>(k)] + rest);
  };
  // Upper bound on gamma of the topics that are in no list.
  const double others = candidates.largest_alpha + static_cast<double>(s) * static_cast<double>(rest);
  double largest = others;
  for (int64_t i = 0; i < scratch.sums.count; ++i) {
    largest = std::max(largest, static_cast<double>(gamma_of(scratch.sums.touched[static_cast<size_t>(i)])));
  }
  const double min_digamma = digamma(largest) + std::log(min_weight) / state.inverse_temperature;
  const Real least = static_cast<Real>(inverse_digamma(std::min(min_digamma, -2.2)));
  int64_t count = 0;
  const auto consider = [&](int32_t k) {
    scratch.places[static_cast<size_t>(count)] = k;
    count += gamma_of(k) > least ? 1 : 0;
  };
  scratch.all = others > static_cast<double>(least);
  if (scratch.all) {
    for (; count < parted(); ++count) scratch.places[static_cast<size_t>(count)] = static_cast<int32_t>(count);
  } else {
    for (int64_t i = 0; i < scratch.sums.count; ++i) consider(scratch.sums.touched[static_cast<size_t>(i)]);
    std::sort(scratch.places.begin(), scratch.places.begin() + count);
  }
  scratch.count = count;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const int32_t k = scratch.places[i];
    scratch.gamma[i] = scratch.all ? Real{1} : gamma_of(k);
    scratch.alpha[i] = work.alpha[static_cast<size_t>(k)];
    scratch.inverse[i] = work.normalizer.inverse[static_cast<size_t>(k)];
  }
  for (size_t i = static_cast<size_t>(count); i < static_cast<size_t>(kernels::padded(count)); ++i) {
    scratch.alpha[i] = scratch.gamma[i] = scratch.inverse[i] = Real{1};
  }
  scratch.sums.clear();
}

/// As solve_document, among the candidates.
template <class Real>
void Lda<Real>::solve_candidates(int64_t document, const LocalSettings& settings, int thread,
                                 LdaWork<Real>& work) const {
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  LdaScratch<Real>& scratch = work.scratch[static_cast<size_t>(thread)];
  CandidateScratch<Real>& some = work.candidates.scratch[static_cast<size_t>(thread)];
  state.inverse_temperature = work.inverse_temperature;
  work.candidates.documents[static_cast<size_t>(document)] = {};
  if (state.begin == state.end) return;
  find_candidates(document, work, some);
  const int64_t words = state.end - state.begin;
  const int64_t stride = kernels::padded(some.count);
  const int64_t packed = kernels::packed_length(some.count);
  const auto grow = [](auto& array, int64_t size) {
    if (array.size() < static_cast<size_t>(size)) array.resize(static_cast<size_t>(size));
  };
  grow(scratch.likelihoods, words * stride);
  grow(scratch.packed, words * packed);
  grow(scratch.packed_rows, words);
  grow(scratch.packed_topics, 4 * packed);
  grow(scratch.kept, 2 * packed);
  const auto prefetch_word = [&](int64_t w) {
    const int32_t slot = work.entry_slots[static_cast<size_t>(state.begin + w)];
    topics_->prefetch(row_of(slot, work), some.places.data(), some.count);
  };
  for (int64_t w = 0; w < std::min(words, shares_ahead); ++w) prefetch_word(w);
  for (int64_t w = 0; w < words; ++w) {
    if (w + shares_ahead < words) prefetch_word(w + shares_ahead);
    Real* row = scratch.likelihoods.data() + w * stride;
    shares_of_candidates(work.entry_slots[static_cast<size_t>(state.begin + w)], work, some, row);
    scratch.rows[static_cast<size_t>(w)] = row;
  }
  if (!some.all) {
    const Real s = static_cast<Real>(state.inverse_temperature);
    std::copy_n(some.alpha.data(), some.count, some.gamma.data());
    for (int64_t w = 0; w < words; ++w) {
      const Real tokens = s * work.counts[static_cast<size_t>(state.begin + w)];
      const Real* row = scratch.rows[static_cast<size_t>(w)];
      for (int64_t j = 0; j < some.count; ++j) some.gamma[static_cast<size_t>(j)] += tokens * row[j];
    }
  }
  kernels::Document<Real> problem;
  problem.rows = scratch.rows.data();
  problem.counts = work.counts.data() + state.begin;
  problem.words = words;
  problem.topics = some.count;
  problem.alpha = some.alpha.data();
  problem.inverse_temperature = static_cast<Real>(state.inverse_temperature);
  problem.iterations = work.local_iterations - (some.all ? 0 : 1);  // the first iteration found the candidates
  // The mean change is over all topics.
  problem.tolerance =
      static_cast<Real>(work.local_tolerance * static_cast<double>(parted()) / static_cast<double>(some.count));
  problem.gamma = some.gamma.data();
  problem.weights = some.weights.data();
  problem.ratios = work.ratios.data() + state.begin;
  problem.scratch = scratch.first.data();
  // A document of less than a token would lose all of its topics.
  problem.sparsity = static_cast<Real>(work.local_sparsity * std::min(1.0, state.tokens));
  problem.packed = scratch.packed.data();
  problem.packed_rows = scratch.packed_rows.data();
  problem.packed_topics = scratch.packed_topics.data();
  problem.kept = scratch.kept.data();
  const kernels::DocumentResult result = solve(problem);
  state.in_log_space = result.underflow;
  if (state.in_log_space) return keep_topics_in_log_space(document, settings, thread, work);
  if (settings.bound) evaluate_candidates(document, result.log_factor, work, scratch, some);
  keep_topics(document, thread, work);
}

/// The exact shares of the candidates in a word; padding 0.
template <class Real>
void Lda<Real>::shares_of_candidates(int32_t slot, const LdaWork<Real>& work, const CandidateScratch<Real>& some,
                                     Real* shares) const {
  const Real s = static_cast<Real>(work.inverse_temperature);
  topics_->probabilities_of(row_of(slot, work), some.places.data(), some.count, some.inverse.data(), shares);
  if (s != Real{1}) {
    table().logarithm(shares, shares, some.count);
    table().scaled_exponential(shares, s, shares, some.count);
  }
  const Real factor = work.candidates.words[static_cast<size_t>(slot)].factor;
  for (int64_t j = 0; j < some.count; ++j) shares[j] *= factor;
}

/// As evaluate_document, among the candidates: all other topics have gamma = alpha, so they contribute to the
/// divergence only through the totals.
template <class Real>
void Lda<Real>::evaluate_candidates(int64_t document, double log_factor, LdaWork<Real>& work,
                                    LdaScratch<Real>& scratch, CandidateScratch<Real>& some) const {
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  const double s = state.inverse_temperature;
  const int64_t count = some.count;
  Real* const of_topics = scratch.first.data();  // sum_w n_w phi_wk
  Real* const expectation = scratch.second.data();
  std::fill_n(of_topics, kernels::padded(count), Real{0});
  double likelihood = 0;
  double of_words = 0;
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const int32_t slot = work.entry_slots[static_cast<size_t>(entry)];
    const double tokens = static_cast<double>(work.counts[static_cast<size_t>(entry)]);
    const Real ratio = work.ratios[static_cast<size_t>(entry)];
    const Real* weights = some.weights.data();
    topics_->probabilities_of(row_of(slot, work), some.places.data(), count, some.inverse.data(), expectation);
    table().logarithm(expectation, expectation, count);
    likelihood += lda_table().word_statistics(
        &weights, &ratio, 1, scratch.likelihoods.data() + (entry - state.begin) * kernels::padded(count), expectation,
        count, of_topics, nullptr, scratch.packed_topics.data());
    const double log_factor_of_word = work.candidates.words[static_cast<size_t>(slot)].log_factor;
    likelihood -= tokens * work.candidates.log_probability;
    of_words += tokens * (std::log(tokens / static_cast<double>(ratio)) - log_factor_of_word -
                          s * work.candidates.log_probability);
  }
  const double of_alpha = work.candidates.sum_of_alpha;
  double total = of_alpha;
  double divergence = 0;
  for (int64_t j = 0; j < count; ++j) {
    const size_t i = static_cast<size_t>(j);
    const double alpha = static_cast<double>(some.alpha[i]);
    const double gamma = static_cast<double>(some.gamma[i]);
    const double expected = digamma(gamma);
    total += gamma - alpha;
    likelihood += static_cast<double>(of_topics[j]) * expected;
    divergence += (gamma - alpha) * expected + log_gamma(alpha) - log_gamma(gamma);
  }
  const double offset = digamma(total);
  divergence += log_gamma(total) - log_gamma(of_alpha) - (total - of_alpha) * offset;
  state.expected_log_likelihood = likelihood - offset * state.tokens;
  state.bound = of_words + (log_factor - s * offset) * state.tokens - divergence;
}

}  // namespace vtemper

#include "models/lda/instances.inc"
