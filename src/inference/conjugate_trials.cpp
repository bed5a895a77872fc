// The end of a run, and the trials of moves out of an optimum that begin there (moves.h).

#include <algorithm>
#include <cmath>

#include "inference/conjugate_state.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Smaller relative decreases of the objective are rounding errors of the sums, which are in Real.
constexpr double objective_noise = 1e-6;
/// Steps for convergence after the trials of a run without a fixed length.
constexpr int64_t steps_after_trials = 60;

}  // namespace

/// If the trial's bound is not finite, the trial has failed and the run continues.
void ConjugateState::local_half_of_trial(const Batch& batch, int on_threads) {
  LocalSettings settings;
  settings.threads = on_threads;
  settings.bound = true;
  settings.remember = remembers(batch);
  sums = moves.candidate_fit().local_step(batch, LocalTemperature{}, settings);
  cold_bound = sums.bound;
}

/// If a candidate's step cannot be taken, the candidate has failed and the run continues.
void ConjugateState::prepare_candidate() {
  next_step = GlobalStep{};
  next_step.scale = sums.rows > 0 ? corpus.rows / sums.rows : 0;
  next_step.iteration = clock.iteration;
  candidate_fails = unusable_sums;
  try {
    if (!candidate_fails) moves.candidate_fit().prepare_step(next_step);
  } catch (const Error& error) {
    if (error.status() != VTEMPER_ERROR_NUMERIC) throw;
    candidate_fails = true;
  }
  trial_bound =
      candidate_fails ? no_number : next_step.scale * cold_bound + moves.candidate().global_bound(PriorPower{});
}

/// The report remains that of the model unless the candidate is kept.
void ConjugateState::move_candidate() noexcept {
  if (!candidate_fails) moves.candidate_fit().global_step(next_step);
  if (!moves.step(trial_bound)) return;
  moves.keep(*conjugate, *fit);
  report.elbo = report.objective = moves.bound();
  last_objective = no_number;
  last_step = clock.iteration + 1 + steps_after_trials;
}

bool ConjugateState::has_converged() {
  // Trials begin when the model has converged, or when the run would end.
  if (in_trial) {
    in_trial = false;
    if (moves.failed() && !settled) last_step = clock.iteration + steps_after_trials;
    return moves.failed() && settled;
  }
  if (!run.full_steps || std::isnan(report.objective)) return false;
  const double inverse = report.inverse_temperature;
  const double gain = report.objective - last_objective;
  const double size = std::abs(last_objective);
  if (inverse == last_inverse_temperature && gain < -objective_noise * size) ++report.objective_falls;
  const bool cold = inverse == 1 && last_inverse_temperature == 1 && method.temperature->cold(clock.of_cooling()) &&
                    method.perturbation->over(clock.of_cooling());
  const bool converged = cold && std::abs(gain) < run.tolerance * size;
  // A perturbed step is not an ascent step.
  last_objective = report.perturbation > 0 ? no_number : report.objective;
  last_inverse_temperature = inverse;
  const bool ends = converged || (cold && method.open_end && clock.iteration >= last_step);
  if (ends && moves.may_begin() && std::isfinite(report.elbo)) {
    settled = converged;
    if (std::isnan(bound_before_moves)) bound_before_moves = report.elbo;
    if (is_better(bound_before_moves, moves_above)) {
      moves.begin(report.elbo);
      return false;
    }
  }
  return converged;
}

bool ConjugateState::out_of_steps() const {
  if (!method.moves || !method.open_end) return State::out_of_steps();
  return !moves.under_way() && last_step > 0 && clock.iteration >= last_step;
}

void ConjugateState::forget_moves() {
  plan = {};
  moves.forget();
  move_rounds.forget();
  in_trial = settled = false;
  bound_before_moves = no_number;
  last_step = clock.steps_total;
}

std::string ConjugateState::note() {
  if (move_rounds.made() > 0) {
    const int64_t made = move_rounds.made();
    return message("moves out of the optimum: ", made, made == 1 ? " topic" : " topics",
                   " took half of another, most after a merger with a third");
  }
  if (moves.tried() == 0 || run.options.integer("restarts") > 1) return {};
  const std::string tried =
      message("moves out of the optimum: ", moves.tried(), " tried in ", moves.steps(), " steps, ");
  if (moves.kept_count() == 0) return tried + "none kept";
  return message(tried, moves.kept_count(), " kept, which raised the bound by ", moves.gained());
}

}  // namespace vtemper
