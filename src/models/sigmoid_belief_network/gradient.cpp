// The gradient of a step (README.md sections 1 and 3). With l = log p(x, h) - T log q(h | x) of S samples of a row:
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
#include "models/variation.h"
#include "support/random_streams.h"

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
std::unique_ptr<GradientFit> SigmoidBeliefNetwork<Real>::begin_fit(const Data*, int64_t rows) const {
  require_initialized();
  auto work = std::make_unique<Work>(*this);
  work->gradient_.resize(sizeof(Real) == sizeof(float), values_.length());
  work->shape(posterior_, columns_, rows, settings_.samples, 1);
  return work;
}

template <class Real>
GradientSums SigmoidBeliefNetwork<Real>::forward(const Batch& batch, const GradientSettings& settings,
                                                 Work& work) const {
  const int threads = settings.threads;
  const bool entropies = settings.statistic == Statistic::entropy;
  const bool keep_logits = settings.statistic == Statistic::kl;
  work.shape(posterior_, columns_, batch.count, settings_.samples, threads);
  for (auto& layer : work.layers) {
    if (entropies) layer.entropy.resize(layer.eta.size());
  }
  const Draws draws = {settings.seed, static_cast<uint32_t>(Purpose::sample), settings.iteration, 0, &batch};
  share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t) {
    read_rows(batch, first, end, work);
    work.for_each_range(first, end, [&](int64_t from, int64_t to) {
      for (int64_t n = from; n < to; ++n) {
        work.factor[static_cast<size_t>(n)] =
            settings_.multi_sample
                ? Real(1)
                : work.weight[static_cast<size_t>(n % work.rows)] / static_cast<Real>(work.samples);
      }
    });
  });
  draw_samples(draws, false, entropies, threads, work);
  score_samples(true, keep_logits, threads, work);
  share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t thread) {
    weigh_samples(settings.temperature, first, end, thread, work);
    posterior_deltas(first, end, work);
  });
  GradientSums sums = add_up(settings, work);
  if (settings.statistic != Statistic::none) measure(work, sums.rows);
  if (settings.reference != nullptr) measure_reference(work, sums.rows);
  return sums;
}

template <class Real>
void SigmoidBeliefNetwork<Real>::backward(const double* forces, Work& work, GradientSums& sums) const {
  if (forces != nullptr) pull(forces, work, sums);
  collect(work.settings.threads, work);
}

/// Computes the objective, and for every sample the score's signal and the model's factor.
template <class Real>
void SigmoidBeliefNetwork<Real>::weigh_samples(double temperature, int64_t first, int64_t end, int64_t thread,
                                               Work& work) const {
  const int64_t samples = work.samples;
  const double share = 1 / static_cast<double>(samples);
  double* l = work.scores.data() + thread * samples;
  for (int64_t i = first; i < end; ++i) {
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
        // The importance of a sample is known only after its deltas were computed.
        for (size_t k = 0; k < model_.size(); ++k) {
          Real* delta = work.layers[k].below.data() + static_cast<int64_t>(n) * model_[k].units;
          for (int64_t j = 0; j < model_[k].units; ++j) delta[j] *= work.factor[n];
        }
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
    work.elbo[static_cast<size_t>(i)] = elbo;
    work.objective[static_cast<size_t>(i)] = objective;
    work.likelihood[static_cast<size_t>(i)] = likelihood;
  }
}

/// Gradient with respect to the posterior's logits: sum over a row's samples of signal (h - mean).
template <class Real>
void SigmoidBeliefNetwork<Real>::posterior_deltas(int64_t first, int64_t end, Work& work) const {
  for (size_t l = 0; l < work.layers.size(); ++l) {
    auto& layer = work.layers[l];
    const int64_t units = posterior_[l].units;
    if (l == 0) std::fill_n(layer.deltas.data() + first * units, (end - first) * units, Real(0));
    work.for_each_range(first, end, [&](int64_t from, int64_t to) {
      for (int64_t n = from; n < to; ++n) {
        // The samples of a row share its row in the bottom layer.
        const int64_t i = l == 0 ? n % work.rows : n;
        const Real* mean = layer.mean.data() + i * units;
        const Real* state = layer.states.data() + n * units;
        const Real signal = work.signal[static_cast<size_t>(n)];
        Real* out = layer.deltas.data() + i * units;
        for (int64_t j = 0; j < units; ++j) out[j] = (l == 0 ? out[j] : Real(0)) + signal * (state[j] - mean[j]);
      }
    });
  }
}

template <class Real>
GradientSums SigmoidBeliefNetwork<Real>::add_up(const GradientSettings& settings, const Work& work) const {
  GradientSums sums;
  for (size_t i = 0; i < static_cast<size_t>(work.rows); ++i) {
    sums.add_row(static_cast<double>(work.weight[i]), work.elbo[i], work.objective[i], work.likelihood[i]);
  }
  if (!settings.report) return sums;
  for (const auto& layer : work.layers) {
    for (const Real delta : layer.deltas) sums.pull += std::abs(static_cast<double>(delta));
  }
  sums.active_units = sums.rows * active_units_of(work);
  return sums;
}

/// Products of inputs and deltas: the gradient of every layer's weights and bias.
template <class Real>
void SigmoidBeliefNetwork<Real>::collect(int threads, Work& work) const {
  Real* gradient = work.gradient_.template of<Real>();
  std::array<LayerGradient<Real>, 2 * max_layers> all;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    const auto& layer = work.layers[l];
    const Real* below = l == 0 ? work.centred.data() : work.layers[l - 1].states.data();
    all[l] = {model_[l], layer.states.data(), layer.below.data(), work.count()};
    all[work.layers.size() + l] = {posterior_[l], below, layer.deltas.data(), layer.rows};
  }
  work.gradient_squares_ = collect_gradients(all.data(), 2 * layers(), threads, gradient);
  // Top layer: sum_n factor_n (h_n - sig(a)).
  const int64_t top = settings_.layers.back();
  Real* prior = gradient + prior_;
  set_product(MatrixView<Real>{work.factor.data(), 0, 1}, work.layers.back().states.data(), prior, 1, work.count(),
              top);
  double factors = 0;
  for (const Real factor : work.factor) factors += static_cast<double>(factor);
  for (int64_t j = 0; j < top; ++j) prior[j] -= static_cast<Real>(factors) * work.prior_mean[static_cast<size_t>(j)];
  work.gradient_squares_ += static_cast<double>(kernels::table<Real>().dot(prior, prior, top));
}

template <class Real>
double SigmoidBeliefNetwork<Real>::active_units_of(const Work& work) const {
  double active = 0;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    const auto& layer = work.layers[l];
    const int64_t units = posterior_[l].units;
    active += count_active_units(
        layer.rows, units,
        [&](int64_t i, int64_t j) { return static_cast<double>(layer.mean[static_cast<size_t>(i * units + j)]); },
        [&](int64_t i) { return static_cast<double>(work.weight[static_cast<size_t>(i % work.rows)]); });
  }
  return active;
}

}  // namespace vtemper

#include "models/sigmoid_belief_network/instances.inc"
