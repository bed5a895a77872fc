#pragma once
// Workspace of a sigmoid belief network. Samples are stored as S blocks of the batch's B rows: sample s of row i is
// row s B + i. The bottom layer's logits are per row, computed once for all samples.

#include "models/sigmoid_belief_network/sigmoid_belief_network.h"
#include "support/array.h"

namespace vtemper {

/// Rows of a layer: logits, means, optional entropies, and weights.
template <class Real>
struct LayerRows {
  const Real* eta;
  const Real* mean;
  const Real* entropy;
  const Real* model_logits;  ///< [samples rows x units], or [units] if shared by all; only for kl, otherwise NULL
  bool one_model_row;
  int64_t rows, units, count;
  const Real* weight;  ///< [B] of the rows of the batch
  int64_t batch;       ///< B
};

template <class Real>
struct BeliefNetworkWork final : GradientFit {
  explicit BeliefNetworkWork(const SigmoidBeliefNetwork<Real>& fitted) : model(fitted) {}
  GradientSums forward(const Batch& batch, const GradientSettings& settings_now) override {
    settings = settings_now;
    return model.forward(batch, settings, *this);
  }
  void backward(const double* forces, GradientSums& sums) override { model.backward(forces, *this, sums); }

  const SigmoidBeliefNetwork<Real>& model;
  GradientSettings settings;  ///< of the current step
  struct Layer {
    int64_t rows = 0;          ///< B of the bottom layer, N = S B of the others
    Array<Real> eta;           ///< [rows x units] logits of the posterior
    Array<Real> mean;          ///< [rows x units] their means
    Array<Real> entropy;       ///< [rows x units] if requested
    Array<double> softplus;    ///< [rows] sums of softplus(eta)
    Array<Real> states;        ///< [N x units] h_l
    Array<Real> model_logits;  ///< [N x units] of h_l under the model, if requested; none for the top layer
    Array<Real> deltas;        ///< [rows x units] gradient with respect to eta
    Array<Real> below;         ///< [N x units below] deltas of the model's logits in the layer below
  };

  int64_t rows = 0;     ///< B
  int64_t samples = 0;  ///< S
  int64_t count() const { return rows * samples; }
  Array<Real> x;        ///< [B x D]
  Array<Real> centred;  ///< [B x D] x - xbar
  Array<Real> weight;   ///< [B] of the rows
  std::vector<Layer> layers;
  Array<double> log_likelihood;  ///< [N] log p(x | h_0)
  Array<double> log_p;           ///< [N] log p(x, h)
  Array<double> log_q;           ///< [N]
  Array<Real> factor;            ///< [N] factor of the model's deltas: weight / S
  Array<Real> signal;            ///< [N] factor of the score: weight A / S
  Array<Real> prior_mean;        ///< [top units] sig(a)
  Array<double> scores;          ///< [threads x S] for one row
  Array<double> elbo;            ///< [B] means over the samples
  Array<double> objective;       ///< [B]
  Array<double> likelihood;      ///< [B] E log p(x | h_0)
  Array<double> row_force;       ///< [N] absolute forces of the constraint
  double prior_softplus = 0;     ///< sum of softplus(a)
  LayerSums<Real> layer_sums;    ///< of the current layer
  int64_t widest = 0;            ///< units of the largest layer
  Array<uint32_t> words;         ///< [threads x widest] random bits
  RealStorage gradient_;
  Array<Real> reference_eta;  ///< [rows x units] of a layer, if the reference is an average of parameters
  Array<Real> reference_mean;
  Array<Real> reference_entropy;

  /// Calls visit(first, end) for sample ranges that together cover rows first_row .. end_row.
  template <class Visit>
  void for_each_range(int64_t first_row, int64_t end_row, const Visit& visit) const {
    if (first_row == 0 && end_row == rows) {
      visit(int64_t{0}, count());
      return;
    }
    for (int64_t block = 0; block < count(); block += rows) visit(block + first_row, block + end_row);
  }

  /// Allocates for `rows` rows with `samples` samples each.
  void shape(const std::vector<LayerPlace>& posterior, int64_t columns, int64_t batch_rows, int64_t batch_samples,
             int threads);

  RealArray gradient() override { return gradient_.array(); }
  using GradientFit::gradient_squares_;
  using GradientFit::reference_;
  using GradientFit::statistics_;
};

}  // namespace vtemper
