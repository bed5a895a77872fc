// Quantities and checkpoints of an optimizer: the model, the options, the clock, the report and the state of the
// parts. Random draws depend on (seed, iteration) only, so nothing else is needed to resume bit for bit.

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/row_numbers.h"
#include "data/spread.h"
#include "inference/state.h"
#include "models/conjugate_model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

const std::string option_prefix = "optimizer.option.";
const std::string start_prefix = "optimizer.start.";  ///< further starts, each a nested container
constexpr const char* start_format = "vtemper.start";
constexpr const char* load_call = "vtemper_optimizer_load";
/// Marks checkpoints of data that were spread over ranks.
constexpr const char* without_rows = "optimizer.without_rows";
constexpr const char* rows_hash = "optimizer.rows_hash";
constexpr const char* starts_in_turn = "optimizer.starts_in_turn";
constexpr const char* best_before_moves = "optimizer.best_before_moves";
constexpr const char* of_rehearsal = "optimizer.rehearsal";
constexpr const char* grids = "optimizer.grids";
constexpr const char* large_grids = "optimizer.large_grids";

/// The report's numbers in the order of the struct, without struct_size.
std::vector<double> report_reals(const vtemper_report& r) {
  return {r.passes,      r.elbo,
          r.objective,   r.expected_log_likelihood,
          r.temperature, r.inverse_temperature,
          r.step_size,   r.perturbation,
          r.proximity,   r.change,
          r.seconds};
}

std::vector<int64_t> report_integers(const vtemper_report& r) {
  return {r.iteration,
          r.converged,
          r.finished,
          r.objective_falls,
          r.empty_rows,
          r.unused_components,
          r.duplicate_components,
          r.ending,
          r.settled};
}

/// Whether the numbers are valid for a report; NaN for values not computed.
bool is_report(const std::vector<double>& reals, const std::vector<int64_t>& integers) {
  if (reals.size() != 11 || integers.size() != 9) return false;
  const auto counts = [](int64_t value) { return value >= 0 && value <= largest_count; };
  const auto number = [](double value) { return !std::isinf(value); };
  return std::all_of(integers.begin(), integers.end(), counts) && integers[1] <= 1 && integers[2] <= 1 &&
         std::all_of(reals.begin(), reals.end(), number) && reals[0] >= 0 && reals[10] >= 0;
}

void restore_report(const std::vector<double>& reals, const std::vector<int64_t>& integers, vtemper_report& r) {
  r.passes = reals[0];
  r.elbo = reals[1];
  r.objective = reals[2];
  r.expected_log_likelihood = reals[3];
  r.temperature = reals[4];
  r.inverse_temperature = reals[5];
  r.step_size = reals[6];
  r.perturbation = reals[7];
  r.proximity = reals[8];
  r.change = reals[9];
  r.seconds = reals[10];
  r.iteration = integers[0];
  r.converged = integers[1] != 0;
  r.finished = integers[2] != 0;
  r.objective_falls = integers[3];
  r.empty_rows = integers[4];
  r.unused_components = integers[5];
  r.duplicate_components = integers[6];
  r.ending = static_cast<int32_t>(std::min<int64_t>(integers[7], VTEMPER_ENDING_CANCELLED));
  r.settled = integers[8] != 0;
}

/// Checks that all numbers of the parts' tensors are finite; optional tensors are checked elsewhere.
void check_parts(const ContainerReader& reader) {
  for (const char* name : {"optimizer.temperature", "optimizer.step_size", "optimizer.gradient"}) {
    if (!reader.has_tensor(name)) continue;
    for (const double value : reader.doubles(name)) {
      if (!std::isfinite(value)) refuse_checkpoint(reader, message(name, " holds ", value));
    }
  }
}

/// Whether the rows of the data are those of the whole corpus, and may be compared with those of a checkpoint.
bool has_all_rows(const Data* data) {
  return data != nullptr && ranks_of(data) == nullptr && data->part.rows == 0;
}

/// What a checkpoint keeps of the rows; nothing if they cannot be read any more.
std::optional<int64_t> saved_hash_of_rows(const Data* data) {
  if (!has_all_rows(data)) return std::nullopt;
  try {
    return static_cast<int64_t>(hash_of_rows(*data));
  } catch (const Error&) {
    return std::nullopt;  // a damaged or truncated file is no reason to lose the checkpoint
  }
}

/// Of `times`, the optimizer's clock, only the number of rows is read.
void require_same_rows(const std::vector<int64_t>& times, const Data* data) {
  if (data == nullptr || times.size() <= 3 || times[3] < 0 || data->corpus_rows() == times[3]) return;
  throw Error(VTEMPER_ERROR_DATA, message("the checkpoint was written with ", counted(times[3], "row"),
                                          " of data; these are ", data->corpus_rows()));
}

}  // namespace

void refuse_checkpoint(const ContainerReader& reader, const std::string& why) {
  throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " is not a usable checkpoint: ", why));
}

std::vector<Quantity> Optimizer::quantities() const {
  std::vector<Quantity> list = {
      {"iteration", {}, true, "Steps done; setting it moves the clock of schedule and step size."},
      {"steps_total",
       {},
       false,
       "Steps after which the run ends, without trials of moves: as set, by default, or as now planned from option "
       "time; 0: no end is set, or it is not known yet."},
      {"seconds_left", {}, false, "Seconds left of option time; NaN where it is not set."},
      {"memory", {}, false, "Approximate bytes of memory for the fit: parameters, work space, data; 0: not known."}};
  list.push_back({"restarts.ended", {}, false, "Starts that have ended, where there are several; else 0."});
  if (!start_bounds_.empty()) {
    list.push_back({"restarts.elbo",
                    {static_cast<int64_t>(start_bounds_.size())},
                    false,
                    "ELBO of all rows at T = 1 of every start, in the order of their seeds; NaN before the end."});
  }
  const int64_t length = static_cast<int64_t>(state_->trace.size());
  for (const char* name : Trace::names())
    list.push_back({name,
                    {length},
                    false,
                    "A column of the trace: one value per report, or those of evenly spaced reports, where there are "
                    "more than 4,096, and of the last one."});
  for (Quantity& quantity : state_->quantities()) list.push_back(std::move(quantity));
  return list;
}

void Optimizer::read_quantity(std::string_view name, const Sink& sink) const {
  if (name == "iteration") {
    sink(0) = static_cast<double>(state_->clock.iteration);
    return;
  }
  if (name == "seconds_left") {
    sink(0) = plan_ ? std::max(plan_->seconds_left(), 0.0) : std::nan("");
    return;
  }
  if (name == "memory") {
    sink(0) = memory();
    return;
  }
  if (name == "restarts.ended") {
    sink(0) = static_cast<double>(
        std::count_if(start_bounds_.begin(), start_bounds_.end(), [](double bound) { return !std::isnan(bound); }));
    return;
  }
  if (name == "restarts.elbo") {
    for (size_t i = 0; i < start_bounds_.size(); ++i) sink(static_cast<int64_t>(i)) = start_bounds_[i];
    return;
  }
  if (name == "steps_total") {
    sink(0) = static_cast<double>(state_->clock.steps_total);
    return;
  }
  for (size_t column = 0; column < Trace::columns; ++column) {
    if (name != Trace::names()[column]) continue;
    for (size_t row = 0; row < state_->trace.size(); ++row)
      sink(static_cast<int64_t>(row)) = state_->trace.at(row, column);
    return;
  }
  state_->read_quantity(name, sink);
}

void Optimizer::write_quantity(std::string_view name, const double* in) {
  require_one_start("setting iteration");
  require_no_plan("setting iteration");
  constexpr double largest = static_cast<double>(largest_count);
  if (!(in[0] >= 0 && in[0] <= largest) || in[0] != std::floor(in[0])) {
    throw Error(VTEMPER_ERROR_DATA, message(name, " must be a whole number from 0 to 1e12, not ", in[0]));
  }
  leave_starts();
  state_->clock.iteration = static_cast<int64_t>(in[0]);
  state_->report.iteration = state_->clock.iteration;
  state_->report.finished = state_->report.converged = 0;
  state_->forget_moves();
  state_->report.ending = VTEMPER_ENDING_NONE;
}

/// Saves the model and the state of one start, without the options.
void Optimizer::State::save(ContainerWriter& writer, const Model& whole) const {
  save_model(whole, writer);
  writer.keep("optimizer.report_reals", report_reals(report));
  writer.keep("optimizer.report_integers", report_integers(report));
  writer.keep("optimizer.clock", std::vector<int64_t>{clock.iteration, report.rows_seen, prepared ? 1 : 0,
                                                      data ? data->corpus_rows() : -1, pass_of_last_step,
                                                      clock.steps_total, done ? 1 : 0});
  writer.keep("optimizer.corpus",
              std::vector<double>{corpus.tokens, last_objective, last_inverse_temperature, clock.steps_per_pass});
  writer.keep("optimizer.trace", trace.state());
  if (group != nullptr) writer.keep(without_rows, std::vector<int64_t>{1});
  if (chunks) {
    writer.keep(grids, chunk_sums.exponents());
    if (const GridSum* large = large_chunk_sums()) writer.keep(large_grids, large->exponents());
  }
  save_parts(writer);
}

/// With several ranks the posteriors of rows are not stored, because each rank has only its own: they begin anew.
bool Optimizer::State::has_rows(const ContainerReader& reader) const {
  return group == nullptr && !reader.has_tensor(without_rows);
}

void Optimizer::State::check_saved(const ContainerReader& reader) {
  const std::vector<int64_t> times = reader.integers("optimizer.clock");
  const std::vector<double> numbers = reader.doubles("optimizer.corpus");
  const auto counts = [](int64_t value, int64_t most) { return value >= 0 && value <= most; };
  constexpr int64_t max_rows = 9000000000000000;
  constexpr int64_t max_steps = 9000000000000000000;
  if (times.size() != 7 || !counts(times[0], largest_count) || !counts(times[1], max_rows) || !counts(times[2], 1) ||
      times[3] < -1 || !counts(times[4], largest_count) || !counts(times[5], max_steps) || !counts(times[6], 1) ||
      numbers.size() != 4 || !(numbers[0] >= 0 && numbers[0] <= largest_sum) || std::isinf(numbers[1]) ||
      !(std::isnan(numbers[2]) || (numbers[2] > 0 && numbers[2] <= largest_sum)) ||
      !(numbers[3] > 0 && std::isfinite(numbers[3]))) {
    refuse_checkpoint(reader, "its clock is damaged");
  }
  if (!is_report(reader.doubles("optimizer.report_reals"), reader.integers("optimizer.report_integers"))) {
    refuse_checkpoint(reader, "its report is damaged");
  }
  check_parts(reader);
}

/// Restores the same except for the model, which has already been loaded.
void Optimizer::State::restore(const ContainerReader& reader) {
  check_saved(reader);
  const std::vector<int64_t> times = reader.integers("optimizer.clock");
  const std::vector<double> numbers = reader.doubles("optimizer.corpus");
  require_same_rows(times, data.get());
  restore_report(reader.doubles("optimizer.report_reals"), reader.integers("optimizer.report_integers"), report);
  report.rows_seen = times[1];
  clock.iteration = times[0];
  corpus.tokens = numbers[0];
  last_objective = numbers[1];
  last_inverse_temperature = numbers[2];
  pass_of_last_step = times[4];
  clock.steps_total = times[5];
  clock.steps_per_pass = numbers[3];
  done = times[6] != 0;
  prepared = times[2] != 0;
  if (!trace.restore(reader.doubles("optimizer.trace"))) refuse_checkpoint(reader, "its trace is damaged");
  if (chunks) {
    GridSum* const large = large_chunk_sums();
    if (!chunk_sums.restore(reader.integers(grids)) ||
        (large != nullptr && !large->restore(reader.integers(large_grids)))) {
      refuse_checkpoint(reader, "the grids of its sums are damaged");
    }
  }
  restore_parts(reader);
}

/// Applies load's checks before saving: nothing is written that could not be read.
void Optimizer::check_saved_start(const ContainerWriter& writer, const Model& model) {
  check_saved_model(model, writer);
  const ContainerReader reader = writer.view("the optimizer");
  try {
    State::check_saved(reader);
  } catch (const Error& error) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                message("the checkpoint could not be loaded again, so it is not written: ", error.what()));
  }
}

void Optimizer::save(ContainerWriter& writer, const Model& whole) const {
  state_->save(writer, whole);
  check_saved_start(writer, whole);
  for (const auto& [name, text] : state_->run.options.all()) writer.text(option_prefix + name, text);
  writer.keep("optimizer.start_bounds", start_bounds_);
  const std::optional<int64_t> of_rows = saved_hash_of_rows(state_->data.get());
  if (of_rows) writer.keep(rows_hash, std::vector<int64_t>{*of_rows});
  if (takes_starts_) {
    writer.keep(starts_in_turn,
                std::vector<int64_t>{static_cast<int64_t>(first_seed_), alternates_ ? 1 : 0,
                                     static_cast<int64_t>(work_), unjudged_ && challenger_ == nullptr ? 1 : 0});
    writer.keep(best_before_moves, std::vector<double>(best_before_moves_.begin(), best_before_moves_.end()));
  }
  if (rehearses_ || rehearsed_steps_ > 0) {
    writer.keep(of_rehearsal, std::vector<int64_t>{rehearses_ ? 1 : 0, rehearsed_steps_});
  }
  if (plan_) writer.keep("optimizer.time_plan", plan_->state());
  for (size_t i = 1; i < starts(); ++i) {
    ContainerWriter one(start_format);
    start(i).save(one, *start(i).model);
    check_saved_start(one, *start(i).model);
    writer.keep(start_prefix + number_text(static_cast<int64_t>(i)), one.bytes());
  }
}

std::unique_ptr<Optimizer> Optimizer::load(const ContainerReader& reader, std::shared_ptr<const Data> data) {
  std::shared_ptr<Model> model;
  Options options;
  std::vector<int64_t> times;
  run_locally(data.get(), {load_call, 1}, [&] {
    for (const auto& [name, text] : reader.texts()) {
      if (name.compare(0, option_prefix.size(), option_prefix) != 0) continue;
      const std::string option = name.substr(option_prefix.size());
      const bool without_effect =
          option == "exchange" && (!data || !data->group);  // a run of several ranks is continued by a single process
      if (!without_effect) options.set(option, text);
    }
    const std::string* exchange = options.find("exchange");
    const bool divides = ranks_of(data.get()) != nullptr && exchange != nullptr && *exchange == "sharded";
    model = load_model(reader, [&](Model& fresh) {
      if (divides && fresh.conjugate() != nullptr) fresh.conjugate()->divide(data->group);
    });
    times = reader.integers("optimizer.clock");
  });
  const std::string* total = options.find("rows_total");
  if (!data && times.size() > 3 && times[3] >= 0 && (total == nullptr || *total == "auto")) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("data is NULL, but the checkpoint was written with ", counted(times[3], "row"), " of data"));
  }
  if (data && times.size() > 3 && times[3] < 0) {
    throw Error(
        VTEMPER_ERROR_ARGUMENT,
        "data is given, but the checkpoint was written by an optimizer whose rows were fed: load it with data "
        "NULL and feed it the rows that follow");
  }
  require_same_rows(times, data.get());  // before options are compared with other rows
  if (has_all_rows(data.get()) && reader.has_tensor(rows_hash) &&
      reader.integers(rows_hash) != std::vector<int64_t>{static_cast<int64_t>(hash_of_rows(*data))}) {
    throw Error(VTEMPER_ERROR_DATA,
                "the checkpoint was written with other rows of data, or with these in another order or with other "
                "weights");
  }
  std::unique_ptr<Optimizer> optimizer;
  try {
    optimizer = std::make_unique<Optimizer>(std::move(model), data, options);
  } catch (const Error& error) {
    if (error.status() != VTEMPER_ERROR_OPTION) throw;
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " is not a usable checkpoint: ", error.what()));
  }
  run_locally(data.get(), {load_call, 2}, [&] { optimizer->restore(reader); });
  return optimizer;
}

/// Restores the state of an optimizer that was created from the same model and options.
void Optimizer::restore(const ContainerReader& reader) {
  state_->restore(reader);
  const std::vector<double> bounds = reader.doubles("optimizer.start_bounds");
  const bool in_turn = start_bounds_.empty();  // their number is that of the starts that had ended
  if (bounds.size() != start_bounds_.size() && !in_turn) {
    refuse_checkpoint(reader, "its starts are damaged");
  }
  start_bounds_ = bounds;
  if (plan_ && !plan_->restore(reader.doubles("optimizer.time_plan"))) {
    refuse_checkpoint(reader, "its plan of the time is damaged");
  }
  if (reader.has_tensor(of_rehearsal)) {
    const std::vector<int64_t> saved = reader.integers(of_rehearsal);
    if (saved.size() != 2 || saved[0] < 0 || saved[0] > 1 || saved[1] < 0 || saved[1] > largest_count) {
      refuse_checkpoint(reader, "its rehearsal is damaged");
    }
    rehearses_ = saved[0] != 0 && state_->run.stops_early;
    rehearsed_steps_ = saved[1];
    if (rehearsed_steps_ > 0) end_after(rehearsed_steps_);
  }
  // A start that was in progress begins anew.
  takes_starts_ = in_turn && reader.has_tensor(starts_in_turn) && !state_->report.finished;
  if (takes_starts_) {
    const std::vector<int64_t> saved = reader.integers(starts_in_turn);
    if (saved.size() != 4 || saved[0] < 0 || saved[1] < 0 || saved[1] > 1 || saved[2] < 0 || saved[3] < 0 ||
        saved[3] > 1) {
      refuse_checkpoint(reader, "its starts are damaged");
    }
    first_seed_ = static_cast<uint64_t>(saved[0]);
    alternates_ = saved[1] != 0;
    work_ = static_cast<double>(saved[2]);
    unjudged_ = saved[3] != 0;
    if (reader.has_tensor(best_before_moves)) {
      const std::vector<double> best = reader.doubles(best_before_moves);
      if (best.size() != best_before_moves_.size()) refuse_checkpoint(reader, "its starts are damaged");
      std::copy(best.begin(), best.end(), best_before_moves_.begin());
    }
  }
  // Only the best start remains once it has been chosen.
  if (!reader.has_tensor(start_prefix + "1")) other_starts_.clear();
  for (size_t i = 1; i < starts(); ++i) {
    const Tensor& bytes = reader.tensor(start_prefix + number_text(static_cast<int64_t>(i)), Element::u8, 1);
    const ContainerReader one = ContainerReader::open_buffer(bytes.data, bytes.bytes(), start_format, reader.name());
    start(i).model->load(one);
    start(i).restore(one);
  }
}

}  // namespace vtemper
