#pragma once
// Models of the contract suites, and their parameters as one list.

#include <string>
#include <vector>

#include "models/contract/fixtures.h"
#include "support/options.h"
#include "support/parameter.h"

namespace contract {

using Vector = std::vector<double>;

/// A model that computes in double, so that rounding decides nothing, and is not initialised yet.
inline std::shared_ptr<Model> model_in_double(const Fixture& fixture) {
  const ModelKind& kind = model_kind(fixture.kind);
  Options options = options_of(fixture.options);
  for (const OptionEntry& entry : kind.options()) {
    if (std::string(entry.name) == "precision") options.set("precision", "double");
  }
  return kind.create(OptionValues(kind.options(), options, kind.name));
}

inline std::string described(const Fixture& fixture, const Texts& texts) {
  std::string text = fixture.kind;
  for (const auto& [name, value] : fixture.options) text += " " + name + "=" + value;
  for (const auto& [name, value] : texts) text += " " + name + "=" + value;
  return text;
}

inline Vector parameters(const Model& model) {
  Vector all;
  for (const Quantity& quantity : model.parameters()) {
    const Vector values = vtemper::test::parameter(model, quantity.name);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

}  // namespace contract
