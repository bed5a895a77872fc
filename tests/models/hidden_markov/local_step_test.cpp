// The local step against the textbook's recursion and against all paths written out; temperatures of rows; sequences
// that leave the range of doubles; threads; sums.

#include "models/hidden_markov/fixtures.h"
#include "models/hidden_markov/work.h"

using namespace fixtures;
using namespace vtemper;

namespace {

struct Setting {
  size_t states, symbols;
  SequenceList sequences;
  std::shared_ptr<Data> data;
  std::shared_ptr<ConjugateModel> model;

  Setting(size_t state_count, size_t symbol_count, size_t rows, int64_t longest, uint64_t seed)
      : states(state_count),
        symbols(symbol_count),
        sequences(random_sequences(rows, longest, static_cast<int64_t>(symbol_count), seed, true)),
        data(data_of(sequences, static_cast<int64_t>(symbol_count))),
        model(model_of({{"states", number_text(static_cast<int64_t>(state_count))}})) {
    model->initialize(*data, seed);
    set_parameters(*model, random_parameters(states, symbols, seed + 1));
  }
  Rows dirichlets() const { return rows_of(flat_parameters(*model), states, symbols); }
};

void check_rows(const char* what, const std::vector<double>& seen, const Rows& expected, Number tolerance) {
  const Rows rows = rows_of(seen, expected.initial.size(), expected.emission[0].size());
  plain::for_rows(rows, expected, [&](const Vector& a, const Vector& b) {
    for (size_t i = 0; i < a.size(); ++i) check_close(what, a[i], b[i], tolerance, 1);
  });
}

/// Sums over the rows, as the model's interface needs them.
template <class Solve>
void compare(const Setting& setting, double s, const Solve& solve, Number tolerance) {
  const Rows logs = plain::expected_logs(setting.dirichlets());
  const Rows weights = plain::powers(logs, s);
  Rows counts = plain::zeros(setting.states, setting.symbols);
  Number bound = 0, likelihood = 0, tokens = 0, empty = 0;
  for (size_t n = 0; n < setting.sequences.size(); ++n) {
    const Number weight = setting.data->weight(static_cast<int64_t>(n));
    tokens += weight * Number(setting.sequences[n].size());
    empty += setting.sequences[n].empty() ? 1 : 0;
    if (setting.sequences[n].empty()) continue;
    const plain::Local local = solve(weights, setting.sequences[n]);
    bound += weight * local.log_normalizer;
    likelihood += weight * plain::dot(local.counts, logs);
    Rows& sums = counts;
    for (size_t k = 0; k < setting.states; ++k) {
      sums.initial[k] += weight * s * local.counts.initial[k];
      for (size_t j = 0; j < setting.states; ++j) sums.transition[j][k] += weight * s * local.counts.transition[j][k];
      for (size_t v = 0; v < setting.symbols; ++v) sums.emission[k][v] += weight * s * local.counts.emission[k][v];
    }
  }
  const Step step(*setting.model, *setting.data, at(s));
  check_rows("expected counts", step.statistics, counts, tolerance);
  check_close("bound", step.sums.bound, bound, tolerance);
  check_close("expected log likelihood", step.sums.expected_log_likelihood, likelihood, tolerance);
  check_close("tokens", step.sums.tokens, tokens, 1e-15L);
  check_close("empty rows", step.sums.empty_rows, empty, 0, 1);
}

void test_against_all_paths(void**) {
  for (const double s : {1.0, 0.6, 0.15}) {
    for (const size_t states : {1u, 2u, 3u}) {
      compare(Setting(states, 4, 6, 6, 10 + states), s, plain::enumerate, 1e-12L);
    }
  }
}

void test_against_the_textbook(void**) {
  for (const double s : {1.0, 0.7}) {
    // 8 and 16 fill rows of states; 9 and 17 go over; rows of the recursion come in all numbers up to 64.
    for (const size_t states : {1u, 5u, 8u, 9u, 16u, 17u, 33u}) {
      Setting setting(states, 11, 70, 40, states);
      std::vector<double> weights(setting.sequences.size());
      for (size_t n = 0; n < weights.size(); ++n) weights[n] = n % 5 == 0 ? 0 : 0.5 + static_cast<double>(n % 3);
      compare(setting, s, plain::forward_backward, 1e-12L);
      data_set_weights(*setting.data, weights);
      compare(setting, s, plain::forward_backward, 1e-12L);
    }
  }
}

/// Sharp parameters: psi(0.001) is -1000, and products of a few steps leave the range of doubles.
void test_sequences_in_logarithms(void**) {
  Setting setting(3, 4, 8, 7, 5);
  std::vector<double> flat = flat_parameters(*setting.model);
  for (size_t i = 0; i < flat.size(); ++i) flat[i] = i % 3 == 1 ? 2 : 0.004;
  set_parameters(*setting.model, flat);
  compare(setting, 1, plain::enumerate, 1e-12L);
  for (double& value : flat) value = value < 1 ? 1e-7 : value;
  set_parameters(*setting.model, flat);
  const Step step(*setting.model, *setting.data, at(1));
  assert_true(std::isfinite(step.sums.bound) && std::isfinite(step.sums.expected_log_likelihood));
  double total = 0;
  for (const double value : step.statistics) {
    assert_true(value >= 0);
    total += value;
  }
  // Each symbol is counted once in the emissions, and once as an initial or a next state. Logarithms of 1e7 leave
  // nine digits.
  check_close("counts", total, 2 * step.sums.tokens, 1e-8L);
}

/// A state whose forward probability has underflowed although the rest of a long sequence supports it.
void test_lost_states(void**) {
  SequenceList sequences(1);
  for (int t = 0; t < 3000; ++t) sequences[0].push_back(t % 1000 < 500 ? 0 : 1);
  const auto data = data_of(sequences, 2);
  const auto model = model_of({{"states", "2"}});
  model->initialize(*data, 1);
  // From 0 to 1 and never back; 0 gives mostly symbol 0, 1 mostly symbol 1.
  set_parameters(*model, {100, 1e-3, 100, 100, 1e-6, 1000, 1000, 1, 1, 1000});
  const Step step(*model, *data, at(1));
  assert_true(std::isfinite(step.sums.bound));
  double total = 0;
  for (const double value : step.statistics) {
    assert_true(std::isfinite(value) && value >= 0);
    total += value;
  }
  check_close("counts", total, 2 * 3000, 1e-9L);
}

void test_threads_and_chunks(void**) {
  const Setting setting(12, 30, 900, 90, 3);
  for (const double s : {1.0, 0.8}) {
    const Step one(*setting.model, *setting.data, at(s), 1);
    for (const int threads : {2, 3, 8}) {
      const Step more(*setting.model, *setting.data, at(s), threads);
      assert_true(one.statistics == more.statistics);
      assert_true(one.sums.bound == more.sums.bound);
      assert_true(one.sums.expected_log_likelihood == more.sums.expected_log_likelihood);
    }
  }
  // Statistics of two halves add up to those of the whole.
  std::vector<int64_t> some, others;
  for (int64_t row = 0; row < setting.data->rows(); ++row) (row % 3 == 0 ? some : others).push_back(row);
  const auto half = data_select(*setting.data, some.data(), static_cast<int64_t>(some.size()));
  const auto rest = data_select(*setting.data, others.data(), static_cast<int64_t>(others.size()));
  const Step whole(*setting.model, *setting.data, at(1));
  const Step first(*setting.model, *half, at(1)), second(*setting.model, *rest, at(1));
  for (size_t i = 0; i < whole.statistics.size(); ++i) {
    check_close("sum of halves", first.statistics[i] + second.statistics[i], whole.statistics[i], 1e-12L, 1e-6L);
  }
}

void test_statistics_go_out_and_in(void**) {
  const Setting setting(3, 5, 9, 6, 8);
  const Step step(*setting.model, *setting.data, at(1));
  std::vector<double> doubled = step.statistics;
  for (double& value : doubled) value *= 2;
  step.work->read_statistics(doubled.data());
  std::vector<double> read(doubled.size());
  step.work->write_statistics(read.data());
  assert_true(read == doubled);
}

/// Temperatures of rows: counts at the row's own s, which the posterior of its temperature settles on.
void test_temperatures_of_rows(void**) {
  const Setting setting(3, 5, 12, 9, 4);
  RowTemperature row;
  for (int m = 0; m < 7; ++m) row.inverse.push_back(0.4 + 0.1 * m);
  row.log_normalizer.assign(7, std::nan(""));
  row.rounds = 200;
  row.start = 0.6;
  row.normalizer.estimate = "moment";
  LocalTemperature temperature;
  temperature.per_row = &row;
  const Rows logs = plain::expected_logs(setting.dirichlets());
  Number bound = 0, inverse = 0;
  const Step step(*setting.model, *setting.data, temperature);
  const auto& work = static_cast<FitOf<HiddenMarkov, HiddenMarkovWork>&>(*step.work).work();
  Rows counts = plain::zeros(3, 5);
  for (size_t n = 0; n < setting.sequences.size(); ++n) {
    const double s = work.rows[n].inverse_temperature;
    inverse += s;
    if (setting.sequences[n].empty()) continue;
    const plain::Local local = plain::enumerate(plain::powers(logs, s), setting.sequences[n]);
    const Number likelihood = plain::dot(local.counts, logs);
    std::vector<double> normalizers;
    for (const double grid : row.inverse) {
      normalizers.push_back(setting.model->tempered_normalizer()->log_normalizer(
          Normalizer{}, grid, 1, static_cast<double>(setting.sequences[n].size())));
    }
    check_close("settled", s, row.expected_inverse(static_cast<double>(likelihood), normalizers.data()), 0.01L);
    bound +=
        local.log_normalizer - s * likelihood + row.log_evidence(static_cast<double>(likelihood), normalizers.data());
    for (size_t k = 0; k < 3; ++k) {
      counts.initial[k] += s * local.counts.initial[k];
      for (size_t j = 0; j < 3; ++j) counts.transition[j][k] += s * local.counts.transition[j][k];
      for (size_t v = 0; v < 5; ++v) counts.emission[k][v] += s * local.counts.emission[k][v];
    }
  }
  check_close("bound", step.sums.bound, bound, 1e-11L);
  check_close("inverse temperatures", step.sums.inverse_temperature, inverse, 1e-12L);
  check_rows("counts", step.statistics, counts, 1e-11L);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_against_all_paths),       cmocka_unit_test(test_against_the_textbook),
      cmocka_unit_test(test_sequences_in_logarithms), cmocka_unit_test(test_lost_states),
      cmocka_unit_test(test_threads_and_chunks),      cmocka_unit_test(test_statistics_go_out_and_in),
      cmocka_unit_test(test_temperatures_of_rows),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
