// The local step (README.md section 1): scores are matrix products of rows and the components' log odds.

#include <algorithm>
#include <cmath>

#include "linalg/products.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "support/threads.h"

namespace vtemper {

namespace {

constexpr int64_t tile_rows = kernels::tile_rows;
/// Columns per block of statistics accumulated by a thread.
constexpr int64_t column_block = 64;

}  // namespace

std::unique_ptr<BernoulliWork> BernoulliMixture::local_work(const Data* data, int64_t rows) const {
  auto work = std::make_unique<BernoulliWork>();
  work->statistics.resize(static_cast<size_t>(statistics_length()));
  if (data != nullptr) work->reserve(count(), columns_, rows);
  return work;
}

void BernoulliMixture::solve_chunk(const Batch& chunk, const BernoulliLogs& logs, const LocalTemperature& temperature,
                                   const LocalSettings& settings, BernoulliWork& work) const {
  work.reserve(count(), columns_, chunk.count);
  work.begin(chunk);
  for (Array<double>* array : {&work.missing, &work.tiles_missing}) array->resize(work.tiles_values.size());
  parallel_for(settings.threads, tiles_of(chunk.count), [&](int64_t tile, int) {
    const int64_t first = tile * tile_rows, last = std::min(first + tile_rows, chunk.count);
    double* scores = work.scores.data() + first * count();
    const auto add_scores = [&](const Array<double>& coefficients, const double* columns) {
      linalg::add_product(
          {coefficients.data(), columns_, 1, columns, tile_rows, scores, tile_rows, count(), columns_, tile_rows});
    };
    work.read_tile(tile);
    for (int64_t k = 0; k < count(); ++k) {
      std::fill_n(scores + k * tile_rows, tile_rows, logs.constants[static_cast<size_t>(k)]);
    }
    add_scores(logs.odds, work.tiles_values.data() + first * columns_);
    if (work.misses(tile)) {
      double* tile_missing = work.tiles_missing.data() + first * columns_;
      for (int64_t t = first; t < last; ++t) {
        const double missing = work.missing_values[static_cast<size_t>(t)];
        work.tokens[static_cast<size_t>(t)] -= missing / static_cast<double>(columns_);
        work.mark_missing(t, work.missing.data() + t * columns_);
        work.mark_missing(t, tile_missing + t - first, tile_rows);
      }
      add_scores(logs.zeros, tile_missing);
    }
    work.solve_tile(tile, temperature);
    work.settle_empty_rows(first, last, weights_);
    work.perturb_tile(tile, settings.perturbation);
  });
}

/// Accumulates the rows per component and then, by blocks of columns, the ones and missing values; replaces phi by w
/// s phi.
void BernoulliMixture::collect(int threads, BernoulliWork& work) const {
  for (int64_t t = 0; t < tiles_of(work.count) * tile_rows; ++t) {
    const size_t row = static_cast<size_t>(t);
    const bool counts = t < work.count && work.missing_values[row] < columns_;
    const double weight = counts ? work.weights[row] * work.powers[row] : 0;
    for (int64_t k = 0; k < count(); ++k) {
      double& share = work.responsibilities[work.place(count(), k, t)];
      work.statistics[static_cast<size_t>(k)] += share *= weight;
    }
  }
  double* ones = work.statistics.data() + count();
  double* missing = ones + count() * columns_;
  parallel_for(threads, (columns_ + column_block - 1) / column_block, [&](int64_t block, int) {
    const int64_t first = block * column_block, width = std::min(column_block, columns_ - first);
    for (int64_t tile = 0; tile < tiles_of(work.count); ++tile) {
      const double* shares = work.responsibilities.data() + tile * tile_rows * count();
      const auto add = [&](const double* values, int64_t stride, double* sums) {
        linalg::add_product({shares, tile_rows, 1, values + tile * tile_rows * stride + first, stride, sums + first,
                             columns_, count(), tile_rows, width});
      };
      add(work.rows.data(), work.stride, ones);
      if (work.misses(tile)) add(work.missing.data(), columns_, missing);
    }
  });
}

LocalSums BernoulliMixture::local_step(const Batch& batch, const LocalTemperature& temperature,
                                       const LocalSettings& settings, BernoulliWork& work) const {
  if (settings.statistics) work.statistics.fill(0);
  LocalSums sums;
  for_each_chunk(batch, [&](const Batch& chunk) {
    solve_chunk(chunk, posterior_.expected, temperature, settings, work);
    work.add_to(sums, settings, chunk.first_place - batch.first_place);
    if (settings.statistics) collect(settings.threads, work);
  });
  return sums;
}

std::vector<Quantity> BernoulliMixture::statistics() const {
  return {{"rows", {count()}, false, "Expected rows of each component."},
          {"ones", {count(), columns_}, false, "Expected ones of each component in each column."},
          {"missing",
           {count(), columns_},
           false,
           "Expected rows of each component whose value in each column is missing."}};
}

/// Log densities are the bounds of rows under the means of the parameters: pi and theta are independent and the
/// probability of one row is linear in each.
void BernoulliMixture::infer_rows(const Data& data, std::string_view quantity, int threads, const Sink& sink) const {
  BernoulliLogs logs = posterior_.expected;
  if (quantity == "log_density") posterior_.take_logs(weights_, true, logs);
  LocalSettings settings;
  settings.threads = threads;
  BernoulliWork work;
  for_each_chunk(all_rows(data), [&](const Batch& chunk) {
    solve_chunk(chunk, logs, LocalTemperature{}, settings, work);
    if (quantity == "responsibilities") return work.write_responsibilities(chunk.begin, threads, sink);
    for (int64_t t = 0; t < work.count; ++t) {
      if (quantity == "completed") {
        complete_row(t, work, chunk.begin + t, sink);
      } else {
        sink(chunk.begin + t) = work.bounds[static_cast<size_t>(t)];
      }
    }
  });
}

/// Missing values become sum_k phi_k E theta_kd (README.md section 4).
void BernoulliMixture::complete_row(int64_t t, const BernoulliWork& work, int64_t row, const Sink& sink) const {
  for (int64_t d = 0; d < columns_; ++d) {
    const double value = work.data->dense().at(row, d);
    double probability = 0;
    for (int64_t k = 0; std::isnan(value) && k < count(); ++k) {
      const size_t i = static_cast<size_t>(k * columns_ + d);
      probability += work.responsibilities[work.place(count(), k, t)] * posterior_.ones[i] /
                     (posterior_.ones[i] + posterior_.zeros[i]);
    }
    // Rounding must not push it out of the range of valid data.
    sink(row, d) = std::isnan(value) ? std::min(probability, 1.0) : value;
  }
}

}  // namespace vtemper
