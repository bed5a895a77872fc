#pragma once
/* One axis of a plot: maps data to positions and places ticks. */

#include <stddef.h>

/** A range of data along one axis of the plot. */
typedef struct Axis {
  double low, high; /**< data values at the two ends */
  double from, to;  /**< SVG coordinates of the two ends */
  double step;      /**< distance between ticks */
} Axis;

/** Ticks are integer multiples of 1, 2 or 5 times a power of ten, about `count` of them. */
Axis axis_make(double low, double high, double from, double to, int count);

/** Position of a value, in SVG units. */
double axis_place(const Axis* axis, double value);

/** Numbers of the first and the last tick; tick n is at n * step. */
long axis_first_tick(const Axis* axis);
long axis_last_tick(const Axis* axis);

/** Label of a tick: as many decimals as the step needs; k for thousands, M for millions. */
void axis_label(const Axis* axis, long tick, char* text, size_t room);
