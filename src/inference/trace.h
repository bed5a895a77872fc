#pragma once
// The trace of a run: one row per report. Bounded: when it is full every second row is dropped and the distance
// doubles, so that steps allocate nothing, however long the run is. The last row is always there.

#include <array>
#include <vector>

#include "models/model.h"

namespace vtemper {

class Trace {
 public:
  static constexpr size_t columns = 9;
  using Row = std::array<double, columns>;

  Trace() { rows_.reserve(capacity + 1); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Keeps every `distance_`-th row offered, and the last one until the next is offered.
  void offer(const vtemper_report& report) {
    if (last_is_between_) rows_.pop_back();
    last_is_between_ = offered_++ % distance_ != 0;
    if (!last_is_between_ && rows_.size() == capacity) {
      for (size_t i = 0; i < capacity / 2; ++i) rows_[i] = rows_[2 * i];
      rows_.resize(capacity / 2);
      distance_ *= 2;
    }
    rows_.push_back({static_cast<double>(report.iteration), report.passes, report.seconds, report.temperature,
                     report.step_size, report.elbo, report.objective, report.expected_log_likelihood,
                     report.perturbation});
  }

  size_t size() const { return rows_.size(); }
  double at(size_t row, size_t column) const { return rows_[row][column]; }
  static const std::array<const char*, columns>& names();

  std::vector<double> state() const;
  bool restore(const std::vector<double>& state);

 private:
  static constexpr size_t capacity = 4096;
  std::vector<Row> rows_;
  int64_t offered_ = 0;
  int64_t distance_ = 1;
  bool last_is_between_ = false;  ///< the last row is not one of the evenly spaced ones
};

}  // namespace vtemper
