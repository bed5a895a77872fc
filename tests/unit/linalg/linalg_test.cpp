// Products by each engine behind linalg/products.h, and Cholesky factors, against plain loops, at sizes around a
// block.

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "linalg/definite.h"
#include "linalg/products.h"
#include "support/cmocka.h"

namespace {

using namespace vtemper;
using Values = std::vector<double>;

Values random_values(int64_t count, uint64_t seed) {
  std::mt19937_64 engine(seed);
  Values values(static_cast<size_t>(count));
  for (double& value : values) value = static_cast<double>(engine() >> 11) / 9007199254740992.0 - 0.5;
  return values;
}

void check_close(const char* what, int64_t n, double value, double expected, double tolerance) {
  if (std::abs(value - expected) <= tolerance) return;
  std::printf("%s, n = %ld: %.17g instead of %.17g\n", what, n, value, expected);
  assert_true(false);
}

void products(void**) {
  const int64_t shapes[][3] = {{1, 1, 1}, {5, 300, 3}, {64, 64, 64}, {65, 257, 129}, {200, 70, 64}, {47, 512, 90}};
  for (const auto& shape : shapes) {
    const int64_t rows = shape[0], inner = shape[1], columns = shape[2], gap = 7;
    const Values a = random_values(rows * inner, 1), b = random_values(inner * (columns + gap), 2);
    const Values start = random_values(rows * (columns + gap), 3);
    for (const bool transposed : {false, true}) {
      const int64_t a_row = transposed ? 1 : inner, a_column = transposed ? rows : 1;
      for (const linalg::Engine engine : {linalg::Engine::kernel, linalg::Engine::openblas}) {
        Values c = start;
        linalg::add_product(
            {a.data(), a_row, a_column, b.data(), columns + gap, c.data(), columns + gap, rows, inner, columns},
            engine);
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < columns + gap; ++j) {
            double sum = start[static_cast<size_t>(i * (columns + gap) + j)];
            for (int64_t l = 0; l < inner && j < columns; ++l) {
              sum +=
                  a[static_cast<size_t>(i * a_row + l * a_column)] * b[static_cast<size_t>(l * (columns + gap) + j)];
            }
            check_close("product", inner, c[static_cast<size_t>(i * (columns + gap) + j)], sum, 1e-12);
          }
        }
      }
    }
  }
}

/// A A' / n + 0.1 I.
Values definite_matrix(int64_t n) {
  const Values a = random_values(n * n, static_cast<uint64_t>(n));
  Values matrix(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = i == j ? 0.1 : 0;
      for (int64_t l = 0; l < n; ++l) {
        sum += a[static_cast<size_t>(i * n + l)] * a[static_cast<size_t>(j * n + l)] / static_cast<double>(n);
      }
      matrix[static_cast<size_t>(i * n + j)] = sum;
    }
  }
  return matrix;
}

void factors(void**) {
  for (const int64_t n : {1, 2, 3, 16, 31, 63, 64, 65, 100, 128, 129, 200}) {
    const Values matrix = definite_matrix(n);
    const auto place = [&](int64_t i, int64_t j) { return static_cast<size_t>(i * n + j); };
    Values factor = matrix;
    // What is above the diagonal is not read.
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = i + 1; j < n; ++j) factor[place(i, j)] = 1e9;
    }
    linalg::DefiniteWork work(n);
    assert_true(linalg::cholesky(factor.data(), n, work));
    Values inverse_factor(factor.size()), inverse(factor.size());
    linalg::invert_factor(factor.data(), n, inverse_factor.data(), work);
    linalg::square_factor(inverse_factor.data(), n, inverse.data());
    Values solution(static_cast<size_t>(n), 1.0);
    linalg::solve(factor.data(), n, solution.data());
    for (int64_t i = 0; i < n; ++i) {
      double of_solution = 0;
      for (int64_t j = 0; j < n; ++j) {
        double rebuilt = 0, identity = 0;
        for (int64_t l = 0; l <= std::min(i, j); ++l) rebuilt += factor[place(i, l)] * factor[place(j, l)];
        for (int64_t l = 0; l < n; ++l) identity += matrix[place(i, l)] * inverse[place(l, j)];
        check_close("L L'", n, rebuilt, matrix[place(i, j)], 1e-13);
        check_close("a times its inverse", n, identity, i == j ? 1 : 0, 1e-10);
        check_close("symmetry", n, inverse[place(i, j)], inverse[place(j, i)], 0);
        if (j > i) assert_true(inverse_factor[place(i, j)] == 0);
        of_solution += matrix[place(i, j)] * solution[static_cast<size_t>(j)];
      }
      check_close("a x", n, of_solution, 1, 1e-11);
    }
    double log_determinant = 0;
    for (int64_t i = 0; i < n; ++i) log_determinant += 2 * std::log(factor[place(i, i)]);
    check_close("log |a|", n, linalg::log_determinant(factor.data(), n), log_determinant,
                1e-12 * static_cast<double>(n));
  }
}

/// Matrices that are not positive definite, or contain NaN, are refused, wherever the offending element is.
void refusals(void**) {
  for (const int64_t n : {1, 40, 64, 100, 150}) {
    for (const int64_t at : {int64_t{0}, n / 2, n - 1}) {
      for (const double value : {-1.0, 0.0, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        Values matrix = definite_matrix(n);
        assert_true(linalg::is_definite(matrix.data(), n));
        matrix[static_cast<size_t>(at * n + at)] = value;
        assert_false(linalg::is_definite(matrix.data(), n));
      }
    }
  }
}

/// Rounding is measured by the diagonal, not by the element, which may be all rounding.
void symmetry(void**) {
  const auto element = [](Values matrix) { return linalg::asymmetric_element(matrix.data(), 3); };
  assert_int_equal(element({4, 1, 2, 1, 9, 3, 2, 3, 16}), -1);
  assert_int_equal(element({4, 1e-20, 2, -1e-20, 9, 3, 2, 3 + 1e-8, 16}), -1);
  assert_int_equal(element({4, 1, 2, 1, 9, 3, 2 + 1e-8, 3, 16}), 2);
  assert_int_equal(element({4, 1, 2, 1, 9, 3, 2, 3 - 1e-7, 16}), 5);
  assert_int_equal(element({1e250, 1e250, 0, -1e250, 1e250, 0, 0, 0, 1}), 1);
  assert_int_equal(element({-4, 1, 2, 1, 9, 3, 2, 3, 16}), -1);
  assert_int_equal(element({-4, 1, 2, 1 + 1e-15, 9, 3, 2, 3, 16}), 1);
  assert_int_equal(element({4, std::nan(""), 2, 1, 9, 3, 2, 3, 16}), 1);
  Values matrix = {4, 1, 0.1, 3, 9, -1e308, 0.1, -1e308, 16};
  linalg::make_symmetric(matrix.data(), 3);
  assert_true((matrix == Values{4, 2, 0.1, 2, 9, -1e308, 0.1, -1e308, 16}));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(factors), cmocka_unit_test(refusals),
                              cmocka_unit_test(symmetry)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
