// Learned alpha and eta: the updates against a slow plain one, the bound that never falls, the point where they
// stand, state on disk, and what is refused.

#include "inference/optimizer.h"
#include "support/error.h"
#include "support/lda.h"

using namespace fixtures;
using namespace vtemper;

namespace {

Texts learning(const Texts& more) {
  Texts texts = {{"topics", "3"},
                 {"alpha", "0.3,0.1,0.5"},
                 {"eta", "0.2"},
                 {"precision", "double"},
                 {"topic_posterior", "dirichlet"},
                 {"local_iterations", "100000"},
                 {"local_tolerance", "1e-12"},
                 {"local_sparsity", "0"}};
  for (const auto& [name, value] : more) texts[name] = value;
  return texts;
}

/// Minka's fixed point for sum_i log DirichletMultinomial(counts_i | prior), counts_i = posterior_i - prior.
Vector fixed_point(const Vector& prior, const Matrix& posteriors, const Vector& weights) {
  Vector out = prior;
  Number below = 0;
  for (size_t i = 0; i < posteriors.size(); ++i) {
    below += weights[i] * (plain::digamma(plain::sum(posteriors[i])) - plain::digamma(plain::sum(prior)));
  }
  for (size_t k = 0; k < prior.size(); ++k) {
    Number above = 0;
    for (size_t i = 0; i < posteriors.size(); ++i) {
      above += weights[i] * (plain::digamma(posteriors[i][k]) - plain::digamma(prior[k]));
    }
    out[k] = prior[k] * above / below;
  }
  return out;
}

void updates_are_minkas(void**) {
  const Documents corpus = random_corpus(12, 9, 3, 20, 7, true);  // document 2 is empty: it says nothing about alpha
  const std::shared_ptr<Data> data = data_of(corpus);
  for (const double rho : {1.0, 0.03}) {
    const std::shared_ptr<ConjugateModel> model =
        make_model(learning({{"learn_alpha", "true"}, {"learn_eta", "true"}}));
    model->initialize(*data, 4);
    model->write_parameter("lambda", flat(random_lambda(3, 9, 5)).data());
    const Vector alpha = {0.3L, 0.1L, 0.5L};
    const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 12);
    work->local_step({data.get(), nullptr, 0, 12}, at(1), {});
    const auto& inside = static_cast<LdaFit<double>&>(*work).work();
    Matrix gamma;
    Vector weights;
    for (size_t d = 0; d < 12; ++d) {
      if (d == 2) continue;
      const double* row = inside.gamma.data() + d * inside.gamma.size() / 12;
      gamma.emplace_back(row, row + 3);
      weights.push_back(corpus.weights[d]);
    }
    GlobalStep step;
    step.rho = rho;
    step.iteration = 49;  // one of the minibatch steps that learn eta
    work->global_step(step);
    const Vector expected = fixed_point(alpha, gamma, weights);
    const std::vector<double> learned = parameter(*model, "alpha");
    const Number alpha_rate = std::min<Number>(1, 10 * static_cast<Number>(rho));
    for (size_t k = 0; k < 3; ++k) {
      check_close("alpha", learned[k], alpha[k] + alpha_rate * (expected[k] - alpha[k]), 1e-10L);
    }

    // eta, from lambda before it moved: lambda - eta is the same in a full step.
    if (rho < 1) continue;
    const double eta = parameter(*model, "eta")[0];
    Matrix lambda = lambda_of(*model);
    Number above = 0;
    Number below = 0;
    for (Vector& row : lambda) {
      for (Number& value : row) {
        value += 0.2L - eta;
        above += plain::digamma(value) - plain::digamma(0.2L);
      }
      below += 9 * (plain::digamma(plain::sum(row)) - plain::digamma(9 * 0.2L));
    }
    check_close("eta", eta, 0.2L * above / below, 1e-10L);
  }
}

void hot_steps_learn_nothing(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(12, 9, 3, 20, 7));
  const std::shared_ptr<ConjugateModel> model =
      make_model(learning({{"learn_alpha", "true"}, {"learn_eta", "true"}}));
  model->initialize(*data, 4);
  const std::unique_ptr<ConjugateFit> work = model->begin_fit(data.get(), 12);
  work->local_step({data.get(), nullptr, 0, 12}, at(0.5), {});
  GlobalStep step;
  step.inverse_temperature = 0.5;
  work->global_step(step);
  assert_true(parameter(*model, "alpha") == std::vector<double>({0.3, 0.1, 0.5}));
  assert_true(parameter(*model, "eta")[0] == 0.2);
}

/// Full steps of vi: the reported objective never falls while the priors are learned, and ends where another update
/// changes nothing.
void the_bound_never_falls(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(60, 24, 4, 30, 11, true));
  for (const Texts& what : {Texts{{"learn_alpha", "true"}}, Texts{{"learn_alpha", "true"}, {"learn_eta", "true"}},
                            Texts{{"learn_alpha", "true"}, {"topic_posterior", "point"}}}) {
    const std::shared_ptr<ConjugateModel> model = make_model(learning(what));
    Optimizer optimizer(model, data,
                        options_of({{"method", "vi"}, {"seed", "2"}, {"threads", "1"}, {"tolerance", "0"}}));
    double before = -INFINITY;
    for (int i = 0; i < 300; ++i) {
      optimizer.run(1, nullptr, nullptr);
      const double objective = optimizer.report().objective;
      assert_true(objective >= before - 1e-10 * std::abs(objective));
      before = objective;
    }
    assert_int_equal(optimizer.report().objective_falls, 0);
    assert_true(parameter(*model, "alpha") != std::vector<double>({0.3, 0.1, 0.5}));
  }
}

void learned_priors_survive_copies_and_files(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(40, 24, 4, 30, 11));
  const std::shared_ptr<ConjugateModel> model =
      make_model(learning({{"learn_alpha", "true"}, {"learn_eta", "true"}}));
  Optimizer optimizer(model, data, options_of({{"method", "vi"}, {"max_iterations", "7"}, {"threads", "1"}}));
  optimizer.run(-1, nullptr, nullptr);
  ContainerWriter writer("test");
  save_model(*model, writer);
  std::vector<char> bytes(static_cast<size_t>(writer.size()));
  writer.write(bytes.data());
  const std::shared_ptr<ConjugateModel> loaded =
      as_conjugate(load_model(ContainerReader::open_buffer(bytes.data(), writer.size(), "test")));
  for (const std::shared_ptr<ConjugateModel>& other :
       {loaded, std::shared_ptr<ConjugateModel>(as_conjugate(model->copy()))}) {
    for (const char* name : {"alpha", "eta", "lambda"}) {
      assert_true(same_bits(parameter(*other, name), parameter(*model, name)));
    }
  }
}

/// The start of the schedule is that of alpha before it was learned: a run that goes on from a file while T still
/// falls is the same run, and a model that is initialised anew begins where a new one does.
void learned_alpha_leaves_the_schedule_alone(void**) {
  const std::shared_ptr<Data> data = data_of(random_corpus(40, 30, 3, 25, 7, true));
  const Texts texts = {{"topics", "20"}, {"learn_alpha", "true"}, {"precision", "double"}};
  const auto optimizer_of = [&](const std::shared_ptr<ConjugateModel>& model) {
    return std::make_unique<Optimizer>(model, data,
                                       options_of({{"method", "annealing"},
                                                   {"batch_size", "0"},
                                                   {"max_iterations", "60"},
                                                   {"temperature_steps", "50"},
                                                   {"threads", "1"}}));
  };
  const std::shared_ptr<ConjugateModel> model = make_model(texts);
  const auto whole = optimizer_of(model);
  const std::vector<double> alpha = parameter(*model, "alpha");
  const std::vector<double> lambda = parameter(*model, "lambda");
  whole->run(49, nullptr, nullptr);
  assert_true(parameter(*model, "alpha") != alpha && whole->report().temperature > 1);
  ContainerWriter writer("test");
  whole->save(writer);
  std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
  writer.write(buffer.data());
  const auto resumed = Optimizer::load(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"), data);
  for (int step = 0; step < 3; ++step) {
    whole->run(1, nullptr, nullptr);
    resumed->run(1, nullptr, nullptr);
    assert_true(whole->report().temperature == resumed->report().temperature);
    assert_true(parameter(*whole->model(), "lambda") == parameter(*resumed->model(), "lambda"));
  }
  model->initialize(*data, 0);
  assert_true(parameter(*model, "alpha") == alpha && parameter(*model, "lambda") == lambda);
}

void what_cannot_be_learned_is_refused(void**) {
  for (const Texts& texts :
       {Texts{{"learn_eta", "true"}, {"topic_posterior", "point"}},
        Texts{{"learn_eta", "true"}, {"topics", "2"}, {"alpha", "0.1"}, {"eta", "0.1,0.2,0.3,0.4"}}}) {
    bool refused = false;
    try {
      make_model(learning(texts));
    } catch (const Error& error) {
      refused = error.status() == VTEMPER_ERROR_UNSUPPORTED &&
                std::string(error.what()).find("learn_eta") != std::string::npos;
    }
    assert_true(refused);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(updates_are_minkas),
      cmocka_unit_test(hot_steps_learn_nothing),
      cmocka_unit_test(the_bound_never_falls),
      cmocka_unit_test(learned_priors_survive_copies_and_files),
      cmocka_unit_test(learned_alpha_leaves_the_schedule_alone),
      cmocka_unit_test(what_cannot_be_learned_is_refused),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
