#include "evaluation/topic_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluation/words.h"
#include "support/error.h"
#include "support/interruption.h"
#include "support/text.h"

namespace vtemper {

namespace {

/// The n most probable words of every component.
struct TopWords {
  int64_t components, n;
  std::vector<int64_t> columns;  ///< [components x n]
  const int64_t* of(int64_t component) const { return columns.data() + component * n; }
};

TopWords top_words(const Model& model, int64_t n) {
  TopWords top = {require_words(model).word_components(), std::min(n, model.columns()), {}};
  top.columns.resize(static_cast<size_t>(top.components * top.n));
  rank_words(model, 0, top.components, word_order("probability"), top.n, top.columns.data(), nullptr);
  return top;
}

/// Counts of the documents that contain the top words, and pairs of top words of the same component.
class CoOccurrences {
 public:
  CoOccurrences(const TopWords& top, const Data& reference)
      : top_(top),
        places_of_(static_cast<size_t>(reference.columns()) + 1),
        pairs_(static_cast<size_t>(top.components * top.n * top.n)) {
    list_places();
    count(reference);
  }

  double documents() const { return documents_; }
  /// Weighted number of documents that contain word i of the component.
  double with(int64_t component, int64_t i) const { return both(component, i, i); }
  double both(int64_t component, int64_t i, int64_t j) const {
    return pairs_[static_cast<size_t>((component * top_.n + std::min(i, j)) * top_.n + std::max(i, j))];
  }

 private:
  const TopWords& top_;
  double documents_ = 0;
  std::vector<int64_t> places_of_;  ///< [columns + 1] start of each column's entries in places_
  std::vector<int64_t> places_;     ///< component * n + i for each occurrence of the column as a top word
  std::vector<double> pairs_;       ///< [components x n x n], i <= j

  /// Counting sort of the occurrences by column.
  void list_places() {
    for (const int64_t column : top_.columns) ++places_of_[static_cast<size_t>(column) + 1];
    for (size_t v = 1; v < places_of_.size(); ++v) places_of_[v] += places_of_[v - 1];
    std::vector<int64_t> next(places_of_.begin(), places_of_.end() - 1);
    places_.resize(top_.columns.size());
    for (size_t place = 0; place < top_.columns.size(); ++place) {
      places_[static_cast<size_t>(next[static_cast<size_t>(top_.columns[place])]++)] = static_cast<int64_t>(place);
    }
  }

  void count(const Data& reference) {
    std::vector<int64_t> present(top_.columns.size());  // [components x n] indices i found in the document
    std::vector<int64_t> found(static_cast<size_t>(top_.components));
    std::vector<int64_t> touched;
    std::vector<int64_t> last_row(static_cast<size_t>(reference.columns()),
                                  -1);  // a damaged file may repeat a column
    const Counts& counts = reference.counts();
    for (int64_t row = 0; row < reference.rows(); ++row) {
      require_not_interrupted();
      const double weight = reference.weight(row);
      documents_ += weight;
      counts.visit_row(row, [&](int32_t column, double) {
        const size_t v = static_cast<size_t>(column);
        if (places_of_[v] == places_of_[v + 1] || last_row[v] == row) return;
        last_row[v] = row;
        for (int64_t p = places_of_[v]; p < places_of_[v + 1]; ++p) {
          const int64_t component = places_[static_cast<size_t>(p)] / top_.n;
          int64_t& here = found[static_cast<size_t>(component)];
          if (here == 0) touched.push_back(component);
          present[static_cast<size_t>(component * top_.n + here++)] = places_[static_cast<size_t>(p)] % top_.n;
        }
      });
      for (const int64_t component : touched) add_pairs(component, present, found, weight);
      touched.clear();
    }
  }

  void add_pairs(int64_t component, const std::vector<int64_t>& present, std::vector<int64_t>& found, double weight) {
    int64_t& count = found[static_cast<size_t>(component)];
    const int64_t* places = present.data() + component * top_.n;
    double* pairs = pairs_.data() + component * top_.n * top_.n;
    for (int64_t a = 0; a < count; ++a) {
      for (int64_t b = 0; b <= a; ++b) {
        pairs[std::min(places[a], places[b]) * top_.n + std::max(places[a], places[b])] += weight;
      }
    }
    count = 0;
  }
};

double umass(double first, double /*second*/, double both, double /*documents*/) {
  return std::log((both + 1) / first);
}

double npmi(double first, double second, double both, double documents) {
  if (!(both > 0)) return -1;
  if (both >= documents) return 1;
  return std::log(both * documents / (first * second)) / -std::log(both / documents);
}

std::vector<double> coherence(const TopWords& top, const Data& reference,
                              double (*confirmation)(double, double, double, double)) {
  const CoOccurrences counts(top, reference);
  std::vector<double> scores(static_cast<size_t>(top.components));
  for (int64_t k = 0; k < top.components; ++k) {
    double sum = 0;
    double pairs = 0;
    for (int64_t m = 1; m < top.n; ++m) {
      for (int64_t l = 0; l < m; ++l) {
        if (!(counts.with(k, l) > 0 && counts.with(k, m) > 0)) continue;
        sum += confirmation(counts.with(k, l), counts.with(k, m), counts.both(k, l, m), counts.documents());
        ++pairs;
      }
    }
    scores[static_cast<size_t>(k)] = pairs > 0 ? sum / pairs : std::numeric_limits<double>::quiet_NaN();
  }
  return scores;
}

std::vector<double> diversity(const TopWords& top, int64_t columns) {
  std::vector<double> topics_with(static_cast<size_t>(columns));
  for (const int64_t column : top.columns) ++topics_with[static_cast<size_t>(column)];
  std::vector<double> scores(static_cast<size_t>(top.components));
  for (int64_t k = 0; k < top.components; ++k) {
    double sum = 0;
    for (int64_t i = 0; i < top.n; ++i) sum += 1 / topics_with[static_cast<size_t>(top.of(k)[i])];
    scores[static_cast<size_t>(k)] = sum / static_cast<double>(top.n);
  }
  return scores;
}

std::vector<double> exclusivity(const Model& model, const TopWords& top) {
  std::vector<double> scores(static_cast<size_t>(top.components));
  std::vector<double> row(static_cast<size_t>(top.components));
  const WordProbabilities probabilities(model);
  for (int64_t k = 0; k < top.components; ++k) {
    double sum = 0;
    for (int64_t i = 0; i < top.n; ++i) {
      probabilities.read(top.of(k)[i], 0, top.components, row.data());
      double total = 0;
      for (const double probability : row) total += probability;
      sum += total > 0 ? row[static_cast<size_t>(k)] / total : 0;
    }
    scores[static_cast<size_t>(k)] = sum / static_cast<double>(top.n);
  }
  return scores;
}

}  // namespace

bool is_topic_measure(std::string_view measure) {
  return needs_reference(measure) || measure == "topic_diversity" || measure == "exclusivity";
}

bool needs_reference(std::string_view measure) {
  return measure == "coherence_umass" || measure == "coherence_npmi";
}

std::vector<double> topic_quality(const Model& model, const Data* reference, std::string_view measure, int64_t n) {
  require_words(model);
  const TopWords top = top_words(model, n);
  if (measure == "topic_diversity") return diversity(top, model.columns());
  if (measure == "exclusivity") return exclusivity(model, top);
  if (top.n < 2) throw Error(VTEMPER_ERROR_DATA, message("measure ", measure, " compares words; there is only one"));
  return coherence(top, *reference, measure == "coherence_umass" ? umass : npmi);
}

double mean_topic_quality(const std::vector<double>& scores) {
  double sum = 0;
  double count = 0;
  for (const double score : scores) {
    if (std::isnan(score)) continue;
    sum += score;
    ++count;
  }
  if (count > 0) return sum / count;
  throw Error(VTEMPER_ERROR_DATA, "no topic has two top words that occur in the data, so none can be coherent");
}

}  // namespace vtemper
