#pragma once
// What an optimizer holds between steps.

#include <chrono>

#include "inference/optimizer.h"
#include "inference/presets.h"
#include "inference/trace.h"

namespace vtemper {

struct Optimizer::State {
  std::shared_ptr<ConjugateModel> model;
  std::shared_ptr<const Data> data;  ///< NULL where rows are fed
  Method method;
  uint64_t seed;
  int threads;
  int64_t report_every, elbo_every;
  double tolerance, deadline;

  Clock clock;
  Corpus corpus;
  bool prepared = false;  ///< the temperature knows model and corpus
  vtemper_report report{};
  bool done = false;  ///< of one start among several: it waits for the others
  Trace trace;
  int64_t pass_of_last_step = 0;
  double last_objective = std::numeric_limits<double>::quiet_NaN();
  double last_inverse_temperature = std::numeric_limits<double>::quiet_NaN();

  // The local half of the step under way.
  std::unique_ptr<LocalWork> work;
  std::unique_ptr<LocalWork> elbo_work;  ///< at T = 1, where the step itself is hot
  std::vector<int64_t> rows;             ///< [batch_size] of the minibatch
  std::vector<double> measurement;
  LocalSums sums;
  double cold_bound = 0;  ///< sum_d F_d(1); NaN where not asked for

  State(std::shared_ptr<ConjugateModel> model, std::shared_ptr<const Data> data, Method method);
  void prepare(const Data& seen);
  Perturbation perturbation() const;  ///< of the step under way
  Batch next_batch();
  bool elbo_due() const;
  bool report_due() const;
  void local_half(const Batch& batch) { local_half(batch, threads); }
  void local_half(const Batch& batch, int on_threads);
  void save(ContainerWriter& writer) const;
  void restore(const ContainerReader& reader);
  double cold_elbo();
  void global_half(double seconds_before, const MessageSink& messages);
};

/// Seconds since `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace vtemper
