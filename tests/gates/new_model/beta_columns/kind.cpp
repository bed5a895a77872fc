// The smallest conjugate model, which the gate new_model adds to a copy of the tree: columns of zeros and ones that
// are independent, x_nd ~ Bernoulli(theta_d), theta_d ~ Beta(1, 1). It has no latent variables of rows; at T the
// likelihood of the rows is raised to the power s = 1/T.

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "models/conjugate_fit.h"
#include "models/dense_rows.h"
#include "models/dirichlet.h"
#include "models/named_arrays.h"

namespace vtemper {

extern const ModelKind beta_columns_kind;

namespace {

struct Work : LocalWork {
  Array<double> statistics;  ///< [2 x D] ones, zeros
  Array<double> next;        ///< [2 x D] of the step prepared
  GlobalChange change;
};

class BetaColumns final : public ModelOfArrays<BetaColumns, ConjugateModel>,
                          public FlatStatistics<Work>,
                          public Predictive {
 public:
  explicit BetaColumns(const OptionValues& options) : ModelOfArrays(beta_columns_kind, options) {}
  std::unique_ptr<Model> copy() const override { return std::make_unique<BetaColumns>(*this); }
  double operations_per_entry() const override { return 1; }
  void initialize(const Data& data, uint64_t) override {
    require_values(data);
    counts_.resize(static_cast<size_t>(2 * data.columns()));
    counts_.fill(1);
    columns_ = data.columns();
    names_ = data.names;
  }
  void check(const Data& data) const override {
    require_values(data);
    if (data.columns() != columns()) throw Error(VTEMPER_ERROR_DATA, "the data have another number of columns");
    check_names(names_, data.names);
  }

  std::unique_ptr<RowSolver> row_solver(const Data* data, int64_t rows) const override {
    return row_solver_of(*this, local_work(data, rows));
  }
  std::unique_ptr<ConjugateFit> begin_fit(const Data* data, int64_t rows) override {
    return fit_of(*this, local_work(data, rows));
  }
  std::unique_ptr<Work> local_work(const Data*, int64_t) const {
    auto work = std::make_unique<Work>();
    work->statistics.resize(counts_.size());
    work->next.resize(counts_.size());
    return work;
  }
  LocalSums local_step(const Batch& batch, const LocalTemperature& temperature, const LocalSettings& settings,
                       Work& work) const {
    Array<double>& statistics = work.statistics;
    if (settings.statistics) statistics.fill(0);
    LocalSums sums;
    for (int64_t i = 0; i < batch.count; ++i) {
      const double weight = batch.data->weight(batch.row(i));
      const double likelihood = log_likelihood(*batch.data, batch.row(i), true);
      sums.count += 1;
      sums.rows += weight;
      sums.tokens += weight;
      sums.expected_log_likelihood += weight * likelihood;
      sums.bound += weight * temperature.inverse * likelihood;
      if (settings.row_bounds != nullptr) settings.row_bounds[i] = temperature.inverse * likelihood;
      sums.inverse_temperature += weight * temperature.inverse;
      for (int64_t d = 0; settings.statistics && d < columns(); ++d) {
        const double x = batch.data->dense().at(batch.row(i), d);
        statistics[static_cast<size_t>(d)] += weight * temperature.inverse * x;
        statistics[static_cast<size_t>(columns() + d)] += weight * temperature.inverse * (1 - x);
      }
    }
    return sums;
  }
  void prepare_step(Work& work, const GlobalStep& step) const {
    DirichletStep of_counts(step);
    for (size_t i = 0; i < counts_.size(); ++i) work.next[i] = of_counts.next(counts_[i], 1, work.statistics[i], 0);
    if (!of_counts.is_below(1e150)) refuse_step(step.iteration, "the counts");
    work.change.relative = of_counts.change();
  }
  GlobalChange global_step(Work& work, const GlobalStep&) noexcept {
    std::swap(counts_, work.next);
    return work.change;
  }
  int64_t statistics_length() const { return 2 * columns(); }
  std::vector<Quantity> statistics() const {
    return {{"values", {2, columns()}, false, "Zeros and ones of each column."}};
  }
  double global_bound(const PriorPower&) const override {
    double bound = 0;
    for (int64_t d = 0; d < columns(); ++d) {
      const double one = count(d, 0), zero = count(d, 1);
      bound += std::lgamma(one) + std::lgamma(zero) - std::lgamma(one + zero) + (1 - one) * logarithm(d, 0, true) +
               (1 - zero) * logarithm(d, 1, true);
    }
    return bound;
  }

  std::vector<Quantity> parameters() const override {
    return {{"counts", {2, columns()}, true, "Beta parameters of ones and of zeros in each column."}};
  }
  void read_parameter(std::string_view, const Sink& sink) const override {
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t d = 0; d < columns(); ++d) sink(i, d) = count(d, i);
    }
  }
  std::vector<Quantity> local_quantities(const Data& data) const override {
    return {{"log_density", {data.rows()}, false, "Log probability of the row under the mean parameters (nats)."}};
  }
  void infer(const Data& data, std::string_view, const OptionValues&, const Sink& sink) const override {
    for (int64_t row = 0; row < data.rows(); ++row) sink(row) = log_likelihood(data, row, false);
  }
  const Predictive* predictive() const override { return this; }
  bool completes_rows() const override { return false; }
  void score_rows(const ScoredRows& rows, const OptionValues&, double* scores, double* tokens) const override {
    for (int64_t row = 0; row < rows.observed.rows(); ++row) {
      scores[row] = log_likelihood(rows.observed, row, false);
      tokens[row] = 1;
    }
  }

  template <class Self>
  static NamedArraysOf<Self> arrays_of(Self& self) {
    return {{self.parameters()[0], &self.counts_}};
  }
  void refresh() {}

 protected:
  void check_method(const RequiredFeatures& required) const override {
    if (!required.prior_power && !required.perturbation) return;
    throw Error(VTEMPER_ERROR_UNSUPPORTED, "beta_columns has the methods vi, svi and annealing only");
  }

 private:
  Array<double> counts_;  ///< [2 x D] parameters of the Betas: ones, zeros

  static void require_values(const Data& data) {
    require_shares_or_missing(data, beta_columns_kind.name);
    if (!std::isfinite(data_total(data)) || data.columns() < 1) throw Error(VTEMPER_ERROR_DATA, "nothing to model");
    for (int64_t i = 0; i < data.rows() * data.columns(); ++i) {
      if (!std::isnan(data.dense().at(i / data.columns(), i % data.columns()))) continue;
      throw Error(VTEMPER_ERROR_DATA, message("row ", i / data.columns(), " misses a value"));
    }
  }
  double count(int64_t d, int64_t outcome) const { return counts_[static_cast<size_t>(outcome * columns() + d)]; }
  /// E log theta_d (outcome 0) or E log(1 - theta_d), or the logarithm of the mean.
  double logarithm(int64_t d, int64_t outcome, bool expected) const {
    double values[2] = {count(d, outcome), count(d, 0) + count(d, 1)};
    const auto& table = kernels::instruction_set().double_precision;
    (expected ? table.digamma : table.logarithm)(values, values, 2);
    return values[0] - values[1];
  }
  double log_likelihood(const Data& data, int64_t row, bool expected) const {
    double sum = 0;
    for (int64_t d = 0; d < columns(); ++d) {
      const double x = data.dense().at(row, d);
      sum += x * logarithm(d, 0, expected) + (1 - x) * logarithm(d, 1, expected);
    }
    return sum;
  }
};

}  // namespace

const ModelKind beta_columns_kind = {
    "beta_columns", "Independent columns of zeros and ones.", [] { return OptionTable{}; },
    [](const OptionValues& options) -> std::unique_ptr<Model> { return std::make_unique<BetaColumns>(options); },
    VTEMPER_DENSE};

}  // namespace vtemper
