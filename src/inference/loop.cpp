// The loop:
//   batch   = the next rows
//   local   = fit.local_step(batch, temperature, perturbation)
//   fit.prepare_step(statistics, perturbation)
//   rho     = step_size(statistics)
//   fit.global_step(statistics, rho, perturbation)
//   temperature.update(local)
// Everything that can fail happens in the local half and in the preparation of the global one, so a step is done as a
// whole or not at all; a step that would take parameters out of their domain is not done. Globals in a file that
// cannot be written are lost (ConjugateModel::require_kept).

#include <algorithm>
#include <cmath>

#include "data/spread.h"
#include "inference/conjugate_state.h"
#include "inference/ending.h"
#include "inference/gradient_state.h"
#include "kernels/dispatch.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

std::unique_ptr<Optimizer::State> Optimizer::State::create(std::shared_ptr<Model> model,
                                                           std::shared_ptr<const Data> data, const Options& options,
                                                           const CommonStart& common) {
  const int64_t rows = data ? data->corpus_rows() : -1;
  if (const ConjugateModel* conjugate = model->conjugate()) {
    const double row_length = data ? data->known_row_length() : 0;
    ConjugateMethod method = choose_conjugate_method(options, rows, conjugate->method_defaults(row_length),
                                                     conjugate->move_proposals() != nullptr);
    return std::make_unique<ConjugateState>(std::move(model), std::move(data), std::move(method), common);
  }
  GradientMethod method = choose_gradient_method(options, rows, data ? data->columns() : 0, *model->by_gradient());
  return std::make_unique<GradientState>(std::move(model), std::move(data), std::move(method), common);
}

/// Enough reports for a curve of the run, whose length may not be known (0).
static int64_t usual_report_every(int64_t steps) {
  constexpr int64_t usual = 20, points = 100;
  return steps > 0 && steps < 4 * points ? std::max<int64_t>(1, steps / points) : usual;
}

Optimizer::State::State(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, const Run& run_,
                        const CommonStart& common)
    : model(std::move(model_)), data(std::move(data_)), run(run_) {
  const OptionValues& options = run.options;
  seed = static_cast<uint64_t>(options.integer("seed"));
  threads = usable_threads(options.integer("threads"));
  elbo_every = options.integer("elbo_every");
  deadline = options.real("deadline");
  if (data) own_part = data->part;
  group = options.boolean("reproducible") ? data->group.get() : ranks_of(data.get());
  if (group != nullptr) {
    own_part.corpus = common.rows;
    refuse_restarts();
  } else if (own_part.rows > 0) {
    check_part();
  }
  divide_model(common.memory);
  if (!model->initialized()) initialize_model();
  if (data) check_data(*model, *data);

  corpus.rows = run.rows_total;
  corpus.data = data.get();
  corpus.seed = seed;
  if (options.is_auto("rows_total")) {
    if (common.weighted) {
      corpus.rows = common.weight;
    } else if (data && data->weights) {
      corpus.rows = total_weight();
    }
  }
  require_usable_weight(corpus.rows);
  if (data) weights_seen = data->weights.values;
  if (data && data->corpus_rows() < 1)
    throw Error(VTEMPER_ERROR_DATA, "the data have no rows, so there is nothing to fit");
  const int64_t all_rows = data ? data->corpus_rows() : 0;
  if (data) clock.steps_per_pass = static_cast<double>(all_rows) / static_cast<double>(run.batch_size);
  clock.steps_total = run.steps_total;
  run.options.use_by_default("report_every", number_text(usual_report_every(run.steps_total)));
  report_every = run.options.integer("report_every");
  clock.full_steps = run.full_steps;
  clock.fed = data == nullptr;
  clock.coolings = run.coolings;
  if (data && run.batch_size < all_rows) rows.resize(static_cast<size_t>(run.batch_size));
  if (own_part.rows > 0) places.resize(rows.size());
  report.struct_size = sizeof report;
  report.ranks = group != nullptr ? group->ranks() : 1;
  report.elbo = report.objective = report.expected_log_likelihood = report.temperature = report.inverse_temperature =
      report.step_size = report.change = no_number;
}

/// Error(DATA) if the rows of a run weigh too little or too much to compute with.
void Optimizer::State::require_usable_weight(double weight) const {
  if (!(weight <= largest_sum)) {
    throw Error(VTEMPER_ERROR_DATA, message("the weights of the rows sum to ", weight,
                                            ", which is too large to compute with; scale them down"));
  }
  if (data && data->weights && weight == 0) {
    throw Error(VTEMPER_ERROR_DATA, "all rows have the weight 0, so there is nothing to fit");
  }
  if (weight > 0 && weight < smallest_rows) {
    throw Error(VTEMPER_ERROR_DATA, message("the weights of the rows sum to ", weight,
                                            ", which is too small to compute with; scale them up"));
  }
}

void Optimizer::State::refuse_sums(bool finite) const {
  if (finite) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                message("step ", clock.iteration, " gave sums of more than ", largest_sum,
                        ", which are too large to compute with; scale the data or the ", "weights of the rows down"));
  }
  const auto& of_model = model->options().all();
  const auto precision = of_model.find("precision");
  std::string advice = model->conjugate() == nullptr ? "a smaller learning_rate, or smaller data or weights,"
                                                     : "smaller data or weights";
  if (precision != of_model.end() && precision->second != "double") {
    advice += model->conjugate() == nullptr ? " or precision double," : ", or precision double,";
  }
  throw Error(VTEMPER_ERROR_NUMERIC,
              message("step ", clock.iteration, " gave numbers that are not finite; ", advice, " may help"));
}

OptionValues Optimizer::State::used_options() const {
  OptionValues used = run.options;
  used.use("threads", number_text(static_cast<int64_t>(threads)));
  used.use("batch_size", number_text(run.batch_size));
  used.use("rows_total", corpus.rows);
  used.use("max_iterations", number_text(clock.steps_total));
  used.use("max_passes", clock.planned ? static_cast<double>(clock.steps_total) / clock.steps_per_pass : run.passes);
  if (elbo_every == 0 && (run.full_steps || model->by_gradient() != nullptr)) used.use("elbo_every", "1");
  report_used(used);
  return used;
}

void Optimizer::State::initialize(Model& model, const Data& data, uint64_t seed, double seconds) {
  const TimeLimit limit(seconds);
  try {
    model.initialize(data, seed);
  } catch (const Error& error) {
    if (error.status() != VTEMPER_CANCELLED || !limit.reached()) throw;
    throw Error(VTEMPER_CANCELLED, message("the deadline was reached while the ", model.kind().name,
                                           " model was initialised, before the first step; a later deadline or ",
                                           "fewer parameters help"));
  }
}

double Optimizer::State::operations(const Data& from, int64_t count) const {
  const double all = static_cast<double>(std::max<int64_t>(1, from.rows()));
  return static_cast<double>(count) / all * static_cast<double>(from.entries()) * model->operations_per_entry();
}

void Optimizer::State::local_half(const Batch& batch) {
  local_half(batch, threads_worth(operations(*batch.data, batch.count), threads));
}

Batch Optimizer::State::batch_of(const Data& handed_in, int64_t first_place, int64_t all_rows) const {
  const int64_t first_number = &handed_in == data.get() ? handed_in.first_row : first_place;
  return {&handed_in, nullptr, 0, handed_in.rows(), nullptr, first_place, first_number, all_rows};
}

Batch Optimizer::State::next_batch(int at_most) {
  if (rows.empty()) {
    const int64_t all_rows = own_part.rows > 0 ? own_part.rows : data->rows();
    return {data.get(), nullptr, 0, data->rows(), nullptr, own_part.first, data->first_row, all_rows};
  }
  choose_rows(at_most);
  const int64_t count = static_cast<int64_t>(rows.size());
  if (own_part.rows == 0) return {data.get(), rows.data(), 0, count, nullptr, 0, data->first_row};
  // The rows of the part come first, in order.
  int64_t own = 0;
  for (int64_t place = 0; place < count; ++place) {
    const int64_t row = rows[static_cast<size_t>(place)] - own_part.first;
    if (row < 0 || row >= data->rows()) continue;
    rows[static_cast<size_t>(own)] = row;
    places[static_cast<size_t>(own)] = place;
    ++own;
  }
  return {data.get(), rows.data(), 0, own, places.data(), 0, data->first_row, count};
}

void Optimizer::State::choose_rows(int at_most) {
  const uint64_t total = static_cast<uint64_t>(own_part.rows > 0 ? own_part.rows : data->rows());
  const uint64_t first = static_cast<uint64_t>(clock.iteration) * rows.size();
  constexpr int64_t block = 64;
  const int64_t count = static_cast<int64_t>(rows.size());
  const int worth = threads_worth(operations(*data, std::min(count, data->rows())), at_most);
  parallel_for(worth, (count + block - 1) / block, [&](int64_t i, int) {
    const int64_t end = std::min(count, (i + 1) * block);
    for (int64_t place = i * block; place < end;) {
      // Up to the end of the pass: every pass has its own permutation.
      const uint64_t position = first + static_cast<uint64_t>(place), index = position % total;
      const auto some = static_cast<int64_t>(std::min(static_cast<uint64_t>(end - place), total - index));
      permute(index, some, total, seed, Purpose::minibatch, position / total, kernels::instruction_set().first_words,
              rows.data() + place);
      place += some;
    }
  });
}

Batch Optimizer::State::spread_batch(int64_t from, int64_t count) {
  const int64_t size = std::min(run.batch_size, count - from);
  if (count >= data->rows()) return {data.get(), nullptr, from, size};
  spread_rows.resize(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) {
    spread_rows[static_cast<size_t>(i)] = spread_row(from + i, data->rows(), count);
  }
  return {data.get(), spread_rows.data(), 0, size};
}

void Optimizer::State::end_by_time() {
  if (report.finished) return;
  clock.steps_total = clock.iteration;
  const bool offered = offered_to_trace();
  report.ending = ending();
  report.finished = 1;
  if (!offered) trace.offer(report);
}

/// The reason why the run has ended, if it has.
int32_t Optimizer::State::ending() const {
  if (report.converged) return VTEMPER_ENDING_CONVERGED;
  if (out_of_steps()) {
    const bool complete = run.complete_steps > 0 && static_cast<double>(clock.iteration) >= run.complete_steps;
    return clock.planned && !complete ? VTEMPER_ENDING_TIME : VTEMPER_ENDING_LENGTH;
  }
  return deadline > 0 && seconds_before_steps + report.seconds >= deadline ? VTEMPER_ENDING_DEADLINE
                                                                           : VTEMPER_ENDING_NONE;
}

/// True if the last step was a plain step at T = 1, and the run has converged if it tests for convergence.
bool Optimizer::State::settled() const {
  constexpr double rounding = 1e-12;  // temperatures of rows are averaged
  return report.inverse_temperature >= 1 - rounding && !(report.perturbation > 0) &&
         (report.converged || !run.full_steps);
}

bool Optimizer::State::report_due() const {
  return (clock.iteration + 1) % report_every == 0 || clock.iteration == 0;
}

/// The largest of the steps, summed over machines, determines the steps per pass, so that T never rises.
void Optimizer::State::plan_fed_steps(double count) {
  const double per_pass = run.rows_total / count;
  if (report.rows_seen > 0 && per_pass >= clock.steps_per_pass) return;
  // A first batch of all rows leaves the length of the run unknown (Clock::expected_steps). One that follows smaller
  // batches ends the expected pass.
  constexpr double shortest_pass = 1 + 1e-9;
  const bool has_length = report.rows_seen > 0 && clock.steps_per_pass > 1;
  clock.steps_per_pass = has_length ? std::max(per_pass, shortest_pass) : per_pass;
  const double steps = std::ceil(run.passes * per_pass);
  if (steps > 0 && (clock.steps_total == 0 || steps < static_cast<double>(clock.steps_total))) {
    clock.steps_total = static_cast<int64_t>(std::min(steps, 9e18));
  }
}

/// The end of a run to which rows are fed does not depend on the sizes of their batches.
bool Optimizer::State::out_of_steps() const {
  if (!clock.fed || run.passes == 0) return clock.steps_total > 0 && clock.iteration >= clock.steps_total;
  constexpr double rounding = 1e-12;
  return static_cast<double>(report.rows_seen) >= run.passes * run.rows_total * (1 - rounding) ||
         (run.steps_total > 0 && clock.iteration >= run.steps_total);
}

/// Whether the caller has given the rows other weights since the last step. Those of a part of a corpus are a matter
/// of all machines together.
bool Optimizer::State::has_new_weights() const {
  return data && group == nullptr && own_part.rows == 0 && data->weights.values != weights_seen;
}

/// The rows count by their new weights from the next step on, as they do in a new run. Changes nothing if it fails.
void Optimizer::State::take_weights() {
  const double weight = run.options.is_auto("rows_total") ? total_weight() : corpus.rows;
  require_usable_weight(weight);
  corpus.rows = weight;
  weights_seen = data->weights.values;
  last_objective = no_number;  // of another function
}

/// A run that had converged goes on if the caller has changed the parameters, or the weights of the rows.
void Optimizer::State::respect_changes() {
  const bool other_weights = has_new_weights();
  if (other_weights) take_weights();
  if (!report.converged || group != nullptr || (model->changes() == changes_seen && !other_weights)) return;
  report.converged = report.finished = report.settled = 0;
  report.ending = VTEMPER_ENDING_NONE;
  last_objective = no_number;
  forget_moves();
}

void Optimizer::State::prepare_global_half() {
  const StepRows step = rows_of_step();
  constexpr double max_rows = 9e18;
  if (!(static_cast<double>(report.rows_seen) + step.count <= max_rows)) {
    throw Error(VTEMPER_ERROR_NUMERIC, "the run has seen as many rows as can be counted");
  }
  const Clock before = clock;
  try {
    {
      const Uninterrupted whole;
      if (clock.fed && step.count > 0) plan_fed_steps(step.count);
      prepare_move();
    }
    find_moves();
  } catch (...) {
    clock = before;
    throw;
  }
}

void Optimizer::State::global_half(double seconds_before, const MessageSink& messages) {
  const Uninterrupted whole;
  const auto start = std::chrono::steady_clock::now();
  const StepRows step = rows_of_step();
  move();
  ++clock.iteration;

  // Empty rows are counted from the first step that begins in a pass.
  const int64_t pass = static_cast<int64_t>(std::min(report.passes, static_cast<double>(largest_count)));
  if (pass != pass_of_last_step) report.empty_rows = 0;
  pass_of_last_step = pass;
  report.empty_rows += static_cast<int64_t>(step.empty);
  report.iteration = clock.iteration;
  report.rows_seen += static_cast<int64_t>(step.count);
  const double rows_of_pass = data ? static_cast<double>(data->corpus_rows()) : run.rows_total;
  report.passes = static_cast<double>(report.rows_seen) / rows_of_pass;
  if (has_converged()) report.converged = 1;
  // With several ranks the time of rank 0 counts.
  report.seconds += group != nullptr ? seconds_before : seconds_before + seconds_since(start);
  report.ending = ending();
  report.finished = report.ending != VTEMPER_ENDING_NONE;
  report.settled = settled();
  changes_seen = model->changes();
  // The ranks of a group learn of the loss in their next step.
  const ConjugateModel* const conjugate = model->conjugate();
  if (conjugate != nullptr && group == nullptr) conjugate->require_kept();
  if (offered_to_trace()) trace.offer(report);
  if (messages) {
    try {
      const std::string text = warning();
      if (!text.empty()) messages(2, text);
      const std::string last = report.finished ? note() : "";
      if (!last.empty()) messages(1, last);
    } catch (const std::bad_alloc&) {
      // The step is done; lack of memory for a warning does not undo it.
    }
  }
}

Optimizer::Optimizer(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, const Options& options)
    : last_mark_(std::chrono::steady_clock::now()) {
  const bool draws_start = !model->initialized();
  state_ = make_state(std::move(model), std::move(data), options);
  add_starts(state_->run.options.integer("restarts"));
  const double seconds = seconds_of_rank_0(last_mark_);
  begin_plan(seconds);
  begin_starts_in_turn(draws_start);
  begin_rehearsal(draws_start);
  for (size_t i = 0; i < starts(); ++i) start(i).seconds_before_steps = seconds;
}

Optimizer::~Optimizer() = default;

namespace {

/// Bytes of several starts and the data they share; 0 if those of a start are unknown.
double memory_of_starts(double starts, double of_start, const Data& data) {
  return of_start > 0 ? starts * of_start + data_memory(data) : 0;
}

}  // namespace

double Optimizer::memory() const {
  const State& state = *state_;
  if (!state.data) return 0;  // fed rows are not known
  const int64_t others = takes_starts_ ? 1 : rehearses_ ? rehearsals_of(state.data->corpus_rows()) : 0;
  return memory_of_starts(static_cast<double>(static_cast<int64_t>(starts()) + others), state.memory(), *state.data);
}

double Optimizer::memory_needed(const Model& model, const Data& data, const Options& options) {
  const ConjugateModel* conjugate = model.conjugate();
  if (data.form() != model.kind().form) return 0;  // the fit will be refused
  if (model.initialized()) check_data(model, data);
  if (conjugate == nullptr) {
    const GradientModel& by_gradient = *model.by_gradient();
    const GradientMethod method = choose_gradient_method(options, data.corpus_rows(), data.columns(), by_gradient);
    const int64_t others = method.stops_early && !model.initialized() ? rehearsals_of(data.corpus_rows()) : 0;
    return memory_of_starts(static_cast<double>(method.options.integer("restarts") + others),
                            GradientState::memory_of_start(by_gradient, data, method), data);
  }
  const std::string* const exchange = options.find("exchange");
  std::unique_ptr<Model> share;
  if (ranks_of(&data) != nullptr && exchange != nullptr && *exchange == "sharded" && conjugate->may_divide() &&
      !model.initialized()) {
    share = conjugate->share_of(data.group);
    conjugate = share->conjugate();
  }
  const ConjugateMethod method =
      choose_conjugate_method(options, data.corpus_rows(), conjugate->method_defaults(data.known_row_length()),
                              conjugate->move_proposals() != nullptr);
  const double starts = method.starts_in_turn ? 2 : static_cast<double>(method.options.integer("restarts"));
  return memory_of_starts(starts, ConjugateState::memory_of_start(*conjugate, data, method), data);
}

const OptionValues& Optimizer::options() const {
  return state_->run.options;
}

/// With several starts, the options of the start that was kept; a run with its seed alone repeats it.
Options Optimizer::used_options() const {
  OptionValues used = state_->used_options();
  if (!start_bounds_.empty() && other_starts_.empty()) used.use("restarts", "1");
  if (rehearses_ && state_->clock.iteration == 0) {  // the length is not known yet
    used.use("max_iterations", "0");
    used.use("max_passes", "auto");
  } else if (state_->model->by_gradient() != nullptr) {
    used.use("early_stopping", "off");
  }
  return used.in_use();
}

const std::shared_ptr<Model>& Optimizer::model() const {
  return state_->model;
}
const vtemper_report& Optimizer::report() const {
  return leader().report;
}

vtemper_status Optimizer::run(int64_t steps, const ReportMonitor& monitor, const MessageSink& messages) {
  State& state = *state_;
  if (!state.data)
    throw Error(VTEMPER_ERROR_STATE,
                "the optimizer has no data to take steps with; rows are fed by vtemper_optimizer_feed");
  if (steps < 0 && state.clock.steps_total == 0 && !(state.deadline > 0) && !plan_) {
    throw Error(
        VTEMPER_ERROR_STATE,
        "the run has no end: max_passes is 0; leave it out, set it above 0, or set max_iterations or deadline");
  }
  if (state.group != nullptr) {
    state.group->run_locally({steps < 0 ? "vtemper_optimizer_run" : "vtemper_optimizer_step of", steps},
                             [] { return Group::Told{}; });
  } else {
    require_whole_corpus(steps < 0 ? "run" : "step");
  }
  respect_changes();
  const bool had_ended = finished();
  if (had_ended && steps < 0) return VTEMPER_OK;
  to_the_end_ = steps < 0;
  const vtemper_status status = run_on(steps, monitor, messages);
  if (status == VTEMPER_CANCELLED || (finished() && !had_ended)) tell_ending(messages);
  return status;
}

vtemper_status Optimizer::run_on(int64_t steps, const ReportMonitor& monitor, const MessageSink& messages) {
  last_mark_ = last_monitor_ = std::chrono::steady_clock::now();
  for (int64_t done = 0; steps < 0 ? !finished() : done < steps; ++done) {
    try {
      if (steps < 0) rehearse(messages);
      step(messages);
      if (!monitor_due(monitor)) continue;
      last_monitor_ = std::chrono::steady_clock::now();
      if (!ask_monitor(monitor)) continue;
      cancel();
      return VTEMPER_CANCELLED;
    } catch (const Error& error) {
      if (error.status() != VTEMPER_CANCELLED) throw;
      cancel();
      tell_ending(messages);
      throw;
    }
  }
  return VTEMPER_OK;
}

/// Several ranks call their monitors after the same steps, which rank 0 chooses.
bool Optimizer::monitor_due(const ReportMonitor& monitor) const {
  if (state_->group != nullptr) return monitor_due_;
  const State& ahead = challenger_ ? *challenger_ : leader();
  return monitor &&
         (ahead.clock.iteration % ahead.report_every == 0 || seconds_since(last_monitor_) >= monitor_seconds);
}

/// True if the monitor stops the run. With several ranks, those whose monitor did not stop it throw the error of the
/// rank whose monitor did.
bool Optimizer::ask_monitor(const ReportMonitor& monitor) {
  if (state_->group == nullptr) return monitor(leader().report);
  bool stops = false;
  const int64_t iteration = state_->clock.iteration;
  try {
    state_->group->run_locally({"the monitors after step", iteration}, [&] {
      stops = monitor && monitor(report());
      if (stops) throw Error(VTEMPER_CANCELLED, message("the monitor stopped the run after step ", iteration));
      return Group::Told{};
    });
  } catch (const Error&) {
    if (!stops) throw;
  }
  return stops;
}

void Optimizer::undo_start_on_error(const std::function<void()>& work) {
  const bool may_start = !state_->prepared && !state_->data;
  try {
    work();
  } catch (...) {
    if (may_start) state_->undo_start();
    throw;
  }
  if (may_start) state_->keep_start();
}

void Optimizer::feed(const Data& batch, const MessageSink& messages) {
  const auto start = std::chrono::steady_clock::now();
  require_one_start("feed");
  require_no_plan("feed");
  require_unspread("feed");
  require_whole_corpus("feed");
  check_data(*state_->model, batch);
  if (state_->run.full_steps && &batch != state_->data.get()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "step_size full forgets all rows outside a step, so only the optimizer's own data can be fed to it");
  }
  if (batch.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows, so there is nothing to learn from");
  undo_start_on_error([&] {
    state_->local_half(state_->batch_of(batch));
    state_->prepare_global_half();
  });
  state_->global_half(seconds_since(start), messages);
  leave_starts();
}

}  // namespace vtemper
