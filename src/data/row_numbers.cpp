#include "data/row_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <xxhash.h>

namespace vtemper {
namespace {

constexpr int64_t most_rows = 64;
constexpr int64_t longest_row = 100000;

void add_numbers(const Counts& counts, int64_t row, std::vector<double>& out) {
  counts.visit_row(row, [&](int32_t column, double value) {
    out.push_back(column);
    out.push_back(value);
  });
}

void add_numbers(const Dense& dense, int64_t row, std::vector<double>& out) {
  Spare spare;
  const DenseRow values = dense.row(row, spare);
  for (int64_t column = 0; column < dense.columns; ++column) out.push_back(values[column]);
}

void add_numbers(const Sequences& sequences, int64_t row, std::vector<double>& out) {
  const int64_t length = sequences.row_length(row);
  std::vector<int32_t> symbols(static_cast<size_t>(length));
  sequences.read_row(row, length, symbols.data());
  out.insert(out.end(), symbols.begin(), symbols.end());
}

int64_t length_of(const Dense& dense, int64_t) {
  return dense.columns;
}

template <class Rows>
int64_t length_of(const Rows& rows, int64_t row) {
  return rows.row_length(row);
}

}  // namespace

void add_row_numbers(const Data& data, int64_t row, std::vector<double>& out) {
  std::visit([&](const auto& rows) { add_numbers(rows, row, out); }, data.observations);
}

uint64_t hash_of_rows(const Data& data) {
  const int64_t rows = data.rows(), count = std::min(rows, most_rows);
  uint64_t hash = static_cast<uint64_t>(rows);
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row = i * (rows / count) + std::min(i, rows % count);
    const int64_t length =
        std::visit([&](const auto& of_form) { return length_of(of_form, row); }, data.observations);
    numbers = {data.weight(row), static_cast<double>(length)};
    if (length <= longest_row) add_row_numbers(data, row, numbers);
    for (double& number : numbers) {
      if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();  // missing, whatever its bits
    }
    hash = XXH3_64bits_withSeed(numbers.data(), numbers.size() * sizeof(double), hash);
  }
  return hash;
}

}  // namespace vtemper
