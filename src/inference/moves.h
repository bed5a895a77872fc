#pragma once
// Moves out of optima that coordinate ascent cannot leave: saddle points with equal components, plateaus, components
// that stay empty. A run of full steps that would end at T = 1 tries the moves proposed by the model, each on a copy
// of the model for a few steps, continues the best of them, and keeps it if the bound at T = 1 improves. Ordinary
// steps and the next round of trials follow; the run ends when rounds fail or the budget is exhausted.
//
// Every step of a trial is a step of the run, so monitors, deadlines and checkpoints work as usual; the model itself
// changes only when a trial is kept. The rows that a fit remembers (LocalSettings::remember) go with the globals.

#include <tuple>

#include "models/conjugate_model.h"

namespace vtemper {

class Moves {
 public:
  /// `wanted`: whether moves are tried at all.
  Moves(bool wanted, uint64_t seed) : wanted_(wanted), seed_(seed) {}

  /// The next step is a step of candidate().
  bool under_way() const { return phase_ == Phase::trials; }
  /// The last rounds failed: no improvement was found.
  bool failed() const { return phase_ == Phase::over && failed_rounds_ > 0; }
  bool may_begin() const { return wanted_ && phase_ == Phase::none; }
  /// Starts rounds of trials to improve on `bound`, that of the model.
  void begin(double bound);
  /// Before a step: creates the candidate if there is none, for batches of up to `rows` rows of `data`; ends the
  /// trials if the model proposes nothing. A failed call changes nothing.
  void prepare(ConjugateModel& model, const Data* data, int64_t rows);
  ConjugateModel& candidate() const { return *copy_; }
  ConjugateFit& candidate_fit() const { return *fit_; }
  /// After a step of the candidate, whose globals had this bound before the step. True if the candidate should
  /// replace the model.
  bool step(double bound) noexcept;
  /// Replaces the model by the candidate, and the rows that its fit remembers.
  void keep(ConjugateModel& model, ConjugateFit& fit) noexcept;
  double bound() const { return bound_; }  ///< of the model at the start of the trials, or of the candidate kept
  /// The run restarts.
  void forget();

  /// Trials made, trials kept, total gain of the bound, steps.
  int64_t tried() const { return tried_; }
  int64_t kept_count() const { return kept_; }
  double gained() const { return gained_; }
  int64_t steps() const { return steps_; }

  /// `with_rows`: the rows that the candidate's fit remembers are saved as well.
  void save(ContainerWriter& writer, bool with_rows) const;
  /// `model` is the run's restored model, with batches of up to `rows` rows of `data`. False if the state is invalid.
  bool restore(const ContainerReader& reader, ConjugateModel& model, const Data* data, int64_t rows);

 private:
  /// over: no round has started since the last one failed, or the budget is exhausted.
  enum class Phase : int64_t { none, trials, over };

  bool wanted_;
  uint64_t seed_;
  Phase phase_ = Phase::none;
  // Copies of the model, NULL before the first trial.
  std::unique_ptr<ConjugateModel> copy_;        ///< holds the candidate
  std::unique_ptr<ConjugateModel> best_;        ///< the best completed trial of the round
  std::unique_ptr<ConjugateFit> fit_;           ///< fit of the copy
  std::unique_ptr<ConjugateFit> rows_of_best_;  ///< holds the rows that its fit remembered
  bool has_candidate_ = false;
  bool has_best_ = false;
  int64_t round_ = 0, failed_rounds_ = 0;
  /// The moves of the round, and what they were found for: the model, its changes by the caller, the round.
  std::vector<Move> proposed_;
  std::tuple<const ConjugateModel*, int64_t, int64_t> proposed_for_{nullptr, 0, 0};
  int64_t number_ = 0, numbers_ = 0;  ///< number of the current trial, and of all trials in the round
  int64_t steps_of_trial_ = 0;
  bool chosen_ = false;  ///< the candidate is the best of its round
  double bound_ = 0;     ///< to be improved on
  double best_bound_ = 0, stage_bound_ = 0;
  int64_t tried_ = 0, kept_ = 0, steps_ = 0;
  double gained_ = 0;

  void make_copy(const ConjugateModel& model);
  void make_fit(const Data* data, int64_t rows);
  void swap_with_best() noexcept;
  void propose(const ConjugateModel& model);
  MoveProposals& globals() const { return *candidate().move_proposals(); }
  void end_round(bool failed) noexcept;
};

}  // namespace vtemper
