// An update moves every parameter along its own gradient, once; each thread updates the rows of weights that it
// multiplies by; the bits do not depend on the threads.

#include "inference/gradient_state.h"

#include <cmath>
#include <string>
#include <vector>

#include "models/dense_products.h"
#include "support/assert.h"
#include "support/cmocka.h"
#include "support/plain_network.h"

using namespace vtemper;

namespace {

constexpr int64_t rows = 30, columns = 97;
constexpr double rate = 0.25;

struct Example {
  const char* kind;
  std::vector<std::pair<const char*, const char*>> options;
};
const Example examples[] = {
    {"sigmoid_belief_network", {{"layers", "70,66"}, {"precision", "double"}}},
    {"variational_autoencoder", {{"latent", "3"}, {"hidden", "300,4"}, {"precision", "double"}}},
    {"variational_autoencoder",
     {{"latent", "2"}, {"hidden", "8"}, {"precision", "double"}, {"likelihood", "gaussian"}}},
    {"factorial_mixture", {{"components", "3"}, {"updates", "gradient"}}}};

using Texts = std::vector<std::pair<const char*, const char*>>;

std::unique_ptr<Optimizer::State> state_of(const Example& example, const DataPointer& data, const Texts& method) {
  Options options;
  for (const auto& [name, text] : example.options) options.set(name, text);
  const ModelKind& kind = model_kind(example.kind);
  Options steps;
  steps.set("batch_size", "12");
  for (const auto& [name, text] : method) steps.set(name, text);
  return Optimizer::State::create(kind.create(OptionValues(kind.options(), options, kind.name)), data, steps);
}

void every_parameter_moves_along_its_gradient(void**) {
  const DataPointer data = network_fixtures::binary_rows(rows, columns);
  for (const Example& example : examples) {
    for (const int threads : {1, 2, 3, 5, 40}) {
      const auto state = state_of(example, data, {{"step_size", "gradient_ascent"}, {"learning_rate", "0.25"}});
      auto& by_gradient = static_cast<GradientState&>(*state);
      auto& model = dynamic_cast<GradientModel&>(*state->model);
      state->local_half(state->next_batch(1), threads);
      const RealArray values = model.values(), gradient = by_gradient.fit->gradient();
      std::vector<double> expected;
      int64_t steep = 0;
      for (int64_t i = 0; i < values.length; ++i) {
        expected.push_back(values.at(i) + rate / by_gradient.sums.rows * gradient.at(i));
        steep += gradient.at(i) != 0;
      }
      assert_true(steep > values.length / 2);
      state->move();
      for (int64_t i = 0; i < values.length; ++i) {
        assert_close(values.at(i), expected[static_cast<size_t>(i)], 1e-12);
      }
    }
  }
}

/// Parameters that rows have of their own can be read between steps: those of the rows of a step move along their own
/// gradients, the others stay.
void rows_tell_their_parameters(void**) {
  const DataPointer data = network_fixtures::binary_rows(rows, columns);
  const Example& example = examples[3];
  const auto state = state_of(example, data, {{"step_size", "gradient_ascent"}, {"learning_rate", "0.25"}});
  const int64_t length = 3;
  const auto read = [&] {
    const std::vector<Quantity> quantities = state->quantities();
    assert_int_equal(quantities.size(), 1);
    assert_string_equal(quantities[0].name, "rows.parameters");
    assert_true((quantities[0].shape == std::vector<int64_t>{rows, length}));
    std::vector<double> values(static_cast<size_t>(rows * length));
    state->read_quantity("rows.parameters", {values.data(), length, 1});
    return values;
  };
  std::vector<double> expected = read();
  for (int step = 0; step < 3; ++step) {
    const Batch batch = state->next_batch(1);
    state->local_half(batch, 2);
    const RealArray gradient = static_cast<GradientState&>(*state).fit->rows()->row_gradient();
    for (int64_t i = 0; i < batch.count * length; ++i) {
      expected[static_cast<size_t>(batch.row(i / length) * length + i % length)] += rate * gradient.at(i);
    }
    state->prepare_global_half();
    state->global_half(0, nullptr);
    const std::vector<double> values = read();
    for (size_t i = 0; i < values.size(); ++i) assert_close(values[i], expected[i], 1e-12);
    // Only once: a global half without a local half before it has no gradients of rows.
    state->prepare_global_half();
    state->global_half(0, nullptr);
    assert_true(read() == values);
  }
  assert_true(state_of(examples[0], data, {})->quantities().empty());
}

/// The objective is reported divided by T, as that of conjugate models is: entropies count once.
void the_objective_is_divided_by_the_temperature(void**) {
  const DataPointer data = network_fixtures::binary_rows(rows, columns);
  const Example& factors = examples[3];  // exact expectations, no samples
  double objective[3], elbo[3];
  for (const int i : {0, 1, 2}) {
    const char* starts[] = {"1", "2", "4"};
    const auto state =
        state_of(factors, data, {{"method", "entropy_annealing"}, {"temperature_start", starts[i]}, {"seed", "3"}});
    state->local_half(state->next_batch(1), 1);
    state->move();
    objective[i] = state->report.objective;
    elbo[i] = state->report.elbo;
  }
  assert_true(objective[0] == elbo[0] && elbo[0] == elbo[1] && elbo[1] == elbo[2]);
  // objective(T) = E log p / T + H at the same posterior: affine in 1 / T.
  assert_close(objective[2] - objective[1], (objective[1] - objective[0]) / 2, 1e-9 * std::abs(elbo[0]));
  assert_true(objective[1] > objective[0] + 1);
}

void threads_move_what_they_multiply_by(void**) {
  const DataPointer data = network_fixtures::binary_rows(rows, columns);
  for (const Example& example : examples) {
    const auto state = state_of(example, data, {});
    const auto& pieces = static_cast<const GradientState&>(*state).pieces;
    int64_t next = 0;
    for (const GradientState::Piece& piece : pieces) {
      assert_int_equal(piece.first, next);
      next += piece.count;
      for (const int threads : {1, 2, 3, 8, 64}) {
        assert_true(piece.owner(threads) >= 0 && piece.owner(threads) < threads);
      }
    }
    auto& model = dynamic_cast<GradientModel&>(*state->model);
    assert_int_equal(next, model.values().length);
    assert_int_equal(model.matrices().empty(), example.kind == std::string("factorial_mixture"));
    for (const ParameterMatrix& matrix : model.matrices()) {
      for (int64_t thread = 0; thread < 2; ++thread) {
        const Range share = range_of(matrix.rows, thread, 2);
        const int64_t first = matrix.first + share.first * matrix.columns;
        const int64_t end = matrix.first + share.end * matrix.columns;
        int64_t own = 0;
        for (const GradientState::Piece& piece : pieces) {
          const bool inside = first <= piece.first && piece.first + piece.count <= end;
          if (inside && piece.rows == matrix.rows && piece.owner(2) == thread) own += piece.count;
        }
        assert_int_equal(own, end - first);
      }
    }
  }
}

/// Parameters after some steps.
std::vector<double> fitted(const Example& example, const DataPointer& data, const Texts& method, int threads) {
  const auto state = state_of(example, data, method);
  for (int step = 0; step < 4; ++step) {
    state->local_half(state->next_batch(threads), threads);
    state->global_half(0, nullptr);
  }
  const RealArray values = dynamic_cast<GradientModel&>(*state->model).values();
  std::vector<double> all;
  for (int64_t i = 0; i < values.length; ++i) all.push_back(values.at(i));
  // Kinds whose rows have parameters of their own; some rows are twice in the third batch.
  RowFit* const of_rows = static_cast<GradientState&>(*state).fit->rows();
  const RealArray row_values = of_rows != nullptr ? of_rows->row_values() : RealArray{};
  for (int64_t i = 0; i < row_values.length; ++i) all.push_back(row_values.at(i));
  all.push_back(state->report.change);
  all.push_back(state->report.elbo);
  return all;
}

/// Layers of more than 64 inputs are summed in halves, one per thread.
void bits_do_not_depend_on_threads(void**) {
  const DataPointer data = network_fixtures::binary_rows(rows, columns);
  const Example wide[] = {{"sigmoid_belief_network", {{"layers", "70,66"}}},
                          {"sigmoid_belief_network", {{"layers", "70"}, {"objective", "multi_sample"}}},
                          {"variational_autoencoder", {{"latent", "70"}, {"hidden", "80,66"}}},
                          {"factorial_mixture", {{"components", "3"}, {"updates", "gradient"}}}};
  const Texts methods[] = {
      {},
      {{"method", "entropy_annealing"}},
      {{"method", "proximity"}, {"proximity", "entropy"}, {"proximity_average", "parameters"}},
      {{"method", "proximity"}, {"proximity", "kl"}, {"proximity_magnitude", "3"}},
      {{"method", "proximity"}, {"proximity", "mean_variance"}, {"proximity_average", "parameters"}}};
  for (const Example& example : wide) {
    for (const Texts& method : methods) {
      const std::vector<double> serial = fitted(example, data, method, 1);
      for (const int threads : {2, 3, 7}) {
        const std::vector<double> parallel = fitted(example, data, method, threads);
        assert_memory_equal(parallel.data(), serial.data(), serial.size() * sizeof(double));
      }
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(every_parameter_moves_along_its_gradient), cmocka_unit_test(rows_tell_their_parameters),
      cmocka_unit_test(the_objective_is_divided_by_the_temperature),
      cmocka_unit_test(threads_move_what_they_multiply_by), cmocka_unit_test(bits_do_not_depend_on_threads)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
