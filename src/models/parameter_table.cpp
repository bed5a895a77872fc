#include "models/parameter_table.h"

#include <algorithm>

namespace vtemper {

std::vector<Quantity> quantities_of(const ParameterTable& table) {
  std::vector<Quantity> list;
  for (const Parameter& parameter : table) list.push_back(parameter.quantity);
  return list;
}

void read_from(const ParameterTable& table, std::string_view name, const Sink& sink) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& x) { return name == x.quantity.name; });
  if (found == table.end()) return;
  const std::vector<int64_t>& shape = found->quantity.shape;
  const int64_t columns = shape.size() > 1 ? shape.back() : 1;
  for (int64_t i = 0; i < found->quantity.size(); ++i) sink(i / columns, i % columns) = found->value(i);
}

}  // namespace vtemper
