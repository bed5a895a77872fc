#pragma once
// Workspace of a deep exponential family.

#include "models/deep_exponential_family/deep_exponential_family.h"
#include "support/array.h"

namespace vtemper {

/// Words of a document whose rates are computed in one block.
constexpr int64_t words_at_once = 64;
/// Lower bound of the posterior rates; keeps z / lambda finite.
constexpr double min_rate = 1e-6;
/// Initial value of a row's posterior: softplus(start_eta) = 1, the default rate of the prior.
constexpr double start_eta = 0.54132485461291801;

/// The weights as they enter the rates, with derivatives.
template <class Real>
struct FamilyLinks {
  Array<Real> value;           ///< [V x K] softplus(W)
  Array<Real> slope;           ///< [V x K] its derivative
  std::vector<double> totals;  ///< [K] sum_v softplus(W_kv)
  std::vector<double> blocks;  ///< [blocks of words x K] scratch
};

/// The words of a row; their rates are multiplied by `share`: 1, or less if only part of its tokens is observed.
template <class Real>
struct FamilyDocument {
  const int32_t* columns;
  const Real* counts;
  int64_t words;
  double share;
};

/// Workspace of one thread for a document.
template <class Real>
struct DocumentScratch {
  int64_t samples = 0;                ///< S of the current draws
  Array<Real> rate, slope;            ///< [K] lambda and its derivative
  Array<Real> z;                      ///< [K x S]
  Array<Real> by_sample;              ///< [S x K] transposed z
  Array<Real> weights;                ///< [words_at_once x K] of the current block of words
  Array<Real> rates;                  ///< [words_at_once x S]
  Array<Real> part;                   ///< [S] contributions of the block to the log likelihood
  Array<double> log_likelihood;       ///< [S] log p(x | z)
  Array<double> log_prior;            ///< [K x S] log p(z_k)
  Array<double> log_q;                ///< [K x S] log q(z_k)
  Array<double> signal, drawn;        ///< [S] for one latent variable
  Array<Real> eta, square, gradient;  ///< [K] for a row being fitted
  Array<int32_t> columns;             ///< [longest row] likewise
  Array<Real> counts;

  void shape(int64_t latent, int64_t max_samples);
};

template <class Real>
struct ExponentialFamilyWork final : GradientFit, RowFit {
  explicit ExponentialFamilyWork(const DeepExponentialFamily<Real>& fitted) : model(fitted) {}
  GradientSums forward(const Batch& batch, const GradientSettings& settings) override {
    threads = settings.threads;
    return model.forward(batch, settings, *this);
  }
  void backward(const double*, GradientSums&) override { model.collect(threads, *this); }
  RowFit* rows() override { return this; }

  const DeepExponentialFamily<Real>& model;
  int threads = 1;  ///< in the current step
  struct Row {
    int64_t begin, words;  ///< its range of entries
    double weight;
    GradientSums sums;
  };
  std::vector<Row> batch_rows;   ///< of the batch
  Array<int32_t> columns;        ///< [entries]
  Array<Real> counts;            ///< [entries]
  Array<Real> word_gradients;    ///< [entries x K] weight / S sum_s z_sk x / rate
  Array<double> means;           ///< [rows x K] lambda
  Array<Real> drawn;             ///< [rows x K] weight / S sum_s z_sk
  Array<Real> drawn_sum;         ///< [K] sum of `drawn` over the rows
  Array<int32_t> word_end;       ///< [V + 1] offsets of the words' entries, sorted by word and then by row
  Array<int32_t> entry_of_word;  ///< [entries]
  FamilyLinks<Real> links;
  std::vector<DocumentScratch<Real>> scratch;  ///< one per thread
  RealStorage gradient_, row_values_, row_gradient_;

  RealArray gradient() override { return gradient_.array(); }
  RealArray row_values() override { return row_values_.array(); }
  RealArray row_gradient() override { return row_gradient_.array(); }
  void save(ContainerWriter& writer) const override { row_values_.save("optimizer.rows", writer); }
  void load(const ContainerReader& reader) override;
};

}  // namespace vtemper
