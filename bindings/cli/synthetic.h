#pragma once
/* A corpus drawn from a known latent Dirichlet allocation, for machines without real text at hand. */

#include <stdint.h>

#include <vtemper/vtemper.h>

/** Sizes of the corpus. */
typedef struct SyntheticSizes {
  int topics; /**< at most 26 */
  int words;
  int documents;
  int tokens; /**< of a document */
} SyntheticSizes;

/** Draws the corpus. A word is named by the topic that holds it most likely (a letter) and its rank there: "c1" is
 * the first word of topic c, so that a topic that was found reads "c1 c2 c3 ...". */
vtemper_data* synthetic_corpus(const SyntheticSizes* sizes, uint64_t seed);
