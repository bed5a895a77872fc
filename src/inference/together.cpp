// Optimizers of data that are spread over the ranks of a group. All ranks hold the same parameters, clock and report:
// a step consists of the local half of the rows of each rank, the sum over the ranks, and the global half, which is
// the same everywhere. Choices that a single process would make by itself are made by rank 0, or from information
// that all ranks have. A step is taken by all ranks or by none: after its local half and after the preparation of its
// global half they learn whether it failed on one of them.

#include <algorithm>
#include <cmath>

#include <unistd.h>
#include <xxhash.h>

#include "data/spread.h"
#include "inference/same_model.h"
#include "inference/state.h"
#include "models/conjugate_model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr const char* create_call = "vtemper_optimizer_create";
constexpr double nanoseconds = 1e9;

std::string hash_of(const Names* names) {
  std::string all;
  if (names != nullptr) {
    for (const std::string& name : *names) all += name + '\0';
  }
  return number_text(uint64_t{XXH3_64bits(all.data(), all.size())});
}

/// Throws the same Error on all ranks unless they fit the same model in the same way.
void require_same_fit(const Model& model, const Data& data, const Options& options) {
  std::vector<Group::Shared> shared = {{"the number of columns of the data", number_text(data.columns())},
                                       {"the hash of the names of the columns", hash_of(data.names.get())}};
  for (const Group::Shared& option : shared_options(optimizer_options(), options)) shared.push_back(option);
  require_same_model(*data.group, create_call, model, shared);
}

int64_t memory_of_machine() {
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

/// The total weight of all rows; its bits do not depend on how the rows are divided.
double exact_weight(const Data& spread) {
  Group& group = *spread.group;
  GridSum sum;
  for (bool again = true; again;) {
    group.run_locally({"the weights of the rows", 1}, [&] {
      if (sum.length() == 0) sum.shape({{1, 1}});
      sum.clear();
      sum.begin(spread.corpus_rows());
      for (int64_t row = 0; row < spread.rows(); ++row) {
        const double weight = spread.weight(row);
        sum.add(0, &weight, 1);
      }
      return Group::Told{};
    });
    const std::vector<double> largest = group.gather(sum.largest().data(), 1);
    again = sum.choose(&*std::max_element(largest.begin(), largest.end()));
  }
  double weight = 0;
  for (const double of_rank : group.gather(sum.totals(), 1)) weight += of_rank;
  return weight;
}

CommonStart common_start(const Data& spread, bool reproducible) {
  CommonStart start;
  start.rows = data_sample(spread, max_start_rows);
  start.memory = static_cast<double>(spread.group->run_locally({"the memory of the machine", 0},
                                                               [] { return Group::Told{memory_of_machine()}; })[0]);
  start.weighted = static_cast<bool>(start.rows->weights);
  if (!start.weighted) return start;
  if (reproducible) {
    start.weight = exact_weight(spread);
    return start;
  }
  double own = 0;
  spread.group->run_locally({"the weights of the rows", 0}, [&] {
    own = data_weight(spread);
    return Group::Told{};
  });
  for (const double of_rank : spread.group->gather(&own, 1)) start.weight += of_rank;
  return start;
}

bool is_reproducible(const Options& options) {
  return OptionValues(optimizer_options(), options, "the optimizer").boolean("reproducible");
}

/// The data spread over a group of one rank, so that steps are computed as in any group.
std::shared_ptr<const Data> spread_alone(const std::shared_ptr<const Data>& data) {
  if (!data) {
    throw Error(VTEMPER_ERROR_OPTION,
                "option reproducible divides the rows of a step into chunks, so it needs an optimizer with data of "
                "its own: where rows are fed, the caller divides them");
  }
  if (data->group) return data;
  return data_spread(*data, std::make_shared<Group>(0, 1, Group::Connection{}));
}

}  // namespace

void Optimizer::State::refuse_restarts() const {
  const int64_t starts = run.options.integer("restarts");
  if (starts == 1) return;
  if (run.options.boolean("reproducible")) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("option restarts asks for ", starts, " starts, but option reproducible fits only one; fit ",
                        "them one after the other with option seed"));
  }
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message("option restarts asks for ", starts, " starts, but the data are spread over ", group->ranks(),
                      " ranks, which fit only one; fit them one after the other with option seed"));
}

std::unique_ptr<Optimizer::State> Optimizer::State::create_together(std::shared_ptr<Model> model,
                                                                    std::shared_ptr<const Data> data,
                                                                    const Options& options) {
  const std::shared_ptr<Group> held = data->group;  // keeps the group alive: a failed creation releases the data
  Group& group = *held;
  require_same_fit(*model, *data, options);
  const bool reproducible = is_reproducible(options);
  const CommonStart common = common_start(*data, reproducible);
  std::unique_ptr<State> state;
  std::string hash;
  group.run_locally({create_call, 2}, [&] {
    state = create(std::move(model), std::move(data), options, common);
    if (divided_table_of(*state->model) == nullptr) hash = number_text(hash_of(*state->model));
    return Group::Told{};
  });
  if (reproducible) state->chunks = std::make_unique<Chunks>(state->data, state->run.batch_size);
  group.run_locally({create_call, 4}, [&] {
    state->reserve_sums();
    return Group::Told{};
  });
  if (const DividedTable* table = divided_table_of(*state->model)) table->settle();
  state->changes_compared = state->model->changes();
  group.require_equal({create_call, 3}, VTEMPER_ERROR_INTERNAL, {{"the hash of the model's parameters", hash}});
  return state;
}

std::unique_ptr<Optimizer::State> Optimizer::make_state(std::shared_ptr<Model> model,
                                                        std::shared_ptr<const Data> data, const Options& options) {
  if (is_reproducible(options)) return State::create_together(std::move(model), spread_alone(data), options);
  return ranks_of(data.get()) == nullptr ? State::create(std::move(model), std::move(data), options)
                                         : State::create_together(std::move(model), std::move(data), options);
}

double Optimizer::seconds_of_rank_0(std::chrono::steady_clock::time_point since) const {
  if (state_->group == nullptr) return seconds_since(since);
  const Group::Told told = state_->group->run_locally(
      {create_call, 5}, [&] { return Group::Told{std::llround(seconds_since(since) * nanoseconds)}; });
  return static_cast<double>(told[0]) / nanoseconds;
}

int64_t Optimizer::State::changes_by_caller() const {
  const bool divided = divided_table_of(*model) != nullptr;  // whose parameters are set by all ranks together
  if (divided || model->changes() == changes_compared) return 0;
  return static_cast<int64_t>(hash_of(*model) >> 2);  // Group reserves the ends of the range
}

void Optimizer::State::divide_model(double memory) {
  const ConjugateModel* const conjugate = model->conjugate();
  const std::string& exchange = run.options.text("exchange");
  if (const DividedTable* const table = divided_table_of(*model)) {
    const bool same = group != nullptr && table->group() == data->group;
    if (same && (exchange == "auto" || exchange == "sharded")) return;
    throw Error(VTEMPER_ERROR_STATE,
                message("the parameters of the model are divided over ", table->group()->ranks(), " ranks, so data ",
                        same ? "are fitted with option exchange sharded, not " + exchange
                             : "have to be spread over the same group"));
  }
  if (group == nullptr) return;
  const auto is_large = [&] {
    constexpr double largest_share = 0.25;  // of the memory: the rest is for workspace and corpus
    if (conjugate == nullptr || !conjugate->may_divide()) return false;
    return conjugate->memory(*data, run.batch_size, false).parameters > largest_share * memory;
  };
  if (run.options.boolean("reproducible")) {
    if (exchange != "sharded") return;
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "exchange sharded adds the ranks' own sums, whose last bits depend on the number of ranks; with "
                "option reproducible, exchange must be auto, dense or sparse");
  }
  if (exchange != "sharded" && !(exchange == "auto" && is_large())) return;
  if (conjugate == nullptr) refuse_to_divide(*model, *group);
  model = conjugate->share_of(data->group);
}

void Optimizer::State::choose_exchange(bool of_table) {
  const std::string& exchange = run.options.text("exchange");
  const bool is_spread = data && data->group;
  const bool is_divided = divided_table_of(*model) != nullptr;
  if (exchange == "auto") {
    run.options.use("exchange", !is_spread ? "none" : is_divided ? "sharded" : of_table ? "sparse" : "dense");
  } else if (exchange == "none" && is_spread) {
    throw Error(
        VTEMPER_ERROR_OPTION,
        message("option exchange is none, but the data are spread over a group of ", data->group->ranks(),
                " ranks, which have to sum their statistics; valid values are auto, dense, sparse and sharded"));
  } else if (exchange != "none" && !is_spread) {
    throw Error(VTEMPER_ERROR_OPTION, message("option exchange is ", exchange,
                                              ", which has no effect unless the data are spread over a group"));
  } else if (exchange == "sparse" && !of_table) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("exchange sparse leaves out words that no rank has met, and ", model->kind().name,
                        " has statistics of everything in every step; use exchange dense"));
  } else if (exchange == "sharded" && !of_table) {
    refuse_to_divide(*model, *data->group);
  }
}

bool Optimizer::State::choose_grids() {
  std::vector<double> largest = chunk_sums.largest();
  GridSum* const large = large_chunk_sums();
  if (large != nullptr) largest.insert(largest.end(), large->largest().begin(), large->largest().end());
  const size_t count = largest.size();
  const std::vector<double> all = group->gather(largest.data(), static_cast<int64_t>(count));
  for (size_t i = 0; i < all.size(); ++i) largest[i % count] = std::max(largest[i % count], all[i]);
  const bool again = chunk_sums.choose(largest.data());
  return (large != nullptr && large->choose(largest.data() + chunk_sums.largest().size())) || again;
}

void Optimizer::State::local_half_in_chunks() {
  do {
    group->run_locally({"the rows of step", clock.iteration}, [&] {
      begin_chunks();
      for (const Chunks::Chunk& chunk : chunks->own()) add_chunk(chunk.batch);
      // The global half needs the state that a local half leaves behind, so a rank without chunks does an empty one.
      if (chunks->own().empty()) add_chunk({data.get(), nullptr, 0, 0, nullptr, 0, 0, run.batch_size});
      std::copy_n(chunk_sums.totals(), chunk_sums.length(), sums_in_double.data());
      return Group::Told{};
    });
  } while (choose_grids());
}

void Optimizer::step_together(const MessageSink& messages) {
  State& state = *state_;
  Group& group = *state.group;
  const auto begin = std::chrono::steady_clock::now();
  double waited = group.seconds_waiting();
  int64_t sent = group.bytes_sent();
  const auto count = [&] {
    state.report.seconds_waiting += group.seconds_waiting() - waited;
    state.report.bytes_sent += group.bytes_sent() - sent;
    waited = group.seconds_waiting();
    sent = group.bytes_sent();
  };
  Group::Told told{};
  group.propagate_failures([&] { told = step_up_to_globals(begin); });
  last_mark_ = std::chrono::steady_clock::now();
  monitor_due_ = told[2] != 0;
  count();
  state.global_half(static_cast<double>(told[0]) / nanoseconds, messages);
  count();  // divided globals are summed last
  group.require_connected();
  state.changes_compared = state.model->changes();
  end_step_by_plan(static_cast<double>(told[1]) / nanoseconds);
}

/// All parts of a step that can fail. Returns the values broadcast by rank 0: its nanoseconds since the beginning of
/// the step and since the last step, and whether the monitors are due.
Group::Told Optimizer::step_up_to_globals(std::chrono::steady_clock::time_point begin) {
  State& state = *state_;
  Group& group = *state.group;
  const int64_t step = state.clock.iteration;
  const int64_t own_changes = state.changes_by_caller();
  Group::Told changes{};
  if (state.chunks) {
    changes = group.run_locally({"the choice of rows of step", step}, [&] {
      if (!state.rows.empty()) state.choose_rows(state.threads);
      return Group::Told{own_changes};
    });
    state.chunks->bring(state.rows.empty() ? nullptr : state.rows.data());
  }
  std::optional<Batch> batch;
  state.prepare_together(batch);
  if (state.chunks) {
    state.local_half_in_chunks();
  } else {
    changes = group.run_locally({"the rows of step", step}, [&] {
      if (!batch) batch = state.next_batch(state.threads);
      state.local_half(*batch);
      state.take_sums();
      return Group::Told{own_changes};
    });
  }
  state.sum_over_ranks();
  return group.run_locally({"the sums of step", step}, [&] {
    if (own_changes != changes[0]) {
      throw Error(
          VTEMPER_ERROR_OPTION,
          "since the last step the parameters of the model were set here to other numbers than on rank 0; all "
          "ranks must set the same");
    }
    state.give_sums();
    state.prepare_global_half();
    const bool report_due = (step + 1) % state.report_every == 0;
    return Group::Told{std::llround(seconds_since(begin) * nanoseconds),
                       std::llround(seconds_since(last_mark_) * nanoseconds),
                       report_due || seconds_since(last_monitor_) >= monitor_seconds ? 1 : 0};
  });
}

}  // namespace vtemper
