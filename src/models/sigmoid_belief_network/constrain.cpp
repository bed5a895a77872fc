// Proximity constraints of a sigmoid belief network (README.md section 3): per layer and unit j a statistic of q,
// averaged over the rows of the layer. With v = m (1 - m), m = sig(eta), and eta_p the model's logit at the sample:
//   entropy         softplus(eta) - eta m                                   gradient -eta v
//   kl              m (eta - eta_p) - softplus(eta) + softplus(eta_p)       gradient v (eta - eta_p)
//   mean_variance   m and v                                                 gradient v and v (1 - 2 m)
//
// States of the layer below are treated as constants, so each layer's gradient affects only its own weights and bias.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/dense_products.h"
#include "models/sigmoid_belief_network/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Accumulates weight * statistic over the rows into out [units]; for mean_variance, `out` receives the means and
/// `variances` [units] the variances.
template <class Real>
void add_statistics(const LayerRows<Real>& layer, Statistic statistic, double* out, double* variances) {
  for (int64_t i = 0; i < layer.rows; ++i) {
    const double weight = static_cast<double>(layer.weight[i % layer.batch]);
    const Real* eta = layer.eta + i * layer.units;
    const Real* mean = layer.mean + i * layer.units;
    if (statistic == Statistic::entropy) {
      const Real* entropy = layer.entropy + i * layer.units;
      for (int64_t j = 0; j < layer.units; ++j) out[j] += weight * static_cast<double>(entropy[j]);
    } else if (statistic == Statistic::mean_variance) {
      for (int64_t j = 0; j < layer.units; ++j) {
        out[j] += weight * static_cast<double>(mean[j]);
        variances[j] += weight * static_cast<double>(mean[j] * (1 - mean[j]));
      }
    } else {
      // In the bottom layer, a row is combined with the model's logits of each of its samples.
      const int64_t step = layer.rows;
      const int64_t samples = layer.one_model_row ? 1 : layer.count / layer.rows;
      for (int64_t s = 0; s < samples; ++s) {
        const Real* model = layer.model_logits + (layer.one_model_row ? 0 : (s * step + i) * layer.units);
        const double share = weight / static_cast<double>(samples);
        for (int64_t j = 0; j < layer.units; ++j) {
          out[j] +=
              share * static_cast<double>(mean[j] * (eta[j] - model[j]) - softplus(eta[j]) + softplus(model[j]));
        }
      }
    }
  }
}

/// Turns sums over the samples of a layer's rows into means over the rows.
void scale_statistics(double scale, int64_t units, double* out, double* variances) {
  for (int64_t j = 0; j < units; ++j) out[j] *= scale;
  for (int64_t j = 0; variances != nullptr && j < units; ++j) variances[j] *= scale;
}

/// Derivative of a layer's statistic with respect to a logit, times its force.
template <class Real>
double slope_of(Statistic statistic, Real eta, Real mean, double model_logit, double force, double variance_force) {
  const double m = static_cast<double>(mean);
  const double v = m * (1 - m);
  if (statistic == Statistic::entropy) return -static_cast<double>(eta) * v * force;
  if (statistic == Statistic::mean_variance) return v * force + v * (1 - 2 * m) * variance_force;
  return v * (static_cast<double>(eta) - model_logit) * force;
}

}  // namespace

/// The rows of layer l under the parameters being fitted.
template <class Real>
LayerRows<Real> SigmoidBeliefNetwork<Real>::rows_of(size_t l, const Work& work) const {
  const auto& layer = work.layers[l];
  const bool top = l + 1 == work.layers.size();
  return {layer.eta.data(),
          layer.mean.data(),
          layer.entropy.data(),
          top ? values() + prior_ : layer.model_logits.data(),
          top,
          layer.rows,
          posterior_[l].units,
          work.count(),
          work.weight.data(),
          work.rows};
}

/// Factor that turns the sum over a layer's rows into a mean; `rows`: total weight.
template <class Real>
double SigmoidBeliefNetwork<Real>::share_of_layer(size_t l, double rows, const Work& work) const {
  return 1 / (std::max(rows, std::numeric_limits<double>::min()) * (l == 0 ? 1 : static_cast<double>(work.samples)));
}

template <class Real>
void SigmoidBeliefNetwork<Real>::measure(Work& work, double rows) const {
  const Statistic statistic = work.settings.statistic;
  work.statistics_.assign(static_cast<size_t>(statistic_length(statistic)), 0);
  double* out = work.statistics_.data();
  for (size_t l = 0; l < work.layers.size(); ++l) {
    double* variances = statistic == Statistic::mean_variance ? out + units_ : nullptr;
    add_statistics(rows_of(l, work), statistic, out, variances);
    scale_statistics(share_of_layer(l, rows, work), posterior_[l].units, out, variances);
    out += posterior_[l].units;
  }
}

/// As above, with the reference's parameters instead of the posterior's.
template <class Real>
void SigmoidBeliefNetwork<Real>::measure_reference(Work& work, double rows) const {
  const auto& table = kernels::table<Real>();
  const Statistic statistic = work.settings.statistic;
  const int threads = work.settings.threads;
  const bool entropies = statistic == Statistic::entropy;
  // Offset so that it can be indexed like the whole flat array.
  const Real* parameters = static_cast<const Real*>(work.settings.reference->data) - posterior_begin_;
  work.reference_.assign(static_cast<size_t>(statistic_length(statistic)), 0);
  double* out = work.reference_.data();
  for (size_t l = 0; l < work.layers.size(); ++l) {
    const auto& layer = work.layers[l];
    const int64_t units = posterior_[l].units;
    work.reference_eta.resize(layer.eta.size());
    work.reference_mean.resize(layer.eta.size());
    if (entropies) work.reference_entropy.resize(layer.eta.size());
    const Real* input = l == 0 ? work.centred.data() : work.layers[l - 1].states.data();
    work.layer_sums.start(posterior_[l], parameters, input, layer.rows, threads, work.reference_eta.data());
    share_rows(layer.rows, threads, [&](int64_t first, int64_t end, int64_t) {
      work.layer_sums.finish(first, end);
      for (int64_t i = first; i < end; ++i) {
        table.bernoulli_row({work.reference_eta.data() + i * units, units, work.reference_mean.data() + i * units,
                             entropies ? work.reference_entropy.data() + i * units : nullptr});
      }
    });
    LayerRows<Real> rows_now = rows_of(l, work);
    rows_now.eta = work.reference_eta.data();
    rows_now.mean = work.reference_mean.data();
    rows_now.entropy = work.reference_entropy.data();
    double* variances = statistic == Statistic::mean_variance ? out + units_ : nullptr;
    add_statistics(rows_now, statistic, out, variances);
    scale_statistics(share_of_layer(l, rows, work), units, out, variances);
    out += units;
  }
}

/// Subtracts the forces' contribution from the deltas of the posterior's logits.
template <class Real>
void SigmoidBeliefNetwork<Real>::pull(const double* forces, Work& work, GradientSums& sums) const {
  const int64_t variances = work.settings.statistic == Statistic::mean_variance ? units_ : 0;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    pull_layer(l, forces, forces + variances, work);
    for (int64_t i = 0; i < work.layers[l].rows; ++i) sums.force += work.row_force[static_cast<size_t>(i)];
    forces += posterior_[l].units;
  }
}

template <class Real>
void SigmoidBeliefNetwork<Real>::pull_layer(size_t l, const double* force, const double* variance_force,
                                            Work& work) const {
  const Statistic statistic = work.settings.statistic;
  auto& layer = work.layers[l];
  const int64_t units = posterior_[l].units;
  const bool top = l + 1 == work.layers.size();
  const int64_t samples = top || l > 0 ? 1 : work.samples;
  // The model's logit of unit j in row i, averaged over the samples.
  const auto model_logit = [&](int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t s = 0; s < samples; ++s) {
      sum += static_cast<double>(top ? values()[prior_ + j]
                                     : layer.model_logits[static_cast<size_t>((s * layer.rows + i) * units + j)]);
    }
    return sum / static_cast<double>(samples);
  };
  parallel_for(work.settings.threads, product_tasks(layer.rows), [&](int64_t task, int) {
    const int64_t end = std::min(layer.rows, (task + 1) * product_rows);
    for (int64_t i = task * product_rows; i < end; ++i) {
      const Real* eta = layer.eta.data() + i * units;
      const Real* mean = layer.mean.data() + i * units;
      Real* out = layer.deltas.data() + i * units;
      const double weight = static_cast<double>(work.weight[static_cast<size_t>(i % work.rows)]) /
                            (l == 0 ? 1 : static_cast<double>(work.samples));
      double size = 0;
      for (int64_t j = 0; j < units; ++j) {
        const double logit_of_model = statistic == Statistic::kl ? model_logit(i, j) : 0;
        const double slope = slope_of(statistic, eta[j], mean[j], logit_of_model, force[j], variance_force[j]);
        out[j] -= static_cast<Real>(weight * slope);
        size += std::abs(weight * slope);
      }
      work.row_force[static_cast<size_t>(i)] = size;
    }
  });
}

}  // namespace vtemper

#include "models/sigmoid_belief_network/instances.inc"
