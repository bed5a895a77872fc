// The page of a hidden Markov model: states, transitions, paths.

#include <algorithm>
#include <string>

#include "corpus.h"
#include "failure.h"
#include "report_shapes.h"
#include "row_labels.h"

using nlohmann::json;

namespace {

constexpr int64_t max_paths = 20;
constexpr size_t max_steps = 400;

}  // namespace

void add_hidden_markov(json& sections, const Report& report) {
  int64_t shape[2];
  const std::vector<double> initial = parameter_of(report.model, "initial.mean", shape);
  const std::vector<double> weights = parameter_of(report.model, "emission", shape);
  const std::vector<double> emission = parameter_of(report.model, "emission.mean", shape);
  const int64_t states = shape[0], symbols = shape[1];
  const std::vector<double> transition = parameter_of(report.model, "transition.mean", shape);
  double total = 0;
  for (const double weight : weights) total += weight;
  json table = section(
      "table", "States",
      "Stay: expected number of symbols before another state; symbols: the likeliest, with their probabilities.");
  json lines = json::array(), names = json::array();
  for (int64_t k = 0; k < states; ++k) {
    double share = 0;
    const auto own = emission.begin() + k * symbols;
    for (int64_t v = 0; v < symbols; ++v) share += weights[static_cast<size_t>(k * symbols + v)] / total;
    const std::vector<int64_t> order = by_size({own, own + symbols});
    std::string likeliest;
    for (int64_t i = 0; i < std::min<int64_t>(symbols, 6); ++i) {
      const int64_t v = order[static_cast<size_t>(i)];
      const char* name;
      check(vtemper_model_name(report.model, v, &name));
      likeliest += (i > 0 ? ", " : "") + (*name != '\0' ? std::string(name) : std::to_string(v)) + " " +
                   rounded(own[v], 2).dump();
    }
    const double leave = 1 - transition[static_cast<size_t>(k * states + k)];
    lines.push_back({k, rounded(share, 3), rounded(initial[static_cast<size_t>(k)], 3),
                     rounded(1 / std::max(leave, 1e-12), 3), likeliest});
    names.push_back(std::to_string(k));
  }
  table["columns"] = {"state", "share of symbols", "at the start", "stay", "symbols"};
  table["rows"] = lines;
  table["sorted"] = 1;
  sections.push_back(table);
  if (states <= max_crossed_columns) {
    json matrix = section("matrix", "Transitions", "Probabilities of the next state.");
    matrix["corner"] = "from \\ to";
    matrix["caption"] = "rows: the state before; columns: the state after; a dot is less than 0.005";
    matrix["rows"] = names;
    matrix["columns"] = names;
    json values = json::array();
    for (int64_t k = 0; k < states; ++k) values.push_back(numbers(transition.data() + k * states, states, 3));
    matrix["values"] = values;
    sections.push_back(matrix);
  }
  if (report.data == nullptr) return;
  json part = section("paths", "Likeliest states of some sequences", "Each sequence is a line; numbers are states.");
  json items = json::array();
  const int64_t shown = std::min(corpus_rows(report.data), max_paths);
  for (int64_t i = 0; i < shown; ++i) {
    vtemper_data* one;
    check(vtemper_data_select(report.data, &i, 1, &one));
    std::vector<double> path = inferred_of(report.model, one, "path", shape);
    if (path.size() > max_steps) path.resize(max_steps);
    const std::string name = row_text(one, "name", 0);
    json steps = json::array();
    for (const double state : path) steps.push_back(static_cast<int64_t>(state));
    if (!path.empty())
      items.push_back({{"caption", name.empty() ? "row " + std::to_string(i) : name}, {"states", steps}});
    vtemper_data_destroy(one);
  }
  if (items.empty()) return;
  part["caption"] = "Likeliest states of " + std::to_string(items.size()) + " sequences";
  part["items"] = items;
  sections.push_back(part);
}
