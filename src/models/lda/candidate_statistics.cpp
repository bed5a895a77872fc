// The sums of a step with candidates (README.md section 8): the topics that each document keeps, a list of (topic,
// statistic) for each word, and the digammas from which alpha is learned.

#include <algorithm>

#include "kernels/scalar_functions.h"
#include "models/lda/document_in_log_space.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
void Lda<Real>::keep_topics(int64_t document, int thread, LdaWork<Real>& work) const {
  const DocumentState& state = work.documents[static_cast<size_t>(document)];
  const LdaScratch<Real>& scratch = work.scratch[static_cast<size_t>(thread)];
  CandidateScratch<Real>& some = work.candidates.scratch[static_cast<size_t>(thread)];
  const int64_t stride = kernels::padded(some.count);
  const Real weight = static_cast<Real>(state.weight * state.inverse_temperature);
  int64_t kept = 0;
  for (size_t i = 0; i < static_cast<size_t>(some.count); ++i) {
    some.position[static_cast<size_t>(kept)] = static_cast<int32_t>(i);
    kept += some.weights[i] > Real{0} ? 1 : 0;
  }
  typename CandidateWork<Real>::Row& row = work.candidates.documents[static_cast<size_t>(document)];
  row = work.candidates.begin_row(thread, kept, state.end - state.begin);
  for (int64_t j = 0; j < kept; ++j) {
    const size_t i = static_cast<size_t>(some.position[static_cast<size_t>(j)]);
    some.kept.append(some.places[i], some.gamma[i]);
  }
  Real* added = some.added.data() + row.added;
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const Real* likelihood = scratch.likelihoods.data() + (entry - state.begin) * stride;
    const Real factor = weight * work.ratios[static_cast<size_t>(entry)];
    for (int64_t j = 0; j < kept; ++j) {
      const size_t i = static_cast<size_t>(some.position[static_cast<size_t>(j)]);
      *added++ = factor * (some.weights[i] * likelihood[i]);
    }
  }
}

/// The rare document whose products leave the range of Real is solved among all topics.
template <class Real>
void Lda<Real>::keep_topics_in_log_space(int64_t document, const LocalSettings& settings, int thread,
                                         LdaWork<Real>& work) const {
  DocumentState& state = work.documents[static_cast<size_t>(document)];
  LdaScratch<Real>& scratch = work.scratch[static_cast<size_t>(thread)];
  CandidateScratch<Real>& some = work.candidates.scratch[static_cast<size_t>(thread)];
  const DocumentInLogSpace in_log_space = document_in_log_space(document, work, scratch.first, scratch.second);
  typename CandidateWork<Real>::Row& row = work.candidates.documents[static_cast<size_t>(document)];
  row = work.candidates.begin_row(thread, parted(), in_log_space.words);
  some.gamma.fill(1);
  for (int64_t k = 0; k < parted(); ++k) {
    const Real gamma = static_cast<Real>(in_log_space.gamma[static_cast<size_t>(k)]);
    some.gamma[static_cast<size_t>(k)] = gamma;
    some.kept.append(static_cast<int32_t>(k), gamma);
  }
  const double weight = state.weight * state.inverse_temperature;
  for (int64_t w = 0; w < in_log_space.words; ++w) {
    const double* phi = in_log_space.responsibility.data() + w * parted();
    Real* added = some.added.data() + row.added + w * parted();
    for (int64_t k = 0; k < parted(); ++k)
      added[k] = static_cast<Real>(weight * in_log_space.counts[static_cast<size_t>(w)] * phi[k]);
  }
  if (!settings.bound) return;
  state.expected_log_likelihood = in_log_space.expected_log_likelihood;
  state.bound = in_log_space.bound_of_words - dirichlet_divergence(table(), some.gamma.data(), work.alpha.data(),
                                                                   work.alpha_bound, parted(), scratch.first.data());
}

/// Sums the statistics word by word in the order of the documents, as collect_statistics does.
template <class Real>
void Lda<Real>::collect_lists(int threads, LdaWork<Real>& work) const {
  const int64_t words = static_cast<int64_t>(work.chunk_slots.size());
  parallel_for(threads, blocks_of(words, word_block), [&](int64_t block, int thread) {
    const int64_t end = std::min(words, (block + 1) * word_block);
    for (int64_t i = block * word_block; i < end; ++i) {
      const int32_t slot = work.chunk_slots[static_cast<size_t>(i)];
      const int64_t first =
          i == 0 ? 0 : work.holder_end[static_cast<size_t>(work.chunk_slots[static_cast<size_t>(i - 1)])];
      list_statistics(slot, first, work.holder_end[static_cast<size_t>(slot)], thread, work);
    }
  });
  for (const int32_t slot : work.chunk_slots) {
    work.holder_end[static_cast<size_t>(slot)] = 0;
    const ListPlace& list = work.candidates.statistics[static_cast<size_t>(slot)];
    const int32_t* topics = work.candidates.topics_of(list);
    const Real* values = work.candidates.statistics_of(list);
    for (int32_t i = 0; i < list.count; ++i)
      work.sums[static_cast<size_t>(topics[i])] += static_cast<double>(values[i]);
  }
}

template <class Real>
void Lda<Real>::list_statistics(int64_t slot, int64_t begin, int64_t end, int thread, LdaWork<Real>& work) const {
  CandidateScratch<Real>& some = work.candidates.scratch[static_cast<size_t>(thread)];
  for (int64_t place = begin; place < end; ++place) {
    const size_t document = static_cast<size_t>(work.holder_document[static_cast<size_t>(place)]);
    const int64_t w = work.holder_entry[static_cast<size_t>(place)] - work.documents[document].begin;
    const typename CandidateWork<Real>::Row& row = work.candidates.documents[document];
    const CandidateScratch<Real>& of_row = work.candidates.scratch[static_cast<size_t>(row.kept.thread)];
    const int32_t* topics = of_row.kept.topics.data() + row.kept.begin;
    const Real* added = of_row.added.data() + row.added + w * row.kept.count;
    for (int32_t i = 0; i < row.kept.count; ++i) some.sums.add(topics[i], added[i]);
  }
  const int64_t count = some.sums.count;
  some.statistics.make_room(count);
  work.candidates.statistics[static_cast<size_t>(slot)] = {thread, static_cast<int32_t>(count), some.statistics.used};
  for (int64_t i = 0; i < count; ++i) {
    const int32_t topic = some.sums.touched[static_cast<size_t>(i)];
    some.statistics.append(topic, some.sums.sums[static_cast<size_t>(topic)]);
  }
  some.sums.clear();
}

/// As collect_digammas: psi(alpha_k) for all documents, plus the excess of psi(gamma_dk) over it for the kept topics.
template <class Real>
void Lda<Real>::collect_listed_digammas(LdaWork<Real>& work) const {
  const auto& kernels = kernels::instruction_set().double_precision;
  const int64_t topics = parted();
  work.digammas_of_alpha.resize(static_cast<size_t>(topics));
  kernels.digamma(parted_alpha_.data(), work.digammas_of_alpha.data(), topics);
  const double of_alpha = kernels.sum(parted_alpha_.data(), topics);
  double weight = 0;
  for (size_t document = 0; document < work.documents.size(); ++document) {
    const DocumentState& state = work.documents[document];
    if (!(state.tokens > 0)) continue;
    const ListPlace& list = work.candidates.documents[document].kept;
    const CandidateScratch<Real>& some = work.candidates.scratch[static_cast<size_t>(list.thread)];
    double total = of_alpha;
    for (int64_t i = list.begin; i < list.begin + list.count; ++i) {
      const size_t k = static_cast<size_t>(some.kept.topics[static_cast<size_t>(i)]);
      const double gamma = static_cast<double>(some.kept.values[static_cast<size_t>(i)]);
      total += gamma - parted_alpha_[k];
      work.digammas[k] += state.weight * (digamma(gamma) - work.digammas_of_alpha[k]);
    }
    work.digammas_of_totals += state.weight * digamma(total);
    weight += state.weight;
  }
  for (size_t k = 0; k < static_cast<size_t>(topics); ++k) work.digammas[k] += weight * work.digammas_of_alpha[k];
  work.digammas_weight += weight;
}

}  // namespace vtemper

#include "models/lda/instances.inc"
