// Local variational tempering (Mandt 2016, section 2.4): every row has its own temperature with a posterior over a
// grid,
//   r_dm prop. exp{ s_m L_d - N_d c(s_m) },   s_d = sum_m r_dm s_m,   c(s) = log C(1/s) / N
// (eq. 10 corrected so that the likelihood is tempered only once, inference/README.md section 10). Rows start from
// the running mean of E[s_d]. s_d never reaches 1 by itself, so the cool-down raises it: s_d >= s_cool(t).

#include <algorithm>
#include <cmath>

#include "inference/temperature_options.h"
#include "support/text.h"

namespace vtemper {

namespace {

class Local final : public Temperature {
 public:
  explicit Local(const OptionValues& values)
      : cool_down_(values), given_(values), table_(values, given_.size), hottest_(given_.hottest) {
    rows_.normalizer = table_.normalizer();
    rows_.inverse.assign(given_.size, std::nan(""));
    rows_.log_normalizer.assign(given_.size, std::nan(""));
  }

  bool needs_tokens() const override { return true; }

  void add_required(RequiredFeatures& required) const override {
    required.normalizer = table_.normalizer();
    required.row_temperatures = true;
  }

  void prepare(const ConjugateModel& model, const Corpus& corpus) override {
    const StartTemperatures starts = model.start_temperatures(corpus.rows, corpus.tokens);
    if (!(hottest_ > 0)) hottest_ = starts.row_grid > 0 ? starts.row_grid : starts.grid;
    const double least = 1 / hottest_;
    const size_t size = rows_.inverse.size();
    for (size_t m = 0; m < size; ++m) {
      rows_.inverse[m] = least + (1 - least) * static_cast<double>(m) / static_cast<double>(size - 1);
    }
    if (!given_.inverse.empty()) std::copy(given_.inverse.rbegin(), given_.inverse.rend(), rows_.inverse.begin());
    table_.prepare(model, corpus, rows_.inverse);
    tokens_ = corpus.tokens;
    take_table();
    if (running_mean_ == 0) running_mean_ = before_cool_down_ = (least + 1) / 2;
  }

  void undo_prepare() override {
    hottest_ = given_.hottest;
    std::fill(rows_.inverse.begin(), rows_.inverse.end(), std::nan(""));
    table_.forget();
    running_mean_ = before_cool_down_ = 0;
  }

  void refresh(const ConjugateModel& model, const Clock& clock) override {
    if (!cool_down_.finished(clock) && table_.refresh(model, clock, rows_.inverse)) take_table();
  }

  LocalTemperature local(const Clock& clock) override {
    LocalTemperature temperature;
    if (cool_down_.finished(clock)) return temperature;
    rows_.floor = cool_down_.min_inverse(clock, 1 / before_cool_down_);
    rows_.start = std::max(running_mean_, rows_.floor);
    temperature.inverse = rows_.start;
    temperature.per_row = &rows_;
    return temperature;
  }

  void update(const LocalSums& sums, const double*, double rho, const Clock& clock) override {
    if (!(sums.rows > 0)) return;
    // Rounding can make a mean of ones a little larger.
    const double mean = std::min(1.0, sums.inverse_temperature / sums.rows);
    running_mean_ = std::min(1.0, running_mean_ + std::max(rho, min_rate) * (mean - running_mean_));
    if (!cool_down_.started(clock)) before_cool_down_ = running_mean_;
  }

  bool cold(const Clock& clock) const override { return cool_down_.finished(clock); }

  void report_used(OptionValues& used, const Clock&) const override {
    if (!std::isfinite(rows_.inverse.back())) return;
    used.use("temperature_max", hottest_);
    used.use_by_default("temperature_inverses", numbers_text(rows_.inverse));
  }

  std::vector<Quantity> quantities() const override {
    const int64_t size = static_cast<int64_t>(rows_.inverse.size());
    return {
        {"temperature.grid", {size}, false, "Temperatures T_m of the grid."},
        {"temperature.log_normalizer", {size}, false, "log C(T_m) of the tempered model, all rows together (nats)."},
        {"temperature.mean_inverse", {}, false, "Running mean of E[1/T_d] over the rows."}};
  }

  void read_quantity(std::string_view name, const Sink& sink) const override {
    if (name == "temperature.mean_inverse") {
      sink(0) = running_mean_;
      return;
    }
    for (size_t m = 0; m < rows_.inverse.size(); ++m) {
      sink(static_cast<int64_t>(m)) = name == "temperature.grid" ? 1 / rows_.inverse[m] : table_[m];
    }
  }

  std::vector<double> state() const override {
    std::vector<double> all = {running_mean_, before_cool_down_};
    // The table exists once the run has begun.
    if (running_mean_ > 0) all.insert(all.end(), table_.values().begin(), table_.values().end());
    return all;
  }

  bool restore(const std::vector<double>& state) override {
    constexpr size_t scalars = 2;
    if (state.size() != scalars && state.size() != scalars + table_.values().size()) return false;
    if (!(state[0] >= 0 && state[0] <= 1) || !(state[1] >= 0 && state[1] <= 1)) return false;
    if (state.size() > scalars && !table_.restore(state.data() + scalars)) return false;
    running_mean_ = state[0];
    before_cool_down_ = state[1];
    return true;
  }

 private:
  static constexpr double min_rate = 0.02;

  CoolDown cool_down_;
  GivenGrid given_;
  RowTemperature rows_;
  NormalizerTable table_;    ///< log C(T_m)
  double tokens_ = 0;        ///< of the corpus
  double hottest_;           ///< top of the grid; 0: not known yet
  double running_mean_ = 0;  ///< 0 before prepare
  double before_cool_down_ = 0;

  void take_table() {
    for (size_t m = 0; m < rows_.inverse.size(); ++m) rows_.log_normalizer[m] = table_[m] / tokens_;
  }
};

OptionTable local_options() {
  return learned_temperature_options([](const OptionValues& values) { return grid_size(values, 25); });
}

}  // namespace

extern const TemperaturePart temperature_local;
const TemperaturePart temperature_local = {
    "local", "one learned temperature per row (local variational tempering).", local_options,
    [](const OptionValues& values, const MethodDefaults&) -> std::unique_ptr<Temperature> {
      return std::make_unique<Local>(values);
    }};

}  // namespace vtemper
