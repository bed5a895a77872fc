// The local step against the plain implementation: gamma, phi, statistics, L, F and the sums over rows, at several
// temperatures, with weights, empty and repeated rows, asymmetric priors and both forms of the topics.

#include "evaluation/evaluate.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr Number tolerance = 1e-8L;
const std::vector<double> inverse_temperatures = {0.2, 0.5, 1};

struct Case {
  const char* name;
  size_t documents, words, topics;
  bool asymmetric, point, weighted;
};

const std::vector<Case> cases = {
    {"symmetric", 6, 12, 3, false, false, false}, {"symmetric, point", 6, 12, 3, false, true, false},
    {"asymmetric", 6, 12, 3, true, false, true},  {"asymmetric, point", 6, 12, 3, true, true, true},
    {"one topic", 4, 7, 1, true, false, true},    {"17 topics", 9, 30, 17, true, false, true},
    {"one word", 3, 1, 2, true, false, false},
};

struct Problem {
  Priors priors;
  Documents corpus;
  Matrix lambda;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;
};

Problem problem_of(const Case& c) {
  Problem p;
  p.priors = c.asymmetric ? asymmetric_priors(c.topics, c.words, 3, c.point)
                          : symmetric_priors(c.topics, c.words, 0.3, 0.2, c.point);
  p.corpus = random_corpus(c.documents, c.words, c.topics, 15, 17, c.weighted);
  p.lambda = random_lambda(c.topics, c.words, 5);
  p.data = data_of(p.corpus);
  p.model = exact_model(p.priors, *p.data, p.lambda);
  return p;
}

void every_document_equals_the_plain_solution(void**) {
  for (const Case& c : cases) {
    const Problem p = problem_of(c);
    const Matrix log_beta = plain::topic_expectations(p.priors, p.lambda);
    for (const double s : inverse_temperatures) {
      for (size_t d = 0; d < c.documents; ++d) {
        const Vector& counts = p.corpus.counts[d];
        const plain::Local expected = plain::solve(p.priors, counts, s, log_beta);
        const Solved solved = solve_row(*p.model, *p.data, static_cast<int64_t>(d), at(s));
        assert_false(solved.in_log_space);
        const Number tokens = plain::sum(counts);
        for (size_t k = 0; k < c.topics; ++k) {
          check_close(c.name, solved.local.gamma[k], expected.gamma[k], tolerance);
          for (size_t v = 0; v < c.words; ++v) {
            check_close(c.name, solved.local.phi[v][k], expected.phi[v][k], tolerance, 1e-6L);
          }
        }
        const Number w = p.corpus.weights[d];
        const Number likelihood = plain::expected_log_likelihood(counts, expected, log_beta);
        const Number bound =
            s * likelihood + plain::entropy(counts, expected) - plain::divergence(expected.gamma, p.priors.alpha);
        check_close("L", solved.sums.expected_log_likelihood, w * likelihood, tolerance, tokens);
        check_close("F", solved.sums.bound, w * bound, tolerance, tokens);
        check_close("tokens", solved.sums.tokens, w * tokens, 1e-14L);
        check_close("s", solved.sums.inverse_temperature, w * s, 1e-14L);
        assert_int_equal(solved.sums.empty_rows, tokens > 0 ? 0 : 1);
        if (!(tokens > 0)) assert_true(solved.sums.bound == 0);
      }
    }
  }
}

void statistics_and_sums_of_a_batch_with_repeated_rows(void**) {
  const std::vector<int64_t> rows = {4, 0, 2, 4, 1, 4};
  for (const Case& c : cases) {
    if (c.documents < 5) continue;
    const Problem p = problem_of(c);
    const Documents batch = rows_of(p.corpus, rows);
    const Matrix log_beta = plain::topic_expectations(p.priors, p.lambda);
    for (const double s : inverse_temperatures) {
      const Vector inverse(rows.size(), s);
      std::vector<plain::Local> locals;
      for (const Vector& counts : batch.counts) locals.push_back(plain::solve(p.priors, counts, s, log_beta));
      const Matrix expected = plain::statistics(batch, inverse, locals, c.topics);
      const plain::Objective parts = plain::objective(p.priors, batch, inverse, locals, p.lambda);

      const std::unique_ptr<ConjugateFit> work = p.model->begin_fit(p.data.get(), 6);
      LocalSettings settings;
      settings.bound = true;
      const LocalSums sums = work->local_step({p.data.get(), rows.data(), 0, 6}, at(s), settings);
      const Matrix statistics = statistics_of(*p.model, *work);
      for (size_t k = 0; k < c.topics; ++k) {
        for (size_t v = 0; v < c.words; ++v) {
          check_close("S", statistics[k][v], expected[k][v], tolerance, 1e-5L);
        }
      }
      check_close("sum of L", s * sums.expected_log_likelihood, parts.likelihood, tolerance);
      check_close("sum of F", sums.bound, parts.likelihood + parts.entropy + parts.documents, tolerance);
      check_close("objective", sums.bound + p.model->global_bound(PriorPower{}), parts.total(), tolerance);
      check_close("rows", sums.rows, plain::sum(batch.weights), 1e-14L);
      assert_true(sums.count == 6);
      assert_true(sums.empty_rows == 1);

      // Without the bound the statistics have the same bits.
      settings.bound = false;
      work->local_step({p.data.get(), rows.data(), 0, 6}, at(s), settings);
      assert_true(same_bits(flat(statistics_of(*p.model, *work)), flat(statistics)));
    }
  }
}

void sums_and_statistics_are_additive(void**) {
  const Problem p = problem_of(cases[2]);
  const std::unique_ptr<ConjugateFit> work = p.model->begin_fit(nullptr, 6);
  LocalSettings settings;
  settings.bound = true;
  const auto step = [&](int64_t begin, int64_t count, std::vector<double>& out) {
    out.assign(static_cast<size_t>(LocalSums::length + work->statistics_length()), 0);
    work->local_step({p.data.get(), nullptr, begin, count}, at(0.7), settings).write(out.data());
    work->write_statistics(out.data() + LocalSums::length);
  };
  std::vector<double> all, one, two;
  step(0, 6, all);
  step(0, 2, one);
  step(2, 4, two);
  for (size_t i = 0; i < all.size(); ++i) check_close("sum of parts", one[i] + two[i], all[i], 1e-12L, 1e-12L);

  const LocalSums read = LocalSums::read(all.data());
  std::vector<double> again(LocalSums::length);
  read.write(again.data());
  assert_true(same_bits(again, std::vector<double>(all.begin(), all.begin() + LocalSums::length)));

  // Statistics read back lead to the same global step as those of the local step itself.
  const std::shared_ptr<ConjugateModel> detour = as_conjugate(p.model->copy());
  step(0, 6, all);
  const std::unique_ptr<ConjugateFit> other = detour->begin_fit(nullptr, 6);
  other->read_statistics(all.data() + LocalSums::length);
  work->whole_step(GlobalStep{1.5, 0.3, {}, {}});
  other->whole_step(GlobalStep{1.5, 0.3, {}, {}});
  assert_true(same_bits(parameter(*p.model, "lambda"), parameter(*detour, "lambda")));
}

/// s_d of a row with a learned temperature, by the rounds that conjugate_model.h promises.
struct PlainRow {
  Number s;
  plain::Local local;
};

Number expected_inverse(const RowTemperature& temperature, Number likelihood, Number tokens) {
  Vector logs;
  for (size_t m = 0; m < temperature.inverse.size(); ++m) {
    logs.push_back(temperature.inverse[m] * likelihood - tokens * temperature.log_normalizer[m]);
  }
  const Number total = plain::log_sum(logs);
  Number mean = 0;
  for (size_t m = 0; m < logs.size(); ++m) mean += temperature.inverse[m] * std::exp(logs[m] - total);
  return std::max<Number>(mean, temperature.floor);
}

PlainRow plain_row(const Priors& priors, const Vector& counts, const RowTemperature& temperature,
                   const Matrix& log_beta) {
  PlainRow row{temperature.start, {Vector(priors.topics(), 1), {}}};
  for (int round = 0; round < temperature.rounds; ++round) {
    row.local = plain::solve_from(priors, counts, row.s, log_beta, row.local.gamma, 8, 1e-13L);
    const Number before = row.s;
    row.s = expected_inverse(temperature, plain::expected_log_likelihood(counts, row.local, log_beta),
                             plain::sum(counts));
    if (std::abs(row.s - before) < 0.01L) break;
  }
  row.local = plain::solve_from(priors, counts, row.s, log_beta, row.local.gamma, 100000, 1e-15L);
  return row;
}

void temperatures_of_rows_equal_the_plain_rounds(void**) {
  for (const size_t which : {size_t{0}, size_t{2}, size_t{3}, size_t{5}}) {
    const Case& c = cases[which];
    const Problem p = problem_of(c);
    const Matrix log_beta = plain::topic_expectations(p.priors, p.lambda);
    const Number total = plain::sum(p.corpus.weights) * 15;
    for (const double floor : {0.0, 0.6}) {
      for (const int rounds : {1, 3, 200}) {
        RowTemperature temperature;
        for (int m = 1; m <= 10; ++m) {
          temperature.inverse.push_back(m / 10.0);
          temperature.log_normalizer.push_back(
              p.model->tempered_normalizer()->log_normalizer(Normalizer{}, m / 10.0, static_cast<double>(c.documents),
                                                             static_cast<double>(total)) /
              static_cast<double>(total));
        }
        temperature.floor = floor;
        temperature.start = 0.7;
        temperature.rounds = rounds;
        LocalTemperature local;
        local.inverse = temperature.start;
        local.per_row = &temperature;
        for (size_t d = 0; d < c.documents; ++d) {
          const Vector& counts = p.corpus.counts[d];
          if (!(plain::sum(counts) > 0)) continue;
          const PlainRow expected = plain_row(p.priors, counts, temperature, log_beta);
          const Solved solved = solve_row(*p.model, *p.data, static_cast<int64_t>(d), local);
          const Number s = solved.sums.inverse_temperature / p.corpus.weights[d];
          check_close("s_d", s, expected.s, tolerance);
          assert_true(s >= floor - 1e-14L && s <= 1 + 1e-14L);
          for (size_t k = 0; k < c.topics; ++k) {
            check_close("gamma", solved.local.gamma[k], expected.local.gamma[k], tolerance);
          }
          const Number likelihood = plain::expected_log_likelihood(counts, expected.local, log_beta);
          Vector logs;
          for (size_t m = 0; m < 10; ++m) {
            logs.push_back(temperature.inverse[m] * likelihood - plain::sum(counts) * temperature.log_normalizer[m] -
                           std::log(10.0L));
          }
          const Number bound = plain::log_sum(logs) + plain::entropy(counts, expected.local) -
                               plain::divergence(expected.local.gamma, p.priors.alpha);
          check_close("F", solved.sums.bound, p.corpus.weights[d] * bound, tolerance);
          // The rounds end where s_d reproduces itself, to the 0.01 that ends them.
          if (rounds > 100)
            check_close("self-consistent s_d", s, expected_inverse(temperature, likelihood, plain::sum(counts)),
                        0.02L, 1);
        }
      }
    }
  }
}

void statistics_of_rows_are_weighted_by_their_temperature(void**) {
  const Case& c = cases[2];
  const Problem p = problem_of(c);
  const Matrix log_beta = plain::topic_expectations(p.priors, p.lambda);
  RowTemperature temperature;
  temperature.inverse = {0.25, 0.5, 0.75, 1};
  temperature.log_normalizer = {2.4, 1.5, 0.7, 0};
  LocalTemperature local;
  local.inverse = temperature.start;
  local.per_row = &temperature;
  Vector inverse;
  std::vector<plain::Local> locals;
  for (const Vector& counts : p.corpus.counts) {
    if (plain::sum(counts) > 0) {
      const PlainRow row = plain_row(p.priors, counts, temperature, log_beta);
      inverse.push_back(row.s);
      locals.push_back(row.local);
    } else {
      inverse.push_back(temperature.start);
      locals.push_back(plain::solve(p.priors, counts, 1, log_beta));
    }
  }
  const Matrix expected = plain::statistics(p.corpus, inverse, locals, c.topics);
  const std::unique_ptr<ConjugateFit> work = p.model->begin_fit(p.data.get(), 6);
  work->local_step({p.data.get(), nullptr, 0, 6}, local, LocalSettings{});
  const Matrix statistics = statistics_of(*p.model, *work);
  for (size_t k = 0; k < c.topics; ++k) {
    for (size_t v = 0; v < c.words; ++v) check_close("S", statistics[k][v], expected[k][v], tolerance, 1e-5L);
  }
}

/// Documents between topics that are nearly alike settle slowly: after more updates than a step of a fit takes.
void inferred_proportions_have_settled(void**) {
  constexpr size_t documents = 8, words = 12, topics = 3;
  Problem p = problem_of({"alike", documents, words, topics, false, false, false});
  for (size_t v = 0; v < words; ++v) {
    p.lambda[1][v] = p.lambda[0][v] * (v % 2 == 0 ? 1.4L : 0.8L);
    p.lambda[2][v] = p.lambda[0][v] * (v % 3 == 0 ? 1.5L : 0.8L);
  }
  for (Vector& counts : p.corpus.counts) {
    for (Number& count : counts) count *= 10;
  }
  const std::shared_ptr<Data> data = data_of(p.corpus);
  const std::shared_ptr<ConjugateModel> model = make_model(
      {{"topics", "3"}, {"alpha", "0.3"}, {"eta", "0.2"}, {"topic_posterior", "dirichlet"}, {"precision", "double"}});
  model->initialize(*data, 1);
  model->write_parameter("lambda", flat(p.lambda).data());
  const Priors priors = symmetric_priors(topics, words, 0.3, 0.2, false);
  const Matrix log_beta = plain::topic_expectations(priors, p.lambda);
  const auto farthest = [&](Texts options) {
    options["threads"] = "1";
    std::vector<double> proportions(documents * topics);
    model->infer(*data, "proportions", OptionValues(evaluate_options(), options_of(options), "evaluate"),
                 {proportions.data(), topics, 1});
    Number off = 0;
    for (size_t d = 0; d < documents; ++d) {
      const Vector gamma = plain::solve(priors, p.corpus.counts[d], 1, log_beta).gamma;
      for (size_t k = 0; k < topics; ++k) {
        off = std::max(off, std::abs(proportions[d * topics + k] - gamma[k] / plain::sum(gamma)));
      }
    }
    return off;
  };
  const Number in_step = farthest({{"local_iterations", "100"}, {"local_tolerance", "0.001"}});
  assert_true(in_step > 0.01L);
  assert_true(farthest({}) < 0.001L);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_document_equals_the_plain_solution),
      cmocka_unit_test(statistics_and_sums_of_a_batch_with_repeated_rows),
      cmocka_unit_test(sums_and_statistics_are_additive),
      cmocka_unit_test(temperatures_of_rows_equal_the_plain_rounds),
      cmocka_unit_test(statistics_of_rows_are_weighted_by_their_temperature),
      cmocka_unit_test(inferred_proportions_have_settled),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
