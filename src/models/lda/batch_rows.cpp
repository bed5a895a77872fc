// Rows of a batch's words that are in a file: requests in advance, and copies for the global step.

#include "models/lda/batch_rows.h"

namespace vtemper {

namespace {

/// Documents whose rows are requested in advance.
constexpr int64_t chunks_ahead = 4;

}  // namespace

/// Called before the chunk that begins at `first`, so that the disk reads the rows of the next chunks while this one
/// is computed. Not done for a large batch at once, whose first rows would be evicted before they are needed, nor
/// where the rows are in the system's cache.
template <class Real>
void Lda<Real>::request_rows(const Batch& batch, int64_t first, LdaWork<Real>& work) const {
  if (first == 0) {
    work.is_requested.resize(static_cast<size_t>(columns()));
    work.is_requested.fill(0);
    work.requested_documents = 0;
  }
  if (!work.waits_for_disk) return;
  const int64_t end = std::min(batch.count, first + chunks_ahead * chunk_documents);
  work.requested_documents = std::max(work.requested_documents, first + chunk_documents);
  for (; work.requested_documents < end; ++work.requested_documents) {
    batch.data->counts().visit_row(batch.row(work.requested_documents), [&](int32_t word, double) {
      char& is_requested = work.is_requested[static_cast<size_t>(word)];
      if (is_requested == 0 && work.slot_of_word[static_cast<size_t>(word)] < 0) topics_->begin_to_read(word);
      is_requested = 1;
    });
  }
}

/// Those of the local step, unless the topics have changed since, and of the words that other machines have added.
template <class Real>
void Lda<Real>::copy_rows(LdaWork<Real>& work) const {
  if (topics_->in_memory()) return;
  if (work.revision != topics_->revision()) work.copied = 0;
  if (work.copied == work.slots) return;
  const bool waited = work.waits_for_disk;
  read_rows(work.copied, work.threads, true, work, [](int64_t, int, const Real*) {});
  work.waits_for_disk = waited;
}

}  // namespace vtemper

#include "models/lda/instances.inc"
