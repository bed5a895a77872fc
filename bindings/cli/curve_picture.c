#include "curve_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "axis.h"
#include "failure.h"
#include "markup.h"
#include "output_file.h"

/* The picture and its plot area, in SVG units. */
static const double width = 880, height = 540;
static const double left = 86, right = 800, top = 104, bottom = 470;
static const double label_distance = 17; /**< minimum distance between the labels at the ends of curves */

static void text_element(FILE* out, double x, double y, const char* attributes, const char* text) {
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
  markup_text(out, text);
  fputs("</text>\n", out);
}

static void draw_axes(FILE* out, const Axis* x, const Axis* y, const PictureText* text) {
  char label[64];
  for (long tick = axis_first_tick(y); tick <= axis_last_tick(y); ++tick) {
    const double value = (double)tick * y->step, at = axis_place(y, value);
    fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e3e6ea\"/>\n", left, right, at, at);
    axis_label(y, tick, label, sizeof label);
    text_element(out, left - 12, at + 4.5, "text-anchor=\"end\"", label);
  }
  fprintf(out, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#7a828c\"/>\n", left, top, bottom, right);
  for (long tick = axis_first_tick(x); tick <= axis_last_tick(x); ++tick) {
    const double value = (double)tick * x->step, at = axis_place(x, value);
    fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#7a828c\"/>\n", at, at, bottom,
            bottom + 6);
    axis_label(x, tick, label, sizeof label);
    text_element(out, at, bottom + 23, "text-anchor=\"middle\"", label);
  }
  text_element(out, (left + right) / 2, bottom + 50, "text-anchor=\"middle\" class=\"label\"", text->x_label);
  char turned[128];
  const double middle = (top + bottom) / 2;
  snprintf(turned, sizeof turned, "text-anchor=\"middle\" class=\"label\" transform=\"rotate(-90 24 %.1f)\"", middle);
  text_element(out, 24, middle, turned, text->y_label);
}

static void draw_curve(FILE* out, const Axis* x, const Axis* y, const Curve* curve) {
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2.6\" stroke-linejoin=\"round\" points=\"",
          curve->colour);
  for (int64_t i = 0; i < curve->count; ++i) {
    fprintf(out, "%s%.1f,%.1f", i > 0 ? " " : "", axis_place(x, curve->x[i]), axis_place(y, curve->y[i]));
  }
  fputs("\"/>\n", out);
  for (int64_t i = 0; i < curve->count; ++i) {
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", axis_place(x, curve->x[i]),
            axis_place(y, curve->y[i]), curve->colour);
  }
}

/* Labels each curve's end with its last value, moved apart where two would overlap. */
static void draw_end_values(FILE* out, const Axis* x, const Axis* y, const Curve* curves, int count) {
  double* at = allocate((size_t)count, sizeof *at);
  for (int i = 0; i < count; ++i) at[i] = axis_place(y, curves[i].y[curves[i].count - 1]);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      const double gap = label_distance - fabs(at[i] - at[j]);
      if (gap <= 0) continue;
      const double shift = at[i] >= at[j] ? gap / 2 : -gap / 2;
      at[i] += shift;
      at[j] -= shift;
    }
  }
  for (int i = 0; i < count; ++i) {
    const int64_t last = curves[i].count - 1;
    char attributes[96], value[32];
    snprintf(attributes, sizeof attributes, "class=\"end\" style=\"fill:%s\"", curves[i].colour);
    snprintf(value, sizeof value, "%.3f", curves[i].y[last]);
    text_element(out, axis_place(x, curves[i].x[last]) + 11, at[i] + 5, attributes, value);
  }
  free(at);
}

static void draw_legend(FILE* out, const Curve* curves, int count) {
  double x = left;
  const double y = top - 20;
  for (int i = 0; i < count; ++i) {
    fprintf(out,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2.6\"/>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
            x, x + 30, y, y, curves[i].colour, x + 15, y, curves[i].colour);
    text_element(out, x + 38, y + 5, "class=\"legend\"", curves[i].name);
    double letters = 0;
    for (const char* letter = curves[i].name; *letter; ++letter) ++letters;
    x += 70 + 8.6 * letters;
  }
}

void curve_picture(const char* path, const PictureText* text, const Curve* curves, int count) {
  double min_x = INFINITY, max_x = -INFINITY, min_y = INFINITY, max_y = -INFINITY;
  for (int i = 0; i < count; ++i) {
    for (int64_t j = 0; j < curves[i].count; ++j) {
      min_x = fmin(min_x, curves[i].x[j]);
      max_x = fmax(max_x, curves[i].x[j]);
      min_y = fmin(min_y, curves[i].y[j]);
      max_y = fmax(max_y, curves[i].y[j]);
    }
  }
  const double air = 0.06 * (max_y - min_y) + 1e-6;
  const Axis x = axis_make(fmin(0, min_x), max_x, left, right, 8);
  const Axis y = axis_make(min_y - air, max_y + air, bottom, top, 7);

  OutputFile output;
  output_open(&output, path);
  FILE* out = output.stream;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
          "role=\"img\">\n<title>",
          width, height, width, height);
  markup_text(out, text->title);
  fprintf(out,
          "</title>\n<style>text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;font-size:13px;fill:#4a515a}"
          ".title{font-size:19px;font-weight:bold;fill:#20262d}.label{font-size:14px}.legend{font-size:14.5px;"
          "fill:#20262d}.end{font-size:13px;font-weight:bold}</style>\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
  text_element(out, left, 34, "class=\"title\"", text->title);
  text_element(out, left, 57, "", text->subtitle);
  draw_legend(out, curves, count);
  draw_axes(out, &x, &y, text);
  for (int i = 0; i < count; ++i) draw_curve(out, &x, &y, &curves[i]);
  draw_end_values(out, &x, &y, curves, count);
  fputs("</svg>\n", out);
  output_close(&output);
}
