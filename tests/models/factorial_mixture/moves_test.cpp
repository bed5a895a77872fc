// Moves of factorial mixtures: the parts of a component are what it was, rows in which components take part are those
// of the posteriors, dead components come to life, and shapes are found from every seed.

#include "support/assert.h"
#include "support/factorial_mixture.h"
#include "support/sanitizer.h"

using namespace factorial_fixtures;
using namespace vtemper;

namespace {

constexpr int64_t shapes = 6, columns = 16;

Texts shape_options() {
  return {{"components", number_text(shapes)},
          {"noise_variance", "0.1"},
          {"mean_variance", "0.35"},
          {"activation_probability", "0.3"}};
}

/// Sums of six shapes of 4 x 4 pixels, each in three rows of ten (Mandt 2016, Figure 3, in small).
std::shared_ptr<Data> rows_of_shapes() {
  const char* const pixels[shapes] = {"1000100010001000", "1111000000000000", "0000000011001100",
                                      "1001000000001001", "0000011001100000", "0001001001001000"};
  RandomStream random = numbers(7);
  Matrix rows(500, Vector(columns));
  for (Vector& row : rows) {
    for (Number& value : row) value = std::sqrt(0.1) * random.normal();
    for (const char* shape : pixels) {
      if (random.uniform() > 0.3) continue;
      for (size_t d = 0; d < columns; ++d) row[d] += shape[d] == '1' ? 1 : 0;
    }
  }
  return data_of(rows);
}

double bound_of(const std::shared_ptr<ConjugateModel>& model, const char* method, const char* moves, int64_t seed) {
  Optimizer optimizer(
      model, rows_of_shapes(),
      options_of(
          {{"method", method}, {"moves", moves}, {"seed", number_text(seed)}, {"restarts", "1"}, {"threads", "1"}}));
  optimizer.run(-1, nullptr, nullptr);
  assert_int_equal(optimizer.report().objective_falls, 0);
  return optimizer.report().elbo;
}

std::vector<double> mean_of(const ConjugateModel& model, int64_t component) {
  const std::vector<double> means = parameter(model, "mean");
  return {means.begin() + component * columns, means.begin() + (component + 1) * columns};
}

/// The parts of a component sum to it, or one is what another component leaves of it; all others stay.
void parts_of_a_component(void**) {
  for (const char* learn : {"false", "true"}) {
    Texts texts = shape_options();
    texts["learn_activation_probability"] = learn;
    const auto model = make_model(texts);
    bound_of(model, "annealing", "off", 1);
    std::vector<std::string> of_both = {"mean.variance"};
    if (learn == std::string("true")) of_both.insert(of_both.end(), {"activation.on", "activation.off"});
    int64_t by_columns = 0, differences = 0;
    for (int64_t round = 0; round < 4; ++round) {
      for (const Move& move : model->move_proposals()->propose_moves(5, round)) {
        const auto moved = as_conjugate(model->copy());
        moved->move_proposals()->apply_move(move);
        const std::vector<double> whole = mean_of(*model, move.from), stays = mean_of(*moved, move.from);
        const std::vector<double> leaves = mean_of(*moved, move.slot);
        const bool by_difference = stays == whole;
        (by_difference ? differences : by_columns) += 1;
        for (int64_t other = 0; other < shapes; ++other) {
          if (other != move.from && other != move.slot) {
            assert_true(mean_of(*moved, other) == mean_of(*model, other));
          }
        }
        int64_t explained = 0;  // by the difference to some component
        for (int64_t other = 0; other < shapes; ++other) {
          const std::vector<double> rest = mean_of(*model, other);
          int64_t equal = 0;
          for (size_t d = 0; d < columns; ++d) equal += leaves[d] == whole[d] - rest[d] ? 1 : 0;
          explained += other != move.from && other != move.slot && equal == columns ? 1 : 0;
        }
        assert_true(!by_difference || (move.variant == 1 && explained == 1));
        for (size_t d = 0; d < columns && !by_difference; ++d) assert_true(leaves[d] + stays[d] == whole[d]);
        for (const std::string& name : of_both) {
          const std::vector<double> values = parameter(*moved, name);
          assert_true(values[static_cast<size_t>(move.slot)] == values[static_cast<size_t>(move.from)]);
        }
      }
    }
    assert_true(by_columns > 0 && differences > 0);
  }
}

/// A component's variance tells in how many rows it takes part.
void rows_of_a_component(void**) {
  const auto model = make_model(shape_options());
  const std::shared_ptr<Data> data = rows_of_shapes();
  const std::unique_ptr<ConjugateFit> fit = [&] {
    model->initialize(*data, 2);
    return model->begin_fit(data.get(), data->rows());
  }();
  LocalSettings settings;
  settings.remember = true;
  settings.bound = true;
  std::vector<double> active;
  for (int step = 0; step < 20; ++step) {
    fit->local_step({data.get(), nullptr, 0, data->rows()}, LocalTemperature{}, settings);
    std::vector<double> statistics(static_cast<size_t>(fit->statistics_length()));
    fit->write_statistics(statistics.data());
    active.assign(statistics.begin() + 2, statistics.begin() + 2 + shapes);
    fit->whole_step(GlobalStep{});
  }
  const std::vector<double> variances = parameter(*model, "mean.variance");
  ComponentPriors priors;
  priors.mean_variance = 0.35;
  priors.noise_variance = 0.1;
  priors.activations.assign(shapes, {0.5, 0.5});
  FactorialComponents components(shapes, columns, priors);
  components.set_variances(variances.data());
  for (int64_t k = 0; k < shapes; ++k) {
    check_close("rows of a component", components.active_rows(k), active[static_cast<size_t>(k)], 1e-9L, 1);
  }
}

/// Where every component is dead, plain inference stays where it is; a drawn component leaves that place.
void dead_components_come_to_life(void**) {
  const auto dead_model = [] {
    auto model = make_model(shape_options());
    model->initialize(*rows_of_shapes(), 1);
    const std::vector<double> zeros(shapes * columns, 0.0), wide(shapes, 0.35);
    model->write_parameter("mean", zeros.data());
    model->write_parameter("mean.variance", wide.data());
    return model;
  };
  const auto stuck = dead_model(), moved = dead_model();
  const double before = bound_of(stuck, "vi", "off", 1), after = bound_of(moved, "vi", "extra", 1);
  print_message("all components dead: %.0f, with moves %.0f\n", before, after);
  int64_t alive = 0;
  for (int64_t k = 0; k < shapes; ++k) {
    for (const double value : mean_of(*stuck, k)) assert_true(std::abs(value) < 1e-3);
    double squares = 0;
    for (const double value : mean_of(*moved, k)) squares += value * value;
    alive += squares > 0.5 ? 1 : 0;
  }
  assert_true(alive >= 4 && after > 0.5 * before);
}

/// vi alone ends far below the shapes; with moves it finds as good a bound as annealing.
void shapes_are_found_from_every_seed(void**) {
  const int64_t seeds = test::unless_sanitized(10, 3);
  const double best = bound_of(make_model(shape_options()), "annealing", "off", 1);
  int64_t found = 0, found_alone = 0;
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    const double alone = bound_of(make_model(shape_options()), "vi", "off", seed);
    const double with_moves = bound_of(make_model(shape_options()), "vi", "on", seed);
    assert_true(with_moves >= alone - 1e-9 * std::abs(alone));
    found_alone += alone > best - 0.01 * std::abs(best) ? 1 : 0;
    found += with_moves > best - 0.01 * std::abs(best) ? 1 : 0;
  }
  print_message("of %d seeds, vi alone finds the shapes from %d, with moves from %d\n", static_cast<int>(seeds),
                static_cast<int>(found_alone), static_cast<int>(found));
  assert_true(found == seeds && found_alone < seeds);
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_a_component),
      cmocka_unit_test(rows_of_a_component),
      cmocka_unit_test(dead_components_come_to_life),
      cmocka_unit_test(shapes_are_found_from_every_seed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
