#pragma once
// Sums of arrays whose bits depend neither on the order of the addends nor on which rank adds which of them: every
// addend is rounded to a multiple of a power of 2, the grid, which is so coarse that all sums are exact in double
// (Demmel and Nguyen 2013, "Fast Reproducible Floating-Point Summation", pre-rounding). The grid follows from the
// largest addend of an earlier sum on any rank; if an addend of this sum is larger, all are added again on a coarser
// grid.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/array.h"

namespace vtemper {

class GridSum {
 public:
  /// Consecutive elements. Elements at a distance of `columns` are of the same kind and share a grid.
  struct Field {
    int64_t length, columns;
  };
  void shape(const std::vector<Field>& fields);
  int64_t length() const { return static_cast<int64_t>(totals_.size()); }

  /// Begins a sum of at most `addends` addends per element. Totals remain until they are cleared.
  void begin(int64_t addends);
  void clear() { totals_.fill(0); }
  void clear(int64_t first, int64_t count) { std::fill_n(totals_.data() + first, count, 0.0); }
  /// Adds to the elements from `first` on.
  template <class Number>
  void add(int64_t first, const Number* values, int64_t count);
  /// The sums, which are multiples of the grids; NaN where an addend is not finite.
  double* totals() { return totals_.data(); }
  const double* totals() const { return totals_.data(); }

  /// [grids] largest absolute value added so far.
  const std::vector<double>& largest() const { return largest_; }
  /// Chooses the grids from the largest values over all ranks [grids]. True if an addend was too large for
  /// the grid in use: everything must then be added again.
  bool choose(const double* largest_of_all);

  /// [grids] the choice, which is kept from one sum to the next.
  const std::vector<int64_t>& exponents() const { return exponents_; }
  bool restore(const std::vector<int64_t>& exponents);

 private:
  struct Place {
    int64_t first, length, columns, grid;  ///< `grid`: number of its first grid
  };
  std::vector<Place> fields_;
  Array<double> totals_;
  std::vector<int64_t> exponents_;  ///< [grids] addends are below 2 to this power; `unknown` before the first sum
  std::vector<double> largest_, magic_;  ///< [grids]; adding and subtracting magic rounds to the grid
};

extern template void GridSum::add(int64_t first, const float* values, int64_t count);
extern template void GridSum::add(int64_t first, const double* values, int64_t count);

}  // namespace vtemper
