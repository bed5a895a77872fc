// The forward half of a step: reads rows, draws samples from the posterior and scores them under the model.

#include <algorithm>
#include <cmath>

#include "models/dense_products.h"
#include "models/dense_rows.h"
#include "models/random_words.h"
#include "models/sigmoid_belief_network/work.h"

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
  widest = 0;
  int64_t below = columns;
  for (size_t l = 0; l < posterior.size(); ++l) {
    Layer& layer = layers[l];
    const int64_t units = posterior[l].units;
    layer.rows = l == 0 ? rows : count();
    layer.eta.resize(size(layer.rows, units));
    layer.mean.resize(size(layer.rows, units));
    layer.softplus.resize(static_cast<size_t>(layer.rows));
    layer.states.resize(size(count(), units));
    layer.deltas.resize(size(layer.rows, units));
    layer.below.resize(size(count(), below));
    widest = std::max(widest, units);
    below = units;
  }
  log_likelihood.resize(static_cast<size_t>(count()));
  log_p.resize(static_cast<size_t>(count()));
  log_q.resize(static_cast<size_t>(count()));
  factor.resize(static_cast<size_t>(count()));
  signal.resize(static_cast<size_t>(count()));
  scores.resize(size(threads, samples));
  for (Array<double>* array : {&elbo, &objective, &likelihood}) array->resize(static_cast<size_t>(rows));
  row_force.resize(static_cast<size_t>(count()));
  prior_mean.resize(static_cast<size_t>(posterior.back().units));
  words.resize(size(threads, widest));
}

template <class Real>
void SigmoidBeliefNetwork<Real>::read_rows(const Batch& batch, int64_t first, int64_t end, Work& work) const {
  const Dense& dense = batch.data->dense();
  for (int64_t i = first; i < end; ++i) {
    const int64_t row = batch.row(i);
    Real* x = work.x.data() + i * columns_;
    Real* centred = work.centred.data() + i * columns_;
    if (i + 1 < end) prefetch_dense_row(dense, batch.row(i + 1));
    read_dense_row(dense, row, x);
    require_shares(x, row, columns_, kind().name);
    for (int64_t j = 0; j < columns_; ++j) centred[j] = x[j] - mean_[static_cast<size_t>(j)];
    work.weight[static_cast<size_t>(i)] = static_cast<Real>(batch.data->weight(row));
  }
}

/// Layer by layer: logits and means of the posterior, states of all samples and log q. `again`: further samples of
/// the same rows, whose means in the bottom layer are known.
template <class Real>
void SigmoidBeliefNetwork<Real>::draw_samples(const Draws& draws, bool again, bool entropies, int threads,
                                              Work& work) const {
  for (int64_t l = 0; l < layers(); ++l) {
    auto& layer = work.layers[static_cast<size_t>(l)];
    if (l > 0 || !again) {
      const Real* below = l == 0 ? work.centred.data() : work.layers[static_cast<size_t>(l - 1)].states.data();
      work.layer_sums.start(posterior_[static_cast<size_t>(l)], values(), below, layer.rows, threads,
                            layer.eta.data());
    }
    share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t thread) {
      // The samples of a row share its row in the bottom layer.
      if (l == 0 && !again) infer_rows(l, entropies, first, end, work);
      work.for_each_range(first, end, [&](int64_t from, int64_t to) {
        if (l > 0) infer_rows(l, entropies, from, to, work);
        draw_layer(draws, l, from, to, thread, work);
      });
    });
  }
}

/// Means of rows first .. end of a layer of the posterior.
template <class Real>
void SigmoidBeliefNetwork<Real>::infer_rows(int64_t l, bool entropies, int64_t first, int64_t end, Work& work) const {
  const auto& table = kernels::table<Real>();
  auto& layer = work.layers[static_cast<size_t>(l)];
  const int64_t units = posterior_[static_cast<size_t>(l)].units;
  work.layer_sums.finish(first, end);
  for (int64_t i = first; i < end; ++i) {
    layer.softplus[static_cast<size_t>(i)] =
        table.bernoulli_row({layer.eta.data() + i * units, units, layer.mean.data() + i * units,
                             entropies ? layer.entropy.data() + i * units : nullptr});
  }
}

/// States of a layer of the samples first .. end, and their log q.
template <class Real>
void SigmoidBeliefNetwork<Real>::draw_layer(const Draws& draws, int64_t l, int64_t first, int64_t end, int64_t thread,
                                            Work& work) const {
  const auto& table = kernels::table<Real>();
  auto& layer = work.layers[static_cast<size_t>(l)];
  const int64_t units = posterior_[static_cast<size_t>(l)].units;
  uint32_t* words = work.words.data() + thread * work.widest;
  for (int64_t n = first; n < end; ++n) {
    const int64_t i = l == 0 ? n % work.rows : n;
    RandomStream random(draws.seed, static_cast<Purpose>(draws.purpose), draws.iteration,
                        draws.sample(n, work.rows) * max_layers + static_cast<uint64_t>(l));
    draw_words(random, units, words);
    const double on = table.bernoulli_draw(words, layer.mean.data() + i * units, layer.eta.data() + i * units,
                                           layer.states.data() + n * units, units);
    double& log_q = work.log_q[static_cast<size_t>(n)];
    log_q = (l == 0 ? 0 : log_q) + (on - layer.softplus[static_cast<size_t>(i)]);
  }
}

/// log p(x, h) of all samples, from the model's top layer down. `keep_logits`: keep the model's logits of the layers
/// below the top in model_logits.
template <class Real>
void SigmoidBeliefNetwork<Real>::score_samples(bool deltas, bool keep_logits, int threads, Work& work) const {
  const auto& table = kernels::table<Real>();
  work.prior_softplus =
      table.bernoulli_row({values() + prior_, settings_.layers.back(), work.prior_mean.data(), nullptr});
  for (size_t l = 1; keep_logits && l < work.layers.size(); ++l) {
    work.layers[l - 1].model_logits.resize(work.layers[l].below.size());
  }
  for (int64_t l = layers() - 1; l >= 0; --l) {
    auto& layer = work.layers[static_cast<size_t>(l)];
    work.layer_sums.start(model_[static_cast<size_t>(l)], values(), layer.states.data(), work.count(), threads,
                          layer.below.data());
    share_rows(work.rows, threads, [&](int64_t first, int64_t end, int64_t) {
      work.for_each_range(first, end,
                          [&](int64_t from, int64_t to) { score_layer(l, deltas, keep_logits, from, to, work); });
    });
  }
}

/// Contribution of a layer of the model to log p(x, h) of the samples first .. end; if `deltas`, computes their
/// deltas times `factor` instead of the logits.
template <class Real>
void SigmoidBeliefNetwork<Real>::score_layer(int64_t l, bool deltas, bool keep_logits, int64_t first, int64_t end,
                                             Work& work) const {
  const auto& table = kernels::table<Real>();
  const int64_t top = settings_.layers.back();
  auto& layer = work.layers[static_cast<size_t>(l)];
  const int64_t units = model_[static_cast<size_t>(l)].units;
  work.layer_sums.finish(first, end);
  if (keep_logits && l > 0) {
    std::copy_n(layer.below.data() + first * units, (end - first) * units,
                work.layers[static_cast<size_t>(l - 1)].model_logits.data() + first * units);
  }
  for (int64_t n = first; n < end; ++n) {
    const Real* target = l == 0 ? work.x.data() + n % work.rows * units
                                : work.layers[static_cast<size_t>(l - 1)].states.data() + n * units;
    const Real factor = deltas ? work.factor[static_cast<size_t>(n)] : Real(1);
    const double log_likelihood = table.bernoulli_deltas(target, factor, layer.below.data() + n * units, units);
    double& log_p = work.log_p[static_cast<size_t>(n)];
    if (l + 1 == layers()) {
      log_p = table.dot(layer.states.data() + n * top, values() + prior_, top) - work.prior_softplus;
    }
    log_p += log_likelihood;
    if (l == 0) work.log_likelihood[static_cast<size_t>(n)] = log_likelihood;
  }
}

template struct BeliefNetworkWork<float>;
template struct BeliefNetworkWork<double>;

}  // namespace vtemper

#include "models/sigmoid_belief_network/instances.inc"
