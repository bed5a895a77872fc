#include "inference/conjugate_state.h"

#include <algorithm>
#include <cmath>

#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* fit_format = "vtemper.fit";
/// Rows sampled for the mean number of tokens; with more, the start-up time would depend on the size of the corpus.
constexpr int64_t sampled_rows = 100000;
/// Smaller relative decreases of the objective are rounding errors of the sums, which are in Real.
constexpr double objective_noise = 1e-6;
/// Steps for convergence after the trials of a run without a fixed length.
constexpr int64_t steps_after_trials = 60;

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
const char* choice_by_own_rows(const Method& method) {
  return method.temperature->falls() && !method.required_features().perturbation
             ? "option temperature_start is auto, so this machine chooses it by its own rows, but the step is summed "
               "over others as well: give it, or slice the parts from a corpus that all machines map"
             : "the method needs the number of tokens of the whole corpus, but this machine knows its own rows alone "
               "and the step is summed over others as well: slice the parts from a corpus that all machines map";
}

}  // namespace

ConjugateState::ConjugateState(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, Method method_,
                               const CommonStart& common)
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
  if (takes_elbo(method)) cold_solver = conjugate->row_solver(data.get(), largest_batch());
  if (required.natural_gradient && fit->natural_gradient() == nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("step_size adaptive needs the natural gradient of the globals, which ", model->kind().name,
                         " does not offer; step_size robbins_monro does not"));
  }
}

/// The remembered rows are transferred; the statistics of a step are not.
void ConjugateState::follow(const std::shared_ptr<Model>& other) {
  ContainerWriter writer(fit_format);
  fit->save(writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  ConjugateModel& next = *other->conjugate();
  std::unique_ptr<ConjugateFit> next_fit = next.begin_fit(data.get(), largest_batch());
  next_fit->load(ContainerReader::open_buffer(bytes.data(), writer.size(), fit_format));
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
    if (own_part.rows > 0) refuse_own_choice();
    corpus.tokens = corpus.rows * tokens_per_row(*conjugate, seen);
    if (!(corpus.tokens > 0)) {
      throw Error(VTEMPER_ERROR_DATA,
                  "the data has no tokens, so there is nothing to choose a temperature or the size of a draw by");
    }
  }
  begin(clock.iteration > 0);
  prepared = true;
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

void ConjugateState::solve_rows(const Batch& batch, int on_threads) {
  if (in_trial) {
    local_half_of_trial(batch, on_threads);
    return;
  }
  LocalSettings settings;
  settings.threads = on_threads;
  settings.perturbation = plan.perturbation;
  settings.bound = plan.bound;
  // Rows of chunks are not the same rank's for good.
  settings.remember = run.full_steps && batch.data == data.get() && !chunks;
  sums = fit->local_step(batch, plan.temperature, settings);
  cold_bound = nan;
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
  const auto usable = [](double x) { return std::abs(x) <= largest_sum; };
  if (!std::all_of(std::begin(numbers), std::end(numbers), usable) ||
      !std::all_of(measurement.begin(), measurement.end(), usable) || !(usable(cold_bound) || !plan.score)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                sentence("step ", clock.iteration, " left the finite numbers; precision double may help"));
  }
}

/// If the trial's bound is not finite, the trial has failed and the run continues.
void ConjugateState::local_half_of_trial(const Batch& batch, int on_threads) {
  LocalSettings settings;
  settings.threads = on_threads;
  settings.bound = true;
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
  trial_bound = candidate_fails ? nan : next_step.scale * cold_bound + moves.candidate().global_bound(PriorPower{});
}

/// The report remains that of the model unless the candidate is kept.
void ConjugateState::move_candidate() noexcept {
  if (!candidate_fails) moves.candidate_fit().global_step(next_step);
  if (!moves.step(trial_bound)) return;
  moves.keep(*conjugate);
  report.elbo = report.objective = moves.bound();
  last_objective = nan;
  last_step = clock.iteration + 1 + steps_after_trials;
}

/// Of the priors of the step that is planned.
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
                sentence("the rows of step ", clock.iteration, " stand for too many: their sums times ", scale,
                         " leave the numbers that can be used"));
  }
  if (plan.score) {
    if (divided == nullptr) {
      bounds = global_bounds();
      next_score.duplicate_components = fit->duplicate_components();
    }
    next_score.elbo = scale * cold_bound + bounds.cold;
    next_score.objective =
        scale * sums.bound + bounds.tempered + method.temperature->objective_term(clock.of_cooling());
  }
  fit->prepare_step(next_step);
}

void ConjugateState::move() noexcept {
  if (in_trial) {
    move_candidate();
    return;
  }
  GlobalStep& step = next_step;
  report.elbo = report.objective = nan;
  if (plan.score) {
    report.elbo = next_score.elbo;
    report.objective = next_score.objective;
    report.duplicate_components = next_score.duplicate_components.value_or(0);
  }
  step.rho = method.step_size->next(step, clock.of_cooling());
  GlobalChange change = fit->global_step(step);
  if (divided != nullptr) change.relative = settle_globals();
  // Steps that leave the globals unchanged are averaged.
  const double learning_rate = step.rho > 0 ? step.rho : 1 / static_cast<double>(clock.iteration + 1);
  method.temperature->update(sums, measurement.data(), learning_rate, clock.of_cooling());

  report.expected_log_likelihood = plan.bound ? step.scale * sums.expected_log_likelihood : nan;
  report.inverse_temperature = step.inverse_temperature;
  report.temperature = 1 / step.inverse_temperature;
  report.step_size = step.rho;
  report.perturbation = step.perturbation.share;
  report.change = change.relative;
  report.unused_components = change.unused_components;
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
  last_objective = report.perturbation > 0 ? nan : report.objective;
  last_inverse_temperature = inverse;
  const bool ends = converged || (cold && method.open_end && clock.iteration >= last_step);
  if (ends && moves.may_begin() && std::isfinite(report.elbo)) {
    settled = converged;
    moves.begin(report.elbo);
    return false;
  }
  return converged;
}

bool ConjugateState::out_of_steps() const {
  if (!method.moves || !method.open_end) return State::out_of_steps();
  return !moves.under_way() && last_step > 0 && clock.iteration >= last_step;
}

bool ConjugateState::gains_by_reheating() const {
  return prepared && run.cooling_steps > 0 && conjugate->start_temperatures(corpus.rows, corpus.tokens).reheats;
}

/// Of several coolings schedule and step size are those of one.
void ConjugateState::report_used(OptionValues& used) const {
  const Clock cooling = clock.of_cooling();
  method.temperature->report_used(used, cooling);
  method.perturbation->report_used(used, cooling);
  method.step_size->report_used(used, cooling);
  if (!method.temperature->falls()) return;
  used.use("temperature_coolings", number_text(clock.planned ? clock.planned->cooling + 1 : clock.coolings));
}

void ConjugateState::forget_moves() {
  plan = {};
  moves.forget();
  in_trial = settled = false;
  last_step = clock.steps_total;
}

std::string ConjugateState::note() {
  if (moves.tried() == 0 || run.options.integer("restarts") > 1) return {};
  return sentence("ways out of the optimum: ", moves.tried(), " tried in ", moves.steps(), " steps, ",
                  moves.kept_count(), " kept, which raised the bound by ", moves.gained());
}

int64_t ConjugateState::statistics_length() const {
  return sums_length() + fit->statistics_length();
}

void ConjugateState::write_sums(double* out) const {
  sums.write(out);
  out += LocalSums::length;
  *out++ = cold_bound;
  std::copy(measurement.begin(), measurement.end(), out);
}

void ConjugateState::read_sums(const double* in) {
  sums = LocalSums::read(in);
  in += LocalSums::length;
  cold_bound = *in++;
  std::copy_n(in, measurement.size(), measurement.begin());
}

void ConjugateState::write_statistics(double* out) const {
  write_sums(out);
  fit_of_step().write_statistics(out + sums_length());
}

void ConjugateState::read_statistics(const double* in) {
  if (plan.iteration != clock.iteration) make_plan();
  check_statistics(in, statistics_length());
  read_sums(in);
  fit_of_step().read_statistics(in + sums_length());
}

/// The step has been taken; a rank that is lost here is one that the next call of the group will miss as well.
double ConjugateState::settle_globals() noexcept {
  try {
    divided->settle();
    return divided->relative_change();
  } catch (const Error&) {
    return nan;
  }
}

/// Before a step whose globals are divided: their rows for its words.
void ConjugateState::prepare_together() {
  if (divided == nullptr) return;
  group->apart({"the words of step", clock.iteration}, [&] {
    prepare(*own_part.corpus);
    divided->find_rows(next_batch(threads), nullptr);
    return Group::Told{};
  });
  divided->settle();
  divided->borrow_rows();
}

int64_t ConjugateState::summed_apart_length() const {
  const TableStatistics* table = fit->table_statistics();
  if (table == nullptr) return statistics_length();
  return sums_length() + table->rest_length() + (divided != nullptr ? 2 : 0);
}

void ConjugateState::reserve_sums() {
  rank_sum.reserve(*group);
  sums_in_double.resize(static_cast<size_t>(summed_apart_length()));
  if (const TableStatistics* table = fit->table_statistics()) {
    if (divided != nullptr) {
      table_push.reserve(*group, table->table());
    } else {
      table_sum.reserve(table->table(), run.options.used("exchange") == "dense", chunks != nullptr);
    }
  }
  if (chunks) chunk_sums.shape(fields_of_chunks());
}

/// Every sum has a grid of its own, statistics one for every place in the last dimension of their arrays: components
/// are alike, columns may be of any size.
std::vector<GridSum::Field> ConjugateState::fields_of_chunks() const {
  std::vector<GridSum::Field> fields(static_cast<size_t>(LocalSums::length) + 1, {1, 1});
  const auto measured = static_cast<int64_t>(measurement.size());
  fields.push_back({measured, measured});
  if (const TableStatistics* table = fit->table_statistics()) {
    fields.push_back({table->rest_length(), table->rest_length()});
    return fields;
  }
  for (const Quantity& quantity : fit->statistics()) {
    fields.push_back({quantity.size(), quantity.shape.empty() ? 1 : quantity.shape.back()});
  }
  return fields;
}

void ConjugateState::begin_chunks() {
  begin_local_half(*own_part.corpus);
  chunk_sums.clear();
  chunk_sums.begin(chunks->count());
  if (fit->table_statistics() != nullptr) table_sum.begin_chunks(chunks->count());
}

void ConjugateState::add_chunk(const Batch& chunk) {
  solve_rows(chunk, threads_worth(operations(*chunk.data, chunk.count), threads));
  write_sums(sums_in_double.data());
  if (const TableStatistics* table = fit_of_step().table_statistics()) {
    table->write_rest(sums_in_double.data() + sums_length());
    table_sum.add_chunk(*table);
  } else {
    fit_of_step().write_statistics(sums_in_double.data() + sums_length());
  }
  chunk_sums.add(0, sums_in_double.data(), chunk_sums.length());
}

void ConjugateState::take_sums() {
  if (chunks) {
    std::copy_n(chunk_sums.totals(), chunk_sums.length(), sums_in_double.data());
    return;
  }
  const TableStatistics* table = fit_of_step().table_statistics();
  if (table == nullptr) {
    write_statistics(sums_in_double.data());
    return;
  }
  write_sums(sums_in_double.data());
  table->write_rest(sums_in_double.data() + sums_length());
  if (divided == nullptr) return;
  bounds = plan.score ? global_bounds() : GlobalBounds{};
  double* const last = sums_in_double.data() + sums_in_double.size();
  last[-2] = bounds.cold;
  last[-1] = bounds.tempered;
}

void ConjugateState::sum_over_ranks() {
  rank_sum.sum(*group, sums_in_double.data(), static_cast<int64_t>(sums_in_double.size()));
  const TableStatistics* table = fit_of_step().table_statistics();
  if (divided != nullptr) {
    table_push.sum(*divided, *table);
    if (plan.score) next_score.duplicate_components = divided->duplicate_components();
  } else if (table != nullptr) {
    table_sum.sum(*group, rank_sum, *table);
  }
}

/// A candidate whose sums are no numbers has failed, and the run goes on.
void ConjugateState::give_sums() {
  const double* in = sums_in_double.data();
  try {
    check_statistics(in, static_cast<int64_t>(sums_in_double.size()));
    if (TableStatistics* table = fit_of_step().table_statistics()) {
      table->read_rest(in + sums_length());
      if (divided != nullptr) {
        bounds = {sums_in_double.rbegin()[1], sums_in_double.rbegin()[0]};
        table_push.give(*table);
      } else {
        table_sum.give(*table);
      }
    } else {
      fit_of_step().read_statistics(in + sums_length());
    }
    unusable_sums = false;
  } catch (const Error& error) {
    if (!in_trial || error.status() != VTEMPER_ERROR_DATA) throw;
    unusable_sums = true;
  }
  read_sums(in);
}

/// Error(DATA) for what cannot be a sum.
void ConjugateState::check_statistics(const double* in, int64_t length) const {
  for (int64_t i = 0; i < length; ++i) {
    constexpr double most_rows = 9e15;  // exact integers in double
    if (i < 4 && !(in[i] >= 0 && in[i] <= most_rows)) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", in[i],
                                               "; counts of rows and tokens lie in [0, ", most_rows, "]"));
    }
    // Only the cold bound may be NaN.
    if (!std::isfinite(in[i]) && (i != LocalSums::length || plan.score)) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", in[i]));
    }
  }
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

double ConjugateState::memory() const {
  return memory_of_start(*conjugate, *data, method);
}

double ConjugateState::memory_of_start(const ConjugateModel& model, const Data& data, const Method& method) {
  const std::optional<MemoryNeed> need =
      model.memory(data, std::min(method.batch_size, data.rows()), method.full_steps);
  if (!need) return 0;
  constexpr double copies_of_trials = 2;  // and the fit of the trial
  const double parameters = method.moves ? 1 + copies_of_trials : 1;
  return need->parameters * parameters + need->work * ((takes_elbo(method) ? 2 : 1) + (method.moves ? 1 : 0));
}

bool ConjugateState::takes_elbo(const Method& method) {
  return method.options.integer("elbo_every") > 0 || method.full_steps;
}

std::vector<Quantity> ConjugateState::quantities() const {
  std::vector<Quantity> list = method.temperature->quantities();
  if (method.moves) {
    list.push_back({"moves.tried", {}, false, "Trials of a way out of the optimum."});
    list.push_back({"moves.kept", {}, false, "Those that were kept."});
    list.push_back({"moves.gained", {}, false, "What they raised the bound at T = 1 by."});
    list.push_back({"moves.steps", {}, false, "Steps of the trials."});
  }
  for (Quantity& quantity : method.step_size->quantities()) list.push_back(std::move(quantity));
  return list;
}

void ConjugateState::read_quantity(std::string_view name, const Sink& sink) const {
  const std::string_view part = name.substr(0, name.find('.'));
  if (part == "moves") {
    sink(0) = name == "moves.tried"    ? static_cast<double>(moves.tried())
              : name == "moves.kept"   ? static_cast<double>(moves.kept_count())
              : name == "moves.gained" ? moves.gained()
                                       : static_cast<double>(moves.steps());
  } else if (part == "step_size") {
    method.step_size->read_quantity(name, sink);
  } else {
    method.temperature->read_quantity(name, sink);
  }
}

void ConjugateState::save_parts(ContainerWriter& writer) const {
  if (group == nullptr) fit->save(writer);
  writer.keep("optimizer.temperature", method.temperature->state());
  writer.keep("optimizer.step_size", method.step_size->state());
  if (!method.moves) return;
  moves.save(writer);
  writer.keep("optimizer.ends", std::vector<int64_t>{settled ? 1 : 0, last_step});
}

void ConjugateState::restore_parts(const ContainerReader& reader) {
  plan = {};
  if (has_rows(reader)) fit->load(reader);
  if (!method.temperature->restore(reader.doubles("optimizer.temperature"))) {
    refuse_checkpoint(reader, "its temperature is damaged");
  }
  if (prepared) {
    if (method.needs_tokens() && !(corpus.tokens > 0 && std::isfinite(corpus.tokens))) {
      refuse_checkpoint(reader, "its number of tokens is damaged");
    }
    begin(true);
  }
  if (!method.step_size->restore(reader.doubles("optimizer.step_size"))) {
    refuse_checkpoint(reader, "its step size is damaged");
  }
  // Checkpoints from before moves existed have no trials in progress.
  if (!method.moves || !reader.has_tensor("optimizer.ends")) return;
  const std::vector<int64_t> ends = reader.integers("optimizer.ends");
  if (!moves.restore(reader, *conjugate) || ends.size() != 2 || ends[1] < 0) {
    refuse_checkpoint(reader, "its trials of moves are damaged");
  }
  settled = ends[0] != 0;
  last_step = ends[1];
}

}  // namespace vtemper
