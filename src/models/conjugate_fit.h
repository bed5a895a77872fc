#pragma once
// Implements ConjugateFit for any model with closed-form updates. The model defines the steps with its own workspace
// type W:
//   std::unique_ptr<W> local_work(const Data* data, int64_t rows) const;
//   LocalSums local_step(const Batch&, const LocalTemperature&, const LocalSettings&, W&) const;
//   void prepare_step(W&, const GlobalStep&) const;
//   GlobalChange global_step(W&, const GlobalStep&) noexcept;
//   int64_t statistics_length() const;
//   std::vector<Quantity> statistics() const;
//   void write_statistics(const W&, double* out) const;
//   void read_statistics(const double* in, W&) const;  and, optionally, int64_t duplicate_components(W&) const;
// with the contracts of ConjugateFit. W derives from LocalWork.

#include "models/conjugate_model.h"

namespace vtemper {

/// Error(DATA) for the first negative number, in statistics that are sums of weights.
void require_counts(const double* statistics, int64_t length);

/// Default implementations for a model's workspace; members of the derived type hide them (static dispatch).
struct LocalWork {
  void save(ContainerWriter&) const {}
  void load(const ContainerReader&) {}
  void forget_rows() noexcept {}
  void swap_rows(LocalWork&) noexcept {}
};

/// Base of models whose statistics are sums of weights in one array, W::statistics.
template <class W>
struct FlatStatistics {
  void write_statistics(const W& work, double* out) const {
    std::copy(work.statistics.begin(), work.statistics.end(), out);
  }
  void read_statistics(const double* in, W& work) const {
    require_counts(in, static_cast<int64_t>(work.statistics.size()));
    std::copy_n(in, work.statistics.size(), work.statistics.begin());
  }
};

template <class M, class W>
class RowSolverOf final : public RowSolver {
 public:
  RowSolverOf(const M& model, std::unique_ptr<W> work) : model_(model), work_(std::move(work)) {}
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature,
                       const LocalSettings& settings) override {
    return model_.local_step(batch, temperature, settings, *work_);
  }
  const W& work() const { return *work_; }

 private:
  const M& model_;
  std::unique_ptr<W> work_;
};

template <class M, class W>
class FitOf : public ConjugateFit {
 public:
  FitOf(M& model, std::unique_ptr<W> work) : model_(model), work_(std::move(work)) {}
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature,
                       const LocalSettings& settings) override {
    return model_.local_step(batch, temperature, settings, *work_);
  }
  void prepare_step(const GlobalStep& step) override { model_.prepare_step(*work_, step); }
  GlobalChange global_step(const GlobalStep& step) noexcept override { return model_.global_step(*work_, step); }
  int64_t statistics_length() const override { return model_.statistics_length(); }
  std::vector<Quantity> statistics() const override { return model_.statistics(); }
  void write_statistics(double* out) const override { model_.write_statistics(*work_, out); }
  void read_statistics(const double* in) override { model_.read_statistics(in, *work_); }
  void save(ContainerWriter& writer) const override { work_->save(writer); }
  void load(const ContainerReader& reader) override { work_->load(reader); }
  void forget_rows() noexcept override { work_->forget_rows(); }
  void swap_rows(ConjugateFit& other) noexcept override { work_->swap_rows(static_cast<FitOf&>(other).work()); }
  std::optional<int64_t> duplicate_components() override { return duplicates_of(model_, *work_, 0); }
  W& work() { return *work_; }
  const W& work() const { return *work_; }

 protected:
  M& model() const { return model_; }

 private:
  M& model_;
  std::unique_ptr<W> work_;

  // Dispatches on whether the model has `int64_t duplicate_components(W&) const`.
  template <class Model>
  static auto duplicates_of(Model& model, W& work, int) -> decltype(model.duplicate_components(work)) {
    return model.duplicate_components(work);
  }
  template <class Model>
  static std::optional<int64_t> duplicates_of(Model&, W&, int64_t) {
    return std::nullopt;
  }
};

template <class M, class W>
std::unique_ptr<RowSolver> row_solver_of(const M& model, std::unique_ptr<W> work) {
  return std::make_unique<RowSolverOf<M, W>>(model, std::move(work));
}

template <class M, class W>
std::unique_ptr<ConjugateFit> fit_of(M& model, std::unique_ptr<W> work) {
  return std::make_unique<FitOf<M, W>>(model, std::move(work));
}

}  // namespace vtemper
