#pragma once
// Part 4 of the loop: proximity constraints (Altosaar 2018). A statistic f of the variational posterior is held near
// a moving average of its own past. Taken linearly at the parameters lambda (Algorithm 2):
//   gradient of lambda <- gradient - k_t sum_i d'(f_i - reference_i) grad f_i,
// with a magnitude k that falls over the run. Rows with parameters of their own may also climb the constrained
// objective itself (Algorithm 1, row_constraint.h).

#include "inference/clock.h"
#include "inference/proximity_decay.h"
#include "inference/row_constraint.h"
#include "models/real_storage.h"

namespace vtemper {

class Proximity final {
 public:
  static OptionTable options();
  /// Of a constraint on `statistic`, which is not none.
  Proximity(const OptionValues& options, Statistic statistic);

  Statistic statistic() const { return statistic_; }
  bool averages_parameters() const { return averages_parameters_; }
  /// Steps of Algorithm 1; 0: Algorithm 2.
  int64_t inner_steps() const { return inner_steps_; }
  /// True where the magnitude follows from the objective at the start.
  bool needs_start() const { return !(magnitude_ >= 0); }
  /// `mean`: objective of a row at the start; `rows`: of a step, by weight.
  void start_at(double mean, double rows);
  /// Room for `batch` statistics of whole batches and `row` statistics of each of the `rows` rows of the data; the
  /// average of parameters begins with `posterior`: those of all rows where a row has statistics.
  void prepare(int64_t batch, int64_t row, int64_t rows, const RealArray& posterior);

  /// Enters the magnitude of the first step, once it is known, and the steps of the decay.
  void report_used(OptionValues& used, const Clock& clock) const;
  /// k of the next step; 0 where it is too small to matter.
  double magnitude(const Clock& clock) const;
  /// Sets the magnitude of force().
  void begin_step(const Clock& clock) { now_ = magnitude(clock); }
  /// Parameters under which the statistics are the reference; NULL where the statistics themselves are averaged.
  const RealArray* reference() const { return averages_parameters_ ? &posterior_ : nullptr; }
  /// The constraint on the rows of the step under way, where step sizes are `rate`.
  RowConstraint row_constraint(const RowPosteriors& model, double rate) const;
  /// The reference of a row of the data, written to scratch.reference; NULL where the row has no past.
  const double* row_reference(const RowPosteriors& model, int64_t row, RowScratch& scratch) const;
  /// Forces k d'(reference_i, statistic_i) of the numbers first .. first + count of the statistics. `reference`: the
  /// statistics under reference(); NULL: their average. Different ranges may be computed at the same time.
  void force(int64_t first, int64_t count, const double* statistic, const double* reference, double* out) const;
  /// After a step: takes the statistics of its batch, those of its rows [rows x row statistics] and the moved
  /// parameters, all of them or those of its rows, into the average. Cannot fail.
  void update(const std::vector<double>& of_batch, const double* of_rows, const Batch& batch,
              const RealArray& posterior, int threads);

  double initial_magnitude() const { return magnitude_; }
  void save(ContainerWriter& writer) const;
  /// After prepare.
  void load(const ContainerReader& reader);

 private:
  Statistic statistic_;
  double magnitude_;  ///< k_0; < 0: not known yet
  bool of_sum_;       ///< the start's objective is that of the whole step
  double steps_;      ///< T of the decay; 0: of the run
  double kept_;       ///< alpha
  bool averages_parameters_;
  int64_t inner_steps_;
  double inner_noise_;
  OptionValues options_;
  const ProximityDecayPart* decay_;
  const ProximityDistancePart* distance_;

  double now_ = 0;  ///< k of the step under way
  int64_t batch_length_ = 0, row_length_ = 0;
  std::vector<double> mean_;    ///< moving averages of all statistics, from 0
  std::vector<double> weight_;  ///< 1 - alpha^t of each, t times taken
  RealStorage average_;         ///< of parameters
  RealArray posterior_;         ///< its elements
  int64_t row_parameters_ = 0;  ///< of these, those of a row; 0 where they belong to all rows

  double steps(const Clock& clock) const;  ///< that the decay takes
  void take(int64_t first, int64_t count, const double* statistic);
  void take_parameters(int64_t first, int64_t count, const RealArray& posterior);
};

}  // namespace vtemper
