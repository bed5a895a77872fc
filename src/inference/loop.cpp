// The loop:
//   batch       = the next rows
//   local       = model.local_step(batch, temperature, perturbation)
//   rho         = step_size(statistics)
//   model.global_step(statistics, rho, perturbation)
//   temperature.update(local)
// Everything that can fail happens in the local half, so a step is whole or not at all.

#include <algorithm>
#include <cmath>

#include "inference/state.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double monitor_seconds = 0.2;
/// Rows that the mean number of tokens is taken from; more would make the start of a fit depend on the corpus' size.
constexpr int64_t sampled_rows = 100000;
/// A fall of the objective by less than this (relative) is rounding of the sums, which are of Real.
constexpr double objective_noise = 1e-6;

/// Mean tokens of a row, by weight, from all rows or from evenly spaced ones.
double tokens_per_row(const ConjugateModel& model, const Data& data) {
  const int64_t count = std::min(data.rows(), sampled_rows);
  double tokens = 0;
  double weight = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row =
        static_cast<int64_t>(static_cast<double>(i) * static_cast<double>(data.rows()) / static_cast<double>(count));
    tokens += data.weight(row) * model.row_tokens(data, row);
    weight += data.weight(row);
  }
  return weight > 0 ? tokens / weight : 0;
}

double total_weight(const Data& data) {
  double total = 0;
  for (int64_t row = 0; row < data.rows(); ++row) total += data.weight(row);
  return total;
}

}  // namespace

Optimizer::State::State(std::shared_ptr<ConjugateModel> model_, std::shared_ptr<const Data> data_, Method method_)
    : model(std::move(model_)), data(std::move(data_)), method(std::move(method_)) {
  const OptionValues& options = method.options;
  seed = static_cast<uint64_t>(options.integer("seed"));
  threads = usable_threads(options.integer("threads"));
  report_every = options.integer("report_every");
  elbo_every = options.integer("elbo_every");
  tolerance = method.tolerance;
  deadline = options.real("deadline");
  if (!model->initialized()) {
    if (!data) {
      throw Error(VTEMPER_ERROR_STATE,
                  "the model is not initialised and the optimizer has no data to do it with; "
                  "call vtemper_model_initialize first");
    }
    model->initialize(*data, seed);
  }
  if (data) model->check(*data);
  model->check_method(method.demands());

  corpus.rows = method.rows_total;
  corpus.data = data.get();
  corpus.seed = seed;
  if (data && data->weights && options.is_auto("rows_total")) corpus.rows = total_weight(*data);
  if (data && data->rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the data has no rows, so there is nothing to fit");
  if (data) clock.steps_per_pass = static_cast<double>(data->rows()) / static_cast<double>(method.batch_size);
  clock.steps_total = method.steps_total;
  clock.full_steps = method.full_steps;

  work = model->local_work(data.get(), std::max<int64_t>(method.batch_size, 1));
  if (data && method.batch_size < data->rows()) rows.resize(static_cast<size_t>(method.batch_size));
  measurement.resize(static_cast<size_t>(method.temperature->measurement_length()));
  if (elbo_every > 0 || method.full_steps) {
    elbo_work = model->local_work(data.get(), std::max<int64_t>(method.batch_size, 1));
  }
  report.struct_size = sizeof report;
  report.elbo = report.objective = report.expected_log_likelihood = report.temperature = report.inverse_temperature =
      report.step_size = report.change = nan;
}

void Optimizer::State::prepare(const Data& seen) {
  if (prepared) return;
  if (method.needs_tokens()) {
    corpus.tokens = corpus.rows * tokens_per_row(*model, seen);
    if (!(corpus.tokens > 0)) {
      throw Error(VTEMPER_ERROR_DATA,
                  "the data has no tokens, so there is nothing to choose a temperature or the size of a draw by");
    }
  }
  method.temperature->prepare(*model, corpus);
  method.step_size->prepare(*model);
  prepared = true;
}

Perturbation Optimizer::State::perturbation() const {
  Perturbation next = method.perturbation->next(clock);
  next.seed = seed;
  next.iteration = static_cast<uint64_t>(clock.iteration);
  next.rows = corpus.rows;
  next.tokens = corpus.tokens;
  return next;
}

Batch Optimizer::State::next_batch() {
  if (rows.empty()) return {data.get(), nullptr, 0, data->rows()};
  const uint64_t total = static_cast<uint64_t>(data->rows());
  const uint64_t first = static_cast<uint64_t>(clock.iteration) * rows.size();
  constexpr int64_t block = 64;
  const int64_t count = static_cast<int64_t>(rows.size());
  parallel_for(threads, (count + block - 1) / block, [&](int64_t i, int) {
    for (int64_t place = i * block; place < std::min(count, (i + 1) * block); ++place) {
      const uint64_t position = first + static_cast<uint64_t>(place);
      rows[static_cast<size_t>(place)] =
          static_cast<int64_t>(permuted(position % total, total, seed, Purpose::minibatch, position / total));
    }
  });
  return {data.get(), rows.data(), 0, static_cast<int64_t>(rows.size())};
}

bool Optimizer::State::elbo_due() const {
  if (elbo_every > 0) return (clock.iteration + 1) % elbo_every == 0;
  return method.full_steps;
}

bool Optimizer::State::report_due() const {
  return (clock.iteration + 1) % report_every == 0 || clock.iteration == 0;
}

void Optimizer::State::local_half(const Batch& batch, int on_threads) {
  prepare(data ? *data : *batch.data);
  method.temperature->refresh(*model, clock);
  const LocalTemperature temperature = method.temperature->local(clock);
  LocalSettings settings;
  settings.threads = on_threads;
  settings.perturbation = perturbation();
  const bool perturbed = settings.perturbation.share > 0;
  settings.bound = elbo_due() || report_due() || method.temperature->needs_likelihood();
  settings.remember = method.full_steps && batch.data == data.get();
  settings.bound = settings.bound || settings.remember;
  sums = model->local_step(batch, temperature, settings, *work);
  cold_bound = nan;
  if (elbo_due()) {
    cold_bound = sums.bound;
    if (temperature.inverse != 1 || temperature.per_row || (perturbed && settings.perturbation.local)) {
      LocalSettings score = settings;
      score.perturbation = {};
      score.statistics = false;
      score.likelihood = false;
      score.remember = false;
      cold_bound = model->local_step(batch, LocalTemperature{}, score, *elbo_work).bound;
    }
  }
  if (!measurement.empty()) method.temperature->measure(*model, batch, clock, on_threads, measurement.data());
  if (!std::isfinite(sums.expected_log_likelihood) || !std::isfinite(sums.bound)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                sentence("step ", clock.iteration, " left the finite numbers; precision double may help"));
  }
}

void Optimizer::State::global_half(double seconds_before, const MessageSink& messages) {
  const Uninterrupted whole;
  const auto start = std::chrono::steady_clock::now();
  const bool score = elbo_due();
  const bool bound = score || report_due() || method.temperature->needs_likelihood() || method.full_steps;
  const double scale = sums.rows > 0 ? corpus.rows / sums.rows : 0;
  const double inverse = sums.rows > 0 ? sums.inverse_temperature / sums.rows : 1;
  const LocalTemperature temperature = method.temperature->local(clock);
  GlobalStep step;
  step.scale = scale;
  step.iteration = clock.iteration;
  step.inverse_temperature = inverse;
  step.prior = temperature.prior;
  step.perturbation = perturbation();

  if (!data && report.rows_seen == 0 && sums.count > 0) {
    // Rows are fed: the first step, summed over machines, tells how many steps a pass takes.
    clock.steps_per_pass = method.rows_total / sums.count;
    const double steps = std::ceil(method.fed_passes * clock.steps_per_pass);
    if (steps > 0 && (clock.steps_total == 0 || steps < static_cast<double>(clock.steps_total))) {
      clock.steps_total = static_cast<int64_t>(std::min(steps, 9e18));
    }
  }
  report.elbo = report.objective = nan;
  if (score) {
    const double cold_global_bound = model->global_bound(PriorPower{});
    const double global_bound =
        temperature.prior.inverse == 1 ? cold_global_bound : model->global_bound(temperature.prior);
    report.elbo = scale * cold_bound + cold_global_bound;
    report.objective = scale * sums.bound + global_bound + method.temperature->objective_term(clock);
    report.duplicate_components = model->duplicate_components(*work);
  }
  step.rho = method.step_size->next(*model, *work, step, clock.iteration);
  const GlobalChange change = model->global_step(*work, step);
  // Steps that leave the globals in place are averaged.
  const double learning_rate = step.rho > 0 ? step.rho : 1 / static_cast<double>(clock.iteration + 1);
  method.temperature->update(sums, measurement.data(), learning_rate, clock);
  ++clock.iteration;

  // Empty rows are counted from the first step that begins in a pass.
  const int64_t pass = static_cast<int64_t>(report.passes);
  if (pass != pass_of_last_step) report.empty_rows = 0;
  pass_of_last_step = pass;
  report.empty_rows += static_cast<int64_t>(sums.empty_rows);
  report.iteration = clock.iteration;
  report.rows_seen += static_cast<int64_t>(sums.count);
  report.passes = static_cast<double>(report.rows_seen) / method.rows_total;
  report.expected_log_likelihood = bound ? scale * sums.expected_log_likelihood : nan;
  report.inverse_temperature = inverse;
  report.temperature = 1 / inverse;
  report.step_size = step.rho;
  report.perturbation = step.perturbation.share;
  report.change = change.relative;
  report.unused_components = change.unused_components;
  if (score && method.full_steps) {
    const double gain = report.objective - last_objective;
    const double size = std::abs(last_objective);
    if (inverse == last_inverse_temperature && gain < -objective_noise * size) ++report.objective_falls;
    if (inverse == 1 && last_inverse_temperature == 1 && method.temperature->cold(clock) &&
        method.perturbation->over(clock) && std::abs(gain) < tolerance * size) {
      report.converged = 1;
    }
    // A perturbed step ascends nothing.
    last_objective = report.perturbation > 0 ? nan : report.objective;
    last_inverse_temperature = inverse;
  }
  report.seconds += seconds_before + seconds_since(start);
  report.finished = report.converged || (clock.steps_total > 0 && clock.iteration >= clock.steps_total) ||
                    (deadline > 0 && report.seconds >= deadline);
  if (clock.iteration == 1 || clock.iteration % report_every == 0 || report.finished) trace.offer(report);
  if (messages) {
    try {
      const std::string warning = method.temperature->warning(clock);
      if (!warning.empty()) messages(2, warning);
    } catch (const std::bad_alloc&) {
      // The step is done; a warning that there is no memory for does not undo it.
    }
  }
}

Optimizer::Optimizer(std::shared_ptr<ConjugateModel> model, std::shared_ptr<const Data> data,
                     const Options& options) {
  Method method = choose_method(options, data ? data->rows() : -1, model->method_defaults());
  state_ = std::make_unique<State>(std::move(model), std::move(data), std::move(method));
  add_starts(state_->method.options.integer("restarts"));
}

Optimizer::~Optimizer() = default;

double Optimizer::memory() const {
  const State& state = *state_;
  if (!state.data) return 0;
  const MemoryNeed need = state.model->memory(*state.data, state.method.batch_size, state.method.full_steps);
  if (!(need.parameters > 0)) return 0;
  const double of_start = need.parameters + need.work * (state.elbo_work ? 2 : 1);
  return static_cast<double>(starts()) * of_start + data_memory(*state.data);
}

const OptionValues& Optimizer::options() const {
  return state_->method.options;
}
const std::shared_ptr<ConjugateModel>& Optimizer::model() const {
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
  state_->model->check(batch);
  if (state_->method.full_steps && &batch != state_->data.get()) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "step_size full forgets all rows outside a step, so only the optimizer's own data can be fed to it");
  }
  if (batch.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows, so there is nothing to learn from");
  state_->local_half({&batch, nullptr, 0, batch.rows()});
  state_->global_half(seconds_since(start), messages);
}

int64_t Optimizer::statistics_length() const {
  return LocalSums::length + 1 + static_cast<int64_t>(state_->measurement.size()) +
         state_->model->statistics_length();
}

void Optimizer::local_step(const Data* batch, double* statistics) {
  require_one_start("local_step");
  State& state = *state_;
  if (batch != nullptr) {
    state.model->check(*batch);
    if (batch->rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows");
    state.local_half({batch, nullptr, 0, batch->rows()});
  } else {
    if (!state.data) throw Error(VTEMPER_ERROR_STATE, "the optimizer has no data of its own; hand in a batch");
    state.local_half(state.next_batch());
  }
  state.sums.write(statistics);
  double* out = statistics + LocalSums::length;
  *out++ = state.cold_bound;
  out = std::copy(state.measurement.begin(), state.measurement.end(), out);
  state.model->write_statistics(*state.work, out);
}

void Optimizer::global_step(const double* statistics, const MessageSink& messages) {
  require_one_start("global_step");
  State& state = *state_;
  const int64_t length = statistics_length();
  for (int64_t i = 0; i < length; ++i) {
    constexpr double most_rows = 9e15;  // whole numbers in a double
    if (i < 4 && !(statistics[i] >= 0 && statistics[i] <= most_rows)) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", statistics[i],
                                               "; counts of rows and tokens lie in [0, ", most_rows, "]"));
    }
    // Only the cold bound may be missing.
    if (!std::isfinite(statistics[i]) && (i != LocalSums::length || state.elbo_due())) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", statistics[i]));
    }
  }
  if (!state.prepared) {
    throw Error(VTEMPER_ERROR_STATE, "global_step needs a local_step of this optimizer before its first call");
  }
  const auto start = std::chrono::steady_clock::now();
  state.sums = LocalSums::read(statistics);
  const double* in = statistics + LocalSums::length;
  state.cold_bound = *in++;
  std::copy_n(in, state.measurement.size(), state.measurement.begin());
  state.model->read_statistics(in + state.measurement.size(), *state.work);
  state.global_half(seconds_since(start), messages);
}

}  // namespace vtemper
