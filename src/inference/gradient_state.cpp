#include "inference/gradient_state.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/dense_products.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr int64_t max_moved = 8192;  ///< approximate number of parameters updated together
constexpr const char* choice_by_first_rows =
    "with auto, temperature_start and proximity_magnitude are chosen from the first rows of this machine, but the "
    "step is summed over other machines as well: set them";

}  // namespace

GradientState::GradientState(std::shared_ptr<Model> model_, std::shared_ptr<const Data> data_, GradientMethod method_,
                             const CommonStart& common)
    : State(std::move(model_), std::move(data_), method_, common), method(std::move(method_)) {
  GradientModel& fitted = by_gradient();
  fitted.check_method(method.required_features());
  if (own_part.rows > 0 && method.proximity && fitted.row_posteriors() == nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("the data are a part of a corpus, and a proximity constraint on kind ", fitted.kind().name,
                        " acts on a mean over all rows of a step, which no machine has before the sum; without it ",
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
                "option reproducible computes the rows of a step in chunks, and a proximity constraint acts on a "
                "mean over all of them, which no chunk has");
  }
  if (row_length() > 0) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("option reproducible sends rows to the rank that computes their chunk, and kind ",
                        model->kind().name, " keeps parameters of every row where the row is stored"));
  }
}

/// The parameters of rows are transferred; the gradient of a step is not.
void GradientState::follow(const std::shared_ptr<Model>& other) {
  constexpr const char* format = "vtemper.fit";
  std::unique_ptr<GradientFit> next = other->by_gradient()->begin_fit(data.get(), largest_batch());
  if (fit->rows() != nullptr) {
    ContainerWriter writer(format);
    fit->rows()->save(writer);
    const std::string bytes = writer.bytes();
    next->rows()->load(ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), format));
  }
  fit = std::move(next);
  model = other;
}

void GradientState::divide() {
  // Pieces are whole rows and do not cross the middle of a matrix, which may be the boundary between two threads.
  const auto cut = [&](const ParameterMatrix& matrix) {
    const int64_t max_rows = std::max<int64_t>(1, max_moved / std::max<int64_t>(1, matrix.columns));
    for (const Range half : {range_of(matrix.rows, 0, 2), range_of(matrix.rows, 1, 2)}) {
      const int64_t count = (half.count() + max_rows - 1) / max_rows;
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
    if (own_part.rows > 0 || !data) own_choice = choice_by_first_rows;
    if (own_part.rows > 0 || others_have_rows) refuse_own_choice();
    const GradientSums start = fit->forward(first, settings(first, on_threads));
    start_at(start.elbo, start.rows);
  }
  prepared = true;
}

/// `elbo`: of the first batch, whose rows have the total weight `batch_rows`.
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

void GradientState::undo_start() {
  if (method.temperature) method.temperature->forget_starts();
  if (method.proximity) method.proximity->forget_start();
  own_choice = "";
  prepared = false;
}

void GradientState::prepare_together(std::optional<Batch>&) {
  if (prepared) return;
  std::vector<double> own;
  group->run_locally({"the objective of step", clock.iteration}, [&] {
    own = first_objectives();
    return Group::Told{};
  });
  const size_t length = own.size();
  const std::vector<double> all = group->gather(own.data(), static_cast<int64_t>(length));
  double elbo = 0, batch_rows = 0;
  for (size_t i = 0; i < length; i += 2) {
    for (size_t of_rank = i; of_rank < all.size(); of_rank += length) {  // for a chunk, all ranks but one give 0
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
                "the proximity constraint keeps every row near its own past, which fed rows do not have: "
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
  gradient_squares = fit->gradient_squares();
  if (method.proximity && of_rows != nullptr) hold_rows(*of_rows, rows_now, on_threads);
  for (size_t i = 0; i < statistics.size(); ++i) statistics[i] = sums.rows * fit->statistics()[i];
  if (!std::isfinite(sums.objective) || !std::isfinite(sums.elbo)) refuse_sums(false);
  if (!fed) batch = rows_now;
}

/// This machine's part of the step has no rows.
void GradientState::clear_half() {
  sums = {};
  std::fill(statistics.begin(), statistics.end(), 0.0);
  const RealArray gradient = fit->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) gradient.set(i, 0);
  gradient_squares = 0;
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

std::vector<double> GradientState::elbo_of(const Data& others, int64_t groups) {
  constexpr uint64_t draws = 10;
  std::vector<double> elbo(static_cast<size_t>(groups));
  GradientSettings cold = settings({data.get(), nullptr, 0, 0}, threads);
  for (int64_t i = 0; i < groups; ++i) {
    const Range rows_now = range_of(others.rows(), i, groups);
    const Batch group_rows = {&others, nullptr, rows_now.first, rows_now.count(), nullptr, rows_now.first};
    if (group_rows.count == 0) continue;
    for (cold.iteration = 0; cold.iteration < draws; ++cold.iteration) {
      elbo[static_cast<size_t>(i)] += fit->forward(group_rows, cold).elbo / static_cast<double>(draws);
    }
  }
  return elbo;
}

}  // namespace vtemper
