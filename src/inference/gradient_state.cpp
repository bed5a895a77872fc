#include "inference/gradient_state.h"

#include <algorithm>
#include <cmath>

#include "models/dense_products.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t most_moved = 8192;  ///< parameters that are moved together, about

}  // namespace

GradientState::GradientState(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, GradientMethod method_)
    : State(std::move(model_), std::move(data_), method_), method(std::move(method_)) {
  GradientModel& fitted = by_gradient();
  fitted.check_method(method.demands());
  work = fitted.gradient_work(data.get(), std::max<int64_t>(run.batch_size, 1));
  const RealArray values = fitted.values();
  method.ascent->prepare(values.single, values.length);
  divide();
  if (data && fitted.row_length() > 0) {
    method.row_ascent->prepare(values.single, data->rows() * fitted.row_length());
    row_moves.assign(static_cast<size_t>(data->rows()), 0);
  }
  if (method.proximity) {
    const Statistic statistic = method.proximity->statistic();
    const int64_t of_batch = fitted.statistic_length(statistic);
    method.proximity->prepare(of_batch, fitted.row_statistic_length(statistic), data ? data->rows() : 0, posterior());
    statistics.resize(static_cast<size_t>(of_batch));
  }
}

void GradientState::divide() {
  // Whole rows, none of them across the middle of a matrix, where two threads meet.
  const auto cut = [&](const ParameterMatrix& matrix) {
    const int64_t most_rows = std::max<int64_t>(1, most_moved / std::max<int64_t>(1, matrix.columns));
    for (const Stretch half : {stretch_of(matrix.rows, 0, 2), stretch_of(matrix.rows, 1, 2)}) {
      const int64_t count = (half.count() + most_rows - 1) / most_rows;
      for (int64_t i = 0; i < count; ++i) {
        const Stretch part = stretch_of(half.count(), i, count);
        const int64_t row = half.first + part.first;
        pieces.push_back({matrix.first + row * matrix.columns, part.count() * matrix.columns, row, matrix.rows});
      }
    }
  };
  int64_t next = 0;
  for (const ParameterMatrix& matrix : by_gradient().matrices()) {
    cut({next, matrix.first - next, 1});  // what lies before it, such as biases
    cut(matrix);
    next = matrix.first + matrix.rows * matrix.columns;
  }
  cut({next, by_gradient().values().length - next, 1});
  moved.resize(pieces.size());
}

RealArray GradientState::posterior() const {
  if (by_gradient().row_length() > 0) return work->row_values();
  const RealArray values = by_gradient().values();
  const int64_t begin = by_gradient().posterior_begin();
  return values.part(begin, values.length - begin);
}

double GradientState::temperature() const {
  return method.temperature ? 1 / method.temperature->inverse(clock) : 1;
}

bool GradientState::is_fed(const Batch& rows_now) const {
  return by_gradient().row_length() > 0 && rows_now.data != data.get();
}

GradientSettings GradientState::settings(const Batch& rows_now, int on_threads) const {
  GradientSettings settings;
  settings.fed = is_fed(rows_now);
  settings.threads = on_threads;
  settings.seed = seed;
  settings.iteration = static_cast<uint64_t>(clock.iteration);
  settings.report = report_due();
  return settings;
}

/// The starts that follow from the objective of the first batch.
void GradientState::prepare(const Batch& first, int on_threads) {
  const bool of_temperature = method.temperature && method.temperature->needs_start();
  if (of_temperature || (method.proximity && method.proximity->needs_start())) {
    const GradientSums start = by_gradient().gradient(first, settings(first, on_threads), *work);
    const double mean = start.rows > 0 ? start.elbo / start.rows : 0;
    if (!std::isfinite(mean)) {
      throw Error(VTEMPER_ERROR_NUMERIC, "the objective of the first step is not finite");
    }
    if (of_temperature) method.temperature->start_at(std::max(1.0, std::abs(mean)));
    if (method.proximity && method.proximity->needs_start()) method.proximity->start_at(mean, start.rows);
  }
  prepared = true;
}

/// The constraint on rows with parameters of their own: takes its share off their gradients.
void GradientState::hold_rows(const Batch& rows_now, int on_threads) {
  const GradientModel& fitted = by_gradient();
  const Statistic statistic = method.proximity->statistic();
  const int64_t length = fitted.row_length();
  const int64_t count = fitted.row_statistic_length(statistic);
  const RealArray values = work->row_values();
  const RealArray gradient = work->row_gradient();
  row_statistics.resize(static_cast<size_t>(rows_now.count * count));
  row_forces.resize(static_cast<size_t>(rows_now.count));
  row_scratch.resize(std::max(row_scratch.size(), static_cast<size_t>(on_threads)));
  for (RowScratch& scratch : row_scratch) scratch.shape(values.single, length, count);
  method.proximity->begin_step(clock);
  const RowConstraint constraint = method.proximity->row_constraint(fitted, method.row_ascent->rate());
  parallel_for(on_threads, rows_now.count, [&](int64_t i, int thread) {
    RowScratch& scratch = row_scratch[static_cast<size_t>(thread)];
    double* statistics_now = row_statistics.data() + i * count;
    const int64_t row = rows_now.row(i);
    RowStart start = {values.part(row * length, length), gradient.part(i * length, length), nullptr};
    if (!(constraint.magnitude > 0)) {
      fitted.row_statistics(statistic, start.values, statistics_now, scratch.here.slopes.data());
      row_forces[static_cast<size_t>(i)] = 0;
      return;
    }
    start.reference = method.proximity->row_reference(fitted, row, scratch);
    RandomStream random(seed, Purpose::inner_step, static_cast<uint64_t>(clock.iteration), static_cast<uint64_t>(i));
    row_forces[static_cast<size_t>(i)] = constrain_row(constraint, start, random, statistics_now, scratch);
  });
  for (const double force : row_forces) sums.force += force;
}

void GradientState::local_half(const Batch& rows_now, int on_threads) {
  const bool fed = is_fed(rows_now);
  if (fed && method.proximity) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "the proximity constraint holds every row near its own past, which rows that are fed do not have: "
                "only the optimizer's own data can be fed to it");
  }
  step_threads = on_threads;
  if (!prepared) prepare(rows_now, on_threads);
  batch = {};
  GradientSettings now = settings(rows_now, on_threads);
  now.temperature = temperature();
  const bool holds_rows = method.proximity && by_gradient().row_length() > 0;
  if (method.proximity && !holds_rows) {
    now.statistic = method.proximity->statistic();
    method.proximity->begin_step(clock);
    if (method.proximity->magnitude(clock) > 0) {
      now.force = method.proximity.get();
      now.reference = method.proximity->reference();
    }
  }
  sums = by_gradient().gradient(rows_now, now, *work);
  if (holds_rows) hold_rows(rows_now, on_threads);
  for (size_t i = 0; i < statistics.size(); ++i) statistics[i] = sums.rows * work->statistics()[i];
  if (!std::isfinite(sums.objective) || !std::isfinite(sums.elbo)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                sentence("step ", clock.iteration, " left the finite numbers; a smaller learning_rate may help"));
  }
  if (!fed) batch = rows_now;
}

void GradientState::move_rows(double scale) {
  GradientModel& fitted = by_gradient();
  const int64_t length = fitted.row_length();
  if (length == 0 || row_moves.empty()) return;
  const RealArray values = work->row_values();
  const RealArray gradient = work->row_gradient();
  // A batch that reaches into the next pass may have a row twice: its moves are one thread's, one after the other.
  parallel_shares(step_threads, [&](int64_t thread, LoopEnd&) {
    for (int64_t i = 0; i < batch.count; ++i) {
      const int64_t row = batch.row(i);
      if (row % step_threads != thread) continue;
      const int64_t move = ++row_moves[static_cast<size_t>(row)];
      method.row_ascent->move(values, gradient.part(i * length, length), scale, row * length, move);
    }
  });
}

void GradientState::move() {
  GradientModel& fitted = by_gradient();
  const double per_row = sums.rows > 0 ? 1 / sums.rows : 0;
  const RealArray values = fitted.values();
  const RealArray gradient = work->gradient();
  const double k = method.proximity ? method.proximity->magnitude(clock) : 0;
  parallel_shares(step_threads, [&](int64_t thread, LoopEnd&) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (piece.owner(step_threads) != thread) continue;
      moved[i] = method.ascent->move(values, gradient.part(piece.first, piece.count), per_row, piece.first,
                                     clock.iteration + 1);
    }
  });
  kernels::Moved total = {0, 0};
  for (const kernels::Moved& part : moved) {
    total.moved += part.moved;
    total.size += part.size;
  }
  // Parameters of a row follow the row's own objective, whatever the size of the batch.
  move_rows(1);
  if (method.proximity) {
    for (double& statistic : statistics) statistic *= per_row;
    method.proximity->update(statistics, row_statistics.data(), batch, posterior(), step_threads);
  }

  const bool score = elbo_every == 0 || (clock.iteration + 1) % elbo_every == 0;
  const double scale = corpus.rows * per_row;
  report.elbo = score ? scale * sums.elbo : nan;
  report.objective = score ? scale * sums.objective : nan;
  report.expected_log_likelihood = report_due() ? scale * sums.expected_log_likelihood : nan;
  report.temperature = temperature();
  report.inverse_temperature = 1 / report.temperature;
  report.step_size = method.ascent->rate();
  report.proximity = k;
  report.change = total.size > 0 ? total.moved / total.size : 0;
  if (report_due()) {
    share = sums.pull + sums.force > 0 ? sums.force / (sums.pull + sums.force) : 0;
    report.unused_components =
        std::max<int64_t>(0, fitted.latent_units() - static_cast<int64_t>(std::llround(sums.active_units * per_row)));
  }
}

int64_t GradientState::statistics_length() const {
  return GradientSums::length + static_cast<int64_t>(statistics.size()) + by_gradient().values().length;
}

void GradientState::write_statistics(double* out) const {
  sums.write(out);
  out += GradientSums::length;
  out = std::copy(statistics.begin(), statistics.end(), out);
  const RealArray gradient = work->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) *out++ = gradient.at(i);
}

void GradientState::read_statistics(const double* in) {
  const int64_t length = statistics_length();
  for (int64_t i = 0; i < length; ++i) {
    constexpr double most_rows = 9e15;  // whole numbers in a double
    if (!std::isfinite(in[i]) || (i < 2 && !(in[i] >= 0 && in[i] <= most_rows))) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", in[i]));
    }
  }
  sums = GradientSums::read(in);
  in += GradientSums::length;
  std::copy_n(in, statistics.size(), statistics.begin());
  in += statistics.size();
  const RealArray gradient = work->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) gradient.set(i, *in++);
}

double GradientState::cold_elbo() {
  double elbo = 0;
  GradientSettings cold = settings({data.get(), nullptr, 0, 0}, threads);
  for (int64_t row = 0; row < data->rows(); row += run.batch_size) {
    const int64_t count = std::min(run.batch_size, data->rows() - row);
    data->require_whole();
    elbo += by_gradient().gradient({data.get(), nullptr, row, count}, cold, *work).elbo;
    ++cold.iteration;
  }
  return elbo;
}

double GradientState::memory() const {
  const double of_model = by_gradient().memory(*data, run.batch_size);
  if (!(of_model > 0)) return 0;
  const RealArray values = by_gradient().values();
  const double parameters = static_cast<double>(values.length) +
                            static_cast<double>(data->rows()) * static_cast<double>(by_gradient().row_length());
  return of_model + parameters * method.ascent->bytes_per_parameter(values.single);
}

std::vector<Quantity> GradientState::quantities() const {
  if (!method.proximity) return {};
  return {{"proximity.initial_magnitude",
           {},
           false,
           "Magnitude of the constraint in the first step; -1 before it, where it follows from the objective."},
          {"proximity.share",
           {},
           false,
           "Share of the constraint in the gradient at the last report: sum of the absolute values that it gives the "
           "posterior's layers, over the same of constraint and objective."}};
}

void GradientState::read_quantity(std::string_view name, const Sink& sink) const {
  sink(0) = name == "proximity.share" ? share : method.proximity->initial_magnitude();
}

void GradientState::save_parts(ContainerWriter& writer) const {
  work->save(writer);
  method.ascent->save("optimizer.ascent", writer);
  if (!row_moves.empty()) {
    method.row_ascent->save("optimizer.row_ascent", writer);
    writer.keep("optimizer.row_moves", row_moves);
  }
  if (method.proximity) method.proximity->save(writer);
  std::vector<double> numbers = {share, -1};
  if (method.temperature && prepared) numbers[1] = method.temperature->start();
  writer.keep("optimizer.gradient", std::move(numbers));
}

void GradientState::restore_parts(const ContainerReader& reader) {
  work->load(reader);
  method.ascent->load("optimizer.ascent", reader);
  if (!row_moves.empty()) {
    method.row_ascent->load("optimizer.row_ascent", reader);
    const std::vector<int64_t> moves = reader.integers("optimizer.row_moves");
    if (moves.size() != row_moves.size()) refuse_checkpoint(reader, "the moves of its rows are damaged");
    row_moves = moves;
  }
  if (method.proximity) method.proximity->load(reader);
  const std::vector<double> numbers = reader.doubles("optimizer.gradient");
  if (numbers.size() != 2) refuse_checkpoint(reader, "its temperature is damaged");
  share = numbers[0];
  if (method.temperature && numbers[1] >= 1) method.temperature->start_at(numbers[1]);
}

}  // namespace vtemper
