#pragma once
/* A corpus drawn from a known latent Dirichlet allocation model, for machines without real text. */

#include <stdint.h>

#include <vtemper/vtemper.h>

/** Sizes of the corpus. */
typedef struct SyntheticSizes {
  int topics; /**< at most 26 */
  int words;
  int documents;
  int tokens; /**< per document */
} SyntheticSizes;

/** Draws the corpus. A word is named by the topic that gives it the highest probability (a letter) and its rank
 * there: "c1" is the first word of topic c, so a recovered topic reads "c1 c2 c3 ...". */
vtemper_data* synthetic_corpus(const SyntheticSizes* sizes, uint64_t seed);
