#pragma once
/* The valid word nearest to a misspelled one. */

#include <stddef.h>

/** The search for one misspelled word. */
typedef struct Nearest {
  const char* wrong;
  const char* best; /**< the nearest sufficiently close candidate so far, or NULL */
  size_t distance;
} Nearest;

Nearest nearest_to(const char* wrong);

/** Considers another candidate; it must outlive the search. Dashes and underscores are equivalent. */
void nearest_consider(Nearest* nearest, const char* candidate);
