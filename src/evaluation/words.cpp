#include "evaluation/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "support/error.h"
#include "support/text.h"

namespace vtemper {

namespace {

using Score = WordOrder::Score;

/// Totals over all components, for every column.
struct Totals {
  std::vector<double> overall;  ///< probability of the column: sum_k share_k beta_kv
  std::vector<double> summed;   ///< sum_k beta_kv
  std::vector<double> first;    ///< largest beta_kv
  std::vector<double> second;   ///< second largest; equal to the largest if two components share it
};

Totals totals_of(const Model& model, const WordProbabilities& probabilities) {
  const WordModel& words = require_words(model);
  const size_t components = static_cast<size_t>(words.word_components());
  const size_t columns = static_cast<size_t>(model.columns());
  std::vector<double> shares(components);
  std::vector<double> row(components);
  words.word_shares(shares.data());
  Totals totals = {std::vector<double>(columns), std::vector<double>(columns), std::vector<double>(columns),
                   std::vector<double>(columns)};
  for (size_t v = 0; v < columns; ++v) {
    probabilities.read(static_cast<int64_t>(v), 0, words.word_components(), row.data());
    totals.overall[v] = std::inner_product(row.begin(), row.end(), shares.begin(), 0.0);
    totals.summed[v] = std::accumulate(row.begin(), row.end(), 0.0);
    for (const double probability : row) {
      totals.second[v] = std::max(totals.second[v], std::min(totals.first[v], probability));
      totals.first[v] = std::max(totals.first[v], probability);
    }
  }
  return totals;
}

double ratio(double value, double total) {
  return total > 0 ? value / total : 0;
}

/// weight * log(value), with 0 log 0 = 0.
double weighted_log(double weight, double value) {
  return weight > 0 ? weight * std::log(value) : 0;
}

/// Empirical distribution function at each value: the share of values not above it.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> out(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), values[i]);
    out[i] = static_cast<double>(above - sorted.begin()) / static_cast<double>(values.size());
  }
  return out;
}

/// Airoldi and Bischof 2016: weighted harmonic mean of the ranks of exclusivity and frequency.
std::vector<double> frex(const std::vector<double>& probability, const Totals& totals, double weight) {
  std::vector<double> exclusivity(probability.size());
  for (size_t v = 0; v < probability.size(); ++v) exclusivity[v] = ratio(probability[v], totals.summed[v]);
  std::vector<double> scores = ranks(exclusivity);
  const std::vector<double> frequency = ranks(probability);
  for (size_t v = 0; v < scores.size(); ++v) scores[v] = 1 / (weight / scores[v] + (1 - weight) / frequency[v]);
  return scores;
}

/// Contribution of a word to the Kullback-Leibler divergences of the component from the average of all components and
/// from the word's rival, the other component that gives it the highest probability. Rare words contribute little; so
/// do words that a near copy of the component shares.
std::vector<double> label(const std::vector<double>& probability, const Totals& totals, double weight) {
  std::vector<double> scores(probability.size());
  for (size_t v = 0; v < scores.size(); ++v) {
    if (!(probability[v] > 0)) continue;
    // The largest probability belongs to this component or to its rival.
    const double rival = probability[v] < totals.first[v] ? totals.first[v] : totals.second[v];
    constexpr double smallest = std::numeric_limits<double>::min();
    scores[v] = probability[v] * ((1 - weight) * std::log(probability[v] / std::max(totals.overall[v], smallest)) +
                                  weight * std::log(probability[v] / std::max(rival, smallest)));
  }
  return scores;
}

/// Scores of all columns, given their probabilities under one component.
std::vector<double> word_scores(const std::vector<double>& probability, const Totals& totals,
                                const WordOrder& order) {
  if (order.score == Score::probability) return probability;
  if (order.score == Score::frex) return frex(probability, totals, order.weight);
  if (order.score == Score::label) return label(probability, totals, order.weight);
  std::vector<double> scores(probability.size());
  for (size_t v = 0; v < scores.size(); ++v) {
    scores[v] = ratio(probability[v], totals.overall[v]);
    // Sievert and Shirley 2014, eq. 1.
    if (order.score == Score::relevance) {
      scores[v] = weighted_log(order.weight, probability[v]) + weighted_log(1 - order.weight, scores[v]);
    }
  }
  return scores;
}

void take_best(const std::vector<double>& scores, int64_t n, int64_t* indices, double* best_scores) {
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto better = [&](int64_t a, int64_t b) {
    const double x = scores[static_cast<size_t>(a)];
    const double y = scores[static_cast<size_t>(b)];
    return x > y || (x == y && a < b);
  };
  std::partial_sort(order.begin(), order.begin() + n, order.end(), better);
  std::copy_n(order.begin(), n, indices);
  if (best_scores == nullptr) return;
  for (int64_t i = 0; i < n; ++i) best_scores[i] = scores[static_cast<size_t>(indices[i])];
}

}  // namespace

WordProbabilities::WordProbabilities(const Model& model)
    : model_(require_words(model)), totals_(static_cast<size_t>(model_.word_components())) {
  model_.word_totals(totals_.data());
}

void WordProbabilities::read(int64_t column, int64_t first, int64_t count, double* out) const {
  model_.word_weights(column, first, count, out);
  for (int64_t i = 0; i < count; ++i) out[i] /= totals_[static_cast<size_t>(first + i)];
}

WordOrder word_order(std::string_view how) {
  const std::vector<std::string> names = {"probability", "lift", "relevance", "frex", "label"};
  constexpr double default_weights[] = {0, 0, 0.6, 0.5, 0.5};
  const size_t colon = std::min(how.find(':'), how.size());
  const std::string_view name = how.substr(0, colon);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(VTEMPER_ERROR_ARGUMENT,
                message("words cannot be ranked by ", quoted(how),
                        "; valid values are probability, lift, relevance, frex, label", nearest_names(name, names)));
  }
  const auto place = found - names.begin();
  WordOrder order = {static_cast<Score>(place), default_weights[place]};
  if (colon == how.size()) return order;
  if (order.score == Score::probability || order.score == Score::lift) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("words cannot be ranked by ", quoted(how), ": ", *found,
                                                " takes no weight; relevance, frex and label do"));
  }
  const auto weight = parse_real(how.substr(colon + 1));
  if (!weight || !(*weight >= 0 && *weight <= 1)) {
    throw Error(VTEMPER_ERROR_ARGUMENT, message("words cannot be ranked by ", quoted(how), ": the weight after ",
                                                *found, ": must be a number from 0 to 1"));
  }
  order.weight = *weight;
  return order;
}

const WordModel& require_words(const Model& model) {
  if (const WordModel* words = model.words()) return *words;
  throw Error(
      VTEMPER_ERROR_UNSUPPORTED,
      message("a ", model.kind().name, " model has no words: its components are not distributions over words"));
}

void rank_words(const Model& model, int64_t first, int64_t count, const WordOrder& order, int64_t n, int64_t* indices,
                double* scores) {
  const WordModel& words = require_words(model);
  constexpr int64_t block = 8;  // components per pass: they are adjacent in memory
  const size_t columns = static_cast<size_t>(model.columns());
  const WordProbabilities of_model(model);
  // A single component has nothing to be distinguished from: its label is its most probable words.
  const WordOrder used =
      order.score == Score::label && words.word_components() == 1 ? WordOrder{Score::probability, 0} : order;
  const Totals totals = used.score == Score::probability ? Totals{} : totals_of(model, of_model);
  std::vector<std::vector<double>> probabilities(static_cast<size_t>(std::min(block, count)),
                                                 std::vector<double>(columns));
  double row[block];
  for (int64_t begin = 0; begin < count; begin += block) {
    const int64_t here = std::min(block, count - begin);
    for (size_t v = 0; v < columns; ++v) {
      of_model.read(static_cast<int64_t>(v), first + begin, here, row);
      for (int64_t i = 0; i < here; ++i) probabilities[static_cast<size_t>(i)][v] = row[i];
    }
    for (int64_t i = 0; i < here; ++i) {
      const int64_t place = (begin + i) * n;
      take_best(word_scores(probabilities[static_cast<size_t>(i)], totals, used), n, indices + place,
                scores == nullptr ? nullptr : scores + place);
    }
  }
}

}  // namespace vtemper
