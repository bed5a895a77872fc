// Groups through the C interface; ranks are threads. Their common result, how bytes are counted, and what happens to
// all ranks when one fails, differs or is lost. All kinds and methods: models/contract/spread_test.cpp.

#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "support/assert.h"
#include "support/rank_handles.h"
#include "support/sanitizer.h"

using vtemper::test::options_of;
using vtemper::test::RankThreads;
using vtemper::test::says;
using vtemper::test::Texts;
using vtemper::test::unless_sanitized;

namespace {

constexpr int64_t rows = 120, columns = 30;

vtemper_data* documents(int64_t first, int64_t last) {
  return vtemper::test::documents(first, last, columns, 3);
}

struct Rank : vtemper::test::RankHandles {
  std::vector<double> lambda;

  bool step(int64_t steps) { return RankHandles::step(steps) && read(); }
  bool read() {
    const int64_t topics = 3;
    lambda.assign(static_cast<size_t>(topics * columns), 0);
    return did(vtemper_model_get(model, "lambda", lambda.data(), topics * columns));
  }
};

const Texts model_options = {{"topics", "3"}, {"precision", "double"}};
const Texts minibatches = {{"method", "annealing"}, {"batch_size", "24"}, {"max_iterations", "30"}};

/// Rows of a rank if all have about equally many.
vtemper_data* even_part(int number, int ranks) {
  return documents(rows * number / ranks, rows * (number + 1) / ranks);
}

Rank& one_machine(Rank& whole, int64_t steps) {
  whole.data = documents(0, rows);
  assert_true(whole.create(model_options, minibatches));
  assert_true(whole.step(steps));
  return whole;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]) / std::abs(b[i]));
  return a.size() == b.size() ? largest : 1;
}

void many_ranks_are_one_machine(void**) {
  Rank whole;
  one_machine(whole, 5);
  for (const int ranks : unless_sanitized<std::vector<int>>({1, 2, 5, 16, 64}, {1, 5, 64})) {
    RankThreads threads(ranks);
    std::vector<Rank> all(static_cast<size_t>(ranks));
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      rank.spread(threads, number, even_part(number, ranks)) && rank.create(model_options, minibatches) &&
          rank.step(5);
    });
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      assert_true(rank.lambda == all.front().lambda);
      assert_true(largest_difference(rank.lambda, whole.lambda) < 1e-9);
      assert_int_equal(rank.report.ranks, ranks);
      assert_int_equal(rank.report.rows_seen, 120);
    }
    if (ranks == 1) {
      assert_true(all.front().lambda == whole.lambda);
      assert_int_equal(threads.calls(), 0);
      assert_int_equal(all.front().report.bytes_sent, 0);
    }
  }
}

/// Numbers that a rank sends in a dense step: each number to the rank that adds it, and its share of sums to each
/// other rank.
void bytes_of_dense_steps_are_told(void**) {
  constexpr int ranks = 3;
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    Texts options = minibatches;
    options.emplace_back("exchange", "dense");
    rank.spread(threads, number, even_part(number, ranks)) && rank.create({{"topics", "3"}}, options) && rank.step(7);
  });
  // In float, the statistics of the words; in double, the sums of the step, the totals of the topics, and the
  // statistics from which alpha is learned.
  int64_t total = 0;
  for (const Rank& rank : all) {
    assert_true(says(rank, VTEMPER_OK, ""));
    total += rank.report.bytes_sent;
  }
  const int64_t floats = 3 * columns, doubles = 8 + 3 + (3 + 2);
  assert_int_equal(total, 7 * 2 * (ranks - 1) * (floats * 4 + doubles * 8));
}

/// While a fit grows, only the topics that it has so far are sent.
void growing_fits_send_the_topics_in_use(void**) {
  constexpr int ranks = 3;
  std::vector<int64_t> bytes;
  for (const char* initial_topics : {"8", "2"}) {
    RankThreads threads(ranks);
    std::vector<Rank> all(ranks);
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      Texts options = minibatches;
      options.insert(options.end(), {{"exchange", "dense"}, {"temperature_start", "20"}});
      rank.spread(threads, number, even_part(number, ranks)) &&
          rank.create({{"topics", "8"}, {"initial_topics", initial_topics}}, options) &&
          rank.did(vtemper_optimizer_step(rank.optimizer, 1, &rank.report));
    });
    bytes.push_back(0);
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      bytes.back() += rank.report.bytes_sent;
    }
  }
  assert_int_equal(bytes[0] - bytes[1], 2 * (ranks - 1) * (8 - 2) * columns * 4);
}

/// Bits of any number of ranks, and of one machine without a group.
void reproducible_fits_have_the_bits_of_one_machine(void**) {
  Texts options = minibatches;
  options.emplace_back("reproducible", "true");
  Rank whole;
  whole.data = documents(0, rows);
  assert_true(whole.create({{"topics", "3"}}, options) && whole.step(12));
  for (const int ranks : unless_sanitized<std::vector<int>>({1, 2, 3, 4, 8}, {1, 3})) {
    RankThreads threads(ranks);
    std::vector<Rank> all(static_cast<size_t>(ranks));
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      rank.spread(threads, number, even_part(number, ranks)) && rank.create({{"topics", "3"}}, options) &&
          rank.step(12);
    });
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      assert_true(rank.lambda == whole.lambda);
      assert_int_equal(rank.report.ranks, ranks);
    }
  }
}

void sparse_steps_are_dense_steps(void**) {
  constexpr int ranks = 3;
  std::vector<std::vector<double>> learned;
  std::vector<int64_t> bytes;
  for (const char* exchange : {"dense", "sparse", "auto"}) {
    RankThreads threads(ranks);
    std::vector<Rank> all(ranks);
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      Texts options = {{"method", "svi"}, {"batch_size", "2"}, {"max_iterations", "30"}, {"exchange", exchange}};
      rank.spread(threads, number, even_part(number, ranks)) && rank.create(model_options, options) && rank.step(6);
    });
    int64_t sent = 0;
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      sent += rank.report.bytes_sent;
    }
    learned.push_back(all.front().lambda);
    bytes.push_back(sent);
  }
  assert_true(largest_difference(learned[1], learned[0]) < 1e-12);
  assert_true(learned[2] == learned[1]);
  assert_true(bytes[1] < bytes[0]);
  assert_int_equal(bytes[2], bytes[1]);
}

/// Shards of 70/30 and 99/1 have one clock.
void unequal_shards_have_one_clock(void**) {
  Rank whole;
  one_machine(whole, 9);
  for (const int64_t cut : {int64_t{84}, int64_t{119}, int64_t{0}, rows}) {
    RankThreads threads(2);
    std::vector<Rank> all(2);
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      rank.spread(threads, number, number == 0 ? documents(0, cut) : documents(cut, rows)) &&
          rank.create(model_options, minibatches) && rank.step(9);
    });
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      assert_true(rank.report.temperature == all.front().report.temperature);
      assert_true(rank.report.step_size == whole.report.step_size && rank.report.passes == whole.report.passes);
      assert_close(rank.report.temperature, whole.report.temperature, 1e-9);
      assert_true(largest_difference(rank.lambda, whole.lambda) < 1e-9);
    }
  }
}

/// If one rank has weights, the corpus equals that of one machine with them.
void weights_of_one_rank_count(void**) {
  const auto weigh = [](vtemper_data* data, int64_t first, int64_t count, int64_t from) {
    std::vector<double> weights;
    for (int64_t row = first; row < first + count; ++row) weights.push_back(row >= from ? 0.5 : 1);
    assert_int_equal(vtemper_data_set_weights(data, weights.data(), count), VTEMPER_OK);
    return data;
  };
  Rank whole;
  whole.data = weigh(documents(0, rows), 0, rows, 50);
  assert_true(whole.create(model_options, minibatches) && whole.step(5));
  RankThreads threads(2);
  std::vector<Rank> all(2);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    rank.spread(threads, number, number == 0 ? documents(0, 50) : weigh(documents(50, rows), 50, rows - 50, 50)) &&
        rank.create(model_options, minibatches) && rank.step(5);
  });
  for (const Rank& rank : all) {
    assert_true(says(rank, VTEMPER_OK, ""));
    assert_true(largest_difference(rank.lambda, whole.lambda) < 1e-9);
  }
}

/// `fit` makes rank 1 differ. All ranks refuse with a message that names the difference.
void require_refused(vtemper_status status, const std::string& words, const std::function<void(Rank&, int)>& fit,
                     RankThreads& threads, int ranks) {
  std::vector<Rank> all(static_cast<size_t>(ranks));
  threads.run([&](int number) { fit(all[static_cast<size_t>(number)], number); });
  for (const Rank& rank : all) {
    assert_true(says(rank, status, words));
    assert_true(says(rank, status, "on rank 1"));
  }
}

/// Of long values the part around the first difference is told, wherever that is, cut between characters.
void long_names_that_differ_are_refused() {
  constexpr int ranks = 3;
  for (const size_t length : {size_t{1000}, size_t{5000}}) {
    for (const std::string letter : {"a", "\u00e4", "\u6f22"}) {
      std::string common;
      while (common.size() < length) common += letter;
      RankThreads names(ranks);
      const size_t shown = 100 / letter.size() * letter.size();  // bytes of whole characters before the difference
      const auto part = [&](char own) {
        return "..." + common.substr(common.size() - shown) + own +
               common.substr(0, (99 / letter.size()) * letter.size()) + "...";
      };
      require_refused(
          VTEMPER_ERROR_DATA, "column 7 is " + part('x') + " on rank 0 and " + part('y') + " on rank 1",
          [&](Rank& rank, int number) {
            vtemper_data* data = even_part(number, ranks);
            std::vector<std::string> texts;
            std::vector<const char*> pointers;
            for (int64_t i = 0; i < columns; ++i) texts.push_back("word" + std::to_string(i));
            texts[7] = common + (number == 1 ? 'y' : 'x') + common;
            for (const std::string& text : texts) pointers.push_back(text.c_str());
            vtemper_data_set_names(data, pointers.data(), columns);
            rank.spread(names, number, data);
          },
          names, ranks);
    }
  }
  // The value of one rank begins as that of another.
  RankThreads options(ranks);
  std::string list = "0.5";
  while (list.size() < 2999) list += ",0.5";
  const std::string end = list.substr(list.size() - 100);
  require_refused(
      VTEMPER_ERROR_OPTION,
      "option temperature_inverses is ..." + end + " on rank 0 and ..." + end + ",0.5 on rank 1",
      [&](Rank& rank, int number) {
        rank.spread(options, number, even_part(number, ranks)) &&
            rank.create(model_options, {{"temperature_inverses", list + (number == 1 ? ",0.5" : "")}});
      },
      options, ranks);
}

void ranks_that_differ_are_refused(void**) {
  constexpr int ranks = 3;
  RankThreads options(ranks);
  require_refused(
      VTEMPER_ERROR_OPTION, "option seed is 4 on rank 0 and 5",
      [&](Rank& rank, int number) {
        rank.spread(options, number, even_part(number, ranks)) &&
            rank.create(model_options, {{"seed", number == 1 ? "5" : "4"}});
      },
      options, ranks);
  RankThreads of_model(ranks);
  require_refused(
      VTEMPER_ERROR_OPTION, "option topics of the model is 3 on rank 0 and 4",
      [&](Rank& rank, int number) {
        rank.spread(of_model, number, even_part(number, ranks)) &&
            rank.create({{"topics", number == 1 ? "4" : "3"}}, {});
      },
      of_model, ranks);
  RankThreads names(ranks);
  require_refused(
      VTEMPER_ERROR_DATA, "the name of column 7 is word7 on rank 0 and other",
      [&](Rank& rank, int number) {
        vtemper_data* data = even_part(number, ranks);
        std::vector<std::string> texts;
        std::vector<const char*> pointers;
        for (int64_t i = 0; i < columns; ++i) texts.push_back("word" + std::to_string(i));
        if (number == 1) texts[7] = "other";
        for (const std::string& text : texts) pointers.push_back(text.c_str());
        vtemper_data_set_names(data, pointers.data(), columns);
        rank.spread(names, number, data);
      },
      names, ranks);
  long_names_that_differ_are_refused();
  // The number of threads may differ.
  RankThreads own(ranks);
  std::vector<Rank> all(ranks);
  own.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    rank.spread(own, number, even_part(number, ranks)) &&
        rank.create(model_options, {{"threads", std::to_string(number + 1)}}) && rank.step(1);
  });
  for (const Rank& rank : all) assert_true(says(rank, VTEMPER_OK, ""));
}

void calls_that_differ_are_refused(void**) {
  RankThreads threads(2);
  std::vector<Rank> all(2);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    if (!rank.spread(threads, number, even_part(number, 2)) || !rank.create(model_options, minibatches)) return;
    if (rank.step(number == 0 ? 2 : 3)) return;
    const vtemper_status status = rank.status;
    const std::string message = rank.message;
    // Equal calls still work.
    if (!rank.step(2)) return;
    rank.status = status;
    rank.message = message;
  });
  for (const Rank& rank : all) {
    assert_true(says(rank, VTEMPER_ERROR_STATE, "the same calls"));
    assert_int_equal(rank.report.iteration, 2);
  }
}

/// The monitor of one rank stops all of them after the same step, and all can continue.
void a_monitor_stops_all(void**) {
  constexpr int ranks = 3;
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    Texts options = minibatches;
    options.emplace_back("report_every", "4");
    if (!rank.spread(threads, number, even_part(number, ranks)) || !rank.create(model_options, options)) return;
    if (number == 1) {
      vtemper_optimizer_set_monitor(
          rank.optimizer, [](const vtemper_report* report, void*) { return report->iteration == 8 ? 1 : 0; },
          nullptr);
    }
    if (rank.did(vtemper_optimizer_run(rank.optimizer, &rank.report))) return;
    const vtemper_status status = rank.status;
    const std::string message = rank.message;
    const int64_t stopped = rank.report.iteration;
    if (!rank.step(1) || rank.report.iteration != stopped + 1) return;
    rank.status = status;
    rank.message = message;
  });
  for (size_t i = 0; i < all.size(); ++i) {
    assert_true(says(all[i], VTEMPER_CANCELLED, i == 1 ? "the monitor stopped" : "rank 1 of 3: the monitor stopped"));
    assert_true(all[i].lambda == all.front().lambda);
    assert_int_equal(all[i].report.iteration % 4, 1);
  }
}

/// A row of one rank cannot be read: no rank takes the step, and all say why.
void a_row_that_cannot_be_read_fails_all(void**) {
  constexpr int ranks = 3;
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  std::vector<double> before(3 * columns);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    std::vector<int64_t> offsets = {0, 1, 2};
    std::vector<int32_t> indices = {1, 2};
    std::vector<double> values = {1, 2};
    vtemper_data* data = nullptr;
    vtemper_data_from_counts(VTEMPER_BY_ROWS, 2, columns, offsets.data(), VTEMPER_INT64, indices.data(),
                             VTEMPER_INT32, values.data(), VTEMPER_DOUBLE, 0, VTEMPER_BORROW, nullptr, nullptr,
                             &data);
    const Texts full = {{"method", "vi"}, {"max_iterations", "30"}};
    if (!rank.spread(threads, number, data) || !rank.create(model_options, full) || !rank.step(1)) return;
    if (number == 0) before = rank.lambda;
    if (number == 2) values[1] = std::nan("");  // borrowed arrays that change are an error of the host
    if (rank.step(1)) return;
    const vtemper_status status = rank.status;
    const std::string message = rank.message;
    rank.read();
    vtemper_optimizer_report(rank.optimizer, &rank.report);
    values[1] = 2;
    if (!rank.did(vtemper_optimizer_step(rank.optimizer, 1, nullptr))) return;
    rank.status = status;
    rank.message = message;
  });
  for (size_t i = 0; i < all.size(); ++i) {
    const bool own = i == 2;
    assert_true(says(all[i], own ? VTEMPER_ERROR_DATA : VTEMPER_ERROR_PEER, own ? "row 1" : "rank 2 of 3:"));
    assert_true(all[i].lambda == before);
    assert_int_equal(all[i].report.iteration, 1);
  }
}

void a_lost_rank_ends_all(void**) {
  constexpr int ranks = 3;
  int64_t calls = 0;
  for (int64_t lost_at = 1; lost_at < 60; lost_at += unless_sanitized(3, 11)) {
    RankThreads threads(ranks);
    threads.lose_at(1, lost_at, 42);
    std::vector<Rank> all(ranks);
    std::vector<char> refused(ranks);  // not bool: each thread writes its own element
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      const bool made =
          rank.spread(threads, number, even_part(number, ranks)) && rank.create(model_options, minibatches);
      if (made && !rank.step(4)) {
        const vtemper_status status = rank.status;
        const std::string message = rank.message;
        rank.step(1);
        refused[static_cast<size_t>(number)] =
            says(rank, VTEMPER_ERROR_PEER, "lost one of them in an earlier call") ? 1 : 0;
        rank.status = status;
        rank.message = message;
      } else {
        refused[static_cast<size_t>(number)] = 1;
      }
    });
    calls = threads.calls();
    for (size_t i = 0; i < all.size(); ++i) {
      if (lost_at > calls) continue;
      assert_true(says(all[i], VTEMPER_ERROR_PEER, i == 1 ? "returned 42 on rank 1" : "lost one of them"));
      assert_true(refused[i] != 0);
    }
  }
  assert_true(calls > 20);
}

void scores_are_of_the_whole_corpus(void**) {
  constexpr int ranks = 3;
  Rank whole;
  one_machine(whole, 5);
  const char* const measures[] = {"predictive", "perplexity", "elbo", "log_normalizer"};
  vtemper_options* temperature = options_of({{"temperature", "2"}});
  double wanted[4];
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(vtemper_model_evaluate(whole.model, whole.data, nullptr, measures[i],
                                            i == 3 ? temperature : nullptr, &wanted[i]),
                     VTEMPER_OK);
  }
  RankThreads threads(ranks);
  std::vector<Rank> all(ranks);
  std::vector<std::array<double, 4>> scores(ranks);
  std::vector<std::string> refusals(ranks), differences(ranks);
  std::vector<double> of_halves(ranks);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    // The last rank has no rows.
    vtemper_data* own = number == 2 ? documents(rows, rows) : number == 0 ? documents(0, 31) : documents(31, rows);
    if (!rank.spread(threads, number, own) || !rank.create(model_options, minibatches) || !rank.step(5)) return;
    const auto place = static_cast<size_t>(number);
    for (int i = 0; i < 4; ++i) {
      if (!rank.did(vtemper_model_evaluate(rank.model, rank.data, nullptr, measures[i],
                                           i == 3 ? temperature : nullptr, &scores[place][static_cast<size_t>(i)]))) {
        return;
      }
    }
    vtemper_data *observed = nullptr, *heldout = nullptr;
    if (rank.did(vtemper_data_split_counts(rank.data, 0.5, 0, &observed, &heldout))) {
      rank.did(vtemper_model_evaluate(rank.model, observed, heldout, "predictive", nullptr, &of_halves[place]));
    }
    vtemper_data_destroy(observed);
    vtemper_data_destroy(heldout);
    double unused;
    if (vtemper_model_evaluate(rank.model, rank.data, nullptr, "coherence_npmi", nullptr, &unused) ==
        VTEMPER_ERROR_UNSUPPORTED) {
      refusals[place] = vtemper_last_error();
    }
    vtemper_options* seed = options_of({{"seed", number == 1 ? "3" : "2"}});
    if (vtemper_model_evaluate(rank.model, rank.data, nullptr, "predictive", seed, &unused) == VTEMPER_ERROR_OPTION) {
      differences[place] = vtemper_last_error();
    }
    vtemper_options_destroy(seed);
    // Each rank infers its own rows.
    std::vector<double> gamma(static_cast<size_t>(3 * rows));
    int64_t own_rows = 0;
    vtemper_data_rows(rank.data, &own_rows);
    if (own_rows > 0)
      rank.did(vtemper_model_infer(rank.model, rank.data, "gamma", nullptr, gamma.data(), 3 * own_rows));
  });
  for (size_t rank = 0; rank < all.size(); ++rank) {
    assert_true(says(all[rank], VTEMPER_OK, ""));
    for (size_t i = 0; i < 4; ++i) {
      if (!(std::abs(scores[rank][i] - wanted[i]) <= 1e-9 * std::abs(wanted[i]))) {
        print_error("%s: %.17g, of one machine %.17g\n", measures[i], scores[rank][i], wanted[i]);
        assert_true(false);
      }
      assert_true(scores[rank][i] == scores.front()[i]);
    }
    assert_close(of_halves[rank], wanted[0], 1e-9 * std::abs(wanted[0]));
    assert_true(refusals[rank].find("coherence_npmi") != std::string::npos);
    assert_true(differences[rank].find("option seed is 2 on rank 0 and 3 on rank 1") != std::string::npos);
  }
  vtemper_options_destroy(temperature);
}

/// With option reproducible, ranks get the same bits as one machine, and so do the scores of their models; without
/// it, the scores of equal parameters still have the same bits.
void bits_of_scores_do_not_depend_on_the_ranks(void**) {
  const char* const measures[] = {"predictive", "perplexity", "elbo", "log_normalizer"};
  vtemper_options* temperature = options_of({{"temperature", "2"}});
  const auto score = [&](Rank& rank, const vtemper_data* data, std::array<double, 4>& out) {
    for (size_t i = 0; i < out.size(); ++i) {
      if (!rank.did(vtemper_model_evaluate(rank.model, data, nullptr, measures[i], i == 3 ? temperature : nullptr,
                                           &out[i]))) {
        return;
      }
    }
  };
  Texts options = minibatches;
  options.emplace_back("reproducible", "true");
  Rank whole;
  whole.data = documents(0, rows);
  assert_true(whole.create(model_options, options) && whole.step(5));
  std::array<double, 4> wanted{};
  score(whole, whole.data, wanted);
  assert_int_equal(whole.status, VTEMPER_OK);
  for (const int ranks : unless_sanitized<std::vector<int>>({1, 2, 3, 4, 8, 64}, {1, 8})) {
    RankThreads threads(ranks);
    std::vector<Rank> all(static_cast<size_t>(ranks));
    std::vector<std::array<double, 4>> scores(all.size());
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      if (rank.spread(threads, number, even_part(number, ranks)) && rank.create(model_options, options) &&
          rank.step(5)) {
        score(rank, rank.data, scores[static_cast<size_t>(number)]);
      }
    });
    for (size_t rank = 0; rank < all.size(); ++rank) {
      assert_true(says(all[rank], VTEMPER_OK, ""));
      assert_true(all[rank].lambda == whole.lambda);
      assert_true(scores[rank] == wanted);
    }
  }
  vtemper_options_destroy(temperature);
}

std::vector<char> saved(const vtemper_optimizer* optimizer) {
  int64_t size = 0;
  assert_int_equal(vtemper_optimizer_save_buffer(optimizer, nullptr, 0, &size), VTEMPER_OK);
  std::vector<char> bytes(static_cast<size_t>(size));
  assert_int_equal(vtemper_optimizer_save_buffer(optimizer, bytes.data(), size, &size), VTEMPER_OK);
  return bytes;
}

/// What rank 0 of three saves can be continued by one, two or three ranks, and by three bit for bit.
void checkpoints_go_on_with_any_number_of_ranks(void**) {
  std::vector<char> checkpoint;
  std::vector<double> without_a_stop;
  const auto go_on = [&](int ranks, int64_t first_steps) {
    RankThreads threads(ranks);
    std::vector<Rank> all(static_cast<size_t>(ranks));
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      if (!rank.spread(threads, number, even_part(number, ranks))) return;
      if (first_steps > 0) {
        if (!rank.create(model_options, minibatches) || !rank.step(first_steps)) return;
        if (number == 0) checkpoint = saved(rank.optimizer);
      } else if (rank.did(vtemper_optimizer_load_buffer(checkpoint.data(), static_cast<int64_t>(checkpoint.size()),
                                                        rank.data, &rank.optimizer))) {
        vtemper_optimizer_model(rank.optimizer, &rank.model);
      }
      if (rank.status == VTEMPER_OK) rank.step(6);
    });
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      assert_true(rank.lambda == all.front().lambda);
    }
    return all.front().lambda;
  };
  without_a_stop = go_on(3, 4);
  assert_true(go_on(3, 0) == without_a_stop);
  for (const int ranks : unless_sanitized<std::vector<int>>({1, 2, 8}, {2}))
    assert_true(largest_difference(go_on(ranks, 0), without_a_stop) < 1e-9);
  // And on one machine without a group.
  Rank alone;
  alone.data = documents(0, rows);
  assert_true(alone.did(vtemper_optimizer_load_buffer(checkpoint.data(), static_cast<int64_t>(checkpoint.size()),
                                                      alone.data, &alone.optimizer)));
  vtemper_optimizer_model(alone.optimizer, &alone.model);
  assert_true(alone.step(6));
  assert_true(largest_difference(alone.lambda, without_a_stop) < 1e-9);
}

/// Time and deadline are those of rank 0, so all end after the same step.
void time_is_that_of_rank_0(void**) {
  for (const char* limit : {"deadline", "time"}) {
    RankThreads threads(2);
    std::vector<Rank> all(2);
    threads.run([&](int number) {
      Rank& rank = all[static_cast<size_t>(number)];
      rank.spread(threads, number, even_part(number, 2)) &&
          rank.create(model_options, {{"method", "annealing"}, {"batch_size", "24"}, {limit, "0.3"}}) &&
          rank.did(vtemper_optimizer_run(rank.optimizer, &rank.report)) && rank.read();
    });
    for (const Rank& rank : all) {
      assert_true(says(rank, VTEMPER_OK, ""));
      assert_int_equal(rank.report.iteration, all.front().report.iteration);
      assert_true(rank.report.seconds == all.front().report.seconds);
      assert_int_equal(rank.report.finished, 1);
      assert_true(rank.lambda == all.front().lambda);
      assert_true(rank.report.seconds_waiting > 0);
    }
  }
}

void what_has_no_meaning_is_refused(void**) {
  RankThreads threads(2);
  std::vector<Rank> all(2);
  std::vector<std::vector<std::string>> refusals(2);
  threads.run([&](int number) {
    Rank& rank = all[static_cast<size_t>(number)];
    std::vector<std::string>& list = refusals[static_cast<size_t>(number)];
    const auto note = [&](vtemper_status status) {
      list.push_back(std::string(vtemper_status_name(status)) + ": " + vtemper_last_error());
    };
    if (!rank.spread(threads, number, even_part(number, 2))) return;
    rank.create(model_options, {{"restarts", "3"}});
    note(rank.status);
    vtemper_model_destroy(rank.model);
    rank.model = nullptr;
    vtemper_data* twice = nullptr;
    note(vtemper_data_spread(rank.data, rank.group, &twice));
    note(vtemper_data_set_part(rank.data, 0, 500));
    if (!rank.create(model_options, minibatches)) return;
    note(vtemper_optimizer_feed(rank.optimizer, rank.own, nullptr));
    std::vector<double> statistics(200);
    int64_t length = 0;
    vtemper_optimizer_statistics_length(rank.optimizer, &length);
    statistics.resize(static_cast<size_t>(length));
    note(vtemper_optimizer_local_step(rank.optimizer, nullptr, statistics.data(), length));
    note(vtemper_optimizer_global_step(rank.optimizer, statistics.data(), length, nullptr));
  });
  for (const std::vector<std::string>& list : refusals) {
    const char* const words[] = {
        "UNSUPPORTED: option restarts asks for 3",           "STATE: the data are already spread over a group",
        "STATE: the data are spread over a group",           "STATE: feed is not for data that are spread",
        "STATE: local_step is not for data that are spread", "STATE: global_step is not for data that are spread"};
    assert_int_equal(list.size(), std::size(words));
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].find(words[i]) != std::string::npos) continue;
      print_error("'%s' does not hold '%s'\n", list[i].c_str(), words[i]);
      assert_true(false);
    }
  }
}

void groups_let_go(void**) {
  int released = 0;
  const vtemper_release count = [](void* user) { ++*static_cast<int*>(user); };
  vtemper_group* group = nullptr;
  assert_int_equal(vtemper_group_create(0, 1, nullptr, nullptr, count, &released, &group), VTEMPER_OK);
  vtemper_data *own = documents(0, 5), *spread = nullptr;
  assert_int_equal(vtemper_data_spread(own, group, &spread), VTEMPER_OK);
  int32_t rank = -1, ranks = -1;
  assert_int_equal(vtemper_group_rank(group, &rank, &ranks), VTEMPER_OK);
  assert_true(rank == 0 && ranks == 1);
  vtemper_group_destroy(group);
  assert_int_equal(released, 0);
  vtemper_data_destroy(spread);
  vtemper_data_destroy(own);
  assert_int_equal(released, 1);
  group = nullptr;
  assert_int_equal(vtemper_group_create(2, 2, nullptr, nullptr, count, &released, &group), VTEMPER_ERROR_ARGUMENT);
  assert_int_equal(vtemper_group_create(0, 2, nullptr, nullptr, count, &released, &group), VTEMPER_ERROR_ARGUMENT);
  assert_true(group == nullptr && released == 1);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(many_ranks_are_one_machine),
      cmocka_unit_test(bytes_of_dense_steps_are_told),
      cmocka_unit_test(growing_fits_send_the_topics_in_use),
      cmocka_unit_test(reproducible_fits_have_the_bits_of_one_machine),
      cmocka_unit_test(sparse_steps_are_dense_steps),
      cmocka_unit_test(unequal_shards_have_one_clock),
      cmocka_unit_test(weights_of_one_rank_count),
      cmocka_unit_test(ranks_that_differ_are_refused),
      cmocka_unit_test(calls_that_differ_are_refused),
      cmocka_unit_test(a_monitor_stops_all),
      cmocka_unit_test(a_row_that_cannot_be_read_fails_all),
      cmocka_unit_test(a_lost_rank_ends_all),
      cmocka_unit_test(scores_are_of_the_whole_corpus),
      cmocka_unit_test(bits_of_scores_do_not_depend_on_the_ranks),
      cmocka_unit_test(checkpoints_go_on_with_any_number_of_ranks),
      cmocka_unit_test(time_is_that_of_rank_0),
      cmocka_unit_test(what_has_no_meaning_is_refused),
      cmocka_unit_test(groups_let_go),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
