#include "inference/proximity.h"

#include <algorithm>
#include <cmath>

#include "inference/parts.h"
#include "support/threads.h"

namespace vtemper {

namespace {

/// Below this, k has no noticeable effect (README.md section 9).
constexpr double min_magnitude = 1e-9;
/// Length of the decay if the length of the run is unknown.
constexpr double default_steps = 1e5;
constexpr int64_t chunk = 16384;  ///< parameters averaged per task

}  // namespace

OptionTable Proximity::options() {
  static const std::string decays = names_of_parts(proximity_decay_parts(), "");
  static const std::string distances = names_of_parts(proximity_distance_parts(), "");
  static const std::string decay_description =
      "How the magnitude falls over the run, k_t at step t of T: " + descriptions_of_parts(proximity_decay_parts());
  static const std::string distance_description =
      "Distance d of the statistic from its reference, summed over the statistic's elements, with e their "
      "difference: " +
      descriptions_of_parts(proximity_distance_parts());
  OptionTable table = {
      {"proximity_magnitude", VTEMPER_OPTION_REAL, "auto", 0, 1e15, "",
       "Magnitude k of the constraint in the first step; auto: that of the objective at the start."},
      {"proximity_start", VTEMPER_OPTION_CHOICE, "mean", 0, 0, "mean sum",
       "Which objective at the start sets the magnitude: that of a row, or that of the whole first step."},
      {"proximity_decay", VTEMPER_OPTION_CHOICE, "exponential", 0, 0, decays.c_str(), decay_description.c_str()},
      {"proximity_steps", VTEMPER_OPTION_REAL, "auto", 1, 1e15, "",
       "Steps T over which the magnitude decays; auto: those of the run, 100000 if its length is not known."},
      {"proximity_average", VTEMPER_OPTION_CHOICE, "statistic", 0, 0, "statistic parameters",
       "What the reference averages: the statistic itself, or the parameters of the posterior, whose statistic is "
       "then computed on the same rows."},
      {"proximity_average_decay", VTEMPER_OPTION_REAL, "0.9999", 0, 0.99999999, "",
       "Share of the moving average that a step keeps (alpha)."},
      {"proximity_distance", VTEMPER_OPTION_CHOICE, "inverse_huber", 0, 0, distances.c_str(),
       distance_description.c_str()},
      {"proximity_inner_steps", VTEMPER_OPTION_INTEGER, "0", 0, 1e6, "",
       "How rows with posterior parameters of their own are constrained: 0 linearises the constraint (Altosaar 2018, "
       "Algorithm 2, eq. 9); n maximises the constrained objective by n inner steps of size learning_rate (Algorithm "
       "1, eq. 8). With step_size gradient_ascent the step ends where the inner steps end; adam and rmsprop use "
       "their displacement over learning_rate as the gradient. Posteriors given by networks accept only 0."},
      {"proximity_inner_noise", VTEMPER_OPTION_REAL, "0", 0, 1e6, "",
       "Standard deviation of the noise added to a row's parameters before its inner steps."},
  };
  for (const ProximityDecayPart* part : proximity_decay_parts()) merge(table, part->options());
  return table;
}

Proximity::Proximity(const OptionValues& options, Statistic statistic)
    : statistic_(statistic),
      given_magnitude_(options.is_auto("proximity_magnitude") ? -1 : options.real("proximity_magnitude")),
      magnitude_(given_magnitude_),
      of_sum_(options.text("proximity_start") == "sum"),
      steps_(options.text("proximity_decay") == "constant" || options.is_auto("proximity_steps")
                 ? 0
                 : options.real("proximity_steps")),
      kept_(options.real("proximity_average_decay")),
      averages_parameters_(options.text("proximity_average") == "parameters"),
      inner_steps_(options.integer("proximity_inner_steps")),
      inner_noise_(options.real("proximity_inner_noise")),
      options_(options),
      decay_(&part_named(proximity_decay_parts(), options.text("proximity_decay"))),
      distance_(&part_named(proximity_distance_parts(), options.text("proximity_distance"))) {}

void Proximity::start_at(double mean, double rows) {
  magnitude_ = std::abs(mean) * (of_sum_ ? rows : 1);
}

void Proximity::prepare(int64_t batch, int64_t row, int64_t rows, const RealArray& posterior) {
  batch_length_ = batch;
  row_length_ = row;
  mean_.assign(static_cast<size_t>(batch + row * rows), 0);
  weight_.assign(mean_.size(), 0);
  if (!averages_parameters_) return;
  average_.resize(posterior.single, posterior.length);
  posterior_ = average_.array();
  row_parameters_ = row > 0 && rows > 0 ? posterior.length / rows : 0;
  for (int64_t i = 0; i < posterior.length; ++i) posterior_.set(i, posterior.at(i));
}

double Proximity::steps(const Clock& clock) const {
  if (steps_ > 0) return steps_;
  return clock.steps_total > 0 ? static_cast<double>(clock.steps_total) : default_steps;
}

void Proximity::report_used(OptionValues& used, const Clock& clock) const {
  if (magnitude_ >= 0) used.use("proximity_magnitude", magnitude_);
  used.use("proximity_steps", steps(clock));
}

double Proximity::magnitude(const Clock& clock) const {
  const bool planned = clock.planned && !(steps_ > 0);
  const double done = planned ? clock.planned->run : static_cast<double>(clock.iteration) / steps(clock);
  const double k = magnitude_ * decay_->share(options_, done);
  return k >= min_magnitude ? k : 0;
}

void Proximity::force(int64_t first, int64_t count, const double* statistic, const double* reference,
                      double* out) const {
  for (int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<size_t>(first + i);
    // Without a history there is no reference.
    const bool known = reference != nullptr || weight_[place] > 0;
    const double mean = reference != nullptr ? reference[i] : known ? mean_[place] / weight_[place] : 0;
    out[i] = known ? now_ * distance_->derivative(statistic[i] - mean) : 0;
  }
}

RowConstraint Proximity::row_constraint(const RowPosteriors& model, double rate) const {
  return {model, statistic_, *distance_, now_, rate, inner_steps_, inner_noise_};
}

const double* Proximity::row_reference(const RowPosteriors& model, int64_t row, RowScratch& scratch) const {
  double* out = scratch.reference.data();
  if (averages_parameters_) {
    // The slopes are not needed.
    model.row_statistics(statistic_, posterior_.part(row * row_parameters_, row_parameters_), out,
                         scratch.next.slopes.data());
    return out;
  }
  const auto first = static_cast<size_t>(batch_length_ + row * row_length_);
  for (size_t i = 0; i < static_cast<size_t>(row_length_); ++i) {
    if (!(weight_[first + i] > 0)) return nullptr;
    out[i] = mean_[first + i] / weight_[first + i];
  }
  return out;
}

void Proximity::take_parameters(int64_t first, int64_t count, const RealArray& posterior) {
  for (int64_t i = first; i < first + count; ++i) {
    posterior_.set(i, kept_ * posterior_.at(i) + (1 - kept_) * posterior.at(i));
  }
}

void Proximity::take(int64_t first, int64_t count, const double* statistic) {
  for (int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<size_t>(first + i);
    mean_[place] = kept_ * mean_[place] + (1 - kept_) * statistic[i];
    weight_[place] = kept_ * weight_[place] + (1 - kept_);
  }
}

void Proximity::update(const std::vector<double>& of_batch, const double* of_rows, const Batch& batch,
                       const RealArray& posterior, int threads) {
  if (averages_parameters_ && row_parameters_ > 0) {
    for (int64_t i = 0; i < batch.count; ++i) {
      take_parameters(batch.row(i) * row_parameters_, row_parameters_, posterior);
    }
    return;
  }
  if (averages_parameters_) {
    parallel_for(threads, (posterior.length + chunk - 1) / chunk, [&](int64_t part, int) {
      const int64_t first = part * chunk;
      take_parameters(first, std::min(chunk, posterior.length - first), posterior);
    });
    return;
  }
  take(0, batch_length_, of_batch.data());
  if (row_length_ == 0) return;
  for (int64_t i = 0; i < batch.count; ++i) {
    take(batch_length_ + batch.row(i) * row_length_, row_length_, of_rows + i * row_length_);
  }
}

void Proximity::save(ContainerWriter& writer) const {
  writer.keep("optimizer.proximity", std::vector<double>{magnitude_});
  writer.keep("optimizer.proximity.mean", mean_);
  writer.keep("optimizer.proximity.weight", weight_);
  if (averages_parameters_) average_.save("optimizer.proximity.parameters", writer);
}

void Proximity::load(const ContainerReader& reader) {
  const std::vector<double> magnitude = reader.doubles("optimizer.proximity");
  const std::vector<double> mean = reader.doubles("optimizer.proximity.mean");
  const std::vector<double> weight = reader.doubles("optimizer.proximity.weight");
  if (magnitude.size() != 1 || !std::isfinite(magnitude[0]) || mean.size() != mean_.size() ||
      weight.size() != weight_.size()) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds a proximity constraint of another size"));
  }
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto usable = [](double x) { return x >= 0 && x <= 1.000001; };
  if (!std::all_of(mean.begin(), mean.end(), finite) || !std::all_of(weight.begin(), weight.end(), usable) ||
      !(magnitude[0] >= -1 && magnitude[0] <= 1e300)) {
    throw Error(VTEMPER_ERROR_FORMAT, message(reader.name(), " holds a proximity constraint that is damaged"));
  }
  magnitude_ = magnitude[0];
  mean_ = mean;
  weight_ = weight;
  if (averages_parameters_) average_.load("optimizer.proximity.parameters", reader);
}

}  // namespace vtemper
