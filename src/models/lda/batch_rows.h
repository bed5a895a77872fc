#pragma once
// Rows of a batch's words that are in a file (topic_rows.h): read together, so that the disk has many requests at
// once.

#include <algorithm>
#include <atomic>

#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
inline const Real* Lda<Real>::row_of(int64_t slot, const LdaWork<Real>& work) const {
  return topics_->in_memory() ? topics_->row(work.words[static_cast<size_t>(slot)])
                              : work.rows.data() + slot * topics_->copy_length();
}

/// Rows in the system's cache come first. The others are requested meanwhile, all of them before the first one is
/// waited for.
template <class Real>
template <class Use>
void Lda<Real>::read_rows(int64_t first_slot, int threads, bool keep, LdaWork<Real>& work, const Use& use) const {
  const int64_t length = topics_->copy_length();
  const int64_t fresh = work.slots - first_slot;
  if (work.scratch.size() < static_cast<size_t>(threads)) work.scratch.resize(static_cast<size_t>(threads));
  for (LdaScratch<Real>& scratch : work.scratch) scratch.row.resize(static_cast<size_t>(length));
  const auto copies = static_cast<size_t>(work.slots * length);
  if (keep && work.rows.size() < copies) work.rows.resize(copies);
  work.is_awaited.resize(std::max(work.is_awaited.size(), static_cast<size_t>(fresh)));
  work.is_awaited.fill(0);
  std::atomic<int64_t> awaited{0};
  for (const bool waits : {false, true}) {
    if (waits && awaited == 0) break;
    parallel_for(threads, blocks_of(fresh, word_block), [&](int64_t block, int thread) {
      topics_->require_readable();
      int64_t awaited_here = 0;
      for (int64_t i = block * word_block; i < std::min(fresh, (block + 1) * word_block); ++i) {
        const int64_t slot = first_slot + i;
        const int32_t word = work.words[static_cast<size_t>(slot)];
        char& is_awaited = work.is_awaited[static_cast<size_t>(i)];
        if (waits ? is_awaited == 0 : !topics_->is_here(word)) continue;
        Real* const row =
            keep ? work.rows.data() + slot * length : work.scratch[static_cast<size_t>(thread)].row.data();
        if (waits) {
          topics_->copy(word, row);
        } else {
          is_awaited = topics_->copy_without_waiting(word, row) ? 0 : 1;
        }
        if (!waits && is_awaited != 0) {
          topics_->begin_to_read(word);
          ++awaited_here;
        } else {
          use(slot, thread, static_cast<const Real*>(row));
        }
      }
      awaited += awaited_here;
    });
  }
  constexpr int64_t part = 32;
  work.waits_for_disk = awaited > fresh / part;
  if (!keep) return;
  work.copied = work.slots;
  work.revision = topics_->revision();
}

}  // namespace vtemper
