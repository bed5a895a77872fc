#pragma once
// Shared by the pages of kinds without words: sections, rows of values as images or profiles, components by size.

#include <string>
#include <vector>

#include "report_parts.h"

/// Maximum number of rows listed by a section.
constexpr int64_t max_listed_rows = 400;
/// Maximum number of columns of a columns-by-columns table.
constexpr int64_t max_crossed_columns = 40;
/// Maximum number of images in a section.
constexpr int64_t max_images = 100;

nlohmann::json section(const char* type, const std::string& title, const std::string& note);

/// Values rounded to that many digits; null if not finite.
nlohmann::json numbers(const double* values, int64_t count, int digits);

/// "12.5 %" of 0.125.
std::string percent(double share);

/// Indices of the values, in decreasing order.
std::vector<int64_t> by_size(const std::vector<double>& sizes);

/// Rows of equal length, reordered.
std::vector<double> reordered(const std::vector<double>& values, const std::vector<int64_t>& order);

/// The values of dense rows, [rows x columns]; NaN if missing.
std::vector<double> values_of_rows(const vtemper_data* data);

/// Row names if available, otherwise row numbers: `rows` are indices into the whole data.
std::vector<std::string> row_captions(const vtemper_data* data, const std::vector<int64_t>& rows);

/// Rows of values, as images if columns are pixels, otherwise as profiles over the columns.
struct Shapes {
  const double* values;  ///< [captions x columns]
  std::vector<std::string> captions;
  std::vector<double> spread;  ///< spread of every value, or empty
  bool is_signed = false;
  std::vector<double> originals;  ///< the original of each reconstruction, [captions x columns], shown next to it; or
                                  ///< empty
  const char* unit = "mean";      ///< what a value is, if it is neither signed nor shown next to an original
};

nlohmann::json shapes_section(const Report& report, const std::string& title, const std::string& note,
                              const Shapes& shapes);

/// Adds the sections of a kind to the page.
void add_gaussian_mixture(nlohmann::json& sections, const Report& report);
void add_bernoulli_mixture(nlohmann::json& sections, const Report& report);
void add_factorial_mixture(nlohmann::json& sections, const Report& report);
void add_hidden_markov(nlohmann::json& sections, const Report& report);
void add_belief_network(nlohmann::json& sections, const Report& report);
void add_autoencoder(nlohmann::json& sections, const Report& report);
void add_exponential_family(nlohmann::json& sections, const Report& report);
