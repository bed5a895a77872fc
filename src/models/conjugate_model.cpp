#include "models/conjugate_model.h"

#include <algorithm>

#include "models/conjugate_fit.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

void refuse_step(int64_t iteration, const char* what) {
  throw Error(
      VTEMPER_ERROR_NUMERIC,
      message("step ", iteration, " would take ", what,
              " beyond the range of usable numbers, so it was not taken; smaller data, weights or priors may help"));
}

void require_counts(const double* statistics, int64_t length) {
  for (int64_t i = 0; i < length; ++i) {
    if (statistics[i] >= 0) continue;
    throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of the model's statistics is ", statistics[i],
                                            "; sums of weights are not negative"));
  }
}

void refuse_to_divide(const Model& model, const Group& group) {
  throw Error(VTEMPER_ERROR_UNSUPPORTED,
              message("exchange sharded divides the rows of a large table over the ", group.ranks(), " ranks, and ",
                      model.kind().name, " has none; use exchange dense"));
}

void ConjugateModel::divide(const std::shared_ptr<Group>& group) {
  refuse_to_divide(*this, *group);
}

std::unique_ptr<Model> ConjugateModel::share_of(const std::shared_ptr<Group>& group) const {
  std::unique_ptr<Model> share = copy();
  share->conjugate()->divide(group);
  return share;
}

std::unique_ptr<Model> ConjugateModel::gathered(const std::string& /*folder*/) const {
  return copy();
}

namespace {

// The functions below, given c_m = log_normalizer(m).

template <class LogNormalizer>
double log_evidence_of(const RowTemperature& row, double expected_log_likelihood,
                       const LogNormalizer& log_normalizer) {
  double largest = -std::numeric_limits<double>::infinity();
  for (size_t m = 0; m < row.inverse.size(); ++m) {
    largest = std::max(largest, row.inverse[m] * expected_log_likelihood - log_normalizer(m));
  }
  double total = 0;
  for (size_t m = 0; m < row.inverse.size(); ++m) {
    total += std::exp(row.inverse[m] * expected_log_likelihood - log_normalizer(m) - largest);
  }
  return largest + std::log(total / static_cast<double>(row.inverse.size()));
}

template <class LogNormalizer>
double expected_inverse_of(const RowTemperature& row, double expected_log_likelihood,
                           const LogNormalizer& log_normalizer) {
  const double evidence = log_evidence_of(row, expected_log_likelihood, log_normalizer);
  double mean = 0;
  for (size_t m = 0; m < row.inverse.size(); ++m) {
    mean += row.inverse[m] * std::exp(row.inverse[m] * expected_log_likelihood - log_normalizer(m) - evidence);
  }
  return std::max(mean / static_cast<double>(row.inverse.size()), row.floor);
}

}  // namespace

double RowTemperature::log_evidence(double expected_log_likelihood, double tokens) const {
  return log_evidence_of(*this, expected_log_likelihood, [&](size_t m) { return tokens * log_normalizer[m]; });
}

double RowTemperature::expected_inverse(double expected_log_likelihood, double tokens) const {
  return expected_inverse_of(*this, expected_log_likelihood, [&](size_t m) { return tokens * log_normalizer[m]; });
}

double RowTemperature::log_evidence(double expected_log_likelihood, const double* row_log_normalizer) const {
  return log_evidence_of(*this, expected_log_likelihood, [&](size_t m) { return row_log_normalizer[m]; });
}

double RowTemperature::expected_inverse(double expected_log_likelihood, const double* row_log_normalizer) const {
  return expected_inverse_of(*this, expected_log_likelihood, [&](size_t m) { return row_log_normalizer[m]; });
}

void ConjugateModel::require(const RequiredFeatures& required) const {
  if (required.normalizer && tempered_normalizer() == nullptr) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                message("a learned temperature needs the normaliser of the tempered model, which ", kind().name,
                        " does not offer; method annealing needs none"));
  }
  check_method(required);
}

void TemperedNormalizer::log_normalizers(const Normalizer& normalizer,
                                         const std::vector<double>& inverse_temperatures, double rows, double tokens,
                                         double* out) const {
  for (const double s : inverse_temperatures) *out++ = log_normalizer(normalizer, s, rows, tokens);
}

void LocalSums::write(double* out) const {
  const double all[length] = {count, rows, empty_rows, tokens, expected_log_likelihood, bound, inverse_temperature};
  std::copy_n(all, length, out);
}

LocalSums LocalSums::read(const double* in) {
  return {in[0], in[1], in[2], in[3], in[4], in[5], in[6]};
}

}  // namespace vtemper
