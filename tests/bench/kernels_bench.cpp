// Speed of the kernels: nanoseconds per element of each function, and word-topic updates per second of the local
// problem of a document beside the machine's limit for it: the same two products for every word, without the update
// of the topics.
//
//   kernels_bench [instruction set]
//   kernels_bench limit K words     documents per second of nothing but 20 times these products and exp(digamma) of K

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#if defined(__x86_64__)
// GCC 12 takes the undefined registers inside its own intrinsics for uninitialised variables.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif

#include "kernels/dispatch.h"
#include "models/lda/kernels.h"

using namespace vtemper::kernels;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest time of one call among many stretches of at least 1 ms: the machine is shared.
template <class Function>
double time_of(Function function) {
  double best = 1e300;
  int64_t calls = 1;
  for (int stretch = 0; stretch < 40;) {
    const double start = seconds();
    for (int64_t i = 0; i < calls; ++i) function();
    const double elapsed = seconds() - start;
    if (elapsed < 0.001) {
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
void measure_functions(const InstructionSet& set) {
  const auto& functions = table<Real>(set);
  const auto& of_topics = table<Real>(model_kernels<LdaKernels>(set));
  constexpr int64_t n = 4096;
  const auto x = allocate<Real>(n, 1), y = allocate<Real>(n, 1);
  Numbers numbers;
  for (int64_t i = 0; i < n; ++i) x.get()[i] = static_cast<Real>(std::exp(8.0 * numbers.next() - 4.0));
  const auto per_element = [&](void (*function)(const Real*, Real*, int64_t)) {
    return 1e9 / n * time_of([&] { function(x.get(), y.get(), n); });
  };
  std::printf(
      "  exponential %.3f  logarithm %.3f  digamma %.3f  trigamma %.3f  log_gamma %.3f  exponential_digamma %.3f\n",
      per_element(functions.exponential), per_element(functions.logarithm), per_element(functions.digamma),
      per_element(functions.trigamma), per_element(functions.log_gamma), per_element(functions.exponential_digamma));
  volatile double kept = 0;
  for (const double s : {1.0, 0.5}) {
    for (const int64_t topics : {100, 500}) {
      const double time =
          time_of([&] { kept = of_topics.dirichlet_exponential(x.get(), static_cast<Real>(s), topics, y.get()); });
      std::printf("  dirichlet_exponential(s %.1f, K %d) %.3f", s, static_cast<int>(topics),
                  1e9 / static_cast<double>(topics) * time);
    }
  }
  std::printf("\n  sum %.3f  dot %.3f  ns an element\n", 1e9 / n * time_of([&] { kept = functions.sum(x.get(), n); }),
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

  DocumentResult solve(const LdaTable<Real>& functions, double s, int64_t iterations) {
    for (int64_t k = 0; k < row; ++k) gamma[k] = 1;
    return functions.document({rows.data(), counts.data(), words, topics, alpha, static_cast<Real>(s), iterations,
                               Real(0), gamma, weights, ratios.data(), scratch});
  }
};

#if defined(__x86_64__)
// The two products of every word in plain intrinsics, 8 rows at a time: r = n / (a . row), sums += r row. The
// machine's limit for the local problem in float; the update of the topics comes on top of it.

__attribute__((target("avx512f,fma"))) void plain_products_avx512(const float* const* rows, const float* counts,
                                                                  int64_t words, const float* a, int64_t end,
                                                                  float* sums) {
  for (int64_t w = 0; w + 8 <= words; w += 8) {
    __m512 lanes[8], ratios[8];
    const float* row[8];
    for (int j = 0; j < 8; ++j) row[j] = rows[w + j];
    for (int j = 0; j < 8; ++j) lanes[j] = _mm512_setzero_ps();
    for (int64_t k = 0; k < end; k += 16) {
      const __m512 a_k = _mm512_load_ps(a + k);
      for (int j = 0; j < 8; ++j) lanes[j] = _mm512_fmadd_ps(a_k, _mm512_load_ps(row[j] + k), lanes[j]);
    }
    for (int j = 0; j < 8; ++j) ratios[j] = _mm512_set1_ps(counts[w + j] / _mm512_reduce_add_ps(lanes[j]));
    for (int64_t k = 0; k < end; k += 16) {
      __m512 sum = _mm512_load_ps(sums + k);
      for (int j = 0; j < 8; ++j) sum = _mm512_fmadd_ps(ratios[j], _mm512_load_ps(row[j] + k), sum);
      _mm512_store_ps(sums + k, sum);
    }
  }
}

__attribute__((target("avx2,fma"))) void plain_products_avx2(const float* const* rows, const float* counts,
                                                             int64_t words, const float* a, int64_t end,
                                                             float* sums) {
  for (int64_t w = 0; w + 8 <= words; w += 8) {
    __m256 lanes[8], ratios[8];
    const float* row[8];
    for (int j = 0; j < 8; ++j) row[j] = rows[w + j];
    for (int j = 0; j < 8; ++j) lanes[j] = _mm256_setzero_ps();
    for (int64_t k = 0; k < end; k += 8) {
      const __m256 a_k = _mm256_load_ps(a + k);
      for (int j = 0; j < 8; ++j) lanes[j] = _mm256_fmadd_ps(a_k, _mm256_load_ps(row[j] + k), lanes[j]);
    }
    for (int j = 0; j < 8; ++j) {
      const __m128 half = _mm_add_ps(_mm256_castps256_ps128(lanes[j]), _mm256_extractf128_ps(lanes[j], 1));
      const __m128 pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
      ratios[j] = _mm256_set1_ps(counts[w + j] / _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps(pair, pair, 1))));
    }
    for (int64_t k = 0; k < end; k += 8) {
      __m256 sum = _mm256_load_ps(sums + k);
      for (int j = 0; j < 8; ++j) sum = _mm256_fmadd_ps(ratios[j], _mm256_load_ps(row[j] + k), sum);
      _mm256_store_ps(sums + k, sum);
    }
  }
}

using Plain = void (*)(const float* const*, const float*, int64_t, const float*, int64_t, float*);
struct Limit {
  const char* name;
  bool available;
  Plain function;
};

std::vector<Limit> plain_loops() {
  return {{"AVX-512", __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"), plain_products_avx512},
          {"AVX2", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), plain_products_avx2}};
}

/// Words in whole eights take the time of as many as there are.
double limit_of_documents(int64_t topics, int64_t words) {
  constexpr double updates = 20;
  const Table<float>& functions = available_instruction_sets().front()->single_precision;
  const int64_t whole = (words + 7) / 8 * 8;
  Problem<float> problem(topics, whole);
  double best = 0;
  for (const Limit& limit : plain_loops()) {
    if (!limit.available) continue;
    const double products = time_of([&] {
      limit.function(problem.rows.data(), problem.counts.data(), whole, problem.alpha, problem.row, problem.scratch);
    });
    const double exponentials =
        time_of([&] { functions.exponential_digamma(problem.alpha, problem.weights, topics); });
    const double share = static_cast<double>(words) / static_cast<double>(whole);
    best = std::fmax(best, 1 / (updates * (products * share + exponentials)));
  }
  return best;
}

void measure_limits() {
  const std::vector<Limit> limits = plain_loops();
  for (const Limit& limit : limits) {
    if (!limit.available) continue;
    for (const int64_t topics : {20, 100, 500}) {
      std::printf("plain products, %s, float, K %3d:", limit.name, static_cast<int>(topics));
      for (const int64_t words : {24, 64, 152}) {
        Problem<float> problem(topics, words);
        const double time = time_of([&] {
          limit.function(problem.rows.data(), problem.counts.data(), words, problem.alpha, problem.row,
                         problem.scratch);
        });
        std::printf("  %d words %6.2f G updates/s", static_cast<int>(words),
                    static_cast<double>(topics * words) / time * 1e-9);
      }
      std::printf("\n");
    }
  }
}
#else
double limit_of_documents(int64_t, int64_t) {
  return std::nan("");
}
void measure_limits() {}
#endif

template <class Real>
void measure_documents(const LdaTable<Real>& functions) {
  for (const double s : {1.0, 0.5}) {
    for (const int64_t topics : {20, 100, 500}) {
      std::printf("  document s %.1f K %3d:", s, static_cast<int>(topics));
      for (const int64_t words : {26, 60, 150}) {
        Problem<Real> problem(topics, words);
        constexpr int64_t iterations = 20;
        const double time = time_of([&] { problem.solve(functions, s, iterations); });
        const double updates = static_cast<double>(topics * words * iterations);
        std::printf("  %d words %6.2f G updates/s, %7.0f documents/s;", static_cast<int>(words),
                    updates / time * 1e-9, 1.0 / time);
      }
      std::printf("\n");
    }
  }
}

template <class Real>
void measure_statistics(const LdaTable<Real>& functions) {
  for (const int64_t topics : {20, 100, 500}) {
    std::printf("  word_statistics K %3d:", static_cast<int>(topics));
    for (const int64_t count : {1, 3, 26, 150}) {
      Problem<Real> problem(topics, count);
      volatile double kept = 0;
      const double time = time_of([&] {
        kept = functions.word_statistics(problem.rows.data(), problem.counts.data(), count, problem.alpha,
                                         problem.alpha, topics, problem.weights, nullptr, problem.scratch);
      });
      std::printf("  %d documents %6.2f G/s", static_cast<int>(count),
                  static_cast<double>(topics * count) / time * 1e-9);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 4 && std::strcmp(arguments[1], "limit") == 0) {
    std::printf("%.1f\n", limit_of_documents(std::atoll(arguments[2]), std::atoll(arguments[3])));
    return 0;
  }
  measure_limits();
  for (const InstructionSet* set : available_instruction_sets()) {
    if (count > 1 && std::strcmp(arguments[1], set->name) != 0) continue;
    const auto& of_topics = model_kernels<LdaKernels>(*set);
    std::printf("%s, float\n", set->name);
    measure_functions<float>(*set);
    measure_documents(of_topics.single_precision);
    measure_statistics(of_topics.single_precision);
    std::printf("%s, double\n", set->name);
    measure_functions<double>(*set);
    measure_documents(of_topics.double_precision);
    measure_statistics(of_topics.double_precision);
  }
  return 0;
}
