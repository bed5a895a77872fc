#pragma once
// Weighted sums of the row scores of models.

#include <vector>

#include "models/gradient_model.h"

namespace vtemper::test {

inline double sum_of(const Data& data, const std::vector<double>& of_rows) {
  double sum = 0;
  for (int64_t row = 0; row < data.rows(); ++row) sum += data.weight(row) * of_rows[static_cast<size_t>(row)];
  return sum;
}

inline double score_of(const Predictive& model, const ScoredRows& rows, const OptionValues& evaluate,
                       double& all_tokens) {
  std::vector<double> scores(static_cast<size_t>(rows.observed.rows())), tokens(scores.size());
  model.score_rows(rows, evaluate, scores.data(), tokens.data());
  all_tokens = sum_of(rows.observed, tokens);
  return sum_of(rows.observed, scores);
}

inline double measure_of_rows(const GradientModel& model, const char* name, const Data& data,
                              const OptionValues& evaluate) {
  std::vector<double> of_rows(static_cast<size_t>(data.rows()));
  model.measure_rows(name, data, evaluate, of_rows.data());
  return sum_of(data, of_rows);
}

}  // namespace vtemper::test
