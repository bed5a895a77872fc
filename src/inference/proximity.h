#pragma once
// Part 4 of the loop: proximity constraints (Altosaar 2018). A statistic f of the variational posterior is kept close
// to a moving average of its past values. Linearised at the parameters lambda (Algorithm 2):
//   gradient of lambda <- gradient - k_t sum_i d'(f_i - reference_i) grad f_i,
// with a magnitude k that decays over the run. For parameters per row the constrained objective itself can be
// maximised instead (Algorithm 1, row_constraint.h).

#include "inference/clock.h"
#include "inference/proximity_decay.h"
#include "inference/row_constraint.h"
#include "models/real_storage.h"

namespace vtemper {

class Proximity final {
 public:
  static OptionTable options();
  /// A constraint on `statistic`, which must not be `none`.
  Proximity(const OptionValues& options, Statistic statistic);

  Statistic statistic() const { return statistic_; }
  /// Inner steps of Algorithm 1; 0: Algorithm 2.
  int64_t inner_steps() const { return inner_steps_; }
  /// True if the magnitude depends on the initial objective.
  bool needs_start() const { return !(magnitude_ >= 0); }
  /// `mean`: initial objective per row; `rows`: weighted rows of a step.
  void start_at(double mean, double rows);
  /// Undoes start_at.
  void forget_start() { magnitude_ = given_magnitude_; }
  /// Allocates for `batch` statistics of whole batches and `row` statistics of each of the `rows` rows of the data.
  /// An average of parameters starts at `posterior`: the parameters of all rows if statistics are per row.
  void prepare(int64_t batch, int64_t row, int64_t rows, const RealArray& posterior);

  /// Enters the magnitude of the first step, once it is known, and the steps of the decay.
  void report_used(OptionValues& used, const Clock& clock) const;
  /// k of the next step; 0 if negligible.
  double magnitude(const Clock& clock) const;
  /// Sets the magnitude used by force().
  void begin_step(const Clock& clock) { now_ = magnitude(clock); }
  /// Parameters whose statistics are the reference; NULL if the statistics themselves are averaged.
  const RealArray* reference() const { return averages_parameters_ ? &posterior_ : nullptr; }
  /// The constraint on the rows of the current step, with step size `rate`.
  RowConstraint row_constraint(const RowPosteriors& model, double rate) const;
  /// The reference of a data row, written to scratch.reference; NULL if the row has no history.
  const double* row_reference(const RowPosteriors& model, int64_t row, RowScratch& scratch) const;
  /// Forces k d'(reference_i, statistic_i) for statistics first .. first + count. `reference`: the statistics under
  /// reference(); NULL: their average. Disjoint ranges may be computed concurrently.
  void force(int64_t first, int64_t count, const double* statistic, const double* reference, double* out) const;
  /// After a step: updates the average with the statistics of the batch, those of its rows [rows x row statistics],
  /// and the updated parameters, all of them or those of the rows. Cannot fail.
  void update(const std::vector<double>& of_batch, const double* of_rows, const Batch& batch,
              const RealArray& posterior, int threads);

  double initial_magnitude() const { return magnitude_; }
  void save(ContainerWriter& writer) const;
  /// Call after prepare.
  void load(const ContainerReader& reader);

 private:
  Statistic statistic_;
  double given_magnitude_;  ///< option proximity_magnitude; < 0: auto
  double magnitude_;        ///< k_0; < 0: not yet known
  bool of_sum_;             ///< use the initial objective of the whole step instead of the mean
  double steps_;            ///< T of the decay; 0: the length of the run
  double kept_;             ///< alpha
  bool averages_parameters_;
  int64_t inner_steps_;
  double inner_noise_;
  OptionValues options_;
  const ProximityDecayPart* decay_;
  const ProximityDistancePart* distance_;

  double now_ = 0;  ///< k of the current step
  int64_t batch_length_ = 0, row_length_ = 0;
  std::vector<double> mean_;    ///< moving averages of all statistics, starting at 0
  std::vector<double> weight_;  ///< 1 - alpha^t of each statistic after t updates
  RealStorage average_;         ///< moving average of the parameters
  RealArray posterior_;         ///< its elements
  int64_t row_parameters_ = 0;  ///< number of these per row; 0 if shared by all rows

  double steps(const Clock& clock) const;  ///< that the decay takes
  void take(int64_t first, int64_t count, const double* statistic);
  void take_parameters(int64_t first, int64_t count, const RealArray& posterior);
};

}  // namespace vtemper
