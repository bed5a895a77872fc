// Rows of topics: exponentials of Dirichlet expectations, a word's row of expectations, a word's statistics.

#include <algorithm>

#include "models/lda/kernels.h"
#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

const std::vector<int64_t> topic_counts = {1, 2, 3, 7, 15, 16, 17, 100, 500};

template <class Real>
constexpr double tolerance = sizeof(Real) == sizeof(float) ? 1e-6 : 2e-15;

/// weights_k = exp{ s psi(x_k) - log_factor } to the rounding of the exponent; the largest in range.
template <class Real>
void check_dirichlet(const InstructionSet& set, const Row<Real>& x, double inverse_temperature, int64_t topics) {
  const Real s = static_cast<Real>(inverse_temperature);
  const std::string what = std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(topics) + " s " +
                           std::to_string(inverse_temperature);
  Row<Real> out(topics, Real(-1));
  const double log_factor =
      table<Real>(model_kernels<LdaKernels>(set)).dirichlet_exponential(x.data(), s, topics, out.data());
  const double negligible = sizeof(Real) == sizeof(float) ? 1e-37 : 1e-306;
  Real largest = 0;
  for (int64_t k = 0; k < topics; ++k) {
    const double psi = plain_digamma(static_cast<double>(x[k]));
    const double exponent = static_cast<double>(s) * psi - log_factor;
    const double exact = std::exp(exponent);
    largest = std::max(largest, out[k]);
    const double scale = 4.0 + static_cast<double>(s) * std::fabs(psi) + std::fabs(log_factor);
    check(std::fabs(static_cast<double>(out[k]) - exact) <= tolerance<Real> * scale * exact + negligible,
          what + ": " + std::to_string(static_cast<double>(out[k])) + " for " + std::to_string(exact) + " at x " +
              std::to_string(static_cast<double>(x[k])));
  }
  check(largest >= Real(1e-4) && largest <= Real(2e7), what + ": largest " + std::to_string(largest));
  for (int64_t k = topics; k < out.size(); ++k) check(std::isfinite(out[k]), what + ": padding");
}

template <class Real>
void check_all_dirichlet(const InstructionSet& set) {
  Random numbers(11);
  for (const int64_t topics : topic_counts) {
    for (const double s : {0.1, 0.25, 1.0, 1.5, 3.0}) {
      for (const auto& [low, high] : std::vector<std::pair<double, double>>{{0.002, 100},
                                                                            {0.01, 1},
                                                                            {0.002, 0.002},
                                                                            {0.002, 0.2},
                                                                            {0.001, 0.01},
                                                                            {1, 4000},
                                                                            {100, 1e6},
                                                                            {1e5, 1e12}}) {
        Row<Real> x(topics, Real(1));
        for (int64_t k = 0; k < topics; ++k) x[k] = static_cast<Real>(numbers.between(low, high));
        check_dirichlet(set, x, s, topics);
      }
    }
  }
}

void dirichlet_exponential(void**) {
  in_every_set([](const InstructionSet& set, auto real) { check_all_dirichlet<decltype(real)>(set); });
}

/// b_k = exp{ s (E_k - m) } and E_k - m of a word; b_k has the same bits whether E is asked for or not.
template <class Real>
void check_word(const InstructionSet& set, int64_t topics, bool point, int64_t stride, double s) {
  Random numbers(13);
  Row<Real> l(topics, 0), prior(topics, Real(1)), normalizer(topics, Real(0)), inverse(topics, Real(0));
  Row<Real> expectation(topics, Real(5)), likelihood(topics, Real(5)), alone(topics, Real(5));
  for (int64_t k = 0; k < topics; ++k) {
    l[k] = static_cast<Real>(numbers.uniform() < 0.2 ? 0.0 : numbers.between(1e-3, 1e4));
    prior[k] = static_cast<Real>(numbers.between(1e-2, 1));
    normalizer[k] = static_cast<Real>(numbers.uniform() * 3 + 5);
  }
  double least = 1e300;
  for (int64_t k = 0; k < topics; ++k) least = std::min(least, static_cast<double>(normalizer[k]));
  for (int64_t k = 0; k < topics; ++k)
    inverse[k] = static_cast<Real>(std::exp(least - static_cast<double>(normalizer[k])));
  WordTopics<Real> word;
  word.l = l.data();
  word.scale = Real(0.75);
  word.prior = prior.data();
  word.prior_stride = stride;
  word.normalizer = normalizer.data();
  word.inverse = inverse.data();
  word.point = point;
  word.inverse_temperature = static_cast<Real>(s);
  word.topics = topics;
  word.expectation = expectation.data();
  word.likelihood = likelihood.data();
  const LdaTable<Real>& functions = table<Real>(model_kernels<LdaKernels>(set));
  const double m = functions.word_topics(word);
  double largest = -1e300;
  std::vector<double> exact;
  for (int64_t k = 0; k < topics; ++k) {
    const double lambda =
        static_cast<double>(word.scale) * static_cast<double>(l[k]) + static_cast<double>(prior[k * stride]);
    exact.push_back((point ? std::log(lambda) : plain_digamma(lambda)) - static_cast<double>(normalizer[k]));
    largest = std::max(largest, exact.back());
  }
  const std::string what = std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(topics) + " s " +
                           std::to_string(s) + (point ? " point" : " dirichlet");
  check(std::fabs(m - largest) <= tolerance<Real> * 20, what + ": largest");
  for (int64_t k = 0; k < topics; ++k) {
    const double relative = exact[static_cast<std::size_t>(k)] - largest;
    const double error = tolerance<Real> * (20 + std::fabs(exact[static_cast<std::size_t>(k)]));
    check(std::fabs(static_cast<double>(expectation[k]) - relative) <= error, what + ": expectation");
    const double b = std::exp(static_cast<double>(word.inverse_temperature) * relative);
    const double negligible = sizeof(Real) == sizeof(float) ? 1e-37 : 1e-306;
    check(std::fabs(static_cast<double>(likelihood[k]) - b) <= (error + tolerance<Real>)*s * b + negligible,
          what + ": likelihood");
  }
  for (int64_t k = topics; k < likelihood.size(); ++k) {
    check(expectation[k] == Real(-1e30) && likelihood[k] == 0, what + ": padding");
  }
  word.expectation = nullptr;
  word.likelihood = alone.data();
  if (stride == 1) {  // the prior may lie where the result will
    std::copy_n(prior.data(), alone.size(), alone.data());
    word.prior = alone.data();
  }
  check(functions.word_topics(word) == 0.0, what + ": nothing is returned for nothing asked");
  for (int64_t k = 0; k < alone.size(); ++k) check(alone[k] == likelihood[k], what + ": the same bits");
}

template <class Real>
void check_words(const InstructionSet& set) {
  for (const int64_t topics : topic_counts) {
    for (const bool point : {false, true}) {
      for (const int64_t stride : {0, 1}) {
        for (const double s : {1.0, 0.4, 1.5}) check_word<Real>(set, topics, point, stride, s);
      }
    }
  }
}

void word_topics(void**) {
  in_every_set([](const InstructionSet& set, auto real) { check_words<decltype(real)>(set); });
}

/// b_k = exp{ s e_k }, and the statistics of one document at that s.
template <class Real>
void check_tempered(const InstructionSet& set, int64_t topics, double s) {
  Random numbers(31);
  const LdaTable<Real>& functions = table<Real>(model_kernels<LdaKernels>(set));
  Row<Real> e(topics, Real(-1e30)), b(topics, Real(5)), row(topics, Real(1));
  Row<Real> statistics(topics, 0), totals(topics, 0);
  for (int64_t k = 0; k < topics; ++k) {
    const double deepest = sizeof(Real) == sizeof(float) ? 120 : 900;
    e[k] = k % 3 == 0 ? Real(0) : static_cast<Real>(k % 3 == 1 ? -numbers.uniform() : -numbers.between(1, deepest));
    row[k] = static_cast<Real>(numbers.between(0.1, 10));
    statistics[k] = static_cast<Real>(k);
    totals[k] = static_cast<Real>(2 * k);
  }
  const Real weight = Real(2.5), power = static_cast<Real>(s);
  functions.word_likelihood(e.data(), power, topics, b.data());
  functions.tempered_word_statistics(row.data(), weight, e.data(), power, topics, statistics.data(), totals.data());
  const std::string what =
      std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(topics) + " s " + std::to_string(s);
  const double negligible = sizeof(Real) == sizeof(float) ? 3e-38 : 3e-308;
  for (int64_t k = 0; k < topics; ++k) {
    const double exponent = static_cast<double>(power) * static_cast<double>(e[k]);
    const double exact = std::exp(exponent);
    const double error = tolerance<Real> * (2 + std::fabs(exponent)) * exact + negligible;
    check(std::fabs(static_cast<double>(b[k]) - exact) <= error, what + ": likelihood");
    const double factor = static_cast<double>(weight) * static_cast<double>(row[k]);
    const double rounding = 4 * tolerance<Real> * (2 * static_cast<double>(k) + factor * exact);
    check(std::fabs(static_cast<double>(statistics[k]) - static_cast<double>(k) - factor * exact) <=
              factor * error + rounding,
          what + ": statistics");
    check(std::fabs(static_cast<double>(totals[k]) - 2 * static_cast<double>(k) - factor * exact) <=
              factor * error + rounding,
          what + ": totals");
  }
  for (int64_t k = topics; k < b.size(); ++k) {
    check(b[k] == 0 && statistics[k] == 0 && totals[k] == 0, what + ": padding");
  }
}

template <class Real>
void check_all_tempered(const InstructionSet& set) {
  for (const int64_t topics : topic_counts) {
    for (const double s : {1.0, 0.25, 0.7, 1.5}) check_tempered<Real>(set, topics, s);
  }
}

void words_at_another_temperature(void**) {
  in_every_set([](const InstructionSet& set, auto real) { check_all_tempered<decltype(real)>(set); });
}

template <class Real>
void check_word_statistics(const InstructionSet& set) {
  Random numbers(17);
  for (const int64_t topics : topic_counts) {
    for (const int64_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 31, 100}) {
      std::vector<Row<Real>> rows;
      std::vector<const Real*> pointers;
      std::vector<Real> weights;
      for (int64_t i = 0; i < count; ++i) {
        rows.emplace_back(topics, Real(1));
        for (int64_t k = 0; k < topics; ++k) rows.back()[k] = static_cast<Real>(numbers.uniform());
        pointers.push_back(rows.back().data());
        weights.push_back(static_cast<Real>(numbers.between(0.1, 10)));
      }
      Row<Real> b(topics, 0), e(topics, Real(-1e30)), statistics(topics, 0), totals(topics, 0),
          scratch(topics, Real(9));
      for (int64_t k = 0; k < topics; ++k) {
        b[k] = static_cast<Real>(numbers.uniform());
        e[k] = static_cast<Real>(-numbers.between(0.1, 10));
        statistics[k] = static_cast<Real>(k);
      }
      std::vector<double> added(static_cast<std::size_t>(topics));
      double total = 0.0, size = 1e-300;
      for (int64_t k = 0; k < topics; ++k) {
        double sum = 0.0;
        for (int64_t i = 0; i < count; ++i) {
          sum += static_cast<double>(weights[static_cast<std::size_t>(i)]) *
                 static_cast<double>(rows[static_cast<std::size_t>(i)][k]);
        }
        added[static_cast<std::size_t>(k)] = static_cast<double>(b[k]) * sum;
        total += static_cast<double>(b[k]) * sum * static_cast<double>(e[k]);
        size += std::fabs(static_cast<double>(b[k]) * sum * static_cast<double>(e[k]));
      }
      const LdaTable<Real>& functions = table<Real>(model_kernels<LdaKernels>(set));
      const double returned = functions.word_statistics(pointers.data(), weights.data(), count, b.data(), e.data(),
                                                        topics, statistics.data(), totals.data(), scratch.data());
      const std::string what = std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(topics) +
                               " documents " + std::to_string(count);
      check(std::fabs(returned - total) <= 4 * tolerance<Real> * size, what + ": product");
      for (int64_t k = 0; k < topics; ++k) {
        const double expected = static_cast<double>(k) + added[static_cast<std::size_t>(k)];
        check(std::fabs(static_cast<double>(statistics[k]) - expected) <= 4 * tolerance<Real> * expected,
              what + ": statistics");
        check(std::fabs(static_cast<double>(totals[k]) - added[static_cast<std::size_t>(k)]) <=
                  4 * tolerance<Real> * added[static_cast<std::size_t>(k)],
              what + ": totals");
      }
      for (int64_t k = topics; k < statistics.size(); ++k) check(statistics[k] == 0, what + ": padding");
      check(functions.word_statistics(pointers.data(), weights.data(), count, b.data(), nullptr, topics,
                                      statistics.data(), nullptr, scratch.data()) == 0.0,
            what + ": product without e");
    }
  }
}

void word_statistics(void**) {
  in_every_set([](const InstructionSet& set, auto real) { check_word_statistics<decltype(real)>(set); });
}

/// in_parts: the statistics are the sum of two rows that are not aligned.
template <class Real>
void check_update(const InstructionSet& set, bool in_parts) {
  Random numbers(19);
  for (const int64_t topics : topic_counts) {
    for (const double kept : {0.0, 1.0}) {
      Row<Real> l(topics, 0), statistics(topics, 0), prior(topics, 0);
      const auto room = static_cast<std::size_t>(statistics.size()) + 1;
      std::vector<Real> first(room, Real(0)), second(room, Real(0));
      WordUpdate<Real> word;
      word.scale = Real(0.5);
      word.prior_weight = Real(-0.25);
      word.constant = Real(0.125);
      word.target = Real(40);
      word.kept = static_cast<Real>(kept);
      word.factor = Real(3);
      word.topics = topics;
      std::vector<double> expected;
      double before = 0, moved = 0, size = 0;
      for (int64_t k = 0; k < topics; ++k) {
        l[k] = static_cast<Real>(numbers.between(0.1, 100));
        statistics[k] = static_cast<Real>(numbers.uniform());
        first[static_cast<std::size_t>(k) + 1] = statistics[k];
        if (in_parts) {
          const Real other = static_cast<Real>(numbers.uniform());
          second[static_cast<std::size_t>(k) + 1] = other;
          statistics[k] += other;
        }
        prior[k] = static_cast<Real>(numbers.between(0.01, 1));
        const double old = 0.5 * static_cast<double>(l[k]) - 0.25 * static_cast<double>(prior[k]) + 0.125;
        before += old;
        moved += std::fabs(40 * static_cast<double>(statistics[k]) - old);
        size += std::fabs(old) + 40 * static_cast<double>(statistics[k]);
        expected.push_back(kept * static_cast<double>(l[k]) + 3 * static_cast<double>(statistics[k]));
      }
      word.l = l.data();
      word.statistics = in_parts ? first.data() + 1 : statistics.data();
      word.added = in_parts ? second.data() + 1 : nullptr;
      word.prior = prior.data();
      const WordChange change = table<Real>(model_kernels<LdaKernels>(set)).update_word(word);
      const std::string what = std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(topics) +
                               (in_parts ? " in parts" : "");
      check(std::fabs(change.before - before) <= 4 * tolerance<Real> * size, what + ": mass before");
      check(std::fabs(change.moved - moved) <= 4 * tolerance<Real> * size, what + ": mass moved");
      for (int64_t k = 0; k < topics; ++k) {
        const double exact = expected[static_cast<std::size_t>(k)];
        check(std::fabs(static_cast<double>(l[k]) - exact) <= tolerance<Real> * exact, what + ": updated row");
      }
      for (int64_t k = topics; k < l.size(); ++k) check(l[k] == 0, what + ": padding");
    }
  }
}

void update_word(void**) {
  in_every_set([](const InstructionSet& set, auto real) {
    for (const bool in_parts : {false, true}) check_update<decltype(real)>(set, in_parts);
  });
}

/// Places of the elements above a bound, one of which equals it.
template <class Real>
void check_places_above(const InstructionSet& set) {
  Random numbers(23);
  for (const int64_t topics : topic_counts) {
    for (const double bound : {0.0, 0.5, 0.95, 2.0}) {
      Row<Real> x(topics, 0);
      std::vector<int32_t> expected;
      for (int64_t k = 0; k < topics; ++k) {
        x[k] = static_cast<Real>(k % 7 == 3 ? bound : numbers.uniform());
        if (x[k] > static_cast<Real>(bound)) expected.push_back(static_cast<int32_t>(k));
      }
      std::vector<int32_t> places(static_cast<std::size_t>(padded(topics)), -1);
      const int64_t count = table<Real>(model_kernels<LdaKernels>(set))
                                .places_above(x.data(), static_cast<Real>(bound), topics, places.data());
      const std::string what = std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(topics);
      check(count == static_cast<int64_t>(expected.size()), what + ": how many are above");
      check(std::equal(expected.begin(), expected.end(), places.begin()), what + ": which are above");
    }
  }
}

void places_above(void**) {
  in_every_set([](const InstructionSet& set, auto real) { check_places_above<decltype(real)>(set); });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(dirichlet_exponential),
                              cmocka_unit_test(word_topics),
                              cmocka_unit_test(words_at_another_temperature),
                              cmocka_unit_test(word_statistics),
                              cmocka_unit_test(update_word),
                              cmocka_unit_test(places_above)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
