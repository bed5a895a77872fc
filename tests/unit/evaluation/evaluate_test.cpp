// Scores of a fitted model against plain code: document completion, perplexity, the bound, local
// posteriors.

#include "evaluation/evaluate.h"

#include "support/error.h"
#include "support/lda.h"
#include "support/refusal.h"

using namespace fixtures;
using namespace vtemper;

namespace {

OptionValues evaluate_values(const Texts& texts = {}) {
  return OptionValues(evaluate_options(), options_of(texts), "evaluate");
}

struct Setting {
  Priors priors;
  Documents corpus;
  Matrix lambda;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
};

Setting setting_of(bool point, size_t topics = 3, size_t words = 12) {
  Setting s;
  s.priors = asymmetric_priors(topics, words, 3, point);
  s.corpus = random_corpus(9, words, topics, 20, 5);
  s.lambda = random_lambda(topics, words, 7, 0.05, 4);
  s.data = data_of(s.corpus);
  s.model = exact_model(s.priors, *s.data, s.lambda);
  return s;
}

/// A corpus read back from the library's data.
Documents plain_corpus(const Data& data) {
  Documents corpus;
  for (int64_t row = 0; row < data.rows(); ++row) {
    const int64_t length = data.counts().row_length(row);
    std::vector<int32_t> columns(static_cast<size_t>(length) + 1);
    std::vector<double> values(columns.size());
    const int64_t entries = data.counts().read_row(row, length, columns.data(), values.data());
    Vector counts(static_cast<size_t>(data.columns()), 0);
    for (int64_t i = 0; i < entries; ++i) {
      counts[static_cast<size_t>(columns[static_cast<size_t>(i)])] += values[static_cast<size_t>(i)];
    }
    corpus.counts.push_back(counts);
    corpus.weights.push_back(data.weight(row));
  }
  return corpus;
}

/// Mean over held-out tokens of log sum_k E[theta_k] E[beta_kw], theta from the observed half.
Number plain_predictive(const Setting& s, const Documents& observed, const Documents& heldout) {
  const Matrix log_beta = plain::topic_expectations(s.priors, s.lambda);
  Number score = 0, tokens = 0;
  for (size_t d = 0; d < observed.documents(); ++d) {
    const Vector gamma = plain::solve(s.priors, observed.counts[d], 1, log_beta).gamma;
    for (size_t v = 0; v < observed.words(); ++v) {
      Number probability = 0;
      for (size_t k = 0; k < gamma.size(); ++k) {
        probability += gamma[k] / plain::sum(gamma) * s.lambda[k][v] / plain::sum(s.lambda[k]);
      }
      score += heldout.counts[d][v] * std::log(probability);
      tokens += heldout.counts[d][v];
    }
  }
  return score / tokens;
}

void document_completion_equals_plain_code(void**) {
  for (const bool point : {false, true}) {
    const Setting s = setting_of(point);
    const Documents other = random_corpus(9, 12, 3, 10, 11);
    const std::shared_ptr<Data> heldout = data_of(other);
    const Number expected = plain_predictive(s, s.corpus, other);
    const OptionValues options = evaluate_values();
    check_close("predictive", evaluate(*s.model, s.data.get(), heldout.get(), "predictive", options), expected,
                1e-9L);
    check_close("perplexity", evaluate(*s.model, s.data.get(), heldout.get(), "perplexity", options),
                std::exp(-expected), 1e-9L);
    // The library's own halves: the same as splitting first.
    const OptionValues split = evaluate_values({{"heldout_share", "0.3"}, {"seed", "8"}});
    const DataPair halves = data_split_counts(*s.data, 0.3, 8);
    const Documents observed = plain_corpus(*halves.first), rest = plain_corpus(*halves.second);
    for (size_t d = 0; d < 9; ++d) {
      for (size_t v = 0; v < 12; ++v) {
        assert_true(observed.counts[d][v] + rest.counts[d][v] == s.corpus.counts[d][v]);
      }
    }
    check_close("predictive by own split", evaluate(*s.model, s.data.get(), nullptr, "predictive", split),
                plain_predictive(s, observed, rest), 1e-9L);
  }
}

void scores_do_not_depend_on_threads(void**) {
  const Documents corpus = random_corpus(1200, 40, 5, 20, 13);
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = make_model({{"topics", "5"}});
  model->initialize(*data, 3);
  for (const char* measure : {"predictive", "elbo"}) {
    const double one = evaluate(*model, data.get(), nullptr, measure, evaluate_values({{"threads", "1"}}));
    for (const char* threads : {"2", "8"}) {
      assert_true(evaluate(*model, data.get(), nullptr, measure, evaluate_values({{"threads", threads}})) == one);
    }
  }
}

void the_bound_equals_plain_code(void**) {
  for (const bool point : {false, true}) {
    Setting s = setting_of(point);
    s.corpus = random_corpus(9, 12, 3, 20, 5, true);
    s.data = data_of(s.corpus);
    const Matrix log_beta = plain::topic_expectations(s.priors, s.lambda);
    std::vector<plain::Local> locals;
    for (const Vector& counts : s.corpus.counts) locals.push_back(plain::solve(s.priors, counts, 1, log_beta));
    check_close("elbo", evaluate(*s.model, s.data.get(), nullptr, "elbo", evaluate_values()),
                plain::objective(s.priors, s.corpus, Vector(9, 1), locals, s.lambda).total(), 1e-9L);
  }
}

void posteriors_of_rows_equal_plain_code(void**) {
  const Setting s = setting_of(false);
  const Matrix log_beta = plain::topic_expectations(s.priors, s.lambda);
  for (const bool proportions : {false, true}) {
    std::vector<double> out(9 * 5, -1);  // rows of 3, one of 5 apart
    s.model->infer(*s.data, proportions ? "proportions" : "gamma", evaluate_values(), {out.data(), 5, 1});
    for (size_t d = 0; d < 9; ++d) {
      const Vector gamma = plain::solve(s.priors, s.corpus.counts[d], 1, log_beta).gamma;
      for (size_t k = 0; k < 3; ++k) {
        check_close("gamma", out[5 * d + k], gamma[k] / (proportions ? plain::sum(gamma) : 1), 1e-8L);
      }
      assert_true(out[5 * d + 3] == -1 && out[5 * d + 4] == -1);
    }
  }
  // Options of the call override the model's: one update only.
  std::vector<double> out(9 * 3);
  s.model->infer(*s.data, "gamma", evaluate_values({{"local_iterations", "1"}}), {out.data(), 3, 1});
  for (size_t d = 0; d < 9; ++d) {
    const plain::Local once = plain::solve(s.priors, s.corpus.counts[d], 1, log_beta, 1);
    for (size_t k = 0; k < 3; ++k) check_close("gamma after one update", out[3 * d + k], once.gamma[k], 1e-12L);
  }
}

void the_normalizer_of_the_tempered_model(void**) {
  Setting s = setting_of(false);
  s.corpus = random_corpus(9, 12, 3, 20, 5, true);
  s.data = data_of(s.corpus);
  double tokens = 0, rows = 0;
  for (size_t d = 0; d < s.corpus.documents(); ++d) {
    rows += static_cast<double>(s.corpus.weights[d]);
    tokens += static_cast<double>(s.corpus.weights[d] * plain::sum(s.corpus.counts[d]));
  }
  const auto score = [&](const Texts& texts) {
    return evaluate(*s.model, s.data.get(), nullptr, "log_normalizer", evaluate_values(texts));
  };
  check_close("gibbs", score({{"temperature", "2"}}),
              s.model->tempered_normalizer()->log_normalizer({}, 0.5, rows, tokens), 1e-12L);
  check_close("plug_in", score({{"temperature", "4"}, {"temperature_normalizer", "plug_in"}}),
              s.model->tempered_normalizer()->log_normalizer({"plug_in", 100, 0}, 0.25, rows, tokens), 1e-12L);
  assert_true(score({{"temperature", "1"}}) == 0);
  const Texts drawn = {{"temperature", "2"}, {"temperature_normalizer", "monte_carlo"}, {"partition_samples", "5"}};
  Texts other = drawn;
  other["seed"] = "9";
  assert_true(score(drawn) == score(drawn) && score(drawn) != score(other));

  const auto says = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  assert_true(says(refusal(VTEMPER_ERROR_OPTION, [&] { score({}); }), "temperature"));
  assert_true(says(refusal(VTEMPER_ERROR_OPTION,
                           [&] {
                             score({{"temperature", "2"}, {"top_words", "3"}});
                           }),
                   "top_words"));
  assert_true(says(refusal(VTEMPER_ERROR_UNSUPPORTED,
                           [&] {
                             score({{"temperature", "2"}, {"temperature_normalizer", "exact"}});
                           }),
                   "gibbs"));
  const OptionValues hot = evaluate_values({{"temperature", "2"}});
  for (const char* measure : {"predictive", "elbo", "topic_diversity"}) {
    assert_true(says(refusal(VTEMPER_ERROR_OPTION, [&] { evaluate(*s.model, s.data.get(), nullptr, measure, hot); }),
                     "temperature"));
  }
  assert_true(
      says(refusal(VTEMPER_ERROR_OPTION, [&] { check_infer_options(*s.model, "gamma", hot); }), "temperature"));
  for (const char* name : {"heldout_share", "top_words"}) {
    const OptionValues useless = evaluate_values({{name, name == std::string("top_words") ? "3" : "0.5"}});
    assert_true(says(refusal(VTEMPER_ERROR_OPTION, [&] { check_infer_options(*s.model, "gamma", useless); }), name));
  }
}

void what_cannot_be_scored_is_refused(void**) {
  const Setting s = setting_of(false);
  const OptionValues options = evaluate_values();
  const std::shared_ptr<Data> fewer = data_of(random_corpus(4, 12, 3, 10, 1));
  const std::shared_ptr<Data> wider = data_of(random_corpus(9, 13, 3, 10, 1));
  const auto says = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  assert_true(
      says(refusal(VTEMPER_ERROR_ARGUMENT, [&] { evaluate(*s.model, s.data.get(), nullptr, "predictiv", options); }),
           "predictive"));
  assert_true(
      says(refusal(VTEMPER_ERROR_ARGUMENT, [&] { evaluate(*s.model, s.data.get(), s.data.get(), "elbo", options); }),
           "heldout"));
  const std::string rows =
      refusal(VTEMPER_ERROR_DATA, [&] { evaluate(*s.model, s.data.get(), fewer.get(), "predictive", options); });
  assert_true(says(rows, "9") && says(rows, "4"));
  const std::string columns =
      refusal(VTEMPER_ERROR_DATA, [&] { evaluate(*s.model, wider.get(), nullptr, "predictive", options); });
  assert_true(says(columns, "13") && says(columns, "12"));
  Documents nothing = s.corpus;
  for (Vector& counts : nothing.counts) std::fill(counts.begin(), counts.end(), 0);
  const std::shared_ptr<Data> empty = data_of(nothing);
  assert_true(
      says(refusal(VTEMPER_ERROR_DATA, [&] { evaluate(*s.model, s.data.get(), empty.get(), "predictive", options); }),
           "tokens"));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(document_completion_equals_plain_code), cmocka_unit_test(scores_do_not_depend_on_threads),
      cmocka_unit_test(the_bound_equals_plain_code),           cmocka_unit_test(posteriors_of_rows_equal_plain_code),
      cmocka_unit_test(the_normalizer_of_the_tempered_model),  cmocka_unit_test(what_cannot_be_scored_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
