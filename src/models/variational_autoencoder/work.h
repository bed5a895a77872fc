#pragma once
// Workspace of a variational autoencoder. Sample s of row i of the batch is row n = i S + s of the arrays over
// samples.

#include "models/variational_autoencoder/variational_autoencoder.h"
#include "support/array.h"

namespace vtemper {

template <class Real>
struct AutoencoderWork final : GradientFit {
  explicit AutoencoderWork(const VariationalAutoencoder<Real>& fitted) : model(fitted) {}
  GradientSums forward(const Batch& batch, const GradientSettings& settings_now) override {
    settings = settings_now;
    return model.forward(batch, settings, *this);
  }
  void backward(const double* forces, GradientSums& sums) override { model.backward(forces, *this, sums); }

  const VariationalAutoencoder<Real>& model;
  GradientSettings settings;  ///< of the current step
  int64_t rows = 0;           ///< B
  int64_t samples = 0;        ///< S
  int64_t count() const { return rows * samples; }

  Array<Real> x;       ///< [B x D]
  Array<Real> weight;  ///< [B] row weights
  Encoding<Real> encoding;
  std::vector<Array<Real>> encoder_deltas;  ///< [B x units] with respect to each layer's pre-activations
  Array<Real> noise;                        ///< [N x latent] eps
  Array<Real> z;                            ///< [N x latent]
  Array<Real> z_deltas;                     ///< [N x latent]
  std::vector<Array<Real>> decoder;         ///< [N x units] outputs of the layers, the last one overwritten by its
                                            ///< deltas
  std::vector<Array<Real>> decoder_deltas;  ///< [N x units] of the hidden layers
  Array<Real> scratch;                      ///< [threads x scratch_length]
  LayerSums<Real> layer_sums;               ///< of the current layer
  Array<double> log_likelihood;             ///< [B] mean over the samples
  Array<double> log_prior;                  ///< [B] E log p(z)
  Array<double> entropy;                    ///< [B] -E log q(z | x)
  Array<Real> errors;                       ///< [N x D] of the Gaussian likelihood: (x - mean) / v
  GaussianNoise<Real> gaussian;

  RealStorage gradient_;
  Encoding<Real> reference_encoding;
  Array<Real> transposed;            ///< the encoder's weights as in the flat array, each matrix transposed
  Array<Real> reference_transposed;  ///< likewise for the reference
  Array<Real> products;              ///< W W' or W' W of a layer, then its forces
  Array<Real> moves;                 ///< the forces' contribution to the layer's weights
  std::vector<LayerGradient<Real>> layers;

  RealArray gradient() override { return gradient_.array(); }
  using GradientFit::gradient_squares_;
  using GradientFit::reference_;
  using GradientFit::statistics_;
};

}  // namespace vtemper
