// Coherence, diversity and exclusivity against plain code; reference data that lacks words, is weighted, mapped or of
// the wrong shape.

#include "evaluation/topic_quality.h"

#include <cstdlib>
#include <set>

#include <unistd.h>

#include "evaluation/evaluate.h"
#include "support/lda.h"
#include "support/refusal.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr size_t words = 24;

OptionValues evaluate_values(const Texts& texts = {}) {
  return OptionValues(evaluate_options(), options_of(texts), "evaluate");
}

struct Setting {
  Matrix lambda;
  Documents corpus;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
};

Setting setting_of(size_t topics, uint64_t seed, bool with_weights = false) {
  Setting s;
  s.lambda = random_lambda(topics, words, seed, 0.05, 4);
  s.corpus = random_corpus(60, words, 3, 9, seed + 1, with_weights);
  s.data = data_of(s.corpus);
  s.model = exact_model(asymmetric_priors(topics, words, 3), *s.data, s.lambda);
  return s;
}

/// The n words of largest lambda, best first.
std::vector<size_t> plain_top(const Vector& lambda, size_t n) {
  std::vector<size_t> order(lambda.size());
  for (size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return lambda[a] > lambda[b]; });
  order.resize(std::min(n, order.size()));
  return order;
}

Number plain_documents(const Documents& corpus, size_t v, size_t u) {
  Number total = 0;
  for (size_t d = 0; d < corpus.documents(); ++d) {
    if (corpus.counts[d][v] > 0 && corpus.counts[d][u] > 0) total += corpus.weights[d];
  }
  return total;
}

/// The definitions of vtemper.h, document by document and pair by pair.
Vector plain_quality(const Matrix& lambda, const Documents& corpus, const std::string& measure, size_t n) {
  std::vector<std::vector<size_t>> tops;
  for (const Vector& row : lambda) tops.push_back(plain_top(row, n));
  const Number documents = plain::sum(corpus.weights);
  Vector scores;
  for (size_t k = 0; k < tops.size(); ++k) {
    Number sum = 0, count = 0;
    for (size_t m = 0; m < tops[k].size(); ++m) {
      const size_t word = tops[k][m];
      if (measure == "topic_diversity") {
        Number topics_with = 0;
        for (const auto& top : tops) topics_with += std::count(top.begin(), top.end(), word) > 0 ? 1 : 0;
        sum += 1 / topics_with, ++count;
      } else if (measure == "exclusivity") {
        Number total = 0;
        for (const Vector& row : lambda) total += row[word] / plain::sum(row);
        sum += lambda[k][word] / plain::sum(lambda[k]) / total, ++count;
      }
      for (size_t l = 0; l < m && measure.substr(0, 9) == "coherence"; ++l) {
        const size_t better = tops[k][l];
        const Number here = plain_documents(corpus, word, word), there = plain_documents(corpus, better, better);
        const Number both = plain_documents(corpus, word, better);
        if (here == 0 || there == 0) continue;
        ++count;
        if (measure == "coherence_umass") {
          sum += std::log((both + 1) / there);
        } else if (both == 0) {
          sum -= 1;
        } else if (both == documents) {
          sum += 1;
        } else {
          const Number p = both / documents;
          sum += std::log(p / (here / documents * there / documents)) / -std::log(p);
        }
      }
    }
    scores.push_back(count > 0 ? sum / count : std::nan(""));
  }
  return scores;
}

const char* const measures[] = {"coherence_umass", "coherence_npmi", "topic_diversity", "exclusivity"};

void check_quality(const Setting& s, const Data& reference, const Documents& corpus, const char* measure, size_t n) {
  const OptionValues options = evaluate_values({{"top_words", number_text(static_cast<int64_t>(n))}});
  const Vector expected = plain_quality(s.lambda, corpus, measure, n);
  const std::vector<double> scores = evaluate_topics(*s.model, &reference, measure, options);
  assert_int_equal(scores.size(), expected.size());
  Number sum = 0, count = 0;
  for (size_t k = 0; k < scores.size(); ++k) {
    assert_true(std::isnan(scores[k]) == std::isnan(expected[k]));
    if (std::isnan(scores[k])) continue;
    check_close(measure, scores[k], expected[k], 1e-11L, 1);
    sum += expected[k], ++count;
  }
  check_close(measure, evaluate(*s.model, &reference, nullptr, measure, options), sum / count, 1e-11L, 1);
}

void measures_equal_plain_code(void**) {
  for (const bool with_weights : {false, true}) {
    const Setting s = setting_of(11, 40, with_weights);
    for (const char* measure : measures) {
      for (const size_t n : {2, 5, 10, 40}) check_quality(s, *s.data, s.corpus, measure, n);
    }
  }
}

void diversity_is_the_share_of_distinct_words(void**) {
  const Setting s = setting_of(6, 50);
  std::set<size_t> distinct;
  for (const Vector& row : s.lambda) {
    for (const size_t v : plain_top(row, 10)) distinct.insert(v);
  }
  check_close("diversity", evaluate(*s.model, nullptr, nullptr, "topic_diversity", evaluate_values()),
              static_cast<Number>(distinct.size()) / 60, 1e-12L);
}

void words_that_never_or_always_come_together(void**) {
  // Two topics of two words: one pair occurs in every document that contains either word, one pair never.
  Documents corpus;
  corpus.counts.assign(8, Vector(words, 0));
  corpus.weights.assign(8, 1);
  for (size_t d = 0; d < 4; ++d) corpus.counts[d][0] = corpus.counts[d][1] = 2;
  for (size_t d = 4; d < 6; ++d) corpus.counts[d][2] = 1;
  for (size_t d = 6; d < 8; ++d) corpus.counts[d][3] = 1;
  Setting s = setting_of(2, 60);
  s.lambda[0].assign(words, 0.01L), s.lambda[1].assign(words, 0.01L);
  s.lambda[0][0] = 5, s.lambda[0][1] = 4, s.lambda[1][2] = 5, s.lambda[1][3] = 4;
  s.model->write_parameter("lambda", flat(s.lambda).data());
  const std::shared_ptr<Data> data = data_of(corpus);
  const OptionValues two = evaluate_values({{"top_words", "2"}});
  const std::vector<double> npmi = evaluate_topics(*s.model, data.get(), "coherence_npmi", two);
  check_close("together", npmi[0], 1, 1e-12L);
  check_close("apart", npmi[1], -1, 1e-12L);
  const std::vector<double> umass = evaluate_topics(*s.model, data.get(), "coherence_umass", two);
  check_close("together", umass[0], std::log(5.0L / 4), 1e-12L);
  check_close("apart", umass[1], std::log(1.0L / 2), 1e-12L);
}

void words_that_the_reference_lacks(void**) {
  Setting s = setting_of(5, 70);
  Documents corpus = s.corpus;
  const std::vector<size_t> top = plain_top(s.lambda[2], 10);
  for (Vector& counts : corpus.counts) {
    for (size_t i = 0; i < 7; ++i) counts[top[i]] = 0;  // three of topic 2's words are left
  }
  std::shared_ptr<Data> data = data_of(corpus);
  for (const char* measure : {"coherence_umass", "coherence_npmi"}) {
    check_quality(s, *data, corpus, measure, 10);
    check_quality(s, *data, corpus, measure, 8);  // one word left: no pair
    const OptionValues eight = evaluate_values({{"top_words", "8"}});
    assert_true(std::isnan(evaluate_topics(*s.model, data.get(), measure, eight)[2]));
  }
  for (Vector& counts : corpus.counts) std::fill(counts.begin(), counts.end(), 0);
  data = data_of(corpus);
  for (const char* measure : {"coherence_umass", "coherence_npmi"}) {
    for (const double score : evaluate_topics(*s.model, data.get(), measure, evaluate_values())) {
      assert_true(std::isnan(score));
    }
    assert_contains(
        refusal(VTEMPER_ERROR_DATA, [&] { evaluate(*s.model, data.get(), nullptr, measure, evaluate_values()); }),
        "no topic has two top words");
  }
}

void mapped_data_gives_the_same_bits(void**) {
  const Setting s = setting_of(5, 80, true);
  char path[] = "/tmp/vtemper_quality_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  data_write(*s.data, path);
  const DataPointer mapped = data_read(path, "mapped");
  for (const char* measure : measures) {
    assert_true(same_bits(evaluate_topics(*s.model, mapped.get(), measure, evaluate_values()),
                          evaluate_topics(*s.model, s.data.get(), measure, evaluate_values())));
  }
  unlink(path);
}

void what_cannot_be_measured_is_refused(void**) {
  const Setting s = setting_of(4, 90);
  const auto measured = [&](const Data* reference, const char* measure, const Texts& options) {
    return refusal(options.empty() ? VTEMPER_ERROR_ARGUMENT : VTEMPER_ERROR_OPTION,
                   [&] { evaluate_topics(*s.model, reference, measure, evaluate_values(options)); });
  };
  assert_contains(measured(nullptr, "coherence_npmi", {}), "needs data");
  assert_contains(measured(s.data.get(), "coherence_nmpi", {}), "did you mean coherence_npmi");
  assert_contains(measured(s.data.get(), "predictive", {}), "there is no measure");
  assert_contains(measured(s.data.get(), "exclusivity", {{"seed", "3"}}), "seed");
  assert_contains(measured(s.data.get(), "coherence_umass", {{"local_iterations", "3"}}), "local_iterations");
  assert_contains(measured(s.data.get(), "coherence_umass", {{"top_words", "1"}}), "top_words");
  assert_contains(measured(s.data.get(), "coherence_umass", {{"top_words", "101"}}), "top_words");
  assert_contains(
      refusal(VTEMPER_ERROR_OPTION,
              [&] {
                evaluate(*s.model, s.data.get(), nullptr, "predictive", evaluate_values({{"top_words", "5"}}));
              }),
      "top_words");
  assert_contains(
      refusal(VTEMPER_ERROR_ARGUMENT,
              [&] { evaluate(*s.model, s.data.get(), s.data.get(), "coherence_npmi", evaluate_values()); }),
      "heldout");
  const std::shared_ptr<Data> narrow = data_of(random_corpus(9, words - 1, 3, 10, 1));
  assert_contains(refusal(VTEMPER_ERROR_DATA,
                          [&] { evaluate_topics(*s.model, narrow.get(), "coherence_npmi", evaluate_values()); }),
                  "23 columns");
  Dense dense;
  const std::vector<double> values(2 * words, 1);
  dense.rows = 2, dense.columns = words, dense.row_stride = words, dense.column_stride = 1;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  const DataPointer rows = data_from_dense(dense, true);
  refusal(VTEMPER_ERROR_UNSUPPORTED,
          [&] { evaluate_topics(*s.model, rows.get(), "coherence_npmi", evaluate_values()); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(measures_equal_plain_code),
      cmocka_unit_test(diversity_is_the_share_of_distinct_words),
      cmocka_unit_test(words_that_never_or_always_come_together),
      cmocka_unit_test(words_that_the_reference_lacks),
      cmocka_unit_test(mapped_data_gives_the_same_bits),
      cmocka_unit_test(what_cannot_be_measured_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
