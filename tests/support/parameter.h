#pragma once
// Reads parameters of a model in tests.

#include <string>
#include <vector>

#include "models/model.h"
#include "support/cmocka.h"

namespace vtemper::test {

/// A parameter, row-major; fails the test if the model has none of that name.
inline std::vector<double> parameter(const Model& model, const std::string& name) {
  for (const Quantity& quantity : model.parameters()) {
    if (name != quantity.name) continue;
    std::vector<double> values(static_cast<size_t>(quantity.size()));
    model.read_parameter(name, {values.data(), quantity.shape.size() > 1 ? quantity.shape.back() : 1, 1});
    return values;
  }
  assert_true(false);
  return {};
}

}  // namespace vtemper::test
