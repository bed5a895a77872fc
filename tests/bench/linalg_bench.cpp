// Who computes products, Cholesky factors and inverses fastest: our own kernel, Eigen (compiled for the baseline
// processor), OpenBLAS in the tiles in which the library calls it, and OpenBLAS in one call. GFLOP/s; one thread if
// OPENBLAS_NUM_THREADS=1.
//
//   OPENBLAS_NUM_THREADS=1 linalg_bench [quick]

#include <cblas.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "kernels/dispatch.h"
#include "linalg/definite.h"
#include "linalg/eigen.h"
#include "linalg/products.h"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info);
}

namespace {

using namespace vtemper;
namespace eigen = linalg::eigen;

bool quick = false;

/// CPU seconds of the calling thread.
double seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least time of one call in a few rounds of at least 20 ms.
template <class Function>
double time_of(const Function& function) {
  double best = 1e300;
  for (int round = 0; round < (quick ? 2 : 4); ++round) {
    const double start = seconds();
    int64_t calls = 0;
    double elapsed = 0;
    while (elapsed < 0.02) {
      function();
      ++calls;
      elapsed = seconds() - start;
    }
    best = std::min(best, elapsed / static_cast<double>(calls));
  }
  return best;
}

template <class Real>
using Numbers = eigen::Matrix<Real, eigen::Dynamic, eigen::Dynamic, eigen::RowMajor>;

void call_blas(const float* a, const float* b, float* c, int m, int k, int n) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 1, c, n);
}
void call_blas(const double* a, const double* b, double* c, int m, int k, int n) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 1, c, n);
}

/// As the library uses it: doubles with tiles of b copied, floats as they are.
void call_kernel(const Numbers<double>& a, const Numbers<double>& b, Numbers<double>& c) {
  linalg::add_product({a.data(), a.cols(), 1, b.data(), b.cols(), c.data(), b.cols(), a.rows(), a.cols(), b.cols()},
                      linalg::Engine::kernel);
}
void call_kernel(const Numbers<float>& a, const Numbers<float>& b, Numbers<float>& c) {
  kernels::instruction_set().single_precision.add_product(
      {a.data(), a.cols(), 1, b.data(), b.cols(), c.data(), b.cols(), a.rows(), a.cols(), b.cols()});
}

template <class Real>
void measure_product(int64_t rows, int64_t inner, int64_t columns) {
  const Numbers<Real> a = Numbers<Real>::Random(rows, inner), b = Numbers<Real>::Random(inner, columns);
  Numbers<Real> c = Numbers<Real>::Zero(rows, columns);
  const double operations =
      2e-9 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns);
  const double kernel = operations / time_of([&] { call_kernel(a, b, c); });
  const double eigens = operations / time_of([&] { c.noalias() += a * b; });
  double tiles = 0;
  if constexpr (sizeof(Real) == sizeof(double)) {
    tiles = operations / time_of([&] {
              linalg::add_product({a.data(), inner, 1, b.data(), columns, c.data(), columns, rows, inner, columns},
                                  linalg::Engine::openblas);
            });
  }
  const double whole = operations / time_of([&] {
                         call_blas(a.data(), b.data(), c.data(), static_cast<int>(rows), static_cast<int>(inner),
                                   static_cast<int>(columns));
                       });
  std::printf("| %s | %ld x %ld x %ld | %.1f | %.1f | ", sizeof(Real) == sizeof(double) ? "double" : "float", rows,
              inner, columns, kernel, eigens);
  if (tiles > 0) {
    std::printf("%.1f | %.1f |\n", tiles, whole);
  } else {
    std::printf("| %.1f |\n", whole);
  }
  std::fflush(stdout);
}

/// GFLOP/s of the factor (n^3 / 3 operations) and of factor and inverse together (n^3).
void measure_definite(int64_t n) {
  linalg::Matrix a = linalg::Matrix::Random(n, n);
  a = (a * a.transpose()).eval();
  a.diagonal().array() += static_cast<double>(n);
  linalg::Matrix factor = a, inverse = a, columns = a;
  linalg::DefiniteWork work(n);
  const double cube = 1e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  const int size = static_cast<int>(n);
  const auto ours = [&] {
    factor = a;
    linalg::cholesky(factor.data(), n, work);
  };
  const auto blas = [&] {
    factor = a;
    int info = 0;
    dpotrf_("U", &size, factor.data(), &size, &info);
  };
  const double own = time_of(ours);
  const double own_inverse = time_of([&] {
    ours();
    linalg::invert_factor(factor.data(), n, columns.data(), work);
    linalg::square_factor(columns.data(), n, inverse.data());
  });
  const double eigens = time_of([&] { const eigen::LLT<linalg::Matrix> llt(a); });
  const double eigens_inverse = time_of([&] {
    const eigen::LLT<linalg::Matrix> llt(a);
    inverse.setIdentity();
    llt.solveInPlace(inverse);
  });
  const double blas_time = time_of(blas);
  const double blas_inverse = time_of([&] {
    blas();
    int info = 0;
    dpotri_("U", &size, factor.data(), &size, &info);
  });
  std::printf("| %ld | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", n, cube / 3 / own, cube / 3 / eigens,
              cube / 3 / blas_time, cube / own_inverse, cube / eigens_inverse, cube / blas_inverse);
  std::fflush(stdout);
}

template <class Real>
void measure_products() {
  measure_product<Real>(20, 784, 200);
  measure_product<Real>(64, 64, 64);
  measure_product<Real>(64, 64, 784);
  measure_product<Real>(100, 200, 784);
  measure_product<Real>(512, 512, 512);
  measure_product<Real>(1000, 1000, 1000);
  measure_product<Real>(1000, 784, 784);
  // Rows that a thread of a network multiplies at once.
  for (const int64_t units : {1000, 1024, 2000, 2048}) measure_product<Real>(64, units, units);
  if (quick) return;
  measure_product<Real>(2048, 2048, 2048);
  measure_product<Real>(10000, 2048, 2048);
}

}  // namespace

int main(int count, char** arguments) {
  quick = count > 1 && std::strcmp(arguments[1], "quick") == 0;
  const linalg::BlasInfo& blas = linalg::blas_info();
  std::printf("instruction set %s; %s %s\n\n", kernels::instruction_set().name, blas.library.c_str(),
              blas.core.c_str());
  std::printf(
      "| | rows x inner x columns | kernel | Eigen | OpenBLAS in tiles | OpenBLAS |\n|---|---|---|---|---|---|\n");
  measure_products<double>();
  measure_products<float>();
  std::printf(
      "\n| n | Cholesky: linalg | Eigen | OpenBLAS | and inverse: linalg | Eigen | OpenBLAS |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const int64_t n : {16, 30, 64, 128, 256, 512, 784, 1024, 2048}) {
    if (!quick || n <= 1024) measure_definite(n);
  }
}
