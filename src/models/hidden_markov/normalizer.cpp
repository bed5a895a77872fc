// The normaliser of the tempered model. For one sequence of length L, given the parameters (README.md section 2):
//   c_{s,L}(theta) = sum over x, z of p(x, z | theta)^s = (pi^s o e)' (A^s diag(e))^(L-1) 1,   e_k = sum_v B_kv^s,
// with element-wise powers. Estimates replace theta^s by E_q[theta^s] (moment) or exp(s E_q log theta) (plug_in);
// "prior" averages prod_n c_{s,L_n}(theta) over draws from the prior, as the paper does (Mandt 2016, supplement eq.
// 3): a sparse prior draws models unlike that of the data, so the temperature stays high and the states collapse.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/dirichlet.h"
#include "models/hidden_markov/hidden_markov.h"
#include "models/hidden_markov/normalizer.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/random_streams.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// Convergence threshold of the recursion's vector; from there on every further symbol adds the same amount.
constexpr double settled = 1e-15;

void sum_emissions(const Layout& layout, NormalizerWork& powers) {
  powers.emissions.resize(static_cast<size_t>(layout.row));
  powers.emissions.fill(0);
  for (int64_t v = 0; v < layout.symbols; ++v) {
    const double* row = powers.values.data() + layout.emission(v);
    for (int64_t k = 0; k < layout.row; ++k) powers.emissions[static_cast<size_t>(k)] += row[k];
  }
}

/// log c for every length 1 .. longest.
void recur(const Layout& layout, NormalizerWork& powers, int64_t longest, double* out) {
  sum_emissions(layout, powers);
  const auto states = static_cast<size_t>(layout.states);
  for (Array<double>* array : {&powers.message, &powers.product, &powers.next}) array->resize(states);
  powers.message.fill(1);
  double log_scale = 0;
  for (int64_t length = 1; length <= longest; ++length) {
    // message: (A^s diag(e))^(length - 1) 1, scaled
    for (size_t k = 0; k < states; ++k) powers.product[k] = powers.message[k] * powers.emissions[k];
    out[length - 1] = log_scale + std::log(kernels::table<double>().dot(powers.values.data(), powers.product.data(),
                                                                        layout.states));
    if (length == longest) return;
    double largest = 0;
    for (size_t j = 0; j < states; ++j) {
      powers.next[j] = kernels::table<double>().dot(powers.values.data() + layout.transition(static_cast<int64_t>(j)),
                                                    powers.product.data(), layout.states);
      largest = std::max(largest, powers.next[j]);
    }
    double change = 0;
    for (size_t k = 0; k < states; ++k) {
      powers.next[k] /= largest;
      change = std::max(change, std::abs(powers.next[k] - powers.message[k]));
    }
    log_scale += std::log(largest);
    std::swap(powers.next, powers.message);
    if (change < settled) {
      for (; length < longest; ++length) out[length] = out[length - 1] + std::log(largest);
      return;
    }
  }
}

double log_mean_exponential(const std::vector<double>& logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  double total = 0;
  for (const double value : logs) total += std::exp(value - largest);
  return largest + std::log(total / static_cast<double>(logs.size()));
}

/// log c at a non-integer length, by linear interpolation.
double at_length(const Array<double>& of_lengths, double length) {
  const double whole = std::max(std::floor(length), 1.0);
  const auto i = static_cast<size_t>(whole) - 1;
  const double value = of_lengths[i];
  const double share = length - whole;
  return share > 0 ? value + share * (of_lengths[i + 1] - value) : value;
}

}  // namespace

void HiddenMarkov::length_normalizers(std::string_view estimate, double s, int64_t longest, NormalizerWork& powers,
                                      double* out) const {
  const auto size = static_cast<size_t>(layout_.size());
  powers.values.resize(size);
  const auto distributions = static_cast<size_t>(layout_.distributions());
  powers.constants.resize(distributions);
  double* constants = powers.constants.data();
  const bool plug_in = estimate == "plug_in";
  if (plug_in) {
    kernels::table<double>().digamma(parameters_.data(), powers.values.data(), layout_.size());
    for (size_t number = 0; number < distributions; ++number) {
      double sum = total(static_cast<int64_t>(number));
      kernels::table<double>().digamma(&sum, &sum, 1);
      constants[number] = -s * sum;
    }
    for (double& value : powers.values) value *= s;
  } else {
    // log E theta^s = log Gamma(a + s) - log Gamma(a) + log Gamma(a_0) - log Gamma(a_0 + s)
    log_moments(parameters_.data(), layout_.size(), s, powers.values.data());
    for (size_t number = 0; number < distributions; ++number) {
      double sums[2] = {total(static_cast<int64_t>(number)), 0};
      sums[1] = sums[0] + s;
      kernels::table<double>().log_gamma(sums, sums, 2);
      constants[number] = sums[0] - sums[1];
    }
  }
  // The logarithms of the substitutes for theta^s.
  const int64_t states = layout_.states, row = layout_.row;
  for (int64_t number = 0; number <= states; ++number) {
    double* values = powers.values.data() + number * row;
    for (int64_t k = 0; k < states; ++k) values[k] += constants[number];
  }
  for (int64_t v = 0; v < layout_.symbols; ++v) {
    double* values = powers.values.data() + layout_.emission(v);
    for (int64_t k = 0; k < states; ++k) values[k] += constants[states + 1 + k];
  }
  kernels::table<double>().exponential(powers.values.data(), powers.values.data(), layout_.size());
  for (int64_t first = 0; first < layout_.size(); first += row) {
    std::fill(powers.values.data() + first + states, powers.values.data() + first + row, 0.0);
  }
  recur(layout_, powers, longest, out);
}

double HiddenMarkov::log_normalizer(const Normalizer& normalizer, double s, double rows, double tokens) const {
  NormalizerLoan loan(*normalizer_work_);
  return log_normalizer_with(normalizer, s, rows, tokens, loan.work());
}

void HiddenMarkov::log_normalizers(const Normalizer& normalizer, const std::vector<double>& inverse_temperatures,
                                   double rows, double tokens, double* out) const {
  NormalizerLoan loan(*normalizer_work_);
  for (const double s : inverse_temperatures) {
    *out++ = log_normalizer_with(normalizer, s, rows, tokens, loan.work());
  }
}

double HiddenMarkov::log_normalizer_with(const Normalizer& normalizer, double s, double rows, double tokens,
                                         NormalizerWork& powers) const {
  if (!(rows > 0)) return 0;
  if (s == 1 && normalizer.estimate != "plug_in") return 0;
  const double length = tokens / rows;
  if (!(length > 0)) return 0;
  // If rows have less than one symbol on average, some are empty and have no normaliser.
  const double whole_rows = length < 1 ? tokens : rows;
  const double whole_length = std::max(length, 1.0);
  Array<double>& of_lengths = powers.of_lengths;
  const auto longest = static_cast<int64_t>(std::ceil(whole_length));
  of_lengths.resize(static_cast<size_t>(longest));
  if (normalizer.estimate != "prior") {
    length_normalizers(normalizer.estimate, s, longest, powers, of_lengths.data());
    return whole_rows * at_length(of_lengths, whole_length);
  }
  powers.values.resize(static_cast<size_t>(layout_.size()));
  std::vector<double> logs(static_cast<size_t>(normalizer.samples));
  for (size_t sample = 0; sample < logs.size(); ++sample) {
    require_not_interrupted();
    powers.values.fill(0);
    for (int64_t number = 0; number < layout_.distributions(); ++number) {
      const Layout::Distribution of = layout_.distribution(number);
      RandomStream random(normalizer.seed, Purpose::partition, sample, static_cast<uint64_t>(number));
      double sum = 0;
      for (int64_t i = 0; i < of.size; ++i) {
        sum += powers.values[static_cast<size_t>(of.first + i * of.stride)] =
            random.gamma(prior(number)[i * prior_stride(number)]);
      }
      for (int64_t i = 0; i < of.size; ++i) {
        double& value = powers.values[static_cast<size_t>(of.first + i * of.stride)];
        value = sum > 0 ? std::pow(value / sum, s) : (i == 0 ? 1 : 0);
      }
    }
    recur(layout_, powers, longest, of_lengths.data());
    logs[sample] = whole_rows * at_length(of_lengths, whole_length);
  }
  return log_mean_exponential(logs);
}

bool HiddenMarkov::normalizer_follows_globals(const Normalizer& normalizer) const {
  return normalizer.estimate != "prior";
}

void HiddenMarkov::check_method(const RequiredFeatures& required) const {
  if (required.local_perturbation) {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "hidden_markov does not support perturbation_scope all: the states of a sequence are inferred "
                "exactly from its "
                "symbols; perturbation_scope global perturbs the parameters");
  }
  if (!required.normalizer) return;
  const std::string& estimate = required.normalizer->estimate;
  if (estimate != "auto" && estimate != "moment" && estimate != "plug_in" && estimate != "prior") {
    throw Error(VTEMPER_ERROR_UNSUPPORTED, message("hidden_markov does not support temperature_normalizer ", estimate,
                                                   "; its estimates are moment, plug_in and prior"));
  }
  if (required.row_temperatures && estimate == "prior") {
    throw Error(VTEMPER_ERROR_UNSUPPORTED,
                "temperature_normalizer prior is an average over all rows at one temperature, but temperature local "
                "gives every sequence of hidden_markov its own; moment and plug_in work with it");
  }
}

}  // namespace vtemper
