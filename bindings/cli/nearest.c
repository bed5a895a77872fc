#include "nearest.h"

#include <string.h>

enum { LONGEST = 63 };

static char folded(char letter) {
  return letter == '_' ? '-' : letter;
}

/* Edit distance with insertions, deletions, substitutions and transpositions (optimal string alignment). */
static size_t edit_distance(const char* a, const char* b) {
  const size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > LONGEST || b_length > LONGEST) return LONGEST;
  size_t table[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= a_length; ++i) table[i][0] = i;
  for (size_t j = 0; j <= b_length; ++j) table[0][j] = j;
  for (size_t i = 1; i <= a_length; ++i) {
    for (size_t j = 1; j <= b_length; ++j) {
      const char x = folded(a[i - 1]), y = folded(b[j - 1]);
      size_t best = table[i - 1][j - 1] + (x != y);
      if (table[i - 1][j] + 1 < best) best = table[i - 1][j] + 1;
      if (table[i][j - 1] + 1 < best) best = table[i][j - 1] + 1;
      const int swapped = i > 1 && j > 1 && x == folded(b[j - 2]) && folded(a[i - 2]) == y;
      if (swapped && table[i - 2][j - 2] + 1 < best) best = table[i - 2][j - 2] + 1;
      table[i][j] = best;
    }
  }
  return table[a_length][b_length];
}

Nearest nearest_to(const char* wrong) {
  /* At most a third of the letters may be wrong: more would suggest unrelated words. */
  return (Nearest){.wrong = wrong, .best = NULL, .distance = strlen(wrong) / 3 + 2};
}

void nearest_consider(Nearest* nearest, const char* candidate) {
  const size_t wrong_length = strlen(nearest->wrong);
  size_t distance = edit_distance(nearest->wrong, candidate);
  /* A prefix of a longer word counts as one error: "temp" means "temperature". */
  if (wrong_length >= 3 && strncmp(nearest->wrong, candidate, wrong_length) == 0 && distance > 1) distance = 1;
  if (distance >= nearest->distance) return;
  nearest->distance = distance;
  nearest->best = candidate;
}
