// Layers against plain loops, and by any number of threads against one, bit for bit.

#include "models/dense_layer.h"

#include <array>
#include <cmath>

#include "support/assert.h"
#include "support/cmocka.h"
#include "support/random.h"

using namespace vtemper;

namespace {

test::Random random_numbers(5);

struct Example {
  LayerPlace layer;
  int64_t rows;
  Array<double> values, x;
  explicit Example(int64_t in, int64_t units, int64_t rows_) : layer(place_layer(in, units, 3)), rows(rows_) {
    values.resize(static_cast<size_t>(layer.end()));
    x.resize(static_cast<size_t>(rows * in));
    fill(values);
    fill(x);
  }
  static void fill(Array<double>& array) {
    for (double& value : array) value = random_numbers.uniform() - 0.5;
  }
  double sum(int64_t row, int64_t unit) const {
    double sum = values[static_cast<size_t>(layer.bias + unit)];
    for (int64_t i = 0; i < layer.in; ++i) {
      sum += x[static_cast<size_t>(row * layer.in + i)] *
             values[static_cast<size_t>(layer.weights + i * layer.units + unit)];
    }
    return sum;
  }
  size_t sums() const { return static_cast<size_t>(rows * layer.units); }
};

void sums(void**) {
  for (const auto& [in, units, rows] :
       {std::array<int64_t, 3>{7, 5, 3}, {1, 1, 1}, {2, 40, 300}, {64, 33, 129}, {65, 3, 261}}) {
    const Example example(in, units, rows);
    Array<double> serial(example.sums());
    linear_layer(example.layer, example.values.data(), example.x.data(), rows, serial.data());
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < units; ++j) {
        assert_close(serial[static_cast<size_t>(i * units + j)], example.sum(i, j),
                     1e-13 * static_cast<double>(1 + in));
      }
    }
    LayerSums<double> sums;  // one for all, as in a step, whose layers differ
    for (const int threads : {2, 1, 3, 4, 7}) {
      Array<double> out(example.sums());
      sums.start(example.layer, example.values.data(), example.x.data(), rows, threads, out.data());
      // In two parts, as threads do.
      sums.finish(0, rows / 2);
      sums.finish(rows / 2, rows);
      assert_memory_equal(out.data(), serial.data(), example.sums() * sizeof(double));
    }
  }
}

void sums_of_layers_in_turn(void**) {
  const Example large(70, 20, 40), small(64, 4, 3), narrow(5, 4, 3);
  LayerSums<double> sums;
  for (const Example* example : {&large, &small, &narrow, &large}) {
    Array<double> serial(example->sums()), out(example->sums());
    linear_layer(example->layer, example->values.data(), example->x.data(), example->rows, serial.data());
    sums.start(example->layer, example->values.data(), example->x.data(), example->rows, 2, out.data());
    sums.finish(0, example->rows);
    assert_memory_equal(out.data(), serial.data(), example->sums() * sizeof(double));
  }
}

void gradients(void**) {
  const Example one(31, 17, 12), two(5, 3, 4);
  const LayerPlace second = place_layer(5, 3, one.layer.end());
  Array<double> deltas_one(one.sums()), deltas_two(two.sums());
  Example::fill(deltas_one);
  Example::fill(deltas_two);
  const LayerGradient<double> layers[] = {{one.layer, one.x.data(), deltas_one.data(), one.rows},
                                          {second, two.x.data(), deltas_two.data(), two.rows}};
  Array<double> serial(static_cast<size_t>(second.end()));
  const double squares = collect_gradients(layers, 2, 1, serial.data());
  double expected = 0;
  for (const double x : serial) expected += x * x;
  assert_close(squares, expected, 1e-13 * expected);
  for (const LayerGradient<double>& layer : layers) {
    const LayerPlace& place = layer.place;
    for (int64_t j = 0; j < place.units; ++j) {
      double bias = 0;
      for (int64_t n = 0; n < layer.rows; ++n) bias += layer.deltas[n * place.units + j];
      assert_close(serial[static_cast<size_t>(place.bias + j)], bias, 1e-13);
      for (int64_t i = 0; i < place.in; ++i) {
        double sum = 0;
        for (int64_t n = 0; n < layer.rows; ++n) {
          sum += layer.inputs[n * place.in + i] * layer.deltas[n * place.units + j];
        }
        assert_close(serial[static_cast<size_t>(place.weights + i * place.units + j)], sum, 1e-13);
      }
    }
  }
  for (const int threads : {2, 3, 40}) {
    Array<double> out(serial.size());
    assert_close(collect_gradients(layers, 2, threads, out.data()), squares, 1e-13 * squares);
    assert_memory_equal(out.data(), serial.data(), serial.size() * sizeof(double));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(sums_of_layers_in_turn),
                              cmocka_unit_test(gradients)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
