// Products and transposes of matrices in every instruction set, against plain sums in long double.

#include <algorithm>
#include <limits>

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

template <class Real>
constexpr long double tolerance = sizeof(Real) == sizeof(float) ? 3e-6L : 1e-14L;

template <class Real>
std::vector<Real> random_values(Random& numbers, int64_t size) {
  std::vector<Real> values(static_cast<size_t>(size));
  for (Real& value : values) value = static_cast<Real>(numbers.uniform() - 0.5);
  return values;
}

template <class Real>
void check_product(const InstructionSet& set, int64_t rows, int64_t inner, int64_t columns, bool transposed) {
  Random numbers(17);
  const std::string what = std::string(set.name) + " " + name_of<Real>() + " " + std::to_string(rows) + " x " +
                           std::to_string(inner) + " x " + std::to_string(columns);
  // Strides with gaps; arrays end with the last element, so that sanitizers detect reads beyond it.
  const int64_t a_row = transposed ? 1 : inner + 1, a_column = transposed ? rows + 2 : 1;
  const int64_t b_row = columns + 3, c_row = columns + 1;
  const std::vector<Real> a = random_values<Real>(numbers, (rows - 1) * a_row + (inner - 1) * a_column + 1);
  const std::vector<Real> b = random_values<Real>(numbers, (inner - 1) * b_row + columns);
  const std::vector<Real> before = random_values<Real>(numbers, (rows - 1) * c_row + columns);
  std::vector<Real> c = before;
  table<Real>(set).add_product({a.data(), a_row, a_column, b.data(), b_row, c.data(), c_row, rows, inner, columns});
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < c_row && i * c_row + j < static_cast<int64_t>(c.size()); ++j) {
      const size_t place = static_cast<size_t>(i * c_row + j);
      if (j == columns) {
        check(c[place] == before[place], what + ": wrote into a gap");
        continue;
      }
      long double expected = static_cast<long double>(before[place]), size = 1;
      for (int64_t l = 0; l < inner; ++l) {
        const long double term = static_cast<long double>(a[static_cast<size_t>(i * a_row + l * a_column)]) *
                                 static_cast<long double>(b[static_cast<size_t>(l * b_row + j)]);
        expected += term;
        size += std::abs(term);
      }
      check(std::abs(static_cast<long double>(c[place]) - expected) <= tolerance<Real> * size, what);
    }
  }
  // The sums alone, and added to a row; c is not read.
  std::vector<Real> zeros(static_cast<size_t>(rows * columns)), alone_sums(zeros), from_row(zeros);
  const std::vector<Real> row = random_values<Real>(numbers, columns);
  const Product<Real> of_zeros = {a.data(),     a_row,   a_column, b.data(), b_row,
                                  zeros.data(), columns, rows,     inner,    columns};
  table<Real>(set).add_product(of_zeros);
  for (std::vector<Real>* c_written : {&alone_sums, &from_row}) {
    Product<Real> product = of_zeros;
    std::fill(c_written->begin(), c_written->end(), std::numeric_limits<Real>::quiet_NaN());
    product.c = c_written->data();
    product.added = false;
    product.start = c_written == &from_row ? row.data() : nullptr;
    table<Real>(set).add_product(product);
  }
  for (size_t i = 0; i < zeros.size(); ++i) {
    check(alone_sums[i] == zeros[i], what + ": sums alone");
    check(from_row[i] == row[i % static_cast<size_t>(columns)] + zeros[i], what + ": sums added to a row");
  }
  // An element does not depend on how many other rows and columns there are.
  std::vector<Real> alone = before;
  const int64_t last = columns - 1;
  table<Real>(set).add_product({a.data() + (rows - 1) * a_row, a_row, a_column, b.data() + last, b_row,
                                alone.data() + (rows - 1) * c_row + last, c_row, 1, inner, 1});
  check(alone.back() == c.back(), what + ": depends on its neighbours");
}

void products(void**) {
  in_every_set([](const InstructionSet& set, auto real) {
    for (const int64_t rows : {1, 2, 5, 6, 7, 16}) {
      for (const int64_t columns : {1, 3, 7, 8, 15, 16, 17, 33, 64}) {
        for (const int64_t inner : {1, 9, 100}) {
          check_product<decltype(real)>(set, rows, inner, columns, inner % 2 == 0);
          check_product<decltype(real)>(set, rows, inner, columns, inner % 2 == 1);
        }
      }
    }
  });
}

void transposes(void**) {
  in_every_set([](const InstructionSet& set, auto real) {
    using Real = decltype(real);
    for (const int64_t rows : {1, 15, 16, 17, 50}) {
      for (const int64_t columns : {1, 16, 33, 48}) {
        Random numbers(29);
        const int64_t in_row = columns + 2, out_row = rows + 3;
        const std::vector<Real> in = random_values<Real>(numbers, (rows - 1) * in_row + columns);
        const std::vector<Real> before = random_values<Real>(numbers, (columns - 1) * out_row + rows);
        std::vector<Real> expected = before, out = before;
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < columns; ++j) {
            expected[static_cast<size_t>(j * out_row + i)] = in[static_cast<size_t>(i * in_row + j)];
          }
        }
        table<Real>(set).transpose({in.data(), in_row, rows, columns, out.data(), out_row});
        check(out == expected, std::string(set.name) + " " + name_of<Real>() + ": transpose");
      }
    }
  });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(transposes)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
