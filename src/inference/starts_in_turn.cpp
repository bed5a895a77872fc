// Starts of a run by time that are made one after the other (README.md section 7): each is a run of usual length, and
// the one with the best ELBO at T = 1 is the caller's model, also while another start is in progress.

#include <cmath>

#include "inference/state.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// A run ends after more than this number of consecutive starts without an improvement.
constexpr size_t max_in_vain = 50;

/// Smaller differences between bounds are attributed to the same optimum.
bool is_better(double bound, double than) {
  constexpr double rounding = 1e-9;
  return bound > than + rounding * std::abs(than) || (std::isnan(than) && !std::isnan(bound));
}

/// The first start with the best bound.
size_t place_of_best(const std::vector<double>& bounds) {
  size_t best = 0;
  for (size_t i = 1; i < bounds.size(); ++i) {
    if (is_better(bounds[i], bounds[best])) best = i;
  }
  return best;
}

}  // namespace

void Optimizer::begin_starts_by_time() {
  first_seed_ = state_->seed;
  takes_starts_ = plan_ && state_->run.starts_by_time && state_->group == nullptr && state_->own_part.rows == 0;
}

/// Another start, with the next seed, if one is due. Changes nothing if that fails.
void Optimizer::begin_start() {
  if (!takes_starts_ || challenger_ != nullptr || start_bounds_.empty()) return;
  challenger_ = another_start(first_seed_ + start_bounds_.size(), 0);
  const double spent = plan_->seconds() - plan_->seconds_left();
  plan_.emplace(plan_->seconds(), 0);
  plan_->begin(spent);
}

/// Called after a step: if the current start has ended, it is compared with the best one, and the run ends unless
/// there is reason and time for another start.
void Optimizer::judge_start() {
  if (!unjudged_) return;
  const double spent = plan_->seconds() - plan_->seconds_left();
  const bool has_time = plan_->seconds_left() >= spent / static_cast<double>(start_bounds_.size() + 1);
  if (challenger_ == nullptr && !has_time) {
    takes_starts_ = unjudged_ = false;
    return;
  }
  state_->report.finished = 0;  // even if one of the next lines fails: the next call then does the comparison
  start_bounds_.reserve(start_bounds_.size() + 1);
  // A start that was cut off at the end of the time does not count.
  const double bound = start(0).settled() ? start(0).cold_elbo(state_->data->rows()) : no_number;
  if (challenger_ != nullptr && is_better(bound, start_bounds_[place_of_best(start_bounds_)])) keep(challenger_);
  start_bounds_.push_back(bound);
  challenger_.reset();
  unjudged_ = false;
  takes_starts_ = has_time && start_bounds_.size() - place_of_best(start_bounds_) <= max_in_vain;
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
