#pragma once
// Steps of conjugate models: local posteriors at a temperature, then statistics blended into the globals.

#include "inference/moves.h"
#include "inference/presets.h"
#include "inference/state.h"
#include "models/conjugate_model.h"

namespace vtemper {

struct ConjugateState final : Optimizer::State {
  Method method;

  // The local half of the step under way.
  std::unique_ptr<LocalWork> work;
  std::unique_ptr<LocalWork> elbo_work;  ///< at T = 1, where the step itself is hot
  std::vector<double> measurement;
  LocalSums sums;
  double cold_bound = 0;  ///< sum_d F_d(1); NaN where not asked for
  GlobalStep next_step;   ///< prepared and not yet taken

  Moves moves;
  bool in_trial = false;         ///< the local half is one of a trial
  bool candidate_fails = false;  ///< its step cannot be taken
  bool settled = false;          ///< the run had converged when the trials began
  int64_t last_step = 0;         ///< at which a run of open end stops or begins its trials; 0: none

  ConjugateState(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, Method method);
  void prepare(const Data& seen);
  Perturbation perturbation() const;  ///< of the step under way
  bool elbo_due() const;

  using State::local_half;
  void local_half(const Batch& batch, int on_threads) override;
  Rows rows_of_step() const override { return {sums.count, sums.rows, sums.empty_rows}; }
  void prepare_move() override;
  void move() override;
  bool has_converged() override;
  bool out_of_steps() const override;
  void forget_moves() override;
  std::string note() override;
  std::string warning() override { return method.temperature->warning(clock); }
  int64_t statistics_length() const override;
  std::vector<Quantity> statistics_layout() const override;
  void write_statistics(double* out) const override;
  void read_statistics(const double* in) override;
  double cold_elbo(int64_t count) override;
  double memory() const override;
  /// The same of a start that is not made yet: the model needs no parameters.
  static double memory_of_start(const ConjugateModel& model, const Data& data, const Method& method);
  std::vector<Quantity> quantities() const override;
  void read_quantity(std::string_view name, const Sink& sink) const override;
  void save_parts(ContainerWriter& writer) const override;
  void restore_parts(const ContainerReader& reader) override;

 private:
  static bool takes_elbo(const Method& method);
  /// Tells the parts and the model of corpus and start.
  void begin(bool resumed);
  void require_usable_sums() const;
  ConjugateModel& conjugate() const { return static_cast<ConjugateModel&>(*model); }
  // What the step under way is of: the model or the candidate of a trial, each with statistics of its own.
  ConjugateModel& model_of_step() const { return in_trial ? moves.candidate() : conjugate(); }
  LocalWork& work_of_step() const { return in_trial ? *elbo_work : *work; }
  void local_half_of_trial(const Batch& batch, int on_threads);
  void prepare_candidate();
  void move_candidate();
};

}  // namespace vtemper
