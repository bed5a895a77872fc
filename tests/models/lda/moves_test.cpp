// Moves of topics (models/lda/README.md section 10): topics of very unequal sizes are found, which annealing alone
// merges; a move raises a plain bound; it loses no token; what a topic has taken of another is given back, and where
// topics are right, nothing moves; runs that make moves give the same bits through checkpoints, on several threads
// and on several ranks.

#include <algorithm>
#include <cmath>

#include "evaluation/evaluate.h"
#include "models/lda/topic_moves.h"
#include "support/checkpoint.h"
#include "support/divided.h"
#include "support/lda.h"
#include "support/refusal.h"
#include "support/sanitizer.h"

using namespace fixtures;
using contract::fit_spread;
using vtemper::DataPointer;
using vtemper::Optimizer;
using vtemper::test::unless_sanitized;

namespace {

constexpr size_t topics = 5, words = 150;

struct Corpus {
  Documents documents;
  Matrix beta;  ///< [topics x words], true
};

/// Each topic has half as many tokens as the one before it; a document has one main topic and another.
Corpus unequal_topics(uint64_t seed, size_t documents) {
  Random random(seed);
  Corpus corpus;
  corpus.beta.assign(topics, Vector(words));
  for (Vector& topic : corpus.beta) {
    for (Number& weight : topic) weight = std::pow(random.uniform(), 12);
    const Number total = plain::sum(topic);
    for (Number& weight : topic) weight /= total;
  }
  const auto drawn = [&](const Vector& weights) {
    Number left = random.uniform() * plain::sum(weights);
    size_t i = 0;
    while (i + 1 < weights.size() && left >= weights[i]) left -= weights[i++];
    return i;
  };
  const Vector sizes = {16, 8, 4, 2, 1};
  corpus.documents.counts.assign(documents, Vector(words, 0));
  corpus.documents.weights.assign(documents, 1);
  for (Vector& counts : corpus.documents.counts) {
    const size_t first = drawn(sizes), second = drawn(sizes);
    const double share = 0.5 + 0.5 * random.uniform();
    for (int64_t n = 0; n < 60; ++n) ++counts[drawn(corpus.beta[random.uniform() < share ? first : second])];
  }
  return corpus;
}

Texts run_options(const char* moves, const char* seed) {
  return {{"seed", seed}, {"threads", "1"}, {"moves", moves}};
}

std::unique_ptr<Optimizer> optimizer_of(const std::shared_ptr<const vtemper::Data>& data, const Texts& run) {
  return std::make_unique<Optimizer>(make_model({{"topics", "5"}, {"precision", "double"}}), data, options_of(run));
}

double moves_made(const Optimizer& optimizer) {
  return contract::quantity_of(optimizer, "moves.kept");
}

/// Number of true topics with a fitted one at a cosine above 0.9.
int64_t topics_found(const vtemper::Model& model, const Matrix& beta) {
  const Matrix lambda = lambda_of(model);
  const auto product = [](const Vector& x, const Vector& y) {
    Number sum = 0;
    for (size_t v = 0; v < x.size(); ++v) sum += x[v] * y[v];
    return sum;
  };
  return std::count_if(beta.begin(), beta.end(), [&](const Vector& topic) {
    return std::any_of(lambda.begin(), lambda.end(), [&](const Vector& fitted) {
      return product(topic, fitted) > 0.9L * std::sqrt(product(topic, topic) * product(fitted, fitted));
    });
  });
}

void topics_of_unequal_sizes_are_found(void**) {
  int64_t found = 0, without = 0, all = 0;
  for (uint64_t draw = 1; draw <= unless_sanitized<uint64_t>(10, 2); ++draw) {
    const Corpus corpus = unequal_topics(draw, 400);
    const std::shared_ptr<const vtemper::Data> data = data_of(corpus.documents);
    for (const char* moves : {"auto", "off"}) {
      const auto optimizer = optimizer_of(data, run_options(moves, "1"));
      optimizer->run(-1, nullptr, nullptr);
      int64_t& sum = *moves == 'a' ? found : without;
      sum += topics_found(*optimizer->model(), corpus.beta);
    }
    all += static_cast<int64_t>(topics);
  }
  print_message("of %d topics %d are found, without moves %d\n", static_cast<int>(all), static_cast<int>(found),
                static_cast<int>(without));
  assert_true(20 * found >= 19 * all);
  assert_true(20 * without < 17 * all);
}

/// sum_d F_d(1) at the best posteriors of the documents, and the topics' prior, in plain loops.
Number plain_bound(const vtemper::ConjugateModel& model, const Documents& corpus) {
  const Priors priors =
      symmetric_priors(topics, words, parameter(model, "alpha")[0], parameter(model, "eta")[0], true);
  const Matrix lambda = lambda_of(model);
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  std::vector<plain::Local> locals;
  for (const Vector& counts : corpus.counts) locals.push_back(plain::solve(priors, counts, 1, log_beta, 200, 1e-9L));
  return plain::objective(priors, corpus, Vector(corpus.documents(), 1), locals, lambda).total();
}

/// Number of moves found in a fit without them; each of these raises the plain bound of the documents.
int64_t check_moves(uint64_t draw) {
  const Corpus corpus = unequal_topics(draw, 400);
  const std::shared_ptr<const vtemper::Data> data = data_of(corpus.documents);
  const auto optimizer = optimizer_of(data, run_options("off", "1"));
  optimizer->run(-1, nullptr, nullptr);
  vtemper::ConjugateModel& model = *optimizer->model()->conjugate();
  const std::vector<double> lambda = parameter(model, "lambda");
  const int64_t found = model.sampled_moves()->find_moves(*data, 1, 1, 0);
  assert_true(parameter(model, "lambda") == lambda);
  if (found == 0) return 0;
  const Number before = plain_bound(model, corpus.documents);
  model.sampled_moves()->make_moves();
  const std::vector<double> moved = parameter(model, "lambda");
  assert_true(moved != lambda);
  for (size_t v = 0; v < words; ++v) {
    double sums[2] = {0, 0};
    for (size_t k = 0; k < topics; ++k) {
      sums[0] += lambda[k * words + v];
      sums[1] += moved[k * words + v];
    }
    check_close("tokens of a word", sums[1], sums[0], 1e-10L, 1e-10L);
  }
  const Number after = plain_bound(model, corpus.documents);
  print_message("%d moves raise the bound from %.1f to %.1f\n", static_cast<int>(found), static_cast<double>(before),
                static_cast<double>(after));
  assert_true(after > before + 100);
  // They are made once.
  model.sampled_moves()->make_moves();
  assert_true(parameter(model, "lambda") == moved);
  return found;
}

void a_move_raises_the_bound_and_loses_no_token(void**) {
  int64_t found = 0;
  for (uint64_t draw = 1; draw <= 6 && found < 2; ++draw) found += check_moves(draw);
  assert_true(found > 0);
}

/// Random topics of one text hold nothing to split.
void topics_of_one_text_stay(void**) {
  const Documents corpus = random_corpus(300, 60, 1, 40, 3);
  const std::shared_ptr<const vtemper::Data> data = data_of(corpus);
  const auto with = optimizer_of(data, run_options("on", "2")), without = optimizer_of(data, run_options("off", "2"));
  with->run(-1, nullptr, nullptr);
  without->run(-1, nullptr, nullptr);
  assert_true(moves_made(*with) == 0);
  assert_true(parameter(*with->model(), "lambda") == parameter(*without->model(), "lambda"));
}

/// The topics from which the documents are drawn, with the tokens that they are expected to have.
Matrix right_lambda(const Corpus& corpus, Number eta) {
  Matrix lambda = corpus.beta;
  Number size = 60 * static_cast<Number>(corpus.documents.documents()) / 31;
  for (size_t k = topics; k-- > 0; size *= 2) {
    for (Number& number : lambda[k]) number = eta + size * number;
  }
  return lambda;
}

/// A large topic holds a small one's tokens of every other word.
Matrix wrong_lambda(Matrix lambda, Number eta) {
  for (size_t v = 0; v < words; v += 2) {
    lambda[0][v] += lambda[2][v] - eta;
    lambda[2][v] = eta;
  }
  return lambda;
}

/// Log predictive density per held-out word of other documents.
double score_of(const vtemper::Model& model, const Documents& documents) {
  const vtemper::DataPair halves = vtemper::data_split_counts(*data_of(documents), 0.5, 1);
  const vtemper::OptionValues options(vtemper::evaluate_options(), {}, "evaluate");
  return -std::log(vtemper::evaluate(model, halves.first.get(), halves.second.get(), "perplexity", options));
}

void what_a_topic_took_of_another_is_given_back(void**) {
  for (uint64_t draw = 1; draw <= 3; ++draw) {
    Corpus corpus = unequal_topics(draw, 800);
    Documents& fitted = corpus.documents;
    Documents others;
    others.counts.assign(fitted.counts.begin() + 400, fitted.counts.end());
    others.weights.assign(400, 1);
    fitted.counts.resize(400);
    fitted.weights.resize(400);
    const DataPointer data = data_of(fitted);
    const auto model = make_model({{"topics", "5"}, {"precision", "double"}, {"learn_alpha", "true"}});
    model->initialize(*data, 1);
    const std::vector<double> alpha = parameter(*model, "alpha");
    const Number eta = parameter(*model, "eta")[0];
    vtemper::SampledMoves& moves = *model->sampled_moves();

    const Matrix right = right_lambda(corpus, eta);
    model->write_parameter("lambda", flat(right).data());
    assert_true(moves.find_moves(*data, 1, 1, 0) == 0);
    const double score_of_right = score_of(*model, others);

    const Matrix wrong = wrong_lambda(right, eta);
    model->write_parameter("lambda", flat(wrong).data());
    assert_true(topics_found(*model, corpus.beta) == 4);
    const double score_of_wrong = score_of(*model, others);
    const Number bound_of_wrong = plain_bound(*model, fitted);
    assert_true(moves.find_moves(*data, 2, 1, 0) == 1);
    moves.make_moves();
    assert_true(topics_found(*model, corpus.beta) == 5);
    const double score = score_of(*model, others);
    const Number bound = plain_bound(*model, fitted);
    print_message("score %.4f, wrong %.4f, right %.4f; bound %.1f, wrong %.1f\n", score, score_of_wrong,
                  score_of_right, static_cast<double>(bound), static_cast<double>(bound_of_wrong));
    assert_true(score > score_of_wrong + 0.8 * (score_of_right - score_of_wrong));
    assert_true(bound > bound_of_wrong + 100);
    assert_true(parameter(*model, "alpha") == alpha);
    const Matrix mended = lambda_of(*model);
    for (size_t v = 0; v < words; ++v) {
      for (const size_t k : {1U, 3U, 4U}) check_close("other topics", mended[k][v], wrong[k][v], 1e-12L, 1e-12L);
      check_close("tokens of a word", mended[0][v] + mended[2][v], wrong[0][v] + wrong[2][v], 1e-10L, 1e-10L);
    }
  }
}

struct Fit {
  std::vector<double> lambda;
  double moves = 0;
  std::string failure;
};

Fit fit_of(const Optimizer& optimizer) {
  return {parameter(*optimizer.model(), "lambda"), moves_made(optimizer), {}};
}

const Texts two_coolings = {{"seed", "3"}, {"threads", "1"}, {"max_passes", "12"}, {"temperature_coolings", "2"}};

Fit two_coolings_of(const DataPointer& data, const Texts& options = two_coolings) {
  const auto optimizer = optimizer_of(data, options);
  optimizer->run(-1, nullptr, nullptr);
  return fit_of(*optimizer);
}

void threads_checkpoints_and_ranks_make_the_same_moves(void**) {
  const DataPointer data = data_of(unequal_topics(2, 200).documents);
  const Fit whole = two_coolings_of(data);
  assert_true(whole.moves > 0);
  Texts on_three = two_coolings;
  on_three["threads"] = "3";
  assert_true(two_coolings_of(data, on_three).lambda == whole.lambda);
  std::unique_ptr<Optimizer> parts = optimizer_of(data, two_coolings);
  while (!parts->report().finished) {
    parts->run(1, nullptr, nullptr);
    parts = vtemper::test::through_checkpoint(*parts, data);
  }
  assert_true(moves_made(*parts) == whole.moves);
  assert_true(fit_of(*parts).lambda == whole.lambda);
  for (const Fit& rank :
       fit_spread<Fit>(data, {0, 30, 140, 200}, [](const DataPointer& spread) { return two_coolings_of(spread); })) {
    assert_string_equal(rank.failure.c_str(), "");
    assert_true(rank.moves == whole.moves);
    double apart = 0, all = 0;
    for (size_t i = 0; i < whole.lambda.size(); ++i) {
      apart += std::abs(rank.lambda[i] - whole.lambda[i]);
      all += whole.lambda[i];
    }
    assert_true(apart < 1e-7 * all);
  }
}

void the_option_is_refused_where_it_has_no_effect(void**) {
  const std::shared_ptr<const vtemper::Data> data = data_of(random_corpus(40, 20, 2, 20, 3));
  for (const Texts& options :
       {Texts{{"moves", "on"}, {"method", "svi"}}, Texts{{"moves", "extra"}},
        Texts{{"moves", "on"}, {"method", "vi"}}, Texts{{"moves", "on"}, {"method", "tempering"}}}) {
    assert_contains(refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { optimizer_of(data, options); }), "option moves");
  }
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(topics_of_unequal_sizes_are_found),
      cmocka_unit_test(a_move_raises_the_bound_and_loses_no_token),
      cmocka_unit_test(topics_of_one_text_stay),
      cmocka_unit_test(what_a_topic_took_of_another_is_given_back),
      cmocka_unit_test(threads_checkpoints_and_ranks_make_the_same_moves),
      cmocka_unit_test(the_option_is_refused_where_it_has_no_effect),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
