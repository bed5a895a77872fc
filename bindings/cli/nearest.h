#pragma once
/* The valid word nearest to a wrong one. */

#include <stddef.h>

/** Collects candidates for one wrong word. */
typedef struct Nearest {
  const char* wrong;
  const char* best; /**< the nearest candidate so far that is near enough, or NULL */
  size_t distance;
} Nearest;

Nearest nearest_to(const char* wrong);

/** Considers one more candidate; it must outlive the search. Dashes and underscores are the same. */
void nearest_consider(Nearest* nearest, const char* candidate);
