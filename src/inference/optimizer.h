#pragma once
// The common loop: batch -> local step -> temperature -> step size -> global step. A step is done as a whole or not
// at all: everything that can fail comes before the global step.

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inference/time_plan.h"
#include "models/model.h"

namespace vtemper {

/// All options of the optimizer: the loop's own and those of every part.
OptionTable optimizer_options();

using ReportMonitor = std::function<bool(const vtemper_report&)>;  ///< true stops the run
using MessageSink = std::function<void(int level, const std::string& text)>;

class Optimizer {
 public:
  /// data may be NULL (rows are fed; option rows_total is then required). Initialises the model if necessary.
  Optimizer(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, const Options& options);
  ~Optimizer();

  const OptionValues& options() const;
  /// The values in use; a run with all of them set gives the same bits. "auto" if a value is not known before the
  /// first step.
  Options used_options() const;
  const std::shared_ptr<Model>& model() const;

  /// Runs until `steps` steps are done, the run is finished, or the monitor stops it. VTEMPER_OK or
  /// VTEMPER_CANCELLED; other failures are Errors, after which the state is that of the last completed step. steps <
  /// 0: until finished.
  vtemper_status run(int64_t steps, const ReportMonitor& monitor, const MessageSink& messages);
  void feed(const Data& batch, const MessageSink& messages);
  /// Does work on a step. If rows are fed, this step is the first, and it fails, nothing that was chosen from its
  /// rows stays.
  void undo_start_on_error(const std::function<void()>& work);
  const vtemper_report& report() const;  ///< of the last completed step

  int64_t statistics_length() const;
  /// The arrays they consist of, in order.
  std::vector<Quantity> statistics() const;
  /// batch NULL: the next minibatch of the optimizer's data.
  void local_step(const Data* batch);
  /// The rows of the batch are the rows from `first_place` on among the `step_rows` rows of all machines.
  void local_step_at(const Data& batch, int64_t first_place, int64_t step_rows);
  /// Statistics of the last local step. Error(NUMERIC) if they are out of the range of single precision.
  void write_statistics(double* out) const;
  void write_statistics(float* out);
  void local_step(const Data* batch, double* statistics) {
    local_step(batch);
    write_statistics(statistics);
  }
  void global_step(const double* statistics, const MessageSink& messages);
  void global_step(const float* statistics, const MessageSink& messages);

  /// Approximate memory of the fit in bytes: parameters, workspaces, data in memory; 0 if unknown.
  double memory() const;
  /// As above, before anything is allocated. Throws as the constructor for options that it refuses.
  static double memory_needed(const Model& model, const Data& data, const Options& options);
  std::vector<Quantity> quantities() const;
  void read_quantity(std::string_view name, const Sink& sink) const;
  void write_quantity(std::string_view name, const double* in);

  void save(ContainerWriter& writer) const { save(writer, *model()); }  ///< model included
  /// `whole`: the gathered model if its table is divided over ranks.
  void save(ContainerWriter& writer, const Model& whole) const;
  static std::unique_ptr<Optimizer> load(const ContainerReader& reader, std::shared_ptr<const Data> data);

  struct State;

 private:
  void restore(const ContainerReader& reader);
  std::chrono::steady_clock::time_point last_mark_;  ///< start of the next step in a run by time
  std::unique_ptr<State> state_;  ///< state of the first start; of the best one when all are finished

  // Restarts (restarts.cpp).
  std::vector<std::unique_ptr<State>> other_starts_;  ///< empty once the best start is chosen
  std::vector<double> start_bounds_;                  ///< [restarts] ELBO at T = 1 of each start; NaN before the end
  std::vector<OptionValues> options_before_;          ///< of replaced starts: callers may still use their texts

  // Starts one after the other (starts_in_turn.cpp).
  std::unique_ptr<State> challenger_;  ///< the current start, if state_ is the best of the previous ones
  bool takes_starts_ = false;          ///< the run may continue after the end of a start
  bool unjudged_ = false;              ///< the current start has ended, but has not been compared yet
  bool alternates_ = false;            ///< every other start is plain variational inference
  bool to_the_end_ = false;            ///< the current call is a run, not a number of steps
  uint64_t first_seed_ = 0;
  /// Moves take most of the time of a start, so only those starts make them that are better without them than all
  /// earlier ones of their method. NaN: there was none.
  std::array<double, 2> best_before_moves_;
  double work_ = 0;             ///< operations of the starts that have ended
  int64_t changes_before_ = 0;  ///< changes of the model by the caller before the first step of the start in progress

  // Early stopping (rehearsal.cpp).
  bool rehearses_ = false;       ///< a rehearsal is due before the first step
  int64_t rehearsed_steps_ = 0;  ///< that it found best; 0: none

  // Runs by time (timed_steps.cpp).
  std::optional<TimePlan> plan_;  ///< empty without option time

  static void check_saved_start(const ContainerWriter& writer, const Model& model);
  /// Start 0 is the current one.
  State& start(size_t i) const {
    if (i > 0) return *other_starts_[i - 1];
    return challenger_ ? *challenger_ : *state_;
  }
  size_t starts() const { return 1 + other_starts_.size(); }
  const State& leader() const;
  bool finished() const;
  std::unique_ptr<State> another_start(uint64_t seed, double seconds, const char* method = nullptr) const;
  void add_starts(int64_t count);
  vtemper_status run_on(int64_t steps, const ReportMonitor& monitor, const MessageSink& messages);
  void step(const MessageSink& messages);
  void step_one(const MessageSink& messages);
  void step_starts(const MessageSink& messages);
  void gather_starts();
  void choose_start();
  void keep(std::unique_ptr<State>& chosen);
  void begin_starts_in_turn(bool draws_start);
  bool has_use_for_a_start(double work) const;
  void begin_start();
  size_t method_of_start() const;
  void judge_start();
  void leave_starts();
  void respect_changes();
  std::string starts_message() const;
  std::string early_end_message() const;
  void begin_rehearsal(bool draws_start);
  void rehearse(const MessageSink& messages);
  int64_t best_length() const;
  void end_after(int64_t steps);
  void require_one_start(const char* function) const;
  void require_whole_corpus(const char* function) const;
  void require_unspread(const char* function) const;
  void finish_local_step(const Batch& rows, double expected);
  std::vector<double> statistics_;  ///< workspace of local and global steps for callers with floats
  void begin_plan(double spent);
  void plan_step();
  void end_step_by_plan();
  void end_step_by_plan(double seconds);

  // Steps of several ranks (together.cpp).
  std::chrono::steady_clock::time_point last_monitor_;  ///< last call of the monitor
  bool monitor_due_ = false;                            ///< chosen by rank 0 in the last step
  void step_together(const MessageSink& messages);
  std::array<int64_t, 3> step_up_to_globals(std::chrono::steady_clock::time_point begin);
  bool monitor_due(const ReportMonitor& monitor) const;
  bool ask_monitor(const ReportMonitor& monitor);
  double seconds_of_rank_0(std::chrono::steady_clock::time_point since) const;
  static std::unique_ptr<State> make_state(std::shared_ptr<Model> model, std::shared_ptr<const Data> data,
                                           const Options& options);
  void require_no_plan(const char* function) const;
  void cancel();
  void tell_ending(const MessageSink& messages) const;
};

}  // namespace vtemper
