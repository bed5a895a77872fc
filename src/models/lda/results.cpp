// Results of a fitted LDA for users: parameters, local posteriors of documents, held-out scores.

#include <algorithm>
#include <cmath>

#include "models/lda/lda.h"
#include "models/lda/work.h"
#include "support/error.h"
#include "support/options.h"
#include "support/text.h"
#include "support/threads.h"

namespace vtemper {

template <class Real>
std::vector<Quantity> Lda<Real>::parameters() const {
  const int64_t topics = settings_.topics;
  std::vector<Quantity> list = {
      {"lambda", {topics, columns()}, true, "Dirichlet parameters of the topics' words."},
      {"topics", {topics, columns()}, false, "Mean of the topics' word probabilities, lambda over its row sums."},
      {"alpha", {topics}, true, "Dirichlet prior of a document's topic proportions."},
      {"tokens", {topics}, false, "Tokens that a topic holds: the sum of lambda - eta over its words."},
      {"duplicate_of",
       {topics},
       false,
       "The first earlier topic with the same ten most probable words (of fewer than 20 columns, half of them), or "
       "-1."},
  };
  if (settings_.eta.size() == 1) {
    list.push_back({"eta", {}, false, "Dirichlet prior of a topic's words."});
  } else {
    list.push_back({"eta", {topics, columns()}, false, "Dirichlet prior of the topics' words."});
  }
  return list;
}

template <class Real>
void Lda<Real>::read_parameter(std::string_view name, const Sink& sink) const {
  const int64_t topics = settings_.topics;
  if (name == "alpha") {
    for (int64_t k = 0; k < topics; ++k) sink(k) = settings_.alpha[static_cast<size_t>(k)];
    return;
  }
  if (name == "eta" && settings_.eta.size() == 1) {
    sink(0) = topics_ ? topics_->eta(0, 0) : settings_.eta[0];
    return;
  }
  require_initialized();
  if (name == "tokens") {
    for (int64_t k = 0; k < topics; ++k) sink(k) = std::max(0.0, topics_->total(k) - topics_->eta_total(k));
    return;
  }
  require_undivided("an array of all topics cannot be read");
  if (name == "duplicate_of") {
    LdaWork<Real> work(columns());
    find_duplicates(work);
    for (int64_t k = 0; k < topics; ++k) sink(k) = static_cast<double>(work.duplicate_of[static_cast<size_t>(k)]);
    return;
  }
  if (name == "eta") {
    for (int64_t k = 0; k < topics; ++k) {
      for (int64_t v = 0; v < columns(); ++v) sink(k, v) = topics_->eta(k, v);
    }
    return;
  }
  const bool normalize = name == "topics";
  std::vector<double> totals(static_cast<size_t>(topics), 1.0);
  for (int64_t k = 0; normalize && k < topics; ++k) totals[static_cast<size_t>(k)] = topics_->total(k);
  topics_->visit_rows([&](int64_t v, const Real* row) {
    for (int64_t k = 0; k < topics; ++k) sink(k, v) = topics_->lambda(k, v, row) / totals[static_cast<size_t>(k)];
  });
}

template <class Real>
void Lda<Real>::write_parameter(std::string_view name, const double* in) {
  require_initialized();
  const int64_t size = name == "alpha" ? settings_.topics : settings_.topics * columns();
  // Bounds keep sums and powers of the values inside the range of float.
  constexpr double smallest = 1e-30;
  constexpr double largest = 1e30;
  for (int64_t i = 0; i < size; ++i) {
    if (!(in[i] >= smallest && in[i] <= largest)) {
      throw Error(VTEMPER_ERROR_DATA, message("element ", i, " of ", name, " is ", in[i], "; it must lie in [",
                                              smallest, ", ", largest, "]"));
    }
  }
  if (name != "alpha") require_undivided("all topics cannot be set");
  fresh_.reset();
  if (name == "alpha") {
    set_alpha(in);
  } else {
    topics_->assign(in);
    share_alpha();
  }
}

template <class Real>
std::vector<Quantity> Lda<Real>::local_quantities(const Data& data) const {
  const int64_t rows = data.rows();
  return {{"proportions", {rows, settings_.topics}, false, "Mean topic proportions, gamma over its row sums."},
          {"gamma", {rows, settings_.topics}, false, "Dirichlet parameters of the documents' topic proportions."}};
}

template <class Real>
template <class Visit>
void Lda<Real>::for_each_gamma(const Data& data, const OptionValues& evaluate, LocalSettings settings,
                               const Visit& visit) const {
  settings.threads = usable_threads(evaluate.integer("threads"));
  settings.statistics = false;
  if (!evaluate.is_auto("local_iterations")) settings.iterations = evaluate.integer("local_iterations");
  if (!evaluate.is_auto("local_tolerance")) settings.tolerance = evaluate.real("local_tolerance");
  for_each_gamma(data, settings, visit);
}

template <class Real>
template <class Visit>
void Lda<Real>::for_each_gamma(const Data& data, const LocalSettings& settings, const Visit& visit) const {
  check(data);
  LdaWork<Real> work(columns());
  topics_->normalizer(settings_.point, work.normalizer);
  for (int64_t first = 0; first < data.rows(); first += chunk_documents) {
    const Batch chunk = {&data, nullptr, first, std::min(chunk_documents, data.rows() - first)};
    work.forget_words();
    local_chunks(chunk, LocalTemperature{}, settings, work);
    parallel_for(settings.threads, blocks_of(chunk.count, document_block), [&](int64_t block, int) {
      const int64_t end = std::min(chunk.count, (block + 1) * document_block);
      std::vector<Real> shared(growing() ? static_cast<size_t>(settings_.topics) : 0);
      for (int64_t i = block * document_block; i < end; ++i) {
        const Real* gamma = work.gamma.data() + i * topics_->row_length();
        visit(first + i, growing() ? share_of_each(gamma, shared.data()) : gamma);
      }
    });
  }
}

template <class Real>
std::vector<double> Lda<Real>::gammas_of(const Data& data, int threads) const {
  const auto width = static_cast<size_t>(settings_.topics);
  std::vector<double> gammas(static_cast<size_t>(data.rows()) * width);
  LocalSettings settings;
  settings.threads = threads;
  settings.statistics = false;
  for_each_gamma(data, settings, [&](int64_t row, const Real* gamma) {
    std::copy_n(gamma, width, gammas.data() + static_cast<size_t>(row) * width);
  });
  return gammas;
}

/// gamma of all topics, out [K], from that of the parted ones.
template <class Real>
const Real* Lda<Real>::share_of_each(const Real* gamma, Real* out) const {
  for (int64_t k = 0; k < settings_.topics; ++k) {
    const int64_t parted = topics_->stand_in(k);
    out[k] = gamma[parted] / static_cast<Real>(topics_->copies(parted));
  }
  return out;
}

/// Proportions that users read are those of the optimum. With the convergence of a step of a fit, 2 to 7 % of the
/// documents of ap, nips and arxiv_3800 are off by more than 0.01, some by more than 0.1. Scores gain nothing by
/// more.
template <class Real>
void Lda<Real>::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                      const Sink& sink) const {
  const int64_t topics = settings_.topics;
  const bool normalize = quantity == "proportions";
  constexpr int64_t least_iterations = 1000;
  constexpr double largest_tolerance = 1e-5;
  LocalSettings settled;
  settled.iterations = std::max(settings_.local_iterations, least_iterations);
  settled.tolerance = std::min(settings_.local_tolerance, largest_tolerance);
  for_each_gamma(data, evaluate, settled, [&](int64_t row, const Real* gamma) {
    double total = 0;
    for (int64_t k = 0; k < topics; ++k) total += static_cast<double>(gamma[k]);
    for (int64_t k = 0; k < topics; ++k) sink(row, k) = static_cast<double>(gamma[k]) / (normalize ? total : 1);
  });
}

/// sum_n log sum_k E[theta_dk] E[beta_k w_dn] over the held-out tokens of document d (Hoffman 2013, section 4).
template <class Real>
void Lda<Real>::score_rows(const ScoredRows& rows, const OptionValues& evaluate, double* scores,
                           double* tokens) const {
  const Data& heldout = *rows.heldout;
  check(heldout);
  require_here(heldout);
  const int64_t topics = settings_.topics;
  std::vector<double> totals(static_cast<size_t>(topics));
  for (int64_t k = 0; k < topics; ++k) totals[static_cast<size_t>(k)] = topics_->total(k);
  for_each_gamma(rows.observed, evaluate, LocalSettings{}, [&](int64_t row, const Real* gamma) {
    const int64_t most = heldout.counts().row_length(row);
    std::vector<int32_t> words(static_cast<size_t>(most));
    std::vector<double> counts(static_cast<size_t>(most));
    const int64_t entries = heldout.counts().read_row(row, most, words.data(), counts.data());
    std::vector<double> weights(static_cast<size_t>(topics));  // E[theta_k] / sum_v lambda_kv
    double total = 0;
    for (int64_t k = 0; k < topics; ++k) total += static_cast<double>(gamma[k]);
    for (int64_t k = 0; k < topics; ++k) {
      weights[static_cast<size_t>(k)] = static_cast<double>(gamma[k]) / (total * totals[static_cast<size_t>(k)]);
    }
    double log_probability = 0;
    double row_tokens = 0;
    for (int64_t i = 0; i < entries; ++i) {
      const double probability = topics_->mix(words[static_cast<size_t>(i)], weights.data());
      log_probability += counts[static_cast<size_t>(i)] * std::log(probability);
      row_tokens += counts[static_cast<size_t>(i)];
    }
    scores[row] = log_probability;
    tokens[row] = row_tokens;
  });
}

}  // namespace vtemper

#include "models/lda/instances.inc"
