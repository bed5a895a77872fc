#pragma once
// Weighted variance of a number over rows: running mean and sum of squares (Welford 1962).

#include <cstdint>

namespace vtemper {

/// A unit is active if its posterior mean varies by more than this over the rows (Burda 2016).
constexpr double active_variance = 0.01;

class Variation {
 public:
  /// Rows with weight 0 are ignored.
  void add(double value, double weight) {
    if (!(weight > 0)) return;
    weight_ += weight;
    const double from_mean = value - mean_;
    mean_ += weight / weight_ * from_mean;
    squares_ += weight * from_mean * (value - mean_);
  }
  /// Variance over the rows; 0 if there are none.
  double variance() const { return weight_ > 0 ? squares_ / weight_ : 0; }
  /// Whether a unit with these posterior means is active.
  bool active() const { return variance() > active_variance; }

 private:
  double weight_ = 0, mean_ = 0, squares_ = 0;
};

/// Number of active units, given mean(row, unit) and weight(row).
template <class Mean, class Weight>
double count_active_units(int64_t rows, int64_t units, const Mean& mean, const Weight& weight) {
  double active = 0;
  for (int64_t unit = 0; unit < units; ++unit) {
    Variation variation;
    for (int64_t row = 0; row < rows; ++row) variation.add(mean(row, unit), weight(row));
    if (variation.active()) active += 1;
  }
  return active;
}

}  // namespace vtemper
