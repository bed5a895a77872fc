#include "models/initial_weights.h"

#include <cmath>
#include <vector>

#include "support/interruption.h"

namespace vtemper {

namespace {

constexpr int64_t draws_between_questions = 10000;

/// `count` orthonormal vectors of `length` >= count elements, uniformly distributed: the Q of a normal matrix whose R
/// has a positive diagonal, by Gram-Schmidt, repeated once per vector for numerical orthogonality.
std::vector<double> orthonormal(int64_t count, int64_t length, RandomStream& random) {
  std::vector<double> vectors(static_cast<size_t>(count * length));
  for (int64_t i = 0; i < count; ++i) {
    require_not_interrupted();
    double* vector = vectors.data() + i * length;
    for (int64_t k = 0; k < length; ++k) vector[k] = random.normal();
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t j = 0; j < i; ++j) {
        const double* other = vectors.data() + j * length;
        double along = 0;
        for (int64_t k = 0; k < length; ++k) along += vector[k] * other[k];
        for (int64_t k = 0; k < length; ++k) vector[k] -= along * other[k];
      }
      double square = 0;
      for (int64_t k = 0; k < length; ++k) square += vector[k] * vector[k];
      const double inverse = 1 / std::sqrt(square);
      for (int64_t k = 0; k < length; ++k) vector[k] *= inverse;
    }
  }
  return vectors;
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
    const std::vector<double> vectors = orthonormal(by_units ? units : in, by_units ? in : units, random);
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t j = 0; j < units; ++j) {
        out[i * units + j] = static_cast<Real>(vectors[static_cast<size_t>(by_units ? j * in + i : i * units + j)]);
      }
    }
  }
}

template void draw_weights(InitialWeights, int64_t, int64_t, RandomStream&, float*);
template void draw_weights(InitialWeights, int64_t, int64_t, RandomStream&, double*);

}  // namespace vtemper
