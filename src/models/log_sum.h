#pragma once
// log-sum-exp: of two terms, and of terms that are added one at a time.

#include <algorithm>
#include <cmath>
#include <limits>

namespace vtemper {

inline double log_sum(double a, double b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

class LogSum {
 public:
  void add(double term) {
    if (term > largest_) {
      sum_ = sum_ * std::exp(largest_ - term) + 1;
      largest_ = term;
    } else {
      sum_ += std::exp(term - largest_);
    }
  }
  double value() const { return largest_ + std::log(sum_); }

 private:
  double largest_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
};

}  // namespace vtemper
