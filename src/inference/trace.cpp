#include "inference/trace.h"

namespace vtemper {

const std::array<const char*, Trace::columns>& Trace::names() {
  static const std::array<const char*, columns> all = {
      "trace.iteration",   "trace.passes", "trace.seconds",   "trace.temperature",
      "trace.step_size",   "trace.elbo",   "trace.objective", "trace.expected_log_likelihood",
      "trace.perturbation"};
  return all;
}

std::vector<double> Trace::state() const {
  std::vector<double> all = {static_cast<double>(offered_), static_cast<double>(distance_)};
  for (const Row& row : rows_) all.insert(all.end(), row.begin(), row.end());
  return all;
}

bool Trace::restore(const std::vector<double>& state) {
  constexpr size_t scalars = 2;
  if (state.size() < scalars || (state.size() - scalars) % columns != 0) return false;
  const size_t rows = (state.size() - scalars) / columns;
  constexpr double largest = 9e15;  // exact integers in double
  if (!(state[0] >= 0 && state[0] <= largest) || !(state[1] >= 1 && state[1] <= largest)) return false;
  const auto offered = static_cast<int64_t>(state[0]), distance = static_cast<int64_t>(state[1]);
  const auto spaced = static_cast<size_t>(offered / distance + (offered % distance != 0 ? 1 : 0));
  const bool has_one_more = rows == spaced + 1;
  if (rows > spaced + 1 || rows > capacity + (has_one_more ? 1 : 0)) return false;
  offered_ = offered;
  distance_ = distance;
  last_is_between_ = has_one_more;
  rows_.resize(rows);
  for (size_t i = 0; i < rows * columns; ++i) rows_[i / columns][i % columns] = state[scalars + i];
  return true;
}

}  // namespace vtemper
