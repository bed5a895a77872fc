#pragma once
/* One side of a plot: from data to places, and its ticks. */

#include <stddef.h>

/** A range of data shown along one side of the plot. */
typedef struct Axis {
  double low, high; /**< data at the two ends */
  double from, to;  /**< SVG units of the two ends */
  double step;      /**< between ticks */
} Axis;

/** Ticks are whole multiples of 1, 2 or 5 times a power of ten, about `count` of them. */
Axis axis_make(double low, double high, double from, double to, int count);

/** Where a value lies, in SVG units. */
double axis_place(const Axis* axis, double value);

/** Numbers of the first and the last tick; tick n is at n * step. */
long axis_first_tick(const Axis* axis);
long axis_last_tick(const Axis* axis);

/** The label of a tick: as many decimals as the step needs, thousands as k, millions as M. */
void axis_label(const Axis* axis, long tick, char* text, size_t room);
