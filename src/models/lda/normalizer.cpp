// The normaliser of tempered LDA, by the Gibbs variational value (README.md section 2):
//   log C(T) ~ K G(s; V, eta, N/K) + D G(s; K, alpha, N/D),
//   G(s; m, a, n) = max_x n [log m + lnGamma(x+s) - lnGamma(x) + lnGamma(mx) - lnGamma(mx+s)]
//                   - KL(Dir(x 1_m) || Dir(a 1_m)),
// the bound with q(beta_k) = Dir(x 1), q(theta_d) = Dir(x' 1) for C(T) of the words and assignments together:
// point estimates of the topics take the same value, their own having no integral over beta;
// supplement eq. 6-7 sum the assignments out, which is another model than the one the updates temper.
//
// For study, with X = sum_k theta_k^s S_k(s), S_k(s) = sum_v beta_kv^s, so that C(T) = E_beta prod_d E_theta X^{N_d}:
//   monte_carlo  log E_beta exp{ D log E_theta X^{N/D} } with draws from the prior (supplement eq. 7 with the
//                assignments kept). C is dominated by topics near uniform, which no sample of a real corpus' prior
//                holds. Every sample draws all topics and raises them to every temperature of the grid, once before
//                the first step: 0.14 s each for 100 topics of 8,000 words at 100 temperatures.
//   jensen       N E log X with the same draws: a lower bound (supplement eq. 8, first line).
//   mean         N log E X, closed: ALSO A LOWER BOUND, since E X^N >= (E X)^N; the tighter one. Eq. 8 of the
//                supplement prints it as an upper bound.
//   plug_in      beta at the means of the topics' posterior (eq. 4), theta by the Gibbs value:
//                D G(s; K, alpha, N/D) + N log mean_k S_k(s); falls at once when topics are sharp.
//   moment       likewise with E_q S_k(s).

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/scalar_functions.h"
#include "models/lda/lda.h"
#include "support/interruption.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

double gibbs_value(double s, double m, double a, double n, double x) {
  const double divergence = log_gamma(m * x) - m * log_gamma(x) - log_gamma(m * a) + m * log_gamma(a) +
                            m * (x - a) * (digamma(x) - digamma(m * x));
  return n * (std::log(m) + log_gamma(x + s) - log_gamma(x) + log_gamma(m * x) - log_gamma(m * x + s)) - divergence;
}

/// log E sum_i x_i^s for x ~ Dir(a 1_m).
double log_mean_power_sum(double s, double m, double a) {
  return std::log(m) + log_gamma(a + s) - log_gamma(a) + log_gamma(m * a) - log_gamma(m * a + s);
}

/// Logarithms of a draw of Dir(a 1_m); gammas of tiny shapes underflow, their logarithms do not:
/// x ~ Gamma(a) is y u^(1/a) with y ~ Gamma(a + 1) and u uniform.
void draw_log_dirichlet(RandomStream& random, double a, std::vector<double>& logs) {
  double largest = -INFINITY;
  for (double& value : logs) {
    value = std::log(random.gamma(a + 1));
    value += std::log(random.uniform()) / a;
    largest = std::max(largest, value);
  }
  double total = 0;
  for (const double value : logs) total += std::exp(value - largest);
  const double offset = largest + std::log(total);
  for (double& value : logs) value -= offset;
}

/// log of the mean of exp(values).
double log_mean(const double* values, size_t count) {
  const double largest = *std::max_element(values, values + count);
  double total = 0;
  for (size_t i = 0; i < count; ++i) total += std::exp(values[i] - largest);
  return largest + std::log(total / static_cast<double>(count));
}

double mean(const double* values, size_t count) {
  double total = 0;
  for (size_t i = 0; i < count; ++i) total += values[i];
  return total / static_cast<double>(count);
}

/// Largest Gibbs value over log x in [log a, log max(50, a)]: a coarse grid, then golden sections around its best
/// point.
double best_gibbs_value(double s, double m, double a, double n) {
  constexpr int grid = 40;
  constexpr double largest = 50;
  const double low = std::log(a);
  const double step = (std::log(std::max(a, largest)) - low) / grid;
  const auto value = [&](double log_x) { return gibbs_value(s, m, a, n, std::exp(log_x)); };
  int best = 0;
  double best_value = value(low);
  for (int i = 1; i <= grid; ++i) {
    const double at = value(low + i * step);
    if (at > best_value) {
      best = i;
      best_value = at;
    }
  }
  constexpr double golden = 0.6180339887498949;
  double left = low + std::max(best - 1, 0) * step;
  double right = low + std::min(best + 1, grid) * step;
  for (int i = 0; i < 40; ++i) {
    const double inner_left = right - golden * (right - left);
    const double inner_right = left + golden * (right - left);
    const double value_left = value(inner_left);
    const double value_right = value(inner_right);
    best_value = std::max({best_value, value_left, value_right});
    (value_left > value_right ? right : left) = value_left > value_right ? inner_right : inner_left;
  }
  return best_value;
}

}  // namespace

double lda_document_slope(double s, int64_t topics, double alpha, double tokens) {
  const double per_topic = tokens / static_cast<double>(topics);
  double slope = alpha + s * per_topic;
  kernels::instruction_set().double_precision.trigamma(&slope, &slope, 1);
  return s * s * per_topic * slope;
}

void lda_sampled_log_normalizers(const LdaShape& shape, const std::vector<double>& inverse_temperatures, bool jensen,
                                 int64_t samples, uint64_t seed, double* out) {
  const auto& kernels = kernels::instruction_set().double_precision;
  const size_t count = static_cast<size_t>(samples);
  const size_t topics = static_cast<size_t>(shape.topics);
  const size_t grid = inverse_temperatures.size();
  const double length = shape.tokens / shape.rows;

  // theta_jk^s for every sample and temperature; the samples of beta share them.
  std::vector<double> logs(topics);
  std::vector<double> powers(grid * count * topics);
  for (size_t j = 0; j < count; ++j) {
    require_not_interrupted();
    RandomStream random(seed, Purpose::partition, 0, j);
    draw_log_dirichlet(random, shape.alpha, logs);
    for (size_t m = 0; m < grid; ++m) {
      for (size_t k = 0; k < topics; ++k) {
        powers[(m * count + j) * topics + k] = std::exp(inverse_temperatures[m] * logs[k]);
      }
    }
  }
  std::vector<double> words(static_cast<size_t>(shape.words));
  std::vector<double> raised(words.size());
  std::vector<double> sums(grid * topics);  // S_k(s)
  std::vector<double> of_theta(count);
  std::vector<double> of_beta(grid * count);
  for (size_t b = 0; b < count; ++b) {
    for (size_t k = 0; k < topics; ++k) {
      RandomStream random(seed, Purpose::partition, 1 + b, k);
      draw_log_dirichlet(random, shape.eta, words);
      for (size_t m = 0; m < grid; ++m) {
        kernels.scaled_exponential(words.data(), inverse_temperatures[m], raised.data(), shape.words);
        sums[m * topics + k] = kernels.sum(raised.data(), shape.words);
      }
    }
    for (size_t m = 0; m < grid; ++m) {
      require_not_interrupted();
      for (size_t j = 0; j < count; ++j) {
        const double* theta = powers.data() + (m * count + j) * topics;
        double x = 0;
        for (size_t k = 0; k < topics; ++k) x += theta[k] * sums[m * topics + k];
        of_theta[j] = length * std::log(x);
      }
      const double of_document = jensen ? mean(of_theta.data(), count) : log_mean(of_theta.data(), count);
      of_beta[m * count + b] = shape.rows * of_document;
    }
  }
  for (size_t m = 0; m < grid; ++m) {
    const double* values = of_beta.data() + m * count;
    if (inverse_temperatures[m] == 1) {
      out[m] = 0;
    } else {
      out[m] = jensen ? mean(values, count) : log_mean(values, count);
    }
  }
}

double lda_log_normalizer_of_means(const LdaShape& shape, double s) {
  if (s == 1) return 0;
  return shape.tokens * (log_mean_power_sum(s, static_cast<double>(shape.topics), shape.alpha) +
                         log_mean_power_sum(s, static_cast<double>(shape.words), shape.eta));
}

double lda_log_normalizer_of_topics(const LdaShape& shape, double s, double mean_topic_sum) {
  if (s == 1) return 0;
  const double k = static_cast<double>(shape.topics);
  return shape.rows * best_gibbs_value(s, k, shape.alpha, shape.tokens / shape.rows) +
         shape.tokens * std::log(mean_topic_sum);
}

double lda_log_normalizer(double s, int64_t topics, int64_t words, double alpha, double eta, double rows,
                          double tokens) {
  if (s == 1) return 0;
  const double k = static_cast<double>(topics);
  return k * best_gibbs_value(s, static_cast<double>(words), eta, tokens / k) +
         rows * best_gibbs_value(s, k, alpha, tokens / rows);
}

template <class Real>
double Lda<Real>::log_normalizer(const Normalizer& normalizer, double inverse_temperature, double rows,
                                 double tokens) const {
  double value;
  log_normalizers(normalizer, {inverse_temperature}, rows, tokens, &value);
  return value;
}

template <class Real>
void Lda<Real>::log_normalizers(const Normalizer& normalizer, const std::vector<double>& inverse_temperatures,
                                double rows, double tokens, double* out) const {
  LdaShape shape{settings_.topics, columns(), 0, 0, rows, tokens};
  for (const double value : settings_.alpha) shape.alpha += value / static_cast<double>(settings_.topics);
  for (int64_t k = 0; k < settings_.topics; ++k) {
    shape.eta += topics_->eta_total(k) / static_cast<double>(settings_.topics * columns());
  }
  const std::string& estimate = normalizer.estimate;
  if (estimate == "monte_carlo" || estimate == "jensen") {
    lda_sampled_log_normalizers(shape, inverse_temperatures, estimate == "jensen", normalizer.samples,
                                normalizer.seed, out);
    return;
  }
  for (const double s : inverse_temperatures) {
    if (estimate == "mean") {
      *out++ = lda_log_normalizer_of_means(shape, s);
    } else if (estimate == "plug_in" || estimate == "moment") {
      *out++ = lda_log_normalizer_of_topics(shape, s, mean_topic_sum(s, estimate == "moment"));
    } else {
      *out++ = lda_log_normalizer(s, shape.topics, shape.words, shape.alpha, shape.eta, rows, tokens);
    }
  }
}

/// Mean over the topics of sum_v beta_kv^s at the topics' means, or of its expectation under Dir(lambda_k),
///   E sum_v beta_kv^s = Gamma(lambda_k0) / Gamma(lambda_k0 + s) sum_v Gamma(lambda_kv + s) / Gamma(lambda_kv).
template <class Real>
double Lda<Real>::mean_topic_sum(double s, bool moment) const {
  const auto& kernels = kernels::instruction_set().double_precision;
  constexpr int64_t block = 256;  // words at a time, so that a step needs no memory for this
  double values[block], raised[block];
  Spare spare;
  double sum = 0;
  for (int64_t k = 0; k < settings_.topics; ++k) {
    double of_total[2] = {topics_->total(k), topics_->total(k) + s};
    kernels.log_gamma(of_total, of_total, 2);
    const double offset = moment ? of_total[0] - of_total[1] : -s * std::log(topics_->total(k));
    for (int64_t first = 0; first < columns(); first += block) {
      const int64_t words = std::min(block, columns() - first);
      for (int64_t i = 0; i < words; ++i) {
        values[i] = topics_->lambda(k, first + i, spare);
        raised[i] = values[i] + s;
      }
      if (moment) {
        kernels.log_gamma(values, values, words);
        kernels.log_gamma(raised, raised, words);
        for (int64_t i = 0; i < words; ++i) values[i] = raised[i] - values[i] + offset;
      } else {
        kernels.logarithm(values, values, words);
        for (int64_t i = 0; i < words; ++i) values[i] = s * values[i] + offset;
      }
      kernels.exponential(values, values, words);
      sum += kernels.sum(values, words);
    }
  }
  return sum / static_cast<double>(settings_.topics);
}

template <class Real>
bool Lda<Real>::normalizer_follows_globals(const Normalizer& normalizer) const {
  return normalizer.estimate == "plug_in" || normalizer.estimate == "moment";
}

}  // namespace vtemper

#include "models/lda/instances.inc"
