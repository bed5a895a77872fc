#pragma once
// Steps whose bits do not depend on the number of ranks (option reproducible): the rows of a step come in chunks by
// their places in it, whoever has them. A chunk is computed whole by one rank, which the others send its rows; what
// chunks add up to does not depend on their order (group/grid_sum.h).

#include <memory>
#include <vector>

#include "data/data.h"
#include "models/model.h"

namespace vtemper {

class Chunks {
 public:
  /// Of steps of so many rows of all ranks. Collective.
  Chunks(std::shared_ptr<const Data> spread, int64_t step_rows);

  /// Chunks of a step.
  int64_t count() const { return (step_rows_ + length_ - 1) / length_; }
  /// The rows of the step, by their numbers in the corpus in the order of places; NULL: all rows of the corpus, every
  /// time. Collective.
  void bring(const int64_t* numbers);
  struct Chunk {
    int64_t index;  ///< among those of the step
    Batch batch;
  };
  /// Those that this rank computes of the step whose rows were brought.
  const std::vector<Chunk>& own() const { return own_; }

 private:
  std::shared_ptr<const Data> spread_;
  int64_t step_rows_, length_;
  std::vector<int64_t> first_of_rank_;  ///< [ranks + 1] number of the first row of each
  bool all_brought_ = false;            ///< all rows of the corpus, which stay

  DataPointer brought_;                ///< rows of own chunks that hold rows of other ranks
  std::vector<int64_t> row_, number_;  ///< [step_rows] of the rows of own chunks: where they are, and in the corpus
  std::vector<Chunk> own_;

  int rank_of_row(int64_t number) const;
  int rank_of_chunk(int64_t chunk, const int64_t* numbers) const;
  int64_t first_place(int64_t chunk) const { return std::min(chunk * length_, step_rows_); }
};

}  // namespace vtemper
