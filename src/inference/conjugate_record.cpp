// Quantities and checkpoint contents of a fit of a conjugate model.

#include <algorithm>
#include <cmath>

#include "inference/conjugate_state.h"

namespace vtemper {

static constexpr const char* before_moves = "optimizer.bound_before_moves";

double ConjugateState::memory() const {
  return memory_of_start(*conjugate, *data, method);
}

double ConjugateState::memory_of_start(const ConjugateModel& model, const Data& data, const ConjugateMethod& method) {
  const MemoryNeed need = model.memory(data, std::min(method.batch_size, data.rows()), method.full_steps);
  constexpr double copies_of_trials = 2;  // and the fit of the trial
  const double parameters = method.moves ? 1 + copies_of_trials : 1;
  const double of_moves = method.moves_of_sample ? model.memory_of_moves(data) : 0;
  return need.parameters * parameters + need.work * ((takes_elbo(method) ? 2 : 1) + (method.moves ? 1 : 0)) +
         of_moves;
}

bool ConjugateState::takes_elbo(const ConjugateMethod& method) {
  return method.options.integer("elbo_every") > 0 || method.full_steps;
}

std::vector<Quantity> ConjugateState::quantities() const {
  std::vector<Quantity> list = method.temperature->quantities();
  if (learns_row_temperatures()) {
    list.push_back({"rows.inverse_temperature",
                    {data->rows()},
                    false,
                    "E[1/T_d] of each row of the data in its last step; 0 for a row that no step has taken yet."});
  }
  if (method.moves) {
    list.push_back({"moves.tried", {}, false, "Moves out of the optimum that were tried."});
    list.push_back({"moves.kept", {}, false, "Moves that were kept."});
    list.push_back({"moves.gained", {}, false, "Amount by which these raised the bound at T = 1."});
    list.push_back({"moves.steps", {}, false, "Steps of the trials."});
  }
  if (move_rounds.wanted()) list.push_back({"moves.kept", {}, false, "Moves that were made."});
  for (Quantity& quantity : method.step_size->quantities()) list.push_back(std::move(quantity));
  return list;
}

void ConjugateState::read_quantity(std::string_view name, const Sink& sink) const {
  const std::string_view part = name.substr(0, name.find('.'));
  if (part == "moves" && move_rounds.wanted()) {
    sink(0) = static_cast<double>(move_rounds.made());
  } else if (part == "moves") {
    sink(0) = name == "moves.tried"    ? static_cast<double>(moves.tried())
              : name == "moves.kept"   ? static_cast<double>(moves.kept_count())
              : name == "moves.gained" ? moves.gained()
                                       : static_cast<double>(moves.steps());
  } else if (part == "rows") {
    for (int64_t i = 0; i < data->rows(); ++i) sink(i) = row_temperatures.of_row(i);
  } else if (part == "step_size") {
    method.step_size->read_quantity(name, sink);
  } else {
    method.temperature->read_quantity(name, sink);
  }
}

void ConjugateState::save_parts(ContainerWriter& writer) const {
  if (group == nullptr) fit->save(writer);
  writer.keep("optimizer.temperature", method.temperature->state());
  writer.keep("optimizer.step_size", method.step_size->state());
  if (row_temperatures.kept()) row_temperatures.save(writer);
  move_rounds.save(writer);
  if (!method.moves) return;
  moves.save(writer, group == nullptr);
  writer.keep("optimizer.ends", std::vector<int64_t>{settled ? 1 : 0, last_step});
  writer.keep(before_moves, std::vector<double>{bound_before_moves});
}

void ConjugateState::restore_parts(const ContainerReader& reader) {
  plan = {};
  if (has_rows(reader)) fit->load(reader);
  if (!method.temperature->restore(reader.doubles("optimizer.temperature"))) {
    refuse_checkpoint(reader, "its temperature is damaged");
  }
  row_temperatures = {};
  if (prepared) {
    if (learns_row_temperatures() && !row_temperatures.restore(reader, data->rows())) {
      refuse_checkpoint(reader, "the temperatures of its rows are damaged");
    }
    if (method.needs_tokens() && !(corpus.tokens > 0 && std::isfinite(corpus.tokens))) {
      refuse_checkpoint(reader, "its number of tokens is damaged");
    }
    begin(true);
  }
  if (!method.step_size->restore(reader.doubles("optimizer.step_size"))) {
    refuse_checkpoint(reader, "its step size is damaged");
  }
  if (!move_rounds.restore(reader)) refuse_checkpoint(reader, "its rounds of moves are damaged");
  // Checkpoints from before moves existed have no trials in progress.
  if (!method.moves || !reader.has_tensor("optimizer.ends")) return;
  const std::vector<int64_t> ends = reader.integers("optimizer.ends");
  if (!moves.restore(reader, *conjugate, data.get(), largest_batch()) || ends.size() != 2 || ends[1] < 0) {
    refuse_checkpoint(reader, "its trials of moves are damaged");
  }
  settled = ends[0] != 0;
  last_step = ends[1];
  // Checkpoints from before only leading starts tried moves do not have it.
  if (!reader.has_tensor(before_moves)) return;
  const std::vector<double> before = reader.doubles(before_moves);
  if (before.size() != 1) refuse_checkpoint(reader, "its trials of moves are damaged");
  bound_before_moves = before[0];
}

}  // namespace vtemper
