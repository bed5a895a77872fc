#pragma once
/* Curves against passes as an SVG picture. */

#include <stdint.h>

/** One curve. */
typedef struct Curve {
  const char* name;
  const char* colour; /**< of SVG */
  const double *x, *y;
  int64_t count;
} Curve;

/** What is written around the curves. */
typedef struct PictureText {
  const char* title;
  const char* subtitle;
  const char* x_label;
  const char* y_label;
} PictureText;

/** Writes the picture, whole or not at all. */
void curve_picture(const char* path, const PictureText* text, const Curve* curves, int count);
