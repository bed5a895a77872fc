// Products of matrices and blocks of activations in every instruction set, against plain sums in long double.

#include <algorithm>
#include <limits>

#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

template <class Real>
constexpr long double tolerance = sizeof(Real) == sizeof(float) ? 3e-6L : 1e-14L;

template <class Check>
void in_every_set(Check check_set) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_set(*set, float());
    check_set(*set, double());
  }
}

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

/// A block of activation_rows rows whose arrays are aligned as the kernels want them.
template <class Real>
struct Block {
  int64_t components;
  Row<Real> gram, offsets, projections, inverse, activations, moving, likelihoods, entropies;
  Block(int64_t count, double size)
      : components(count),
        gram(count * padded(count), 0),
        offsets(count, 0),
        projections(count * activation_rows, 0),
        inverse(activation_rows, 0),
        activations(count * activation_rows, 0),
        moving(activation_rows, 1),
        likelihoods(activation_rows, 0),
        entropies(activation_rows, 0) {
    Random numbers(23);
    for (int64_t k = 0; k < count; ++k) {
      offsets[k] = static_cast<Real>(size * (numbers.uniform() - 0.5));
      for (int64_t j = 0; j < k; ++j) {
        gram[k * padded(count) + j] = gram[j * padded(count) + k] =
            static_cast<Real>(size * (numbers.uniform() - 0.5));
      }
      for (int64_t n = 0; n < activation_rows; ++n) {
        projections[k * activation_rows + n] = static_cast<Real>(size * (numbers.uniform() - 0.5));
        activations[k * activation_rows + n] = static_cast<Real>(numbers.uniform());
      }
    }
    for (int64_t n = 0; n < activation_rows; ++n) {
      inverse[n] = static_cast<Real>(numbers.uniform());
      moving[n] = n % 5 == 3 ? Real(0) : Real(1);
    }
  }
  Activations<Real> block(Real least) {
    return {gram.data(), offsets.data(), projections.data(), inverse.data(),
            components,  least,          activations.data(), moving.data()};
  }
};

template <class Real>
void check_sweep(const InstructionSet& set, int64_t components, double size) {
  const std::string what = std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(components);
  const Real least = Real(0.2);
  Block<Real> block(components, size);
  const Block<Real> before(components, size);
  const bool moves = table<Real>(set).sweep_activations(block.block(least));
  table<Real>(set).activation_terms(block.block(least), block.likelihoods.data(), block.entropies.data());
  bool expected_moves = false;
  for (int64_t n = 0; n < activation_rows; ++n) {
    std::vector<long double> nu(static_cast<size_t>(components));
    for (int64_t k = 0; k < components; ++k) nu[static_cast<size_t>(k)] = before.activations[k * activation_rows + n];
    const auto field = [&](int64_t k, long double share) {
      long double sum = static_cast<long double>(before.offsets[k]) + before.projections[k * activation_rows + n];
      for (int64_t j = 0; j < components; ++j) {
        sum -= share * before.gram[k * padded(components) + j] * nu[static_cast<size_t>(j)];
      }
      return sum;
    };
    long double change = 0;
    for (int64_t k = 0; k < components && before.moving[n] > 0; ++k) {
      const long double next = 1 / (1 + std::exp(-before.inverse[n] * field(k, 1)));
      change = std::max(change, std::abs(next - nu[static_cast<size_t>(k)]));
      nu[static_cast<size_t>(k)] = next;
    }
    long double likelihood = 0, entropy = 0, scale = 1;
    for (int64_t k = 0; k < components; ++k) {
      const long double value = block.activations[k * activation_rows + n];
      check(std::abs(value - nu[static_cast<size_t>(k)]) <= tolerance<Real> * static_cast<long double>(size) * 40,
            what + ": activation");
      check(value > 0 && value <= 1, what + ": range");
      nu[static_cast<size_t>(k)] = value;
    }
    for (int64_t k = 0; k < components; ++k) {
      const long double value = nu[static_cast<size_t>(k)];
      likelihood += value * field(k, 0.5L);
      scale += static_cast<long double>(size) * static_cast<long double>(components);
      if (value > 0) entropy -= value * std::log(value);
      if (value < 1) entropy -= (1 - value) * std::log(1 - value);
    }
    check(std::abs(block.likelihoods[n] - likelihood) <= tolerance<Real> * scale, what + ": likelihood");
    check(std::abs(block.entropies[n] - entropy) <= tolerance<Real> * scale, what + ": entropy");
    const bool row_moves = change > static_cast<long double>(least);
    check((block.moving[n] > 0) == row_moves, what + ": settled");
    expected_moves = expected_moves || row_moves;
  }
  check(moves == expected_moves, what + ": all settled");
}

void activations(void**) {
  in_every_set([](const InstructionSet& set, auto real) {
    for (const int64_t components : {1, 2, 5, 16, 17, 40}) {
      check_sweep<decltype(real)>(set, components, 1);
      check_sweep<decltype(real)>(set, components, 6);
    }
  });
}

/// Fields beyond all exponents: 0 or 1, never NaN.
void extreme_fields(void**) {
  in_every_set([](const InstructionSet& set, auto real) {
    using Real = decltype(real);
    Block<Real> block(2, 0);
    for (int64_t n = 0; n < activation_rows; ++n) {
      block.inverse[n] = 1;
      block.moving[n] = 1;
      block.projections[n] = Real(n % 2 == 0 ? 1e30 : -1e30);
    }
    table<Real>(set).sweep_activations(block.block(0));
    table<Real>(set).activation_terms(block.block(0), block.likelihoods.data(), block.entropies.data());
    for (int64_t n = 0; n < activation_rows; ++n) {
      const Real nu = block.activations[n];
      check(n % 2 == 0 ? nu == Real(1) : nu >= Real(0) && nu < Real(1e-30), set.name);
      check(std::isfinite(block.entropies[n]), set.name);
    }
  });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(transposes), cmocka_unit_test(activations),
                              cmocka_unit_test(extreme_fields)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
