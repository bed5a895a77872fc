#pragma once
// Steps of conjugate models: local posteriors at a temperature, then a blend of the statistics into the globals.

#include <algorithm>

#include "inference/move_rounds.h"
#include "inference/moves.h"
#include "inference/presets.h"
#include "inference/row_temperatures.h"
#include "inference/state.h"
#include "inference/table_pair.h"
#include "inference/table_push.h"
#include "inference/table_sum.h"
#include "models/conjugate_model.h"

namespace vtemper {

/// The work of a step, decided once before its local half.
struct StepPlan {
  int64_t iteration = -1;  ///< number of previous steps; -1: no plan
  bool score = false;      ///< compute ELBO and objective for the report
  bool bound = false;      ///< the local half computes the bound and the expected log likelihood
  LocalTemperature temperature;
  Perturbation perturbation;
};

/// Scores reported by a step, for the parameters before it.
struct StepScore {
  double elbo, objective;
  std::optional<int64_t> duplicate_components;
};

/// Bounds of the globals, at T = 1 and of the step's priors.
struct GlobalBounds {
  double cold = 0, tempered = 0;
};

struct ConjugateState final : Optimizer::State {
  ConjugateMethod method;
  ConjugateModel* conjugate;  ///< the model
  StepPlan plan;

  // Results of the local half of the current step.
  std::unique_ptr<ConjugateFit> fit;
  std::unique_ptr<RowSolver> cold_solver;  ///< for the score if the step is not at T = 1
  std::vector<double> measurement;
  LocalSums sums;
  double cold_bound = 0;   ///< sum_d F_d(1); NaN if not requested
  GlobalStep next_step;    ///< prepared but not yet taken
  StepScore next_score;    ///< its score, if plan.score
  GlobalBounds bounds;     ///< for next_score; if the globals are divided, first of this rank's share, then of all
  double trial_bound = 0;  ///< the bound of the candidate

  TableSum table_sum;                     ///< sums over ranks if the statistics are a table,
  TablePair table_pair;                   ///< replaced by this one for two ranks and touched rows,
  TablePush table_push;                   ///< and by this one if the globals are divided
  bool in_pair = false;                   ///< table_pair is used
  const DividedTable* divided = nullptr;  ///< the model's

  Moves moves;
  MoveRounds move_rounds;
  RowTemperatures row_temperatures;  ///< of the data's rows, if the method learns them
  bool in_trial = false;             ///< the local half belongs to a trial
  bool candidate_fails = false;      ///< the candidate's step cannot be taken
  bool unusable_sums = false;        ///< the sums over ranks are invalid for the candidate
  bool settled = false;              ///< the run had converged when the trials began
  int64_t last_step = 0;  ///< step at which a run without a fixed length stops or begins its trials; 0: none

  ConjugateState(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, ConjugateMethod method,
                 const CommonStart& common);
  void prepare(const Data& seen);
  /// Plans the next step.
  void make_plan();

  void undo_start() override;
  void keep_start() override { conjugate->keep_start(); }
  void follow(const std::shared_ptr<Model>& other) override;
  using State::local_half;
  void local_half(const Batch& batch, int on_threads) override;
  StepRows rows_of_step() const override { return {sums.count, sums.rows, sums.empty_rows}; }
  void prepare_move() override;
  void find_moves() override;
  void move() noexcept override;
  bool has_converged() override;
  bool out_of_steps() const override;
  bool gains_by_reheating() const override;
  void forget_moves() override;
  std::string note() override;
  std::string warning() override { return method.temperature->warning(clock.of_cooling()); }
  int64_t statistics_length() const override;
  std::vector<Quantity> statistics_layout() const override;
  void write_statistics(double* out) const override;
  void read_statistics(const double* in) override;
  void prepare_together(std::optional<Batch>& batch) override;
  void reserve_sums() override;
  void take_sums() override;
  void begin_chunks() override;
  void add_chunk(const Batch& chunk) override;
  GridSum* large_chunk_sums() override { return fit->table_statistics() != nullptr ? &table_sum.grid() : nullptr; }
  const GridSum* large_chunk_sums() const override {
    return fit->table_statistics() != nullptr ? &table_sum.grid() : nullptr;
  }
  /// False for a single rank: its local half has already stored the sum in place.
  bool sums_table() const { return group->ranks() > 1 || chunks; }
  void sum_over_ranks() override;
  void give_sums() override;
  double cold_elbo(int64_t count) override;
  double memory() const override;
  void report_used(OptionValues& used) const override;
  /// As above for a start that has not been created yet; the model need not be initialised.
  static double memory_of_start(const ConjugateModel& model, const Data& data, const ConjugateMethod& method);
  std::vector<Quantity> quantities() const override;
  void read_quantity(std::string_view name, const Sink& sink) const override;
  void save_parts(ContainerWriter& writer) const override;
  void restore_parts(const ContainerReader& reader) override;

 private:
  static bool takes_elbo(const ConjugateMethod& method);
  /// Passes the corpus and the start to the parts and the model.
  void begin(bool resumed);
  bool learns_row_temperatures() const {
    return data && group == nullptr && method.required_features().row_temperatures;
  }
  void require_usable_sums() const;
  void write_sums(double* out) const;
  void read_sums(const double* in);
  void check_statistics(const double* in, int64_t length) const;
  int64_t sums_length() const { return LocalSums::length + 1 + static_cast<int64_t>(measurement.size()); }
  // The fit of the current step: that of the model or of a trial's candidate, each with its own statistics.
  ConjugateFit& fit_of_step() const { return in_trial ? moves.candidate_fit() : *fit; }
  GlobalBounds global_bounds() const;
  /// Called after a step of divided globals; returns its relative change.
  double settle_globals() noexcept;
  /// Number of sums over ranks in addition to the table of statistics.
  int64_t summed_apart_length() const;
  /// Preparation of a local half, before its rows.
  void begin_local_half(const Data& seen);
  void solve_rows(const Batch& batch, int on_threads);
  bool remembers(const Batch& batch) const;  ///< the posteriors of its rows, until the next step
  void local_half_of_trial(const Batch& batch, int on_threads);
  std::vector<GridSum::Field> fields_of_chunks() const;
  void prepare_candidate();
  void move_candidate() noexcept;
};

}  // namespace vtemper
