// Speed of the kernels: nanoseconds an element of each function, and word-topic updates a second of the local problem of a
// document beside the machine's limit for it: the same two products for every word, without the update of the topics.
//
//   kernels_bench [instruction set]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/dispatch.h"

using namespace vtemper::kernels;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest time of one call among several stretches of at least 20 ms.
template <class Function>
double time_of(Function function) {
  double best = 1e300;
  int64_t calls = 1;
  for (int stretch = 0; stretch < 7;) {
    const double start = seconds();
    for (int64_t i = 0; i < calls; ++i) function();
    const double elapsed = seconds() - start;
    if (elapsed < 0.02) {
      calls *= 2;
      continue;
    }
    best = std::fmin(best, elapsed / static_cast<double>(calls));
    ++stretch;
  }
  return best;
}

template <class Real>
using Aligned = std::unique_ptr<Real, decltype(&std::free)>;

template <class Real>
Aligned<Real> allocate(int64_t n, Real value) {
  const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(Real) + 63) / 64 * 64;
  Aligned<Real> memory(static_cast<Real*>(std::aligned_alloc(64, bytes)), std::free);
  for (int64_t i = 0; i < n; ++i) memory.get()[i] = value;
  return memory;
}

/// Numbers in (0, 1) from a linear congruence.
struct Numbers {
  uint64_t state = 1;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
  }
};

template <class Real>
void measure_functions(const Table<Real>& functions) {
  constexpr int64_t n = 4096;
  const auto x = allocate<Real>(n, 1), y = allocate<Real>(n, 1);
  Numbers numbers;
  for (int64_t i = 0; i < n; ++i) x.get()[i] = static_cast<Real>(std::exp(8.0 * numbers.next() - 4.0));
  const auto per_element = [&](void (*function)(const Real*, Real*, int64_t)) {
    return 1e9 / n * time_of([&] { function(x.get(), y.get(), n); });
  };
  std::printf("  exponential %.3f  logarithm %.3f  digamma %.3f  trigamma %.3f  log_gamma %.3f  exponential_digamma %.3f\n",
              per_element(functions.exponential), per_element(functions.logarithm), per_element(functions.digamma),
              per_element(functions.trigamma), per_element(functions.log_gamma),
              per_element(functions.exponential_digamma));
  volatile double kept = 0;
  for (const double s : {1.0, 0.5}) {
    for (const int64_t topics : {100, 500}) {
      const double time =
          time_of([&] { kept = functions.dirichlet_exponential(x.get(), static_cast<Real>(s), topics, y.get()); });
      std::printf("  dirichlet_exponential(s %.1f, K %d) %.3f", s, static_cast<int>(topics),
                  1e9 / static_cast<double>(topics) * time);
    }
  }
  std::printf("\n  sum %.3f  dot %.3f  ns an element\n",
              1e9 / n * time_of([&] { kept = functions.sum(x.get(), n); }),
              1e9 / n * time_of([&] { kept = functions.dot(x.get(), y.get(), n); }));
}

template <class Real>
struct Problem {
  int64_t topics, words, row;
  Aligned<Real> memory;
  std::vector<const Real*> rows;
  std::vector<Real> counts, ratios;
  Real *alpha, *gamma, *weights, *scratch;

  Problem(int64_t K, int64_t W)
      : topics(K),
        words(W),
        row(padded(K)),
        memory(allocate<Real>((W + 4) * padded(K), 0)),
        counts(static_cast<std::size_t>(W), 1),
        ratios(static_cast<std::size_t>(W)) {
    Numbers numbers;
    for (int64_t w = 0; w < W; ++w) {
      Real* const b = memory.get() + w * row;
      for (int64_t k = 0; k < K; ++k) b[k] = static_cast<Real>(std::pow(numbers.next(), 4.0));
      rows.push_back(b);
    }
    alpha = memory.get() + W * row;
    gamma = alpha + row;
    weights = gamma + row;
    scratch = weights + row;
    for (int64_t k = 0; k < row; ++k) alpha[k] = k < K ? Real(0.1) : Real(1);
  }

  DocumentResult solve(const Table<Real>& functions, double s, int64_t iterations) {
    for (int64_t k = 0; k < row; ++k) gamma[k] = 1;
    return functions.document({rows.data(), counts.data(), words, topics, alpha, static_cast<Real>(s), iterations,
                               Real(0), gamma, weights, ratios.data(), scratch});
  }
};

/// The best that plain code does for the two products: written for the compiler's own vectors, 8 rows at a time.
template <class Real, int bytes>
struct Limit {
  typedef Real Vector __attribute__((vector_size(bytes), aligned(bytes), may_alias));
  static constexpr int64_t width = bytes / static_cast<int64_t>(sizeof(Real));
};

template <class Real>
void measure_documents(const Table<Real>& functions) {
  for (const double s : {1.0, 0.5}) {
    for (const int64_t topics : {20, 100, 500}) {
      std::printf("  document s %.1f K %3d:", s, static_cast<int>(topics));
      for (const int64_t words : {26, 60, 150}) {
        Problem<Real> problem(topics, words);
        constexpr int64_t iterations = 20;
        const double time = time_of([&] { problem.solve(functions, s, iterations); });
        const double updates = static_cast<double>(topics * words * iterations);
        std::printf("  %d words %6.2f G updates/s, %7.0f documents/s;", static_cast<int>(words), updates / time * 1e-9,
                    1.0 / time);
      }
      std::printf("\n");
    }
  }
}

template <class Real>
void measure_statistics(const Table<Real>& functions) {
  for (const int64_t topics : {20, 100, 500}) {
    std::printf("  word_statistics K %3d:", static_cast<int>(topics));
    for (const int64_t count : {1, 3, 26, 150}) {
      Problem<Real> problem(topics, count);
      volatile double kept = 0;
      const double time = time_of([&] {
        kept = functions.word_statistics(problem.rows.data(), problem.counts.data(), count, problem.alpha, problem.alpha,
                                         topics, problem.weights, problem.scratch);
      });
      std::printf("  %d documents %6.2f G/s", static_cast<int>(count),
                  static_cast<double>(topics * count) / time * 1e-9);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  for (const InstructionSet* set : available_instruction_sets()) {
    if (count > 1 && std::strcmp(arguments[1], set->name) != 0) continue;
    std::printf("%s, float\n", set->name);
    measure_functions(set->single_precision);
    measure_documents(set->single_precision);
    measure_statistics(set->single_precision);
    std::printf("%s, double\n", set->name);
    measure_functions(set->double_precision);
    measure_documents(set->double_precision);
    measure_statistics(set->double_precision);
  }
  return 0;
}
