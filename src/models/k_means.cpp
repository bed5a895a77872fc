#include "models/k_means.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/interruption.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

constexpr int64_t min_rows_of_cluster = 100;
/// Rows per block of distances.
constexpr int64_t block = 256;
/// Iteration index of the first attempt's random streams; 0 is used for randomly drawn components.
constexpr uint64_t first_iteration = 1;

/// Reads the sampled rows in their order.
void read_sample(const Data& data, const ClusterSettings& settings, Clusters& out) {
  const int64_t total = data.rows(), columns = data.columns();
  const int64_t wanted = std::max(settings.max_rows, min_rows_of_cluster * settings.clusters);
  Array<int64_t>& rows = out.rows;
  rows.resize(static_cast<size_t>(std::min(total, wanted)));
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = total <= wanted ? static_cast<int64_t>(i)
                              : static_cast<int64_t>(permuted(i, static_cast<uint64_t>(total), settings.seed,
                                                              Purpose::initialize, first_iteration));
  }
  std::sort(rows.data(), rows.data() + rows.size());
  const Dense& dense = data.dense();
  out.weights.resize(rows.size());
  out.values.resize(rows.size() * static_cast<size_t>(columns));
  Spare spare;
  for (int64_t i = 0; i < out.count(); ++i) {
    const int64_t row = rows[static_cast<size_t>(i)];
    out.weights[static_cast<size_t>(i)] = data.weight(row);
    out.weight += data.weight(row);
    const DenseRow values = dense.row(row, spare);
    for (int64_t j = 0; j < columns; ++j) {
      const double value = values[j];
      out.values[static_cast<size_t>(j * out.count() + i)] =
          std::isnan(value) ? settings.means[static_cast<size_t>(j)] : value;
    }
  }
}

/// Squared distances of rows first .. first + count from a centre.
void distances(const Clusters& of, const double* units, const double* centre, int64_t columns, int64_t first,
               int64_t count, double* out) {
  std::fill_n(out, count, 0.0);
  for (int64_t j = 0; j < columns; ++j) {
    const double* column = of.values.data() + j * of.count() + first;
    for (int64_t i = 0; i < count; ++i) {
      const double difference = (column[i] - centre[j]) * units[j];
      out[i] += difference * difference;
    }
  }
}

void copy_row(const Clusters& of, int64_t row, int64_t columns, double* out) {
  for (int64_t j = 0; j < columns; ++j) out[j] = of.values[static_cast<size_t>(j * of.count() + row)];
}

/// The row at which the running sum of potentials exceeds `share` of their total.
int64_t drawn_row(const Array<double>& potentials, double share) {
  double total = 0;
  for (const double potential : potentials) total += potential;
  double left = share * total;
  int64_t last = 0;
  for (size_t i = 0; i < potentials.size(); ++i) {
    if (!(potentials[i] > 0)) continue;
    last = static_cast<int64_t>(i);
    left -= potentials[i];
    if (left < 0) break;
  }
  return last;
}

/// Seeds the centres.
void place(const ClusterSettings& settings, const std::vector<double>& units, int64_t columns, uint64_t attempt,
           Clusters& out) {
  const int64_t clusters = settings.clusters;
  const size_t rows = static_cast<size_t>(out.count());
  const int candidates = 2 + static_cast<int>(std::log(static_cast<double>(clusters)));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Array<double> nearest(rows), tried(rows), chosen(rows), potentials(rows);
  nearest.fill(infinity);
  std::copy_n(out.weights.data(), rows, potentials.data());
  for (int64_t k = 0; k < clusters; ++k) {
    RandomStream random(settings.seed, Purpose::initialize, first_iteration + attempt, static_cast<uint64_t>(k));
    double* centre = out.centres.data() + k * columns;
    Array<double> candidate(static_cast<size_t>(columns));
    double least = infinity;
    for (int tries = 0; tries < (k == 0 ? 1 : candidates); ++tries) {
      copy_row(out, drawn_row(potentials, random.uniform()), columns, candidate.data());
      distances(out, units.data(), candidate.data(), columns, 0, out.count(), tried.data());
      double sum = 0;
      for (size_t i = 0; i < rows; ++i) {
        tried[i] = std::min(tried[i], nearest[i]);
        sum += out.weights[i] * tried[i];
      }
      if (!(sum < least)) continue;
      least = sum;
      std::swap(chosen, tried);
      std::copy_n(candidate.data(), columns, centre);
    }
    std::swap(nearest, chosen);
    for (size_t i = 0; i < rows; ++i) potentials[i] = out.weights[i] * nearest[i];
  }
}

/// Assigns every row to the nearest centre (ties: the first); returns the number of changed assignments.
int64_t assign(const std::vector<double>& units, int64_t columns, int64_t clusters, Clusters& out) {
  double distance[block], least[block];
  int32_t nearest[block];
  int64_t moved = 0;
  for (int64_t first = 0; first < out.count(); first += block) {
    const int64_t count = std::min(block, out.count() - first);
    std::fill_n(least, count, std::numeric_limits<double>::infinity());
    std::fill_n(nearest, count, 0);
    for (int64_t k = 0; k < clusters; ++k) {
      distances(out, units.data(), out.centres.data() + k * columns, columns, first, count, distance);
      for (int64_t i = 0; i < count; ++i) {
        nearest[i] = distance[i] < least[i] ? static_cast<int32_t>(k) : nearest[i];
        least[i] = std::min(least[i], distance[i]);
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      int32_t& cluster = out.cluster[static_cast<size_t>(first + i)];
      moved += cluster == nearest[i] ? 0 : 1;
      cluster = nearest[i];
    }
  }
  return moved;
}

/// Moves every centre to the mean of its rows; empty clusters keep theirs.
void average(int64_t columns, int64_t clusters, Clusters& out) {
  Array<double> sums(static_cast<size_t>(clusters * columns)), weights(static_cast<size_t>(clusters));
  for (size_t i = 0; i < out.cluster.size(); ++i) weights[static_cast<size_t>(out.cluster[i])] += out.weights[i];
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < out.count(); ++i) {
      const size_t row = static_cast<size_t>(i);
      sums[static_cast<size_t>(out.cluster[row] * columns + j)] +=
          out.weights[row] * out.values[static_cast<size_t>(j * out.count() + i)];
    }
  }
  for (int64_t k = 0; k < clusters; ++k) {
    const double weight = weights[static_cast<size_t>(k)];
    if (!(weight > 0)) continue;
    for (int64_t j = 0; j < columns; ++j) {
      const size_t place = static_cast<size_t>(k * columns + j);
      out.centres[place] = sums[place] / weight;
    }
  }
}

}  // namespace

Clusters k_means(const Data& data, const ClusterSettings& settings, const std::vector<double>& units,
                 uint64_t attempt) {
  const int64_t columns = data.columns(), clusters = settings.clusters;
  Clusters out;
  read_sample(data, settings, out);
  out.centres.resize(static_cast<size_t>(clusters * columns));
  out.cluster.resize(out.rows.size());
  place(settings, units, columns, attempt, out);
  for (int round = 0; round < settings.rounds; ++round) {
    require_not_interrupted();
    const int64_t moved = assign(units, columns, clusters, out);
    if (round > 0 && moved == 0) break;
    average(columns, clusters, out);
  }
  assign(units, columns, clusters, out);
  return out;
}

}  // namespace vtemper
