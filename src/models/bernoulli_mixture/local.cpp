// The local step (README.md section 1): scores are matrix products of rows and the components' log odds.

#include <algorithm>
#include <cmath>

#include "linalg/products.h"
#include "models/bernoulli_mixture/bernoulli_mixture.h"
#include "support/error.h"
#include "support/text.h"
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
  if (data != nullptr) work->reserve(components_, columns_, rows);
  return work;
}

void BernoulliMixture::solve_chunk(const Batch& chunk, const BernoulliLogs& logs, const LocalTemperature& temperature,
                                   const LocalSettings& settings, BernoulliWork& work) const {
  const kernels::Table<double>& table = kernels::instruction_set().double_precision;
  work.reserve(components_, columns_, chunk.count);
  work.begin(chunk);
  work.missing.resize(work.powers.size() * static_cast<size_t>(columns_));
  work.turned.resize(std::max(work.turned.size(), static_cast<size_t>(settings.threads)));
  for (Array<double>& turned : work.turned) turned.resize(static_cast<size_t>(columns_ * tile_rows));
  parallel_for(settings.threads, tiles_of(chunk.count), [&](int64_t tile, int thread) {
    const int64_t first = tile * tile_rows, last = std::min(first + tile_rows, chunk.count);
    double* scores = work.scores.data() + first * components_;
    const auto add_scores = [&](const Array<double>& coefficients, const double* columns) {
      linalg::add_product({coefficients.data(), columns_, 1, columns, tile_rows, scores, tile_rows, components_,
                           columns_, tile_rows});
    };
    work.read_tile(tile);
    for (int64_t k = 0; k < components_; ++k) {
      std::fill_n(scores + k * tile_rows, tile_rows, logs.constants[static_cast<size_t>(k)]);
    }
    add_scores(logs.odds, work.tiles_values.data() + first * columns_);
    if (work.misses(tile)) {
      double* missing = work.missing.data() + first * columns_;
      double* turned = work.turned[static_cast<size_t>(thread)].data();
      std::fill_n(missing, tile_rows * columns_, 0.0);
      for (int64_t t = first; t < last; ++t) {
        double& tokens = work.tokens[static_cast<size_t>(t)];
        tokens -= static_cast<double>(work.missing_values[static_cast<size_t>(t)]) / static_cast<double>(columns_);
        for (int64_t d = 0; d < columns_; ++d) {
          if (std::isnan(chunk.data->dense().at(chunk.row(t), d))) missing[(t - first) * columns_ + d] = 1;
        }
      }
      table.transpose({missing, columns_, tile_rows, columns_, turned, tile_rows});
      add_scores(logs.zeros, turned);
    }
    work.solve_tile(tile, temperature);
    work.settle_empty_rows(first, last, [&](int64_t k) { return mean_weight(k); });
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
    for (int64_t k = 0; k < components_; ++k) {
      double& share = work.responsibilities[work.place(components_, k, t)];
      work.statistics[static_cast<size_t>(k)] += share *= weight;
    }
  }
  double* ones = work.statistics.data() + components_;
  double* missing = ones + components_ * columns_;
  parallel_for(threads, (columns_ + column_block - 1) / column_block, [&](int64_t block, int) {
    const int64_t first = block * column_block, width = std::min(column_block, columns_ - first);
    for (int64_t tile = 0; tile < tiles_of(work.count); ++tile) {
      const double* shares = work.responsibilities.data() + tile * tile_rows * components_;
      const auto add = [&](const double* values, int64_t stride, double* sums) {
        linalg::add_product({shares, tile_rows, 1, values + tile * tile_rows * stride + first, stride, sums + first,
                             columns_, components_, tile_rows, width});
      };
      add(work.rows.data(), work.stride, ones);
      if (work.misses(tile)) add(work.missing.data(), columns_, missing);
    }
  });
}

std::unique_ptr<RowSolver> BernoulliMixture::row_solver(const Data* data, int64_t rows) const {
  return row_solver_of(*this, local_work(data, rows));
}

std::unique_ptr<ConjugateFit> BernoulliMixture::begin_fit(const Data* data, int64_t rows) {
  return fit_of(*this, local_work(data, rows));
}

LocalSums BernoulliMixture::local_step(const Batch& batch, const LocalTemperature& temperature,
                                       const LocalSettings& settings, BernoulliWork& work) const {
  if (settings.statistics) work.statistics.fill(0);
  LocalSums sums;
  for (int64_t first = 0; first < batch.count; first += chunk_rows) {
    solve_chunk(batch.part(first, chunk_rows), posterior_.expected, temperature, settings, work);
    work.add_to(sums);
    if (settings.statistics) collect(settings.threads, work);
  }
  return sums;
}

std::vector<Quantity> BernoulliMixture::statistics() const {
  return {{"rows", {components_}, false, "Expected rows of each component."},
          {"ones", {components_, columns_}, false, "Expected ones of each component in each column."},
          {"missing", {components_, columns_}, false, "Expected rows whose value is missing there."}};
}

void BernoulliMixture::write_statistics(const BernoulliWork& work, double* out) const {
  std::copy_n(work.statistics.begin(), statistics_length(), out);
}

void BernoulliMixture::read_statistics(const double* in, BernoulliWork& work) const {
  for (int64_t i = 0; i < statistics_length(); ++i) {
    if (in[i] >= 0) continue;
    throw Error(VTEMPER_ERROR_DATA, sentence("element ", i, " of the model's statistics is ", in[i],
                                             "; expected numbers of rows are not negative"));
  }
  std::copy_n(in, statistics_length(), work.statistics.begin());
}

template <class Visit>
void BernoulliMixture::for_each_row(const Data& data, bool of_means, const OptionValues& evaluate,
                                    const Visit& visit) const {
  check(data);
  LocalSettings settings;
  settings.threads = usable_threads(evaluate.integer("threads"));
  BernoulliLogs logs;
  posterior_.take_logs(of_means, logs);
  BernoulliWork work;
  for (int64_t first = 0; first < data.rows(); first += chunk_rows) {
    solve_chunk({&data, nullptr, first, std::min(chunk_rows, data.rows() - first)}, logs, {}, settings, work);
    for (int64_t t = 0; t < work.count; ++t) visit(first + t, t, work);
  }
}

/// Replaces missing values by sum_k phi_k E theta_kd (README.md section 4).
void BernoulliMixture::complete_row(int64_t row, int64_t t, const BernoulliWork& work, const Sink& sink) const {
  for (int64_t d = 0; d < columns_; ++d) {
    const double value = work.data->dense().at(row, d);
    sink(row, d) = value;
    if (!std::isnan(value)) continue;
    double probability = 0;
    for (int64_t k = 0; k < components_; ++k) {
      const size_t i = static_cast<size_t>(k * columns_ + d);
      probability += work.responsibilities[work.place(components_, k, t)] * posterior_.ones[i] /
                     (posterior_.ones[i] + posterior_.zeros[i]);
    }
    sink(row, d) = std::min(probability, 1.0);  // rounding must not push it out of the range of valid data
  }
}

/// With parameters at their means the bound of a row is its log density under the posterior predictive: pi and theta
/// are independent and the probability of one row is linear in each.
std::vector<double> BernoulliMixture::log_densities(const Data& data, const OptionValues& evaluate) const {
  std::vector<double> densities;
  for_each_row(data, true, evaluate, [&](int64_t, int64_t t, const BernoulliWork& work) {
    densities.push_back(work.bounds[static_cast<size_t>(t)]);
  });
  return densities;
}

void BernoulliMixture::infer(const Data& data, std::string_view quantity, const OptionValues& evaluate,
                             const Sink& sink) const {
  if (quantity == "log_density") {
    int64_t row = 0;
    for (const double density : log_densities(data, evaluate)) sink(row++) = density;
    return;
  }
  for_each_row(data, false, evaluate, [&](int64_t row, int64_t t, const BernoulliWork& work) {
    if (quantity == "completed") return complete_row(row, t, work, sink);
    for (int64_t k = 0; k < components_; ++k) {
      sink(row, k) = work.responsibilities[work.place(components_, k, t)];
    }
  });
}

double BernoulliMixture::log_predictive(const Data& observed, const Data*, const OptionValues& evaluate,
                                        double& tokens) const {
  return score_of_densities(observed, log_densities(observed, evaluate), tokens);
}

}  // namespace vtemper
