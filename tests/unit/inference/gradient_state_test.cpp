// A move takes every parameter along its own gradient, once, whatever the threads; and a thread moves the rows of
// weights that it multiplies by.

#include "inference/gradient_state.h"

#include <cmath>
#include <vector>

#include "models/dense_products.h"
#include "unit/cmocka.h"
#include "unit/random.h"

using namespace vtemper;

namespace {

constexpr int64_t rows = 30, columns = 9;
constexpr double rate = 0.25;

DataPointer ones_and_zeros() {
  static std::vector<double> values;
  test::Random random(2);
  values.resize(rows * columns);
  for (double& value : values) value = random.uniform() < 0.4;
  Dense dense;
  dense.rows = rows;
  dense.columns = columns;
  dense.values = {values.data(), VTEMPER_DOUBLE};
  dense.row_stride = columns;
  dense.column_stride = 1;
  return data_from_dense(dense, true);
}

struct Example {
  const char* kind;
  std::vector<std::pair<const char*, const char*>> options;
};
const Example examples[] = {
    {"sigmoid_belief_network", {{"layers", "5,70"}, {"precision", "double"}}},
    {"variational_autoencoder", {{"latent", "3"}, {"hidden", "7,4"}, {"precision", "double"}}},
    {"variational_autoencoder",
     {{"latent", "2"}, {"hidden", "8"}, {"precision", "double"}, {"likelihood", "gaussian"}}},
    {"factorial_mixture", {{"components", "3"}, {"updates", "gradient"}}}};

std::unique_ptr<Optimizer::State> state_of(const Example& example, const DataPointer& data) {
  Options options;
  for (const auto& [name, text] : example.options) options.set(name, text);
  const ModelKind& kind = model_kind(example.kind);
  Options steps;
  steps.set("step_size", "gradient_ascent");
  steps.set("learning_rate", std::to_string(rate));
  steps.set("batch_size", "12");
  return Optimizer::State::create(kind.create(OptionValues(kind.options(), options, kind.name)), data, steps);
}

void every_parameter_moves_along_its_gradient(void**) {
  const DataPointer data = ones_and_zeros();
  for (const Example& example : examples) {
    for (const int threads : {1, 2, 3, 5, 40}) {
      const auto state = state_of(example, data);
      auto& by_gradient = static_cast<GradientState&>(*state);
      auto& model = dynamic_cast<GradientModel&>(*state->model);
      state->local_half(state->next_batch(), threads);
      const RealArray values = model.values(), gradient = by_gradient.work->gradient();
      std::vector<double> expected;
      int64_t steep = 0;
      for (int64_t i = 0; i < values.length; ++i) {
        expected.push_back(values.at(i) + rate / by_gradient.sums.rows * gradient.at(i));
        steep += gradient.at(i) != 0;
      }
      assert_true(steep > values.length / 2);
      state->move();
      for (int64_t i = 0; i < values.length; ++i) {
        assert_true(std::abs(values.at(i) - expected[static_cast<size_t>(i)]) <= 1e-12);
      }
    }
  }
}

void threads_move_what_they_multiply_by(void**) {
  const DataPointer data = ones_and_zeros();
  for (const Example& example : examples) {
    const auto state = state_of(example, data);
    const auto& pieces = static_cast<const GradientState&>(*state).pieces;
    int64_t next = 0;
    for (const GradientState::Piece& piece : pieces) {
      assert_int_equal(piece.first, next);
      next += piece.count;
      for (const int threads : {1, 2, 3, 8, 64}) {
        assert_true(piece.owner(threads) >= 0 && piece.owner(threads) < threads);
      }
      const Stretch share = stretch_of(piece.rows, piece.owner(2), 2);
      assert_true(share.first <= piece.row && piece.row < share.end);
    }
    assert_int_equal(next, dynamic_cast<GradientModel&>(*state->model).values().length);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(every_parameter_moves_along_its_gradient),
                              cmocka_unit_test(threads_move_what_they_multiply_by)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
