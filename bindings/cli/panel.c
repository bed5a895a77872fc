#include "panel.h"

#include <math.h>

#include "axis.h"
#include "markup.h"

/* Extent of the values shown. */
typedef struct Range {
  double low_x, high_x, low_y, high_y;
} Range;

static int is_shown(const Series* series, int64_t i) {
  return isfinite(series->x[i]) && isfinite(series->y[i]);
}

static double spread_of(const Series* series, int64_t i) {
  return series->spread && isfinite(series->spread[i]) ? series->spread[i] : 0;
}

static Range range_of(const Series* series, int count) {
  Range range = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (int s = 0; s < count; ++s) {
    for (int64_t i = 0; i < series[s].count; ++i) {
      if (!is_shown(&series[s], i)) continue;
      const double spread = spread_of(&series[s], i);
      range.low_x = fmin(range.low_x, series[s].x[i]);
      range.high_x = fmax(range.high_x, series[s].x[i]);
      range.low_y = fmin(range.low_y, series[s].y[i] - spread);
      range.high_y = fmax(range.high_y, series[s].y[i] + spread);
    }
  }
  return range;
}

static void write_text(FILE* out, double x, double y, const char* anchor, const char* style, const char* text) {
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, style);
  markup_text(out, text);
  fputs("</text>\n", out);
}

static void draw_axes(FILE* out, const Panel* panel, const Axis* x, const Axis* y) {
  char label[64];
  for (long tick = axis_first_tick(y); tick <= axis_last_tick(y); ++tick) {
    const double at = axis_place(y, (double)tick * y->step);
    fprintf(out, "<path class=\"panel-grid\" d=\"M%.1f %.1fH%.1f\"/>\n", panel->left, at, panel->right);
    axis_label(y, tick, label, sizeof label);
    write_text(out, panel->left - 9, at + 4, "end", "panel-tick", label);
  }
  for (long tick = axis_first_tick(x); tick <= axis_last_tick(x); ++tick) {
    const double at = axis_place(x, (double)tick * x->step);
    fprintf(out, "<path class=\"panel-axis\" d=\"M%.1f %.1fv5\"/>\n", at, panel->bottom);
    axis_label(x, tick, label, sizeof label);
    write_text(out, at, panel->bottom + 19, "middle", "panel-tick", label);
  }
  fprintf(out, "<path class=\"panel-axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", panel->left, panel->top, panel->bottom,
          panel->right);
  if (*panel->x_label) {
    write_text(out, (panel->left + panel->right) / 2, panel->bottom + 39, "middle", "panel-tick", panel->x_label);
  }
}

static void draw_series(FILE* out, const Panel* panel, const Axis* x, const Axis* y, const Series* series) {
  const char* separator = "";
  fprintf(out, "<polyline class=\"panel-curve %s\" points=\"", series->style);
  for (int64_t i = 0; i < series->count; ++i) {
    if (!is_shown(series, i)) continue;
    fprintf(out, "%s%.1f,%.1f", separator, axis_place(x, series->x[i]), axis_place(y, series->y[i]));
    separator = " ";
  }
  fputs("\"/>\n", out);
  for (int64_t i = 0; i < series->count && panel->dots; ++i) {
    if (!is_shown(series, i)) continue;
    const double at = axis_place(x, series->x[i]), spread = spread_of(series, i);
    if (spread > 0) {
      fprintf(out, "<path class=\"panel-spread %s\" d=\"M%.1f %.1fV%.1f\"/>\n", series->style, at,
              axis_place(y, series->y[i] - spread), axis_place(y, series->y[i] + spread));
    }
    fprintf(out, "<circle class=\"panel-dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", series->style, at,
            axis_place(y, series->y[i]));
  }
}

void panel_draw(FILE* out, const Panel* panel, const Series* series, int count) {
  write_text(out, panel->left, panel->top - 14, "start", "panel-title", panel->title);
  if (*panel->note) write_text(out, panel->right, panel->top - 14, "end", "panel-note", panel->note);
  const Range range = range_of(series, count);
  if (!(range.low_x <= range.high_x)) return;
  /* A constant curve gets some vertical space as well. */
  const double spread = range.high_y - range.low_y, size = fmax(fabs(range.high_y), fabs(range.low_y));
  const double air = spread > 1e-9 * size ? 0.06 * spread : fmax(0.02 * size, 1e-6);
  const double side = panel->dots ? 0.04 * (range.high_x - range.low_x) : 0;
  const Axis x = axis_make(range.low_x - side, range.high_x + side, panel->left, panel->right, panel->x_ticks);
  const Axis y = axis_make(range.low_y - air, range.high_y + air, panel->bottom, panel->top, panel->y_ticks);
  draw_axes(out, panel, &x, &y);
  for (int s = 0; s < count; ++s) draw_series(out, panel, &x, &y, &series[s]);
}
