// Quantities and checkpoint contents of a fit of a gradient model.

#include <algorithm>
#include <cmath>

#include "inference/gradient_state.h"

namespace vtemper {

double GradientState::memory() const {
  return memory_of_start(by_gradient(), *data, method);
}

double GradientState::memory_of_start(const GradientModel& model, const Data& data, const GradientMethod& method) {
  const GradientMemory need = model.memory(data, std::max<int64_t>(std::min(method.batch_size, data.rows()), 1));
  if (!(need.elements > 0)) return 0;
  const RowPosteriors* of_rows = model.row_posteriors();
  const double of_row = of_rows != nullptr ? static_cast<double>(of_rows->row_length()) : 0;
  const double parameters = need.parameters + static_cast<double>(data.rows()) * of_row;
  return need.element_size * need.elements +
         parameters * method.ascent->bytes_per_parameter(need.element_size == sizeof(float));
}

std::vector<Quantity> GradientState::quantities() const {
  std::vector<Quantity> list;
  if (fit->rows() != nullptr && data) {
    list.push_back({"rows.parameters",
                    {data->rows(), row_length()},
                    false,
                    "Variational parameters eta of each row of the data at present: activations are "
                    "1 / (1 + exp(-eta)) (factorial_mixture), rates log(1 + exp(eta)) (deep_exponential_family)."});
  }
  if (!method.proximity) return list;
  list.insert(list.end(),
              {{"proximity.initial_magnitude",
                {},
                false,
                "Magnitude of the constraint in the first step; -1 before it if it is chosen from the objective."},
               {"proximity.share",
                {},
                false,
                "Share of the constraint in the gradient at the last report: sum of its absolute values in the "
                "posterior's layers, over that of constraint and objective together."}});
  return list;
}

void GradientState::read_quantity(std::string_view name, const Sink& sink) const {
  if (name == "rows.parameters") {
    const RealArray values = fit->rows()->row_values();
    const int64_t length = row_length();
    for (int64_t i = 0; i < values.length; ++i) sink(i / length, i % length) = values.at(i);
    return;
  }
  sink(0) = name == "proximity.share" ? share : method.proximity->initial_magnitude();
}

void GradientState::save_parts(ContainerWriter& writer) const {
  if (group != nullptr && method.proximity && fit->rows() != nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("a fit whose proximity constraint keeps every row near its own past has no checkpoints ",
                        "where the rows are spread over ", group->ranks(), " ranks"));
  }
  if (group == nullptr && fit->rows() != nullptr) fit->rows()->save(writer);
  method.ascent->save("optimizer.ascent", writer);
  if (group == nullptr && !row_moves.empty()) {
    method.row_ascent->save("optimizer.row_ascent", writer);
    writer.keep("optimizer.row_moves", row_moves);
  }
  if (method.proximity) method.proximity->save(writer);
  std::vector<double> numbers = {share, -1};
  if (method.temperature && prepared) numbers[1] = method.temperature->start();
  writer.keep("optimizer.gradient", std::move(numbers));
}

void GradientState::restore_parts(const ContainerReader& reader) {
  const bool with_rows = has_rows(reader);
  if (with_rows && fit->rows() != nullptr) fit->rows()->load(reader);
  method.ascent->load("optimizer.ascent", reader);
  if (with_rows && !row_moves.empty()) {
    method.row_ascent->load("optimizer.row_ascent", reader);
    const std::vector<int64_t> moves = reader.integers("optimizer.row_moves");
    const auto usable = [](int64_t x) { return x >= 0 && x <= largest_count; };
    if (moves.size() != row_moves.size() || !std::all_of(moves.begin(), moves.end(), usable))
      refuse_checkpoint(reader, "the moves of its rows are damaged");
    row_moves = moves;
  }
  if (method.proximity) method.proximity->load(reader);
  const std::vector<double> numbers = reader.doubles("optimizer.gradient");
  if (numbers.size() != 2 || !(numbers[0] >= 0 && numbers[0] <= 1) || !(std::abs(numbers[1]) <= largest_sum)) {
    refuse_checkpoint(reader, "its temperature is damaged");
  }
  share = numbers[0];
  values_size = 0;
  if (method.temperature && numbers[1] >= 1) method.temperature->start_at(numbers[1]);
}

}  // namespace vtemper
