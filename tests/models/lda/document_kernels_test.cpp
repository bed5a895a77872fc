// The local problem of a document against plain code in double, in every instruction set.

#include <algorithm>
#include <cstring>

#include "models/lda/kernels.h"
#include "unit/kernels/kernels.h"

using namespace vtemper::kernels;

namespace {

template <class Real>
struct Problem {
  int64_t topics, words;
  std::vector<Row<Real>> b;
  std::vector<const Real*> rows;
  std::vector<Real> counts, ratios;
  Row<Real> alpha, gamma, weights, scratch;
  std::vector<Row<Real>> packed;
  std::vector<const Real*> packed_rows;
  std::vector<int32_t> kept;

  Problem(int64_t K, int64_t W, uint64_t seed)
      : topics(K), words(W), alpha(K, 1), gamma(K, 1), weights(K, 0), scratch(K, 0) {
    Random numbers(seed);
    for (int64_t w = 0; w < W; ++w) {
      b.emplace_back(K, Real(0));
      for (int64_t k = 0; k < K; ++k) b.back()[k] = static_cast<Real>(std::pow(numbers.uniform(), 3.0));
      b.back()[static_cast<int64_t>(numbers.uniform() * static_cast<double>(K))] = 1;
      rows.push_back(b.back().data());
      counts.push_back(static_cast<Real>(1 + static_cast<int>(numbers.uniform() * 4)));
    }
    ratios.assign(static_cast<std::size_t>(W), Real(-1));
    for (int64_t k = 0; k < K; ++k) alpha[k] = static_cast<Real>(numbers.between(0.01, 0.5));
  }

  DocumentResult solve(const InstructionSet& set, double s, int64_t iterations, double tolerance,
                       double sparsity = 0) {
    Document<Real> document;
    document.rows = rows.data();
    document.counts = counts.data();
    document.words = words;
    document.topics = topics;
    document.alpha = alpha.data();
    document.inverse_temperature = static_cast<Real>(s);
    document.iterations = iterations;
    document.tolerance = static_cast<Real>(tolerance);
    document.gamma = gamma.data();
    document.weights = weights.data();
    document.ratios = ratios.data();
    document.scratch = scratch.data();
    if (sparsity > 0) {
      const int64_t length = packed_length(topics);
      packed.clear();
      packed.emplace_back(words * length, Real(-1));
      packed.emplace_back(4 * length, Real(-1));
      packed_rows.assign(static_cast<std::size_t>(words), nullptr);
      kept.assign(static_cast<std::size_t>(2 * length), -1);
      document.sparsity = static_cast<Real>(sparsity);
      document.packed = packed[0].data();
      document.packed_topics = packed[1].data();
      document.packed_rows = packed_rows.data();
      document.kept = kept.data();
    }
    return table<Real>(model_kernels<LdaKernels>(set)).document(document);
  }
};

struct Plain {
  std::vector<double> gamma;
  int64_t iterations = 0;
  double change = 0.0;  ///< the mean of the last iteration
};

/// sums_k = sum_w n_w b_wk / sum_k a_k b_wk
template <class Real>
std::vector<double> plain_sums(const Problem<Real>& problem, const std::vector<double>& a) {
  std::vector<double> sums(a.size(), 0.0);
  for (std::size_t w = 0; w < problem.counts.size(); ++w) {
    double dot = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) dot += a[k] * static_cast<double>(problem.rows[w][k]);
    for (std::size_t k = 0; k < a.size(); ++k) {
      sums[k] += static_cast<double>(problem.counts[w]) / dot * static_cast<double>(problem.rows[w][k]);
    }
  }
  return sums;
}

template <class Real>
std::vector<double> plain_weights(const std::vector<double>& gamma, double s) {
  std::vector<double> a;
  for (const double value : gamma)
    a.push_back(std::exp(static_cast<double>(static_cast<Real>(s)) * plain_digamma(value)));
  return a;
}

template <class Real>
Plain solve_plainly(const Problem<Real>& problem, double s, int64_t iterations, double tolerance) {
  Plain plain;
  plain.gamma.assign(static_cast<std::size_t>(problem.topics), 1.0);
  while (plain.iterations < iterations) {
    const std::vector<double> a = plain_weights<Real>(plain.gamma, s);
    const std::vector<double> sums = plain_sums(problem, a);
    plain.change = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double next = static_cast<double>(problem.alpha[static_cast<int64_t>(k)]) +
                          static_cast<double>(static_cast<Real>(s)) * a[k] * sums[k];
      plain.change += std::fabs(next - plain.gamma[k]) / static_cast<double>(a.size());
      plain.gamma[k] = next;
    }
    ++plain.iterations;
    if (plain.change < static_cast<double>(static_cast<Real>(tolerance))) break;
  }
  return plain;
}

template <class Real>
constexpr double accuracy = sizeof(Real) == sizeof(float) ? 1e-4 : 1e-12;

template <class Real>
std::string description(const InstructionSet& set, const Problem<Real>& problem, double s) {
  return std::string(set.name) + " " + name_of<Real>() + " K " + std::to_string(problem.topics) + " words " +
         std::to_string(problem.words) + " s " + std::to_string(s);
}

template <class Real>
std::vector<double> doubles(const Row<Real>& row, int64_t n) {
  std::vector<double> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(static_cast<double>(row[i]));
  return result;
}

/// Weights, ratios and padding belong to the gamma that was returned.
template <class Real>
void check_consistency(const Problem<Real>& problem, const DocumentResult& result, double s,
                       const std::string& what) {
  const std::vector<double> gamma = doubles(problem.gamma, problem.topics);
  const std::vector<double> a = plain_weights<Real>(gamma, s);
  const double factor = std::exp(-result.log_factor);
  const double rounding = sizeof(Real) == sizeof(float) ? 2e-5 : 1e-12;
  for (std::size_t k = 0; k < a.size(); ++k) {
    check(std::fabs(static_cast<double>(problem.weights[static_cast<int64_t>(k)]) - a[k] * factor) <=
              rounding * a[k] * factor + 1e-37,
          what + ": weights");
  }
  for (std::size_t w = 0; w < problem.counts.size(); ++w) {
    double dot = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      dot += static_cast<double>(problem.weights[static_cast<int64_t>(k)]) * static_cast<double>(problem.rows[w][k]);
    }
    const double exact = static_cast<double>(problem.counts[w]) / dot;
    check(std::fabs(static_cast<double>(problem.ratios[w]) - exact) <= rounding * exact, what + ": ratios");
  }
  for (int64_t k = problem.topics; k < problem.gamma.size(); ++k) {
    check(problem.gamma[k] == 1 && std::isfinite(problem.weights[k]), what + ": padding");
  }
}

template <class Real>
void check_against_plain(const InstructionSet& set, int64_t topics, int64_t words, double s) {
  // A fixed number of iterations: where the tolerance stops may differ by rounding.
  for (const int64_t iterations : {0, 1, 7}) {
    Problem<Real> problem(topics, words, static_cast<uint64_t>(topics * 100 + words));
    const std::string what = description(set, problem, s) + " iterations " + std::to_string(iterations);
    const DocumentResult result = problem.solve(set, s, iterations, 0.0);
    check(result.iterations == iterations, what + ": iterations");
    check(!result.underflow, what + ": underflow");
    const Plain plain = solve_plainly(problem, s, iterations, 0.0);
    for (int64_t k = 0; k < topics; ++k) {
      const double exact = plain.gamma[static_cast<std::size_t>(k)];
      check(std::fabs(static_cast<double>(problem.gamma[k]) - exact) <= accuracy<Real> * exact,
            what + ": gamma " + std::to_string(static_cast<double>(problem.gamma[k])) + ", plainly " +
                std::to_string(exact));
    }
    check_consistency(problem, result, s, what);
  }
}

template <class Real>
void check_sizes(const InstructionSet& set) {
  for (const int64_t topics : {1, 2, 3, 7, 16, 17, 100, 500}) {
    for (int64_t words = 1; words <= 40; words += topics < 100 || words < 9 ? 1 : 7) {
      for (const double s : {0.1, 0.25, 1.0}) check_against_plain<Real>(set, topics, words, s);
    }
  }
  // Several groups of words.
  check_against_plain<Real>(set, 100, 131, 1.0);
  check_against_plain<Real>(set, 500, 67, 0.5);
}

void agrees_with_plain_code(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_sizes<float>(*set);
    check_sizes<double>(*set);
  }
}

template <class Real>
void check_stopping(const InstructionSet& set) {
  for (const double s : {0.25, 1.0}) {
    Problem<Real> problem(17, 12, 5);
    const double tolerance = 1e-3;
    const DocumentResult result = problem.solve(set, s, 1000, tolerance);
    const Plain plain = solve_plainly(problem, s, result.iterations, tolerance * 0.999);
    const std::string what = description(set, problem, s);
    check(result.iterations < 1000 && plain.iterations == result.iterations, what + ": stopped early");
    check(plain.change < tolerance * 1.001, what + ": stopped before the tolerance");
    // Further on it is a fixed point: gamma_k = alpha_k + s a_k sum_w r_w b_wk.
    problem.solve(set, s, 5000, sizeof(Real) == sizeof(float) ? 1e-7 : 1e-14);
    const std::vector<double> gamma = doubles(problem.gamma, problem.topics);
    const std::vector<double> a = plain_weights<Real>(gamma, s);
    const std::vector<double> sums = plain_sums(problem, a);
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double next = static_cast<double>(problem.alpha[static_cast<int64_t>(k)]) +
                          static_cast<double>(static_cast<Real>(s)) * a[k] * sums[k];
      check(std::fabs(next - gamma[k]) <= (sizeof(Real) == sizeof(float) ? 1e-5 : 1e-12) * (1 + gamma[k]),
            what + ": fixed point");
    }
  }
}

void stops_at_the_tolerance_and_finds_the_fixed_point(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_stopping<float>(*set);
    check_stopping<double>(*set);
  }
}

/// Hundreds of topics with a tiny prior: nearly all weights vanish, and the largest must not.
template <class Real>
void check_tiny_prior(const InstructionSet& set) {
  for (const double s : {0.25, 1.0}) {
    for (const double start : {1.0, 0.004, 0.0021}) {
      Problem<Real> problem(500, 3, 9);
      for (int64_t k = 0; k < problem.topics; ++k) {
        problem.alpha[k] = Real(0.002);
        problem.gamma[k] = static_cast<Real>(start);
      }
      // Topics that hold none of the words keep gamma = alpha, psi = -500.
      for (Row<Real>& row : problem.b) {
        for (int64_t k = 5; k < problem.topics; ++k) row[k] = 0;
      }
      const DocumentResult result = problem.solve(set, s, 20, 0.0);
      const std::string what = description(set, problem, s) + " tiny prior";
      check(!result.underflow, what + ": underflow");
      double total = 0.0, tokens = 0.0;
      for (int64_t k = 0; k < problem.topics; ++k) total += static_cast<double>(problem.gamma[k]);
      for (const Real count : problem.counts) tokens += static_cast<double>(count);
      check(std::fabs(total - (1.0 + s * tokens)) < 1e-4 * total, what + ": sum of gamma");
      check(std::fabs(static_cast<double>(problem.gamma[7]) - 0.002) < 1e-9, what + ": topic without words");
    }
  }
}

void tiny_prior(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_tiny_prior<float>(*set);
    check_tiny_prior<double>(*set);
  }
}

template <class Real>
void check_underflow(const InstructionSet& set) {
  const double tiny = sizeof(Real) == sizeof(float) ? 1e-39 : 1e-309;
  for (const double value : {0.0, tiny}) {
    for (const int64_t iterations : {0, 5}) {
      for (const int64_t bad : {0, 9, 10}) {
        Problem<Real> problem(20, 11, 1);
        for (int64_t k = 0; k < problem.topics; ++k)
          problem.b[static_cast<std::size_t>(bad)][k] = static_cast<Real>(value);
        const DocumentResult result = problem.solve(set, 1.0, iterations, 1e-3);
        // One iteration may lift a subnormal product to a normal one.
        check(result.underflow || (value > 0.0 && iterations > 0), description(set, problem, 1.0) + ": not flagged");
      }
    }
  }
}

void underflow_is_flagged(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_underflow<float>(*set);
    check_underflow<double>(*set);
  }
}

template <class Real>
void check_repeatable(const InstructionSet& set) {
  // The same document at other addresses.
  Problem<Real> first(100, 37, 3), second(100, 37, 3);
  first.solve(set, 0.5, 30, 1e-4);
  second.solve(set, 0.5, 30, 1e-4);
  check(std::memcmp(first.gamma.data(), second.gamma.data(), 100 * sizeof(Real)) == 0, "gamma repeats");
  check(std::memcmp(first.ratios.data(), second.ratios.data(), 37 * sizeof(Real)) == 0, "ratios repeat");
}

void same_document_same_bits(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    check_repeatable<float>(*set);
    check_repeatable<double>(*set);
  }
}

/// The updates with topics dropped, on sets of topics instead of packed rows.
template <class Real>
std::vector<double> drop_plainly(const Problem<Real>& problem, double s, int64_t iterations, double sparsity,
                                 std::vector<bool>& kept) {
  std::vector<double> gamma(static_cast<std::size_t>(problem.topics), 1.0);
  kept.assign(gamma.size(), true);
  int64_t length = padded(problem.topics);
  for (int64_t iteration = 1; iteration <= iterations; ++iteration) {
    std::vector<double> a = plain_weights<Real>(gamma, s);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = kept[k] ? a[k] : 0.0;
    const std::vector<double> sums = plain_sums(problem, a);
    std::vector<bool> left(gamma.size());
    int64_t count = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      gamma[k] = static_cast<double>(problem.alpha[static_cast<int64_t>(k)]) + s * a[k] * sums[k];
      left[k] = a[k] * sums[k] > sparsity;
      count += left[k] ? 1 : 0;
    }
    if (iteration < 3 || padded(count) > length / 2) continue;
    kept = left;
    length = padded(count);
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (!kept[k]) gamma[k] = static_cast<double>(problem.alpha[static_cast<int64_t>(k)]);
    }
  }
  return gamma;
}

template <class Real>
void check_dropping(const InstructionSet& set, int64_t topics, int64_t words, double s, double sparsity) {
  Problem<Real> problem(topics, words, static_cast<uint64_t>(topics + words));
  for (Row<Real>& row : problem.b) {
    for (int64_t k = 0; k < topics; ++k) row[k] = row[k] * row[k] * row[k];  // documents with few topics
  }
  constexpr int64_t iterations = 25;
  const DocumentResult result = problem.solve(set, s, iterations, 0.0, sparsity);
  std::vector<bool> kept;
  const std::vector<double> gamma = drop_plainly(problem, s, iterations, sparsity, kept);
  const std::string what = description(set, problem, s) + " dropping";
  check(!result.underflow && result.iterations == iterations, what + ": solved");
  check(result.topics == std::count(kept.begin(), kept.end(), true), what + ": topics left");
  check(result.topics < topics || topics < 100 || words > 26 || s < 1,
        what + ": the problem is one that drops topics");
  const std::vector<double> a = plain_weights<Real>(doubles(problem.gamma, topics), s);
  const double factor = std::exp(-result.log_factor);
  for (int64_t k = 0; k < topics; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    if (!kept[i]) {
      check(problem.gamma[k] == problem.alpha[k] && problem.weights[k] == 0, what + ": dropped topic");
      continue;
    }
    check(std::fabs(static_cast<double>(problem.gamma[k]) - gamma[i]) <= accuracy<Real> * 10 * gamma[i],
          what + ": gamma");
    check(
        std::fabs(static_cast<double>(problem.weights[k]) - a[i] * factor) <= accuracy<Real> * a[i] * factor + 1e-37,
        what + ": weights");
  }
  for (std::size_t w = 0; w < problem.counts.size(); ++w) {
    double dot = 0.0;
    for (int64_t k = 0; k < topics; ++k)
      dot += static_cast<double>(problem.weights[k]) * static_cast<double>(problem.rows[w][k]);
    const double exact = static_cast<double>(problem.counts[w]) / dot;
    check(std::fabs(static_cast<double>(problem.ratios[w]) - exact) <= accuracy<Real> * exact, what + ": ratios");
  }
  for (int64_t k = topics; k < problem.gamma.size(); ++k) {
    check(problem.gamma[k] == 1 && std::isfinite(problem.weights[k]), what + ": padding");
  }
}

void drops_topics_as_plain_code_does(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    for (const int64_t topics : {40, 100, 500}) {
      for (const int64_t words : {1, 5, 26, 90}) {
        for (const double s : {0.7, 1.0}) {
          check_dropping<float>(*set, topics, words, s, 1e-3);
          check_dropping<double>(*set, topics, words, s, 1e-3);
        }
      }
    }
  }
}

/// If no topic is below the sparsity nothing changes, not even a bit.
void keeps_topics_that_hold_words(void**) {
  for (const InstructionSet* set : available_instruction_sets()) {
    Problem<double> all(100, 37, 3), sparse(100, 37, 3);
    all.solve(*set, 1.0, 30, 1e-6);
    const DocumentResult result = sparse.solve(*set, 1.0, 30, 1e-6, 1e-300);
    check(result.topics == 100, "all topics are left");
    check(std::memcmp(all.gamma.data(), sparse.gamma.data(), 100 * sizeof(double)) == 0, "the same gamma");
    check(std::memcmp(all.weights.data(), sparse.weights.data(), 100 * sizeof(double)) == 0, "the same weights");
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(agrees_with_plain_code),
                              cmocka_unit_test(stops_at_the_tolerance_and_finds_the_fixed_point),
                              cmocka_unit_test(tiny_prior),
                              cmocka_unit_test(underflow_is_flagged),
                              cmocka_unit_test(same_document_same_bits),
                              cmocka_unit_test(drops_topics_as_plain_code_does),
                              cmocka_unit_test(keeps_topics_that_hold_words)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
