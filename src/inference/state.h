#pragma once
// What an optimizer holds between steps: what all runs share, and as hooks what a family of models does in a step
// (conjugate_state.h, gradient_state.h).

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

/// Where a step computes no such number.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
/// Where parameters were nearly 0 a relative change may be beyond all numbers.
constexpr double largest_change = std::numeric_limits<double>::max();

struct Optimizer::State {
  std::shared_ptr<Model> model;
  std::shared_ptr<const Data> data;  ///< NULL where rows are fed
  Run run;
  uint64_t seed;
  int threads;           ///< at most
  int step_threads = 1;  ///< of the step under way
  int64_t report_every, elbo_every;
  double deadline;
  double seconds_before_steps = 0;  ///< that initialising took of the deadline

  Clock clock;
  Corpus corpus;
  bool prepared = false;  ///< the parts know model and corpus
  vtemper_report report{};
  bool done = false;  ///< of one start among several: it waits for the others
  Trace trace;
  int64_t pass_of_last_step = 0;
  double last_objective = no_number;
  double last_inverse_temperature = no_number;
  std::vector<int64_t> rows;         ///< [batch_size] of the minibatch; of a part its own come first
  std::vector<int64_t> places;       ///< of these among the batch_size rows of the minibatch; empty where it is whole
  std::vector<int64_t> spread_rows;  ///< of spread_batch

  // Sums over machines (halves.cpp).
  Part own_part;                ///< of the corpus that the data are
  double rows_of_half = 0;      ///< that the last local half of this machine saw
  double rows_expected = -1;    ///< in the sum of all machines; < 0: any number
  const char* own_choice = "";  ///< a message about what was chosen from rows of this machine alone; "": nothing

  // Of data that are spread over a group (together.cpp).
  Group* group = nullptr;  ///< of several ranks; NULL: the optimizer is alone
  RankSum rank_sum;
  std::vector<double> sums_in_double;  ///< of the step under way

  // Of option reproducible (chunks.h); else there are none.
  std::unique_ptr<Chunks> chunks;
  GridSum chunk_sums;  ///< of what sums_in_double then takes

  int32_t ending() const;
  bool settled() const;
  bool offered_to_trace() const {
    return clock.iteration == 1 || clock.iteration % report_every == 0 || report.finished;
  }

  /// The state of a run by the method that the options choose, with the model initialised.
  static std::unique_ptr<State> create(std::shared_ptr<Model> model, std::shared_ptr<const Data> data,
                                       const Options& options, const CommonStart& common = {});
  /// The same of data that are spread over several ranks: collective.
  static std::unique_ptr<State> create_together(std::shared_ptr<Model> model, std::shared_ptr<const Data> data,
                                                const Options& options);
  State(std::shared_ptr<Model> model, std::shared_ptr<const Data> data, const Run& run, const CommonStart& common);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  virtual ~State() = default;

  /// Draws the start of the model. Error(CANCELLED) where that takes longer than so many seconds, or the caller wants
  /// the end.
  static void initialize(Model& model, const Data& data, uint64_t seed, double seconds);
  /// Chosen by `at_most` threads; of a part those rows of the batch that it has.
  Batch next_batch(int at_most);
  /// The numbers of the rows of the step in the corpus, in the order of their places.
  void choose_rows(int at_most);
  /// All rows of what was handed in: those of the step from `first_place` on.
  Batch batch_of(const Data& handed_in, int64_t first_place = 0, int64_t all_rows = 0) const;
  /// Error where the statistics that were read are not what the machines of this run can have summed.
  void check_summed() const;
  void refuse_own_choice() const;
  /// Draws the start of the model from the data, or the corpus they are a part of.
  void initialize_model();
  /// Weight of all rows, where the weights tell it.
  double total_weight() const;
  /// Rows of this machine that a step sees at most, about.
  int64_t largest_batch() const;
  void check_part() const;
  void refuse_restarts() const;
  /// The local half chunk by chunk. Collective.
  void local_half_in_chunks();
  /// True on all ranks where the grids were too fine for the chunks of one of them. Collective.
  bool choose_grids();
  bool report_due() const;
  /// Ends the run with the step just done: its time is over.
  void end_by_time();
  /// Operations of a step on `count` rows of data, about.
  double operations(const Data& from, int64_t count) const;
  void local_half(const Batch& batch);
  /// Everything of the global half that can fail: after it the step is whole.
  void prepare_global_half();
  void global_half(double seconds_before, const MessageSink& messages);
  /// The options with all values that the run has chosen so far in use.
  OptionValues used_options() const;
  /// `whole`: the model, or all of it where its table is divided.
  void save(ContainerWriter& writer, const Model& whole) const;
  void restore(const ContainerReader& reader);
  /// True where a checkpoint has the posteriors of the rows of the data.
  bool has_rows(const ContainerReader& reader) const;
  /// The next rows, at most a batch, of `count` rows spread evenly over the data, from the `from`-th on.
  Batch spread_batch(int64_t from, int64_t count);
  /// The test of restore: Error(FORMAT) for numbers that no run comes to. Changes nothing.
  static void check_saved(const ContainerReader& reader);

  /// Before the model has a start: divides its table over the ranks where option exchange says so, or where it is
  /// too large for a machine of so much memory. Error where a model that is divided is to be fitted otherwise.
  void divide_model(double memory);
  /// Decides what option exchange leaves open, and refuses what has no meaning. `of_table`: the statistics are a
  /// table.
  void choose_exchange(bool of_table);

  // ---- what families of models do ----
  /// What a step is prepared by, from all ranks. Leaves the rows of the step in `batch` where it had to choose them.
  /// Collective.
  virtual void prepare_together(std::optional<Batch>& /*batch*/) {}
  /// Room for the sums over ranks; before the first of them.
  virtual void reserve_sums() = 0;
  /// After a local half that is not of chunks: what it gave, ready to be summed.
  virtual void take_sums() = 0;
  /// What of a local half comes before its rows, once; after it the sums of chunks are 0.
  virtual void begin_chunks() = 0;
  /// The local half of a chunk, whose sums are added to those of the others.
  virtual void add_chunk(const Batch& chunk) = 0;
  /// Sums of chunks apart from chunk_sums; NULL: there are none.
  virtual GridSum* large_chunk_sums() = 0;
  virtual const GridSum* large_chunk_sums() const = 0;
  /// Sums over the ranks. Collective; cannot fail but for a lost rank.
  virtual void sum_over_ranks() = 0;
  /// The local half becomes that of all ranks.
  virtual void give_sums() = 0;
  /// Goes on with another model, which holds the same parameters. A failed call changes nothing.
  virtual void follow(const std::shared_ptr<Model>& other) = 0;
  /// Everything of a step that can fail; the globals stay as they are.
  virtual void local_half(const Batch& batch, int on_threads) = 0;
  /// Rows of the local half: their number, their weight, those without entries.
  struct StepRows {
    double count, weight, empty;
  };
  virtual StepRows rows_of_step() const = 0;
  /// Everything of move that can fail; parameters, parts and report stay as they are. Error(NUMERIC) where a
  /// parameter would leave its domain.
  virtual void prepare_move() = 0;
  /// Moves the globals and writes what it knows into the report.
  virtual void move() noexcept = 0;
  /// True where the step just done, the clock moved on, has converged.
  virtual bool has_converged() { return false; }
  /// True where the run ends though it has not converged.
  virtual bool out_of_steps() const { return clock.steps_total > 0 && clock.iteration >= clock.steps_total; }
  /// Whether another cooling makes the fit better, for new rows as well.
  virtual bool gains_by_reheating() const { return false; }
  /// The clock was set: ways out of an optimum are looked for anew.
  virtual void forget_moves() {}
  virtual std::string note() { return {}; }  ///< a message for the user at the end of a run, or ""
  virtual std::string warning() { return {}; }

  /// The local half as one flat array, additive over machines.
  virtual int64_t statistics_length() const = 0;
  /// The arrays that it consists of, in their order.
  virtual std::vector<Quantity> statistics_layout() const = 0;
  virtual void write_statistics(double* out) const = 0;
  /// Error(DATA) for what cannot be a sum.
  virtual void read_statistics(const double* in) = 0;

  /// At T = 1, of `count` rows spread evenly over the data, scaled to all.
  virtual double cold_elbo(int64_t count) = 0;
  virtual double memory() const = 0;  ///< bytes without the data, about; 0: not known
  /// Enters what the parts chose.
  virtual void report_used(OptionValues& used) const = 0;
  virtual std::vector<Quantity> quantities() const = 0;
  virtual void read_quantity(std::string_view name, const Sink& sink) const = 0;
  virtual void save_parts(ContainerWriter& writer) const = 0;
  virtual void restore_parts(const ContainerReader& reader) = 0;
};

/// Sums of a step and sizes of the data beyond this leave no room to calculate with them.
constexpr double largest_sum = 1e150;

/// Steps, rows and moves that are counted. No run lives to see so many; more of them would not stay whole numbers in
/// products with the size of a batch.
constexpr int64_t largest_count = 1000000000000;

/// Refuses a checkpoint.
[[noreturn]] void refuse_checkpoint(const ContainerReader& reader, const std::string& why);

/// Seconds between calls of the monitor at most, as far as steps allow.
constexpr double monitor_seconds = 0.2;

/// Seconds since `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace vtemper
