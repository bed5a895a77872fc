// One document: samples, their likelihood and the gradient of its posterior (README.md section 1). Rates are needed
// only for words that occur in the document:
//   log p(x | z) = sum_{v: x_v > 0} (x_v log rate_v - log x_v!) - sum_k z_k G_k - V e0,   G_k = sum_v softplus(W_kv).

#include <algorithm>
#include <cmath>

#include "models/deep_exponential_family/kernels.h"
#include "models/deep_exponential_family/poisson.h"
#include "models/deep_exponential_family/work.h"
#include "models/dense_products.h"
#include "support/error.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
void DocumentScratch<Real>::shape(int64_t latent, int64_t max_samples) {
  const auto size = [](int64_t a, int64_t b) { return static_cast<size_t>(a * b); };
  rate.resize(static_cast<size_t>(latent));
  slope.resize(static_cast<size_t>(latent));
  z.resize(size(latent, max_samples));
  by_sample.resize(size(latent, max_samples));
  weights.resize(size(words_at_once, latent));
  rates.resize(size(words_at_once, max_samples));
  part.resize(static_cast<size_t>(max_samples));
  log_likelihood.resize(static_cast<size_t>(max_samples));
  log_prior.resize(size(latent, max_samples));
  log_q.resize(size(latent, max_samples));
  signal.resize(static_cast<size_t>(max_samples));
  drawn.resize(static_cast<size_t>(max_samples));
  for (Array<Real>* array : {&eta, &square, &gradient}) array->resize(static_cast<size_t>(latent));
}

/// Softplus of all weights, its derivative, and the sums over the words, in an order independent of the number of
/// threads.
template <class Real>
void DeepExponentialFamily<Real>::link(int threads, FamilyLinks<Real>& links) const {
  const auto& table = kernels::table<Real>(kernels::model_kernels<kernels::FamilyKernels>());
  const int64_t latent = settings_.latent;
  const int64_t blocks = (columns_ + words_at_once - 1) / words_at_once;
  links.value.resize(static_cast<size_t>(columns_ * latent));
  links.slope.resize(static_cast<size_t>(columns_ * latent));
  links.blocks.resize(static_cast<size_t>(blocks * latent));
  links.totals.assign(static_cast<size_t>(latent), 0);
  parallel_for(threads, blocks, [&](int64_t block, int) {
    const int64_t first = block * words_at_once;
    const int64_t end = std::min(columns_, first + words_at_once);
    table.softplus(values() + first * latent, links.value.data() + first * latent,
                   links.slope.data() + first * latent, (end - first) * latent);
    double* sums = links.blocks.data() + block * latent;
    std::fill_n(sums, latent, 0.0);
    for (int64_t v = first; v < end; ++v) {
      const Real* value = links.value.data() + v * latent;
      for (int64_t k = 0; k < latent; ++k) sums[k] += static_cast<double>(value[k]);
    }
  });
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t k = 0; k < latent; ++k) {
      links.totals[static_cast<size_t>(k)] += links.blocks[static_cast<size_t>(block * latent + k)];
    }
  }
}

template <class Real>
void DeepExponentialFamily<Real>::take_posterior(const Real* eta, DocumentScratch<Real>& scratch) const {
  const auto& table = kernels::table<Real>(kernels::model_kernels<kernels::FamilyKernels>());
  table.softplus(eta, scratch.rate.data(), scratch.slope.data(), settings_.latent);
  for (Real& rate : scratch.rate) {
    if (!(rate <= static_cast<Real>(largest_rate))) {
      throw Error(VTEMPER_ERROR_NUMERIC, message("the posterior of a row reaches the rate ",
                                                 static_cast<double>(rate), "; a smaller learning_rate may help"));
    }
    rate = std::max(rate, static_cast<Real>(min_rate));
  }
}

/// Draws `samples` values of all latent variables, with their log p(z) and log q(z).
template <class Real>
void DeepExponentialFamily<Real>::draw(RandomStream& random, int64_t samples, DocumentScratch<Real>& scratch) const {
  const int64_t latent = settings_.latent;
  const double prior_rate = settings_.prior_rate;
  const double log_prior_rate = std::log(prior_rate);
  scratch.samples = samples;
  for (int64_t k = 0; k < latent; ++k) {
    const double rate = static_cast<double>(scratch.rate[static_cast<size_t>(k)]);
    const double log_rate = std::log(rate);
    Real* z = scratch.z.data() + k * samples;
    poisson_draws(rate, random, samples, z);
    for (int64_t s = 0; s < samples; ++s) {
      const double n = static_cast<double>(z[s]);
      const double factorial = log_factorial(n);
      scratch.log_prior[static_cast<size_t>(k * samples + s)] = n * log_prior_rate - prior_rate - factorial;
      scratch.log_q[static_cast<size_t>(k * samples + s)] = n * log_rate - rate - factorial;
      scratch.by_sample[static_cast<size_t>(s * latent + k)] = z[s];
    }
  }
}

/// log p(x | z) of all samples and, if requested, factor sum_s z_sk x / rate for each word [words x K].
template <class Real>
void DeepExponentialFamily<Real>::score(const FamilyLinks<Real>& links, const FamilyDocument<Real>& document,
                                        Real factor, Real* word_gradients, DocumentScratch<Real>& scratch) const {
  const auto& table = kernels::table<Real>(kernels::model_kernels<kernels::FamilyKernels>());
  const int64_t latent = settings_.latent, samples = scratch.samples;
  const double background = static_cast<double>(columns_) * settings_.background_rate;
  const double log_share = std::log(document.share);
  double constant = -document.share * background;
  for (int64_t w = 0; w < document.words; ++w) {
    const double count = static_cast<double>(document.counts[w]);
    constant += count * log_share - log_factorial(count);
  }
  double* log_likelihood = scratch.log_likelihood.data();
  std::fill_n(log_likelihood, samples, constant);
  for (int64_t k = 0; k < latent; ++k) {
    const double total = document.share * links.totals[static_cast<size_t>(k)];
    const Real* z = scratch.z.data() + k * samples;
    for (int64_t s = 0; s < samples; ++s) log_likelihood[s] -= total * static_cast<double>(z[s]);
  }
  for (int64_t first = 0; first < document.words; first += words_at_once) {
    const int64_t words = std::min(words_at_once, document.words - first);
    for (int64_t w = 0; w < words; ++w) {
      std::copy_n(links.value.data() + document.columns[first + w] * latent, latent,
                  scratch.weights.data() + w * latent);
    }
    std::fill_n(scratch.rates.data(), words * samples, static_cast<Real>(settings_.background_rate));
    add_product(by_rows<Real>(scratch.weights.data(), latent), scratch.z.data(), scratch.rates.data(), words, latent,
                samples);
    table.poisson_ratios(
        {scratch.rates.data(), document.counts + first, factor, words, samples, scratch.part.data()});
    for (int64_t s = 0; s < samples; ++s) {
      log_likelihood[s] += static_cast<double>(scratch.part[static_cast<size_t>(s)]);
    }
    if (word_gradients == nullptr) continue;
    Real* out = word_gradients + first * latent;
    std::fill_n(out, words * latent, Real(0));
    add_product(by_rows<Real>(scratch.rates.data(), samples), scratch.by_sample.data(), out, words, samples, latent);
  }
}

/// The gradient [K] of the document's objective with respect to eta.
template <class Real>
void DeepExponentialFamily<Real>::ascend(double temperature, Real* gradient, DocumentScratch<Real>& scratch) const {
  const int64_t samples = scratch.samples;
  for (int64_t k = 0; k < settings_.latent; ++k) {
    for (int64_t s = 0; s < samples; ++s) {
      const auto place = static_cast<size_t>(k * samples + s);
      scratch.drawn[static_cast<size_t>(s)] = static_cast<double>(scratch.z[place]);
      scratch.signal[static_cast<size_t>(s)] = scratch.log_likelihood[static_cast<size_t>(s)] +
                                               scratch.log_prior[place] - temperature * scratch.log_q[place];
    }
    gradient[k] =
        static_cast<Real>(score_gradient(settings_.control_variate, scratch.signal.data(), scratch.drawn.data(),
                                         samples, static_cast<double>(scratch.rate[static_cast<size_t>(k)]),
                                         static_cast<double>(scratch.slope[static_cast<size_t>(k)])));
  }
}

double score_gradient(ControlVariate control_variate, const double* signal, const double* z, int64_t samples,
                      double rate, double slope) {
  const double count = static_cast<double>(samples);
  const double others = count - 1;
  double mean = 0;
  for (int64_t s = 0; s < samples; ++s) mean += signal[s];
  mean /= count;
  // F_s - (the others' mean of F) = (F_s - mean) S / (S - 1).
  if (control_variate == ControlVariate::leave_one_out) {
    double sum = 0;
    for (int64_t s = 0; s < samples; ++s) sum += (signal[s] - mean) * (z[s] - rate);
    return sum / others * slope / rate;
  }
  // A constant added to F changes nothing as long as the others' z differ; subtracting the mean preserves precision.
  // Moments of z are integers, so a zero variance is exact.
  double z_sum = 0, z_square = 0, g_sum = 0, gz_sum = 0;
  for (int64_t s = 0; s < samples; ++s) {
    const double g = (signal[s] - mean) * (z[s] - rate);
    z_sum += z[s];
    z_square += z[s] * z[s];
    g_sum += g;
    gz_sum += g * z[s];
  }
  double sum = 0;
  for (int64_t s = 0; s < samples; ++s) {
    const double distance = z[s] - rate;
    const double g = (signal[s] - mean) * distance;
    const double z_others = z_sum - z[s];
    const double variance = others * (z_square - z[s] * z[s]) - z_others * z_others;
    if (variance > 0) {
      const double covariance = others * (gz_sum - g * z[s]) - (g_sum - g) * z_others;
      sum += g - covariance / variance * distance;
    } else {
      // The others determine no scale, only the mean.
      sum += g * count / others;
    }
  }
  return sum / count * slope / rate;
}

template struct DocumentScratch<float>;
template struct DocumentScratch<double>;

}  // namespace vtemper

#include "models/deep_exponential_family/instances.inc"
