// Optimizers of data that are spread over the ranks of a group. All ranks hold the same parameters, clock and report:
// a step is the local half of the own rows, the sum over the ranks, and the global half, which is the same
// everywhere. What one rank would choose alone is chosen by rank 0 or from what all know. A step is whole on all
// ranks or on none: after its local half and after what prepares its global half they hear whether one has failed.

#include <algorithm>
#include <cmath>

#include <unistd.h>
#include <xxhash.h>

#include "data/spread.h"
#include "inference/state.h"
#include "kernels/dispatch.h"
#include "models/conjugate_model.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr const char* create_call = "vtemper_optimizer_create";
constexpr double nanoseconds = 1e9;

const DividedTable* divided_table_of(const Model& model) {
  const ConjugateModel* const conjugate = model.conjugate();
  return conjugate != nullptr ? conjugate->divided_table() : nullptr;
}

std::string hash_of(const Names* names) {
  std::string all;
  if (names != nullptr) {
    for (const std::string& name : *names) all += name + '\0';
  }
  return number_text(uint64_t{XXH3_64bits(all.data(), all.size())});
}

std::string hash_of(const Model& model) {
  ContainerWriter writer("vtemper.model");
  save_model(model, writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  return number_text(uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
}

/// Error on all ranks alike where they are not to fit the same model in the same way.
void require_same_fit(const Model& model, const Data& data, const Options& options) {
  Group& group = *data.group;
  std::vector<Group::Shared> shared = {{"the version of vtemper", number_text(int64_t{VTEMPER_VERSION_NUMBER})},
                                       {"the instruction set", kernels::instruction_set().name},
                                       {"the kind of the model", model.kind().name},
                                       {"whether the model is initialised", model.initialized() ? "true" : "false"},
                                       {"the number of columns of the data", number_text(data.columns())},
                                       {"the hash of the names of the columns", hash_of(data.names.get())}};
  for (const Group::Shared& option : shared_options(optimizer_options(), options)) shared.push_back(option);
  group.require_equal({create_call, 0}, VTEMPER_ERROR_OPTION, shared);
  shared.clear();
  for (const auto& [name, text] : model.options().all()) shared.push_back({"option " + name + " of the model", text});
  const bool divided = divided_table_of(model) != nullptr;
  shared.push_back({"whether the model is divided over ranks", divided ? "true" : "false"});
  if (model.initialized() && !divided) shared.push_back({"the hash of the model's parameters", hash_of(model)});
  group.require_equal({create_call, 1}, VTEMPER_ERROR_OPTION, shared);
}

int64_t memory_of_machine() {
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

CommonStart common_start(const Data& spread) {
  CommonStart start;
  start.rows = data_sample(spread, most_start_rows);
  start.memory = static_cast<double>(
      spread.group->apart({"the memory of the machine", 0}, [] { return Group::Told{memory_of_machine()}; })[0]);
  start.weighted = start.rows->weights != nullptr;
  if (!start.weighted) return start;
  double own = 0;
  spread.group->apart({"the weights of the rows", 0}, [&] {
    own = data_weight(spread);
    return Group::Told{};
  });
  for (const double of_rank : spread.group->gather(&own, 1)) start.weight += of_rank;
  return start;
}

}  // namespace

void Optimizer::State::refuse_restarts() const {
  const int64_t starts = run.options.integer("restarts");
  if (starts == 1) return;
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              sentence("option restarts asks for ", starts, " starts, but the data are spread over ", group->ranks(),
                       " ranks, which step one start; fit them one after the other with option seed"));
}

std::unique_ptr<Optimizer::State> Optimizer::State::create_together(std::shared_ptr<Model> model,
                                                                    std::shared_ptr<const Data> data,
                                                                    const Options& options) {
  Group& group = *data->group;
  require_same_fit(*model, *data, options);
  const CommonStart common = common_start(*data);
  std::unique_ptr<State> state;
  std::string hash;
  group.apart({create_call, 2}, [&] {
    state = create(std::move(model), std::move(data), options, common);
    state->reserve_sums();
    if (divided_table_of(*state->model) == nullptr) hash = hash_of(*state->model);
    return Group::Told{};
  });
  if (const DividedTable* table = divided_table_of(*state->model)) table->settle();
  group.require_equal({create_call, 3}, VTEMPER_ERROR_INTERNAL, {{"the hash of the model's parameters", hash}});
  return state;
}

std::unique_ptr<Optimizer::State> Optimizer::make_state(std::shared_ptr<Model> model,
                                                        std::shared_ptr<const Data> data, const Options& options) {
  return ranks_of(data.get()) == nullptr ? State::create(std::move(model), std::move(data), options)
                                         : State::create_together(std::move(model), std::move(data), options);
}

double Optimizer::seconds_of_rank_0(std::chrono::steady_clock::time_point since) const {
  if (state_->group == nullptr) return seconds_since(since);
  const Group::Told told = state_->group->apart(
      {create_call, 4}, [&] { return Group::Told{std::llround(seconds_since(since) * nanoseconds)}; });
  return static_cast<double>(told[0]) / nanoseconds;
}

void Optimizer::State::divide_model(double memory) {
  const ConjugateModel* const conjugate = model->conjugate();
  const std::string& exchange = run.options.text("exchange");
  if (const DividedTable* const table = divided_table_of(*model)) {
    const bool same = group != nullptr && table->group() == data->group;
    if (same && (exchange == "auto" || exchange == "sharded")) return;
    throw Error(VTEMPER_ERROR_STATE,
                sentence("the parameters of the model are divided over ", table->group()->ranks(), " ranks, so data ",
                         same ? "are fitted with option exchange sharded, not " + exchange
                              : "have to be spread over the same group"));
  }
  if (group == nullptr) return;
  const auto is_large = [&] {
    constexpr double largest_share = 0.25;  // which leaves room for the work and the corpus
    if (conjugate == nullptr || !conjugate->may_divide()) return false;
    const std::optional<MemoryNeed> need = conjugate->memory(*data, run.batch_size, false);
    return need && need->parameters > largest_share * memory;
  };
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
    throw Error(VTEMPER_ERROR_OPTION,
                sentence("option exchange is none, but the data are spread over a group of ", data->group->ranks(),
                         " ranks, which have to sum their statistics; valid are auto, dense, sparse and sharded"));
  } else if (exchange != "none" && !is_spread) {
    throw Error(VTEMPER_ERROR_OPTION, sentence("option exchange is ", exchange,
                                               ", which has no effect unless the data are spread over a group"));
  } else if (exchange == "sparse" && !of_table) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                sentence("exchange sparse leaves out words that no rank has met, and ", model->kind().name,
                         " has statistics of everything in every step; exchange dense sums them"));
  } else if (exchange == "sharded" && !of_table) {
    refuse_to_divide(*model, *data->group);
  }
}

void Optimizer::step_together(const MessageSink& messages) {
  State& state = *state_;
  Group& group = *state.group;
  const auto begin = std::chrono::steady_clock::now();
  const int64_t step = state.clock.iteration;
  const double waited = group.seconds_waiting();
  const int64_t sent = group.bytes_sent();
  state.prepare_together();
  group.apart({"the rows of step", step}, [&] {
    state.local_half(state.next_batch(state.threads));
    state.take_sums();
    return Group::Told{};
  });
  state.sum_over_ranks();
  const Group::Told told = group.apart({"the sums of step", step}, [&] {
    state.give_sums();
    state.prepare_global_half();
    const bool report_due = (step + 1) % state.report_every == 0;
    return Group::Told{std::llround(seconds_since(begin) * nanoseconds),
                       std::llround(seconds_since(last_mark_) * nanoseconds),
                       report_due || seconds_since(last_monitor_) >= monitor_seconds ? 1 : 0};
  });
  last_mark_ = std::chrono::steady_clock::now();
  monitor_due_ = told[2] != 0;
  state.report.seconds_waiting += group.seconds_waiting() - waited;
  state.report.bytes_sent += group.bytes_sent() - sent;
  state.global_half(static_cast<double>(told[0]) / nanoseconds, messages);
  group.require_connected();
  end_step_by_plan(static_cast<double>(told[1]) / nanoseconds);
}

}  // namespace vtemper
