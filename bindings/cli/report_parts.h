#pragma once
// The parts that the data of a report's page is made of.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report_page.h"

/// A value with so many digits; null where it is not finite.
nlohmann::json rounded(double value, int digits);

/// Values of a parameter; empty where the model has none of that name.
std::vector<double> parameter_of(const vtemper_model* model, const std::string& name, int64_t shape[2]);

/// Values that the model infers about the rows, with their shape; empty where it infers none of that name.
std::vector<double> inferred_of(const vtemper_model* model, const vtemper_data* data, const std::string& quantity,
                                int64_t shape[2]);

/// The name of a column; "column 3" where it has none.
std::string column_name(const vtemper_model* model, int64_t column);

/// So many of the rows at most, evenly spread; their numbers go to `rows`. The caller destroys it.
vtemper_data* spread_rows(const vtemper_data* data, int64_t most, std::vector<int64_t>& rows);

/// Adds topics, their words, documents, correlations and courses over time; nothing for a kind without topics.
void add_topics(nlohmann::json& page, const Report& report);

/// Adds documents with their topics, correlations of topics and their course over time, where the rows are at hand
/// and the model infers shares of topics. The topics of the page are in it already, with their numbers.
void add_documents(nlohmann::json& page, const Report& report);

/// The sections of kinds that are not about words.
nlohmann::json sections_of(const Report& report);
