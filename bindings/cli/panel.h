#pragma once
/* One plot within a larger SVG picture. Colours and fonts come from the classes of its elements, styled by the
 * enclosing picture: panel-title, panel-note, panel-grid, panel-axis, panel-tick, panel-curve, panel-spread,
 * panel-dot. */

#include <stdint.h>
#include <stdio.h>

/** Points connected by a line. */
typedef struct Series {
  const double *x, *y;
  const double* spread; /**< half-length of the error bar at each point, or NULL */
  int64_t count;
  const char* style; /**< an additional class, such as one that sets the colour; "" for none */
} Series;

/** Position of the plot area in SVG units, without axes, and its texts. */
typedef struct Panel {
  double left, right, top, bottom;
  const char* title;
  const char* note;    /**< at the right end of the title line, or "" */
  const char* x_label; /**< "" for none */
  int x_ticks, y_ticks;
  int dots; /**< whether points are marked */
} Panel;

/** Draws the panel; non-finite values are skipped. Draws only the title if there is no finite value. */
void panel_draw(FILE* out, const Panel* panel, const Series* series, int count);
