// Restarts: several starts of one run, stepped together; when all are finished the one with the best ELBO at T = 1
// replaces the model. A failed step leaves all starts unchanged, as with a single start.

#include <algorithm>
#include <cmath>
#include <limits>

#include "inference/presets.h"
#include "inference/state.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

bool is_better(double bound, double than) {
  constexpr double rounding = 1e-9;
  return bound > than + rounding * std::abs(than) || (std::isnan(than) && !std::isnan(bound));
}

/// A start of the same run with another seed, and by `method` unless that is NULL. Its model is initialised anew
/// within `seconds` (0: no limit).
std::unique_ptr<Optimizer::State> Optimizer::another_start(uint64_t seed, double seconds, const char* method) const {
  std::shared_ptr<Model> model = state_->model->copy();
  Options options;
  for (const auto& [name, text] : state_->run.options.all()) {
    if (method == nullptr || is_of_any_method(name)) options.set(name, text);
  }
  options.set("seed", number_text(static_cast<int64_t>(seed)));
  if (method != nullptr) options.set("method", method);
  State::initialize(*model, *state_->data, seed, seconds);
  return State::create(std::move(model), state_->data, options);
}

/// The first start continues from the current model; the others are initialised anew with different seeds.
void Optimizer::add_starts(int64_t count) {
  if (count == 1) return;
  const State& first = *state_;
  for (int64_t i = 1; i < count; ++i) {
    // The time spent on earlier starts counts against the deadline.
    constexpr double nothing_left = 1e-9;
    const double left = std::max(nothing_left, first.deadline - seconds_since(last_mark_));
    const char* const method = first.run.alternates && i % 2 == 1 ? "vi" : nullptr;
    other_starts_.push_back(
        another_start(first.seed + static_cast<uint64_t>(i), first.deadline > 0 ? left : 0, method));
  }
  start_bounds_.assign(static_cast<size_t>(count), std::numeric_limits<double>::quiet_NaN());
}

/// The start with the best ELBO among those with a known one.
const Optimizer::State& Optimizer::leader() const {
  const State* best = state_.get();
  for (const auto& other : other_starts_) {
    if (is_better(other->report.elbo, best->report.elbo)) best = other.get();
  }
  return *best;
}

bool Optimizer::finished() const {
  // With several starts the best one has not been chosen yet.
  return other_starts_.empty() && state_->report.finished;
}

void Optimizer::step(const MessageSink& messages) {
  begin_start();
  plan_step();
  if (state_->group != nullptr) {
    step_together(messages);
  } else if (other_starts_.empty()) {
    step_one(messages);
    judge_start();
  } else {
    step_starts(messages);
    end_step_by_plan();
    gather_starts();
  }
}

/// One step of the current start, unless it has ended and could not be compared for lack of memory.
void Optimizer::step_one(const MessageSink& messages) {
  State& one = start(0);
  if (unjudged_) return;
  const auto begin = std::chrono::steady_clock::now();
  one.local_half(one.next_batch(one.threads));
  one.prepare_global_half();
  one.global_half(seconds_since(begin), &one == state_.get() ? messages : MessageSink());
  if (&one != state_.get()) state_->report.seconds += seconds_since(begin);
  end_step_by_plan();
  unjudged_ = takes_starts_ && one.report.finished;
}

/// One step of every start that is not done.
void Optimizer::step_starts(const MessageSink& messages) {
  const auto begin = std::chrono::steady_clock::now();
  // Many starts run in parallel, one thread each; few run in turn on all threads.
  const int threads = state_->threads;
  const bool side_by_side = starts() >= static_cast<size_t>(threads);
  const int64_t rows = std::min(state_->run.batch_size, state_->data->rows());
  const double operations = static_cast<double>(starts()) * state_->operations(*state_->data, rows);
  parallel_for(side_by_side ? threads_worth(operations, threads) : 1, static_cast<int64_t>(starts()),
               [&](int64_t i, int) {
                 State& one = start(static_cast<size_t>(i));
                 if (one.done) return;
                 if (side_by_side) {
                   one.local_half(one.next_batch(1), 1);
                 } else {
                   one.local_half(one.next_batch(one.threads));
                 }
                 one.prepare_global_half();
               });
  for (size_t i = 0; i < starts(); ++i) {
    State& one = start(i);
    if (!one.done) one.global_half(seconds_since(begin), messages);
  }
}

/// Chooses the best start once all are done.
void Optimizer::gather_starts() {
  bool all_done = true;
  for (size_t i = 0; i < starts(); ++i) {
    State& one = start(i);
    one.done = one.done || one.report.finished;
    one.report.finished = 0;  // the run is not finished before the best start is chosen
    one.report.ending = VTEMPER_ENDING_NONE;
    all_done = all_done && one.done;
  }
  if (all_done) choose_start();
}

/// Scores every start at T = 1, on all rows or as many as time allows, and keeps the best; its parameters are copied
/// to the caller's model.
void Optimizer::choose_start() {
  int64_t rows = state_->data->rows();
  if (plan_) {
    const double affordable = std::ceil(plan_->closing_steps() * static_cast<double>(state_->run.batch_size));
    if (affordable < static_cast<double>(rows)) rows = std::max<int64_t>(static_cast<int64_t>(affordable), 1);
  }
  size_t best = 0;
  for (size_t i = 0; i < starts(); ++i) {
    // If a call fails after this point, the caller's model may already hold the parameters of the best start.
    if (std::isnan(start_bounds_[i])) start_bounds_[i] = start(i).cold_elbo(rows);
    if (is_better(start_bounds_[i], start_bounds_[best])) best = i;
  }
  if (best > 0) keep(other_starts_[best - 1]);
  other_starts_.clear();
  state_->report.finished = 1;
  state_->report.ending = state_->ending();
}

/// Replaces the state by the chosen start and copies its parameters to the caller's model.
void Optimizer::keep(std::unique_ptr<State>& chosen) {
  ContainerWriter writer("vtemper.model");
  chosen->model->save(writer);
  const std::string bytes = writer.bytes();
  options_before_.reserve(options_before_.size() + 1);
  state_->model->load(
      ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), "vtemper.model"));
  chosen->follow(state_->model);
  options_before_.push_back(std::move(state_->run.options));
  chosen->changes_seen = state_->model->changes();
  chosen->report.seconds = std::max(chosen->report.seconds, state_->report.seconds);
  state_ = std::move(chosen);
}

void Optimizer::require_one_start(const char* function) const {
  if (starts() == 1) return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message(function, " is for one start, but option restarts asks for ", static_cast<int64_t>(starts()),
                      "; only step and run allow several"));
}

}  // namespace vtemper
