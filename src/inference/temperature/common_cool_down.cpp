#include <algorithm>
#include <cmath>
#include <functional>

#include "inference/temperature_options.h"
#include "support/error.h"
#include "support/text.h"

namespace vtemper {

GivenGrid::GivenGrid(const OptionValues& values)
    : hottest(values.is_auto("temperature_max") ? 0 : values.real("temperature_max")),
      size(static_cast<size_t>(values.integer("temperature_grid_size"))) {
  if (values.is_auto("temperature_inverses")) return;
  constexpr double rounding = 1e-12;
  const auto refuse = [](const auto&... pieces) { throw Error(VTEMPER_ERROR_OPTION, message(pieces...)); };
  inverse = values.reals("temperature_inverses");
  std::sort(inverse.begin(), inverse.end(), std::greater<>());
  const auto twice = std::adjacent_find(inverse.begin(), inverse.end());
  if (twice != inverse.end()) refuse("option temperature_inverses contains ", *twice, " more than once");
  if (inverse.front() < 1 - rounding || inverse.size() < 2) {
    refuse("option temperature_inverses has ", counted(static_cast<int64_t>(inverse.size()), "value"),
           ", the largest ", inverse.front(), "; it needs at least two, one of them 1 (the model itself)");
  }
  if (inverse.size() != size) {
    refuse("option temperature_grid_size is ", static_cast<int64_t>(size), ", but temperature_inverses has ",
           counted(static_cast<int64_t>(inverse.size()), "value"), "; leave temperature_grid_size out");
  }
  const double of_grid = 1 / inverse.back();
  if (hottest > 0 && std::abs(hottest - of_grid) > rounding * of_grid) {
    refuse("option temperature_max is ", hottest, ", but temperature_inverses goes up to a temperature of ", of_grid,
           "; leave temperature_max out");
  }
  if (!(hottest > 0)) hottest = of_grid;
}

std::string grid_size(const OptionValues& values, int64_t usual) {
  const bool given = !values.is_auto("temperature_inverses");
  return number_text(given ? static_cast<int64_t>(values.reals("temperature_inverses").size()) : usual);
}

OptionTable learned_temperature_options(std::string (*size)(const OptionValues&)) {
  return {
      {"temperature_inverses", VTEMPER_OPTION_REALS, "auto", 1e-6, 1, "",
       "The grid of temperatures T from which the posterior chooses, as values of 1/T, one of them 1; auto: "
       "temperature_grid_size values from T = 1 to temperature_max, evenly spaced in log T for global, in 1/T for "
       "local."},
      {"temperature_grid_size", VTEMPER_OPTION_INTEGER, "auto", 2, 10000, "",
       "Number M of temperatures in the grid; auto: that of temperature_inverses, else 100 for global, 25 for local.",
       size},
      {"temperature_max", VTEMPER_OPTION_REAL, "auto", 1.01, 1000, "",
       "Highest temperature of the grid; auto: that of temperature_inverses, else the highest at which the model's "
       "components stay distinct."},
      {"temperature_cool_down", VTEMPER_OPTION_REAL, "0.3333333333333333", 0, 1, "",
       "Share of the run over which T falls to 1, ending where its last third or its last 200 steps begin; 0: no "
       "cool-down, and the fit may end hot."},
      {"temperature_normalizer", VTEMPER_OPTION_CHOICE, "auto", 0, 0,
       "auto gibbs monte_carlo jensen mean plug_in moment exact upper prior",
       "How log C(T) of the tempered model is estimated; auto: the model's own choice. Models refuse estimates that "
       "are not defined for them."},
      {"partition_samples", VTEMPER_OPTION_INTEGER, "100", 1, 1e6, "",
       "Draws from the prior, for estimates of log C(T) that use them (temperature_normalizer monte_carlo and jensen "
       "of lda, prior of hidden_markov)."},
      {"temperature_refresh", VTEMPER_OPTION_INTEGER, "auto", 1, 1e12, "",
       "Steps between tables of log C(T) where the estimate depends on the fit (plug_in, moment); auto: 1 where a "
       "step sees all rows, else 50."},
  };
}

bool CoolDown::started(const Clock& clock) const {
  return share_ > 0 && done(clock) >= 0;
}

bool CoolDown::finished(const Clock& clock) const {
  return share_ > 0 && clock.annealed_share() >= 1;
}

double CoolDown::min_inverse(const Clock& clock, double from) const {
  if (finished(clock)) return 1;
  if (!started(clock)) return 0;
  return 1 / (from + (1 - from) * std::clamp(done(clock), 0.0, 1.0));
}

double CoolDown::done(const Clock& clock) const {
  if (clock.planned) {
    const double begin = std::max(1 - share_ / clock.planned->hot, 0.0);  // as a share of the annealing
    return (clock.planned->annealed - begin) / (1 - begin);
  }
  // If the length of the run is unknown, T is 1 after annealed_steps, as for a schedule.
  const int64_t expected = clock.expected_steps();
  const double total = expected > 0 ? static_cast<double>(expected) : annealed_steps / (1 - plain_share);
  const double end = clock.annealed_length();
  const double begin = std::max(end - share_ * total, 0.0);
  const double since = static_cast<double>(clock.iteration) - begin;
  return end > begin ? since / (end - begin) : since < 0 ? -1 : 1;
}

}  // namespace vtemper
