#pragma once
// Rounds of moves that a model finds in a sample of the rows (SampledMoves), for runs of minibatches. The first round
// belongs to the first step at T = 1; others follow while moves are found.

#include <memory>

#include "models/conjugate_model.h"

namespace vtemper {

class MoveRounds {
 public:
  /// `rows`: from which the sample is taken; NULL if no moves are wanted.
  void begin(std::shared_ptr<const Data> rows, uint64_t seed) {
    rows_ = std::move(rows);
    seed_ = seed;
  }
  /// Finds the moves of the step if a round is due: the step is at T = 1 and the last one was hotter, or the
  /// interval since the last round has passed. A failed call changes nothing.
  void prepare(SampledMoves& model, bool cold, bool was_hot, int64_t iteration, int threads);
  /// Makes them, at the end of the step.
  void make(SampledMoves& model, int64_t iteration) noexcept;
  int64_t made() const { return made_; }  ///< number of moves
  bool wanted() const { return rows_ != nullptr; }
  void forget() { round_ = next_ = made_ = found_ = 0; }

  void save(ContainerWriter& writer) const;
  /// False if the state is invalid.
  bool restore(const ContainerReader& reader);

 private:
  std::shared_ptr<const Data> rows_;
  uint64_t seed_ = 0;
  int64_t round_ = 0;  ///< rounds since T has fallen to 1
  int64_t next_ = 0;   ///< the step of the next round; 0: none
  int64_t made_ = 0;
  int64_t found_ = 0;   ///< in the round of this step
  bool due_ = false;    ///< this step has a round,
  bool first_ = false;  ///< the first one at T = 1
};

}  // namespace vtemper
