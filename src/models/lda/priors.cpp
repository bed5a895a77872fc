// Learned Dirichlet priors of LDA (empirical Bayes): alpha, one value per topic, and eta, one value for all.

#include <algorithm>
#include <cmath>

#include "kernels/scalar_functions.h"
#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Priors are learned from this inverse temperature on: hotter posteriors have nearly equal proportions, and alpha
/// would grow to explain them.
constexpr double learning_inverse_temperature = 0.9;
/// The fraction of the step towards alpha's fixed point that a minibatch takes, in units of rho: the K numbers of
/// alpha need fewer rows than the K x V of lambda.
constexpr double alpha_rate = 10;
/// Minibatch steps between updates of eta, which cost a pass over lambda.
constexpr int64_t eta_every = 50;
constexpr double smallest_learned = 1e-6;
constexpr double largest_learned = 100;

}  // namespace

/// Topics explain the documents that they were fitted to better than new ones, the more so the fewer tokens these
/// have, and alpha learned from the same documents is too small for new ones. The numbers were chosen on validation
/// documents of arxiv_3800 (400 to 3,400 documents), ap, poliblog5k, newsgroups20 and debian_desc with 50 to 1,000
/// topics: at least alpha = 2,000 / tokens gains up to 0.1 nats per token if there are few tokens, and changes
/// nothing if there are many.
double min_learned_alpha(double tokens) {
  constexpr double of_tokens = 2000;
  constexpr double most = 0.1;
  return tokens > 0 ? std::min(most, of_tokens / tokens) : 0;
}

template <class Real>
bool Lda<Real>::learns_alpha_from(const LocalTemperature& temperature) const {
  return learns_alpha_ && !growing() &&
         (temperature.per_row != nullptr || temperature.inverse >= learning_inverse_temperature);
}

/// Sums over the documents of the chunk, block by block, so that they do not depend on the threads.
template <class Real>
void Lda<Real>::collect_digammas(int threads, LdaWork<Real>& work) const {
  const int64_t row = topics_->row_length();
  const int64_t topics = parted();
  const int64_t documents = static_cast<int64_t>(work.documents.size());
  const int64_t blocks = blocks_of(documents, document_block);
  const int64_t sums_of_block = row + 1;  // the topics, and their total
  work.block_sums.resize(static_cast<size_t>(blocks * sums_of_block));
  parallel_for(threads, blocks, [&](int64_t block, int thread) {
    double* sums = work.block_sums.data() + block * sums_of_block;
    Real* values = work.scratch[static_cast<size_t>(thread)].first.data();
    std::fill_n(sums, sums_of_block, 0.0);
    const int64_t end = std::min(documents, (block + 1) * document_block);
    for (int64_t document = block * document_block; document < end; ++document) {
      const DocumentState& state = work.documents[static_cast<size_t>(document)];
      if (!(state.tokens > 0)) continue;
      const Real* gamma = work.gamma.data() + document * row;
      sums[row] += state.weight * digamma(table(), static_cast<Real>(table().sum(gamma, topics)));
      table().digamma(gamma, values, topics);
      for (int64_t k = 0; k < topics; ++k) sums[k] += state.weight * static_cast<double>(values[k]);
    }
  });
  for (int64_t block = 0; block < blocks; ++block) {
    const double* sums = work.block_sums.data() + block * sums_of_block;
    for (int64_t k = 0; k < topics; ++k) work.digammas[static_cast<size_t>(k)] += sums[k];
    work.digammas_of_totals += sums[row];
  }
  for (const DocumentState& state : work.documents) work.digammas_weight += state.tokens > 0 ? state.weight : 0;
}

/// Minka's fixed point for the evidence of the documents' expected counts n_dk = gamma_dk - alpha_k,
///   alpha_k <- alpha_k sum_d {psi(alpha_k + n_dk) - psi(alpha_k)} / sum_d {psi(sum alpha + n_d) - psi(sum alpha)}
/// (Minka 2000, eq. 55): for fixed phi, the bound's maximum over gamma never falls. A rate below 1
/// takes a fraction of the step.
template <class Real>
void Lda<Real>::learn_alpha(const LdaWork<Real>& work, double rate) {
  const auto& kernels = kernels::instruction_set().double_precision;
  const double weight = work.digammas_weight;
  double of_total = kernels.sum(settings_.alpha.data(), settings_.topics);
  kernels.digamma(&of_total, &of_total, 1);
  const double gain_of_totals = work.digammas_of_totals - weight * of_total;
  if (!(weight > 0 && gain_of_totals > 0)) return;
  double* of_alpha = alpha_scratch_.data();
  double* alpha = of_alpha + settings_.topics;
  kernels.digamma(settings_.alpha.data(), of_alpha, settings_.topics);
  for (int64_t k = 0; k < settings_.topics; ++k) {
    const size_t i = static_cast<size_t>(k);
    const double ratio = std::max(work.digammas[i] - weight * of_alpha[k], 0.0) / gain_of_totals;
    alpha[k] = std::clamp(settings_.alpha[i] * (1 + rate * (ratio - 1)), std::max(smallest_learned, min_alpha_),
                          largest_learned);
  }
  set_alpha(alpha);
}

/// The same fixed point for the evidence of the topics' expected counts S_kv = lambda_kv - eta,
///   eta <- eta sum_kv {psi(eta + S_kv) - psi(eta)} / (V sum_k {psi(V eta + S_k) - psi(V eta)}),
/// which is the bound's maximum over q(beta) at the expected counts.
template <class Real>
void Lda<Real>::learn_eta(double rate) {
  const auto& kernels = kernels::instruction_set().double_precision;
  constexpr int64_t block = 128;  // topics at a time, so that a step allocates nothing
  const double eta = topics_->eta(0, 0);
  const double words = static_cast<double>(columns());
  double of_eta[2] = {eta, words * eta};
  kernels.digamma(of_eta, of_eta, 2);
  double gain = 0;
  double gain_of_totals = 0;
  double values[block];
  Spare spare;
  for (int64_t first = 0; first < settings_.topics; first += block) {
    const int64_t topics = std::min(block, settings_.topics - first);
    for (int64_t v = 0; v < columns(); ++v) {
      for (int64_t k = 0; k < topics; ++k) values[k] = topics_->lambda(first + k, v, spare);
      kernels.digamma(values, values, topics);
      gain += kernels.sum(values, topics) - static_cast<double>(topics) * of_eta[0];
    }
    for (int64_t k = 0; k < topics; ++k) values[k] = topics_->total(first + k);
    kernels.digamma(values, values, topics);
    gain_of_totals += kernels.sum(values, topics) - static_cast<double>(topics) * of_eta[1];
  }
  if (!(gain > 0 && gain_of_totals > 0)) return;
  const double ratio = gain / (words * gain_of_totals);
  topics_->set_eta(std::clamp(eta * (1 + rate * (ratio - 1)), smallest_learned, largest_learned));
}

/// Called after the topics have moved. Under entropy annealing priors are raised to a power, so none are learned.
template <class Real>
void Lda<Real>::learn_priors(const LdaWork<Real>& work, const GlobalStep& step) {
  if (step.inverse_temperature < learning_inverse_temperature || step.prior.inverse != 1) return;
  if (learns_alpha_ && !growing()) learn_alpha(work, std::min(1.0, alpha_rate * step.rho));
  const bool full = step.rho >= 1;
  if (settings_.learn_eta && (full || step.iteration % eta_every == eta_every - 1)) {
    learn_eta(full ? 1 : std::min(1.0, static_cast<double>(eta_every) * step.rho));
  }
}

}  // namespace vtemper

#include "models/lda/instances.inc"
