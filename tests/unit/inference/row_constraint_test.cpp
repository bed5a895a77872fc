// A constraint on rows with parameters of their own (Altosaar 2018): U and its gradient by central differences, the
// climb of Algorithm 1, the same without a constraint, and whole runs against a plain implementation.

#include "inference/row_constraint.h"

#include <cmath>

#include "inference/optimizer.h"
#include "support/assert.h"
#include "support/factorial_mixture.h"
#include "support/option_texts.h"

using namespace vtemper;

namespace {

using Vector = std::vector<double>;

/// Scalars x under two factors with activation probability 0.5 and noise 1.
DataPointer data_of(const Vector& x) {
  Dense dense;
  dense.rows = static_cast<int64_t>(x.size());
  dense.columns = 1;
  dense.values = {x.data(), VTEMPER_DOUBLE};
  dense.row_stride = dense.column_stride = 1;
  return data_from_dense(dense, true);
}

std::shared_ptr<GradientModel> factors(const Data& data, const Vector& means) {
  const ModelKind& kind = factorial_mixture_kind;
  const Options options = options_of(
      {{"components", "2"}, {"updates", "gradient"}, {"activation_probability", "0.5"}, {"noise_variance", "1"}});
  std::shared_ptr<Model> model = kind.create(OptionValues(kind.options(), options, kind.name));
  model->initialize(data, 2);
  model->write_parameter("mean", means.data());
  return std::dynamic_pointer_cast<GradientModel>(model);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double entropy_of(double eta) {
  const double p = sigmoid(eta), other = sigmoid(-eta);
  return -p * std::log(p) - (other > 0 ? other * std::log(other) : 0);
}
double inverse_huber(double e) {
  return std::abs(e) < 1 ? std::abs(e) : (e * e + 1) / 2;
}

struct Case {
  DataPointer data = data_of({1, 2, 3});
  std::shared_ptr<GradientModel> model = factors(*data, {1, 2});
  Vector values = {0.4, -1.3}, gradient = {-3, 0.8}, reference;
  RowScratch scratch;
  RowConstraint constraint;
  RowStart row{};

  Case(Statistic statistic, const ProximityDistancePart& distance, int64_t inner_steps)
      : constraint{*model->row_posteriors(), statistic, distance, 2.5, 0.1, inner_steps, 0} {
    const int64_t count = model->row_posteriors()->row_statistic_length(statistic);
    scratch.shape(false, 2, count);
    for (int64_t i = 0; i < count; ++i) reference.push_back(0.3 + 0.1 * static_cast<double>(i));
    row = {{false, values.data(), 2}, {false, gradient.data(), 2}, reference.data()};
  }
};

void the_gradient_of_the_objective(void**) {
  for (const ProximityDistancePart* distance : proximity_distance_parts()) {
    for (const Statistic statistic : {Statistic::entropy, Statistic::kl, Statistic::mean_variance}) {
      Case test(statistic, *distance, 1);
      const RealArray y = test.scratch.here.parameters.array();
      for (const double at : {-2.0, -0.3, 0.9, 3.1}) {
        for (int64_t k = 0; k < 2; ++k) {
          const auto value = [&](double place) {
            y.set(0, at);
            y.set(1, 0.5 * at);
            y.set(k, place);
            row_objective(test.constraint, test.row, test.scratch.here);
            return test.scratch.here.value[static_cast<size_t>(k)];
          };
          const double centre = k == 0 ? at : 0.5 * at;
          const double slope = (value(centre + 1e-5) - value(centre - 1e-5)) / 2e-5;
          value(centre);
          const double got = test.scratch.here.gradient[static_cast<size_t>(k)];
          if (std::abs(got - slope) > 1e-7 * std::max(1.0, std::abs(slope))) {
            print_error("%s, %s at %g: %.12g, by differences %.12g\n", statistic_name(statistic), distance->name, at,
                        got, slope);
            assert_true(false);
          }
        }
      }
    }
  }
  // Its terms.
  Case test(Statistic::entropy, *proximity_distance_parts().front(), 1);
  assert_string_equal(test.constraint.distance.name, "inverse_huber");
  test.scratch.here.parameters.array().set(0, 0.9);
  row_objective(test.constraint, test.row, test.scratch.here);
  const double expected = -3 * 0.5 - 0.25 / 0.2 - 2.5 * inverse_huber(entropy_of(0.9) - 0.3);
  assert_close(test.scratch.here.value[0], expected, 1e-13);
}

/// U rises over the inner steps, up to a point where no small change raises it further.
void the_objective_rises(void**) {
  for (const ProximityDistancePart* distance : proximity_distance_parts()) {
    for (const Statistic statistic : {Statistic::entropy, Statistic::kl, Statistic::mean_variance}) {
      for (const double magnitude : {0.5, 20.0, 1e6}) {
        Vector last(2, -INFINITY);
        for (int64_t steps = 0; steps < 60; ++steps) {
          Case test(statistic, *distance, steps);
          test.constraint.magnitude = magnitude;
          const RealArray y = test.scratch.here.parameters.array();
          for (int64_t k = 0; k < 2; ++k) y.set(k, test.values[static_cast<size_t>(k)]);
          climb_row(test.constraint, test.row, test.scratch);
          const Vector values(test.scratch.here.value.begin(), test.scratch.here.value.end());
          for (size_t k = 0; k < 2; ++k) assert_true(values[k] >= last[k]);
          last = values;
          if (steps < 59 || magnitude > 100) continue;
          for (int64_t k = 0; k < 2; ++k) {
            const double end = y.at(k);
            for (const double change : {-1e-3, 1e-3}) {
              y.set(k, end + change);
              row_objective(test.constraint, test.row, test.scratch.here);
              assert_true(test.scratch.here.value[static_cast<size_t>(k)] <= last[static_cast<size_t>(k)] + 1e-9);
            }
            y.set(k, end);
          }
        }
      }
    }
  }
}

void without_a_constraint_the_step_is_the_gradient(void**) {
  Case test(Statistic::entropy, *proximity_distance_parts().front(), 60);
  test.constraint.magnitude = 0;
  RandomStream random(1, Purpose::inner_step, 0, 0);
  double statistics[2];
  const double change = constrain_row(test.constraint, test.row, random, statistics, test.scratch);
  // U is level to the last bits within the root of their size.
  assert_close(test.gradient[0], -3, 1e-7);
  assert_close(test.gradient[1], 0.8, 1e-7);
  assert_true(change < 2e-7);
  assert_close(statistics[1], entropy_of(-1.3), 1e-13);
}

/// From another point nearby the climb reaches the same maximum; the same draws give the same bits.
void noise_moves_the_start(void**) {
  const auto gradient = [](double noise, int64_t steps, uint64_t item) {
    Case test(Statistic::entropy, *proximity_distance_parts().back(), steps);
    test.constraint.noise = noise;
    RandomStream random(1, Purpose::inner_step, 0, item);
    double statistics[2];
    constrain_row(test.constraint, test.row, random, statistics, test.scratch);
    return test.gradient;
  };
  assert_true(gradient(0.1, 2, 0) == gradient(0.1, 2, 0));
  assert_true(gradient(0.1, 2, 0) != gradient(0, 2, 0) && gradient(0.1, 2, 0) != gradient(0.1, 2, 1));
  for (size_t k = 0; k < 2; ++k) assert_close(gradient(0.1, 200, 0)[k], gradient(0, 200, 0)[k], 1e-6);
}

/// A row without a reference is constrained to its current statistic, one with a reference to that.
void the_linear_step_and_the_past(void**) {
  for (const int64_t steps : {0, 40}) {
    Case test(Statistic::entropy, *proximity_distance_parts().back(), steps);
    assert_string_equal(test.constraint.distance.name, "square");
    RandomStream random(1, Purpose::inner_step, 0, 0);
    double statistics[2];
    test.row.reference = nullptr;
    const double free = constrain_row(test.constraint, test.row, random, statistics, test.scratch);
    assert_true(steps == 0 ? free == 0 : free > 1e-3);
  }
  Case test(Statistic::entropy, *proximity_distance_parts().back(), 0);
  RandomStream random(1, Purpose::inner_step, 0, 0);
  double statistics[2];
  constrain_row(test.constraint, test.row, random, statistics, test.scratch);
  const double v = sigmoid(0.4) * sigmoid(-0.4);
  assert_close(test.gradient[0], -3 + 2.5 * 2 * (entropy_of(0.4) - 0.3) * 0.4 * v, 1e-13);
}

/// Algorithm 1 on two factors, scalar by scalar.
struct Plain {
  Vector x, means, eta, reference;
  double rate, magnitude;
  int inner_steps;

  double value(size_t row, size_t k, double y, double gradient) const {
    const double way = y - eta[2 * row + k];
    return gradient * way - way * way / (2 * rate) -
           magnitude * inverse_huber(entropy_of(y) - reference[2 * row + k]);
  }
  double slope(size_t row, size_t k, double y, double gradient) const {
    const double e = entropy_of(y) - reference[2 * row + k];
    const double d = std::abs(e) < 1 ? (e > 0 ? 1.0 : e < 0 ? -1.0 : 0.0) : e;
    return gradient - (y - eta[2 * row + k]) / rate + magnitude * d * y * sigmoid(y) * sigmoid(-y);
  }
  double climb(size_t row, size_t k, double gradient) const {
    double y = eta[2 * row + k], size = rate / 2;
    for (int n = 0; n < inner_steps; ++n) {
      const double next = y + size * slope(row, k, y, gradient);
      const bool better = value(row, k, next, gradient) >= value(row, k, y, gradient);
      if (better) y = next;
      size = better ? std::min(2 * size, rate / 2) : size / 2;
    }
    return y;
  }
  void step(bool first) {
    Vector of_means(2), moved;
    for (size_t i = 0; first && i < eta.size(); ++i) reference.push_back(entropy_of(eta[i]));
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t k = 0; k < 2; ++k) {
        const double nu = sigmoid(eta[2 * i + k]);
        const double rest = x[i] - sigmoid(eta[2 * i + 1 - k]) * means[1 - k];
        of_means[k] += nu * (rest - means[k]);
        moved.push_back(climb(i, k, nu * (1 - nu) * (-means[k] * means[k] / 2 + means[k] * rest - eta[2 * i + k])));
      }
    }
    eta = moved;
    for (size_t k = 0; k < 2; ++k) means[k] += rate * of_means[k] / static_cast<double>(x.size());
  }
};

void runs_are_those_of_a_plain_implementation(void**) {
  const Vector x = {0.3, 5.2, 9.1, 4.6, -0.4, 10.3};
  const DataPointer data = data_of(x);
  const Vector start = {-7, 12};
  const auto model = factors(*data, start);
  Optimizer optimizer(model, data,
                      options_of({{"method", "proximity"},
                                  {"step_size", "gradient_ascent"},
                                  {"learning_rate", "0.05"},
                                  {"proximity_inner_steps", "9"},
                                  {"proximity_magnitude", "30"},
                                  {"proximity_decay", "constant"},
                                  {"proximity_average_decay", "0.9"},
                                  {"batch_size", "0"},
                                  {"threads", "1"}}));
  Plain plain = {x, start, Vector(2 * x.size(), 0), {}, 0.05, 30, 9};
  Vector mean(2 * x.size());
  double weight = 0;
  for (int n = 0; n < 8; ++n) {
    const Vector before = plain.eta;
    plain.step(n == 0);
    weight = 0.9 * weight + 0.1;
    for (size_t i = 0; i < mean.size(); ++i) {
      mean[i] = 0.9 * mean[i] + 0.1 * entropy_of(before[i]);
      plain.reference[i] = mean[i] / weight;
    }
    optimizer.run(1, nullptr, nullptr);
    double means[2];
    model->read_parameter("mean", {means, 1, 1});
    for (size_t k = 0; k < 2; ++k) assert_close(means[k], plain.means[k], 1e-9);
  }
  // The constraint does change this run.
  const auto other = factors(*data, start);
  Optimizer free(other, data,
                 options_of({{"step_size", "gradient_ascent"}, {"learning_rate", "0.05"}, {"batch_size", "0"}}));
  free.run(8, nullptr, nullptr);
  double means[2];
  other->read_parameter("mean", {means, 1, 1});
  assert_true(std::abs(means[0] - plain.means[0]) > 1e-3);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(the_gradient_of_the_objective),
      cmocka_unit_test(the_objective_rises),
      cmocka_unit_test(without_a_constraint_the_step_is_the_gradient),
      cmocka_unit_test(noise_moves_the_start),
      cmocka_unit_test(the_linear_step_and_the_past),
      cmocka_unit_test(runs_are_those_of_a_plain_implementation),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
