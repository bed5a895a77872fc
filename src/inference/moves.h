#pragma once
// Ways out of an optimum that coordinate ascent cannot find: saddles where components are equal, plateaus, components
// that nothing escapes to. A run of full steps that would end at T = 1 tries the moves that the model proposes, each
// on a copy of the model and for a few steps, goes on with the best of them, and keeps it where the bound at T = 1
// gains. Then ordinary steps follow, and the next round of trials; the run ends when rounds fail or the budget is
// spent.
//
// Every step of a trial is a step of the run, so monitors, deadlines and checkpoints work as ever; the model itself
// changes only when a trial is kept.

#include "models/conjugate_model.h"

namespace vtemper {

class Moves {
 public:
  /// `wanted`: without it nothing begins.
  Moves(bool wanted, uint64_t seed) : wanted_(wanted), seed_(seed) {}

  bool wanted() const { return wanted_; }
  /// The next step is one of candidate().
  bool under_way() const { return phase_ == Phase::trials; }
  /// The last rounds have failed: no way out was found.
  bool failed() const { return phase_ == Phase::over && failed_rounds_ > 0; }
  bool may_begin() const { return wanted_ && phase_ == Phase::none; }
  /// Rounds of trials to improve on `bound`, that of the model.
  void begin(double bound);
  /// Before a step: makes the candidate where there is none, for batches of up to `rows` rows of `data`; ends the
  /// trials where the model proposes nothing. A failed call changes nothing.
  void prepare(ConjugateModel& model, const Data* data, int64_t rows);
  ConjugateModel& candidate() const { return *copy_; }
  ConjugateFit& candidate_fit() const { return *fit_; }
  /// After a step of the candidate, whose globals had this bound before it. True where the candidate is to take the
  /// model's place.
  bool step(double bound) noexcept;
  /// The candidate takes the model's place.
  void keep(ConjugateModel& model) noexcept;
  double bound() const { return bound_; }  ///< of the model that the trials began with, or of the candidate kept
  /// The run starts again.
  void forget();

  /// Trials made and kept, the gain of the bound, steps.
  int64_t tried() const { return tried_; }
  int64_t kept_count() const { return kept_; }
  double gained() const { return gained_; }
  int64_t steps() const { return steps_; }

  void save(ContainerWriter& writer) const;
  /// `model` is the run's, restored. False for what is no state of trials.
  bool restore(const ContainerReader& reader, ConjugateModel& model);

 private:
  /// over: no round has begun since the last failed, or the budget is spent.
  enum class Phase : int64_t { none, trials, over };

  bool wanted_;
  uint64_t seed_;
  Phase phase_ = Phase::none;
  std::unique_ptr<ConjugateModel> copy_;  ///< of the model, which holds the candidate; NULL before the first trial
  std::unique_ptr<ConjugateFit> fit_;     ///< of the copy
  bool has_candidate_ = false;
  bool has_best_ = false;
  Array<double> best_;  ///< globals of the best of the trials of the round that are done
  int64_t round_ = 0, failed_rounds_ = 0;
  int64_t number_ = 0, numbers_ = 0;  ///< of the trial under way, of all in the round
  int64_t steps_of_trial_ = 0;
  bool chosen_ = false;  ///< the candidate is the best of its round
  double bound_ = 0;     ///< to improve on
  double best_bound_ = 0, stage_bound_ = 0;
  int64_t tried_ = 0, kept_ = 0, steps_ = 0;
  double gained_ = 0;

  void make_copy(const ConjugateModel& model);
  MoveProposals& globals() const { return *candidate().move_proposals(); }
  void end_round(bool failed) noexcept;
};

}  // namespace vtemper
