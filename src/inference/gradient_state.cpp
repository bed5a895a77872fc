#include "inference/gradient_state.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/dense_products.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t most_moved = 8192;  ///< approximate number of parameters updated together
constexpr const char* choice_by_own_rows =
    "options temperature_start and proximity_magnitude at auto are chosen by the first rows of this machine, but the "
    "step is summed over others as well: give them";

/// In the precision of the array: infinite on overflow.
double squared_norm(const RealArray& x) {
  const kernels::InstructionSet& set = kernels::instruction_set();
  return x.single ? static_cast<double>(set.single_precision.dot(x.floats(), x.floats(), x.length))
                  : set.double_precision.dot(x.doubles(), x.doubles(), x.length);
}

bool is_finite(const RealArray& x) {
  const auto finite = [](auto value) { return std::isfinite(value); };
  return x.single ? std::all_of(x.floats(), x.floats() + x.length, finite)
                  : std::all_of(x.doubles(), x.doubles() + x.length, finite);
}

}  // namespace

GradientState::GradientState(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, GradientMethod method_,
                             const CommonStart& common)
    : State(std::move(model_), std::move(data_), method_, common), method(std::move(method_)) {
  GradientModel& fitted = by_gradient();
  fitted.check_method(method.required_features());
  if (own_part.rows > 0 && method.proximity && fitted.row_posteriors() == nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("the data are a part of a corpus, and a proximity constraint on kind ", fitted.kind().name,
                         " holds a mean over all rows of a step, which no machine has before the sum; without it ",
                         "the parts can be fitted"));
  }
  choose_exchange(false);
  if (run.options.boolean("reproducible")) refuse_chunks();
  fit = fitted.begin_fit(data.get(), largest_batch());
  const RealArray values = fitted.values();
  method.ascent->prepare(values.single, values.length);
  divide();
  if (data && row_length() > 0) {
    method.row_ascent->prepare(values.single, data->rows() * row_length());
    row_moves.assign(static_cast<size_t>(data->rows()), 0);
  }
  if (method.proximity) {
    const Statistic statistic = method.proximity->statistic();
    const SharedPosterior* shared = fitted.shared_posterior();
    const RowPosteriors* of_rows = fitted.row_posteriors();
    const int64_t of_batch = shared != nullptr ? shared->statistic_length(statistic) : 0;
    const int64_t of_row = of_rows != nullptr ? of_rows->row_statistic_length(statistic) : 0;
    method.proximity->prepare(of_batch, of_row, data ? data->rows() : 0, posterior());
    forces.resize(static_cast<size_t>(of_batch));
    statistics.resize(static_cast<size_t>(of_batch));
  }
}

void GradientState::refuse_chunks() const {
  if (method.proximity) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "option reproducible computes the rows of a step in chunks, and a proximity constraint holds a mean "
                "over all of them, which no chunk has");
  }
  if (row_length() > 0) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("option reproducible sends rows to the rank that computes their chunk, and kind ",
                         model->kind().name, " keeps parameters of every row where the row is stored"));
  }
}

/// The parameters of rows are transferred; the gradient of a step is not.
void GradientState::follow(const std::shared_ptr<Model>& other) {
  constexpr const char* format = "vtemper.fit";
  std::unique_ptr<GradientFit> next =
      other->by_gradient()->begin_fit(data.get(), std::max<int64_t>(run.batch_size, 1));
  if (fit->rows() != nullptr) {
    ContainerWriter writer(format);
    fit->rows()->save(writer);
    std::vector<char> bytes(static_cast<size_t>(writer.size()));
    writer.write(bytes.data());
    next->rows()->load(ContainerReader::open_buffer(bytes.data(), writer.size(), format));
  }
  fit = std::move(next);
  model = other;
}

void GradientState::divide() {
  // Whole rows, none of them across the middle of a matrix, which may be the boundary between two threads.
  const auto cut = [&](const ParameterMatrix& matrix) {
    const int64_t most_rows = std::max<int64_t>(1, most_moved / std::max<int64_t>(1, matrix.columns));
    for (const Range half : {range_of(matrix.rows, 0, 2), range_of(matrix.rows, 1, 2)}) {
      const int64_t count = (half.count() + most_rows - 1) / most_rows;
      for (int64_t i = 0; i < count; ++i) {
        const Range part = range_of(half.count(), i, count);
        const int64_t row = half.first + part.first;
        pieces.push_back({matrix.first + row * matrix.columns, part.count() * matrix.columns, row, matrix.rows});
      }
    }
  };
  int64_t next = 0;
  for (const ParameterMatrix& matrix : by_gradient().matrices()) {
    cut({next, matrix.first - next, 1});  // parameters before the matrix, such as biases
    cut(matrix);
    next = matrix.first + matrix.rows * matrix.columns;
  }
  cut({next, by_gradient().values().length - next, 1});
  moved.resize(pieces.size());
}

RealArray GradientState::posterior() const {
  if (fit->rows() != nullptr) return fit->rows()->row_values();
  const RealArray values = by_gradient().values();
  const int64_t begin = by_gradient().shared_posterior()->posterior_begin();
  return values.part(begin, values.length - begin);
}

int64_t GradientState::row_length() const {
  const RowPosteriors* posteriors = by_gradient().row_posteriors();
  return posteriors != nullptr ? posteriors->row_length() : 0;
}

double GradientState::temperature() const {
  return method.temperature ? 1 / method.temperature->inverse(clock) : 1;
}

bool GradientState::is_fed(const Batch& rows_now) const {
  return row_length() > 0 && rows_now.data != data.get();
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

/// Initial values that depend on the objective of the first batch.
void GradientState::prepare(const Batch& first, int on_threads) {
  const bool of_temperature = method.temperature && method.temperature->needs_start();
  if (of_temperature || (method.proximity && method.proximity->needs_start())) {
    if (own_part.rows > 0 || !data) own_choice = choice_by_own_rows;
    if (own_part.rows > 0) refuse_own_choice();
    const GradientSums start = fit->forward(first, settings(first, on_threads));
    start_at(start.elbo, start.rows);
  }
  prepared = true;
}

/// `elbo` of the first batch, whose rows weigh so much.
void GradientState::start_at(double elbo, double batch_rows) {
  if (!(std::abs(elbo) <= largest_sum)) {
    throw Error(VTEMPER_ERROR_NUMERIC, "the objective of the first step is not finite");
  }
  const double mean = batch_rows > 0 ? elbo / batch_rows : 0;
  if (method.temperature && method.temperature->needs_start()) {
    method.temperature->start_at(std::max(1.0, std::abs(mean)));
  }
  if (method.proximity && method.proximity->needs_start()) method.proximity->start_at(mean, batch_rows);
}

void GradientState::prepare_together(std::optional<Batch>&) {
  if (prepared) return;
  std::vector<double> own;
  group->apart({"the objective of step", clock.iteration}, [&] {
    own = first_objectives();
    return Group::Told{};
  });
  const size_t length = own.size();
  const std::vector<double> all = group->gather(own.data(), static_cast<int64_t>(length));
  double elbo = 0, batch_rows = 0;
  for (size_t i = 0; i < length; i += 2) {
    for (size_t of_rank = i; of_rank < all.size(); of_rank += length) {  // of a chunk all but one are 0
      elbo += all[of_rank];
      batch_rows += all[of_rank + 1];
    }
  }
  start_at(elbo, batch_rows);
  prepared = true;
}

std::vector<double> GradientState::first_objectives() {
  std::vector<double> objectives(chunks ? 2 * static_cast<size_t>(chunks->count()) : 2);
  const auto enter = [&](size_t place, const Batch& first) {
    if (first.count == 0) return;
    const int worth = threads_worth(operations(*first.data, first.count), threads);
    const GradientSums start = fit->forward(first, settings(first, worth));
    objectives[2 * place] = start.elbo;
    objectives[2 * place + 1] = start.rows;
  };
  if (chunks) {
    for (const Chunks::Chunk& chunk : chunks->own()) enter(static_cast<size_t>(chunk.index), chunk.batch);
  } else {
    enter(0, next_batch(threads));
  }
  return objectives;
}

/// The constraint on rows with their own parameters: subtracts its force from their gradients.
void GradientState::hold_rows(const RowPosteriors& fitted, const Batch& rows_now, int on_threads) {
  const Statistic statistic = method.proximity->statistic();
  const int64_t length = fitted.row_length();
  const int64_t count = fitted.row_statistic_length(statistic);
  const RealArray values = fit->rows()->row_values();
  const RealArray gradient = fit->rows()->row_gradient();
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
    RandomStream random(seed, Purpose::inner_step, static_cast<uint64_t>(clock.iteration), rows_now.place(i));
    row_forces[static_cast<size_t>(i)] = constrain_row(constraint, start, random, statistics_now, scratch);
  });
  for (const double force : row_forces) sums.force += force;
}

/// The forces of a constraint on a posterior shared by all rows.
const double* GradientState::forces_on_statistics(const GradientSettings& now) {
  constexpr int64_t together = 8192;
  const auto length = static_cast<int64_t>(fit->statistics().size());
  const double* here = fit->statistics().data();
  const double* reference = now.reference != nullptr ? fit->reference_statistics().data() : nullptr;
  method.proximity->begin_step(clock);
  parallel_for(now.threads, (length + together - 1) / together, [&](int64_t part, int) {
    const int64_t first = part * together;
    method.proximity->force(first, std::min(together, length - first), here + first,
                            reference != nullptr ? reference + first : nullptr, forces.data() + first);
  });
  return forces.data();
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
  const RowPosteriors* of_rows = by_gradient().row_posteriors();
  if (method.proximity && of_rows == nullptr) {
    now.statistic = method.proximity->statistic();
    now.constrained = method.proximity->magnitude(clock) > 0;
    if (now.constrained) now.reference = method.proximity->reference();
  }
  if (rows_now.count == 0) {
    clear_half();
    return;
  }
  sums = fit->forward(rows_now, now);
  fit->backward(now.constrained ? forces_on_statistics(now) : nullptr, sums);
  if (method.proximity && of_rows != nullptr) hold_rows(*of_rows, rows_now, on_threads);
  for (size_t i = 0; i < statistics.size(); ++i) statistics[i] = sums.rows * fit->statistics()[i];
  if (!std::isfinite(sums.objective) || !std::isfinite(sums.elbo)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                sentence("step ", clock.iteration, " left the finite numbers; a smaller learning_rate may help"));
  }
  if (!fed) batch = rows_now;
}

/// This machine's part of the step has no rows.
void GradientState::clear_half() {
  sums = {};
  std::fill(statistics.begin(), statistics.end(), 0.0);
  const RealArray gradient = fit->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) gradient.set(i, 0);
}

void GradientState::move_rows(double scale) {
  const int64_t length = row_length();
  if (length == 0 || row_moves.empty()) return;
  const RealArray values = fit->rows()->row_values();
  const RealArray gradient = fit->rows()->row_gradient();
  // A batch that extends into the next pass may contain a row twice: one thread performs its updates in order.
  parallel_shares(step_threads, [&](int64_t thread, LoopEnd&) {
    for (int64_t i = 0; i < batch.count; ++i) {
      const int64_t row = batch.row(i);
      if (row % step_threads != thread) continue;
      const int64_t move = ++row_moves[static_cast<size_t>(row)];
      method.row_ascent->move(values, gradient.part(i * length, length), scale, row * length, move);
    }
  });
}

kernels::Moved GradientState::move_values(double scale) {
  const RealArray values = by_gradient().values();
  const RealArray gradient = fit->gradient();
  parallel_shares(step_threads, [&](int64_t thread, LoopEnd&) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (piece.owner(step_threads) != thread) continue;
      moved[i] = method.ascent->move(values, gradient.part(piece.first, piece.count), scale, piece.first,
                                     clock.iteration + 1);
    }
  });
  kernels::Moved total = {0, 0};
  for (const kernels::Moved& part : moved) {
    total.moved += part.moved;
    total.size += part.size;
  }
  return total;
}

bool GradientState::surely_finite(double scale) {
  constexpr double usual_size = 1e30;
  const RealArray values = by_gradient().values();
  const RealArray gradient = fit->gradient();
  if (values_size == 0) values_size = std::sqrt(squared_norm(values));
  // A larger scale would overflow float.
  if (!(values_size <= usual_size && scale <= usual_size)) return false;
  parallel_shares(step_threads, [&](int64_t thread, LoopEnd&) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (piece.owner(step_threads) == thread) moved[i].size = squared_norm(gradient.part(piece.first, piece.count));
    }
  });
  double squares = 0;
  for (const kernels::Moved& part : moved) squares += part.size;
  if (!(scale * std::sqrt(squares) <= method.ascent->largest_sure_gradient())) return false;
  const int64_t length = row_length();
  if (length == 0 || row_moves.empty()) return true;
  squares = squared_norm(fit->rows()->row_gradient().part(0, batch.count * length));
  double row_values = 0;
  for (int64_t i = 0; i < batch.count; ++i) {
    row_values += squared_norm(fit->rows()->row_values().part(batch.row(i) * length, length));
  }
  return std::sqrt(squares) <= method.row_ascent->largest_sure_gradient() && std::sqrt(row_values) <= usual_size;
}

void GradientState::try_move(double scale) {
  std::vector<RealArray> arrays = method.ascent->moments();
  arrays.push_back(by_gradient().values());
  if (!row_moves.empty()) {
    for (const RealArray& moments : method.row_ascent->moments()) arrays.push_back(moments);
    arrays.push_back(fit->rows()->row_values());
  }
  std::vector<std::vector<char>> before;
  for (const RealArray& array : arrays) {
    const char* bytes = static_cast<const char*>(array.data);
    const auto element = static_cast<int64_t>(array.single ? sizeof(float) : sizeof(double));
    before.emplace_back(bytes, bytes + array.length * element);
  }
  const std::vector<int64_t> moves_before = row_moves;
  move_values(scale);
  move_rows(1);
  const bool finite = std::all_of(arrays.begin(), arrays.end(), is_finite);
  for (size_t i = 0; i < arrays.size(); ++i) {
    std::copy(before[i].begin(), before[i].end(), static_cast<char*>(arrays[i].data));
  }
  row_moves = moves_before;
  if (finite) return;
  throw Error(VTEMPER_ERROR_NUMERIC, sentence("step ", clock.iteration,
                                              " would take the parameters beyond the finite numbers, so it was not "
                                              "taken; a smaller learning_rate may help"));
}

void GradientState::prepare_move() {
  const double per_row = sums.rows > 0 ? 1 / sums.rows : 0;
  double numbers[GradientSums::length];
  sums.write(numbers);
  const auto usable = [](double x) { return std::abs(x) <= largest_sum; };
  if (!std::all_of(std::begin(numbers), std::end(numbers), usable) ||
      !std::all_of(statistics.begin(), statistics.end(), usable) || !(corpus.rows * per_row <= largest_sum) ||
      !usable(corpus.rows * per_row * sums.elbo) || !usable(corpus.rows * per_row * sums.objective)) {
    throw Error(VTEMPER_ERROR_NUMERIC,
                sentence("step ", clock.iteration, " left the finite numbers; a smaller learning_rate may help"));
  }
  if (!surely_finite(per_row)) try_move(per_row);
}

void GradientState::move() noexcept {
  GradientModel& fitted = by_gradient();
  const double per_row = sums.rows > 0 ? 1 / sums.rows : 0;
  const double k = method.proximity ? method.proximity->magnitude(clock) : 0;
  const kernels::Moved total = move_values(per_row);
  values_size = total.size + total.moved;
  // A row's parameters follow the row's own objective, whatever the size of the batch.
  move_rows(1);
  if (method.proximity) {
    for (double& statistic : statistics) statistic *= per_row;
    method.proximity->update(statistics, row_statistics.data(), batch, posterior(), step_threads);
  }

  const bool score = elbo_every == 0 || (clock.iteration + 1) % elbo_every == 0;
  const double scale = corpus.rows * per_row;
  report.elbo = score ? scale * sums.elbo : nan;
  report.expected_log_likelihood = report_due() ? scale * sums.expected_log_likelihood : nan;
  report.temperature = temperature();
  report.inverse_temperature = 1 / report.temperature;
  // Divided by T as for conjugate models: entropies count once (README.md section 1).
  report.objective = score ? scale * sums.objective * report.inverse_temperature : nan;
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
  const RealArray gradient = fit->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) *out++ = gradient.at(i);
}

void GradientState::read_statistics(const double* in) {
  const int64_t length = statistics_length();
  for (int64_t i = 0; i < length; ++i) {
    constexpr double most_rows = 9e15;  // exact integers in double
    if (!std::isfinite(in[i]) || (i < 2 && !(in[i] >= 0 && in[i] <= most_rows))) {
      throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the statistics is ", in[i]));
    }
  }
  sums = GradientSums::read(in);
  in += GradientSums::length;
  std::copy_n(in, statistics.size(), statistics.begin());
  in += statistics.size();
  const RealArray gradient = fit->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) gradient.set(i, *in++);
}

void GradientState::reserve_sums() {
  rank_sum.reserve(*group);
  sums_in_double.resize(static_cast<size_t>(GradientSums::length) + statistics.size());
  if (!chunks) return;
  chunk_sums.shape(std::vector<GridSum::Field>(sums_in_double.size(), {1, 1}));
  // Gradients of a matrix are alike; those of different layers need not be.
  std::vector<GridSum::Field> fields;
  int64_t next = 0;
  for (const ParameterMatrix& matrix : by_gradient().matrices()) {
    fields.push_back({matrix.first - next, 1});
    fields.push_back({matrix.rows * matrix.columns, 1});
    next = matrix.first + matrix.rows * matrix.columns;
  }
  fields.push_back({by_gradient().values().length - next, 1});
  gradient_sum.shape(fields);
}

void GradientState::begin_chunks() {
  chunk_sums.clear();
  chunk_sums.begin(chunks->count());
  gradient_sum.clear();
  gradient_sum.begin(chunks->count());
}

void GradientState::add_chunk(const Batch& chunk) {
  State::local_half(chunk);
  batch = {};
  sums.write(sums_in_double.data());
  std::copy(statistics.begin(), statistics.end(), sums_in_double.data() + GradientSums::length);
  chunk_sums.add(0, sums_in_double.data(), chunk_sums.length());
  const RealArray gradient = fit->gradient();
  if (gradient.single) {
    gradient_sum.add(0, gradient.floats(), gradient.length);
  } else {
    gradient_sum.add(0, gradient.doubles(), gradient.length);
  }
}

void GradientState::take_sums() {
  sums.write(sums_in_double.data());
  std::copy(statistics.begin(), statistics.end(), sums_in_double.data() + GradientSums::length);
}

/// The gradient where it is, and as the model computes it.
void GradientState::sum_over_ranks() {
  rank_sum.sum(*group, sums_in_double.data(), static_cast<int64_t>(sums_in_double.size()));
  const RealArray gradient = fit->gradient();
  if (chunks) {
    rank_sum.sum(*group, gradient_sum.totals(), gradient_sum.length());
  } else if (gradient.single) {
    rank_sum.sum(*group, gradient.floats(), gradient.length);
  } else {
    rank_sum.sum(*group, gradient.doubles(), gradient.length);
  }
}

void GradientState::give_sums() {
  sums = GradientSums::read(sums_in_double.data());
  std::copy_n(sums_in_double.data() + GradientSums::length, statistics.size(), statistics.begin());
  if (!chunks) return;
  const RealArray gradient = fit->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) gradient.set(i, gradient_sum.totals()[i]);
}

double GradientState::cold_elbo(int64_t count) {
  double elbo = 0;
  double weight = 0;
  GradientSettings cold = settings({data.get(), nullptr, 0, 0}, threads);
  for (int64_t from = 0; from < count; from += run.batch_size) {
    const GradientSums scored = fit->forward(spread_batch(from, count), cold);
    elbo += scored.elbo;
    weight += scored.rows;
    ++cold.iteration;
  }
  return count < data->rows() && weight > 0 ? elbo * (data_weight(*data) / weight) : elbo;
}

double GradientState::memory() const {
  const std::optional<double> of_model = by_gradient().memory(*data, largest_batch());
  if (!of_model) return 0;
  const RealArray values = by_gradient().values();
  const double parameters =
      static_cast<double>(values.length) + static_cast<double>(data->rows()) * static_cast<double>(row_length());
  return *of_model + parameters * method.ascent->bytes_per_parameter(values.single);
}

std::vector<Quantity> GradientState::quantities() const {
  std::vector<Quantity> list;
  if (fit->rows() != nullptr && data) {
    list.push_back({"rows.parameters",
                    {data->rows(), row_length()},
                    false,
                    "Variational parameters eta of each row of the data, as the fit has them now: activations are "
                    "1 / (1 + exp(-eta)) (factorial_mixture), rates log(1 + exp(eta)) (deep_exponential_family)."});
  }
  if (!method.proximity) return list;
  list.insert(
      list.end(),
      {{"proximity.initial_magnitude",
        {},
        false,
        "Magnitude of the constraint in the first step; -1 before it, where it follows from the objective."},
       {"proximity.share",
        {},
        false,
        "Share of the constraint in the gradient at the last report: sum of the absolute values that it gives the "
        "posterior's layers, over the same of constraint and objective."}});
  return list;
}

void GradientState::read_quantity(std::string_view name, const Sink& sink) const {
  if (name == "rows.parameters") {
    const RealArray values = fit->rows()->row_values();
    const int64_t length = row_length();
    for (int64_t i = 0; i < values.length; ++i) sink(i / length, i % length) = values.at(i);
    return;
  }
  sink(0) = name == "proximity.share" ? share : method.proximity->initial_magnitude();
}

void GradientState::save_parts(ContainerWriter& writer) const {
  if (group != nullptr && method.proximity && fit->rows() != nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("there are no checkpoints of a proximity constraint that holds every row near its own past ",
                         "where the rows are spread over ", group->ranks(), " ranks"));
  }
  if (group == nullptr && fit->rows() != nullptr) fit->rows()->save(writer);
  method.ascent->save("optimizer.ascent", writer);
  if (group == nullptr && !row_moves.empty()) {
    method.row_ascent->save("optimizer.row_ascent", writer);
    writer.keep("optimizer.row_moves", row_moves);
  }
  if (method.proximity) method.proximity->save(writer);
  std::vector<double> numbers = {share, -1};
  if (method.temperature && prepared) numbers[1] = method.temperature->start();
  writer.keep("optimizer.gradient", std::move(numbers));
}

void GradientState::restore_parts(const ContainerReader& reader) {
  const bool with_rows = has_rows(reader);
  if (with_rows && fit->rows() != nullptr) fit->rows()->load(reader);
  method.ascent->load("optimizer.ascent", reader);
  if (with_rows && !row_moves.empty()) {
    method.row_ascent->load("optimizer.row_ascent", reader);
    const std::vector<int64_t> moves = reader.integers("optimizer.row_moves");
    const auto usable = [](int64_t x) { return x >= 0 && x <= largest_count; };
    if (moves.size() != row_moves.size() || !std::all_of(moves.begin(), moves.end(), usable))
      refuse_checkpoint(reader, "the moves of its rows are damaged");
    row_moves = moves;
  }
  if (method.proximity) method.proximity->load(reader);
  const std::vector<double> numbers = reader.doubles("optimizer.gradient");
  if (numbers.size() != 2 || !(numbers[0] >= 0 && numbers[0] <= 1) || !(std::abs(numbers[1]) <= largest_sum)) {
    refuse_checkpoint(reader, "its temperature is damaged");
  }
  share = numbers[0];
  values_size = 0;
  if (method.temperature && numbers[1] >= 1) method.temperature->start_at(numbers[1]);
}

}  // namespace vtemper
