// The pages of mixtures: components, rows among them, responsibilities and activations.

#include <algorithm>
#include <cmath>
#include <string>

#include "corpus.h"
#include "failure.h"
#include "report_shapes.h"
#include "row_labels.h"

using nlohmann::json;

namespace {

constexpr int64_t max_points = 1000, max_point_values = 16000, table_columns = 6;

/// Evenly spaced rows as points: their values, and the position of their most probable component in the sections'
/// order.
void add_points(json& part, const Report& report, const std::vector<int64_t>& order) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  const int64_t columns = model_columns(report.model);
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, std::min(max_points, max_point_values / columns), rows);
  int64_t shape[2];
  const std::vector<double> values = values_of_rows(data);
  const std::vector<double> held = inferred_of(report.model, data, "responsibilities", shape);
  json points = json::array(), components = json::array();
  for (int64_t i = 0; i < shape[0]; ++i) {
    points.push_back(numbers(values.data() + i * columns, columns, 4));
    int64_t best = 0;
    for (int64_t place = 1; place < shape[1]; ++place) {
      const auto own = held.begin() + i * shape[1];
      if (own[order[static_cast<size_t>(place)]] > own[order[static_cast<size_t>(best)]]) best = place;
    }
    components.push_back(best);
  }
  part["points"] = std::move(points);
  part["point_components"] = std::move(components);
  part["point_names"] = row_captions(data, rows);
  part["note"] = std::string(part["note"]) + " Dots are " + std::to_string(rows.size()) + " of the " +
                 std::to_string(corpus_rows(report.data)) + " rows of " + report.data_title +
                 ", in the colour of the component that they most probably come from.";
  vtemper_data_destroy(data);
}

/// Means and spreads of the components, and rows, in two columns chosen by the reader.
void add_ellipses(json& sections, const std::vector<int64_t>& order, const std::vector<double>& means,
                  const std::vector<double>& covariances, const std::vector<double>& weights, const Report& report) {
  const int64_t columns = model_columns(report.model);
  if (columns > max_crossed_columns || columns < 2) return;
  json part =
      section("ellipses", "Components in two columns",
              "The mean of each component, with its number, and an ellipse of one standard deviation around it.");
  json column_names = json::array(), names = json::array(), centres = json::array(), spreads = json::array(),
       sizes = json::array();
  for (int64_t j = 0; j < columns; ++j) column_names.push_back(column_name(report.model, j));
  for (const int64_t k : order) {
    names.push_back(std::to_string(k));
    centres.push_back(numbers(means.data() + k * columns, columns, 5));
    spreads.push_back(numbers(covariances.data() + k * columns * columns, columns * columns, 3));
    sizes.push_back(rounded(weights[static_cast<size_t>(k)], 3));
  }
  part["columns"] = std::move(column_names);
  part["names"] = std::move(names);
  part["means"] = std::move(centres);
  part["covariances"] = std::move(spreads);
  part["weights"] = std::move(sizes);
  add_points(part, report, order);
  sections.push_back(std::move(part));
}

/// Rows with their most probable components.
void add_responsibilities(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, max_listed_rows, rows);
  int64_t shape[2];
  const std::vector<double> held = inferred_of(report.model, data, "responsibilities", shape);
  const RowLabels labels = row_labels(data);
  json part = section("table", "Responsibilities",
                      "The component that a row most probably comes from, and the second; rows with a low "
                      "probability lie between components."),
       lines = json::array(), columns = {"row"};
  if (labels.has_names) columns.push_back("name");
  for (const char* name : {"component", "probability", "second", "its probability"}) columns.push_back(name);
  for (int64_t i = 0; i < shape[0] && shape[1] > 1; ++i) {
    std::vector<double> own(held.begin() + i * shape[1], held.begin() + (i + 1) * shape[1]);
    const std::vector<int64_t> order = by_size(own);
    json line = {rows[static_cast<size_t>(i)]};
    if (labels.has_names) line.push_back(row_text(data, "name", i));
    for (size_t best = 0; best < 2; ++best) {
      line.push_back(order[best]);
      line.push_back(rounded(own[static_cast<size_t>(order[best])], 4));
    }
    lines.push_back(line);
  }
  vtemper_data_destroy(data);
  if (lines.empty()) return;
  part["columns"] = columns;
  part["caption"] = std::to_string(lines.size()) + " of " + std::to_string(corpus_rows(report.data)) + " rows";
  part["rows"] = lines;
  sections.push_back(part);
}

/// Rows with their active components.
void add_activations(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, max_listed_rows, rows);
  int64_t shape[2];
  const std::vector<double> active = inferred_of(report.model, data, "activations", shape);
  vtemper_data_destroy(data);
  json lines = json::array();
  for (int64_t i = 0; i < shape[0]; ++i) {
    double expected = 0;
    std::string taking_part;
    for (int64_t k = 0; k < shape[1]; ++k) {
      const double probability = active[static_cast<size_t>(i * shape[1] + k)];
      expected += probability;
      if (probability >= 0.5) taking_part += (taking_part.empty() ? "" : ", ") + std::to_string(k);
    }
    lines.push_back({rows[static_cast<size_t>(i)], rounded(expected, 3), taking_part});
  }
  json part =
      section("table", "Activations", "The components that probably take part in a row, and their expected number.");
  part["columns"] = {"row", "expected number", "components"};
  part["caption"] = std::to_string(rows.size()) + " of " + std::to_string(corpus_rows(report.data)) + " rows";
  part["rows"] = lines;
  sections.push_back(part);
}

}  // namespace

void add_gaussian_mixture(json& sections, const Report& report) {
  int64_t shape[2];
  const int64_t columns = model_columns(report.model);
  const std::vector<double> weights = parameter_of(report.model, "weights", shape);
  const std::vector<double> rows_held = parameter_of(report.model, "rows", shape);
  const std::vector<double> covariances = parameter_of(report.model, "covariance", shape);
  const std::vector<double> means = parameter_of(report.model, "mean", shape);
  const std::vector<int64_t> order = by_size(weights);
  const std::vector<double> sorted_means = reordered(means, order),
                            sorted_covariances = reordered(covariances, order);
  Shapes shapes = {sorted_means.data(), {}, {}, false, {}};
  json table = section("table", "Components",
                       "Weight: expected share of new rows; spread: root mean variance of the columns.");
  json lines = json::array(), column_names = {"component", "weight", "rows", "spread"};
  for (int64_t j = 0; j < std::min(columns, table_columns); ++j)
    column_names.push_back("mean of " + column_name(report.model, j));
  for (size_t i = 0; i < order.size(); ++i) {
    const auto k = static_cast<size_t>(order[i]);
    shapes.captions.push_back("component " + std::to_string(k) + ", " + percent(weights[k]));
    double variance = 0;
    for (int64_t j = 0; j < columns; ++j) {
      const double own =
          sorted_covariances[static_cast<size_t>((static_cast<int64_t>(i) * columns + j) * columns + j)];
      shapes.spread.push_back(std::sqrt(own));
      variance += own / static_cast<double>(columns);
    }
    json line = {k, rounded(weights[k], 4), rows_held.empty() ? json() : rounded(rows_held[k], 5),
                 rounded(std::sqrt(variance), 4)};
    for (int64_t j = 0; j < std::min(columns, table_columns); ++j) {
      line.push_back(rounded(sorted_means[static_cast<size_t>(static_cast<int64_t>(i) * columns + j)], 4));
    }
    lines.push_back(line);
  }
  table["columns"] = column_names;
  table["rows"] = lines;
  table["sorted"] = 1;
  sections.push_back(table);
  sections.push_back(shapes_section(report, "Means of the components",
                                    report.image_height > 0
                                        ? "Largest weight first."
                                        : "Largest weight first; the band is one standard deviation of the rows.",
                                    shapes));
  add_ellipses(sections, order, means, covariances, weights, report);
  add_responsibilities(sections, report);
}

void add_bernoulli_mixture(json& sections, const Report& report) {
  int64_t shape[2], length[2];
  const int64_t columns = model_columns(report.model);
  const std::vector<double> weights = parameter_of(report.model, "weights", length);
  const std::vector<double> rows_held = parameter_of(report.model, "rows", length);
  const std::vector<double> ones = parameter_of(report.model, "probabilities", shape);
  const std::vector<int64_t> order = by_size(weights);
  const std::vector<double> sorted = reordered(ones, order);
  Shapes shapes = {sorted.data(), {}, {}, false, {}};
  shapes.unit = "probability";
  const bool is_image = report.image_height > 0;  // column numbers of images are meaningless to readers
  std::string note = "Weight: expected share of new rows.";
  if (!is_image) {
    note +=
        " Distinctive columns: those whose probability of a one differs most from that over all components, with "
        "this "
        "probability.";
  }
  json table = section("table", "Components", note), lines = json::array(),
       column_names = {"component", "weight", "rows"};
  if (!is_image) column_names.push_back("distinctive columns");
  std::vector<double> overall(static_cast<size_t>(columns));
  for (size_t k = 0; k < weights.size(); ++k) {
    for (size_t j = 0; j < overall.size(); ++j) overall[j] += weights[k] * ones[k * overall.size() + j];
  }
  for (const int64_t component : order) {
    const auto k = static_cast<size_t>(component);
    shapes.captions.push_back("component " + std::to_string(k) + ", " + percent(weights[k]));
    lines.push_back({component, rounded(weights[k], 4), rounded(rows_held[k], 5)});
    if (is_image) continue;
    std::vector<double> apart(overall.size());
    for (size_t j = 0; j < overall.size(); ++j) apart[j] = std::fabs(ones[k * overall.size() + j] - overall[j]);
    std::string telling;
    const std::vector<int64_t> ranked = by_size(apart);
    for (size_t i = 0; i < std::min<size_t>(ranked.size(), table_columns); ++i) {
      telling += (i > 0 ? ", " : "") + column_name(report.model, ranked[i]) + ": " +
                 rounded(ones[k * overall.size() + static_cast<size_t>(ranked[i])], 2).dump();
    }
    lines.back().push_back(telling);
  }
  table["columns"] = std::move(column_names);
  table["rows"] = std::move(lines);
  table["sorted"] = 1;
  sections.push_back(std::move(table));
  sections.push_back(shapes_section(report, "Probabilities of the columns",
                                    "Of a one, in each component; largest weight first.", shapes));
  add_responsibilities(sections, report);
}

void add_factorial_mixture(json& sections, const Report& report) {
  int64_t shape[2];
  const std::vector<double> means = parameter_of(report.model, "mean", shape);
  const int64_t columns = shape[1];
  const auto components = static_cast<int64_t>(shape[0]);
  std::vector<double> sizes(static_cast<size_t>(components));
  for (int64_t k = 0; k < components; ++k) {
    double sum = 0;
    for (int64_t j = 0; j < columns; ++j)
      sum += means[static_cast<size_t>(k * columns + j)] * means[static_cast<size_t>(k * columns + j)];
    sizes[static_cast<size_t>(k)] = std::sqrt(sum / static_cast<double>(columns));
  }
  const std::vector<int64_t> order = by_size(sizes);
  const std::vector<double> sorted = reordered(means, order);
  Shapes shapes = {sorted.data(), {}, {}, true, {}};
  for (const int64_t k : order) {
    shapes.captions.push_back("component " + std::to_string(k) + ", size " +
                              rounded(sizes[static_cast<size_t>(k)], 3).dump());
  }
  sections.push_back(shapes_section(
      report, "Components",
      "A row is the sum of the components that take part in it. Size: root mean square of the mean; largest first.",
      shapes));
  add_activations(sections, report);
}
