// The start from clusters: it finds clusters that are far apart from every seed, whatever the units of the columns,
// and copes with missing values, weights and rows that repeat each other.

#include <cmath>
#include <cstring>

#include "models/gaussian_mixture/fixtures.h"
#include "models/gaussian_mixture/prior.h"
#include "models/k_means.h"
#include "support/assert.h"

using namespace fixtures;
using namespace vtemper;

namespace {

constexpr int64_t columns = 3, clusters = 8, rows_of_cluster = 40;

/// Clusters at the corners of a cube with sides of 10 units, of width 1; rows in turn.
std::vector<double> corners(double unit_of_last, uint64_t seed = 4) {
  Random random(seed);
  std::vector<double> rows;
  for (int64_t i = 0; i < clusters * rows_of_cluster; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      const double value = 10.0 * static_cast<double>((i % clusters) >> j & 1) + random.normal();
      rows.push_back(j + 1 == columns ? unit_of_last * value : value);
    }
  }
  return rows;
}

/// Clusters all rows, in units of the columns' standard deviations.
Clusters clusters_of(const Data& data, int64_t count, uint64_t seed) {
  const Moments moments = moments_of(data, 1);
  std::vector<double> units;
  for (size_t j = 0; j < columns; ++j) units.push_back(1 / std::sqrt(moments.covariance[j * columns + j]));
  return k_means(data, {count, moments.mean, data.rows(), seed, 20}, units, 0);
}

/// Rows whose cluster is not that of the first row of their corner, or is another corner's.
int64_t misplaced(const Clusters& found) {
  int64_t wrong = 0;
  for (size_t i = 0; i < found.cluster.size(); ++i) {
    for (size_t corner = 0; corner < clusters; ++corner) {
      wrong += (found.cluster[i] == found.cluster[corner]) != (i % clusters == corner) ? 1 : 0;
    }
  }
  return wrong;
}

void clusters_are_found_in_any_units(void**) {
  for (const double unit : {1.0, 1e6, 1e-6}) {
    const auto data = data_of(corners(unit), columns);
    for (uint64_t seed = 1; seed <= 20; ++seed) assert_int_equal(misplaced(clusters_of(*data, clusters, seed)), 0);
  }
}

void the_draw_depends_on_the_seed_alone(void**) {
  const auto data = data_of(corners(1), columns);
  const Clusters one = clusters_of(*data, 5, 3), again = clusters_of(*data, 5, 3);
  assert_memory_equal(one.centres.data(), again.centres.data(), one.centres.size() * sizeof(double));
  assert_memory_equal(one.cluster.data(), again.cluster.data(), one.cluster.size() * sizeof(int32_t));
  bool differs = false;
  for (uint64_t seed = 4; seed < 8; ++seed) {
    const Clusters other = clusters_of(*data, 5, seed);
    differs =
        differs || std::memcmp(one.centres.data(), other.centres.data(), one.centres.size() * sizeof(double)) != 0;
  }
  assert_true(differs);
}

void rows_that_repeat_each_other_leave_clusters_empty(void**) {
  const auto data = data_of({1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3}, columns);
  const Clusters found = clusters_of(*data, 4, 1);
  assert_int_equal(found.cluster[0], found.cluster[1]);
  assert_int_equal(found.cluster[0], found.cluster[4]);
  assert_int_equal(found.cluster[2], found.cluster[3]);
  assert_true(found.cluster[0] != found.cluster[2]);
  for (const double value : found.centres) assert_true(std::isfinite(value));
}

/// A row of weight 0 is not a centre and moves none.
void weights_count(void**) {
  std::vector<double> rows = {0, 0, 0, 1, 1, 1, 1e3, 1e3, 1e3, 0, 1, 0, 2, 1, 1};
  const auto data = data_of(rows, columns, {1, 2, 0, 1, 3});
  const Clusters found = clusters_of(*data, 2, 1);
  for (const double value : found.centres) assert_true(value <= 2);
  assert_true(found.weight == 7);
}

/// The components of a new model are those of the clusters.
void a_model_starts_from_clusters(void**) {
  const std::vector<double> rows = corners(1);
  const auto data = data_of(rows, columns);
  for (const char* covariance : {"normal_wishart", "independent"}) {
    const auto model = make_model({{"components", "8"}, {"covariance", covariance}});
    model->initialize(*data, 2);
    const std::vector<double> means = parameter(*model, "mean");
    for (size_t corner = 0; corner < clusters; ++corner) {
      double nearest = INFINITY;
      for (size_t k = 0; k < clusters; ++k) {
        double distance = 0;
        for (size_t j = 0; j < columns; ++j) {
          const double difference = means[k * columns + j] - 10.0 * static_cast<double>(corner >> j & 1);
          distance += difference * difference;
        }
        nearest = std::min(nearest, distance);
      }
      assert_true(nearest < 1);
    }
    const std::vector<double> concentration = parameter(*model, "weights.concentration");
    for (const double value : concentration) assert_close(value, 1.0 / 8 + rows_of_cluster, 1e-9);
  }
}

void values_may_be_missing(void**) {
  std::vector<double> rows = corners(1);
  for (size_t i = 0; i < rows.size(); i += 7) rows[i] = std::nan("");
  const auto data = data_of(rows, columns);
  const auto model = make_model({{"components", "8"}});
  model->initialize(*data, 2);
  for (const double value : parameter(*model, "mean")) assert_true(std::isfinite(value));
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clusters_are_found_in_any_units),
      cmocka_unit_test(the_draw_depends_on_the_seed_alone),
      cmocka_unit_test(rows_that_repeat_each_other_leave_clusters_empty),
      cmocka_unit_test(weights_count),
      cmocka_unit_test(a_model_starts_from_clusters),
      cmocka_unit_test(values_may_be_missing),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
