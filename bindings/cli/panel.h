#pragma once
/* One plot within a larger SVG picture. Colours and fonts come from the classes of its elements, which the picture
 * around it styles: panel-title, panel-note, panel-grid, panel-axis, panel-tick, panel-curve, panel-spread,
 * panel-dot. */

#include <stdint.h>
#include <stdio.h>

/** Points joined by a line. */
typedef struct Series {
  const double *x, *y;
  const double* spread; /**< half the length of the bar through each point, or NULL */
  int64_t count;
  const char* style; /**< a class besides panel-curve, such as one that gives the colour; "" for none */
} Series;

/** Where the plot lies, in SVG units, axes excluded, and what is written at it. */
typedef struct Panel {
  double left, right, top, bottom;
  const char* title;
  const char* note;    /**< at the right end of the title's line, or "" */
  const char* x_label; /**< "" for none */
  int x_ticks, y_ticks;
  int dots; /**< points are marked */
} Panel;

/** Draws the panel; values that are not finite are left out. Nothing but the title where no value is. */
void panel_draw(FILE* out, const Panel* panel, const Series* series, int count);
