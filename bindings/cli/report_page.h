#pragma once
/* A page about a fitted model: one self-contained HTML file with its data as JSON. */

#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Contents of the page. */
typedef struct Report {
  const char* title;
  const vtemper_model* model;
  Trace trace;              /**< the trace of the fit; may be empty */
  const vtemper_data* data; /**< rows shown by the page and used for the coherence, or NULL */
  const char* data_title;   /**< its name */
  int64_t words;            /**< words per topic */
  int64_t image_height;     /**< columns are pixels of images of this size; 0 if they are not */
  int64_t image_width;
} Report;

void report_page_write(FILE* out, const Report* report);

#ifdef __cplusplus
}
#endif
