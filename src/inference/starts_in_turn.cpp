// Starts that are made one after the other (README.md section 7): in a run by time as many as there is time for, in
// another run of mixtures and hidden Markov models as many as are little work. Each is a run of usual length, and the
// one with the best ELBO at T = 1 is the caller's model, also while another start is in progress.

#include <cmath>

#include "inference/state.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// A run by time ends after this number of consecutive starts without an improvement.
constexpr size_t max_in_vain = 50;
/// Limits of other runs: the number of starts, and the multiply-adds of all of them.
constexpr size_t most_starts = 20;
constexpr double little_work = 4e10;

/// The first start with the best bound.
size_t place_of_best(const std::vector<double>& bounds) {
  size_t best = 0;
  for (size_t i = 1; i < bounds.size(); ++i) {
    if (is_better(bounds[i], bounds[best])) best = i;
  }
  return best;
}

}  // namespace

/// `draws_start`: the model has no parameters that the caller gave it.
void Optimizer::begin_starts_in_turn(bool draws_start) {
  first_seed_ = state_->seed;
  alternates_ = state_->run.alternates;
  best_before_moves_.fill(no_number);
  changes_before_ = state_->model->changes();
  takes_starts_ =
      state_->run.starts_in_turn && state_->group == nullptr && state_->own_part.rows == 0 && (plan_ || draws_start);
}

/// The methods of the starts, in turn.
size_t Optimizer::method_of_start() const {
  return alternates_ ? start_bounds_.size() % 2 : 0;
}

/// Another start, with the next seed, if one is due. Changes nothing if that fails.
void Optimizer::begin_start() {
  if (!takes_starts_ || challenger_ != nullptr || start_bounds_.empty()) return;
  // Annealed starts often end in the same optimum; those of plain variational inference differ more, and take less
  // time.
  const char* const method = !alternates_ ? nullptr : method_of_start() == 1 ? "vi" : "auto";
  challenger_ = another_start(first_seed_ + start_bounds_.size(), 0, method);
  challenger_->moves_above = best_before_moves_[method_of_start()];
  changes_before_ = state_->model->changes();
  if (!plan_) return;
  const double spent = plan_->seconds() - plan_->seconds_left();
  plan_.emplace(plan_->seconds(), 0);
  plan_->begin(spent);
}

/// The caller moves the best model himself, so that no other start may replace it.
void Optimizer::leave_starts() {
  challenger_.reset();
  takes_starts_ = unjudged_ = false;
}

/// Called before the steps of a call: where the caller has changed the model or the weights of the rows after a start
/// had ended, no other start replaces it.
void Optimizer::respect_changes() {
  const bool changed = state_->model->changes() != changes_before_ || state_->has_new_weights();
  if (takes_starts_ && !start_bounds_.empty() && changed) {
    leave_starts();
    state_->report.finished = 1;
    state_->report.ending = state_->ending();
  }
  for (const auto& other : other_starts_) other->respect_changes();
  state_->respect_changes();
}

/// Whether there is time or work left for one more start than those that have ended, which are one more than are
/// judged and took `work`.
bool Optimizer::has_use_for_a_start(double work) const {
  const auto ended = static_cast<double>(start_bounds_.size() + 1);
  if (plan_) return plan_->seconds_left() >= (plan_->seconds() - plan_->seconds_left()) / ended;
  return to_the_end_ && state_->model->changes() == changes_before_ && start_bounds_.size() + 1 < most_starts &&
         work + work / ended <= little_work;
}

/// Called after a step: if the current start has ended, it is compared with the best one, and the run ends unless
/// there is use for another start.
void Optimizer::judge_start() {
  if (!unjudged_) return;
  State& ended = start(0);
  const double work =
      work_ + static_cast<double>(ended.clock.iteration) *
                  (ended.operations(*ended.data, ended.data->rows()) + ended.model->operations_per_step());
  const bool goes_on = has_use_for_a_start(work);
  if (challenger_ == nullptr && !goes_on) {
    takes_starts_ = unjudged_ = false;
    state_->report.finished = 1;
    return;
  }
  state_->report.finished = 0;  // even if one of the next lines fails: the next call then does the comparison
  start_bounds_.reserve(start_bounds_.size() + 1);
  const double before_moves = ended.bound_before_moves;
  // A start that was cut off at the end of the time does not count.
  const double bound = ended.settled() || !plan_ ? ended.cold_elbo(ended.data->rows()) : no_number;
  if (challenger_ != nullptr && is_better(bound, start_bounds_[place_of_best(start_bounds_)])) keep(challenger_);
  double& best_before = best_before_moves_[method_of_start()];
  if (is_better(before_moves, best_before)) best_before = before_moves;
  start_bounds_.push_back(bound);
  challenger_.reset();
  unjudged_ = false;
  work_ = work;
  takes_starts_ = goes_on && start_bounds_.size() - place_of_best(start_bounds_) <= max_in_vain;
  state_->report.finished = takes_starts_ ? 0 : 1;
  state_->report.ending = takes_starts_ ? VTEMPER_ENDING_NONE : state_->ending();
}

/// "" if there was only one start.
std::string Optimizer::starts_message() const {
  if (!plan_ || start_bounds_.size() < 2) return "";
  const size_t count = start_bounds_.size();
  const size_t in_vain = count - place_of_best(start_bounds_) - 1;
  const std::string best =
      message(static_cast<int64_t>(count), " starts were fitted one after the other; the one with seed ",
              static_cast<int64_t>(first_seed_ + place_of_best(start_bounds_)), " has the best bound");
  return in_vain < max_in_vain ? best
                               : best + message(", and the last ", static_cast<int64_t>(in_vain),
                                                " were not better, so the run ended before its time");
}

}  // namespace vtemper
