// The loop:
//   batch       = the next rows
//   local       = model.local_step(batch, temperature, perturbation)
//   rho         = step_size(statistics)
//   model.global_step(statistics, rho, perturbation)
//   temperature.update(local)
// Everything that can fail happens in the local half, so a step is whole or not at all.

#include <algorithm>
#include <cmath>

#include "inference/conjugate_state.h"
#include "inference/gradient_state.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double monitor_seconds = 0.2;

}  // namespace

std::unique_ptr<Optimizer::State> Optimizer::State::create(std::shared_ptr<Model> model,
                                                           std::shared_ptr<const Data> data, const Options& options) {
  const int64_t rows = data ? data->rows() : -1;
  if (auto* conjugate = dynamic_cast<ConjugateModel*>(model.get())) {
    Method method = choose_method(options, rows, conjugate->method_defaults());
    return std::make_unique<ConjugateState>(std::move(model), std::move(data), std::move(method));
  }
  const auto& by_gradient = dynamic_cast<const GradientModel&>(*model);
  GradientMethod method = choose_gradient_method(options, rows, by_gradient);
  return std::make_unique<GradientState>(std::move(model), std::move(data), std::move(method));
}

Optimizer::State::State(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, const Run& run_)
    : model(std::move(model_)), data(std::move(data_)), run(run_) {
  const OptionValues& options = run.options;
  seed = static_cast<uint64_t>(options.integer("seed"));
  threads = usable_threads(options.integer("threads"));
  report_every = options.integer("report_every");
  elbo_every = options.integer("elbo_every");
  deadline = options.real("deadline");
  if (!model->initialized()) {
    if (!data) {
      throw Error(VTEMPER_ERROR_STATE,
                  "the model is not initialised and the optimizer has no data to do it with; "
                  "call vtemper_model_initialize first");
    }
    data->require_whole();
    model->initialize(*data, seed);
  }
  if (data) check_data(*model, *data);

  corpus.rows = run.rows_total;
  corpus.data = data.get();
  corpus.seed = seed;
  if (data && data->weights && options.is_auto("rows_total")) corpus.rows = data_weight(*data);
  if (data && data->rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the data has no rows, so there is nothing to fit");
  if (data) clock.steps_per_pass = static_cast<double>(data->rows()) / static_cast<double>(run.batch_size);
  clock.steps_total = run.steps_total;
  clock.full_steps = run.full_steps;
  if (data && run.batch_size < data->rows()) rows.resize(static_cast<size_t>(run.batch_size));
  report.struct_size = sizeof report;
  report.elbo = report.objective = report.expected_log_likelihood = report.temperature = report.inverse_temperature =
      report.step_size = report.change = nan;
}

double Optimizer::State::operations(const Data& from, int64_t count) const {
  const double all = static_cast<double>(std::max<int64_t>(1, from.rows()));
  return static_cast<double>(count) / all * static_cast<double>(from.entries()) * model->operations_per_entry();
}

void Optimizer::State::local_half(const Batch& batch) {
  local_half(batch, threads_worth(operations(*batch.data, batch.count), threads));
}

Batch Optimizer::State::next_batch(int at_most) {
  data->require_whole();
  if (rows.empty()) return {data.get(), nullptr, 0, data->rows()};
  const uint64_t total = static_cast<uint64_t>(data->rows());
  const uint64_t first = static_cast<uint64_t>(clock.iteration) * rows.size();
  constexpr int64_t block = 64;
  const int64_t count = static_cast<int64_t>(rows.size());
  const int worth = threads_worth(operations(*data, count), at_most);
  parallel_for(worth, (count + block - 1) / block, [&](int64_t i, int) {
    for (int64_t place = i * block; place < std::min(count, (i + 1) * block); ++place) {
      const uint64_t position = first + static_cast<uint64_t>(place);
      rows[static_cast<size_t>(place)] =
          static_cast<int64_t>(permuted(position % total, total, seed, Purpose::minibatch, position / total));
    }
  });
  return {data.get(), rows.data(), 0, static_cast<int64_t>(rows.size())};
}

bool Optimizer::State::report_due() const {
  return (clock.iteration + 1) % report_every == 0 || clock.iteration == 0;
}

void Optimizer::State::global_half(double seconds_before, const MessageSink& messages) {
  const Uninterrupted whole;
  const auto start = std::chrono::steady_clock::now();
  const Rows step = rows_of_step();
  if (!data && report.rows_seen == 0 && step.count > 0) {
    // Rows are fed: the first step, summed over machines, tells how many steps a pass takes.
    clock.steps_per_pass = run.rows_total / step.count;
    const double steps = std::ceil(run.fed_passes * clock.steps_per_pass);
    if (steps > 0 && (clock.steps_total == 0 || steps < static_cast<double>(clock.steps_total))) {
      clock.steps_total = static_cast<int64_t>(std::min(steps, 9e18));
    }
  }
  move();
  ++clock.iteration;

  // Empty rows are counted from the first step that begins in a pass.
  const int64_t pass = static_cast<int64_t>(report.passes);
  if (pass != pass_of_last_step) report.empty_rows = 0;
  pass_of_last_step = pass;
  report.empty_rows += static_cast<int64_t>(step.empty);
  report.iteration = clock.iteration;
  report.rows_seen += static_cast<int64_t>(step.count);
  report.passes = static_cast<double>(report.rows_seen) / run.rows_total;
  if (has_converged()) report.converged = 1;
  report.seconds += seconds_before + seconds_since(start);
  report.finished = report.converged || (clock.steps_total > 0 && clock.iteration >= clock.steps_total) ||
                    (deadline > 0 && report.seconds >= deadline);
  if (clock.iteration == 1 || clock.iteration % report_every == 0 || report.finished) trace.offer(report);
  if (messages) {
    try {
      const std::string text = warning();
      if (!text.empty()) messages(2, text);
    } catch (const std::bad_alloc&) {
      // The step is done; a warning that there is no memory for does not undo it.
    }
  }
}

Optimizer::Optimizer(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, const Options& options)
    : state_(State::create(std::move(model), std::move(data), options)) {
  add_starts(state_->run.options.integer("restarts"));
}

Optimizer::~Optimizer() = default;

double Optimizer::memory() const {
  const State& state = *state_;
  const double of_start = state.data ? state.memory() : 0;
  return of_start > 0 ? static_cast<double>(starts()) * of_start + data_memory(*state.data) : 0;
}

const OptionValues& Optimizer::options() const {
  return state_->run.options;
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
                "the optimizer has no data to step on; rows are handed in by vtemper_optimizer_feed");
  if (steps < 0 && state.clock.steps_total == 0 && !(state.deadline > 0)) {
    throw Error(VTEMPER_ERROR_STATE, "the run has no end: set max_passes, max_iterations or deadline");
  }
  auto last_call = std::chrono::steady_clock::now();
  for (int64_t done = 0; steps < 0 ? !finished() : done < steps; ++done) {
    step(messages);
    const State& ahead = leader();
    if (monitor && (ahead.clock.iteration % ahead.report_every == 0 || seconds_since(last_call) >= monitor_seconds)) {
      last_call = std::chrono::steady_clock::now();
      if (monitor(ahead.report)) return VTEMPER_CANCELLED;
    }
  }
  return VTEMPER_OK;
}

void Optimizer::feed(const Data& batch, const MessageSink& messages) {
  const auto start = std::chrono::steady_clock::now();
  require_one_start("feed");
  check_data(*state_->model, batch);
  if (state_->run.full_steps && &batch != state_->data.get()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "step_size full forgets all rows outside a step, so only the optimizer's own data can be fed to it");
  }
  if (batch.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows, so there is nothing to learn from");
  state_->local_half({&batch, nullptr, 0, batch.rows()});
  state_->global_half(seconds_since(start), messages);
}

int64_t Optimizer::statistics_length() const {
  return state_->statistics_length();
}

void Optimizer::local_step(const Data* batch, double* statistics) {
  require_one_start("local_step");
  State& state = *state_;
  if (batch != nullptr) {
    check_data(*state.model, *batch);
    if (batch->rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows");
    state.local_half({batch, nullptr, 0, batch->rows()});
  } else {
    if (!state.data) throw Error(VTEMPER_ERROR_STATE, "the optimizer has no data of its own; hand in a batch");
    state.local_half(state.next_batch(state.threads));
  }
  state.write_statistics(statistics);
}

void Optimizer::global_step(const double* statistics, const MessageSink& messages) {
  require_one_start("global_step");
  State& state = *state_;
  if (!state.prepared) {
    throw Error(VTEMPER_ERROR_STATE, "global_step needs a local_step of this optimizer before its first call");
  }
  const auto start = std::chrono::steady_clock::now();
  state.read_statistics(statistics);
  state.global_half(seconds_since(start), messages);
}

}  // namespace vtemper
