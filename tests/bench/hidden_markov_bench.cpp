// The local step of the hidden Markov model (E log parameters, forward-backward, expected counts) on 3,000 synthetic
// sequences of the lengths of spoken digits, one thread, double: beside the machine's limit of fused multiplications
// and additions, which a loop over registers measures first, and beside a plain loop compiled like the library. All
// in one run, interleaved, best of several: the machine is shared.

#include <sys/resource.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "data/typed_array.h"
#include "kernels/dispatch.h"
#include "models/hidden_markov/hidden_markov.h"
#include "support/random_streams.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace vtemper;

namespace {

/// Processor time of this thread: others work on the machine as well.
double seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double time_of(const std::function<void()>& function) {
  const double start = seconds();
  function();
  return seconds() - start;
}

double megabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// ---- the limit ----

constexpr int64_t limit_rounds = 500000;
volatile double sink;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) double multiply_add_512() {
  __m512d sums[12];
  for (__m512d& sum : sums) sum = _mm512_set1_pd(1e-3);
  const __m512d factor = _mm512_set1_pd(0.999), term = _mm512_set1_pd(1e-3);
  for (int64_t i = 0; i < limit_rounds; ++i) {
#pragma GCC unroll 12
    for (__m512d& sum : sums) sum = _mm512_fmadd_pd(sum, factor, term);
  }
  for (const __m512d& sum : sums) sink = sum[0];
  return 12.0 * 8 * 2 * limit_rounds;
}

__attribute__((target("avx2,fma"))) double multiply_add_256() {
  __m256d sums[12];
  for (__m256d& sum : sums) sum = _mm256_set1_pd(1e-3);
  const __m256d factor = _mm256_set1_pd(0.999), term = _mm256_set1_pd(1e-3);
  for (int64_t i = 0; i < limit_rounds; ++i) {
#pragma GCC unroll 12
    for (__m256d& sum : sums) sum = _mm256_fmadd_pd(sum, factor, term);
  }
  for (const __m256d& sum : sums) sink = sum[0];
  return 12.0 * 4 * 2 * limit_rounds;
}
#endif

/// Floating-point operations of the loop, of the widest kind the library may use here; 0 where none is known.
double run_limit() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return multiply_add_512();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return multiply_add_256();
#endif
  return 0;
}

// ---- the plain loop ----

/// Scaled forward-backward as the textbook writes it; adds to the counts.
void plain_sequence(const std::vector<double>& initial, const std::vector<double>& a, const std::vector<double>& b,
                    size_t states, size_t symbols, const int32_t* x, size_t length,
                    std::vector<double>& counts_initial, std::vector<double>& counts_a,
                    std::vector<double>& counts_b) {
  std::vector<double> alpha(length * states), beta(length * states), scale(length);
  for (size_t t = 0; t < length; ++t) {
    for (size_t j = 0; j < states; ++j) {
      double sum = t == 0 ? initial[j] : 0;
      for (size_t i = 0; t > 0 && i < states; ++i) sum += alpha[(t - 1) * states + i] * a[i * states + j];
      alpha[t * states + j] = sum * b[j * symbols + static_cast<size_t>(x[t])];
      scale[t] += alpha[t * states + j];
    }
    for (size_t j = 0; j < states; ++j) alpha[t * states + j] /= scale[t];
  }
  for (size_t t = length; t-- > 0;) {
    for (size_t i = 0; i < states; ++i) {
      double sum = t + 1 == length ? 1 : 0;
      for (size_t j = 0; t + 1 < length && j < states; ++j) {
        sum += a[i * states + j] * b[j * symbols + static_cast<size_t>(x[t + 1])] * beta[(t + 1) * states + j];
      }
      beta[t * states + i] = t + 1 < length ? sum / scale[t + 1] : sum;
      const double occupancy = alpha[t * states + i] * beta[t * states + i];
      counts_b[i * symbols + static_cast<size_t>(x[t])] += occupancy;
      if (t == 0) counts_initial[i] += occupancy;
    }
    for (size_t i = 0; t + 1 < length && i < states; ++i) {
      for (size_t j = 0; j < states; ++j) {
        counts_a[i * states + j] += alpha[t * states + i] * a[i * states + j] *
                                    b[j * symbols + static_cast<size_t>(x[t + 1])] * beta[(t + 1) * states + j] /
                                    scale[t + 1];
      }
    }
  }
}

// ---- the problem ----

constexpr int64_t sequences = 3000, alphabet = 256;

DataPointer synthetic_data() {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> symbols;
  for (int64_t n = 0; n < sequences; ++n) {
    RandomStream random(1, Purpose::initialize, 0, static_cast<uint64_t>(n));
    // From 7 to 141, 26 on average, as spoken digits are.
    const auto length = static_cast<int64_t>(std::min(141.0, 7 + random.gamma(4) * 4.7));
    uint64_t symbol = random.below(alphabet);
    for (int64_t t = 0; t < length; ++t) {
      symbols.push_back(static_cast<int32_t>(symbol));
      symbol = random.uniform() < 0.8 ? (symbol + random.below(16)) % alphabet : random.below(alphabet);
    }
    offsets.push_back(static_cast<int64_t>(symbols.size()));
  }
  SequenceArrays arrays;
  arrays.rows = sequences;
  arrays.columns = alphabet;
  arrays.offsets = typed_array(offsets.data());
  arrays.symbols = typed_array(symbols.data());
  return data_from_sequences(arrays, nullptr);
}

std::vector<double> parameter(const ConjugateModel& model, const char* name, int64_t rows, int64_t columns) {
  std::vector<double> values(static_cast<size_t>(rows * columns));
  model.read_parameter(name, {values.data(), columns, 1});
  return values;
}

void measure(const Data& data, int64_t states) {
  Options options;
  options.set("states", std::to_string(states));
  const auto model =
      as_conjugate(hidden_markov_kind.create(OptionValues(hidden_markov_kind.options(), options, "hidden_markov")));
  model->initialize(data, 1);
  const std::vector<double> initial = parameter(*model, "initial.mean", 1, states);
  const std::vector<double> a = parameter(*model, "transition.mean", states, states);
  const std::vector<double> b = parameter(*model, "emission.mean", states, alphabet);
  std::vector<double> counts_initial(initial.size()), counts_a(a.size()), counts_b(b.size());
  std::vector<int32_t> x;

  const double before = megabytes();
  const auto work = model->begin_fit(&data, data.rows());
  const LocalSettings settings;
  const auto step = [&] { work->local_step({&data, nullptr, 0, data.rows()}, {}, settings); };
  const auto plain = [&] {
    for (int64_t row = 0; row < data.rows(); ++row) {
      const int64_t length = data.sequences().row_length(row);
      x.resize(static_cast<size_t>(length));
      data.sequences().read_row(row, length, x.data());
      plain_sequence(initial, a, b, static_cast<size_t>(states), alphabet, x.data(), x.size(), counts_initial,
                     counts_a, counts_b);
    }
  };
  step();
  const double memory = megabytes() - before;
  double limit = 0, best_step = 1e300, best_plain = 1e300;
  for (int round = 0; round < 60; ++round) {
    double operations = 0;
    const double time = time_of([&] { operations = run_limit(); });
    limit = std::max(limit, operations / time);
    best_step = std::min(best_step, time_of(step));
    if (round % 6 == 0) best_plain = std::min(best_plain, time_of(plain));
  }
  const double symbols = data_total(data);
  const double useful = 3 * 2 * static_cast<double>(states * states) * (symbols - sequences);
  std::printf("%3d states: %.2f M symbols/s, %.1f useful GFLOP/s", static_cast<int>(states),
              1e-6 * symbols / best_step, 1e-9 * useful / best_step);
  if (limit > 0) std::printf(", %.0f %% of the limit of %.1f", 100 * useful / best_step / limit, 1e-9 * limit);
  std::printf("; plain loop %.2f M symbols/s, ratio %.1f; %.1f MB for the step\n", 1e-6 * symbols / best_plain,
              best_plain / best_step, memory);
}

}  // namespace

int main() {
  const DataPointer data = synthetic_data();
  std::printf("instruction set %s; %d sequences, %.0f symbols, alphabet of %d\n", kernels::instruction_set().name,
              static_cast<int>(sequences), data_total(*data), static_cast<int>(alphabet));
  for (const int64_t states : {10, 50}) measure(*data, states);
  return 0;
}
