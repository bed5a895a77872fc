// The sums of a local half: as one flat array for sums over machines; over ranks, of the whole half or chunk by
// chunk.

#include <algorithm>
#include <cmath>

#include "inference/gradient_state.h"

namespace vtemper {

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
    constexpr double max_rows = 9e15;  // exact integers in double
    if (!std::isfinite(in[i]) || (i < 2 && !(in[i] >= 0 && in[i] <= max_rows))) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of the statistics is ", in[i]));
    }
  }
  sums = GradientSums::read(in);
  in += GradientSums::length;
  std::copy_n(in, statistics.size(), statistics.begin());
  in += statistics.size();
  const RealArray gradient = fit->gradient();
  for (int64_t i = 0; i < gradient.length; ++i) gradient.set(i, *in++);
  gradient_squares = no_number;
}

void GradientState::reserve_sums() {
  rank_sum.reserve(*group);
  sums_in_double.resize(static_cast<size_t>(GradientSums::length) + statistics.size());
  if (!chunks) return;
  chunk_sums.shape(std::vector<GridSum::Field>(sums_in_double.size(), {1, 1}));
  // Gradients within a matrix are of similar size; those of different layers need not be.
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

/// The gradient is summed in place and in the precision of the model.
void GradientState::sum_over_ranks() {
  rank_sum.sum(*group, sums_in_double.data(), static_cast<int64_t>(sums_in_double.size()));
  gradient_squares = no_number;
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

}  // namespace vtemper
