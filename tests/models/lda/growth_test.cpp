// Fits of many topics that begin with few and split them as T falls: which topics represent which, what a split
// preserves, and the same result with any number of threads, by the two halves of steps, and when resumed.

#include "models/lda/growth.h"

#include <algorithm>

#include "evaluation/evaluate.h"
#include "models/lda/topics.h"
#include "storage/container.h"
#include "support/assert.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

void halvings(void**) {
  for (const int64_t topics : {1, 2, 3, 7, 100, 500, 1001, 2000}) {
    int64_t parted = topics;
    for (;;) {
      assert_true(is_halving(topics, parted));
      std::vector<int64_t> copies(static_cast<size_t>(parted), 0);
      for (int64_t k = 0; k < topics; ++k) {
        const int64_t stand_in = parted_topic(k, topics, parted);
        assert_true(stand_in >= 0 && stand_in < parted && (k >= parted || stand_in == k));
        ++copies[static_cast<size_t>(stand_in)];
      }
      assert_true(*std::min_element(copies.begin(), copies.end()) >= 1);
      // A topic that is split gives one half to the topic that lies `parted` behind it.
      const int64_t next = next_topics(topics, parted);
      if (parted < topics) assert_true(next > parted && next <= 2 * parted);
      for (int64_t k = parted; k < next; ++k) assert_int_equal(parted_topic(k, topics, parted), k - parted);
      if (parted == 1) break;
      parted = half_of_topics(parted);
    }
  }
  assert_false(is_halving(100, 49));
  assert_false(is_halving(100, 99));
}

void how_many_topics(void**) {
  assert_int_equal(initial_topics(40, 35, 0), 40);
  assert_int_equal(initial_topics(100, 35, 0), 50);
  assert_int_equal(initial_topics(500, 1000, 0), 63);
  assert_int_equal(initial_topics(500, 10, 0), 16);  // short documents distinguish fewer topics
  assert_int_equal(initial_topics(500, 0, 0), 63);   // not known
  // One split only, few topics beside the tokens, many documents: none.
  assert_int_equal(initial_topics(100, 35, 14999), 50);
  assert_int_equal(initial_topics(100, 35, 15000), 100);
  assert_int_equal(initial_topics(150, 35, 1e6), 75);
  assert_int_equal(initial_topics(150, 50, 1e6), 150);
  assert_int_equal(initial_topics(200, 100, 1e6), 50);
  assert_int_equal(topics_at(500, 1), 500);
  assert_int_equal(topics_at(500, 1.5), 500);
  assert_int_equal(topics_at(500, 1.6), 250);
  assert_int_equal(topics_at(500, 1.9), 125);
  for (double temperature = 1; temperature < 20; temperature *= 1.1) {
    assert_true(topics_at(777, temperature) >= topics_at(777, 1.1 * temperature));
  }
}

/// What a topic's split keeps: the sum of its halves, word by word, each within the spread of a half.
void a_split_keeps_the_words(void**) {
  constexpr int64_t topics = 37, words = 11;
  constexpr double eta = 0.25;
  Topics<double> all(topics, words, {eta}, "");
  all.draw(3);
  Topics<double> few = all;
  Spare spare;
  few.merge_to(10);
  assert_int_equal(few.parted(), 10);
  for (int64_t k = 0; k < topics; ++k) {
    const int64_t stand_in = few.stand_in(k);
    double sum = 0;
    for (int64_t v = 0; v < words; ++v) {
      // No prior is stored in a fresh draw, so what is shown is an equal share of what is stored.
      check_close("share", few.lambda(k, v, spare),
                  all.lambda(stand_in, v, spare) / static_cast<double>(few.copies(stand_in)), 1e-14L);
      sum += few.lambda(k, v, spare);
    }
    check_close("total", few.total(k), sum, 1e-13L);
  }
  while (few.parted() < topics) {
    const Topics<double> before = few;
    few.split(9);
    for (int64_t k = 0; k < before.parted(); ++k) {
      const int64_t half = k + before.parted();
      for (int64_t v = 0; v < words; ++v) {
        const double whole = before.lambda(k, v, spare) * static_cast<double>(before.copies(k));
        double sum = few.lambda(k, v, spare) * static_cast<double>(few.copies(k));
        if (half < few.parted()) {
          const double other = few.lambda(half, v, spare) * static_cast<double>(few.copies(half));
          assert_true(other != sum);
          assert_close(other / whole, 0.5, 0.05 + 1e-12);
          sum += other;
        }
        check_close("both halves", sum, whole, 1e-14L);
      }
    }
    double total = 0;
    for (int64_t k = 0; k < topics; ++k) total += few.total(k);
    double total_before = 0;
    for (int64_t k = 0; k < topics; ++k) total_before += before.total(k);
    check_close("mass", total, total_before, 1e-13L);
  }
}

struct Fit {
  std::shared_ptr<Data> data = data_of(random_corpus(120, 60, 8, 20, 3, true));
  std::shared_ptr<ConjugateModel> model;
  std::unique_ptr<Optimizer> optimizer;

  explicit Fit(const char* precision = "float", const char* threads = "1", const Texts& more = {},
               const Texts& of_model = {}) {
    Texts texts = {{"topics", "120"}, {"precision", precision}};
    texts.insert(of_model.begin(), of_model.end());
    model = make_model(texts);
    Texts options = {{"batch_size", "12"}, {"max_iterations", "90"}, {"threads", threads}, {"seed", "4"}};
    for (const auto& [name, value] : more) options[name] = value;
    optimizer = std::make_unique<Optimizer>(model, data, options_of(options));
  }
  void run(int64_t steps) { assert_int_equal(optimizer->run(steps, nullptr, nullptr), VTEMPER_OK); }
  Vector lambda() const { return vector_of(parameter(*optimizer->model(), "lambda")); }
  Vector alpha() const { return vector_of(parameter(*optimizer->model(), "alpha")); }
  static Vector vector_of(const std::vector<double>& values) { return Vector(values.begin(), values.end()); }
  /// Topics that differ from all before them.
  int64_t distinct() const {
    const Matrix rows = lambda_of(*optimizer->model());
    int64_t count = 0;
    for (size_t k = 0; k < rows.size(); ++k) {
      count += std::find(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(k), rows[k]) ==
               rows.begin() + static_cast<std::ptrdiff_t>(k);
    }
    return count;
  }
};

void a_fit_begins_with_few_topics(void**) {
  Fit fit;
  fit.run(1);
  check_close("T", fit.optimizer->report().temperature, growing_start, 1e-12L);
  assert_int_equal(fit.distinct(), 60);  // some 21 tokens: a halving of 120 that is at least 31
  double last = fit.optimizer->report().temperature;
  for (int step = 1; step < 90; ++step) {
    fit.run(1);
    const double temperature = fit.optimizer->report().temperature;
    assert_true(temperature <= last);
    last = temperature;
    assert_int_equal(fit.distinct(), std::max<int64_t>(60, topics_at(120, temperature)));
  }
  assert_int_equal(fit.distinct(), 120);
  const Vector alpha = fit.alpha();
  assert_true(std::any_of(alpha.begin(), alpha.end(), [](Number x) { return x != 1.0L / 120; }));
}

/// On a corpus of few tokens, alpha is not learned below the least value unless the user asked to learn it.
void the_least_alpha(void**) {
  Fit fit;
  fit.run(90);
  const double tokens = data_total(*fit.data);
  const double least = min_learned_alpha(tokens);
  for (const Number x : fit.alpha()) assert_true(x >= least);
  Fit asked("float", "1", {}, {{"learn_alpha", "true"}});
  asked.run(90);
  const Vector alpha = asked.alpha();
  assert_true(*std::min_element(alpha.begin(), alpha.end()) < least);
  check_close("of many tokens", min_learned_alpha(2e6), 1e-3, 1e-14L);
  check_close("not known", min_learned_alpha(0), 0, 0);
}

/// What the user sets is kept: given topics, a given alpha, a cool start, another method.
void fits_that_do_not_grow(void**) {
  Fit own;
  own.model->initialize(*own.data, 4);
  const std::vector<double> lambda = parameter(*own.model, "lambda");
  own.model->write_parameter("lambda", lambda.data());
  own.run(1);
  assert_int_equal(own.distinct(), 120);

  for (const Texts& options :
       {Texts{{"temperature_start", "2"}}, Texts{{"method", "svi"}}, Texts{{"method", "tempering"}},
        Texts{{"perturbation", "stochastic"}}, Texts{{"step_size", "adaptive"}}}) {
    Fit fit("float", "1", options);
    fit.run(20);
    assert_int_equal(fit.distinct(), 120);
    for (const Number x : fit.alpha()) check_close("alpha", x, 1.0L / 120, 1e-12L);
  }
  Fit given("float", "1", {}, {{"alpha", "0.05"}});
  given.run(90);
  for (const Number x : given.alpha()) check_close("alpha", x, 0.05L, 1e-12L);
}

void the_same_fit(void**) {
  for (const char* precision : {"float", "double"}) {
    Fit whole(precision);
    whole.run(90);
    for (const char* threads : {"2", "3"}) {
      Fit other(precision, threads);
      other.run(90);
      assert_true(other.lambda() == whole.lambda() && other.alpha() == whole.alpha());
    }
    Fit halves(precision);
    std::vector<double> statistics(static_cast<size_t>(halves.optimizer->statistics_length()));
    for (int step = 0; step < 90; ++step) {
      halves.optimizer->local_step(nullptr, statistics.data());
      halves.optimizer->global_step(statistics.data(), nullptr);
    }
    assert_true(halves.lambda() == whole.lambda() && halves.alpha() == whole.alpha());
    for (const int64_t stop : {1, 40, 52, 70}) {
      Fit first(precision);
      first.run(stop);
      ContainerWriter writer("vtemper.checkpoint");
      first.optimizer->save(writer);
      std::vector<uint64_t> bytes(static_cast<size_t>(writer.size()) / 8 + 1);
      writer.write(bytes.data());
      const auto other = Optimizer::load(
          ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.checkpoint"), first.data);
      assert_true(Fit::vector_of(parameter(*other->model(), "lambda")) == first.lambda());
      assert_int_equal(other->run(90 - stop, nullptr, nullptr), VTEMPER_OK);
      assert_true(Fit::vector_of(parameter(*other->model(), "lambda")) == whole.lambda());
      assert_true(Fit::vector_of(parameter(*other->model(), "alpha")) == whole.alpha());
    }
  }
}

/// While a fit grows, every result has K topics: proportions add up, and a copy that continues at T = 1 splits the
/// rest.
void readers_see_all_topics(void**) {
  Fit fit;
  fit.run(10);
  const OptionValues evaluate(evaluate_options(), Options(), "evaluate");
  std::vector<double> proportions(static_cast<size_t>(fit.data->rows() * 120));
  fit.model->infer(*fit.data, "proportions", evaluate, {proportions.data(), 120, 1});
  for (int64_t row = 0; row < fit.data->rows(); ++row) {
    double sum = 0;
    for (int64_t k = 0; k < 120; ++k) sum += proportions[static_cast<size_t>(row * 120 + k)];
    check_close("sum of proportions", sum, 1, 1e-5L);
  }
  std::vector<double> shares(120);
  fit.model->words()->word_shares(shares.data());
  double sum = 0;
  for (const double share : shares) sum += share;
  check_close("sum of shares", sum, 1, 1e-12L);

  std::shared_ptr<Model> copy = fit.model->copy();
  Optimizer cold(copy, fit.data, options_of({{"method", "vi"}, {"max_iterations", "3"}, {"threads", "1"}}));
  assert_int_equal(cold.run(3, nullptr, nullptr), VTEMPER_OK);
  assert_true(cold.report().objective_falls == 0);
  assert_int_equal(fit.distinct(), 60);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(halvings),
      cmocka_unit_test(how_many_topics),
      cmocka_unit_test(a_split_keeps_the_words),
      cmocka_unit_test(a_fit_begins_with_few_topics),
      cmocka_unit_test(the_least_alpha),
      cmocka_unit_test(fits_that_do_not_grow),
      cmocka_unit_test(the_same_fit),
      cmocka_unit_test(readers_see_all_topics),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
