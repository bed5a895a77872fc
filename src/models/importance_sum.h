#pragma once
// Running log-sum-exp of a row's importance weights w = p(x, z) / q(z | x).

#include <cmath>
#include <limits>

namespace vtemper {

class ImportanceSum {
 public:
  void add(double log_weight) {
    count_ += 1;
    sum_ += log_weight;
    if (log_weight > largest_) {
      scaled_ *= std::exp(largest_ - log_weight);
      largest_ = log_weight;
    }
    scaled_ += std::exp(log_weight - largest_);
  }
  /// Mean of log w, an estimate of the ELBO.
  double mean() const { return sum_ / count_; }
  /// Logarithm of the mean of w, an estimate of log p(x); never below mean().
  double log_mean() const { return largest_ + std::log(scaled_ / count_); }

 private:
  double count_ = 0;
  double sum_ = 0;
  double largest_ = -std::numeric_limits<double>::infinity();
  double scaled_ = 0;  ///< sum of exp(log w - largest)
};

}  // namespace vtemper
