#include "inference/conjugate_state.h"

#include <algorithm>
#include <cmath>

#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr const char* fit_format = "vtemper.fit";
/// Rows sampled for the mean number of tokens; with more, the start-up time would depend on the size of the corpus.
constexpr int64_t sampled_rows = 100000;

/// Weighted mean number of tokens per row, from all rows or evenly spaced ones.
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

/// The error for quantities that a machine would derive from its own rows without knowing the others.
const char* choice_by_own_rows(const ConjugateMethod& method) {
  return method.temperature->falls() && !method.required_features().perturbation
             ? "option temperature_start is auto, so this machine chooses it from its own rows, but the step is "
               "summed over other machines as well: set it, or slice the parts from a corpus that all machines map"
             : "the method needs the number of tokens of the whole corpus, but this machine knows only its own rows, "
               "and the step is summed over other machines as well: slice the parts from a corpus that all machines "
               "map";
}

}  // namespace

ConjugateState::ConjugateState(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_,
                               ConjugateMethod method_, const CommonStart& common)
    : State(std::move(model_), std::move(data_), method_, common),
      method(std::move(method_)),
      conjugate(model->conjugate()),
      moves(method.moves, seed),
      last_step(clock.steps_total) {
  measurement.resize(static_cast<size_t>(method.temperature->measurement_length()));
  const RequiredFeatures required = method.required_features();
  conjugate->require(required);
  fit = conjugate->begin_fit(data.get(), largest_batch());
  choose_exchange(fit->table_statistics() != nullptr);
  divided = conjugate->divided_table();
  // Data of which this machine knows a part only have no sample.
  const bool knows_corpus = group != nullptr || own_part.rows == 0 || own_part.corpus;
  const std::shared_ptr<const Data> known = common.rows ? common.rows : own_part.corpus ? own_part.corpus : data;
  if (method.moves_of_sample && knows_corpus && conjugate->sampled_moves()->sample_rows(*known) > 0) {
    move_rounds.begin(known, seed);
  }
  if (takes_elbo(method)) cold_solver = conjugate->row_solver(data.get(), largest_batch());
  if (required.natural_gradient && fit->natural_gradient() == nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("step_size adaptive needs the natural gradient of the globals, which ", model->kind().name,
                        " does not offer; step_size robbins_monro does not need it"));
  }
}

/// The remembered rows are transferred; the statistics of a step are not.
void ConjugateState::follow(const std::shared_ptr<Model>& other) {
  ContainerWriter writer(fit_format);
  fit->save(writer);
  const std::string bytes = writer.bytes();
  ConjugateModel& next = *other->conjugate();
  std::unique_ptr<ConjugateFit> next_fit = next.begin_fit(data.get(), largest_batch());
  next_fit->load(ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), fit_format));
  if (cold_solver) cold_solver = next.row_solver(data.get(), largest_batch());
  method.temperature->follow(next);
  if (prepared) method.step_size->follow(*next_fit);
  fit = std::move(next_fit);
  conjugate = &next;
  divided = next.divided_table();
  model = other;
}

void ConjugateState::prepare(const Data& seen) {
  if (prepared) return;
  if (method.needs_tokens()) {
    if (!own_part.corpus && (own_part.rows > 0 || !data)) own_choice = choice_by_own_rows(method);
    if (own_part.rows > 0 || others_have_rows) refuse_own_choice();
    corpus.tokens = corpus.rows * tokens_per_row(*conjugate, seen);
    if (!(corpus.tokens > 0)) {
      throw Error(VTEMPER_ERROR_DATA,
                  "the data have no tokens, from which a temperature or the size of a draw could be chosen");
    }
  }
  if (learns_row_temperatures()) row_temperatures.keep(data->rows());
  begin(clock.iteration > 0);
  prepared = true;
}

void ConjugateState::undo_start() {
  conjugate->undo_start();
  method.temperature->undo_prepare();
  method.step_size->undo_prepare();
  corpus.tokens = 0;
  own_choice = "";
  prepared = false;
}

void ConjugateState::begin(bool resumed) {
  const RequiredFeatures required = method.required_features();
  corpus.may_grow =
      method.temperature->falls() && !run.full_steps && !required.natural_gradient && !required.perturbation;
  method.temperature->prepare(*conjugate, corpus);
  FitStart start;
  Clock first = clock;
  first.iteration = 0;
  first.last_inverse = 0;
  first.planned.reset();
  if (run.options.real("time") > 0) {
    first.planned = PlannedShares{};
    first.planned->end = static_cast<int64_t>(run.cooling_steps);
    first.steps_total = 0;
  }
  start.temperature = 1 / method.temperature->local(first.of_cooling()).inverse;
  start.may_grow = corpus.may_grow;
  start.resumed = resumed;
  start.may_be_undone = !data && !prepared;
  start.rows = corpus.rows;
  start.tokens = corpus.tokens;
  start.seed = seed;
  conjugate->start_fit(start);
  method.step_size->prepare(*fit);
}

void ConjugateState::make_plan() {
  plan.iteration = clock.iteration;
  plan.score = elbo_every > 0 ? (clock.iteration + 1) % elbo_every == 0 : run.full_steps;
  // Full steps remember their rows, which requires the bound.
  plan.bound = plan.score || report_due() || method.temperature->needs_likelihood() || run.full_steps;
  plan.temperature = method.temperature->local(clock.of_cooling());
  plan.perturbation = method.perturbation->next(clock.of_cooling());
  plan.perturbation.seed = seed;
  plan.perturbation.iteration = static_cast<uint64_t>(clock.iteration);
  plan.perturbation.rows = corpus.rows;
  plan.perturbation.tokens = corpus.tokens;
}

void ConjugateState::local_half(const Batch& batch, int on_threads) {
  begin_local_half(own_part.corpus ? *own_part.corpus : data ? *data : *batch.data);
  solve_rows(batch, on_threads);
}

void ConjugateState::begin_local_half(const Data& seen) {
  prepare(seen);
  moves.prepare(*conjugate, data.get(), largest_batch());
  in_trial = moves.under_way();
  if (in_trial) return;
  method.temperature->refresh(*conjugate, clock.of_cooling());
  make_plan();
}

/// The rows of a chunk may be computed by another rank in the next step.
bool ConjugateState::remembers(const Batch& batch) const {
  return run.full_steps && batch.data == data.get() && !chunks;
}

void ConjugateState::solve_rows(const Batch& batch, int on_threads) {
  if (in_trial) {
    local_half_of_trial(batch, on_threads);
    return;
  }
  LocalSettings settings;
  settings.threads = on_threads;
  settings.perturbation = plan.perturbation;
  settings.bound = plan.bound;
  settings.remember = remembers(batch);
  row_temperatures.none_of_step();
  if (row_temperatures.kept() && batch.data == data.get()) {
    settings.row_inverse_temperatures = row_temperatures.of_step(batch);
  }
  sums = fit->local_step(batch, plan.temperature, settings);
  settings.row_inverse_temperatures = nullptr;
  cold_bound = no_number;
  if (plan.score) {
    cold_bound = sums.bound;
    const bool perturbed = plan.perturbation.share > 0 && plan.perturbation.local;
    if (plan.temperature.inverse != 1 || plan.temperature.per_row || perturbed) {
      LocalSettings score = settings;
      score.perturbation = {};
      score.statistics = false;
      score.likelihood = false;
      score.remember = false;
      cold_bound = cold_solver->local_step(batch, LocalTemperature{}, score).bound;
    }
  }
  if (!measurement.empty()) method.temperature->measure(batch, clock.of_cooling(), on_threads, measurement.data());
  require_usable_sums();
}

void ConjugateState::require_usable_sums() const {
  double numbers[LocalSums::length];
  sums.write(numbers);
  const auto all = [&](const auto& is_right) {
    return std::all_of(std::begin(numbers), std::end(numbers), is_right) &&
           std::all_of(measurement.begin(), measurement.end(), is_right) && (is_right(cold_bound) || !plan.score);
  };
  if (all([](double x) { return std::abs(x) <= largest_sum; })) return;
  refuse_sums(all([](double x) { return std::isfinite(x); }));
}

/// Bounds with the priors of the planned step.
GlobalBounds ConjugateState::global_bounds() const {
  GlobalBounds of_globals;
  of_globals.cold = of_globals.tempered = conjugate->global_bound(PriorPower{});
  const PriorPower& prior = plan.temperature.prior;
  if (prior.inverse != 1) of_globals.tempered = conjugate->global_bound(prior);
  return of_globals;
}

void ConjugateState::prepare_move() {
  if (in_trial) {
    prepare_candidate();
    return;
  }
  require_usable_sums();
  const double scale = sums.rows > 0 ? corpus.rows / sums.rows : 0;
  const double inverse = sums.rows > 0 ? sums.inverse_temperature / sums.rows : 1;
  next_step.scale = scale;
  next_step.iteration = clock.iteration;
  next_step.inverse_temperature = inverse;
  next_step.prior = plan.temperature.prior;
  next_step.perturbation = plan.perturbation;
  next_step.rho = method.step_size->rate(clock.of_cooling());
  if (!(scale <= largest_sum && scale * std::abs(sums.bound) <= largest_sum && inverse > 0 &&
        std::isfinite(inverse))) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                message("the rows of step ", clock.iteration, " represent too many rows: their sums times ", scale,
                        " exceed the range of usable numbers"));
  }
  if (plan.score) {
    if (divided == nullptr) {
      bounds = global_bounds();
      next_score.duplicate_components = fit->duplicate_components();
    }
    next_score.elbo = scale * cold_bound + bounds.cold;
    next_score.objective =
        scale * sums.bound + bounds.tempered + method.temperature->objective_term(clock.of_cooling());
    if (std::isinf(next_score.elbo) || std::isinf(next_score.objective)) {
      throw Error(VTEMPER_ERROR_NUMERIC,
                  message("the bound of step ", clock.iteration, " is infinite: the weights of ",
                          "the rows are too small or too large"));
    }
  }
  fit->prepare_step(next_step);
}

void ConjugateState::find_moves() {
  if (!move_rounds.wanted()) return;
  const bool cold = next_step.inverse_temperature == 1 && clock.in_last_cooling();
  move_rounds.prepare(*conjugate->sampled_moves(), cold, report.inverse_temperature < 1, clock.iteration, threads);
}

void ConjugateState::move() noexcept {
  if (in_trial) {
    move_candidate();
    return;
  }
  GlobalStep& step = next_step;
  report.elbo = report.objective = no_number;
  if (plan.score) {
    report.elbo = next_score.elbo;
    report.objective = next_score.objective;
    report.duplicate_components = next_score.duplicate_components.value_or(0);
  }
  step.rho = method.step_size->next(step, clock.of_cooling());
  GlobalChange change = fit->global_step(step);
  row_temperatures.take();
  if (divided != nullptr) change.relative = settle_globals();
  if (move_rounds.wanted()) move_rounds.make(*conjugate->sampled_moves(), clock.iteration);
  // Steps that leave the globals unchanged are averaged.
  const double learning_rate = step.rho > 0 ? step.rho : 1 / static_cast<double>(clock.iteration + 1);
  method.temperature->update(sums, measurement.data(), learning_rate, clock.of_cooling());

  report.expected_log_likelihood = plan.bound ? step.scale * sums.expected_log_likelihood : no_number;
  report.inverse_temperature = step.inverse_temperature;
  report.temperature = 1 / step.inverse_temperature;
  report.step_size = step.rho;
  report.perturbation = step.perturbation.share;
  report.change = std::min(change.relative, largest_change);
  report.unused_components = change.unused_components;
}

bool ConjugateState::gains_by_reheating() const {
  if (!prepared || run.cooling_steps == 0) return false;
  return clock.planned->cooling + 1 < run.default_coolings ||
         conjugate->start_temperatures(corpus.rows, corpus.tokens).reheats;
}

/// With several coolings the schedule and the step size are reported for one of them.
void ConjugateState::report_used(OptionValues& used) const {
  const Clock cooling = clock.of_cooling();
  method.temperature->report_used(used, cooling);
  method.perturbation->report_used(used, cooling);
  method.step_size->report_used(used, cooling);
  if (!method.temperature->falls()) return;
  used.use("temperature_coolings", number_text(clock.planned ? clock.planned->cooling + 1 : clock.coolings));
}

double ConjugateState::cold_elbo(int64_t count) {
  LocalSettings settings;
  settings.threads = threads;
  settings.statistics = false;
  settings.bound = true;
  double bound = 0;
  double weight = 0;
  for (int64_t from = 0; from < count; from += run.batch_size) {
    const LocalSums scored = fit->local_step(spread_batch(from, count), LocalTemperature{}, settings);
    bound += scored.bound;
    weight += scored.rows;
  }
  if (count < data->rows() && weight > 0) bound *= data_weight(*data) / weight;
  return bound + conjugate->global_bound(PriorPower{});
}

}  // namespace vtemper
