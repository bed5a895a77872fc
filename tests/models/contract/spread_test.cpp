// Data that are spread over a group of ranks: the steps of all ranks are the steps of one machine with all rows, of
// every kind and method, whatever the parts; all ranks hold the same bits. Ranks are threads here.

#include <algorithm>

#include "group/group.h"
#include "inference/optimizer.h"
#include "inference/presets.h"
#include "models/contract/fixtures.h"
#include "support/error.h"
#include "support/rank_threads.h"

using namespace contract;
using vtemper::test::RankThreads;

namespace {

using Vector = std::vector<double>;
using Cuts = std::vector<int64_t>;

constexpr int64_t steps = 4;

Options options_of(const Texts& texts) {
  Options options;
  for (const auto& [name, text] : texts) options.set(name, text);
  return options;
}

/// A model that computes in double, so that rounding decides nothing, and is not initialised yet.
std::shared_ptr<Model> model_of(const Fixture& fixture) {
  const ModelKind& kind = model_kind(fixture.kind);
  Options options = options_of(fixture.options);
  for (const OptionEntry& entry : kind.options()) {
    if (std::string(entry.name) == "precision") options.set("precision", "double");
  }
  return kind.create(OptionValues(kind.options(), options, kind.name));
}

Vector parameters(const Model& model) {
  Vector all;
  for (const Quantity& quantity : model.parameters()) {
    Vector values(static_cast<size_t>(quantity.size()));
    model.read_parameter(quantity.name, {values.data(), quantity.shape.size() > 1 ? quantity.shape.back() : 1, 1});
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

std::string described(const Fixture& fixture, const Texts& texts) {
  std::string text = fixture.kind;
  for (const auto& [name, value] : fixture.options) text += " " + name + "=" + value;
  for (const auto& [name, value] : texts) text += " " + name + "=" + value;
  return text;
}

/// What a rank came to.
struct Result {
  Vector start, learned;
  vtemper_report report{};
  double steps_total = 0;
  std::string failure;
};

struct GroupHandle {
  vtemper_group* held;
  ~GroupHandle() { vtemper_group_destroy(held); }
};
