#pragma once
/* A page about a fitted model: one HTML file with its data as JSON, without anything from elsewhere. */

#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the page is about. */
typedef struct Report {
  const char* title;
  const vtemper_model* model;
  Trace trace;              /**< the course of the fit; may be empty */
  const vtemper_data* data; /**< rows that the page shows and coherence is measured on, or NULL */
  const char* data_title;   /**< its name */
  int64_t words;            /**< of a topic */
  int64_t image_height;     /**< columns are pixels of images of this size; 0 where they are none */
  int64_t image_width;
} Report;

void report_page_write(FILE* out, const Report* report);

#ifdef __cplusplus
}
#endif
