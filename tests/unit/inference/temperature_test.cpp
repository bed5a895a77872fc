// The temperatures: values of the schedules, the learned posteriors against plain code, the cool-down, warnings and
// the state that checkpoints keep.

#include "inference/presets.h"

#include <cstring>

#include "support/error.h"
#include "support/lda.h"
#include "support/parts.h"

using namespace fixtures;
using namespace vtemper;

namespace {

/// Learned temperatures get a grid up to 5 unless the test says otherwise: the automatic grid of the tiny problems
/// would hardly exceed 1.
std::unique_ptr<Temperature> make(const char* name, Texts texts) {
  const bool learned = std::string(name) == "global" || std::string(name) == "local";
  if (learned) texts.emplace("temperature_max", "5");
  return make_part(temperature_parts(), name, texts, MethodDefaults{});
}

std::vector<double> quantity(const Temperature& temperature, const char* name) {
  for (const Quantity& q : temperature.quantities()) {
    if (std::string(q.name) != name) continue;
    std::vector<double> out(static_cast<size_t>(q.size()));
    temperature.read_quantity(name, {out.data(), 1, 1});
    return out;
  }
  assert_true(false);
  return {};
}

/// A small model and its corpus, for the learned temperatures.
struct Setting {
  plain::Documents plain_corpus = random_corpus(20, 15, 3, 20, 3);
  std::shared_ptr<Data> data = data_of(plain_corpus);
  Priors priors = symmetric_priors(3, 15, 0.3, 0.2);
  std::shared_ptr<ConjugateModel> model = exact_model(priors, *data, random_lambda(3, 15, 5));
  vtemper::Corpus corpus;
  Setting() {
    corpus.rows = 20;
    corpus.tokens = data_total(*data);
    corpus.data = data.get();
  }
};

LocalSums sums_with(double per_token, double tokens) {
  LocalSums sums;
  sums.count = sums.rows = 4;
  sums.tokens = tokens;
  sums.expected_log_likelihood = per_token * tokens;
  return sums;
}

void none_is_one(void**) {
  const auto none = make("none", {});
  assert_true(none->local(clock_at(0)).inverse == 1 && none->local(clock_at(7)).per_row == nullptr);
  assert_true(none->cold(clock_at(0)));
}

void linear_schedule(void**) {
  const auto part =
      make("schedule", {{"temperature_start", "4"}, {"temperature_steps", "10"}, {"temperature_shape", "linear"}});
  for (int64_t t = 0; t < 10; ++t) {
    check_close("T", 1 / part->local(clock_at(t)).inverse, 4 - 3 * static_cast<Number>(t) / 10, 1e-14L);
    assert_false(part->cold(clock_at(t)));
  }
  for (int64_t t = 10; t < 15; ++t) {
    assert_true(part->local(clock_at(t)).inverse == 1);
    assert_true(part->cold(clock_at(t)));
  }
}

void exponential_schedule(void**) {
  const auto part = make(
      "schedule", {{"temperature_start", "5"}, {"temperature_steps", "8"}, {"temperature_shape", "exponential"}});
  for (int64_t t = 0; t < 8; ++t) {
    check_close("T", 1 / part->local(clock_at(t)).inverse, std::pow(5.0L, 1 - static_cast<Number>(t) / 8), 1e-14L);
  }
  assert_true(part->local(clock_at(8)).inverse == 1);
}

/// The schedule of annealing with the priors at the power s, in the model's form unless the user chose one.
void entropy_schedule(void**) {
  const Texts texts = {{"temperature_start", "5"}, {"temperature_steps", "8"}};
  const auto likelihood = make("schedule", texts);
  const auto density = make("entropy_schedule", texts);
  Texts natural_texts = texts;
  natural_texts["temperature_entropy"] = "natural_parameters";
  const auto natural = make("entropy_schedule", natural_texts);
  for (int64_t t = 0; t < 12; ++t) {
    const double s = likelihood->local(clock_at(t)).inverse;
    for (const auto* part : {&density, &natural}) {
      const LocalTemperature temperature = (*part)->local(clock_at(t));
      assert_true(temperature.inverse == s && temperature.prior.inverse == s);
      assert_true(temperature.prior.natural_parameters == (part == &natural));
    }
    assert_true(likelihood->local(clock_at(t)).prior.inverse == 1);
    assert_true(density->cold(clock_at(t)) == likelihood->cold(clock_at(t)));
  }
  RequiredFeatures required;
  natural->add_required(required);
  assert_true(required.prior_power && required.natural_prior_power);

  for (const double prior : {0.1, 1.0, 2.5}) {
    check_close("density", (PriorPower{0.25, false}.concentration(prior)), 1 + 0.25L * (prior - 1), 1e-15L);
    check_close("natural", (PriorPower{0.25, true}.concentration(prior)), 0.25L * prior, 1e-15L);
    assert_true((PriorPower{1, false}.concentration(prior)) == prior);
  }
}

void lengths_of_schedules(void**) {
  const auto cold_from = [](const Temperature& part, int64_t total, double per_pass) {
    int64_t t = 0;
    while (!part.cold(clock_at(t, total, per_pass))) ++t;
    return t;
  };
  assert_int_equal(cold_from(*make("schedule", {{"temperature_passes", "2.5"}}), 100, 8), 20);
  assert_int_equal(cold_from(*make("schedule", {{"temperature_passes", "2.5"}, {"temperature_steps", "7"}}), 100, 8),
                   7);
  assert_int_equal(cold_from(*make("schedule", {}), 300, 8), 200);
  assert_int_equal(cold_from(*make("schedule", {}), 3000, 8), 2800);  // a plain end of 200 steps at most
  assert_int_equal(cold_from(*make("schedule", {}), 0, 8), 1500);
  const auto cold_when_fed = [&](double per_pass) {
    const auto part = make("schedule", {});
    int64_t t = 0;
    while (!part->cold(fed_clock_at(t, per_pass))) ++t;
    return t;
  };
  // Rows that are fed are taken to be one pass, of at most 10,000 steps; a single batch tells nothing.
  assert_int_equal(cold_when_fed(300), 200);
  assert_int_equal(cold_when_fed(2999.5), 2800);
  assert_int_equal(cold_when_fed(2), 1);
  assert_int_equal(cold_when_fed(1e30), 9800);
  assert_int_equal(cold_when_fed(1), 1500);
  const auto none = make("schedule", {{"temperature_steps", "0"}});
  assert_true(none->local(clock_at(0)).inverse == 1 && none->cold(clock_at(0)));
  for (const char* shape : {"linear", "exponential"}) {
    const auto flat = make("schedule", {{"temperature_start", "1"}, {"temperature_shape", shape}});
    for (int64_t t = 0; t < 20; ++t) assert_true(flat->local(clock_at(t, 30)).inverse == 1);
  }
}

/// c(s) = s^2 (n / K) psi'(alpha + s n / K) is the slope of a document's update at equal topics, which is checked by
/// a small difference. The automatic start is where it is 0.85, between 1.2 and 4. A brief schedule starts where it
/// is still 1.2 if that is above 4, at most at 8; if it is not, and there are at least 20 documents per topic, it
/// starts at 2.
void the_start_is_as_hot_as_topics_bear(void**) {
  const double alpha = 0.05, tokens = 60, s = 0.7;
  const int64_t topics = 20;
  const Number share = static_cast<Number>(tokens) / topics;
  const auto updated = [&](Number difference) {
    // gamma of one topic moved by the difference: phi of that topic over the others', first order in the difference.
    const Number gamma = alpha + s * share;
    const Number log_phi = s * (plain::digamma(gamma + difference) - plain::digamma(gamma));
    return s * share * std::expm1(log_phi);
  };
  const Number step = 1e-6L;
  check_close("slope", lda_document_slope(s, topics, alpha, tokens), (updated(step) - updated(-step)) / (2 * step),
              1e-8L);

  const auto model_of = [&](const char* k) {
    const ModelKind& kind = model_kind("lda");
    return as_conjugate(kind.create(OptionValues(kind.options(), options_of({{"topics", k}}), "lda")));
  };
  const auto starts = [&](const char* k, double length) {
    return model_of(k)->start_temperatures(1000, 1000 * length);
  };
  const double middle = starts("100", 194).grid;
  assert_true(middle > 1.5 && middle < 2.5);
  assert_true(lda_document_slope(1 / middle, 100, 0.01, 194) >= 0.85);
  assert_true(lda_document_slope(1 / (1.03 * middle), 100, 0.01, 194) < 0.85);
  assert_true(starts("100", 194).brief_schedule == middle);
  assert_true(starts("100", 1e6).brief_schedule == 1.2);  // long documents tolerate hardly any heat
  const double between = starts("100", 70).brief_schedule;
  assert_true(between > 4 && between < 8);
  assert_true(lda_document_slope(1 / between, 100, 0.01, 70) >= 1.2);
  assert_true(lda_document_slope(1 / (1.03 * between), 100, 0.01, 70) < 1.2);
  assert_true(starts("100", 105).brief_schedule == 4);  // 0.85 beyond 4, but not 1.2
  const StartTemperatures of_many = model_of("100")->start_temperatures(2000, 2000 * 105.0);
  assert_true(of_many.brief_schedule == 2 && of_many.schedule == 4);
  assert_true(model_of("100")->start_temperatures(1999, 1999 * 105.0).brief_schedule == 4);
  assert_true(model_of("100")->start_temperatures(2000, 2000 * 31.0).brief_schedule == 8);
  assert_true(starts("100", 31).brief_schedule == 8);  // short ones tolerate any
  const StartTemperatures usual = starts("100", 31);
  assert_true(usual.schedule == 4 && usual.grid == 4 && usual.entropy_schedule == 4);

  Setting setting;
  const auto automatic = make("schedule", {});
  automatic->prepare(*setting.model, setting.corpus);
  const double expected = setting.model->start_temperatures(setting.corpus.rows, setting.corpus.tokens).schedule;
  check_close("T", 1 / automatic->local(clock_at(0, 30)).inverse, expected, 1e-12L);

  // Ten steps a pass: 80 steps are brief, 81 are not.
  setting.corpus.rows = 1000;
  setting.corpus.tokens = 31000;
  for (const char* shape : {"linear", "exponential"}) {
    for (const auto& [steps, start] : {std::pair("80", 8), std::pair("81", 4)}) {
      const auto schedule = make("schedule", {{"temperature_steps", steps}, {"temperature_shape", shape}});
      schedule->prepare(*model_of("100"), setting.corpus);
      check_close("T of a brief or long schedule", 1 / schedule->local(clock_at(0, 300, 10)).inverse, start, 1e-12L);
    }
  }
}

Vector softmax(const Vector& logs) {
  const Number total = plain::log_sum(logs);
  Vector out;
  for (const Number value : logs) out.push_back(std::exp(value - total));
  return out;
}

void smoothed_update_equals_plain_code(void**) {
  Setting setting;
  const auto part = make(
      "global", {{"temperature_estimate", "smoothed"}, {"temperature_grid_size", "30"}, {"temperature_max", "8"}});
  assert_true(part->needs_tokens() && part->needs_likelihood() && part->measurement_length() == 0);
  part->prepare(*setting.model, setting.corpus);
  const std::vector<double> grid = quantity(*part, "temperature.grid");
  const std::vector<double> log_c = quantity(*part, "temperature.log_normalizer");
  for (size_t m = 0; m < 30; ++m) {
    check_close("grid", grid[m], std::pow(8.0L, static_cast<Number>(m) / 29), 1e-14L);
    check_close(
        "log C", log_c[m],
        setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, 1 / grid[m], 20, setting.corpus.tokens),
        1e-10L, 1e-9L);
  }
  Vector natural(30, 0);
  Vector weights(30, 1 / 30.0L);
  Random random(7);
  for (int64_t t = 0; t < 60; ++t) {
    Number mean = 0;
    for (size_t m = 0; m < 30; ++m) mean += weights[m] / grid[m];
    check_close("E[1/T]", part->local(clock_at(t)).inverse, mean, 1e-9L);
    Number term = -std::log(30.0L);
    for (size_t m = 0; m < 30; ++m) term -= weights[m] > 0 ? weights[m] * (log_c[m] + std::log(weights[m])) : 0;
    check_close("objective's term", part->objective_term(clock_at(t)), term, 1e-8L, 1e-6L);

    const double rho = std::pow(4 + static_cast<double>(t), -0.7);
    const double per_token = -3.6 + 1.6 * random.uniform();
    part->update(sums_with(per_token, 50), nullptr, rho, clock_at(t));
    for (size_t m = 0; m < 30; ++m) {
      natural[m] = (1 - rho) * natural[m] + rho * (setting.corpus.tokens * per_token / grid[m] - log_c[m]);
    }
    weights = softmax(natural);
    const std::vector<double> r = quantity(*part, "temperature.weights");
    for (size_t m = 0; m < 30; ++m) check_close("r", r[m], weights[m], 1e-9L, 1e-9L);
  }
  // A batch without tokens changes nothing.
  const std::vector<double> before = part->state();
  part->update(sums_with(0, 0), nullptr, 0.5, clock_at(60));
  assert_true(same_bits(part->state(), before));
}

/// Cubic Hermite through values and slopes at the two nodes around s.
Number hermite(const Vector& nodes, const Vector& value, const Vector& slope, Number s) {
  size_t j = 0;
  while (j + 2 < nodes.size() && s < nodes[j + 1]) ++j;
  const Number h = nodes[j + 1] - nodes[j];
  const Number t = (s - nodes[j]) / h;
  return value[j] * (2 * t * t * t - 3 * t * t + 1) + h * slope[j] * (t * t * t - 2 * t * t + t) +
         value[j + 1] * (-2 * t * t * t + 3 * t * t) + h * slope[j + 1] * (t * t * t - t * t);
}

void profiled_update_equals_direct_local_steps(void**) {
  Setting setting;
  constexpr size_t nodes = 8, size = 40;
  const auto part = make("global", {{"temperature_grid_size", "40"}, {"temperature_max", "4"}});
  assert_true(part->measurement_length() == 1 + 2 * nodes);
  part->prepare(*setting.model, setting.corpus);
  const std::vector<double> grid = quantity(*part, "temperature.grid");
  const std::vector<double> log_c = quantity(*part, "temperature.log_normalizer");
  Vector inverse;
  for (size_t j = 0; j < nodes; ++j) inverse.push_back(std::pow(4.0L, -static_cast<Number>(j) / (nodes - 1)));
  const auto direct = [&](Number s, const std::vector<int64_t>& rows) {
    LocalSums total;
    for (const int64_t row : rows) {
      const LocalSums sums = solve_row(*setting.model, *setting.data, row, at(static_cast<double>(s))).sums;
      total.tokens += sums.tokens;
      total.bound += sums.bound;
      total.expected_log_likelihood += sums.expected_log_likelihood;
    }
    return total;
  };

  Vector value(nodes, 0), slope(nodes, 0);
  // With 12 rows every second one is profiled, with 5 all.
  const std::vector<std::vector<int64_t>> batches = {{3, 1, 4, 0, 5, 9, 2, 6, 8, 7, 11, 10}, {12, 13, 14, 15, 16}};
  const std::vector<std::vector<int64_t>> chosen = {{3, 4, 5, 2, 8, 11}, {12, 13, 14, 15, 16}};
  const double rates[] = {1, 0.3, 0.02};  // the first step, rho, the least rate
  const double rhos[] = {0.5, 0.3, 0.001};
  for (int64_t t = 0; t < 3; ++t) {
    const auto& rows = batches[static_cast<size_t>(t) % 2];
    std::vector<double> measured(1 + 2 * nodes);
    part->measure({setting.data.get(), rows.data(), 0, static_cast<int64_t>(rows.size())}, clock_at(t), 2,
                  measured.data());
    for (size_t j = 0; j < nodes; ++j) {
      const LocalSums sums = direct(inverse[j], chosen[static_cast<size_t>(t) % 2]);
      check_close("tokens", measured[0], sums.tokens, 1e-14L);
      check_close("F(s)", measured[1 + j], sums.bound, 1e-10L);
      check_close("L(s)", measured[1 + nodes + j], sums.expected_log_likelihood, 1e-10L);
      value[j] += rates[t] * (sums.bound / sums.tokens - value[j]);
      slope[j] += rates[t] * (sums.expected_log_likelihood / sums.tokens - slope[j]);
    }
    part->update(sums_with(-3, 40), measured.data(), rhos[t], clock_at(t));
    Vector natural;
    for (size_t m = 0; m < size; ++m) {
      natural.push_back(setting.corpus.tokens * hermite(inverse, value, slope, 1 / grid[m]) - log_c[m]);
    }
    const Vector weights = softmax(natural);
    const std::vector<double> r = quantity(*part, "temperature.weights");
    Number mean = 0;
    for (size_t m = 0; m < size; ++m) {
      check_close("r", r[m], weights[m], 1e-8L, 1e-8L);
      mean += weights[m] / grid[m];
    }
    check_close("E[1/T]", part->local(clock_at(t + 1)).inverse, mean, 1e-9L);
    if (t == 0) {
      // Between the nodes, the interpolation is close to the bound itself.
      for (size_t m = 0; m < size; ++m) {
        const LocalSums sums = direct(1 / static_cast<Number>(grid[m]), chosen[0]);
        check_close("interpolated F", hermite(inverse, value, slope, 1 / grid[m]), sums.bound / sums.tokens, 1e-3L);
      }
    }
  }
}

void global_cool_down_ends_at_one(void**) {
  Setting setting;
  const auto part = make("global", {{"temperature_estimate", "smoothed"}});
  part->prepare(*setting.model, setting.corpus);
  const int64_t total = 60;  // cools from step 20 to step 40
  for (int64_t t = 0; t < 20; ++t) {
    assert_false(part->cold(clock_at(t, total)) && part->local(clock_at(t, total)).inverse < 1);
    part->update(sums_with(-6, 50), nullptr, 0.2, clock_at(t, total));
  }
  const Number from = 1 / static_cast<Number>(part->local(clock_at(20, total)).inverse);
  assert_true(from > 2);
  const std::vector<double> learned = part->state();
  for (int64_t t = 20; t < 40; ++t) {
    check_close("T", 1 / part->local(clock_at(t, total)).inverse, from + (1 - from) * (t - 20) / 20, 1e-12L);
    part->update(sums_with(-9, 50), nullptr, 0.2, clock_at(t, total));
  }
  assert_true(same_bits(part->state(), learned));
  for (int64_t t = 40; t < 80; ++t) {
    assert_true(part->local(clock_at(t, total)).inverse == 1);
    assert_true(part->cold(clock_at(t, total)));
  }
  // Without a known end, T is 1 after as many steps as a schedule takes; without the cool-down T may stay above 1.
  assert_true(part->local(clock_at(1500, 0)).inverse == 1 && part->local(clock_at(1400, 0)).inverse < 1);
  const auto off = make("global", {{"temperature_estimate", "smoothed"}, {"temperature_cool_down", "0"}});
  off->prepare(*setting.model, setting.corpus);
  off->update(sums_with(-6, 50), nullptr, 0.2, clock_at(0, total));
  assert_true(off->local(clock_at(59, total)).inverse < 0.5 && !off->cold(clock_at(59, total)));
}

void stuck_hot_is_said_once_and_only_then(void**) {
  Setting setting;
  const auto run = [&](double per_token, int64_t steps_total) {
    const auto part = make("global", {{"temperature_estimate", "smoothed"}});
    part->prepare(*setting.model, setting.corpus);
    std::vector<int64_t> said;
    for (int64_t t = 0; t < 200; ++t) {
      part->update(sums_with(per_token, 50), nullptr, 0.05, clock_at(t, steps_total));
      const std::string text = part->warning(clock_at(t + 1, steps_total));
      if (text.empty()) continue;
      said.push_back(t + 1);
      assert_non_null(std::strstr(text.c_str(), "stuck hot"));
      assert_non_null(std::strstr(text.c_str(), "temperature_cool_down"));
    }
    return said;
  };
  assert_true(run(-20, 0) == std::vector<int64_t>{100});  // 5 / rho
  assert_true(run(-20, 600) == std::vector<int64_t>{100});
  assert_true(run(-0.5, 0).empty());   // cold at once
  assert_true(run(-20, 150).empty());  // the cool-down was over before
}

void local_temperature_follows_the_rows(void**) {
  Setting setting;
  const auto part = make("local", {{"temperature_grid_size", "10"}, {"temperature_max", "5"}});
  part->prepare(*setting.model, setting.corpus);
  const int64_t total = 60;
  Number mean = 0.6L;
  double last_floor = 0;
  for (int64_t t = 0; t < 40; ++t) {
    const LocalTemperature local = part->local(clock_at(t, total));
    assert_non_null(local.per_row);
    const RowTemperature& row = *local.per_row;
    for (size_t m = 0; m < 10; ++m) {
      check_close("grid", row.inverse[m], 0.2L + 0.8L * static_cast<Number>(m) / 9, 1e-14L);
      check_close("c", row.log_normalizer[m],
                  setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, row.inverse[m], 20,
                                                                       setting.corpus.tokens) /
                      setting.corpus.tokens,
                  1e-12L, 1e-12L);
    }
    assert_true(row.log_normalizer.back() == 0);
    // Users read log C of all rows together, as with one temperature for all rows.
    check_close(
        "log C", quantity(*part, "temperature.log_normalizer")[3],
        setting.model->tempered_normalizer()->log_normalizer(Normalizer{}, row.inverse[3], 20, setting.corpus.tokens),
        1e-12L);
    if (t < 20) {
      assert_true(row.floor == 0);
    } else {
      assert_true(row.floor > last_floor && row.floor < 1);
      last_floor = row.floor;
    }
    check_close("start", row.start, std::max<Number>(mean, row.floor), 1e-12L);
    assert_true(local.inverse == row.start);
    assert_false(part->cold(clock_at(t, total)));

    LocalSums sums = sums_with(-3, 40);
    sums.rows = 4;
    const double of_rows = 0.4 + 0.01 * static_cast<double>(t);
    sums.inverse_temperature = 4 * of_rows;
    const double rho = t % 2 == 0 ? 0.1 : 0.001;
    part->update(sums, nullptr, rho, clock_at(t, total));
    mean += std::max(rho, 0.02) * (of_rows - mean);
    check_close("running mean", quantity(*part, "temperature.mean_inverse")[0], mean, 1e-12L);
  }
  for (int64_t t = 40; t < 80; ++t) {
    const LocalTemperature local = part->local(clock_at(t, total));
    assert_true(local.per_row == nullptr && local.inverse == 1 && part->cold(clock_at(t, total)));
  }
}

void posterior_of_a_row_by_brute_force(void**) {
  RowTemperature row;
  for (int m = 1; m <= 25; ++m) {
    row.inverse.push_back(m / 25.0);
    row.log_normalizer.push_back(4 * (1 - m / 25.0) * (1 - m / 30.0));
  }
  for (const double tokens : {1.0, 30.0, 1e5}) {
    for (const double per_token : {-0.1, -2.0, -4.0, -50.0}) {
      Vector logs;
      for (size_t m = 0; m < 25; ++m) {
        logs.push_back(tokens * (row.inverse[m] * static_cast<Number>(per_token) - row.log_normalizer[m]));
      }
      const Vector weights = softmax(logs);
      Number mean = 0;
      for (size_t m = 0; m < 25; ++m) mean += weights[m] * row.inverse[m];
      row.floor = 0;
      check_close("s_d", row.expected_inverse(per_token * tokens, tokens), mean, 1e-9L);
      check_close("log evidence", row.log_evidence(per_token * tokens, tokens),
                  plain::log_sum(logs) - std::log(25.0L), 1e-12L);
      row.floor = 0.9;
      check_close("floor", row.expected_inverse(per_token * tokens, tokens), std::max(mean, 0.9L), 1e-9L);
    }
  }
}

void states_are_restored_exactly(void**) {
  Setting setting;
  const std::vector<std::pair<const char*, Texts>> parts = {
      {"none", {}},
      {"schedule", {}},
      {"local", {}},
      {"global", {{"temperature_estimate", "smoothed"}}},
      {"global", {{"temperature_grid_size", "20"}}},
  };
  for (const auto& [name, texts] : parts) {
    const auto part = make(name, texts);
    const auto other = make(name, texts);
    part->prepare(*setting.model, setting.corpus);
    const auto advance = [&](Temperature& temperature, int64_t t) {
      std::vector<double> measured(static_cast<size_t>(temperature.measurement_length()));
      temperature.local(clock_at(t, 60));
      temperature.measure({setting.data.get(), nullptr, t % 10, 8}, clock_at(t, 60), 1, measured.data());
      LocalSums sums = sums_with(-2.5, 40);
      sums.inverse_temperature = 4 * 0.63;
      temperature.update(sums, measured.data(), 0.1, clock_at(t, 60));
    };
    for (int64_t t = 0; t < 12; ++t) advance(*part, t);
    const std::vector<double> state = part->state();
    assert_true(other->restore(state));
    other->prepare(*setting.model, setting.corpus);
    assert_true(same_bits(other->state(), state));
    for (int64_t t = 12; t < 50; ++t) {
      assert_true(part->local(clock_at(t, 60)).inverse == other->local(clock_at(t, 60)).inverse);
      advance(*part, t);
      advance(*other, t);
    }
    assert_true(same_bits(other->state(), part->state()));

    const auto refusing = make(name, texts);
    std::vector<double> longer = state;
    longer.push_back(1);
    assert_false(refusing->restore(longer));
    if (state.empty()) continue;
    for (size_t i = 0; i < state.size(); ++i) {
      std::vector<double> damaged = state;
      damaged[i] = std::nan("");
      assert_false(refusing->restore(damaged));
    }
  }
}

/// A grid of the user's own, in any order: its temperatures, their log C, and a posterior over them.
void a_grid_can_be_given(void**) {
  const Setting setting;
  const Texts texts = {{"temperature_inverses", "0.5,1,0.125,0.8"}, {"temperature_estimate", "smoothed"}};
  OptionTable table;
  for (const TemperaturePart* part : temperature_parts()) merge(table, part->options());
  for (const char* name : {"global", "local"}) {
    Texts own = texts;
    own["temperature_max"] = "8";  // which make() would set otherwise
    if (std::string(name) == "local") own.erase("temperature_estimate");
    const auto part = make(name, own);
    part->prepare(*setting.model, setting.corpus);
    std::vector<double> grid = quantity(*part, "temperature.grid");
    const std::vector<double> log_normalizer = quantity(*part, "temperature.log_normalizer");
    assert_int_equal(log_normalizer.size(), 4);
    Normalizer gibbs;
    gibbs.estimate = "gibbs";
    for (size_t m = 0; m < grid.size(); ++m) {
      assert_true(log_normalizer[m] == setting.model->tempered_normalizer()->log_normalizer(
                                           gibbs, 1 / grid[m], setting.corpus.rows, setting.corpus.tokens));
    }
    std::sort(grid.begin(), grid.end());
    assert_true((grid == std::vector<double>{1, 1 / 0.8, 2, 8}));
    OptionValues used(table, {}, "the optimizer");
    part->report_used(used, clock_at(0));
    std::vector<double> inverse = used.reals("temperature_inverses");
    std::sort(inverse.begin(), inverse.end());
    assert_true((inverse == std::vector<double>{0.125, 0.5, 0.8, 1}));
  }
  // The posterior over it follows the steps: r_m prop. exp(s_m L - log C_m).
  const auto part = make("global", [&] {
    Texts own = texts;
    own["temperature_max"] = "8";
    return own;
  }());
  part->prepare(*setting.model, setting.corpus);
  part->update(sums_with(-2, setting.corpus.tokens), nullptr, 1, clock_at(0, 100));
  const std::vector<double> grid = quantity(*part, "temperature.grid");
  const std::vector<double> log_normalizer = quantity(*part, "temperature.log_normalizer");
  const std::vector<double> weights = quantity(*part, "temperature.weights");
  std::vector<Number> logs;
  for (size_t m = 0; m < grid.size(); ++m) {
    logs.push_back(-2 * setting.corpus.tokens / static_cast<Number>(grid[m]) - log_normalizer[m]);
  }
  const Number largest = *std::max_element(logs.begin(), logs.end());
  Number total = 0;
  for (const Number log : logs) total += std::exp(log - largest);
  for (size_t m = 0; m < grid.size(); ++m) {
    check_close("r", weights[m], std::exp(logs[m] - largest) / total, 1e-9L, 1e-12L);
  }
}

void grids_without_meaning_are_refused(void**) {
  const auto refused = [](const Texts& texts, const char* message_part) {
    for (const char* name : {"global", "local"}) {
      try {
        Texts own = texts;
        own.emplace("temperature_max", "2");
        make(name, own);
        assert_true(false);
      } catch (const Error& error) {
        assert_int_equal(error.status(), VTEMPER_ERROR_OPTION);
        assert_non_null(std::strstr(error.what(), message_part));
      }
    }
  };
  refused({{"temperature_inverses", "0.5,0.25"}}, "one of them 1");
  refused({{"temperature_inverses", "1"}}, "at least two");
  refused({{"temperature_inverses", "1,0.5,0.5"}}, "0.5 more than once");
  refused({{"temperature_inverses", "1,0"}}, "element 1");
  refused({{"temperature_inverses", "1,0.5"}, {"temperature_grid_size", "3"}}, "temperature_grid_size is 3");
  refused({{"temperature_inverses", "1,0.5"}, {"temperature_max", "3"}}, "temperature_max is 3");
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(none_is_one),
      cmocka_unit_test(linear_schedule),
      cmocka_unit_test(exponential_schedule),
      cmocka_unit_test(entropy_schedule),
      cmocka_unit_test(lengths_of_schedules),
      cmocka_unit_test(the_start_is_as_hot_as_topics_bear),
      cmocka_unit_test(smoothed_update_equals_plain_code),
      cmocka_unit_test(profiled_update_equals_direct_local_steps),
      cmocka_unit_test(global_cool_down_ends_at_one),
      cmocka_unit_test(stuck_hot_is_said_once_and_only_then),
      cmocka_unit_test(local_temperature_follows_the_rows),
      cmocka_unit_test(posterior_of_a_row_by_brute_force),
      cmocka_unit_test(states_are_restored_exactly),
      cmocka_unit_test(a_grid_can_be_given),
      cmocka_unit_test(grids_without_meaning_are_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
