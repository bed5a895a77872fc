#pragma once
// Steps of models that follow gradients: the gradient of a minibatch, then a move of all parameters.

#include "inference/gradient_method.h"
#include "inference/state.h"

namespace vtemper {

struct GradientState final : Optimizer::State {
  GradientMethod method;

  // The local half of the step under way.
  std::unique_ptr<GradientFit> fit;
  GradientSums sums;
  Array<double> forces;                 ///< of the constraint on the statistics
  std::vector<double> statistics;       ///< of the batch: sums over its rows, additive over machines
  Batch batch{};                        ///< whose rows move their own parameters; no rows where it is gone or was fed
  Array<double> row_statistics;         ///< [rows of the batch x those of a row] of rows with parameters of their own
  Array<double> row_forces;             ///< [rows of the batch] sizes of the constraint on them
  std::vector<RowScratch> row_scratch;  ///< one a thread
  std::vector<int64_t> row_moves;       ///< [rows of the data] moves of each row's parameters so far
  /// Parameters first .. first + count that are moved together: from row `row` on of the `rows` of their matrix.
  struct Piece {
    int64_t first, count, row, rows;
    /// The thread whose rows they are where the matrix is divided evenly.
    int64_t owner(int threads) const { return (2 * row + 1) * threads / (2 * rows); }
  };
  std::vector<Piece> pieces;          ///< of all parameters, the same whatever the threads
  std::vector<kernels::Moved> moved;  ///< [pieces]
  double share = 0;                   ///< of the constraint in the gradient, of the last report
  double values_size = 0;             ///< sum of the values' sizes after the last move is at most this

  GradientState(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, GradientMethod method,
                const CommonStart& common);

  void follow(const std::shared_ptr<Model>& other) override;
  void prepare_together() override;
  using State::local_half;
  void local_half(const Batch& batch, int on_threads) override;
  Rows rows_of_step() const override { return {sums.count, sums.rows, 0}; }
  void prepare_move() override;
  void move() noexcept override;
  int64_t statistics_length() const override;
  std::vector<Quantity> statistics_layout() const override;
  void write_statistics(double* out) const override;
  void read_statistics(const double* in) override;
  void reserve_sums() override;
  void take_sums() override;
  void sum_over_ranks() override;
  void give_sums() override;
  double cold_elbo(int64_t count) override;
  double memory() const override;
  std::vector<Quantity> quantities() const override;
  void read_quantity(std::string_view name, const Sink& sink) const override;
  void save_parts(ContainerWriter& writer) const override;
  void restore_parts(const ContainerReader& reader) override;

 private:
  GradientModel& by_gradient() const { return *model->by_gradient(); }
  GradientSettings settings(const Batch& rows_now, int on_threads) const;
  /// True where the rows of the model have parameters of their own, which those of this batch have not.
  bool is_fed(const Batch& rows_now) const;
  double temperature() const;  ///< of the step under way
  RealArray posterior() const;
  /// Variational parameters that each row has for itself; 0 where there are none.
  int64_t row_length() const;
  void prepare(const Batch& first, int on_threads);
  void start_at(double elbo, double batch_rows);
  /// Cuts the values into pieces.
  void divide();
  const double* forces_on_statistics(const GradientSettings& now);
  void hold_rows(const RowPosteriors& posteriors, const Batch& rows_now, int on_threads);
  void clear_half();
  void move_rows(double scale);
  kernels::Moved move_values(double scale);
  /// True where the gradients are so small that all parameters will be finite.
  bool surely_finite(double scale);
  /// Moves, looks, and goes back; Error(NUMERIC) where something was not finite.
  void try_move(double scale);
};

}  // namespace vtemper
