// Proximity constraints: magnitude and its decay, distances, the moving average; and which methods and parts models
// fitted by gradients accept.

#include "inference/proximity.h"

#include <algorithm>
#include <cmath>

#include "inference/gradient_method.h"
#include "inference/optimizer.h"
#include "storage/container.h"
#include "support/assert.h"
#include "support/error.h"
#include "support/gradient_step.h"
#include "support/parts.h"
#include "support/plain_network.h"

using fixtures::clock_at;
using namespace network_fixtures;

namespace {

Proximity make(const Texts& texts, Statistic statistic = Statistic::entropy) {
  return Proximity(OptionValues(Proximity::options(), options_of(texts), "the optimizer"), statistic);
}

bool near(double a, double b, double tolerance = 1e-12) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

void the_magnitude_decays(void**) {
  Proximity exponential = make({{"proximity_magnitude", "50"}, {"proximity_rate", "1e-4"}});
  assert_false(exponential.needs_start());
  assert_true(near(exponential.magnitude(clock_at(0, 100)), 50));
  assert_true(near(exponential.magnitude(clock_at(50, 100)), 50 * 1e-2));
  assert_true(exponential.magnitude(clock_at(1000, 100)) == 0);  // too small to matter
  assert_true(near(exponential.magnitude(clock_at(50000, 0)), 0.5));
  Proximity linear = make({{"proximity_magnitude", "50"}, {"proximity_decay", "linear"}, {"proximity_steps", "10"}});
  assert_true(near(linear.magnitude(clock_at(4, 100)), 30) && linear.magnitude(clock_at(10, 100)) == 0);
  Proximity constant = make({{"proximity_magnitude", "2"}, {"proximity_decay", "constant"}});
  assert_true(constant.magnitude(clock_at(99, 100)) == 2);
  Proximity mean = make({});
  Proximity sum = make({{"proximity_start", "sum"}});
  assert_true(mean.needs_start() && sum.needs_start());
  mean.start_at(-120, 20);
  sum.start_at(-120, 20);
  assert_true(mean.magnitude(clock_at(0, 9)) == 120 && sum.magnitude(clock_at(0, 9)) == 2400);
}

void distances_and_their_derivatives(void**) {
  for (const ProximityDistancePart* part : proximity_distance_parts()) {
    for (const double e : {-3.0, -0.7, -1e-9, 0.2, 0.999, 1.001, 4.0}) {
      const double slope =
          (part->value(e + 1e-10 * std::abs(e)) - part->value(e - 1e-10 * std::abs(e))) / (2e-10 * std::abs(e));
      assert_true(near(part->derivative(e), slope, 1e-5));
    }
    assert_true(part->derivative(0) == 0);
    assert_true(near(part->value(1), part->value(1 + 1e-15)) && part->value(2) == part->value(-2));
    assert_close(part->value(-3), std::string(part->name) == "square" ? 9 : 5, 1e-15);
  }
}

/// Rows whose statistics themselves are averaged; their parameters are not used.
class UnusedRows final : public RowPosteriors {
 public:
  int64_t row_length() const override { return 1; }
  int64_t row_statistic_length(Statistic) const override { return 1; }
  void row_statistics(Statistic, const RealArray&, double*, double*) const override { assert_true(false); }
};

void the_reference_is_a_debiased_average(void**) {
  Proximity proximity = make({{"proximity_magnitude", "3"},
                              {"proximity_decay", "constant"},
                              {"proximity_average_decay", "0.9"},
                              {"proximity_distance", "square"}});
  proximity.prepare(2, 1, 4, {});
  proximity.begin_step(clock_at(0, 10));
  double force[2];
  const double first[] = {5, 7};
  proximity.force(0, 2, first, nullptr, force);
  assert_true(force[0] == 0 && force[1] == 0);  // nothing to be near to yet
  const int64_t rows[] = {3, 1};
  const Batch batch = {nullptr, rows, 0, 2};
  const double of_rows[] = {10, 20};
  proximity.update({5, 7}, of_rows, batch, {}, 1);
  proximity.force(0, 2, first, nullptr, force);
  assert_true(near(force[0], 0) && near(force[1], 0));
  proximity.update({6, 3}, of_rows, batch, {}, 1);
  const double mean = (0.1 * 0.9 * 5 + 0.1 * 6) / (1 - 0.81);
  proximity.force(0, 1, first, nullptr, force);
  assert_true(near(force[0], 3 * 2 * (5 - mean)));
  // Each row has its own reference; rows that were not seen have none.
  const UnusedRows model;
  RowScratch scratch;
  scratch.shape(false, 1, 1);
  assert_true(near(*proximity.row_reference(model, 3, scratch), 10));
  assert_true(near(*proximity.row_reference(model, 1, scratch), 20));
  assert_null(proximity.row_reference(model, 0, scratch));
  // A reference that is passed in takes precedence over the row's own.
  const double other[] = {1};
  proximity.force(0, 1, first, other, force);
  assert_true(near(force[0], 3 * 2 * 4));

  ContainerWriter writer("test");
  proximity.save(writer);
  std::vector<uint64_t> buffer(static_cast<size_t>(writer.size()) / 8 + 1);
  writer.write(buffer.data());
  Proximity resumed = make({{"proximity_magnitude", "3"},
                            {"proximity_decay", "constant"},
                            {"proximity_average_decay", "0.9"},
                            {"proximity_distance", "square"}});
  resumed.prepare(2, 1, 4, {});
  resumed.load(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"));
  resumed.begin_step(clock_at(2, 10));
  double again[1];
  proximity.force(1, 1, first, nullptr, force);
  resumed.force(1, 1, first, nullptr, again);
  assert_true(force[0] == again[0]);
  Proximity smaller = make({{"proximity_magnitude", "3"}});
  smaller.prepare(1, 1, 4, {});
  try {
    smaller.load(ContainerReader::open_buffer(buffer.data(), writer.size(), "test"));
    assert_true(false);
  } catch (const Error& error) {
    assert_int_equal(error.status(), VTEMPER_ERROR_FORMAT);
  }
}

void the_average_of_parameters(void**) {
  Proximity proximity =
      make({{"proximity_magnitude", "3"}, {"proximity_average", "parameters"}, {"proximity_average_decay", "0.75"}});
  double values[] = {1, 2};
  const RealArray posterior = {false, values, 2};
  proximity.prepare(1, 0, 0, posterior);
  assert_true(proximity.reference()->at(1) == 2);
  values[1] = 6;
  proximity.update({0}, nullptr, {}, posterior, 1);
  assert_true(near(proximity.reference()->at(1), 0.75 * 2 + 0.25 * 6));
  // The averages of a row's parameters are updated when the row is visited.
  Proximity of_rows =
      make({{"proximity_magnitude", "3"}, {"proximity_average", "parameters"}, {"proximity_average_decay", "0.75"}});
  double all[] = {1, 2, 3, 4, 5, 6};
  const RealArray rows_now = {false, all, 6};
  of_rows.prepare(0, 2, 3, rows_now);
  for (double& value : all) value += 10;
  const int64_t visited[] = {2};
  of_rows.update({}, nullptr, {nullptr, visited, 0, 1}, rows_now, 1);
  const double expected[] = {1, 2, 3, 4, 0.75 * 5 + 0.25 * 15, 0.75 * 6 + 0.25 * 16};
  for (int64_t i = 0; i < 6; ++i) assert_true(near(of_rows.reference()->at(i), expected[i]));
}

std::string refusal(const Texts& texts, int64_t rows = 100) {
  const DataPointer data = binary_rows(10, 4);
  const auto model = network_of({{"layers", "2"}}, *data);
  try {
    choose_gradient_method(options_of(texts), rows, 20, *model);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void methods_of_gradients(void**) {
  const DataPointer data = binary_rows(10, 4);
  const auto model = network_of({{"layers", "2"}}, *data);
  const GradientMethod usual = choose_gradient_method({}, 1000, 20, *model);
  assert_true(!usual.proximity && !usual.temperature && usual.batch_size == 20 && usual.steps_total == 20000);
  // Many rows get the usual passes; few rows fewer than the usual steps where wide rows overfit.
  assert_int_equal(choose_gradient_method({}, 100000, 20, *model).steps_total, 200000);
  assert_int_equal(choose_gradient_method({}, 1000, 10000, *model).steps_total, 3000);
  // A Gaussian likelihood overfits after 250 passes, but not within 1,500 steps.
  const ModelKind& autoencoders = model_kind("variational_autoencoder");
  const auto autoencoder = autoencoders.create(
      OptionValues(autoencoders.options(), options_of({{"likelihood", "gaussian"}}), autoencoders.name));
  const std::pair<int64_t, int64_t> steps_of_rows[] = {{30, 1500}, {500, 1500}, {1000, 1954}, {100000, 78125}};
  for (const auto& [rows, steps] : steps_of_rows) {
    assert_int_equal(choose_gradient_method({}, rows, 12, *autoencoder->by_gradient()).steps_total, steps);
  }
  assert_int_equal(choose_gradient_method({}, 100, 64, *autoencoder->by_gradient()).steps_total, 750);  // wide rows
  // Documents: 100 passes, twice as many from 1,000 documents on.
  const ModelKind& families = model_kind("deep_exponential_family");
  const auto family = families.create(OptionValues(families.options(), {}, families.name));
  for (const auto& [rows, passes] :
       {std::pair<int64_t, double>{300, 100}, {500, 100}, {750, 150}, {1000, 200}, {50000, 200}}) {
    assert_true(choose_gradient_method({}, rows, 10000, *family->by_gradient()).passes == passes);
  }
  assert_string_equal(usual.options.used("method").c_str(), "vi");
  const GradientMethod proximity = choose_gradient_method(options_of({{"method", "proximity"}}), 1000, 20, *model);
  assert_true(proximity.proximity && proximity.proximity->statistic() == Statistic::entropy);
  const GradientMethod kl =
      choose_gradient_method(options_of({{"proximity", "kl"}, {"step_size", "rmsprop"}}), 1000, 20, *model);
  assert_true(kl.proximity->statistic() == Statistic::kl && kl.ascent->rate() == 0.01);
  const GradientMethod fed = choose_gradient_method(options_of({{"rows_total", "500"}}), -1, 0, *model);
  assert_true(fed.batch_size == 0 && fed.steps_total == 0);

  const auto names = [](const std::string& text, const char* part) {
    if (text.find(part) == std::string::npos) print_error("\"%s\" does not name %s\n", text.c_str(), part);
    assert_true(text.find(part) != std::string::npos);
  };
  names(refusal({{"method", "tempering"}}), "its methods are vi, entropy_annealing, proximity");
  names(refusal({{"temperature", "global"}}), "none and entropy_schedule");
  names(refusal({{"step_size", "robbins_monro"}}), "adam gradient_ascent rmsprop");
  names(refusal({{"perturbation", "stochastic"}}), "it has none");
  names(refusal({{"tolerance", "0.1"}}), "max_passes");
  names(refusal({{"proximity_magnitude", "1"}}), "without a proximity constraint");
  names(refusal({{"method", "proximity"}, {"proximity_inner_steps", "3"}}),
        "it must be 0, the linearised constraint");
  names(refusal({{"method", "proximity"}, {"proximity_inner_noise", "1"}}), "no effect with proximity_inner_steps 0");
  names(refusal({{"method", "proximity"}, {"proximity_decay", "linear"}, {"proximity_rate", "0.1"}}),
        "it belongs to proximity_decay exponential");
  names(refusal({{"method", "proximity"}, {"proximity_decay", "constant"}, {"proximity_steps", "9"}}),
        "proximity_steps has no effect with proximity_decay constant");
  names(refusal({{"step_size", "rmsprop"}, {"adam_epsilon", "1e-3"}}), "it belongs to step_size adam");
  names(refusal({{"temperature_start", "3"}}), "temperature_start has no effect with method vi");
  names(refusal({{"proximty", "kl"}}), "proximity");
}

Texts with(Texts texts, const Texts& more) {
  for (const auto& [name, value] : more) texts[name] = value;
  return texts;
}

Vector fitted(const Texts& texts, const char* single = "double") {
  const DataPointer data = binary_rows(40, 6);
  const ModelKind& kind = sigmoid_belief_network_kind;
  const std::shared_ptr<Model> model =
      kind.create(OptionValues(kind.options(), options_of({{"layers", "4,3"}, {"precision", single}}), kind.name));
  Optimizer optimizer(model, data, options_of(with({{"threads", "1"}, {"max_iterations", "25"}}, texts)));
  optimizer.run(-1, nullptr, nullptr);
  assert_true(std::isfinite(optimizer.report().elbo));
  return copy_of(dynamic_cast<GradientModel&>(*model).values());
}

/// Without temperature and without magnitude every method is vi, to the last bit; with them it is not.
void without_their_part_methods_are_vi(void**) {
  for (const char* precision : {"float", "double"}) {
    const Vector vi = fitted({{"method", "vi"}}, precision);
    const Texts annealing = {{"method", "entropy_annealing"}};
    assert_true(fitted(with(annealing, {{"temperature_start", "1"}}), precision) == vi);
    assert_true(fitted(with(annealing, {{"temperature_start", "3"}}), precision) != vi);
    for (const char* statistic : {"entropy", "kl", "mean_variance"}) {
      for (const char* average : {"statistic", "parameters"}) {
        const Texts proximity = {{"method", "proximity"}, {"proximity", statistic}, {"proximity_average", average}};
        assert_true(fitted(with(proximity, {{"proximity_magnitude", "0"}}), precision) == vi);
        assert_true(fitted(with(proximity, {{"proximity_magnitude", "1"}}), precision) != vi);
      }
    }
  }
}

/// A strong constraint on the entropy keeps it where it was; without one it falls.
void a_constraint_holds_its_statistic(void**) {
  const DataPointer data = binary_rows(60, 8);
  const auto entropy_after = [&](const Texts& texts) {
    const ModelKind& kind = sigmoid_belief_network_kind;
    const std::shared_ptr<Model> model =
        kind.create(OptionValues(kind.options(), options_of({{"layers", "5"}, {"precision", "double"}}), kind.name));
    Optimizer optimizer(
        model, data,
        options_of(with({{"threads", "1"}, {"max_iterations", "400"}, {"learning_rate", "0.01"}}, texts)));
    optimizer.run(-1, nullptr, nullptr);
    const auto& network = dynamic_cast<const GradientModel&>(*model);
    const auto work = network.begin_fit(data.get(), 60);
    GradientSettings settings;
    settings.statistic = Statistic::entropy;
    vtemper::test::gradient_step(*work, {data.get(), nullptr, 0, 60}, settings);
    double sum = 0;
    for (const double entropy : work->statistics()) sum += entropy;
    return sum;
  };
  const double start = entropy_after({{"max_iterations", "1"}});
  const double free = entropy_after({});
  const double held =
      entropy_after({{"proximity", "entropy"}, {"proximity_magnitude", "1000"}, {"proximity_decay", "constant"}});
  assert_true(start - free > 0.5);
  assert_close(start, held, 0.2 * (start - free));
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_magnitude_decays),
      cmocka_unit_test(distances_and_their_derivatives),
      cmocka_unit_test(the_reference_is_a_debiased_average),
      cmocka_unit_test(the_average_of_parameters),
      cmocka_unit_test(methods_of_gradients),
      cmocka_unit_test(without_their_part_methods_are_vi),
      cmocka_unit_test(a_constraint_holds_its_statistic),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
