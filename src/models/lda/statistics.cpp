// Sufficient statistics of LDA, S_wk = sum_d weight_d s_d n_dw phi_dwk, summed word by word in the order of the
// documents, so that neither the bits nor the memory depend on the threads; and the global step that uses them.

#include <algorithm>

#include "models/lda/document_in_log_space.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
void Lda<Real>::reserve_holders(LdaWork<Real>& work) const {
  work.holder_document.resize(static_cast<size_t>(work.entries));
  work.holder_entry.resize(static_cast<size_t>(work.entries));
  work.chunk_slots.resize(static_cast<size_t>(std::min(work.entries, work.slots)));
}

/// Counting sort of the chunk's entries by word; the documents of a word stay in order. holder_end first counts,
/// then advances from the beginning to the end of a word's holders, and is reset to zero at the end of the chunk.
template <class Real>
void Lda<Real>::sort_holders(LdaWork<Real>& work) const {
  int64_t words = 0;
  for (const DocumentState& state : work.documents) {
    for (int64_t entry = state.begin; entry < state.end; ++entry) {
      const int32_t slot = work.entry_slots[static_cast<size_t>(entry)];
      if (work.holder_end[static_cast<size_t>(slot)]++ == 0) work.chunk_slots[static_cast<size_t>(words++)] = slot;
    }
  }
  work.chunk_slots.resize(static_cast<size_t>(words));
  int64_t position = 0;
  for (const int32_t slot : work.chunk_slots) {
    const int64_t holders = work.holder_end[static_cast<size_t>(slot)];
    work.holder_end[static_cast<size_t>(slot)] = position;
    position += holders;
  }
  for (size_t document = 0; document < work.documents.size(); ++document) {
    const DocumentState& state = work.documents[document];
    for (int64_t entry = state.begin; entry < state.end; ++entry) {
      const size_t place =
          static_cast<size_t>(work.holder_end[static_cast<size_t>(work.entry_slots[static_cast<size_t>(entry)])]++);
      work.holder_document[place] = static_cast<int32_t>(document);
      work.holder_entry[place] = entry;
    }
  }
}

template <class Real>
void Lda<Real>::collect_statistics(int64_t first_new_slot, int threads, LdaWork<Real>& work) const {
  const int64_t words = static_cast<int64_t>(work.chunk_slots.size());
  const int64_t row = topics_->row_length();
  const int64_t blocks = blocks_of(words, word_block);
  work.block_sums.resize(static_cast<size_t>(blocks * row));
  parallel_for(threads, blocks, [&](int64_t block, int thread) {
    LdaScratch<Real>& scratch = work.scratch[static_cast<size_t>(thread)];
    scratch.totals.fill(0);
    const int64_t end = std::min(words, (block + 1) * word_block);
    for (int64_t i = block * word_block; i < end; ++i) {
      const int32_t slot = work.chunk_slots[static_cast<size_t>(i)];
      const int64_t first =
          i == 0 ? 0 : work.holder_end[static_cast<size_t>(work.chunk_slots[static_cast<size_t>(i - 1)])];
      if (slot >= first_new_slot) std::fill_n(work.statistics.data() + slot * row, row, Real{0});
      add_word(slot, first, work.holder_end[static_cast<size_t>(slot)], work, scratch);
    }
    std::copy_n(scratch.totals.data(), row, work.block_sums.data() + block * row);
  });
  for (int64_t block = 0; block < blocks; ++block) {
    const double* sums = work.block_sums.data() + block * row;
    for (int64_t k = 0; k < row; ++k) work.sums[static_cast<size_t>(k)] += sums[k];
  }
  for (const int32_t slot : work.chunk_slots) work.holder_end[static_cast<size_t>(slot)] = 0;
  for (size_t document = 0; document < work.documents.size(); ++document) {
    if (work.documents[document].in_log_space) add_document_in_log_space(static_cast<int64_t>(document), work);
  }
}

template <class Real>
void Lda<Real>::add_word(int64_t slot, int64_t begin, int64_t end, LdaWork<Real>& work,
                         LdaScratch<Real>& scratch) const {
  const int64_t row = topics_->row_length();
  const int64_t topics = parted();
  Real* statistics = work.statistics.data() + slot * row;
  for (int64_t first = begin; first < end; first += chunk_documents) {
    int64_t holders = 0;
    for (int64_t place = first; place < std::min(end, first + chunk_documents); ++place) {
      const int32_t document = work.holder_document[static_cast<size_t>(place)];
      const DocumentState& state = work.documents[static_cast<size_t>(document)];
      if (state.in_log_space) continue;
      const Real* weights = work.weights.data() + document * row;
      const Real weight = static_cast<Real>(state.weight * state.inverse_temperature) *
                          work.ratios[static_cast<size_t>(work.holder_entry[static_cast<size_t>(place)])];
      if (state.inverse_temperature != work.inverse_temperature) {
        lda_table().tempered_word_statistics(weights, weight, work.expectations.data() + slot * row,
                                             static_cast<Real>(state.inverse_temperature), topics, statistics,
                                             scratch.totals.data());
      } else {
        scratch.rows[static_cast<size_t>(holders)] = weights;
        scratch.row_weights[static_cast<size_t>(holders)] = weight;
        ++holders;
      }
    }
    if (holders > 0) {
      lda_table().word_statistics(scratch.rows.data(), scratch.row_weights.data(), holders,
                                  work.likelihoods.data() + slot * row, nullptr, topics, statistics,
                                  scratch.totals.data(), scratch.second.data());
    }
  }
}

template <class Real>
void Lda<Real>::add_document_in_log_space(int64_t document, LdaWork<Real>& work) const {
  const DocumentState& state = work.documents[static_cast<size_t>(document)];
  LdaScratch<Real>& scratch = work.scratch.front();
  const DocumentInLogSpace in_log_space = document_in_log_space(document, work, scratch.first, scratch.second);
  for (int64_t entry = state.begin; entry < state.end; ++entry) {
    const int64_t w = entry - state.begin;
    Real* statistics = work.statistics.data() + work.entry_slots[static_cast<size_t>(entry)] * topics_->row_length();
    const double* phi = in_log_space.responsibility.data() + w * parted();
    const double weight = state.weight * state.inverse_temperature * in_log_space.counts[static_cast<size_t>(w)];
    for (int64_t k = 0; k < parted(); ++k) {
      statistics[k] += static_cast<Real>(weight * phi[k]);
      work.sums[static_cast<size_t>(k)] += weight * phi[k];
    }
  }
}

template <class Real>
WordStatistics<Real> Lda<Real>::word_statistics(const LdaWork<Real>& work) const {
  WordStatistics<Real> statistics{work.statistics.data(), topics_->row_length(), parted()};
  if (work.received.count == 0) return statistics;
  statistics.own_slots = work.own_slots;
  statistics.received_row = work.received_row.data();
  statistics.received = static_cast<const Real*>(work.received.numbers);
  statistics.stride = work.received.stride;
  return statistics;
}

/// S_wk of a word of the batch, [parted].
template <class Real>
template <class Number>
void Lda<Real>::copy_statistics(int64_t slot, const LdaWork<Real>& work, Number* out) const {
  if (!work.candidates.used) {
    return word_statistics(work).copy(slot, out);
  }
  std::fill_n(out, parted(), Number{0});
  const ListPlace& list = work.candidates.statistics[static_cast<size_t>(slot)];
  const int32_t* topics = work.candidates.topics_of(list);
  const Real* values = work.candidates.statistics_of(list);
  for (int32_t i = 0; i < list.count; ++i) out[topics[i]] = static_cast<Number>(values[i]);
}

/// As above in place, or copied to a row of scratch memory if the step stores lists.
template <class Real>
const Real* Lda<Real>::statistics_row(int64_t slot, LdaWork<Real>& work) const {
  if (!work.candidates.used) {
    return word_statistics(work).row(slot, work.received_scratch.data());
  }
  Array<Real>& row = work.candidates.scratch.front().likelihood;
  copy_statistics(slot, work, row.data());
  return row.data();
}

template <class Real>
typename Topics<Real>::Blend Lda<Real>::blend_of(const GlobalStep& step) const {
  typename Topics<Real>::Blend blend;
  blend.scale = step.scale;
  blend.rho = step.rho;
  blend.share = 1 - step.perturbation.share;
  if (step.prior.inverse != 1) {
    // s eta, or the parameter s eta + 1 - s of the prior density's power; point estimates are the mode under
    // Dir(1 + eta), whose power has s eta.
    blend.prior_weight = step.prior.inverse;
    blend.constant = settings_.point || step.prior.natural_parameters ? 0 : 1 - step.prior.inverse;
  }
  return blend;
}

/// Word by word: g_kv = eta_kv + scale S_kv - lambda_kv (eta at its power), and with the Fisher information of
/// Dir(lambda_k) F g = psi'(lambda_kv) g_kv - psi'(sum_v lambda_kv) sum_v g_kv.
template <class Real>
void Lda<Real>::natural_gradient(LdaWork<Real>& work, const GlobalStep& step, bool fisher,
                                 const GradientVisitor& visit) const {
  const auto& kernels = kernels::instruction_set().double_precision;
  const int64_t topics = settings_.topics;
  const typename Topics<Real>::Blend blend = blend_of(step);
  double* gradient = work.gradient_rows.data();
  double* product = gradient + topics;
  double* offset = product + topics;  // psi'(sum_v lambda_kv) sum_v g_kv
  if (fisher) {
    for (int64_t k = 0; k < topics; ++k) product[k] = topics_->total(k);
    kernels.trigamma(product, offset, topics);
    for (int64_t k = 0; k < topics; ++k) {
      const double prior =
          blend.prior_weight * topics_->eta_total(k) + blend.constant * static_cast<double>(columns());
      offset[k] *= prior + blend.scale * work.sums[static_cast<size_t>(k)] - product[k];
    }
  }
  Spare spare;
  for (int64_t v = 0; v < columns(); ++v) {
    const int32_t slot = work.slot_of_word[static_cast<size_t>(v)];
    const Real* statistics = slot < 0 ? nullptr : statistics_row(slot, work);
    for (int64_t k = 0; k < topics; ++k) {
      const double lambda = topics_->lambda(k, v, spare);
      const double learned = statistics == nullptr ? 0 : blend.scale * static_cast<double>(statistics[k]);
      gradient[k] = blend.prior_weight * topics_->eta(k, v) + blend.constant + learned - lambda;
      if (fisher) product[k] = lambda;
    }
    if (fisher) {
      kernels.trigamma(product, product, topics);
      for (int64_t k = 0; k < topics; ++k) product[k] = product[k] * gradient[k] - offset[k];
    }
    visit(v * topics, topics, gradient, fisher ? product : nullptr);
  }
}

/// The new lambda lies between the old one and a positive target, so it suffices that no topic of the target is too
/// large, which its sum over words shows.
template <class Real>
void Lda<Real>::prepare_step(LdaWork<Real>& work, const GlobalStep& step) const {
  const double drawn = step.perturbation.share * step.perturbation.tokens;
  bool usable = drawn <= Topics<Real>::largest_total;
  for (int64_t k = 0; k < parted(); ++k) {
    usable = usable && step.scale * work.sums[static_cast<size_t>(k)] <= Topics<Real>::largest_total;
  }
  if (!usable) refuse_step(step.iteration, "the topics");
  topics_->make_writable();
  copy_rows(work);
}

template <class Real>
GlobalChange Lda<Real>::global_step(LdaWork<Real>& work, const GlobalStep& step) noexcept {
  work.remembered.commit();
  GlobalChange change;
  const CandidateWork<Real>* lists = work.candidates.used ? &work.candidates : nullptr;
  const int32_t* const order = work.is_ordered ? work.order.data() : nullptr;
  const int64_t count = work.is_ordered ? static_cast<int64_t>(work.order.size()) : work.slots;
  topics_->blend(
      {work.words.data(), count, word_statistics(work), work.received_scratch.data(), lists, order, work.rows.data()},
      work.sums.data(), blend_of(step), work.threads);
  if (divided_table() == nullptr) change.relative = topics_->relative_change();
  if (step.perturbation.share > 0) {
    // Gultekin 2015, eq. 14: (N / K) Dir(1_V).
    const double mass = step.perturbation.tokens / static_cast<double>(settings_.topics);
    topics_->add_draw(step.rho * step.perturbation.share * mass, step.perturbation.seed, step.perturbation.iteration);
  }
  for (int64_t k = 0; k < parted(); ++k) {
    change.unused_components += step.scale * work.sums[static_cast<size_t>(k)] < 0.5 ? 1 : 0;
  }
  grow(step);
  learn_priors(work, step);
  return change;
}

template <class Real>
int64_t Lda<Real>::statistics_length() const {
  return settings_.topics * (columns() + (may_learn_alpha() ? 2 : 1)) + (may_learn_alpha() ? 2 : 0);
}

template <class Real>
std::vector<Quantity> Lda<Real>::statistics() const {
  const int64_t topics = settings_.topics;
  std::vector<Quantity> arrays = {{"topics", {topics}, false, "Expected tokens of each topic."},
                                  {"words",
                                   {columns(), topics},
                                   false,
                                   "Expected tokens of each word in each topic; 0 for words not in the rows."}};
  if (!may_learn_alpha()) return arrays;
  arrays.push_back({"digammas", {topics}, false, "Digammas of gamma over the rows with words, by weight."});
  arrays.push_back({"digammas_of_totals", {}, false, "Digammas of the sums of gamma over these rows, by weight."});
  arrays.push_back({"digammas_weight", {}, false, "Weight of these rows."});
  return arrays;
}

/// sum_w S_wk [K], then S_wk [V x K]; if alpha is learned, the digammas of gamma [K] and of its totals, and the
/// weights.
template <class Real>
void Lda<Real>::write_statistics(const LdaWork<Real>& work, double* out) const {
  const int64_t topics = parted();
  std::fill_n(out, statistics_length(), 0.0);
  for (int64_t k = 0; k < topics; ++k) out[k] = work.sums[static_cast<size_t>(k)];
  for (int64_t slot = 0; slot < work.slots; ++slot) {
    copy_statistics(slot, work, out + topics * (1 + work.words[static_cast<size_t>(slot)]));
  }
  if (!may_learn_alpha()) return;
  out += settings_.topics * (1 + columns());
  std::copy_n(work.digammas.data(), topics, out);
  out[settings_.topics] = work.digammas_of_totals;
  out[settings_.topics + 1] = work.digammas_weight;
}

template <class Real>
void Lda<Real>::read_statistics(const double* in, LdaWork<Real>& work) const {
  const int64_t topics = parted();
  const int64_t row = topics_->row_length();
  require_counts(in, topics * (1 + columns()));
  work.candidates.used = false;
  work.forget_words();
  work.sums.resize(static_cast<size_t>(row));
  work.sums.fill(0);
  std::copy_n(in, topics, work.sums.data());
  for (int64_t word = 0; word < columns(); ++word) {
    const double* of_word = in + topics * (1 + word);
    if (std::all_of(of_word, of_word + topics, [](double x) { return x == 0; })) continue;
    work.make_room_for_slots(work.slots + 1);
    int32_t place = static_cast<int32_t>(word);
    work.number_words(&place, 1);
    work.statistics.resize(static_cast<size_t>(work.slots * row));
    Real* statistics = work.statistics.data() + (work.slots - 1) * row;
    std::fill_n(statistics, row, Real{0});
    for (int64_t k = 0; k < topics; ++k) statistics[k] = static_cast<Real>(of_word[k]);
  }
  if (!may_learn_alpha()) return;
  in += settings_.topics * (1 + columns());
  work.digammas.resize(static_cast<size_t>(row));
  std::copy_n(in, topics, work.digammas.data());
  work.digammas_of_totals = in[settings_.topics];
  work.digammas_weight = in[settings_.topics + 1];
}

template void Lda<float>::copy_statistics(int64_t, const LdaWork<float>&, float*) const;
template void Lda<double>::copy_statistics(int64_t, const LdaWork<double>&, double*) const;

}  // namespace vtemper

#include "models/lda/instances.inc"
