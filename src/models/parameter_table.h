#pragma once
// The parameters of a model that users can read, each declared once: its description, and its numbers.

#include <functional>
#include <vector>

#include "models/model.h"

namespace vtemper {

struct Parameter {
  Quantity quantity;
  std::function<double(int64_t)> value;  ///< value of element i, in row-major order
};
using ParameterTable = std::vector<Parameter>;

std::vector<Quantity> quantities_of(const ParameterTable& table);
/// Elements of the last extent are a row of the sink.
void read_from(const ParameterTable& table, std::string_view name, const Sink& sink);

}  // namespace vtemper
