#pragma once
// Building blocks of the page's data.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report_page.h"

/// A value rounded to that many digits; null if not finite.
nlohmann::json rounded(double value, int digits);

/// Values of a parameter; empty if the model has none of that name.
std::vector<double> parameter_of(const vtemper_model* model, const std::string& name, int64_t shape[2]);

/// Inferred values of the rows, with their shape; empty if the model infers none of that name.
std::vector<double> inferred_of(const vtemper_model* model, const vtemper_data* data, const std::string& quantity,
                                int64_t shape[2]);

/// The name of a column; "column 3" if it has none.
std::string column_name(const vtemper_model* model, int64_t column);

/// At most that many rows, evenly spaced; their numbers go to `rows`. The caller destroys the result.
vtemper_data* spread_rows(const vtemper_data* data, int64_t most, std::vector<int64_t>& rows);

/// Adds topics, their words, documents, correlations and timelines; nothing for a kind without topics.
void add_topics(nlohmann::json& page, const Report& report);

/// Adds documents with their topics, topic correlations and timelines, if rows are available and the model infers
/// topic proportions. The page must already contain the numbered topics.
void add_documents(nlohmann::json& page, const Report& report);

/// The sections of kinds that do not model words.
nlohmann::json sections_of(const Report& report);
