#include "evaluation/topic_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "evaluation/words.h"
#include "linalg/eigenvectors.h"
#include "linalg/products.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {

namespace {

using linalg::Matrix;
using linalg::Vector;

/// Number of words that are distinguished, so that all pairs of components can be compared in a few seconds.
int64_t words_compared(int64_t components, int64_t words) {
  constexpr double max_comparisons = 3e8;
  constexpr double min_words = 200;
  const double pairs = 0.5 * static_cast<double>(components) * static_cast<double>(components);
  const double compared = std::max(min_words, max_comparisons / pairs);
  return compared < static_cast<double>(words) ? static_cast<int64_t>(compared) : words;
}

/// The place of each word among `places`, the last of which is shared by all but the most frequent words. Merging
/// words can only bring components closer, by the contribution of the rare words.
std::vector<int64_t> places_of_words(const WordProbabilities& probabilities, int64_t components, int64_t words,
                                     int64_t places) {
  std::vector<int64_t> place(static_cast<size_t>(words));
  std::iota(place.begin(), place.end(), int64_t{0});
  if (places == words) return place;
  std::vector<double> sums(static_cast<size_t>(words)), column(static_cast<size_t>(components));
  for (int64_t v = 0; v < words; ++v) {
    require_not_interrupted();
    probabilities.read(v, 0, components, column.data());
    sums[static_cast<size_t>(v)] = std::accumulate(column.begin(), column.end(), 0.0);
  }
  std::vector<int64_t> commonest = place;
  std::sort(commonest.begin(), commonest.end(), [&](int64_t a, int64_t b) {
    const double x = sums[static_cast<size_t>(a)], y = sums[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  });
  for (int64_t i = 0; i < words; ++i) {
    place[static_cast<size_t>(commonest[static_cast<size_t>(i)])] = std::min(i, places - 1);
  }
  return place;
}

/// [components x places], each row summing to one.
Matrix word_probabilities(const Model& model) {
  const WordProbabilities probabilities(model);
  const int64_t components = require_words(model).word_components(), words = model.columns();
  const int64_t places = words_compared(components, words);
  const std::vector<int64_t> place = places_of_words(probabilities, components, words, places);
  Matrix result = Matrix::Zero(components, places);
  Vector column(components);
  for (int64_t v = 0; v < words; ++v) {
    require_not_interrupted();
    probabilities.read(v, 0, components, column.data());
    result.col(place[static_cast<size_t>(v)]) += column;
  }
  return result;
}

/// sum_v p_v log p_v, with 0 log 0 = 0.
template <class Row>
double negative_entropy(const Row& p) {
  return (p > 0).select(p * p.log(), 0.0).sum();
}

/// Jensen-Shannon divergences of all pairs of rows: H((p + q) / 2) - (H(p) + H(q)) / 2, in nats.
Matrix divergences(const Matrix& p) {
  Matrix result = Matrix::Zero(p.rows(), p.rows());
  Vector own(p.rows());
  for (int64_t k = 0; k < p.rows(); ++k) own[k] = negative_entropy(p.row(k).array());
  linalg::eigen::ArrayXd mean(p.cols());
  for (int64_t k = 0; k < p.rows(); ++k) {
    require_not_interrupted();
    for (int64_t j = 0; j < k; ++j) {
      mean = 0.5 * (p.row(k) + p.row(j)).transpose().array();
      result(k, j) = result(j, k) = std::max(0.0, 0.5 * (own[k] + own[j]) - negative_entropy(mean));
    }
  }
  return result;
}

/// Inner products of centred points with these squared distances: -1/2 J S J with J = I - 1 1' / n.
Matrix inner_products(const Matrix& squares) {
  const Vector means = squares.rowwise().mean();
  Matrix centred = squares.colwise() - means;
  centred.rowwise() -= means.transpose();
  return -0.5 * (centred.array() + means.mean()).matrix();
}

/// Turns the columns into an orthonormal basis of their span (Gram and Schmidt, each column twice, which is enough);
/// one that depends on those before it becomes zero.
void make_orthonormal(Matrix& columns) {
  constexpr double rounding = 1e-13;
  for (int64_t d = 0; d < columns.cols(); ++d) {
    const double length = columns.col(d).norm();
    for (int time = 0; time < 2; ++time) {
      for (int64_t e = 0; e < d; ++e) columns.col(d) -= columns.col(e).dot(columns.col(d)) * columns.col(e);
    }
    const double left = columns.col(d).norm();
    if (left > rounding * length) {
      columns.col(d) /= left;
    } else {
      columns.col(d).setZero();
    }
  }
}

/// The two leading eigenvectors, each times the square root of its eigenvalue, by subspace iteration,
/// because only two of possibly thousands are needed. [n x 2]
Matrix principal_coordinates(const Matrix& products) {
  constexpr int64_t max_directions = 8;  // the more, the faster the two leading ones converge
  constexpr int max_rounds = 300;
  constexpr double precision = 1e-12;
  const int64_t n = products.rows(), directions = std::min(n, max_directions);
  Matrix basis(n, directions);
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t d = 0; d < directions; ++d) {
      basis(k, d) = std::cos(static_cast<double>(d + 1) * (static_cast<double>(k) * static_cast<double>(k + 1) + 1));
    }
  }
  const int64_t axes = std::min<int64_t>(2, n - 1);  // centred points have no more dimensions
  Matrix places = Matrix::Zero(n, 2), image(n, directions), small(directions, directions);
  linalg::Eigenvectors ritz(directions);
  double last = -1;
  for (int round = 1; axes > 0; ++round) {
    require_not_interrupted();
    make_orthonormal(basis);
    image.setZero();
    linalg::add_product(
        {products.data(), n, 1, basis.data(), directions, image.data(), directions, n, n, directions});
    small.setZero();
    linalg::add_product(
        {basis.data(), 1, directions, image.data(), directions, small.data(), directions, directions, n, directions});
    linalg::decompose(small.data(), directions, ritz);
    const auto leading = ritz.eigenvalues().tail(axes).reverse();
    if (round == max_rounds || std::abs(leading.sum() - last) <= precision * std::abs(leading.sum())) {
      const Matrix vectors = basis * ritz.eigenvectors().rightCols(axes).rowwise().reverse();
      places.leftCols(axes) = vectors * leading.cwiseMax(0.0).cwiseSqrt().asDiagonal();
      break;
    }
    last = leading.sum();
    basis = image;
  }
  return places;
}

/// Eigenvectors are unique up to sign: the point farthest from 0 gets a positive coordinate; the first one among
/// points that are equally far up to rounding.
void fix_signs(Matrix& places) {
  constexpr double farther = 1 + 1e-9;
  for (int64_t axis = 0; axis < places.cols(); ++axis) {
    double farthest = 0;
    for (int64_t k = 0; k < places.rows(); ++k) {
      if (std::abs(places(k, axis)) > std::abs(farthest) * farther) farthest = places(k, axis);
    }
    if (farthest < 0) places.col(axis) *= -1;
  }
}

}  // namespace

TopicDissimilarity topic_dissimilarity(std::string_view name) {
  if (name == "distance") return TopicDissimilarity::distance;
  if (name == "divergence") return TopicDissimilarity::divergence;
  throw Error(VTEMPER_ERROR_ARGUMENT,
              message("topics cannot be compared by ", quoted(name), "; valid values are distance and divergence",
                      nearest_names(name, {"distance", "divergence"})));
}

/// Classical scaling (Torgerson 1952).
void topic_map(const Model& model, TopicDissimilarity dissimilarity, double* places) {
  Matrix squares = divergences(word_probabilities(model));
  if (dissimilarity == TopicDissimilarity::divergence) squares = squares.cwiseAbs2().eval();
  Matrix coordinates = principal_coordinates(inner_products(squares));
  fix_signs(coordinates);
  linalg::matrix_of(places, coordinates.rows(), 2, 2) = coordinates;
}

}  // namespace vtemper
