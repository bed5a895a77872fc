#pragma once
/* A page about a fitted model: HTML with inline SVG and CSS, without scripts and without anything from elsewhere. */

#include <stdint.h>
#include <stdio.h>

#include <vtemper/vtemper.h>

#include "trace.h"

/** What the page is about. */
typedef struct Report {
  const char* title;
  const vtemper_model* model;
  Trace trace;              /**< the course of the fit; may be empty */
  const vtemper_data* data; /**< that coherence is measured on, or NULL */
  const char* data_title;   /**< its name */
  int64_t words;            /**< of a topic */
} Report;

void report_page_write(FILE* out, const Report* report);
