// The two halves of a step as separate calls, for sums over machines: local_step returns the statistics of this
// machine's rows, global_step takes their sum. A step must then be the same on all machines, so every choice that a
// machine would make by itself is based on the whole corpus or is refused: the length of a run, its pace, its
// schedule and the batches follow from the corpus that the data are a part of (vtemper_data_set_part), random draws
// from the numbers of rows in it.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "inference/state.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void Optimizer::State::check_part() const {
  if (deadline > 0) {
    throw Error(VTEMPER_ERROR_OPTION, message("option deadline is ", deadline,
                                              ", but the data are a part of a corpus: every machine would ",
                                              "end by its own clock; stop the steps of all of them together"));
  }
  if (data->weights && !own_part.corpus && run.options.is_auto("rows_total")) {
    throw Error(VTEMPER_ERROR_OPTION,
                "option rows_total is needed: the rows have weights and are a part of a corpus whose other weights "
                "this machine does not know");
  }
}

void Optimizer::State::initialize_model() {
  if (!data) {
    throw Error(VTEMPER_ERROR_STATE,
                "the model is not initialised and the optimizer has no data to initialise it with; "
                "call vtemper_model_initialize first");
  }
  if (own_part.rows > 0 && !own_part.corpus) {
    throw Error(VTEMPER_ERROR_STATE,
                "the model is not initialised and the data are a part of a corpus: every machine would start from "
                "rows of its own; initialise it on one of them and give the others its copy");
  }
  const Data& from = own_part.corpus ? *own_part.corpus : *data;
  initialize(*model, from, seed, deadline);
}

double Optimizer::State::total_weight() const {
  return data_weight(own_part.corpus ? *own_part.corpus : *data);
}

int64_t Optimizer::State::largest_batch() const {
  const int64_t most = data ? std::min(run.batch_size, data->rows()) : run.batch_size;
  return std::max<int64_t>(most, 1);
}

void Optimizer::State::refuse_own_choice() const {
  if (*own_choice != 0) throw Error(VTEMPER_ERROR_OPTION, own_choice);
}

void Optimizer::State::check_summed() const {
  const double count = rows_of_step().count;
  constexpr double rounding = 1e-6;  // statistics may have been passed as floats
  if (rows_expected >= 0 && std::abs(count - rows_expected) > rounding * rows_expected) {
    if (data && own_part.rows == 0) {
      throw Error(VTEMPER_ERROR_DATA,
                  message("the statistics are of ", count, " rows, the step of this optimizer is of ", rows_expected,
                          ": where machines have data of their own, each must declare which part of the corpus ",
                          "it has (vtemper_data_set_part)"));
    }
    throw Error(VTEMPER_ERROR_DATA,
                message("the statistics are of ", count, " rows, but the step is of ", rows_expected,
                        " on all machines together: the sum must contain the statistics of each machine once"));
  }
  if (std::abs(count - rows_of_half) <= rounding * count) return;
  refuse_own_choice();
  if (deadline > 0) {
    throw Error(VTEMPER_ERROR_OPTION,
                message("option deadline is ", deadline, ", but the statistics are of other machines as well: every ",
                        "one would end by its own clock; stop the steps of all of them together"));
  }
}

void Optimizer::require_whole_corpus(const char* function) const {
  const Part& own_part = state_->own_part;
  if (own_part.rows == 0) return;
  throw Error(VTEMPER_ERROR_STATE,
              message(function, " is not for data that are a part of a corpus (", state_->data->rows(), " of ",
                      own_part.rows, " rows): its steps are sums over machines, by local_step and global_step"));
}

void Optimizer::require_unspread(const char* function) const {
  if (state_->group == nullptr) return;
  if (state_->chunks) {
    throw Error(VTEMPER_ERROR_STATE, message(function, " is not for option reproducible, whose chunks of rows only ",
                                             "step and run add up"));
  }
  throw Error(VTEMPER_ERROR_STATE,
              message(function, " is not for data that are spread over a group of ", state_->group->ranks(),
                      " ranks: use step or run, which sum over the ranks"));
}

int64_t Optimizer::statistics_length() const {
  return state_->statistics_length();
}

void Optimizer::local_step(const Data* batch) {
  require_one_start("local_step");
  require_no_plan("local_step");
  require_unspread("local_step");
  State& state = *state_;
  if (batch == nullptr) {
    if (!state.data) throw Error(VTEMPER_ERROR_STATE, "the optimizer has no data of its own; it needs a batch");
    if (state.has_new_weights()) state.take_weights();
    const Batch rows = state.next_batch(state.threads);
    finish_local_step(rows, static_cast<double>(rows.rows_of_step()));
    return;
  }
  require_whole_corpus("a batch that is fed");
  check_data(*state.model, *batch);
  if (batch->rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows");
  // Other machines may add rows to the step, in a number unknown here.
  finish_local_step(state.batch_of(*batch), -1);
}

void Optimizer::local_step_at(const Data& batch, int64_t first_place, int64_t step_rows) {
  require_one_start("local_step_at");
  require_no_plan("local_step_at");
  require_unspread("local_step_at");
  State& state = *state_;
  if (state.data) {
    throw Error(VTEMPER_ERROR_STATE,
                "local_step_at is for optimizers without data, which are fed; where machines have data of their own "
                "the places of rows follow from vtemper_data_set_part and local_step");
  }
  check_data(*state.model, batch);
  if (batch.rows() < 1) throw Error(VTEMPER_ERROR_DATA, "the batch has no rows");
  finish_local_step(state.batch_of(batch, first_place, step_rows), static_cast<double>(step_rows));
}

void Optimizer::finish_local_step(const Batch& rows, double expected) {
  State& state = *state_;
  const auto count = static_cast<double>(rows.count);
  struct DuringThisCall {
    bool& flag;
    ~DuringThisCall() { flag = false; }
  } const reset{state.others_have_rows};
  state.others_have_rows = expected > count;
  if (state.others_have_rows) state.refuse_own_choice();
  state.local_half(rows);
  state.rows_of_half = count;
  state.rows_expected = expected;
}

std::vector<Quantity> Optimizer::statistics() const {
  return state_->statistics_layout();
}

void Optimizer::write_statistics(double* out) const {
  state_->write_statistics(out);
}

void Optimizer::write_statistics(float* out) {
  statistics_.resize(static_cast<size_t>(statistics_length()));
  state_->write_statistics(statistics_.data());
  for (const double value : statistics_) {
    // NaN stands for values that were not requested.
    if (std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
      throw Error(VTEMPER_ERROR_NUMERIC,
                  message("the statistics hold ", value, ", which is beyond single precision; use doubles"));
    }
  }
  std::transform(statistics_.begin(), statistics_.end(), out, [](double value) { return static_cast<float>(value); });
}

void Optimizer::global_step(const float* statistics, const MessageSink& messages) {
  statistics_.assign(statistics, statistics + statistics_length());
  global_step(statistics_.data(), messages);
}

void Optimizer::global_step(const double* statistics, const MessageSink& messages) {
  require_one_start("global_step");
  require_no_plan("global_step");
  require_unspread("global_step");
  State& state = *state_;
  if (!state.prepared) {
    throw Error(VTEMPER_ERROR_STATE, "global_step needs a local_step of this optimizer before its first call");
  }
  const auto start = std::chrono::steady_clock::now();
  state.read_statistics(statistics);
  state.check_summed();
  state.prepare_global_half();
  state.global_half(seconds_since(start), messages);
  leave_starts();
}

}  // namespace vtemper
