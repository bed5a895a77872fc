#include "models/mixture_rows.h"

#include <algorithm>
#include <cmath>

#include "data/typed_array.h"
#include "support/random_streams.h"

namespace vtemper {

namespace {

constexpr int64_t tile_rows = kernels::tile_rows;
/// A row's temperature has converged when 1/T changes by less.
constexpr double settled_inverse_temperature = 1e-3;

}  // namespace

void MixtureRows::reserve(int64_t components_of_model, int64_t columns_of_data, int64_t rows_at_once) {
  components = components_of_model;
  columns = columns_of_data;
  stride = kernels::padded(columns + 1);
  const size_t tiles = static_cast<size_t>(tiles_of(std::min(rows_at_once, chunk_rows)));
  const size_t places = std::max(tiles * static_cast<size_t>(tile_rows), powers.size());
  rows.resize(places * static_cast<size_t>(stride));
  tiles_values.resize(places * static_cast<size_t>(columns));
  for (Array<double>* values : {&missing, &tiles_missing}) values->resize(marks_missing ? tiles_values.size() : 0);
  for (Array<double>* values : {&scores, &responsibilities}) {
    values->resize(places * static_cast<size_t>(components));
  }
  for (Array<double>* values : {&powers, &weights, &tokens, &log_sums, &means, &bounds}) values->resize(places);
  missing_values.resize(places);
}

void MixtureRows::begin(const Batch& chunk) {
  count = chunk.count;
  data = chunk.data;
  first_number = static_cast<uint64_t>(chunk.first_number);
  data_rows.resize(static_cast<size_t>(count));
  for (int64_t t = 0; t < count; ++t) {
    data_rows[static_cast<size_t>(t)] = chunk.row(t);
    weights[static_cast<size_t>(t)] = chunk.data->weight(chunk.row(t));
  }
  tokens.fill(1);
}

void MixtureRows::read_tile(int64_t tile) {
  const Dense& dense = data->dense();
  const int64_t first = tile * tile_rows, filled = std::min(tile_rows, count - first);
  double* out = rows.data() + first * stride;
  double* transposed = tiles_values.data() + first * columns;
  Spare spare;
  with_numbers(dense.values, [&](const auto* values) {
    for (int64_t i = 0; i < tile_rows; ++i) {
      int32_t number = 0;  // of missing values
      if (i < filled) {
        const auto* row = dense.typed_row(values, data_rows[static_cast<size_t>(first + i)], spare);
        for (int64_t j = 0; j < columns; ++j) {
          const double value = static_cast<double>(row[j * dense.column_stride]);
          const bool is_missing = std::isnan(value);
          number += is_missing ? 1 : 0;
          out[i * stride + j] = transposed[j * tile_rows + i] = is_missing ? 0 : value;
        }
      } else {
        for (int64_t j = 0; j < columns; ++j) out[i * stride + j] = transposed[j * tile_rows + i] = 0;
      }
      out[i * stride + columns] = 1;
      missing_values[static_cast<size_t>(first + i)] = number;
    }
  });
  for (int64_t t = first; marks_missing && misses(tile) && t < first + filled; ++t) {
    mark_missing(t, missing.data() + t * columns);
    mark_missing(t, tiles_missing.data() + first * columns + t - first, tile_rows);
  }
}

void MixtureRows::solve_tile(int64_t tile, const LocalTemperature& temperature) {
  const RowTemperature* per_row = temperature.per_row;
  const int64_t first = tile * tile_rows;
  const double* tile_tokens = tokens.data() + first;
  double* tile_powers = powers.data() + first;
  double* tile_means = means.data() + first;
  const size_t begin_of_tile = place(components, 0, first);
  const auto solve = [&] {
    kernels::instruction_set().responsibilities(scores.data() + begin_of_tile, tile_powers, components,
                                                responsibilities.data() + begin_of_tile, log_sums.data() + first,
                                                tile_means);
  };
  std::fill_n(tile_powers, tile_rows, per_row ? per_row->start : temperature.inverse);
  for (int round = 0; per_row && round < per_row->rounds; ++round) {
    solve();
    double largest_change = 0;
    for (int64_t i = 0; i < tile_rows; ++i) {
      const double power = per_row->expected_inverse(tile_means[i], tile_tokens[i]);
      largest_change = std::max(largest_change, std::abs(power - tile_powers[i]));
      tile_powers[i] = power;
    }
    if (largest_change < settled_inverse_temperature) break;
  }
  solve();
  for (int64_t i = 0; i < tile_rows; ++i) {
    double& bound = bounds[static_cast<size_t>(first + i)];
    bound = log_sums[static_cast<size_t>(first + i)];
    // The posterior of the row's temperature maximises sum_m r_m (s_m L - c_m) + H(r); the maximum replaces s L.
    if (per_row) bound += per_row->log_evidence(tile_means[i], tile_tokens[i]) - tile_powers[i] * tile_means[i];
  }
}

void MixtureRows::settle_empty_rows(int64_t first, int64_t last, const MixtureWeights& mixture) {
  for (int64_t t = first; t < last; ++t) {
    if (missing_values[static_cast<size_t>(t)] != columns) continue;
    means[static_cast<size_t>(t)] = bounds[static_cast<size_t>(t)] = 0;
    for (int64_t k = 0; k < components; ++k) responsibilities[place(components, k, t)] = mixture.mean(k);
  }
}

void MixtureRows::perturb_tile(int64_t tile, const Perturbation& perturbation) {
  if (!(perturbation.share > 0 && perturbation.local)) return;
  for (int64_t t = tile * tile_rows; t < std::min(count, (tile + 1) * tile_rows); ++t) {
    const uint64_t row = first_number + static_cast<uint64_t>(data_rows[static_cast<size_t>(t)]);
    double total = 0;
    RandomStream sizes(perturbation.seed, Purpose::perturb, perturbation.iteration, row);
    for (int64_t k = 0; k < components; ++k) total += sizes.gamma(1);
    RandomStream again(perturbation.seed, Purpose::perturb, perturbation.iteration, row);
    for (int64_t k = 0; k < components; ++k) {
      double& phi = responsibilities[place(components, k, t)];
      phi = (1 - perturbation.share) * phi + perturbation.share * again.gamma(1) / total;
    }
  }
}

void MixtureRows::assign(const int32_t* component) {
  for (int64_t t = 0; t < count; ++t) {
    for (int64_t k = 0; k < components; ++k) responsibilities[place(components, k, t)] = component[t] == k ? 1 : 0;
    powers[static_cast<size_t>(t)] = 1;
  }
}

void MixtureRows::weigh(double* rows_of_components) {
  for (int64_t t = 0; t < tiles_of(count) * tile_rows; ++t) {
    const size_t row = static_cast<size_t>(t);
    const bool counts = t < count && missing_values[row] < columns;
    const double weight = counts ? weights[row] * powers[row] : 0;
    for (int64_t k = 0; k < components; ++k)
      rows_of_components[k] += responsibilities[place(components, k, t)] *= weight;
  }
}

void MixtureRows::write_responsibilities(int64_t first, int threads, const Sink& sink) const {
  for_each_row(threads, [&](int64_t t) {
    for (int64_t k = 0; k < components; ++k) sink(first + t, k) = responsibilities[place(components, k, t)];
  });
}

void MixtureRows::add_to(LocalSums& sums, const LocalSettings& settings, int64_t first) const {
  for (size_t t = 0; t < static_cast<size_t>(count); ++t) {
    const double weight = weights[t];
    sums.count += 1;
    sums.rows += weight;
    sums.empty_rows += missing_values[t] == columns ? 1 : 0;
    sums.tokens += weight * tokens[t];
    sums.expected_log_likelihood += weight * means[t];
    sums.bound += weight * bounds[t];
    if (settings.row_bounds != nullptr) settings.row_bounds[first + static_cast<int64_t>(t)] = bounds[t];
    if (settings.row_inverse_temperatures != nullptr) {
      settings.row_inverse_temperatures[first + static_cast<int64_t>(t)] = powers[t];
    }
    sums.inverse_temperature += weight * powers[t];
  }
}

}  // namespace vtemper
