// The local step of LDA, in chunks of documents: reads them, looks up the expectations of their words, solves them
// (document.cpp), and adds up their statistics (statistics.cpp).

#include <algorithm>

#include "models/lda/batch_rows.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/large_pages.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Maximum number of entries in `rows` rows if a row occurs at most twice (at the end of one pass and the beginning
/// of the next), and the length of the longest row.
struct EntryBounds {
  int64_t entries = 0;
  int64_t longest = 0;
};

EntryBounds bound_entries(const Counts& counts, int64_t rows) {
  EntryBounds bounds;
  for (int64_t row = 0; row < counts.rows; ++row) bounds.longest = std::max(bounds.longest, counts.row_length(row));
  std::vector<int64_t> rows_of_length(static_cast<size_t>(bounds.longest) + 1);
  for (int64_t row = 0; row < counts.rows; ++row) {
    // Never longer than before, unless the file is being modified concurrently.
    ++rows_of_length[static_cast<size_t>(std::min(bounds.longest, counts.row_length(row)))];
  }
  int64_t left = rows;
  for (int64_t length = bounds.longest; length > 0 && left > 0; --length) {
    const int64_t taken = std::min(left, 2 * rows_of_length[static_cast<size_t>(length)]);
    bounds.entries += taken * length;
    left -= taken;
  }
  return bounds;
}

}  // namespace

template <class Real>
std::unique_ptr<LdaWork<Real>> Lda<Real>::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<LdaWork<Real>>(columns());
  if (data != nullptr) {
    const size_t row = static_cast<size_t>(topics_->row_length());
    const EntryBounds batch = bound_entries(data->counts(), rows);
    const EntryBounds chunk = bound_entries(data->counts(), std::min(rows, chunk_documents));
    const size_t words = static_cast<size_t>(std::min(batch.entries, columns()));
    const size_t chunk_words = static_cast<size_t>(std::min(chunk.entries, columns()));
    const size_t entries = static_cast<size_t>(chunk.entries);
    work->words.reserve(words + 1);
    work->largest.reserve(words);
    work->holder_end.reserve(words + 1);
    for (Array<Real>* rows_of_words : {&work->expectations, &work->likelihoods, &work->statistics}) {
      reserve_large(*rows_of_words, words * row);
    }
    if (!topics_->in_memory()) work->rows.reserve(words * static_cast<size_t>(topics_->copy_length()));
    work->longest_row = static_cast<size_t>(batch.longest);
    for (Array<int32_t>* of_entries : {&work->entry_slots, &work->holder_document}) of_entries->reserve(entries);
    for (Array<Real>* of_entries : {&work->counts, &work->ratios}) of_entries->reserve(entries);
    work->holder_entry.reserve(entries);
    work->chunk_slots.reserve(chunk_words);
    const int64_t blocks = std::max(blocks_of(static_cast<int64_t>(chunk_words), word_block),
                                    blocks_of(chunk_documents, document_block));
    work->block_sums.reserve(static_cast<size_t>(blocks) * (row + 1));
    work->sums.reserve(row);
  }
  const size_t documents = static_cast<size_t>(std::min(rows, chunk_documents));
  work->documents.reserve(documents);
  work->weights.reserve(documents * static_cast<size_t>(topics_->row_length()));
  work->gamma.reserve(documents * static_cast<size_t>(topics_->row_length()));
  return work;
}

template <class Real>
std::unique_ptr<RowSolver> Lda<Real>::row_solver(const Data* data, int64_t rows) const {
  return row_solver_of(*this, local_work(data, rows));
}

template <class Real>
std::unique_ptr<ConjugateFit> Lda<Real>::begin_fit(const Data* data, int64_t rows) {
  return std::make_unique<LdaFit<Real>>(*this, local_work(data, rows));
}

template <class Real>
LocalSums Lda<Real>::local_step(const Batch& batch, const LocalTemperature& temperature,
                                const LocalSettings& settings, LdaWork<Real>& work) const {
  work.threads = settings.threads;
  work.forget_words();
  work.sums.resize(static_cast<size_t>(topics_->row_length()));
  work.sums.fill(0);
  work.digammas.resize(static_cast<size_t>(topics_->row_length()));
  work.digammas.fill(0);
  work.digammas_of_totals = work.digammas_weight = 0;
  work.gradient_rows.resize(3 * static_cast<size_t>(settings_.topics));
  topics_->normalizer(settings_.point, work.normalizer);
  if (settings.remember) {
    work.remembered.begin(static_cast<size_t>(batch.data->rows() * topics_->row_length()));
  } else {
    work.remembered.pause();
  }
  return local_chunks(batch, temperature, settings, work);
}

template <class Real>
LocalSums Lda<Real>::local_chunks(const Batch& batch, const LocalTemperature& temperature,
                                  const LocalSettings& settings, LdaWork<Real>& work) const {
  LocalSums sums;
  work.local_iterations = settings.iterations.value_or(settings_.local_iterations);
  work.local_tolerance = settings.tolerance.value_or(settings_.local_tolerance);
  work.needs_expectations = settings.bound || temperature.per_row != nullptr;
  work.local_sparsity = settings.statistics && !settings.remember ? settings_.local_sparsity : 0;
  work.inverse_temperature = temperature.inverse;
  work.perturbation = settings.perturbation;
  work.prior = temperature.prior;
  work.alpha.resize(static_cast<size_t>(topics_->row_length()));
  work.alpha.fill(1);
  for (int64_t k = 0; k < parted(); ++k) {
    const double alpha = parted_alpha_[static_cast<size_t>(k)];
    work.alpha[static_cast<size_t>(k)] = static_cast<Real>(temperature.prior.concentration(alpha));
  }
  work.alpha_bound = temperature.prior.inverse * alpha_bound_;
  work.candidates.used = considers_candidates(batch, temperature, settings);
  // Lists take so little memory that all documents are one chunk.
  const int64_t chunk_length = work.candidates.used ? std::max<int64_t>(batch.count, 1) : chunk_documents;
  for (int64_t first = 0; first < batch.count; first += chunk_length) {
    const Batch chunk = batch.part(first, chunk_length);
    if (!topics_->in_memory()) request_rows(batch, first, work);
    const int64_t first_new_slot = work.slots;
    work.chunk = chunk;
    read_documents(chunk, settings.threads, work);
    require_here(first_new_slot, work);
    if (work.candidates.used) {
      list_words(work);
      solve_documents(temperature, settings, work);
      collect_lists(settings.threads, work);
      if (learns_alpha_from(temperature)) collect_listed_digammas(work);
    } else {
      expect_words(temperature.inverse, first_new_slot, settings, work);
      solve_documents(temperature, settings, work);
      if (settings.statistics) collect_statistics(first_new_slot, settings.threads, work);
      if (settings.statistics && learns_alpha_from(temperature)) collect_digammas(settings.threads, work);
    }
    int64_t row = first;
    for (const DocumentState& document : work.documents) {
      if (settings.row_bounds != nullptr) settings.row_bounds[row] = document.bound;
      if (settings.row_inverse_temperatures != nullptr) {
        settings.row_inverse_temperatures[row] = document.inverse_temperature;
      }
      ++row;
      sums.count += 1;
      sums.rows += document.weight;
      sums.empty_rows += document.tokens > 0 ? 0 : 1;
      sums.tokens += document.weight * document.tokens;
      sums.inverse_temperature += document.weight * document.inverse_temperature;
      sums.expected_log_likelihood += document.weight * document.expected_log_likelihood;
      sums.bound += document.weight * document.bound;
    }
  }
  return sums;
}

template <class Real>
void Lda<Real>::read_documents(const Batch& chunk, int threads, LdaWork<Real>& work) const {
  const Counts& counts = chunk.data->counts();
  const int64_t blocks = blocks_of(chunk.count, reading_block);
  // Prefetches everything that a block needs before any of it is read: in a large corpus every document is on
  // different pages, whose addresses the processor can then translate in parallel.
  const auto for_each_document = [&](const auto& ask, const auto& visit) {
    parallel_for(threads, blocks, [&](int64_t block, int) {
      const int64_t begin = block * reading_block;
      const int64_t end = std::min(chunk.count, begin + reading_block);
      for (int64_t i = begin; i < end; ++i) ask(chunk.row(i));
      for (int64_t i = begin; i < end; ++i) visit(chunk.row(i), work.documents[static_cast<size_t>(i)]);
    });
  };
  work.documents.resize(static_cast<size_t>(chunk.count));
  for_each_document([&](int64_t row) { counts.prefetch_offsets(row); },
                    [&](int64_t row, DocumentState& document) {
                      document = {row, 0, counts.row_length(row), chunk.data->weight(row), 0, 1, 0, 0, false};
                    });
  work.entries = 0;
  for (DocumentState& document : work.documents) {
    work.longest_row = std::max(work.longest_row, static_cast<size_t>(document.end));
    document.begin = work.entries;
    document.end += work.entries;  // entries without a count are subtracted below
    work.entries = document.end;
  }
  for (Array<Real>* of_entries : {&work.counts, &work.ratios}) of_entries->resize(static_cast<size_t>(work.entries));
  work.entry_slots.resize(static_cast<size_t>(work.entries));
  for_each_document([&](int64_t row) { counts.prefetch_entries(row); },
                    [&](int64_t row, DocumentState& document) {
                      int32_t* columns = work.entry_slots.data() + document.begin;
                      Real* values = work.counts.data() + document.begin;
                      const int64_t length = document.end - document.begin;
                      document.end = document.begin + counts.read_row(row, length, columns, values);
                      for (int64_t w = 0; w < document.end - document.begin; ++w)
                        document.tokens += static_cast<double>(values[w]);
                    });
  work.make_room_for_slots(std::min(work.slots + work.entries, columns()));
  for (const DocumentState& document : work.documents) {
    work.number_words(work.entry_slots.data() + document.begin, document.end - document.begin);
  }
}

template <class Real>
void Lda<Real>::expect_words(double inverse_temperature, int64_t first_slot, const LocalSettings& settings,
                             LdaWork<Real>& work) const {
  const int64_t length = topics_->row_length();
  const size_t size = static_cast<size_t>(work.slots * length);
  // Rows of words are written before they are read, so existing contents need not be cleared.
  const auto grow = [size](Array<Real>& rows) {
    if (rows.size() < size) rows.resize(size);
  };
  if (work.needs_expectations) grow(work.expectations);
  grow(work.likelihoods);
  grow(work.statistics);
  work.largest.resize(static_cast<size_t>(work.slots));
  const auto expect = [&](int64_t slot, const Real* row) {
    work.largest[static_cast<size_t>(slot)] =
        topics_->word(work.words[static_cast<size_t>(slot)], row, work.normalizer, inverse_temperature,
                      work.likelihoods.data() + slot * length,
                      work.needs_expectations ? work.expectations.data() + slot * length : nullptr);
  };
  if (!topics_->in_memory()) {
    return read_rows(first_slot, settings.threads, settings.statistics, work,
                     [&](int64_t slot, int, const Real* row) { expect(slot, row); });
  }
  const int64_t fresh = work.slots - first_slot;
  parallel_for(settings.threads, blocks_of(fresh, word_block), [&](int64_t block, int) {
    const int64_t begin = first_slot + block * word_block;
    const int64_t end = std::min(begin + word_block, work.slots);
    for (int64_t slot = begin; slot < end; ++slot) {
      if (slot + words_ahead < work.slots) topics_->prefetch(row_of(slot + words_ahead, work));
      expect(slot, row_of(slot, work));
    }
  });
}

template <class Real>
void Lda<Real>::solve_documents(const LocalTemperature& temperature, const LocalSettings& settings,
                                LdaWork<Real>& work) const {
  const int64_t documents = static_cast<int64_t>(work.documents.size());
  const size_t row = static_cast<size_t>(topics_->row_length());
  if (!work.candidates.used) {
    work.weights.resize(work.documents.size() * row);
    work.gamma.resize(work.documents.size() * row);
  }
  if (work.scratch.size() < static_cast<size_t>(settings.threads)) {
    work.scratch.resize(static_cast<size_t>(settings.threads));
  }
  for (auto& scratch : work.scratch) {
    for (Array<Real>* vector : {&scratch.first, &scratch.second, &scratch.totals}) vector->resize(row);
    const size_t words = work.longest_row;
    scratch.rows.resize(std::max(words, static_cast<size_t>(chunk_documents)));
    scratch.row_weights.resize(scratch.rows.size());
    if (temperature.per_row) scratch.likelihoods.resize(words * row);
    if (work.local_sparsity > 0 && !work.candidates.used) {
      const size_t packed = static_cast<size_t>(kernels::packed_length(settings_.topics));
      scratch.packed.resize(words * packed);
      scratch.packed_rows.resize(words);
      scratch.packed_topics.resize(4 * packed);
      scratch.kept.resize(2 * packed);
    }
  }
  // One thread sorts the entries by word while the others begin with the documents.
  const int64_t sorts = settings.statistics ? 1 : 0;
  if (settings.statistics) reserve_holders(work);
  parallel_for(settings.threads, sorts + blocks_of(documents, solving_block), [&](int64_t index, int thread) {
    if (index < sorts) return sort_holders(work);
    const int64_t begin = (index - sorts) * solving_block;
    const int64_t end = std::min(documents, begin + solving_block);
    for (int64_t i = begin; i < end; ++i) {
      if (work.candidates.used) {
        solve_candidates(i, settings, thread, work);
        continue;
      }
      solve_document(i, temperature, settings, work, work.scratch[static_cast<size_t>(thread)]);
    }
  });
}

}  // namespace vtemper

#include "models/lda/instances.inc"
