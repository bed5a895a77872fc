// Moves of the topics in a run of minibatches (topic_moves.h, README.md section 10): the sample under the current
// topics, and the change of lambda.

#include <algorithm>
#include <cmath>

#include "models/lda/lda.h"
#include "models/lda/topic_moves.h"
#include "models/lda/work.h"
#include "support/interruption.h"

namespace vtemper {

namespace {

/// Sizes of the sample. Long documents may have more entries, so that enough of them judge.
constexpr double most_documents = 8000;
constexpr double most_entries = 150000;
constexpr double usual_documents = 500;
constexpr double most_entries_of_long = 600000;
constexpr double fewest_documents = 200;
/// With more topics few tokens of the sample are left for each.
constexpr int64_t most_topics = 250;
/// Smaller shares of a word's tokens are left out.
constexpr double least_tokens = 0.01;

/// Of a document.
double mean_entries(const Data& data) {
  return static_cast<double>(data.entries()) / static_cast<double>(std::max<int64_t>(data.rows(), 1));
}

/// Its words get numbers in the order in which they occur; of_number: the words by these numbers.
TopicSample read_sample(const Data& sample, int64_t columns, std::vector<int32_t>& of_number) {
  TopicSample out;
  out.documents = sample.rows();
  out.columns = static_cast<double>(columns);
  std::vector<int32_t> number(static_cast<size_t>(columns), -1);
  for (int64_t d = 0; d < sample.rows(); ++d) {
    const double weight = sample.weight(d);
    out.weights.push_back(weight);
    sample.counts().visit_row(d, [&](int32_t word, double count) {
      int32_t& place = number[static_cast<size_t>(word)];
      if (place < 0) {
        place = static_cast<int32_t>(of_number.size());
        of_number.push_back(word);
      }
      out.document.push_back(static_cast<int32_t>(d));
      out.word.push_back(place);
      out.counts.push_back(count);
      out.tokens += weight * count;
    });
  }
  out.words = static_cast<int64_t>(of_number.size());
  return out;
}

/// Divides the tokens of each entry among the topics: phi at gamma [documents x K] and beta [words x K].
void assign_tokens(const std::vector<double>& gamma, const std::vector<double>& beta, TopicSample& sample) {
  const size_t topics = sample.topics.size();
  std::vector<double> weights(topics), phi(topics);
  int32_t current = -1;
  for (size_t e = 0; e < sample.counts.size(); ++e) {
    if (sample.document[e] != current) {
      require_not_interrupted();
      current = sample.document[e];
      kernels::table<double>().digamma(gamma.data() + static_cast<size_t>(current) * topics, weights.data(),
                                       static_cast<int64_t>(topics));
      const double largest = *std::max_element(weights.begin(), weights.end());
      for (double& weight : weights) weight = std::exp(weight - largest);
    }
    const double* of_word = beta.data() + static_cast<size_t>(sample.word[e]) * topics;
    double total = 0;
    for (size_t k = 0; k < topics; ++k) total += phi[k] = weights[k] * of_word[k];
    for (size_t k = 0; k < topics; ++k) {
      const double tokens = sample.counts[e] * phi[k] / total;
      if (!(tokens > least_tokens)) continue;
      sample.topics[k].entry.push_back(static_cast<int32_t>(e));
      sample.topics[k].tokens.push_back(tokens);
    }
  }
}

}  // namespace

template <class Real>
bool Lda<Real>::has_moves() const {
  return settings_.topics >= 3 && settings_.topics <= most_topics && settings_.eta.size() == 1 &&
         settings_.parameters_folder.empty();
}

template <class Real>
int64_t Lda<Real>::sample_rows(const Data& data) const {
  if (!has_moves() || group_) return 0;
  const double length = std::max(1.0, mean_entries(data));
  const double documents = std::max(std::min(most_documents, most_entries / length),
                                    std::min(usual_documents, most_entries_of_long / length));
  return documents < fewest_documents ? 0 : static_cast<int64_t>(documents);
}

template <class Real>
double Lda<Real>::memory_of_moves(const Data& data) const {
  const double documents = static_cast<double>(std::min(sample_rows(data), data.rows()));
  const double entries = documents * mean_entries(data);
  const double words = std::min(entries, static_cast<double>(data.columns()));
  constexpr double bytes_of_entry = 2 * sizeof(int32_t) + sizeof(double);
  // An entry has tokens of some topics, and of their halves while they are split.
  constexpr double bytes_of_tokens = 3 * 4 * (sizeof(int32_t) + sizeof(double));
  return (documents + words) * static_cast<double>(settings_.topics) * sizeof(double) +
         entries * (bytes_of_entry + bytes_of_tokens);
}

template <class Real>
std::vector<double> Lda<Real>::probabilities_of(const std::vector<int32_t>& words) const {
  std::vector<double> beta;
  beta.reserve(words.size() * static_cast<size_t>(settings_.topics));
  Spare spare;
  for (const int32_t word : words) {
    for (int64_t k = 0; k < settings_.topics; ++k)
      beta.push_back(topics_->lambda(k, word, spare) / topics_->total(k));
  }
  return beta;
}

template <class Real>
int64_t Lda<Real>::find_moves(const Data& sample, int threads, uint64_t seed, int64_t round) {
  found_moves_.clear();
  if (!topics_ || growing() || sample.rows() == 0) return 0;
  const auto width = static_cast<size_t>(settings_.topics);
  std::vector<int32_t> words;
  TopicSample documents = read_sample(sample, columns(), words);
  documents.topics.resize(width);
  documents.alpha = settings_.alpha;
  documents.eta = topics_->eta(0, 0);
  assign_tokens(gammas_of(sample, threads), probabilities_of(words), documents);
  found_moves_ = find_topic_moves(documents, threads, seed, round);
  for (TopicMove& move : found_moves_) {
    std::vector<double> stays(static_cast<size_t>(columns()), move.split.stays_of_others);
    for (size_t v = 0; v < words.size(); ++v) stays[static_cast<size_t>(words[v])] = move.split.stays[v];
    move.split.stays = std::move(stays);
  }
  return static_cast<int64_t>(found_moves_.size());
}

template <class Real>
void Lda<Real>::make_moves() noexcept {
  for (const TopicMove& move : found_moves_) {
    topics_->apply(move);
    if (!learns_alpha_ || move.merger.slot == move.merger.into) continue;
    const auto slot = static_cast<size_t>(move.merger.slot), from = static_cast<size_t>(move.split.from);
    settings_.alpha[static_cast<size_t>(move.merger.into)] += settings_.alpha[slot];
    settings_.alpha[from] /= 2;
    settings_.alpha[slot] = settings_.alpha[from];
  }
  share_alpha();
  found_moves_.clear();
}

}  // namespace vtemper

#include "models/lda/instances.inc"
