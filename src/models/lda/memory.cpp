// The memory needed by a fit of LDA.

#include <algorithm>

#include "models/lda/lda.h"
#include "models/lda/work.h"

namespace vtemper {

template <class Real>
MemoryNeed Lda<Real>::memory(const Data& data, int64_t rows, bool remember) const {
  const double row = static_cast<double>(kernels::padded(settings_.topics)) * sizeof(Real);
  const double words = static_cast<double>(data.columns());
  const double all_rows = static_cast<double>(std::max<int64_t>(data.rows(), 1));
  const double row_entries = static_cast<double>(data.counts().entries) / all_rows;
  const double chunk = static_cast<double>(std::min(rows, chunk_documents));
  // A batch holds at most as many distinct words as entries.
  const double batch_words = std::min(words, row_entries * static_cast<double>(rows));
  const double copies = settings_.parameters_folder.empty() ? 0 : 1;
  const double arrays_of_words = 3 + copies;  // expectations, likelihoods, statistics; rows that are in a file
  constexpr double arrays_of_documents = 2;   // weights, gamma
  constexpr double bytes_of_entry = 2 * sizeof(int32_t) + sizeof(int64_t) + 2 * sizeof(Real);

  MemoryNeed need;
  need.parameters = settings_.parameters_folder.empty() ? words * row : 0;
  if (settings_.eta.size() > 1) {
    need.parameters += words * (row + static_cast<double>(settings_.topics) * sizeof(double));
  }
  need.work = batch_words * arrays_of_words * row + words * sizeof(int32_t) +
              chunk * (arrays_of_documents * row + row_entries * bytes_of_entry);
  if (group_) {
    need.parameters /= group_->ranks();
    need.work += batch_words * row;  // borrowed rows
  }
  if (remember) need.work += 2 * all_rows * row;  // of the last step and of the current one
  return need;
}

}  // namespace vtemper

#include "models/lda/instances.inc"
