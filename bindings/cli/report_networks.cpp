// The pages of networks: weights, rows beside their reconstructions, activity of the latent variables.

#include <algorithm>
#include <cmath>
#include <string>

#include "corpus.h"
#include "failure.h"
#include "report_shapes.h"

using nlohmann::json;

namespace {

constexpr int64_t max_reconstructed = 24;

/// The weights from units to columns, largest norm first.
void add_weights(json& sections, const Report& report, const std::string& parameter, const std::string& unit) {
  int64_t shape[2];
  const std::vector<double> weights = parameter_of(report.model, parameter, shape);
  if (weights.empty() || shape[1] != model_columns(report.model)) return;
  std::vector<double> lengths(static_cast<size_t>(shape[0]));
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i)
    lengths[static_cast<size_t>(i / shape[1])] += weights[static_cast<size_t>(i)] * weights[static_cast<size_t>(i)];
  const std::vector<int64_t> order = by_size(lengths);
  const std::vector<double> sorted = reordered(weights, order);
  Shapes shapes = {sorted.data(), {}, {}, true, {}};
  for (const int64_t k : order) shapes.captions.push_back(unit + " " + std::to_string(k));
  if (report.image_height == 0) shapes.captions.resize(std::min<size_t>(shapes.captions.size(), 24));
  std::string note = "Weights from the " + unit + "s to the columns; the longest first.";
  if (shape[0] > static_cast<int64_t>(shapes.captions.size()) || shape[0] > max_images) {
    note += " The first " + std::to_string(std::min<size_t>(shapes.captions.size(), max_images)) + " of " +
            std::to_string(shape[0]) + ".";
  }
  sections.push_back(shapes_section(report, "Weights", note, shapes));
}

void add_activity(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) < 2) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, max_listed_rows, rows);
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

/// Reconstructions of a belief network: probabilities of ones, from the means of the units next to the columns.
std::vector<double> mean_columns(const Report& report, const vtemper_data* data) {
  int64_t shape[2], units[2], length[2];
  std::vector<double> values;
  const std::vector<double> latent = inferred_of(report.model, data, "latent_mean", units);
  const std::vector<double> weights = parameter_of(report.model, "model.weights.0", shape);
  const std::vector<double> bias = parameter_of(report.model, "model.bias.0", length);
  for (int64_t i = 0; i < units[0]; ++i) {
    for (int64_t j = 0; j < shape[1]; ++j) {
      double logit = bias[static_cast<size_t>(j)];
      for (int64_t k = 0; k < shape[0]; ++k)
        logit += latent[static_cast<size_t>(i * units[1] + k)] * weights[static_cast<size_t>(k * shape[1] + j)];
      values.push_back(1 / (1 + std::exp(-logit)));
    }
  }
  return values;
}

/// Rows next to their reconstructions.
void add_reconstructions(json& sections, const Report& report) {
  if (report.data == nullptr || corpus_rows(report.data) == 0) return;
  std::vector<int64_t> rows;
  vtemper_data* data = spread_rows(report.data, max_reconstructed, rows);
  int64_t shape[2];
  std::vector<double> values = inferred_of(report.model, data, "reconstruction", shape);
  if (values.empty()) values = mean_columns(report, data);
  const Shapes shapes = {values.data(), row_captions(data, rows), {}, false, values_of_rows(data)};
  std::string note = "Reconstructions of some rows from the posterior means of their latent variables: ";
  note += report.image_height > 0 ? "the row on the left, its reconstruction on the right."
                                  : "the row as dots, its reconstruction as a line.";
  sections.push_back(shapes_section(report, "Rows and their reconstructions", note, shapes));
  vtemper_data_destroy(data);
}

}  // namespace

void add_belief_network(json& sections, const Report& report) {
  add_weights(sections, report, "model.weights.0", "unit");
  add_reconstructions(sections, report);
  add_activity(sections, report);
}

void add_autoencoder(json& sections, const Report& report) {
  const char* hidden;
  check(vtemper_model_option(report.model, "hidden", &hidden));
  const std::string layers = hidden;
  add_weights(sections, report,
              "decoder.weights." + std::to_string(1 + std::count(layers.begin(), layers.end(), ',')), "hidden unit");
  add_reconstructions(sections, report);
  add_activity(sections, report);
}

void add_exponential_family(json& sections, const Report& report) {
  add_activity(sections, report);
}
