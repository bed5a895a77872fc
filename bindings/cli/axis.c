#include "axis.h"

#include <math.h>
#include <stdio.h>

Axis axis_make(double low, double high, double from, double to, int count) {
  /* A range that consists of rounding error only is widened. */
  const double least = 1e-9 * fmax(fabs(low), fabs(high));
  if (!(high - low > least)) high = low + fmax(least, 1e-9);
  const double raw = (high - low) / count, power = pow(10, floor(log10(raw)));
  const double step = power * (raw <= power ? 1 : raw <= 2 * power ? 2 : raw <= 5 * power ? 5 : 10);
  return (Axis){low, high, from, to, step};
}

double axis_place(const Axis* axis, double value) {
  return axis->from + (axis->to - axis->from) * (value - axis->low) / (axis->high - axis->low);
}

long axis_first_tick(const Axis* axis) {
  return (long)ceil(axis->low / axis->step - 1e-9);
}

long axis_last_tick(const Axis* axis) {
  return (long)floor(axis->high / axis->step + 1e-9);
}

void axis_label(const Axis* axis, long tick, char* text, size_t room) {
  const double largest = fmax(fabs(axis->low), fabs(axis->high));
  const double max_decimals = 1e-3; /* a unit that needs more decimals is too large */
  double unit = largest >= 1e9 ? 1e9 : largest >= 1e6 ? 1e6 : largest >= 1e4 ? 1e3 : 1;
  while (unit > 1 && axis->step / unit < max_decimals * (1 - 1e-9)) unit /= 1e3;
  const char* suffix = unit == 1e9 ? "G" : unit == 1e6 ? "M" : unit == 1e3 ? "k" : "";
  const double step = axis->step / unit;
  const int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
  const double value = (double)tick * step;
  snprintf(text, room, "%.*f%s", decimals, value == 0 ? 0.0 : value, suffix);
}
