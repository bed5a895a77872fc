// Speed of a local step of the factorial mixture beside its arithmetic limit on this machine:
//   limit   products whose operands stay in the L1 cache and whose sums stay in registers, doubles, one thread;
//   sums    the products of a step (rows on means, activations on rows) as the kernel does them, in the cache;
//   sweep   updates of activations, exponentials included;
//   step    whole local steps with statistics and bound.
// A step of N rows has 4 N K D flops for the products, 4 N K^2 for the pairs' statistics and the bound, and 2 K^2 a
// row and sweep.
//
//   factorial_mixture_bench [rows]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "data/data.h"
#include "kernels/dispatch.h"
#include "models/factorial_mixture/factorial_mixture.h"
#include "models/factorial_mixture/kernels.h"
#include "support/array.h"
#include "support/random_streams.h"
#include "support/text.h"

using namespace vtemper;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest time of a call: the machine is shared.
template <class Function>
double time_of(Function function, int stretches) {
  double best = INFINITY;
  for (int i = 0; i < stretches; ++i) {
    const double start = seconds();
    function();
    best = std::fmin(best, seconds() - start);
  }
  return best;
}

/// Flops per second of a product that fits a cache.
double product_speed(int64_t rows, int64_t inner, int64_t columns, int repeats) {
  const auto& table = kernels::instruction_set().double_precision;
  Array<double> a(static_cast<size_t>(rows * inner)), b(static_cast<size_t>(inner * columns)),
      c(static_cast<size_t>(rows * columns));
  a.fill(1.25);
  b.fill(0.75);
  const double elapsed = time_of(
      [&] {
        for (int i = 0; i < repeats; ++i) {
          table.add_product({a.data(), inner, 1, b.data(), columns, c.data(), columns, rows, inner, columns});
        }
      },
      20);
  return 2.0 * static_cast<double>(rows * inner * columns) * repeats / elapsed;
}

double sweep_speed(int64_t components) {
  const int64_t rows = kernels::activation_rows;
  const size_t size = static_cast<size_t>(components * rows);
  Array<double> gram(static_cast<size_t>(components * kernels::padded(components))), offsets(size), projections(size),
      inverse(static_cast<size_t>(rows)), nu(size), moving(static_cast<size_t>(rows));
  inverse.fill(1);
  nu.fill(0.3);
  const auto& table = kernels::model_kernels<kernels::FactorialMixtureKernels>();
  const double elapsed = time_of(
      [&] {
        for (int i = 0; i < 100; ++i) {
          moving.fill(1);
          table.sweep_activations({gram.data(), offsets.data(), projections.data(), inverse.data(), components, 0,
                                   nu.data(), moving.data()});
        }
      },
      20);
  return 100.0 * static_cast<double>(components * rows) / elapsed;
}

void step_speed(int64_t rows, int64_t columns, int64_t components, double limit) {
  std::vector<double> values(static_cast<size_t>(rows * columns));
  for (int64_t row = 0; row < rows; ++row) {
    RandomStream random(1, Purpose::evaluate, 0, static_cast<uint64_t>(row));
    for (int64_t d = 0; d < columns; ++d) values[static_cast<size_t>(row * columns + d)] = random.normal();
  }
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = columns;
  dense.column_stride = 1;
  const DataPointer data = data_from_dense(dense, false);
  Options options;
  options.set("components", number_text(components));
  const ModelKind& kind = factorial_mixture_kind;
  const std::unique_ptr<ConjugateModel> model =
      as_conjugate(kind.create(OptionValues(kind.options(), options, kind.name)));
  model->initialize(*data, 1);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), rows);
  LocalSettings settings;
  settings.bound = true;
  for (const int64_t sweeps : {1, 10}) {
    settings.iterations = sweeps;
    settings.tolerance = 0;
    const double elapsed = time_of([&] { work->local_step({data.get(), nullptr, 0, rows}, {}, settings); }, 10);
    const double k = static_cast<double>(components);
    const double flops = static_cast<double>(rows) *
                         (4 * k * static_cast<double>(columns) + 4 * k * k + 2 * k * k * static_cast<double>(sweeps));
    std::printf("step    D %5lld K %3lld, %2lld sweeps: %9.0f rows/s, %6.2f GFLOP/s = %3.0f %% of the limit\n",
                static_cast<long long>(columns), static_cast<long long>(components), static_cast<long long>(sweeps),
                static_cast<double>(rows) / elapsed, flops / elapsed / 1e9, 100 * flops / elapsed / limit);
  }
}

}  // namespace

int main(int count, char** words) {
  const int64_t rows = count > 1 ? std::atoll(words[1]) : 4096;
  // Products of one long row of sums, whose operands stay in the nearest cache: as near to registers alone as a
  // program that moves between instruction sets comes.
  const double limit = product_speed(6, 64, 16, 20000);
  std::printf("%s, one thread\n", kernels::instruction_set().name);
  std::printf("limit   %6.2f GFLOP/s\n", limit / 1e9);
  std::printf("sums    64 x 256 x 16: %6.2f, 16 x 64 x 256: %6.2f GFLOP/s\n", product_speed(64, 256, 16, 500) / 1e9,
              product_speed(16, 64, 256, 500) / 1e9);
  for (const int64_t components : {8, 16, 64}) {
    const double speed = sweep_speed(components);
    std::printf("sweep   K %3lld: %6.0f million activations/s, %6.2f GFLOP/s of sums\n",
                static_cast<long long>(components), speed / 1e6, 2 * speed * static_cast<double>(components) / 1e9);
  }
  step_speed(rows, 16, 8, limit);
  step_speed(rows, 196, 16, limit);
  step_speed(rows / 4, 2016, 16, limit);
  step_speed(rows, 196, 64, limit);
  return 0;
}
