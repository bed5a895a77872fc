// Coordinate ascent at a fixed temperature: the objective never falls, by more than rounding (1e-10, relative). The
// local step starts every document afresh (gamma = 1) and may find another optimum of the document than the step
// before; with LocalSettings::remember, as in runs of full steps, a document stays with the better one.

#include "support/lda.h"
#include "support/sanitizer.h"

using namespace fixtures;
using namespace vtemper;

namespace {

const int corpora = test::unless_sanitized(30, 4);
const int first_corpus = test::unless_sanitized(0, 12);  ///< in some of 12 to 15 fresh starts fall
constexpr int iterations = 40;
constexpr double rounding = 1e-10;

struct Count {
  int steps = 0;
  int falls = 0;
  Number worst = 0;
};

void ascend(const Documents& corpus, const Priors& priors, const Matrix& start, double s, bool remember,
            Count& count) {
  const std::shared_ptr<Data> data = data_of(corpus);
  const std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, start);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), data->rows());
  LocalSettings settings;
  settings.bound = true;
  settings.remember = remember;
  Number last = -INFINITY;
  for (int t = 0; t < iterations; ++t) {
    const LocalSums sums = work->local_step({data.get(), nullptr, 0, data->rows()}, at(s), settings);
    const Number topics = model->global_bound(PriorPower{});
    Number objective = sums.bound + topics;
    assert_true(std::isfinite(objective));
    ++count.steps;
    if (last - objective > rounding * std::abs(objective)) {
      ++count.falls;
      count.worst = std::max(count.worst, (last - objective) / std::abs(objective));
    }
    last = objective;
    work->global_step(GlobalStep{1, 1, {}, {}});
  }
}

void never_falls_at_a_fixed_temperature(void**) {
  Count remembering, fresh;
  for (int seed = first_corpus; seed < first_corpus + corpora; ++seed) {
    const size_t topics = 2 + static_cast<size_t>(seed) % 4;
    const size_t words = 8 + static_cast<size_t>(seed) % 13;
    const uint64_t number = static_cast<uint64_t>(seed);
    const Documents corpus =
        random_corpus(6 + static_cast<size_t>(seed), words, topics, 10 + seed, 1000 + number, seed % 2 == 1);
    const Matrix lambda = random_lambda(topics, words, 2000 + number, 0.7, 1.3);
    for (const bool point : {false, true}) {
      const Priors priors = seed % 3 == 0
                                ? symmetric_priors(topics, words, 1 / static_cast<double>(topics), 0.1, point)
                                : asymmetric_priors(topics, words, 3000 + number, point);
      for (const double temperature : {1.0, 1.5, 3.0}) {
        ascend(corpus, priors, lambda, 1 / temperature, true, remembering);
        ascend(corpus, priors, lambda, 1 / temperature, false, fresh);
      }
    }
  }
  print_message("%d steps; afresh, %d of them fall, by up to %.2g of the objective\n", fresh.steps, fresh.falls,
                static_cast<double>(fresh.worst));
  assert_int_equal(remembering.steps, corpora * 2 * 3 * iterations);
  assert_int_equal(remembering.falls, 0);
  assert_true(fresh.falls > 0);  // otherwise this test shows nothing
}

/// With one optimum a document (broad alpha) the library's own objective never falls, without any exception.
void never_falls_where_documents_have_one_optimum(void**) {
  Count count;
  for (int seed = first_corpus; seed < first_corpus + corpora; ++seed) {
    const uint64_t number = static_cast<uint64_t>(seed);
    const Documents corpus = random_corpus(12, 15, 3, 12, 4000 + number, seed % 2 == 1);
    const Matrix lambda = random_lambda(3, 15, 5000 + number, 0.7, 1.3);
    for (const bool point : {false, true}) {
      const Priors priors = symmetric_priors(3, 15, 2, 0.3, point);
      for (const double temperature : {1.0, 1.5, 3.0}) ascend(corpus, priors, lambda, 1 / temperature, false, count);
    }
  }
  assert_int_equal(count.falls, 0);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(never_falls_at_a_fixed_temperature),
                              cmocka_unit_test(never_falls_where_documents_have_one_optimum)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
