#pragma once
// Steps of conjugate models: local posteriors at a temperature, then statistics blended into the globals.

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

  ConjugateState(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, Method method);
  void prepare(const Data& seen);
  Perturbation perturbation() const;  ///< of the step under way
  bool elbo_due() const;

  using State::local_half;
  void local_half(const Batch& batch, int on_threads) override;
  Rows rows_of_step() const override { return {sums.count, sums.rows, sums.empty_rows}; }
  void move() override;
  bool has_converged() override;
  std::string warning() override { return method.temperature->warning(clock); }
  int64_t statistics_length() const override;
  void write_statistics(double* out) const override;
  void read_statistics(const double* in) override;
  double cold_elbo() override;
  double memory() const override;
  std::vector<Quantity> quantities() const override;
  void read_quantity(std::string_view name, const Sink& sink) const override;
  void save_parts(ContainerWriter& writer) const override;
  void restore_parts(const ContainerReader& reader) override;

 private:
  ConjugateModel& conjugate() const { return static_cast<ConjugateModel&>(*model); }
};

}  // namespace vtemper
