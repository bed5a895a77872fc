#include "models/lda/topic_halves.h"

#include <algorithm>
#include <numeric>

#include "kernels/scalar_functions.h"

namespace vtemper {

namespace {

/// Every so-many-th document judges.
constexpr int32_t judging = 4;

/// The documents' part of the bound under a topic that is whole.
double bound_of_whole(const TopicDocuments& part, const std::vector<double>& probabilities, double alpha) {
  double sum = 0;
  for (size_t i = 0; i < part.tokens.size(); ++i) {
    sum += part.weighted_tokens(i) * probabilities[static_cast<size_t>(part.word[i])];
  }
  std::vector<double> gamma = part.totals;
  for (double& x : gamma) x += alpha;
  log_gamma_of(gamma);
  for (size_t d = 0; d < gamma.size(); ++d) sum += part.weights[d] * gamma[d];
  return sum;
}

}  // namespace

double TopicDocuments::all_tokens() const {
  return std::inner_product(weights.begin(), weights.end(), totals.begin(), 0.0);
}

void TopicDocuments::add_words(std::vector<double>& out) const {
  for (size_t i = 0; i < tokens.size(); ++i) out[static_cast<size_t>(word[i])] += weighted_tokens(i);
}

TopicWords::TopicWords(const TopicSample& sample, const TopicTokens& topic)
    : place(static_cast<size_t>(sample.words), -1) {
  for (const int32_t entry : topic.entry) {
    const int32_t word = sample.word[static_cast<size_t>(entry)];
    int32_t& number = place[static_cast<size_t>(word)];
    if (number >= 0) continue;
    number = static_cast<int32_t>(words.size());
    words.push_back(word);
  }
}

TopicDocuments part_of(const TopicSample& sample, const TopicTokens& topic, const TopicWords& words,
                       Documents which) {
  TopicDocuments part;
  int32_t last = -1;
  for (size_t i = 0; i < topic.entry.size(); ++i) {
    const auto entry = static_cast<size_t>(topic.entry[i]);
    const int32_t document = sample.document[entry];
    if ((document % judging == 0) != (which == Documents::judging)) continue;
    if (document != last) {
      part.weights.push_back(sample.weights[static_cast<size_t>(document)]);
      part.totals.push_back(0);
      last = document;
    }
    part.document.push_back(static_cast<int32_t>(part.totals.size()) - 1);
    part.word.push_back(words.place[static_cast<size_t>(sample.word[entry])]);
    part.place.push_back(static_cast<int32_t>(i));
    part.tokens.push_back(topic.tokens[i]);
    part.totals.back() += topic.tokens[i];
  }
  return part;
}

Sharing::Sharing(const TopicDocuments& of, double prior)
    : part(of), alpha(prior), shares(of.tokens.size(), 0.5), in_first(of.totals.size()) {
  count();
}

void Sharing::count() {
  std::fill(in_first.begin(), in_first.end(), 0.0);
  for (size_t i = 0; i < shares.size(); ++i) {
    in_first[static_cast<size_t>(part.document[i])] += shares[i] * part.tokens[i];
  }
}

std::vector<double> Sharing::gammas() const {
  std::vector<double> gamma(2 * in_first.size());
  for (size_t d = 0; d < in_first.size(); ++d) {
    gamma[2 * d] = alpha + in_first[d];
    gamma[2 * d + 1] = alpha + std::max(part.totals[d] - in_first[d], 0.0);
  }
  return gamma;
}

void Sharing::update(const Halves& halves, int times) {
  constexpr double largest = 700;  // whose exponential is finite
  for (int time = 0; time < times; ++time) {
    std::vector<double> psi = gammas();
    kernels::table<double>().digamma(psi.data(), psi.data(), static_cast<int64_t>(psi.size()));
    // 1 / (1 + exp x), many at a time.
    for (size_t i = 0; i < shares.size(); ++i) {
      const auto d = static_cast<size_t>(part.document[i]), v = static_cast<size_t>(part.word[i]);
      shares[i] = std::min(halves.second[v] - halves.first[v] + psi[2 * d + 1] - psi[2 * d], largest);
    }
    kernels::table<double>().scaled_exponential(shares.data(), 1, shares.data(), static_cast<int64_t>(shares.size()));
    for (double& share : shares) share = 1 / (1 + share);
    count();
  }
}

double Sharing::bound(const Halves& halves) const {
  double sum = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    const auto v = static_cast<size_t>(part.word[i]);
    const double share = shares[i];
    sum += part.weighted_tokens(i) *
           (share * halves.first[v] + (1 - share) * halves.second[v] - x_log_x(share) - x_log_x(1 - share));
  }
  std::vector<double> gamma = gammas();
  log_gamma_of(gamma);
  const double of_prior = log_gamma(alpha);
  for (size_t d = 0; d < in_first.size(); ++d) {
    sum += part.weights[d] * (gamma[2 * d] + gamma[2 * d + 1] - of_prior);
  }
  return sum;
}

void Sharing::add_words(std::vector<double>& first) const {
  for (size_t i = 0; i < shares.size(); ++i) {
    first[static_cast<size_t>(part.word[i])] += shares[i] * part.weighted_tokens(i);
  }
}

double gain_per_token(Sharing& judge, const Halves& halves, const std::vector<double>& whole,
                      const TopicSample& sample) {
  judge.settle(halves);
  const double of_whole = bound_of_whole(judge.part, log_probabilities(whole, sample), judge.alpha);
  return (judge.bound(halves) - of_whole) / judge.part.all_tokens();
}

}  // namespace vtemper
