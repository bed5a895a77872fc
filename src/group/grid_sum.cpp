#include "group/grid_sum.h"

#include <algorithm>
#include <cmath>

namespace vtemper {

namespace {

/// Tolerances as powers of 2: addends may grow by this much before they must be added again, and shrink by this much
/// before the grid is refined.
constexpr int64_t room = 6;
constexpr int64_t max_room = 18;
/// Grids of a field are finer than its coarsest one by at most this power of 2, so that elements that are often 0,
/// such as those of rare words, seldom need another grid.
constexpr int64_t finest = 26;
constexpr int64_t min_exponent = -900, largest_exponent = 900;
constexpr int64_t unknown = min_exponent - 1;

int64_t exponent_of(double largest) {
  return largest > 0 ? std::clamp<int64_t>(std::ilogb(largest) + 1, min_exponent, largest_exponent) : min_exponent;
}

/// The number rounded to the grid; the compiler must not simplify this to the number itself.
inline double rounded(double x, double magic) {
  return (x + magic) - magic;
}

}  // namespace

void GridSum::shape(const std::vector<Field>& fields) {
  fields_.clear();
  int64_t length = 0, grids = 0;
  for (const Field& field : fields) {
    if (field.length == 0) continue;
    fields_.push_back({length, field.length, field.columns, grids});
    length += field.length;
    grids += field.columns;
  }
  totals_.resize(static_cast<size_t>(length));
  totals_.fill(0);
  exponents_.assign(static_cast<size_t>(grids), unknown);
  largest_.assign(static_cast<size_t>(grids), 0);
  magic_.assign(static_cast<size_t>(grids), 0);
}

void GridSum::begin(int64_t addends) {
  // |x| < 2^e, so their sum stays below 2^(e + carry) and is exact on multiples of 2^(e + carry - 52).
  const int carry = std::ilogb(static_cast<double>(std::max<int64_t>(addends, 1))) + 2;
  for (size_t i = 0; i < magic_.size(); ++i) {
    largest_[i] = 0;
    magic_[i] = std::ldexp(1.5, static_cast<int>(std::max(exponents_[i], min_exponent)) + carry);
  }
}

template <class Number>
void GridSum::add(int64_t first, const Number* values, int64_t count) {
  if (count == 0) return;
  auto field = std::upper_bound(fields_.begin(), fields_.end(), first,
                                [](int64_t element, const Place& place) { return element < place.first; });
  --field;
  for (int64_t i = 0; i < count;) {
    if (first + i >= field->first + field->length) ++field;
    const int64_t within = first + i - field->first;
    const int64_t left = std::min(count - i, field->length - within);
    double* totals = totals_.data() + first + i;
    const Number* from = values + i;
    if (field->columns == 1) {
      const auto grid = static_cast<size_t>(field->grid);
      const double magic = magic_[grid];
      double largest = largest_[grid];
      for (int64_t j = 0; j < left; ++j) {
        const double x = static_cast<double>(from[j]);
        largest = std::max(largest, std::abs(x));
        totals[j] += rounded(x, magic);
      }
      largest_[grid] = largest;
      i += left;
      continue;
    }
    const int64_t column = within % field->columns;
    const int64_t run = std::min(left, field->columns - column);
    double* largest = largest_.data() + field->grid + column;
    const double* magic = magic_.data() + field->grid + column;
    for (int64_t j = 0; j < run; ++j) {
      const double x = static_cast<double>(from[j]);
      largest[j] = std::max(largest[j], std::abs(x));
      totals[j] += rounded(x, magic[j]);
    }
    i += run;
  }
}

bool GridSum::choose(const double* largest_of_all) {
  bool again = false;
  for (const Place& field : fields_) {
    double top = 0;
    const double* largest = largest_of_all + field.grid;
    for (int64_t j = 0; j < field.columns; ++j) {
      if (std::isfinite(largest[j])) top = std::max(top, largest[j]);
    }
    const int64_t coarsest = exponent_of(top);
    for (int64_t j = 0; j < field.columns; ++j) {
      int64_t& exponent = exponents_[static_cast<size_t>(field.grid + j)];
      const int64_t here = exponent_of(largest[j]);
      const int64_t wanted = std::min(std::max(here, coarsest - finest) + room, largest_exponent);
      if (!std::isfinite(largest[j])) continue;
      if (largest[j] == 0) {
        if (exponent == unknown && top > 0) exponent = wanted;
        continue;
      }
      again = again || here > exponent;
      if (here > exponent || exponent - wanted > max_room) exponent = wanted;
    }
  }
  return again;
}

bool GridSum::restore(const std::vector<int64_t>& exponents) {
  const auto usable = [](int64_t x) { return x >= unknown && x <= largest_exponent; };
  if (exponents.size() != exponents_.size() || !std::all_of(exponents.begin(), exponents.end(), usable)) return false;
  exponents_ = exponents;
  return true;
}

template void GridSum::add(int64_t first, const float* values, int64_t count);
template void GridSum::add(int64_t first, const double* values, int64_t count);

}  // namespace vtemper
