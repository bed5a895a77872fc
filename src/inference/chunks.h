#pragma once
// Steps whose bits do not depend on the number of ranks (option reproducible): the rows of a step are divided into
// chunks by their places in it, regardless of which rank stores them. A chunk is computed as a whole by one rank, to
// which the other ranks send its rows; the sum of the chunks does not depend on their order (group/grid_sum.h).

#include <memory>
#include <vector>

#include "data/data.h"
#include "models/model.h"

namespace vtemper {

class Chunks {
 public:
  /// For steps of `step_rows` rows in total over all ranks. Collective.
  Chunks(std::shared_ptr<const Data> spread, int64_t step_rows);

  /// Number of chunks of a step.
  int64_t count() const { return (step_rows_ + length_ - 1) / length_; }
  /// Fetches the rows of the step. `numbers`: their numbers in the corpus, in the order of places; NULL: every step
  /// takes all rows of the corpus. Collective.
  void bring(const int64_t* numbers);
  struct Chunk {
    int64_t index;  ///< among the chunks of the step
    Batch batch;
  };
  /// The chunks that this rank computes, of the step whose rows were fetched last.
  const std::vector<Chunk>& own() const { return own_; }

 private:
  std::shared_ptr<const Data> spread_;
  int64_t step_rows_, length_;
  std::vector<int64_t> first_of_rank_;  ///< [ranks + 1] number of the first row of each rank
  bool all_brought_ = false;            ///< all rows of the corpus were fetched, and remain

  DataPointer brought_;                ///< rows of those chunks of this rank that contain rows of other ranks
  std::vector<int64_t> row_, number_;  ///< [step_rows] for the rows of this rank's chunks: index in their data,
                                       ///< number in the corpus
  std::vector<Chunk> own_;

  int rank_of_row(int64_t number) const;
  int rank_of_chunk(int64_t chunk, const int64_t* numbers) const;
  int64_t first_place(int64_t chunk) const { return std::min(chunk * length_, step_rows_); }
};

}  // namespace vtemper
