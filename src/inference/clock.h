#pragma once
// The progress of a run, which schedules depend on.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace vtemper {

/// By default a run ends with plain steps at T = 1: a third of it, at least one step and at most this many. The
/// statistics need them to forget the hotter steps; more would overfit the rows (tests/reproduce/lda_many_topics.md).
constexpr double plain_share = 1.0 / 3.0;
constexpr double longest_plain_end = 200;
/// Length of the annealing if the length of the run is unknown (README.md section 7).
constexpr double annealed_steps = 1500;
/// Largest expected length of a run to which rows are fed without max_passes.
constexpr double most_fed_steps = 10000;

/// Default length of the annealing in a run of that many steps; 0: unknown.
inline double annealed_length(int64_t steps_total) {
  if (steps_total == 0) return annealed_steps;
  const double total = static_cast<double>(steps_total);
  return total - std::max(1.0, std::min(plain_share * total, longest_plain_end));
}

/// Progress of a run with a time budget. Its steps are replanned before each step (time_plan.h), so its shares are
/// updated incrementally instead of computed from a number of steps: they never decrease when the plan changes.
struct PlannedShares {
  double run = 0;  ///< completed share of the run; with several coolings this and the next two are of the current
                   ///< cooling
  double annealed = 0;  ///< completed share of the annealing; 1: in the plain steps at the end
  double hot = 1;       ///< planned share of annealing in the run, the smallest so far
  int64_t cooling = 0;  ///< completed coolings
  int64_t begin = 0;    ///< steps of the run before the current cooling
  int64_t end = 0;      ///< steps of the run at the end of this cooling, as currently planned; 0: unknown
};

/// Position in a run; parts are passed the position in the current cooling (of_cooling). `steps_total` is 0 if the
/// length is unknown (rows are fed without max_passes); with a time limit it is that of the current plan.
struct Clock {
  int64_t iteration = 0;  ///< completed steps
  double steps_per_pass = 1;
  int64_t steps_total = 0;
  bool full_steps = false;               ///< every step uses all rows and rho = 1
  bool fed = false;                      ///< the caller passes the rows of each step
  std::optional<PlannedShares> planned;  ///< with a time budget
  double last_inverse = 0;               ///< with a time budget: inverse temperature of the last step
  int64_t coolings = 1;                  ///< number in a run whose length is known, with equal numbers of steps
  bool reheated = false;                 ///< in the view of a cooling: T has fallen to 1 before

  /// Completed share of `length` steps; at least 1 after their end.
  double share_of(double length) const {
    const double done = static_cast<double>(iteration);
    return done < length ? done / length : 1;
  }
  /// The number of steps that schedules and step sizes are made for. Where rows are fed without max_passes, one pass
  /// over rows_total is expected, unless that is a single batch. A longer run goes on with plain steps.
  int64_t expected_steps() const {
    if (steps_total > 0 || planned || !fed || !(steps_per_pass > 1)) return steps_total;
    return static_cast<int64_t>(std::min(std::ceil(steps_per_pass), most_fed_steps));
  }
  /// Default length of the annealing.
  double annealed_length() const { return vtemper::annealed_length(expected_steps()); }
  int64_t completed_coolings() const {
    if (planned) return planned->cooling;
    const int64_t length = std::max<int64_t>(steps_total / coolings, 1);
    return std::min(iteration / length, coolings - 1);
  }
  /// The current cooling as a separate run, which schedules and step sizes follow. If the steps cannot be divided
  /// evenly among the coolings, the remaining ones are further steps of the last cooling.
  Clock of_cooling() const {
    Clock view = *this;
    view.coolings = 1;
    int64_t begin = 0;
    if (planned) {
      begin = planned->begin;
      view.steps_total = planned->end > 0 ? planned->end - begin : steps_total;
    } else if (coolings > 1 && steps_total >= coolings) {
      view.steps_total = steps_total / coolings;
      begin = completed_coolings() * view.steps_total;
    }
    view.iteration -= begin;
    view.reheated = begin > 0;
    if (view.reheated && view.iteration == 0) view.last_inverse = 0;
    return view;
  }
  /// Whether no further cooling is planned.
  bool in_last_cooling() const { return planned || completed_coolings() == coolings - 1; }
  /// Completed share of the default annealing; 1 from the plain steps on.
  double annealed_share() const { return planned ? planned->annealed : share_of(annealed_length()); }
};

}  // namespace vtemper
