#include "topic_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* Limit on pairs of topics times words: a few seconds. */
static const double most_comparisons = 3e8;
/* Vectors iterated simultaneously; the more there are, the faster the two wanted ones converge. */
enum { DIRECTIONS = 8, LEAST_BINS = 200, MOST_ROUNDS = 300, SWEEPS = 50 };

typedef struct WordShare {
  double share;
  int64_t word;
} WordShare;

static int commoner_first(const void* a, const void* b) {
  const WordShare *left = a, *right = b;
  if (left->share != right->share) return left->share < right->share ? 1 : -1;
  return left->word < right->word ? -1 : 1;
}

/* Probabilities of the `bins - 1` most frequent words and of all others together, [count x bins]. Merging words can
 * only reduce distances between topics, by what the rare words contribute. */
static double* lump(const double* topics, int64_t count, int64_t words, int64_t bins) {
  double* lumped = allocate((size_t)count * (size_t)bins, sizeof *lumped);
  if (bins == words) {
    memcpy(lumped, topics, (size_t)count * (size_t)words * sizeof *lumped);
    return lumped;
  }
  WordShare* shares = allocate((size_t)words, sizeof *shares);
  for (int64_t v = 0; v < words; ++v) shares[v] = (WordShare){0, v};
  for (int64_t k = 0; k < count; ++k) {
    for (int64_t v = 0; v < words; ++v) shares[v].share += topics[k * words + v];
  }
  qsort(shares, (size_t)words, sizeof *shares, commoner_first);
  for (int64_t k = 0; k < count; ++k) {
    double rest = 0;
    for (int64_t i = bins - 1; i < words; ++i) rest += topics[k * words + shares[i].word];
    for (int64_t i = 0; i < bins - 1; ++i) lumped[k * bins + i] = topics[k * words + shares[i].word];
    lumped[k * bins + bins - 1] = rest;
  }
  free(shares);
  return lumped;
}

static double negative_entropy(const double* p, int64_t bins) {
  double sum = 0;
  for (int64_t i = 0; i < bins; ++i) sum += p[i] > 0 ? p[i] * log(p[i]) : 0;
  return sum;
}

/* Squared dissimilarities of all pairs, [count x count]. JS = H((p + q) / 2) - (H(p) + H(q)) / 2. */
static double* squared_distances(const double* p, int64_t count, int64_t bins, TopicDistance distance) {
  double* squares = allocate((size_t)count * (size_t)count, sizeof *squares);
  double* own = allocate((size_t)count, sizeof *own);
  for (int64_t k = 0; k < count; ++k) own[k] = negative_entropy(p + k * bins, bins);
  for (int64_t k = 0; k < count; ++k) {
    squares[k * count + k] = 0;
    for (int64_t j = 0; j < k; ++j) {
      double mixed = 0;
      for (int64_t i = 0; i < bins; ++i) {
        const double mean = 0.5 * (p[k * bins + i] + p[j * bins + i]);
        mixed += mean > 0 ? mean * log(mean) : 0;
      }
      const double divergence = fmax(0, 0.5 * (own[k] + own[j]) - mixed);
      const double square = distance == JENSEN_SHANNON_DISTANCE ? divergence : divergence * divergence;
      squares[k * count + j] = squares[j * count + k] = square;
    }
  }
  free(own);
  return squares;
}

/* Double centring, in place: -1/2 times the squares with rows and columns centred, which gives inner products of the
 * coordinates. */
static void centre(double* squares, int64_t count) {
  double* means = allocate((size_t)count, sizeof *means);
  double all = 0;
  for (int64_t k = 0; k < count; ++k) {
    means[k] = 0;
    for (int64_t j = 0; j < count; ++j) means[k] += squares[k * count + j] / (double)count;
    all += means[k] / (double)count;
  }
  for (int64_t k = 0; k < count; ++k) {
    for (int64_t j = 0; j < count; ++j) {
      squares[k * count + j] = -0.5 * (squares[k * count + j] - means[k] - means[j] + all);
    }
  }
  free(means);
}

/* Gram-Schmidt, twice for numerical accuracy; directions that vanish become zero. [directions x count] */
static void orthonormalise(double* basis, int directions, int64_t count) {
  for (int d = 0; d < directions; ++d) {
    double* own = basis + d * count;
    for (int round = 0; round < 2; ++round) {
      for (int e = 0; e < d; ++e) {
        const double* other = basis + e * count;
        double product = 0;
        for (int64_t k = 0; k < count; ++k) product += own[k] * other[k];
        for (int64_t k = 0; k < count; ++k) own[k] -= product * other[k];
      }
    }
    double norm = 0;
    for (int64_t k = 0; k < count; ++k) norm += own[k] * own[k];
    norm = sqrt(norm);
    for (int64_t k = 0; k < count; ++k) own[k] = norm > 1e-200 ? own[k] / norm : 0;
  }
}

/* rows = basis * matrix, for a symmetric matrix. */
static void multiply(const double* matrix, const double* basis, int directions, int64_t count, double* rows) {
  for (int d = 0; d < directions; ++d) {
    for (int64_t k = 0; k < count; ++k) {
      double sum = 0;
      for (int64_t j = 0; j < count; ++j) sum += matrix[k * count + j] * basis[d * count + j];
      rows[d * count + k] = sum;
    }
  }
}

/* Eigenvalues (on the diagonal) and eigenvectors (rows of `vectors`) of a small symmetric matrix, by Jacobi
 * rotations. */
static void diagonalise(double* matrix, double* vectors, int size) {
  for (int i = 0; i < size * size; ++i) vectors[i] = i % (size + 1) == 0;
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    for (int p = 0; p < size; ++p) {
      for (int q = p + 1; q < size; ++q) {
        const double off = matrix[p * size + q];
        if (off == 0) continue;
        const double theta = (matrix[q * size + q] - matrix[p * size + p]) / (2 * off);
        const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int i = 0; i < size; ++i) {
          const double a = matrix[i * size + p], b = matrix[i * size + q];
          matrix[i * size + p] = c * a - s * b;
          matrix[i * size + q] = s * a + c * b;
        }
        for (int i = 0; i < size; ++i) {
          const double a = matrix[p * size + i], b = matrix[q * size + i];
          matrix[p * size + i] = c * a - s * b;
          matrix[q * size + i] = s * a + c * b;
          const double u = vectors[p * size + i], w = vectors[q * size + i];
          vectors[p * size + i] = c * u - s * w;
          vectors[q * size + i] = s * u + c * w;
        }
      }
    }
  }
}

/* The two eigenvectors with the largest positive eigenvalues, scaled by their square roots, by subspace iteration. */
static void place_topics(const double* products, int64_t count, double* places) {
  const int directions = count < DIRECTIONS ? (int)count : DIRECTIONS;
  double* basis = allocate((size_t)directions * (size_t)count, sizeof *basis);
  double* next = allocate((size_t)directions * (size_t)count, sizeof *next);
  for (int d = 0; d < directions; ++d) {
    for (int64_t k = 0; k < count; ++k) basis[d * count + k] = cos((double)(d + 1) * (double)(k * k + k + 1));
  }
  double small[DIRECTIONS * DIRECTIONS], vectors[DIRECTIONS * DIRECTIONS], last = -1;
  int best[2] = {0, 0};
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    orthonormalise(basis, directions, count);
    multiply(products, basis, directions, count, next);
    for (int d = 0; d < directions; ++d) {
      for (int e = 0; e < directions; ++e) {
        double product = 0;
        for (int64_t k = 0; k < count; ++k) product += basis[d * count + k] * next[e * count + k];
        small[d * directions + e] = product;
      }
    }
    for (int d = 0; d < directions; ++d) { /* rounding must not make it asymmetric */
      for (int e = 0; e < d; ++e) small[d * directions + e] = small[e * directions + d];
    }
    diagonalise(small, vectors, directions);
    best[0] = 0;
    for (int d = 1; d < directions; ++d) {
      if (small[d * (directions + 1)] > small[best[0] * (directions + 1)]) best[0] = d;
    }
    best[1] = best[0] == 0 && directions > 1 ? 1 : 0;
    for (int d = 0; d < directions; ++d) {
      if (d != best[0] && small[d * (directions + 1)] > small[best[1] * (directions + 1)]) best[1] = d;
    }
    const double now = small[best[0] * (directions + 1)] + small[best[1] * (directions + 1)];
    if (round == MOST_ROUNDS - 1 || fabs(now - last) <= 1e-12 * fabs(now)) break;
    last = now;
    double* swap = basis;
    basis = next;
    next = swap;
  }
  for (int axis = 0; axis < 2; ++axis) {
    const double value = small[best[axis] * (directions + 1)];
    const double scale = count > axis + 1 && value > 0 ? sqrt(value) : 0;
    double largest = 0;
    for (int64_t k = 0; k < count; ++k) {
      double at = 0;
      for (int d = 0; d < directions; ++d) at += vectors[best[axis] * directions + d] * basis[d * count + k];
      places[2 * k + axis] = scale * at;
      if (fabs(places[2 * k + axis]) > fabs(largest) * (1 + 1e-9)) largest = places[2 * k + axis];
    }
    /* Eigenvectors are unique up to sign; the topic farthest from 0 gets a positive coordinate. */
    for (int64_t k = 0; k < count && largest < 0; ++k) places[2 * k + axis] = -places[2 * k + axis];
  }
  free(next);
  free(basis);
}

void topic_map(const double* topics, int64_t count, int64_t words, TopicDistance distance, double* places) {
  const double pairs = 0.5 * (double)count * (double)count;
  int64_t bins = (int64_t)fmax(LEAST_BINS, most_comparisons / pairs);
  if (bins > words) bins = words;
  double* lumped = lump(topics, count, words, bins);
  double* products = squared_distances(lumped, count, bins, distance);
  centre(products, count);
  place_topics(products, count, places);
  free(products);
  free(lumped);
}
