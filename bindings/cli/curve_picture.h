#pragma once
/* Curves over passes as an SVG picture. */

#include <stdint.h>

/** One curve. */
typedef struct Curve {
  const char* name;
  const char* colour; /**< SVG colour */
  const double *x, *y;
  int64_t count;
} Curve;

/** Texts around the curves. */
typedef struct PictureText {
  const char* title;
  const char* subtitle;
  const char* x_label;
  const char* y_label;
} PictureText;

/** Writes the picture; the file is replaced atomically. */
void curve_picture(const char* path, const PictureText* text, const Curve* curves, int count);
