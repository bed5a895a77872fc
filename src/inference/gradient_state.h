#pragma once
// Steps of gradient models: the gradient of a minibatch, then an update of all parameters.

#include "inference/gradient_method.h"
#include "inference/state.h"

namespace vtemper {

struct GradientState final : Optimizer::State {
  GradientMethod method;

  // Results of the local half of the current step.
  std::unique_ptr<GradientFit> fit;
  GradientSums sums;
  double gradient_squares = no_number;  ///< sum of the squares; NaN: not known
  Array<double> forces;                 ///< forces of the constraint
  std::vector<double> statistics;       ///< sums over the rows of the batch, additive over machines
  Batch batch{};                        ///< rows that update their own parameters; empty if the batch is gone, was
                                        ///< fed, or has updated them
  Array<double> row_statistics;         ///< [rows of the batch x those of a row] for rows with their own parameters
  Array<double> row_forces;             ///< [rows of the batch] absolute forces of the constraint on them
  std::vector<RowScratch> row_scratch;  ///< one per thread
  std::vector<int64_t> row_moves;       ///< [rows of the data] number of updates of each row's parameters
  /// Parameters first .. first + count, updated together: they begin at row `row` of the `rows` rows of their matrix.
  struct Piece {
    int64_t first, count, row, rows;
    /// The thread that owns these rows when the matrix is divided evenly.
    int64_t owner(int threads) const { return (2 * row + 1) * threads / (2 * rows); }
  };
  std::vector<Piece> pieces;          ///< covers all parameters, independently of the number of threads
  std::vector<kernels::Moved> moved;  ///< [pieces]
  GridSum gradient_sum;               ///< sum over chunks
  double share = 0;                   ///< share of the constraint in the gradient, as last reported
  double values_size = 0;             ///< upper bound on the sum of absolute values after the last update

  GradientState(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, GradientMethod method,
                const CommonStart& common);

  void follow(const std::shared_ptr<Model>& other) override;
  void prepare_together(std::optional<Batch>& batch) override;
  using State::local_half;
  void local_half(const Batch& batch, int on_threads) override;
  StepRows rows_of_step() const override { return {sums.count, sums.rows, 0}; }
  void undo_start() override;
  void prepare_move() override;
  void move() noexcept override;
  int64_t statistics_length() const override;
  std::vector<Quantity> statistics_layout() const override;
  void write_statistics(double* out) const override;
  void read_statistics(const double* in) override;
  void reserve_sums() override;
  void take_sums() override;
  void begin_chunks() override;
  void add_chunk(const Batch& chunk) override;
  GridSum* large_chunk_sums() override { return &gradient_sum; }
  const GridSum* large_chunk_sums() const override { return &gradient_sum; }
  void sum_over_ranks() override;
  void give_sums() override;
  double cold_elbo(int64_t count) override;
  std::vector<double> elbo_of(const Data& others, int64_t groups) override;
  double memory() const override;
  /// Estimated bytes of one start; the model need not be initialised.
  static double memory_of_start(const GradientModel& model, const Data& data, const GradientMethod& method);
  void report_used(OptionValues& used) const override {
    used.use("learning_rate", method.ascent->rate());
    if (method.temperature) method.temperature->report_used(used, clock);
    if (method.proximity) method.proximity->report_used(used, clock);
  }
  std::vector<Quantity> quantities() const override;
  void read_quantity(std::string_view name, const Sink& sink) const override;
  void save_parts(ContainerWriter& writer) const override;
  void restore_parts(const ContainerReader& reader) override;

 private:
  GradientModel& by_gradient() const { return *model->by_gradient(); }
  GradientSettings settings(const Batch& rows_now, int on_threads) const;
  /// True if the model's rows have their own parameters, but those of this batch are not stored.
  bool is_fed(const Batch& rows_now) const;
  double temperature() const;  ///< of the current step
  RealArray posterior() const;
  /// Variational parameters per row; 0 if shared.
  int64_t row_length() const;
  void prepare(const Batch& first, int on_threads);
  void start_at(double elbo, double batch_rows);
  /// ELBO and weight of the rows of the first step, for every chunk or for this rank's rows.
  std::vector<double> first_objectives();
  void refuse_chunks() const;
  /// Divides the values into pieces.
  void divide();
  const double* forces_on_statistics(const GradientSettings& now);
  void hold_rows(const RowPosteriors& posteriors, const Batch& rows_now, int on_threads);
  void clear_half();
  void move_rows(double scale);
  kernels::Moved move_values(double scale);
  void read_gradient_size();
  /// True if the gradients are small enough that all parameters will stay finite.
  bool surely_finite(double scale);
  /// Updates, checks, and rolls back; Error(NUMERIC) if a value is not finite.
  void try_move(double scale);
};

}  // namespace vtemper
