// The global half: the part that can fail, and the move of the parameters along their gradient.

#include <algorithm>
#include <cmath>

#include "inference/gradient_state.h"
#include "kernels/dispatch.h"
#include "support/threads.h"

namespace vtemper {

namespace {

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

void GradientState::read_gradient_size() {
  const RealArray gradient = fit->gradient();
  parallel_shares(step_threads, [&](int64_t thread, LoopEnd&) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (piece.owner(step_threads) == thread) moved[i].size = squared_norm(gradient.part(piece.first, piece.count));
    }
  });
  gradient_squares = 0;
  for (const kernels::Moved& part : moved) gradient_squares += part.size;
}

bool GradientState::surely_finite(double scale) {
  constexpr double safe_size = 1e30;
  const RealArray values = by_gradient().values();
  if (values_size == 0) values_size = std::sqrt(squared_norm(values));
  // A larger scale would overflow float.
  if (!(values_size <= safe_size && scale <= safe_size)) return false;
  if (!std::isfinite(gradient_squares)) read_gradient_size();
  if (!(scale * std::sqrt(gradient_squares) <= method.ascent->largest_sure_gradient())) return false;
  const int64_t length = row_length();
  if (length == 0 || row_moves.empty()) return true;
  const double squares = squared_norm(fit->rows()->row_gradient().part(0, batch.count * length));
  double row_values = 0;
  for (int64_t i = 0; i < batch.count; ++i) {
    row_values += squared_norm(fit->rows()->row_values().part(batch.row(i) * length, length));
  }
  return std::sqrt(squares) <= method.row_ascent->largest_sure_gradient() && std::sqrt(row_values) <= safe_size;
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
  throw Error(VTEMPER_ERROR_NUMERIC, message("step ", clock.iteration,
                                             " would make parameters infinite, so it was not taken; a smaller "
                                             "learning_rate, or smaller data or weights, may help"));
}

void GradientState::prepare_move() {
  const double per_row = sums.rows > 0 ? 1 / sums.rows : 0;
  double numbers[GradientSums::length];
  sums.write(numbers);
  const auto all = [&](const auto& is_right) {
    return std::all_of(std::begin(numbers), std::end(numbers), is_right) &&
           std::all_of(statistics.begin(), statistics.end(), is_right) && is_right(corpus.rows * per_row) &&
           is_right(corpus.rows * per_row * sums.elbo) && is_right(corpus.rows * per_row * sums.objective);
  };
  if (!all([](double x) { return std::abs(x) <= largest_sum; })) {
    refuse_sums(all([](double x) { return std::isfinite(x); }));
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
  batch = {};  // a global half without a local half before it has gradients of no rows

  const bool score = elbo_every == 0 || (clock.iteration + 1) % elbo_every == 0;
  const double scale = corpus.rows * per_row;
  report.elbo = score ? scale * sums.elbo : no_number;
  report.expected_log_likelihood = report_due() ? scale * sums.expected_log_likelihood : no_number;
  report.temperature = temperature();
  report.inverse_temperature = 1 / report.temperature;
  // Divided by T as for conjugate models: entropies count once (README.md section 1).
  report.objective = score ? scale * sums.objective * report.inverse_temperature : no_number;
  report.step_size = method.ascent->rate();
  report.proximity = k;
  report.change = total.size > 0 ? std::min(total.moved / total.size, largest_change) : 0;
  if (report_due()) {
    share = sums.pull + sums.force > 0 ? sums.force / (sums.pull + sums.force) : 0;
    report.unused_components =
        std::max<int64_t>(0, fitted.latent_units() - static_cast<int64_t>(std::llround(sums.active_units * per_row)));
  }
}

}  // namespace vtemper
