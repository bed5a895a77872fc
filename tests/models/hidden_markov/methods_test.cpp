// Whole fits: the objective never falls at one temperature, T = 1 is plain inference bit for bit, threads and resumed
// runs give the same bits, meaningless options are refused, files and results.

#include <cmath>

#include "models/hidden_markov/fixtures.h"
#include "storage/container.h"
#include "support/refusal.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr int64_t symbols = 12;

std::shared_ptr<Data> example(uint64_t seed = 7) {
  return data_of(random_sequences(60, 25, symbols, seed, true), symbols);
}

std::unique_ptr<Optimizer> optimizer_of(const std::shared_ptr<Data>& data, Texts texts, const char* states = "4") {
  texts.emplace("seed", "3");
  texts.emplace("threads", "1");
  return std::make_unique<Optimizer>(model_of({{"states", states}}), data, options_of(texts));
}

std::vector<double> fitted(const std::shared_ptr<Data>& data, const Texts& texts) {
  const auto optimizer = optimizer_of(data, texts);
  optimizer->run(-1, nullptr, nullptr);
  return flat_parameters(*optimizer->model());
}

/// At a fixed temperature every step of coordinate ascent raises the method's objective, up to rounding.
void check_ascent(const Texts& texts) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    Texts all = texts;
    all["seed"] = number_text(seed);
    all["max_iterations"] = "40";
    all["tolerance"] = "0";
    const auto optimizer = optimizer_of(example(seed + 20), all);
    double last = -INFINITY, temperature = 0;
    for (int step = 0; step < 40; ++step) {
      optimizer->run(1, nullptr, nullptr);
      const vtemper_report& report = optimizer->report();
      assert_true(std::isfinite(report.objective) && std::isfinite(report.elbo));
      if (report.inverse_temperature == temperature) {
        if (!(report.objective >= last - 1e-12 * std::abs(last))) {
          fail_with("step %d of %s: the objective falls from %.17g to %.17g", step, texts.at("method").c_str(), last,
                    report.objective);
        }
      }
      last = report.perturbation > 0 ? -INFINITY : report.objective;
      temperature = report.inverse_temperature;
    }
    assert_int_equal(optimizer->report().objective_falls, 0);
  }
}

void test_objective_never_falls(void**) {
  check_ascent({{"method", "vi"}});
  // All steps at one temperature: the schedule never moves within the run.
  for (const char* method : {"annealing", "entropy_annealing"}) {
    check_ascent({{"method", method}, {"temperature_start", "1.3"}, {"temperature_steps", "1e15"}});
    check_ascent({{"method", method}});
  }
  check_ascent({{"method", "entropy_annealing"},
                {"temperature_entropy", "natural_parameters"},
                {"temperature_start", "1.5"},
                {"temperature_steps", "1e15"}});
  check_ascent({{"method", "stochastic_annealing"}, {"perturbation_steps", "10"}});
  check_ascent({{"method", "tempering"}});
  check_ascent({{"method", "tempering"}, {"temperature_normalizer", "plug_in"}});
}

/// With local temperatures the normalisers are taken anew as the globals move; each row's own choice and the step at
/// these temperatures ascend.
void test_local_tempering_ends_cold(void**) {
  const auto optimizer = optimizer_of(example(), {{"method", "local_tempering"}, {"max_iterations", "60"}});
  optimizer->run(5, nullptr, nullptr);
  const double inverse = optimizer->report().inverse_temperature;
  assert_true(inverse > 0.25 && inverse < 1);
  optimizer->run(-1, nullptr, nullptr);
  assert_true(optimizer->report().inverse_temperature == 1);
}

void test_temperature_one_is_plain(void**) {
  const auto data = example();
  const std::vector<double> plain_fit = fitted(data, {{"method", "vi"}, {"max_iterations", "12"}});
  const std::vector<Texts> others = {
      {{"method", "annealing"}, {"temperature_start", "1"}},
      {{"method", "entropy_annealing"}, {"temperature_start", "1"}},
      {{"method", "entropy_annealing"}, {"temperature_start", "1"}, {"temperature_entropy", "natural_parameters"}},
      {{"method", "stochastic_annealing"}, {"perturbation_start", "0"}},
  };
  for (Texts texts : others) {
    texts["max_iterations"] = "12";
    assert_true(fitted(data, texts) == plain_fit);
  }
}

void test_threads_give_the_same_bits(void**) {
  const auto data = data_of(random_sequences(700, 40, symbols, 5, true), symbols);
  for (const char* method :
       {"vi", "svi", "annealing", "entropy_annealing", "tempering", "local_tempering", "stochastic_annealing"}) {
    const Texts one = {{"method", method}, {"max_iterations", "6"}, {"threads", "1"}};
    Texts many = one;
    many["threads"] = "3";
    assert_true(fitted(data, one) == fitted(data, many));
  }
}

void test_resumed_runs(void**) {
  const auto data = example();
  for (const char* method : {"vi", "svi", "tempering", "local_tempering", "stochastic_annealing"}) {
    const Texts texts = {{"method", method}, {"max_iterations", "20"}};
    const auto first = optimizer_of(data, texts);
    first->run(9, nullptr, nullptr);
    ContainerWriter writer("vtemper.checkpoint");
    first->save(writer);
    std::vector<double> bytes(static_cast<size_t>(writer.size()) / sizeof(double) + 1);
    writer.write(bytes.data());
    const auto reader = ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.checkpoint");
    const auto second = Optimizer::load(reader, data);
    first->run(-1, nullptr, nullptr);
    second->run(-1, nullptr, nullptr);
    assert_true(flat_parameters(*first->model()) == flat_parameters(*second->model()));
    assert_true(flat_parameters(*first->model()->copy()) == flat_parameters(*first->model()));
  }
}

void test_minibatches_learn(void**) {
  const auto data = data_of(random_sequences(400, 40, symbols, 11), symbols);
  const auto optimizer = optimizer_of(data, {{"method", "svi"}, {"batch_size", "40"}, {"max_passes", "20"}});
  const auto evaluate_elbo = [&] {
    return evaluate(*optimizer->model(), data.get(), nullptr, "elbo",
                    OptionValues(evaluate_options(), Options{}, "evaluate"));
  };
  const double before = evaluate_elbo();
  optimizer->run(-1, nullptr, nullptr);
  assert_true(evaluate_elbo() > before + 0.2 * data_total(*data));
}

void test_refusals(void**) {
  const auto sequences = example();
  const auto counts = std::make_shared<Data>(Counts{});
  std::string text = refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { optimizer_of(counts, {{"method", "vi"}}); });
  assert_contains(text, "hidden_markov models sequences");
  text = refusal(VTEMPER_ERROR_UNSUPPORTED, [&] {
    optimizer_of(sequences, {{"method", "tempering"}, {"temperature_normalizer", "gibbs"}});
  });
  assert_contains(text, "temperature_normalizer gibbs");
  text = refusal(VTEMPER_ERROR_UNSUPPORTED, [&] {
    optimizer_of(sequences, {{"method", "local_tempering"}, {"temperature_normalizer", "prior"}});
  });
  assert_contains(text, "prior");
  text = refusal(VTEMPER_ERROR_UNSUPPORTED, [&] {
    optimizer_of(sequences, {{"method", "stochastic_annealing"}, {"perturbation_scope", "all"}});
  });
  assert_contains(text, "perturbation_scope");
  text = refusal(VTEMPER_ERROR_OPTION, [] { model_of({{"states", "3"}, {"initial_prior", "1,2"}}); });
  assert_contains(text, "initial_prior has 2 values");
  text = refusal(VTEMPER_ERROR_OPTION, [] { model_of({{"states", "2"}, {"transition_prior", "1,2"}}); });
  assert_contains(text, "1 or 4");
  const auto model = model_of({{"states", "2"}, {"emission_prior", "1,2,3"}});
  text = refusal(VTEMPER_ERROR_OPTION, [&] { model->initialize(*sequences, 1); });
  assert_contains(text, "2 x 12");
  assert_false(model->initialized());

  const auto good = model_of({{"states", "2"}});
  good->initialize(*sequences, 1);
  const auto larger = data_of(random_sequences(5, 5, symbols + 3, 2), symbols + 3);
  text = refusal(VTEMPER_ERROR_DATA, [&] { good->check(*larger); });
  assert_contains(text, "alphabet of 15 symbols, the model one of 12");
  assert_contains(text, "must have a column for every symbol, even if it does not occur there");
  good->check(*data_of({{0, 1}}, 2));
  std::vector<double> values(4, 1);
  values[3] = std::nan("");
  text = refusal(VTEMPER_ERROR_DATA, [&] { good->write_parameter("transition", values.data()); });
  assert_contains(text, "element 3 of transition");
}

/// Matrices of priors are assigned to the right elements.
void test_priors(void**) {
  const auto data = data_of({{0, 1}, {1}}, 3);
  const auto model = model_of({{"states", "2"},
                               {"initial_prior", "1,2"},
                               {"transition_prior", "3,4,5,6"},
                               {"emission_prior", "7,8,9,10,11,12"}});
  model->initialize(*data, 1);
  const Step step(*model, *data, at(1));
  const std::vector<double> nothing(step.statistics.size());
  step.work->read_statistics(nothing.data());
  step.work->global_step(GlobalStep{});
  assert_true(flat_parameters(*model) == (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  check_close("bound at the prior", model->global_bound(PriorPower{}), 0, 1e-12L, 1);
}

std::vector<double> inferred(const ConjugateModel& model, const Data& data, const std::string& name) {
  for (const Quantity& quantity : model.local_quantities(data)) {
    if (name != quantity.name) continue;
    std::vector<double> out(static_cast<size_t>(quantity.size()));
    model.infer(data, name, OptionValues(evaluate_options(), Options{}, "evaluate"),
                {out.data(), quantity.shape.size() > 1 ? quantity.shape[1] : 1, 1});
    return out;
  }
  assert_true(false);
  return {};
}

void test_results_against_all_paths(void**) {
  const SequenceList sequences = random_sequences(9, 6, 4, 31, true);
  const auto data = data_of(sequences, 4);
  const auto model = model_of({{"states", "3"}});
  model->initialize(*data, 1);
  set_parameters(*model, random_parameters(3, 4, 9));
  const Rows dirichlets = rows_of(flat_parameters(*model), 3, 4);
  const Rows posterior = plain::powers(plain::expected_logs(dirichlets), 1);
  const Rows means = plain::powers(plain::logs_of_means(dirichlets), 1);
  const std::vector<double> marginals = inferred(*model, *data, "marginals"), path = inferred(*model, *data, "path"),
                            likelihoods = inferred(*model, *data, "log_likelihood");
  assert_int_equal(path.size(), data->entries());
  size_t place = 0;
  Number total = 0;
  for (size_t n = 0; n < sequences.size(); ++n) {
    if (sequences[n].empty()) {
      assert_true(likelihoods[n] == 0);
      continue;
    }
    const plain::Local local = plain::enumerate(posterior, sequences[n]);
    const plain::Local under_means = plain::enumerate(means, sequences[n]);
    check_close("log likelihood", likelihoods[n], under_means.log_normalizer, 1e-12L);
    total += under_means.log_normalizer;
    for (size_t t = 0; t < sequences[n].size(); ++t, ++place) {
      assert_int_equal(static_cast<int>(path[place]), under_means.best_path[t]);
      for (size_t k = 0; k < 3; ++k) {
        check_close("marginal", marginals[3 * place + k], local.marginals[t][k], 1e-12L, 1);
      }
    }
  }
  const OptionValues options(evaluate_options(), Options{}, "evaluate");
  check_close("predictive", evaluate(*model, data.get(), nullptr, "predictive", options),
              total / static_cast<Number>(data->entries()), 1e-12L);
  const Step step(*model, *data, at(1));
  check_close("elbo", evaluate(*model, data.get(), nullptr, "elbo", options),
              step.sums.bound + model->global_bound(PriorPower{}), 1e-12L);
  assert_contains(
      refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { evaluate(*model, data.get(), data.get(), "predictive", options); }),
      "scores rows as a whole");
  assert_contains(
      refusal(VTEMPER_ERROR_UNSUPPORTED, [&] { evaluate(*model, data.get(), nullptr, "coherence_umass", options); }),
      "counts");
}

void test_save_and_load(void**) {
  const auto data = example();
  data_set_names(*data, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"});
  const auto model = model_of({{"states", "5"}});
  model->initialize(*data, 4);
  ContainerWriter writer("vtemper.model");
  save_model(*model, writer);
  std::vector<double> bytes(static_cast<size_t>(writer.size()) / sizeof(double) + 1);
  writer.write(bytes.data());
  const auto reader = ContainerReader::open_buffer(bytes.data(), writer.size(), "vtemper.model");
  const auto loaded = as_conjugate(load_model(reader));
  assert_true(flat_parameters(*loaded) == flat_parameters(*model));
  assert_true(*loaded->names() == *data->names);
  assert_true(loaded->global_bound(PriorPower{}) == model->global_bound(PriorPower{}));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_objective_never_falls),
      cmocka_unit_test(test_local_tempering_ends_cold),
      cmocka_unit_test(test_temperature_one_is_plain),
      cmocka_unit_test(test_threads_give_the_same_bits),
      cmocka_unit_test(test_resumed_runs),
      cmocka_unit_test(test_minibatches_learn),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_priors),
      cmocka_unit_test(test_results_against_all_paths),
      cmocka_unit_test(test_save_and_load),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
