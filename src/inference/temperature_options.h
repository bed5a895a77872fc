#pragma once
// Shared by the temperatures: the schedule that falls to T = 1 and, for learned temperatures, options, the table of
// log C and the cool-down to T = 1.

#include "inference/temperature.h"

namespace vtemper {

/// A schedule of at most this many passes is too short to make components equal and may start hotter.
constexpr double brief_passes = 8;

/// The shape of a schedule that falls to T = 1: options temperature_start, temperature_passes, temperature_steps and
/// temperature_shape.
class TemperatureSchedule {
 public:
  /// `default_steps`: of the model's own for full steps; 0: none.
  TemperatureSchedule(const OptionValues& values, double default_steps);

  bool needs_start() const { return start_ == 0; }
  /// Sets the default start temperature, and that of a schedule of at most brief_passes; 0: the same.
  void start_at(double temperature, double brief = 0) {
    start_ = temperature;
    brief_start_ = brief;
  }
  double start() const { return start_; }
  /// Undoes start_at and reheat_to.
  void forget_starts() {
    start_ = given_start_;
    brief_start_ = 0;
    reheat_ = 0;
  }
  /// Sets the temperature that later coolings start from; else they start from that of the first.
  void reheat_to(double temperature) { reheat_ = temperature; }
  /// Sets the default share of a run of known length until T = 1.
  void last(double share) { share_ = share; }
  double inverse(const Clock& clock) const;  ///< s of the next step
  bool finished(const Clock& clock) const;   ///< s = 1 from here on
  /// Enters the options above as they are in use; the start once it is known.
  void report_used(OptionValues& used, const Clock& clock) const;

 private:
  double given_start_;      ///< option temperature_start; 0: auto
  double start_;            ///< 0: not yet known
  double brief_start_ = 0;  ///< likewise for brief schedules; 0: the same
  double reheat_ = 0;       ///< start of later coolings; 0: the same
  bool linear_;
  double default_steps_;  ///< the model's default for full steps; 0: none
  double steps_ = -1;     ///< < 0: not given
  double passes_ = -1;    ///< likewise
  double share_ = 0;      ///< of the run; 0: as in annealed_length

  double length(const Clock& clock) const;
  double done(const Clock& clock) const;  ///< completed share of its length; at least 1 after its end
  double first_start_of(const Clock& clock) const;
  double start_of(const Clock& clock) const;
};

OptionTable schedule_options();

/// temperature_inverses, temperature_grid_size, temperature_max, temperature_cool_down, and the options of
/// NormalizerTable. `size`: the rule for temperature_grid_size.
OptionTable learned_temperature_options(std::string (*size)(const OptionValues&));

/// The number of temperatures that are given, or else `usual`: a rule for temperature_grid_size.
std::string grid_size(const OptionValues& values, int64_t usual);

/// The grid of a learned temperature, as it is given.
struct GivenGrid {
  std::vector<double> inverse;  ///< 1/T from 1 down; empty: none is given
  double hottest = 0;           ///< temperature_max, or what follows from the above; 0: neither is given
  size_t size;
  /// Error(OPTION) for a grid without T = 1, with a temperature twice, or that the two other options contradict.
  explicit GivenGrid(const OptionValues& values);
};

/// The cool-down of a learned temperature (README.md section 3, remedy 2): the tempered model is only a path to the
/// model at T = 1, so T falls linearly to 1 over a share of the run that ends where the plain steps begin.
class CoolDown {
 public:
  explicit CoolDown(const OptionValues& values) : share_(values.real("temperature_cool_down")) {}

  bool started(const Clock& clock) const;
  bool finished(const Clock& clock) const;
  /// Lower bound of the next step's inverse temperature if the cool-down started from temperature `from`; 0 before it
  /// starts.
  double min_inverse(const Clock& clock, double from) const;

 private:
  double share_;

  double done(const Clock& clock) const;  ///< its completed share; negative before it starts
};

/// log C(T_m) over the grid of a learned temperature, by the estimate of temperature_normalizer; recomputed every
/// temperature_refresh steps if the estimate depends on the globals.
class NormalizerTable {
 public:
  NormalizerTable(const OptionValues& values, size_t size);

  const Normalizer& normalizer() const { return normalizer_; }
  /// Undoes prepare.
  void forget() { std::fill(values_.begin(), values_.end(), std::nan("")); }
  double operator[](size_t m) const { return values_[m]; }
  const std::vector<double>& values() const { return values_; }

  /// Call before the first step; keeps restored values. Error if log C is not finite.
  void prepare(const ConjugateModel& model, const Corpus& corpus, const std::vector<double>& inverse);
  /// True if the table was recomputed.
  bool refresh(const ConjugateModel& model, const Clock& clock, const std::vector<double>& inverse);
  /// False if a value is not finite.
  bool restore(const double* values);

 private:
  Normalizer normalizer_;
  int64_t refresh_every_;
  double rows_ = 0;
  double tokens_ = 0;
  bool restored_ = false;
  std::vector<double> values_;
  std::vector<double> fresh_;  ///< workspace, so that a failed call changes nothing

  void fill(const ConjugateModel& model, const std::vector<double>& inverse);
};

}  // namespace vtemper
