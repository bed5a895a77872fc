#pragma once
// Sums of arrays whose bits do not depend on the order of the addends, nor on who adds which: every addend is rounded
// to a multiple of a power of 2 that is so coarse that all sums of them are exact in double (Demmel and Nguyen 2013,
// "Fast Reproducible Floating-Point Summation", pre-rounding). That grid follows from the largest addend, of an
// earlier sum and of all ranks; where this one has larger ones they are added again on a coarser grid.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/array.h"

namespace vtemper {

class GridSum {
 public:
  /// Consecutive elements; those that are `columns` apart, being of a kind, share a grid.
  struct Field {
    int64_t length, columns;
  };
  void shape(const std::vector<Field>& fields);
  int64_t length() const { return static_cast<int64_t>(totals_.size()); }

  /// Begins a sum of at most so many addends for each element. Totals stay until they are cleared.
  void begin(int64_t addends);
  void clear() { totals_.fill(0); }
  void clear(int64_t first, int64_t count) { std::fill_n(totals_.data() + first, count, 0.0); }
  /// To the elements from `first` on.
  template <class Number>
  void add(int64_t first, const Number* values, int64_t count);
  /// Multiples of the grids; numbers that are not finite give NaN.
  double* totals() { return totals_.data(); }
  const double* totals() const { return totals_.data(); }

  /// [grids] the largest absolute values that were added.
  const std::vector<double>& largest() const { return largest_; }
  /// Chooses the grids by the largest values of all ranks [grids]. True where they did not fit those in use:
  /// everything is to be added again.
  bool choose(const double* largest_of_all);

  /// [grids] what choose keeps from one sum to the next.
  const std::vector<int64_t>& exponents() const { return exponents_; }
  bool restore(const std::vector<int64_t>& exponents);

 private:
  struct Place {
    int64_t first, length, columns, grid;  ///< `grid`: number of the first of its grids
  };
  std::vector<Place> fields_;
  Array<double> totals_;
  std::vector<int64_t> exponents_;  ///< [grids] addends are smaller than 2 to this power; `unknown` before the first
  std::vector<double> largest_, magic_;  ///< [grids]; adding and subtracting magic rounds to the grid
};

extern template void GridSum::add(int64_t first, const float* values, int64_t count);
extern template void GridSum::add(int64_t first, const double* values, int64_t count);

}  // namespace vtemper
