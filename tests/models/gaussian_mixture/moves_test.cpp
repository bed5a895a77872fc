// Moves of Gaussian mixtures: the cost of a merger and the union against plain sums over rows, halves whose union is
// the component that was split, and clusters that are found from every seed.

#include <algorithm>

#include "models/gaussian_mixture/fixtures.h"
#include "support/refusal.h"
#include "support/sanitizer.h"

using namespace fixtures;

namespace {

using vtemper::test::unless_sanitized;

constexpr int64_t columns = 3, components = 4;

/// Means and covariances (inverses of mean precisions), and rows of the components.
struct Plain {
  Vector mean, covariance, rows;
  explicit Plain(const Model& model)
      : mean(parameter(model, "mean")), covariance(parameter(model, "covariance")), rows(parameter(model, "rows")) {}
  double at(int64_t k, int64_t i, int64_t j) const {
    return covariance[static_cast<size_t>((k * columns + i) * columns + j)];
  }
  double mean_at(int64_t k, int64_t i) const { return mean[static_cast<size_t>(k * columns + i)]; }
};

std::shared_ptr<Optimizer> fitted(const char* covariance) {
  const auto data = data_of(random_rows(400, columns, 6, 5), columns);
  const auto model = make_model({{"components", "4"}, {"covariance", covariance}, {"weights_prior", "1e-6"}});
  auto optimizer = std::make_shared<Optimizer>(
      model, data, options_of({{"method", "vi"}, {"moves", "off"}, {"threads", "1"}, {"max_iterations", "50"}}));
  optimizer->run(-1, nullptr, nullptr);
  return optimizer;
}

/// Mean and covariance of both, weighted by rows, from their definitions: E x and E x x' - E x E x'.
void check_union(const Plain& a, int64_t first, int64_t second, const Plain& b, int64_t both) {
  const auto row_of = [&](int64_t k) { return a.rows[static_cast<size_t>(k)]; };
  const double total = row_of(first) + row_of(second);
  check_close("rows", b.rows[static_cast<size_t>(both)], total, 1e-5);
  for (int64_t i = 0; i < columns; ++i) {
    const auto average = [&](const auto& of) {
      return (row_of(first) * of(first) + row_of(second) * of(second)) / total;
    };
    const auto mean = [&](int64_t j) { return average([&](int64_t k) { return a.mean_at(k, j); }); };
    check_close("mean", b.mean_at(both, i), mean(i), 1e-5, 1);
    for (int64_t j = 0; j < columns; ++j) {
      const double square = average([&](int64_t k) { return a.at(k, i, j) + a.mean_at(k, i) * a.mean_at(k, j); });
      check_close("covariance", b.at(both, i, j), square - mean(i) * mean(j), 1e-5, 10);
    }
  }
}

void unions_and_halves(void**) {
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto optimizer = fitted(covariance);
    const ConjugateModel& model = *optimizer->model()->conjugate();
    const Plain before(model);
    int64_t splits[2] = {0, 0};
    for (int64_t round = 0; round < 6; ++round) {
      for (const Move& move : model.move_proposals()->propose_moves(8, round)) {
        const auto moved = as_conjugate(model.copy());
        moved->move_proposals()->apply_move(move);
        const Plain after(*moved);
        ++splits[move.variant];
        assert_true(after.mean_at(move.slot, 0) != after.mean_at(move.from, 0));
        // Halves of the union are not looked at: their union is the union.
        if (move.from != move.into) {
          check_union(before, move.slot, move.into, after, move.into);
          Plain whole = before;
          check_close("rows of halves", after.rows[static_cast<size_t>(move.slot)],
                      before.rows[static_cast<size_t>(move.from)] / 2, 1e-9);
          check_union(after, move.slot, move.from, whole, move.from);
        }
        for (int64_t k = 0; k < components; ++k) {
          if (k == move.slot || k == move.into || k == move.from) continue;
          for (int64_t i = 0; i < columns; ++i) assert_true(after.at(k, i, i) == before.at(k, i, i));
        }
      }
    }
    assert_true(splits[0] > 5 && splits[1] > 5);
  }
}

/// Of four components two are nearly the same: these are merged first, the smaller into the larger.
void the_most_alike_are_merged(void**) {
  const auto optimizer = fitted("normal_wishart");
  const auto model = as_conjugate(optimizer->model()->copy());
  const Vector means = {0, 0, 0, 9, 0, 0, 0, 9, 0, 9, 0.1, 0};
  const Vector concentration = {100, 50, 100, 60};
  Vector scale(components * columns * columns, 0.0), dof(components, 50.0);
  for (size_t k = 0; k < components; ++k) {
    for (size_t i = 0; i < columns; ++i) scale[(k * columns + i) * columns + i] = 0.02;
  }
  model->write_parameter("mean", means.data());
  model->write_parameter("weights.concentration", concentration.data());
  model->write_parameter("precision.dof", dof.data());
  model->write_parameter("precision.scale", scale.data());
  const std::vector<Move> moves = model->move_proposals()->propose_moves(1, 0);
  assert_true(moves[0].slot == 1 && moves[0].into == 3);
}

/// Two of six components share the largest cluster, and one of the smallest holds two: coordinate ascent stays there,
/// and moves find the way out whatever the seed, although few rows lie in the component to be split.
void duplicates_split_a_small_component(void**) {
  Random random(4);
  Vector values;
  const double clusters[6][2] = {{0, 0}, {20, 0}, {0, 20}, {20, 20}, {40, 0}, {40, 20}};
  const int rows[6] = {1200, 700, 300, 150, 60, 40};
  for (int cluster = 0; cluster < 6; ++cluster) {
    for (int row = 0; row < rows[cluster]; ++row) {
      values.insert(values.end(), {clusters[cluster][0] + random.normal(), clusters[cluster][1] + random.normal()});
    }
  }
  const auto data = data_of(values, 2);
  const Vector means = {0, 0, 0.1, 0, 20, 0, 0, 20, 20, 20, 40, 8};
  const Vector concentration = {600, 600, 700, 300, 150, 100};
  Vector scale(6 * 2 * 2, 0.0), dof(6, 50.0);
  for (size_t k = 0; k < 6; ++k) {
    scale[k * 4] = 0.02;
    scale[k * 4 + 3] = k < 5 ? 0.02 : 0.0002;
  }
  const auto bound = [&](const char* moves, int64_t seed) {
    const std::shared_ptr<Model> model = make_model({{"components", "6"}});
    model->initialize(*data, 1);
    model->write_parameter("mean", means.data());
    model->write_parameter("weights.concentration", concentration.data());
    model->write_parameter("precision.dof", dof.data());
    model->write_parameter("precision.scale", scale.data());
    Optimizer optimizer(
        model, data, options_of({{"method", "vi"}, {"moves", moves}, {"seed", number_text(seed)}, {"threads", "1"}}));
    optimizer.run(-1, nullptr, nullptr);
    return optimizer.report().elbo;
  };
  const double without = bound("off", 1);
  int64_t found = 0;
  constexpr int64_t seeds = 8;
  for (int64_t seed = 1; seed <= seeds; ++seed) found += bound("auto", seed) > without + 50 ? 1 : 0;
  if (found != seeds) fail_with("%d of %d", static_cast<int>(found), static_cast<int>(seeds));
}

/// Six clusters, random starts: fits end with two clusters in one component and components without rows. The learned
/// prior then expects wide components, and would not let go of them.
void clusters_are_found_from_every_seed(void**) {
  Random random(2);
  Vector values;
  for (int row = 0; row < 300; ++row) {
    const int cluster = row % 6;
    values.insert(values.end(), {8.0 * (cluster % 4) + random.normal(), 8.0 * (cluster / 4) + random.normal()});
  }
  const auto data = data_of(values, 2);
  const auto bounds = [&](const char* moves) {
    Vector all;
    for (int64_t seed = 1; seed <= unless_sanitized<int64_t>(12, 3); ++seed) {
      const Texts texts = {{"restarts", "1"}, {"moves", moves}, {"seed", number_text(seed)}, {"threads", "1"}};
      Optimizer optimizer(make_model({{"components", "6"}, {"start", "random"}}), data, options_of(texts));
      optimizer.run(-1, nullptr, nullptr);
      all.push_back(optimizer.report().elbo);
    }
    return all;
  };
  const Vector with = bounds("auto"), without = bounds("off");
  const double best = *std::max_element(with.begin(), with.end());
  const auto good = [&](const Vector& all) {
    return std::count_if(all.begin(), all.end(), [&](double bound) { return bound > best - 1; });
  };
  const auto starts = static_cast<int64_t>(with.size());
  if (good(with) != starts || good(without) > 1) {
    fail_with("%d of %d with moves, %d without", static_cast<int>(good(with)), static_cast<int>(starts),
              static_cast<int>(good(without)));
  }
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unions_and_halves),
      cmocka_unit_test(the_most_alike_are_merged),
      cmocka_unit_test(duplicates_split_a_small_component),
      cmocka_unit_test(clusters_are_found_from_every_seed),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
