// Proximity constraints of a variational autoencoder (README.md section 2).
//
// Statistics of the latent variables, averaged over the rows for each variable j, with gradients in (mu, sigma):
//   entropy         log sigma + log(2 pi e) / 2              0,   1 / sigma
//   kl              (mu^2 + sigma^2 - 1) / 2 - log sigma     mu,  sigma - 1 / sigma
//   mean_variance   mu and sigma^2                           1 and 2 sigma
//
// Statistic of the encoder's weight matrices, orthogonal: F = W W' (or W' W), whose elements on and below the
// diagonal are the statistics, row by row. The distance is summed over both triangles, so with G_ij = G_ji the force
// of element (i, j), -2 G W (or -2 W G) is added to the gradient of W.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/variational_autoencoder/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr double half_log_two_pi_e = 0.5 * (1 + log_two_pi);

/// Number of elements on and below the diagonal in the rows before `row`.
constexpr int64_t triangle(int64_t row) {
  return row * (row + 1) / 2;
}

/// The reference parameters, offset so that they can be indexed like the whole flat array.
template <class Real>
const Real* whole_values(const RealArray& posterior, int64_t posterior_begin) {
  return static_cast<const Real*>(posterior.data) - posterior_begin;
}

}  // namespace

template <class Real>
void VariationalAutoencoder<Real>::measure_latent(Statistic statistic, const Encoding<Real>& encoding,
                                                  const Work& work, std::vector<double>& out) const {
  const int64_t latent = settings_.latent;
  out.assign(static_cast<size_t>(statistic_length(statistic)), 0);
  double rows = 0;
  for (int64_t i = 0; i < work.rows; ++i) {
    const double weight = static_cast<double>(work.weight[static_cast<size_t>(i)]);
    const Real* mu = encoding.layers.back().data() + 2 * i * latent;
    const Real* sigma = encoding.sigma.data() + i * latent;
    const Real* log_sigma = encoding.log_sigma.data() + i * latent;
    rows += weight;
    for (int64_t j = 0; j < latent; ++j) {
      const double m = static_cast<double>(mu[j]);
      const double square = static_cast<double>(sigma[j]) * static_cast<double>(sigma[j]);
      const double logarithm = static_cast<double>(log_sigma[j]);
      double& of_unit = out[static_cast<size_t>(j)];
      if (statistic == Statistic::entropy) {
        of_unit += weight * (logarithm + half_log_two_pi_e);
      } else if (statistic == Statistic::kl) {
        of_unit += weight * (0.5 * (m * m + square - 1) - logarithm);
      } else {
        of_unit += weight * m;
        out[static_cast<size_t>(latent + j)] += weight * square;
      }
    }
  }
  for (double& value : out) value = rows > 0 ? value / rows : 0;
}

template <class Real>
void VariationalAutoencoder<Real>::measure_latent_reference(Work& work) const {
  const Real* other = whole_values<Real>(*work.settings.reference, posterior_begin());
  work.reference_encoding.shape(encoder_, work.rows);
  parallel_for(work.settings.threads, product_tasks(work.rows), [&](int64_t task, int) {
    const int64_t first = task * product_rows;
    encode(other, work.x.data(), first, std::min(work.rows, first + product_rows), work.reference_encoding);
  });
  measure_latent(work.settings.statistic, work.reference_encoding, work, work.reference_);
}

/// Subtracts the forces' contribution from the gradient with respect to (mu | s).
template <class Real>
void VariationalAutoencoder<Real>::pull_latent(const double* forces, Work& work, GradientSums& sums) const {
  const Statistic statistic = work.settings.statistic;
  const int64_t latent = settings_.latent;
  for (int64_t i = 0; i < work.rows; ++i) {
    const double weight = static_cast<double>(work.weight[static_cast<size_t>(i)]);
    const Real* mu = work.encoding.layers.back().data() + 2 * i * latent;
    const Real* sigma = work.encoding.sigma.data() + i * latent;
    const Real* slope = work.encoding.slope.data() + i * latent;
    Real* to_mu = work.encoder_deltas.back().data() + 2 * i * latent;
    for (int64_t j = 0; j < latent; ++j) {
      const double force = weight * forces[j];
      const double spread = static_cast<double>(sigma[j]);
      double of_mu = 0;
      double of_sigma = 0;
      if (statistic == Statistic::entropy) {
        of_sigma = force / spread;
      } else if (statistic == Statistic::kl) {
        of_mu = force * static_cast<double>(mu[j]);
        of_sigma = force * (spread - 1 / spread);
      } else {
        of_mu = force;
        of_sigma = 2 * spread * weight * forces[latent + j];
      }
      const double of_s = of_sigma * static_cast<double>(slope[j]);
      to_mu[j] -= static_cast<Real>(of_mu);
      to_mu[latent + j] -= static_cast<Real>(of_s);
      if (work.settings.report) sums.force += std::abs(of_mu) + std::abs(of_s);
    }
  }
}

template <class Real>
void VariationalAutoencoder<Real>::transpose_encoder(const Real* values, int threads, Array<Real>& out) const {
  constexpr int64_t blocks = 8;  // per matrix
  out.resize(static_cast<size_t>(values_.length()));
  parallel_for(threads, static_cast<int64_t>(encoder_.size()) * blocks, [&](int64_t task, int) {
    const LayerPlace& layer = encoder_[static_cast<size_t>(task / blocks)];
    const int64_t rows = (layer.in + blocks - 1) / blocks;
    const int64_t first = std::min(layer.in, task % blocks * rows);
    const int64_t count = std::min(layer.in, first + rows) - first;
    transpose_matrix(values + layer.weights + first * layer.units, count, layer.units, layer.units,
                     out.data() + layer.weights + first, layer.in);
  });
}

/// Elements of F of all matrices, on and below the diagonal.
template <class Real>
void VariationalAutoencoder<Real>::measure_weights(const Real* values, Array<Real>& transposed, Array<Real>& products,
                                                   int threads, std::vector<double>& out) const {
  out.resize(static_cast<size_t>(statistic_length(Statistic::orthogonal)));
  int64_t begin = 0;
  for (const LayerPlace& layer : encoder_) {
    const int64_t side = settings_.by_rows ? layer.in : layer.units;
    const int64_t inner = settings_.by_rows ? layer.units : layer.in;
    const Real* weights = values + layer.weights;
    products.resize(std::max(products.size(), static_cast<size_t>(side * side)));
    parallel_for(threads, product_tasks(side), [&](int64_t task, int) {
      const int64_t first = task * product_rows;
      const int64_t end = std::min(side, first + product_rows);
      Real* rows = products.data() + first * side;
      // Up to the diagonal: of these rows, columns first .. end are the last ones needed.
      for (int64_t i = first; i < end; ++i) std::fill_n(products.data() + i * side, end, Real(0));
      kernels::Product<Real> product;
      product.a = settings_.by_rows ? weights + first * layer.units : weights + first;
      product.a_row = settings_.by_rows ? layer.units : 1;
      product.a_column = settings_.by_rows ? 1 : layer.units;
      product.b = settings_.by_rows ? transposed.data() + layer.weights : weights;
      product.b_row = side;
      product.c = rows;
      product.c_row = side;
      product.rows = end - first;
      product.inner = inner;
      product.columns = end;
      kernels::table<Real>().add_product(product);
      for (int64_t i = first; i < end; ++i) {
        double* to = out.data() + begin + triangle(i);
        for (int64_t j = 0; j <= i; ++j) to[j] = static_cast<double>(products[static_cast<size_t>(i * side + j)]);
      }
    });
    begin += triangle(side);
  }
}

template <class Real>
void VariationalAutoencoder<Real>::measure_weights_reference(Work& work) const {
  const int threads = work.settings.threads;
  const Real* other = whole_values<Real>(*work.settings.reference, posterior_begin());
  if (settings_.by_rows) transpose_encoder(other, threads, work.reference_transposed);
  measure_weights(other, work.reference_transposed, work.products, threads, work.reference_);
}

/// Subtracts the forces' contribution from the gradient of the encoder's weights.
template <class Real>
void VariationalAutoencoder<Real>::pull_weights(const double* forces_of_all, Work& work, GradientSums& sums) const {
  const int threads = work.settings.threads;
  Real* gradient = work.gradient_.template of<Real>();
  if (work.settings.report) {
    sums.pull = 0;
    for (const LayerPlace& layer : encoder_) {
      for (int64_t i = layer.weights; i < layer.bias; ++i) sums.pull += std::abs(static_cast<double>(gradient[i]));
    }
  }
  const Real factor = static_cast<Real>(-2 * sums.rows);
  int64_t begin = 0;
  for (const LayerPlace& layer : encoder_) {
    const int64_t side = settings_.by_rows ? layer.in : layer.units;
    Real* forces = work.products.data();  // G, both triangles
    parallel_for(threads, product_tasks(side), [&](int64_t task, int) {
      const int64_t first = task * product_rows;
      const int64_t end = std::min(side, first + product_rows);
      for (int64_t i = first; i < end; ++i) {
        const double* row = forces_of_all + begin + triangle(i);
        for (int64_t j = 0; j <= i; ++j) {
          forces[i * side + j] = factor * static_cast<Real>(row[j]);
          forces[j * side + i] = forces[i * side + j];
        }
      }
    });
    work.moves.resize(static_cast<size_t>(layer.in * layer.units));
    parallel_for(threads, product_tasks(layer.in), [&](int64_t task, int) {
      const int64_t first = task * product_rows;
      const int64_t rows = std::min(product_rows, layer.in - first);
      const Real* weights = flat() + layer.weights;
      Real* moves = work.moves.data() + first * layer.units;
      std::fill_n(moves, rows * layer.units, Real(0));
      if (settings_.by_rows) {
        add_product(by_rows(forces + first * side, side), weights, moves, rows, side, layer.units);
      } else {
        add_product(by_rows(weights + first * layer.units, layer.units), forces, moves, rows, side, layer.units);
      }
      Real* to = gradient + layer.weights + first * layer.units;
      for (int64_t i = 0; i < rows * layer.units; ++i) to[i] += moves[i];
    });
    if (work.settings.report) {
      for (const Real move : work.moves) sums.force += std::abs(static_cast<double>(move));
    }
    begin += triangle(side);
  }
}

}  // namespace vtemper

#include "models/variational_autoencoder/instances.inc"
