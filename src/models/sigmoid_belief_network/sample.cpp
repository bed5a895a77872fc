// The forward half of a step: rows are read, samples drawn from the posterior and scored by the model.

#include <algorithm>
#include <cmath>

#include "models/dense_products.h"
#include "models/dense_rows.h"
#include "models/random_words.h"
#include "models/sigmoid_belief_network/work.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
void BeliefNetworkWork<Real>::shape(const std::vector<LayerPlace>& posterior, int64_t columns, int64_t batch_rows,
                                    int64_t batch_samples, int threads) {
  rows = batch_rows;
  samples = batch_samples;
  const auto size = [](int64_t a, int64_t b) { return static_cast<size_t>(a * b); };
  x.resize(size(rows, columns));
  centred.resize(size(rows, columns));
  weight.resize(static_cast<size_t>(rows));
  layers.resize(posterior.size());
  int64_t widest = 0;
  int64_t below = columns;
  for (size_t l = 0; l < posterior.size(); ++l) {
    Layer& layer = layers[l];
    const int64_t units = posterior[l].units;
    layer.rows = l == 0 ? rows : count();
    layer.eta.resize(size(layer.rows, units));
    layer.mean.resize(size(layer.rows, units));
    layer.softplus.resize(static_cast<size_t>(layer.rows));
    layer.states.resize(size(count(), units));
    layer.residuals.resize(size(layer.rows, units));
    layer.below.resize(size(count(), below));
    widest = std::max(widest, units);
    below = units;
  }
  log_likelihood.resize(static_cast<size_t>(count()));
  log_p.resize(static_cast<size_t>(count()));
  log_q.resize(static_cast<size_t>(count()));
  factor.resize(static_cast<size_t>(count()));
  signal.resize(static_cast<size_t>(count()));
  scores.resize(static_cast<size_t>(samples));
  row_force.resize(static_cast<size_t>(count()));
  prior_mean.resize(static_cast<size_t>(posterior.back().units));
  words.resize(size(threads, widest));
}

template <class Real>
void SigmoidBeliefNetwork<Real>::read_rows(const Batch& batch, int threads, Work& work) const {
  batch.data->require_whole();
  parallel_for(threads, product_tasks(batch.count), [&](int64_t task, int) {
    const int64_t end = std::min(batch.count, (task + 1) * product_rows);
    for (int64_t i = task * product_rows; i < end; ++i) {
      const int64_t row = batch.row(i);
      Real* x = work.x.data() + i * columns_;
      Real* centred = work.centred.data() + i * columns_;
      read_dense_row(*batch.data->dense, row, x);
      require_shares(x, row, columns_, kind().name);
      for (int64_t j = 0; j < columns_; ++j) centred[j] = x[j] - mean_[static_cast<size_t>(j)];
      work.weight[static_cast<size_t>(i)] = static_cast<Real>(batch.data->weight(row));
    }
  });
}

/// Layer by layer: logits, means and states of all samples, and log q.
template <class Real>
void SigmoidBeliefNetwork<Real>::draw_samples(const Draws& draws, bool entropies, int threads, Work& work) const {
  const auto& table = kernels::table<Real>(kernels::instruction_set());
  const int64_t widest = static_cast<int64_t>(work.words.size()) / threads;
  work.log_q.fill(0);
  const Real* input = work.centred.data();
  for (int64_t l = 0; l < layers(); ++l) {
    auto& layer = work.layers[static_cast<size_t>(l)];
    const LayerPlace& place = posterior_[static_cast<size_t>(l)];
    const int64_t units = place.units;
    if (entropies) layer.entropy.resize(layer.eta.size());
    parallel_for(threads, product_tasks(layer.rows), [&](int64_t task, int thread) {
      const int64_t first = task * product_rows;
      const int64_t end = std::min(layer.rows, first + product_rows);
      linear_layer(input + first * place.in, values() + place.weights, values() + place.bias,
                   layer.eta.data() + first * units, end - first, place.in, units);
      uint32_t* words = work.words.data() + thread * widest;
      for (int64_t i = first; i < end; ++i) {
        const Real* eta = layer.eta.data() + i * units;
        Real* mean = layer.mean.data() + i * units;
        const double softplus =
            table.bernoulli_row({eta, units, mean, entropies ? layer.entropy.data() + i * units : nullptr});
        // A row of the bottom layer is that of all its samples.
        for (int64_t n = i; n < work.count(); n += l == 0 ? work.rows : work.count()) {
          RandomStream random(draws.seed, static_cast<Purpose>(draws.purpose), draws.iteration,
                              (draws.first + static_cast<uint64_t>(n)) * most_layers + static_cast<uint64_t>(l));
          draw_words(random, units, words);
          const double on = table.bernoulli_draw(words, mean, eta, layer.states.data() + n * units, units);
          work.log_q[static_cast<size_t>(n)] += on - softplus;
        }
      }
    });
    input = layer.states.data();
  }
}

/// log p(x, h) of all samples; where `residuals`, the model's residuals times `factor` instead of its logits.
/// `keep_logits`: the model's logits of the layers below the top stay in model_logits.
template <class Real>
void SigmoidBeliefNetwork<Real>::score_samples(bool residuals, bool keep_logits, int threads, Work& work) const {
  const auto& table = kernels::table<Real>(kernels::instruction_set());
  const Real* prior = values() + prior_;
  const int64_t top = settings_.layers.back();
  const double softplus = table.bernoulli_row({prior, top, work.prior_mean.data(), nullptr});
  if (keep_logits) {
    for (int64_t l = 1; l < layers(); ++l) {
      work.layers[static_cast<size_t>(l - 1)].model_logits.resize(work.layers[static_cast<size_t>(l)].below.size());
    }
  }
  parallel_for(threads, product_tasks(work.count()), [&](int64_t task, int) {
    const int64_t first = task * product_rows;
    const int64_t end = std::min(work.count(), first + product_rows);
    const Real* h_top = work.layers.back().states.data();
    for (int64_t n = first; n < end; ++n) {
      work.log_p[static_cast<size_t>(n)] = table.dot(h_top + n * top, prior, top) - softplus;
    }
    for (int64_t l = layers() - 1; l >= 0; --l) {
      auto& layer = work.layers[static_cast<size_t>(l)];
      const LayerPlace& place = model_[static_cast<size_t>(l)];
      const int64_t units = place.units;
      Real* logits = layer.below.data() + first * units;
      linear_layer(layer.states.data() + first * place.in, values() + place.weights, values() + place.bias, logits,
                   end - first, place.in, units);
      if (keep_logits && l > 0) {
        std::copy_n(logits, (end - first) * units,
                    work.layers[static_cast<size_t>(l - 1)].model_logits.data() + first * units);
      }
      for (int64_t n = first; n < end; ++n) {
        const Real* target = l == 0 ? work.x.data() + n % work.rows * units
                                    : work.layers[static_cast<size_t>(l - 1)].states.data() + n * units;
        const Real factor = residuals ? work.factor[static_cast<size_t>(n)] : Real(1);
        const double log_likelihood = table.bernoulli_residuals(target, factor, logits + (n - first) * units, units);
        work.log_p[static_cast<size_t>(n)] += log_likelihood;
        if (l == 0) work.log_likelihood[static_cast<size_t>(n)] = log_likelihood;
      }
    }
  });
}

template struct BeliefNetworkWork<float>;
template struct BeliefNetworkWork<double>;
template class SigmoidBeliefNetwork<float>;
template class SigmoidBeliefNetwork<double>;

}  // namespace vtemper
