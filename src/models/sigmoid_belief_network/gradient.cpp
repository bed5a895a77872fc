// The gradient of a step (deep.md sections 1 and 2). With l = log p(x, h) - T log q(h | x) of S samples of a row:
//   model      (1/S) sum_s grad log p_s
//   posterior  (1/S) sum_s A_s grad log q_s,   A_s = l_s - mean of the others' l
// and for the multi-sample bound, w = softmax(l):
//   model      sum_s w_s grad log p_s
//   posterior  sum_s (L - L^{-s} - w_s) grad log q_s, where L^{-s} has the mean of the others' l in place of l_s.

#include <algorithm>
#include <array>
#include <cmath>

#include "models/dense_products.h"
#include "models/sigmoid_belief_network/work.h"
#include "support/random_streams.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// log sum_s exp(l_s).
double log_sum(const double* l, int64_t count) {
  const double largest = *std::max_element(l, l + count);
  double sum = 0;
  for (int64_t s = 0; s < count; ++s) sum += std::exp(l[s] - largest);
  return largest + std::log(sum);
}

}  // namespace

template <class Real>
std::unique_ptr<GradientWork> SigmoidBeliefNetwork<Real>::gradient_work(const Data*, int64_t rows) const {
  require_initialized();
  auto work = std::make_unique<Work>();
  work->gradient_.resize(sizeof(Real) == sizeof(float), values_.length());
  work->shape(posterior_, columns_, rows, settings_.samples, 1);
  return work;
}

template <class Real>
GradientSums SigmoidBeliefNetwork<Real>::gradient(const Batch& batch, const GradientSettings& settings,
                                                  GradientWork& gradient_work) const {
  auto& work = static_cast<Work&>(gradient_work);
  const int threads = settings.threads;
  const bool measured = settings.statistic != Statistic::none;
  work.shape(posterior_, columns_, batch.count, settings_.samples, threads);
  read_rows(batch, threads, work);
  draw_samples({settings.seed, static_cast<uint32_t>(Purpose::sample), settings.iteration, 0},
               settings.statistic == Statistic::entropy, threads, work);
  for (int64_t n = 0; n < work.count(); ++n) {
    work.factor[static_cast<size_t>(n)] =
        settings_.multi_sample ? Real(1)
                               : work.weight[static_cast<size_t>(n % work.rows)] / static_cast<Real>(work.samples);
  }
  score_samples(true, settings.statistic == Statistic::kl, threads, work);
  GradientSums sums;
  sums.count = static_cast<double>(batch.count);
  weigh_samples(settings, work, sums);
  posterior_residuals(threads, work);
  if (settings.report) {
    for (const auto& layer : work.layers) {
      for (const Real residual : layer.residuals) sums.pull += std::abs(static_cast<double>(residual));
    }
    sums.active_units = sums.rows * active_units_of(work);
  }
  if (measured) constrain(settings, work, sums);
  collect(threads, work);
  return sums;
}

/// Objective, signal and the model's factors of every sample.
template <class Real>
void SigmoidBeliefNetwork<Real>::weigh_samples(const GradientSettings& settings, Work& work,
                                               GradientSums& sums) const {
  const int64_t samples = work.samples;
  const double share = 1 / static_cast<double>(samples);
  const double temperature = settings.temperature;
  double* l = work.scores.data();
  for (int64_t i = 0; i < work.rows; ++i) {
    const double weight = static_cast<double>(work.weight[static_cast<size_t>(i)]);
    double elbo = 0, objective = 0, likelihood = 0;
    for (int64_t s = 0; s < samples; ++s) {
      const auto n = static_cast<size_t>(s * work.rows + i);
      l[s] = work.log_p[n] - temperature * work.log_q[n];
      objective += share * l[s];
      elbo += share * (work.log_p[n] - work.log_q[n]);
      likelihood += share * work.log_likelihood[n];
    }
    const double total = objective * static_cast<double>(samples);
    if (settings_.multi_sample) {
      const double bound = log_sum(l, samples);
      for (int64_t s = 0; s < samples; ++s) {
        const auto n = static_cast<size_t>(s * work.rows + i);
        const double own = l[s];
        const double importance = std::exp(own - bound);
        l[s] = (total - own) / static_cast<double>(samples - 1);
        const double without = log_sum(l, samples);
        l[s] = own;
        work.signal[n] = static_cast<Real>(weight * (bound - without - temperature * importance));
        work.factor[n] = static_cast<Real>(weight * importance);
      }
      objective = bound + std::log(share);
    } else {
      for (int64_t s = 0; s < samples; ++s) {
        const double others = (total - l[s]) / static_cast<double>(samples - 1);
        const double own = settings_.keep_log_q ? temperature : 0;
        work.signal[static_cast<size_t>(s * work.rows + i)] =
            static_cast<Real>(weight * share * (l[s] - others - own));
      }
    }
    sums.rows += weight;
    sums.elbo += weight * elbo;
    sums.objective += weight * objective;
    sums.expected_log_likelihood += weight * likelihood;
  }
}

/// Gradient with respect to the posterior's logits: sum over a row's samples of signal (h - mean).
template <class Real>
void SigmoidBeliefNetwork<Real>::posterior_residuals(int threads, Work& work) const {
  for (int64_t l = 0; l < layers(); ++l) {
    auto& layer = work.layers[static_cast<size_t>(l)];
    const int64_t units = posterior_[static_cast<size_t>(l)].units;
    parallel_for(threads, product_tasks(layer.rows), [&](int64_t task, int) {
      const int64_t end = std::min(layer.rows, (task + 1) * product_rows);
      for (int64_t i = task * product_rows; i < end; ++i) {
        const Real* mean = layer.mean.data() + i * units;
        Real* out = layer.residuals.data() + i * units;
        std::fill_n(out, units, Real(0));
        for (int64_t n = i; n < work.count(); n += l == 0 ? work.rows : work.count()) {
          const Real signal = work.signal[static_cast<size_t>(n)];
          const Real* state = layer.states.data() + n * units;
          for (int64_t j = 0; j < units; ++j) out[j] += signal * (state[j] - mean[j]);
        }
      }
    });
  }
}

/// Products of inputs and residuals: the gradient of every layer's weights and bias.
template <class Real>
void SigmoidBeliefNetwork<Real>::collect(int threads, Work& work) const {
  Real* gradient = work.gradient_.template of<Real>();
  if (settings_.multi_sample) {
    // The importance of a sample is known only after its residuals.
    parallel_for(threads, work.count(), [&](int64_t n, int) {
      for (int64_t l = 0; l < layers(); ++l) {
        const int64_t units = model_[static_cast<size_t>(l)].units;
        Real* residual = work.layers[static_cast<size_t>(l)].below.data() + n * units;
        for (int64_t j = 0; j < units; ++j) residual[j] *= work.factor[static_cast<size_t>(n)];
      }
    });
  }
  std::array<LayerGradient<Real>, 2 * most_layers> all;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    const auto& layer = work.layers[l];
    const Real* below = l == 0 ? work.centred.data() : work.layers[l - 1].states.data();
    all[l] = {model_[l], layer.states.data(), layer.below.data(), work.count()};
    all[work.layers.size() + l] = {posterior_[l], below, layer.residuals.data(), layer.rows};
  }
  collect_gradients(all.data(), 2 * layers(), threads, gradient);
  // Top layer: sum_n factor_n (h_n - sig(a)).
  const int64_t top = settings_.layers.back();
  Real* prior = gradient + prior_;
  std::fill_n(prior, top, Real(0));
  add_product(MatrixView<Real>{work.factor.data(), 0, 1}, work.layers.back().states.data(), prior, 1, work.count(),
              top);
  double factors = 0;
  for (const Real factor : work.factor) factors += static_cast<double>(factor);
  for (int64_t j = 0; j < top; ++j) prior[j] -= static_cast<Real>(factors) * work.prior_mean[static_cast<size_t>(j)];
}

template <class Real>
double SigmoidBeliefNetwork<Real>::active_units_of(const Work& work) const {
  double active = 0;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    const auto& layer = work.layers[l];
    const int64_t units = posterior_[l].units;
    for (int64_t j = 0; j < units; ++j) {
      double sum = 0, square = 0;
      for (int64_t i = 0; i < layer.rows; ++i) {
        const double mean = static_cast<double>(layer.mean[static_cast<size_t>(i * units + j)]);
        sum += mean;
        square += mean * mean;
      }
      const double rows = static_cast<double>(layer.rows);
      if (square / rows - sum * sum / (rows * rows) > active_variance) active += 1;
    }
  }
  return active;
}

template class SigmoidBeliefNetwork<float>;
template class SigmoidBeliefNetwork<double>;

}  // namespace vtemper
