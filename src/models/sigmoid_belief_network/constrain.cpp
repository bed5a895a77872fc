// Proximity constraints of a sigmoid belief network (deep.md section 2): per layer and unit j a statistic of q,
// averaged over the rows of the layer. With v = m (1 - m), m = sig(eta), and eta_p the model's logit at the sample:
//   entropy         softplus(eta) - eta m                                   gradient -eta v
//   kl              m (eta - eta_p) - softplus(eta) + softplus(eta_p)       gradient v (eta - eta_p)
//   mean_variance   m and v                                                 gradient v and v (1 - 2 m)
//
// States of the layer below are constants, so each layer's gradient goes into its own weights and bias only.

#include <algorithm>
#include <cmath>

#include "models/dense_products.h"
#include "models/sigmoid_belief_network/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Rows of a layer: logits, means, entropies where there are such, and what each row counts for.
template <class Real>
struct LayerRows {
  const Real* eta;
  const Real* mean;
  const Real* entropy;
  const Real* model_logits;  ///< [samples rows x units], or [units] where the same for all; NULL but for kl
  bool one_model_row;
  int64_t rows, units, count;
  const Real* weight;  ///< [B] of the rows of the batch
  int64_t batch;       ///< B
};

template <class Real>
Real softplus(Real eta) {
  return std::max(eta, Real(0)) + std::log1p(std::exp(-std::abs(eta)));
}

/// Adds up weight * statistic over the rows: out [units], mean_variance [units] means and [units] variances.
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
      // The bottom layer's rows meet the model's logits of each of their samples.
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

}  // namespace

template <class Real>
void SigmoidBeliefNetwork<Real>::constrain(const GradientSettings& settings, Work& work, GradientSums& sums) const {
  const auto& table = kernels::table<Real>(kernels::instruction_set());
  const Statistic statistic = settings.statistic;
  const int threads = settings.threads;
  const auto length = static_cast<size_t>(statistic_length(statistic));
  work.statistics_.assign(length, 0);
  work.reference_.assign(length, 0);
  work.force_.assign(length, 0);
  const bool other = settings.force != nullptr && settings.reference != nullptr;
  int64_t begin = 0;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    auto& layer = work.layers[l];
    const LayerPlace& place = posterior_[l];
    const int64_t units = place.units;
    const bool top = l + 1 == work.layers.size();
    LayerRows<Real> rows = {layer.eta.data(),
                            layer.mean.data(),
                            layer.entropy.data(),
                            top ? values() + prior_ : layer.model_logits.data(),
                            top,
                            layer.rows,
                            units,
                            work.count(),
                            work.weight.data(),
                            work.rows};
    double* statistics = work.statistics_.data() + begin;
    double* variances = statistic == Statistic::mean_variance ? statistics + units_ : nullptr;
    add_statistics(rows, statistic, statistics, variances);
    const double scale = 1 / (std::max(sums.rows, std::numeric_limits<double>::min()) *
                              (l == 0 ? 1 : static_cast<double>(work.samples)));
    for (int64_t j = 0; j < units; ++j) statistics[j] *= scale;
    if (statistic == Statistic::mean_variance) {
      for (int64_t j = 0; j < units; ++j) variances[j] *= scale;
    }
    if (other) {
      // As if the whole flat array were there.
      const Real* from = static_cast<const Real*>(settings.reference->data) - posterior_begin_;
      work.reference_eta.resize(layer.eta.size());
      work.reference_mean.resize(layer.eta.size());
      if (statistic == Statistic::entropy) work.reference_entropy.resize(layer.eta.size());
      const Real* input = l == 0 ? work.centred.data() : work.layers[l - 1].states.data();
      work.layer_sums.start(place, from, input, layer.rows, threads, work.reference_eta.data());
      share_rows(layer.rows, threads, [&](int64_t first, int64_t end, int64_t) {
        work.layer_sums.finish(first, end);
        for (int64_t i = first; i < end; ++i) {
          table.bernoulli_row(
              {work.reference_eta.data() + i * units, units, work.reference_mean.data() + i * units,
               statistic == Statistic::entropy ? work.reference_entropy.data() + i * units : nullptr});
        }
      });
      rows.eta = work.reference_eta.data();
      rows.mean = work.reference_mean.data();
      rows.entropy = work.reference_entropy.data();
      double* reference = work.reference_.data() + begin;
      add_statistics(rows, statistic, reference,
                     statistic == Statistic::mean_variance ? reference + units_ : nullptr);
      for (int64_t j = 0; j < units; ++j) reference[j] *= scale;
      if (statistic == Statistic::mean_variance) {
        for (int64_t j = 0; j < units; ++j) reference[units_ + j] *= scale;
      }
    }
    begin += units;
  }
  if (settings.force == nullptr) return;
  settings.force->force(0, static_cast<int64_t>(length), work.statistics_.data(),
                        other ? work.reference_.data() : nullptr, work.force_.data());

  begin = 0;
  for (size_t l = 0; l < work.layers.size(); ++l) {
    auto& layer = work.layers[l];
    const int64_t units = posterior_[l].units;
    const bool top = l + 1 == work.layers.size();
    const double* force = work.force_.data() + begin;
    const double* variance_force = work.force_.data() + (statistic == Statistic::mean_variance ? units_ : 0) + begin;
    const int64_t samples = top || l > 0 ? 1 : work.samples;
    parallel_for(threads, product_tasks(layer.rows), [&](int64_t task, int) {
      const int64_t end = std::min(layer.rows, (task + 1) * product_rows);
      for (int64_t i = task * product_rows; i < end; ++i) {
        const Real* eta = layer.eta.data() + i * units;
        const Real* mean = layer.mean.data() + i * units;
        Real* out = layer.residuals.data() + i * units;
        const double weight = static_cast<double>(work.weight[static_cast<size_t>(i % work.rows)]) /
                              (l == 0 ? 1 : static_cast<double>(work.samples));
        double size = 0;
        for (int64_t j = 0; j < units; ++j) {
          const double m = static_cast<double>(mean[j]);
          const double v = m * (1 - m);
          double slope = 0;
          if (statistic == Statistic::entropy) {
            slope = -static_cast<double>(eta[j]) * v * force[j];
          } else if (statistic == Statistic::mean_variance) {
            slope = v * force[j] + v * (1 - 2 * m) * variance_force[j];
          } else {
            double model = 0;
            for (int64_t s = 0; s < samples; ++s) {
              model += static_cast<double>(
                  top ? values()[prior_ + j]
                      : layer.model_logits[static_cast<size_t>((s * layer.rows + i) * units + j)]);
            }
            slope = v * (static_cast<double>(eta[j]) - model / static_cast<double>(samples)) * force[j];
          }
          out[j] -= static_cast<Real>(weight * slope);
          size += std::abs(weight * slope);
        }
        work.row_force[static_cast<size_t>(i)] = size;
      }
    });
    for (int64_t i = 0; i < layer.rows; ++i) sums.force += work.row_force[static_cast<size_t>(i)];
    begin += units;
  }
}

template class SigmoidBeliefNetwork<float>;
template class SigmoidBeliefNetwork<double>;

}  // namespace vtemper
