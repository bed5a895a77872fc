// Variational tempering (Mandt 2016, section 2.3): one temperature for all data with a posterior q(y) over a grid,
//   r_m prop. exp{ N (F(s_m) - c(s_m)) },   s = sum_m r_m s_m,   c(s) = log C(1/s) / N.
// `smoothed` takes F(s_m) = s_m L with the natural parameters averaged by rho (the stochastic natural-gradient step
// of eq. 9); `profiled` re-optimises the local posteriors of a few rows at each of a few temperatures, so that F(s)
// is the tempered local bound itself (a tighter bound with q(z, theta | y)): it does not get stuck at the top of the
// grid (inference/README.md section 3, remedy 1).

#include <algorithm>
#include <array>
#include <cmath>

#include "inference/temperature_options.h"
#include "support/text.h"

namespace vtemper {

namespace {

constexpr int64_t profile_rows = 6;        ///< rows of a step whose bound is profiled
constexpr size_t profile_nodes = 8;        ///< temperatures at which it is profiled
constexpr double min_profile_rate = 0.02;  ///< minimum rate of the profile's running mean

class Global final : public Temperature {
 public:
  explicit Global(const OptionValues& values)
      : cool_down_(values),
        profiled_(values.used("temperature_estimate") == "profiled"),
        given_(values),
        log_normalizer_(values, given_.size),
        hottest_(given_.hottest) {
    inverse_.assign(given_.size, std::nan(""));
    potentials_.assign(given_.size, 0.0);
    weights_.assign(given_.size, 1.0 / static_cast<double>(given_.size));
  }

  bool needs_tokens() const override { return true; }

  void add_required(RequiredFeatures& required) const override { required.normalizer = log_normalizer_.normalizer(); }

  void prepare(const ConjugateModel& model, const Corpus& corpus) override {
    tokens_ = corpus.tokens;
    if (!(hottest_ > 0)) hottest_ = model.start_temperatures(corpus.rows, corpus.tokens).grid;
    const auto grid = [&](size_t i, size_t size) {
      return std::pow(hottest_, -static_cast<double>(i) / static_cast<double>(size - 1));
    };
    for (size_t m = 0; m < inverse_.size(); ++m) inverse_[m] = grid(m, inverse_.size());
    if (!given_.inverse.empty()) inverse_ = given_.inverse;
    log_normalizer_.prepare(model, corpus, inverse_);
    for (size_t j = 0; j < profile_nodes; ++j) nodes_[j] = grid(j, profile_nodes);
    if (expected_inverse_ == 0) {
      expected_inverse_ = mean_inverse();
      temperature_before_cool_down_ = 1 / expected_inverse_;
    }
    data_ = corpus.data;
    follow(model);
  }

  void undo_prepare() override {
    hottest_ = given_.hottest;
    std::fill(inverse_.begin(), inverse_.end(), std::nan(""));
    log_normalizer_.forget();
    expected_inverse_ = 0;
    temperature_before_cool_down_ = 1;
  }

  void follow(const ConjugateModel& model) override {
    if (profiled_) solver_ = model.row_solver(data_, profile_rows);
  }

  void refresh(const ConjugateModel& model, const Clock& clock) override {
    if (!cool_down_.started(clock)) log_normalizer_.refresh(model, clock, inverse_);
  }

  LocalTemperature local(const Clock& clock) override {
    LocalTemperature temperature;
    const double least = cool_down_.min_inverse(clock, temperature_before_cool_down_);
    temperature.inverse = std::min(1.0, std::max(expected_inverse_, least));
    return temperature;
  }

  /// Number of tokens, F(s_j), L(s_j) of the profiled rows.
  int64_t measurement_length() const override { return profiled_ ? 1 + 2 * static_cast<int64_t>(profile_nodes) : 0; }

  void measure(const Batch& batch, const Clock& clock, int threads, double* out) override {
    std::fill_n(out, measurement_length(), 0.0);
    if (!profiled_ || cool_down_.started(clock)) return;
    // Chosen by their places among all rows of the step, so they do not depend on how the rows are divided.
    std::array<int64_t, profile_rows> rows;
    const int64_t of_step = std::min(profile_rows, batch.rows_of_step());
    int64_t count = 0;
    for (int64_t i = 0; i < of_step; ++i) {
      const int64_t found = batch.find(i * batch.rows_of_step() / of_step);
      if (found >= 0) rows[static_cast<size_t>(count++)] = batch.row(found);
    }
    if (count == 0) return;
    LocalSettings settings;
    settings.threads = threads;
    settings.statistics = false;
    settings.bound = true;
    for (size_t j = 0; j < profile_nodes; ++j) {
      LocalTemperature temperature;
      temperature.inverse = nodes_[j];
      const LocalSums sums = solver_->local_step({batch.data, rows.data(), 0, count}, temperature, settings);
      out[0] = sums.tokens;
      out[1 + j] = sums.bound;
      out[1 + profile_nodes + j] = sums.expected_log_likelihood;
    }
  }

  bool needs_likelihood() const override { return !profiled_; }

  void update(const LocalSums& sums, const double* measurement, double rho, const Clock& clock) override {
    if (cool_down_.started(clock)) return;  // the cool-down to T = 1 ignores the posterior
    if (profiled_) {
      if (!(measurement[0] > 0)) return;
      const double rate = first_rho_ == 0 ? 1 : std::max(rho, min_profile_rate);
      for (size_t j = 0; j < 2 * profile_nodes; ++j) {
        profile_[j] += rate * (measurement[1 + j] / measurement[0] - profile_[j]);
      }
      for (size_t m = 0; m < inverse_.size(); ++m) {
        potentials_[m] = tokens_ * profile(inverse_[m]) - log_normalizer_[m];
      }
    } else {
      if (!(sums.tokens > 0)) return;
      const double per_token = sums.expected_log_likelihood / sums.tokens;
      for (size_t m = 0; m < inverse_.size(); ++m) {
        potentials_[m] += rho * (inverse_[m] * tokens_ * per_token - log_normalizer_[m] - potentials_[m]);
      }
    }
    weigh();
    temperature_before_cool_down_ = 1 / expected_inverse_;
    if (first_rho_ == 0) first_rho_ = rho;
  }

  bool cold(const Clock& clock) const override { return cool_down_.finished(clock) || expected_inverse_ >= 1; }

  /// -sum_m r_m log C(T_m) + H(r) - log M.
  double objective_term(const Clock& clock) const override {
    // During the cool-down the temperature has no posterior.
    if (cool_down_.started(clock) || expected_inverse_ >= 1) return 0;
    double term = -std::log(static_cast<double>(weights_.size()));
    for (size_t m = 0; m < weights_.size(); ++m) {
      if (weights_[m] > 0) term -= weights_[m] * (log_normalizer_[m] + std::log(weights_[m]));
    }
    return term;
  }

  std::string warning(const Clock& clock) override {
    if (warned_ || first_rho_ == 0 || static_cast<double>(clock.iteration) < 5 / first_rho_) return {};
    warned_ = true;
    const double temperature = 1 / local(clock).inverse;
    if (std::log(temperature) <= 0.5 * std::log(1 / inverse_.back())) return {};
    return message("stuck hot: after ", clock.iteration, " steps the learned temperature is still ", temperature,
                   "; a cool-down (temperature_cool_down) or method annealing brings it to 1");
  }

  void report_used(OptionValues& used, const Clock&) const override {
    if (!std::isfinite(inverse_.back())) return;
    used.use("temperature_max", hottest_);
    used.use_by_default("temperature_inverses", numbers_text(inverse_));
  }

  std::vector<Quantity> quantities() const override {
    const int64_t size = static_cast<int64_t>(inverse_.size());
    return {
        {"temperature.grid", {size}, false, "Temperatures T_m of the grid."},
        {"temperature.weights", {size}, false, "Posterior r_m of the temperatures."},
        {"temperature.log_normalizer", {size}, false, "log C(T_m) of the tempered model, all rows together (nats)."}};
  }

  void read_quantity(std::string_view name, const Sink& sink) const override {
    for (size_t m = 0; m < inverse_.size(); ++m) {
      sink(static_cast<int64_t>(m)) = name == "temperature.grid"      ? 1 / inverse_[m]
                                      : name == "temperature.weights" ? weights_[m]
                                                                      : log_normalizer_[m];
    }
  }

  std::vector<double> state() const override {
    std::vector<double> all = {temperature_before_cool_down_, first_rho_, warned_ ? 1.0 : 0.0, expected_inverse_};
    all.insert(all.end(), profile_.begin(), profile_.end());
    all.insert(all.end(), potentials_.begin(), potentials_.end());
    all.insert(all.end(), weights_.begin(), weights_.end());
    // The table exists once the run has begun.
    if (expected_inverse_ > 0) {
      all.insert(all.end(), log_normalizer_.values().begin(), log_normalizer_.values().end());
    }
    return all;
  }

  bool restore(const std::vector<double>& state) override {
    constexpr size_t scalars = 4;
    const size_t size = inverse_.size();
    const size_t without_table = scalars + profile_.size() + 2 * size;
    if (state.size() != without_table && state.size() != without_table + size) return false;
    if (!std::all_of(state.begin(), state.end(), [](double x) { return std::isfinite(x); })) return false;
    if (!(state[0] >= 1) || !(state[3] >= 0 && state[3] <= 1)) return false;
    if (state.size() > without_table && !log_normalizer_.restore(state.data() + without_table)) return false;
    temperature_before_cool_down_ = state[0];
    first_rho_ = state[1];
    warned_ = state[2] != 0;
    expected_inverse_ = state[3];
    const auto profile = state.begin() + scalars;
    std::copy_n(profile, profile_.size(), profile_.begin());
    std::copy_n(profile + static_cast<int64_t>(profile_.size()), size, potentials_.begin());
    std::copy_n(profile + static_cast<int64_t>(profile_.size() + size), size, weights_.begin());
    return true;
  }

 private:
  CoolDown cool_down_;
  bool profiled_;
  GivenGrid given_;
  std::vector<double> inverse_;     ///< s_m, from 1 down
  NormalizerTable log_normalizer_;  ///< log C(T_m)
  std::vector<double> potentials_;  ///< natural parameters of r
  std::vector<double> weights_;     ///< r_m
  std::array<double, profile_nodes> nodes_{};
  std::array<double, 2 * profile_nodes> profile_{};  ///< running means of F(s_j) and L(s_j), per token
  const Data* data_ = nullptr;
  std::unique_ptr<RowSolver> solver_;
  double tokens_ = 0;
  double hottest_;               ///< top of the grid; 0: not known yet
  double expected_inverse_ = 0;  ///< 0 before prepare
  double temperature_before_cool_down_ = 1;
  double first_rho_ = 0;
  bool warned_ = false;

  double mean_inverse() const {
    double mean = 0;
    for (size_t m = 0; m < inverse_.size(); ++m) mean += weights_[m] * inverse_[m];
    return std::min(mean, 1.0);
  }

  void weigh() {
    const double largest = *std::max_element(potentials_.begin(), potentials_.end());
    double total = 0;
    for (size_t m = 0; m < potentials_.size(); ++m) total += weights_[m] = std::exp(potentials_[m] - largest);
    for (double& weight : weights_) weight /= total;
    expected_inverse_ = mean_inverse();
  }

  /// F(s) per token: cubic Hermite between the nodes, with dF/ds = L (envelope theorem).
  double profile(double s) const {
    size_t j = 0;
    while (j + 2 < profile_nodes && s < nodes_[j + 1]) ++j;
    const double width = nodes_[j + 1] - nodes_[j];
    const double t = (s - nodes_[j]) / width;
    const double* value = profile_.data() + j;
    const double* slope = value + profile_nodes;
    return value[0] * (1 + 2 * t) * (1 - t) * (1 - t) + value[1] * t * t * (3 - 2 * t) +
           width * (slope[0] * t * (1 - t) * (1 - t) + slope[1] * t * t * (t - 1));
  }
};

OptionTable global_options() {
  OptionTable table = learned_temperature_options([](const OptionValues& values) { return grid_size(values, 100); });
  table.push_back({"temperature_estimate", VTEMPER_OPTION_CHOICE, "auto", 0, 0, "auto profiled smoothed",
                   "How the posterior of the temperature is estimated: profiled: from the tempered bound of a few "
                   "rows at several temperatures; smoothed: from the smoothed expected log likelihood of the steps; "
                   "auto: the model's own."});
  return table;
}

}  // namespace

extern const TemperaturePart temperature_global;
const TemperaturePart temperature_global = {
    "global", "one learned temperature for all data (variational tempering).", global_options,
    [](const OptionValues& values, const MethodDefaults&) -> std::unique_ptr<Temperature> {
      return std::make_unique<Global>(values);
    }};

}  // namespace vtemper
