#pragma once
// What the pages of kinds that are not about words have in common: sections, rows of values as images or profiles,
// components by size.

#include <string>
#include <vector>

#include "report_parts.h"

/// Most rows that a section lists.
constexpr int64_t most_listed_rows = 400;
/// Most columns of a table of columns by columns.
constexpr int64_t most_crossed_columns = 40;
/// Most images of a section.
constexpr int64_t most_images = 100;

nlohmann::json section(const char* type, const std::string& title, const std::string& note);

/// Values with so many digits; null where they are not finite.
nlohmann::json numbers(const double* values, int64_t count, int digits);

/// "12.5 %" of 0.125.
std::string percent(double share);

/// Places of the values, the largest first.
std::vector<int64_t> by_size(const std::vector<double>& sizes);

/// Rows of equal length in another order.
std::vector<double> reordered(const std::vector<double>& values, const std::vector<int64_t>& order);

/// The values of dense rows, [rows x columns]; NaN where they are missing.
std::vector<double> values_of_rows(const vtemper_data* data);

/// Names of rows where they have some, else their numbers: `rows` are those in the whole data.
std::vector<std::string> row_captions(const vtemper_data* data, const std::vector<int64_t>& rows);

/// Rows of values, as images where columns are pixels, else as profiles over the columns.
struct Shapes {
  const double* values;  ///< [captions x columns]
  std::vector<std::string> captions;
  std::vector<double> spread;  ///< of every value, or empty
  bool is_signed = false;
  std::vector<double> originals;  ///< what each is made after, [captions x columns], shown beside it; or empty
};

nlohmann::json shapes_section(const Report& report, const std::string& title, const std::string& note,
                              const Shapes& shapes);

/// Adds the sections of a kind to those of the page.
void add_gaussian_mixture(nlohmann::json& sections, const Report& report);
void add_bernoulli_mixture(nlohmann::json& sections, const Report& report);
void add_factorial_mixture(nlohmann::json& sections, const Report& report);
void add_hidden_markov(nlohmann::json& sections, const Report& report);
void add_belief_network(nlohmann::json& sections, const Report& report);
void add_autoencoder(nlohmann::json& sections, const Report& report);
void add_exponential_family(nlohmann::json& sections, const Report& report);
