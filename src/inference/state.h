#pragma once
// The state of an optimizer between steps: members common to all runs, and hooks that each family of models
// implements (conjugate_state.h, gradient_state.h).

#include <chrono>

#include "group/grid_sum.h"
#include "inference/chunks.h"
#include "inference/clock.h"
#include "inference/optimizer.h"
#include "inference/run.h"
#include "inference/temperature.h"
#include "inference/together.h"
#include "inference/trace.h"

namespace vtemper {

/// Stands for a number that a step does not compute.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
/// Limit of relative changes, which may overflow if parameters were nearly 0.
constexpr double largest_change = std::numeric_limits<double>::max();

struct Optimizer::State {
  std::shared_ptr<Model> model;
  std::shared_ptr<const Data> data;  ///< NULL if rows are fed
  Run run;
  uint64_t seed;
  int threads;           ///< maximum number
  int step_threads = 1;  ///< of the current step
  int64_t report_every, elbo_every;
  double deadline;
  double seconds_before_steps = 0;  ///< time spent on initialising, which counts against the deadline

  Clock clock;
  Corpus corpus;
  bool prepared = false;  ///< model and corpus have been passed to the parts
  vtemper_report report{};
  bool done = false;  ///< one of several starts: finished, and waiting for the others
  Trace trace;
  int64_t pass_of_last_step = 0;
  int64_t changes_seen = 0;                    ///< changes of the model by the caller until the end of the last step
  std::shared_ptr<const double> weights_seen;  ///< weights of the rows in the last step; NULL: none
  double last_objective = no_number;
  double last_inverse_temperature = no_number;
  double bound_before_moves = no_number;  ///< ELBO when the first moves were due; NaN before
  double moves_above = no_number;         ///< no moves unless that is better; NaN: in any case
  std::vector<int64_t> rows;    ///< [batch_size] of the minibatch; if the data are a part, the part's rows come first
  std::vector<int64_t> places;  ///< their places among the batch_size rows of the minibatch; empty if it is whole
  std::vector<int64_t> spread_rows;  ///< rows of spread_batch

  // Sums over machines (halves.cpp).
  Part own_part;                  ///< the part of the corpus that the data are
  double rows_of_half = 0;        ///< rows in the last local half of this machine
  double rows_expected = -1;      ///< rows in the sum over all machines; < 0: any number
  bool others_have_rows = false;  ///< the current step is known to have rows of other machines as well
  const char* own_choice = "";    ///< message about a choice made from the rows of this machine alone; "": none

  // For data that are spread over a group (together.cpp).
  Group* group = nullptr;        ///< NULL: the data are not spread
  int64_t changes_compared = 0;  ///< changes of the model by the caller that all ranks are known to have made
  RankSum rank_sum;
  std::vector<double> sums_in_double;  ///< of the current step

  // For option reproducible (chunks.h); otherwise NULL and unused.
  std::unique_ptr<Chunks> chunks;
  GridSum chunk_sums;  ///< sums of chunks, copied to sums_in_double

  int32_t ending() const;
  bool settled() const;
  bool offered_to_trace() const {
    return clock.iteration == 1 || clock.iteration % report_every == 0 || report.finished;
  }

  /// The state of a run with the method chosen by the options; initialises the model.
  static std::unique_ptr<State> create(std::shared_ptr<Model> model, std::shared_ptr<const Data> data,
                                       const Options& options, const CommonStart& common = {});
  /// As above for data that are spread over several ranks. Collective.
  static std::unique_ptr<State> create_together(std::shared_ptr<Model> model, std::shared_ptr<const Data> data,
                                                const Options& options);
  State(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, const Run& run, const CommonStart& common);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  virtual ~State() = default;

  /// Draws the start of the model. Error(CANCELLED) if that takes longer than `seconds`, or the caller cancels.
  static void initialize(Model& model, const Data& data, uint64_t seed, double seconds);
  /// The next minibatch, chosen by at most `at_most` threads; if the data are a part, only the rows that it has.
  Batch next_batch(int at_most);
  /// Chooses the rows of the step, as row numbers in the corpus, in the order of their places.
  void choose_rows(int at_most);
  /// A batch of all rows of `handed_in`, which are the rows of the step from `first_place` on.
  Batch batch_of(const Data& handed_in, int64_t first_place = 0, int64_t all_rows = 0) const;
  /// Error if the statistics that were read cannot be a sum over the machines of this run.
  void check_summed() const;
  void refuse_own_choice() const;
  /// Draws the start of the model from the data, or from the corpus that they are a part of.
  void initialize_model();
  /// Total weight of all rows, if the weights determine it.
  double total_weight() const;
  /// Approximate maximum number of rows of this machine in a step.
  int64_t largest_batch() const;
  void check_part() const;
  void refuse_restarts() const;
  /// Hash of the model if the caller has changed it since the last step, otherwise 0.
  int64_t changes_by_caller() const;
  /// Does the local half chunk by chunk. Collective.
  void local_half_in_chunks();
  /// Returns true on all ranks if the grids were too fine for the chunks of one of them. Collective.
  bool choose_grids();
  bool report_due() const;
  /// Ends the run with the step just done, because its time is up.
  void end_by_time();
  /// Approximate number of operations of a step on `count` rows of the data.
  double operations(const Data& from, int64_t count) const;
  void local_half(const Batch& batch);
  /// Does all parts of the global half that can fail; after it the step is certain to be completed.
  void prepare_global_half();
  void plan_fed_steps(double count);
  void require_usable_weight(double weight) const;
  /// Error(NUMERIC) for a step whose sums are `finite` but too large, or are not finite; with the advice that fits.
  [[noreturn]] void refuse_sums(bool finite) const;
  bool has_new_weights() const;
  void take_weights();
  void respect_changes();
  void global_half(double seconds_before, const MessageSink& messages);
  /// The options with all values that the run has chosen so far.
  OptionValues used_options() const;
  /// `whole`: the model; the gathered model if its table is divided.
  void save(ContainerWriter& writer, const Model& whole) const;
  void restore(const ContainerReader& reader);
  /// True if a checkpoint has the posteriors of the rows of the data.
  bool has_rows(const ContainerReader& reader) const;
  /// The next rows, at most a batch, of `count` rows spread evenly over the data, from the `from`-th on.
  Batch spread_batch(int64_t from, int64_t count);
  /// The check done by restore: Error(FORMAT) for values that no run can produce. Changes nothing.
  static void check_saved(const ContainerReader& reader);

  /// Called before the model has a start: divides its table over the ranks if option exchange asks for that, or if it
  /// is too large for a machine with `memory` bytes. Error if a divided model is to be fitted in another way.
  void divide_model(double memory);
  /// Chooses the value of option exchange if it is auto, and refuses values that do not apply. `of_table`: the
  /// statistics are a table.
  void choose_exchange(bool of_table);

  // ---- implemented by each family of models ----
  /// Prepares a step with information from all ranks. If it has to choose the rows of the step, it stores them in
  /// `batch`. Collective.
  virtual void prepare_together(std::optional<Batch>& /*batch*/) {}
  /// Reserves memory for the sums over ranks, before the first of them.
  virtual void reserve_sums() = 0;
  /// Called after a local half without chunks: prepares its results for the sum over ranks.
  virtual void take_sums() = 0;
  /// Preparation of a local half, once before its chunks; sets the sums of chunks to 0.
  virtual void begin_chunks() = 0;
  /// Does the local half of a chunk and adds its sums to those of the other chunks.
  virtual void add_chunk(const Batch& chunk) = 0;
  /// Sums of chunks in addition to chunk_sums; NULL: none.
  virtual GridSum* large_chunk_sums() = 0;
  virtual const GridSum* large_chunk_sums() const = 0;
  /// Sums over the ranks. Collective; can fail only if a rank is lost.
  virtual void sum_over_ranks() = 0;
  /// Replaces the results of the local half by the sums over all ranks.
  virtual void give_sums() = 0;
  /// Undoes the start of a fit of fed rows, in the call that made it: everything that was chosen from the first rows.
  /// Cannot fail.
  virtual void undo_start() = 0;
  /// The start of such a fit is final.
  virtual void keep_start() {}
  /// Continues with another model, which holds the same parameters. A failed call changes nothing.
  virtual void follow(const std::shared_ptr<Model>& other) = 0;
  /// The local half of a step, which may fail; the globals do not change.
  virtual void local_half(const Batch& batch, int on_threads) = 0;
  /// Rows of the local half: their number, their weight, the number of rows without entries.
  struct StepRows {
    double count, weight, empty;
  };
  virtual StepRows rows_of_step() const = 0;
  /// All parts of move that can fail; parameters, parts and report do not change. Error(NUMERIC) if a parameter would
  /// leave its domain.
  virtual void prepare_move() = 0;
  /// Finds the moves out of a local optimum that belong to the step. Can be interrupted; changes nothing else.
  virtual void find_moves() {}
  /// Moves the globals and writes the values that it computed into the report.
  virtual void move() noexcept = 0;
  /// True if the run converged with the step just done. The clock has already been advanced.
  virtual bool has_converged() { return false; }
  /// True if the run ends although it has not converged.
  virtual bool out_of_steps() const;
  /// Whether another cooling improves the fit, for new rows as well.
  virtual bool gains_by_reheating() const { return false; }
  /// Called after the clock was set: the search for moves out of an optimum starts again.
  virtual void forget_moves() {}
  virtual std::string note() { return {}; }  ///< a message for the user at the end of a run, or ""
  virtual std::string warning() { return {}; }

  /// The local half as one flat array, additive over machines.
  virtual int64_t statistics_length() const = 0;
  /// The arrays it consists of, in order.
  virtual std::vector<Quantity> statistics_layout() const = 0;
  virtual void write_statistics(double* out) const = 0;
  /// Error(DATA) for numbers that cannot be a sum.
  virtual void read_statistics(const double* in) = 0;

  /// ELBO at T = 1, from `count` rows spread evenly over the data, scaled to all rows.
  virtual double cold_elbo(int64_t count) = 0;
  /// The same of rows that the run does not see, in groups of consecutive rows; empty where no run stops early.
  virtual std::vector<double> elbo_of(const Data& /*others*/, int64_t /*groups*/) { return {}; }
  virtual double memory() const = 0;  ///< approximate number of bytes, without the data; 0: unknown
  /// Enters the values chosen by the parts.
  virtual void report_used(OptionValues& used) const = 0;
  virtual std::vector<Quantity> quantities() const = 0;
  virtual void read_quantity(std::string_view name, const Sink& sink) const = 0;
  virtual void save_parts(ContainerWriter& writer) const = 0;
  virtual void restore_parts(const ContainerReader& reader) = 0;
};

/// Maximum count of steps, rows and moves. No run reaches this; larger counts would not remain exact integers when
/// multiplied by the size of a batch.
constexpr int64_t largest_count = 1000000000000;

/// Refuses a checkpoint.
[[noreturn]] void refuse_checkpoint(const ContainerReader& reader, const std::string& why);

/// Maximum number of seconds between calls of the monitor, as far as the duration of steps allows.
constexpr double monitor_seconds = 0.2;

/// Seconds since `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Number of rehearsals of a run over so many rows that stops early.
int64_t rehearsals_of(int64_t rows);

/// Whether a start's bound is better than another's. A bound that is not known (NaN) is lower than any other; smaller
/// differences than rounding are attributed to the same optimum.
bool is_better(double bound, double than);

}  // namespace vtemper
