// Sections for kinds of models that are not about words: components, states, weights, reconstructions.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "corpus.h"
#include "failure.h"
#include "inferred_table.h"
#include "report_parts.h"
#include "row_labels.h"

using nlohmann::json;

namespace {

constexpr int64_t most_images = 100, most_rows = 400, most_paths = 20, most_reconstructed = 24, most_columns = 40,
                  table_columns = 6;
constexpr size_t most_steps = 400;

std::string base64(const std::vector<uint8_t>& bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const uint32_t three = (static_cast<uint32_t>(bytes[i]) << 16U) |
                           (left > 1 ? static_cast<uint32_t>(bytes[i + 1]) << 8U : 0U) |
                           (left > 2 ? static_cast<uint32_t>(bytes[i + 2]) : 0U);
    for (unsigned part = 0; part < 4; ++part) {
      out += part > left ? '=' : letters[(three >> (18U - 6U * part)) & 63U];
    }
  }
  return out;
}

/// Values as bytes: from low to high, or with 0 in the middle where they have signs.
std::string pixels(const double* values, int64_t count, double low, double high, bool is_signed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const double most = std::max(std::fabs(low), std::fabs(high));
    double level = 0;
    if (is_signed) {
      level = 128 + (most > 0 ? 127 * values[i] / most : 0);
    } else {
      level = high > low ? 255 * (values[i] - low) / (high - low) : 0;
    }
    bytes[static_cast<size_t>(i)] =
        static_cast<uint8_t>(std::lround(std::clamp(std::isfinite(level) ? level : 0, 0., 255.)));
  }
  return base64(bytes);
}

json section(const char* type, const std::string& title, const std::string& note) {
  return {{"type", type}, {"title", title}, {"note", note}};
}

json numbers(const double* values, int64_t count, int digits) {
  json list = json::array();
  for (int64_t i = 0; i < count; ++i) list.push_back(rounded(values[i], digits));
  return list;
}

/// Rows of values, as images where columns are pixels, else as profiles over the columns.
struct Shapes {
  const double* values;  ///< [captions x columns]
  std::vector<std::string> captions;
  std::vector<double> spread;  ///< of every value, or empty
  bool is_signed = false;
};

json shapes_section(const Report& report, const std::string& title, const std::string& note, const Shapes& shapes) {
  const int64_t columns = model_columns(report.model);
  const auto count = std::min(static_cast<int64_t>(shapes.captions.size()), most_images);
  json items = json::array();
  if (report.image_height > 0) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int64_t i = 0; i < count * columns; ++i) {
      if (!std::isfinite(shapes.values[i])) continue;
      low = std::min(low, shapes.values[i]);
      high = std::max(high, shapes.values[i]);
    }
    for (int64_t i = 0; i < count; ++i) {
      items.push_back({{"caption", shapes.captions[static_cast<size_t>(i)]},
                       {"pixels", pixels(shapes.values + i * columns, columns, low, high, shapes.is_signed)}});
    }
    json part = section("images", title, note);
    part["height"] = report.image_height;
    part["width"] = report.image_width;
    part["signed"] = shapes.is_signed;
    part["items"] = std::move(items);
    part["legend"] = shapes.is_signed
                         ? "Blue above zero, orange below, up to " +
                               rounded(std::max(std::fabs(low), std::fabs(high)), 3).dump() + "."
                         : "Black is " + rounded(low, 3).dump() + ", white " + rounded(high, 3).dump() + ".";
    return part;
  }
  for (int64_t i = 0; i < count; ++i) {
    json item = {{"caption", shapes.captions[static_cast<size_t>(i)]},
                 {"values", numbers(shapes.values + i * columns, columns, 4)}};
    if (!shapes.spread.empty()) item["spread"] = numbers(shapes.spread.data() + i * columns, columns, 3);
    items.push_back(item);
  }
  json part = section("profiles", title, note), names = json::array();
  for (int64_t j = 0; j < columns; ++j) names.push_back(column_name(report.model, j));
  part["columns"] = names;
  part["x_label"] = "column";
  part["y_label"] = shapes.is_signed ? "weight" : "mean";
  part["items"] = std::move(items);
  return part;
}

std::string percent(double share) {
  return rounded(100 * share, 3).dump() + " %";
}

/// Components of a mixture by size.
std::vector<int64_t> by_size(const std::vector<double>& sizes) {
  std::vector<int64_t> order(sizes.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return sizes[static_cast<size_t>(a)] > sizes[static_cast<size_t>(b)];
  });
  return order;
}

std::vector<double> reordered(const std::vector<double>& values, const std::vector<int64_t>& order) {
  const size_t columns = values.size() / std::max<size_t>(order.size(), 1);
  std::vector<double> out;
  for (const int64_t k : order) {
    const auto begin = values.begin() + static_cast<int64_t>(columns) * k;
    out.insert(out.end(), begin, begin + static_cast<int64_t>(columns));
  }
  return out;
}

/// Means and spreads of the components in two columns that the reader chooses.
void add_ellipses(json& sections, const std::vector<std::string>& names, const std::vector<double>& means,
                  const std::vector<double>& covariances, const std::vector<double>& weights, const Report& report) {
  const int64_t columns = model_columns(report.model);
  if (columns > most_columns || columns < 2) return;
  json part =
      section("ellipses", "Components in two columns",
              "The mean of each component, with its number, and an ellipse of one standard deviation around it.");
  json column_names = json::array(), centres = json::array(), spreads = json::array();
  for (int64_t j = 0; j < columns; ++j) column_names.push_back(column_name(report.model, j));
  for (int64_t k = 0; k < static_cast<int64_t>(names.size()); ++k) {
    centres.push_back(numbers(means.data() + k * columns, columns, 5));
    spreads.push_back(numbers(covariances.data() + k * columns * columns, columns * columns, 3));
  }
  part["columns"] = column_names;
  part["names"] = names;
  part["means"] = centres;
  part["covariances"] = spreads;
  part["weights"] = numbers(weights.data(), static_cast<int64_t>(weights.size()), 3);
  sections.push_back(part);
}

/// Rows with the components that they most probably come from.
void add_responsibilities(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, most_rows, rows);
  int64_t shape[2];
  const std::vector<double> held = inferred_of(report.model, data, "responsibilities", shape);
  const RowLabels labels = row_labels(data);
  json part =
           section("table", "Responsibilities",
                   "The component that a row most probably comes from, and the second; rows of low probability lie "
                   "between components."),
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
  Shapes shapes = {sorted_means.data(), {}, {}, false};
  json table = section("table", "Components",
                       "Weight: expected share of new rows; spread: root mean variance of the columns.");
  json lines = json::array(), column_names = {"component", "weight", "rows", "spread"};
  for (int64_t j = 0; j < std::min(columns, table_columns); ++j)
    column_names.push_back("mean of " + column_name(report.model, j));
  std::vector<std::string> names;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto k = static_cast<size_t>(order[i]);
    names.push_back(std::to_string(k));
    shapes.captions.push_back("component " + names.back() + ", " + percent(weights[k]));
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
  std::vector<double> sorted_weights;
  for (const int64_t k : order) sorted_weights.push_back(weights[static_cast<size_t>(k)]);
  add_ellipses(sections, names, sorted_means, sorted_covariances, sorted_weights, report);
  add_responsibilities(sections, report);
}

/// Rows with the components that take part in them.
void add_activations(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, most_rows, rows);
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
  Shapes shapes = {sorted.data(), {}, {}, true};
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

void add_states(json& sections, const Report& report) {
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
  if (states <= most_columns) {
    json matrix = section("matrix", "Transitions", "Probability of the state after a state.");
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
  const int64_t shown = std::min(corpus_rows(report.data), most_paths);
  for (int64_t i = 0; i < shown; ++i) {
    vtemper_data* one;
    check(vtemper_data_select(report.data, &i, 1, &one));
    std::vector<double> path = inferred_of(report.model, one, "path", shape);
    if (path.size() > most_steps) path.resize(most_steps);
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

/// The weights from units to columns, the longest first.
void add_weights(json& sections, const Report& report, const std::string& parameter, const std::string& unit) {
  int64_t shape[2];
  const std::vector<double> weights = parameter_of(report.model, parameter, shape);
  if (weights.empty() || shape[1] != model_columns(report.model)) return;
  std::vector<double> lengths(static_cast<size_t>(shape[0]));
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i)
    lengths[static_cast<size_t>(i / shape[1])] += weights[static_cast<size_t>(i)] * weights[static_cast<size_t>(i)];
  const std::vector<int64_t> order = by_size(lengths);
  const std::vector<double> sorted = reordered(weights, order);
  Shapes shapes = {sorted.data(), {}, {}, true};
  for (const int64_t k : order) shapes.captions.push_back(unit + " " + std::to_string(k));
  if (report.image_height == 0) shapes.captions.resize(std::min<size_t>(shapes.captions.size(), 24));
  std::string note = "Weights from the " + unit + "s to the columns; the longest first.";
  if (shape[0] > static_cast<int64_t>(shapes.captions.size()) || shape[0] > most_images) {
    note += " The first " + std::to_string(std::min<size_t>(shapes.captions.size(), most_images)) + " of " +
            std::to_string(shape[0]) + ".";
  }
  sections.push_back(shapes_section(report, "Weights", note, shapes));
}

void add_activity(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) < 2) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, most_rows, rows);
  int64_t shape[2];
  const std::vector<double> means = inferred_of(report.model, data, "latent_mean", shape);
  vtemper_data_destroy(data);
  json lines = json::array();
  for (int64_t k = 0; k < shape[1]; ++k) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < shape[0]; ++i)
      mean += means[static_cast<size_t>(i * shape[1] + k)] / static_cast<double>(shape[0]);
    for (int64_t i = 0; i < shape[0]; ++i) {
      const double distance = means[static_cast<size_t>(i * shape[1] + k)] - mean;
      variance += distance * distance / static_cast<double>(shape[0] - 1);
    }
    lines.push_back({k, rounded(mean, 4), rounded(std::sqrt(variance), 4)});
  }
  json part = section("table", "Latent variables",
                      "Posterior means over " + std::to_string(rows.size()) +
                          " rows: a variable whose means do not vary says nothing about the rows.");
  part["columns"] = {"variable", "mean", "standard deviation of the means"};
  part["rows"] = lines;
  part["sorted"] = 2;
  sections.push_back(part);
}

/// What the model makes of rows: of a variational autoencoder by its own means, of a belief network from the means of
/// the units next to the columns.
void add_reconstructions(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, most_reconstructed, rows);
  int64_t shape[2], units[2];
  std::vector<double> values = inferred_of(report.model, data, "reconstruction", shape);
  if (values.empty()) {
    const std::vector<double> latent = inferred_of(report.model, data, "latent_mean", units);
    const std::vector<double> weights = parameter_of(report.model, "model.weights.0", shape);
    int64_t length[2];
    const std::vector<double> bias = parameter_of(report.model, "model.bias.0", length);
    if (!weights.empty() && !bias.empty()) {
      for (int64_t i = 0; i < units[0]; ++i) {
        for (int64_t j = 0; j < shape[1]; ++j) {
          double logit = bias[static_cast<size_t>(j)];
          for (int64_t k = 0; k < shape[0]; ++k)
            logit += latent[static_cast<size_t>(i * units[1] + k)] * weights[static_cast<size_t>(k * shape[1] + j)];
          values.push_back(1 / (1 + std::exp(-logit)));
        }
      }
    }
  }
  Shapes shapes = {values.data(), {}, {}, false};
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name = row_text(data, "name", static_cast<int64_t>(i));
    shapes.captions.push_back(name.empty() ? "row " + std::to_string(rows[i]) : name);
  }
  if (!values.empty())
    sections.push_back(shapes_section(
        report, "Reconstructions",
        "What the model makes of some rows, from the posterior means of its latent variables.", shapes));
  vtemper_data_destroy(data);
}

}  // namespace

json sections_of(const Report& report) {
  json sections = json::array();
  const std::string kind = vtemper_model_kind(report.model);
  if (kind == "gaussian_mixture") add_gaussian_mixture(sections, report);
  if (kind == "factorial_mixture") add_factorial_mixture(sections, report);
  if (kind == "hidden_markov") add_states(sections, report);
  if (kind == "sigmoid_belief_network") add_weights(sections, report, "model.weights.0", "unit");
  if (kind == "variational_autoencoder") {
    const char* hidden;
    check(vtemper_model_option(report.model, "hidden", &hidden));
    const std::string layers = hidden;
    add_weights(sections, report,
                "decoder.weights." + std::to_string(1 + std::count(layers.begin(), layers.end(), ',')),
                "hidden unit");
  }
  if (kind == "sigmoid_belief_network" || kind == "variational_autoencoder") add_reconstructions(sections, report);
  if (kind == "sigmoid_belief_network" || kind == "variational_autoencoder" || kind == "deep_exponential_family")
    add_activity(sections, report);
  return sections;
}
