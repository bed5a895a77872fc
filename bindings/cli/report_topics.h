#pragma once
/* The topics' part of a report: sizes, map, words. */

#include <stdio.h>

#include "report_page.h"

/** Writes the sections on topics; nothing for a kind of model without topics. */
void report_topics_write(FILE* out, const Report* report);
