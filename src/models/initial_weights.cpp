#include "models/initial_weights.h"

#include <cmath>

#include "linalg/eigen.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

constexpr int64_t draws_between_questions = 10000;

/// `count` orthonormal rows of `length` >= count elements, uniformly distributed: the Q of a normal matrix whose R
/// has a positive diagonal, by Gram-Schmidt, repeated once per row for numerical orthogonality.
linalg::Matrix orthonormal(int64_t count, int64_t length, RandomStream& random) {
  linalg::Matrix rows(count, length);
  for (int64_t i = 0; i < count; ++i) {
    require_not_interrupted();
    const auto earlier = rows.topRows(i);
    linalg::Vector row(length);
    for (double& element : row) element = random.normal();
    for (int pass = 0; pass < 2; ++pass) row -= earlier.transpose() * (earlier * row);
    rows.row(i) = row / row.norm();
  }
  return rows;
}

}  // namespace

template <class Real>
void draw_weights(InitialWeights start, int64_t in, int64_t units, RandomStream& random, Real* out) {
  const int64_t count = in * units;
  if (start == InitialWeights::glorot) {
    const double bound = std::sqrt(6.0 / static_cast<double>(in + units));
    for (int64_t i = 0; i < count; ++i) {
      if (i % draws_between_questions == 0) require_not_interrupted();
      out[i] = static_cast<Real>(bound * (2 * random.uniform() - 1));
    }
  } else if (start == InitialWeights::truncated_normal) {
    constexpr double factor = 1.3 * 4;  // variational_autoencoder/README.md section 3
    const double deviation = std::sqrt(factor / static_cast<double>(in));
    for (int64_t i = 0; i < count; ++i) {
      if (i % draws_between_questions == 0) require_not_interrupted();
      double draw = random.normal();
      while (std::abs(draw) > 2) draw = random.normal();
      out[i] = static_cast<Real>(deviation * draw);
    }
  } else {
    const bool by_units = units <= in;
    const linalg::Matrix rows = orthonormal(by_units ? units : in, by_units ? in : units, random);
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t j = 0; j < units; ++j) out[i * units + j] = static_cast<Real>(by_units ? rows(j, i) : rows(i, j));
    }
  }
}

template void draw_weights(InitialWeights, int64_t, int64_t, RandomStream&, float*);
template void draw_weights(InitialWeights, int64_t, int64_t, RandomStream&, double*);

}  // namespace vtemper
