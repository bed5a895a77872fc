// Runs that must be equal bit for bit: annealing at T = 1 and vi / svi, a tempered run after its cool-down and a
// plain one, the two halves of a step and the whole step, fed rows and the optimizer's own, any number of threads,
// resumed and uninterrupted runs.

#include "inference/presets.h"
#include "storage/container.h"
#include "support/error.h"
#include "support/lda.h"
#include "support/random_streams.h"
#include "support/sanitizer.h"

using namespace fixtures;
using namespace vtemper;

namespace {

const std::vector<Texts> methods = {
    {{"method", "vi"}},
    {{"method", "svi"}, {"batch_size", "7"}},
    {{"method", "annealing"}, {"batch_size", "7"}},
    {{"method", "annealing"}, {"batch_size", "0"}, {"temperature_shape", "linear"}},
    {{"method", "tempering"}, {"batch_size", "7"}},
    {{"method", "tempering"}, {"batch_size", "7"}, {"temperature_estimate", "smoothed"}},
    {{"method", "tempering"}, {"batch_size", "0"}},
    {{"method", "local_tempering"}, {"batch_size", "7"}},
    {{"method", "local_tempering"}, {"batch_size", "0"}},
    {{"method", "entropy_annealing"}, {"batch_size", "7"}, {"temperature_start", "3"}},
    {{"method", "entropy_annealing"}, {"batch_size", "0"}, {"temperature_entropy", "density"}},
    {{"method", "stochastic_annealing"}, {"batch_size", "7"}},
    {{"method", "stochastic_annealing"}, {"batch_size", "0"}, {"perturbation_scope", "global"}},
    {{"method", "annealing"}, {"perturbation", "stochastic"}, {"batch_size", "7"}, {"perturbation_shape", "linear"}},
    {{"method", "local_tempering"}, {"perturbation", "stochastic"}, {"batch_size", "7"}},
    {{"method", "tempering"},
     {"batch_size", "7"},
     {"temperature_normalizer", "plug_in"},
     {"temperature_refresh", "4"}},
    {{"method", "annealing"}, {"batch_size", "7"}, {"step_size", "adaptive"}, {"step_size_initial_steps", "5"}},
};

const int64_t compared_steps = test::unless_sanitized(12, 6);
const size_t every = test::unless_sanitized<size_t>(1, 3);  ///< one in so many methods is compared on many rows

const std::vector<const char*> precisions =
    test::unless_sanitized<std::vector<const char*>>({"float", "double"}, {"float"});

struct Setting {
  plain::Documents corpus;
  std::shared_ptr<Data> data;
  explicit Setting(size_t documents = 40, size_t words = 30, bool weighted = true) {
    corpus = random_corpus(documents, words, 4, 20, 3, weighted);
    data = data_of(corpus);
  }
};

std::shared_ptr<ConjugateModel> model_for(const Data& data, const char* precision, const char* topics = "4",
                                          const Texts& more = {}) {
  Texts texts = {{"topics", topics}, {"precision", precision}};
  texts.insert(more.begin(), more.end());
  const std::shared_ptr<ConjugateModel> model = make_model(texts);
  model->initialize(data, 5);
  return model;
}

Texts with(Texts texts, const Texts& more) {
  for (const auto& [name, value] : more) texts[name] = value;
  return texts;
}

std::unique_ptr<Optimizer> optimizer_for(std::shared_ptr<Model> model, std::shared_ptr<const Data> data,
                                         Texts texts) {
  texts.emplace("threads", "1");  // unless the test sets it
  return std::make_unique<Optimizer>(std::move(model), std::move(data), options_of(texts));
}

void run(Optimizer& optimizer, int64_t steps) {
  assert_int_equal(optimizer.run(steps, nullptr, nullptr), VTEMPER_OK);
}

/// lambda, and every quantity of the optimizer except times; with or without the state kept for each row of the data.
std::vector<double> everything(const Optimizer& optimizer, bool of_rows = true) {
  std::vector<double> all = parameter(*optimizer.model(), "lambda");
  for (const Quantity& quantity : optimizer.quantities()) {
    const std::string name = quantity.name;
    if (name == "trace.seconds" || (!of_rows && name.rfind("rows.", 0) == 0)) continue;
    std::vector<double> values(static_cast<size_t>(quantity.size()));
    optimizer.read_quantity(quantity.name, {values.data(), 1, 1});
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void annealing_at_one_is_the_plain_method(void**) {
  const Setting setting;
  for (const char* precision : precisions) {
    for (const char* posterior : {"dirichlet", "point"}) {
      for (const bool full : {true, false}) {
        for (const char* shape : {"linear", "exponential"}) {
          const Texts model = {{"topic_posterior", posterior}};
          const Texts batch = {{"batch_size", full ? "0" : "7"}};
          const auto plain_run = optimizer_for(model_for(*setting.data, precision, "4", model), setting.data,
                                               with(batch, {{"method", full ? "vi" : "svi"}}));
          const auto annealed = optimizer_for(
              model_for(*setting.data, precision, "4", model), setting.data,
              with(batch, {{"method", "annealing"}, {"temperature_start", "1"}, {"temperature_shape", shape}}));
          for (int i = 0; i < 4; ++i) {
            run(*plain_run, 5);
            run(*annealed, 5);
            assert_true(everything(*plain_run) == everything(*annealed) ||
                        same_bits(everything(*plain_run), everything(*annealed)));
            assert_true(annealed->report().temperature == 1);
          }
        }
      }
    }
  }
}

/// Entropy annealing at T = 1 and stochastic annealing with r = 0.
void annealing_of_nothing_is_the_plain_method(void**) {
  const Setting setting;
  const std::vector<Texts> nothing = {
      {{"method", "entropy_annealing"}, {"temperature_start", "1"}, {"temperature_entropy", "natural_parameters"}},
      {{"method", "entropy_annealing"}, {"temperature_start", "1"}, {"temperature_entropy", "density"}},
      {{"method", "stochastic_annealing"}, {"perturbation_start", "0"}},
      {{"method", "stochastic_annealing"}, {"perturbation_steps", "0"}, {"perturbation_scope", "global"}}};
  for (const char* precision : precisions) {
    for (const char* posterior : {"dirichlet", "point"}) {
      for (const bool full : {true, false}) {
        for (const Texts& texts : nothing) {
          const Texts model = {{"topic_posterior", posterior}};
          const Texts batch = full ? Texts{{"batch_size", "0"}, {"tolerance", "0"}} : Texts{{"batch_size", "7"}};
          const auto plain_run = optimizer_for(model_for(*setting.data, precision, "4", model), setting.data,
                                               with(batch, {{"method", full ? "vi" : "svi"}}));
          const auto annealed =
              optimizer_for(model_for(*setting.data, precision, "4", model), setting.data, with(batch, texts));
          run(*plain_run, 15);
          run(*annealed, 15);
          assert_true(same_bits(everything(*plain_run), everything(*annealed)));
        }
      }
    }
  }
}

/// A run of full steps neither converges nor counts falls of the objective while it is perturbed.
void perturbed_runs_do_not_converge(void**) {
  const Setting setting;
  const auto optimizer = optimizer_for(model_for(*setting.data, "double"), setting.data,
                                       {{"method", "stochastic_annealing"}, {"batch_size", "0"}, {"tolerance", "1"}});
  for (int t = 0; t < 50; ++t) {
    run(*optimizer, 1);
    check_close("r", optimizer->report().perturbation, std::pow(0.9L, static_cast<Number>(t)), 1e-14L);
    assert_true(optimizer->report().converged == 0);
    assert_true(std::isfinite(optimizer->report().elbo));
  }
  run(*optimizer, 1);  // the first without a share has no value to compare with
  assert_true(optimizer->report().perturbation == 0 && optimizer->report().converged == 0);
  run(*optimizer, 1);
  assert_true(optimizer->report().converged == 1 && optimizer->report().objective_falls == 0);
}

void a_tempered_run_ends_in_plain_steps(void**) {
  const Setting setting;
  for (const char* precision : precisions) {
    for (const Texts& texts : methods) {
      if (texts.count("step_size") != 0) continue;  // the averages of its rate are its own
      // Full steps by the constant 1: step_size full would also remember the optima of its rows, which a run that
      // begins later cannot have.
      const bool full = texts.count("batch_size") == 0 || texts.at("batch_size") == "0";
      Texts ending = with(texts, {{"max_iterations", "30"}});
      if (full) ending = with(ending, {{"step_size", "constant"}, {"step_size_rate", "1"}});
      const auto hot = optimizer_for(model_for(*setting.data, precision), setting.data, ending);
      run(*hot, 20);
      const std::string& method = texts.at("method");
      const bool tempered = method != "vi" && method != "svi" && method != "stochastic_annealing";
      if (tempered) assert_true(hot->report().temperature > 1);

      Texts cold_texts = {{"method", full ? "vi" : "svi"}, {"batch_size", full ? "0" : "7"}};
      cold_texts = with(cold_texts, {{"max_iterations", "30"}});
      if (full) cold_texts = with(cold_texts, {{"step_size", "constant"}, {"step_size_rate", "1"}});
      const auto cold = optimizer_for(hot->model()->copy(), setting.data, cold_texts);
      const double clock = 20;
      cold->write_quantity("iteration", &clock);
      for (int i = 0; i < 10; ++i) {
        run(*hot, 1);
        run(*cold, 1);
        assert_true(hot->report().temperature == 1);
        assert_true(hot->report().inverse_temperature == 1);
        assert_true(same_bits(parameter(*hot->model(), "lambda"), parameter(*cold->model(), "lambda")));
      }
      assert_true(hot->report().finished == 1);
    }
  }
}

void two_halves_are_a_step(void**) {
  const Setting setting;
  for (const char* precision : precisions) {
    for (const Texts& texts : methods) {
      const Texts options = with(texts, {{"max_iterations", "12"}, {"elbo_every", "3"}, {"report_every", "4"}});
      const auto whole = optimizer_for(model_for(*setting.data, precision), setting.data, options);
      const auto halves = optimizer_for(model_for(*setting.data, precision), setting.data, options);
      std::vector<double> statistics(static_cast<size_t>(halves->statistics_length()));
      for (int64_t i = 0; i < compared_steps; ++i) {
        run(*whole, 1);
        halves->local_step(nullptr, statistics.data());
        halves->global_step(statistics.data(), nullptr);
        assert_true(same_bits(everything(*whole), everything(*halves)));
      }
    }
  }
}

/// As after an interruption at any of its rows.
void a_local_step_that_is_done_again_is_the_same(void**) {
  const Setting setting;
  for (const char* precision : precisions) {
    for (const Texts& texts : methods) {
      const Texts options = with(texts, {{"max_iterations", "10"}});
      const auto optimizer = optimizer_for(model_for(*setting.data, precision), setting.data, options);
      const size_t length = static_cast<size_t>(optimizer->statistics_length());
      std::vector<double> first(length), again(length);
      for (int i = 0; i < 10; ++i) {
        optimizer->local_step(nullptr, first.data());
        optimizer->local_step(nullptr, again.data());
        assert_true(same_bits(first, again));
        optimizer->global_step(again.data(), nullptr);
      }
    }
  }
}

void statistics_of_two_machines_add_up(void**) {
  // Two local steps on halves of the rows, added, give the step on all rows up to rounding.
  const Setting setting;
  const Texts options = {{"method", "vi"}, {"step_size", "constant"}, {"step_size_rate", "1"}, {"elbo_every", "1"}};
  const auto whole = optimizer_for(model_for(*setting.data, "double"), setting.data, options);
  const auto parts = optimizer_for(model_for(*setting.data, "double"), setting.data, options);
  std::vector<int64_t> rows(40);
  for (int64_t i = 0; i < 40; ++i) rows[static_cast<size_t>(i)] = i;
  const auto first = data_select(*setting.data, rows.data(), 15);
  const auto second = data_select(*setting.data, rows.data() + 15, 25);
  const size_t length = static_cast<size_t>(parts->statistics_length());
  for (int i = 0; i < 5; ++i) {
    run(*whole, 1);
    std::vector<double> one(length), two(length);
    parts->local_step(first.get(), one.data());
    parts->local_step(second.get(), two.data());
    for (size_t j = 0; j < length; ++j) one[j] += two[j];
    parts->global_step(one.data(), nullptr);
    const std::vector<double> a = parameter(*whole->model(), "lambda");
    const std::vector<double> b = parameter(*parts->model(), "lambda");
    for (size_t j = 0; j < a.size(); ++j) check_close("lambda", b[j], a[j], 1e-11L);
    check_close("elbo", parts->report().elbo, whole->report().elbo, 1e-11L);
  }
}

void feeding_the_rows_of_a_step_is_the_step(void**) {
  const Setting setting;
  for (const Texts& texts : methods) {
    const Texts options = with(texts, {{"max_iterations", "12"}, {"seed", "9"}});
    const auto own = optimizer_for(model_for(*setting.data, "float"), setting.data, options);
    const auto fed = optimizer_for(model_for(*setting.data, "float"), setting.data, options);
    const bool full = texts.count("batch_size") == 0 || texts.at("batch_size") == "0";
    uint64_t position = 0;
    for (int64_t i = 0; i < compared_steps; ++i) {
      run(*own, 1);
      if (full) {
        fed->feed(*setting.data, nullptr);
      } else {
        std::vector<int64_t> rows;
        for (int j = 0; j < 7; ++j, ++position) {
          rows.push_back(static_cast<int64_t>(permuted(position % 40, 40, 9, Purpose::minibatch, position / 40)));
        }
        fed->feed(*data_select(*setting.data, rows.data(), 7), nullptr);
      }
      // Fed rows are not those of the data.
      assert_true(same_bits(everything(*own, false), everything(*fed, false)));
    }
  }
}

void an_optimizer_without_data_takes_rows(void**) {
  const Setting setting(40, 30, false);
  const Texts options = {{"method", "annealing"}, {"temperature_steps", "6"}, {"max_iterations", "12"}};
  const auto own = optimizer_for(model_for(*setting.data, "double"), setting.data,
                                 with(options, {{"batch_size", "40"}, {"step_size", "robbins_monro"}}));
  const auto fed = optimizer_for(model_for(*setting.data, "double"), nullptr, with(options, {{"rows_total", "40"}}));
  for (int i = 0; i < 12; ++i) {
    run(*own, 1);
    fed->feed(*setting.data, nullptr);
    assert_true(same_bits(parameter(*own->model(), "lambda"), parameter(*fed->model(), "lambda")));
    assert_true(own->report().temperature == fed->report().temperature);
  }
  assert_true(fed->report().finished == 1);
}

int64_t empty_rows_of(const plain::Documents& corpus) {
  return std::count_if(corpus.counts.begin(), corpus.counts.end(),
                       [](const auto& row) { return plain::sum(row) == 0; });
}

void a_pass_takes_every_row_once(void**) {
  // The rows of minibatches, seen through the sums: 5 steps of 8 are one pass of 40.
  const Setting setting;
  Number weight = 0, tokens = 0;
  const auto optimizer = optimizer_for(model_for(*setting.data, "double"), setting.data,
                                       {{"method", "svi"}, {"batch_size", "8"}, {"seed", "4"}});
  std::vector<double> statistics(static_cast<size_t>(optimizer->statistics_length()));
  for (int i = 0; i < 5; ++i) {
    optimizer->local_step(nullptr, statistics.data());
    const LocalSums sums = LocalSums::read(statistics.data());
    weight += sums.rows;
    tokens += sums.tokens;
    optimizer->global_step(statistics.data(), nullptr);
  }
  Number expected = 0;
  for (size_t d = 0; d < 40; ++d) expected += setting.corpus.weights[d] * plain::sum(setting.corpus.counts[d]);
  check_close("weights of a pass", weight, plain::sum(setting.corpus.weights), 1e-13L);
  check_close("tokens of a pass", tokens, expected, 1e-13L);
  assert_true(optimizer->report().passes == 1 && optimizer->report().rows_seen == 40);
  assert_int_equal(optimizer->report().empty_rows, empty_rows_of(setting.corpus));
  optimizer->run(5, nullptr, nullptr);  // counted anew in every pass
  assert_int_equal(optimizer->report().empty_rows, empty_rows_of(setting.corpus));
}

void threads_do_not_change_the_bits(void**) {
  // More documents than a chunk, words and documents over many blocks; of few updates, as all of them are shared
  // alike.
  const Setting setting(560, 200);
  for (const std::string precision : precisions) {
    for (size_t method = 0; method < methods.size(); method += every) {
      const Texts& texts = methods[method];
      Texts options = with(texts, {{"max_iterations", "3"}, {"elbo_every", "1"}});
      if (options.count("batch_size") && options["batch_size"] == "7") options["batch_size"] = "530";
      std::vector<double> first;
      for (const char* threads : {"1", precision == "float" ? "2" : "8"}) {
        const auto optimizer =
            optimizer_for(model_for(*setting.data, precision.c_str(), "19", {{"local_iterations", "5"}}),
                          setting.data, with(options, {{"threads", threads}}));
        run(*optimizer, 3);
        if (first.empty()) {
          first = everything(*optimizer);
        } else {
          assert_true(same_bits(everything(*optimizer), first));
        }
      }
    }
  }
}

void a_resumed_run_is_the_same_run(void**) {
  const Setting setting;
  // Stopped at the first step, while it is hot, and after its cool-down.
  using Stops = std::vector<std::pair<const char*, int64_t>>;
  const auto stops = test::unless_sanitized<Stops>({{"double", 1}, {"double", 13}, {"float", 13}, {"float", 23}},
                                                   {{"double", 1}, {"float", 13}});
  for (const auto& [precision, stop] : stops) {
    for (const Texts& texts : methods) {
      const Texts options = with(texts, {{"max_iterations", "30"}, {"report_every", "3"}});
      const auto one = optimizer_for(model_for(*setting.data, precision), setting.data, options);
      run(*one, stop);
      ContainerWriter writer("vtemper.checkpoint");
      one->save(writer);
      std::vector<char> bytes(static_cast<size_t>(writer.size()));
      writer.write(bytes.data());
      const auto other = Optimizer::load(
          ContainerReader::open_buffer(bytes.data(), static_cast<int64_t>(bytes.size()), "vtemper.checkpoint"),
          setting.data);
      assert_true(same_bits(everything(*one), everything(*other)));
      run(*one, 7);
      run(*other, 7);
      assert_true(same_bits(everything(*one), everything(*other)));
      assert_true(one->report().objective_falls == other->report().objective_falls);
      assert_true(one->report().rows_seen == other->report().rows_seen);
    }
  }
}

void float_and_double_agree(void**) {
  const Setting setting;
  Number worst = 0;
  for (const Texts& texts : methods) {
    const Texts model = {{"local_tolerance", "1e-5"}, {"local_iterations", "2000"}};
    const Texts options = with(texts, {{"max_iterations", "20"}});
    const auto in_float = optimizer_for(model_for(*setting.data, "float", "4", model), setting.data, options);
    const auto in_double = optimizer_for(model_for(*setting.data, "double", "4", model), setting.data, options);
    in_double->model()->write_parameter("lambda", parameter(*in_float->model(), "lambda").data());
    run(*in_float, test::unless_sanitized(8, 4));
    run(*in_double, test::unless_sanitized(8, 4));
    const std::vector<double> a = parameter(*in_float->model(), "lambda");
    const std::vector<double> b = parameter(*in_double->model(), "lambda");
    for (size_t i = 0; i < a.size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<Number>(a[i] - b[i])) / std::max<Number>(b[i], 0.25L));
    }
    check_close("temperature", in_float->report().temperature, in_double->report().temperature, 1e-4L);
  }
  print_message("float against double: largest relative difference of lambda %.2g\n", static_cast<double>(worst));
  assert_true(worst < 2e-3L);
}

void the_report_of_a_full_step(void**) {
  // elbo and objective belong to the lambda before the step, as the plain code has them.
  const Priors priors = asymmetric_priors(3, 12, 7);
  const plain::Documents corpus = random_corpus(6, 12, 3, 15, 11, true);
  const std::shared_ptr<Data> data = data_of(corpus);
  const Matrix lambda = random_lambda(3, 12, 13);
  const Matrix log_beta = plain::topic_expectations(priors, lambda);
  const auto bound_at = [&](double s) {
    const Vector inverse(6, s);
    std::vector<plain::Local> locals;
    for (const Vector& counts : corpus.counts) locals.push_back(plain::solve(priors, counts, s, log_beta));
    return plain::objective(priors, corpus, inverse, locals, lambda);
  };
  const auto optimizer =
      optimizer_for(exact_model(priors, *data, lambda), data, {{"batch_size", "0"}, {"temperature_start", "2"}});
  run(*optimizer, 1);
  const vtemper_report& report = optimizer->report();
  check_close("elbo", report.elbo, bound_at(1).total(), 1e-9L);
  check_close("objective", report.objective, bound_at(0.5).total(), 1e-9L);
  check_close("expected log likelihood", report.expected_log_likelihood, bound_at(0.5).likelihood / 0.5L, 1e-9L);
  assert_true(report.temperature == 2 && report.inverse_temperature == 0.5 && report.step_size == 1);
  assert_true(report.iteration == 1 && report.rows_seen == 6 && report.passes == 1 && report.empty_rows == 1);
}

void a_stuck_fit_says_so(void**) {
  const Setting setting;
  const auto messages_of = [&](const Texts& more) {
    std::vector<std::string> said;
    const auto optimizer = optimizer_for(
        model_for(*setting.data, "double", "50", {{"alpha", "1"}, {"eta", "1"}, {"topic_posterior", "dirichlet"}}),
        setting.data,
        with({{"method", "tempering"}, {"batch_size", "10"}, {"step_size", "constant"}, {"step_size_rate", "0.1"}},
             more));
    optimizer->run(120, nullptr, [&](int level, const std::string& text) {
      assert_int_equal(level, 2);
      said.push_back(text);
    });
    return said;
  };
  // Fifty topics with broad priors for forty short documents: the tempered model prefers high temperatures.
  const std::vector<std::string> stuck =
      messages_of({{"temperature_cool_down", "0"}, {"temperature_max", "50"}, {"max_iterations", "120"}});
  assert_int_equal(stuck.size(), 2);
  assert_non_null(std::strstr(stuck[0].c_str(), "stuck hot: after 50 steps"));
  assert_non_null(std::strstr(stuck[1].c_str(), "the fit is hot"));
  assert_true(messages_of({{"temperature_max", "50"}, {"max_iterations", "60"}}).empty());
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(annealing_at_one_is_the_plain_method),
      cmocka_unit_test(annealing_of_nothing_is_the_plain_method),
      cmocka_unit_test(perturbed_runs_do_not_converge),
      cmocka_unit_test(a_tempered_run_ends_in_plain_steps),
      cmocka_unit_test(two_halves_are_a_step),
      cmocka_unit_test(a_local_step_that_is_done_again_is_the_same),
      cmocka_unit_test(statistics_of_two_machines_add_up),
      cmocka_unit_test(feeding_the_rows_of_a_step_is_the_step),
      cmocka_unit_test(an_optimizer_without_data_takes_rows),
      cmocka_unit_test(a_pass_takes_every_row_once),
      cmocka_unit_test(threads_do_not_change_the_bits),
      cmocka_unit_test(a_resumed_run_is_the_same_run),
      cmocka_unit_test(float_and_double_agree),
      cmocka_unit_test(the_report_of_a_full_step),
      cmocka_unit_test(a_stuck_fit_says_so),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
