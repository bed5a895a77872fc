// LDA with topics divided over ranks (exchange=sharded), through the C interface; ranks are threads. The result of a
// fit is that of one machine for any number of ranks: parameters, reports, scores, posteriors, checkpoints. What
// would need all topics on one rank is refused.

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include <unistd.h>

#include "support/rank_handles.h"
#include "support/sanitizer.h"

using vtemper::test::options_of;
using vtemper::test::RankThreads;
using vtemper::test::says;
using vtemper::test::Texts;
using vtemper::test::unless_sanitized;

namespace {

constexpr int64_t rows = 120, columns = 61;
constexpr double tolerance = 1e-11;

using Numbers = std::vector<double>;

std::string file_of(const char* name) {
  const char* folder = getenv("TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/vtemper_sharded_" + std::to_string(getpid()) + "_" +
         name;
}

vtemper_data* documents(int64_t first, int64_t last) {
  return vtemper::test::documents(first, last, columns, 4);
}

struct Rank : vtemper::test::RankHandles {
  Numbers found;  ///< results of a test

  bool spread(RankThreads& threads, int number, int ranks) {
    return RankHandles::spread(threads, number, documents(rows * number / ranks, rows * (number + 1) / ranks));
  }
  bool save(const std::string& path) { return did(vtemper_model_save(model, path.c_str())); }
  bool resume(const std::string& path) {
    return did(vtemper_optimizer_load(path.c_str(), data, &optimizer)) &&
           did(vtemper_optimizer_model(optimizer, &model));
  }
  bool evaluate(const char* measure) {
    double value = 0;
    if (!did(vtemper_model_evaluate(model, data, nullptr, measure, nullptr, &value))) return false;
    found.push_back(value);
    return true;
  }
};

Numbers parameter(const vtemper_model* model, const char* name, size_t size) {
  Numbers values(size);
  assert_int_equal(vtemper_model_get(model, name, values.data(), static_cast<int64_t>(size)), VTEMPER_OK);
  return values;
}

/// The value of an integer option, such as the number of topics.
size_t count_in(const Texts& texts, const std::string& name) {
  for (const auto& [option, text] : texts) {
    if (option == name) return std::stoul(text);
  }
  return 0;
}

struct Fit {
  Numbers lambda, alpha;
  vtemper_report report{};
  int64_t bytes = 0;
};

Fit fit_of(const vtemper_model* model, const Texts& of_model, const vtemper_report& report) {
  const size_t topics = count_in(of_model, "topics");
  return {parameter(model, "lambda", topics * columns), parameter(model, "alpha", topics), report, 0};
}

Fit of_one_machine(const Texts& of_model, const Texts& of_optimizer, int64_t steps) {
  Rank whole;
  whole.data = documents(0, rows);
  assert_true(whole.create(of_model, of_optimizer) && whole.step(steps));
  return fit_of(whole.model, of_model, whole.report);
}

Fit of_file(const std::string& path, const Texts& of_model, const vtemper_report& report) {
  vtemper_model* model = nullptr;
  assert_int_equal(vtemper_model_load(path.c_str(), &model), VTEMPER_OK);
  Fit fit = fit_of(model, of_model, report);
  vtemper_model_destroy(model);
  std::remove(path.c_str());
  return fit;
}

Texts with(Texts texts, const char* name, const std::string& text) {
  texts.emplace_back(name, text);
  return texts;
}

/// All ranks make the same calls, and none fails.
void together(RankThreads& threads, int ranks, std::vector<Rank>& all,
              const std::function<bool(Rank&, int)>& of_rank) {
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    rank.spread(threads, number, ranks) && of_rank(rank, number);
  });
  for (const Rank& rank : all) assert_true(says(rank, VTEMPER_OK, ""));
}

Fit of_ranks(int ranks, const Texts& of_model, const Texts& of_optimizer, int64_t steps) {
  RankThreads threads(ranks);
  std::vector<Rank> all(static_cast<size_t>(ranks));
  const std::string path = file_of("model");
  together(threads, ranks, all, [&](Rank& rank, int number) {
    return rank.create(of_model, of_optimizer) && rank.step(steps) && (ranks > 1 || number == 0) && rank.save(path);
  });
  for (const Rank& rank : all) {
    assert_true(rank.report.change == all.front().report.change);
    assert_true(rank.report.elbo == all.front().report.elbo || std::isnan(rank.report.elbo));
  }
  Fit fit = of_file(path, of_model, all.front().report);
  for (const Rank& rank : all) fit.bytes += rank.report.bytes_sent;
  return fit;
}

double distance(const Numbers& a, const Numbers& b) {
  assert_int_equal(a.size(), b.size());
  double apart = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    apart += std::abs(a[i] - b[i]);
    size += std::abs(b[i]);
  }
  return apart / size;
}

bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b) || (std::isnan(a) && std::isnan(b));
}

void assert_same(const Fit& fit, const Fit& whole, int ranks) {
  const double apart = distance(fit.lambda, whole.lambda);
  if (!(apart < tolerance)) print_error("%d ranks: lambda is %g apart\n", ranks, apart);
  assert_true(apart < tolerance);
  assert_true(distance(fit.alpha, whole.alpha) < tolerance);
  assert_true(is_close(fit.report.change, whole.report.change));
  assert_true(is_close(fit.report.elbo, whole.report.elbo));
  assert_true(is_close(fit.report.objective, whole.report.objective));
  assert_true(is_close(fit.report.temperature, whole.report.temperature));
  assert_int_equal(fit.report.duplicate_components, whole.report.duplicate_components);
  assert_int_equal(fit.report.unused_components, whole.report.unused_components);
}

const Texts lda = {{"topics", "7"}, {"precision", "double"}, {"local_sparsity", "0"}};
// Divided topics make no moves.
const Texts annealing = {{"method", "annealing"}, {"batch_size", "24"}, {"max_iterations", "60"}, {"moves", "off"}};
const Texts growing_lda = {
    {"topics", "40"}, {"precision", "double"}, {"local_sparsity", "0"}, {"initial_topics", "10"}};
const Texts from_hot = {{"method", "annealing"}, {"batch_size", "24"},         {"max_iterations", "60"},
                        {"moves", "off"},        {"temperature_start", "5.5"}, {"elbo_every", "10"}};

void any_number_of_ranks_is_one_machine(void**) {
  struct Case {
    Texts model, optimizer;
  };
  const Case cases[] = {
      {lda, annealing},
      {growing_lda, from_hot},
      {with(lda, "learn_alpha", "true"), with(annealing, "elbo_every", "7")},
      {with(lda, "topic_posterior", "dirichlet"), with(annealing, "elbo_every", "20")},
      {lda, {{"method", "vi"}, {"max_iterations", "60"}, {"tolerance", "0"}}},
      {lda,
       {{"method", "entropy_annealing"},
        {"max_iterations", "60"},
        {"batch_size", "24"},
        {"elbo_every", "6"},
        {"moves", "off"}}},
      {lda, {{"method", "local_tempering"}, {"max_iterations", "20"}, {"batch_size", "120"}}},
  };
  for (const Case& one : cases) {
    const int64_t steps = static_cast<int64_t>(count_in(one.optimizer, "max_iterations")) / unless_sanitized(1, 5);
    const Fit whole = of_one_machine(one.model, one.optimizer, steps);
    const Texts sharded = with(one.optimizer, "exchange", "sharded");
    for (const int ranks : unless_sanitized<std::vector<int>>({1, 2, 3, 4, 8}, {1, 3})) {
      const Fit fit = of_ranks(ranks, one.model, sharded, steps);
      assert_same(fit, whole, ranks);
      if (ranks != 3) continue;
      if (!under_valgrind()) {
        const Fit again = of_ranks(ranks, one.model, sharded, steps);
        assert_true(again.lambda == fit.lambda);
      }
      const Fit dense = of_ranks(ranks, one.model, with(one.optimizer, "exchange", "dense"), 1);
      assert_true(dense.report.bytes_sent > 0);
    }
  }
}

void ranks_without_rows_or_words_take_part(void**) {
  const int64_t steps = unless_sanitized(10, 2);
  const Fit whole = of_one_machine(lda, annealing, steps);
  constexpr int ranks = 64;  // three have no words, and some no rows
  const Fit fit = of_ranks(ranks, lda, with(annealing, "exchange", "sharded"), steps);
  assert_same(fit, whole, ranks);
}

/// Fewer bytes than with sparse exchange, which sends every word that any rank has to all ranks.
void bytes_are_those_of_the_own_words(void**) {
  const Texts optimizer = {{"method", "svi"}, {"batch_size", "8"}, {"max_iterations", "40"}};
  const Texts model = {{"topics", "200"}};
  const int64_t steps = unless_sanitized(10, 3);
  const int64_t sparse = of_ranks(4, model, with(optimizer, "exchange", "sparse"), steps).bytes;
  const int64_t sharded = of_ranks(4, model, with(optimizer, "exchange", "sharded"), steps).bytes;
  print_message("bytes of %lld steps of 4 ranks: sparse %lld, sharded %lld\n", static_cast<long long>(steps),
                static_cast<long long>(sparse), static_cast<long long>(sharded));
  assert_true(sharded < sparse);
}

/// Scores and posteriors of rows, of spread data by a divided model and by its file.
void scores_are_those_of_the_saved_model(void**) {
  constexpr int ranks = 3;
  const std::string path = file_of("scored");
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  std::vector<Numbers> gammas(ranks);
  together(threads, ranks, all, [&](Rank& rank, int number) {
    Numbers& gamma = gammas[static_cast<size_t>(number)];
    gamma.resize(static_cast<size_t>(7 * (rows * (number + 1) / ranks - rows * number / ranks)));
    return rank.create(lda, with(annealing, "exchange", "sharded")) && rank.step(20) && rank.save(path) &&
           rank.evaluate("predictive") && rank.evaluate("elbo") && rank.evaluate("perplexity") &&
           rank.did(vtemper_model_infer(rank.model, rank.data, "gamma", nullptr, gamma.data(),
                                        static_cast<int64_t>(gamma.size()))) &&
           rank.step(1);  // and the fit goes on
  });
  Rank whole;
  whole.data = documents(0, rows);
  assert_int_equal(vtemper_model_load(path.c_str(), &whole.model), VTEMPER_OK);
  assert_true(whole.evaluate("predictive") && whole.evaluate("elbo") && whole.evaluate("perplexity"));
  Numbers gamma(7 * rows), of_ranks;
  assert_int_equal(vtemper_model_infer(whole.model, whole.data, "gamma", nullptr, gamma.data(), 7 * rows),
                   VTEMPER_OK);
  for (const Numbers& part : gammas) of_ranks.insert(of_ranks.end(), part.begin(), part.end());
  assert_true(distance(of_ranks, gamma) < tolerance);
  for (const Rank& rank : all) {
    assert_true(rank.found == all.front().found);
    for (size_t i = 0; i < whole.found.size(); ++i) assert_true(is_close(rank.found[i], whole.found[i]));
  }
  std::remove(path.c_str());
}

/// A checkpoint of three ranks is continued by any number of ranks, and without a group.
void any_number_of_ranks_resumes(void**) {
  const int64_t first_steps = unless_sanitized(25, 5), more_steps = unless_sanitized(35, 7);
  for (const auto& [model, optimizer] : {std::pair(lda, annealing), {growing_lda, from_hot}}) {
    const Fit whole = of_one_machine(model, optimizer, first_steps + more_steps);
    const std::string path = file_of("checkpoint"), saved = file_of("resumed");
    {
      RankThreads threads(3);
      std::vector<Rank> all(3);
      const Texts& of_model = model;
      const Texts sharded = with(optimizer, "exchange", "sharded");
      together(threads, 3, all, [&](Rank& rank, int) {
        return rank.create(of_model, sharded) && rank.step(first_steps) &&
               rank.did(vtemper_optimizer_save(rank.optimizer, path.c_str()));
      });
    }
    for (const int ranks : unless_sanitized<std::vector<int>>({1, 2, 5}, {5})) {
      RankThreads threads(ranks);
      std::vector<Rank> all(static_cast<size_t>(ranks));
      together(threads, ranks, all,
               [&](Rank& rank, int) { return rank.resume(path) && rank.step(more_steps) && rank.save(saved); });
      assert_same(of_file(saved, model, all.front().report), whole, ranks);
    }
    Rank alone;
    alone.data = documents(0, rows);
    assert_true(alone.resume(path) && alone.step(more_steps));
    assert_same(fit_of(alone.model, model, alone.report), whole, 1);
    std::remove(path.c_str());
  }
}

/// A model that all ranks hold completely is divided; a fit that fails leaves it complete.
void a_model_of_one_machine_goes_on_divided(void**) {
  const std::string start = file_of("start"), saved = file_of("went_on");
  const Texts svi = {{"method", "svi"}, {"batch_size", "24"}, {"max_iterations", "10"}};
  Rank whole;
  whole.data = documents(0, rows);
  assert_true(whole.create(lda, svi) && whole.step(10) && whole.save(start));
  vtemper_optimizer_destroy(whole.optimizer);
  whole.optimizer = nullptr;
  assert_true(whole.create({}, svi) && whole.step(10));
  RankThreads threads(4);
  std::vector<Rank> all(4);
  together(threads, 4, all, [&](Rank& rank, int) {
    if (!rank.did(vtemper_model_load(start.c_str(), &rank.model))) return false;
    if (rank.create({}, {{"step_size", "adaptive"}, {"method", "svi"}, {"exchange", "sharded"}})) return false;
    rank.found = parameter(rank.model, "lambda", 7 * columns);
    rank.message.clear();
    return rank.create({}, with(svi, "exchange", "sharded")) && rank.step(10) && rank.save(saved);
  });
  assert_same(of_file(saved, lda, all.front().report), fit_of(whole.model, lda, whole.report), 4);
  std::remove(start.c_str());
}

/// Both of two ranks refuse; the message is that of rank 0.
void refuse(vtemper_status status, const std::string& words, const std::function<bool(Rank&)>& act) {
  RankThreads threads(2);
  std::vector<Rank> all(2);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    rank.spread(threads, number, 2) && act(rank);
  });
  assert_true(says(all[0], status, words));
  assert_true(all[1].status != VTEMPER_OK);
}

void what_cannot_be_divided_is_refused(void**) {
  const Texts sharded = with(annealing, "exchange", "sharded");
  refuse(VTEMPER_ERROR_UNSUPPORTED, "learn_eta", [&](Rank& rank) {
    return rank.create({{"topics", "3"}, {"learn_eta", "true"}, {"topic_posterior", "dirichlet"}}, sharded);
  });
  refuse(VTEMPER_ERROR_UNSUPPORTED, "exchange sharded", [&](Rank& rank) {
    return rank.create(lda, {{"method", "stochastic_annealing"}, {"exchange", "sharded"}});
  });
  refuse(VTEMPER_ERROR_UNSUPPORTED, "step_size adaptive", [&](Rank& rank) {
    return rank.create(lda, {{"method", "svi"}, {"step_size", "adaptive"}, {"exchange", "sharded"}});
  });
  refuse(VTEMPER_ERROR_UNSUPPORTED, "bernoulli_mixture has none", [&](Rank& rank) {
    return rank.did(vtemper_model_create("bernoulli_mixture", nullptr, &rank.model)) && rank.create({}, sharded);
  });
  Rank alone;
  alone.data = documents(0, rows);
  assert_false(alone.create(lda, sharded));
  assert_true(says(alone, VTEMPER_ERROR_OPTION, "unless the data are spread over a group"));
}

void what_needs_all_topics_is_refused(void**) {
  const Texts sharded = with(annealing, "exchange", "sharded");
  const auto of_fit = [&](const std::function<vtemper_status(Rank&)>& act) {
    refuse(VTEMPER_ERROR_STATE, "divided over 2 ranks",
           [&](Rank& rank) { return rank.create(lda, sharded) && rank.step(2) && rank.did(act(rank)); });
  };
  of_fit([](Rank& rank) {
    Numbers lambda(7 * columns);
    return vtemper_model_get(rank.model, "lambda", lambda.data(), 7 * columns);
  });
  of_fit([](Rank& rank) {
    const Numbers lambda(7 * columns, 1.0);
    vtemper_optimizer_destroy(rank.optimizer);
    rank.optimizer = nullptr;
    return vtemper_model_set(rank.model, "lambda", lambda.data(), 7 * columns);
  });
  of_fit([](Rank& rank) {
    int64_t size = 0;
    return vtemper_model_save_buffer(rank.model, nullptr, 0, &size);
  });
  of_fit([](Rank& rank) {
    int64_t words[3];
    return vtemper_model_rank_words(rank.model, 0, "probability", 3, words, nullptr);
  });
  of_fit([](Rank& rank) {
    double value = 0;
    return vtemper_model_evaluate(rank.model, nullptr, nullptr, "topic_diversity", nullptr, &value);
  });
  of_fit([](Rank& rank) {
    double value = 0;
    return vtemper_model_evaluate(rank.model, rank.own, nullptr, "predictive", nullptr, &value);
  });
  of_fit([](Rank& rank) {
    vtemper_optimizer* other = nullptr;
    return vtemper_optimizer_create(rank.model, rank.own, nullptr, &other);
  });
  of_fit([](Rank& rank) {
    vtemper_optimizer* other = nullptr;
    vtemper_options* options = options_of({{"exchange", "dense"}});
    const vtemper_status status = vtemper_optimizer_create(rank.model, rank.data, options, &other);
    vtemper_options_destroy(options);
    return status;
  });
}

/// Wherever a rank is lost, all ranks learn of it, and none waits forever.
void a_lost_rank_ends_all(void**) {
  const Texts sharded = with(annealing, "exchange", "sharded");
  int64_t calls = 0;
  {
    RankThreads threads(3);
    std::vector<Rank> all(3);
    together(threads, 3, all, [&](Rank& rank, int) { return rank.create(lda, sharded) && rank.step(2); });
    calls = threads.calls();
  }
  for (int64_t call = 1; call <= calls; call += unless_sanitized(1, 11)) {
    RankThreads threads(3);
    std::vector<Rank> all(3);
    threads.lose_at(1, call, 5);
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      rank.spread(threads, number, 3) && rank.create(lda, sharded) && rank.step(2);
    });
    for (const Rank& rank : all) assert_true(says(rank, VTEMPER_ERROR_PEER, "has lost one of them"));
  }
  print_message("lost at %s of %lld calls\n", unless_sanitized("each", "every eleventh"),
                static_cast<long long>(calls));
}

/// Rank 0 cannot write: the call fails on all ranks.
void a_file_that_cannot_be_written_fails_on_all(void**) {
  RankThreads threads(2);
  std::vector<Rank> all(2);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    rank.spread(threads, number, 2) && rank.create(lda, with(annealing, "exchange", "sharded")) && rank.step(2) &&
        rank.save("/nowhere/at/all/model");
  });
  assert_true(says(all[0], VTEMPER_ERROR_IO, "/nowhere"));
  assert_true(says(all[1], VTEMPER_ERROR_PEER, "rank 0 of 2"));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(any_number_of_ranks_is_one_machine),
      cmocka_unit_test(ranks_without_rows_or_words_take_part),
      cmocka_unit_test(bytes_are_those_of_the_own_words),
      cmocka_unit_test(scores_are_those_of_the_saved_model),
      cmocka_unit_test(any_number_of_ranks_resumes),
      cmocka_unit_test(a_model_of_one_machine_goes_on_divided),
      cmocka_unit_test(what_cannot_be_divided_is_refused),
      cmocka_unit_test(what_needs_all_topics_is_refused),
      cmocka_unit_test(a_lost_rank_ends_all),
      cmocka_unit_test(a_file_that_cannot_be_written_fails_on_all),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
